// Small icons for buttons, drawn with strokes in a square of 24 by 24.

import { el, svg } from "./dom.js";

const PATHS = {
  first: "M6 5v14M18 5l-8 7 8 7",
  back: "M15 5l-8 7 8 7",
  on: "M9 5l8 7-8 7",
  last: "M18 5v14M6 5l8 7-8 7",
  flip: "M8 4v15M4 8l4-4 4 4M16 20V5M12 16l4 4 4-4",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.400L19 5",
  dark: "M19 14.500A8 8 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.500z",
};

/** An icon by name. */
export function icon(name) {
  return svg("svg", { class: `symbol ${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}

/** A button that is an icon; its label is spoken and shown as a hint. */
export function iconButton(name, label, onclick) {
  return el("button.icon", { type: "button", title: label, "aria-label": label, onclick }, icon(name));
}
