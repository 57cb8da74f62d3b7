// Setups: dice on the page and on the table, the mediator, illegal placements, the solver.

import assert from "node:assert/strict";
import { test } from "./harness.js";

/** Makes placements until the setup needs something else from a person. */
async function fillRank(visitor) {
  const { page } = visitor;
  for (;;) {
    const { phase, dice, mediator } = await visitor.state();
    if (phase !== "setup" || mediator || dice?.mediator) return;
    const version = (await visitor.state()).version;
    if (dice?.needed) await page.locator("button.roll").click();
    else await page.locator("button.offered").first().click();
    await page.waitForTimeout(30);
    while ((await visitor.state()).version <= version) await page.waitForTimeout(30);
    await page.locator(".rolling").first().waitFor({ state: "detached" });
  }
}

test("a Jepps setup with dice and mediator", { reducedMotion: "reduce" }, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=jepps&white=human&black=human");
  await fillRank(visitor);
  for (let rolls = 0; rolls < 40; rolls += 1) {
    const { phase, dice, mediator } = await visitor.state();
    if (phase !== "setup" || (!dice?.mediator && !mediator)) break;
    await page.locator(mediator ? "button[data-choice=keep]" : "button.roll").click();
    await page.waitForTimeout(150);
  }
  await fillRank(visitor);
  const state = await visitor.state();
  assert.equal(state.phase, "board");
  assert.equal(Object.keys(state.squares).length, 32);
  const record = await visitor.ask(`/games/${state.id}/record`);
  assert.match(record, /a1/);
  await visitor.page.locator("[data-square=a2].mine").waitFor();
  // The record opens the same setup as a new game.
  await page.getByText("Open a PGN, a FEN or a record").click();
  await page.getByLabel("PGN, FEN or record to open").fill(record);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.waitForFunction((id) => !location.search.includes(id), state.id);
  assert.deepEqual((await visitor.state()).squares, state.squares);
});

test("Jepps with the user's own dice, and a reload during the setup", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=jepps&white=human&black=human&dice=own");
  await page.getByRole("button", { name: "Die 1: 1", exact: true }).click();
  await page.getByRole("button", { name: "Die 2: 2", exact: true }).click();
  await page.locator("button.offered[data-role=N]").waitFor();
  await page.reload();
  await page.locator("button.offered[data-role=N]").click();
  await visitor.waitFor("a1", "wN");
});

test("a roll of the user's own dice that was entered wrongly is taken back", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=jepps&white=human&black=engine&order=free&dice=own");
  const back = page.getByRole("button", { name: "Take back" });
  const enter = async (one, two) => {
    await page.getByRole("button", { name: `Die 1: ${one}`, exact: true }).click();
    await page.getByRole("button", { name: `Die 2: ${two}`, exact: true }).click();
  };
  await page.locator(".typed-dice").waitFor();
  assert.ok(await back.isDisabled());
  await enter(1, 2);
  await page.locator("button.offered[data-role=N]").waitFor();
  await back.click();
  await enter(4, 5);
  await page.locator("button.offered[data-role=R]").click();
  await visitor.waitFor("a1", "wR");
  // The roll for Aleator, too, with the piece that it placed.
  await enter(1, 2);
  await page.locator('[data-square="h8"][data-piece]').waitFor();
  await back.click();
  await visitor.waitFor("h8", null);
  await visitor.waitFor("a1", "wR");
  await page.locator(".typed-dice").waitFor();
});

test("Free Play fills both sides in turn", { reducedMotion: "reduce" }, async (visitor) => {
  await visitor.open("?variant=jepps&white=human&black=human&order=free");
  await fillRank(visitor);
  const state = await visitor.state();
  assert.equal(state.phase, "board");
  assert.deepEqual(
    state.turns.slice(0, 2).map((turn) => turn.uci.slice(2)),
    ["a1", "h8"],
  );
});

test(
  "a Fischer-Benko setup, with an illegal placement and the solver's assessment",
  { reducedMotion: "reduce" },
  async (visitor) => {
    const { page } = visitor;
    const fen = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    await visitor.open(`?variant=fischerbenko&white=human&black=human&fen=${encodeURIComponent(fen)}`);
    // A king in the corner would leave no room for a rook on its other side.
    await page.locator(".strip[data-color=white] .hand-piece[data-role=K]").click();
    assert.ok((await page.locator(".cell.target").count()) > 0);
    await visitor.square("a1").click();
    await page.locator("#toast.error").waitFor();
    assert.match(await page.locator("#toast").textContent(), /rook/);
    visitor.said = visitor.said.filter((text) => !text.includes("422"));
    await page.getByRole("button", { name: "What would the solver do?" }).click();
    await page.locator(".placements li").first().waitFor({ timeout: 60_000 });
    await page.locator(".strip[data-color=white] .hand-piece[data-role=R]").dragTo(visitor.square("h1"));
    await visitor.waitFor("h1", "wR");
    // Make any legal placements until the setup ends. The last two pieces of a side are placed together. The page makes
    // a placement without a choice by itself.
    for (;;) {
      const { legal, phase, turn, turns } = await visitor.state();
      if (phase !== "setup") break;
      const [role, to] = [legal[0].text[0], legal[0].to];
      await page.locator(`.strip[data-color=${turn}] .hand-piece[data-role=${role}]`).click();
      await visitor.square(to).click();
      await visitor.waitFor(to, (turn === "white" ? "w" : "b") + role);
      await page.waitForFunction((count) => document.querySelectorAll(".placed .move").length > count, turns.length);
    }
    assert.equal((await visitor.state()).phase, "board");
  },
);

test("the dice of Fischer-Benko roll without a click", { reducedMotion: "reduce" }, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  await page.getByRole("button", { name: "Play Fischer-Benko" }).click();
  await page.locator(".strip[data-color=white] .hand-piece:enabled").first().waitFor();
  const state = await visitor.state();
  assert.equal(Object.keys(state.squares).length, 22);
});

test("the first pieces of Fischer-Benko with the user's own die", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=fischerbenko&white=human&black=human&dice=own");
  // The inventor's example.
  for (const [value, square, piece] of [
    [1, "b1", "wB"],
    [2, "c8", "bB"],
    [2, "c1", "wB"],
    [3, "f8", "bB"],
    [3, "e1", "wR"],
    [5, "g8", "bR"],
  ]) {
    await page
      .locator(".die-button")
      .nth(value - 1)
      .click();
    await visitor.waitFor(square, piece);
  }
  await page.locator(".strip[data-color=white] .hand-piece:enabled").first().waitFor();
});
