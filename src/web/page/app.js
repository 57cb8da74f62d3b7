// @ts-check
// The page of `aleator serve`: this file decides which screen is shown.
//
// The server (src/web) holds every game and its rules. The page draws the state it sends, and sends what a person
// wants to do. There is no framework and no build step. The modules:
//
// | file | does |
// | --- | --- |
// | app | addresses: the gallery at `/`, a game at `/?game=ID`, a new game at `/?variant=..&start=..`, an analysis |
// |     | board at `/?analysis=VARIANT` |
// | api, transport | requests and the stream of a game's events; how they reach the app |
// | dom, icons | making elements, messages, the clipboard; icons for buttons |
// | gallery, games | the first screen with all variants; their rules |
// | list | the list of games, at `/?games` |
// | puzzles | positions with one winning move, at `/?puzzles=VARIANT` |
// | editor | the board editor, at `/?edit=FEN&variant=..` |
// | newgame, starts | the dialog for a new game; choosing a start by number, by hand, by FEN |
// | game, layout | the screen of a game: wires what follows; its parts and their places |
// | store, state | the state of that screen (../types.d.ts), and what follows from it |
// | actions, study, rolls | change the state: the game; analysis and review; the dice that are being shown |
// | connection | passes the app's events on to them |
// | board, pointer, arrows | the board: drawing, keyboard; mouse and touch; arrows on it |
// | swipe | swipes that step through the game |
// | squares, pieces, drawings | names of squares; the pieces and their drawings |
// | moving | what a person may pick up and where it may go, premoves, promotion |
// | strip, clock, captured | a player's name, hand and clock; captured pieces |
// | setup, dice | the setup: dice, mediator, Free Play, the solver's assessment |
// | moves, tree | the list of moves; the tree of variations |
// | controls | take back, draw, resign, rematch, the result |
// | analysis, chart | the engine's lines, the evaluation bar; the review of the game and its chart |
// | preview | a small board for a move of a line |
// | files, picture, intake | export and import of PGN, FEN, records, links and pictures |
// | about, fairness, openings | what is played; the score of its start; names of openings |
// | keys | keyboard shortcuts and the help |
// | words | scores, clocks and moves as text |
// | sound | the sounds of moves |
// | preferences, settings | a person's preferences (a classic script, before the first paint); their dialog |

import { api, gameApi } from "./api.js";
import { button, byId, el, fill, toast, toastError } from "./dom.js";
import { showEditor } from "./editor.js";
import { showGallery } from "./gallery.js";
import { showGame } from "./game.js";
import { iconButton } from "./icons.js";
import { openHelp } from "./keys.js";
import { addressOf, showGames } from "./list.js";
import { withHabits } from "./newgame.js";
import { showPuzzles } from "./puzzles.js";
import { openSettings } from "./settings.js";

/** @import { Game } from "../types" */

const screen = byId("screen");
/** The screen of a game, if it is shown. @type {ReturnType<typeof showGame> | null} */
let shown = null;
/** The number of screens that were asked for. */
let visits = 0;

/** Shows the screen of the address. Responses that arrive after another screen was asked for are dropped. */
async function route() {
  const visit = ++visits;
  const isWanted = () => visit === visits;
  clear();
  // Long links come after the #, so that no server has to accept them. They go before the query.
  const values = new URLSearchParams(location.hash.slice(1) || location.search);
  const get = (/** @type {string} */ name) => values.get(name);
  try {
    if (values.has("edit")) return await showEditor(screen, get("edit"), get("variant"), openGame, isWanted);
    if (values.has("puzzles")) return await showPuzzles(screen, get("puzzles"), get("number"), openGame, isWanted);
    if (values.has("games")) return showGames(screen, get("games"));
    if (values.size > 0) {
      const id = get("game");
      // The variant of a board to analyse on.
      const board = values.size === 1 ? get("analysis") : null;
      const wish = () =>
        board === null
          ? api.createByLink(withHabits([...values]))
          : api.create({ variant: board || "chess", analysis: true });
      const game = await (id ? gameApi(id).get() : wish());
      if (!isWanted()) return;
      history.replaceState(null, "", addressOf(game.id));
      shown = showGame(screen, game, { openGame, leave });
      if (game.analysis && !id) shown.study.switch(true);
      const ply = get("ply");
      if (ply && !id) await shown.actions.go({ ply: Number(ply), moves: [] });
      return;
    }
  } catch (error) {
    if (!isWanted()) return;
    toastError(error);
    history.replaceState(null, "", "./");
  }
  showGallery(screen, openGame);
}

/** Leaves the shown screen. */
function clear() {
  shown?.close();
  shown = null;
  scrollTo(0, 0);
}

/** Shows a new game, and analyses it if `isAnalysed`. @param {Game} game */
function openGame(game, isAnalysed = false) {
  visits += 1;
  clear();
  history.pushState(null, "", addressOf(game.id));
  shown = showGame(screen, game, { openGame, leave });
  shown.board.focus(undefined, "page");
  if (isAnalysed) shown.study.switch(true);
}

/** Returns to the gallery, with a message saying why. @param {string} message */
function leave(message) {
  toast(message, "error");
  history.replaceState(null, "", "./");
  route();
}

fill(
  byId("nav"),
  el("a.button", { href: "./" }, "Play"),
  el("a.button", { href: "?analysis" }, "Analysis"),
  el("a.button", { href: "?games" }, "Games"),
  button("?", openHelp, { class: "icon ask", title: "Help and keyboard (?)", "aria-label": "Help and keyboard" }),
  iconButton("settings", "Settings", openSettings),
);
addEventListener("popstate", route);
// The first page reads dropped files. Elsewhere the browser would leave the page.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  const isFirst = document.querySelector(".gallery:not(.game-list)");
  toast(
    isFirst ? "Close the dialog, and drop the file again." : "Drop files on the first page: choose Play above.",
    "error",
  );
});
document.addEventListener("click", (event) => {
  // Links within the page do not reload it.
  const link = event.target instanceof Element && event.target.closest("a[href^='?'], a[href='./']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  route();
});
route();
