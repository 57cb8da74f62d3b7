// @ts-check
// The list of moves: the setup's placements, the game's turns with annotations, variations under the turns they
// branch from, and a field to type a move. On a phone the list is one line, and the buttons below it are a bar.

import { bringIntoSight, button, el, fill, refill, show } from "./dom.js";
import { gameOf } from "./games.js";
import { icon, iconButton, preferenceButton } from "./icons.js";
import { hasPerson, isLive, isMistake, isPersonsTurn, isPlaying, lineTo, numberOf, showsScores } from "./state.js";
import { childrenOf, keyOf } from "./tree.js";
import { MARKS, placementText, scoreAfter, scoreText, spentText } from "./words.js";

/** @import { Place, ScreenState, TreeNode, Turn } from "../types" */
/** @import { Actions } from "./actions.js" */

/** Shows the moves of a game in an element. @param {HTMLElement} element @param {Actions} actions */
export function showMoves(element, actions) {
  const { store } = actions;
  const placed = el("ol.placed", { "aria-label": "Placements" });
  const list = el("div.move-list", { tabindex: 0, role: "region", "aria-label": "Moves of the game" });
  const typed = el("input", {
    type: "text",
    id: "typed",
    "aria-label": "Type a move",
    "aria-describedby": "typed-problem",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "go",
  });
  const problem = el("p.problem", { id: "typed-problem", role: "alert", hidden: true });
  const explain = (/** @type {string} */ text) => {
    problem.textContent = text;
    show(problem, text !== "");
  };
  typed.addEventListener("input", () => explain(""));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = typed.value.trim();
    if (!text) return;
    const reason = await actions.type(text);
    explain(reason);
    if (!reason) typed.value = "";
  };
  // Comments can be written when the game is over, so that they cannot help a player.
  /** The place of the comment that is being written. @type {Place} */
  let written = actions.state.place;
  const remark = /** @type {HTMLTextAreaElement} */ (
    el("textarea", {
      id: "remark",
      rows: 2,
      hidden: true,
      placeholder: "Write a comment on this move",
      "aria-label": "Comment on this move",
      onfocus: () => {
        written = actions.state.place;
      },
      onchange: () => {
        actions.comment(written, remark.value);
      },
    })
  );
  const write = iconButton("comment", "Comment on this move (c)", () => {
    show(remark, Boolean(remark.hidden));
    if (!remark.hidden) remark.focus();
  });
  write.id = "write";
  const newest = iconButton("last", "To the latest position (})", () => actions.goLive());
  // On a phone, the steps are a bar below the board, with these instead of the sound.
  const undo = iconButton("undo", "Take back", () => actions.undo(), "phone-only");
  const hint = iconButton("hint", "Hint", () => actions.hint(), "phone-only");
  const sound = preferenceButton(
    "sound",
    (value) => (value === "on" ? ["loud", "Sound: on (s)"] : ["silent", "Sound: off (s)"]),
    "wide-only",
  );
  const steps = el(
    "div.steps",
    {},
    iconButton("first", "To the start ({)", () => actions.go({ ply: 0, moves: [] })),
    iconButton("back", "Back ([)", () => actions.step(-1)),
    iconButton("on", "Forward (])", () => actions.step(1)),
    newest,
    undo,
    hint,
    write,
    iconButton("flip", "Flip the board (f)", () => actions.flip()),
    sound,
  );
  const whole = el(
    "button.icon.whole.phone-only",
    {
      type: "button",
      title: "Show all moves with comments",
      "aria-label": "All moves",
      "aria-expanded": "false",
      onclick: () => {
        whole.setAttribute("aria-expanded", String(element.classList.toggle("open")));
        showCurrent();
      },
    },
    icon("more"),
  );
  const line = el("div.list-and-button", {}, list, whole);
  fill(element, placed, line, remark, el("form.type-move", { onsubmit: submit }, typed, problem), steps);

  store.subscribe(
    (state) => [state.game],
    ({ game }) => {
      show(undo, hasPerson(game));
      show(hint, hasPerson(game) && game.phase === "board" && !game.analysis);
      const isFree = game.analysis || game.phase === "over";
      show(write, isFree);
      if (!isFree) show(remark, false);
      undo.disabled = !game.can_take_back;
      hint.disabled = !isPersonsTurn(game);
    },
  );

  store.subscribe(
    (state) => [state.game, state.place, showsScores(state)],
    (state) => {
      const { game, place } = state;
      explain("");
      readRemark(state);
      const move = `Type a move: Nf3, ${gameOf(game.variant).noCastling ? "" : "O-O, "}e2e4`;
      typed.placeholder = isPlaying(state) && game.phase === "setup" ? "Type a placement: Q@g1" : move;
      newest.classList.toggle("primary", !isLive(state));
      const moves = new Moves(state, actions);
      refill(placed, moves.placements());
      show(placed, placed.childElementCount > 0);
      refill(list, moves.turns());
      list.classList.toggle("empty", game.turns.length === moves.first && list.childElementCount === 0);
      showCurrent();
      if (place.ply === 0) list.scrollTop = list.scrollLeft = 0;
    },
  );

  /** Shows the comment of the shown place, unless it is being written. @param {ScreenState} state */
  function readRemark(state) {
    const { game, place } = state;
    if (document.activeElement === remark && keyOf(place) === keyOf(written)) return;
    remark.blur();
    remark.value = (lineTo(state).at(-1)?.comment ?? (place.ply ? "" : game.foreword)) || "";
  }

  function showCurrent() {
    for (const one of [placed, list]) {
      const current = one.querySelector("[aria-current]");
      if (current) bringIntoSight(one, current);
    }
  }
}

