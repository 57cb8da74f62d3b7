// The pieces: one drawing for each role, in a square of 100 by 100, coloured by CSS
// (`.piece.w` and `.piece.b` set --fill, --line and --detail). Drawn for this page.

import { svg } from "./dom.js";

/** Roles by letter, in the order in which hands and choices show them. */
export const ROLES = ["K", "Q", "R", "B", "N", "P"];

const NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };

// Outlines are filled and stroked; details are strokes only, dots are filled with the line's colour.
const PLINTH = "M24 91 v-5 c0 -5 3.5 -8 8.5 -8 h35 c5 0 8.5 3 8.5 8 v5 z";
const DRAWINGS = {
  P: {
    outline: [
      "M50 17 a14.5 14.5 0 0 1 9.4 25.5 c3.6 0.8 5.6 2.4 5.6 5 c0 2.4 -1.8 4 -4.6 4 h-1.6 "
      + "c0.8 11.5 4.8 19.5 11.2 25.5 c3.4 3 5 5.6 5 9 v5 h-50 v-5 c0 -3.4 1.6 -6 5 -9 "
      + "c6.4 -6 10.4 -14 11.2 -25.5 h-1.6 c-2.8 0 -4.6 -1.6 -4.6 -4 c0 -2.6 2 -4.2 5.6 -5 a14.5 14.5 0 0 1 9.4 -25.5 z",
    ],
    detail: ["M32 80 h36"],
  },
  R: {
    outline: [
      "M27 16 h10.5 v7 h7.5 v-7 h10 v7 h7.5 v-7 h10.5 v17.5 l-9 7.5 l2.6 30 h-33.2 l2.6 -30 l-9 -7.5 z",
      "M21 91 v-6 c0 -4 2.5 -6.5 6.5 -6.5 l2.5 -8.5 h40 l2.5 8.5 c4 0 6.5 2.5 6.5 6.5 v6 z",
    ],
    detail: ["M31 41 h38", "M30 79 h40"],
  },
  N: {
    outline: [
      "M45 14 l3.5 8.5 c18 1.5 29 15.5 29 37 c0 7.5 -0.8 13.5 -2 18.5 h-40 "
      + "c-0.6 -10.5 4.5 -16 10.5 -21.5 c4.2 -3.8 6.2 -6.6 6.6 -10.4 c-5 3.6 -9.8 4.8 -15.2 4.9 "
      + "c-2 4.6 -4.8 8.6 -9 9.6 c-5.4 1.2 -10.4 -3 -9.9 -8.1 c0.3 -2.6 1.6 -4.9 3.3 -7.5 "
      + "c3.6 -5.6 5.6 -10.5 7.4 -15.5 c1.2 -3.2 3 -5.7 5.6 -7.9 c0.6 -3.6 4.2 -6 10.2 -7.6 z",
      PLINTH,
    ],
    detail: ["M56 27 c9.5 4 14 14.5 13.8 30", "M22.5 54.5 c1.8 -0.6 3 -1.8 3.8 -3.3"],
    dots: [[40, 33.5, 3]],
  },
  B: {
    outline: [
      "M50 9.5 a5.5 5.5 0 0 1 3.6 9.6 c9.8 6.4 16.4 14.8 16.4 25.4 c0 8.5 -4 14.5 -10 18.5 l2.6 9 h-25.2 l2.6 -9 "
      + "c-6 -4 -10 -10 -10 -18.5 c0 -10.6 6.6 -19 16.4 -25.4 a5.5 5.5 0 0 1 3.6 -9.6 z",
      "M23 91 v-5.5 c0 -4.2 3 -6.5 8 -6.5 h5 l1.5 -8 h25 l1.5 8 h5 c5 0 8 2.3 8 6.5 v5.5 z",
    ],
    detail: ["M50 30 v18", "M41 39 h18", "M39 62.5 h22"],
  },
  Q: {
    outline: [
      "M28 72 L15.5 34 L31 49 L33 22 L43 43 L50 19 L57 43 L67 22 L69 49 L84.5 34 L72 72 z",
      "M24 91 v-5 c0 -4.5 2 -6.5 5.5 -7 l-1.5 -7.5 h44 l-1.5 7.5 c3.5 0.5 5.5 2.5 5.5 7 v5 z",
    ],
    balls: [[14.5, 30.5, 5], [32.5, 18, 5], [50, 14, 5.5], [67.5, 18, 5], [85.5, 30.5, 5]],
    detail: ["M31 79.5 h38"],
  },
  K: {
    outline: [
      "M46 8 h8 v6.5 h6.5 v8 h-6.5 v9 h-8 v-9 h-6.5 v-8 h6.5 z",
      "M50 38 c4 -7 10.5 -10.5 17 -10.5 c10.5 0 18.5 7.5 18.5 17.5 c0 10.5 -8 17.5 -14 26.5 h-43 "
      + "c-6 -9 -14 -16 -14 -26.5 c0 -10 8 -17.5 18.5 -17.5 c6.5 0 13 3.5 17 10.5 z",
      "M24 91 v-5 c0 -4.5 2 -6.5 5.5 -7 l-1.5 -8 h44 l-1.5 8 c3.5 0.5 5.5 2.5 5.5 7 v5 z",
    ],
    detail: ["M50 38 v25", "M31 79.5 h38", "M29.5 62 c13 -4 28 -4 41 0"],
  },
};

function drawing(role) {
  const { outline, detail, dots = [], balls = [] } = DRAWINGS[role];
  const circle = (className) => ([cx, cy, r]) => svg("circle", { class: className, cx, cy, r });
  return [
    ...balls.map(circle("outline")),
    ...outline.map((d) => svg("path", { class: "outline", d })),
    ...detail.map((d) => svg("path", { class: "detail", d })),
    ...dots.map(circle("dot")),
  ];
}

/** The drawing of a piece such as "wN", to be put anywhere; it says nothing to screen readers. */
export function pieceSvg(code) {
  const attributes = { class: `piece ${code[0]}`, viewBox: "0 0 100 100", "aria-hidden": "true" };
  return svg("svg", attributes, ...drawing(code[1]));
}

/** "white knight" for "wN". */
export function pieceName(code) {
  return `${code[0] === "w" ? "white" : "black"} ${NAMES[code[1]]}`;
}

/** "knight" for "N" or "n". */
export function roleName(role) {
  return NAMES[role.toUpperCase()];
}
