// The screen of a game: holds the server's state and the shown place of the game, and updates the parts when either
// changes.
//
// A place is { ply, moves }: this number of turns of the game, then the moves of a variation. The latest place,
// without a variation, is the live one: moves made there are turns of the game while it lasts; moves made anywhere
// else are variations.

import { GameApi } from "./api.js";
import { speak, fill, toast } from "./dom.js";
import { layout } from "./layout.js";
import { Board } from "./board.js";
import { Moving } from "./moving.js";
import { Strip } from "./strip.js";
import { SetupPanel } from "./setup.js";
import { MoveList } from "./moves.js";
import { Actions } from "./actions.js";
import { Analysis } from "./analysis.js";
import { Files } from "./files.js";
import { About } from "./about.js";
import { bindKeys } from "./keys.js";
import { play, soundOf } from "./sound.js";
import { Tree, keyOf } from "./tree.js";
import { ends, otherSide, sideName, spoken } from "./words.js";

/** How long a hidden tab keeps listening. */
const HIDDEN_MS = 10_000;

export class Table {
  constructor(screen, id, { openGame, leave }) {
    this.screen = screen;
    this.openGame = openGame;
    this.leave = leave;
    this.game = new GameApi(id);
    this.state = null;
    this.place = { ply: 0, moves: [] };
    this.shown = null;
    this.tree = new Tree();
    this.past = new Map();
    this.flipped = false;
    this.held = null;
    this.isLost = false;
    this.hiding = 0;
    this.lowClocks = new Set();
  }

  /** Loads the game, unless its state is given, and draws it; `isFocused` focuses the board. */
  async open(state, isFocused = false) {
    try {
      const first = state ?? await this.game.get();
      if (this.isClosed) return null;
      this.build(first);
      this.take(first);
      if (isFocused) this.board.focus(undefined, "page");
    } catch (error) {
      if (!error.status) throw error;
      if (this.isClosed) return null;
      return this.leave(error.message);
    }
    this.followTab();
    this.onVisibility = () => this.followTab();
    document.addEventListener("visibilitychange", this.onVisibility);
    return null;
  }

  build(state) {
    this.flipped = state.players.black.kind === "human" && state.players.white.kind !== "human";
    this.moving = new Moving(this);
    this.board = new Board(this.moving);
    const { element, parts } = layout(this.board.element);
    this.strips = { top: new Strip(this, parts.top), bottom: new Strip(this, parts.bottom) };
    this.analysis = new Analysis(this, parts.analysis, parts.bar);
    this.setup = new SetupPanel(this, parts.setup);
    this.parts = [
      this.strips.top, this.strips.bottom, this.setup, new MoveList(this, parts.moves),
      new Actions(this, parts.actions, parts.banner), this.analysis, new Files(this, parts.files, parts.unsaved), new About(this, parts.about),
    ];
    fill(this.screen, element);
    this.unbindKeys = bindKeys(this);
  }

  listen() {
    this.game.listen({
      state: (state) => this.receive(state),
      deleted: () => this.leave("This game was deleted."),
      line: (line) => this.analysis.takeLine(line),
      progress: (progress) => this.analysis.takeProgress(progress),
      score: (score) => this.analysis.takeScore(score),
      notice: ({ error }) => toast(error, "error"),
      open: () => this.connected(true),
      lost: () => this.connected(false),
      refused: () => this.game.get().catch((error) => error.status === 404 && this.leave(error.message)),
      crowded: () => toast("Too many tabs of this page are open. This one shows moves a little late, and no analysis until another tab is closed.", "error"),
    });
  }

  /** Handles a change of the connection; the browser reconnects by itself. */
  connected(isThere) {
    if (!isThere && !this.isLost) toast("The server does not respond. The page continues when it is back.", "error");
    this.isLost = !isThere;
    if (isThere) this.analysis.restart();
  }

