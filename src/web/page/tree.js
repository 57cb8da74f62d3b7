// @ts-check
// The tree of variations, from the server. A place in the tree is { ply, moves }: this number of turns of the game,
// then these moves in UCI notation.

/** @import { Game, Place, Tree, TreeNode, VariationTurn } from "../types" */

/** @param {Place} place */
export const keyOf = (place) => `${place.ply}:${place.moves.join(",")}`;

/** Returns the variations of a game. @param {Game} game @returns {Tree} */
export function readTree({ turns, tail }) {
  /** @type {Tree} */
  const tree = new Map();
  [...turns.map((turn) => turn.variations), tail].forEach((lines, ply) => {
    if (lines?.length) tree.set(ply, lines.flatMap(nodesOf));
  });
  return tree;
}

/**
 * Returns the first move of a line, followed by its alternatives.
 * @param {VariationTurn[]} line
 * @returns {TreeNode[]}
 */
function nodesOf(line) {
  return line.reduceRight(
    (/** @type {TreeNode[]} */ children, turn) => [{ ...turn, children }, ...(turn.variations ?? []).flatMap(nodesOf)],
    [],
  );
}

/** Returns the variations' moves at a place. @param {Tree} tree @param {Place} place */
export function childrenOf(tree, { ply, moves }) {
  let nodes = tree.get(ply) ?? [];
  for (const uci of moves) nodes = nodes.find((node) => node.uci === uci)?.children ?? [];
  return nodes;
}

/** Returns the moves of a variation up to a place. @param {Tree} tree @param {Place} place */
export function pathTo(tree, { ply, moves }) {
  return moves.flatMap((_, index) => nodeAt(tree, { ply, moves: moves.slice(0, index + 1) }) ?? []);
}

/**
 * Returns the variation's move that leads to a place; undefined if there is none.
 * @param {Tree} tree
 * @param {Place} place
 */
export function nodeAt(tree, { ply, moves }) {
  return childrenOf(tree, { ply, moves: moves.slice(0, -1) }).find((node) => node.uci === moves.at(-1));
}
