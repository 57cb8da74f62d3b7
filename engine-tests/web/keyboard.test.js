// Playing without a mouse, and with screen readers.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { test } from "./harness.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test("a game by keyboard alone", {}, async (visitor) => {
  const { page } = visitor;
  const { keyboard } = page;
  await visitor.open();
  // From the top of the page to the button that starts the game.
  const active = () =>
    page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
  for (let stops = 0; (await active()) !== "Play Chess960" && stops < 40; stops += 1) await keyboard.press("Tab");
  await keyboard.press("Enter");
  await page.locator("[role=gridcell]").first().waitFor();
  // The board is one tab stop.
  assert.equal(await page.locator("[role=gridcell][tabindex='0']").count(), 1);
  await visitor.open("?variant=chess&white=human&black=human");
  const role = () => page.evaluate(() => document.activeElement.getAttribute("role"));
  for (let stops = 0; (await role()) !== "gridcell" && stops < 40; stops += 1) await keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "e2");
  await keyboard.press("Enter");
  assert.equal(await visitor.square("e2").getAttribute("aria-selected"), "true");
  for (let steps = 0; steps < 3; steps += 1) await keyboard.press("ArrowUp");
  await keyboard.press("Enter");
  assert.equal(await page.locator("#live").textContent(), "There is no legal move from e2 to e5.");
  for (let steps = 0; steps < 3; steps += 1) await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await keyboard.press("ArrowUp");
  await keyboard.press("ArrowUp");
  assert.match(await visitor.square("e4").getAttribute("aria-label"), /e4, empty, can go here/);
  await keyboard.press("Enter");
  await visitor.waitFor("e4", "wP");
  // The board shows the move at once; it is announced after the server's response.
  await page.locator(".move[data-ply='1']").waitFor();
  assert.match(await page.locator("#live").textContent(), /pawn to e4/);
  // The list is one tab stop before the field, however long the game.
  assert.equal(await page.locator(".move-list .move:not([tabindex='-1'])").count(), 1);
  // Moves can be typed.
  await keyboard.press("/");
  await keyboard.type("Nc6");
  await keyboard.press("Enter");
  await visitor.waitFor("c6", "bN");
  await visitor.square("a1").focus();
  await keyboard.press("[");
  await visitor.waitFor("b8", "bN");
  await keyboard.press("]");
  await visitor.waitFor("c6", "bN");
  await keyboard.press("f");
  assert.equal(await page.locator("[role=gridcell]").first().getAttribute("data-square"), "h1");
  await keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
  assert.equal(await page.locator("dialog").evaluate((dialog) => dialog.scrollTop), 0);
  await keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
});

test("arrow keys and wheel step through the game unless the cursor is on", {}, async (visitor) => {
  const { page } = visitor;
  const { keyboard } = page;
  await visitor.open("?variant=chess&white=human&black=human");
  for (const [ply, [from, to, piece]] of [
    ["e2", "e4", "wP"],
    ["e7", "e5", "bP"],
    ["g1", "f3", "wN"],
  ].entries()) {
    await visitor.click(from, to);
    await visitor.waitFor(to, piece);
    // A move is drawn before the server has accepted it.
    await page.locator(`.move[data-ply='${ply + 1}']`).waitFor();
  }
  // The pointer gave the board the focus, without a cursor.
  await keyboard.press("ArrowLeft");
  await visitor.waitFor("g1", "wN");
  await keyboard.press("ArrowUp");
  await visitor.waitFor("e2", "wP");
  await keyboard.press("ArrowRight");
  await visitor.waitFor("e4", "wP");
  await keyboard.press("ArrowDown");
  await visitor.waitFor("f3", "wN");
  await visitor.square("d4").hover();
  await page.mouse.wheel(0, -120);
  await visitor.waitFor("g1", "wN");
  await page.mouse.wheel(0, 120);
  await visitor.waitFor("f3", "wN");
  await keyboard.press("b");
  const before = await page.evaluate(() => document.activeElement.dataset.square);
  await keyboard.press("ArrowLeft");
  assert.equal(
    await page.evaluate(() => document.activeElement.dataset.square.charCodeAt(0)),
    before.charCodeAt(0) - 1,
  );
  assert.equal(await visitor.pieceOn("f3"), "wN");
  await keyboard.press("Escape");
  await keyboard.press("ArrowLeft");
  await visitor.waitFor("g1", "wN");
});

