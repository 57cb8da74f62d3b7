// @ts-check
// The first screen: the variants with a sentence each, recent games, and a field for positions and files.

import { api } from "./api.js";
import { button, el, fill, messageOf, once, select, show, speak, toastError } from "./dom.js";
import { die } from "./dice.js";
import { gameOf } from "./games.js";
import { recognise, takeIn, textOf } from "./intake.js";
import { openNewGame, quickChoice, wishesOf } from "./newgame.js";
import { pieceSvg } from "./pieces.js";
import { puzzleCard } from "./puzzles.js";
import { addressOf, addressOfSet, dateText, resultText } from "./list.js";
import { sideName } from "./words.js";

/** @import { Game, OpenGame, Summary, Variant } from "../types" */

const SHOWN_GAMES = 6;

/** Shows the gallery; `open` goes to a game. @param {HTMLElement} screen @param {OpenGame} open */
export async function showGallery(screen, open) {
  document.title = "Aleator";
  const cards = el("div.cards");
  const puzzles = el("div");
  const analyse = el("div");
  const recent = el("section.recent", { "aria-label": "Your games", hidden: true });
  const gallery = el(
    "div.gallery",
    {},
    el("h1", {}, "Chess from every start"),
    el(
      "p.lead",
      {},
      "Pick a game and play: against the engine, against another person, or watch. Or ",
      el("a", { href: "?edit" }, "set up a position"),
      ".",
    ),
    quickChoice(),
    cards,
    recent,
    puzzles,
    analyse,
  );
  fill(screen, gallery);
  try {
    const games = api.games();
    games.catch(() => {}); // the request for the variants reports the error
    const variants = await api.variants();
    fill(
      cards,
      variants.map((variant) => card(variant, variants, open)),
    );
    fill(puzzles, puzzleCard(variants));
    const draw = async (/** @type {typeof games} */ asked) => showRecent(recent, (await asked).games, variants);
    fill(
      analyse,
      analyseCard(gallery, variants, open, () => draw(api.games())),
    );
    performance.mark("gallery-drawn");
    await draw(games);
  } catch (error) {
    fill(
      cards,
      el("p.problem", {}, messageOf(error)),
      button("Try again", () => showGallery(screen, open)),
    );
  }
}

/** Waits for a new game and opens it. @param {Promise<Game>} wish @param {OpenGame} open */
async function start(wish, open) {
  try {
    open(await wish);
  } catch (error) {
    toastError(error);
  }
}

/** @param {Variant} variant @param {Variant[]} variants @param {OpenGame} open */
function card(variant, variants, open) {
  const id = `game-${variant.id}`;
  const play = once(() => start(api.create({ variant: variant.id, ...wishesOf() }), open));
  const choose = () => openNewGame(variants, variant.id, open);
  const options = button("Options\u2026", choose, { "aria-label": `Options for ${variant.name}` });
  return el(
    "article.card.game",
    { "aria-labelledby": id, "data-variant": variant.id },
    art(variant.id),
    el("h2", { id }, variant.name),
    el("p", {}, variant.sentence),
    el("div.buttons", {}, button("Play", play, { class: "primary", "aria-label": `Play ${variant.name}` }), options),
  );
}

/** Returns White's ranks of the board with some pieces, and dice for variants that have them. @param {string} id */
function art(id) {
  const { art: rank, dice, ten } = gameOf(id);
  const width = ten ? 10 : 8;
  const margin = (width - 8) / 2;
  /** @type {(row: number, file: number, role: string | null) => HTMLElement} */
  const square = (row, file, role) => {
    const light = (row + file + (ten ? 0 : 1)) % 2 === 0;
    return el(`span.${light ? "light" : "dark"}`, {}, role && role !== "." ? pieceSvg(`w${role}`) : null);
  };
  /** Returns a rank with these pieces in the middle. @type {(index: number, roles: string) => HTMLElement[]} */
  const row = (index, roles) => Array.from({ length: width }, (_, file) => square(index, file, roles[file - margin]));
  const rows = [row(0, ""), row(1, "PPPPPPPP"), row(2, rank)];
  if (ten) rows.push(row(3, ""));
  const picture = el(`div.art.files${width}`, { "aria-hidden": "true" }, rows.flat());
  return el("div.picture", {}, picture, dice ? el("div.art-dice", { "aria-hidden": "true" }, dice.map(die)) : null);
}

