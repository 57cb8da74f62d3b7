// @ts-check
// Arrows and marked squares on the board: the person's, drawn with the right button, the engine's, and those of a
// file's comments.

import { svg } from "./dom.js";
import { place } from "./squares.js";

/** @import { Shape } from "../types" */

/** The overlay of arrows on a board. */
export class Arrows {
  constructor() {
    this.element = svg("svg", { class: "arrows", "aria-hidden": "true" });
    /** The person's, by their squares. @type {Map<string, Shape>} */
    this.own = new Map();
    /** @type {{ from: string, to: string, rank: number, isThreat: boolean }[]} */
    this.engine = [];
    /** @type {Shape[]} */
    this.file = [];
    this.size = 8;
    this.flipped = false;
  }

  /** Adapts to a board of this size and orientation. @param {number} size @param {boolean} flipped */
  fit(size, flipped) {
    this.size = size;
    this.flipped = flipped;
    this.element.setAttribute("viewBox", `0 0 ${size} ${size}`);
    this.draw();
  }

  /**
   * Adds or removes an arrow, or a mark if both ends are the same square.
   * @param {string} from
   * @param {string} to
   * @param {string} brush
   */
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

  /** Sets the engine's arrows, the best one last. @param {Arrows["engine"]} arrows */
  setEngine(arrows) {
    this.engine = arrows;
    this.draw();
  }

  /** Sets the shapes of a file's comment. @param {Shape[]} shapes */
  setFile(shapes) {
    this.file = shapes;
    this.draw();
  }

  /** Draws all shapes, and one that is not finished. @param {Shape | null} pending */
  draw(pending = null) {
    /** @type {SVGElement[]} */
    const shapes = this.engine.map(({ from, to, rank, isThreat }) =>
      this.arrow(from, to, `${isThreat ? "red" : "engine"} rank${rank}`, rank ? 0.13 : 0.17),
    );
    const own = [...this.file, ...this.own.values(), ...(pending ? [pending] : [])];
    for (const { from, to, brush } of own) {
      shapes.push(from === to ? this.mark(from, brush) : this.arrow(from, to, brush, 0.16));
    }
    this.element.replaceChildren(...shapes);
  }

  /** @param {string} square */
  centre(square) {
    const { column, row } = place(square, this.size, this.flipped);
    return { x: column + 0.5, y: row + 0.5 };
  }

  /** @param {string} square @param {string} brush */
  mark(square, brush) {
    const { x, y } = this.centre(square);
    return svg("circle", { class: `mark ${brush}`, cx: x, cy: y, r: 0.45 });
  }

  /**
   * Returns a shaft and a head as one outline, so that a translucent arrow has no darker joint.
   * @param {string} from
   * @param {string} to
   * @param {string} className
   * @param {number} width
   */
  arrow(from, to, className, width) {
    const a = this.centre(from);
    const b = this.centre(to);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const head = Math.min(0.42, length / 2);
    const half = width / 2;
    const [start, neck, tip] = [0.28, length - 0.1 - head, length - 0.1];
    const wing = half + 0.13;
    const outline = [
      [start, half],
      [neck, half],
      [neck, wing],
      [tip, 0],
      [neck, -wing],
      [neck, -half],
      [start, -half],
    ];
    const points = outline.map(([along, across]) => [a.x + ux * along - uy * across, a.y + uy * along + ux * across]);
    const path = points.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`).join("L");
    return svg("path", { class: `arrow ${className}`, d: `M${path}z` });
  }
}
