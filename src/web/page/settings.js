// @ts-check
// The settings dialog; preferences.js stores the values.

import { closeButton, el, openDialog, radios } from "./dom.js";

/** @type {[string, string, Record<string, string>][]} */
const SETTINGS = [
  ["theme", "Colours", { auto: "System", light: "Light", dark: "Dark" }],
  ["board", "Board", { green: "Green", brown: "Brown", blue: "Blue" }],
  ["pieces", "Pieces", { classic: "Classic", plain: "Plain", signs: "Symbols" }],
  ["coordinates", "Coordinates", { on: "On", off: "Off" }],
  ["animation", "Animation", { slow: "Slow", normal: "Normal", fast: "Fast", off: "Off" }],
  ["sound", "Sound", { on: "On", off: "Off" }],
];

/** Opens the dialog; each choice takes effect at once. */
export function openSettings() {
  const { preferences } = window;
  const { dataset } = document.documentElement;
  const choices = SETTINGS.map(([name, label, texts]) =>
    radios(name, label, Object.entries(texts), dataset[name], (value) => preferences.set(name, value)),
  );
  const dialog = el("dialog.settings", { "aria-label": "Settings" }, el("h2", {}, "Settings"), choices, closeButton());
  openDialog(dialog);
}
