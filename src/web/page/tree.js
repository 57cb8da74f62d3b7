// The tree of variations, from the server. A place in the tree is { ply, moves }: this number of turns of the game,
// then these moves in UCI notation.

export const keyOf = (place) => `${place.ply}:${place.moves.join(",")}`;

export class Tree {
  constructor() {
    /** Variations by the ply at which they branch off: lists of { uci, san, mark, comment, shapes, children }. */
    this.roots = new Map();
  }

  /** Reads the variations of a state. */
  read({ turns, tail }) {
    const node = (line) => line.reduceRight((children, { variations, ...turn }) =>
      [{ ...turn, children }, ...(variations ?? []).flatMap((other) => node(other))], []);
    this.roots.clear();
    [...turns.map((turn) => turn.variations), tail].forEach((lines, ply) => {
      const roots = (lines ?? []).flatMap((line) => node(line));
      if (roots.length) this.roots.set(ply, roots);
    });
  }

  /** Returns the variations' moves at a place. */
  children({ ply, moves }) {
    let nodes = this.roots.get(ply) ?? [];
    for (const uci of moves) nodes = nodes.find((node) => node.uci === uci)?.children ?? [];
    return nodes;
  }

  /** Returns the moves of a variation up to a place. */
  path({ ply, moves }) {
    return moves.map((_, index) => this.node({ ply, moves: moves.slice(0, index + 1) }));
  }

  /** Returns the variation's move that leads to a place; undefined if there is none. */
  node({ ply, moves }) {
    return this.children({ ply, moves: moves.slice(0, -1) }).find((node) => node.uci === moves.at(-1));
  }
}
