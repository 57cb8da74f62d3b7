// A side's clock: the server gives its time, from which the page counts down.

import { el } from "./dom.js";
import { play } from "./sound.js";
import { clockText } from "./words.js";

const LOW_MS = 20_000;

export class Clock {
  /** `heard` holds the sides whose low-time sound has been played. */
  constructor(color, heard) {
    this.color = color;
    this.heard = heard;
    this.element = el("div.clock", { role: "timer", "aria-label": `${color === "white" ? "White" : "Black"}'s clock`, hidden: true });
    this.timer = 0;
  }

  /** Sets the clock from the server's clocks, null if there are none. A person's low time plays a sound. */
  set(clocks, isPersons = false) {
    clearInterval(this.timer);
    this.element.hidden = !clocks;
    if (!clocks) return;
    const ms = clocks[`${this.color}_ms`];
    const since = performance.now();
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
    if (runs) this.timer = setInterval(draw, 100);
  }

  stop() {
    clearInterval(this.timer);
  }
}
