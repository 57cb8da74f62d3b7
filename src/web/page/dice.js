// Dice: their faces, how they roll, and buttons to enter rolls of the user's own dice.

import { button, el, fill, svg } from "./dom.js";

const PIPS = {
  1: [[50, 50]],
  2: [[27, 27], [73, 73]],
  3: [[25, 25], [50, 50], [75, 75]],
  4: [[27, 27], [73, 27], [27, 73], [73, 73]],
  5: [[26, 26], [74, 26], [50, 50], [26, 74], [74, 74]],
  6: [[28, 24], [72, 24], [28, 50], [72, 50], [28, 76], [72, 76]],
};
const FACE_MS = 70;
const still = matchMedia("(prefers-reduced-motion: reduce)");

function face(value) {
  const pips = (PIPS[value] ?? []).map(([cx, cy]) => svg("circle", { class: "pip", cx, cy, r: 10 }));
  return svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("rect", { class: "face", x: 3, y: 3, width: 94, height: 94, rx: 20 }), ...pips);
}

/** Returns a die that shows a value, or no value (0) before it is rolled. */
export function die(value) {
  return el("span.die", { role: "img", "aria-label": value ? `a die showing ${value}` : "a die not rolled yet" }, face(value));
}

const anyFace = () => face(1 + Math.floor(Math.random() * 6));

/** Rolls dice in an element until `wait` resolves; then shows the server's values. */
export async function rollTo(element, values, wait) {
  if (!still.matches) {
    const dice = values.map(() => el("span.die.rolling", { "aria-hidden": "true" }, anyFace()));
    fill(element, dice);
    const timer = setInterval(() => dice.forEach((one) => fill(one, anyFace())), FACE_MS);
    await wait();
    clearInterval(timer);
  }
  fill(element, values.map(die));
}

/** Returns buttons to enter the user's own dice; calls back once all values are set. */
export function typedDice(count, onValues) {
  const values = new Array(count).fill(0);
  const rows = values.map((_, index) => {
    const faces = [1, 2, 3, 4, 5, 6].map((value) =>
      el("button.die-button", { type: "button", "aria-pressed": "false", "aria-label": `${count > 1 ? `Die ${index + 1}: ` : ""}${value}`, onclick: () => choose(index, value) }, face(value)));
    return el("div.die-row", { role: "group", "aria-label": count > 1 ? `Die ${index + 1}` : "The die" }, faces);
  });
  function choose(index, value) {
    values[index] = value;
    [...rows[index].children].forEach((one, at) => one.setAttribute("aria-pressed", String(at + 1 === value)));
    if (values.every(Boolean)) onValues([...values]);
  }
  return el("div.typed-dice", {}, rows);
}

/** Returns a button that rolls. */
export function rollButton(text, onRoll) {
  return button(text, onRoll, { class: "primary roll" });
}
