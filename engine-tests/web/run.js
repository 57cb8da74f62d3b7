// Runs the browser tests of the page (firefox.js runs some of them in Firefox):
//
//   npm ci && node run.js [--server PATH | --site FOLDER] [--only WORDS] [--pictures]
//
// They are skipped without Chromium, playwright-core (`npm ci`) or a built server. --site tests the page without a
// server, in the folder where `make site` put it. If there is a server, games are also sent to it and back.
// --pictures draws the README's pictures into book/pictures instead. THROTTLE=5 in the environment makes the page's
// processor five times as slow, which finds tests that depend on timing.

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findBrowser, findServer, ROOT, runTests, serveFolder, skip, startServer } from "./harness.js";

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    server: { type: "string" },
    site: { type: "string" },
    only: { type: "string" },
    pictures: { type: "boolean" },
  },
});

const program = values.server ?? findServer();
if (!program && !values.site) skip("there is no server: cargo build --release, or --server PATH");
const executablePath = findBrowser();
if (!executablePath) skip("there is no Chromium (apt-get install chromium, or set CHROMIUM)");
const { chromium } = await import("playwright-core").catch(() =>
  skip("playwright-core is missing: npm ci in engine-tests/web"),
);

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const server = { program, ...(await (values.site ? serveFolder(values.site) : startServer(program))) };
let failed = 1;
try {
  if (values.pictures) {
    const { takePictures } = await import("./pictures.js");
    await takePictures(browser, server, join(ROOT, "book", "pictures"));
    failed = 0;
  } else {
    for (const file of readdirSync(here)
      .filter((name) => name.endsWith(".test.js"))
      .sort())
      await import(`./${file}`);
    failed = await runTests(browser, server, values.only, values.site ? "site" : "server");
  }
} finally {
  await browser.close();
  await server.stop();
}
process.exit(failed ? 1 : 0);
