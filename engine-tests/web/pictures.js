// The README's pictures of the page: small, and of what a visitor sees first.

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { useFolder, Visitor } from "./harness.js";

const MOST_BYTES = 150_000;

/** What is shown: the gallery, a game of IFRC under analysis, a set-up with dice, a phone. */
const PICTURES = {
  gallery: [{ width: 1000, height: 640 }, "light", async (visitor) => {
    await visitor.open();
    await visitor.page.locator(".card.game").first().waitFor();
  }],
  ifrc: [{ width: 1300, height: 760 }, "dark", async (visitor) => {
    const { page } = visitor;
    await visitor.open("?variant=ifrc&start=518&white=human&black=human");
    for (const san of ["e5", "e6", "Nd4", "Nd7", "f5"]) {
      const plies = await page.locator(".move[data-ply]").count();
      await page.keyboard.press("/");
      await page.keyboard.type(san);
      await page.keyboard.press("Enter");
      await page.locator(`.move[data-ply="${plies + 1}"]`).waitFor();
    }
    await page.getByRole("switch", { name: "Analysis" }).click();
    await page.waitForFunction(() => Number(document.querySelector(".analysis-head .faint").textContent.match(/depth (\d+)/)?.[1]) >= 12);
  }],
  jepps: [{ width: 1000, height: 700 }, "light", async (visitor) => {
    const { page } = visitor;
    await visitor.open("?variant=jepps&white=human&black=human&dice=own");
    for (const [first, second, role] of [[2, 4, "N"], [6, 1, "K"], [4, 3, "R"], [5, 3, null]]) {
      await page.getByRole("button", { name: `Die 1: ${first}`, exact: true }).click();
      await page.getByRole("button", { name: `Die 2: ${second}`, exact: true }).click();
      if (role) await page.locator(`button.offered[data-role=${role}]`).click();
      else await page.locator("button.offered").first().waitFor();
      await page.waitForTimeout(300);
    }
  }],
};

/** Draws all of them into a folder. */
export async function takePictures(browser, url, folder) {
  mkdirSync(folder, { recursive: true });
  let bytes = 0;
  for (const [name, [viewport, colorScheme, prepare]] of Object.entries(PICTURES)) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
    await useFolder(context);
    const visitor = new Visitor(await context.newPage(), url);
    await prepare(visitor);
    const path = join(folder, `${name}.jpg`);
    await visitor.page.screenshot({ path, type: "jpeg", quality: 72 });
    bytes += statSync(path).size;
    await context.close();
  }
  console.log(`${Math.round(bytes / 1000)} KB of pictures in ${folder}`);
  if (bytes > MOST_BYTES) throw new Error(`the pictures are to be under ${MOST_BYTES / 1000} KB`);
}
