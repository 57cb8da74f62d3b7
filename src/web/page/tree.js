// Variations: moves that were tried beside those of the game. A place in the tree is
// { ply, moves }: that many turns of the game, then these moves in UCI notation.

export const keyOf = (place) => `${place.ply}:${place.moves.join(",")}`;

export class Tree {
  constructor() {
    this.clear();
  }

  clear() {
    /**
     * Variations by the ply at which they leave the game: lists of { uci, san, children }, from a
     * file also with { mark, comment }.
     */
    this.roots = new Map();
  }

  /** What was read with the game, from a PGN. */
  read(turns) {
    const node = (line) => line.reduceRight((children, turn) => {
      const { uci, san, mark, comment } = turn;
      const own = { uci, san, mark, comment, children: [...children] };
      return [own, ...(turn.variations ?? []).flatMap((other) => node(other))];
    }, []);
    turns.forEach((turn, ply) => {
      const roots = (turn.variations ?? []).flatMap((line) => node(line));
      if (roots.length) this.roots.set(ply, [...(this.roots.get(ply) ?? []), ...roots]);
    });
  }

  /** The moves that can follow a place in a variation, or leave the game there. */
  children({ ply, moves }) {
    let nodes = this.roots.get(ply) ?? [];
    for (const uci of moves) nodes = nodes.find((node) => node.uci === uci)?.children ?? [];
    return nodes;
  }

  /** Adds moves, with their SAN, after a place. */
  add(place, moves, sans) {
    let { ply } = place;
    if (!this.roots.has(ply)) this.roots.set(ply, []);
    let nodes = this.roots.get(ply);
    const all = [...place.moves, ...moves];
    all.forEach((uci, index) => {
      let node = nodes.find((one) => one.uci === uci);
      if (!node) {
        node = { uci, san: sans[index - place.moves.length] ?? uci, children: [] };
        nodes.push(node);
      }
      nodes = node.children;
    });
  }

  /** Takes a variation away, from a place on. */
  remove({ ply, moves }) {
    const last = moves.at(-1);
    const siblings = this.children({ ply, moves: moves.slice(0, -1) });
    const index = siblings.findIndex((node) => node.uci === last);
    if (index >= 0) siblings.splice(index, 1);
  }
}
