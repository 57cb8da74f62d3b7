// The setup panel: dice on the page or on the table, the mediator, the possible placements, and the solver's
// assessment.

import { button, el, fill, refill, show, speak } from "./dom.js";
import { die, rollButton, rollTo, typedDice } from "./dice.js";
import { pieceName, pieceSvg } from "./pieces.js";
import { placementText, scoreText, sideName } from "./words.js";

const SHOWN_PLACEMENTS = 6;
const ROLL_MS = 600;
/** How long rolled dice stay on show before the game continues. */
const STAND_MS = { root: 450, placement: 700, mediation: 1500 };
const TITLES = { root: "The dice place the first pieces", mediation: "The mediator rolls" };
const VERDICTS = { mirror: "Accept: Black mirrors", reverse: "Accept: Black reverses" };

export class SetupPanel {
  constructor(table, element) {
    this.table = table;
    this.title = el("h2");
    this.tray = el("div.tray");
    this.sentence = el("p.sentence");
    this.choices = el("div.buttons");
    this.solver = el("div.solver");
    this.rolling = false;
    this.presenting = false;
    this.skips = false;
    this.goOn = () => {};
    this.assessedVersion = null;
    this.element = element;
    element.addEventListener("click", () => this.goOn());
    fill(element, this.title, this.tray, this.sentence, this.choices, this.solver);
  }

  update() {
    const { state, isPlaying } = this.table;
    const visible = state.phase === "setup" && isPlaying || this.presenting;
    show(this.element, visible);
    if (!visible || this.presenting) return;
    const { dice } = state;
    this.title.textContent = this.heading(state);
    this.sentence.textContent = state.mediator?.sentence ?? dice?.sentence ?? "";
    show(this.sentence, this.sentence.textContent !== "");
    this.drawTray(dice);
    refill(this.choices, this.buttons(state));
    this.drawSolver(state);
    if (this.rollsByItself(dice)) this.roll({});
  }

  heading(state) {
    const { dice, mediator } = state;
    if (mediator) return "The mediator";
    if (dice?.needed && dice.mediator) return "The mediator rolls";
    if (dice?.needed && dice.count === 1) return "The dice place the first pieces";
    if (!this.table.isPersonsTurn) return dice?.needed ? `${sideName(state.turn)} rolls the dice` : "Aleator places a piece";
    return `${this.turnOf(state.turn)}: ${this.task(state)}`;
  }

  turnOf(color) {
    const arePeople = this.table.isHuman("white") && this.table.isHuman("black");
    return arePeople ? `${sideName(color)}\u2019s turn` : "Your turn";
  }

  /** Returns what a person has to do. */
  task({ dice, next, turn }) {
    if (dice?.needed) return dice.own ? "roll your dice" : "roll the dice";
    if (next) return `choose the piece for ${next}`;
    return `drag a piece from your hand to the ${turn === "white" ? "first" : "last"} rank`;
  }

  /** Whether dice need no click: in the random part of Fischer-Benko nobody has a choice. */
  rollsByItself(dice) {
    return Boolean(dice?.needed && !dice.own && dice.count === 1);
  }

  drawTray(dice) {
    show(this.tray, Boolean(dice));
    if (!dice) return;
    if (dice.needed && dice.own) {
      const key = `${this.table.state.version}`;
      if (this.tray.dataset.key === key) return;
      this.tray.dataset.key = key;
      fill(this.tray, el("p.faint", {}, "What do your dice show?"), typedDice(dice.count ?? 2, (values) => this.roll({ values })));
      return;
    }
    delete this.tray.dataset.key;
    const values = dice.shows?.length ? dice.shows : new Array(dice.count ?? 2).fill(0);
    fill(this.tray, values.map(die));
  }

  buttons(state) {
    const { dice, mediator } = state;
    const { table } = this;
    if (mediator) return table.isPersonsTurn ? this.verdicts(mediator) : [];
    if (dice?.needed && !dice.own && !table.isPersonsTurn) return [];
    if (dice?.needed) return dice.own ? [] : [rollButton(dice.mediator ? "Roll for the mediator" : "Roll the dice", () => this.roll({}))];
    const result = [];
    if (dice && table.isPersonsTurn) result.push(...this.offered(state));
    if (dice?.again && table.isPersonsTurn) result.push(button("Reroll", () => this.roll({ again: true })));
    return result;
  }

