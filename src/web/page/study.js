// @ts-check
// The analysis of the shown position and the review of the game: asks the app for them, and takes what it sends.

import { messageOf, speak, toast, toastError } from "./dom.js";
import { isMistake, nextMistake } from "./state.js";
import { keyOf } from "./tree.js";
import { MARKS, sideName, spoken } from "./words.js";

/** @import { GameApi, Line, Progress, ScreenState, TurnScore } from "../types" */
/** @import { Actions } from "./actions.js" */
/** @import { Store } from "./store.js" */

/** How long the analysis goes on without activity, in milliseconds. */
const IDLE_MS = 120_000;
const IDLE = "resting after 2 minutes without activity";
const HIDDEN = "resting while the tab is hidden";
const ACTIVITIES = ["pointerdown", "pointermove", "keydown", "wheel"];

export class Study {
  /**
   * @param {Store<ScreenState>} store
   * @param {GameApi} api
   * @param {Actions} actions
   */
  constructor(store, api, actions) {
    this.store = store;
    this.api = api;
    this.actions = actions;
    /** The number of the running analysis, once the app has answered. @type {number | null} */
    this.number = null;
    /** Lines that arrived before the number. @type {Line[]} */
    this.early = [];
    /** The last request for an analysis. @type {ReturnType<GameApi["analyse"]> | null} */
    this.asked = null;
    /** The number of requests for an analysis. */
    this.requests = 0;
    /** The newest analysis that has sent a line: perhaps another tab's. */
    this.newest = 0;
    /** Whether the person lets this position be analysed beyond the limit. */
    this.isUnlimited = false;
    this.timer = 0;
    // What is analysed, except during a review: the shown position or its threats, with this number of lines.
    const subject = (/** @type {ScreenState} */ { isAnalysing, isThreat, lineCount, place, review, shown }) =>
      isAnalysing && !review && `${keyOf(place)}|${shown.fen}|${lineCount}|${isThreat}`;
    store.subscribe(
      (state) => [keyOf(state.place), state.shown.fen],
      () => store.update({ isThreat: false }),
    );
    store.subscribe(
      (state) => [subject(state)],
      () => {
        this.isUnlimited = false;
        this.resume();
      },
    );
    this.onVisibility = () =>
      document.hidden ? this.pause(HIDDEN) : this.store.state.rest === HIDDEN && this.resume();
    this.onActivity = () => (this.store.state.rest === IDLE ? this.resume() : this.limit === "idle" && this.setTimer());
    document.addEventListener("visibilitychange", this.onVisibility);
    for (const name of ACTIVITIES) document.addEventListener(name, this.onActivity, { passive: true });
  }

