// @ts-check
// The app's interface: requests, and the stream of one game's events. All state of games is in the app.

import { ask, listen } from "./transport.js";

/**
 * @import {
 *   Assessment, Color, Described, Draft, Game, GameHandlers, GameListing, Hint, Imported, NewGameWishes, PastPosition,
 *   Place, Preview, PuzzleState, Variant,
 * } from "../types"
 */

/** An error of the app with its sentence; without a status, nothing answered. */
export class Refusal extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends a request and returns the content of the response, which has the type that the caller expects.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function request(method, path, body) {
  const text = method !== "POST" ? undefined : typeof body === "string" ? body : JSON.stringify(body ?? {});
  const reply = await ask(method, path, text).catch((error) => {
    throw new Refusal(error.message, 0);
  });
  const content = reply.type.includes("json") ? JSON.parse(reply.text) : reply.text;
  if (reply.status >= 400) throw new Refusal(content.error ?? (content || `status ${reply.status}`), reply.status);
  return content;
}

export const api = {
  /** @returns {Promise<Variant[]>} */
  variants: () => request("GET", "/variants"),
  /** @returns {Promise<GameListing>} */
  games: () => request("GET", "/games"),
  /** @param {NewGameWishes} wishes @returns {Promise<Preview>} */
  preview: (wishes) => request("POST", "/start", wishes),
  /** @param {Draft} draft @returns {Promise<Described>} */
  position: (draft) => request("POST", "/position", draft),
  /** @param {NewGameWishes} wishes @returns {Promise<Game>} */
  create: (wishes) => request("POST", "/games", wishes),
  /** Creates the game of a link. @param {string[][]} pairs of names and values @returns {Promise<Game>} */
  createByLink: (pairs) => request("POST", "/link", pairs),
  /**
   * Returns the state of an attempt at a puzzle.
   * @param {{ epd: string, moves: string[] }} attempt
   * @returns {Promise<PuzzleState>}
   */
  puzzle: (attempt) => request("POST", "/puzzle", attempt),
  /** Returns the puzzles of a variant, one line of EPD each. @param {string} variant */
  async puzzles(variant) {
    const reply = await fetch(`puzzles/${variant}.epd`).catch(() => null);
    if (!reply?.ok) throw new Refusal("The puzzles cannot be loaded: is the connection lost?", reply?.status ?? 0);
    return (await reply.text()).trim().split("\n");
  },
  /** @param {string} text @param {string | null} name @returns {Promise<Imported>} */
  readPgn: (text, name) => request("POST", name ? `/pgn?name=${encodeURIComponent(name)}` : "/pgn", text),
};

/** One game of the app. */
export class GameApi {
  /** @param {string} id */
  constructor(id) {
    this.path = `/games/${encodeURIComponent(id)}`;
    this.listener = `listener=${Math.floor(Math.random() * 2 ** 32)}`;
    /** @type {(() => void) | null} */
    this.end = null;
  }

  /** @returns {Promise<Game>} */
  get() {
    return request("GET", this.path);
  }
  /** @param {number} ply @param {string[]} moves @returns {Promise<PastPosition>} */
  at(ply, moves) {
    const path = `${this.path}/at/${ply}`;
    return moves.length ? request("POST", path, { moves }) : request("GET", path);
  }

  /** @returns {Promise<unknown>} */
  remove() {
    return request("DELETE", this.path);
  }
  /** @returns {Promise<unknown>} */
  restore() {
    return this.post("restore");
  }

  /**
   * Posts an action. Most respond with the new state; other listeners get it as an event.
   * @param {string} action
   * @param {object} [wishes]
   */
  post(action, wishes) {
    return request("POST", `${this.path}/${action}?${this.listener}`, wishes);
  }
  /** @param {string} text @returns {Promise<Game>} */
  turn(text) {
    return this.post("turn", { text });
  }
  /** @returns {Promise<Game>} */
  undo() {
    return this.post("undo");
  }
  /** @param {Color} color @returns {Promise<Game>} */
  resign(color) {
    return this.post("resign", { color });
  }
  /** @param {Color} color @returns {Promise<{ answer: string, state: Game }>} */
  draw(color) {
    return this.post("draw", { color });
  }
  /** Returns another game. @param {{ swap: boolean, start: string }} wishes @returns {Promise<Game>} */
  rematch(wishes) {
    return this.post("rematch", wishes);
  }
  /** @param {{ values?: number[], again?: boolean }} wishes @returns {Promise<Game>} */
  dice(wishes) {
    return this.post("dice", wishes);
  }
  /** @param {"keep" | "again"} choice @returns {Promise<Game>} */
  mediator(choice) {
    return this.post("mediator", { choice });
  }
  /** @param {Place} place @returns {Promise<{ answer: PastPosition, state: Game }>} */
  addVariation(place) {
    return this.post("variation", place);
  }
  /** @param {Place} place @returns {Promise<{ state: Game }>} */
  promoteVariation(place) {
    return this.post("promote", place);
  }
  /** @param {Place} place @returns {Promise<{ state: Game }>} */
  removeVariation(place) {
    return this.post("remove", place);
  }
  /** @returns {Promise<Hint>} */
  hint() {
    return this.post("hint");
  }
  /** @returns {Promise<Assessment>} */
  assessment() {
    return this.post("assessment");
  }
  /** @param {Place & { lines: number }} wishes @returns {Promise<{ analysis: number }>} */
  analyse(wishes) {
    return this.post("analysis", wishes);
  }
  /** @returns {Promise<unknown>} */
  stopAnalysis() {
    return request("DELETE", `${this.path}/analysis`);
  }
  /** @returns {Promise<unknown>} */
  review() {
    return this.post("review");
  }
  /** @returns {Promise<unknown>} */
  stopReview() {
    return request("DELETE", `${this.path}/review`);
  }
  /**
   * Returns a link to the game at a place: pairs of names and values.
   * @param {Place} place
   * @returns {Promise<string[][]>}
   */
  async link(place) {
    return (await this.post("link", place)).link;
  }
  /** @returns {Promise<string>} */
  pgn() {
    return request("GET", `${this.path}/pgn`);
  }
  /** @returns {Promise<string>} */
  record() {
    return request("GET", `${this.path}/record`);
  }

  /** Listens to events. @param {GameHandlers} handlers */
  listen(handlers) {
    this.close();
    this.end = listen(`${this.path}/events?${this.listener}`, handlers);
  }

  get isListening() {
    return this.end !== null;
  }

  close() {
    this.end?.();
    this.end = null;
  }
}
