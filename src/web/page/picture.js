// @ts-check
// A picture of a board's position, in the chosen colours and pieces.

import { svg } from "./dom.js";

/** The side of a square in pixels. */
const SIDE = 100;
const STYLES = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin"];
const FONT = { "font-family": "sans-serif", "font-weight": 650, "font-size": 15 };

/** Copies a drawing, with the styles of the style sheet as attributes. @param {Element} drawing */
function withStyle(drawing) {
  const copy = /** @type {Element} */ (drawing.cloneNode(true));
  [...copy.children].forEach((part, index) => {
    const style = getComputedStyle(drawing.children[index]);
    for (const name of STYLES) part.setAttribute(name, style.getPropertyValue(name));
  });
  return copy;
}

/** Returns a square with everything on it. @param {HTMLElement} cell @param {number} x @param {number} y */
function squareOf(cell, x, y) {
  const { file, rank, piece } = cell.dataset;
  const style = getComputedStyle(cell);
  /** @type {Element[]} */
  const parts = [svg("rect", { x, y, width: SIDE, height: SIDE, fill: style.backgroundColor })];
  if (cell.classList.contains("last"))
    parts.push(svg("rect", { x, y, width: SIDE, height: SIDE, fill: "rgb(212 190 60 / .5)" }));
  if (document.documentElement.dataset.coordinates === "on") {
    /** @type {(text: string, place: string, left: number, top: number) => void} */
    const write = (text, place, left, top) => {
      const { color } = getComputedStyle(cell, place);
      parts.push(svg("text", { ...FONT, fill: color, x: x + left, y: y + top }, document.createTextNode(text)));
    };
    if (rank) write(rank, "::before", 5, 18);
    if (file) write(file, "::after", SIDE - 15, SIDE - 7);
  }
  const drawing = cell.querySelector("svg.piece");
  if (piece && drawing) {
    const drawn = withStyle(drawing);
    const box = { x: x + 3, y: y + 3, width: SIDE - 6, height: SIDE - 6 };
    for (const [name, value] of Object.entries(box)) drawn.setAttribute(name, String(value));
    parts.push(drawn);
  }
  return parts;
}

/**
 * Returns the picture as a PNG.
 * @param {{ view: { size: number }, cells: Map<string, HTMLElement> }} board
 * @returns {Promise<Blob>}
 */
export async function picture(board) {
  const { size } = board.view;
  const cells = [...board.cells.values()];
  const pixels = size * SIDE;
  const drawn = svg(
    "svg",
    { width: pixels, height: pixels, viewBox: `0 0 ${pixels} ${pixels}` },
    ...cells.flatMap((cell, index) => squareOf(cell, (index % size) * SIDE, Math.floor(index / size) * SIDE)),
  );
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: pixels, height: pixels });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}