  /** Returns buttons that place a piece on the next square. */
  offered(state) {
    if (!state.next) return [];
    return state.legal.map((turn) => {
      const code = (state.turn === "white" ? "w" : "b") + turn.text[0];
      return el("button.offered", { type: "button", "data-role": turn.text[0], "aria-label": `Place the ${pieceName(code)} on ${turn.to}`, onclick: () => this.table.act(this.table.game.turn(turn.text)) }, pieceSvg(code));
    });
  }

  /** Returns the buttons for Black's decision about the mediator's double. */
  verdicts({ verdict }) {
    const { table } = this;
    const choice = (name, text, className = "") => button(text, () => table.act(table.game.mediator(name)), { class: className, "data-choice": name });
    return [choice("keep", VERDICTS[verdict], "primary"), choice("again", "Reroll")];
  }

  /** Rolls; the table shows the result. */
  async roll(wishes) {
    if (this.rolling) return;
    this.rolling = true;
    const rolled = this.table.game.dice(wishes).finally(() => { this.rolling = false; });
    await this.table.act(rolled);
  }

  /** Returns the rolls worth showing: only the mediator's if the user enters the dice. */
  worthShowing(rolls) {
    const isOwn = this.table.state.dice?.own;
    return rolls.filter(({ purpose }) => !isOwn || purpose === "mediation");
  }

  /** Shows rolls one after another, each with its meaning. */
  async present(rolls) {
    this.presenting = true;
    delete this.tray.dataset.key;
    show(this.element, true);
    show(this.solver, false);
    for (const one of rolls) await this.presentOne(one);
    this.presenting = false;
  }

  async presentOne({ purpose, color, shows, sentence }) {
    const { table } = this;
    if (table.isClosed) return;
    const isPersons = purpose === "placement" && table.isHuman(color);
    if (purpose !== "root") this.skips = false;
    this.title.textContent = TITLES[purpose] ?? `${sideName(color)} rolls the dice`;
    show(this.sentence, false);
    show(this.tray, true);
    fill(this.choices, isPersons ? [] : purpose === "root" ? button("Skip", () => this.skip()) : button("Continue", () => this.goOn()));
    if (!table.state.dice?.own) await rollTo(this.tray, shows, () => this.wait(ROLL_MS));
    fill(this.tray, shows.map(die));
    this.sentence.textContent = sentence;
    show(this.sentence, true);
    speak(sentence);
    if (!isPersons) await this.wait(STAND_MS[purpose]);
  }

  /** Waits for some time, or for a click. */
  wait(milliseconds) {
    if (this.skips) return null;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.goOn = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Shows the rest of the random part at once. */
  skip() {
    this.skips = true;
    this.goOn();
  }

  close() {
    this.skip();
  }

  /** Offers the solver's assessment, which is only computed on request. */
  drawSolver(state) {
    const can = state.legal.length > 1 && this.table.isPersonsTurn && !state.mediator && !state.dice?.needed;
    show(this.solver, can);
    if (this.assessedVersion === state.version) return;
    fill(this.solver, button("What would the solver do?", () => this.ask(state.version), { class: "quiet" }));
  }

  /** Returns a button for one of the solver's placements: hovering shows it on the board, and a click makes it. */
  placement(text) {
    const { table } = this;
    const color = table.state.turn === "white" ? "w" : "b";
    const ghosts = Object.fromEntries(text.split("+").map((drop) => [drop.slice(2), color + drop[0]]));
    const look = () => table.board.show({ ghosts }), leave = () => table.board.show({ ghosts: {} });
    return button(placementText(text), () => table.act(table.game.turn(text)), { class: "quiet", onpointerenter: look, onpointerleave: leave, onfocus: look, onblur: leave });
  }

  async ask(version) {
    const { table } = this;
    this.assessedVersion = version;
    fill(this.solver, el("p.faint", { role: "status" }, "The solver is working \u2026"));
    try {
      const assessment = await table.game.assessment();
      if (table.state.version !== version) return;
      const rows = assessment.placements.slice(0, SHOWN_PLACEMENTS).map(({ text, score }) =>
        el("li", {}, this.placement(text), el("span.score", {}, scoreText(score))));
      fill(this.solver, el("p", {}, assessment.sentence), el("ol.placements", {}, rows));
    } catch (error) {
      fill(this.solver, el("p.problem", {}, error.message));
    }
  }
}
