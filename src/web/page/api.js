// The app's interface: requests, and the stream of one game's events. All state of games is in the app.

import { ask, listen } from "./transport.js";

/** An error of the app with its sentence; without a status, nothing answered. */
export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function request(method, path, body) {
  const text = typeof body === "string" || method !== "POST" ? body : JSON.stringify(body ?? {});
  const reply = await ask(method, path, text).catch((error) => { throw new Refusal(error.message, 0); });
  const content = reply.type.includes("json") ? JSON.parse(reply.text) : reply.text;
  if (reply.status >= 400) throw new Refusal(content.error ?? (content || `status ${reply.status}`), reply.status);
  return content;
}

export const api = {
  variants: () => request("GET", "/variants"),
  games: () => request("GET", "/games"),
  preview: (wishes) => request("POST", "/start", wishes),
  position: (draft) => request("POST", "/position", draft),
  create: (wishes) => request("POST", "/games", wishes),
  /** Creates the game of a link: pairs of names and values. */
  createByLink: (pairs) => request("POST", "/link", pairs),
  /** Returns the state of an attempt at a puzzle, which is a line of EPD. */
  puzzle: (attempt) => request("POST", "/puzzle", attempt),
  /** Returns the puzzles of a variant, one line of EPD each. */
  async puzzles(variant) {
    const reply = await fetch(`puzzles/${variant}.epd`).catch(() => null);
    if (!reply?.ok) throw new Refusal("The puzzles cannot be loaded: is the connection lost?", reply?.status ?? 0);
    return (await reply.text()).trim().split("\n");
  },
  readPgn: (text, name) => request("POST", name ? `/pgn?name=${encodeURIComponent(name)}` : "/pgn", text),
};

/** One game of the app. */
export class GameApi {
  constructor(id) {
    this.path = `/games/${encodeURIComponent(id)}`;
    this.listener = `listener=${Math.floor(Math.random() * 2 ** 32)}`;
    this.end = null;
  }

  get() { return request("GET", this.path); }
  at(ply, moves) {
    const path = `${this.path}/at/${ply}`;
    return moves.length ? request("POST", path, { moves }) : request("GET", path);
  }

  remove() { return request("DELETE", this.path); }
  restore() { return this.post("restore"); }

  /** Posts an action. The response has the new state; other listeners get it as an event. */
  post(action, wishes) { return request("POST", `${this.path}/${action}?${this.listener}`, wishes); }
  turn(text) { return this.post("turn", { text }); }
  undo() { return this.post("undo"); }
  resign(color) { return this.post("resign", { color }); }
  draw(color) { return this.post("draw", { color }); }
  rematch(wishes) { return this.post("rematch", wishes); }
  dice(wishes) { return this.post("dice", wishes); }
  mediator(choice) { return this.post("mediator", { choice }); }
  /** Adds, promotes or removes a variation. Returns an answer and the new state. */
  addVariation(place) { return this.post("variation", place); }
  promoteVariation(place) { return this.post("promote", place); }
  removeVariation(place) { return this.post("remove", place); }
  hint() { return this.post("hint"); }
  assessment() { return this.post("assessment"); }
  analyse(wishes) { return this.post("analysis", wishes); }
  stopAnalysis() { return request("DELETE", `${this.path}/analysis`); }
  review() { return this.post("review"); }
  stopReview() { return request("DELETE", `${this.path}/review`); }
  /** Returns a link to the game at a place: pairs of names and values. */
  async link(place) { return (await this.post("link", place)).link; }
  pgn() { return request("GET", `${this.path}/pgn`); }
  record() { return request("GET", `${this.path}/record`); }

  /**
   * Listens to events: { state, line, progress, score, notice, deleted } handle them by kind. `open` and `lost`
   * are called when the connection opens or fails, `refused` if there is no such game. If too many tabs listen,
   * `crowded` is called, and only states arrive.
   */
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
