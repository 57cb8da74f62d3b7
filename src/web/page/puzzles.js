// @ts-check
// The screen of puzzles, at `/?puzzles=VARIANT&number=N`: a position with only one winning move, the solver's tries,
// a hint, the solution, and a list of all puzzles with marks. The puzzles are lines of EPD in the files of
// book/puzzles. The server judges each try, and its engine explains wrong moves and solutions.

import { api } from "./api.js";
import { bringIntoSight, button, el, fill, once, refill, show, speak, toast, toastError } from "./dom.js";
import { gameOf } from "./games.js";
import { Mover } from "./moving.js";
import { otherSide, sideName } from "./words.js";

/** @import { OpenGame, PuzzleState, Variant } from "../types" */

/** The variants with puzzles, which are also the names of their files. */
export const PUZZLES = ["chess", "chess960", "dfrc", "ifrc", "fischerbenko", "transcendental", "jepps", "placement"];
/** The keys under which the browser remembers the names of puzzles. */
const SOLVED = "aleator-solved-puzzles";
const FAILED = "aleator-failed-puzzles";

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

/** @param {string} key @returns {Set<string>} */
const stored = (key) => {
  try {
    return new Set(JSON.parse(localStorage.getItem(key) ?? "[]"));
  } catch {
    return new Set();
  }
};

