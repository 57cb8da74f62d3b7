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
  ["promotion", "Promotion", { ask: "Ask", queen: "Always a queen" }],
  ["turning", "Board for two people", { off: "Stays", on: "Turns after each move" }],
  ["sound", "Sound", { on: "On", off: "Off" }],
  ["volume", "Volume", { quiet: "Quiet", normal: "Normal", loud: "Loud" }],
];

/** Returns the choices of a setting; each takes effect at once. @param {string} wanted */
export function setting(wanted) {
  return SETTINGS.filter(([name]) => name === wanted).map(([name, label, texts]) =>
    radios(name, label, Object.entries(texts), document.documentElement.dataset[name], (value) =>
      window.preferences.set(name, value),
    ),
  );
}

/** Opens the dialog. */
export function openSettings() {
  const choices = SETTINGS.flatMap(([name]) => setting(name));
  const dialog = el("dialog.settings", { "aria-label": "Settings" }, el("h2", {}, "Settings"), choices, closeButton());
  openDialog(dialog);
}
