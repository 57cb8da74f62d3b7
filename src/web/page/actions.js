// A player's actions apart from moving, and the banner with the result.

import { button, el, fill, once, refill, show, toast } from "./dom.js";
import { openNewGameLike } from "./newgame.js";
import { otherSide, scoreText } from "./words.js";

const CONFIRM_MS = 4000;

export class Actions {
  constructor(table, element, banner) {
    this.table = table;
    this.element = element;
    this.banner = banner;
    this.drawn = "";
  }

  update() {
    const { table } = this;
    const { state } = table;
    // Redraws only after a change, so that a focused button keeps the focus.
    const key = [state.phase, state.turns.length > 0, state.turns.at(-1)?.placement, state.turn, state.offer, table.isPersonsTurn, Boolean(state.ending), table.analysis.canReview].join();
    if (key === this.drawn) return;
    this.drawn = key;
    this.drawBanner(state);
    refill(this.element, state.ending ? [] : this.playing(state));
    show(this.element, this.element.childElementCount > 0);
  }

  playing(state) {
    const { table } = this;
    const hasMoved = state.turns.some((turn) => !turn.placement);
    const anybody = table.isHuman("white") || table.isHuman("black");
    if (!anybody) return [];
    return [
      button("Take back", () => table.act(table.game.undo()), { disabled: state.turns.length === 0 }),
      state.phase === "board" && this.drawButton(state, hasMoved),
      state.phase === "board" && button("Hint", () => this.hint(), { disabled: !table.isPersonsTurn }),
      this.resignButton(),
    ];
  }

  /** Offers a draw, or accepts the other side's offer. */
  drawButton(state, hasMoved) {
    const { table } = this;
    if (!state.offer) {
      const color = table.isHuman(state.turn) ? state.turn : otherSide(state.turn);
      return button("Draw", () => this.draw(color), { disabled: !hasMoved });
    }
    const other = otherSide(state.offer);
    if (!table.isHuman(other)) return button("Draw offered", () => {}, { disabled: true });
    return button("Accept draw", () => this.draw(other), { class: "primary" });
  }

  async draw(color) {
    const { table } = this;
    const asked = table.game.draw(color);
    const done = await table.act(asked.then(({ state }) => state));
    if (done && (await asked).answer === "declined") this.say("The offer was declined.");
  }

  /** Asks the engine for a move and draws it as an arrow. */
  async hint() {
    const { table } = this;
    const { ply } = table.livePlace;
    await table.go(table.livePlace);
    try {
      const { uci, san, score } = await table.game.hint();
      if (table.place.ply !== ply) return;
      const [from, to] = uci.match(/[a-j]\d{1,2}/g) ?? [];
      if (from && to) table.board.arrows.toggle(from, to, "blue");
      toast(`${san} (${scoreText(score)})`);
    } catch (error) {
      toast(error.message, "error");
    }
  }

  say(text) {
    fill(this.banner, el("p", {}, text));
    this.banner.hidden = false;
    this.drawn = "";
  }

  /** Needs two clicks, so that nobody resigns by accident. */
  resignButton() {
    const { table } = this;
    const element = button("Resign", () => {
      if (element.dataset.sure) {
        const color = table.isHuman(table.state.turn) ? table.state.turn : table.isHuman("white") ? "white" : "black";
        return table.act(table.game.resign(color));
      }
      element.dataset.sure = "yes";
      element.textContent = "Really resign?";
      element.classList.add("danger");
      setTimeout(() => {
        delete element.dataset.sure;
        element.textContent = "Resign";
        element.classList.remove("danger");
      }, CONFIRM_MS);
      return null;
    });
    return element;
  }

  drawBanner(state) {
    const { ending } = state;
    show(this.banner, Boolean(ending));
    if (!ending) return;
    const again = (wishes) => this.rematch(wishes);
    const result = ending.result === "1/2-1/2" ? "\u00bd\u2013\u00bd" : ending.result.replace("-", "\u2013");
    fill(this.banner,
      el("p.result", {}, el("strong", {}, result), " ", ending.sentence),
      el("div.buttons", {},
        button("Rematch", once(() => again({ swap: true, start: "same" })), { class: "primary", title: "The same start with the other colour" }),
        button("New start", once(() => again({ swap: true, start: "new" })), { title: "Another start, the other colour" }),
        button("Options\u2026", () => openNewGameLike(state, this.table.openGame)),
        this.table.analysis.canReview && button("Analyse the game", () => this.table.analysis.review())));
  }

  async rematch(wishes) {
    const { table } = this;
    try {
      table.openGame(await table.game.rematch(wishes));
    } catch (error) {
      table.act(Promise.reject(error));
    }
  }
}
