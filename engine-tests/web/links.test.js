// Links that open games, reloads, the gallery and the dialog of a new game.

import assert from "node:assert/strict";
import { test } from "./harness.js";

test("a reload in mid-game takes it up", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess960&start=42&white=human&black=human");
  const { legal } = await visitor.state();
  const turn = legal.find((one) => !one.castling);
  await visitor.click(turn.from, turn.to);
  await page.locator(".move[data-ply='1']").waitFor();
  const before = await visitor.state();
  await page.reload();
  await page.locator(".move[data-ply='1']").waitFor();
  assert.deepEqual((await visitor.state()).turns.map(({ uci }) => uci), before.turns.map(({ uci }) => uci));
  for (const [name, piece] of Object.entries(before.squares)) assert.equal(await visitor.pieceOn(name), piece);
});

test("links with defaults and with a FEN", {}, async (visitor) => {
  await visitor.open("?variant=ifrc&start=518");
  const state = await visitor.state();
  assert.deepEqual([state.players.white.kind, state.players.black.kind, state.players.black.level], ["human", "engine", 5]);
  assert.equal(state.board, 10);
  for (const [text, level] of [["5/12", 5], ["12/12", 12], ["1", 3], ["10", 12]]) {
    await visitor.open(`?variant=ifrc&start=518&level=${text}`);
    assert.equal((await visitor.state()).players.black.level, level, "without a number of levels there were ten");
  }
  await visitor.open(`?variant=chess&fen=${encodeURIComponent("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")}`);
  assert.equal(Object.keys((await visitor.state()).squares).length, 3);
});

test("a link that makes no sense leads to the gallery, with a word on why", {}, async (visitor) => {
  const { page } = visitor;
  await page.goto(`${visitor.url}?variant=nonsense`);
  await page.locator("#toast.error").waitFor();
  await page.locator(".card.game").first().waitFor();
  visitor.said = visitor.said.filter((text) => !/status of 4\d\d/.test(text));
});

for (const [name, clicks] of [["International Fischer Random", 3], ["Fischer-Benko", 3], ["Jepps Random Chess", 3]]) {
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

test("the gallery lists games to go on with", {}, async (visitor) => {
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
