// Layout: how large the board is, what is visible, and what a finger can press.

import assert from "node:assert/strict";
import { boxOf, test } from "./harness.js";

const CLOCK = { base_ms: 300_000, increment_ms: 0 };
const SETUP = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";

/** Opens a setup between two people with clocks: the most that surrounds a board. */
async function openSetup(visitor) {
  await visitor.open();
  const { id } = await visitor.ask("/games", {
    variant: "fischerbenko",
    fen: SETUP,
    white: "human",
    black: "human",
    clock: CLOCK,
  });
  await visitor.open(`?game=${id}`);
}

async function assertVisible({ page }, selectors) {
  const { width, height } = page.viewportSize();
  for (const selector of selectors) {
    await page.locator(`${selector}:visible`).first().waitFor();
    for (const element of await page.locator(`${selector}:visible`).all()) {
      const box = await boxOf(element);
      assert.ok(
        box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height,
        `${selector} at ${JSON.stringify(box)} of ${width} x ${height}`,
      );
    }
  }
}

const PARTS = [".board", ".clock", ".hand-piece", ".strip .name"];

test(
  "the board has at least 620 pixels at 1280 by 800, with and without analysis",
  { viewport: { width: 1280, height: 800 } },
  async (visitor) => {
    const { page } = visitor;
    await openSetup(visitor);
    assert.ok((await boxOf(page.locator(".board"))).width >= 620);
    await assertVisible(visitor, PARTS);
    await visitor.open("?variant=chess&white=human&black=human");
    const typed = await boxOf(page.locator("#typed"));
    await page.keyboard.press("a");
    await page.locator(".bar:visible").waitFor();
    assert.ok((await boxOf(page.locator(".board"))).width >= 620);
    await page.keyboard.press("a");
    for (const [from, to] of [
      ["e2", "e4"],
      ["e7", "e5"],
      ["g1", "f3"],
    ]) {
      await visitor.click(from, to);
      await page.locator(".move", { hasText: to }).waitFor();
    }
    assert.deepEqual(
      await boxOf(page.locator("#typed")),
      typed,
      "the list of moves had its space before the first move",
    );
    const columns = new Set();
    for (const part of [".moves", ".about", ".analysis", ".files"]) columns.add((await boxOf(page.locator(part))).x);
    assert.equal(columns.size, 1, "one column next to the board");
  },
);

for (const [name, width, height] of [
  ["a phone on its side", 740, 360],
  ["a small phone on its side", 568, 320],
  ["a desktop at twice the size", 640, 400],
]) {
  test(`board, clocks and hands are visible: ${name}`, { viewport: { width, height } }, async (visitor) => {
    await openSetup(visitor);
    await assertVisible(visitor, PARTS);
    await visitor.page.locator(".move-list").scrollIntoViewIfNeeded();
    assert.ok((await boxOf(visitor.page.locator(".moves"))).height >= 60, "the moves can be scrolled to");
    assert.ok(
      (await boxOf(visitor.page.locator(".board"))).height >= height - 10,
      "the board has the height of the window",
    );
    assert.ok(await visitor.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
}

test(
  "a dialog longer than the window shows that more follows",
  { viewport: { width: 640, height: 400 } },
  async (visitor) => {
    const { page } = visitor;
    await visitor.open();
    await page.getByRole("button", { name: "Options for Jepps" }).click();
    await page.locator("dialog.more").waitFor();
    await page.locator("dialog .primary").waitFor();
    await page.locator("dialog").evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
    await page.locator("dialog:not(.more)").waitFor();
  },
);

test(
  "touch targets are 44 pixels large",
  { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  async (visitor) => {
    const { page } = visitor;
    const assertLarge = async (what) => {
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("button, a, select, summary, textarea, input[type=text], .choice span")]
          .map((element) => [element.outerHTML.slice(0, 90), element.getBoundingClientRect()])
          .filter(([, box]) => box.width > 0 && (box.width < 43.9 || box.height < 43.9))
          .map(([html, { width, height }]) => `${width} x ${height}: ${html}`),
      );
      assert.deepEqual(small, [], what);
    };
    await visitor.open();
    await page.locator(".card.game").first().waitFor();
    await assertLarge("the first page");
    await page.getByRole("button", { name: "Options for Jepps" }).tap();
    await assertLarge("the dialog");
    await openSetup(visitor);
    await assertLarge("a setup");
    await assertVisible(visitor, PARTS);
    await visitor.open("?variant=chess960&start=518&white=human&black=human");
    await visitor.square("e2").tap();
    await visitor.square("e4").tap();
    await page.locator(".move[data-ply='1']").waitFor();
    await page.getByRole("switch", { name: "Analysis" }).tap();
    await page.locator(".lines li").nth(2).waitFor();
    await assertLarge("a game under analysis");
  },
);

test(
  "on a phone, a setup's questions are visible and the page does not scroll by itself",
  { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" },
  async (visitor) => {
    const { page } = visitor;
    await visitor.open("?variant=jepps&white=human&black=human");
    await assertVisible(visitor, [".setup h2", "button.roll"]);
    // Two sixes offer all five kinds of pieces.
    await visitor.open("?variant=jepps&white=human&black=human&dice=own");
    for (const die of [1, 2]) await page.getByRole("button", { name: `Die ${die}: 6`, exact: true }).tap();
    await page.locator("button.offered").nth(4).waitFor();
    await assertVisible(visitor, [".setup h2", "button.offered"]);
    await visitor.open("?variant=chess&white=human&black=human");
    const id = visitor.gameId();
    for (const text of ["Nf3", "Nf6", "Ng1", "Ng8", "Nc3", "Nc6", "e4", "e5", "d3", "d6", "a3", "a6"])
      await visitor.ask(`/games/${id}/turn`, { text });
    await page.locator(".move[data-ply='12'][aria-current]").waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
    const [list, move] = [await boxOf(page.locator(".move-list")), await boxOf(page.locator("[aria-current]"))];
    assert.ok(move.y + move.height <= list.y + list.height + 1, "the list has scrolled to the newest move");
  },
);

for (const [width, height] of [
  [1280, 800],
  [640, 400],
  [360, 640],
]) {
  test(`messages cover no button at ${width} by ${height}`, { viewport: { width, height } }, async (visitor) => {
    const { page } = visitor;
    await visitor.open("?variant=ifrc&start=518&white=human&black=human");
    // A move that another tab has made impossible.
    await page.route("**/turn?*", (route) =>
      route.fulfill({ status: 422, contentType: "application/json", body: '{"error":"The game is over."}' }),
    );
    await visitor.click("e3", "e5");
    await page.locator("#toast.error:not([hidden])").waitFor();
    assert.deepEqual(await visitor.coveredByToast(), []);
    visitor.forgive();
  });
}

test("a large window is used", { viewport: { width: 2560, height: 1440 } }, async (visitor) => {
  await visitor.open("?variant=chess&white=human&black=human");
  const { width } = await boxOf(visitor.page.locator(".board"));
  assert.ok(width >= 1250, `the board is ${width} pixels wide`);
  const listed = await visitor.page
    .locator(".move-list")
    .evaluate((list) => parseFloat(getComputedStyle(list).maxHeight));
  assert.ok(listed >= 700, `the list of moves may be ${listed} pixels high`);
  await assertVisible(visitor, [".board", ".strip .name"]);
});
