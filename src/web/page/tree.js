// Variations: moves that were tried beside those of the game, as the server has them. A place in the
// tree is { ply, moves }: that many turns of the game, then these moves in UCI notation.

export const keyOf = (place) => `${place.ply}:${place.moves.join(",")}`;

export class Tree {
  constructor() {
    /** Variations by the ply at which they leave the game: lists of { uci, san, mark, comment, shapes, children }. */
    this.roots = new Map();
  }

  /** Takes the variations of a State. */
  read({ turns, tail }) {
    const node = (line) => line.reduceRight((children, { variations, ...turn }) =>
      [{ ...turn, children }, ...(variations ?? []).flatMap((other) => node(other))], []);
    this.roots.clear();
    [...turns.map((turn) => turn.variations), tail].forEach((lines, ply) => {
      const roots = (lines ?? []).flatMap((line) => node(line));
      if (roots.length) this.roots.set(ply, roots);
    });
  }

  /** The moves that can follow a place in a variation, or leave the game there. */
  children({ ply, moves }) {
    let nodes = this.roots.get(ply) ?? [];
    for (const uci of moves) nodes = nodes.find((node) => node.uci === uci)?.children ?? [];
    return nodes;
  }

  /** The moves of a variation up to a place. */
  path({ ply, moves }) {
    return moves.map((_, index) => this.node({ ply, moves: moves.slice(0, index + 1) }));
  }

  /** The move of a variation that leads to a place; nothing where there is none. */
  node({ ply, moves }) {
    return this.children({ ply, moves: moves.slice(0, -1) }).find((node) => node.uci === moves.at(-1));
  }
}
