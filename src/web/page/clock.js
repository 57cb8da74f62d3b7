// A side's clock: the server says what it shows now, the page counts down from there.

import { el } from "./dom.js";
import { play } from "./sound.js";
import { clockText } from "./words.js";

const LOW_MS = 20_000;

export class Clock {
  constructor(color) {
    this.color = color;
    this.element = el("div.clock", { role: "timer", "aria-label": `${color === "white" ? "White" : "Black"}'s clock`, hidden: true });
    this.timer = 0;
    this.isLow = false;
  }

  /** Takes what the server says of both clocks; null where the game has none. A person's that gets low is heard. */
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
      if (isPersons && left < LOW_MS && !this.isLow) play("low");
      this.isLow = left < LOW_MS;
    };
    draw();
    if (runs) this.timer = setInterval(draw, 100);
  }

  stop() {
    clearInterval(this.timer);
  }
}
