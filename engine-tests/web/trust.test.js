// Nothing shown is wrong and nothing is lost: the mediator and the dice, scores, names, the list of games,
// variations, the disk, links, comments.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";
import { test } from "./harness.js";

const people = (variant, fen) => `?variant=${variant}&white=human&black=human&fen=${encodeURIComponent(fen)}`;
const BETWEEN = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR[kqrrbbnn] b - - 0 9";

test("the mediator's verdict is shown in words and stays", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(`${people("jepps", BETWEEN)}&dice=own`);
  await page.getByRole("button", { name: "Die 1: 2", exact: true }).click();
  await page.getByRole("button", { name: "Die 2: 6", exact: true }).click();
  await page.locator(".setup .sentence", { hasText: "2 6: both even: Black mirrors White's array" }).waitFor();
  // The board does not continue before the verdict was read or clicked away.
  assert.equal(await visitor.pieceOn("c8"), null);
  assert.equal(await page.locator(".setup .die svg .pip").count(), 8);
  await page.getByRole("button", { name: "Continue" }).click();
  await visitor.waitFor("c8", "bK");
  await page.locator(".placed .verdict", { hasText: "2 6 mirror" }).waitFor();
  await page.locator(".about .dice-log", { hasText: "both even: Black mirrors" }).waitFor();
  await page.reload();
  await page.locator(".placed .verdict", { hasText: "2 6 mirror" }).waitFor();
});

