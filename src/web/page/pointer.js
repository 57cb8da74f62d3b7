// @ts-check
// Mouse, pen and touch on a board: click and click, drag and drop, also from the hand, and drawing with the right
// button.

import { el } from "./dom.js";
import { pieceSvg } from "./pieces.js";

/** @import { Board } from "./board.js" */
/** @import { Source } from "../types" */

/**
 * A pressed piece; `ghost` follows the pointer once it is dragged.
 * @typedef {object} Press
 * @property {Source} source
 * @property {string} piece
 * @property {boolean} wasPicked
 * @property {number} x
 * @property {number} y
 * @property {number} id
 * @property {{ element: HTMLElement, size: number } | null} ghost
 */

/** How long a finger rests before it draws, in milliseconds. */
const LONG_MS = 600;
/** A press that moves less than this number of pixels is a click. */
const SLOP = 5;

export class BoardPointer {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Press | null} */
    this.press = null;
    /** An arrow that is being drawn. @type {{ from: string, brush: string } | null} */
    this.stroke = null;
    /** A finger that may begin to draw. @type {{ id: number, x: number, y: number, timer: number } | null} */
    this.finger = null;
    /** @type {string | null} */
    this.hovered = null;
    const grid = board.grid;
    grid.addEventListener("pointerdown", (event) => this.onDown(event));
    grid.addEventListener("contextmenu", (event) => event.preventDefault());
    addEventListener("pointermove", (event) => this.onMove(event));
    addEventListener("pointerup", (event) => this.onUp(event));
    addEventListener("pointercancel", () => this.cancel());
    addEventListener("blur", () => this.cancel());
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    const { board } = this;
    const square = board.squareUnder(event.clientX, event.clientY);
    if (!square) return;
    // The focus follows the pointer, but only keyboard users need to see it.
    board.grid.dataset.by = "pointer";
    if (event.button === 2) {
      this.cancel();
      this.stroke = { from: square, brush: brushOf(event) };
      return;
    }
    if (event.button !== 0) return;
    if (event.pointerType === "touch") this.rest(event, square);
    else board.arrows.clear();
    board.owner.onPress();
    // A click on a target completes a move; any other may start one.
    if (board.picked && board.dropOn(square)) {
      event.preventDefault();
      return;
    }
    const wasPicked = board.picked?.square === square;
    const canPick = board.owner.canPick(square);
    if (canPick && !wasPicked) board.pick({ square });
    else if (!canPick && board.picked) board.pick(null);
    if (canPick) this.begin(event, { square }, board.view.squares[square], wasPicked);
    board.focus(square);
    event.preventDefault();
  }

  /** Lets a finger that rests on a square draw from there. @param {PointerEvent} event @param {string} from */
  rest({ pointerId: id, clientX: x, clientY: y }, from) {
    clearTimeout(this.finger?.timer);
    const timer = setTimeout(() => {
      this.cancel();
      this.board.pick(null);
      this.stroke = { from, brush: "green" };
      this.board.arrows.draw({ ...this.stroke, to: from });
    }, LONG_MS);
    this.finger = { id, x, y, timer };
  }

  /**
   * Handles a press on a piece of the hand, which can be dragged, or clicked and then its square.
   * @param {PointerEvent} event
   * @param {string} role
   * @param {string} piece
   */
  onHand(event, role, piece) {
    if (event.button !== 0) return;
    const wasPicked = this.board.picked?.role === role;
    if (!wasPicked) this.board.pick({ role });
    this.begin(event, { role }, piece, wasPicked);
    event.preventDefault();
  }

  /** @param {PointerEvent} event @param {Source} source @param {string} piece @param {boolean} wasPicked */
  begin(event, source, piece, wasPicked) {
    this.press = { source, piece, wasPicked, x: event.clientX, y: event.clientY, ghost: null, id: event.pointerId };
    // A touch captures its pointer: releasing it lets the board see where it goes.
    /** @type {Element} */ (event.target).releasePointerCapture?.(event.pointerId);
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const { finger } = this;
    if (finger?.id === event.pointerId && distance(event, finger) >= SLOP) clearTimeout(finger.timer);
    if (this.stroke) {
      const to = this.board.squareUnder(event.clientX, event.clientY);
      this.board.arrows.draw(to ? { ...this.stroke, to } : null);
    }
    const { press } = this;
    if (!press || press.id !== event.pointerId) return;
    if (!press.ghost && distance(event, press) < SLOP) return;
    const { element, size } = (press.ghost ??= this.lift(press));
    const half = size / 2;
    element.style.transform = `translate(${event.clientX - half}px, ${event.clientY - half}px)`;
    this.hover(this.board.squareUnder(event.clientX, event.clientY));
  }

  /** Lifts the pressed piece. @param {Press} press */
  lift({ piece, source }) {
    const size = this.board.grid.getBoundingClientRect().width / this.board.view.size;
    const element = el("div.dragged", {}, pieceSvg(piece));
    element.style.width = element.style.height = `${size}px`;
    document.body.append(element);
    this.board.cells.get(source.square ?? "")?.classList.add("lifted");
    return { element, size };
  }

  /** @param {string | null} square */
  hover(square) {
    if (this.hovered === square) return;
    this.board.cells.get(this.hovered ?? "")?.classList.remove("hover");
    this.board.cells.get(square ?? "")?.classList.add("hover");
    this.hovered = square;
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    const { board, finger, press, stroke } = this;
    const square = board.squareUnder(event.clientX, event.clientY);
    const isFinger = finger?.id === event.pointerId;
    if (isFinger) {
      clearTimeout(finger.timer);
      this.finger = null;
      // A tap takes the drawings away.
      if (!stroke) board.arrows.clear();
    }
    if (stroke && (isFinger || event.button === 2)) {
      this.stroke = null;
      if (square) board.arrows.toggle(stroke.from, square, stroke.brush);
      else board.arrows.draw();
    }
    if (!press || press.id !== event.pointerId) return;
    this.cancel();
    if (press.ghost) {
      if (square && board.dropOn(square, true)) return;
      board.pick(null);
      if (!square) board.owner.dropOutside?.(press.source);
    } else if (press.wasPicked) {
      board.pick(null);
    }
  }

  /** Puts back a dragged piece. */
  cancel() {
    this.press?.ghost?.element.remove();
    this.board.cells.get(this.press?.source.square ?? "")?.classList.remove("lifted");
    this.hover(null);
    clearTimeout(this.finger?.timer);
    this.press = null;
    this.stroke = null;
  }
}

/** @param {PointerEvent} event @param {{ x: number, y: number }} from */
const distance = (event, { x, y }) => Math.hypot(event.clientX - x, event.clientY - y);

/** @param {PointerEvent} event */
function brushOf(event) {
  if (event.shiftKey || event.ctrlKey) return "red";
  return event.altKey || event.metaKey ? "blue" : "green";
}
