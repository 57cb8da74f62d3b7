// Arrows and marked squares on the board: the person's, drawn with the right button, the engine's, and those of a
// file's comments.

import { svg } from "./dom.js";
import { place } from "./squares.js";

/** The overlay of arrows on a board. */
export class Arrows {
  constructor() {
    this.element = svg("svg", { class: "arrows", "aria-hidden": "true" });
    this.own = new Map();
    this.engine = [];
    this.file = [];
    this.size = 8;
    this.flipped = false;
  }

  /** Adapts to a board of this size and orientation. */
  fit(size, flipped) {
    this.size = size;
    this.flipped = flipped;
    this.element.setAttribute("viewBox", `0 0 ${size} ${size}`);
    this.draw();
  }

  /** Adds or removes an arrow, or a mark if both ends are the same square. */
  toggle(from, to, brush) {
    const key = `${from}${to}`;
    if (this.own.get(key)?.brush === brush) this.own.delete(key);
    else this.own.set(key, { from, to, brush });
    this.draw();
  }

  /** Removes the person's drawings. */
  clear() {
    if (this.own.size === 0) return;
    this.own.clear();
    this.draw();
  }

  /** Sets the engine's arrows: [{from, to, rank}], best last. */
  setEngine(arrows) {
    this.engine = arrows;
    this.draw();
  }

  /** Sets the shapes of a file's comment: [{from, to, brush}]. */
  setFile(shapes) {
    this.file = shapes;
    this.draw();
  }

  draw(pending = null) {
    const shapes = this.engine.map(({ from, to, rank }) => this.arrow(from, to, `engine rank${rank}`, rank ? 0.13 : 0.17));
    const own = [...this.file, ...this.own.values(), ...(pending ? [pending] : [])];
    for (const { from, to, brush } of own) {
      shapes.push(from === to ? this.mark(from, brush) : this.arrow(from, to, brush, 0.16));
    }
    this.element.replaceChildren(...shapes);
  }

  centre(square) {
    const { column, row } = place(square, this.size, this.flipped);
    return { x: column + 0.5, y: row + 0.5 };
  }

  mark(square, brush) {
    const { x, y } = this.centre(square);
    return svg("circle", { class: `mark ${brush}`, cx: x, cy: y, r: 0.45 });
  }

  /** Returns a shaft and a head as one outline, so that a translucent arrow has no darker joint. */
  arrow(from, to, className, width) {
    const a = this.centre(from), b = this.centre(to);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const head = Math.min(0.42, length / 2), half = width / 2;
    const at = (along, across) => `${(a.x + ux * along - uy * across).toFixed(3)} ${(a.y + uy * along + ux * across).toFixed(3)}`;
    const [start, neck, tip] = [0.28, length - 0.1 - head, length - 0.1];
    const points = [at(start, half), at(neck, half), at(neck, half + 0.13), at(tip, 0), at(neck, -half - 0.13), at(neck, -half), at(start, -half)];
    return svg("path", { class: `arrow ${className}`, d: `M${points.join("L")}z` });
  }
}
