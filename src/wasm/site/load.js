// Fetching large files, with a word on how much of them is there.

import { SIZES } from "./sizes.js";

/** A file beside this one; `tell` hears what part of it has come, from 0 to 1. */
export async function load(name, tell) {
  const reply = await fetch(new URL(name, import.meta.url));
  if (!reply.ok) throw new Error(`${name} cannot be loaded: ${reply.status} ${reply.statusText}`);
  let come = 0;
  const count = new TransformStream({
    transform(chunk, out) {
      come += chunk.length;
      tell({ name, part: come / SIZES[name] });
      out.enqueue(chunk);
    },
  });
  // Compilers of WebAssembly insist on the type, which not every host knows.
  return new Response(reply.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } });
}
