// The list of moves: the setup's placements, the game's turns with annotations, variations under the turns they
// branch from, and a field to type a move.

import { bringIntoSight, button, el, fill, refill, show } from "./dom.js";
import { iconButton, preferenceButton } from "./icons.js";
import { keyOf } from "./tree.js";
import { MARKS, placementText, SERIOUS, scoreAfter, scoreText, spentText } from "./words.js";

export class MoveList {
  constructor(table, element) {
    this.table = table;
    this.setup = el("ol.placed", { "aria-label": "Placements" });
    this.list = el("div.move-list", { tabindex: 0, role: "region", "aria-label": "Moves of the game" });
    this.typed = el("input", { type: "text", id: "typed", "aria-label": "Type a move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go" });
    const form = el("form.type-move", { onsubmit: (event) => this.submit(event) }, this.typed);
    const steps = el("div.steps", {},
      iconButton("first", "To the start ({)", () => table.go({ ply: 0, moves: [] })),
      iconButton("back", "Back ([)", () => table.step(-1)),
      iconButton("on", "Forward (])", () => table.step(1)),
      this.newest = iconButton("last", "To the latest position (})", () => table.go(table.livePlace)),
      iconButton("flip", "Flip the board (f)", () => table.flip()),
      preferenceButton("sound", (value) => (value === "on" ? ["loud", "Sound: on (s)"] : ["silent", "Sound: off (s)"])));
    fill(element, this.setup, this.list, form, steps);
  }

  async submit(event) {
    event.preventDefault();
    const text = this.typed.value.trim();
    if (!text) return;
    const done = await this.table.type(text);
    if (done !== false) this.typed.value = "";
  }

  update() {
    const { table } = this;
    const { state, place } = table;
    const placements = state.turns.filter((turn) => turn.placement).length;
    this.typed.placeholder = table.isPlaying && state.phase === "setup" ? "Type a placement: Q@g1" : "Type a move: Nf3, O-O, e2e4";
    this.newest.classList.toggle("primary", !table.isLive);
    const placed = state.turns.slice(0, placements).map((turn, ply) => el("li", {}, this.turn(turn, ply)));
    const verdict = state.throws.findLast((one) => one.purpose === "mediation" && !one.again);
    if (verdict) placed.splice(verdict.turns, 0, el("li.verdict", { title: verdict.sentence }, `${verdict.shows.join(" ")} ${verdict.short}`));
    show(this.setup, placed.length > 0);
    refill(this.setup, placed);
    const foreword = state.foreword && el("p.comment.foreword", {}, state.foreword);
    refill(this.list, foreword, this.variations({ ply: placements, moves: [] }, placements === state.turns.length ? placements : -1), this.rows(placements));
    this.list.classList.toggle("empty", state.turns.length === placements && this.list.childElementCount === 0);
    for (const list of [this.setup, this.list]) {
      const current = list.querySelector("[aria-current]");
      if (current) bringIntoSight(list, current);
    }
    if (place.ply === 0) this.list.scrollTop = 0;
  }

  /** Returns the move number of a turn, counted back from the newest FEN. */
  number(ply) {
    const { state } = this.table;
    const full = Number((state.fen ?? "").trim().split(" ").at(-1)) || 1;
    const ahead = full * 2 + (state.turn === "black" ? 1 : 0);
    return (ahead - (state.turns.length - ply)) >> 1;
  }

  /** Returns rows of move number, White's turn and Black's turn, interrupted by annotations. */
  rows(first) {
    const { state } = this.table;
    const parts = [];
    let row = null;
    for (let ply = first; ply < state.turns.length; ply += 1) {
      const turn = state.turns[ply];
      if (!row || turn.color === "white") {
        row = el("div.move-row", {}, el("span.number", {}, String(this.number(ply))));
        if (turn.color === "black") row.append(el("span.gap", {}, "\u2026"));
        parts.push(row);
      }
      row.append(this.turn(turn, ply));
      const annotations = this.annotations(ply, turn);
      if (annotations) {
        parts.push(annotations);
        row = null;
      }
      if (turn.color === "black") row = null;
    }
    return parts;
  }

