// The page on a phone 360 pixels wide, by touch.

import assert from "node:assert/strict";
import { boxOf, test } from "./harness.js";

const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

async function assertFits({ page }, what) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `${what} is ${width} pixels wide`);
}

test("a game on a phone", phone, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  await page.locator(".card.game").first().waitFor();
  await assertFits(visitor, "the gallery");
  await visitor.open("?variant=ifrc&start=518&white=human&black=human");
  await assertFits(visitor, "a game on ten files");
  assert.ok((await boxOf(visitor.square("a1"))).width >= 30, "squares are wide enough for a finger");
  await visitor.square("e3").tap();
  await visitor.square("e5").tap();
  await visitor.waitFor("e5", "wP");
  const bottom = await page.locator(".table-board").evaluate((element) => element.getBoundingClientRect().bottom);
  assert.ok(bottom <= 640, "board and players fit the screen");
  await visitor.open("?variant=jepps&white=human&black=human");
  await assertFits(visitor, "a setup");
  await page.locator("button.roll").tap();
  await page.locator("button.offered").first().tap();
  await page.locator("[data-square=a1][data-piece]").waitFor();
});

/** Moves a finger from one point to another. */
async function swipe({ page }, from, to) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  const points = [0.25, 0.5, 0.75, 1].map((part) => [
    { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part },
  ]);
  // Without waiting in between: a finger that rests would draw.
  const moves = points.map((point) => ["touchMove", point]);
  await Promise.all([["touchStart", [from]], ...moves, ["touchEnd", []]].map(([type, at]) => touch(type, at)));
  await session.detach();
}

/** Opens a game between two people with some moves. */
async function openGame(visitor, moves) {
  await visitor.open("?variant=chess&white=human&black=human");
  for (const text of moves) await visitor.ask(`/games/${visitor.gameId()}/turn`, { text });
  await visitor.page.locator(`.move[data-ply='${moves.length}'][aria-current]`).waitFor();
}

const tall = { ...phone, viewport: { width: 360, height: 740 } };

test("on a phone, the moves in one line and a bar of buttons are below the board", tall, async (visitor) => {
  const { page } = visitor;
  await openGame(visitor, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5".split(" "));
  const box = (selector) => boxOf(page.locator(selector));
  const bottomOf = async (selector) => (({ y, height }) => y + height)(await box(selector));
  const [list, bar] = [await box(".move-list"), await box(".steps")];
  assert.ok(list.height <= 48, `the moves are one line, not ${list.height} pixels`);
  assert.ok(
    list.y - (await bottomOf(".table-board")) < 10 && bar.y - (list.y + list.height) < 4,
    "nothing between them",
  );
  assert.ok(bar.y + bar.height < 600, "the bar is in the middle of the screen");
  const current = await box("[aria-current]");
  assert.ok(current.x >= list.x && current.x + current.width <= list.x + list.width + 1, "the newest move is visible");
  const tap = (name) => page.getByRole("button", { name, exact: true }).tap();
  await tap("To the start ({)");
  await visitor.waitFor("e2", "wP");
  await tap("Forward (])");
  await visitor.waitFor("e4", "wP");
  await tap("To the latest position (})");
  await visitor.waitFor("b5", "bP");
  await tap("Back ([)");
  await visitor.waitFor("b5", null);
  await tap("Take back");
  await page.locator(".move[data-ply='12']").waitFor({ state: "detached" });
  await tap("Flip the board (f)");
  assert.equal(await page.locator("[role=gridcell]").first().getAttribute("data-square"), "h1");
  await tap("Hint");
  await page.locator(".arrows .arrow.blue").waitFor();
  // The whole list, with comments, opens on request.
  await tap("All moves");
  assert.ok((await box(".move-list")).height > 100);
  await assertFits(visitor, "the whole list");
});

test("on a phone, swipes step through the game, and pieces can still be dragged", tall, async (visitor) => {
  const { page } = visitor;
  await openGame(visitor, ["e4", "e5", "Nf3"]);
  const centre = async (square) => {
    const { x, y, width, height } = await boxOf(visitor.square(square));
    return { x: x + width / 2, y: y + height / 2 };
  };
  await swipe(visitor, await centre("c5"), await centre("g5"));
  await visitor.waitFor("g1", "wN");
  await swipe(visitor, await centre("g5"), await centre("c5"));
  await visitor.waitFor("f3", "wN");
  const strip = await boxOf(page.locator(".strip[data-at=bottom]"));
  await swipe(visitor, { x: 150, y: strip.y + 20 }, { x: 260, y: strip.y + 20 });
  await visitor.waitFor("g1", "wN");
  await swipe(visitor, { x: 260, y: strip.y + 20 }, { x: 150, y: strip.y + 20 });
  await visitor.waitFor("f3", "wN");
  await swipe(visitor, await centre("d8"), await centre("h4"));
  await page.locator(".move[data-ply='4']", { hasText: "Qh4" }).waitFor();
  // A vertical movement is not a swipe.
  await swipe(visitor, await centre("c6"), await centre("d3"));
  assert.equal(await visitor.pieceOn("h4"), "bQ");
});

test("on a desktop, the list of moves is high and the actions are words", {}, async (visitor) => {
  const { page } = visitor;
  await openGame(visitor, ["e4", "e5"]);
  assert.ok((await boxOf(page.locator(".move-list"))).height > 100);
  assert.equal(await page.getByRole("button", { name: "Take back" }).count(), 1);
  assert.equal(await page.getByRole("button", { name: "Take back" }).textContent(), "Take back");
  assert.equal(await page.getByRole("button", { name: "All moves" }).count(), 0);
});