/** @param {HTMLElement} element @param {Summary[]} games @param {Variant[]} variants */
function showRecent(element, games, variants) {
  // The games of a file are one entry.
  const isFirst = (/** @type {Summary} */ game) => games.find((one) => one.collection === game.collection) === game;
  const entries = games.filter((game) => !game.collection || isFirst(game));
  const shown = entries.slice(0, SHOWN_GAMES);
  element.hidden = shown.length === 0;
  const nameOf = (/** @type {string} */ id) => variants.find((variant) => variant.id === id)?.name ?? id;
  const row = (/** @type {string} */ href, /** @type {string[]} */ [title, text, end]) =>
    el("li", {}, el("a", { href }, el("strong", {}, title), el("span", {}, text), el("span.faint", {}, end)));
  const rows = shown.map((game) => {
    const { collection } = game;
    const ends = `${resultText(game)}, ${dateText(game)}`;
    if (!collection) return row(addressOf(game.id), [nameOf(game.variant), `${game.white} \u2013 ${game.black}`, ends]);
    const count = games.filter((one) => one.collection === collection).length;
    return row(addressOfSet(collection), [collection, `${count} games from a file`, ""]);
  });
  const hasMore = games.length > shown.length;
  const all = hasMore && el("p", {}, el("a", { href: "?games" }, `All ${games.length} games`));
  fill(element, el("h2", {}, "Your games"), el("ul", {}, rows), all);
}

/**
 * Returns the card for positions and games to look at: a field for texts, files, and the board editor. Several games
 * become a link to their list. Files and texts dropped anywhere on the page are read, too.
 * @param {HTMLElement} page
 * @param {Variant[]} variants
 * @param {OpenGame} open
 * @param {() => Promise<void>} onImport
 */
function analyseCard(page, variants, open, onImport) {
  const list = el("ul.imported");
  const text = el("textarea", {
    rows: 3,
    spellcheck: "false",
    "aria-label": "PGN, FEN or record",
    placeholder: "Paste a FEN, a PGN or the record of a setup (also anywhere on this page), or drop a file",
    oninput: () => look(),
  });
  const names = variants.filter(({ id }) => id !== "dfrc").map(({ id, name }) => [id, name]);
  const variant = select({ "aria-label": "Game of the position" }, names, "chess", look);
  const said = el("p.found", { role: "status", hidden: true });
  const readChosen = () => {
    read(file.files?.[0]);
  };
  const file = el("input", { type: "file", accept: ".pgn,.fen,.epd,.txt", hidden: true, onchange: readChosen });
  /** @type {ReturnType<typeof recognise> | null} */
  let found = null;
  /** Says what a text is while it is typed; the variant of a position can be changed. @param {string | null} chosen */
  async function look(chosen = null) {
    const content = text.value.trim();
    const asked = (found = content ? recognise(content, chosen) : null);
    const what = await asked?.catch(() => null);
    if (found !== asked) return;
    show(said, what?.kind === "position");
    if (what?.variant) variant.value = what.variant;
    fill(said, what?.problem ?? `${sideName(what?.turn)} to move in`, what?.variant && variant);
    said.classList.toggle("problem", Boolean(what?.problem));
  }
  /** @param {string | File | undefined} chosen */
  async function read(chosen) {
    if (chosen === undefined) return;
    fill(list);
    try {
      const [content, name] = typeof chosen === "string" ? [chosen, null] : [await textOf(chosen), chosen.name];
      const isTyped = content === text.value && said.contains(variant);
      const { state, games, problems } = await takeIn(content, isTyped ? variant.value : null, name);
      if (state && problems.length === 0) return open(state, !state.ending);
      const imported = games.length === 1 ? "1 game imported" : `${games.length} games imported`;
      const href = addressOfSet(games[0]?.collection ?? "");
      speak([imported, ...problems.map(({ error }) => error)].join(". "));
      fill(
        list,
        games.length > 0 && el("li", {}, el("a", { href }, imported)),
        problems.map(({ error }) => el("li.problem", {}, error)),
      );
      onImport().catch(toastError);
    } catch (error) {
      speak(messageOf(error));
      fill(list, el("li.problem", {}, messageOf(error)));
      if (said.classList.contains("problem")) show(said, false);
    }
    list.scrollIntoView({ block: "nearest" });
  }
  const card = el(
    "section.card.import",
    { "aria-label": "Analyse a position or games" },
    el("h2", {}, "Analyse a position"),
    text,
    said,
    el(
      "div.buttons",
      {},
      button(
        "Open",
        once(() => read(text.value)),
        { class: "primary" },
      ),
      button("Choose a file\u2026", () => file.click()),
      el("a.button", { href: "?edit" }, "Board editor"),
    ),
    file,
    list,
  );
  const isShown = () => page.matches("main:not(:has(~ dialog)) *");
  document.body.onpaste = (event) => {
    const isField = event.target instanceof Element && event.target.matches("input, textarea");
    const pasted = event.clipboardData?.getData("text") ?? "";
    if (isField || !isShown() || !pasted.trim()) return;
    event.preventDefault();
    text.value = pasted;
    read(pasted);
  };
  document.body.ondrop = (event) => {
    if (!isShown()) return;
    event.preventDefault();
    const { dataTransfer } = event;
    read(dataTransfer?.files[0] ?? dataTransfer?.getData("text"));
  };
  return card;
}
