// The dialog of what a person prefers; preferences.js keeps it.

import { button, el, openDialog, radios } from "./dom.js";

const SETTINGS = [
  ["theme", "Colours", { auto: "As the system", light: "Light", dark: "Dark" }],
  ["board", "Board", { green: "Green", brown: "Brown", blue: "Blue" }],
  ["pieces", "Pieces", { classic: "Classic", plain: "Plain", signs: "Signs" }],
  ["coordinates", "Coordinates", { on: "On", off: "Off" }],
  ["animation", "Moves", { slow: "Slow", normal: "Normal", fast: "Fast", off: "At once" }],
  ["sound", "Sound", { on: "On", off: "Off" }],
];

/** Opens the dialog; each choice is seen, and heard, at once. */
export function openSettings() {
  const { preferences } = window;
  const choices = SETTINGS.map(([name, label, texts]) =>
    radios(name, label, Object.entries(texts), document.documentElement.dataset[name], (value) => preferences.set(name, value)));
  const dialog = el("dialog.settings", { "aria-label": "Settings" },
    el("h2", {}, "Settings"), choices,
    el("div.buttons.foot", {}, button("Close", () => dialog.close(), { class: "primary" })));
  openDialog(dialog);
}
