// @ts-check
// The board: draws squares and pieces, animates moves, and tells its owner what a person wants to do by mouse, touch
// or keyboard. It knows no rules: the owner (BoardOwner in types.d.ts) says what may be picked up and where it may go.
//
// The grid's data-by says how the board got the focus: by "keys", which show a cursor that the arrow keys move; by
// the "pointer"; or by the "page", so that the next key goes to the board.

import { el, speak } from "./dom.js";
import { pieceName, pieceSvg } from "./pieces.js";
import { coordinates, isLight, place, squareAt, squareName } from "./squares.js";
import { Arrows } from "./arrows.js";
import { BoardPointer } from "./pointer.js";

/** @import { BoardOwner, BoardView, Source, Squares } from "../types" */

/** The duration of a move's animation in milliseconds, by preference. @type {Record<string, number>} */
const MOVE_MS = { off: 0, fast: 80, normal: 160, slow: 450 };
/** The columns and rows by which keys move the cursor. @type {Record<string, number[]>} */
const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-99, 0],
  End: [99, 0],
};
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The empty view. @type {BoardView} */
const NOTHING = { size: 8, flipped: false, squares: {}, check: null, last: [], premove: [], open: [], ghosts: {} };

export class Board {
  /** @param {BoardOwner} owner */
  constructor(owner) {
    this.owner = owner;
    this.view = { ...NOTHING, size: 0 };
    /** @type {Source | null} */
    this.picked = null;
    this.focused = "";
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map();
    this.grid = el("div.grid", { role: "grid", "aria-label": "Chess board" });
    this.arrows = new Arrows();
    this.element = el("div.board", {}, this.grid);
    this.element.append(this.arrows.element);
    this.grid.addEventListener("keydown", (event) => this.onKey(event));
    this.grid.addEventListener("focusin", (event) => this.onFocus(event));
    this.grid.addEventListener("focusout", (event) => {
      if (!this.grid.contains(/** @type {Node | null} */ (event.relatedTarget))) delete this.grid.dataset.by;
    });
    this.pointer = new BoardPointer(this);
  }

  /**
   * Shows a position; omitted fields keep their values. `settled` are squares whose pieces need no animation.
   * @param {Partial<BoardView>} view
   */
  show(view, settled = /** @type {string[]} */ ([])) {
    const before = this.view;
    this.view = { ...before, ...view };
    const { size, flipped } = this.view;
    const rebuilt = size !== before.size || flipped !== before.flipped;
    if (rebuilt) this.build();
    const moved = rebuilt ? [] : travels(before.squares, this.view.squares, settled);
    if (before.squares !== this.view.squares && !same(before.squares, this.view.squares)) this.arrows.clear();
    const square = this.picked?.square;
    if (square && this.view.squares[square] !== before.squares[square]) this.picked = null;
    this.paint();
    for (const { from, to } of moved) this.glide(from, to);
  }

  /** Creates the cells in the order in which they are seen. */
  build() {
    const { size, flipped } = this.view;
    const by = this.grid.dataset.by;
    const hadFocus = this.grid.contains(document.activeElement);
    this.cells.clear();
    const rows = [];
    for (let row = 0; row < size; row += 1) {
      const cells = [];
      for (let column = 0; column < size; column += 1) {
        const square = squareAt(column, row, size, flipped);
        const { file, rank } = coordinates(square);
        const cell = el(`div.cell.${isLight(square) ? "light" : "dark"}`, {
          role: "gridcell",
          "data-square": square,
          "data-file": row === size - 1 ? String.fromCharCode(97 + file) : null,
          "data-rank": column === 0 ? String(rank + 1) : null,
          tabindex: -1,
        });
        this.cells.set(square, cell);
        cells.push(cell);
      }
      rows.push(el("div.row", { role: "row" }, cells));
    }
    this.grid.replaceChildren(...rows);
    this.grid.style.setProperty("--size", String(size));
    this.arrows.fit(size, flipped);
    if (!this.cells.has(this.focused)) this.focused = squareName(Math.floor(size / 2), 1);
    this.cell(this.focused).tabIndex = 0;
    if (hadFocus) this.focus(this.focused, by);
  }

  /** Returns the cell of a square that the board has. @param {string} square */
  cell(square) {
    return /** @type {HTMLElement} */ (this.cells.get(square));
  }

  /** Updates the cells from the view. */
  paint() {
    const { owner, picked } = this;
    const { squares, check, last, premove, open, ghosts } = this.view;
    const targets = new Set(picked ? owner.targets(picked) : []);
    for (const [square, cell] of this.cells) {
      const piece = squares[square] ?? null;
      if ((cell.dataset.piece ?? null) !== piece || (cell.dataset.ghost ?? null) !== (ghosts[square] ?? null)) {
        setPiece(cell, piece, ghosts[square] ?? null);
      }
      const isPicked = picked?.square === square;
      const isTarget = targets.has(square);
      const isRelocation = Boolean(picked) && isTarget && owner.relocates(/** @type {Source} */ (picked), square);
      const isCheck = check === square;
      const classes = {
        last: last.includes(square),
        check: isCheck,
        premove: premove.includes(square),
        open: !picked && open.includes(square),
        picked: isPicked,
        target: isTarget,
        relocation: isRelocation,
        mine: owner.canPick(square),
      };
      for (const [name, isOn] of Object.entries(classes)) cell.classList.toggle(name, isOn);
      cell.setAttribute("aria-selected", String(isPicked));
      const label = [
        square,
        piece ? pieceName(piece) : "empty",
        isPicked && "picked up",
        isRelocation ? "can relocate here" : isTarget && "can go here",
        isCheck && "in check",
        owner.labelOf(square, piece),
      ];
      cell.setAttribute("aria-label", label.filter(Boolean).join(", "));
    }
  }

