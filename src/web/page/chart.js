// @ts-check
// The chart of a game's scores: White's expected share after each turn.

import { svg } from "./dom.js";
import { MARKS, scoreAfter, scoreText, share } from "./words.js";

/** @import { Score, Turn } from "../types" */

const WIDTH = 320;
const HEIGHT = 80;
/** @type {Record<string, number>} */
const RADII = { "?!": 3, "?": 4, "??": 5 };

/**
 * Returns the chart of a game in which every move has a score, up to the last one that has; null before a review.
 * `onPly` gets the ply that was clicked.
 * @param {Turn[]} turns
 * @param {number} current
 * @param {(ply: number) => void} onPly
 */
export function chart(turns, current, onPly) {
  const scored = turns.map((turn, index) => ({ ...turn, ply: index + 1, score: scoreAfter(turn) }));
  const moves = scored.filter((turn) => !turn.placement);
  const known = moves.slice(0, moves.findLastIndex((turn) => turn.score) + 1);
  if (known.length < 2 || known.some((turn) => !turn.score)) return null;
  const first = moves[0].ply;
  const steps = moves.length - 1;
  const x = (/** @type {number} */ ply) => ((ply - first) / steps) * WIDTH;
  const y = (/** @type {Score | undefined} */ score) => HEIGHT - share(score) * HEIGHT;
  const points = known.map((turn) => `${x(turn.ply).toFixed(1)} ${y(turn.score).toFixed(1)}`);
  const last = known[known.length - 1];
  const to = x(last.ply).toFixed(1);
  const dots = known.flatMap(({ mark, ply, san, score }) => {
    if (!mark || !RADII[mark]) return [];
    const title = svg("title", {}, document.createTextNode(`${san}${mark} ${scoreText(score)}`));
    return [svg("circle", { class: `dot ${MARKS[mark]}`, cx: x(ply), cy: y(score), r: RADII[mark] }, title)];
  });
  const blunders = known.filter((turn) => turn.mark === "??").length;
  const end = `at the end ${scoreText(last.score)}, ${blunders} blunders`;
  const element = svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `Chart of the game's scores: ${known.length} turns, ${end}`,
    },
    svg("path", { class: "area", d: `M0 ${HEIGHT}L${points.join("L")}L${to} ${HEIGHT}z` }),
    svg("line", { class: "even", x1: 0, y1: HEIGHT / 2, x2: WIDTH, y2: HEIGHT / 2 }),
    svg("path", { class: "scores", d: `M${points.join("L")}` }),
    ...dots,
    ...(current >= first ? [svg("line", { class: "now", x1: x(current), y1: 0, x2: x(current), y2: HEIGHT })] : []),
  );
  element.addEventListener("click", (event) => {
    const box = element.getBoundingClientRect();
    onPly(first + Math.round(((event.clientX - box.left) / box.width) * steps));
  });
  return element;
}
