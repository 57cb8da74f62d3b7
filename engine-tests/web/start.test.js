// The first page: what Play starts.

import assert from "node:assert/strict";
import { SIZES, test } from "./harness.js";

test("the bishops on the games' pictures stand on squares of different colours", {}, async (visitor) => {
  await visitor.open();
  const arts = await visitor.page.evaluate(async () => {
    const { GAMES } = await import(new URL("page/games.js", document.baseURI));
    return Object.values(GAMES).map(({ art }) => art);
  });
  assert.ok(arts.length >= 8);
  for (const art of arts) {
    const [one, other] = [art.indexOf("B"), art.lastIndexOf("B")];
    assert.ok(one === other || (other - one) % 2 === 1, art);
  }
});

test("what Play starts is shown, changed and remembered", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  const quick = page.getByRole("group", { name: "What Play starts" });
  const chosen = () =>
    quick.locator("select:visible").evaluateAll((selects) => selects.map((one) => one.selectedOptions[0].textContent));
  assert.deepEqual(await chosen(), ["You against Aleator", "you play White", "Level 5, about 1500", "No clocks"]);
  // A stored choice.
  await page.evaluate(() => localStorage.setItem("aleator.newgame", JSON.stringify({ level: 2 })));
  await page.reload();
  assert.match((await chosen())[2], /^Level 2,/);
  await quick.getByLabel("Your colour").selectOption("black");
  await quick.getByLabel("Level").selectOption("3");
  await quick.getByLabel("Clocks").selectOption("300+3");
  await page.reload();
  assert.deepEqual(await chosen(), ["You against Aleator", "you play Black", "Level 3, about 1100", "5 min + 3 s"]);
  await page.getByRole("button", { name: "Play Chess960" }).click();
  await page.locator("[role=gridcell]").first().waitFor();
  const { players, clocks } = await visitor.state();
  assert.deepEqual(
    [players.white.kind, players.white.level, players.black.kind, clocks.increment_ms],
    ["engine", 3, "human", 3000],
  );
  // The keys go to the board.
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "gridcell");
  // The dialog starts with the same choices.
  await page.goto(visitor.url);
  await page.getByRole("button", { name: "Options for Chess960" }).click();
  assert.ok(await page.getByLabel("Black", { exact: true }).isChecked());
  assert.equal(await page.locator("#new-clock").inputValue(), "300+3");
});

for (const [name, options] of SIZES) {
  test(`levels are short, nothing is cut off, and the explanation is below, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.open();
    const quick = page.getByRole("group", { name: "What Play starts" });
    await quick.getByText("Level 5 looks three turns ahead").waitFor();
    await quick.getByLabel("Level").selectOption("12");
    await quick.getByText("Level 12 plays at full strength.").waitFor();
    const cut = await quick.locator("select").evaluateAll((selects) =>
      selects.flatMap((select) =>
        [...select.options].flatMap((option) => {
          const probe = document.createElement("span");
          probe.textContent = option.textContent;
          probe.style.cssText = `position: absolute; white-space: nowrap; font: ${getComputedStyle(select).font}`;
          document.body.append(probe);
          const { width } = probe.getBoundingClientRect();
          probe.remove();
          return width + 20 > select.getBoundingClientRect().width ? [option.textContent] : [];
        }),
      ),
    );
    assert.deepEqual(cut, []);
    await page.getByRole("button", { name: "Options for Chess960" }).click();
    await page.locator("dialog output", { hasText: "12, full strength" }).waitFor();
  });

  test(`numbers out of range are answered with the range, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.open();
    await page.getByRole("button", { name: "Options for Chess960" }).click();
    const dialog = page.getByRole("dialog", { name: "New game" });
    const play = dialog.getByRole("button", { name: "Play", exact: true });
    const answer = (text) => dialog.locator("form > .problem", { hasText: text }).waitFor();
    await dialog.locator("#new-clock").selectOption("own");
    for (const minutes of ["-3", "601", ""]) {
      await dialog.getByLabel("Minutes").fill(minutes);
      await play.click();
      await answer("Minutes: choose 0 to 600.");
    }
    await dialog.locator("#new-clock").selectOption("");
    await dialog.getByLabel("By number").check();
    for (const number of ["", "-1", "1.5", "960"]) {
      await dialog.locator("#start-number").fill(number);
      await dialog.locator(".start-picker .problem", { hasText: "Choose a whole number from 0 to 959." }).waitFor();
      await play.click();
      await answer("Number: choose 0 to 959.");
    }
    await dialog.locator("#start-number").fill("959");
    await play.click();
    await page.locator("[role=gridcell]").first().waitFor();
  });

  test(`two people have names, and the board turns after each move, on ${name}`, options, async (visitor) => {
    const { page } = visitor;
    await visitor.open();
    await page.getByRole("button", { name: "Options for Chess", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "New game" });
    await dialog.getByLabel("Two people", { exact: true }).check();
    await dialog.getByLabel("White\u2019s name").fill("Ada");
    await dialog.getByLabel("Black\u2019s name").fill("Bob");
    await dialog.getByLabel("Turns after each move").check();
    await dialog.getByRole("button", { name: "Play", exact: true }).click();
    const bottom = (name) => page.locator(".strip[data-at=bottom] .name", { hasText: name }).waitFor();
    await bottom("Ada");
    await visitor.click("e2", "e4");
    await bottom("Bob");
    assert.equal(await page.locator("[role=gridcell]").first().getAttribute("data-square"), "h1");
    await visitor.click("e7", "e5");
    await bottom("Ada");
    assert.match(await visitor.ask(`/games/${visitor.gameId()}/pgn`), /\[White "Ada"\]\n\[Black "Bob"\]/);
  });
}

