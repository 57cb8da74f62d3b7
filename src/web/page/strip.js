// A player's strip above or below the board: name, captured pieces, clock, and in a setup the hand.

import { el, fill, refill, show } from "./dom.js";
import { Clock } from "./clock.js";
import { pieceName, pieceSvg, roleName, ROLES } from "./pieces.js";
import { captured } from "./captured.js";
import { otherSide, sideName } from "./words.js";

export class Strip {
  constructor(table, element) {
    this.table = table;
    this.element = element;
    this.color = "white";
    this.clocks = { white: new Clock("white", table.lowClocks), black: new Clock("black", table.lowClocks) };
    this.name = el("div.name");
    this.taken = el("div.taken", { role: "img", hidden: true });
    this.hand = el("div.hand", { role: "group" });
    fill(element, el("div.who", {}, this.name, this.taken), this.hand, this.clocks.white.element, this.clocks.black.element);
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
    this.drawTaken();
    this.drawHand();
    this.clocks[color].set(state.clocks, table.isHuman(color));
    this.clocks[otherSide(color)].set(null);
  }

  title() {
    const { table, color } = this;
    return table.state.players[color].name;
  }

  /** Shows the pieces that this side has captured, and its material advantage. */
  drawTaken() {
    const { table, color } = this;
    const { shown, state } = table;
    const moves = table.line.map((turn) => turn?.uci ?? "");
    const { [otherSide(color)]: pieces, gain } = captured(state.start_fen ?? "", shown.fen ?? "", moves);
    const ahead = color === "white" ? gain : -gain;
    show(this.taken, pieces.length > 0 || ahead > 0);
    if (this.taken.hidden) return;
    const kinds = ROLES.filter((role) => pieces.includes(role)).map((role) => [role, pieces.filter((one) => one === role).length]);
    const words = kinds.map(([role, number]) => `${number} ${roleName(role)}${number > 1 ? "s" : ""}`);
    this.taken.setAttribute("aria-label", [`${sideName(color)} captured ${words.join(", ") || "nothing"}`, ahead > 0 && `ahead by ${ahead}`].filter(Boolean).join("; "));
    const other = color === "white" ? "b" : "w";
    fill(this.taken, kinds.map(([role, number]) => el("span", {}, Array.from({ length: number }, () => pieceSvg(other + role)))), ahead > 0 && el("span", {}, `+${ahead}`));
  }

  /** Shows the pieces in hand; those that may be placed now can be picked up. */
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

  /** Picks up a piece by keyboard, and moves the focus to a square where it may be placed. */
  pickByKey(role) {
    const { board, moving } = this.table;
    board.pick({ role });
    board.focus(moving.targets({ role })[0], "keys");
  }

  /** Marks the piece that is picked up. */
  showPicked(source) {
    for (const element of this.hand.children) element.setAttribute("aria-pressed", String(!element.disabled && source?.role === element.dataset.role));
  }
}
