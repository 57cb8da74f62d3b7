// @ts-check
// The person's preferences: how the page looks, sounds and moves. This is a classic script in the head, so that the
// first paint is already right; all other scripts are modules.
//
// The root element has each preference as an attribute (`data-theme="dark"`), where style sheets and modules read it.
// A change dispatches an event "preference" on the window.

(function () {
  // The first value of each is the default.
  /** @type {Record<string, string[]>} */
  const CHOICES = {
    theme: ["auto", "light", "dark"],
    board: ["green", "brown", "blue"],
    pieces: ["classic", "plain", "signs"],
    coordinates: ["on", "off"],
    animation: ["normal", "slow", "fast", "off"],
    sound: ["on", "off"],
    volume: ["normal", "quiet", "loud"],
    // Of a pawn: asks for the piece, or always a queen.
    promotion: ["ask", "queen"],
    // Whether the board turns to the side to move in a game between two people.
    turning: ["off", "on"],
    // When the analysis of a position stops: after idle minutes, seconds ("10s") or at a depth ("d20").
    analysis: ["idle", "10s", "60s", "d20", "d30", "never"],
  };
  const { dataset } = document.documentElement;
  const key = (/** @type {string} */ name) => `aleator.${name}`;
  const stored = (/** @type {string} */ name) => {
    try {
      return localStorage.getItem(key(name));
    } catch {
      return null;
    }
  };
  for (const [name, values] of Object.entries(CHOICES)) {
    dataset[name] = values.find((value) => value === stored(name)) ?? values[0];
  }

  window.preferences = {
    choices: CHOICES,
    /** Stores a value and dispatches the event. @param {string} name @param {string} value */
    set(name, value) {
      try {
        localStorage.setItem(key(name), value);
      } catch {
        /* a private window: for this visit only */
      }
      dataset[name] = value;
      dispatchEvent(new CustomEvent("preference", { detail: name }));
    },
  };
})();