test("shortcuts on other keyboard layouts", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='1']").waitFor();
  const press = (key) =>
    page.evaluate((key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...key })), key);
  // A Russian f; a German [ with AltGr, which Windows reports as Ctrl and Alt; Caps Lock.
  await press({ key: "\u0430", code: "KeyF" });
  assert.equal(await page.locator("[role=gridcell]").first().getAttribute("data-square"), "h1");
  await press({ key: "[", code: "Digit8", ctrlKey: true, altKey: true, modifierAltGraph: true });
  await visitor.waitFor("e2", "wP");
  await press({ key: "F", code: "KeyF" });
  assert.equal(await page.locator("[role=gridcell]").first().getAttribute("data-square"), "a8");
  // On AZERTY the a is where QWERTY has the q.
  await press({ key: "q", code: "KeyA" });
  assert.equal(await page.getByRole("switch", { name: "Analysis" }).getAttribute("aria-checked"), "false");
  await press({ key: "m", code: "Semicolon" });
  assert.equal(await page.evaluate(() => document.activeElement.id), "typed");
});

test("a setup by keyboard", { reducedMotion: "reduce" }, async (visitor) => {
  const { page } = visitor;
  const fen = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
  await visitor.open(`?variant=fischerbenko&white=human&black=human&fen=${encodeURIComponent(fen)}`);
  await page.locator(".strip[data-color=white] .hand-piece[data-role=N]").focus();
  await page.keyboard.press("Enter");
  const square = await page.evaluate(() => document.activeElement.dataset.square);
  await page.keyboard.press("Enter");
  await visitor.waitFor(square, "wN");
});

for (const scheme of ["light", "dark"]) {
  test(`no serious axe violation, ${scheme}`, { colorScheme: scheme, reducedMotion: "reduce" }, async (visitor) => {
    const { page } = visitor;
    await visitor.open();
    await page.locator(".card.game").first().waitFor();
    await visitor.checkAccess(axe, "the gallery");
    await page.getByRole("button", { name: "Options for Jepps" }).click();
    await visitor.checkAccess(axe, "the dialog");
    await visitor.open("?edit");
    await visitor.checkAccess(axe, "the board editor");
    await visitor.open("?variant=jepps&white=human&black=human");
    await visitor.checkAccess(axe, "a setup");
    await visitor.open("?variant=ifrc&start=518&white=human&black=human");
    await visitor.click("e3", "e5");
    await visitor.waitFor("e5", "wP");
    await page.keyboard.press("a");
    await page.locator(".lines li").first().waitFor();
    await visitor.checkAccess(axe, "a game under analysis");
    await page.keyboard.press("?");
    await visitor.checkAccess(axe, "the help");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Settings" }).click();
    await visitor.checkAccess(axe, "the settings");
  });
}

