// The board to analyse on, and when the analysis rests; positions pasted on the first page; where errors are shown.

import assert from "node:assert/strict";
import { test } from "./harness.js";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const SIZES = [
  ["a desktop", {}],
  ["a phone", PHONE],
];

/** Waits until the head of the analysis says something. */
const says = ({ page }, text) => page.locator(".analysis-head .faint", { hasText: text }).waitFor();

/** Waits until an element is inside the window, to which the page may still be scrolling. Browsers scroll by whole
 * pixels, so a part of one may be outside. */
const inView = async (page, locator) =>
  page.waitForFunction(
    (element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top > -1 && bottom < innerHeight + 1;
    },
    await locator.elementHandle(),
  );

for (const [name, options] of SIZES) {
  test(`Analysis is in the navigation of every page, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    const link = page.getByRole("navigation").getByRole("link", { name: "Analysis" });
    for (const query of ["", "?games", "?edit", "?puzzles=chess960", "?variant=chess"]) {
      await page.goto(visitor.url + query);
      await link.waitFor();
      const heights = await page.locator("nav > *").evaluateAll((all) => all.map((one) => one.offsetTop));
      assert.equal(new Set(heights).size, 1, "the navigation is one row");
    }
    await link.click();
    await page.locator(".lines li").first().waitFor();
    await visitor.click("e2", "e4");
    await page.locator(".move[data-ply='1']").waitFor();
    await visitor.open("?analysis=ifrc");
    await page.locator(".lines li").first().waitFor();
    assert.equal((await visitor.state()).variant, "ifrc");
  });

  test(`the analysis rests, says so and goes on, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await page.clock.install();
    await visitor.open("?analysis");
    const lines = page.locator(".lines li");
    await lines.nth(2).waitFor();
    const isRunning = () => says(visitor, /^depth \d+ · [\d.]+ ?[kMG]?\/s$/);
    // Two minutes without activity.
    await page.clock.fastForward(60_000);
    await isRunning();
    await page.clock.fastForward(60_000);
    await says(visitor, "resting after 2 minutes without activity");
    assert.equal(await lines.count(), 3, "the lines stay");
    await page.keyboard.press("Shift");
    await isRunning();
    // A hidden tab.
    const hide = (isHidden) =>
      page.evaluate((isHidden) => {
        Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await hide(true);
    await says(visitor, "resting while the tab is hidden");
    await hide(false);
    await isRunning();
    // A limit of time, which the person can exceed, and which begins anew at another position.
    await page.getByLabel("When the analysis stops").selectOption("10s");
    await isRunning();
    await page.clock.fastForward(10_001);
    await says(visitor, "stopped after 10 seconds");
    await page.getByRole("button", { name: "Continue" }).click();
    await isRunning();
    await page.clock.fastForward(60_000);
    await isRunning();
    await visitor.click("e2", "e4");
    await page.locator(".move[data-ply='1']").waitFor();
    await isRunning();
    await page.clock.fastForward(10_001);
    await says(visitor, "stopped after 10 seconds");
    // The limit is remembered.
    await visitor.open("?analysis");
    assert.equal(await page.getByLabel("When the analysis stops").inputValue(), "10s");
  });

  test(`an error is next to its field, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    const assertBelow = async (problem, field) => {
      await problem.waitFor();
      await inView(page, problem);
      const [one, other] = [await problem.boundingBox(), await field.boundingBox()];
      assert.ok(one.y >= other.y && one.y - (other.y + other.height) < 130, "the error is below its field");
    };
    await visitor.open("?variant=chess&white=human&black=human");
    const whole = page.getByRole("button", { name: "All moves" });
    if (await whole.count()) await whole.click();
    const typed = page.getByLabel("Type a move");
    await typed.fill("Ke2");
    await typed.press("Enter");
    await assertBelow(page.locator(".type-move .problem", { hasText: "Ke2" }), typed);
    assert.equal(await typed.inputValue(), "Ke2");
    await typed.fill("e4");
    await page.locator(".type-move .problem").waitFor({ state: "hidden" });
    await typed.press("Enter");
    await page.locator(".move[data-ply='1']").waitFor();
    await page.getByText("Open a PGN, a FEN or a record").click();
    const text = page.getByLabel("PGN, FEN or record to open");
    await text.fill("8/8 w");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await assertBelow(page.locator(".files .problem:not(:empty)"), text);
    await visitor.paste("8/8 w");
    await assertBelow(page.locator(".imported .problem"), page.getByLabel("PGN, FEN or record"));
    assert.ok(await page.locator("#toast").isHidden());
    visitor.forgive();
  });

  test(`a text pasted anywhere on the first page opens, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    const paste = (text) =>
      page.evaluate((text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    const opened = async (text) => {
      await visitor.open();
      await page.locator(".import").waitFor();
      await paste(text);
      await page.locator("[role=gridcell]").first().waitFor();
    };
    await opened("4k3/8/8/3q4/8/8/8/4K2R w K - 0 1");
    await visitor.waitFor("d5", "bQ");
    await opened("1. e4 e5 2. Nf3 *");
    await page.locator(".move[data-ply='3']").waitFor();
    // Only on the first page.
    const id = visitor.gameId();
    await paste("4k3/8/8/3q4/8/8/8/4K2R w K - 0 1");
    await visitor.waitFor("f3", "wN");
    assert.equal(visitor.gameId(), id);
    await visitor.open();
    // The list of games pushes the field down when it arrives.
    await page.locator(".recent a").first().waitFor();
    await paste("good morning");
    const problem = page.locator(".imported .problem");
    await problem.waitFor();
    await inView(page, problem);
    visitor.forgive();
  });
}

test("the analysis stops at a depth", {}, async (visitor) => {
  const { page } = visitor;
  // In this endgame the depth is reached at once.
  const fen = encodeURIComponent("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1");
  await visitor.open(`?variant=chess&white=human&black=human&fen=${fen}`);
  await page.getByRole("switch", { name: "Analysis" }).click();
  await page.getByLabel("Lines", { exact: true }).selectOption("1");
  await page.getByLabel("When the analysis stops").selectOption("d20");
  await says(visitor, "stopped at depth 20");
  await page.locator(".lines li").first().waitFor();
});

test("a small board shows the position after a move of a line", {}, async (visitor) => {
  const { page } = visitor;
  const fen = encodeURIComponent("7k/8/8/8/8/8/8/K5R1 w - - 0 1");
  await visitor.open(`?variant=chess&white=human&black=human&fen=${fen}`);
  await page.keyboard.press("a");
  await page.getByLabel("Lines", { exact: true }).selectOption("1");
  await page.locator(".lines li .move").nth(1).waitFor();
  // The lines no longer change.
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const move = page.locator(".lines li .move").nth(1);
  const moves = (await move.getAttribute("data-moves")).split(" ");
  await move.hover();
  await page.locator(".preview .miniature").waitFor();
  assert.equal(await page.locator(".miniature > span").count(), 64);
  const king = page.locator(`.miniature [data-at="${moves[1].slice(2, 4)}"] .piece.b[data-role=K]`);
  await king.waitFor();
  assert.equal(await visitor.pieceOn("h8"), "bK", "the board itself is unchanged");
  assert.ok((await page.locator(".variations").count()) === 0, "and the game");
  await page.mouse.move(5, 5);
  await page.locator(".preview").waitFor({ state: "hidden" });
});

test("on a phone, a tap on a move of a line shows no small board", PHONE, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?analysis");
  // Without `force`, the tap would wait until the running analysis no longer moves the lines.
  await page.locator(".lines li .move").first().tap({ force: true });
  await page.locator(".variations .move").first().waitFor();
  assert.ok(await page.locator(".preview").isHidden());
});
