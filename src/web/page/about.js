// @ts-check
// The panel about a game: its variant and rules, its start, what the dice decided, and a file's tags.

import { api } from "./api.js";
import { el, fill, show } from "./dom.js";
import { startScore } from "./fairness.js";
import { gameOf } from "./games.js";
import { openingOf } from "./openings.js";
import { lineTo } from "./state.js";
import { scoreText, sideName } from "./words.js";

/** @import { Color, DiceRoll, ScreenState, Variant } from "../types" */
/** @import { Store } from "./store.js" */

/** @type {Promise<Variant[] | null> | null} */
let variants = null;

/** The name of a variant. @param {string} id */
export async function variantName(id) {
  variants ??= api.variants().catch(() => (variants = null));
  return (await variants)?.find((variant) => variant.id === id)?.name ?? id;
}

/** The number of the starting position of chess among the 960. */
const USUAL_START = 518;

/** Shows the panel in an element. @param {HTMLElement} element @param {Store<ScreenState>} store */
export function showAbout(element, store) {
  const { game } = store.state;
  const title = el("h1");
  const opening = el("p.opening", { hidden: true });
  const dice = el("div.dice-log");
  const { rules } = gameOf(game.variant);
  fill(
    element,
    title,
    opening,
    game.start && el("p.faint", {}, game.start),
    scoreOfStart(game.variant, game.number),
    dice,
    game.tags.length > 0
      && el(
        "dl.tags",
        {},
        game.tags.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
      ),
    rules.length > 0
      && el(
        "details",
        { open: innerWidth > 1100 },
        el("summary", {}, "Rules"),
        rules.map((text) => el("p", {}, text)),
      ),
  );
  variantName(game.variant).then((name) => fill(title, name));

  store.subscribe(
    (state) => [state.game.rolls],
    (state) => {
      fill(
        dice,
        diceTexts(state.game.rolls).map((text) => el("p", {}, text)),
      );
    },
  );
  // Only orthodox chess from its usual starting position has named openings.
  store.subscribe(
    (state) => [state.game.turns, state.shown],
    async (state) => {
      const hasOpenings = state.game.variant === "chess" && state.game.number === USUAL_START;
      const name = hasOpenings ? await openingOf(lineTo(state).map(({ san }) => san)) : null;
      // The shown position may have changed meanwhile.
      if (store.state.shown !== state.shown) return;
      opening.textContent = name ?? "";
      show(opening, Boolean(name));
    },
  );
}

/** @param {string} variant @param {number | null} number */
function scoreOfStart(variant, number) {
  const found = startScore(variant, number);
  if (!found) return null;
  const pawns = (/** @type {number} */ cp) => scoreText({ cp });
  const scored = `Scored ${pawns(found.score)} \u00b1 ${(found.error / 100).toFixed(2)} for White`;
  const how = `by a search of 1,000,000 nodes; the 960 starts average ${pawns(found.mean)}`;
  return el("p.faint.start-score", {}, `${scored}, ${how}.`);
}

/**
 * What the dice decided: the bishops and rooks that they placed, and the mediator's verdicts.
 * @param {DiceRoll[]} rolls
 */
function diceTexts(rolls) {
  const placed = (/** @type {Color} */ color) => {
    const own = rolls.filter((one) => one.purpose === "root" && one.color === color);
    return own.length ? [`${sideName(color)}\u2019s dice: ${own.map(({ short }) => short).join(", ")}`] : [];
  };
  const said = rolls.filter((one) => one.purpose === "mediation");
  const verdicts = said.map(({ again, sentence }) => `The mediator: ${sentence}${again ? "; Black rerolled" : ""}`);
  return [...placed("white"), ...placed("black"), ...verdicts];
}
