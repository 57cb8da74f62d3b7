// The worker that index.js starts: an engine that executes lines of UCI.

import { instantiate, NETWORKS } from "./host.js";

const isNode = typeof process === "object" && Boolean(process.versions?.node);
const threads = isNode ? await import("node:worker_threads") : null;
const files = isNode ? await import("node:fs") : null;
const post = (message) => (isNode ? threads.parentPort.postMessage(message) : postMessage(message));

/** The interval in milliseconds at which a search checks for messages. */
const POLL = isNode ? 5 : 50;
let polled = 0, signals = {}, call = null, isOver = false;

const at = (name) => new URL(name, import.meta.url);
async function read(name) {
  if (isNode) return files.readFileSync(at(name));
  const reply = await fetch(at(name));
  if (!reply.ok) throw new Error(`${name} cannot be loaded: ${reply.status} ${reply.statusText}`);
  return new Uint8Array(await reply.arrayBuffer());
}

/** Whether a URL was revoked. In a page, this is the only signal that reaches a worker during a search. */
function isGone(url) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  try {
    request.send();
    return false;
  } catch {
    return true;
  }
}

/** Handles waiting messages. Called during a search. */
function poll() {
  const now = performance.now();
  if (now < polled + POLL) return;
  polled = now;
  if (isNode) {
    let received;
    while ((received = threads.receiveMessageOnPort(threads.parentPort))) take(received.message);
    return;
  }
  for (const [word, url] of Object.entries(signals)) {
    if (!isGone(url)) continue;
    delete signals[word];
    call("uci", word);
  }
}

/** Handles a message. Returns the board whose network is missing, or a negative number. */
function take({ text, end }) {
  const missing = end ? call("end") : call("uci", text);
  if (missing === -2 && !isOver) {
    isOver = true;
    post({ over: "" });
  }
  return missing;
}

async function start() {
  const vectors = await WebAssembly.compile(await read("aleator.wasm")).catch(() => null);
  const module = vectors ?? await WebAssembly.compile(await read("aleator-plain.wasm"));
  const say = (text) => text.trimEnd().split("\n").forEach((line) => post({ text: line }));
  call = await instantiate(module, { say, poll });
  // In node, load all networks now, so that input during a search does not have to wait for a file.
  if (isNode) for (const [board, name] of NETWORKS.entries()) call("give", files.readFileSync(at(name)), board);
}

let work = start();
const failed = (error) => post({ over: error.message });

if (isNode) {
  // Not earlier: a message taken from the port would wait for the end of a search.
  work.then(() => threads.parentPort.on("message", take)).catch(failed);
} else {
  onmessage = ({ data }) => {
    work = work.then(async () => {
      signals = data.signals ?? {};
      for (let board; (board = take(data)) >= 0;) call("give", await read(NETWORKS[board]), board);
    }).catch(failed);
  };
}