  /** Returns what is shown under a turn: its comment, the better move of a mistake, and variations. */
  annotations(ply, turn) {
    const notes = [turn.comment, turn.best && SERIOUS.includes(turn.mark) && `${turn.best} was better.`].filter(Boolean);
    const variations = this.variations({ ply, moves: [] });
    // Variations after the last turn are shown there, too.
    const after = ply + 1 === this.table.state.turns.length ? this.variations({ ply: ply + 1, moves: [] }) : null;
    if (!notes.length && !variations && !after) return null;
    return el("div.annotations", {}, notes.map((note) => el("p.comment", {}, note)), variations, after);
  }

  turn(turn, ply) {
    const { table } = this;
    const current = table.place.moves.length === 0 && table.place.ply === ply + 1;
    const glyph = turn.mark ?? "";
    return el("button.move", {
      type: "button",
      class: [MARKS[turn.mark], turn.placement && turn.color].filter(Boolean).join(" "),
      "aria-current": current ? "true" : null,
      "data-ply": ply + 1,
      // The list is one tab stop: the arrow keys step through it.
      tabindex: current ? null : -1,
      onclick: () => table.go({ ply: ply + 1, moves: [] }),
    }, turn.placement ? placementText(turn.san) : turn.san, turn.relocation && el("span.relocated", { title: "The king relocates" }, "relocates"), glyph && el("span.glyph", {}, glyph), this.notes(turn));
  }

  /** Returns the score and time of a turn. */
  notes({ spent_ms, ...turn }) {
    const score = turn.score && this.table.showsScores && el("span.score", {}, scoreText(scoreAfter(turn)));
    const spent = spent_ms !== undefined && el("span.spent", {}, spentText(spent_ms));
    return score || spent ? el("span.notes", {}, score, spent) : null;
  }

  /** Returns the variations that branch off at a place; null if there are none. */
  variations(place, only = place.ply) {
    if (only < 0) return null;
    const nodes = this.table.tree.children(place);
    if (nodes.length === 0) return null;
    return el("ul.variations", {}, nodes.map((node, index) => el("li", {}, this.line(place, node, index === 0))));
  }

  /** Returns a variation as running text, with its own variations in brackets. */
  line(place, first, isFirst) {
    const parts = [];
    let [at, node, start] = [place, first, true];
    while (node) {
      const ply = at.ply + at.moves.length;
      const white = this.sideAt(ply) === "white";
      if (white || start) parts.push(el("span.number", {}, `${this.number(ply)}${white ? "." : "\u2026"}`));
      at = { ply: at.ply, moves: [...at.moves, node.uci] };
      parts.push(this.variationMove(at, node));
      if (node.comment) parts.push(el("span.comment", {}, node.comment));
      const [next, ...others] = node.children;
      for (const other of others) parts.push(el("span.bracket", {}, "(", this.line(at, other, false), ")"));
      start = others.length > 0;
      node = next;
    }
    const end = { ply: place.ply, moves: [...place.moves, first.uci] };
    const { game } = this.table;
    const change = (sign, label, send) => button(sign, () => this.change(send), { class: "change", title: label, "aria-label": label });
    return el("span.line", {}, parts,
      isFirst ? null : change("\u2191", "Put this variation first", () => game.promoteVariation(end)),
      change("\u00d7", "Remove this variation", () => game.removeVariation(end)));
  }

  sideAt(ply) {
    const { state } = this.table;
    const even = (state.turns.length - ply) % 2 === 0;
    return even === (state.turn === "white") ? "white" : "black";
  }

  variationMove(place, node) {
    const { table } = this;
    const current = keyOf(table.place) === keyOf(place);
    return button(node.san + (node.mark ?? ""), () => table.go(place), { class: "move", "aria-current": current ? "true" : null });
  }

  /** Changes the variations on the server. */
  change(send) {
    return this.table.act(send().then(({ state }) => state));
  }
}
