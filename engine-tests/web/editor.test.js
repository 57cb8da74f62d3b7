// Positions set up on the board or pasted, and games from files.

import assert from "node:assert/strict";
import { SIZES, test } from "./harness.js";

const PGN = `[Event "Scholar"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
`;

const fenField = (page) => page.getByLabel("FEN", { exact: true });

async function openEditor(visitor, query = "") {
  await visitor.page.goto(`${visitor.url}?edit${query}`);
  await visitor.page.locator("[role=gridcell]").first().waitFor();
}

test("a position is set up by hand and analysed", {}, async (visitor) => {
  const { page } = visitor;
  const tool = (code) => page.locator(`.hand-piece[data-role="${code}"]`);
  await openEditor(visitor);
  await page.getByRole("button", { name: "Empty board" }).click();
  await page.locator(".problem", { hasText: "kings" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Analyse", exact: true }).isDisabled());
  // By clicks, any number of times; by dragging; by keys.
  await tool("wR").click();
  await visitor.square("a1").click();
  await visitor.square("h1").click();
  await visitor.square("d5").click();
  await tool("wK").dragTo(visitor.square("e1"));
  await tool("bK").focus();
  await page.keyboard.press("Enter");
  await visitor.square("e8").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await tool("x").click();
  await visitor.square("d5").click();
  await visitor.waitFor("d5", null);
  await page.getByLabel("White may castle with the rook on h1").check();
  await page.getByLabel("Side to move").selectOption("black");
  await page.waitForFunction(() => document.querySelector(".fen input").value === "4k3/8/8/8/8/8/8/R3K2R b K - 0 1");
  // A rook that was dragged off the board has no castling right.
  await visitor.square("h1").dragTo(page.locator(".logo"));
  await page.waitForFunction(() => document.querySelector(".fen input").value === "4k3/8/8/8/8/8/8/R3K3 b - - 0 1");
  await page.reload();
  await visitor.waitFor("a1", "wR");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator(".lines li").first().waitFor();
  const { fen, players } = await visitor.state();
  assert.deepEqual([fen, players.white.kind, players.black.kind], ["4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "human", "human"]);
});

for (const [name, options] of SIZES) {
  test(
    `the editor begins with its FEN, keeps all fields and shows errors next to them, on ${name}`,
    options,
    async (visitor) => {
      const { page } = visitor;
      const says = (fen) => page.waitForFunction((fen) => document.querySelector(".fen input").value === fen, fen);
      const fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 7 30";
      await openEditor(visitor, `=${encodeURIComponent(fen)}`);
      await says(fen);
      const passant = page.getByLabel("En passant");
      assert.equal(await passant.inputValue(), "d6");
      assert.deepEqual(await passant.locator("option").allTextContents(), ["none", "d6"]);
      await visitor.square("e1").click();
      await visitor.square("e2").click();
      await says("4k3/8/8/3pP3/8/8/4K3/8 w - d6 7 30");
      await page.getByLabel("Halfmove clock").fill("9");
      await page.getByLabel("Move number").fill("31");
      await page.getByLabel("Move number").press("Enter");
      await says("4k3/8/8/3pP3/8/8/4K3/8 w - d6 9 31");
      await passant.selectOption("none");
      await says("4k3/8/8/3pP3/8/8/4K3/8 w - - 9 31");
      const problem = page.locator(".edit .problem");
      await page.getByLabel("Halfmove clock").fill("99999999");
      await page.getByLabel("Halfmove clock").press("Enter");
      await problem.filter({ hasText: "halfmove clock" }).waitFor();
      await page.route("**/api/position", (route) => route.abort());
      await fenField(page).fill("8/8 w");
      await problem.filter({ hasText: "does not respond" }).waitFor();
      assert.ok(await page.locator("#toast").isHidden());
      visitor.said = [];
    },
  );
}

test("the editor has every game, both boards and setups", {}, async (visitor) => {
  const { page } = visitor;
  await openEditor(visitor);
  const games = page.locator("#edit-variant");
  const ids = await games.locator("option").evaluateAll((options) => options.map((option) => option.value));
  assert.deepEqual(ids, ["chess", "chess960", "ifrc", "fischerbenko", "transcendental", "jepps", "placement"]);
  for (const id of ids) {
    await games.selectOption(id);
    await page.waitForFunction((id) => location.search.includes(`variant=${id}`), id);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.locator(".problem").waitFor({ state: "detached" });
    assert.equal(await page.locator("[role=row]").count(), id === "ifrc" ? 10 : 8);
    assert.ok(await page.getByRole("button", { name: "Analyse", exact: true }).isEnabled());
  }
  await games.selectOption("jepps");
  await page.getByLabel("Black\u2019s king may relocate").waitFor();
  await games.selectOption("fischerbenko");
  await page.getByLabel("Setup: pieces").check();
  await page.getByText("In hand: White: K Q R N N; Black: K Q R N N").waitFor();
  await page.locator(".hand-piece[data-role=wN]").click();
  const free = await page.locator("[data-square$='1']:not([data-piece])").last().getAttribute("data-square");
  await visitor.square(free).click();
  await page.getByText("Black places.").waitFor();
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.locator(".setup h2", { hasText: "Black" }).waitFor();
});

test("the editor waits for the first response", {}, async (visitor) => {
  const { page } = visitor;
  await page.route(
    "**/api/position",
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.continue();
    },
    { times: 1 },
  );
  await page.goto(`${visitor.url}?edit`);
  await fenField(page).fill("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  await visitor.waitFor("h1", "wR");
  assert.equal(await page.locator(".problem").count(), 0);
});

test("the variant of a pasted FEN is guessed and can be changed", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  const text = page.getByLabel("PGN, FEN or record");
  const game = page.getByLabel("Game of the position");
  await text.fill("1k6/8/8/8/8/8/8/1K5R w H");
  await page.getByText("White to move in").waitFor();
  assert.equal(await game.inputValue(), "chess960");
  await text.fill("4k3/4R3/8/8/8/8/8/4K3");
  await page.getByText("Black to move in").waitFor();
  assert.equal(await game.inputValue(), "chess");
  await text.fill("4k3/8/8/8/8/8/8/4K2R");
  await page.getByText("White to move in").waitFor();
  await game.selectOption("jepps");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.locator(".lines li").first().waitFor();
  assert.equal((await visitor.state()).variant, "jepps");
  // From the game to the editor.
  await page.getByRole("link", { name: "Edit position" }).click();
  await page.getByRole("heading", { name: "Set up a position" }).waitFor();
  assert.equal(await page.locator("#edit-variant").inputValue(), "jepps");
  await fenField(page).fill("nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQRN w KQkq - 0 1");
  await visitor.waitFor("h1", "wN");
  assert.equal(await page.locator("#edit-variant").inputValue(), "chess960");
});

test(
  "on a phone, a pasted position and the engine's lines are visible at once",
  { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  async (visitor) => {
    const { page } = visitor;
    await visitor.open();
    await page.getByLabel("PGN, FEN or record").fill("4k3/8/8/3q4/8/8/8/4K2R w K");
    await page.getByRole("button", { name: "Open", exact: true }).tap();
    await page.waitForFunction(() => {
      const [board, line] = [".board", ".lines li"].map((name) =>
        document.querySelector(name)?.getBoundingClientRect(),
      );
      return board?.top >= 0 && line?.bottom <= innerHeight;
    });
  },
);

test("a PGN is imported by the file button and by a drop", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "game.pgn", mimeType: "text/plain", buffer: Buffer.from(PGN) });
  await page.locator(".move[data-ply='7']").waitFor();
  await visitor.open();
  await page.locator(".import").waitFor();
  await page.evaluate((pgn) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([pgn], "game.pgn"));
    document
      .querySelector(".cards")
      .dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, PGN);
  await page.locator(".move[data-ply='7']").waitFor();
});
