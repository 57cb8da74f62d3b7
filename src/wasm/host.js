// @ts-check Loads the WebAssembly module (src/wasm/mod.rs) and calls its functions, in a worker of a page or
// of node.

/**
 * Instantiates the compiled module. The module calls `say` for each text that it writes, and `poll` now and then
 * during a search.
 * @param {WebAssembly.Module} module
 * @param {{ say: (text: string) => void, poll?: () => void }} host
 */
export async function instantiate(module, { say, poll = () => {} }) {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  const text = (/** @type {number} */ at, /** @type {number} */ length) =>
    decoder.decode(new Uint8Array(exports.memory.buffer, at, length));
  const aleator = {
    now: () => performance.now(),
    date: () => Date.now() / 1000,
    random: () => crypto.getRandomValues(new BigInt64Array(1))[0],
    poll,
    say: (/** @type {number} */ at, /** @type {number} */ length) => say(text(at, length)),
    fail: (/** @type {number} */ at, /** @type {number} */ length) => {
      throw new Error(text(at, length));
    },
  };
  const instance = await WebAssembly.instantiate(module, { aleator });
  // The memory and the functions that the module exports.
  const exports = /** @type {any} */ (instance.exports);
  /**
   * Calls one of the module's functions with a text or bytes, and optionally a number.
   * @param {string} name
   * @param {string | Uint8Array} input
   * @returns {number}
   */
  return function call(name, input = "", number = 0) {
    const bytes = typeof input === "string" ? encoder.encode(input) : input;
    const at = exports.input_buffer(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    return exports[name](number);
  };
}

/** The network files, indexed by the number of the board. */
export const NETWORKS = ["8x8.nnue", "10x10.nnue"];
