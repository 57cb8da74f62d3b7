// @ts-check
// The review of a game: accuracies, the chart of the scores, buttons that step through the mistakes, and the better
// line of the shown mistake.

import { chart } from "./chart.js";
import { button, el, fill, show } from "./dom.js";
import { isMistake, nextMistake, numberOf, showsScores } from "./state.js";
import { childrenOf } from "./tree.js";
import { MARKS, scoreAfter, scoreText, sideName } from "./words.js";

/** @import { Game, Progress, ScreenState, TreeNode } from "../types" */
/** @import { Actions } from "./actions.js" */
/** @import { Study } from "./study.js" */

/** Shows the review in an element. @param {HTMLElement} element @param {Actions} actions @param {Study} study */
export function showReview(element, actions, study) {
  const { store } = actions;
  const accuracy = el("p.accuracy");
  const chartPlace = el("div.chart-place");
  const tip = el("div.tip", { hidden: true });
  const earlier = button("Previous mistake", () => study.toMistake(-1), { title: "To the previous mistake (p)" });
  const later = button("Next mistake", () => study.toMistake(1), { title: "To the next mistake (n)" });
  const steps = el("div.buttons", {}, earlier, later);
  const better = el("p.better");
  const progress = el("div.progress");
  const findings = el("div.findings", { role: "group", "aria-label": "Review results" }, accuracy, steps, better);
  fill(element, el("div.chart-and-tip", {}, chartPlace, tip), findings, progress);

  /** Shows what was played at a ply, next to the pointer. @param {number | null} ply @param {number} share */
  const point = (ply, share) => {
    show(tip, ply !== null);
    if (ply === null) return;
    const { game } = actions.state;
    const score = scoreAfter(game.turns[ply - 1]);
    tip.textContent = `${moveText(game, ply)} ${score ? scoreText(score) : "not evaluated"}`;
    tip.style.left = `${share * 100}%`;
    tip.style.translate = `${-share * 100}%`;
  };

  store.subscribe(
    (state) => [state.game, state.place, state.review, showsScores(state)],
    (state) => {
      const { game, place, review } = state;
      const go = (/** @type {number} */ ply) => actions.go({ ply, moves: [] });
      const drawn = showsScores(state) ? chart(game.turns, place.ply, go, point) : null;
      const hasMistakes = game.turns.some(isMistake);
      fill(chartPlace, drawn);
      if (!drawn) point(null, 0);
      show(findings, Boolean(game.accuracy) || hasMistakes);
      fill(accuracy, ...accuracyOf(game));
      show(steps, hasMistakes);
      earlier.disabled = !nextMistake(state, -1);
      later.disabled = !nextMistake(state, 1);
      better.textContent = hasMistakes ? mistakeText(state) : "No move is marked as a mistake.";
      show(progress, Boolean(review));
      if (review) fill(progress, ...progressOf(review, study));
      show(element, Boolean(drawn || review || !findings.hidden));
    },
  );
}

/** Returns the move that led to a ply, with its number: "16\u2026 a5?". @param {Game} game @param {number} ply */
function moveText(game, ply) {
  const { color, mark, san } = game.turns[ply - 1];
  return `${numberOf(game, ply - 1)}${color === "white" ? "." : "\u2026"} ${san}${mark ?? ""}`;
}

/**
 * Returns the sentence about the shown move if it was a mistake: the change of the score, and the better line.
 * @param {ScreenState} state
 */
function mistakeText({ game, place: { ply, moves }, tree }) {
  const turn = moves.length ? undefined : game.turns[ply - 1];
  if (!turn || !isMistake(turn)) return "The buttons go to the marked moves.";
  const [before, after] = [game.turns[ply - 2], turn].map((one) => one && scoreAfter(one));
  const change = before && after ? ` (${scoreText(before)} to ${scoreText(after)})` : "";
  const line = [];
  const first = childrenOf(tree, { ply: ply - 1, moves: [] }).find(({ san }) => san === turn.best);
  for (let node = /** @type {TreeNode | undefined} */ (first); node; [node] = node.children) line.push(node.san);
  const best = line.join(" ") || turn.best;
  return `${moveText(game, ply)} is ${ARTICLES[turn.mark ?? ""]}${change}. ${best ? `Better is ${best}.` : ""}`;
}

/** @type {Record<string, string>} */
const ARTICLES = { "?!": "an inaccuracy", "?": "a mistake", "??": "a blunder" };

/** @param {Progress} progress @param {Study} study */
function progressOf({ done, total }, study) {
  return [
    el("progress", { max: String(total || 1), value: String(done), "aria-label": "Analysis of the game" }),
    el("span.faint", {}, total ? `${done} of ${total} turns` : "Analysing \u2026"),
    button("Stop", () => study.stopReview(), { class: "quiet" }),
  ];
}

/** Returns the accuracy and the marks of both sides. @param {Game} game */
function accuracyOf({ accuracy, turns }) {
  return /** @type {const} */ (["white", "black"]).map((color) => {
    const value = accuracy?.[color];
    const marks = Object.entries(MARKS).map(([mark, name]) => {
      const count = turns.filter((turn) => turn.color === color && turn.mark === mark).length;
      const label = `${count} ${count === 1 ? name : MARK_PLURALS[mark]}`;
      return el("span", { class: name, role: "img", "aria-label": label, title: label }, `${count}\u2009${mark}`);
    });
    const text = value == null ? sideName(color) : `${sideName(color)} ${value.toFixed(1)}\u202f%`;
    return el("span.side", {}, el("span", { title: "Accuracy" }, text), " ", marks);
  });
}

/** @type {Record<string, string>} */
const MARK_PLURALS = { "?!": "inaccuracies", "?": "mistakes", "??": "blunders" };