for (const [name, options] of [
  ["a desktop", {}],
  ["a phone", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
]) {
  test(`every roll is listed, and rerolls say whose they are, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    const roll = async (one, two) => {
      await page.getByRole("button", { name: `Die 1: ${one}`, exact: true }).click();
      await page.getByRole("button", { name: `Die 2: ${two}`, exact: true }).click();
    };
    await visitor.open(`${people("jepps", BETWEEN)}&dice=own`);
    await roll(5, 5);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Reroll" }).click();
    await roll(2, 6);
    await page.locator(".setup h2", { hasText: "The mediator rolls again" }).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator(".placed .verdict:not(.again)", { hasText: "2 6 mirror" }).waitFor({ state: "attached" });
    assert.equal(await page.locator(".placed .verdict.again").textContent(), "5 5 reverse");
    const title = await page.evaluate(async () => {
      const { rollTitle } = await import(new URL("page/rolls.js", document.baseURI));
      const players = { black: { kind: "engine" } };
      return rollTitle({ players }, { purpose: "mediation", color: "black", reroll: true });
    });
    assert.equal(title, "Aleator lets the mediator roll again");
    // If the person rolls real dice, the heading says for whom to roll.
    await visitor.open("?variant=jepps&white=engine&black=human&dice=own");
    await page.locator(".setup h2", { hasText: "Roll your dice for Aleator (White)" }).waitFor();
    await roll(1, 2);
    await page.locator(".placed .rolled", { hasText: "1 2" }).waitFor({ state: "attached" });
  });
}

test("the program's dice for the mediator roll before the verdict is shown", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(`${people("jepps", BETWEEN)}`);
  await page.getByRole("button", { name: "Roll for the mediator" }).click();
  await page.locator(".setup .die.rolling").first().waitFor();
  await page.locator(".setup .sentence", { hasText: /both|one odd/ }).waitFor();
});

test("the random part is rolled piece by piece, can be skipped, and is summarised", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=fischerbenko&white=human&black=human&start=die");
  await page.locator(".setup .sentence", { hasText: "goes to" }).waitFor();
  await page.locator(".squares, [data-piece=wB]").first().waitFor();
  await page.getByRole("button", { name: "Skip" }).click();
  await page.locator(".strip[data-color=white] .hand-piece:enabled").first().waitFor();
  assert.match(
    await page.locator(".about .dice-log").textContent(),
    /White’s dice: \d: (bishop|reroll).*rook [a-h]1.*Black’s dice: .*rook [a-h]8/,
  );
});

test("a double of the person's own dice is rerolled with these dice", { reducedMotion: "reduce" }, async (visitor) => {
  const { page } = visitor;
  const roll = async (one, two) => {
    await page.getByRole("button", { name: `Die 1: ${one}`, exact: true }).click();
    await page.getByRole("button", { name: `Die 2: ${two}`, exact: true }).click();
  };
  await visitor.open("?variant=jepps&white=human&black=human&dice=own");
  await roll(6, 6);
  await page.getByRole("button", { name: "Reroll" }).click();
  await page.getByText("What do your dice show?").waitFor();
  await roll(1, 2);
  await page.locator("button.offered[data-role=N]").waitFor();
  const { rolls } = await visitor.state();
  assert.equal(rolls.map(({ shows }) => shows.join(" ")).join(", "), "6 6, 1 2");
});

test("taking back in Jepps shows the roll again", { reducedMotion: "reduce" }, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=jepps&white=human&black=human&dice=own");
  await page.getByRole("button", { name: "Die 1: 1", exact: true }).click();
  await page.getByRole("button", { name: "Die 2: 2", exact: true }).click();
  await page.locator("button.offered[data-role=N]").click();
  await visitor.waitFor("a1", "wN");
  await page.getByRole("button", { name: "Take back" }).click();
  await visitor.waitFor("a1", null);
  await page.locator("button.offered[data-role=K]").waitFor();
  assert.deepEqual(
    await page.locator(".tray .die").evaluateAll((dice) => dice.map((die) => die.getAttribute("aria-label"))),
    ["a die showing 1", "a die showing 2"],
  );
});

test("a limited level shows no scores, and there is no chart before a review", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&level=3");
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='2']").waitFor();
  await page.getByRole("switch", { name: "Analysis" }).click();
  await page.locator(".lines li").first().waitFor();
  assert.equal(await page.locator(".move .score").count(), 0);
  const { id } = await visitor.state();
  assert.doesNotMatch(await visitor.ask(`/games/${id}/pgn`), /%eval/);
  await page.getByRole("switch", { name: "Analysis" }).click();
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  await page.locator(".result").waitFor();
  assert.equal(await page.locator(".chart").count(), 0);
  await page.getByRole("button", { name: "Analyse the game" }).first().click();
  await page.locator(".chart").waitFor({ timeout: 60_000 });
  assert.match(await page.locator(".chart .area").getAttribute("d"), /^M0 /);
});

const TAGGED = `[Event "Casual"]
[Site "Wien"]
[Date "1999.01.02"]
[White "Ada Lovelace"]
[Black "Bob"]
[Result "1-0"]
[WhiteElo "1800"]
[Note "of ours"]

{Once.} 1. e4 {[%csl Gd4][%cal Re2e4] centre} e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
`;

test("a file's names and tags are shown and exported", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.paste(TAGGED);
  await page.locator(".move[data-ply='7']").waitFor();
  await page.locator(".strip[data-color=white] .name", { hasText: "Ada Lovelace" }).waitFor();
  await page.locator(".about .tags", { hasText: "WhiteElo" }).waitFor();
  await page.locator(".foreword", { hasText: "Once." }).waitFor();
  const pgn = await visitor.ask(`/games/${visitor.gameId()}/pgn`);
  for (const line of TAGGED.split("\n").filter((one) => one.startsWith("[")))
    assert.ok(pgn.includes(line), `${line} in ${pgn}`);
  // The comment draws a square and an arrow.
  await page.locator(".move[data-ply='1']").click();
  await page.locator(".arrows .arrow.red").waitFor();
  await page.locator(".arrows .mark.green").waitFor();
  assert.equal(await page.locator(".annotations .comment").first().textContent(), "centre");
});

test("the person's name is set once", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  await page.getByRole("button", { name: "Options for Chess", exact: true }).click();
  await page.getByLabel("Your name").fill("Grace");
  await page.locator("dialog button.primary").click();
  await page.locator(".strip .name", { hasText: "Grace" }).waitFor();
  await visitor.open();
  await page.getByRole("button", { name: "Play Chess960" }).click();
  await page.locator(".strip .name", { hasText: "Grace" }).waitFor();
  assert.match(await visitor.ask(`/games/${visitor.gameId()}/pgn`), /\[White "Grace"\]/);
});

test("the list of games: a file as a group, search, export, delete and undo", {}, async (visitor) => {
  const { page } = visitor;
  const games = Array.from(
    { length: 9 },
    (_, index) => `[White "Reader ${index}"]\n[Black "Writer"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`,
  ).join("\n");
  await visitor.open();
  await page.locator(".card.import").waitFor();
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "nine games.pgn"));
    document
      .querySelector(".card.import")
      .dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, games);
  await page.getByRole("link", { name: "9 games imported" }).click();
  await page.locator(".games li").nth(8).waitFor();
  assert.equal(await page.locator(".games li").count(), 9, "only those of the file");
  await page.getByLabel("Search", { exact: true }).fill("reader 4");
  assert.equal(await page.locator(".games li").count(), 1);
  await page.getByRole("button", { name: /Delete Reader 4/ }).click();
  await page.locator(".games li").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".games li", { hasText: "Reader 4" }).waitFor();
  await page.getByLabel("Search", { exact: true }).fill("");
  await page.getByLabel("File", { exact: true }).selectOption("");
  await page.locator(".games a", { hasText: "9 games from a file" }).click();
  const text = await visitor.saved(page.getByRole("button", { name: "Export these as PGN" }));
  assert.equal(text.match(/\[White "Reader \d"\]/g).length, 9);
  await page.locator(".games a", { hasText: "Reader 7" }).click();
  await page.locator(".strip .name", { hasText: "Reader 7" }).waitFor();
});

test("a game without a turn is not in the list", {}, async (visitor) => {
  await visitor.open("?variant=jepps&white=human&black=human");
  const id = visitor.gameId();
  const { games } = await visitor.ask("/games");
  assert.ok(!games.some((game) => game.id === id));
});

test("added variations survive a reload, are put first and removed", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.paste(TAGGED);
  await page.locator(".move[data-ply='1']").click();
  await visitor.waitFor("e7", "bP");
  await visitor.click("c7", "c5");
  await page.locator(".variations .move", { hasText: "c5" }).waitFor();
  await page.locator(".move[data-ply='1']").click();
  await visitor.waitFor("c7", "bP");
  await visitor.click("d7", "d5");
  await page.locator(".variations li", { hasText: "d5" }).waitFor();
  await page.reload();
  const lines = () => page.locator(".variations li .move").allTextContents();
  await page.locator(".variations li", { hasText: "d5" }).waitFor();
  assert.deepEqual(await lines(), ["c5", "d5"]);
  await page
    .locator(".variations li", { hasText: "d5" })
    .getByRole("button", { name: "Put this variation first" })
    .click();
  await page
    .locator(".variations li", { hasText: "d5" })
    .getByRole("button", { name: "Put this variation first" })
    .waitFor({ state: "detached" });
  assert.deepEqual(await lines(), ["d5", "c5"]);
  assert.match(await visitor.ask(`/games/${visitor.gameId()}/pgn`), /e5 \(1\.\.\. d5\) \(1\.\.\.\s+c5\)/);
  await page
    .locator(".variations li", { hasText: "d5" })
    .getByRole("button", { name: "Remove this variation" })
    .click();
  await page.locator(".variations li", { hasText: "d5" }).waitFor({ state: "detached" });
  assert.deepEqual(await lines(), ["c5"]);
});

test("while a game is running, earlier positions allow no moves", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&level=3");
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='2']").waitFor();
  await page.keyboard.press("{");
  await visitor.waitFor("e2", "wP");
  await visitor.drag("d2", "d4");
  await page.getByRole("button", { name: "Go there" }).click();
  await visitor.waitFor("e4", "wP");
  assert.equal(await page.locator(".variations").count(), 0);
  assert.equal((await visitor.state()).turns.length, 2);
});

test("a failed write is reported at once, and in the list of games", { backend: "server" }, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  // A folder is in the place of the file.
  mkdirSync(join(visitor.folder, `${visitor.gameId()}.json`));
  await visitor.click("e2", "e4");
  await page.locator("[role=alert]", { hasText: "could not be saved" }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("[role=alert]").getByRole("button", { name: "Save PGN" }).click(),
  ]);
  assert.match(file.suggestedFilename(), /\.pgn$/);
  await page.goto(`${visitor.url}?games`);
  await page.locator(".game-list .problem", { hasText: "could not be saved" }).waitFor();
});

test("double Fischer random shows its name and both numbers", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(`?variant=dfrc&white=human&black=human&start=${encodeURIComponent("RNBQKBNR/bbqnnrkr")}`);
  await page.locator(".about h1", { hasText: "Double Fischer Random" }).waitFor();
  assert.equal(await page.locator(".about .faint").first().textContent(), "White 518: RNBQKBNR; Black 0: BBQNNRKR");
  assert.match(await page.locator(".about details").textContent(), /independent back ranks/);
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='1']").waitFor();
  await page.goto(`${visitor.url}?games`);
  await page.locator(".games a span", { hasText: "Double Fischer Random" }).first().waitFor();
});

test("a link sets clocks, colour and name, and its errors are explained", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&color=black&clock=5:00+3&level=2&name=Ada");
  const { clocks, players } = await visitor.state();
  assert.deepEqual([clocks.white_ms, clocks.increment_ms], [300_000, 3000]);
  assert.deepEqual([players.white.level, players.black.name], [2, "Ada"]);
  for (const [query, words] of [
    ["variant=chess&clok=5", "clok"],
    ["variant=chess&level=high", "'level' must be from 1 to 12"],
    ["variant=chess&dice=loaded", "'dice' must be program or own"],
  ]) {
    await page.goto(`${visitor.url}?${query}`);
    await page.locator("#toast.error", { hasText: words }).waitFor();
    await page.locator(".card.game").first().waitFor();
  }
  visitor.forgive();
});

test("a very long word makes nothing wide", {}, async (visitor) => {
  const { page } = visitor;
  const word = "x".repeat(100_000);
  await visitor.paste(`[White "${word}"]\n\n1. e4 {${word}} e5 (1... c5 {${word}}) *`);
  await page.locator(".comment").first().waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280);
  assert.ok(await page.locator(".move-list").evaluate((element) => element.scrollWidth <= element.clientWidth));
});

test("comments of match runners become scores and times", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.paste("1. e4 {+0.44/12 0.5s} e5 {-0.31/11 0.25s} 2. Nf3 {+0.40/12 1.5s, White mates} *");
  await page.locator(".move[data-ply='3']").waitFor();
  const { turns } = await visitor.state();
  assert.deepEqual(
    turns.map(({ score, spent_ms, comment }) => [score.cp, spent_ms, comment]),
    [
      [44, 500, undefined],
      [31, 250, undefined],
      [40, 1500, "White mates"],
    ],
  );
  assert.equal(await page.locator(".annotations .comment").count(), 1);
});

test("the seventh tab works, and says what it cannot do", { backend: "server" }, async (visitor) => {
  const { page } = visitor;
  const context = page.context();
  const tabs = [];
  for (let count = 0; count < 6; count += 1) {
    const tab = await context.newPage();
    await tab.goto(`${visitor.url}?variant=chess&white=human&black=human`);
    await tab.locator("[role=gridcell]").first().waitFor();
    tabs.push(tab);
  }
  await visitor.open("?variant=chess&white=human&black=human");
  await page.locator("#toast", { hasText: "many tabs" }).waitFor();
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='1']").waitFor();
  // Changes from another tab are shown here, too.
  await tabs[0].goto(page.url());
  await tabs[0].locator(".move[data-ply='1']").waitFor();
  await tabs[0].locator("[data-square=e7]").click();
  await tabs[0].locator("[data-square=e5]").click();
  await page.locator(".move[data-ply='2']").waitFor();
  for (const tab of tabs) await tab.close();
});

test("errors use a player's words", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  await page.locator("#typed").fill("Nf9");
  await page.keyboard.press("Enter");
  await page.locator(".type-move .problem", { hasText: "such as Nf3" }).waitFor();
  await page.goto(`${visitor.url}?game=aaaaaaaaaa`);
  await page.locator("#toast.error", { hasText: "was it deleted?" }).waitFor();
  await visitor.open();
  await page.getByRole("button", { name: "Options for Chess960" }).click();
  await page.getByLabel("By number").check();
  await page.locator("#start-number").fill("-1");
  await page.locator(".start-picker .problem").waitFor();
  assert.doesNotMatch(await page.locator(".start-picker .problem").textContent(), /untagged|enum|GET |body/);
  visitor.forgive();
});
