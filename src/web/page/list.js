// @ts-check
// The list of all games played here or imported: search, open, export, delete.

import { api, gameApi } from "./api.js";
import { variantName } from "./about.js";
import { button, download, el, fill, messageOf, show, sureButton, toast, toastError } from "./dom.js";
import { agoText } from "./words.js";

/** @import { GameApi, GameListing, Summary } from "../types" */
/** A game with the name of its variant. @typedef {Summary & { name: string }} Named */

/** The number of rows drawn at a time. */
const PAGE = 200;

/** Returns a link to a game. @param {string} id */
export const addressOf = (id) => `?game=${encodeURIComponent(id)}`;

/** Returns a link to the games of a file. @param {string} collection */
export const addressOfSet = (collection) => `?games=${encodeURIComponent(collection)}`;

/** Returns a result such as "1–0", or the number of turns of a game without a result. @param {Summary} game */
export function resultText({ result, turns }) {
  if (!result || result === "*") return turns === 1 ? "1 turn" : `${turns} turns`;
  return result === "1/2-1/2" ? "\u00bd\u2013\u00bd" : result.replace("-", "\u2013");
}

/** Returns the date in a file's tags, or else how long ago a game was played. @param {Summary} game */
export const dateText = ({ date, changed }) => date?.replaceAll(".", "-") ?? agoText(Date.now() - changed * 1000);

/** Shows the list, or only the games of one file. @param {HTMLElement} screen @param {string | null} collection */
export async function showGames(screen, collection) {
  document.title = "Games \u2013 Aleator";
  const list = new GameList(collection);
  fill(screen, list.element);
  await list.load();
}

class GameList {
  /** @param {string | null} collection */
  constructor(collection) {
    /** The file to show at first. */
    this.wanted = collection;
    /** @type {Named[]} */
    this.games = [];
    this.shown = PAGE;
    const placeholder = "Search names, games, dates";
    const search = { type: "text", id: "search", placeholder, "aria-label": "Search", oninput: () => this.draw() };
    this.search = el("input", search);
    const select = (/** @type {string} */ label) => el("select", { "aria-label": label, onchange: () => this.draw() });
    this.variant = select("Game");
    this.result = select("Result");
    this.collection = select("File");
    this.problems = el("div.problem", { role: "status", hidden: true });
    this.count = el("p.faint", { role: "status" });
    this.rows = el("ul.games");
    this.more = button("Show more", () => {
      this.shown += PAGE;
      this.draw();
    });
    this.exportAll = button("Export these as PGN", () => this.save(this.found()));
    this.element = el(
      "div.gallery.game-list",
      {},
      el("h1", {}, "Games"),
      this.problems,
      el("div.buttons", { role: "search" }, this.search, this.variant, this.result, this.collection),
      el("div.buttons", {}, this.count, this.exportAll),
      this.rows,
      this.more,
    );
  }

  async load() {
    try {
      const { games, unreadable } = await api.games();
      this.games = await Promise.all(games.map(async (game) => ({ ...game, name: await variantName(game.variant) })));
      this.drawProblems(
        games.filter((game) => game.unsaved),
        unreadable,
      );
      this.fillFilters();
      this.draw();
    } catch (error) {
      fill(
        this.rows,
        el(
          "li.problem",
          {},
          messageOf(error),
          " ",
          button("Try again", () => this.load()),
        ),
      );
    }
  }

  /**
   * Reports games that could not be saved or read.
   * @param {Summary[]} unsaved
   * @param {GameListing["unreadable"]} unreadable
   */
  drawProblems(unsaved, unreadable) {
    const unchanged = "cannot be read, and is left unchanged";
    const texts = unreadable.map(({ file, error }) => `The game in ${file} ${unchanged}: ${error}`);
    const advice = "export them, and free some disk space";
    if (unsaved.length) texts.push(`${unsaved.length} of these games could not be saved: ${advice}.`);
    fill(
      this.problems,
      texts.map((text) => el("p", {}, text)),
    );
    show(this.problems, texts.length > 0);
  }

