// Choosing a start: at random, by number, by hand, by FEN; in games with a setup also by dice, rolled on the page or
// on the table.

import { api } from "./api.js";
import { el, fill, radios, show } from "./dom.js";
import { pieceName, pieceSvg } from "./pieces.js";

const STANDARD = "RNBQKBNR";

/** Whether a die places the first pieces, which the page shows rolling. */
export const isRolled = (variant) => variant.dice === "die";

/** Returns the ways to choose a start, [value, text]; the first is the default. */
function waysOf(variant) {
  if (variant.id === "chess") return [["usual", "Usual position"], ["fen", "FEN"]];
  const shuffled = [["random", "Random"], ...(variant.starts ? [["number", "By number"]] : []), ["hand", "By hand"], ["fen", "FEN"]];
  if (!variant.setup) return shuffled;
  const dice = variant.dice && variant.dice !== "none";
  const placed = dice ? [["program", "Dice on the page"], ["own", "My own dice"]] : [["setup", "Place the pieces"]];
  return [...placed, ["random", "Random, no setup"], ...shuffled.slice(1)];
}

export class StartPicker {
  constructor() {
    this.variant = null;
    this.way = null;
    this.ways = el("div");
    this.orders = el("div");
    this.order = null;
    this.number = el("input", { type: "number", min: "0", id: "start-number", value: "518", oninput: () => this.preview() });
    this.range = el("span.faint");
    this.numberField = el("div.field", {}, el("label", { for: "start-number" }, "Number"), this.number, this.range);
    this.fen = el("input", { type: "text", spellcheck: "false", "aria-label": "FEN", placeholder: "FEN, X-FEN or Shredder-FEN", oninput: () => this.preview() });
    this.white = new BackRankEditor("w", () => this.preview());
    this.black = new BackRankEditor("b", () => this.preview());
    this.ownBlack = el("input", { type: "checkbox", onchange: () => this.update() });
    this.hand = el("div.by-hand", {}, el("p.faint", {}, "Click two pieces to swap them."), this.black.element, this.white.element,
      this.ownLabel = el("label", {}, this.ownBlack, " Black has its own back rank"));
    this.said = el("p.faint", { role: "status" });
    this.element = el("div.start-picker", {}, this.ways, this.orders, this.numberField, this.hand, this.fen, this.said);
  }

  setVariant(variant) {
    if (this.variant === variant) return;
    this.variant = variant;
    const ways = waysOf(variant);
    this.way = ways[0][0];
    this.order = variant.orders[0] ?? null;
    fill(this.ways, radios("start", "Start", ways, this.way, (way) => { this.way = way; this.update(); }));
    const orders = variant.orders.map((order) => [order, ORDERS[order]]);
    fill(this.orders, radios("order", "Order", orders, this.order, (order) => { this.order = order; }));
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
    const { id } = this.variant;
    show(this.ownLabel, id !== "ifrc" && id !== "dfrc");
    if (id === "dfrc") this.ownBlack.checked = true;
    show(this.black.element, this.ownBlack.checked);
    this.orders.hidden = this.variant.orders.length < 2 || !["program", "own", "setup"].includes(this.way);
    this.preview();
  }

  /** Shows the server's answer to the chosen start. */
  async preview() {
    const { start, fen } = this.wishes();
    const asked = this.asked = `${this.way} ${start} ${fen}`;
    this.said.textContent = "";
    if (!["number", "hand", "fen"].includes(this.way) || fen === "") return;
    try {
      const found = await api.preview(fen ? { variant: this.variant.id, fen } : { variant: this.variant.id, start });
      if (this.asked !== asked) return;
      this.said.textContent = fen ? "" : [found.start, found.number !== null && `number ${found.number}`].filter(Boolean).join(", ");
      this.said.classList.remove("problem");
    } catch (error) {
      if (this.asked !== asked) return;
      this.said.textContent = error.message;
      this.said.classList.add("problem");
    }
  }

  /** Returns the start for a request. */
  wishes() {
    const setup = { ...(this.order ? { order: this.order } : {}) };
    switch (this.way) {
      case "random": return { start: "random" };
      case "number": return { start: this.number.value };
      case "hand": return { start: this.white.text + (this.ownBlack.checked ? `/${this.black.text}` : "") };
      case "fen": return { fen: this.fen.value.trim() };
      case "program": return { ...setup, dice: "program", ...(isRolled(this.variant) ? { start: "die" } : {}) };
      case "own": return { ...setup, dice: "own" };
      case "setup": return setup;
      default: return {};
    }
  }
}

const ORDERS = { mediator: "White first, then the mediator", free: "Free Play" };

/** Eight pieces in a row; a person swaps two by clicks. */
class BackRankEditor {
  constructor(color, onchange) {
    this.color = color;
    this.onchange = onchange;
    this.roles = [...STANDARD];
    this.picked = null;
    this.element = el("div.back-rank", { role: "group", "aria-label": `${color === "w" ? "White" : "Black"}'s back rank` });
    this.draw();
  }

  get text() {
    return this.roles.join("");
  }

  draw() {
    fill(this.element, this.roles.map((role, index) => el("button", {
      type: "button",
      class: index % 2 ? "light" : "dark",
      "aria-pressed": String(this.picked === index),
      "aria-label": `${index + 1}: ${pieceName(this.color + role)}`,
      onclick: () => this.click(index),
    }, pieceSvg(this.color + role))));
  }

  click(index) {
    const { picked, roles } = this;
    if (picked === null) this.picked = index;
    else {
      [roles[picked], roles[index]] = [roles[index], roles[picked]];
      this.picked = null;
      this.onchange();
    }
    this.draw();
    this.element.children[index].focus();
  }
}
