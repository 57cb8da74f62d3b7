// What is being played: the game and how it goes, the start, and the record of its set-up.

import { el, fill, show } from "./dom.js";
import { gameOf } from "./games.js";
import { api } from "./api.js";

let variants = null;

export class About {
  constructor(table, element) {
    this.table = table;
    this.title = el("h1");
    this.start = el("p.faint");
    this.rules = el("details", { open: innerWidth > 1100 }, el("summary", {}, "How it is played"));
    fill(element, this.title, this.start, this.rules);
    this.drawn = null;
  }

  async update() {
    const { state } = this.table;
    if (this.drawn === state.variant) return;
    this.drawn = state.variant;
    const { rules } = gameOf(state.variant);
    this.rules.append(...rules.map((text) => el("p", {}, text)));
    show(this.rules, rules.length > 0);
    this.title.textContent = state.variant;
    variants ??= await api.variants().catch(() => []);
    this.title.textContent = variants.find(({ id }) => id === state.variant)?.name ?? state.variant;
    this.start.textContent = await startText(state);
    show(this.start, this.start.textContent !== "");
  }
}

/** "Start 518: RNBQKBNR" where a game of shuffled arrays began from one. */
async function startText({ variant, board, start_fen: fen }) {
  if (!["chess960", "ifrc"].includes(variant) || !fen) return "";
  const ranks = fen.split(" ")[0].split("/").map((rank) => rank.replace(/\d/g, ""));
  const home = (board - 8) / 2;
  const white = ranks.at(-1 - home), black = ranks[home].toUpperCase();
  const isArray = (rank) => [...rank].sort().join("") === "BBKNNQRR" && /R.*K.*R/.test(rank);
  if (!isArray(white) || !isArray(black)) return "";
  const start = white === black ? white : `${white}/${black.toLowerCase()}`;
  const found = await api.preview({ variant, start }).catch(() => null);
  if (!found) return "";
  return found.number === null ? `Start ${found.start}` : `Start ${found.number}: ${found.start}`;
}
