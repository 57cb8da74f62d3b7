// Sounds, checked with a mock of WebAudio that records the tones.

import assert from "node:assert/strict";
import { SIZES, test } from "./harness.js";

/** In the page, before its scripts: an AudioContext that records each tone in `heard`. */
function listenIn() {
  window.heard = [];
  window.volumes = [];
  const parameter = (then) => ({ setValueAtTime: then, exponentialRampToValueAtTime: () => {} });
  window.AudioContext = class {
    state = "running";
    currentTime = 0;
    destination = {};
    createGain() {
      return { gain: parameter((value) => window.volumes.push(value)), connect: () => {} };
    }
    createOscillator() {
      let hz = 0;
      return {
        frequency: parameter((value) => {
          hz = value;
        }),
        connect: () => {},
        start: (at) => window.heard.push([hz, at]),
        stop: () => {},
      };
    }
  };
}

/** Waits until `count` sounds were heard; returns their names. */
async function heard({ page }, count) {
  const firsts = await page.evaluate(async () => {
    const { SOUNDS } = await import(new URL("page/sound.js", document.baseURI));
    return Object.fromEntries(Object.entries(SOUNDS).map(([name, [first]]) => [first.hz, name]));
  });
  const handle = await page.waitForFunction(
    ([firsts, count]) => {
      const names = window.heard.filter(([hz, at]) => at === 0 && firsts[hz]).map(([hz]) => firsts[hz]);
      return names.length >= count && names;
    },
    [firsts, count],
  );
  return handle.jsonValue();
}

const MATE = "6k1/5ppp/8/4p3/3P4/8/5PPP/R5K1 w - - 0 1";

test("moves, captures, checks, the end and low time are heard", {}, async (visitor) => {
  const { page } = visitor;
  await page.addInitScript(listenIn);
  await visitor.open(`?variant=chess&white=human&black=human&fen=${encodeURIComponent(MATE)}`);
  await visitor.click("d4", "e5");
  assert.deepEqual(await heard(visitor, 1), ["capture"]);
  await visitor.click("h7", "h6");
  await page.locator(".move[data-ply='2']").waitFor();
  await visitor.click("a1", "a8");
  assert.deepEqual(await heard(visitor, 3), ["capture", "move", "check"]);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  assert.deepEqual(await heard(visitor, 4), ["capture", "move", "check", "end"]);
  const { id } = await visitor.ask("/games", {
    variant: "chess",
    white: "human",
    black: "human",
    clock: { base_ms: 19_000, increment_ms: 0 },
  });
  await visitor.open(`?game=${id}`);
  await visitor.click("e2", "e4");
  assert.deepEqual((await heard(visitor, 2)).sort(), ["low", "move"], "once, when the clock of the side to move runs");
});

test("sound is turned off by a button, and stays off until a key turns it on", {}, async (visitor) => {
  const { page } = visitor;
  await page.addInitScript(listenIn);
  await visitor.open("?variant=chess&white=human&black=human");
  await page.getByRole("button", { name: "Sound: on" }).click();
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='1']").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Sound: off" }).waitFor();
  await visitor.click("e7", "e5");
  await page.locator(".move[data-ply='2']").waitFor();
  assert.deepEqual(await page.evaluate(() => window.heard), []);
  await page.keyboard.press("s");
  await page.getByRole("button", { name: "Sound: on" }).waitFor();
  await visitor.click("g1", "f3");
  assert.deepEqual(await heard(visitor, 1), ["move"]);
});

for (const [name, options] of SIZES) {
  test(`the volume is a setting, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await page.addInitScript(listenIn);
    await visitor.open("?variant=chess&white=human&black=human");
    const volumes = [];
    for (const [choice, from, to] of [
      ["Normal", "e2", "e4"],
      ["Quiet", "e7", "e5"],
      ["Loud", "g1", "f3"],
    ]) {
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByRole("group", { name: "Volume" }).getByLabel(choice).check();
      await page.getByRole("button", { name: "Close" }).click();
      await visitor.click(from, to);
      await heard(visitor, volumes.length + 1);
      volumes.push(await page.evaluate(() => window.volumes.at(-2)));
    }
    const [normal, quiet, loud] = volumes;
    assert.ok(quiet < normal / 2 && loud > normal * 2, volumes.join(" "));
  });
}

test("without WebAudio, or where it fails, the game continues", {}, async (visitor) => {
  const { page } = visitor;
  await page.addInitScript(() => {
    delete window.AudioContext;
  });
  await visitor.open("?variant=chess&white=human&black=human");
  await visitor.click("e2", "e4");
  await page.locator(".move[data-ply='1']").waitFor();
  await page.evaluate(() => {
    window.AudioContext = class {
      constructor() {
        throw new Error("no loudspeaker");
      }
    };
  });
  await visitor.click("e7", "e5");
  await page.locator(".move[data-ply='2']").waitFor();
});