/** Makes the elements of the list for a state. */
class Moves {
  /** @param {ScreenState} state @param {Actions} actions */
  constructor(state, actions) {
    this.state = state;
    this.actions = actions;
    /** The ply of the first turn after the placements. */
    this.first = state.game.turns.filter((turn) => turn.placement).length;
  }

  /** Returns the setup's placements, and all rolls of dice among them. */
  placements() {
    const { rolls, turns } = this.state.game;
    const items = turns.slice(0, this.first).map((turn, ply) => el("li", {}, this.turn(turn, ply)));
    for (const { again, purpose, sentence, short, shows, turns: ply } of rolls.toReversed()) {
      const text = purpose === "root" ? short : [...shows, purpose === "mediation" && short].filter(Boolean).join(" ");
      const kind = [purpose === "mediation" ? "verdict" : "rolled", again && "again"].filter(Boolean).join(" ");
      items.splice(ply, 0, el("li", { class: kind, title: again ? `${sentence}; rerolled` : sentence }, text));
    }
    return items;
  }

  /** Returns rows of move number, White's turn and Black's turn, interrupted by annotations. */
  turns() {
    const { first } = this;
    const { foreword, turns } = this.state.game;
    /** @type {(HTMLElement | string | null)[]} */
    const parts = [foreword && el("p.comment.foreword", {}, foreword)];
    if (first === turns.length) parts.push(this.variations({ ply: first, moves: [] }));
    /** @type {HTMLElement | null} */
    let row = null;
    for (let ply = first; ply < turns.length; ply += 1) {
      const turn = turns[ply];
      if (!row || turn.color === "white") {
        row = el("div.move-row", {}, el("span.number", {}, String(this.number(ply))));
        if (turn.color === "black") row.append(el("span.gap", {}, "\u2026"));
        parts.push(row);
      }
      row.append(this.turn(turn, ply));
      const annotations = this.annotations(ply, turn);
      parts.push(annotations);
      if (annotations || turn.color === "black") row = null;
    }
    return parts;
  }

  /** Returns the move number of a turn. @param {number} ply */
  number(ply) {
    return numberOf(this.state.game, ply);
  }

  /**
   * Returns what is shown under a turn: its comment, the better move of a mistake, and variations.
   * @param {number} ply
   * @param {Turn} turn
   */
  annotations(ply, turn) {
    const { best, comment } = turn;
    const notes = [comment, best && isMistake(turn) && `${best} was better.`].filter(Boolean);
    const variations = this.variations({ ply, moves: [] });
    // Variations after the last turn are shown there, too.
    const isLast = ply + 1 === this.state.game.turns.length;
    const after = isLast ? this.variations({ ply: ply + 1, moves: [] }) : null;
    if (!notes.length && !variations && !after) return null;
    return el(
      "div.annotations",
      {},
      notes.map((note) => el("p.comment", {}, note)),
      variations,
      after,
    );
  }

