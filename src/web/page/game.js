// @ts-check
// The screen of a game. Its state is in a store: actions change it, and each view draws its region when what it shows
// has changed.
//
//   app ── connection ──> actions, study ──> store ──> views
//   person ── views, mover, keys ──^

import { showAbout } from "./about.js";
import { Actions } from "./actions.js";
import { showAnalysis } from "./analysis.js";
import { gameApi } from "./api.js";
import { connect } from "./connection.js";
import { showControls } from "./controls.js";
import { fill } from "./dom.js";
import { showFiles } from "./files.js";
import { bindKeys } from "./keys.js";
import { layout } from "./layout.js";
import { showMoves } from "./moves.js";
import { GameMover, openSquares } from "./moving.js";
import { showReview } from "./review.js";
import { showSetup } from "./setup.js";
import { engineArrows, firstState, isHuman, isPersonsTurn, shapesOf } from "./state.js";
import { Store } from "./store.js";
import { showStrip } from "./strip.js";
import { Study } from "./study.js";
import { bindSwipes } from "./swipe.js";
import { otherSide, sideName } from "./words.js";

/** @import { Game, OpenGame, ScreenState } from "../types" */
/** @import { Board } from "./board.js" */

/**
 * Shows a game. Returns what the other screens need of it.
 * @param {HTMLElement} screen
 * @param {Game} game
 * @param {{ openGame: OpenGame, leave: (message: string) => void }} ways to other screens
 */
export function showGame(screen, game, { openGame, leave }) {
  const store = new Store(firstState(game));
  const api = gameApi(game.id);
  const actions = new Actions(store, api, openGame);
  const study = new Study(store, api, actions);
  const mover = new GameMover(actions);
  const { board } = mover;
  const { element, parts } = layout(board.element);
  const heard = new Set();
  showBoard(store, board);
  showStrip(parts.top, "top", store, mover, heard);
  showStrip(parts.bottom, "bottom", store, mover, heard);
  showSetup(parts.setup, actions);
  showMoves(parts.moves, actions);
  showControls(parts.actions, parts.banner, actions, study);
  showReview(parts.review, actions, study);
  showAnalysis(parts.analysis, parts.bar, actions, study);
  showFiles(parts.files, parts.unsaved, actions, board);
  showAbout(parts.about, store);
  store.subscribe(
    (state) => [state.game],
    (state) => {
      document.title = titleOf(state.game);
    },
  );
  bindSwipes(parts.table, actions, board);
  fill(screen, element);
  const endings = [bindKeys(actions, study, board), connect(api, actions, study, leave)];
  return {
    actions,
    study,
    board,
    close() {
      actions.close();
      study.close();
      for (const end of endings) end();
    },
  };
}

/** @param {Store<ScreenState>} store @param {Board} board */
function showBoard(store, board) {
  store.subscribe(
    (state) => [state.picked],
    ({ picked }) => {
      if (!picked && board.picked) board.pick(null);
    },
  );
  /** @param {ScreenState} state */
  const select = ({ flipped, game, ghosts, pending, place, premove, shown }) => [
    flipped,
    game,
    ghosts,
    pending,
    place,
    premove,
    shown,
  ];
  store.subscribe(select, (state) => {
    const { flipped, game, ghosts, pending, premove, settled, shown } = state;
    board.show(
      {
        size: game.board,
        flipped,
        squares: pending?.squares ?? shown.squares,
        check: pending ? null : shown.check,
        last: pending?.last ?? shown.last ?? [],
        premove: premove ? [premove.from, premove.to] : [],
        open: openSquares(state),
        ghosts,
      },
      settled,
    );
    board.arrows.setFile(shapesOf(state));
  });
  store.subscribe(
    ({ isAnalysing, lines }) => [isAnalysing, lines],
    (state) => board.arrows.setEngine(engineArrows(state)),
  );
  store.subscribe(
    ({ hint }) => [hint],
    ({ hint }) => hint && board.arrows.toggle(hint.from, hint.to, "blue"),
  );
}

/** @param {Game} game */
function titleOf(game) {
  if (game.ending) return `${game.ending.result} \u2013 Aleator`;
  const isYours = isPersonsTurn(game) && !isHuman(game, otherSide(game.turn));
  return isYours ? "Your turn \u2013 Aleator" : `${sideName(game.turn)} to move \u2013 Aleator`;
}
