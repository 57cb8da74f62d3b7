// @ts-check
// Shows rolled dice one after another: each rolls, then stands for a moment with its meaning.

import { speak } from "./dom.js";
import { isHuman } from "./state.js";
import { sideName } from "./words.js";

/** @import { DiceRoll, Game, ScreenState } from "../types" */
/** @import { Store } from "./store.js" */

const ROLL_MS = 600;
/** How long rolled dice stay on show before the game continues. */
const STAND_MS = { root: 450, placement: 700, mediation: 1500 };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Says who rolls, and whose decision a reroll was. @param {Game} game @param {DiceRoll} roll */
export function rollTitle(game, { color, purpose, reroll }) {
  if (purpose === "root") return "The dice place the first pieces";
  if (purpose === "placement") return `${sideName(color)} ${reroll ? "rerolls" : "rolls the dice"}`;
  if (!reroll) return "The mediator rolls";
  return isHuman(game, "black") ? "The mediator rolls again" : "Aleator lets the mediator roll again";
}

export class Rolls {
  /** @param {Store<ScreenState>} store */
  constructor(store) {
    this.store = store;
    this.skips = false;
    this.isClosed = false;
    this.goOn = () => {};
  }

  /** @param {DiceRoll[]} rolls */
  async present(rolls) {
    for (const roll of rolls) {
      if (this.isClosed) return;
      const { game } = this.store.state;
      if (roll.purpose !== "root") this.skips = false;
      if (!game.dice?.own && !still.matches) {
        this.store.update({ roll: { roll, isRolling: true } });
        await this.wait(ROLL_MS);
      }
      this.store.update({ roll: { roll, isRolling: false } });
      speak(roll.reroll ? `${rollTitle(game, roll)}. ${roll.sentence}` : roll.sentence);
      const isPersons = roll.purpose === "placement" && isHuman(game, roll.color);
      if (!isPersons) await this.wait(STAND_MS[roll.purpose]);
    }
  }

  /** Waits for some time, or for a click. @param {number} milliseconds */
  wait(milliseconds) {
    if (this.skips) return null;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.goOn = () => {
        clearTimeout(timer);
        resolve(null);
      };
    });
  }

  /** Shows the remaining rolls that place bishops and rooks at once. */
  skip() {
    this.skips = true;
    this.goOn();
  }

  close() {
    this.isClosed = true;
    this.skip();
  }
}
