// Captured pieces: a side's pieces at the start and its promotions, less its pieces now.

import { ROLES } from "./pieces.js";

const VALUES = { K: 0, Q: 9, R: 5, B: 3, N: 3, P: 1 };

/** Counts the pieces of each kind in a FEN, on the board and in hand: { wQ: 1, .. }. */
function count(fen) {
  const pieces = {};
  for (const letter of fen.split(" ")[0].match(/[a-z]/gi) ?? []) {
    const code = (letter === letter.toUpperCase() ? "w" : "b") + letter.toUpperCase();
    pieces[code] = (pieces[code] ?? 0) + 1;
  }
  return pieces;
}

/** Returns the material balance for White, in pawns. */
function balance(pieces) {
  return Object.entries(pieces).reduce((sum, [[color, role], number]) => sum + (color === "w" ? 1 : -1) * VALUES[role] * number, 0);
}

/**
 * Returns what was captured between two FENs with these moves, in UCI notation: { white, black, gain }, the roles
 * that each side has lost, and White's gain of material in pawns.
 */
export function captured(start, now, moves) {
  const [before, after] = [count(start), count(now)];
  const gain = balance(after) - balance(before);
  for (const uci of moves) {
    const [, rank, role] = uci.match(/^[a-j]\d+[a-j](\d+)([qrbn])$/) ?? [];
    if (!role) continue;
    const color = rank === "1" ? "b" : "w", code = color + role.toUpperCase();
    before[`${color}P`] -= 1;
    before[code] = (before[code] ?? 0) + 1;
  }
  const lost = (color) => ROLES.flatMap((role) => new Array(Math.max(0, (before[color + role] ?? 0) - (after[color + role] ?? 0))).fill(role));
  return { white: lost("w"), black: lost("b"), gain };
}
