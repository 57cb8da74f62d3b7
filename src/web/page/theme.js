// Light, dark, or as the system has it. A classic script in the head, so that the first paint is
// right already; everything else of the page is modules.

(function () {
  const KEY = "aleator.theme";
  const themes = ["auto", "light", "dark"];
  const stored = () => {
    try { return localStorage.getItem(KEY); } catch { return null; }
  };
  const apply = (theme) => { document.documentElement.dataset.theme = theme; };
  let theme = themes.includes(stored()) ? stored() : "auto";
  apply(theme);

  /** Goes on to the next theme and returns its name. */
  window.nextTheme = function () {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try { localStorage.setItem(KEY, theme); } catch { /* a private window: for this visit only */ }
    apply(theme);
    return theme;
  };
})();
