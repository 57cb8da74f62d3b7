// The review of a game: accuracies, marks, the chart, the better lines and their place in PGN.

import assert from "node:assert/strict";
import { boxOf, test } from "./harness.js";

const SIZES = [
  ["a desktop of 1280x800", { viewport: { width: 1280, height: 800 } }],
  ["a phone", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
];

/** White gives the queen away. */
const QUEEN = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *";
/** The end of a game of Chess960 against level 1, without a knight of White: Black is lost, and allows a mate. */
const LOST = `[Variant "Chess960"]
[SetUp "1"]
[FEN "b1kr2qn/p1pp2pp/2p1r3/8/N4P2/bP2P3/P1P1B2P/BK1R1RQ1 w - - 2 16"]
[Result "1-0"]

16. e4 a5 17. Qa7 Bb7 18. Ba6 Bxa6 19. Qa8# 1-0
`;

const review = async ({ page }) => {
  await page.getByRole("button", { name: "Analyse the game" }).first().click();
  await page.locator(".findings .side").first().waitFor({ timeout: 60_000 });
  await page.locator("#toast", { hasText: "analysed" }).waitFor({ timeout: 60_000 });
};

/** Returns the accuracy of a side, 0 for White and 1 for Black, in percent. */
const accuracy = async ({ page }, side) => {
  const text = await page.locator(".findings .side").nth(side).textContent();
  return Number(text.match(/(\d+\.\d)\s%/)[1]);
};

for (const [name, options] of SIZES) {
  test(`the review does not praise a player who was crushed, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.paste(QUEEN);
    await page.locator(".move[data-ply='6']").waitFor();
    await review(visitor);
    assert.ok((await accuracy(visitor, 0)) < 60, "the queen was given away");
    assert.ok((await accuracy(visitor, 1)) > 85);
    await page.locator(".move.blunder[data-ply='5']").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Previous mistake" }).click();
    await page.locator(".better", { hasText: /3\. Qxf7\+\?\? is a blunder \(.* to .1[\d.]+\)\. Better is / }).waitFor();
    assert.ok(await page.getByRole("button", { name: "Next mistake" }).isDisabled());
    if (name === "a phone") return;
    // Everything is in one view.
    assert.equal(await page.evaluate(() => scrollY), 0);
    for (const part of [".chart", ".accuracy", ".findings .buttons", ".better", ".move[aria-current]"]) {
      const { y, height } = await boxOf(page.locator(part).first());
      assert.ok(y >= 0 && y + height <= 801, `${part} is in view`);
    }
  });

  test(`in a lost position the review marks an allowed mate, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.paste(LOST);
    await page.locator(".move[data-ply='7']").waitFor();
    await review(visitor);
    await page.locator(".move.mistake[data-ply='2']").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Previous mistake" }).click();
    await page.locator(".better", { hasText: /16… a5\? is a mistake .*#/ }).waitFor();
  });
}

test("steps during a review do not stop it, and the analysis goes on afterwards", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.paste(QUEEN);
  await page.locator(".lines li").first().waitFor();
  await page.getByRole("button", { name: "Analyse the game" }).click();
  await page.keyboard.press("[");
  await page.keyboard.press("[");
  await page.locator(".move[data-ply='4'][aria-current]").waitFor();
  await page.locator(".findings .side", { hasText: "%" }).first().waitFor({ timeout: 60_000 });
  assert.ok((await accuracy(visitor, 0)) < 60, "all turns were reviewed");
  await page.locator(".lines li").first().waitFor();
  assert.equal((await visitor.state()).analysing, true);
});

test("the chart has tooltips and shows turns without a score as unknown", SIZES[0][1], async (visitor) => {
  const { page } = visitor;
  const score = "{[%eval 0.30]}";
  await visitor.paste(`1. e4 ${score} e5 ${score} 2. Nf3 Nc6 3. Bb5 ${score} a6?! 4. Ba4 ${score} Nf6 ${score} 1-0`);
  const chart = page.locator(".chart");
  await chart.waitFor();
  assert.equal(await chart.locator(".known").count(), 3, "three runs of known scores");
  const { width, height } = await boxOf(chart);
  const tip = page.locator(".tip");
  for (const [share, text] of [
    [0, "1. e4 +0.30"],
    [2 / 7, "2. Nf3 not evaluated"],
    [1, "4… Nf6 +0.30"],
  ]) {
    await chart.hover({ position: { x: Math.min(width - 1, share * width), y: height / 2 } });
    assert.equal(await tip.textContent(), text);
    const box = await boxOf(tip);
    assert.ok(box.x >= 0 && box.x + box.width <= 1281, "the tooltip is inside the window");
  }
  await page.mouse.move(5, 5);
  await tip.waitFor({ state: "hidden" });
  // Inaccuracies are among the stops.
  await page.getByRole("button", { name: "Previous mistake" }).click();
  await page.locator(".better", { hasText: "3… a6?! is an inaccuracy" }).waitFor();
});

for (const [name, options] of SIZES) {
  test(
    `the PGN contains the better lines that are shown, marked as the engine's, on ${name}`,
    options,
    async (visitor) => {
      const { page } = visitor;
      await visitor.paste(`1. e4 e5 2. Qh5 (2. h4 {mine}) Nc6 3. Qxf7+ Kxf7 *`);
      await page.locator(".move[data-ply='6']").waitFor();
      await review(visitor);
      const whole = page.getByRole("button", { name: "All moves" });
      if (await whole.isVisible()) await whole.click();
      const shown = await page.locator(".variations > li").count();
      const engines = await page.locator(".by-engine").count();
      assert.ok(engines >= 1 && shown === engines + 1, `${shown} variations, ${engines} of the engine`);
      const save = page.getByRole("button", { name: "Save PGN" });
      const pgn = await visitor.saved(save);
      assert.equal(pgn.match(/\(/g).length, shown, pgn);
      assert.equal(pgn.match(/Aleator[ }]/g).length, engines, pgn);
      assert.match(pgn, /\(2\. h4 \{mine\}\s*\)/);
      await page.getByLabel("The engine's lines in the PGN").uncheck();
      const own = await visitor.saved(save);
      assert.equal(own.match(/\(/g).length, 1, own);
      assert.match(own, /\(2\. h4 \{mine\}\s*\)/);
      // Reading the file back keeps the engine's lines apart.
      await visitor.paste(pgn);
      await page.locator(".move[data-ply='6']").waitFor();
      assert.equal(await page.locator(".by-engine").count(), engines);
      assert.equal(await page.getByText("mine", { exact: true }).count(), 1);
    },
  );

  test(`a button shows what the other side threatens, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    // White threatens mate on the back rank.
    await visitor.paste("6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1");
    const threat = page.getByRole("button", { name: "Threat" });
    await threat.click();
    const best = page.locator(".lines li").first();
    await best.locator("span.move", { hasText: "Ra8#" }).waitFor();
    await page.locator(".arrows .arrow.red.rank0").waitFor({ state: "attached" });
    await page.keyboard.press("x");
    await best.locator("button.move").first().waitFor();
    assert.equal(await threat.getAttribute("aria-pressed"), "false");
    // Another position shows its own lines again.
    await threat.click();
    await best.locator("span.move").first().waitFor();
    await visitor.click("h7", "h6");
    await best.locator("button.move").first().waitFor();
  });
}
