// What a person prefers: how the page looks, sounds and moves. A classic script in the head, so that
// the first paint is right already; everything else of the page is modules.
//
// The root element has each preference as an attribute (`data-theme="dark"`), from which the style
// sheets and the modules read it. A change is an event "preference" of the window.

(function () {
  // The first of each comes of itself.
  const CHOICES = {
    theme: ["auto", "light", "dark"],
    board: ["green", "brown", "blue"],
    pieces: ["classic", "plain", "signs"],
    coordinates: ["on", "off"],
    animation: ["normal", "slow", "fast", "off"],
    sound: ["on", "off"],
  };
  const { dataset } = document.documentElement;
  const key = (name) => `aleator.${name}`;
  const stored = (name) => {
    try { return localStorage.getItem(key(name)); } catch { return null; }
  };
  for (const [name, values] of Object.entries(CHOICES)) dataset[name] = values.includes(stored(name)) ? stored(name) : values[0];

  window.preferences = {
    choices: CHOICES,
    /** Keeps a value, and tells everybody. */
    set(name, value) {
      try { localStorage.setItem(key(name), value); } catch { /* a private window: for this visit only */ }
      dataset[name] = value;
      dispatchEvent(new CustomEvent("preference", { detail: name }));
    },
  };
})();
