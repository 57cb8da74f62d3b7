// @ts-check
// How the page reaches the app: by HTTP, for `aleator serve`. The site without a server replaces this file by
// src/wasm/site/transport.js, with the same exports.

/** @import { GameHandlers, Reply } from "../types" */

/** Sends a request. @param {string} method @param {string} path @param {string} [body] @returns {Promise<Reply>} */
export async function ask(method, path, body) {
  try {
    const reply = await fetch(`api${path}`, { method, body });
    return { status: reply.status, type: reply.headers.get("Content-Type") ?? "", text: await reply.text() };
  } catch {
    throw new Error("The server does not respond: is aleator serve still running?");
  }
}

/** The most streams of all tabs together: a browser opens only six connections to a server. */
const PLACES = 4;
/** How often a tab without a stream asks for the state. */
const ASK_MS = 1500;

/**
 * Takes a place for a stream; resolves to a function that gives it back, or to null if none is free.
 * @returns {Promise<(() => void) | null>}
 */
async function takePlace() {
  if (!navigator.locks) return () => {};
  for (let place = 0; place < PLACES; place += 1) {
    const giveBack = await new Promise((/** @type {(giveBack: (() => void) | null) => void} */ resolve) => {
      navigator.locks.request(`aleator-stream-${place}`, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise((free) => resolve(() => free(null)));
      });
    });
    if (giveBack) return giveBack;
  }
  return null;
}

/**
 * Listens to events. If too many tabs listen, this one only asks for the state now and then. Returns a function that
 * stops.
 * @param {string} path
 * @param {GameHandlers} handlers
 */
export function listen(path, { open, lost, refused, crowded, ...handlers }) {
  let isOver = false;
  /** @type {(() => void) | null} */
  let giveBack = null;
  /** @type {EventSource | null} */
  let source = null;
  const askForState = async () => {
    const { status, text } = await ask("GET", path.replace(/\/events.*/, ""));
    if (status === 200) handlers.state(JSON.parse(text));
    else refused();
  };
  const begin = async () => {
    for (let times = 0; !(giveBack = await takePlace()) && !isOver; times += 1) {
      if (times === 0) crowded();
      await askForState().catch(lost);
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
    if (isOver) return giveBack?.();
    const events = (source = new EventSource(`api${path}`));
    for (const [kind, handler] of Object.entries(handlers)) {
      events.addEventListener(kind, (event) => handler(JSON.parse(event.data)));
    }
    events.addEventListener("open", open);
    events.addEventListener("error", () => (events.readyState === EventSource.CLOSED ? refused() : lost()));
  };
  begin();
  return () => {
    isOver = true;
    source?.close();
    giveBack?.();
  };
}
