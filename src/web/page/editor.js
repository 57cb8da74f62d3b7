// The board editor: a position of any variant, set up by hand or read from a FEN. The server says what it is and what
// is wrong with it.

import { api } from "./api.js";
import { Board } from "./board.js";
import { button, el, fill, once, refill, show, toast } from "./dom.js";
import { wishesOf } from "./newgame.js";
import { pieceName, pieceSvg, ROLES } from "./pieces.js";
import { sideName } from "./words.js";

const ERASER = "x";
const PEOPLE = { white: "human", black: "human" };

/**
 * Shows the editor with the position of `text`, a FEN; `open` goes to a game. Shows nothing if another screen was
 * asked for meanwhile, as `isWanted` says.
 */
export async function showEditor(screen, { text, variant }, open, isWanted) {
  const variants = (await api.variants()).filter(({ id }) => id !== "dfrc");
  if (!isWanted()) return;
  document.title = "Board editor \u2013 Aleator";
  const editor = new Editor(variants, open);
  editor.variant.value = variant === "dfrc" ? "chess960" : variant ?? "chess";
  fill(screen, editor.element);
  await editor.ask({ variant: editor.variant.value || "chess" });
  if (text) await editor.read(text);
}

class Editor {
  constructor(variants, open) {
    this.variants = variants;
    this.open = open;
    this.state = null;
    this.asked = null;
    this.flipped = false;
    this.board = new Board(this);
    this.palettes = ["black", "white"].map((color) => this.palette(color));
    this.variant = el("select", { id: "edit-variant", onchange: () => this.setVariant() }, variants.map(({ id, name }) => el("option", { value: id }, name)));
    this.setup = el("input", { type: "checkbox", onchange: () => this.ask({ variant: this.state.variant, setup: this.setup.checked }) });
    this.setupLabel = el("label", {}, this.setup, " Setup: pieces not on the board are in hand");
    this.turn = el("select", { "aria-label": "Side to move", onchange: () => this.change({ turn: this.turn.value }) }, ["white", "black"].map((color) => el("option", { value: color }, `${sideName(color)} to move`)));
    this.rights = el("fieldset.rights");
    this.hands = el("p.faint");
    this.fen = el("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "FEN", oninput: () => this.read(this.fen.value) });
    this.said = el("p", { role: "status" });
    this.analyse = button("Analyse", once(() => this.start(PEOPLE, true)), { class: "primary" });
    this.play = button("Play", once(() => this.start(wishesOf(), false)), { title: "Play from here, with the players chosen on the first page" });
    this.element = this.build();
  }

  build() {
    const [black, white] = this.palettes;
    const panel = el("section.card.edit", { "aria-label": "Position" },
      el("h1", {}, "Set up a position"),
      el("p.faint", {}, "Drag pieces, or click one and then its squares. Drag a piece off the board to remove it."),
      el("div.field", {}, el("label", { for: "edit-variant" }, "Game"), this.variant),
      this.setupLabel, this.turn, this.rights, this.hands,
      el("div.buttons", {},
        button("Start", () => this.ask({ variant: this.state.variant }), { title: "The usual start" }),
        button("Empty board", () => this.change({ squares: {} })),
        button("Flip", () => { this.flipped = !this.flipped; this.draw(); })),
      el("label.fen", {}, el("span", {}, "FEN"), this.fen),
      this.said,
      el("div.buttons", {}, this.analyse, this.play));
    return el("div.table", {},
      el("div.table-board", {}, black, el("div.board-and-bar", {}, this.board.element), white),
      el("div.table-panels", {}, panel));
  }

  /** Returns a side's pieces, which can be taken any number of times, and with White's the eraser. */
  palette(color) {
    const pieces = ROLES.map((role) => {
      const code = color[0] + role;
      return this.tool(code, pieceName(code), pieceSvg(code), { onpointerdown: (event) => this.board.pointer.onHand(event, code, code) });
    });
    const eraser = this.tool(ERASER, "Eraser", "\u00d7", { onclick: () => this.toggle(ERASER) });
    return el("div.strip", { "data-at": color === "white" ? "bottom" : "top" }, el("div.hand", { role: "group", "aria-label": `${sideName(color)}\u2019s pieces` }, pieces, color === "white" && eraser));
  }

  tool(role, label, content, listeners) {
    const onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.toggle(role);
      if (this.board.picked) this.board.focus(undefined, "keys");
    };
    return el("button.hand-piece", { type: "button", "data-role": role, "aria-label": label, "aria-pressed": "false", onkeydown, ...listeners }, content);
  }

  toggle(role) {
    this.board.pick(this.board.picked?.role === role ? null : { role });
  }

  // The owner of the board.