  fillFilters() {
    /** @type {(element: HTMLSelectElement, all: string, values: string[]) => void} */
    const options = (element, all, values) => {
      const before = element.value;
      const others = [...new Set(values)].map((value) => el("option", { value }, value));
      fill(element, el("option", { value: "" }, all), others);
      element.value = [...element.options].some(({ value }) => value === before) ? before : "";
      show(element, element.options.length > 2 || element.value !== "");
    };
    options(this.variant, "All variants", this.games.map(({ name }) => name).sort());
    options(this.result, "All results", this.games.map((game) => game.result ?? "unfinished").sort());
    const collections = this.games.flatMap(({ collection }) => collection ?? []);
    options(this.collection, "All games", collections);
    if (this.wanted && collections.includes(this.wanted)) this.collection.value = this.wanted;
    this.wanted = null;
    show(this.collection, collections.length > 0);
  }

  /** Returns the games that match the search and the filters. */
  found() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return this.games.filter((game) => {
      const { black, collection, event, name, result, white } = game;
      const text = [white, black, name, event, collection, dateText(game), game.date, result].join(" ").toLowerCase();
      return (
        words.every((word) => text.includes(word))
        && (!this.variant.value || name === this.variant.value)
        && (!this.result.value || (result ?? "unfinished") === this.result.value)
        && (!this.collection.value || collection === this.collection.value)
      );
    });
  }

  draw() {
    const found = this.found();
    const count = found.length === 1 ? "1 game" : `${found.length} games`;
    this.count.textContent = this.games.length === 0 ? "No game has been played here yet." : count;
    show(this.exportAll, found.length > 0);
    const rows = this.sets(found);
    fill(
      this.rows,
      rows.slice(0, this.shown).map((games) => this.row(games)),
    );
    show(this.more, rows.length > this.shown);
  }

  /** Groups the games of a file into one row, except in a search. @param {Named[]} games */
  sets(games) {
    if (this.collection.value || this.search.value.trim()) return games.map((game) => [game]);
    /** @type {Map<string, Named[]>} */
    const sets = new Map();
    for (const game of games) {
      const key = game.collection ?? `game ${game.id}`;
      sets.set(key, [...(sets.get(key) ?? []), game]);
    }
    return [...sets.values()];
  }

  /** Returns the row of a game, or of those in a file. @param {Named[]} games */
  row(games) {
    const [game, other] = games;
    const isSet = Boolean(other);
    const collection = game.collection ?? "";
    const name = isSet ? collection : namesOf(game);
    const remove = () => this.remove(games);
    const label = { "aria-label": `Delete ${name}` };
    return el(
      "li",
      {},
      el(
        "a",
        { href: isSet ? addressOfSet(collection) : addressOf(game.id) },
        el("strong", {}, name),
        el("span", {}, isSet ? `${games.length} games from a file` : game.name),
        el("span", {}, isSet ? "" : resultText(game)),
        el("span.faint", {}, isSet ? "" : dateText(game)),
      ),
      button("PGN", () => this.save(games), { "aria-label": `Export ${name} as PGN` }),
      isSet
        ? sureButton("Delete", `Delete ${games.length} games?`, () => remove, label)
        : button("Delete", remove, label),
    );
  }

  /** Saves a file with these games, and reports those without a PGN. @param {Summary[]} games */
  async save(games) {
    const texts = [];
    const missing = [];
    for (const game of games) {
      try {
        texts.push(await gameApi(game.id).pgn());
      } catch (error) {
        missing.push(`${namesOf(game)}: ${messageOf(error)}`);
      }
    }
    const [{ id, variant }, other] = games;
    if (texts.length) download(other ? "aleator-games.pgn" : `aleator-${variant}-${id}.pgn`, texts.join(""));
    const count = missing.length === 1 ? "" : `${missing.length} games were not exported: `;
    if (missing.length) toast(count + missing[0], "error");
  }

  /** @param {Summary[]} games */
  async remove(games) {
    const each = async (/** @type {(game: GameApi) => Promise<unknown>} */ change) => {
      let done = 0;
      for (const { id } of games)
        await change(gameApi(id)).then(() => {
          done += 1;
        }, toastError);
      await this.load();
      return done;
    };
    const done = await each((game) => game.remove());
    if (done === 0) return;
    const text = done === 1 ? "The game was deleted." : `${done} games were deleted.`;
    toast(text, "info", { text: "Undo", run: () => each((game) => game.restore()) });
  }
}

/** @param {Summary} game */
const namesOf = ({ white, black }) => `${white} \u2013 ${black}`;
