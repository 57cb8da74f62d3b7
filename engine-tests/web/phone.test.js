// The page on a phone 360 pixels wide, by touch.

import assert from "node:assert/strict";
import { test } from "./harness.js";

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
  assert.ok((await visitor.square("a1").boundingBox()).width >= 30, "squares are wide enough for a finger");
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
