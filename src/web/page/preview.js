// @ts-check
// A small board with the position after a move of the engine's lines, while the pointer rests on the move.

import { el } from "./dom.js";
import { pieceSvg } from "./pieces.js";
import { isLight, squareAt } from "./squares.js";

/** @import { Position, ScreenState } from "../types" */
/** @import { Actions } from "./actions.js" */

/** How long the pointer rests before the board appears, in milliseconds. */
const REST_MS = 150;

/**
 * Shows previews for the moves of a list, buttons whose data-moves are the moves from the shown position. Returns
 * the element of the preview, and what has to be called when the list was drawn anew.
 * @param {HTMLElement} list
 * @param {Actions} actions
 */
export function showPreviews(list, actions) {
  const card = el("div.preview", { "aria-hidden": "true", hidden: true });
  let timer = 0;
  /** The moves that are or will be shown. */
  let moves = "";
  let { shown } = actions.state;

  const hide = () => {
    clearTimeout(timer);
    moves = "";
    card.hidden = true;
  };
  const draw = async () => {
    const { place, flipped, game } = actions.state;
    const wanted = moves;
    const before = shown;
    const next = { ply: place.ply, moves: [...place.moves, ...wanted.split(" ")] };
    const position = await actions.positionAt(next).catch(() => null);
    if (!position || wanted !== moves || before !== shown) return;
    card.replaceChildren(miniature(position, game.board, flipped));
    card.hidden = false;
    put(card, list);
  };
  list.addEventListener("pointerover", ({ target, pointerType }) => {
    const move = target instanceof Element && target.closest("[data-moves]");
    const pointed = move instanceof HTMLElement && pointerType !== "touch" ? (move.dataset.moves ?? "") : "";
    if (pointed === moves) return;
    hide();
    moves = pointed;
    if (moves) timer = setTimeout(draw, REST_MS);
  });
  list.addEventListener("pointerleave", hide);
  return {
    card,
    /** @param {ScreenState} state */
    update(state) {
      if (state.shown !== shown || !state.isAnalysing) hide();
      shown = state.shown;
    },
  };
}

/** @param {Position} position @param {number} size @param {boolean} flipped */
function miniature({ squares, last }, size, flipped) {
  const cells = Array.from({ length: size * size }, (_, index) => {
    const square = squareAt(index % size, Math.floor(index / size), size, flipped);
    const piece = squares[square];
    const classes = `${isLight(square) ? "light" : "dark"}${last?.includes(square) ? " last" : ""}`;
    return el("span", { class: classes, "data-at": square }, piece && pieceSvg(piece));
  });
  const board = el("div.miniature", {}, cells);
  board.style.setProperty("--size", String(size));
  return board;
}

/** Puts the board below the list, or above it if there is no room. @param {HTMLElement} card @param {Element} list */
function put(card, list) {
  const { left, right, top, bottom } = list.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const y = bottom + 4 + height <= innerHeight ? bottom + 4 : Math.max(0, top - 4 - height);
  Object.assign(card.style, { left: `${Math.max(0, Math.min(right - width, left))}px`, top: `${y}px` });
}
