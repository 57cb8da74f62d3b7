// @ts-check
// What a person and the app do to the state of a game's screen. Views call these methods; nothing here draws.

import { Refusal } from "./api.js";
import { clearError, messageOf, speak, toast, toastError } from "./dom.js";
import { Rolls } from "./rolls.js";
import { play, soundOf } from "./sound.js";
import * as states from "./state.js";
import { childrenOf, keyOf, nodeAt, readTree } from "./tree.js";
import { announcement, ends, scoreText } from "./words.js";

/** @import { Color, Game, GameApi, LegalTurn, OpenGame, Place, Position, ScreenState } from "../types" */
/** @import { Store } from "./store.js" */

const { isLive, isPlaying, livePlace, positionOf, showing } = states;

/** Shows and speaks an error of the app. @param {Refusal} error */
function complain({ message }) {
  toast(message, "error");
  speak(message);
}

export class Actions {
  /**
   * @param {Store<ScreenState>} store
   * @param {GameApi} api
   * @param {OpenGame} openGame
   */
  constructor(store, api, openGame) {
    this.store = store;
    this.api = api;
    this.openGame = openGame;
    this.rolls = new Rolls(store);
    /** The place that was asked for last; its position may still be on its way. */
    this.wanted = store.state.place;
    /** Earlier positions and those of variations, by place. @type {Map<string, Position>} */
    this.past = new Map();
    /** States that wait until rolled dice have been shown. @type {Game[] | null} */
    this.held = null;
    this.isRolling = false;
    this.isClosed = false;
    this.proceed();
  }

  close() {
    this.isClosed = true;
    this.rolls.close();
  }

  get state() {
    return this.store.state;
  }

  // States of the game.

  /** Takes a state of the app. `settled` are squares where the person has put pieces. @param {Game} game */
  take(game, settled = /** @type {string[]} */ ([])) {
    const { state, store } = this;
    const before = state.game;
    if (this.isClosed || game.version < before.version) return;
    const tree = readTree(game);
    if (!before.turns.every((turn, ply) => game.turns[ply]?.uci === turn.uci)) this.past.clear();
    const { ply, moves } = this.wanted;
    if (isLive({ game: before, place: this.wanted }) || ply > game.turns.length) this.wanted = livePlace(game);
    // The shown variation may have been played or removed.
    else if (moves.length && !nodeAt(tree, this.wanted)) {
      this.wanted = moves[0] === game.turns[ply]?.uci ? livePlace(game) : { ply, moves: [] };
    }
    const review = before.reviewing && !game.reviewing ? null : state.review;
    const isLatest = isLive({ game, place: this.wanted });
    const position = isLatest ? { place: this.wanted, ...showing(this.known(game) ?? positionOf(game), settled) } : {};
    const hasMoved = game.turns.length !== before.turns.length;
    const flipped = hasMoved ? states.turnedFor(game, state.flipped) : state.flipped;
    store.update({ game, tree, review, clocksAt: performance.now(), roll: null, note: null, flipped, ...position });
    if (hasMoved) clearError();
    const text = announcement(before, game);
    if (text) speak(text);
    const sound = soundOf(before, game);
    if (sound) play(sound);
    this.proceed();
  }

  /** Does what the new state asks for. */
  proceed() {
    const { game, place } = this.state;
    // The state of a finished game has no legal moves, but variations can continue from there.
    if (keyOf(this.wanted) !== keyOf(place) || (isLive(this.state) && !this.known(game))) this.visit(this.wanted);
    if (states.rollsByItself(this.state)) this.roll({});
    this.playPremove();
  }

  /**
   * Takes a state after showing the dice that were rolled since the last one. Other states wait meanwhile, and the
   * board does not reveal what the rolling dice will show.
   * @param {Game} game
   */
  async receive(game, settled = /** @type {string[]} */ ([])) {
    if (this.held) {
      this.held.push(game);
      return;
    }
    const before = this.state.game;
    const isNewer = game.version >= before.version;
    // If the user enters the dice, only the mediator's are worth showing.
    const isWorthShowing = (/** @type {string} */ purpose) => !before.dice?.own || purpose === "mediation";
    const news = isNewer ? game.rolls.slice(before.rolls.length) : [];
    const rolls = news.filter(({ purpose }) => isWorthShowing(purpose));
    if (rolls.length === 0) return this.take(game, settled);
    this.held = [];
    // The engine's last placement is drawn before its next dice roll.
    const isEngines = rolls.every(({ purpose, color }) => purpose === "placement" && !states.isHuman(before, color));
    if (isEngines) this.take(game, settled);
    await this.rolls.present(rolls);
    const waited = this.held.sort((a, b) => a.version - b.version);
    this.held = null;
    this.take(game, settled);
    for (const one of waited) this.receive(one);
  }

