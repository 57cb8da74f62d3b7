// @ts-check
// The state of a screen. A change replaces it, and the views of what changed draw themselves again.

/** @template {object} State */
export class Store {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  /** @param {Partial<State>} changes */
  update(changes) {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener();
  }

  /**
   * Calls `draw` now, and again whenever one of the selected values is another one.
   * @param {(state: State) => unknown[]} select
   * @param {(state: State) => void} draw
   */
  subscribe(select, draw) {
    /** @type {unknown[] | null} */
    let before = null;
    const listener = () => {
      const now = select(this.state);
      if (before && now.every((value, index) => value === before?.[index])) return;
      before = now;
      draw(this.state);
    };
    this.listeners.push(listener);
    listener();
  }
}
