// @ts-check
// The layout of a game's screen. panels.css arranges the parts of the screen as one column (on a phone), as board and
// column side by side, or as the board between two columns.

import { el, fill } from "./dom.js";

/** Returns the empty screen; its parts are filled by their modules. @param {HTMLElement} board */
export function layout(board) {
  const part = (/** @type {string} */ name, properties = {}) => el(`div.${name}`, properties);
  const section = (/** @type {string} */ name, /** @type {string} */ label) =>
    el(`section.card.${name}`, { "aria-label": label });
  const parts = {
    table: part("table-board"),
    top: part("strip", { "data-at": "top" }),
    bottom: part("strip", { "data-at": "bottom" }),
    bar: el("div.bar", { role: "img", hidden: true }),
    setup: section("setup", "Setup"),
    unsaved: part("banner", { role: "alert", hidden: true }),
    banner: part("banner", { role: "status" }),
    about: section("about", "This game"),
    review: section("review", "Review"),
    moves: section("moves", "Moves"),
    actions: part("actions"),
    analysis: section("analysis", "Analysis"),
    files: section("files", "PGN and FEN"),
  };
  const element = el(
    "div.table",
    {},
    fill(parts.table, parts.top, el("div.board-and-bar", {}, parts.bar, board), parts.bottom),
    el(
      "div.table-panels",
      {},
      el("div.table-side", {}, parts.unsaved, parts.setup, parts.banner, parts.review, parts.moves, parts.actions),
      el("div.table-study", {}, parts.analysis, parts.about, parts.files),
    ),
  );
  return { element, parts };
}