  /**
   * Waits for an action of the app that responds with a state; shows an error if it fails.
   * @param {Promise<Game>} asked
   */
  async act(asked, settled = /** @type {string[]} */ ([]), explain = complain) {
    try {
      await this.receive(await asked, settled);
      return true;
    } catch (error) {
      this.refuse(error, explain);
      return false;
    }
  }

  /** Explains an error of the app, by default with a message, and takes back a drawn move. @param {unknown} error */
  refuse(error, explain = complain) {
    if (!(error instanceof Refusal)) throw error;
    explain(error);
    this.store.update({ pending: null });
  }

  // Places.

  /** Returns the position of the wanted place, if it is at hand. @param {Game} game @returns {Position | undefined} */
  known(game) {
    return isPlaying({ game, place: this.wanted }) ? positionOf(game) : this.past.get(keyOf(this.wanted));
  }

  /** Shows a place that the person chose, and announces its move. @param {Place} place */
  async go(place) {
    const before = keyOf(this.state.place);
    await this.visit(place);
    const { state } = this;
    if (keyOf(state.place) !== before && keyOf(state.place) === keyOf(this.wanted)) speak(states.moveThere(state));
  }

  /** Shows a place of the game or of a variation. @param {Place} place */
  async visit(place) {
    const { store } = this;
    const wanted = { ply: Math.max(0, Math.min(this.state.game.turns.length, place.ply)), moves: place.moves };
    this.wanted = wanted;
    store.update({ picked: null });
    try {
      const shown = this.known(this.state.game) ?? (await this.positionAt(wanted));
      if (this.wanted === wanted) store.update({ place: wanted, note: null, ...showing(shown) });
    } catch (error) {
      toastError(error);
      this.wanted = livePlace(this.state.game);
      store.update({ place: this.wanted, ...showing(positionOf(this.state.game)) });
    }
  }

  /** Returns the position of a place other than the live one. @param {Place} place @returns {Promise<Position>} */
  async positionAt(place) {
    const known = this.past.get(keyOf(place));
    if (known) return known;
    const position = await this.api.at(place.ply, place.moves);
    this.past.set(keyOf(place), position);
    return position;
  }

  goLive() {
    return this.go(livePlace(this.state.game));
  }

  /** Steps forward or back, in a variation along it. @param {number} by */
  step(by) {
    const { game, tree } = this.state;
    const { ply, moves } = this.wanted;
    if (by < 0) return this.go(moves.length ? { ply, moves: moves.slice(0, -1) } : { ply: ply - 1, moves: [] });
    if (moves.length === 0 && ply < game.turns.length) return this.go({ ply: ply + 1, moves: [] });
    const next = childrenOf(tree, this.wanted)[0];
    return next && this.go({ ply, moves: [...moves, next.uci] });
  }

  flip() {
    this.store.update({ flipped: !this.state.flipped });
  }

  // Moves.

  /**
   * Plays a legal turn: draws it at once, except castling, then asks the app.
   * @param {LegalTurn} turn
   * @param {boolean} isDragged
   */
  play(turn, isDragged) {
    const { state, store } = this;
    if (states.isRunning(state.game) && !isLive(state)) return this.pointToNow();
    if (!isPlaying(state)) return this.vary([turn.text]);
    const settled = isDragged ? [turn.to] : [];
    const { castling, from, promotion, to } = turn;
    if (!castling && from) {
      const squares = { ...state.shown.squares };
      squares[to] = promotion ? squares[from][0] + promotion.toUpperCase() : squares[from];
      delete squares[from];
      store.update({ pending: { squares, last: [from, to] }, settled });
    }
    return this.act(this.api.turn(turn.text), settled);
  }

  /** Sends a turn as text; the app explains why an illegal one is illegal. @param {string} text */
  send(text, settled = /** @type {string[]} */ ([])) {
    return this.act(this.api.turn(text), settled);
  }

