// Analysis of any position of the game: the engine's lines, arrows, the evaluation bar, and the review of the whole
// game with its chart.

import { button, el, fill, refill, show, speak, toast } from "./dom.js";
import { chart } from "./chart.js";
import { keyOf } from "./tree.js";
import { countText, ends, MARKS, scoreText, SERIOUS, share, shortScore, sideName, spoken } from "./words.js";

const MOST_LINES = 5;

export class Analysis {
  constructor(table, element, bar) {
    this.table = table;
    this.bar = bar;
    this.on = false;
    this.count = 3;
    this.lines = [];
    this.asked = null;
    this.number = null;
    this.early = [];
    this.reviewing = this.wasReviewing = false;
    /** The number of turns when the game was last reviewed. */
    this.reviewed = null;
    this.toggle = el("button.switch", { type: "button", role: "switch", "aria-checked": "false", onclick: () => this.switch(!this.on) }, "Analysis");
    this.depth = el("span.faint");
    this.select = el("select", { "aria-label": "Lines", onchange: () => this.setCount(Number(this.select.value)) },
      Array.from({ length: MOST_LINES }, (_, index) => el("option", { value: String(index + 1) }, index ? `${index + 1} lines` : "1 line")));
    this.select.value = String(this.count);
    this.wdl = el("div.wdl", { role: "img", hidden: true });
    this.list = el("ol.lines", { "aria-label": "The engine's lines" });
    this.progress = el("div.progress", { hidden: true });
    this.chart = el("div.chart-place");
    this.accuracy = el("p");
    this.findings = el("div.findings", { role: "group", "aria-label": "Review results", hidden: true }, this.accuracy,
      el("div.buttons", {},
        this.earlier = button("Previous mistake", () => this.toMistake(-1), { title: "To the previous mistake (p)" }),
        this.later = button("Next mistake", () => this.toMistake(1), { title: "To the next mistake (n)" })));
    this.reviewButton = button("Analyse the game", () => this.review());
    fill(element,
      el("div.analysis-head", {}, this.toggle, this.depth, this.select),
      this.wdl, this.list, this.chart, this.findings, this.progress, this.reviewButton);
    this.drawLines();
  }

  close() {
    if (this.on) this.table.game.stopAnalysis().catch(() => {});
  }

  update() {
    const { table } = this;
    // A review may end elsewhere: after taking back, or if too many are running.
    if (this.wasReviewing && !table.state.reviewing) {
      this.reviewing = false;
      show(this.progress, false);
    }
    this.wasReviewing = table.state.reviewing;
    if (this.on && this.asked !== this.key()) this.restart();
    this.drawChart();
    this.drawFindings();
    // After the end of the game, the button is next to the result.
    show(this.reviewButton, this.canReview && !table.state.ending);
    show(this.bar, this.on);
    this.bar.classList.toggle("flipped", table.flipped);
    if (!this.on && table.shown) table.board.arrows.setEngine([]);
  }

  /** Identifies what is analysed: the place, its position, and the number of lines. */
  key() {
    return `${keyOf(this.table.place)}|${this.table.shown.fen}|${this.count}`;
  }

  switch(on) {
    this.on = on;
    this.toggle.setAttribute("aria-checked", String(on));
    this.asked = null;
    this.lines = [];
    this.drawLines();
    if (!on) this.table.game.stopAnalysis().catch(() => {});
    this.table.draw();
  }

  setCount(count) {
    this.count = count;
    if (this.on) this.restart();
  }

  /** Asks the server to analyse the shown place, also after the stream was lost. */
  async restart() {
    if (!this.on) return;
    const { table } = this;
    const key = this.key();
    this.asked = key;
    this.number = null;
    this.lines = [];
    this.drawLines();
    try {
      const { analysis } = await table.game.analyse({ ply: table.place.ply, moves: table.place.moves, lines: this.count });
      if (this.asked !== key) return;
      this.number = analysis;
      this.early.filter((line) => line.analysis === analysis).forEach((line) => this.takeLine(line));
      this.early = [];
    } catch (error) {
      if (this.asked === key) this.depth.textContent = error.message;
    }
  }

