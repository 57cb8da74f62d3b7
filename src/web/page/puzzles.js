// @ts-check
// The screen of puzzles, at `/?puzzles=VARIANT&number=N`: a position with only one winning move, the solver's tries,
// a hint, the solution, the next puzzle. The puzzles are lines of EPD in the files of book/puzzles; the server judges
// each try.

import { api } from "./api.js";
import { button, el, fill, once, show, speak, toastError } from "./dom.js";
import { gameOf } from "./games.js";
import { Mover } from "./moving.js";
import { otherSide, sideName } from "./words.js";

/** @import { OpenGame, PuzzleState, Variant } from "../types" */

/** The variants with puzzles, which are also the names of their files. */
export const PUZZLES = ["chess", "chess960", "ifrc", "fischerbenko", "transcendental", "jepps", "placement"];
/** The key under which the browser remembers solved puzzles. */
const SOLVED = "aleator-solved-puzzles";
/** How long a wrong move stays on the board. */
const WRONG_MS = 900;

/** Returns the card on the first page. @param {Variant[]} variants */
export function puzzleCard(variants) {
  const offered = variants.filter(({ id }) => PUZZLES.includes(id));
  return el(
    "section.card.puzzles",
    { "aria-label": "Puzzles" },
    el("h2", {}, "Puzzles"),
    el("p", {}, "Find the only winning move. Choose a game:"),
    el(
      "div.buttons",
      {},
      offered.map(({ id, name }) => el("a.button", { href: `?puzzles=${id}` }, name)),
    ),
  );
}

/** @returns {Set<string>} */
const solvedNames = () => {
  try {
    return new Set(JSON.parse(localStorage.getItem(SOLVED) ?? "[]"));
  } catch {
    return new Set();
  }
};

/** @param {string} name */
function remember(name) {
  try {
    localStorage.setItem(SOLVED, JSON.stringify([...solvedNames().add(name)]));
  } catch {
    // The browser stores nothing.
  }
}

/**
 * Shows the puzzle of this number, from 1, or the first unsolved one; `open` goes to a game. Shows nothing if another
 * screen was asked for meanwhile, as `isWanted` says.
 * @param {HTMLElement} screen
 * @param {string | null} variant
 * @param {string | null} number
 * @param {OpenGame} open
 * @param {() => boolean} isWanted
 */
export async function showPuzzles(screen, variant, number, open, isWanted) {
  if (!variant || !PUZZLES.includes(variant)) throw new Error(`There are no puzzles for '${variant}'.`);
  const all = await api.puzzles(variant);
  const variants = await api.variants();
  if (!isWanted()) return;
  const name = variants.find(({ id }) => id === variant)?.name ?? variant;
  document.title = `Puzzles: ${name} \u2013 Aleator`;
  const puzzles = new PuzzleScreen(name, variant, all, open);
  fill(screen, puzzles.element);
  const index = Number(number) - 1;
  await puzzles.open(all[index] ? index : puzzles.unsolved(-1));
}

class PuzzleScreen {
  /** @param {string} name @param {string} variant @param {string[]} all @param {OpenGame} openGame */
  constructor(name, variant, all, openGame) {
    this.name = name;
    this.variant = variant;
    this.all = all;
    this.openGame = openGame;
    this.index = 0;
    /** The solver's right moves. @type {string[]} */
    this.tries = [];
    this.hints = 0;
    this.isBusy = false;
    this.flipped = false;
    /** Set before the board is shown. @type {PuzzleState} */
    this.shown = /** @type {never} */ (null);
    this.board = new Mover(
      () => this.shown,
      (turn) => this.try(turn.text),
    ).board;
    this.title = el("h1");
    this.said = el("p.said", { role: "status" });
    this.detail = el("p.faint");
    this.hint = button("Hint", () => this.giveHint(), { title: "Shows the piece, then its square" });
    this.solution = button("Solution", () => this.solve());
    this.again = button("Restart", () => this.open(this.index));
    const analyse = { title: "Opens the position as a game, with the engine" };
    this.analyse = button(
      "Analyse",
      once(() => this.study()),
      analyse,
    );
    this.next = button("Next puzzle", () => this.open(this.unsolved(this.index)), { class: "primary" });
    this.element = el(
      "div.table",
      {},
      el("div.table-board", {}, el("div.board-and-bar", {}, this.board.element)),
      el(
        "div.table-panels",
        {},
        el(
          "section.card.puzzle",
          { "aria-label": "Puzzle" },
          this.title,
          this.said,
          el("div.buttons", {}, this.hint, this.solution, this.again, this.analyse),
          this.detail,
          el("div.buttons", {}, this.next),
        ),
      ),
    );
  }

