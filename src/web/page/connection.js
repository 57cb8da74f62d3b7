// @ts-check
// The stream of a game's events on the screen of the game, as long as its tab is visible.

import { Refusal } from "./api.js";
import { toast } from "./dom.js";

/** @import { GameApi } from "../types" */
/** @import { Actions } from "./actions.js" */
/** @import { Study } from "./study.js" */

/** How long a hidden tab keeps listening. */
const HIDDEN_MS = 10_000;

/**
 * Passes the events of a game on; `leave` is called once there is no such game. Returns a function that stops.
 * @param {GameApi} api
 * @param {Actions} actions
 * @param {Study} study
 * @param {(message: string) => void} leave
 */
export function connect(api, actions, study, leave) {
  let isLost = false;
  let hiding = 0;

  const listen = () =>
    api.listen({
      state: (game) => actions.receive(game),
      deleted: () => leave("This game was deleted."),
      line: (line) => study.takeLine(line),
      progress: (progress) => study.takeProgress(progress),
      score: (score) => study.takeScore(score),
      notice: ({ error }) => toast(error, "error"),
      open: () => {
        isLost = false;
        study.restart();
      },
      // The browser reconnects by itself.
      lost: () => {
        if (!isLost) toast("The server does not respond. The page continues when it is back.", "error");
        isLost = true;
      },
      refused: () =>
        api.get().catch((error) => error instanceof Refusal && error.status === 404 && leave(error.message)),
      crowded: () => {
        const until = "This one shows moves a little late, and no analysis until another tab is closed.";
        toast(`Too many tabs of this page are open. ${until}`, "error");
      },
    });

  /** Lets a tab that was hidden for some seconds close its stream, unless a review runs: other tabs may need it. */
  const follow = () => {
    clearTimeout(hiding);
    if (!document.hidden && !api.isListening()) listen();
    if (document.hidden) hiding = setTimeout(() => (actions.state.review ? follow() : api.close()), HIDDEN_MS);
  };
  follow();
  document.addEventListener("visibilitychange", follow);
  return () => {
    clearTimeout(hiding);
    document.removeEventListener("visibilitychange", follow);
    api.close();
  };
}