  /** Handles a line of the engine; those of other places are ignored. */
  takeLine(line) {
    if (!this.on) return;
    // The first lines may arrive before the response with their number.
    if (this.number === null) this.early.push(line);
    if (line.analysis !== this.number) return;
    this.lines[line.multipv - 1] = line;
    this.drawLines();
  }

  drawLines() {
    const { table } = this;
    const lines = this.lines.filter(Boolean);
    const best = lines[0];
    this.depth.textContent = best ? `depth ${best.depth} \u00b7 ${countText(best.nps)}/s` : this.on ? "thinking \u2026" : "";
    show(this.list, this.on);
    show(this.select, this.on);
    refill(this.list, lines.map((line) => this.line(line)));
    this.drawWdl(best?.wdl);
    this.drawBar(best?.score);
    const arrows = lines.map((line, rank) => ({ ...arrowOf(line.uci[0], table), rank })).filter((arrow) => arrow.from);
    table.board.arrows.setEngine(this.on ? arrows.reverse() : []);
  }

  line(line) {
    const { table } = this;
    const first = table.place;
    const white = table.shown.turn === "white";
    const moves = line.san.slice(0, 12).map((san, index) => {
      const number = table.shown.fen ? Number(table.shown.fen.trim().split(" ").at(-1)) + ((index + (white ? 0 : 1)) >> 1) : 0;
      const isWhite = (index % 2 === 0) === white;
      const prefix = number && !san.includes("@") && (isWhite || index === 0) ? `${number}${isWhite ? "." : "\u2026"}` : "";
      return [prefix && el("span.number", {}, prefix), button(san, () => this.follow(first, line, index), { class: "move" })];
    });
    return el("li", {}, el("span.score", { class: (line.score.mate ?? line.score.cp) < 0 ? "black" : "white" }, scoreText(line.score)), el("span.line", {}, moves.flat()));
  }

  /** Adds a line up to the clicked move as a variation. */
  follow(place, line, index) {
    if (keyOf(place) === keyOf(this.table.place)) this.table.vary(line.uci.slice(0, index + 1));
  }

  drawWdl(wdl) {
    show(this.wdl, Boolean(wdl) && this.on);
    if (!wdl) return;
    const [win, draw, loss] = wdl.map((share) => Math.round(share / 10));
    this.wdl.setAttribute("aria-label", `White wins ${win}%, draw ${draw}%, Black wins ${loss}%`);
    fill(this.wdl, ["white", "draw", "black"].map((name, index) => {
      const part = el(`span.${name}`, {}, wdl[index] > 90 ? `${[win, draw, loss][index]}%` : "");
      part.style.flexGrow = String(Math.max(1, wdl[index]));
      return part;
    }));
  }

  drawBar(score) {
    if (!score) return;
    this.bar.style.setProperty("--white", `${(share(score) * 100).toFixed(1)}%`);
    fill(this.bar, el("span.number", { class: share(score) < 0.5 ? "black" : "", "aria-hidden": "true" }, shortScore(score)));
    this.bar.setAttribute("aria-label", `Evaluation: ${scoreText(score)}`);
  }

  // The review of the game.

  /** Whether a review makes sense: not twice, and not during a game against the engine. */
  get canReview() {
    const { state } = this.table;
    const isFree = state.ending || this.table.isHuman("white") && this.table.isHuman("black");
    return isFree && !this.reviewing && this.reviewed !== state.turns.length && state.turns.some((turn) => !turn.placement);
  }

  async review() {
    const { table } = this;
    this.reviewing = true;
    this.takeProgress({ done: 0, total: 0 });
    show(this.reviewButton, false);
    try {
      await table.game.review();
    } catch (error) {
      this.reviewing = false;
      show(this.progress, false);
      toast(error.message, "error");
    }
  }

