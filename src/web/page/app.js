// The page of `aleator serve`: this file decides which screen is shown.
//
// The server (src/web) holds every game and its rules. The page draws the state it sends, and sends what a person
// wants to do. There is no framework and no build step. The modules:
//
// | file | does |
// | --- | --- |
// | app | addresses: the gallery at `/`, a game at `/?game=ID`, a new game at `/?variant=..&start=..` |
// | api, transport | requests and the stream of a game's events; how they reach the app |
// | dom, icons | making elements, messages, the clipboard; icons for buttons |
// | gallery, games | the first screen with all variants; their rules |
// | list | the list of games, at `/?games` |
// | puzzles | positions with one winning move, at `/?puzzles=VARIANT` |
// | editor | the board editor, at `/?edit=FEN&variant=..` |
// | newgame, starts | the dialog for a new game; choosing a start by number, by hand, by FEN |
// | table | the screen of a game: holds the state and the shown place, and updates the parts |
// | layout | the parts of that screen and their places |
// | board, pointer, arrows | the board: drawing, keyboard; mouse and touch; arrows on it |
// | squares, pieces, drawings | names of squares; the pieces and their drawings |
// | moving | what a person may pick up and where it may go, premoves, promotion |
// | strip, clock, captured | a player's name, hand and clock; captured pieces |
// | setup, dice | the setup: dice, mediator, Free Play, the solver's assessment |
// | moves, tree | the list of moves; the tree of variations |
// | actions | take back, draw, resign, rematch, the result |
// | analysis, chart | the engine's lines, the evaluation bar; the review of the game and its chart |
// | files, picture, intake | export and import of PGN, FEN, records, links and pictures |
// | about, fairness, openings | what is played; the score of its start; names of openings |
// | keys | keyboard shortcuts and the help |
// | words | scores, clocks and moves as text |
// | sound | the sounds of moves |
// | preferences, settings | a person's preferences (a classic script, before the first paint); their dialog |

import { api } from "./api.js";
import { button, el, fill, toast } from "./dom.js";
import { showEditor } from "./editor.js";
import { showGallery } from "./gallery.js";
import { iconButton } from "./icons.js";
import { openHelp } from "./keys.js";
import { showGames } from "./list.js";
import { withHabits } from "./newgame.js";
import { showPuzzles } from "./puzzles.js";
import { openSettings } from "./settings.js";
import { Table } from "./table.js";

const screen = document.getElementById("screen");
let table = null;
/** The number of screens that were asked for. */
let visits = 0;

/** Shows the screen of the address. Responses that arrive after another screen was asked for are dropped. */
async function route() {
  const visit = ++visits;
  const isWanted = () => visit === visits;
  table?.close();
  table = null;
  scrollTo(0, 0);
  // Long links come after the #, so that no server has to accept them. They go before the query.
  const values = new URLSearchParams(location.hash.slice(1) || location.search);
  try {
    if (values.has("game")) return await openTable(values.get("game"));
    if (values.has("edit")) return await showEditor(screen, { text: values.get("edit"), variant: values.get("variant") }, openGame, isWanted);
    if (values.has("puzzles")) return await showPuzzles(screen, { variant: values.get("puzzles"), number: values.get("number") }, openGame, isWanted);
    if (values.has("games")) return showGames(screen, values.get("games"));
    if (values.size > 0) {
      const state = await api.createByLink(withHabits([...values]));
      if (!isWanted()) return null;
      await openTable(state.id, { state, replace: true });
      if (values.has("ply") && isWanted()) await table?.go({ ply: Number(values.get("ply")), moves: [] });
      return null;
    }
  } catch (error) {
    if (!isWanted()) return null;
    toast(error.message, "error");
    history.replaceState(null, "", "./");
  }
  return showGallery(screen, openGame);
}

/** Shows a new game, and analyses it if `isAnalysed`. */
async function openGame(state, isAnalysed = false) {
  visits += 1;
  table?.close();
  scrollTo(0, 0);
  await openTable(state.id, { state });
  if (isAnalysed) table.analysis.switch(true);
}

function openTable(id, { state = null, replace = false } = {}) {
  const address = `?game=${encodeURIComponent(id)}`;
  if (location.search !== address) history[replace ? "replaceState" : "pushState"](null, "", address);
  table = new Table(screen, id, { openGame, leave });
  return table.open(state, state !== null && !replace);
}

/** Returns to the gallery, with a message saying why. */
function leave(message) {
  if (message) toast(message, "error");
  history.replaceState(null, "", "./");
  route();
}

fill(document.getElementById("nav"),
  el("a.button", { href: "./" }, "Play"),
  el("a.button", { href: "?games" }, "Games"),
  button("?", openHelp, { class: "icon", title: "Help and keyboard (?)", "aria-label": "Help and keyboard" }),
  iconButton("settings", "Settings", openSettings));
addEventListener("popstate", route);
document.addEventListener("click", (event) => {
  // Links within the page do not reload it.
  const link = event.target.closest?.("a[href^='?'], a[href='./']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  route();
});
route();
