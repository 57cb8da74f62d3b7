// @ts-check
// The board editor: a position of any variant, set up by hand or read from a FEN. The server says what it is and what
// is wrong with it.

import { api } from "./api.js";
import { Board } from "./board.js";
import { button, el, field, fill, messageOf, once, refill, select, show } from "./dom.js";
import { wishesOf } from "./newgame.js";
import { pieceName, pieceSvg, ROLES } from "./pieces.js";
import { sideName } from "./words.js";

/** @import { Color, Described, Draft, EditedPosition, NewGameWishes, OpenGame, Source, Variant } from "../types" */
/**
 * The position on the board; after a change and with a wrong text its FEN is unknown.
 * @typedef {Omit<EditedPosition, "fen"> & { fen: string | null }} Edited
 */

const ERASER = "x";

/**
 * Shows the editor with the position of `text`, a FEN; `open` goes to a game. Shows nothing if another screen was
 * asked for meanwhile, as `isWanted` says.
 * @param {HTMLElement} screen
 * @param {string | null} text
 * @param {string | null} variant
 * @param {OpenGame} open
 * @param {() => boolean} isWanted
 */
export async function showEditor(screen, text, variant, open, isWanted) {
  const variants = (await api.variants()).filter(({ id }) => id !== "dfrc");
  const wanted = variant === "dfrc" ? "chess960" : variant;
  const first = await api.position({ variant: variants.find(({ id }) => id === wanted)?.id ?? "chess" });
  if (!isWanted()) return;
  document.title = "Board editor \u2013 Aleator";
  const editor = new Editor(variants, open);
  fill(screen, editor.element);
  editor.take(first);
  if (!text) return;
  editor.fen.value = text;
  await editor.read(text);
}

class Editor {
  /** @param {Variant[]} variants @param {OpenGame} open */
  constructor(variants, open) {
    this.variants = variants;
    this.open = open;
    /** Set before the editor can be used. @type {Edited} */
    this.state = /** @type {never} */ (null);
    /** The last request. @type {object | null} */
    this.asked = null;
    this.flipped = false;
    this.board = new Board(this);
    this.palettes = [this.palette("black"), this.palette("white")];
    const names = variants.map(({ id, name }) => [id, name]);
    this.variant = select({ id: "edit-variant" }, names, "chess", () => this.setVariant());
    const setUp = () => {
      this.ask({ variant: this.state.variant, setup: this.setup.checked });
    };
    this.setup = el("input", { type: "checkbox", onchange: setUp });
    this.setupLabel = el("label", {}, this.setup, " Setup: pieces not on the board are in hand");
    const turns = [
      ["white", "White to move"],
      ["black", "Black to move"],
    ];
    this.turn = select({ "aria-label": "Side to move" }, turns, "white", (turn) =>
      this.change({ turn: /** @type {Color} */ (turn) }),
    );
    this.rights = el("fieldset.rights");
    const set = () => {
      this.change({});
    };
    this.passant = select({ id: "passant" }, [["-", "none"]], "-", set);
    const number = { type: "number", onchange: set };
    this.halfmoves = el("input", { ...number, id: "halfmoves", min: 0, value: 0 });
    this.number = el("input", { ...number, id: "move-number", min: 1, value: 1 });
    this.counts = el(
      "div.counts",
      {},
      field("En passant", this.passant),
      field("Halfmove clock", this.halfmoves),
      field("Move number", this.number),
    );
    this.hands = el("p.faint");
    const read = () => {
      this.read(this.fen.value);
    };
    this.fen = el("input", {
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": "FEN",
      oninput: read,
    });
    this.said = el("p", { role: "status" });
    this.analyse = button(
      "Analyse",
      once(() => this.start({ analysis: true }, true)),
      { class: "primary" },
    );
    const play = { title: "Play from here, with the players chosen on the first page" };
    this.play = button(
      "Play",
      once(() => this.start(wishesOf(), false)),
      play,
    );
    this.element = this.build();
  }