  /** Returns the next unsolved puzzle after this one, or just the next if all are solved. @param {number} index */
  unsolved(index) {
    const solved = solvedNames();
    const count = this.all.length;
    const following = this.all.map((_, step) => (index + 1 + step) % count);
    return following.find((one) => !solved.has(nameOf(this.all[one]))) ?? following[0];
  }

  /** @param {number} index */
  async open(index) {
    this.index = index;
    this.tries = [];
    this.hints = 0;
    history.replaceState(null, "", `?puzzles=${this.variant}&number=${index + 1}`);
    const first = await this.ask([]);
    if (!first) return;
    this.flipped = first.turn === "black";
    this.show(first);
    this.say(`${sideName(first.turn)} to move. One move wins.`);
  }

  /** Returns the position after the solver's moves; null after an error, which is shown. @param {string[]} moves */
  async ask(moves) {
    try {
      return await api.puzzle({ epd: this.all[this.index], moves });
    } catch (error) {
      toastError(error);
      return null;
    }
  }

  /** Tries a move made on the board. @param {string} text */
  async try(text) {
    if (this.isBusy || this.shown.puzzle.standing !== "open") return;
    this.isBusy = true;
    const index = this.index;
    const found = await this.ask([...this.tries, text]);
    this.isBusy = false;
    if (!found || index !== this.index) return this.draw();
    const { standing } = found.puzzle;
    if (standing === "wrong") return this.refuse(found);
    this.tries.push(text);
    this.hints = 0;
    this.show(found);
    if (standing === "open") {
      const replied = `${sideName(otherSide(found.turn))} replied ${found.san.at(-1)}`;
      return this.say(`${found.san.at(-2)} is right. ${replied}. Continue.`);
    }
    remember(found.puzzle.name);
    return this.say(`${found.san.at(-1)} solves it.`);
  }

  /** Shows a wrong move for a moment and takes it back. @param {PuzzleState} found */
  refuse(found) {
    const before = this.shown;
    this.say(`${found.san.at(-1)} is wrong. Try again.`, true);
    this.show({ ...found, legal: [] });
    setTimeout(() => this.shown.puzzle === found.puzzle && this.show(before), WRONG_MS);
  }

  giveHint() {
    const { next } = this.shown.puzzle;
    if (!next) return;
    const turn = this.shown.legal.find(({ text }) => text === next.uci);
    if (!turn?.from) return;
    this.hints += 1;
    if (this.hints === 1) return this.mark([turn.from], `The piece on ${turn.from} moves.`);
    return this.mark([turn.from, turn.to], `The move is ${next.san}.`);
  }

  /** @param {string[]} squares @param {string} sentence */
  mark(squares, sentence) {
    this.board.show({ last: squares });
    this.say(sentence);
  }

  /** Plays the rest of the solution. */
  async solve() {
    const { solution } = this.shown.puzzle;
    let moves = [...this.tries];
    /** @type {PuzzleState | null} */
    let found = this.shown;
    while (found?.puzzle.next) {
      moves = [...moves, found.puzzle.next.uci];
      found = await this.ask(moves);
    }
    if (!found) return;
    this.tries = moves;
    this.show(found);
    this.say(`The solution is ${solution.join(" ")}.`);
  }

  /** Opens a game from the current position, to analyse it. */
  async study() {
    const {
      shown: { fen },
      variant,
    } = this;
    await api
      .create({ variant, fen, white: "human", black: "human" })
      .then((game) => this.openGame(game, true), toastError);
  }

  /** @param {string} sentence */
  say(sentence, isWrong = false) {
    this.said.textContent = sentence;
    this.said.classList.toggle("problem", isWrong);
    speak(sentence);
  }

  /** @param {PuzzleState} position */
  show(position) {
    this.shown = position;
    this.draw();
  }

  draw() {
    const { squares, last, check, puzzle } = this.shown;
    const size = gameOf(this.variant).ten ? 10 : 8;
    this.board.show({ size, flipped: this.flipped, squares, last: last ?? [], check });
    this.title.textContent = `${this.name} puzzle ${this.index + 1} of ${this.all.length}`;
    const isOver = puzzle.standing === "solved";
    const isWrong = puzzle.standing === "wrong";
    const count = `${puzzle.moves} ${puzzle.moves === 1 ? "move" : "moves"} to find`;
    // Themes would give the solution away.
    this.detail.textContent = isOver ? `${puzzle.solution.join(" ")} (${puzzle.themes.join(", ")})` : count;
    this.hint.disabled = this.solution.disabled = isOver || isWrong;
    show(this.again, this.tries.length > 0);
  }
}

/** Returns the name in a line of EPD. @param {string} line */
const nameOf = (line) => line.match(/\bid "([^"]*)"/)?.[1] ?? "";
