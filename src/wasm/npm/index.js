// A UCI engine in a worker of a page or of node.

const isNode = typeof process === "object" && Boolean(process.versions?.node);
/** The commands that must reach the engine during a search. */
const URGENT = ["stop", "ponderhit", "quit"];

/**
 * Starts an engine. `line` is called with each line of the engine's output. Resolves to { send, end, ended }: `send`
 * sends a line of UCI, `end` ends the input, and `ended` is a promise that resolves when the engine has ended.
 */
export async function start({ line }) {
  const url = new URL("./worker.js", import.meta.url);
  const { Worker } = isNode ? await import("node:worker_threads") : globalThis;
  const worker = new Worker(url, { type: "module" });
  const listen = (kind, heard) => (isNode ? worker.on(kind, heard) : worker.addEventListener(kind, heard));
  // In a page, a worker gets no messages during a search, but it can detect that a URL was revoked. Each
  // urgent command has a URL, which is revoked to send the command.
  const signals = {};
  const ended = new Promise((resolve, reject) => {
    listen("message", (message) => {
      const { text, over } = isNode ? message : message.data;
      if (text !== undefined) line(text);
      if (over === undefined) return;
      worker.terminate();
      if (over) reject(new Error(over)); else resolve();
    });
    listen("error", (error) => reject(error instanceof Error ? error : new Error(error.message)));
  });
  const send = (text) => {
    const word = text.trim().split(/\s/)[0];
    if (!isNode && word === "go") {
      for (const urgent of URGENT) signals[urgent] ??= URL.createObjectURL(new Blob());
    }
    worker.postMessage({ text, signals: { ...signals } });
    if (!signals[word]) return;
    URL.revokeObjectURL(signals[word]);
    delete signals[word];
  };
  return { send, end: () => worker.postMessage({ end: true }), ended };
}
