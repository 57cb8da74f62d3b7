// Puzzles: the card, tries, hints, the solution, solved puzzles.

import assert from "node:assert/strict";
import { test } from "./harness.js";

/** In the page: returns the first puzzle of several moves without a promotion, with its number and solution. */
async function pick(variant) {
  const { api } = await import(new URL("page/api.js", document.baseURI));
  const all = await api.puzzles(variant);
  const index = all.findIndex((line) => / pv \S+ \S+ [^;]*;/.test(line) && !line.includes("="));
  let found = await api.puzzle({ epd: all[index] });
  const wrong = found.legal.find(
    ({ text, promotion, castling }) => text !== found.puzzle.next.uci && !promotion && !castling,
  );
  const moves = [];
  while (found.puzzle.next) {
    const turn = found.legal.find(({ text }) => text === found.puzzle.next.uci);
    moves.push(turn);
    found = await api.puzzle({ epd: all[index], moves: moves.map(({ text }) => text) });
  }
  return { number: index + 1, count: all.length, wrong, moves, squares: found.squares };
}

const said = (page, text) => page.locator(".puzzle .said", { hasText: text }).waitFor();

async function move(visitor, { from, to }) {
  await visitor.square(from).click();
  await visitor.square(to).click();
}

test("a puzzle is solved, and the next one follows", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("");
  const { number, count, wrong, moves } = await page.evaluate(pick, "chess960");
  await page.locator(".puzzles").getByRole("link", { name: "Chess960", exact: true }).click();
  await said(page, "to move. One move wins.");
  await page.goto(`${visitor.url}?puzzles=chess960&number=${number}`);
  await page.getByRole("heading", { name: `Chess960 puzzle ${number} of ${count}` }).waitFor();
  const before = await visitor.square(wrong.from).getAttribute("data-piece");
  await move(visitor, wrong);
  await said(page, "is wrong. Try again.");
  await visitor.waitFor(wrong.from, before);
  await page.getByRole("button", { name: "Hint" }).click();
  await said(page, `The piece on ${moves[0].from} moves.`);
  for (const [index, turn] of moves.entries()) {
    await move(visitor, turn);
    await said(page, index + 1 < moves.length ? "is right." : "solves it.");
  }
  assert.ok(await page.getByRole("button", { name: "Hint" }).isDisabled());
  await page.getByRole("button", { name: "Next puzzle" }).click();
  await page.locator(".puzzle h1", { hasText: `puzzle ${number} of` }).waitFor({ state: "hidden" });
  // Solved puzzles are not asked again.
  await page.goto(`${visitor.url}?puzzles=chess960`);
  await said(page, "One move wins.");
  const solved = await page.evaluate(() => JSON.parse(localStorage.getItem("aleator-solved-puzzles")));
  assert.equal(solved.length, 1);
});

test("the solution is shown and can be analysed", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("");
  const { number, squares } = await page.evaluate(pick, "ifrc");
  await page.goto(`${visitor.url}?puzzles=ifrc&number=${number}`);
  await said(page, "One move wins.");
  await page.getByRole("button", { name: "Solution" }).click();
  await said(page, "The solution is");
  for (const [square, piece] of Object.entries(squares)) await visitor.waitFor(square, piece);
  await page.getByRole("button", { name: "Restart" }).click();
  await said(page, "One move wins.");
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.locator(".lines li").first().waitFor();
  assert.equal((await visitor.state()).variant, "ifrc");
});

test("a variant without puzzles says so", {}, async (visitor) => {
  const { page } = visitor;
  await page.goto(`${visitor.url}?puzzles=draughts`);
  await page.locator("#toast", { hasText: "There are no puzzles for 'draughts'." }).waitFor();
});
