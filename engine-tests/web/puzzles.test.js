// Puzzles: the card, tries, refutations, hints, the solution, the list with marks.

import assert from "node:assert/strict";
import { test } from "./harness.js";

const SIZES = [
  ["a desktop", {}],
  ["a phone", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
];

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

for (const [size, options] of SIZES) {
  test(`on ${size}, a wrong move is refuted, and a puzzle is solved`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.open("");
    const { number, count, wrong, moves } = await page.evaluate(pick, "chess960");
    await page.locator(".puzzles").getByRole("link", { name: "Chess960", exact: true }).click();
    await said(page, "to move. One move wins.");
    await page.goto(`${visitor.url}?puzzles=chess960&number=${number}`);
    await page.getByRole("heading", { name: `Chess960 puzzle ${number} of ${count}` }).waitFor();
    await page.getByText(`0 of ${count} solved`).waitFor();
    const before = await visitor.square(wrong.from).getAttribute("data-piece");
    await move(visitor, wrong);
    // The engine replies on the board, and the refutation stays until the solver takes it back.
    await said(page, /^\d+\.+\S+\? /);
    await page.locator(".puzzle p.faint", { hasText: /^\d+\./ }).waitFor();
    await page.getByRole("button", { name: `Puzzle ${number}, failed`, exact: true }).waitFor();
    assert.ok(await page.getByRole("button", { name: "Hint" }).isDisabled());
    await page.getByRole("button", { name: "Try again" }).click();
    await visitor.waitFor(wrong.from, before);
    await page.getByRole("button", { name: "Hint" }).click();
    await said(page, `The piece on ${moves[0].from} moves.`);
    for (const [index, turn] of moves.entries()) {
      await move(visitor, turn);
      await said(page, index + 1 < moves.length ? "is right." : "solves it.");
    }
    await said(page, /solves it\. (The|After the) (solution|move) .+\.$/);
    await page.locator(".puzzle p.faint", { hasText: /^\d+\..*\(.+\)$/ }).waitFor();
    await page.getByText(`1 of ${count} solved`).waitFor();
    await page.getByRole("button", { name: "Next unsolved" }).click();
    await page.locator(".puzzle h1", { hasText: `puzzle ${number} of` }).waitFor({ state: "hidden" });
    // The marks are remembered, and the list opens a puzzle.
    await page.goto(`${visitor.url}?puzzles=chess960`);
    await page.getByRole("button", { name: `Puzzle ${number}, solved`, exact: true }).click();
    await page.getByRole("heading", { name: `Chess960 puzzle ${number} of ${count}` }).waitFor();
    assert.equal(await page.locator(".puzzle-list .failed").count(), 0);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing overflows");
  });
}

test("the solution is shown and can be analysed", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("");
  const { number, squares } = await page.evaluate(pick, "ifrc");
  await page.goto(`${visitor.url}?puzzles=ifrc&number=${number}`);
  await said(page, "One move wins.");
  await page.getByRole("button", { name: "Solution" }).click();
  await said(page, "The solution is");
  for (const [square, piece] of Object.entries(squares)) await visitor.waitFor(square, piece);
  await page.getByRole("button", { name: `Puzzle ${number}, failed`, exact: true }).waitFor();
  await page.getByRole("button", { name: "Restart" }).click();
  await said(page, "One move wins.");
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.locator(".lines li").first().waitFor();
  assert.equal((await visitor.state()).variant, "ifrc");
  assert.equal(await page.getByRole("button", { name: "Resign" }).count(), 0, "an analysis has no players");
});

test("each of the eight games has puzzles, double Fischer random too", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("");
  await page.locator(".puzzles a").nth(7).waitFor();
  await page.locator(".puzzles").getByRole("link", { name: "Double Fischer random" }).click();
  await page.getByRole("heading", { name: "puzzle 1 of" }).waitFor();
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.locator(".lines li").first().waitFor();
});

test("a variant without puzzles says so", {}, async (visitor) => {
  const { page } = visitor;
  await page.goto(`${visitor.url}?puzzles=draughts`);
  await page.locator("#toast", { hasText: "There are no puzzles for 'draughts'." }).waitFor();
  await page.goto(`${visitor.url}?puzzles=chess&number=9999`);
  await page.locator("#toast", { hasText: "There is no puzzle 9999: the numbers are 1 to 1" }).waitFor();
});