test("Aleator's habits are chosen, remembered, and apply to a link", {}, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  await page.getByRole("button", { name: "Options for Chess960" }).click();
  const habits = page.getByRole("group", { name: "Aleator" });
  assert.ok(await habits.getByLabel("resigns and offers draws").isChecked());
  await habits.getByLabel("resigns and offers draws").uncheck();
  await habits.getByLabel("pauses before its moves").check();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator("[role=gridcell]").first().waitFor();
  assert.deepEqual((await visitor.state()).habits, { pauses: true, resigns: false });
  await visitor.open("?variant=chess&level=12&resigns=yes");
  assert.deepEqual((await visitor.state()).habits, { pauses: true, resigns: true });
});

test("two clicks on Play make one game", { backend: "server" }, async (visitor) => {
  const { page } = visitor;
  await visitor.open();
  let asked = 0;
  await page.route("**/api/games", async (route) => {
    if (route.request().method() === "POST") asked += 1;
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await page.getByRole("button", { name: "Play Chess960" }).dblclick();
  await page.locator("[role=gridcell]").first().waitFor();
  assert.equal(asked, 1);
});

test("a setup says whose turn it is, and marks the squares", { reducedMotion: "reduce" }, async (visitor) => {
  const { page } = visitor;
  await visitor.open("?variant=placement&white=human&black=human");
  const heading = page.locator(".setup h2");
  assert.match(await heading.textContent(), /White\u2019s turn: drag a piece .* to the first rank/);
  assert.equal(await page.locator(".cell.open").count(), 8);
  await page.locator(".strip[data-color=white] .hand-piece[data-role=R]").click();
  assert.equal(await page.locator(".cell.open").count(), 0, "now the targets of the rook are marked");
  await visitor.square("a1").click();
  await page.locator(".placed .move", { hasText: "Rook a1" }).waitFor();
  await page.waitForFunction(() => document.querySelector(".setup h2").textContent.startsWith("Black\u2019s turn"));
  assert.match(await page.locator(".cell.open").first().getAttribute("data-square"), /8$/);
  await visitor.open("?variant=jepps");
  assert.match(await heading.textContent(), /Your turn: roll the dice/);
  await page.locator("button.roll").click();
  await page.locator(".offered").first().waitFor();
  assert.match(await heading.textContent(), /Your turn: choose the piece for a1/);
  assert.equal(await page.locator(".cell.open").getAttribute("data-square"), "a1");
});

test("a late response does not change the screen", { backend: "server" }, async (visitor) => {
  const { page } = visitor;
  for (const [address, request] of [
    ["?variant=chess960", "**/api/link"],
    ["?edit", "**/api/variants"],
    ["?puzzles=chess", "**/puzzles/chess.epd"],
  ]) {
    // The first page uses what index.html preloads. After it, every screen sends its own request.
    await page.goto(visitor.url);
    await page.locator(".card.game").first().waitFor();
    await page.locator("#nav a", { hasText: "Games" }).click();
    await page.locator("h1", { hasText: "Games" }).waitFor();
    let answer;
    const wait = new Promise((resolve) => {
      answer = resolve;
    });
    await page.route(request, async (route) => {
      await wait;
      await route.continue();
    });
    const asked = page.waitForRequest(request);
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, address);
    await asked;
    await page.locator("#nav a", { hasText: "Games" }).click();
    await page.locator("h1", { hasText: "Games" }).waitFor();
    const answered = page.waitForResponse(request);
    answer();
    await (await answered).finished();
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          setTimeout(resolve, 50);
        }),
    );
    assert.equal(new URL(page.url()).search, "?games", address);
    assert.match(await page.locator("h1").textContent(), /Games/, address);
    await page.unroute(request);
  }
});
