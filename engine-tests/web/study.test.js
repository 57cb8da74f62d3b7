// The board to analyse on, and when the analysis rests; positions pasted on the first page; where errors are shown.

import assert from "node:assert/strict";
import { boxOf, SIZES, test } from "./harness.js";

const [, [, PHONE]] = SIZES;

const TIMED = `[White "Ada"]
[Black "Bob"]
[WhiteElo "2882"]
[BlackElo "2805"]
[TimeControl "180+2"]
[Result "0-1"]

1. e4 {[%clk 0:02:59]} e5 {[%clk 0:02:58]} (1... c5 $14) 2. Nf3 {[%clk 0:02:51]} 0-1
`;

/** Waits until the head of the analysis says something. */
const says = ({ page }, text) => page.locator(".analysis-head .faint", { hasText: text }).waitFor();

const setHidden = ({ page }, isHidden) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

/** Hides the tab, and waits until the analysis rests: its lines no longer change. */
const hideTab = async (visitor) => {
  await setHidden(visitor, true);
  await says(visitor, "resting while the tab is hidden");
};

const showTab = (visitor) => setHidden(visitor, false);

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
    await hideTab(visitor);
    await showTab(visitor);
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

  test(`a pasted FEN opens an analysis without players, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    const isListed = async () => (await visitor.ask("/games")).games.some(({ id }) => id === visitor.gameId());
    const noPlayers = async () => {
      await page.locator(".lines li").first().waitFor();
      for (const name of ["Resign", "Draw", "Hint"]) assert.equal(await page.getByRole("button", { name }).count(), 0);
    };
    await visitor.open("?analysis");
    await noPlayers();
    await visitor.paste("4k3/8/8/3q4/8/8/8/4K2R w K - 0 1");
    await noPlayers();
    assert.equal(await isListed(), false);
    await visitor.click("h1", "h8");
    await page.locator(".move[data-ply='1']").waitFor();
    assert.ok(await isListed());
    assert.equal(await page.locator(".spent").count(), 0);
    await visitor.click("e8", "e7");
    await page.locator(".move[data-ply='2']").waitFor();
    await page.getByRole("button", { name: "Take back" }).click();
    await page.locator(".move[data-ply='2']").waitFor({ state: "detached" });
    // The link opens an analysis, too.
    const link = await visitor.ask(`/games/${visitor.gameId()}/link`, { ply: 1, moves: [] });
    await visitor.open(`?${new URLSearchParams(link.link)}`);
    await page.locator(".move[data-ply='1']").waitFor();
    await noPlayers();
    // To play on, the players are those of the first page.
    await page.getByRole("button", { name: "Play from here" }).click();
    await page.getByRole("button", { name: "Resign" }).waitFor();
    assert.equal((await visitor.state()).players.black.kind, "engine");
  });

  test(`an imported game shows ratings, and the clocks at each place, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.paste(TIMED);
    await page.locator(".move[data-ply='3']").waitFor();
    const shown = () =>
      Promise.all(
        ["white", "black"].map((color) => page.locator(`.strip[data-color=${color}] .clock:visible`).textContent()),
      );
    assert.deepEqual(await shown(), ["2:51", "2:58"]);
    await page.locator(".strip[data-color=white] .rating", { hasText: "2882" }).waitFor();
    await page.locator(".strip[data-color=black] .rating", { hasText: "2805" }).waitFor();
    await page.keyboard.press("[");
    await page.locator(".move[data-ply='2'][aria-current]").waitFor();
    assert.deepEqual(await shown(), ["2:59", "2:58"]);
    await page.keyboard.press("{");
    await visitor.waitFor("e2", "wP");
    assert.deepEqual(await shown(), ["3:00", "3:00"]);
    const pgn = await visitor.ask(`/games/${visitor.gameId()}/pgn`);
    assert.match(pgn, /1\.\.\. c5 \$14/, "the marks of variations are kept");
  });

  test(`comments are written on the page and kept, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.paste("1. e4 {[%csl Gd4] old} e5 2. Nf3 1-0");
    await page.locator(".move[data-ply='3']").waitFor();
    const write = page.getByRole("button", { name: "Comment on this move (c)" });
    const field = page.getByLabel("Comment on this move", { exact: true });
    await write.click();
    await field.fill("Attacks the pawn");
    await page.getByRole("button", { name: "To the start ({)" }).click();
    await visitor.waitFor("e2", "wP");
    assert.equal(await field.inputValue(), "");
    await page.keyboard.press("]");
    await page.locator(".move[data-ply='1'][aria-current]").waitFor();
    assert.equal(await field.inputValue(), "old");
    await field.fill("the {best} move");
    await field.press("Escape");
    await page.locator(".comment", { hasText: "the (best) move" }).waitFor({ state: "attached" });
    await page.reload();
    await page.locator(".comment", { hasText: "the (best) move" }).waitFor({ state: "attached" });
    const pgn = await visitor.ask(`/games/${visitor.gameId()}/pgn`);
    assert.ok(pgn.includes("1. e4 {[%csl Gd4] the (best) move} e5 2. Nf3 {Attacks the pawn}"), pgn);
    // While a game is played there is nothing to write.
    await visitor.open("?variant=chess");
    assert.equal(await write.count(), 0);
  });

  test(`German and figurine PGN open, addresses of games are answered, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    for (const text of [
      "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. 0-0",
      "1. e4 e5 2. \u2658f3 \u265ec6 3. \u2657b5 a6 4. O-O",
    ]) {
      await visitor.paste(text);
      await page.locator(".move[data-ply='7']", { hasText: "O-O" }).waitFor();
    }
    for (const address of ["https://lichess.org/NPKPFaGh/black#17", "www.chess.com/game/live/1234567"]) {
      await visitor.paste(address);
      const answer = "Paste the PGN instead: this page loads nothing from other sites.";
      await page.locator(".imported .problem", { hasText: answer }).waitFor();
    }
  });

  test(`a file is one entry, and a large one is read up to the limit, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.open();
    const file = `${name}.pgn`;
    await page.locator("input[type=file]").evaluate((input, file) => {
      const games = Array.from({ length: 8 }, (_, index) => `[White "A${index}"]\n\n1. e4 e5 *\n\n`);
      const transfer = new DataTransfer();
      transfer.items.add(new File([...games, " ".repeat(20e6)], file));
      input.files = transfer.files;
      input.dispatchEvent(new Event("change"));
    }, file);
    await page.locator(".imported", { hasText: "8 games imported" }).waitFor();
    await page.locator(".imported .problem", { hasText: "A file may have 15 MB" }).waitFor();
    await page.locator(".recent", { hasText: file }).waitFor();
    assert.match(await page.locator("#live").textContent(), /^8 games imported\. A file may have 15 MB/);
    // Six other games, so that there is a link to all.
    for (let count = 0; count < 6; count += 1) {
      const { id } = await visitor.ask("/games", { variant: "chess", analysis: true });
      await visitor.ask(`/games/${id}/turn`, { text: "d4" });
    }
    await visitor.open();
    const recent = page.locator(".recent a");
    await recent.nth(6).waitFor();
    assert.equal(await recent.filter({ hasText: "8 games from a file" }).filter({ hasText: file }).count(), 0);
    const all = page.getByRole("link", { name: /^All \d+ games$/ });
    const [above, link, below] = await Promise.all([
      boxOf(page.locator(".recent ul")),
      boxOf(all),
      boxOf(page.locator(".puzzle-card, .import").first()),
    ]);
    assert.ok(link.y - (above.y + above.height) >= 8 && below.y - (link.y + link.height) >= 8, "it keeps its distance");
    await all.click();
    await page.locator(".games li", { hasText: file }).waitFor();
    await page.getByRole("button", { name: `Delete ${file}`, exact: true }).click();
    await page.getByRole("button", { name: "Delete 8 games?" }).click();
    await page.locator(".games li", { hasText: file }).waitFor({ state: "detached" });
  });

  test(
    `a file dropped on a game is answered, and errors leave with a legal move, on ${name}`,
    options,
    async (visitor) => {
      const { page } = visitor;
      await visitor.open(`?variant=chess&white=human&black=human`);
      await page.locator(".board").evaluate((board) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["1. e4 *"], "game.pgn"));
        board.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      });
      await page.locator("#toast.error", { hasText: "Drop files on the first page" }).waitFor();
      await visitor.click("e2", "e4");
      await page.locator("#toast").waitFor({ state: "hidden" });
      assert.equal((await visitor.state()).turns.length, 1);
    },
  );

  test(`an error is next to its field, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    const assertBelow = async (problem, field) => {
      await problem.waitFor();
      await inView(page, problem);
      const [one, other] = [await boxOf(problem), await boxOf(field)];
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

  test(`files are read in every place, and wrong ones are answered, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    const drop = (place, bytes) =>
      page.locator(place).evaluate(
        (element, bytes) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([new Uint8Array(bytes)], "game.pgn"));
          element.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        },
        [...bytes],
      );
    const problem = (text) => page.locator(".imported .problem", { hasText: text }).waitFor();
    await visitor.open();
    await page.locator(".import").waitFor();
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await problem("Paste a PGN or a FEN first.");
    await drop("header", []);
    await problem("This file is empty.");
    await drop("body", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
    await problem("This file is not a PGN.");
    assert.equal(await page.locator(".imported .problem").count(), 1, "the old error is gone");
    assert.ok(await page.locator("#toast").isHidden());
    await page.getByRole("button", { name: "Options for Chess960" }).click();
    await drop("dialog", [0x89]);
    await page.locator("#toast", { hasText: "Close the dialog" }).waitFor();
    for (const encoding of ["latin1", "utf8", "utf16le"]) {
      await visitor.open();
      await page.locator(".import").waitFor();
      const mark = encoding === "utf16le" ? "\ufeff" : "";
      await drop("body", Buffer.from(`${mark}[White "M\u00fcller"]\n\n1. e4 e5 *\n`, encoding));
      await page.locator(".strip[data-color=white]", { hasText: "M\u00fcller" }).waitFor();
    }
    // A comment on a move of a variation is not glued to it.
    await visitor.paste("1. e4 e5 (1... c5 {sharp} 2. Nf3) *");
    const line = page.locator(".variations .line").first();
    await line.waitFor();
    assert.match(await line.textContent(), /c5 sharp 2\.Nf3/);
    // A variation follows the move that it replaces.
    await visitor.paste("1. e4 e5 (1... c5 2. Nf3 (2. c3) 2... d6) *");
    await line.waitFor();
    assert.match(await line.textContent(), /1\u2026c52\.Nf3\(2\.c3.*\)2\u2026d6/);
    await page.getByText("Open a PGN, a FEN or a record").click();
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.locator(".files .problem", { hasText: "Paste a PGN or a FEN first." }).waitFor();
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
  await hideTab(visitor);
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
  await page.locator(".lines li .move").first().waitFor();
  await hideTab(visitor);
  await page.locator(".lines li .move").first().tap();
  await page.locator(".variations .move").first().waitFor();
  assert.ok(await page.locator(".preview").isHidden());
});
