// @ts-check
// Swipes over the board and the players step through the game: to the left forward, to the right back.

/** @import { Actions } from "./actions.js" */
/** @import { Board } from "./board.js" */

/** Movements shorter than this, in pixels, are ignored. */
const LEAST = 40;

/**
 * Listens for swipes over an element around the board. A swipe does not begin on a piece that can be moved.
 * @param {HTMLElement} element
 * @param {Actions} actions
 * @param {Board} board
 */
export function bindSwipes(element, actions, board) {
  /** @type {{ id: number, x: number, y: number } | null} */
  let start = null;
  // Captures the press before the board puts back or drops a piece.
  const begin = (/** @type {PointerEvent} */ { clientX, clientY, isPrimary, pointerId, pointerType }) => {
    const isSwipe = pointerType === "touch" && isPrimary && !board.picked;
    start = isSwipe ? { id: pointerId, x: clientX, y: clientY } : null;
  };
  element.addEventListener("pointerdown", begin, { capture: true });
  element.addEventListener("pointercancel", () => {
    start = null;
  });
  element.addEventListener("pointerup", ({ clientX, clientY, pointerId }) => {
    if (start?.id !== pointerId || board.pointer.press || board.pointer.stroke) return;
    const right = clientX - start.x;
    if (Math.abs(right) >= LEAST && Math.abs(right) > 2 * Math.abs(clientY - start.y)) actions.step(right < 0 ? 1 : -1);
    start = null;
  });
}
