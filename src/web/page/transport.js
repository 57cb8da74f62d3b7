// How the page reaches the app: by HTTP, for `aleator serve`. The site has another file in this one's
// place, with the same exports (src/wasm/site/transport.js).

/** Asks; resolves to { status, type, text }. `body` is text, or nothing. */
export async function ask(method, path, body) {
  try {
    const reply = await fetch(`api${path}`, { method, body });
    return { status: reply.status, type: reply.headers.get("Content-Type") ?? "", text: await reply.text() };
  } catch {
    throw new Error("The server does not answer: is `aleator serve` still running?");
  }
}

/** Hears events: handlers by their kinds, with `open` and `lost` for the connection's ups and downs. Returns what ends it. */
export function listen(path, { open, lost, ...handlers }) {
  const source = new EventSource(`api${path}`);
  for (const [kind, handler] of Object.entries(handlers)) {
    source.addEventListener(kind, (event) => handler(JSON.parse(event.data)));
  }
  source.addEventListener("open", open);
  source.addEventListener("error", lost);
  return () => source.close();
}
