// The app's words: requests, and the stream of one game's events. The app is the arbiter; nothing of a
// game is kept here.

import { ask, listen } from "./transport.js";

/** What the app refused, in its own sentence; without a status, nobody answered. */
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
  /** The game of a link: pairs of names and values. */
  createByLink: (pairs) => request("POST", "/link", pairs),
  /** Where the tries at a puzzle, a line of EPD, have led. */
  puzzle: (attempt) => request("POST", "/puzzle", attempt),
  /** The puzzles of a game, a line of EPD each. */
  async puzzles(variant) {
    const reply = await fetch(`puzzles/${variant}.epd`).catch(() => null);
    if (!reply?.ok) throw new Refusal("The puzzles cannot be had: is the connection lost?", reply?.status ?? 0);
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

  /** The answer has the new state; the others who listen hear it as an event. */
  post(action, wishes) { return request("POST", `${this.path}/${action}?${this.listener}`, wishes); }
  turn(text) { return this.post("turn", { text }); }
  undo() { return this.post("undo"); }
  resign(color) { return this.post("resign", { color }); }
  draw(color) { return this.post("draw", { color }); }
  rematch(wishes) { return this.post("rematch", wishes); }
  dice(wishes) { return this.post("dice", wishes); }
  mediator(choice) { return this.post("mediator", { choice }); }
  /** Adds a variation, has it stand before others, takes it away: answer and new state. */
  addVariation(place) { return this.post("variation", place); }
  promoteVariation(place) { return this.post("promote", place); }
  removeVariation(place) { return this.post("remove", place); }
  hint() { return this.post("hint"); }
  assessment() { return this.post("assessment"); }
  analyse(wishes) { return this.post("analysis", wishes); }
  stopAnalysis() { return request("DELETE", `${this.path}/analysis`); }
  review() { return this.post("review"); }
  stopReview() { return request("DELETE", `${this.path}/review`); }
  /** A link to the game at a place: pairs of names and values. */
  async link(place) { return (await this.post("link", place)).link; }
  pgn() { return request("GET", `${this.path}/pgn`); }
  record() { return request("GET", `${this.path}/record`); }

  /**
   * Listens: { state, line, progress, score, notice, deleted } take what arrives, `open` and `lost` the
   * connection's ups and downs, `refused` that there is no such game. Where too many tabs listen, `crowded`
   * hears of it, and only States come.
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
