// The chart of a game's scores: White's expected share after each turn.

import { svg } from "./dom.js";
import { MARKS, scoreAfter, scoreText, share } from "./words.js";

const WIDTH = 320, HEIGHT = 80;
const RADII = { "?!": 3, "?": 4, "??": 5 };

/**
 * Returns the chart of a game in which every move has a score, up to the last one that has; null before a review.
 * `onPly` gets the ply that was clicked.
 */
export function chart(turns, current, onPly) {
  const moves = turns.map((turn, index) => ({ ...turn, ply: index + 1, score: scoreAfter(turn) })).filter((turn) => !turn.placement);
  const known = moves.slice(0, moves.findLastIndex((turn) => turn.score) + 1);
  if (known.length < 2 || known.some((turn) => !turn.score)) return null;
  const first = moves[0].ply, steps = moves.length - 1;
  const x = (ply) => ((ply - first) / steps) * WIDTH;
  const y = (score) => HEIGHT - share(score) * HEIGHT;
  const points = known.map((turn) => `${x(turn.ply).toFixed(1)} ${y(turn.score).toFixed(1)}`);
  const to = x(known.at(-1).ply).toFixed(1);
  const marks = known.filter((turn) => RADII[turn.mark]).map((turn) =>
    svg("circle", { class: `dot ${MARKS[turn.mark]}`, cx: x(turn.ply), cy: y(turn.score), r: RADII[turn.mark] }, svg("title", {}, document.createTextNode(`${turn.san}${turn.mark} ${scoreText(turn.score)}`))));
  const blunders = known.filter((turn) => turn.mark === "??").length;
  const label = `Chart of the game's scores: ${known.length} turns, at the end ${scoreText(known.at(-1).score)}, ${blunders} blunders`;
  const element = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    svg("path", { class: "area", d: `M0 ${HEIGHT}L${points.join("L")}L${to} ${HEIGHT}z` }),
    svg("line", { class: "even", x1: 0, y1: HEIGHT / 2, x2: WIDTH, y2: HEIGHT / 2 }),
    svg("path", { class: "scores", d: `M${points.join("L")}` }),
    ...marks,
    ...(current >= first ? [svg("line", { class: "now", x1: x(current), y1: 0, x2: x(current), y2: HEIGHT })] : []));
  element.addEventListener("click", (event) => {
    const box = element.getBoundingClientRect();
    onPly(first + Math.round(((event.clientX - box.left) / box.width) * steps));
  });
  return element;
}
