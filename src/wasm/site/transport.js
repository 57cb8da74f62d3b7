// How the page reaches the app on the site: by a channel to the backend that all tabs share, a
// worker of one of them (backend.js). It replaces src/web/page/transport.js, with the same exports.

const tab = Math.random().toString(36).slice(2);
// Without locks (a plain http address of another machine) each tab has its own backend.
const name = navigator.locks ? "aleator" : `aleator-${tab}`;
const channel = new BroadcastChannel(name);
/** Requests that wait for a response, and streams of events, by message number. */
const waiting = new Map(), streams = new Map();
let last = 0, worker = null;

/** Starts a backend. If it fails it is ended, and the next request starts another one. */
function startBackend() {
  const backend = new Worker(new URL("../backend.js", import.meta.url), { type: "module", name });
  const fail = (sentence) => {
    backend.terminate();
    if (worker === backend) worker = null;
    for (const { reject } of waiting.values()) reject(new Error(sentence));
    waiting.clear();
  };
  backend.onmessage = ({ data }) => fail(data);
  backend.onerror = ({ message }) => fail(`The page's program failed: ${message ?? "one of its files is missing"}`);
  worker = backend;
}

function send(message) {
  if (!worker) startBackend();
  channel.postMessage({ tab, ...message });
}

/** Shows a bar at the top while a large file is loading. */
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
    // A new backend: requests that the old one has not answered are sent again, in order.
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
// The backend notices by this lock when the tab is gone.
navigator.locks?.request(`aleator-${tab}`, () => new Promise(() => {}));
navigator.serviceWorker?.register(new URL("../sw.js", import.meta.url));
startBackend();

/** Sends a request; resolves to { status, type, text }. `body` is text or undefined. */
export function ask(method, path, body) {
  return new Promise((resolve, reject) => {
    const message = { id: ++last, method, path, body };
    waiting.set(last, { message, resolve, reject });
    send(message);
  });
}

/**
 * Listens to events, with a handler for each kind; `open` and `lost` are called when the connection opens or fails.
 * Returns a function that stops.
 */
export function listen(path, handlers) {
  const id = ++last, message = { id, method: "GET", path };
  streams.set(id, { message, ...handlers });
  send(message);
  return () => {
    streams.delete(id);
    send({ id: ++last, leave: id });
  };
}