  takeProgress({ done, total }) {
    const over = total > 0 && done >= total;
    this.reviewing = !over;
    if (over) this.reviewed = this.table.state.turns.length;
    show(this.progress, !over);
    if (over) {
      this.table.draw();
      return toast(this.summary());
    }
    return fill(this.progress,
      el("progress", { max: String(total || 1), value: String(done), "aria-label": "Analysis of the game" }),
      el("span.faint", {}, total ? `${done} of ${total} turns` : "Analysing \u2026"),
      button("Stop", () => this.stopReview(), { class: "quiet" }));
  }

  summary() {
    const count = (kind) => this.table.state.turns.filter((turn) => turn.mark === kind).length;
    const [blunders, mistakes] = [count("??"), count("?")];
    const plural = (number, word) => `${number || "no"} ${word}${number === 1 ? "" : "s"}`;
    return `The game is analysed: ${plural(blunders, "blunder")}, ${plural(mistakes, "mistake")}.`;
  }

  stopReview() {
    this.reviewing = false;
    show(this.progress, false);
    this.table.game.stopReview().catch(() => {});
    this.table.draw();
  }

  /** Handles the score of one turn; `ply` is the number of turns up to it. */
  takeScore({ ply, ...rest }) {
    const turn = this.table.state.turns[ply - 1];
    if (!turn) return;
    Object.assign(turn, rest);
    this.table.draw();
  }

  drawChart() {
    const { table } = this;
    const turns = table.state.turns;
    const drawn = table.showsScores && chart(turns, table.place.ply, (ply) => table.go({ ply, moves: [] }));
    fill(this.chart, drawn);
    show(this.chart, Boolean(drawn));
  }

  // The results of the review.

  drawFindings() {
    const { accuracy, turns } = this.table.state;
    show(this.findings, Boolean(accuracy) || turns.some(isMistake));
    const sides = ["white", "black"].filter((color) => accuracy?.[color] !== null);
    this.accuracy.textContent = accuracy ? `Accuracy: ${sides.map((color) => `${sideName(color)} ${accuracy[color].toFixed(1)}\u202f%`).join(", ")}` : "";
    this.earlier.disabled = !this.mistake(-1);
    this.later.disabled = !this.mistake(1);
  }

  /** Returns the ply of the nearest mistake before or after the shown place; undefined if there is none. */
  mistake(direction) {
    const { place, state } = this.table;
    const plies = state.turns.flatMap((turn, index) => (isMistake(turn) ? [index + 1] : []));
    return direction > 0 ? plies.find((ply) => ply > place.ply) : plies.findLast((ply) => ply < place.ply || ply === place.ply && place.moves.length > 0);
  }

  async toMistake(direction) {
    const { table } = this;
    const ply = this.mistake(direction);
    if (!ply) return;
    const { color, san, mark, best } = table.state.turns[ply - 1];
    await table.go({ ply, moves: [] });
    speak(`${sideName(color)}: ${spoken(san)}: ${MARKS[mark]}. ${best ? `${spoken(best)} was better.` : ""}`);
  }

  /** Returns the better move, if the turn that led here was a mistake. */
  better() {
    const { place, state, tree } = this.table;
    const turn = place.moves.length ? null : state.turns[place.ply - 1];
    if (!turn?.best || !turn.mark) return null;
    return tree.children({ ply: place.ply - 1, moves: [] }).find(({ san }) => san === turn.best) ?? null;
  }
}

const isMistake = (turn) => SERIOUS.includes(turn.mark);

/** Returns the arrow of a legal move; of castling, to where the king ends. */
function arrowOf(uci, table) {
  const legal = table.shown.legal.find((turn) => turn.text === uci);
  const { from, to } = ends(uci);
  return { from, to: legal?.castling && legal.also?.length ? legal.also[0] : to };
}
