// @ts-check
// The panel of the analysis: the engine's lines, the evaluation bar, and the review of the game with its chart.

import { chart } from "./chart.js";
import { button, el, fill, refill, show } from "./dom.js";
import { showPreviews } from "./preview.js";
import { canReview, isMistake, nextMistake, showsScores } from "./state.js";
import { keyOf } from "./tree.js";
import { countText, scoreText, share, shortScore, sideName } from "./words.js";

/** @import { Game, Line, Progress, ScreenState } from "../types" */
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
  const review = reviewPanel(actions, study);
  fill(element, head, wdl, list, preview.card, ...review);

  const isOn = () => actions.state.isAnalysing;
  const toggle = el(
    "button.switch",
    { type: "button", role: "switch", onclick: () => study.switch(!isOn()) },
    "Analysis",
  );
  const depth = el("span.faint");
  const goOn = button("Continue", () => study.goOn(), { class: "quiet" });
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
  fill(head, toggle, select, depth, goOn, limit);

  store.subscribe(
    (state) => [state.isAnalysing, state.lines, state.analysisProblem, state.rest],
    (state) => {
      const { analysisProblem, isAnalysing, rest } = state;
      const lines = state.lines.filter(Boolean);
      const best = lines[0];
      toggle.setAttribute("aria-checked", String(isAnalysing));
      const thinking = isAnalysing ? "thinking \u2026" : "";
      const reached = best && `depth ${best.depth} \u00b7 ${countText(best.nps)}/s`;
      depth.textContent = analysisProblem ?? rest ?? reached ?? thinking;
      show(goOn, Boolean(rest));
      show(list, isAnalysing);
      show(select, isAnalysing);
      show(limit, isAnalysing);
      show(bar, isAnalysing);
      show(wdl, isAnalysing && Boolean(best));
      refill(
        list,
        lines.map((line) => lineItem(line, state, actions)),
      );
      preview.update(state);
      if (!best) return;
      drawWdl(wdl, best.wdl);
      drawBar(bar, best);
    },
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
function lineItem(line, { place, shown }, actions) {
  const isWhiteFirst = shown.turn === "white";
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
      button(san, () => follow(index), { class: "move", "data-moves": line.uci.slice(0, index + 1).join(" ") }),
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

/**
 * Returns the elements of the review: chart, results, progress and the button.
 * @param {Actions} actions
 * @param {Study} study
 */
function reviewPanel(actions, study) {
  const { store } = actions;
  const chartPlace = el("div.chart-place");
  const accuracy = el("p");
  const earlier = button("Previous mistake", () => study.toMistake(-1), { title: "To the previous mistake (p)" });
  const later = button("Next mistake", () => study.toMistake(1), { title: "To the next mistake (n)" });
  const findings = el(
    "div.findings",
    { role: "group", "aria-label": "Review results" },
    accuracy,
    el("div.buttons", {}, earlier, later),
  );
  const progress = el("div.progress");
  const begin = button("Analyse the game", () => study.review());

  store.subscribe(
    (state) => [state.game, state.place, showsScores(state)],
    (state) => {
      const { game, place } = state;
      const drawn = showsScores(state) ? chart(game.turns, place.ply, (ply) => actions.go({ ply, moves: [] })) : null;
      fill(chartPlace, drawn);
      show(chartPlace, Boolean(drawn));
      show(findings, Boolean(game.accuracy) || game.turns.some(isMistake));
      accuracy.textContent = accuracyText(game);
      earlier.disabled = !nextMistake(state, -1);
      later.disabled = !nextMistake(state, 1);
    },
  );
  store.subscribe(
    (state) => [state.review],
    ({ review }) => {
      show(progress, Boolean(review));
      if (review) fill(progress, ...progressOf(review, study));
    },
  );
  // After the end of the game, the button is next to the result.
  store.subscribe(
    (state) => [canReview(state) && !state.game.ending],
    (state) => {
      show(begin, canReview(state) && !state.game.ending);
    },
  );
  return [chartPlace, findings, progress, begin];
}

/** @param {Progress} progress @param {Study} study */
function progressOf({ done, total }, study) {
  return [
    el("progress", { max: String(total || 1), value: String(done), "aria-label": "Analysis of the game" }),
    el("span.faint", {}, total ? `${done} of ${total} turns` : "Analysing \u2026"),
    button("Stop", () => study.stopReview(), { class: "quiet" }),
  ];
}

/** @param {Game} game */
function accuracyText({ accuracy }) {
  if (!accuracy) return "";
  const sides = /** @type {const} */ (["white", "black"]).flatMap((color) => {
    const value = accuracy[color];
    return value === null ? [] : `${sideName(color)} ${value.toFixed(1)}\u202f%`;
  });
  return `Accuracy: ${sides.join(", ")}`;
}
