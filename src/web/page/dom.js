// Helpers to make elements, used instead of a framework.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns an element: `el("button.primary", { type: "button", onclick }, "Play")`. Properties that start with `on`
 * are listeners; null and false are left out, true is an empty attribute.
 */
export function el(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = `${element.className} ${value}`.trim();
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Returns an SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Returns a button with a text. */
export function button(text, onclick, properties = {}) {
  return el("button", { type: "button", onclick, ...properties }, text);
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Returns radio buttons for choices [value, text], of which `checked` is selected. */
export function radios(name, label, choices, checked, onchange) {
  return el("fieldset.choice", {}, el("legend", {}, label), choices.map(([value, text]) =>
    el("label", {}, el("input", { type: "radio", name, value, checked: value === checked, onchange: () => onchange(value) }), el("span", {}, text))));
}

const FOCUSABLE = "button:not(:disabled), a[href], input, select, textarea";

/** Like `fill`, but a focus inside moves to the new element in the same place. */
export function refill(element, ...children) {
  const before = [...element.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
  fill(element, ...children);
  if (before < 0) return;
  const after = [...element.querySelectorAll(FOCUSABLE)];
  after[Math.min(before, after.length - 1)]?.focus({ preventScroll: true });
}

/** Scrolls a list, and nothing around it, until an element is visible. */
export function bringIntoSight(list, element) {
  const place = list.getBoundingClientRect(), own = element.getBoundingClientRect();
  if (own.top < place.top) list.scrollTop -= place.top - own.top;
  else if (own.bottom > place.bottom) list.scrollTop += own.bottom - place.bottom;
}

/** Shows or hides an element without removing it. */
export function show(element, visible) {
  element.hidden = !visible;
}

/** Announces a text to screen readers. */
export function speak(text) {
  const live = document.getElementById("live");
  // An invisible mark makes a repeated text differ, so that it is announced again.
  live.textContent = live.textContent === text ? `${text}\u200b` : text;
}

let toastTimer = 0;

/** Shows a message for some seconds, such as an error; optionally with a button for an action. */
export function toast(text, kind = "info", action = null) {
  const place = document.getElementById("toast");
  const act = () => {
    place.hidden = true;
    action.run();
  };
  fill(place, text, action && button(action.text, act));
  place.className = kind;
  place.hidden = false;
  placeToast(place);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { place.hidden = true; }, (action ? 8000 : 3500) + 40 * text.length);
}

/** Places a toast where it covers no controls: at the top, at the bottom, or on the board. */
function placeToast(place) {
  const board = document.querySelector(".board")?.getBoundingClientRect();
  place.style.maxWidth = board ? `${board.width}px` : "";
  const { width, height } = place.getBoundingClientRect();
  const middle = board ? board.left + board.width / 2 : innerWidth / 2;
  const left = Math.max(0, Math.min(innerWidth - width, middle - width / 2));
  const controls = [...document.querySelectorAll("button, a, input, select, textarea, summary, .clock")].map((one) => one.getBoundingClientRect());
  const isFree = (top) => !controls.some((one) => one.width > 0 && one.left < left + width && one.right > left && one.top < top + height && one.bottom > top);
  const onBoard = board ? Math.max(0, board.top + (board.height - height) / 2) : innerHeight / 2;
  const top = [8, innerHeight - height - 8].find(isFree) ?? onBoard;
  Object.assign(place.style, { left: `${left}px`, top: `${top}px` });
}

/** Opens a modal dialog. While it is longer than the window, its foot shows that more follows. */
export function openDialog(dialog) {
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  const mark = () => dialog.classList.toggle("more", dialog.scrollTop + dialog.clientHeight < dialog.scrollHeight - 4);
  dialog.addEventListener("scroll", mark);
  const observer = new ResizeObserver(mark);
  [dialog, ...dialog.children].forEach((part) => observer.observe(part));
  dialog.showModal();
}

/** Returns a listener that ignores events while its action is running, so that a double click acts once. */
export function once(begin) {
  let isUnderWay = false;
  return async (event) => {
    event?.preventDefault();
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      await begin();
    } finally {
      isUnderWay = false;
    }
  };
}

/** Copies text to the clipboard and says so. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast(`The browser refused to copy: select the text and copy it yourself.`, "error");
  }
}

/** Saves a file, a text or a Blob, through the browser. */
export function download(name, content) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: "text/plain" });
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
