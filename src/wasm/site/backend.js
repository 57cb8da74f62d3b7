// @ts-check
// The backend of the site, in a worker. It runs the app in WebAssembly, which contains all logic, starts engines in
// further workers, stores the games in the browser's database, and keeps the time. Each tab starts a backend, but
// only the backend that holds the lock is active.
//
//   tab ── { tab, id, method, path, body } or { tab, id, leave } ──> backend
//   tab <── { tab, id, answer } or { tab, id, event } or { progress } or { ready } ── backend

import { openGames } from "./games.js";
import { instantiate } from "./host.js";
import { load } from "./load.js";

/** @import { Effect, Effects, FromBackend, ToBackend } from "../messages" */

const channel = new BroadcastChannel(self.name);
const say = (/** @type {FromBackend} */ message) => channel.postMessage(message);

// A WebAssembly module that is valid only if the browser supports SIMD. It executes `i32x4.splat` and drops
// the result.
const VECTORS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 17, 26, 11];
const PROGRAM = WebAssembly.validate(new Uint8Array(VECTORS)) ? "aleator.wasm" : "aleator-plain.wasm";

/** The sender of a message: the tab, and the number of the message. @typedef {{ tab: string, id: number }} Asker */
/** @typedef {{ worker: Worker, search: number }} Engine */

class Backend {
  /** @param {WebAssembly.Module} module @param {Awaited<ReturnType<typeof openGames>>} games */
  constructor(module, games) {
    this.module = module;
    this.games = games;
    this.timer = 0;
    this.tickets = 0;
    /** @type {Awaited<ReturnType<typeof instantiate>> | null} */
    this.app = null;
    /** The effects that the last call of the app returned. @type {Effect[]} */
    this.effects = [];
    /** The senders of requests that wait for a response, by ticket. @type {Map<number, Asker>} */
    this.askers = new Map();
    /** The listeners to the events of games. @type {(Asker & { game: string, listener: number | null })[]} */
    this.listeners = [];
    /** The number of each tab's last message. @type {Map<string, number>} */
    this.seen = new Map();
    /** @type {(Engine | undefined)[]} */
    this.engines = [];
  }

  async start() {
    this.app = await instantiate(this.module, {
      say: (text) => {
        this.effects = JSON.parse(text);
      },
    });
    this.tell({ open: await this.games.all() });
    // Start an engine for the next turn and an engine for analysis, before they are needed.
    for (const number of [0, 2]) this.engines[number] = this.makeEngine();
  }

  /**
   * Passes a message to the app and carries out the effects. The message is an object or JSON text.
   * @param {object | string} message
   */
  tell(message) {
    const interval = this.app?.("app", typeof message === "string" ? message : JSON.stringify(message));
    for (const { respond, stream, publish, save, remove, load, engine } of this.effects) {
      if (respond) this.respond(respond);
      if (stream) this.stream(stream);
      if (publish) this.publish(publish);
      if (save) this.save(save);
      if (remove) this.remove(remove);
      if (load) this.load(load);
      if (engine?.search) this.search(engine.search);
      if (engine?.stop) this.stop(engine.stop.engine);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell('"tick"'), interval);
  }

  /** Handles a message of a tab. Skips a message that has already been handled. @param {ToBackend} message */
  hear({ tab, id, method, path, body, leave }) {
    if (!(id > (this.seen.get(tab) ?? 0))) return;
    if (!this.seen.has(tab)) navigator.locks?.request(`aleator-${tab}`, () => this.forget(tab));
    this.seen.set(tab, id);
    if (leave) return this.forget(tab, leave);
    const ticket = ++this.tickets;
    this.askers.set(ticket, { tab, id });
    this.tell({
      request: { ticket, method, target: `/api${path}`, body: body ?? "" },
    });
  }

  /**
   * Removes all listeners of a tab, or only the listener of the stream with the number `id`.
   * @param {string} tab
   * @param {number} [id]
   */
  forget(tab, id) {
    const left = this.listeners.filter((one) => one.tab === tab && (id ?? one.id) === one.id);
    this.listeners = this.listeners.filter((one) => !left.includes(one));
    for (const { game } of left) this.tell({ left: { game } });
  }

