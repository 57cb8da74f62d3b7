// @ts-check
// A side's clock: the server gives its time, from which the page counts down.

import { el } from "./dom.js";
import { play } from "./sound.js";
import { clockText, sideName } from "./words.js";

/** @import { Clocks, Color } from "../types" */

const LOW_MS = 20_000;

export class Clock {
  /**
   * `heard` holds the sides whose low-time sound has been played.
   * @param {Color} color
   * @param {Set<Color>} heard
   */
  constructor(color, heard) {
    this.color = color;
    this.heard = heard;
    this.element = el("div.clock", { role: "timer", "aria-label": `${sideName(color)}'s clock`, hidden: true });
    this.timer = 0;
  }

  /**
   * Sets the clock from the server's clocks of this time, null if there are none. A person's low time plays a sound.
   * @param {Clocks | null} clocks
   */
  set(clocks, since = 0, isPersons = false) {
    clearInterval(this.timer);
    this.element.hidden = !clocks;
    if (!clocks) return;
    const ms = clocks[`${this.color}_ms`];
    const runs = clocks.running === this.color;
    this.element.classList.toggle("runs", runs);
    const draw = () => {
      const left = runs ? ms - (performance.now() - since) : ms;
      this.element.textContent = clockText(left);
      this.element.classList.toggle("low", left < LOW_MS);
      if (!runs) return;
      // An increment alone does not repeat the sound.
      if (left > 2 * LOW_MS) this.heard.delete(this.color);
      if (!isPersons || left >= LOW_MS || this.heard.has(this.color)) return;
      this.heard.add(this.color);
      play("low");
    };
    draw();
    if (!runs) return;
    this.timer = setInterval(() => (this.element.isConnected ? draw() : clearInterval(this.timer)), 100);
  }
}
