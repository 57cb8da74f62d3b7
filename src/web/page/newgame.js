// @ts-check
// The dialog for a new game: players, strength, clocks, start.

import { api } from "./api.js";
import { button, el, field, fill, messageOf, once, openDialog, radios, select, show } from "./dom.js";
import { setting } from "./settings.js";
import { StartPicker } from "./starts.js";

/** @import { Game, NewGameWishes, OpenGame, Variant } from "../types" */

/**
 * The choices of the dialog.
 * @typedef {object} Choices
 * @property {string} opponent
 * @property {string} color
 * @property {number} level
 * @property {string} clock
 * @property {boolean} pauses
 * @property {boolean} resigns
 * @property {string[]} names of two people
 */

const KEY = "aleator.newgame";
/** The rating of each level against people (an estimate), and what it does. @type {[number | null, string][]} */
const LEVELS = [
  [500, "overlooks most threats, even mate in one"],
  [800, "overlooks many threats, above all distant ones"],
  [1100, "looks a turn ahead; misjudges by up to 3 pawns"],
  [1300, "looks two turns ahead; misjudges by up to 2.4 pawns"],
  [1500, "looks three turns ahead; misjudges by up to 1.8 pawns"],
  [1700, "looks four turns ahead; misjudges by up to 1.3 pawns"],
  [1900, "looks five turns ahead; misjudges by up to 0.9 pawns"],
  [2050, "looks six turns ahead; misjudges by up to 0.6 pawns"],
  [2200, "looks eight turns ahead; misjudges by up to 0.3 pawns"],
  [2350, "looks nine turns ahead; judges well"],
  [2500, "looks ten turns ahead; judges as well as it can"],
  [null, "plays at full strength"],
];
/** Returns "5, about 1500". @param {number} level */
function levelName(level) {
  const [rating] = LEVELS[level - 1];
  return `${level}, ${rating ? `about ${rating}` : "full strength"}`;
}

/** @param {number} level */
function explanationOf(level) {
  const [rating, text] = LEVELS[level - 1];
  return `Level ${level} ${text}.${rating ? " Ratings are estimates." : ""}`;
}

const OPPONENTS = [
  ["engine", "You against Aleator"],
  ["human", "Two people"],
  ["watch", "Watch Aleator"],
];
const CLOCKS = [
  ["", "No clocks"],
  ["60+0", "1 min"],
  ["180+2", "3 min + 2 s"],
  ["300+3", "5 min + 3 s"],
  ["600+5", "10 min + 5 s"],
  ["900+10", "15 min + 10 s"],
  ["1800+20", "30 min + 20 s"],
  ["own", "Another clock \u2026"],
];

/** Aleator's human habits. @type {["pauses" | "resigns", string][]} */
const HABITS = [
  ["pauses", "pauses before its moves"],
  ["resigns", "resigns and offers draws, from level 7"],
];

/** @type {Choices} */
const USUAL = { opponent: "engine", color: "white", level: 5, clock: "", pauses: true, resigns: true, names: ["", ""] };

/** Returns the last choices; by default White against level 5 without clocks. @returns {Choices} */
function remembered() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...USUAL };
  }
}

/** @param {Choices} values */
function remember(values) {
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    /* a private window */
  }
}

/** The key of the person's name for games and files. */
const NAME_KEY = "aleator.name";

function ownName() {
  try {
    return localStorage.getItem(NAME_KEY) ?? "";
  } catch {
    return "";
  }
}

/** Returns players and clocks for a request; by default those chosen last. @param {Choices} choices */
export function wishesOf({ opponent, color, level, clock, pauses, resigns, names } = remembered()) {
  const own = color === "random" ? ["white", "black"][Math.floor(Math.random() * 2)] : color;
  const kind = (/** @type {string} */ side) =>
    opponent === "human" ? "human" : opponent === "watch" || side !== own ? "engine" : "human";
  const [base, increment] = clock.split("+").map(Number);
  return {
    white: kind("white"),
    black: kind("black"),
    level,
    pauses,
    resigns,
    ...(clock ? { clock: { base_ms: Math.round(base * 1000), increment_ms: Math.round(increment * 1000) } } : {}),
    ...(opponent === "human" ? { names } : ownName() ? { name: ownName() } : {}),
  };
}

