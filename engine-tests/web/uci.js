// Runs the npm package in Chromium as a UCI engine on standard input and output:
//
//   make npm && npm ci && node uci.js ../../target/npm

import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { findBrowser, serveFolder } from "./harness.js";

const server = await serveFolder(process.argv[2]);
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  await page.exposeFunction("print", (text) => process.stdout.write(`${text}\n`));
  // Any page of the folder's host will do.
  await page.goto(`${server.url}index.js`);
  await page.evaluate(async () => {
    const { start } = await import("/index.js");
    globalThis.engine = await start({ line: globalThis.print });
  });
  createInterface({ input: process.stdin })
    .on("line", (text) => page.evaluate((line) => globalThis.engine.send(line), text))
    .on("close", () => page.evaluate(() => globalThis.engine.end()).catch(() => {}));
  await page.evaluate(() => globalThis.engine.ended);
} finally {
  process.stdin.destroy(); // it may stay open after `quit`
  await browser.close();
  await server.stop();
}
