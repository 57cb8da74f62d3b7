// Starts the server and the browser, runs the tests one after another, and has helpers to play.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const START_MS = 20_000;

/** Returns the path of a browser, or undefined. */
export function findBrowser() {
  return BROWSERS.find((path) => path && existsSync(path));
}

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the path of a built program, or undefined. */
export function findServer() {
  return ["release", "debug"]
    .map((profile) => join(ROOT, "target", profile, "aleator"))
    .find((path) => existsSync(path));
}

/** Exits successfully where something is missing. */
export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(0);
}

/** Takes the page's files from the folder ALEATOR_PAGE, if it is set: no build is needed while editing. */
export async function useFolder(context) {
  const folder = process.env.ALEATOR_PAGE;
  const serve = (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: join(folder, basename(pathname) || "index.html") });
  };
  if (folder) await context.route((url) => url.pathname === "/" || url.pathname.startsWith("/page/"), serve);
}

/** Starts `aleator serve` with its own data folder; resolves to { url, folder, stop }. */
export function startServer(program) {
  const data = mkdtempSync(join(tmpdir(), "aleator-web-"));
  const env = { ...process.env };
  const child = spawn(program, ["serve", "--port", "0", "--folder", data], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = () =>
    new Promise((resolve) => {
      child.once("exit", () => {
        rmSync(data, { recursive: true, force: true });
        resolve();
      });
      child.kill("SIGINT");
      setTimeout(() => child.kill("SIGKILL"), 3000).unref();
    });
  return new Promise((resolve, reject) => {
    let said = "";
    const late = setTimeout(() => reject(new Error(`the server did not print its address: ${said}`)), START_MS);
    child.stdout.on("data", (chunk) => {
      said += chunk;
      const url = said.match(/http:\/\/127\.0\.0\.1:\d+\//)?.[0];
      if (!url) return;
      clearTimeout(late);
      resolve({ url, folder: data, stop });
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

const TYPES = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** Serves the files of a folder, like any web host; resolves to { url, stop }. */
export function serveFolder(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (!existsSync(path)) return response.writeHead(404).end();
    return response
      .writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" })
      .end(readFileSync(path));
  });
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve({ url: `http://127.0.0.1:${server.address().port}/`, stop })),
  );
}

/** A page with helpers. Its console messages are kept, because there should be none. */
export class Visitor {
  constructor(page, { url, folder, program }) {
    Object.assign(this, { page, url, folder, program });
    this.said = [];
    page.on("console", (message) => this.said.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.said.push(`error: ${error.stack}`));
    page.setDefaultTimeout(15_000);
  }

  /** Opens an address of the page and waits for the board. */
  async open(query = "") {
    await this.page.goto(this.url + query);
    if (query) await this.page.locator("[role=gridcell]").first().waitFor();
  }

  square(name) {
    return this.page.locator(`[role=gridcell][data-square="${name}"]`);
  }

  async pieceOn(name) {
    return this.square(name).getAttribute("data-piece");
  }

  /** Waits until a square has a piece, or is empty (null). */
  async waitFor(name, piece) {
    const wanted = piece === null ? ":not([data-piece])" : `[data-piece="${piece}"]`;
    await this.page.locator(`[data-square="${name}"]${wanted}`).waitFor();
  }

  async click(from, to) {
    await this.square(from).click();
    await this.square(to).click();
  }

  async drag(from, to) {
    await this.square(from).dragTo(this.square(to));
  }

  /** Waits until it is a person's turn again ("turn") or the game is over ("over"). */
  async settled() {
    return this.page
      .waitForFunction(
        () => {
          if (document.querySelector(".result")) return "over";
          const mine = document.querySelector(".strip.to-move .name")?.textContent ?? "";
          return mine && !mine.startsWith("Aleator") && !document.querySelector(".thinking") ? "turn" : false;
        },
        null,
        { timeout: 60_000, polling: 30 },
      )
      .then((handle) => handle.jsonValue());
  }

  /** Opens a text in the field of the first page. */
  async paste(text) {
    await this.open();
    await this.page.getByLabel("PGN, FEN or record").fill(text);
    await this.page.getByRole("button", { name: "Open", exact: true }).click();
  }

  /** Returns the controls that the message covers. */
  async coveredByToast() {
    return this.page.evaluate(() => {
      const toast = document.getElementById("toast").getBoundingClientRect();
      const controls = [...document.querySelectorAll("button, a, input, select, summary")].map((one) => [
        one.textContent,
        one.getBoundingClientRect(),
      ]);
      return controls
        .filter(
          ([, box]) =>
            box.width > 0
            && box.right > toast.left
            && box.left < toast.right
            && box.bottom > toast.top
            && box.top < toast.bottom,
        )
        .map(([text]) => text);
    });
  }

  /** Drops the browser's own reports of error responses, which are not messages of the page. */
  forgive() {
    this.said = this.said.filter((text) => !/status of 4\d\d/.test(text));
  }

  /** Sends a request to the app through the page's own transport. */
  async ask(path, body) {
    return this.page.evaluate(
      async ([path, body]) => {
        const { ask } = await import(new URL("page/transport.js", document.baseURI));
        const { type, text } = await ask(body === undefined ? "GET" : "POST", path, body && JSON.stringify(body));
        return type.includes("json") ? JSON.parse(text) : text;
      },
      [path, body],
    );
  }

  /** Returns the text of the file that a click saves. */
  async saved(button) {
    const [file] = await Promise.all([this.page.waitForEvent("download"), button.click()]);
    const chunks = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  /** Returns the state of the game on the screen, from the app. */
  state() {
    return this.ask(`/games/${this.gameId()}`);
  }

  gameId() {
    return new URL(this.page.url()).searchParams.get("game");
  }

  /** Fails on serious violations found by axe. */
  async checkAccess(axe, what) {
    await this.page.evaluate(axe);
    const found = await this.page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const words = serious.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes
          .slice(0, 3)
          .map((node) => node.html)
          .join("; ")}`,
    );
    assert.deepEqual(words, [], `axe on ${what}`);
  }
}

/** Returns the box of a visible element, even while the page replaces the element. */
export async function boxOf(locator) {
  await locator.waitFor();
  return (await locator.boundingBox()) ?? boxOf(locator);
}

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** The sizes at which most of the page is tested: names with options of the browser's context. */
export const SIZES = [
  ["a desktop", {}],
  ["a phone", PHONE],
];

const tests = [];

/** Declares a test; `options` go to the browser's context, and `backend` names the only one that runs it. */
export function test(name, options, run) {
  tests.push({ name, options, run });
}

/** Runs the declared tests whose names contain `only`. Returns how many failed, or 1 if there are none. */
export async function runTests(browser, server, only, backend) {
  let failed = 0;
  const isWanted = ({ name, options }) => (!only || name.includes(only)) && (options.backend ?? backend) === backend;
  const wanted = tests.filter(isWanted);
  if (wanted.length === 0) {
    console.log(`no test has a name that contains '${only}'`);
    return 1;
  }
  for (const { name, options, run } of wanted) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
    if (backend === "server") await useFolder(context);
    // Turns off the engine's pauses.
    await context.addInitScript(() => {
      if (location.protocol.startsWith("http") && !localStorage.getItem("aleator.newgame"))
        localStorage.setItem("aleator.newgame", JSON.stringify({ pauses: false }));
    });
    const page = await context.newPage();
    if (process.env.THROTTLE) {
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: Number(process.env.THROTTLE) });
    }
    const visitor = new Visitor(page, server);
    const begun = Date.now();
    try {
      await run(visitor);
      assert.deepEqual(visitor.said, [], "there were messages on the console");
      console.log(`ok    ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}\n${error.stack}\n${visitor.said.join("\n")}`);
      await visitor.page.screenshot({ path: join(tmpdir(), `aleator-fail-${failed}.png`) }).catch(() => {});
    }
    await context.close();
  }
  console.log(failed ? `${failed} of ${wanted.length} failed` : `all ${wanted.length} passed`);
  return failed;
}
