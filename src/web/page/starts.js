// @ts-check
// Choosing a start: at random, by number, by hand, by FEN; in games with a setup also by dice, rolled on the page or
// on the table.

import { api } from "./api.js";
import { el, field, fill, messageOf, radios, show } from "./dom.js";
import { pieceName, pieceSvg } from "./pieces.js";

/** @import { Variant } from "../types" */

const STANDARD = "RNBQKBNR";

/**
 * Returns the ways to choose a start, [value, text]; the first is the default.
 * @param {Variant} variant
 * @returns {string[][]}
 */
function waysOf(variant) {
  if (variant.id === "chess")
    return [
      ["usual", "Usual position"],
      ["fen", "FEN"],
    ];
  const others = [...(variant.starts ? [["number", "By number"]] : []), ["hand", "By hand"], ["fen", "FEN"]];
  if (!variant.setup) return [["random", "Random"], ...others];
  const hasDice = variant.dice !== "none";
  const placed = hasDice
    ? [
        ["program", "Dice on the page"],
        ["own", "My own dice"],
      ]
    : [["setup", "Place the pieces"]];
  return [...placed, ["random", "Random, no setup"], ...others];
}

export class StartPicker {
  constructor() {
    /** @type {Variant | null} */
    this.variant = null;
    this.way = "";
    this.asked = "";
    this.ways = el("div");
    this.orders = el("div");
    /** @type {string | null} */
    this.order = null;
    const look = () => {
      this.preview();
    };
    this.number = el("input", { type: "number", min: 0, required: 1, id: "start-number", value: 518, oninput: look });
    this.range = el("span.faint");
    this.numberField = field("Number", this.number, this.range);
    const placeholder = "FEN, X-FEN or Shredder-FEN";
    this.fen = el("input", { type: "text", spellcheck: "false", "aria-label": "FEN", placeholder, oninput: look });
    this.white = new BackRankEditor("w", look);
    this.black = new BackRankEditor("b", look);
    this.ownBlack = el("input", {
      type: "checkbox",
      onchange: () => {
        this.update();
      },
    });
    this.ownLabel = el("label", {}, this.ownBlack, " Black has its own back rank");
    this.hand = el(
      "div.by-hand",
      {},
      el("p.faint", {}, "Click two pieces to swap them."),
      this.black.element,
      this.white.element,
      this.ownLabel,
    );
    this.said = el("p.faint", { role: "status" });
    this.element = el("div.start-picker", {}, this.ways, this.orders, this.numberField, this.hand, this.fen, this.said);
  }

  /** @param {Variant} variant */
  setVariant(variant) {
    if (this.variant === variant) return;
    this.variant = variant;
    const ways = waysOf(variant);
    this.way = ways[0][0];
    this.order = variant.orders[0] ?? null;
    const choose = (/** @type {string} */ way) => {
      this.way = way;
      this.update();
      this.element.scrollIntoView({ block: "nearest" });
    };
    fill(this.ways, radios("start", "Start", ways, this.way, choose));
    const orders = variant.orders.map((order) => [order, ORDERS[order]]);
    fill(
      this.orders,
      radios("order", "Order", orders, this.order, (order) => {
        this.order = order;
      }),
    );
    if (typeof variant.starts === "number") {
      this.number.max = String(variant.starts - 1);
      this.range.textContent = `0 to ${variant.starts - 1}${variant.starts === 960 ? "; 518 is chess" : ""}`;
    }
    this.ownBlack.checked = false;
    this.update();
  }

  update() {
    show(this.numberField, this.way === "number");
    show(this.hand, this.way === "hand");
    show(this.fen, this.way === "fen");
    const id = this.variant?.id;
    show(this.ownLabel, id !== "ifrc" && id !== "dfrc");
    if (id === "dfrc") this.ownBlack.checked = true;
    show(this.black.element, this.ownBlack.checked);
    show(this.orders, this.order !== null && ["program", "own", "setup"].includes(this.way));
    this.preview();
  }

  /** Shows the server's answer to the chosen start. */
  async preview() {
    const { start, fen } = this.wishes();
    const variant = this.variant?.id ?? "";
    const asked = (this.asked = `${this.way} ${start} ${fen}`);
    this.said.textContent = "";
    if (!["number", "hand", "fen"].includes(this.way) || fen === "") return;
    try {
      if (this.way === "number" && !this.number.checkValidity())
        throw new Error(`Choose a whole number from 0 to ${this.number.max}.`);
      const found = await api.preview(fen ? { variant, fen } : { variant, start });
      if (this.asked !== asked) return;
      const number = found.number !== null && `number ${found.number}`;
      this.said.textContent = fen ? "" : [found.start, number].filter(Boolean).join(", ");
      this.said.classList.remove("problem");
    } catch (error) {
      if (this.asked !== asked) return;
      this.said.textContent = messageOf(error);
      this.said.classList.add("problem");
    }
  }

  /** Returns the start for a request. @returns {{ start?: string, fen?: string, dice?: string, order?: string }} */
  wishes() {
    const setup = this.order ? { order: this.order } : {};
    switch (this.way) {
      case "random":
        return { start: "random" };
      case "number":
        return { start: this.number.value };
      case "hand":
        return { start: this.white.text + (this.ownBlack.checked ? `/${this.black.text}` : "") };
      case "fen":
        return { fen: this.fen.value.trim() };
      case "program":
        return { ...setup, dice: "program" };
      case "own":
        return { ...setup, dice: "own" };
      case "setup":
        return setup;
      default:
        return {};
    }
  }
}

const ORDERS = { mediator: "White first, then the mediator", free: "Free Play" };

/** Eight pieces in a row; a person swaps two by clicks. */
class BackRankEditor {
  /** @param {"w" | "b"} color @param {() => void} onchange */
  constructor(color, onchange) {
    this.color = color;
    this.onchange = onchange;
    this.roles = [...STANDARD];
    /** @type {number | null} */
    this.picked = null;
    const label = `${color === "w" ? "White" : "Black"}'s back rank`;
    this.element = el("div.back-rank", { role: "group", "aria-label": label });
    this.draw();
  }

  get text() {
    return this.roles.join("");
  }

  draw() {
    fill(
      this.element,
      this.roles.map((role, index) =>
        el(
          "button",
          {
            type: "button",
            class: index % 2 ? "light" : "dark",
            "aria-pressed": String(this.picked === index),
            "aria-label": `${index + 1}: ${pieceName(this.color + role)}`,
            onclick: () => this.click(index),
          },
          pieceSvg(this.color + role),
        ),
      ),
    );
  }

  /** @param {number} index */
  click(index) {
    const { picked, roles } = this;
    if (picked === null) this.picked = index;
    else {
      [roles[picked], roles[index]] = [roles[index], roles[picked]];
      this.picked = null;
      this.onchange();
    }
    this.draw();
    this.element.querySelectorAll("button")[index].focus();
  }
}
