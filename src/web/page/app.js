// The page of `aleator serve`: this file decides which screen is shown.
//
// The server (src/web) is the arbiter and the truth of every game; the page draws what its State
// says and sends what a person wants. No framework, no build step; modules, who does what:
//
// | file | does |
// | --- | --- |
// | app | addresses: the gallery at `/`, a game at `/?game=ID`, a new game at `/?variant=..&start=..` |
// | api, transport | requests and the stream of a game's events; how they reach the app |
// | dom, icons | making elements, messages, the clipboard; the icons of buttons |
// | gallery, games | the first screen: the games with a sentence each; what each is about |
// | list | the games that were played and read, at `/?games` |
// | puzzles | positions with one winning move, at `/?puzzles=VARIANT` |
// | editor | the board editor at `/?edit=FEN&variant=..` |
// | newgame, starts | the dialog of a new game; choosing a start by number, by hand, by FEN |
// | table | the screen of a game: holds State and what part of the game is looked at, joins the rest |
// | layout | the parts of that screen and where they stand |
// | board, pointer, arrows | the board: drawing, keyboard; mouse and touch; arrows over it |
// | squares, pieces, drawings | names of squares; the pieces and their drawings |
// | moving | what a person may pick up and where it may go, premoves, promotion |
// | strip, clock, men | a player's name, hand and clock; the men that have gone |
// | setup, dice | the set-up: dice, mediator, Free Play, the solver's assessment |
// | moves, tree | the list of moves; variations beside the game |
// | actions | take back, draw, resign, rematch, how the game ended |
// | analysis, chart | the engine's lines, the evaluation bar; the scores of the game, its review |
// | files, picture, intake | PGN, FEN, records, links and pictures, out and in |
// | about, fairness, openings | what is played; what its start is worth; names of openings |
// | keys | the keyboard's shortcuts and the help |
// | words | scores, clocks and moves in words |
// | sound | what moves sound like |
// | preferences, settings | what a person prefers (a classic script, before the first paint); the dialog |

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
/** How often another screen was asked for. */
let visits = 0;

/** The screen that the address asks for. Answers that come when another is asked for are dropped. */
async function route() {
  const visit = ++visits;
  const isWanted = () => visit === visits;
  table?.close();
  table = null;
  scrollTo(0, 0);
  // Long links stand behind the #: no server has to take them. What is pasted there goes first.
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

/** Goes to a game that has just been made, maybe to analyse it. */
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

/** Back to the gallery, with a word on why. */
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
  // Links of the page do not load it anew.
  const link = event.target.closest?.("a[href^='?'], a[href='./']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  route();
});
route();