  build() {
    const [black, white] = this.palettes;
    const panel = el(
      "section.card.edit",
      { "aria-label": "Position" },
      el("h1", {}, "Set up a position"),
      el("p.faint", {}, "Drag pieces, or click one and then its squares. Drag a piece off the board to remove it."),
      field("Game", this.variant),
      this.setupLabel,
      this.turn,
      this.rights,
      this.counts,
      this.hands,
      el(
        "div.buttons",
        {},
        button("Start", () => this.ask({ variant: this.state.variant }), { title: "The usual start" }),
        button("Empty board", () => this.change({ squares: {} })),
        button("Flip", () => this.flip()),
      ),
      el("label.fen", {}, el("span", {}, "FEN"), this.fen),
      this.said,
      el("div.buttons", {}, this.analyse, this.play),
    );
    return el(
      "div.table",
      {},
      el("div.table-board", {}, black, el("div.board-and-bar", {}, this.board.element), white),
      el("div.table-panels", {}, panel),
    );
  }

  /**
   * Returns a side's pieces, which can be taken any number of times, and with White's the eraser.
   * @param {Color} color
   */
  palette(color) {
    const tools = ROLES.map((role) => {
      const code = color[0] + role;
      const onpointerdown = (/** @type {PointerEvent} */ event) => this.board.pointer.onHand(event, code, code);
      return this.tool(code, pieceName(code), pieceSvg(code), { onpointerdown });
    });
    if (color === "white") tools.push(this.tool(ERASER, "Eraser", "\u00d7", { onclick: () => this.toggle(ERASER) }));
    return el(
      "div.strip",
      { "data-at": color === "white" ? "bottom" : "top" },
      el("div.hand", { role: "group", "aria-label": `${sideName(color)}\u2019s pieces` }, tools),
    );
  }

  /** @param {string} role @param {string} label @param {Node | string} content @param {object} listeners */
  tool(role, label, content, listeners) {
    const onkeydown = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.toggle(role);
      if (this.board.picked) this.board.focus(undefined, "keys");
    };
    const properties = { type: "button", "data-role": role, "aria-label": label, "aria-pressed": "false" };
    return el("button.hand-piece", { ...properties, onkeydown, ...listeners }, content);
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  /** Picks up a tool, or puts it back. @param {string} role */
  toggle(role) {
    this.board.pick(this.board.picked?.role === role ? null : { role });
  }

  // The owner of the board.

  /** @param {string} square */
  canPick(square) {
    return !this.board.picked?.role && Boolean(this.state.squares[square]);
  }

  /** @returns {string[]} */
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

  /** @param {Source | null} source */
  onPick(source) {
    for (const tool of this.palettes.flatMap((palette) => [...palette.querySelectorAll("button")])) {
      tool.setAttribute("aria-pressed", String(source?.role === tool.dataset.role));
    }
  }

  /**
   * A piece of the palette stays picked after a click.
   * @param {Source} source
   * @param {string} square
   * @param {boolean} isDragged
   */
  drop(source, square, isDragged) {
    const squares = { ...this.state.squares };
    const piece = source.role ?? squares[source.square ?? ""];
    if (source.square) delete squares[source.square];
    if (piece === ERASER) delete squares[square];
    else squares[square] = piece;
    if (source.role && !isDragged) this.board.pick(source);
    this.change({ squares }, isDragged ? [square] : []);
  }

  /** @param {Source} source */
  dropOutside({ square }) {
    if (!square) return;
    const squares = { ...this.state.squares };
    delete squares[square];
    this.change({ squares });
  }

  // Changes.

  /** @param {Partial<Edited>} values */
  change(values, settled = /** @type {string[]} */ ([])) {
    const { variant, squares, turn, rights, setup } = { ...this.state, ...values };
    // Until the answer, the FEN is unknown.
    Object.assign(this.state, values, { fen: null });
    this.draw(settled);
    const clocks = `${this.halfmoves.value || 0} ${this.number.value || 1}`;
    return this.ask({ variant, squares, turn, rights, setup, en_passant: this.passant.value, clocks });
  }

  /** Returns a variant by its id. @param {string} id */
  chosen(id) {
    return this.variants.find((one) => one.id === id) ?? this.variants[0];
  }

  setVariant() {
    const { id, board, setup } = this.chosen(this.variant.value);
    if (board !== this.state.board) return this.ask({ variant: id });
    return this.change({ variant: id, setup: setup && this.state.setup });
  }

