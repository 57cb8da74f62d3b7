// @ts-check
// The chart of a game's scores: White's expected share after each turn. Turns without a score are a grey column.

import { svg } from "./dom.js";
import { MARKS, scoreAfter, scoreText, share } from "./words.js";

/** @import { Turn } from "../types" */

const WIDTH = 320;
const HEIGHT = 80;
/** @type {Record<string, number>} */
const RADII = { "?!": 3, "?": 4, "??": 5 };

/**
 * Returns the chart of a game; null if fewer than two turns have a score.
 * @param {Turn[]} turns
 * @param {number} current
 * @param {(ply: number) => void} onPly gets the ply that was clicked
 * @param {(ply: number | null, share: number) => void} onPoint gets the ply under the pointer, if there is one, and
 *   how far to the right it is, from 0 to 1
 */
export function chart(turns, current, onPly, onPoint) {
  const moves = turns
    .map((turn, index) => ({ mark: turn.mark ?? "", ply: index + 1, score: scoreAfter(turn), turn }))
    .filter(({ turn }) => !turn.placement);
  const known = moves.filter(({ score }) => score);
  if (known.length < 2) return null;
  const first = moves[0].ply;
  const steps = moves.length - 1;
  const x = (/** @type {number} */ ply) => Math.min(WIDTH, Math.max(0, ((ply - first) / steps) * WIDTH));
  const y = (/** @type {(typeof known)[0]} */ { score }) => HEIGHT - share(score) * HEIGHT;
  const shapes = [];
  for (let start = 0; start < known.length;) {
    let end = start + 1;
    while (known[end]?.ply === known[end - 1].ply + 1) end += 1;
    const run = known.slice(start, end);
    // A run reaches half a turn further on both sides, so that a single turn is visible.
    const [left, right] = [x(run[0].ply - 0.5), x(run[run.length - 1].ply + 0.5)];
    const points = run.map((move) => `${x(move.ply).toFixed(1)} ${y(move).toFixed(1)}`);
    const line = `${left} ${y(run[0])}L${points.join("L")}L${right} ${y(run[run.length - 1])}`;
    shapes.push(
      svg("rect", { class: "known", x: left, y: 0, width: right - left, height: HEIGHT }),
      svg("path", { class: "area", d: `M${left} ${HEIGHT}L${line}L${right} ${HEIGHT}z` }),
      svg("path", { class: "scores", d: `M${line}` }),
    );
    start = end;
  }
  const dots = known.flatMap((move) =>
    RADII[move.mark]
      ? svg("circle", { class: `dot ${MARKS[move.mark]}`, cx: x(move.ply), cy: y(move), r: RADII[move.mark] })
      : [],
  );
  const blunders = known.filter(({ mark }) => mark === "??").length;
  const end = `at the end ${scoreText(known[known.length - 1].score)}, ${blunders} blunders`;
  const element = svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `Chart of the game's scores: ${known.length} turns, ${end}`,
    },
    ...shapes,
    svg("line", { class: "even", x1: 0, y1: HEIGHT / 2, x2: WIDTH, y2: HEIGHT / 2 }),
    ...dots,
    ...(current >= first ? [svg("line", { class: "now", x1: x(current), y1: 0, x2: x(current), y2: HEIGHT })] : []),
  );
  const plyAt = (/** @type {MouseEvent} */ event) => {
    const box = element.getBoundingClientRect();
    const step = Math.round(((event.clientX - box.left) / box.width) * steps);
    return first + Math.min(steps, Math.max(0, step));
  };
  element.addEventListener("click", (event) => onPly(plyAt(event)));
  element.addEventListener("pointermove", (event) => {
    const ply = plyAt(event);
    onPoint(ply, (ply - first) / steps);
  });
  element.addEventListener("pointerleave", () => onPoint(null, 0));
  return element;
}
