// The settings, and what is shown next to the board: captured pieces, the evaluation, times.

import assert from "node:assert/strict";
import { test } from "./harness.js";

const PEOPLE = "white=human&black=human";

/** Returns the captured pieces of both strips, White's first; null where none are shown. */
async function taken({ page }) {
  return Promise.all(
    ["white", "black"].map(async (color) => {
      const strip = page.locator(`.strip[data-color=${color}] .taken`);
      return (await strip.isVisible()) ? strip.getAttribute("aria-label") : null;
    }),
  );
}

test("captured pieces and the balance, at every place of the game", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(`?variant=chess&${PEOPLE}&fen=${encodeURIComponent("1n2k3/P6p/8/8/8/8/7P/4K3 w - - 0 1")}`);
  assert.deepEqual(await taken(visitor), [null, null], "pieces missing at the start were not captured");
  await visitor.click("a7", "b8");
  await page.locator(".promotion[data-role=Q]").click();
  await page.locator(".move[data-ply='1']").waitFor();
  assert.deepEqual(
    await taken(visitor),
    ["White captured 1 knight; ahead by 11", null],
    "a promoted pawn was not captured",
  );
  for (const [from, to] of [
    ["e8", "e7"],
    ["b8", "c8"],
    ["h7", "h5"],
    ["c8", "c5"],
    ["e7", "e6"],
    ["c5", "h5"],
  ])
    await visitor.ask(`/games/${visitor.gameId()}/turn`, { text: from + to });
  await page.locator(".move[data-ply='7'][aria-current]").waitFor();
  assert.deepEqual(await taken(visitor), ["White captured 1 knight, 1 pawn; ahead by 12", null]);
  assert.equal(await page.locator(".strip[data-color=white] .taken svg").count(), 2);
  await page.keyboard.press("{");
  await visitor.waitFor("a7", "wP");
  assert.deepEqual(await taken(visitor), [null, null]);
});

/** Completes a setup, each time with the first legal placement, and makes the first move. */
async function setUp(visitor, wishes) {
  let state = await visitor.ask("/games", { ...wishes, white: "human", black: "human" });
  const act = (action, body) => visitor.ask(`/games/${state.id}/${action}`, body);
  while (state.phase === "setup") {
    if (state.dice?.needed) state = await act("dice", {});
    else if (state.mediator) state = await act("mediator", { choice: "keep" });
    else state = await act("turn", { text: state.legal[0].text });
  }
  return act("turn", { text: state.legal[0].text });
}

for (const wishes of [
  { variant: "placement" },
  { variant: "jepps" },
  { variant: "jepps", order: "free" },
  { variant: "fischerbenko", start: "die" },
  { variant: "transcendental" },
]) {
  test(
    `in a setup nothing is captured: ${Object.values(wishes).join(" ")}`,
    { reducedMotion: "reduce" },
    async (visitor) => {
      await visitor.open();
      const { id, turns, start_fen } = await setUp(visitor, wishes);
      await visitor.open(`?game=${id}`);
      await visitor.page.locator(`.move[data-ply='${turns.length}'][aria-current]`).waitFor();
      assert.deepEqual(await taken(visitor), [null, null], start_fen);
    },
  );
}

test("the number in the bar is at the better side's end", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(`?variant=chess&${PEOPLE}&fen=${encodeURIComponent("3qk3/8/8/8/8/8/8/4K3 w - - 0 1")}`);
  await page.keyboard.press("a");
  await page.locator(".bar .number.black", { hasText: /^\u2212\d|^\u2212#/ }).waitFor();
  const [bar, number] = await page.evaluate(() =>
    [".bar", ".bar .number"].map((name) => document.querySelector(name).getBoundingClientRect().toJSON()),
  );
  assert.ok(number.y < bar.y + 20 && number.x >= bar.x && number.right <= bar.right);
});

test("the time of each move", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(`?variant=chess&${PEOPLE}`);
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='1'] .spent", { hasText: /\d s$/ }).waitFor();
  const [turn] = (await visitor.state()).turns;
  assert.ok(turn.spent_ms >= 0);
});

test("board, pieces, coordinates, animation and colours can be chosen and are kept", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(`?variant=chess960&start=518&${PEOPLE}`);
  const look = () =>
    page.evaluate(() => {
      const cell = document.querySelector("[data-square=a1]");
      return [
        getComputedStyle(cell).backgroundColor,
        cell.querySelector("path").getAttribute("d"),
        getComputedStyle(cell, "::before").content,
        getComputedStyle(document.documentElement).colorScheme,
      ];
    });
  const before = await look();
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  for (const [group, choice] of [
    ["Board", "Brown"],
    ["Pieces", "Symbols"],
    ["Coordinates", "Off"],
    ["Animation", "Off"],
    ["Colours", "Dark"],
  ]) {
    await dialog.getByRole("group", { name: group }).getByLabel(choice, { exact: true }).check();
  }
  await dialog.getByRole("button", { name: "Close" }).click();
  const chosen = await look();
  chosen.forEach((value, index) => assert.notEqual(value, before[index]));
  await visitor.click("e2", "e4");
  await visitor.waitFor("e4", "wP");
  assert.equal(await page.evaluate(() => document.querySelector("[data-square=e4] .piece").getAnimations().length), 0);
  await page.reload();
  await visitor.waitFor("e4", "wP");
  assert.deepEqual(await look(), chosen);
});
