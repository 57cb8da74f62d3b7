// The chart of a game's scores: White's share of the chances after each turn.

import { svg } from "./dom.js";
import { MARKS, scoreAfter, scoreText, share } from "./words.js";

const WIDTH = 320, HEIGHT = 80;
const RADII = { "?!": 3, "?": 4, "??": 5 };

/** The chart of turns with scores; `onPly` is told which place was clicked. */
export function chart(turns, current, onPly) {
  const x = (ply) => (turns.length > 1 ? ((ply - 1) / (turns.length - 1)) * WIDTH : WIDTH / 2);
  const y = (score) => HEIGHT - share(score) * HEIGHT;
  const known = turns.map((turn, index) => ({ ...turn, ply: index + 1, score: scoreAfter(turn) })).filter((turn) => turn.score);
  if (known.length < 2) return null;
  const points = known.map((turn) => `${x(turn.ply).toFixed(1)} ${y(turn.score).toFixed(1)}`);
  const from = x(known[0].ply).toFixed(1), to = x(known.at(-1).ply).toFixed(1);
  const marks = known.filter((turn) => RADII[turn.mark]).map((turn) =>
    svg("circle", { class: `dot ${MARKS[turn.mark]}`, cx: x(turn.ply), cy: y(turn.score), r: RADII[turn.mark] }, svg("title", {}, document.createTextNode(`${turn.san}${turn.mark} ${scoreText(turn.score)}`))));
  const blunders = known.filter((turn) => turn.mark === "??").length;
  const label = `Chart of the game's scores: ${known.length} turns, at the end ${scoreText(known.at(-1).score)}, ${blunders} blunders`;
  const element = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    svg("path", { class: "area", d: `M${from} ${HEIGHT}L${points.join("L")}L${to} ${HEIGHT}z` }),
    svg("line", { class: "even", x1: 0, y1: HEIGHT / 2, x2: WIDTH, y2: HEIGHT / 2 }),
    svg("path", { class: "scores", d: `M${points.join("L")}` }),
    ...marks,
    ...(current > 0 ? [svg("line", { class: "now", x1: x(current), y1: 0, x2: x(current), y2: HEIGHT })] : []));
  element.addEventListener("click", (event) => {
    const box = element.getBoundingClientRect();
    onPly(1 + Math.round(((event.clientX - box.left) / box.width) * (turns.length - 1)));
  });
  return element;
}
