// Moves of every kind: promotion, both castlings in both ways, en passant, relocation, premoves, drawing.

import assert from "node:assert/strict";
import { boxOf, SIZES, test } from "./harness.js";

const people = (variant, fen) => `?variant=${variant}&white=human&black=human&fen=${encodeURIComponent(fen)}`;

test("a pawn promotes to the chosen piece", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open(people("chess", "8/P6k/8/8/7p/8/6KP/8 w - - 0 1"));
  await visitor.click("a7", "a8");
  await page.locator(".promotion[data-role=N]").click();
  await visitor.waitFor("a8", "wN");
  await page.getByRole("button", { name: "Take back" }).click();
  await visitor.waitFor("a7", "wP");
  await visitor.drag("a7", "a8");
  await page.keyboard.press("Escape");
  assert.equal(await visitor.pieceOn("a7"), "wP");
});

test("castling by king to rook and by king two squares", {}, async (visitor) => {
  const fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
  await visitor.open(people("chess960", fen));
  await visitor.drag("e1", "h1");
  await visitor.waitFor("g1", "wK");
  await visitor.waitFor("f1", "wR");
  await visitor.click("e8", "c8");
  await visitor.waitFor("c8", "bK");
  await visitor.waitFor("d8", "bR");
  await visitor.page.locator(".move[data-ply='2']").waitFor();
  assert.deepEqual(
    (await visitor.state()).turns.map((turn) => turn.san),
    ["O-O", "O-O-O"],
  );
});

test("castling on ten files", {}, async (visitor) => {
  await visitor.open(people("ifrc", "9k/10/10/10/10/10/10/10/1R3K2R1/10 w IB - 0 1"));
  await visitor.click("f2", "i2");
  await visitor.waitFor("h2", "wK");
  await visitor.waitFor("g2", "wR");
});

test("illegal castling is refused with a reason", {}, async (visitor) => {
  await visitor.open(people("chess960", "3r3k/8/8/8/8/8/8/R3K3 w A - 0 1"));
  await visitor.click("e1", "a1");
  await visitor.page.locator("#toast:not([hidden])").waitFor();
  assert.equal(await visitor.pieceOn("e1"), "wK");
  // The browser itself reports the error response; that is not a message of the page.
  visitor.said = visitor.said.filter((text) => !text.includes("422"));
});

test("en passant, check and the last move", {}, async (visitor) => {
  await visitor.open(people("chess", "4k3/3p4/8/4P3/8/8/8/4K2R b K - 0 1"));
  await visitor.click("d7", "d5");
  await visitor.waitFor("d5", "bP");
  await visitor.click("e5", "d6");
  await visitor.waitFor("d5", null);
  await visitor.click("e8", "e7");
  await visitor.page.locator("[data-square=d6].last, [data-square=e7].check").first().waitFor();
});

test("a king relocates in Jepps", {}, async (visitor) => {
  await visitor.open(people("jepps", "7k/7p/8/8/8/8/7P/4KB2 w K - 0 1"));
  await visitor.square("e1").click();
  assert.match(await visitor.square("g1").getAttribute("aria-label"), /can relocate here/);
  await visitor.page.locator("[data-square=g1].relocation").waitFor();
  assert.equal(await visitor.page.locator("[data-square=d1].relocation").count(), 0, "a step is not a relocation");
  await visitor.square("g1").click();
  await visitor.waitFor("g1", "wK");
  await visitor.waitFor("f1", "wB");
  await visitor.page.locator(".move", { hasText: "relocates" }).waitFor();
});

test("a premove is played at its turn", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=engine&level=12");
  // The engine may reply before the premove is made: then the next move is tried.
  const moves = [
    ["a2", "a3"],
    ["b2", "b3"],
    ["c2", "c3"],
    ["d2", "d3"],
    ["e2", "e3"],
    ["f2", "f3"],
    ["g2", "g3"],
    ["h2", "h3"],
  ];
  let premoved = false;
  for (let index = 0; index + 1 < moves.length && !premoved; index += 1) {
    await visitor.click(...moves[index]);
    await visitor.click(...moves[index + 1]);
    premoved = (await page.locator(".cell.premove").count()) === 2;
    if (premoved) await visitor.waitFor(moves[index + 1][1], "wP");
    else index += 1;
    await visitor.settled();
  }
  assert.ok(premoved, "the engine never took as long as two clicks");
  await page.locator(".cell.premove").first().waitFor({ state: "detached" });
});

test("arrows and marked squares by the right button", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human");
  const at = async (name) => {
    const box = await boxOf(visitor.square(name));
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await at("e2")));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...(await at("e4")));
  await page.mouse.up({ button: "right" });
  await visitor.square("d5").click({ button: "right" });
  assert.equal(await page.locator(".arrows .arrow.green").count(), 1);
  assert.equal(await page.locator(".arrows .mark.green").count(), 1);
  await visitor.square("a5").click();
  assert.equal(await page.locator(".arrows > *").count(), 0);
});

test("a clock goes on while an earlier position is shown", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=chess&white=human&black=human&clock=5:00");
  await visitor.click("e2", "e4");
  await page.locator(".clock.runs", { hasText: /^4:([0-4]\d|5[0-7])$/ }).waitFor();
  await page.keyboard.press("[");
  await page.locator("[data-square=e2][data-piece=wP]").waitFor();
  assert.ok((await page.locator(".clock.runs").textContent()) <= "4:57");
});

for (const [name, options] of SIZES) {
  test(
    `a finger that rests draws, and a pawn may become a queen at once, on ${name}`,
    { ...options, hasTouch: true },
    async (visitor) => {
      const { page } = visitor;
      const fen = encodeURIComponent("1n2k3/P6p/8/8/8/8/7P/4K3 w - - 0 1");
      await visitor.open(`?variant=chess&white=human&black=human&fen=${fen}`);
      const session = await page.context().newCDPSession(page);
      const touch = async (type, square) => {
        const box = square && (await boxOf(visitor.square(square)));
        const touchPoints = box ? [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }] : [];
        await session.send("Input.dispatchTouchEvent", { type, touchPoints });
      };
      const drawn = (selector, count) =>
        page.waitForFunction(
          ([selector, count]) => document.querySelectorAll(selector).length === count,
          [`.arrows .${selector}`, count],
        );
      await touch("touchStart", "h2");
      await drawn("mark.green", 1);
      await touch("touchEnd");
      await touch("touchStart", "a7");
      await drawn("mark.green", 2);
      await touch("touchMove", "d4");
      await drawn("arrow.green", 1);
      await touch("touchEnd");
      await drawn("mark.green", 1);
      assert.equal(await visitor.pieceOn("a7"), "wP");
      await visitor.square("d4").tap();
      await drawn("green", 0);
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByLabel("Always a queen").check();
      await page.getByRole("button", { name: "Close" }).click();
      await visitor.square("a7").tap();
      await visitor.square("b8").tap();
      await visitor.waitFor("b8", "wQ");
      await page.locator(".move[data-ply='1']", { hasText: "axb8=Q" }).waitFor();
    },
  );
}
