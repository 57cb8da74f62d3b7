// @ts-check
// A worker with an engine. The worker receives the compiled module first, then one search after another as JSON. It
// posts messages for the app as strings, and loading progress and errors as objects.

import { instantiate, NETWORKS } from "./host.js";
import { load } from "./load.js";

/** @typedef {Awaited<ReturnType<typeof instantiate>>} Call */
/** @type {Promise<Call> | null} */
let engine = null;

/** @param {string} command */
async function search(command) {
  const call = await engine;
  if (!call) throw new Error("the engine has not received the WebAssembly module");
  for (;;) {
    const board = call("search", command);
    if (board < 0) return;
    const network = await load(NETWORKS[board], (progress) => postMessage({ progress }));
    call("give", new Uint8Array(await network.arrayBuffer()), board);
  }
}

onmessage = async (/** @type {MessageEvent<string | WebAssembly.Module>} */ { data }) => {
  try {
    if (typeof data === "string") await search(data);
    else engine = instantiate(data, { say: postMessage });
  } catch (error) {
    postMessage({
      error: String(error instanceof Error ? error.message : error),
    });
  }
};
