// The panel about a game: its variant and rules, its start, what the dice decided, and a file's tags.

import { el, fill, show } from "./dom.js";
import { gameOf } from "./games.js";
import { api } from "./api.js";
import { startScore } from "./fairness.js";
import { openingOf } from "./openings.js";
import { scoreText, sideName } from "./words.js";

let variants = null;

/** The name of a variant. */
export async function variantName(id) {
  variants ??= await api.variants().catch(() => null);
  return variants?.find((variant) => variant.id === id)?.name ?? id;
}

/** The number of the starting position of chess among the 960. */
const USUAL_START = 518;

export class About {
  constructor(table, element) {
    this.table = table;
    this.title = el("h1");
    this.start = el("p.faint");
    this.score = el("p.faint.start-score");
    this.opening = el("p.opening", { hidden: true });
    this.dice = el("div.dice-log");
    this.tags = el("dl.tags");
    this.rules = el("details", { open: innerWidth > 1100 }, el("summary", {}, "Rules"));
    fill(element, this.title, this.opening, this.start, this.score, this.dice, this.tags, this.rules);
    this.drawn = null;
  }

  /** Only orthodox chess from its usual starting position has named openings. */
  async drawOpening() {
    const { table } = this;
    const { shown, state } = table;
    const name = state.variant === "chess" && state.number === USUAL_START ? await openingOf(table.line.map((turn) => turn?.san ?? "")) : null;
    // The shown position may have changed meanwhile.
    if (table.shown !== shown) return;
    this.opening.textContent = name ?? "";
    show(this.opening, Boolean(name));
  }

  async update() {
    const { state } = this.table;
    fill(this.dice, diceTexts(state.throws).map((text) => el("p", {}, text)));
    this.drawOpening();
    if (this.drawn === state.id) return;
    this.drawn = state.id;
    this.start.textContent = state.start ?? "";
    show(this.start, Boolean(state.start));
    const found = startScore(state.variant, state.number);
    show(this.score, Boolean(found));
    if (found) {
      const { score, error, mean } = found;
      this.score.textContent = `Scored ${pawns(score)} \u00b1 ${(error / 100).toFixed(2)} for White, by a search of 1,000,000 nodes; the 960 starts average ${pawns(mean)}.`;
    }
    fill(this.tags, state.tags.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
    show(this.tags, state.tags.length > 0);
    const { rules } = gameOf(state.variant);
    this.rules.append(...rules.map((text) => el("p", {}, text)));
    show(this.rules, rules.length > 0);
    this.title.textContent = await variantName(state.variant);
  }
}

const pawns = (centipawns) => scoreText({ cp: centipawns });

/** What the dice decided: each side's random part, and the mediator's verdicts. */
function diceTexts(rolls) {
  const placed = (color) => {
    const own = rolls.filter((one) => one.purpose === "root" && one.color === color);
    return own.length ? [`${sideName(color)}\u2019s dice: ${own.map(({ short }) => short).join(", ")}`] : [];
  };
  const said = rolls.filter((one) => one.purpose === "mediation");
  return [...placed("white"), ...placed("black"), ...said.map((one) => `The mediator: ${one.sentence}${one.again ? "; Black rerolled" : ""}`)];
}
