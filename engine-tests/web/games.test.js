// Whole games by mouse.

import assert from "node:assert/strict";
import { boxOf, SIZES, test } from "./harness.js";

const MOST_TURNS = 160;

/** Returns small random numbers that are the same in every run. */
function randomFrom(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

/** Plays a legal turn of the state by clicks. */
async function playTurn(visitor, turn) {
  await visitor.click(turn.from, turn.to);
  if (turn.promotion) await visitor.page.locator(`.promotion[data-role=${turn.promotion.toUpperCase()}]`).click();
}

test("a whole IFRC game against the engine by mouse", {}, async (visitor) => {
  await visitor.open("?variant=ifrc&start=518&white=human&black=engine&level=8");
  assert.equal(await visitor.page.locator("[role=row]").count(), 10);
  assert.equal(await visitor.pieceOn("f2"), "wK");
  const random = randomFrom(7);
  let turns = 0;
  while ((await visitor.settled()) === "turn") {
    const { legal } = await visitor.state();
    await playTurn(visitor, legal[random(legal.length)]);
    turns += 1;
    assert.ok(turns < MOST_TURNS, "random play loses in fewer moves");
    await visitor.page.waitForFunction(
      (plies) => document.querySelectorAll(".move[data-ply]").length > plies || document.querySelector(".result"),
      2 * turns - 1,
    );
  }
  const { ending, turns: made } = await visitor.state();
  assert.ok(ending.sentence.length > 10);
  assert.match(await visitor.page.locator(".result").textContent(), new RegExp(ending.sentence.slice(0, 12)));
  console.log(`      ${made.length} turns: ${ending.sentence}`);
});

test("take back, hint, draw offer, resign, rematch", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess960&start=518&level=3");
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='2']").waitFor();
  await page.getByRole("button", { name: "Take back" }).click();
  await visitor.waitFor("e2", "wP");
  assert.equal((await visitor.state()).turns.length, 0);
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".arrows .arrow.blue").waitFor();
  assert.deepEqual(await visitor.coveredByToast(), []);
  assert.equal(await page.getByRole("button", { name: "Analyse the game" }).count(), 0, "not during the game");
  assert.ok(await page.getByRole("button", { name: "Draw" }).isDisabled(), "no draw before the first move");
  await visitor.click("d2", "d4");
  await page.locator(".arrows .arrow.blue").waitFor({ state: "detached" });
  await page.locator(".move[data-ply='2']").waitFor();
  await page.getByRole("button", { name: "Draw" }).click();
  await page.locator(".banner p").waitFor();
  const resign = page.getByRole("button", { name: "Resign" });
  if (await resign.count()) {
    await resign.click();
    await page.getByRole("button", { name: "Really resign?" }).click();
  }
  await page.locator(".result").waitFor();
  const before = visitor.gameId();
  await page.getByRole("button", { name: "Rematch" }).click();
  await page.waitForFunction((id) => !location.search.includes(id), before);
  const state = await visitor.state();
  assert.equal(state.players.white.kind, "engine");
  assert.equal(state.players.black.kind, "human");
  // The board is turned to the person's side, and the engine makes the first move.
  assert.equal(await page.locator("[role=gridcell]").first().getAttribute("data-square"), "h1");
  await page.locator(".move[data-ply='1']").waitFor();
});

test("two people at one screen, and a draw offer", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  await visitor.click("e2", "e4");
  await visitor.waitFor("e4", "wP");
  await page.locator(".move[data-ply='1']").waitFor();
  await page.getByRole("button", { name: "Draw" }).click();
  await page.locator(".note").waitFor();
  assert.equal(await page.getByRole("button", { name: "Accept draw" }).count(), 1);
  await visitor.click("e7", "e5");
  await visitor.waitFor("e5", "bP");
  await page.locator(".move[data-ply='2']").waitFor();
  assert.equal((await visitor.state()).turns.length, 2);
  // Black has offered and moved; now White accepts.
  await page.getByRole("button", { name: "Accept draw" }).click();
  await page.locator(".result", { hasText: "\u00bd\u2013\u00bd" }).waitFor();
});

/** Returns the name of the button at a point of the screen. */
const buttonAt = (page, { x, y }) =>
  page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest("button")?.textContent, [x, y]);

for (const [name, options] of SIZES) {
  test(`watching: pause, one move, speed and end, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.open("?variant=chess&white=engine&black=engine&level=1");
    const press = (name) => page.getByRole("button", { name, exact: true }).click();
    const moves = async () => (await visitor.state()).turns.length;
    await press("Pause");
    await page.getByRole("button", { name: "Go on", exact: true }).waitFor();
    await page.getByLabel("Speed").selectOption("Fast");
    await page.waitForFunction(() => document.querySelector(".actions select").value === "0");
    const before = await moves();
    await press("One move");
    await page.locator(`.move[data-ply='${before + 1}']`).waitFor();
    const { held, pace_ms, thinking, turns } = await visitor.state();
    assert.deepEqual([held, pace_ms, thinking, turns.length], [true, 0, false, before + 1]);
    await page.getByLabel("Speed").selectOption("Normal");
    await press("Go on");
    await page.locator(`.move[data-ply='${before + 2}']`).waitFor();
    await press("End");
    await page.getByRole("button", { name: "Take back" }).waitFor();
    await page.getByRole("button", { name: "Analyse the game" }).waitFor();
    assert.ok((await visitor.state()).analysis);
    assert.match(await visitor.ask(`/games/${visitor.gameId()}/pgn`), /White "Aleator \(level 1\)"[^]*\*\n/);
  });

  test(`a second click on Resign resigns, whatever happens meanwhile, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.open("?variant=chess&white=human&black=human");
    await visitor.ask(`/games/${visitor.gameId()}/turn`, { text: "e4" });
    await page.locator(".move[data-ply='1']").waitFor();
    const resign = page.getByRole("button", { name: "Resign", exact: true });
    await resign.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await boxOf(resign);
    const press = (point) =>
      options.hasTouch ? page.touchscreen.tap(point.x, point.y) : page.mouse.click(point.x, point.y);
    for (const share of [0.02, 0.98]) {
      const point = { x: x + width * share, y: y + height / 2 };
      await press(point);
      await page.getByRole("button", { name: "Really resign?" }).waitFor();
      assert.equal(await buttonAt(page, point), "Really resign?");
      // Escape is a no.
      await page.keyboard.press("Escape");
      await page.locator(".sure").waitFor({ state: "detached" });
    }
    // The second click of a double click does nothing.
    const isIdle = await resign.evaluate((one) => {
      one.click();
      return document.querySelector(".sure").disabled;
    });
    assert.ok(isIdle);
    await page.keyboard.press("Escape");
    await page.locator(".sure").waitFor({ state: "detached" });
    const point = { x: x + width / 2, y: y + height / 2 };
    await press(point);
    await page.locator(".sure:enabled").waitFor();
    // New moves, an offer and a note change the page around the button.
    for (const text of ["e5", "Nf3", "Nc6", "d3"]) await visitor.ask(`/games/${visitor.gameId()}/turn`, { text });
    await page.locator(".move[data-ply='5']").waitFor();
    await visitor.ask(`/games/${visitor.gameId()}/draw`, { color: "white" });
    await page.getByRole("button", { name: "Accept draw" }).waitFor();
    assert.equal(await buttonAt(page, point), "Really resign?");
    await press(point);
    await page.locator(".result", { hasText: "1–0" }).waitFor();
    await page.locator(".sure").waitFor({ state: "detached" });
  });
}