  close() {
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.onVisibility);
    for (const name of ACTIVITIES) document.removeEventListener(name, this.onActivity);
    if (this.store.state.isAnalysing) this.api.stopAnalysis().catch(() => {});
  }

  // The analysis.

  /** @param {boolean} isOn */
  switch(isOn) {
    this.store.update({ isAnalysing: isOn, lines: [], analysisProblem: null, rest: null });
    if (!isOn) this.api.stopAnalysis().catch(() => {});
  }

  /** Shows the threats, or the lines of the side to move again. */
  switchThreat() {
    const { isThreat, shown } = this.store.state;
    if (!shown.check && shown.fen) this.store.update({ isThreat: !isThreat, isAnalysing: true });
  }

  /** @param {number} lineCount */
  setCount(lineCount) {
    this.store.update({ lineCount });
  }

  /** When the analysis stops: a value of the preference. */
  get limit() {
    return this.isUnlimited ? "never" : (document.documentElement.dataset.analysis ?? "");
  }

  /** @param {string} limit */
  setLimit(limit) {
    window.preferences.set("analysis", limit);
    this.isUnlimited = false;
    this.resume();
  }

  /** Lets the analysis rest and keeps its lines. @param {string} reason */
  pause(reason) {
    const { isAnalysing, rest } = this.store.state;
    clearTimeout(this.timer);
    if (!isAnalysing || rest) return;
    this.requests += 1;
    this.store.update({ rest: reason });
    // The analysis may be another tab's by now.
    if (this.number !== null && this.newest <= this.number) this.api.stopAnalysis().catch(() => {});
    if (reason !== HIDDEN) speak(`The analysis is ${reason}.`);
  }

  resume() {
    if (this.store.state.rest) this.store.update({ rest: null });
    return this.restart();
  }

  /** Continues beyond the limit. */
  goOn() {
    this.isUnlimited = true;
    this.resume();
  }

  /** Begins to count the time after which the analysis rests. */
  setTimer() {
    clearTimeout(this.timer);
    const { isAnalysing, rest } = this.store.state;
    const { limit } = this;
    const seconds = Number(limit.match(/^(\d+)s$/)?.[1]);
    if (!isAnalysing || rest) return;
    if (limit === "idle") this.timer = setTimeout(() => this.pause(IDLE), IDLE_MS);
    else if (seconds) this.timer = setTimeout(() => this.pause(`stopped after ${seconds} seconds`), seconds * 1000);
  }

  /** Asks the app to analyse the shown place, also after the stream was lost, but not while it rests or reviews. */
  async restart() {
    const { isAnalysing, isThreat, lineCount, place, rest, review } = this.store.state;
    if (!isAnalysing || rest || review) {
      this.requests += 1;
      return;
    }
    if (document.hidden) return this.pause(HIDDEN);
    const request = ++this.requests;
    this.setTimer();
    this.number = null;
    this.store.update({ lines: [], analysisProblem: null });
    this.asked = this.api.analyse({ ...place, lines: lineCount, threat: isThreat });
    try {
      const { analysis } = await this.asked;
      if (request !== this.requests) return;
      this.number = analysis;
      this.early.forEach((line) => this.takeLine(line));
      this.early = [];
    } catch (error) {
      if (request === this.requests) this.store.update({ analysisProblem: messageOf(error) });
    }
  }

  /** Takes a line of the engine; those of other places are ignored. @param {Line} line */
  takeLine(line) {
    const { isAnalysing, lineCount, lines, rest, shown } = this.store.state;
    this.newest = Math.max(this.newest, line.analysis);
    if (!isAnalysing || rest) return;
    if (this.number === null) this.early.push(line);
    if (line.analysis !== this.number) return;
    const fresh = [...lines];
    fresh[line.multipv - 1] = line;
    this.store.update({ lines: fresh });
    const known = fresh.filter(Boolean);
    const depth = Number(this.limit.match(/^d(\d+)$/)?.[1]);
    const isDeep = known.length >= Math.min(lineCount, shown.legal.length) && known.every((one) => one.depth >= depth);
    if (isDeep) this.pause(`stopped at depth ${depth}`);
  }

  // The review.

  async review() {
    this.store.update({ review: { done: 0, total: 0 } });
    try {
      await this.asked?.catch(() => {});
      await this.api.review();
    } catch (error) {
      this.store.update({ review: null });
      toastError(error);
    }
  }

  /** @param {Progress} progress */
  takeProgress(progress) {
    const isOver = progress.total > 0 && progress.done >= progress.total;
    this.store.update({ review: isOver ? null : progress });
    if (!isOver) return;
    const count = this.store.state.game.turns.filter(isMistake).length;
    toast(`The game is analysed: ${count || "no"} marked move${count === 1 ? "" : "s"}.`);
  }

  stopReview() {
    this.store.update({ review: null });
    this.api.stopReview().catch(() => {});
  }

  /** Takes the score of the turn after which the game has `ply` turns. @param {TurnScore} score */
  takeScore({ ply, ...score }) {
    const { game } = this.store.state;
    const turns = game.turns.map((turn, index) => (index === ply - 1 ? { ...turn, ...score } : turn));
    this.store.update({ game: { ...game, turns } });
  }

  /** Goes to the nearest mistake before (-1) or after (1) the shown place. @param {number} direction */
  async toMistake(direction) {
    const { state } = this.store;
    const ply = nextMistake(state, direction);
    if (!ply) return;
    const { color, san, mark, best } = state.game.turns[ply - 1];
    await this.actions.visit({ ply, moves: [] });
    speak(`${sideName(color)}: ${spoken(san)}: ${MARKS[mark ?? ""]}. ${best ? `${spoken(best)} was better.` : ""}`);
  }
}