/** Remembers a solved or failed puzzle. A solved puzzle stays solved. @param {string} name @param {boolean} isSolved */
function remember(name, isSolved) {
  const [solved, failed] = [stored(SOLVED), stored(FAILED)];
  if (isSolved) solved.add(name);
  else failed.add(name);
  if (solved.has(name)) failed.delete(name);
  try {
    localStorage.setItem(SOLVED, JSON.stringify([...solved]));
    localStorage.setItem(FAILED, JSON.stringify([...failed]));
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
  if (number && !all[index]) toast(`There is no puzzle ${number}: the numbers are 1 to ${all.length}.`, "error");
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
    /** Set before the buttons can be used. @type {PuzzleState} */
    this.shown = /** @type {never} */ (null);
    /** The position before a wrong move. @type {PuzzleState | null} */
    this.before = null;
    this.board = new Mover(
      () => this.shown,
      (turn) => this.try(turn.text),
    ).board;
    this.title = el("h1");
    this.count = el("span.faint");
    this.said = el("p.said", { role: "status" });
    this.detail = el("p.faint");
    this.hint = button("Hint", () => this.giveHint(), { title: "Shows the piece, then its square", disabled: true });
    this.solution = button("Solution", () => this.solve(), { disabled: true });
    this.again = button("Restart", () => this.retry());
    const analyse = { title: "Opens the position in the analysis", disabled: true };
    this.analyse = button(
      "Analyse",
      once(() => this.study()),
      analyse,
    );
    this.next = button("Next unsolved", () => this.open(this.unsolved(this.index)), { class: "primary" });
    this.list = el("div.puzzle-list", { role: "group", "aria-label": "All puzzles" });
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
          el("div.found", {}, this.title, this.count),
          this.said,
          el("div.buttons", {}, this.hint, this.solution, this.again, this.analyse),
          this.detail,
          el("div.buttons", {}, this.next),
          this.list,
        ),
      ),
    );
  }

  /** Returns the next unsolved puzzle after this one, or just the next if all are solved. @param {number} index */
  unsolved(index) {
    const solved = stored(SOLVED);
    const count = this.all.length;
    const following = this.all.map((_, step) => (index + 1 + step) % count);
    return following.find((one) => !solved.has(nameOf(this.all[one]))) ?? following[0];
  }

  /** @param {number} index */
  async open(index) {
    this.index = index;
    this.tries = [];
    this.hints = 0;
    this.before = null;
    history.replaceState(null, "", `?puzzles=${this.variant}&number=${index + 1}`);
    const first = await this.ask([]);
    if (!first) return;
    this.flipped = first.turn === "black";
    this.show(first);
    this.drawList();
    this.say(`${sideName(first.turn)} to move. One move wins.`);
  }

  /**
   * Returns the position after the solver's moves, with the engine's explanation if `explain`; null after an error,
   * which is shown.
   * @param {string[]} moves
   */
  async ask(moves, explain = false) {
    try {
      const found = await api.puzzle({ epd: this.all[this.index], moves, explain });
      return found.puzzle.standing === "open" ? found : { ...found, legal: [] };
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
    if (standing === "wrong") return this.refuse(found, text);
    this.tries.push(text);
    this.hints = 0;
    this.show(found);
    if (standing === "open") {
      const replied = `${sideName(otherSide(found.turn))} replied ${found.san.at(-1)}`;
      return this.say(`${found.san.at(-2)} is right. ${replied}. Continue.`);
    }
    this.mark(true);
    return this.explain(this.tries, `${found.san.at(-1)} solves it.`);
  }

  /** Shows a wrong move, and then the opponent's reply. @param {PuzzleState} found @param {string} text */
  refuse(found, text) {
    this.before = this.shown;
    this.mark(false);
    this.show(found);
    return this.explain([...this.tries, text], `${found.san.at(-1)} is wrong.`);
  }

  /**
   * Says `verdict`, and then also what the engine finds: what a wrong move loses, or what the solution wins.
   * @param {string[]} moves
   * @param {string} verdict
   */
  async explain(moves, verdict) {
    const { shown } = this;
    const isWrong = shown.puzzle.standing === "wrong";
    this.say(verdict, isWrong);
    const found = await this.ask(moves, true);
    if (!found?.puzzle.explanation || this.shown !== shown) return;
    this.show(found);
    const { sentence } = found.puzzle.explanation;
    this.say(isWrong ? sentence : `${verdict} ${sentence}`, isWrong);
  }

  /** Takes a wrong move back, or begins again. */
  retry() {
    const { before } = this;
    if (!before) return this.open(this.index);
    this.before = null;
    this.show(before);
    return this.say("Try again.");
  }

  /** @param {boolean} isSolved */
  mark(isSolved) {
    remember(this.shown.puzzle.name, isSolved);
    this.drawList();
  }

  giveHint() {
    const { next } = this.shown.puzzle;
    if (!next) return;
    const turn = this.shown.legal.find(({ text }) => text === next.uci);
    if (!turn?.from) return;
    this.hints += 1;
    if (this.hints === 1) return this.point([turn.from], `The piece on ${turn.from} moves.`);
    return this.point([turn.from, turn.to], `The move is ${next.san}.`);
  }

  /** @param {string[]} squares @param {string} sentence */
  point(squares, sentence) {
    this.board.show({ last: squares });
    this.say(sentence);
  }

  /** Plays the rest of the solution. */
  async solve() {
    const { index } = this;
    let moves = [...this.tries];
    let found = await this.ask(moves);
    while (found?.puzzle.next) {
      moves = [...moves, found.puzzle.next.uci];
      found = await this.ask(moves);
    }
    if (!found || index !== this.index) return;
    this.tries = moves;
    this.before = null;
    this.mark(false);
    this.show(found);
    await this.explain(moves, `The solution is ${found.puzzle.solution}.`);
  }

  /** Opens a game from the current position, to analyse it. */
  async study() {
    const {
      shown: { fen },
      variant,
    } = this;
    await api.create({ analysis: true, variant, fen }).then((game) => this.openGame(game, true), toastError);
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
    const { line } = puzzle.explanation ?? {};
    const moves = `${puzzle.moves} ${puzzle.moves === 1 ? "move" : "moves"} to find`;
    // Themes would give the solution away.
    const solution = `${puzzle.solution}${line ? `, then ${line}` : ""} (${puzzle.themes.join(", ")})`;
    this.detail.textContent = isOver ? solution : (line ?? moves);
    this.hint.disabled = puzzle.standing !== "open";
    this.solution.disabled = isOver;
    this.analyse.disabled = false;
    this.again.textContent = this.before ? "Try again" : "Restart";
    this.again.classList.toggle("primary", this.before !== null);
    show(this.again, this.before !== null || this.tries.length > 0);
  }

  /** Draws the list of all puzzles with the marks of solved and failed ones. */
  drawList() {
    const [solved, failed] = [stored(SOLVED), stored(FAILED)];
    const marks = this.all.map(nameOf).map((name) => (solved.has(name) ? "solved" : failed.has(name) ? "failed" : ""));
    const count = marks.filter((mark) => mark === "solved").length;
    this.count.textContent = `${count} of ${marks.length} solved`;
    this.next.textContent = count < marks.length ? "Next unsolved" : "Next puzzle";
    const one = (/** @type {string} */ mark, /** @type {number} */ index) =>
      button(`${index + 1}`, () => this.open(index), {
        class: mark,
        "aria-label": `Puzzle ${index + 1}${mark && `, ${mark}`}`,
        "aria-current": index === this.index && "true",
      });
    refill(this.list, marks.map(one));
    const current = this.list.querySelector("[aria-current]");
    if (current) bringIntoSight(this.list, current);
  }
}

/** Returns the name in a line of EPD. @param {string} line */
const nameOf = (line) => line.match(/\bid "([^"]*)"/)?.[1] ?? "";