/** Adds the habits chosen last to a link's pairs, if it does not give any. @param {string[][]} pairs */
export function withHabits(pairs) {
  const said = new Set(pairs.map(([name]) => name));
  const values = remembered();
  const unsaid = HABITS.filter(([name]) => !said.has(name));
  return [...pairs, ...unsaid.map(([name]) => [name, values[name] ? "yes" : "no"])];
}

/** Returns the controls for what *Play* starts. */
export function quickChoice() {
  const values = remembered();
  /** @type {(name: keyof Choices, label: string, choices: string[][]) => HTMLSelectElement} */
  const choice = (name, label, choices) =>
    select({ "aria-label": label }, choices, values[name], (value) => set(name, value));
  const [base, increment] = values.clock.split("+").map(Number);
  const isKnown = CLOCKS.some(([value]) => value === values.clock);
  const clocks = [...CLOCKS.slice(0, -1), ...(isKnown ? [] : [[values.clock, `${base / 60} min + ${increment} s`]])];
  const colors = [
    ["white", "you play White"],
    ["black", "you play Black"],
    ["random", "random colour"],
  ];
  const color = choice("color", "Your colour", colors);
  const levels = LEVELS.map((_, index) => [String(index + 1), `Level ${levelName(index + 1)}`]);
  const level = choice("level", "Level", levels);
  const explained = el("p.faint");
  const set = (/** @type {keyof Choices} */ name, /** @type {string} */ value) => {
    Object.assign(values, { [name]: name === "level" ? Number(value) : value });
    remember(values);
    update();
  };
  const update = () => {
    show(color, values.opponent === "engine");
    show(level, values.opponent !== "human");
    show(explained, values.opponent !== "human");
    explained.textContent = explanationOf(values.level);
  };
  const element = el(
    "div.quick",
    { role: "group", "aria-label": "What Play starts" },
    el("strong", {}, "Play starts:"),
    choice("opponent", "Players", OPPONENTS),
    color,
    level,
    choice("clock", "Clocks", clocks),
    explained,
  );
  update();
  return element;
}

/** Opens the dialog for another game like a finished one. @param {Game} game @param {OpenGame} open */
export async function openNewGameLike(game, open) {
  openNewGame(await api.variants(), game.variant, open);
}

/**
 * Opens the dialog; `open` goes to the new game.
 * @param {Variant[]} variants
 * @param {string} id
 * @param {OpenGame} open
 */
export function openNewGame(variants, id, open) {
  openDialog(new NewGame(variants, id, open).element);
}

