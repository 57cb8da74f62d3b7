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
    const text = state.start ?? state.number;
    this.start.textContent = text === undefined || text === null ? "" : `Start ${text}`;
    show(this.start, this.start.textContent !== "");
  }
}
