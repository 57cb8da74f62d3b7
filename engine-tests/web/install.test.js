// The page can be installed as an app with its own window.

import assert from "node:assert/strict";
import { test } from "./harness.js";

test("the browser can install the page", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  const session = await page.context().newCDPSession(page);
  const { url, errors, manifest } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.equal(url, `${visitor.url}page/manifest.webmanifest`);
  assert.equal(new URL(manifest.startUrl, url).href, visitor.url);
  assert.match(manifest.display, /standalone/i);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A test's window has no profile, so it cannot install anything.
  assert.deepEqual(
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"),
    [],
  );
  const icons = await page.evaluate(
    async (icons) =>
      Promise.all(
        icons.map(async ({ url, sizes }) => {
          const image = new Image();
          image.src = url;
          await image.decode();
          return ["any", "0x0"].includes(sizes) || sizes === `${image.naturalWidth}x${image.naturalHeight}`;
        }),
      ),
    manifest.icons,
  );
  assert.deepEqual(icons, [true, true]);
});
