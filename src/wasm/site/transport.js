// How the page reaches the app on the site: by a channel to the tabs' one backend, a worker of one of
// them (backend.js). In place of src/web/page/transport.js, with the same exports.

const tab = Math.random().toString(36).slice(2);
// Without locks (a plain http address of another machine) each tab has a backend of its own.
const name = navigator.locks ? "aleator" : `aleator-${tab}`;
const channel = new BroadcastChannel(name);
/** What waits for an answer, and who hears events, by the number of the message. */
const waiting = new Map(), streams = new Map();
let last = 0, worker = null;

/** A backend that fails is ended; the next request starts another one. */
function startBackend() {
  const backend = new Worker(new URL("../backend.js", import.meta.url), { type: "module", name });
  const fail = (sentence) => {
    backend.terminate();
    if (worker === backend) worker = null;
    for (const { reject } of waiting.values()) reject(new Error(sentence));
    waiting.clear();
  };
  backend.onmessage = ({ data }) => fail(data);
  backend.onerror = ({ message }) => fail(`The page's program has failed: ${message ?? "a file of it is missing"}`);
  worker = backend;
}

function send(message) {
  if (!worker) startBackend();
  channel.postMessage({ tab, ...message });
}

/** The bar at the top while something large is loaded. */
function showProgress({ part }) {
  let bar = document.getElementById("loading");
  if (part >= 1) return bar?.remove();
  if (!bar) {
    bar = document.createElement("progress");
    Object.assign(bar, { id: "loading", ariaLabel: "Loading the engine" });
    bar.style = "position: fixed; inset: 0 0 auto; width: 100%; height: 4px; z-index: 9";
    document.body.append(bar);
  }
  bar.value = part;
}

channel.onmessage = ({ data }) => {
  if (data.ready) {
    // A new backend: what the old one has not answered is asked again, in its order.
    const messages = [...waiting.values(), ...streams.values()].map(({ message }) => message);
    messages.sort((one, other) => one.id - other.id).forEach(send);
  }
  if (data.progress) showProgress(data.progress);
  if (data.tab !== tab) return;
  if (data.answer) {
    waiting.get(data.id)?.resolve(data.answer);
    waiting.delete(data.id);
  }
  const stream = streams.get(data.id);
  if (!data.event || !stream) return;
  if (data.event.isFirst) stream.open();
  stream[data.event.name]?.(JSON.parse(data.event.data));
};
// The backend sees by this lock that the tab lives.
navigator.locks?.request(`aleator-${tab}`, () => new Promise(() => {}));
navigator.serviceWorker?.register(new URL("../sw.js", import.meta.url));
startBackend();

/** Asks; resolves to { status, type, text }. `body` is text, or nothing. */
export function ask(method, path, body) {
  return new Promise((resolve, reject) => {
    const message = { id: ++last, method, path, body };
    waiting.set(last, { message, resolve, reject });
    send(message);
  });
}

/** Hears events: handlers by their kinds, with `open` and `lost` for the connection's ups and downs. Returns what ends it. */
export function listen(path, handlers) {
  const id = ++last, message = { id, method: "GET", path };
  streams.set(id, { message, ...handlers });
  send(message);
  return () => {
    streams.delete(id);
    send({ id: ++last, leave: id });
  };
}
