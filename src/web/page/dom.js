// @ts-check
// Helpers to make elements, used instead of a framework.

/** @import { Attributes, Children, ElementOf, Properties } from "../types" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns an element: `el("button.primary", { type: "button", onclick }, "Play")`. Properties that start with `on`
 * are listeners; null and false are left out, true is an empty attribute.
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {Children} children
 * @returns {ElementOf<Tag>}
 */
export function el(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = /** @type {ElementOf<Tag>} */ (document.createElement(name));
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (key === "class") element.className = `${element.className} ${value}`.trim();
    else if (key === "value") Object.assign(element, { value });
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  return fill(element, ...children);
}

/**
 * Returns an SVG element with attributes and children.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Attributes} attributes
 * @param {Node[]} children
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Returns a button with a text. @param {string} text @param {(event: Event) => unknown} onclick */
export function button(text, onclick, properties = {}) {
  return el("button", { type: "button", onclick, ...properties }, text);
}

/** How long the second button of *Resign* does not respond. */
const DOUBLE_CLICK_MS = 600;

/**
 * Returns a button that needs two clicks. `begin`, called by the first, returns what the second does. The second button
 * lies over the first and keeps its place while the page around it changes; a click elsewhere or Escape takes it away.
 * @param {string} text
 * @param {string} question
 * @param {() => () => unknown} begin
 */
export function sureButton(text, question, begin, properties = {}) {
  const first = button(
    text,
    () => {
      const act = begin();
      const { left, top, width, height } = first.getBoundingClientRect();
      const px = (/** @type {number} */ length) => `${length}px`;
      const sure = button(question, () => {
        sure.hidePopover();
        act();
      });
      sure.className = "sure danger";
      sure.popover = "auto";
      sure.addEventListener("toggle", ({ newState }) => newState === "closed" && sure.remove());
      document.body.append(sure);
      sure.showPopover();
      Object.assign(sure.style, { width: px(width), height: px(height), top: px(top), left: px(left) });
      // A double click does nothing.
      sure.disabled = true;
      setTimeout(() => {
        sure.disabled = false;
        sure.focus();
      }, DOUBLE_CLICK_MS);
    },
    properties,
  );
  return first;
}

/** Replaces the children of an element. @template {Element} E @param {E} element @param {Children} children */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/**
 * Returns radio buttons for choices [value, text], of which `checked` is selected.
 * @param {string} name
 * @param {string} label
 * @param {string[][]} choices
 * @param {string | null | undefined} checked
 * @param {(value: string) => void} onchange
 */
export function radios(name, label, choices, checked, onchange) {
  const radio = (/** @type {string} */ value) =>
    el("input", { type: "radio", name, value, checked: value === checked, onchange: () => onchange(value) });
  const labels = choices.map(([value, text]) => el("label", {}, radio(value), el("span", {}, text)));
  return el("fieldset.choice", {}, el("legend", {}, label), labels);
}

/**
 * Returns a list of choices [value, text], of which `value` is selected.
 * @param {object} properties
 * @param {string[][]} choices
 * @param {unknown} value
 * @param {(value: string) => void} onchange
 */
export function select(properties, choices, value, onchange) {
  const options = choices.map(([value, text]) => el("option", { value }, text));
  /** @type {HTMLSelectElement} */
  const element = el("select", { ...properties, onchange: () => void onchange(element.value) }, options);
  element.value = String(value);
  return element;
}

/** Returns a field with its label. @param {string} label @param {HTMLElement} element @param {Children} others */
export function field(label, element, ...others) {
  return el("div.field", {}, el("label", { for: element.id }, label), element, ...others);
}

const FOCUSABLE = "button:not(:disabled), a[href], input, select, textarea";

/**
 * Like `fill`, but a focus inside moves to the new element in the same place.
 * @param {Element} element
 * @param {Children} children
 */
export function refill(element, ...children) {
  const focusable = () => /** @type {HTMLElement[]} */ ([...element.querySelectorAll(FOCUSABLE)]);
  const before = focusable().findIndex((one) => one === document.activeElement);
  fill(element, ...children);
  if (before < 0) return;
  const after = focusable();
  after[Math.min(before, after.length - 1)]?.focus({ preventScroll: true });
}

