// @ts-check
// The app's interface (AppApi and GameApi in types.d.ts): requests, and the stream of one game's events. All state of
// games is in the app.

import { ask, listen } from "./transport.js";

/** @import { AppApi, GameApi } from "../types" */

/** An error of the app with its sentence; without a status, nothing answered. */
export class Refusal extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends a request and returns the content of the response, which has the type that AppApi and GameApi say.
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

/** @type {AppApi} */
export const api = {
  variants: () => request("GET", "/variants"),
  games: () => request("GET", "/games"),
  preview: (wishes) => request("POST", "/start", wishes),
  position: (draft) => request("POST", "/position", draft),
  create: (wishes) => request("POST", "/games", wishes),
  createByLink: (pairs) => request("POST", "/link", pairs),
  puzzle: (attempt) => request("POST", "/puzzle", attempt),
  async puzzles(variant) {
    const reply = await fetch(`puzzles/${variant}.epd`).catch(() => null);
    if (!reply?.ok) throw new Refusal("The puzzles cannot be loaded: is the connection lost?", reply?.status ?? 0);
    return (await reply.text()).trim().split("\n");
  },
  readPgn: (text, name) => request("POST", name ? `/pgn?name=${encodeURIComponent(name)}` : "/pgn", text),
};

/** Returns the interface of one game. @param {string} id @returns {GameApi} */
export function gameApi(id) {
  const path = `/games/${encodeURIComponent(id)}`;
  const listener = `listener=${Math.floor(Math.random() * 2 ** 32)}`;
  /** @type {(() => void) | null} */
  let end = null;

  const get = (/** @type {string} */ part) => request("GET", path + part);
  const remove = (/** @type {string} */ part) => request("DELETE", path + part);
  /** Posts an action. Most respond with the new state, which other listeners get as an event. */
  const post = (/** @type {string} */ action, wishes = {}) => request("POST", `${path}/${action}?${listener}`, wishes);
  const close = () => {
    end?.();
    end = null;
  };

  return {
    get: () => get(""),
    at: (ply, moves) => (moves.length ? request("POST", `${path}/at/${ply}`, { moves }) : get(`/at/${ply}`)),
    remove: () => remove(""),
    restore: () => post("restore"),
    turn: (text) => post("turn", { text }),
    comment: (comment) => post("comment", comment),
    watch: (wishes) => post("watch", wishes),
    undo: () => post("undo"),
    resign: (color) => post("resign", { color }),
    draw: (color) => post("draw", { color }),
    rematch: (wishes) => post("rematch", wishes),
    dice: (wishes) => post("dice", wishes),
    mediator: (choice) => post("mediator", { choice }),
    addVariation: (place) => post("variation", place),
    promoteVariation: (place) => post("promote", place),
    removeVariation: (place) => post("remove", place),
    hint: () => post("hint"),
    assessment: () => post("assessment"),
    analyse: (wishes) => post("analysis", wishes),
    stopAnalysis: () => remove("/analysis"),
    review: () => post("review"),
    stopReview: () => remove("/review"),
    link: async (place) => (await post("link", place)).link,
    pgn: (withEngineLines = true) => get(withEngineLines ? "/pgn" : "/pgn/without-engine-lines"),
    record: () => get("/record"),
    listen(handlers) {
      close();
      end = listen(`${path}/events?${listener}`, handlers);
    },
    isListening: () => end !== null,
    close,
  };
}
