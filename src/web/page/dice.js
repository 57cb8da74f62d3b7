// @ts-check
// Dice: their faces, how they roll, and buttons to enter rolls of the user's own dice.

import { button, el, fill, svg } from "./dom.js";

/** @type {Record<number, number[][]>} */
const PIPS = {
  1: [[50, 50]],
  2: [
    [27, 27],
    [73, 73],
  ],
  3: [
    [25, 25],
    [50, 50],
    [75, 75],
  ],
  4: [
    [27, 27],
    [73, 27],
    [27, 73],
    [73, 73],
  ],
  5: [
    [26, 26],
    [74, 26],
    [50, 50],
    [26, 74],
    [74, 74],
  ],
  6: [
    [28, 24],
    [72, 24],
    [28, 50],
    [72, 50],
    [28, 76],
    [72, 76],
  ],
};
const FACE_MS = 70;

/** @param {number} value */
function face(value) {
  const pips = (PIPS[value] ?? []).map(([cx, cy]) => svg("circle", { class: "pip", cx, cy, r: 10 }));
  const square = svg("rect", { class: "face", x: 3, y: 3, width: 94, height: 94, rx: 20 });
  return svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, square, ...pips);
}

/** Returns a die that shows a value, or no value (0) before it is rolled. @param {number} value */
export function die(value) {
  const label = value ? `a die showing ${value}` : "a die not rolled yet";
  return el("span.die", { role: "img", "aria-label": label }, face(value));
}

const anyFace = () => face(1 + Math.floor(Math.random() * 6));

/**
 * Shows rolling dice in an element. Returns the timer that rolls them.
 * @param {HTMLElement} element
 * @param {number} count
 */
export function rollingDice(element, count) {
  const rolling = () => el("span.die.rolling", { "aria-hidden": "true" }, anyFace());
  const dice = Array.from({ length: count }, rolling);
  fill(element, dice);
  return setInterval(() => dice.forEach((one) => fill(one, anyFace())), FACE_MS);
}

/**
 * Returns buttons to enter the user's own dice; calls back once all values are set.
 * @param {number} count
 * @param {(values: number[]) => void} onValues
 */
export function typedDice(count, onValues) {
  const values = new Array(count).fill(0);
  const rows = values.map((_, index) => {
    const faces = [1, 2, 3, 4, 5, 6].map((value) => {
      const label = `${count > 1 ? `Die ${index + 1}: ` : ""}${value}`;
      const onclick = () => choose(index, value);
      return el(
        "button.die-button",
        { type: "button", "aria-pressed": "false", "aria-label": label, onclick },
        face(value),
      );
    });
    return el("div.die-row", { role: "group", "aria-label": count > 1 ? `Die ${index + 1}` : "The die" }, faces);
  });
  /** @param {number} index @param {number} value */
  function choose(index, value) {
    values[index] = value;
    [...rows[index].children].forEach((one, at) => one.setAttribute("aria-pressed", String(at + 1 === value)));
    if (values.every(Boolean)) onValues([...values]);
  }
  return el("div.typed-dice", {}, rows);
}

/** Returns a button that rolls. @param {string} text @param {() => unknown} onRoll */
export function rollButton(text, onRoll) {
  return button(text, onRoll, { class: "primary roll" });
}
