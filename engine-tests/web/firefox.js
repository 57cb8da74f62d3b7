// Tests of the page in Firefox, for what differs between browsers. run.js runs all tests, in Chromium.
//
//   npm ci && node firefox.js [--server PATH]
//
// They are skipped without Firefox (Debian's firefox-esr, or the path in FIREFOX), puppeteer-core or a server.

import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import assert from "node:assert/strict";
import { findServer, skip, startServer } from "./harness.js";

const { values } = parseArgs({ options: { server: { type: "string" } } });
const executablePath = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find(
  (path) => path && existsSync(path),
);
if (!executablePath) skip("there is no Firefox (apt-get install firefox-esr, or set FIREFOX)");
const program = values.server ?? findServer();
if (!program) skip("there is no server: cargo build --release, or --server PATH");
const { default: puppeteer } = await import("puppeteer-core").catch(() =>
  skip("puppeteer-core is missing: npm ci in engine-tests/web"),
);

const piece = (square, code) => `[data-square="${square}"]${code ? `[data-piece="${code}"]` : ":not([data-piece])"}`;
const tests = {
  async "a game by clicks and by dragging, with the engine's replies"(page, url) {
    await page.goto(`${url}?variant=chess&white=human&black=engine&level=3`);
    for (const square of ["e2", "e4"]) await page.locator(piece(square, square === "e2" && "wP")).click();
    await page.locator(".move[data-ply='2']").wait();
    const [from, to] = await Promise.all(
      ["d2", "d4"].map(async (square) => (await page.$(`[data-square=${square}]`)).clickablePoint()),
    );
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    await page.locator(piece("d4", "wP")).wait();
    await page.locator(".move[data-ply='4']").wait();
    await page.reload();
    await page.locator(".move[data-ply='4']").wait();
  },
  async "a game by keys"(page, url) {
    await page.goto(`${url}?variant=ifrc&start=518&white=human&black=human`);
    await page.locator(piece("e3", "wP")).wait();
    await page.keyboard.press("m");
    await page.keyboard.type("e5");
    await page.keyboard.press("Enter");
    await page.locator(piece("e5", "wP")).wait();
  },
  async "analysis with its bar and arrows"(page, url) {
    await page.goto(`${url}?variant=chess960&start=518&white=human&black=human`);
    await page.locator("button[role=switch]").click();
    await page.locator(".lines li:nth-child(3)").wait();
    await page.locator(".arrows .engine").wait();
    await page.locator(".bar .number").wait();
  },
  async "a setup with dice"(page, url) {
    await page.goto(`${url}?variant=jepps&white=human&black=human`);
    await page.locator("button.roll").click();
    await page.locator("button.offered").click();
    await page.locator("[data-square=a1][data-piece]").wait();
  },
  async "settings are kept"(page, url) {
    await page.goto(`${url}?variant=chess&white=human&black=human`);
    await page.locator("button[aria-label=Settings]").click();
    await page.locator("dialog input[name=board][value=blue]").click();
    await page.locator("dialog input[name=pieces][value=plain]").click();
    await page.reload();
    await page.locator(piece("e1", "wK")).wait();
    assert.deepEqual(
      await page.evaluate(() => [
        document.documentElement.dataset.board,
        getComputedStyle(document.querySelector("[data-square=a1]")).backgroundColor,
      ]),
      ["blue", "rgb(124, 151, 179)"],
    );
  },
  async "a link with moves, and a picture"(page, url) {
    await page.goto(`${url}#variant=chess&white=human&black=human&moves=e2e4.e7e5&ply=1`);
    await page.locator(".move[data-ply='1'][aria-current]").wait();
    const size = await page.evaluate(async () => {
      const { picture } = await import(new URL("page/picture.js", document.baseURI));
      const cells = [...document.querySelectorAll("[role=gridcell]")];
      return (await picture({ view: { size: 8 }, cells: new Map(cells.map((cell) => [cell.dataset.square, cell])) }))
        .size;
    });
    assert.ok(size > 10_000, `${size} bytes`);
  },
};

const server = await startServer(program);
const browser = await puppeteer.launch({ browser: "firefox", executablePath });
let failed = 0;
for (const [name, run] of Object.entries(tests)) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 860 });
  page.setDefaultTimeout(30_000);
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  try {
    await run(page, server.url);
    assert.deepEqual(said, [], "there were messages on the console");
    console.log(`ok    Firefox: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  Firefox: ${name}\n${error.stack}\n${said.join("\n")}`);
  }
  await context.close();
}
await browser.close();
await server.stop();
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