  /** @param {Turn} turn @param {number} ply */
  turn(turn, ply) {
    const { place } = this.state;
    const isCurrent = place.moves.length === 0 && place.ply === ply + 1;
    const glyph = turn.mark ?? "";
    return el(
      "button.move",
      {
        type: "button",
        class: [MARKS[glyph], turn.placement && turn.color].filter(Boolean).join(" "),
        "aria-current": isCurrent ? "true" : null,
        "data-ply": ply + 1,
        // The list is one tab stop: the arrow keys step through it.
        tabindex: isCurrent ? null : -1,
        onclick: () => this.actions.go({ ply: ply + 1, moves: [] }),
      },
      turn.placement ? placementText(turn.san) : turn.san,
      turn.relocation && el("span.relocated", { title: "The king relocates" }, "relocates"),
      glyph && el("span.glyph", {}, glyph),
      this.notes(turn),
    );
  }

  /** Returns the score and time of a turn. @param {Turn} turn */
  notes(turn) {
    const score = turn.score && showsScores(this.state) && el("span.score", {}, scoreText(scoreAfter(turn)));
    const spent = turn.spent_ms !== undefined && el("span.spent", {}, spentText(turn.spent_ms));
    return score || spent ? el("span.notes", {}, score, spent) : null;
  }

  /** Returns the variations that branch off at a place; null if there are none. @param {Place} place */
  variations(place) {
    const nodes = childrenOf(this.state.tree, place);
    if (nodes.length === 0) return null;
    return el(
      "ul.variations",
      {},
      nodes.map((node, index) => el("li", {}, this.line(place, node, index === 0))),
    );
  }

  /**
   * Returns a variation as running text, with its own variations in brackets.
   * @param {Place} place
   * @param {TreeNode} first
   * @param {boolean} isFirst
   * @returns {HTMLElement}
   */
  line(place, first, isFirst) {
    const { actions } = this;
    const parts = [];
    let at = place;
    let start = true;
    /** @type {TreeNode[]} */
    let rivals = [];
    for (let node = /** @type {TreeNode | undefined} */ (first); node;) {
      const ply = at.ply + at.moves.length;
      const isWhite = this.isWhite(ply);
      if (isWhite || start) parts.push(el("span.number", {}, `${this.number(ply)}${isWhite ? "." : "\u2026"}`));
      const parent = at;
      at = { ply: at.ply, moves: [...at.moves, node.uci] };
      parts.push(this.variationMove(at, node));
      if (node.comment) parts.push(" ", el("span.comment", {}, node.comment), " ");
      for (const rival of rivals) parts.push(el("span.bracket", {}, "(", this.line(parent, rival, false), ")"));
      start = rivals.length > 0;
      [node, ...rivals] = node.children;
    }
    const end = { ply: place.ply, moves: [...place.moves, first.uci] };
    const change = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => unknown} */ onclick) =>
      button(sign, onclick, { class: "change", title: label, "aria-label": label });
    return el(
      "span.line",
      {},
      first.by_engine && el("span.by-engine", { title: "A line that the engine added" }, "Aleator"),
      parts,
      isFirst ? null : change("\u2191", "Put this variation first", () => actions.promoteVariation(end)),
      change("\u00d7", "Remove this variation", () => actions.removeVariation(end)),
    );
  }

  /** Whether White moves at a ply. @param {number} ply */
  isWhite(ply) {
    const { turn, turns } = this.state.game;
    const isEven = (turns.length - ply) % 2 === 0;
    return isEven === (turn === "white");
  }

  /** @param {Place} place @param {TreeNode} node */
  variationMove(place, node) {
    const isCurrent = keyOf(this.state.place) === keyOf(place);
    const text = node.san + (node.mark ?? "");
    return button(text, () => this.actions.go(place), { class: "move", "aria-current": isCurrent ? "true" : null });
  }
}
