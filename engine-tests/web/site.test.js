// The page without a server: the browser's database, offline use, tabs, speed.

import assert from "node:assert/strict";
import { Visitor, startServer, test } from "./harness.js";

const ONLY = { backend: "site" };

test("level 5 moves soon after a cold start", ONLY, async (visitor) => {
  const { page } = visitor;
  const opened = Date.now();
  await visitor.open("?variant=chess960&start=518&white=engine&black=human&level=7");
  await page.locator(".move[data-ply='1']").waitFor();
  const time = Date.now() - opened;
  console.log(`      it moved ${time} ms after opening the address; the target is 2000 ms`);
  assert.ok(time < 20_000);
});

test("a search is stopped at once, and another one starts", ONLY, async (visitor) => {
  await visitor.open("?variant=ifrc&white=human&black=human");
  const times = await visitor.page.evaluate(async (id) => {
    const { ask, listen } = await import(new URL("page/transport.js", document.baseURI));
    const times = [];
    for (let count = 0; count < 3; count += 1) {
      let end = null;
      await new Promise((line) => {
        end = listen(`/games/${id}/events`, {
          line,
          state: () => {},
          open: () => ask("POST", `/games/${id}/analysis`, "{}"),
          lost: () => {},
        });
      });
      const asked = performance.now();
      await ask("DELETE", `/games/${id}/analysis`);
      times.push(performance.now() - asked);
      end();
    }
    return times;
  }, visitor.gameId());
  console.log(`      stopped after ${times.map((time) => `${Math.round(time)} ms`).join(", ")}; the target is 100 ms`);
  assert.ok(Math.min(...times) < 1000);
});

test("games survive a reload without a connection and continue against the engine", ONLY, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess960&start=518&white=human&black=engine&level=3");
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='2']").waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  await page.locator(".move[data-ply='2']").waitFor();
  await visitor.click("d2", "d4");
  await page.locator(".move[data-ply='4']").waitFor();
  await page.goto(visitor.url);
  await page.locator(".recent a").first().waitFor();
});

test("two tabs share a game, also after the first is closed", ONLY, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess960&start=518&white=human&black=human");
  const other = new Visitor(await page.context().newPage(), visitor);
  await other.page.goto(page.url());
  await visitor.click("e2", "e4");
  await other.waitFor("e4", "wP");
  await other.click("e7", "e5");
  await visitor.waitFor("e5", "bP");
  await page.close();
  await other.click("g1", "f3");
  await other.page.locator(".move[data-ply='3']").waitFor();
  assert.deepEqual(other.said, []);
});

test("games can be moved to a server and back", ONLY, async (visitor) => {
  if (!visitor.program) return console.log("      skipped: there is no server, see --server");
  for (const [query, turns] of [
    ["variant=chess960&start=0", ["e4", "e5", "Nf3"]],
    ["variant=ifrc&start=518", ["e4", "e7"]],
    ["variant=placement", ["K@e1", "K@d8"]],
  ]) {
    await visitor.open(`?${query}&white=human&black=human`);
    for (const text of turns) await visitor.ask(`/games/${visitor.gameId()}/turn`, { text });
  }
  const server = await startServer(visitor.program);
  const other = new Visitor(await visitor.page.context().newPage(), server);
  const read = async (by, text) => {
    await by.page.goto(by.url);
    await by.page
      .locator("input[type=file]")
      .setInputFiles({ name: "games.pgn", mimeType: "text/plain", buffer: Buffer.from(text) });
    await by.page.getByRole("link", { name: "3 games imported" }).click();
    await by.page.locator(".games li").nth(2).waitFor();
    return by.saved(by.page.getByRole("button", { name: "Export these as PGN" }));
  };
  try {
    await visitor.page.goto(`${visitor.url}?games`);
    const first = await visitor.saved(visitor.page.getByRole("button", { name: "Export these as PGN" }));
    const there = await read(other, first);
    const games = (text) =>
      text
        .split(/\n(?=\[Event )/)
        .map((game) => game.trim())
        .sort();
    assert.equal(games(first).length, 3);
    assert.deepEqual(games(there), games(first));
    assert.deepEqual(games(await read(visitor, there)), games(first));
    assert.deepEqual(other.said, []);
  } finally {
    await server.stop();
  }
});
