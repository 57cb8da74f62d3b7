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

/** A browser opens only six connections to a server for all its tabs: so many may be streams. */
const PLACES = 4;
/** How often a tab without a stream asks. */
const ASK_MS = 1500;

/** Takes one of the places for a stream: resolves to what gives it back, or null where none is free. */
async function takePlace() {
  if (!navigator.locks) return () => {};
  for (let place = 0; place < PLACES; place += 1) {
    const giveBack = await new Promise((resolve) => {
      navigator.locks.request(`aleator-stream-${place}`, { ifAvailable: true }, (lock) => (lock ? new Promise((free) => resolve(free)) : resolve(null)));
    });
    if (giveBack) return giveBack;
  }
  return null;
}

/**
 * Hears events: handlers by their kinds; `open` and `lost` for the connection's ups and downs; `refused` where
 * there is nothing to hear; `crowded` where too many tabs hear, and this one only asks for States now and then.
 * Returns what ends it.
 */
export function listen(path, { open, lost, refused, crowded, ...handlers }) {
  let isOver = false, giveBack = null, source = null;
  const askForState = async () => {
    const { status, text } = await ask("GET", path.replace(/\/events.*/, ""));
    if (status === 200) handlers.state(JSON.parse(text));
    else refused();
  };
  const begin = async () => {
    for (let times = 0; !(giveBack = await takePlace()) && !isOver; times += 1) {
      if (times === 0) crowded();
      await askForState().catch(lost);
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
    if (isOver) return giveBack?.();
    source = new EventSource(`api${path}`);
    for (const [kind, handler] of Object.entries(handlers)) {
      source.addEventListener(kind, (event) => handler(JSON.parse(event.data)));
    }
    source.addEventListener("open", open);
    source.addEventListener("error", () => (source.readyState === EventSource.CLOSED ? refused() : lost()));
    return null;
  };
  begin();
  return () => {
    isOver = true;
    source?.close();
    giveBack?.();
  };
}