for (const [name, options] of [
  ["a desktop", {}],
  ["a phone", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
]) {
  test(`steps and clicks announce the move, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.open("?variant=chess&white=human&black=human");
    for (const text of ["e4", "d5", "exd5"]) await visitor.ask(`/games/${visitor.gameId()}/turn`, { text });
    await page.locator(".move[data-ply='3'][aria-current]").waitFor();
    const heard = (text) => page.locator("#live", { hasText: text }).waitFor({ state: "attached" });
    await heard("White: e takes d5");
    await page.keyboard.press("ArrowLeft");
    await heard(/^Black: pawn to d5$/);
    await page.keyboard.press("ArrowUp");
    await heard(/^Starting position$/);
    await page.keyboard.press("ArrowRight");
    await heard(/^White: pawn to e4$/);
    await page.locator(".move[data-ply='2']").click();
    await heard(/^Black: pawn to d5$/);
    await page.getByRole("button", { name: "Forward (])" }).click();
    await heard(/^White: e takes d5$/);
    await page.locator(".move[data-ply='2']").click();
    await visitor.click("b1", "c3");
    await heard(/^Variation, White: knight to c3$/);
    await page.getByRole("button", { name: "Back ([)" }).click();
    await heard(/^Black: pawn to d5$/);
  });
}

test("Escape leaves the field to type a move", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='1']").waitFor();
  await page.keyboard.press("m");
  await page.keyboard.type("Nc6");
  await page.keyboard.press("Escape");
  assert.notEqual(await page.evaluate(() => document.activeElement.id), "typed");
  assert.equal(await page.locator("#typed").inputValue(), "Nc6");
  await page.keyboard.press("ArrowLeft");
  await visitor.waitFor("e2", "wP");
});

for (const height of [640, 256]) {
  test(`nothing is wider than 320 pixels, ${height} high`, { viewport: { width: 320, height } }, async (visitor) => {
    const { page } = visitor;
    const assertFits = async (what) => {
      const wide = await page.evaluate(() => {
        const scrolls = ".move-list, .placed, .lines .line, .unseen";
        const root = document.querySelector("dialog[open]") ?? document.body;
        return [...root.querySelectorAll("*")]
          .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5 && !one.closest(scrolls))
          .map((one) => one.outerHTML.slice(0, 90));
      });
      assert.deepEqual(wide, [], what);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320, what);
    };
    await visitor.open();
    await page.locator(".card.game").first().waitFor();
    await assertFits("the gallery");
    const cut = await page.locator(".quick select").evaluateAll((all) =>
      all.flatMap((one) => {
        const probe = document.createElement("select");
        probe.style.cssText = `position: absolute; font: ${getComputedStyle(one).font}`;
        probe.append(new Option(one.selectedOptions[0].textContent));
        document.body.append(probe);
        const { offsetWidth } = probe;
        probe.remove();
        return offsetWidth > one.offsetWidth ? [one.value] : [];
      }),
    );
    assert.deepEqual(cut, []);
    await page.getByRole("button", { name: "Options for Jepps" }).click();
    await page.locator("#new-clock").selectOption("own");
    await assertFits("the dialog");
    const [inner, outer] = await page.locator("dialog").evaluate((one) => [one.scrollWidth, one.clientWidth]);
    assert.ok(inner <= outer + 1, "nothing in the dialog is wider than it");
    await visitor.open("?edit");
    await assertFits("the board editor");
    // "none" has as much space as the list needs.
    const widths = await page.locator("#passant").evaluate((one) => {
      const own = one.offsetWidth;
      one.style.cssText = "width: auto; min-width: 0";
      return [own, one.offsetWidth];
    });
    assert.ok(widths[0] >= widths[1], `${widths}`);
    await visitor.open("?variant=jepps&white=human&black=human&dice=own");
    await assertFits("dice to type");
    const fen = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    await visitor.open(`?variant=fischerbenko&white=human&black=human&fen=${encodeURIComponent(fen)}`);
    await assertFits("hands");
    await visitor.open("?variant=ifrc&start=518&white=human&black=human");
    await visitor.ask(`/games/${visitor.gameId()}/turn`, { text: "e3e5" });
    await page.locator(".move[data-ply='1']").waitFor();
    await page.keyboard.press("a");
    await page.locator(".lines li").first().waitFor();
    await assertFits("a game under analysis");
    await page.keyboard.press("?");
    await assertFits("the help");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Settings" }).click();
    await assertFits("the settings");
    await page.goto(`${visitor.url}?games`);
    await page.locator(".games li").first().waitFor();
    await assertFits("the list of games");
    await page.goto(`${visitor.url}?puzzles=chess960`);
    await page.locator("[role=gridcell]").first().waitFor();
    await assertFits("a puzzle");
  });
}
