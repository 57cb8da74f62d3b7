// @ts-check
// Squares by name ("e4", on ten ranks also "j10") and their places on the screen.

/** Returns file and rank, both from 0. @param {string} square */
export function coordinates(square) {
  return { file: square.charCodeAt(0) - 97, rank: Number(square.slice(1)) - 1 };
}

/** Returns the name of the square on a file and a rank. @param {number} file @param {number} rank */
export function squareName(file, rank) {
  return String.fromCharCode(97 + file) + (rank + 1);
}

/**
 * Returns column and row on the screen, from the upper left corner.
 * @param {string} square
 * @param {number} size
 * @param {boolean} flipped
 */
export function place(square, size, flipped) {
  const { file, rank } = coordinates(square);
  return flipped ? { column: size - 1 - file, row: rank } : { column: file, row: size - 1 - rank };
}

/**
 * Returns the square in a column and a row of the screen.
 * @param {number} column
 * @param {number} row
 * @param {number} size
 * @param {boolean} flipped
 */
export function squareAt(column, row, size, flipped) {
  return flipped ? squareName(size - 1 - column, row) : squareName(column, size - 1 - row);
}

/** Whether a square is light. @param {string} square */
export function isLight(square) {
  const { file, rank } = coordinates(square);
  return (file + rank) % 2 === 1;
}
