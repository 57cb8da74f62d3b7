// @ts-check
// The panel of the analysis: the engine's lines and the evaluation bar.

import { button, el, fill, refill, show } from "./dom.js";
import { showPreviews } from "./preview.js";
import { canReview } from "./state.js";
import { keyOf } from "./tree.js";
import { countText, scoreText, share, shortScore } from "./words.js";

/** @import { Line, ScreenState } from "../types" */
/** @import { Actions } from "./actions.js" */
/** @import { Study } from "./study.js" */

const MOST_LINES = 5;
/** The limits of an analysis, by value of the preference. @type {Record<string, string>} */
const LIMITS = {
  idle: "rest if idle",
  "10s": "10 seconds",
  "60s": "1 minute",
  d20: "depth 20",
  d30: "depth 30",
  never: "no limit",
};

/**
 * Shows the analysis in an element, and the bar in another one.
 * @param {HTMLElement} element
 * @param {HTMLElement} bar
 * @param {Actions} actions
 * @param {Study} study
 */
export function showAnalysis(element, bar, actions, study) {
  const { store } = actions;
  const head = el("div.analysis-head");
  const wdl = el("div.wdl", { role: "img", hidden: true });
  const list = el("ol.lines", { "aria-label": "The engine's lines" });
  const preview = showPreviews(list, actions);
  // After the end of the game, the button is next to the result.
  const begin = button("Analyse the game", () => study.review());
  fill(element, head, wdl, list, preview.card, begin);

  const isOn = () => actions.state.isAnalysing;
  const toggle = el(
    "button.switch",
    { type: "button", role: "switch", onclick: () => study.switch(!isOn()) },
    "Analysis",
  );
  const depth = el("span.faint");
  const goOn = button("Continue", () => study.goOn(), { class: "quiet" });
  const threat = button("Threat", () => study.switchThreat(), { title: "What the other side would play now (x)" });
  const limit = el(
    "select",
    {
      "aria-label": "When the analysis stops",
      onchange: () => {
        study.setLimit(limit.value);
      },
    },
    window.preferences.choices.analysis.map((value) => el("option", { value }, LIMITS[value])),
  );
  limit.value = document.documentElement.dataset.analysis ?? "";
  const counts = Array.from({ length: MOST_LINES }, (_, index) => String(index + 1));
  const select = el(
    "select",
    {
      "aria-label": "Lines",
      onchange: () => {
        study.setCount(Number(select.value));
      },
    },
    counts.map((value) => el("option", { value }, value === "1" ? "1 line" : `${value} lines`)),
  );
  select.value = String(actions.state.lineCount);
  fill(head, toggle, select, threat, depth, goOn, limit);

  store.subscribe(
    (state) => [state.isAnalysing, state.isThreat, state.lines, state.analysisProblem, state.rest, state.shown],
    (state) => {
      const { analysisProblem, isAnalysing, isThreat, rest, shown } = state;
      const lines = state.lines.filter(Boolean);
      const best = lines[0];
      toggle.setAttribute("aria-checked", String(isAnalysing));
      threat.setAttribute("aria-pressed", String(isThreat));
      threat.disabled = Boolean(shown.check);
      const thinking = isAnalysing ? "thinking \u2026" : "";
      const reached = best && `depth ${best.depth} \u00b7 ${countText(best.nps)}/s`;
      depth.textContent = analysisProblem ?? rest ?? reached ?? thinking;
      show(goOn, Boolean(rest));
      show(list, isAnalysing);
      show(select, isAnalysing);
      show(limit, isAnalysing);
      show(threat, isAnalysing);
      show(bar, isAnalysing);
      show(wdl, isAnalysing && Boolean(best));
      refill(
        list,
        lines.map((line) => lineItem(line, state, actions)),
      );
      preview.update(state);
      // The bar shows the score of the position, not of a threat.
      if (!best || isThreat) return;
      drawWdl(wdl, best.wdl);
      drawBar(bar, best);
    },
  );
  store.subscribe(
    (state) => [canReview(state) && !state.game.ending],
    (state) => show(begin, canReview(state) && !state.game.ending),
  );
  store.subscribe(
    (state) => [state.flipped],
    ({ flipped }) => bar.classList.toggle("flipped", flipped),
  );
}

/**
 * Returns a line; a click on a move adds the line up to there as a variation.
 * @param {Line} line
 * @param {ScreenState} state
 * @param {Actions} actions
 */
function lineItem(line, { isThreat, place, shown }, actions) {
  const isWhiteFirst = (shown.turn === "white") !== isThreat;
  const first = shown.fen ? Number(shown.fen.trim().split(" ").at(-1)) : 0;
  const follow = (/** @type {number} */ index) => {
    if (keyOf(place) === keyOf(actions.state.place)) actions.vary(line.uci.slice(0, index + 1));
  };
  const moves = line.san.slice(0, 12).flatMap((san, index) => {
    const number = first && first + ((index + (isWhiteFirst ? 0 : 1)) >> 1);
    const isWhite = (index % 2 === 0) === isWhiteFirst;
    const isNumbered = number > 0 && !san.includes("@") && (isWhite || index === 0);
    return [
      isNumbered && el("span.number", {}, `${number}${isWhite ? "." : "\u2026"}`),
      // The line of a threat begins with a pass, so that it cannot be a variation.
      isThreat
        ? el("span.move", {}, san)
        : button(san, () => follow(index), { class: "move", "data-moves": line.uci.slice(0, index + 1).join(" ") }),
    ];
  });
  const { cp = 0, mate } = line.score;
  const side = (mate ?? cp) < 0 ? "black" : "white";
  return el("li", {}, el("span.score", { class: side }, scoreText(line.score)), el("span.line", {}, moves));
}

/** @param {HTMLElement} element @param {Line["wdl"]} wdl */
function drawWdl(element, wdl) {
  const percent = wdl.map((part) => Math.round(part / 10));
  const [win, draw, loss] = percent;
  element.setAttribute("aria-label", `White wins ${win}%, draw ${draw}%, Black wins ${loss}%`);
  fill(
    element,
    ["white", "draw", "black"].map((name, index) => {
      const part = el(`span.${name}`, {}, wdl[index] > 90 ? `${percent[index]}%` : "");
      part.style.flexGrow = String(Math.max(1, wdl[index]));
      return part;
    }),
  );
}

/** @param {HTMLElement} bar @param {Line} line */
function drawBar(bar, { score }) {
  const white = share(score);
  bar.style.setProperty("--white", `${(white * 100).toFixed(1)}%`);
  fill(bar, el("span.number", { class: white < 0.5 ? "black" : "", "aria-hidden": "true" }, shortScore(score)));
  bar.setAttribute("aria-label", `Evaluation: ${scoreText(score)}`);
}
