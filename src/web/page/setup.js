// @ts-check
// The setup panel: dice on the page or on the table, the mediator, the possible placements, and the solver's
// assessment.

import { die, rollButton, rollingDice, typedDice } from "./dice.js";
import { button, el, fill, refill, show } from "./dom.js";
import { pieceName, pieceSvg } from "./pieces.js";
import { rollTitle } from "./rolls.js";
import { arePeople, dropsOf, isHuman, isPersonsTurn, isPlaying } from "./state.js";
import { placementText, scoreText, sideName } from "./words.js";

/** @import { DiceRoll, Game, ScreenState } from "../types" */
/** @import { Actions } from "./actions.js" */

const SHOWN_PLACEMENTS = 6;
const VERDICTS = { mirror: "Accept: Black mirrors", reverse: "Accept: Black reverses" };

/** Shows the setup of a game in an element. @param {HTMLElement} element @param {Actions} actions */
export function showSetup(element, actions) {
  const { store, rolls } = actions;
  const title = el("h2");
  const tray = el("div.tray");
  const sentence = el("p.sentence");
  const choices = el("div.buttons");
  const solver = el("div.solver");
  let timer = 0;
  /** The version of the game in which the person's own dice are rerolled. */
  let rerolled = -1;
  /** The roll whose button is shown. @type {DiceRoll | null} */
  let drawn = null;
  fill(element, title, tray, sentence, choices, solver);
  element.addEventListener("click", () => rolls.goOn());

  store.subscribe(
    (state) => [state.game, state.roll, isPlaying(state), state.assessment],
    (state) => {
      const { game, roll } = state;
      const isAsking = game.phase === "setup" && isPlaying(state);
      clearInterval(timer);
      show(element, isAsking || Boolean(roll));
      if (roll) drawRoll(game, roll);
      else if (isAsking) drawQuestion(state);
    },
  );

  /**
   * Shows a roll, with its meaning once the dice stand.
   * @param {Game} game
   * @param {NonNullable<ScreenState["roll"]>} shown
   */
  function drawRoll(game, { roll, isRolling }) {
    const { purpose, color, shows, sentence: meaning } = roll;
    title.textContent = rollTitle(game, roll);
    const isPersons = purpose === "placement" && isHuman(game, color);
    // The button stays while the dice come to rest, so that a click on it is not lost.
    if (roll !== drawn) {
      const goOn = purpose === "root" ? button("Skip", () => rolls.skip()) : button("Continue", () => rolls.goOn());
      fill(choices, isPersons ? null : goOn);
      drawn = roll;
    }
    delete tray.dataset.key;
    if (isRolling) timer = rollingDice(tray, shows.length);
    else fill(tray, shows.map(die));
    sentence.textContent = isRolling ? "" : meaning;
    show(sentence, !isRolling);
    show(tray, true);
    show(solver, false);
  }

  /** @param {ScreenState} state */
  function drawQuestion(state) {
    const { game } = state;
    drawn = null;
    title.textContent = heading(game);
    sentence.textContent = game.mediator?.sentence ?? game.dice?.sentence ?? "";
    show(sentence, sentence.textContent !== "");
    drawTray(game);
    refill(choices, buttons(game));
    drawSolver(state);
  }

  /** @param {Game} game */
  function drawTray({ dice, version }) {
    show(tray, Boolean(dice));
    if (!dice) return;
    const again = rerolled === version;
    const isTyped = dice.own && (dice.needed || again);
    const key = `${version}${again}`;
    // What was typed already stays.
    if (isTyped && tray.dataset.key === key) return;
    if (isTyped) {
      tray.dataset.key = key;
      const typed = typedDice(dice.count, (values) => actions.roll({ values, again }));
      fill(tray, el("p.faint", {}, "What do your dice show?"), typed);
      return;
    }
    delete tray.dataset.key;
    fill(tray, (dice.shows.length ? dice.shows : new Array(dice.count).fill(0)).map(die));
  }

  /** @param {Game} game */
  function buttons(game) {
    const { dice, mediator } = game;
    const isTurn = isPersonsTurn(game);
    if (mediator) return isTurn ? verdicts(mediator.verdict) : [];
    if (dice?.needed)
      return dice.own || !isTurn
        ? []
        : [rollButton(dice.mediator ? "Roll for the mediator" : "Roll the dice", () => actions.roll({}))];
    if (!dice || !isTurn) return [];
    const reroll = () => {
      if (!dice.own) return actions.roll({ again: true });
      rerolled = game.version;
      drawTray(game);
    };
    return [...offered(game), dice.again && button("Reroll", reroll)];
  }

  /** Returns buttons that place a piece on the next square. @param {Game} game */
  function offered({ legal, next, turn }) {
    if (!next) return [];
    return legal.map(({ text, to }) => {
      const code = turn[0] + text[0];
      const label = `Place the ${pieceName(code)} on ${to}`;
      const onclick = () => actions.send(text);
      return el(
        "button.offered",
        { type: "button", "data-role": text[0], "aria-label": label, onclick },
        pieceSvg(code),
      );
    });
  }

  /**
   * Returns the buttons for Black's decision after a double of the mediator: accept the verdict, or reroll.
   * @param {keyof typeof VERDICTS} verdict
   */
  function verdicts(verdict) {
    return [
      button(VERDICTS[verdict], () => actions.decide("keep"), { class: "primary", "data-choice": "keep" }),
      button("Reroll", () => actions.decide("again"), { "data-choice": "again" }),
    ];
  }

  /** Offers the solver's assessment, or shows it. @param {ScreenState} state */
  function drawSolver({ assessment, game }) {
    show(solver, game.legal.length > 1 && isPersonsTurn(game) && !game.mediator && !game.dice?.needed);
    if (assessment?.version !== game.version) {
      fill(
        solver,
        button("What would the solver do?", () => actions.assess(), { class: "quiet" }),
      );
    } else if (assessment.problem) {
      fill(solver, el("p.problem", {}, assessment.problem));
    } else if (assessment.result) {
      const best = assessment.result.placements.slice(0, SHOWN_PLACEMENTS);
      const rows = best.map(({ text, score }) =>
        el("li", {}, placement(game, text), el("span.score", {}, scoreText(score))),
      );
      fill(solver, el("p", {}, assessment.result.sentence), el("ol.placements", {}, rows));
    } else {
      fill(solver, el("p.faint", { role: "status" }, "The solver is working \u2026"));
    }
  }

  /**
   * Returns a button for one of the solver's placements: hovering shows it on the board, and a click makes it.
   * @param {Game} game
   * @param {string} text
   */
  function placement({ turn }, text) {
    const ghosts = Object.fromEntries(dropsOf(text).map((drop) => [drop.slice(2), turn[0] + drop[0]]));
    const look = () => store.update({ ghosts });
    const leave = () => store.update({ ghosts: {} });
    const listeners = { onpointerenter: look, onpointerleave: leave, onfocus: look, onblur: leave };
    return button(placementText(text), () => actions.send(text), { class: "quiet", ...listeners });
  }
}

/** @param {Game} game */
function heading(game) {
  const { dice, mediator, turn } = game;
  if (mediator) return "The mediator";
  if (dice?.needed && dice.mediator) return "The mediator rolls";
  if (dice?.needed && dice.count === 1) return "The dice place the first pieces";
  if (dice?.needed && dice.own && !isHuman(game, turn)) return `Roll your dice for Aleator (${sideName(turn)})`;
  if (!isPersonsTurn(game)) return dice?.needed ? `${sideName(turn)} rolls the dice` : "Aleator places a piece";
  return `${arePeople(game) ? `${sideName(turn)}\u2019s turn` : "Your turn"}: ${task(game)}`;
}

/** Returns what a person has to do. @param {Game} game */
function task({ dice, next, turn }) {
  if (dice?.needed) return dice.own ? "roll your dice" : "roll the dice";
  if (next) return `choose the piece for ${next}`;
  return `drag a piece from your hand to the ${turn === "white" ? "first" : "last"} rank`;
}
