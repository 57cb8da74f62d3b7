// The scores of starts, and the names of openings.

import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { test } from "./harness.js";

const PEOPLE = "white=human&black=human";

test("the page has the tables of book/fairness", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  for (const variant of ["chess960", "ifrc"]) {
    const rows = readFileSync(new URL(`../../book/fairness/${variant}.csv`, import.meta.url), "utf8")
      .trim()
      .split("\n")
      .slice(1);
    const inPage = await page.evaluate(async (variant) => {
      const { startScore } = await import(new URL("page/fairness.js", document.baseURI));
      return Array.from({ length: 960 }, (_, number) => startScore(variant, number).score);
    }, variant);
    const inTable = rows.map((row) => Number(row.match(/^\d+,[^,]*,(-?\d+),/)[1]));
    assert.deepEqual(inPage, inTable);
  }
});

test("the score of a start and its error are shown", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(`?variant=ifrc&start=921&${PEOPLE}`);
  await page.locator(".start-score", { hasText: /Scored \+0\.53 \u00b1 0\.05 for White/ }).waitFor();
  await visitor.open(`?variant=dfrc&start=1&${PEOPLE}`);
  await page.locator(".about h1", { hasText: "Double" }).waitFor();
  assert.ok(await page.locator(".start-score").isHidden(), "there is no table for these");
});

test("openings have names in orthodox chess only", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(`?variant=chess&${PEOPLE}`);
  const id = visitor.gameId();
  for (const text of ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6", "h3"])
    await visitor.ask(`/games/${id}/turn`, { text });
  await page.locator(".opening", { hasText: "Sicilian Defense: Najdorf Variation" }).waitFor();
  await page.locator(".move[data-ply='2']").click();
  await page.locator(".opening", { hasText: /^Sicilian Defense$/ }).waitFor();
  await page.keyboard.press("{");
  await page.locator(".opening").waitFor({ state: "hidden" });
  await visitor.open(`?variant=chess960&start=518&${PEOPLE}`);
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='1']").waitFor();
  await page.locator(".start-score", { hasText: "+0.32" }).waitFor();
  assert.ok(await page.locator(".opening").isHidden());
});

test("a check does not hide an opening, and other starting positions have none", {}, async (visitor) => {
  const { page } = visitor;
  const play = async (moves) => {
    for (const text of moves.split(" ")) await visitor.ask(`/games/${visitor.gameId()}/turn`, { text });
  };
  await visitor.open(`?variant=chess&${PEOPLE}`);
  await play("d4 Nf6 c4 e6 Nf3 Bb4+");
  await page.locator(".opening", { hasText: "Bogo-Indian Defense" }).waitFor();
  await visitor.open(
    `?variant=chess&${PEOPLE}&fen=${encodeURIComponent("rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1")}`,
  );
  await play("e4");
  await page.locator(".move[data-ply='1']").waitFor();
  assert.ok(await page.locator(".opening").isHidden());
});
