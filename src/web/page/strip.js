// A player's strip above or below the board: who it is, the clock, and in a set-up the hand.

import { el, fill, refill } from "./dom.js";
import { Clock } from "./clock.js";
import { pieceName, pieceSvg, ROLES } from "./pieces.js";
import { otherSide, sideName } from "./words.js";

export class Strip {
  constructor(table, element) {
    this.table = table;
    this.element = element;
    this.color = "white";
    this.clocks = { white: new Clock("white"), black: new Clock("black") };
    this.name = el("div.name");
    this.hand = el("div.hand", { role: "group" });
    fill(element, this.name, this.hand, this.clocks.white.element, this.clocks.black.element);
  }

  close() {
    Object.values(this.clocks).forEach((clock) => clock.stop());
  }

  update() {
    const { table, color } = this;
    const { state } = table;
    const toMove = state.phase !== "over" && state.turn === color;
    this.element.classList.toggle("to-move", toMove);
    this.element.dataset.color = color;
    const notes = [
      state.thinking && toMove && !table.isHuman(color) && el("span.thinking", { role: "img", "aria-label": "thinking" }),
      state.offer === color && el("span.note", {}, "offers a draw"),
    ];
    fill(this.name, el("span.disc", { class: toMove ? `${color} to-move` : color, "aria-hidden": "true" }), el("span", {}, this.title()), notes);
    this.drawHand();
    this.clocks[color].set(state.clocks, table.isHuman(color));
    this.clocks[otherSide(color)].set(null);
  }

  title() {
    const { table, color } = this;
    return table.state.players[color].name;
  }

  /** The pieces still to be placed; those that may be placed now can be picked up. */
  drawHand() {
    const { table, color } = this;
    const hand = table.isLive ? table.state.hands?.[color] ?? [] : [];
    this.hand.hidden = hand.length === 0;
    this.hand.setAttribute("aria-label", `${sideName(color)}'s hand`);
    const mine = table.isPlaying && table.state.phase === "setup" && table.state.turn === color && table.isHuman(color) && table.state.legal.length > 0;
    const offered = table.state.dice?.offered?.length && table.state.turn === color ? table.state.dice.offered : null;
    const roles = ROLES.filter((role) => hand.includes(role));
    refill(this.hand, roles.map((role) => this.piece(role, hand.filter((one) => one === role).length, mine && (!offered || offered.includes(role)))));
  }

  piece(role, count, enabled) {
    const { board } = this.table;
    const code = (this.color === "white" ? "w" : "b") + role;
    const picked = enabled && board.picked?.role === role;
    const element = el("button.hand-piece", {
      type: "button",
      disabled: !enabled,
      "aria-pressed": String(picked),
      "aria-label": `${pieceName(code)}, ${count} in hand`,
      "data-role": role,
      onpointerdown: (event) => board.pointer.onHand(event, role, code),
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.pickByKey(role);
      },
    }, pieceSvg(code), count > 1 ? el("span.count", { "aria-hidden": "true" }, String(count)) : null);
    return element;
  }

  /** By keyboard the focus goes on to a square where the piece may stand. */
  pickByKey(role) {
    const { board, moving } = this.table;
    board.pick({ role });
    board.focus(moving.targets({ role })[0], "keys");
  }

  /** The hand shows what is picked up. */
  showPicked(source) {
    for (const element of this.hand.children) element.setAttribute("aria-pressed", String(!element.disabled && source?.role === element.dataset.role));
  }
}
