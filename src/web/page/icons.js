// @ts-check
// Small icons for buttons, drawn with strokes in a square of 24 by 24.

import { el, fill, svg } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  first: "M6 5v14M18 5l-8 7 8 7",
  back: "M15 5l-8 7 8 7",
  on: "M9 5l8 7-8 7",
  last: "M18 5v14M6 5l8 7-8 7",
  undo: "M9 5l-5 5 5 5M4 10h10a5 5 0 0 1 0 10h-4",
  hint: "M9 18h6M10 21h4M9 18c0-3-3-4-3-8a6 6 0 0 1 12 0c0 4-3 5-3 8",
  more: "M5 9l7 7 7-7",
  comment: "M4 5h16v11h-9l-4 4v-4H4z",
  flip: "M8 4v15M4 8l4-4 4 4M16 20V5M12 16l4 4 4-4",
  loud: "M4 10v4h4l5 4V6l-5 4zM16 9a4 4 0 0 1 0 6M18.500 6.500a8 8 0 0 1 0 11",
  silent: "M4 10v4h4l5 4V6l-5 4zM16.500 9.500l5 5M21.500 9.500l-5 5",
  settings:
    "M4 7h8M18 7h2M4 17h2M12 17h8"
    + "M15 4.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM9 14.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
};

/** Returns an icon by name. @param {string} name */
export function icon(name) {
  return svg(
    "svg",
    { class: `symbol ${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}

/**
 * Returns an icon button; its label is spoken and shown as a hint.
 * @param {string} name
 * @param {string} label
 * @param {() => unknown} onclick
 * @param {string} className
 */
export function iconButton(name, label, onclick, className = "") {
  const properties = { type: "button", title: label, "aria-label": label, class: className, onclick };
  return el("button.icon", properties, icon(name));
}

/**
 * Returns a button that switches a preference to its next value; `look` returns the icon and label of a value.
 * @param {string} name
 * @param {(value: string) => string[]} look
 * @param {string} className
 */
export function preferenceButton(name, look, className = "") {
  const { preferences } = window;
  const value = () => document.documentElement.dataset[name] ?? "";
  const next = () => {
    const values = preferences.choices[name];
    preferences.set(name, values[(values.indexOf(value()) + 1) % values.length]);
  };
  const element = el("button.icon", { type: "button", class: className, onclick: next });
  const draw = () => {
    const [symbol, label] = look(value());
    fill(element, icon(symbol));
    element.title = label;
    element.setAttribute("aria-label", label);
  };
  draw();
  addEventListener("preference", function hear() {
    if (element.isConnected) draw();
    else removeEventListener("preference", hear);
  });
  return element;
}
