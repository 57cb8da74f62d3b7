// @ts-check
// Captured pieces: a side's pieces at the start and its promotions, less its pieces now.

import { ROLES } from "./pieces.js";

/** @type {Record<string, number>} */
const VALUES = { K: 0, Q: 9, R: 5, B: 3, N: 3, P: 1 };

/** Counts the pieces of each kind in a FEN, on the board and in hand: { wQ: 1, .. }. @param {string} fen */
function count(fen) {
  /** @type {Record<string, number>} */
  const pieces = {};
  for (const letter of fen.split(" ")[0].match(/[a-z]/gi) ?? []) {
    const code = (letter === letter.toUpperCase() ? "w" : "b") + letter.toUpperCase();
    pieces[code] = (pieces[code] ?? 0) + 1;
  }
  return pieces;
}

/** Returns the material balance for White, in pawns. @param {Record<string, number>} pieces */
function balance(pieces) {
  const values = Object.entries(pieces).map(
    ([[color, role], number]) => (color === "w" ? 1 : -1) * VALUES[role] * number,
  );
  return values.reduce((sum, value) => sum + value, 0);
}

/**
 * Returns what was captured between two FENs with these moves, in UCI notation: { white, black, gain }, the roles
 * that each side has lost, and White's gain of material in pawns.
 * @param {string} start
 * @param {string} now
 * @param {string[]} moves
 */
export function captured(start, now, moves) {
  const [before, after] = [count(start), count(now)];
  const gain = balance(after) - balance(before);
  for (const uci of moves) {
    const [, rank, role] = uci.match(/^[a-j]\d+[a-j](\d+)([qrbn])$/) ?? [];
    if (!role) continue;
    const color = rank === "1" ? "b" : "w";
    const code = color + role.toUpperCase();
    before[`${color}P`] -= 1;
    before[code] = (before[code] ?? 0) + 1;
  }
  const lost = (/** @type {string} */ color) =>
    ROLES.flatMap((role) => {
      const number = (before[color + role] ?? 0) - (after[color + role] ?? 0);
      return new Array(Math.max(0, number)).fill(role);
    });
  return { white: lost("w"), black: lost("b"), gain };
}
