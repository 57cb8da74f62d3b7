// Links that open games, reloads, the gallery and the dialog for a new game.

import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { test } from "./harness.js";

test("a reload continues a game", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess960&start=42&white=human&black=human");
  const { legal } = await visitor.state();
  const turn = legal.find((one) => !one.castling);
  await visitor.click(turn.from, turn.to);
  await page.locator(".move[data-ply='1']").waitFor();
  const before = await visitor.state();
  await page.reload();
  await page.locator(".move[data-ply='1']").waitFor();
  assert.deepEqual(
    (await visitor.state()).turns.map(({ uci }) => uci),
    before.turns.map(({ uci }) => uci),
  );
  for (const [name, piece] of Object.entries(before.squares)) assert.equal(await visitor.pieceOn(name), piece);
});

test("links with defaults and with a FEN", {}, async (visitor) => {
  await visitor.open("?variant=ifrc&start=518");
  const state = await visitor.state();
  assert.deepEqual(
    [state.players.white.kind, state.players.black.kind, state.players.black.level],
    ["human", "engine", 5],
  );
  assert.equal(state.board, 10);
  for (const level of [1, 5, 12]) {
    await visitor.open(`?variant=ifrc&start=518&level=${level}`);
    assert.equal((await visitor.state()).players.black.level, level);
  }
  await visitor.open(`?variant=chess&fen=${encodeURIComponent("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")}`);
  assert.equal(Object.keys((await visitor.state()).squares).length, 3);
});

test(
  "a link opens a game at a move, with all of its moves, on any page",
  { permissions: ["clipboard-read", "clipboard-write"] },
  async (visitor) => {
    const { page } = visitor;
    const copied = async () => {
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.locator("#toast", { hasText: "Link copied" }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await visitor.open("?variant=ifrc&start=518&white=human&black=human");
    const id = visitor.gameId();
    for (const text of ["e3e5", "f8f6", "e5f6"]) await visitor.ask(`/games/${id}/turn`, { text });
    await page.locator(".move[data-ply='2']").click();
    await visitor.waitFor("e5", "wP");
    const link = new URL(await copied());
    await page.goto(visitor.url);
    // The link's hash on another page, in an open tab.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, link.hash);
    await page.locator(".move[data-ply='2'][aria-current]").waitFor();
    await visitor.waitFor("e5", "wP");
    assert.notEqual(visitor.gameId(), id);
    assert.deepEqual(
      (await visitor.state()).turns.map(({ uci }) => uci),
      ["e3e5", "f8f6", "e5f6"],
    );
    // In a variation the link has the moves that lead there.
    await visitor.click("g3", "g4");
    await page.locator(".variations .move", { hasText: "g4" }).waitFor();
    const other = new URL(await copied());
    await page.goto(`${visitor.url}${other.hash}`);
    await page.locator(".move[data-ply='3'][aria-current]").waitFor();
    await visitor.waitFor("g4", "wP");
  },
);

test("a link with an illegal move names it", {}, async (visitor) => {
  const { page } = visitor;
  await page.goto(`${visitor.url}#variant=chess&moves=e2e4.e2e4&ply=1`);
  await page.locator("#toast.error", { hasText: "turn 2, 'e2e4'" }).waitFor();
  await page.locator(".card.game").first().waitFor();
  assert.equal(new URL(page.url()).hash, "");
  visitor.forgive();
});

test("a picture of the position", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=ifrc&start=518&white=human&black=human");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save picture" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^aleator-ifrc-.*-0\.png$/);
  const bytes = readFileSync(await download.path());
  assert.equal(bytes.toString("latin1", 1, 4), "PNG");
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1000, 1000]);
  // The colours of a square, and of the piece on f2: the body of the king is white.
  const colours = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 1000, height: 1000 });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const at = (x, y) => `rgb(${[...context.getImageData(x, y, 1, 1).data].slice(0, 3).join(", ")})`;
    return [at(50, 550), getComputedStyle(document.querySelector("[data-square=a5]")).backgroundColor, at(535, 855)];
  }, bytes.toString("base64"));
  assert.equal(colours[0], colours[1]);
  assert.equal(colours[2], "rgb(255, 255, 255)");
});

test("an invalid link leads to the gallery with a message", {}, async (visitor) => {
  const { page } = visitor;
  await page.goto(`${visitor.url}?variant=nonsense`);
  await page.locator("#toast.error").waitFor();
  await page.locator(".card.game").first().waitFor();
  visitor.forgive();
});

for (const [name, clicks] of [
  ["International Fischer Random", 3],
  ["Fischer-Benko", 3],
  ["Jepps Random Chess", 3],
]) {
  test(`the first move in ${name} takes ${clicks} clicks`, { reducedMotion: "reduce" }, async (visitor) => {
    const { page } = visitor;
    await visitor.open();
    await page.getByRole("button", { name: `Play ${name}` }).click();
    if (name.startsWith("Int")) {
      await visitor.page.locator(".cell.mine").first().waitFor();
      const turn = (await visitor.state()).legal.find((one) => !one.castling);
      await visitor.click(turn.from, turn.to);
    } else if (name.startsWith("Fischer")) {
      await page.locator(".strip[data-color=white] .hand-piece:enabled").first().click();
      await page.locator(".cell.target").first().click();
    } else {
      await page.locator("button.roll").click();
      await page.locator("button.offered").first().click();
    }
    await page.locator(".move[data-ply='1']").waitFor();
  });
}

test("the dialog: number, hand, clocks, Black", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  await page.getByRole("button", { name: "Options for Chess960" }).click();
  await page.getByLabel("By number").check();
  await page.locator("#start-number").fill("518");
  await page.getByLabel("Two people").check();
  await page.locator("#new-clock").selectOption("300+3");
  await page.locator("dialog button.primary").click();
  await page.locator("[data-square=e1][data-piece=wK]").waitFor();
  await page.locator(".clock:visible").first().waitFor();
  assert.equal((await visitor.state()).clocks.increment_ms, 3000);
});

test("the gallery lists games to continue", {}, async (visitor) => {
  await visitor.open("?variant=chess&white=human&black=human");
  const id = visitor.gameId();
  // A game without a turn is not kept.
  await visitor.click("e2", "e4");
  await visitor.waitFor("e4", "wP");
  await visitor.settled();
  await visitor.page.goto(visitor.url);
  await visitor.page.locator(`.recent a[href*="${id}"]`).click();
  await visitor.page.locator("[role=gridcell]").first().waitFor();
  assert.equal(visitor.gameId(), id);
});

test("a link pasted after an open game's address opens the link's game", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  const first = visitor.gameId();
  await page.goto(`${visitor.url}?game=${first}#variant=ifrc&white=human&black=human`);
  await page.reload();
  await page.waitForFunction((first) => /game=/.test(location.search) && !location.search.includes(first), first);
  assert.equal((await visitor.state()).variant, "ifrc");
});
