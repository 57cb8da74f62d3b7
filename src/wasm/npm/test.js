// Tests of the package in node: the commands of a match runner, and input during a search.
//
// In the folder of the package: node test.js

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { start } from "./index.js";

/** Starts an engine. `say` sends lines, and `hear` waits for a line of output that matches a pattern. */
async function conversation() {
  const said = [], waiting = [];
  const look = () => {
    while (waiting.length) {
      const found = said.findIndex((line) => waiting[0].pattern.test(line));
      if (found < 0) return;
      const lines = said.splice(0, found + 1);
      waiting.shift().resolve(lines.at(-1));
    }
  };
  const engine = await start({ line: (text) => { said.push(text); look(); } });
  const say = (...lines) => lines.forEach(engine.send);
  const hear = (pattern) => new Promise((resolve) => { waiting.push({ pattern, resolve }); look(); });
  return { say, hear, ended: engine.ended };
}

test("the handshake of fastchess, and a game", async () => {
  const { say, hear, ended } = await conversation();
  say("uci");
  assert.match(await hear(/^id name/), /Aleator/);
  await hear(/^option name UCI_Variant type combo/);
  await hear(/^uciok$/);
  say("setoption name Hash value 8", "setoption name UCI_Chess960 value true", "isready");
  await hear(/^readyok$/);
  say("ucinewgame", "isready");
  await hear(/^readyok$/);
  const moves = [];
  for (let ply = 0; ply < 12; ply += 1) {
    say(`position fen bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1${moves.length ? ` moves ${moves.join(" ")}` : ""}`);
    say("go wtime 1000 btime 1000 winc 10 binc 10");
    await hear(/^info depth \d+ .* score .* pv /);
    moves.push((await hear(/^bestmove /)).split(" ")[1]);
  }
  assert.ok(moves.every((move) => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(move)), moves.join(" "));
  say("quit");
  await ended;
});

test("input during a search takes effect at once", async () => {
  const { say, hear, ended } = await conversation();
  say("go infinite");
  await hear(/^info depth 6 /);
  say("isready");
  await hear(/^readyok$/);
  say("stop");
  await hear(/^bestmove /);
  say("go ponder depth 3");
  await hear(/^info depth 3 /);
  say("isready", "d");
  await hear(/^readyok$/);
  await hear(/^info string display: a search is running/);
  say("ponderhit");
  await hear(/^bestmove /);
  say("go infinite", "quit");
  await hear(/^bestmove /);
  await ended;
});

test("ten files, and a setup", async () => {
  const { say, hear, ended } = await conversation();
  say("setoption name UCI_Variant value ifrc", "position startpos", "go perft 3");
  await hear(/^Nodes searched: \d{5}$/);
  say("go nodes 2000");
  await hear(/^bestmove [a-j]\d+[a-j]\d+/);
  say("setoption name UCI_Variant value placement", "position startpos", "go nodes 2000");
  await hear(/^bestmove [KQRBN]@[a-h]1/);
  say("quit");
  await ended;
});

/** Starts the command `aleator`. `exit` resolves to the exit status and the output. */
function command() {
  const child = spawn(process.execPath, [fileURLToPath(new URL("bin/aleator.js", import.meta.url))], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk) => { said += chunk; });
  return { input: child.stdin, exit: new Promise((resolve) => { child.on("close", (status) => resolve({ status, said })); }) };
}

test("the command finishes its search after the end of the input, and then exits", async () => {
  const { input, exit } = command();
  input.end("uci\ngo depth 5\n");
  const { status, said } = await exit;
  assert.equal(status, 0);
  assert.match(said, /uciok[^]*bestmove /);
});

test("the command exits after quit, even if its input stays open", async () => {
  const { input, exit } = command();
  input.write("uci\nquit\n");
  const { status, said } = await exit;
  assert.equal(status, 0);
  assert.match(said, /uciok/);
});