  // One method for each effect.

  /** @param {Effects["respond"]} effect */
  respond({ ticket, response: { status, content_type: type, body: text } }) {
    say({ ...this.asker(ticket), answer: { status, type, text } });
  }

  /** Removes a request from `askers` and returns its sender. @param {number} ticket */
  asker(ticket) {
    const asker = this.askers.get(ticket);
    if (!asker) throw new Error(`there is no request ${ticket}`);
    this.askers.delete(ticket);
    return asker;
  }

  /** @param {Effects["stream"]} effect */
  stream({ ticket, game, listener, first }) {
    const asker = this.asker(ticket);
    this.listeners.push({ ...asker, game, listener });
    say({ ...asker, event: { ...first, isFirst: true } });
  }

  /** @param {Effects["publish"]} effect */
  publish({ game, except, event }) {
    for (const { tab, id, game: heard, listener } of this.listeners) {
      if (heard === game && (except === null || listener !== except)) say({ tab, id, event });
    }
  }

  /** @param {Effects["save"]} effect */
  async save({ game, text }) {
    const result = await this.games.put(game, text).then(
      () => ({ Ok: null }),
      (error) => ({ Err: error.message }),
    );
    this.tell({ saved: { game, result } });
  }

  /** @param {Effects["remove"]} effect */
  remove({ game }) {
    this.games.remove(game).catch((error) => console.error(error));
  }

  /** @param {Effects["load"]} effect */
  async load({ game }) {
    const text = await this.games
      .get(game)
      .then((kept) => (kept ? { Ok: kept.text } : { Err: "the game is no longer in the browser" }))
      .catch((error) => ({ Err: error.message }));
    this.tell({ loaded: { game, text } });
  }

  /** @param {NonNullable<Effects["engine"]["search"]>} search */
  search(search) {
    const engine = (this.engines[search.engine] ??= this.makeEngine());
    engine.search = search.search;
    engine.worker.postMessage(JSON.stringify({ search }));
  }

  makeEngine() {
    /** @type {Engine} */
    const engine = {
      worker: new Worker(new URL("engine.js", import.meta.url), {
        type: "module",
      }),
      search: 0,
    };
    engine.worker.onmessage = ({ data }) => {
      if (typeof data === "string") this.tell(data);
      else if (data.progress) say(data);
      else this.end(engine, data.error);
    };
    engine.worker.onerror = (event) => this.end(engine, event.message);
    engine.worker.postMessage(this.module);
    return engine;
  }

  /** Stops a search by ending its worker, because no message reaches a worker during a search. @param {number} number */
  stop(number) {
    const engine = this.engines[number];
    if (engine) this.end(engine, "it was stopped");
    this.engines[number] = this.makeEngine(); // ready for the next search
  }

  /** @param {Engine} engine @param {string} failed */
  end(engine, failed) {
    engine.worker.terminate();
    this.engines[this.engines.indexOf(engine)] = undefined;
    // Tell the app later, because the effects of another message may still be in progress.
    queueMicrotask(() => this.tell({ engine: { search: engine.search, event: { failed } } }));
  }
}

/** Runs the backend until the tab is closed. */
async function work() {
  try {
    const tell = (/** @type {{ part: number }} */ progress) => say({ progress });
    const [module, games] = await Promise.all([WebAssembly.compileStreaming(load(PROGRAM, tell)), openGames()]);
    const backend = new Backend(module, games);
    await backend.start();
    channel.onmessage = (/** @type {MessageEvent<ToBackend>} */ { data }) => {
      if (data.tab) backend.hear(data);
    };
    say({ ready: true });
    await new Promise(() => {});
  } catch (error) {
    postMessage(`Aleator cannot start: ${error instanceof Error ? error.message : error}`);
    close();
  }
}

if (navigator.locks) navigator.locks.request(self.name, work);
else work();
