// @ts-check
// Fetching large files with progress reports.

import { SIZES } from "./sizes.js";

/**
 * Fetches a file from the folder of this script. `tell` is called with the fraction loaded so far.
 * @param {string} name
 * @param {(progress: { name: string, part: number }) => void} tell
 */
export async function load(name, tell) {
  const reply = await fetch(new URL(name, import.meta.url));
  if (!reply.ok || !reply.body) throw new Error(`${name} cannot be loaded: ${reply.status} ${reply.statusText}`);
  let come = 0;
  const count = new TransformStream({
    transform(chunk, out) {
      come += chunk.length;
      tell({ name, part: come / SIZES[name] });
      out.enqueue(chunk);
    },
  });
  // Compiling WebAssembly from a response requires this content type, which some web servers do not send.
  return new Response(reply.body.pipeThrough(count), {
    headers: { "Content-Type": "application/wasm" },
  });
}
