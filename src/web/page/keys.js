// @ts-check
// Keyboard shortcuts and the help that lists them.

import { byId, closeButton, el, openDialog } from "./dom.js";

/** @import { Actions } from "./actions.js" */
/** @import { Board } from "./board.js" */
/** @import { Study } from "./study.js" */

const SHORTCUTS = [
  ["\u2190 \u2192", "step back and forward; also [ and ]"],
  ["\u2191 \u2193", "go to the start, to the latest position; also { and }"],
  ["b", "show a cursor on the board for the arrow keys"],
  ["Enter, Space", "pick up a piece at the cursor, and drop it"],
  ["Escape", "put it back; hide the cursor"],
  ["f", "flip the board"],
  ["a", "turn analysis on or off"],
  ["x", "show what the other side threatens"],
  ["n p", "go to the next or previous mistake of a review"],
  ["s", "turn sound on or off"],
  ["m or /", "type a move: Nf3, O-O, e2e4, Q@g1; Escape leaves the field"],
  ["c", "write a comment on the move, in an analysis or after a game"],
  ["h or ?", "show this help"],
];
const WHEEL_STEP = 60;
const WHEEL_LINE = 30;
const MOUSE = [
  "The mouse wheel over the board steps through the game.",
  "Drag a piece, or click it and then its square. While the engine thinks, this makes a premove; a click anywhere "
    + "cancels it.",
  "To castle, drag the king onto its own rook, or to its final square unless an ordinary move goes there.",
  "Swipe over the board to step: to the left forward, to the right back.",
  "With the right button or a finger that rests, draw arrows and mark squares (Shift: red, Alt: blue).",
];

/** Other keys for the same. @type {Record<string, string>} */
const SAME = { "[": "ArrowLeft", "]": "ArrowRight", "{": "ArrowUp", "}": "ArrowDown", "/": "m" };

/**
 * Listens for a game's shortcuts; returns a function that stops.
 * @param {Actions} actions
 * @param {Study} study
 * @param {Board} board
 */
export function bindKeys(actions, study, board) {
  /** @type {Record<string, () => unknown>} */
  const shortcuts = {
    ArrowLeft: () => actions.step(-1),
    ArrowRight: () => actions.step(1),
    ArrowUp: () => actions.go({ ply: 0, moves: [] }),
    ArrowDown: () => actions.goLive(),
    b: () => board.focus(undefined, "keys"),
    f: () => actions.flip(),
    a: () => study.switch(!actions.state.isAnalysing),
    x: () => study.switchThreat(),
    n: () => study.toMistake(1),
    p: () => study.toMistake(-1),
    s: () => window.preferences.set("sound", document.documentElement.dataset.sound === "on" ? "off" : "on"),
    m: () => byId("typed").focus(),
    c: () => byId("write").hidden || byId("write").click(),
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const isField = event.target instanceof Element && event.target.matches("#typed, #remark");
    if (event.key === "Escape" && isField) return board.focus(undefined, "page");
    if (isTyping(event) || document.querySelector("dialog[open]")) return;
    const key = keyOf(event);
    const action = shortcuts[SAME[key] ?? key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", onKey);
  board.element.addEventListener("wheel", wheel(actions), { passive: false });
  return () => document.removeEventListener("keydown", onKey);
}

/**
 * Returns the listener of the wheel: each notch is a step, while touchpads send many small ones.
 * @param {Actions} actions
 */
function wheel(actions) {
  let turned = 0;
  return (/** @type {WheelEvent} */ event) => {
    // With Ctrl the wheel zooms; before the first turn it scrolls.
    if (event.ctrlKey || actions.state.game.turns.length === 0) return;
    event.preventDefault();
    turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? WHEEL_LINE : 1);
    if (Math.abs(turned) < WHEEL_STEP) return;
    actions.step(Math.sign(turned));
    turned = 0;
  };
}

/** Returns a key by its letter; on layouts without Latin letters, by its position. @param {KeyboardEvent} event */
function keyOf({ key, code }) {
  const isForeign = key.length === 1 && key > "\u007f" && code.startsWith("Key");
  return (isForeign ? code.slice(3) : key).replace(/^[A-Z]$/, (letter) => letter.toLowerCase());
}

/**
 * Whether a key belongs to the browser or a field. AltGr, needed for brackets on some layouts, reports Ctrl and Alt.
 * @param {KeyboardEvent} event
 */
function isTyping(event) {
  const isChord = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  return isChord || (event.target instanceof Element && event.target.matches("input, textarea, select"));
}

/** Opens the help. */
export function openHelp() {
  const rows = SHORTCUTS.flatMap(([key, text]) => [el("dt", {}, key), el("dd", {}, text)]);
  const dialog = el(
    "dialog.help",
    { "aria-label": "Help" },
    el("h2", {}, "Keyboard"),
    el("dl", {}, rows),
    el("h2", {}, "Mouse and touch"),
    MOUSE.map((text) => el("p", {}, text)),
    closeButton(),
  );
  openDialog(dialog);
}

document.addEventListener("keydown", (event) => {
  if (!["?", "h"].includes(keyOf(event)) || isTyping(event) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  openHelp();
});
