// @ts-check
// The sets of pieces: one drawing for each role, in a square of 100 by 100, coloured by CSS (`.piece.w` and
// `.piece.b` set --fill, --line and --detail). Drawn for this page.
//
// Outlines and balls are filled and stroked, details are strokes, and dots are filled in the detail colour.

const PLINTH = "M24 91 v-5 c0 -5 3.5 -8 8.5 -8 h35 c5 0 8.5 3 8.5 8 v5 z";

/** Carved pieces. */
const CLASSIC = {
  P: {
    outline: [
      "M50 17 a14.5 14.5 0 0 1 9.4 25.5 c3.6 0.8 5.6 2.4 5.6 5 c0 2.4 -1.8 4 -4.6 4 h-1.6 "
        + "c0.8 11.5 4.8 19.5 11.2 25.5 c3.4 3 5 5.6 5 9 v5 h-50 v-5 c0 -3.4 1.6 -6 5 -9 "
        + "c6.4 -6 10.4 -14 11.2 -25.5 h-1.6 c-2.8 0 -4.6 -1.6 -4.6 -4 "
        + "c0 -2.6 2 -4.2 5.6 -5 a14.5 14.5 0 0 1 9.4 -25.5 z",
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
    balls: [
      [14.5, 30.5, 5],
      [32.5, 18, 5],
      [50, 14, 5.5],
      [67.5, 18, 5],
      [85.5, 30.5, 5],
    ],
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

/** Plain shapes, like toys. */
const FOOT = "M22 91 v-5 q0 -6 6 -6 h44 q6 0 6 6 v5 z";
const PLAIN = {
  P: { outline: ["M50 34 L67 80 H33 z", FOOT], balls: [[50, 33, 15]] },
  R: { outline: ["M34 38 h32 l5 42 h-42 z", "M25 17 h13 v8 h6 v-8 h12 v8 h6 v-8 h13 v24 h-50 z", FOOT] },
  N: {
    outline: ["M33 80 C30 62 45 57 47 46 L34 56 L23 46 L38 26 L42 12 L52 20 C70 26 76 50 70 80 z", FOOT],
    dots: [[43, 33, 3.5]],
  },
  B: {
    outline: ["M50 16 C70 34 74 48 62 62 L68 80 H32 L38 62 C26 48 30 34 50 16 z", FOOT],
    balls: [[50, 14, 6]],
    detail: ["M50 34 v16", "M42 42 h16"],
  },
  Q: {
    outline: ["M19 27 L36 47 L50 18 L64 47 L81 27 L71 80 H29 z", FOOT],
    balls: [
      [18, 25, 5.5],
      [50, 15, 5.5],
      [82, 25, 5.5],
    ],
  },
  K: {
    outline: [
      "M45 7 h10 v9 h9 v10 h-9 v12 h-10 v-12 h-9 v-10 h9 z",
      "M29 80 L20 46 Q35 30 50 46 Q65 30 80 46 L71 80 z",
      FOOT,
    ],
  },
};

/** Symbols of how a piece moves. */
const SIGNS = {
  P: { outline: ["M50 36 L70 72 H30 z"] },
  R: { outline: ["M24 24 h52 v52 h-52 z"], detail: ["M50 33 v34", "M33 50 h34"] },
  N: { outline: ["M28 18 h24 v40 h24 v24 h-48 z"], dots: [[40, 70, 5]] },
  B: { outline: ["M50 14 L86 50 L50 86 L14 50 z"], detail: ["M39 39 L61 61", "M61 39 L39 61"] },
  Q: {
    outline: [
      "M50 8 L60 26 L80 20 L74 40 L92 50 L74 60 L80 80 L60 74 L50 92 L40 74 L20 80 L26 60 L8 50 L26 40 L20 20 L40 26 z",
    ],
    dots: [[50, 50, 9]],
  },
  K: { outline: ["M36 10 h28 v26 h26 v28 h-26 v26 h-28 v-26 h-26 v-28 h26 z"], detail: ["M50 38 v24", "M38 50 h24"] },
};

/** @typedef {{ outline: string[], detail?: string[], dots?: number[][], balls?: number[][] }} Drawing */
/** The sets by name; the drawings by role. @type {Record<string, Record<string, Drawing>>} */
export const DRAWINGS = { classic: CLASSIC, plain: PLAIN, signs: SIGNS };