  /** Animates a piece from its old square. @param {string} from @param {string} to */
  glide(from, to) {
    const piece = this.cells.get(to)?.firstElementChild;
    const duration = MOVE_MS[document.documentElement.dataset.animation ?? ""];
    if (!piece || !duration || still.matches) return;
    const { size, flipped } = this.view;
    const a = place(from, size, flipped);
    const b = place(to, size, flipped);
    const cell = this.cell(to).getBoundingClientRect();
    const shift = `translate(${(a.column - b.column) * cell.width}px, ${(a.row - b.row) * cell.height}px)`;
    const frames = [
      { transform: shift, zIndex: 3 },
      { transform: "none", zIndex: 3 },
    ];
    piece.animate(frames, { duration, easing: "ease-out" });
  }

  /** Picks up a piece from a square or a hand; null puts it back. @param {Source | null} source */
  pick(source) {
    this.picked = source;
    this.paint();
    this.owner.onPick(source);
  }

  /** Drops the picked piece on a square. Returns whether that meant something. @param {string} square */
  dropOn(square, settled = false) {
    const source = this.picked;
    if (!source || source.square === square) return false;
    if (!this.owner.targets(source).includes(square) && !this.owner.anywhere(source, square)) return false;
    this.pick(null);
    this.owner.drop(source, square, settled);
    return true;
  }

  /**
   * Returns the name of the square at a point of the screen; null outside the board.
   * @param {number} x
   * @param {number} y
   */
  squareUnder(x, y) {
    const box = this.grid.getBoundingClientRect();
    const { size, flipped } = this.view;
    const column = Math.floor(((x - box.left) / box.width) * size);
    const row = Math.floor(((y - box.top) / box.height) * size);
    const inside = column >= 0 && row >= 0 && column < size && row < size;
    return inside ? squareAt(column, row, size, flipped) : null;
  }

  /** @param {FocusEvent} event */
  onFocus(event) {
    const { square } = /** @type {HTMLElement} */ (event.target).dataset;
    this.grid.dataset.by ??= "keys";
    if (!square || square === this.focused) return;
    const before = this.cells.get(this.focused);
    if (before) before.tabIndex = -1;
    this.cell(square).tabIndex = 0;
    this.focused = square;
  }

  /** Moves the focus to a square; `by` says for what, as in data-by. */
  focus(square = this.focused, by = this.grid.dataset.by) {
    if (by) this.grid.dataset.by = by;
    this.cells.get(square)?.focus({ preventScroll: by !== "keys" });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = event.ctrlKey || event.metaKey || event.altKey ? null : STEPS[event.key];
    const { size, flipped } = this.view;
    const hasCursor = this.grid.dataset.by === "keys";
    // Without the cursor the arrow keys do not belong to the board.
    if (step && !hasCursor) return;
    if (step) {
      const { column, row } = place(this.focused, size, flipped);
      const inside = (/** @type {number} */ value) => Math.min(size - 1, Math.max(0, value));
      this.focus(squareAt(inside(column + step[0]), inside(row + step[1]), size, flipped));
    } else if (event.key === "Enter" || event.key === " ") {
      if (hasCursor) this.enter(this.focused);
      else this.focus(this.focused, "keys");
    } else if (event.key === "Escape" && this.picked) {
      this.pick(null);
    } else if (event.key === "Escape" && hasCursor) {
      this.focus(this.focused, "page");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Handles Enter or a click: picks up, drops, or picks up another piece. @param {string} square */
  enter(square) {
    if (this.dropOn(square)) return;
    const from = this.picked?.square;
    const isNew = from !== square && this.owner.canPick(square);
    if (from && from !== square && !isNew) speak(`There is no legal move from ${from} to ${square}.`);
    this.pick(isNew ? { square } : null);
  }
}

/** @param {HTMLElement} cell @param {string | null} piece @param {string | null} ghost */
function setPiece(cell, piece, ghost) {
  if (piece) cell.dataset.piece = piece;
  else delete cell.dataset.piece;
  if (ghost) cell.dataset.ghost = ghost;
  else delete cell.dataset.ghost;
  const shown = piece ?? ghost;
  cell.replaceChildren(...(shown ? [pieceSvg(shown)] : []));
}

/** @param {Squares} a @param {Squares} b */
function same(a, b) {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/**
 * Returns which pieces moved between two positions: each new piece comes from the nearest square that lost one.
 * @param {Squares} before
 * @param {Squares} after
 * @param {string[]} settled
 */
function travels(before, after, settled) {
  const lost = Object.keys(before).filter((square) => after[square] !== before[square]);
  const found = Object.keys(after).filter((square) => after[square] !== before[square] && !settled.includes(square));
  const distance = (/** @type {string} */ a, /** @type {string} */ b) => {
    const [p, q] = [coordinates(a), coordinates(b)];
    return Math.hypot(p.file - q.file, p.rank - q.rank);
  };
  // After more than a move or two it is another position, and nothing is animated.
  if (found.length > 4) return [];
  const result = [];
  for (const to of found) {
    const ofKind = lost.filter((square) => before[square] === after[to]);
    const promoted = lost.filter((square) => before[square] === `${after[to][0]}P`);
    const from = (ofKind.length ? ofKind : promoted).sort((a, b) => distance(a, to) - distance(b, to))[0];
    if (from) {
      lost.splice(lost.indexOf(from), 1);
      result.push({ from, to });
    }
  }
  return result;
}