class NewGame {
  /** @param {Variant[]} variants @param {string} id @param {OpenGame} open */
  constructor(variants, id, open) {
    this.variants = variants;
    this.open = open;
    this.values = remembered();
    this.problem = el("p.problem", { role: "alert", hidden: true });
    const names = variants.map((variant) => [variant.id, variant.name]);
    this.variant = select({ id: "new-variant" }, names, id, () => this.update());
    this.sentence = el("p.faint");
    this.start = new StartPicker();
    const colors = [
      ["white", "White"],
      ["random", "Random"],
      ["black", "Black"],
    ];
    this.colors = radios("color", "You play", colors, this.values.color, (color) => this.set({ color }));
    this.levelText = el("output");
    this.explained = el("p.faint");
    const range = { type: "range", id: "new-level", min: "1", max: LEVELS.length, value: this.values.level };
    this.level = el("input", {
      ...range,
      oninput: () => {
        this.set({ level: Number(this.level.value) });
      },
    });
    this.levels = el(
      "div.field",
      {},
      el("label", { for: "new-level" }, "Level "),
      this.levelText,
      this.level,
      this.explained,
    );
    this.habits = el(
      "fieldset.habits",
      {},
      el("legend", {}, "Aleator"),
      HABITS.map(([name, text]) => {
        const onchange = () => {
          this.set({ [name]: box.checked });
        };
        const box = el("input", { type: "checkbox", name, checked: this.values[name], onchange });
        return el("label", {}, box, ` ${text}`);
      }),
    );
    const name = (/** @type {string} */ id, /** @type {string} */ value) =>
      el("input", {
        type: "text",
        id,
        value,
        maxlength: 60,
        autocomplete: "off",
        placeholder: "for the board and PGN",
      });
    this.name = name("new-name", ownName());
    this.names = ["new-white", "new-black"].map((id, index) => name(id, this.values.names[index]));
    this.own = field("Your name", this.name);
    this.people = el(
      "div.people",
      {},
      this.names.map((input, index) => field(["White\u2019s name", "Black\u2019s name"][index], input)),
      setting("turning"),
    );

    const { clock } = this.values;
    const known = CLOCKS.some(([value]) => value === clock);
    const [base, increment] = clock ? clock.split("+").map(Number) : [300, 0];
    const number = (/** @type {string} */ label, /** @type {number} */ value) =>
      el("input", {
        type: "number",
        required: 1,
        min: "0",
        max: "600",
        step: "any",
        value,
        "aria-label": label,
        oninput: () => {
          this.setClock();
        },
      });
    this.minutes = number("Minutes", base / 60);
    this.increment = number("Seconds per move", increment);
    this.ownClock = el("span.own-clock", {}, this.minutes, " min + ", this.increment, " s");
    this.clock = select({ id: "new-clock" }, CLOCKS, known ? clock : "own", () => this.setClock());

    this.element = this.build();
    this.update();
  }

  build() {
    const choose = (/** @type {string} */ opponent) => this.set({ opponent });
    const dialog = el(
      "dialog.new-game",
      { "aria-label": "New game" },
      el(
        "form",
        {
          method: "dialog",
          novalidate: true,
          onsubmit: once(() => this.submit()),
          oninput: () => show(this.problem, false),
        },
        el("h2", {}, "New game"),
        field("Game", this.variant),
        this.sentence,
        radios("opponent", "Players", OPPONENTS, this.values.opponent, choose),
        this.colors,
        this.levels,
        this.habits,
        this.own,
        this.people,
        field("Clocks", this.clock, this.ownClock),
        this.start.element,
        this.problem,
        el(
          "div.buttons.foot",
          {},
          el("button.primary", { type: "submit" }, "Play"),
          button("Cancel", () => {
            dialog.close();
          }),
        ),
      ),
    );
    return dialog;
  }

  setClock() {
    const own = this.clock.value === "own";
    const ownClock = `${Number(this.minutes.value) * 60}+${Number(this.increment.value)}`;
    this.set({ clock: own ? ownClock : this.clock.value });
  }

  /** @param {Partial<Choices>} values */
  set(values) {
    Object.assign(this.values, values);
    this.update();
  }

  update() {
    const { level, opponent } = this.values;
    const variant = this.variants.find((one) => one.id === this.variant.value) ?? this.variants[0];
    this.sentence.textContent = variant.sentence;
    this.levelText.textContent = levelName(level);
    this.explained.textContent = explanationOf(level);
    show(this.colors, opponent === "engine");
    show(this.levels, opponent !== "human");
    show(this.habits, opponent !== "human");
    show(this.own, opponent === "engine");
    show(this.people, opponent === "human");
    show(this.ownClock, this.clock.value === "own");
    this.start.setVariant(variant);
  }

  /** @returns {NewGameWishes} */
  wishes() {
    return { variant: this.variant.value, ...wishesOf(this.values), ...this.start.wishes() };
  }

  async submit() {
    this.values.names = this.names.map(({ value }) => value.trim());
    try {
      localStorage.setItem(NAME_KEY, this.name.value.trim());
    } catch {
      /* a private window */
    }
    try {
      const wrong = this.element.querySelector(":not([hidden]) > input:invalid");
      if (wrong) throw new Error(`${wrong.ariaLabel ?? "Number"}: choose 0 to ${wrong.getAttribute("max")}.`);
      const state = await api.create(this.wishes());
      remember(this.values);
      this.element.close();
      this.open(state);
    } catch (error) {
      fill(this.problem, messageOf(error));
      show(this.problem, true);
    }
  }
}
