// @ts-check
// The connection between the page and the app on the site without a server. All tabs share one backend, a worker of
// one of the tabs (backend.js), and send messages to it through a channel. On the site this file replaces
// src/web/page/transport.js, which has the same exports.

/** @import { GameHandlers, Reply } from "../../web/types" */
/** @import { Answer, FromBackend, ToBackend } from "../messages" */

const tab = Math.random().toString(36).slice(2);
// Browsers have no locks on a page that was loaded by plain http from another machine. Each tab then has its
// own backend.
const name = navigator.locks ? "aleator" : `aleator-${tab}`;
const channel = new BroadcastChannel(name);
/** A message to the backend, without the name of the tab. @typedef {Omit<ToBackend, "tab">} Message */
/**
 * Requests that wait for a response, by message number.
 * @type {Map<number, { message: Message, resolve: (answer: Answer) => void, reject: (error: Error) => void }>}
 */
const waiting = new Map();
/** Streams of events, by message number. @type {Map<number, { message: Message, handlers: GameHandlers }>} */
const streams = new Map();
let last = 0;
/** @type {Worker | null} */
let worker = null;

/** Starts a backend. If the backend fails, it is ended, and the next request starts another backend. */
function startBackend() {
  const backend = new Worker(new URL("../backend.js", import.meta.url), { type: "module", name });
  const fail = (/** @type {string} */ sentence) => {
    backend.terminate();
    if (worker === backend) worker = null;
    for (const { reject } of waiting.values()) reject(new Error(sentence));
    waiting.clear();
  };
  backend.onmessage = ({ data }) => fail(data);
  backend.onerror = ({ message }) => fail(`The page's program failed: ${message ?? "one of its files is missing"}`);
  worker = backend;
}

/** @param {Message} message */
function send(message) {
  if (!worker) startBackend();
  channel.postMessage({ tab, ...message });
}

const bar = document.createElement("progress");
bar.ariaLabel = "Loading the engine";
bar.style.cssText = "position: fixed; inset: 0 0 auto; width: 100%; height: 4px; z-index: 9";

/** Shows a bar at the top while a large file is loading. @param {{ part: number }} progress */
function showProgress({ part }) {
  bar.value = part;
  if (part >= 1) bar.remove();
  else if (!bar.isConnected) document.body.append(bar);
}

channel.onmessage = (/** @type {MessageEvent<FromBackend>} */ { data }) => {
  if (data.ready) {
    // A new backend is ready. Send the requests that the old backend has not answered again, in order.
    const messages = [...waiting.values(), ...streams.values()].map(({ message }) => message);
    messages.sort((one, other) => one.id - other.id).forEach(send);
  }
  if (data.progress) showProgress(data.progress);
  if (data.tab !== tab || !data.id) return;
  if (data.answer) {
    waiting.get(data.id)?.resolve(data.answer);
    waiting.delete(data.id);
  }
  const stream = streams.get(data.id);
  if (!data.event || !stream) return;
  if (data.event.isFirst) stream.handlers.open();
  stream.handlers[data.event.name]?.(JSON.parse(data.event.data));
};
// The browser releases this lock when the tab is closed. The backend waits for the lock.
navigator.locks?.request(`aleator-${tab}`, () => new Promise(() => {}));
navigator.serviceWorker?.register(new URL("../sw.js", import.meta.url));
startBackend();

/** Sends a request. @param {string} method @param {string} path @param {string} [body] @returns {Promise<Reply>} */
export function ask(method, path, body) {
  return new Promise((resolve, reject) => {
    const message = { id: ++last, method, path, body };
    waiting.set(last, { message, resolve, reject });
    send(message);
  });
}

/**
 * Listens to a stream of events. Returns a function that ends the stream.
 * @param {string} path
 * @param {GameHandlers} handlers
 */
export function listen(path, handlers) {
  const id = ++last;
  const message = { id, method: "GET", path };
  streams.set(id, { message, handlers });
  send(message);
  return () => {
    streams.delete(id);
    send({ id: ++last, leave: id });
  };
}
