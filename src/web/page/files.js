// PGN, FEN and the record of a set-up, out of the game and into it.

import { api, GameApi } from "./api.js";
import { button, copy, download, el, fill, show, toast } from "./dom.js";

export class Files {
  constructor(table, element) {
    this.table = table;
    this.fen = el("input", { type: "text", readonly: true, "aria-label": "FEN of this position", onfocus: () => this.fen.select() });
    this.record = button("Record", () => this.take(table.game.record(), "The set-up's record"), { title: "Copy the record of the set-up" });
    this.text = el("textarea", { rows: 3, spellcheck: "false", "aria-label": "PGN or FEN to open", placeholder: "Paste a PGN or a FEN" });
    const details = el("details", {}, el("summary", {}, "Open a PGN or a FEN"), this.text, button("Open", () => this.read()));
    fill(element,
      el("label.fen", {}, el("span", {}, "FEN"), this.fen),
      el("div.buttons", {},
        button("Copy FEN", () => copy(this.fen.value, "FEN")),
        button("Copy PGN", () => this.take(table.game.pgn(), "PGN")),
        button("Save PGN", () => this.save()),
        this.record,
        button("Play from here", () => this.playFromHere(), { title: "A new game from this position" })),
      details);
  }

  update() {
    const { shown, state } = this.table;
    this.fen.value = shown.fen ?? "";
    show(this.record, state.turns.some((turn) => turn.placement));
  }

  async take(promise, what) {
    try {
      await copy(await promise, what);
    } catch (error) {
      toast(error.message, "error");
    }
  }

  async save() {
    try {
      download(`aleator-${this.table.state.variant}-${this.table.state.id}.pgn`, await this.table.game.pgn());
    } catch (error) {
      toast(error.message, "error");
    }
  }

  /** A PGN begins with a tag or a move number; what has seven slashes or more is a FEN. */
  async read() {
    const text = this.text.value.trim();
    const { table } = this;
    if (!text) return;
    const isFen = !text.startsWith("[") && text.split(/\s/)[0].split("/").length >= 8;
    try {
      if (isFen) return table.openGame(await api.create({ ...this.players(), variant: table.state.variant, fen: text }));
      const { games, skipped } = await api.readPgn(text);
      if (skipped.length) toast(`Line ${skipped[0].line}: ${skipped[0].error}`, "error");
      if (games.length) table.openGame(await new GameApi(games[0].id).get());
    } catch (error) {
      toast(error.message, "error");
    }
  }

  players() {
    const { white, black } = this.table.state.players;
    const level = white.level ?? black.level ?? 5;
    const kind = (player) => (player.kind === "engine" ? "engine" : "human");
    return { white: kind(white), black: kind(black), level };
  }

  async playFromHere() {
    const { table } = this;
    try {
      table.openGame(await api.create({ ...this.players(), variant: table.state.variant, fen: table.shown.fen }));
    } catch (error) {
      toast(error.message, "error");
    }
  }
}
