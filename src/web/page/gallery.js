// The first screen: the variants with a sentence each, recent games, and a field for positions and files.

import { api } from "./api.js";
import { button, el, fill, once, show, toast } from "./dom.js";
import { die } from "./dice.js";
import { gameOf } from "./games.js";
import { recognise, takeIn } from "./intake.js";
import { openNewGame, quickChoice, quickWishes } from "./newgame.js";
import { pieceSvg } from "./pieces.js";
import { puzzleCard } from "./puzzles.js";
import { addressOf, dateText, resultText } from "./list.js";
import { sideName } from "./words.js";

const SHOWN_GAMES = 6;

/** Shows the gallery; `open` goes to a game. */
export async function showGallery(screen, open) {
  document.title = "Aleator";
  const cards = el("div.cards"), puzzles = el("div"), analyse = el("div"), recent = el("section.recent", { "aria-label": "Your games", hidden: true });
  const gallery = el("div.gallery", {},
    el("h1", {}, "Chess from every start"),
    el("p.lead", {}, "Pick a game and play: against the engine, against another person, or watch. Or ", el("a", { href: "?edit" }, "set up a position"), "."),
    quickChoice(), cards, recent, puzzles, analyse);
  fill(screen, gallery);
  try {
    const games = api.games();
    games.catch(() => {}); // the request for the variants reports the error
    const variants = await api.variants();
    fill(cards, variants.map((variant) => card(variant, variants, open)));
    fill(puzzles, puzzleCard(variants));
    fill(analyse, analyseCard(gallery, variants, open));
    performance.mark("gallery-drawn");
    showRecent(recent, (await games).games, variants);
  } catch (error) {
    fill(cards, el("p.problem", {}, error.message), button("Try again", () => showGallery(screen, open)));
  }
}

/** Waits for a new game and opens it. */
async function start(wish, open) {
  try {
    open(await wish);
  } catch (error) {
    toast(error.message, "error");
  }
}

function card(variant, variants, open) {
  const id = `game-${variant.id}`;
  return el("article.card.game", { "aria-labelledby": id, "data-variant": variant.id },
    art(variant.id),
    el("h2", { id }, variant.name),
    el("p", {}, variant.sentence),
    el("div.buttons", {},
      button("Play", once(() => start(api.create(quickWishes(variant)), open)), { class: "primary", "aria-label": `Play ${variant.name}` }),
      button("Options\u2026", () => openNewGame(variants, variant.id, open), { "aria-label": `Options for ${variant.name}` })));
}

/** Returns White's ranks of the board with some pieces, and dice for variants that have them. */
function art(id) {
  const { art: rank, dice, ten } = gameOf(id);
  const width = ten ? 10 : 8, margin = (width - 8) / 2;
  const square = (row, file, role) => {
    const light = (row + file + (ten ? 0 : 1)) % 2 === 0;
    return el(`span.${light ? "light" : "dark"}`, {}, role && role !== "." ? pieceSvg(`w${role}`) : null);
  };
  const row = (index, roleAt) => Array.from({ length: width }, (_, file) => square(index, file, roleAt(file - margin)));
  const inside = (file) => file >= 0 && file < 8;
  const rows = [row(0, () => null), row(1, (file) => (inside(file) ? "P" : null)), row(2, (file) => (inside(file) ? rank[file] : null))];
  if (ten) rows.push(row(3, () => null));
  const picture = el(`div.art.files${width}`, { "aria-hidden": "true" }, rows.flat());
  return el("div.picture", {}, picture, dice ? el("div.art-dice", { "aria-hidden": "true" }, dice.map(die)) : null);
}

function showRecent(element, games, variants) {
  const shown = games.slice(0, SHOWN_GAMES);
  element.hidden = shown.length === 0;
  const nameOf = (id) => variants.find((variant) => variant.id === id)?.name ?? id;
  const rows = shown.map((game) => el("li", {}, el("a", { href: addressOf(game.id) },
    el("strong", {}, nameOf(game.variant)),
    el("span", {}, ` ${game.white} \u2013 ${game.black}`),
    el("span.faint", {}, `${resultText(game)}, ${dateText(game)}`))));
  const all = games.length > shown.length && el("p", {}, el("a", { href: "?games" }, `All ${games.length} games`));
  fill(element, el("h2", {}, "Your games"), el("ul", {}, rows), all);
}

/**
 * Returns the card for positions and games to look at: a field for texts, files, and the board editor. Several games
 * become a link to their list. Files and texts dropped anywhere on the page are read, too.
 */
function analyseCard(page, variants, open) {
  const list = el("ul.imported");
  const text = el("textarea", { rows: 3, spellcheck: "false", "aria-label": "PGN, FEN or record", placeholder: "Paste a FEN, a PGN or the record of a setup, or drop a file", oninput: () => look() });
  const variant = el("select", { "aria-label": "Game of the position", onchange: () => look(variant.value) }, variants.filter(({ id }) => id !== "dfrc").map(({ id, name }) => el("option", { value: id }, name)));
  const said = el("p.found", { role: "status", hidden: true });
  const file = el("input", { type: "file", accept: ".pgn,.fen,.epd,.txt", hidden: true, onchange: async () => read(await file.files[0].text(), file.files[0].name) });
  let found = null;
  /** Says what a text is while it is typed; the variant of a position can be changed. */
  async function look(chosen = null) {
    const content = text.value.trim();
    const asked = found = content ? recognise(content, chosen).catch(() => null) : null;
    const what = await asked;
    if (found !== asked) return;
    show(said, Boolean(what) && what.kind !== "games");
    if (what?.variant) variant.value = what.variant;
    fill(said, what?.problem ?? `${sideName(what?.turn)} to move in`, what?.variant && variant);
    said.classList.toggle("problem", Boolean(what?.problem));
  }
  async function read(content, name = null) {
    if (!content.trim()) return;
    try {
      const { state, games, problems } = await takeIn(content, content === text.value && said.contains(variant) ? variant.value : null, name);
      if (state && problems.length === 0) return open(state, !state.ending);
      fill(list,
        games.length > 0 && el("li", {}, el("a", { href: `?games=${encodeURIComponent(games[0].collection ?? "")}` }, games.length === 1 ? "1 game imported" : `${games.length} games imported`)),
        problems.map(({ error }) => el("li.problem", {}, error)));
    } catch (error) {
      toast(error.message, "error");
    }
  }
  const card = el("section.card.import", { "aria-label": "Analyse a position or games" },
    el("h2", {}, "Analyse a position"), text, said,
    el("div.buttons", {},
      button("Open", once(() => read(text.value)), { class: "primary" }),
      button("Choose a file\u2026", () => file.click()),
      el("a.button", { href: "?edit" }, "Board editor")), file, list);
  page.addEventListener("dragover", (event) => event.preventDefault());
  page.addEventListener("drop", async (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer.files[0];
    if (dropped) read(await dropped.text(), dropped.name);
    else read(event.dataTransfer.getData("text"));
  });
  return card;
}
