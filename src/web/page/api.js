// The server's words: requests, and the stream of one game's events. The server is the arbiter;
// nothing of a game is kept here.

/** What the server refused, in its own sentence. */
export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function request(method, path, body) {
  const options = { method, headers: {} };
  if (typeof body === "string") {
    options.body = body;
    options.headers["Content-Type"] = "text/plain";
  } else if (method === "POST") {
    options.body = JSON.stringify(body ?? {});
    options.headers["Content-Type"] = "application/json";
  }
  let reply;
  try {
    reply = await fetch(`/api${path}`, options);
  } catch {
    throw new Refusal("The server does not answer: is `aleator serve` still running?", 0);
  }
  const isJson = reply.headers.get("Content-Type")?.includes("json");
  const content = isJson ? await reply.json() : await reply.text();
  if (!reply.ok) throw new Refusal(content.error ?? (content || reply.statusText), reply.status);
  return content;
}

export const api = {
  variants: () => request("GET", "/variants"),
  games: () => request("GET", "/games"),
  preview: (wishes) => request("POST", "/start", wishes),
  create: (wishes) => request("POST", "/games", wishes),
  readPgn: (text) => request("POST", "/pgn", text),
};

/** One game on the server. */
export class GameApi {
  constructor(id) {
    this.path = `/games/${encodeURIComponent(id)}`;
    this.listener = `listener=${Math.floor(Math.random() * 2 ** 32)}`;
    this.source = null;
  }

  get() { return request("GET", this.path); }
  at(ply, moves) {
    const path = `${this.path}/at/${ply}`;
    return moves.length ? request("POST", path, { moves }) : request("GET", path);
  }

  /** The answer has the new state; the others who listen hear it as an event. */
  post(action, wishes) { return request("POST", `${this.path}/${action}?${this.listener}`, wishes); }
  turn(text) { return this.post("turn", { text }); }
  undo() { return this.post("undo"); }
  resign(color) { return this.post("resign", { color }); }
  draw(color) { return this.post("draw", { color }); }
  rematch(wishes) { return this.post("rematch", wishes); }
  dice(wishes) { return this.post("dice", wishes); }
  mediator(choice) { return this.post("mediator", { choice }); }
  hint() { return this.post("hint"); }
  verdict() { return this.post("verdict"); }
  analyse(wishes) { return this.post("analysis", wishes); }
  stopAnalysis() { return request("DELETE", `${this.path}/analysis`); }
  review() { return this.post("review"); }
  stopReview() { return request("DELETE", `${this.path}/review`); }
  pgn() { return request("GET", `${this.path}/pgn`); }
  record() { return request("GET", `${this.path}/record`); }

  /** Listens: { state, line, progress, score, notice } take what arrives, `open` and `lost` the connection's ups and downs. */
  listen(handlers) {
    this.close();
    const source = new EventSource(`/api${this.path}/events?${this.listener}`);
    for (const kind of ["state", "line", "progress", "score", "notice"]) {
      source.addEventListener(kind, (event) => handlers[kind]?.(JSON.parse(event.data)));
    }
    source.addEventListener("open", () => handlers.open?.());
    source.addEventListener("error", () => handlers.lost?.());
    this.source = source;
  }

  close() {
    this.source?.close();
    this.source = null;
  }
}
