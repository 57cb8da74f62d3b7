// Export and import of PGN, FEN, setup records, links and pictures.

import { api } from "./api.js";
import { button, copy, download, el, fill, show, toast } from "./dom.js";
import { takeIn } from "./intake.js";
import { picture } from "./picture.js";

export class Files {
  constructor(table, element, unsaved) {
    this.table = table;
    this.unsaved = unsaved;
    this.fen = el("input", { type: "text", readonly: true, "aria-label": "FEN of this position", onfocus: () => this.fen.select() });
    this.record = button("Record", () => this.take(table.game.record(), "Setup record"), { title: "Copy the record of the setup" });
    this.text = el("textarea", { rows: 3, spellcheck: "false", "aria-label": "PGN, FEN or record to open", placeholder: "Paste a PGN, a FEN or the record of a setup" });
    const details = el("details", {}, el("summary", {}, "Open a PGN, a FEN or a record"), this.text, button("Open", () => this.read()));
    fill(element,
      el("label.fen", {}, el("span", {}, "FEN"), this.fen),
      el("div.buttons", {},
        button("Copy FEN", () => copy(this.fen.value, "FEN")),
        button("Copy PGN", () => this.take(table.game.pgn(), "PGN")),
        button("Save PGN", () => this.save()),
        button("Copy link", () => this.copyLink(), { title: "Copy a link that opens this game at this move on any page of Aleator" }),
        button("Save picture", () => this.savePicture(), { title: "Save a picture of this position" }),
        this.record,
        this.edit = el("a.button", { href: "?edit" }, "Edit position"),
        button("Play from here", () => this.playFromHere(), { title: "Start a new game from this position" })),
      details);
  }

  update() {
    const { shown, state } = this.table;
    this.fen.value = shown.fen ?? "";
    this.edit.href = `?${new URLSearchParams({ edit: shown.fen ?? "", variant: state.variant })}`;
    show(this.unsaved, Boolean(state.unsaved));
    if (state.unsaved) fill(this.unsaved, el("p.problem", {}, `This game could not be saved: ${state.unsaved}. Save it as PGN, or free some space.`), button("Save PGN", () => this.save()));
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

  async copyLink() {
    const { game, place } = this.table;
    const address = game.link(place).then((pairs) => new URL(`./#${new URLSearchParams(pairs)}`, document.baseURI).href);
    await this.take(address, "Link");
  }

  async savePicture() {
    const { board, place, state } = this.table;
    try {
      download(`aleator-${state.variant}-${state.id}-${place.ply + place.moves.length}.png`, await picture(board));
    } catch {
      toast("The browser could not draw the picture.", "error");
    }
  }

  async read() {
    const text = this.text.value.trim();
    const { table } = this;
    if (!text) return;
    try {
      const { state, games, problems } = await takeIn(text, table.state.variant);
      if (problems.length) toast(problems[0].error, "error");
      if (state) table.openGame(state);
      else if (games.length) toast(`${games.length} games imported: they are in the list of games.`);
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
      table.openGame(await api.create({ ...this.players(), ...table.state.habits, variant: table.state.variant, fen: table.shown.fen }));
    } catch (error) {
      toast(error.message, "error");
    }
  }
}
