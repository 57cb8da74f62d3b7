// @ts-check
// The pieces: their drawings and names.

import { svg } from "./dom.js";
import { DRAWINGS } from "./drawings.js";

/** Roles by letter, in the order of hands and choices. */
export const ROLES = ["K", "Q", "R", "B", "N", "P"];

/** @type {Record<string, string>} */
const NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };

/** @param {string} role */
function drawing(role) {
  const { outline, detail = [], dots = [], balls = [] } = DRAWINGS[document.documentElement.dataset.pieces ?? ""][role];
  const circle =
    (/** @type {string} */ className) =>
    (/** @type {number[]} */ [cx, cy, r]) =>
      svg("circle", { class: className, cx, cy, r });
  return [
    ...balls.map(circle("outline")),
    ...outline.map((d) => svg("path", { class: "outline", d })),
    ...detail.map((d) => svg("path", { class: "detail", d })),
    ...dots.map(circle("dot")),
  ];
}

/** Returns the drawing of a piece such as "wN", which screen readers ignore. @param {string} code */
export function pieceSvg(code) {
  const attributes = { class: `piece ${code[0]}`, "data-role": code[1], viewBox: "0 0 100 100", "aria-hidden": "true" };
  return svg("svg", attributes, ...drawing(code[1]));
}

// Redraws all pieces when another set is chosen.
addEventListener("preference", ({ detail }) => {
  if (detail !== "pieces") return;
  for (const piece of /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll("svg.piece"))) {
    piece.replaceChildren(...drawing(piece.dataset.role ?? ""));
  }
});

/** Returns "white knight" for "wN". @param {string} code */
export function pieceName(code) {
  return `${code[0] === "w" ? "white" : "black"} ${NAMES[code[1]]}`;
}

/** Returns "knight" for "N" or "n". @param {string} role */
export function roleName(role) {
  return NAMES[role.toUpperCase()];
}
