// The men that have gone: what a side had at the start and what became of its pawns, less what it has now.

import { ROLES } from "./pieces.js";

const WORTH = { K: 0, Q: 9, R: 5, B: 3, N: 3, P: 1 };

/** How many men of each kind a FEN has, on the board and in hand: { wQ: 1, .. }. */
function count(fen) {
  const men = {};
  for (const letter of fen.split(" ")[0].match(/[a-z]/gi) ?? []) {
    const code = (letter === letter.toUpperCase() ? "w" : "b") + letter.toUpperCase();
    men[code] = (men[code] ?? 0) + 1;
  }
  return men;
}

/** White's men less Black's, in pawns. */
function balance(men) {
  return Object.entries(men).reduce((sum, [[color, role], number]) => sum + (color === "w" ? 1 : -1) * WORTH[role] * number, 0);
}

/**
 * What is gone between two FENs with these moves, in UCI notation: { white, black, gain }, the roles that each
 * side has lost, and what White has gained in pawns.
 */
export function gone(start, now, moves) {
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
