// @ts-check
// A player's strip above or below the board: name, captured pieces, clock, and in a setup the hand.

import { captured } from "./captured.js";
import { Clock } from "./clock.js";
import { el, fill, refill, show } from "./dom.js";
import { pieceName, pieceSvg, roleName, ROLES } from "./pieces.js";
import { isHuman, isLive, isPlaying, lineTo } from "./state.js";
import { otherSide, sideName } from "./words.js";

/** @import { Clocks, Color, ScreenState } from "../types" */
/** @import { Mover } from "./moving.js" */
/** @import { Store } from "./store.js" */

/**
 * Shows a player, "top" or "bottom", in an element. `heard` holds the sides whose low-time sound has been played.
 * @param {HTMLElement} element
 * @param {"top" | "bottom"} at
 * @param {Store<ScreenState>} store
 * @param {Mover} mover
 * @param {Set<Color>} heard
 */
export function showStrip(element, at, store, mover, heard) {
  const { board } = mover;
  const clocks = { white: new Clock("white", heard), black: new Clock("black", heard) };
  const name = el("div.name");
  const taken = el("div.taken", { role: "img", hidden: true });
  const handElement = el("div.hand", { role: "group" });
  fill(element, el("div.who", {}, name, taken), handElement, clocks.white.element, clocks.black.element);

  const colorOf = (/** @type {ScreenState} */ { flipped }) => (flipped === (at === "top") ? "white" : "black");

  store.subscribe(
    (state) => [state.game, state.place, state.flipped],
    (state) => {
      const { game } = state;
      const color = colorOf(state);
      const isToMove = game.phase !== "over" && game.turn === color;
      element.classList.toggle("to-move", isToMove);
      element.dataset.color = color;
      const isThinking = game.thinking && isToMove && !isHuman(game, color);
      fill(
        name,
        el("span.disc", { class: isToMove ? `${color} to-move` : color, "aria-hidden": "true" }),
        el("span", {}, game.players[color].name),
        el("span.rating", {}, String(game.players[color].rating ?? "")),
        isThinking && el("span.thinking", { role: "img", "aria-label": "thinking" }),
        game.offer === color && !game.ending && el("span.note", {}, "offers a draw"),
      );
      clocks[color].set(clocksAt(state), state.clocksAt, isHuman(game, color));
      clocks[otherSide(color)].set(null);
    },
  );

  // The pieces that this side has captured, and its material advantage.
  store.subscribe(
    (state) => [state.game, state.shown, state.flipped],
    (state) => {
      const color = colorOf(state);
      const moves = lineTo(state).map(({ uci }) => uci);
      const found = captured(state.game.start_fen ?? "", state.shown.fen ?? "", moves);
      const pieces = found[otherSide(color)];
      const ahead = color === "white" ? found.gain : -found.gain;
      show(taken, pieces.length > 0 || ahead > 0);
      if (taken.hidden) return;
      const kinds = countRoles(pieces);
      const words = kinds.map(([role, number]) => `${number} ${roleName(role)}${number > 1 ? "s" : ""}`);
      const labels = [`${sideName(color)} captured ${words.join(", ") || "nothing"}`, ahead > 0 && `ahead by ${ahead}`];
      taken.setAttribute("aria-label", labels.filter(Boolean).join("; "));
      const other = color === "white" ? "b" : "w";
      const draw = (/** @type {string} */ role, /** @type {number} */ number) =>
        el(
          "span",
          {},
          Array.from({ length: number }, () => pieceSvg(other + role)),
        );
      fill(
        taken,
        kinds.map(([role, number]) => draw(role, number)),
        ahead > 0 && el("span", {}, `+${ahead}`),
      );
    },
  );

  // The pieces in hand; those that may be placed now can be picked up.
  store.subscribe(
    (state) => [state.game, state.place, state.flipped],
    (state) => {
      const { game } = state;
      const color = colorOf(state);
      const hand = isLive(state) ? game.hands[color] : [];
      handElement.hidden = hand.length === 0;
      handElement.setAttribute("aria-label", `${sideName(color)}'s hand`);
      const isTurn = isPlaying(state) && game.phase === "setup" && game.turn === color;
      const canPlace = isTurn && isHuman(game, color) && game.legal.length > 0;
      const offered = game.dice?.offered.length && game.turn === color ? game.dice.offered : hand;
      refill(
        handElement,
        countRoles(hand).map(([role, count]) => piece(color, role, count, canPlace && offered.includes(role))),
      );
      markPicked(state);
    },
  );
  store.subscribe((state) => [state.picked], markPicked);

  /** @param {ScreenState} state */
  function markPicked({ picked }) {
    for (const one of /** @type {HTMLCollectionOf<HTMLButtonElement>} */ (handElement.children)) {
      one.setAttribute("aria-pressed", String(!one.disabled && picked?.role === one.dataset.role));
    }
  }

  /** @param {Color} color @param {string} role @param {number} count @param {boolean} isEnabled */
  function piece(color, role, count, isEnabled) {
    const code = color[0] + role;
    const properties = {
      type: "button",
      disabled: !isEnabled,
      "aria-label": `${pieceName(code)}, ${count} in hand`,
      "data-role": role,
      onpointerdown: (/** @type {PointerEvent} */ event) => board.pointer.onHand(event, role, code),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        board.pick({ role });
        board.focus(mover.targets({ role })[0], "keys");
      },
    };
    const number = count > 1 && el("span.count", { "aria-hidden": "true" }, String(count));
    return el("button.hand-piece", properties, pieceSvg(code), number);
  }
}

/**
 * Returns the clocks to show: those of a running game, or what they showed at an earlier place of another one.
 * @param {ScreenState} state
 * @returns {Clocks | null}
 */
function clocksAt({ game, place }) {
  const { clocks, phase, tags, turns } = game;
  if ((clocks && phase !== "over") || !turns.some((turn) => turn.clock_ms !== undefined)) return clocks;
  const control = tags.find(([name]) => name === "TimeControl")?.[1].match(/^\d+/);
  const left = (/** @type {Color} */ color) => {
    const noted = turns.slice(0, place.ply).findLast((turn) => turn.color === color && turn.clock_ms !== undefined);
    return noted?.clock_ms ?? (control ? Number(control[0]) * 1000 : null) ?? clocks?.[`${color}_ms`] ?? 0;
  };
  return { white_ms: left("white"), black_ms: left("black"), increment_ms: 0, running: null };
}

/** Returns the kinds of pieces with their numbers. @param {string[]} roles @returns {[string, number][]} */
function countRoles(roles) {
  const count = (/** @type {string} */ role) => roles.filter((one) => one === role).length;
  return ROLES.filter((role) => roles.includes(role)).map((role) => [role, count(role)]);
}
