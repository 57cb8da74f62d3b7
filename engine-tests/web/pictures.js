// The README's pictures of the page: small, and of what a visitor sees first.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useFolder, Visitor } from "./harness.js";

const MOST_BYTES = 150_000;

/** The pictures: the gallery, an analysed game of IFRC, a setup with dice. */
const PICTURES = {
  gallery: [
    { width: 900, height: 540 },
    "light",
    async (visitor) => {
      await visitor.open();
      await visitor.page.locator(".card.game").first().waitFor();
    },
  ],
  ifrc: [
    { width: 1290, height: 740 },
    "dark",
    async (visitor) => {
      const { page } = visitor;
      await visitor.open("?variant=ifrc&start=518&white=human&black=human");
      for (const san of ["e5", "e6", "Nd4", "Nd7", "f5"]) {
        const plies = await page.locator(".move[data-ply]").count();
        await page.locator("#typed").fill(san);
        await page.keyboard.press("Enter");
        await page.locator(`.move[data-ply="${plies + 1}"]`).waitFor();
      }
      await page.getByRole("switch", { name: "Analysis" }).click();
      await page.waitForFunction(
        () => Number(document.querySelector(".analysis-head .faint").textContent.match(/depth (\d+)/)?.[1]) >= 12,
      );
    },
  ],
  jepps: [
    { width: 900, height: 640 },
    "light",
    async (visitor) => {
      const { page } = visitor;
      await visitor.open("?variant=jepps&white=human&black=human&dice=own");
      for (const [first, second, role] of [
        [2, 4, "N"],
        [6, 1, "K"],
        [4, 3, "R"],
        [5, 3, null],
      ]) {
        await page.getByRole("button", { name: `Die 1: ${first}`, exact: true }).click();
        await page.getByRole("button", { name: `Die 2: ${second}`, exact: true }).click();
        if (role) await page.locator(`button.offered[data-role=${role}]`).click();
        else await page.locator("button.offered").first().waitFor();
        await page.waitForTimeout(300);
      }
    },
  ],
};

/** Makes a PNG small, by the browser's own encoder. */
async function asWebp(context, png) {
  const page = await context.newPage();
  const base64 = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.8).split(",")[1];
  }, png.toString("base64"));
  return Buffer.from(base64, "base64");
}

/** Draws all pictures into a folder. */
export async function takePictures(browser, server, folder) {
  mkdirSync(folder, { recursive: true });
  let bytes = 0;
  for (const [name, [viewport, colorScheme, prepare]] of Object.entries(PICTURES)) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
    await useFolder(context);
    const visitor = new Visitor(await context.newPage(), server);
    await prepare(visitor);
    const picture = await asWebp(context, await visitor.page.screenshot());
    writeFileSync(join(folder, `${name}.webp`), picture);
    bytes += picture.length;
    await context.close();
  }
  console.log(`${Math.round(bytes / 1000)} KB of pictures in ${folder}`);
  if (bytes > MOST_BYTES) throw new Error(`the pictures must be under ${MOST_BYTES / 1000} KB`);
}
