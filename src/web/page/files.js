// @ts-check
// Export and import of PGN, FEN, setup records, links and pictures.

import { api } from "./api.js";
import { button, copy, download, el, fill, messageOf, show, toast, toastError } from "./dom.js";
import { takeIn } from "./intake.js";
import { wishesOf } from "./newgame.js";
import { picture } from "./picture.js";

/** @import { Game, NewGameWishes, ScreenState } from "../types" */
/** @import { Actions } from "./actions.js" */
/** @import { Board } from "./board.js" */

/**
 * Shows the panel in an element, and in another one that a game could not be saved.
 * @param {HTMLElement} element
 * @param {HTMLElement} unsaved
 * @param {Actions} actions
 * @param {Board} board
 */
export function showFiles(element, unsaved, actions, board) {
  const { store } = actions;
  const game = actions.api;
  /** Shows an error of an action. @param {() => Promise<unknown>} act */
  const trying = (act) => () => act().catch(toastError);
  const nameOf = (/** @type {Game} */ { id, variant }) => `aleator-${variant}-${id}`;

  const withLines = el("input", { type: "checkbox", checked: true });
  const lines = el("label.check", { hidden: true }, withLines, "The engine's lines in the PGN");
  const pgn = () => game.pgn(withLines.checked);
  const save = trying(async () => download(`${nameOf(actions.state.game)}.pgn`, await pgn()));
  const copyPgn = trying(async () => copy(await pgn(), "PGN"));
  const copyRecord = trying(async () => copy(await game.record(), "Setup record"));
  const copyLink = trying(async () => {
    const pairs = await game.link(actions.state.place);
    await copy(new URL(`./#${new URLSearchParams(pairs)}`, document.baseURI).href, "Link");
  });
  const savePicture = async () => {
    const { place } = actions.state;
    try {
      download(`${nameOf(actions.state.game)}-${place.ply + place.moves.length}.png`, await picture(board));
    } catch {
      toast("The browser could not draw the picture.", "error");
    }
  };
  const problem = el("p.problem", { role: "alert" });
  const explain = (/** @type {string} */ sentence) => {
    problem.textContent = sentence;
    if (sentence) problem.scrollIntoView({ block: "nearest" });
  };
  const read = async () => {
    const content = text.value.trim();
    explain("");
    const imported = await takeIn(content, actions.state.game.variant).catch((error) => explain(messageOf(error)));
    if (!imported) return;
    const { state, games, problems } = imported;
    // Another screen does not show this one's sentence.
    if (problems.length && state) toast(problems[0].error, "error");
    else explain(problems[0]?.error ?? "");
    if (state) actions.openGame(state);
    else if (games.length) toast(`${games.length} games imported: they are in the list of games.`);
  };
  const playFromHere = trying(async () => actions.openGame(await api.create(gameFrom(actions.state))));

  const fen = el("input", {
    type: "text",
    readonly: true,
    "aria-label": "FEN of this position",
    onfocus: () => {
      fen.select();
    },
  });
  const text = el("textarea", {
    rows: 3,
    spellcheck: "false",
    "aria-label": "PGN, FEN or record to open",
    placeholder: "Paste a PGN, a FEN or the record of a setup",
  });
  const linkTitle = "Copy a link that opens this game at this move on any page of Aleator";
  const record = button("Record", copyRecord, { title: "Copy the record of the setup" });
  const edit = el("a.button", {}, "Edit position");
  fill(
    element,
    el("label.fen", {}, el("span", {}, "FEN"), fen),
    el(
      "div.buttons",
      {},
      button("Copy FEN", () => copy(fen.value, "FEN")),
      button("Copy PGN", copyPgn),
      button("Save PGN", save),
      button("Copy link", copyLink, { title: linkTitle }),
      button("Save picture", savePicture, { title: "Save a picture of this position" }),
      record,
      edit,
      button("Play from here", playFromHere, { title: "Start a new game from this position" }),
    ),
    lines,
    el("details", {}, el("summary", {}, "Open a PGN, a FEN or a record"), text, button("Open", read), problem),
  );

  store.subscribe(
    (state) => [state.game, state.shown],
    (state) => {
      const { turns, variant } = state.game;
      fen.value = state.shown.fen ?? "";
      show(
        lines,
        turns.some(({ variations = [] }) => variations.some(([first]) => first.by_engine)),
      );
      edit.href = `?${new URLSearchParams({ edit: fen.value, variant })}`;
      show(
        record,
        turns.some((turn) => turn.placement),
      );
    },
  );
  store.subscribe(
    (state) => [state.game.unsaved],
    ({ game: { unsaved: reason } }) => {
      show(unsaved, Boolean(reason));
      const sentence = `This game could not be saved: ${reason}. Save it as PGN, or free some space.`;
      if (reason) fill(unsaved, el("p.problem", {}, sentence), button("Save PGN", save));
    },
  );
}

/**
 * Returns the wishes for a game from the shown position, with the same players.
 * @param {ScreenState} state
 * @returns {NewGameWishes}
 */
function gameFrom({ game, shown }) {
  const { white, black } = game.players;
  if (game.analysis) return { ...wishesOf(), variant: game.variant, fen: shown.fen };
  const level = white.level ?? black.level ?? 5;
  return { white: white.kind, black: black.kind, level, ...game.habits, variant: game.variant, fen: shown.fen };
}