/**
 * Scrolls a list, and nothing around it, until an element is visible.
 * @param {Element} list
 * @param {Element} element
 */
export function bringIntoSight(list, element) {
  const place = list.getBoundingClientRect();
  const own = element.getBoundingClientRect();
  if (own.top < place.top) list.scrollTop -= place.top - own.top;
  else if (own.bottom > place.bottom) list.scrollTop += own.bottom - place.bottom;
  if (own.left < place.left) list.scrollLeft -= place.left - own.left;
  else if (own.right > place.right) list.scrollLeft += own.right - place.right;
}

/** Shows or hides an element without removing it. @param {HTMLElement} element @param {boolean} visible */
export function show(element, visible) {
  element.hidden = !visible;
}

/** Returns an element of index.html. @param {string} id */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Announces a text to screen readers. @param {string} text */
export function speak(text) {
  const live = byId("live");
  // An invisible mark makes a repeated text differ, so that it is announced again.
  live.textContent = live.textContent === text ? `${text}\u200b` : text;
}

let toastTimer = 0;

/**
 * Shows a message for some seconds, such as an error; optionally with a button for an action.
 * @param {string} text
 * @param {{ text: string, run: () => unknown } | null} action
 */
export function toast(text, kind = "info", action = null) {
  const place = byId("toast");
  const act = () => {
    place.hidden = true;
    action?.run();
  };
  fill(place, text, action && button(action.text, act));
  place.className = kind;
  place.hidden = false;
  placeToast(place);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(
    () => {
      place.hidden = true;
    },
    (action ? 8000 : 3500) + 40 * text.length,
  );
}

/** Hides a message about an error, which is no longer true after a legal move. */
export function clearError() {
  const place = byId("toast");
  if (place.className === "error") place.hidden = true;
}

/**
 * Places a toast where it covers no controls: at the top, at the bottom, or on the board.
 * @param {HTMLElement} place
 */
function placeToast(place) {
  const board = document.querySelector(".board")?.getBoundingClientRect();
  place.style.maxWidth = board ? `${board.width}px` : "";
  const { width, height } = place.getBoundingClientRect();
  const middle = board ? board.left + board.width / 2 : innerWidth / 2;
  const left = Math.max(0, Math.min(innerWidth - width, middle - width / 2));
  const controls = [...document.querySelectorAll("button, a, input, select, textarea, summary, .clock")];
  const boxes = controls.map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0);
  const isFree = (/** @type {number} */ top) =>
    !boxes.some((box) => box.left < left + width && box.right > left && box.top < top + height && box.bottom > top);
  const onBoard = board ? Math.max(0, board.top + (board.height - height) / 2) : innerHeight / 2;
  const top = [8, innerHeight - height - 8].find(isFree) ?? onBoard;
  Object.assign(place.style, { left: `${left}px`, top: `${top}px` });
}

/** Returns the foot of a dialog with a button that closes it. */
export function closeButton() {
  return el("form.buttons.foot", { method: "dialog" }, el("button.primary", {}, "Close"));
}

/**
 * Opens a modal dialog. While it is longer than the window, its foot shows that more follows.
 * @param {HTMLDialogElement} dialog
 */
export function openDialog(dialog) {
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  const mark = () => dialog.classList.toggle("more", dialog.scrollTop + dialog.clientHeight < dialog.scrollHeight - 4);
  dialog.addEventListener("scroll", mark);
  const observer = new ResizeObserver(mark);
  [dialog, ...dialog.children].forEach((part) => observer.observe(part));
  dialog.showModal();
  dialog.scrollTop = 0;
}

/**
 * Returns a listener that ignores events while its action is running, so that a double click acts once.
 * @param {() => unknown} begin
 */
export function once(begin) {
  let isUnderWay = false;
  return async (/** @type {Event | undefined} */ event) => {
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

/** Copies text to the clipboard and says so. @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast(`The browser refused to copy: select the text and copy it yourself.`, "error");
  }
}

/** Saves a file through the browser. @param {string} name @param {string | Blob} content */
export function download(name, content) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: "text/plain" });
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Shows an error as a message. @param {unknown} error */
export function toastError(error) {
  toast(messageOf(error), "error");
}

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