  /** Plays a typed move; resolves to the reason if it is refused, or else to "". @param {string} text */
  async type(text) {
    const { state } = this;
    let reason = "";
    const explain = (/** @type {Refusal} */ { message }) => {
      reason = message;
    };
    if (states.isRunning(state.game) && !isLive(state)) this.pointToNow();
    else if (isPlaying(state)) await this.act(this.api.turn(text), [], explain);
    else await this.vary([text], explain);
    return reason;
  }

  /** Explains that moves in an earlier position are not possible while a game is running. */
  pointToNow() {
    const text = "This is an earlier position. The game continues at the latest one.";
    toast(text, "info", { text: "Go there", run: () => this.goLive() });
  }

  /** Adds moves, in UCI notation or SAN, to a variation at the shown place, and goes there. @param {string[]} moves */
  async vary(moves, explain = complain) {
    const { place } = this.state;
    try {
      const { answer, state } = await this.api.addVariation({ ply: place.ply, moves: [...place.moves, ...moves] });
      const added = { ply: answer.ply, moves: answer.uci };
      clearError();
      this.take(state);
      this.past.set(keyOf(added), answer);
      await this.go(added);
    } catch (error) {
      this.refuse(error, explain);
    }
  }

  /** @param {Place} place */
  promoteVariation(place) {
    return this.act(this.api.promoteVariation(place).then(({ state }) => state));
  }

  /** @param {Place} place */
  removeVariation(place) {
    return this.act(this.api.removeVariation(place).then(({ state }) => state));
  }

  /** Plays the premove if it is legal at its turn, or else drops it. */
  playPremove() {
    const { state, store } = this;
    const { game, premove, shown } = state;
    if (!premove || !isLive(state)) return;
    if (game.phase === "board" && !states.isPersonsTurn(game)) return;
    store.update({ premove: null });
    if (game.phase !== "board") return;
    const turns = states.turnsFrom(shown, premove.from, premove.to);
    const turn = turns.find((one) => one.promotion?.toUpperCase() === "Q") ?? turns[0];
    if (turn) this.play(turn, false);
  }

  cancelPremove() {
    if (this.state.premove) this.store.update({ premove: null });
  }

  // Other actions of the players.

  undo() {
    return this.act(this.api.undo());
  }

  /** @param {Parameters<GameApi["watch"]>[0]} wishes */
  watch(wishes) {
    return this.act(this.api.watch(wishes));
  }

  /** Writes a comment on the move that leads to a place. @param {Place} place @param {string} text */
  comment(place, text) {
    return this.act(this.api.comment({ ...place, text }).then(({ state }) => state));
  }

  /** @param {Color} color */
  resign(color) {
    return this.act(this.api.resign(color));
  }

  /** Offers a draw, or accepts one. @param {Color} color */
  async draw(color) {
    const asked = this.api.draw(color);
    const done = await this.act(asked.then(({ state }) => state));
    if (done && (await asked).answer === "declined") this.store.update({ note: "The offer was declined." });
  }

  /** Asks the engine for a move and shows it as an arrow. */
  async hint() {
    const { ply } = livePlace(this.state.game);
    await this.goLive();
    try {
      const { uci, san, score } = await this.api.hint();
      if (this.state.place.ply !== ply) return;
      this.store.update({ hint: ends(uci) });
      toast(`${san} (${scoreText(score)})`);
    } catch (error) {
      toastError(error);
    }
  }

  /** @param {{ swap: boolean, start: string }} wishes */
  async rematch(wishes) {
    try {
      this.openGame(await this.api.rematch(wishes));
    } catch (error) {
      this.refuse(error);
    }
  }

  // The setup.

  /** Rolls dice; the resulting state shows them. @param {{ values?: number[], again?: boolean }} wishes */
  async roll(wishes) {
    if (this.isRolling) return;
    this.isRolling = true;
    const rolled = this.api.dice(wishes).finally(() => {
      this.isRolling = false;
    });
    await this.act(rolled);
  }

  /**
   * Sends Black's decision after a double of the mediator: accept the verdict, or reroll.
   * @param {"keep" | "again"} choice
   */
  decide(choice) {
    return this.act(this.api.mediator(choice));
  }

  /** Asks for the solver's assessment of the placements, which is only computed on request. */
  async assess() {
    const { version } = this.state.game;
    this.store.update({ assessment: { version } });
    const assessment = await this.api.assessment().then(
      (result) => ({ version, result }),
      (error) => ({ version, problem: messageOf(error) }),
    );
    if (this.state.game.version === version) this.store.update({ assessment });
  }
}