  /**
   * Lets a tab that was hidden for some seconds close its stream, unless a review runs: other tabs may need the
   * connection.
   */
  followTab() {
    clearTimeout(this.hiding);
    if (!document.hidden && !this.game.isListening) this.listen();
    if (!document.hidden) return;
    this.hiding = setTimeout(() => (this.analysis.reviewing ? this.followTab() : this.game.close()), HIDDEN_MS);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.hiding);
    this.game.close();
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.unbindKeys?.();
    for (const part of this.parts ?? []) part.close?.();
  }

  // The state.

  /** The place of the latest position. */
  get livePlace() {
    return { ply: this.state.turns.length, moves: [] };
  }

  get isLive() {
    return this.place.ply === this.state.turns.length && this.place.moves.length === 0;
  }

  /** Whether moves made now are turns of the game. */
  get isPlaying() {
    return this.isLive && this.state.phase !== "over";
  }

  /** Whether the engine's scores are shown: once the game is over, under analysis, or after a review. */
  get showsScores() {
    return this.state.phase === "over" || this.analysis.on || this.state.turns.some((turn) => turn.mark);
  }

  /** The moves that lead to the shown place: turns of the game, then those of a variation. */
  get line() {
    const { ply } = this.place;
    return [...this.state.turns.slice(0, ply), ...this.tree.path(this.place)];
  }

  isHuman(color) {
    return this.state.players[color].kind === "human";
  }

  /** Whether a game against the engine or the clock is running, in which earlier positions allow no moves. */
  get isRunning() {
    const { phase, clocks } = this.state;
    return phase !== "over" && Boolean(clocks || !this.isHuman("white") || !this.isHuman("black"));
  }

  /** Whether a person has to act: move, place or roll dice. */
  get isPersonsTurn() {
    return this.state.phase !== "over" && this.state.awaits.kind === "human";
  }

  // Changes.

  /** Takes a state of the server. `settled` are squares where the person has put pieces. */
  take(state, settled = []) {
    if (this.isClosed) return;
    const before = this.state;
    if (before && state.version < before.version) return;
    const wasLive = !before || this.isLive;
    const isContinued = before && before.turns.every((turn, ply) => state.turns[ply]?.uci === turn.uci);
    this.state = state;
    if (!isContinued) this.past.clear();
    this.tree.read(state);
    const { ply, moves } = this.place;
    if (wasLive || ply > state.turns.length) this.place = this.livePlace;
    // The shown variation may have been played or removed.
    else if (moves.length && !this.tree.node(this.place)) this.go(moves[0] === state.turns[ply]?.uci ? this.livePlace : { ply, moves: [] });
    if (this.isLive) this.shown = positionOf(state);
    // The state of a finished game has no legal moves, but variations can continue from there.
    if (this.isLive && state.ending && !before?.ending) this.go(this.livePlace);
    document.title = this.title();
    if (before) this.announce(before, state);
    const sound = before && soundOf(before, state);
    if (sound) play(sound);
    this.draw(settled);
    this.moving.playPremove();
  }

  /**
   * Takes a state after showing the dice that were rolled since the last one. Other states wait meanwhile, and the
   * board does not reveal what the rolling dice will show.
   */
  async receive(state, settled = []) {
    if (this.held) return this.held.push(state);
    const isNewer = state.version >= this.state.version;
    const rolls = isNewer ? this.setup.worthShowing(state.throws.slice(this.state.throws.length)) : [];
    if (rolls.length === 0) return this.take(state, settled);
    this.held = [];
    // The engine's last placement is drawn before its next dice roll.
    const first = rolls.every(({ purpose, color }) => purpose === "placement" && !this.isHuman(color));
    if (first) this.take(state, settled);
    await this.setup.present(rolls);
    const waited = this.held.sort((a, b) => a.version - b.version);
    this.held = null;
    this.take(state, settled);
    for (const one of waited) this.receive(one);
    return null;
  }

  title() {
    const { state } = this;
    if (state.ending) return `${state.ending.result} \u2013 Aleator`;
    return this.isPersonsTurn && !this.isHuman(otherSide(state.turn)) ? "Your turn \u2013 Aleator" : `${sideName(state.turn)} to move \u2013 Aleator`;
  }

  announce(before, state) {
    const news = state.turns.slice(before.turns.length).map((turn) => `${sideName(turn.color)}: ${spoken(turn.san)}`);
    if (state.turns.length < before.turns.length) news.push("Taken back.");
    if (state.ending && !before.ending) news.push(state.ending.sentence);
    if (state.offer && state.offer !== before.offer) news.push(`${sideName(state.offer)} offers a draw.`);
    if (state.dice?.sentence && state.dice.sentence !== before.dice?.sentence) news.push(state.dice.sentence);
    if (news.length) speak(news.join(" "));
  }

  /** Draws the board and updates the parts. */
  draw(settled = []) {
    const { shown, state } = this;
    this.board.show({
      size: state.board,
      flipped: this.flipped,
      squares: shown.squares,
      check: shown.check,
      last: shown.last ?? [],
      premove: this.moving.premoveSquares(),
      open: this.moving.openSquares(),
      ghosts: {},
    }, settled);
    const bottom = this.flipped ? "black" : "white";
    this.strips.bottom.color = bottom;
    this.strips.top.color = otherSide(bottom);
    this.board.arrows.setFile(this.shapes());
    for (const part of this.parts) part.update();
  }

  /** Returns the shapes of the comment on the turn that led here, and the better move of a mistake. */
  shapes() {
    const shapes = this.line.at(-1)?.shapes ?? [];
    const better = this.analysis.better();
    return better ? [...shapes, { ...ends(better.uci), brush: "green" }] : shapes;
  }

  /** Shows a place of the game or of a variation. */
  async go(place) {
    const ply = Math.max(0, Math.min(this.state.turns.length, place.ply));
    const wanted = { ply, moves: place.moves };
    this.place = wanted;
    this.board.pick(null);
    try {
      const shown = await this.positionAt(wanted);
      if (this.place !== wanted) return;
      this.shown = shown;
      this.draw();
    } catch (error) {
      toast(error.message, "error");
      this.place = this.livePlace;
      this.shown = positionOf(this.state);
      this.draw();
    }
  }

  async positionAt(place) {
    if (this.isPlaying && this.isLive) return positionOf(this.state);
    const key = keyOf(place);
    if (!this.past.has(key)) this.past.set(key, await this.game.at(place.ply, place.moves));
    return this.past.get(key);
  }

  /** Steps forward or back, in a variation along it. */
  step(by) {
    const { ply, moves } = this.place;
    if (by < 0) return moves.length ? this.go({ ply, moves: moves.slice(0, -1) }) : this.go({ ply: ply - 1, moves: [] });
    if (moves.length === 0 && ply < this.state.turns.length) return this.go({ ply: ply + 1, moves: [] });
    const next = this.tree.children(this.place)[0];
    return next ? this.go({ ply, moves: [...moves, next.uci] }) : null;
  }

  /** Waits for an action on the server that responds with a state; shows an error if it fails. */
  async act(promise, settled = []) {
    try {
      await this.receive(await promise, settled);
      return true;
    } catch (error) {
      if (error.status === undefined) throw error;
      toast(error.message, "error");
      speak(error.message);
      this.draw();
      return false;
    }
  }

  /** Adds moves, in UCI notation or SAN, to a variation at the shown place, and goes there. */
  async vary(moves) {
    const { ply } = this.place;
    const line = [...this.place.moves, ...moves];
    try {
      const { answer, state } = await this.game.addVariation({ ply, moves: line });
      const place = { ply: answer.ply, moves: answer.uci };
      this.past.set(keyOf(place), answer);
      this.take(state);
      return this.go(place);
    } catch (error) {
      if (error.status === undefined) throw error;
      toast(error.message, "error");
      return this.draw();
    }
  }

  /** Plays a typed move. */
  type(text) {
    if (this.isRunning && !this.isLive) return this.pointToNow();
    return this.isPlaying ? this.act(this.game.turn(text)) : this.vary([text]);
  }

  /** Explains that moves in an earlier position are not possible while a game is running. */
  pointToNow() {
    this.draw();
    toast("This is an earlier position. The game continues at the latest one.", "info", { text: "Go there", run: () => this.go(this.livePlace) });
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }
}

/** Returns the fields of a state that an earlier position has, too. */
function positionOf({ squares, check, last, turn, legal, fen }) {
  return { squares, check, last, turn, legal, fen };
}