  canPick(square) {
    return !this.board.picked?.role && Boolean(this.state.squares[square]);
  }

  targets() {
    return [];
  }

  anywhere() {
    return true;
  }

  relocates() {
    return false;
  }

  labelOf() {
    return "";
  }

  onPress() {}

  onPick(source) {
    for (const tool of this.palettes.flatMap((palette) => [...palette.querySelectorAll(".hand-piece")])) {
      tool.setAttribute("aria-pressed", String(source?.role === tool.dataset.role));
    }
  }

  /** A piece of the palette stays picked after a click. */
  drop(source, square, isDragged) {
    const squares = { ...this.state.squares };
    const piece = source.role ?? squares[source.square];
    if (source.square) delete squares[source.square];
    if (piece === ERASER) delete squares[square];
    else squares[square] = piece;
    if (source.role && !isDragged) this.board.pick(source);
    this.change({ squares }, isDragged ? [square] : []);
  }

  dropOutside({ square }) {
    if (!square) return;
    const squares = { ...this.state.squares };
    delete squares[square];
    this.change({ squares });
  }

  // Changes.

  change(values, settled = []) {
    const { variant, squares, turn, rights, setup } = { ...this.state, ...values };
    Object.assign(this.state, values);
    this.draw(settled);
    return this.ask({ variant, squares, turn, rights, setup });
  }

  setVariant() {
    const { id, board, setup } = this.variants.find((one) => one.id === this.variant.value);
    if (board !== this.state.board) return this.ask({ variant: id });
    return this.change({ variant: id, setup: setup && this.state.setup });
  }

  /** Reads a FEN, of this variant if possible. */
  async read(text) {
    if (!text.trim()) return;
    const asked = this.asked = {};
    try {
      let found = await api.position({ text, variant: this.state.variant });
      if (found.problem) found = await api.position({ text }).then((other) => (other.problem ? found : other));
      if (found.kind === "games") found = { problem: "This is not a FEN." };
      if (this.asked === asked) this.take(found, true);
    } catch (error) {
      toast(error.message, "error");
    }
  }

  async ask(draft) {
    this.asked = draft;
    try {
      const found = await api.position(draft);
      if (this.asked === draft) this.take(found);
    } catch (error) {
      toast(error.message, "error");
    }
  }

  /** Shows the server's description. A text that is not a position leaves the board unchanged. */
  take(found, isTyped = false) {
    this.state = found.squares ? found : { ...this.state, fen: null, problem: found.problem };
    const { fen, variant } = this.state;
    if (!isTyped) this.fen.value = fen ?? "";
    if (fen && this.element.isConnected) history.replaceState(null, "", `?${new URLSearchParams({ edit: fen, variant })}`);
    this.draw();
  }

  draw(settled = []) {
    const { state } = this;
    const { setup: hasSetup } = this.variants.find(({ id }) => id === state.variant);
    this.board.show({ size: state.board, flipped: this.flipped, squares: state.squares }, settled);
    this.variant.value = state.variant;
    this.turn.value = state.turn;
    this.setup.checked = state.setup;
    show(this.setupLabel, hasSetup);
    show(this.turn, !state.setup);
    this.drawRights(state);
    this.drawHands(state);
    this.said.textContent = state.problem ?? `${sideName(state.turn)} ${state.setup ? "places" : "is to move"}.`;
    this.said.classList.toggle("problem", Boolean(state.problem));
    this.analyse.disabled = this.play.disabled = !state.fen;
  }

  drawRights({ offers, rights, squares, setup }) {
    const labels = offers.map((square) => {
      const [color, role] = squares[square] ?? "";
      const side = sideName(color === "w" ? "white" : "black");
      const text = role === "K" ? `${side}\u2019s king may relocate` : `${side} may castle with the rook on ${square}`;
      const others = rights.filter((one) => one !== square);
      return el("label", {}, el("input", { type: "checkbox", checked: others.length < rights.length, onchange: ({ target }) => this.change({ rights: target.checked ? [...others, square] : others }) }), ` ${text}`);
    });
    refill(this.rights, el("legend.unseen", {}, "Rights"), labels);
    show(this.rights, labels.length > 0 && !setup);
  }

  drawHands({ hands, setup }) {
    const text = (color) => `${sideName(color)}: ${hands[color].join(" ") || "nothing"}`;
    this.hands.textContent = setup ? `In hand: ${text("white")}; ${text("black")}` : "";
    show(this.hands, setup);
  }

  async start(players, isAnalysed) {
    const { variant, fen } = this.state;
    try {
      this.open(await api.create({ ...players, variant, fen }), isAnalysed);
    } catch (error) {
      toast(error.message, "error");
    }
  }
}
