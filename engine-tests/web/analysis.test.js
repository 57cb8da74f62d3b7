// Analysis, variations, import of PGN and FEN, and the review of a game.

import assert from "node:assert/strict";
import { test } from "./harness.js";

const PGN = `[Event "Scholar"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
`;

test("engine lines, arrows, the bar and the number of lines", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess960&start=518&white=human&black=human");
  await page.getByRole("switch", { name: "Analysis" }).click();
  await page.locator(".lines li").nth(2).waitFor();
  assert.ok((await page.locator(".arrows .engine").count()) >= 1);
  assert.match(await page.locator(".bar").getAttribute("aria-label"), /Evaluation/);
  assert.match(await page.locator(".wdl").getAttribute("aria-label"), /White wins/);
  await page.getByLabel("Lines", { exact: true }).selectOption("5");
  await page.locator(".lines li").nth(4).waitFor();
  await page.getByRole("switch", { name: "Analysis" }).click();
  await page.locator(".bar").waitFor({ state: "hidden" });
});

test("a PGN is imported, analysed and exported", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.paste(PGN);
  await page.locator(".move[data-ply='7']").waitFor();
  assert.match(await page.locator(".result").textContent(), /1–0/);
  await page.getByRole("button", { name: "Analyse the game" }).first().click();
  await page.locator(".chart").waitFor({ timeout: 60_000 });
  await page.locator("#toast", { hasText: "analysed" }).waitFor({ timeout: 120_000 });
  assert.ok((await page.locator(".move.blunder").count()) >= 1, "3... Nf6 loses at once");
  assert.match(await page.locator(".findings").textContent(), /White \d+\.\d\s%.*Black \d+\.\d\s%/);
  // From the end, the previous mistake is the blunder: an arrow and a line show the better move.
  assert.ok(await page.getByRole("button", { name: "Next mistake" }).isDisabled());
  await page.getByRole("button", { name: "Previous mistake" }).click();
  await page.locator(".move.blunder[data-ply='6'][aria-current]").waitFor();
  await page.locator(".arrows .arrow.green").waitFor();
  await page
    .locator("#live", { hasText: /Black: knight to f6: blunder\. .* was better\./ })
    .waitFor({ state: "attached" });
  const better = page.locator(".variations").last().locator(".line .move");
  assert.ok((await better.count()) >= 2, "a line, not only a move");
  await better.nth(1).click();
  await page.locator(".arrows .arrow.green").waitFor({ state: "detached" });
  await page.keyboard.press("n");
  await page.locator(".move.blunder[aria-current]").waitFor();
  const { id } = await visitor.state();
  assert.match(await visitor.ask(`/games/${id}/pgn`), /4\. Qxf7#/);
});

test("variations leave the game unchanged", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  await visitor.click("e2", "e4");
  await visitor.waitFor("e4", "wP");
  await visitor.click("e7", "e5");
  await visitor.waitFor("e5", "bP");
  await page.locator(".move[data-ply='1']").click();
  await visitor.waitFor("e7", "bP");
  await visitor.click("c7", "c5");
  await page.locator(".variations .move", { hasText: "c5" }).waitFor();
  await visitor.click("g1", "f3");
  await page.locator(".variations .move", { hasText: "Nf3" }).waitFor();
  await page.keyboard.press("[");
  await visitor.waitFor("g1", "wN");
  await page.keyboard.press("}");
  await visitor.waitFor("e5", "bP");
  // The game itself has not changed.
  assert.equal((await visitor.state()).turns.length, 2);
});

test("a PGN's variations and comments are imported", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  const before = visitor.gameId();
  await page.getByText("Open a PGN, a FEN or a record").click();
  await page
    .getByLabel("PGN, FEN or record to open")
    .fill("1. e4 e5 (1... c5 2. Nf3 $1 {open} (2. c3 d5) 2... d6) 2. Nf3 *");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.waitForFunction((id) => !location.search.includes(id), before);
  const variation = page.locator(".variations li", { hasText: "c5" });
  await variation.locator(".move", { hasText: "Nf3!" }).waitFor();
  await variation.locator(".comment", { hasText: "open" }).waitFor();
  await variation.locator(".bracket .move", { hasText: "d5" }).click();
  await visitor.waitFor("d5", "bP");
  await visitor.waitFor("c3", "wP");
  const { id } = await visitor.state();
  assert.match(
    await visitor.ask(`/games/${id}/pgn`),
    /e5 \(1\.\.\. c5 2\. Nf3 \$1 \{open\} \(2\. c3 d5\) 2\.\.\. d6\)/,
  );
});

test("a FEN is imported", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  const before = visitor.gameId();
  await page.getByText("Open a PGN, a FEN or a record").click();
  await page.getByLabel("PGN, FEN or record to open").fill("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.waitForFunction((id) => !location.search.includes(id), before);
  await visitor.waitFor("d1", null);
});

test("moves at the end of a reviewed game are variations", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='1']").waitFor();
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  await page.locator(".banner button", { hasText: "Analyse the game" }).click();
  await page.locator("#toast", { hasText: "analysed" }).waitFor({ timeout: 120_000 });
  await visitor.click("e7", "e5");
  await page.locator(".variations .move", { hasText: "e5" }).waitFor();
});
