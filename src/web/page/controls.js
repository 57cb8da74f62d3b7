// @ts-check
// A player's actions apart from moving, and the banner with the result.

import { button, el, fill, once, refill, select, show, sureButton } from "./dom.js";
import { openNewGameLike } from "./newgame.js";
import { canReview, hasPerson, isHuman, isPersonsTurn } from "./state.js";
import { otherSide } from "./words.js";

/** @import { Color, Ending, Game, ScreenState } from "../types" */
/** @import { Actions } from "./actions.js" */
/** @import { Study } from "./study.js" */

/** Pauses before the moves of a watched game, in milliseconds. */
const SPEEDS = [
  ["0", "Fast"],
  ["400", "Normal"],
  ["2500", "Slow"],
];

/**
 * Shows the buttons and the banner of a game.
 * @param {HTMLElement} element
 * @param {HTMLElement} banner
 * @param {Actions} actions
 * @param {Study} study
 */
export function showControls(element, banner, actions, study) {
  /** Returns what the buttons and the banner depend on. @param {ScreenState} state */
  const seen = (state) => {
    const { game } = state;
    const last = game.turns.at(-1);
    // What a watched game shows stays under the pointer while its moves come.
    const turn = hasPerson(game) ? [game.can_take_back, last?.placement, game.turn, isPersonsTurn(game)] : [];
    const { analysis, held, offer, phase } = game;
    return [hasPerson(game), phase, offer, canReview(state), state.note, analysis, held, ...turn];
  };
  actions.store.subscribe(seen, (state) => {
    const { game } = state;
    if (!hasPerson(game)) document.querySelector(".sure")?.remove();
    drawBanner(state);
    refill(element, hasPerson(game) ? buttons(game) : game.ending ? [] : watchButtons(game));
    show(element, element.childElementCount > 0);
  });

  /** @param {Game} game */
  function buttons(game) {
    const isBoard = game.phase === "board";
    return [
      // On a phone, these two are in the bar below the board.
      button("Take back", () => actions.undo(), { class: "wide-only", disabled: !game.can_take_back }),
      ...(game.analysis ? [] : playersButtons(game, isBoard)),
    ];
  }

  /** @param {Game} game @param {boolean} isBoard */
  function playersButtons(game, isBoard) {
    return [
      isBoard && drawButton(game),
      isBoard && button("Hint", () => actions.hint(), { class: "wide-only", disabled: !isPersonsTurn(game) }),
      resignButton(),
    ];
  }

  /** Returns the controls of a game of the engine against itself. @param {Game} game */
  function watchButtons({ clocks, held, pace_ms: pace }) {
    const set = (/** @type {string} */ value) => actions.watch({ pace_ms: Number(value) });
    return [
      button(held ? "Go on" : "Pause", () => actions.watch({ choice: held ? "go" : "hold" })),
      button("One move", () => actions.watch({ choice: "step" })),
      clocks ? null : select({ "aria-label": "Speed" }, SPEEDS, pace, set),
      button("End", () => actions.watch({ choice: "end" }), { title: "End the game and analyse it" }),
    ];
  }

  /** Offers a draw, or accepts the other side's offer. @param {Game} game */
  function drawButton(game) {
    const { offer } = game;
    if (!offer) {
      const color = isHuman(game, game.turn) ? game.turn : otherSide(game.turn);
      const hasMoved = game.turns.some((turn) => !turn.placement);
      return button("Draw", () => actions.draw(color), { disabled: !hasMoved });
    }
    const other = otherSide(offer);
    if (!isHuman(game, other)) return button("Draw offered", () => {}, { disabled: true });
    return button("Accept draw", () => actions.draw(other), { class: "primary" });
  }

  function resignButton() {
    return sureButton("Resign", "Really resign?", () => {
      const color = resigner(actions.state.game);
      return () => actions.resign(color);
    });
  }

  /** @param {ScreenState} state */
  function drawBanner(state) {
    const { ending } = state.game;
    show(banner, Boolean(ending || state.note));
    if (ending) fill(banner, ...resultOf(ending, state));
    else if (state.note) fill(banner, el("p", {}, state.note));
  }

  /** @param {Ending} ending @param {ScreenState} state */
  function resultOf({ result, sentence }, state) {
    const score = result === "1/2-1/2" ? "\u00bd\u2013\u00bd" : result.replace("-", "\u2013");
    const again = (/** @type {string} */ start) => once(() => actions.rematch({ swap: true, start }));
    return [
      el("p.result", {}, el("strong", {}, score), " ", sentence),
      el(
        "div.buttons",
        {},
        ...(state.game.analysis
          ? []
          : [
              button("Rematch", again("same"), { class: "primary", title: "The same start with the other colour" }),
              button("New start", again("new"), { title: "Another start, the other colour" }),
              button("Options\u2026", () => openNewGameLike(actions.state.game, actions.openGame)),
            ]),
        canReview(state) && button("Analyse the game", () => study.review()),
      ),
    ];
  }
}

/** Returns the person who resigns: the side to move, if it is one. @param {Game} game @returns {Color} */
function resigner(game) {
  if (isHuman(game, game.turn)) return game.turn;
  return isHuman(game, "white") ? "white" : "black";
}