  /** Reads a FEN, of this variant if possible. @param {string} text */
  async read(text) {
    if (!text.trim()) return;
    const asked = (this.asked = {});
    try {
      let found = await api.position({ text, variant: this.state.variant });
      if (found.problem) found = await api.position({ text }).then((other) => (other.problem ? found : other));
      if (found.kind === "games") found = { kind: "position", problem: "This is not a FEN." };
      if (this.asked === asked) this.take(found, true);
    } catch (error) {
      this.complain(error);
    }
  }

  /** @param {Draft} draft */
  async ask(draft) {
    this.asked = draft;
    try {
      const found = await api.position(draft);
      if (this.asked === draft) this.take(found);
    } catch (error) {
      this.complain(error);
    }
  }

  /**
   * Shows the server's description. A text that is not a position leaves the board unchanged.
   * @param {Described} found
   */
  take(found, isTyped = false) {
    this.state = found.squares ? found : { ...this.state, fen: null, problem: found.problem ?? null };
    const { fen, variant } = this.state;
    if (!isTyped) this.fen.value = fen ?? "";
    const address = new URLSearchParams({ edit: fen ?? "", variant });
    if (fen && this.element.isConnected) history.replaceState(null, "", `?${address}`);
    this.draw();
  }

  /** Shows an error. @param {unknown} error */
  complain(error) {
    this.said.textContent = messageOf(error);
    this.said.classList.add("problem");
  }

  draw(settled = /** @type {string[]} */ ([])) {
    const { state } = this;
    const { setup: hasSetup } = this.chosen(state.variant);
    this.board.show({ size: state.board, flipped: this.flipped, squares: state.squares }, settled);
    this.variant.value = state.variant;
    this.turn.value = state.turn;
    this.setup.checked = state.setup;
    show(this.setupLabel, hasSetup);
    show(this.turn, !state.setup);
    show(this.counts, !state.setup);
    this.drawRights(state);
    this.drawCounts(state);
    this.drawHands(state);
    this.said.textContent = state.problem ?? `${sideName(state.turn)} ${state.setup ? "places" : "is to move"}.`;
    this.said.classList.toggle("problem", Boolean(state.problem));
    this.analyse.disabled = this.play.disabled = !state.fen;
  }

  /** @param {Edited} state */
  drawRights({ offers, rights, squares, setup }) {
    const labels = offers.map((square) => {
      const [color, role] = squares[square] ?? "";
      const side = sideName(color === "w" ? "white" : "black");
      const text = role === "K" ? `${side}\u2019s king may relocate` : `${side} may castle with the rook on ${square}`;
      const others = rights.filter((one) => one !== square);
      const onchange = () => {
        this.change({ rights: box.checked ? [...others, square] : others });
      };
      const box = el("input", { type: "checkbox", checked: others.length < rights.length, onchange });
      return el("label", {}, box, ` ${text}`);
    });
    refill(this.rights, el("legend.unseen", {}, "Rights"), labels);
    show(this.rights, labels.length > 0 && !setup);
  }

  /** Shows the last fields of the FEN. @param {Edited} state */
  drawCounts({ fen, passants }) {
    const [passant, halfmoves, number] = fen?.split(" ").slice(3) ?? [this.passant.value];
    fill(
      this.passant,
      ["-", ...passants].map((square) => el("option", { value: square }, square === "-" ? "none" : square)),
    );
    this.passant.value = passants.includes(passant) ? passant : "-";
    if (!fen) return;
    // What is being typed stays.
    if (document.activeElement !== this.halfmoves) this.halfmoves.value = halfmoves;
    if (document.activeElement !== this.number) this.number.value = number;
  }

  /** @param {Edited} state */
  drawHands({ hands, setup }) {
    const text = (/** @type {Color} */ color) => `${sideName(color)}: ${hands[color].join(" ") || "nothing"}`;
    this.hands.textContent = setup ? `In hand: ${text("white")}; ${text("black")}` : "";
    show(this.hands, setup);
  }

  /** @param {Partial<NewGameWishes>} players @param {boolean} isAnalysed */
  async start(players, isAnalysed) {
    const { variant, fen } = this.state;
    try {
      this.open(await api.create({ ...players, variant, fen }), isAnalysed);
    } catch (error) {
      this.complain(error);
    }
  }
}
