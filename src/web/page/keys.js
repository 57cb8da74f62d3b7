// The keyboard's shortcuts and the help that lists them.

import { button, el } from "./dom.js";

const SHORTCUTS = [
  ["Arrow keys", "walk over the board"],
  ["Enter, Space", "pick a piece up, and drop it"],
  ["Escape", "put it back"],
  ["[ and ]", "step back and on through the game"],
  ["{ and }", "to the start, to the newest position"],
  ["f", "flip the board"],
  ["a", "analysis on and off"],
  ["/", "type a move: Nf3, O-O, e2e4, Q@g1"],
  ["?", "this help"],
];
const MOUSE = [
  "Drag a piece, or click it and then its square. While the engine thinks, the same makes a premove; a click anywhere takes it back.",
  "To castle, drag the king onto its own rook, or two squares where that can mean nothing else.",
  "With the right button draw arrows and mark squares (Shift: red, Alt: blue).",
];

/** Listens for a game's shortcuts; returns how to stop. */
export function bindKeys(table) {
  const actions = {
    "[": () => table.step(-1),
    "]": () => table.step(1),
    "{": () => table.go({ ply: 0, moves: [] }),
    "}": () => table.go(table.livePlace),
    f: () => table.flip(),
    a: () => table.analysis.switch(!table.analysis.on),
    "/": () => document.getElementById("typed").focus(),
  };
  const onKey = (event) => {
    if (isTyping(event) || document.querySelector("dialog[open]")) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function isTyping(event) {
  return event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, textarea, select");
}

/** The help. */
export function openHelp() {
  const rows = SHORTCUTS.flatMap(([key, text]) => [el("dt", {}, key), el("dd", {}, text)]);
  const dialog = el("dialog.help", { "aria-label": "Help", onclose: () => dialog.remove() },
    el("h2", {}, "Keyboard"), el("dl", {}, rows),
    el("h2", {}, "Mouse and touch"), MOUSE.map((text) => el("p", {}, text)),
    el("div.buttons", {}, button("Close", () => dialog.close(), { class: "primary" })));
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || isTyping(event) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  openHelp();
});
