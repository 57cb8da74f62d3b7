// A picture of a board's position, in the chosen colours and pieces.

import { svg } from "./dom.js";

/** The side of a square in pixels. */
const SIDE = 100;
const STYLES = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin"];
const FONT = { "font-family": "sans-serif", "font-weight": 650, "font-size": 15 };

/** Copies a drawing, with the styles of the style sheet as attributes. */
function withStyle(drawing) {
  const copy = drawing.cloneNode(true);
  [...copy.children].forEach((part, index) => {
    const style = getComputedStyle(drawing.children[index]);
    for (const name of STYLES) part.setAttribute(name, style.getPropertyValue(name));
  });
  return copy;
}

/** Returns a square with everything on it. */
function squareOf(cell, x, y) {
  const { file, rank, piece } = cell.dataset;
  const style = getComputedStyle(cell);
  const parts = [svg("rect", { x, y, width: SIDE, height: SIDE, fill: style.backgroundColor })];
  if (cell.classList.contains("last")) parts.push(svg("rect", { x, y, width: SIDE, height: SIDE, fill: "rgb(212 190 60 / .5)" }));
  if (document.documentElement.dataset.coordinates === "on") {
    const write = (text, place, left, top) => {
      const { color } = getComputedStyle(cell, place);
      parts.push(Object.assign(svg("text", { ...FONT, fill: color, x: x + left, y: y + top }), { textContent: text }));
    };
    if (rank) write(rank, "::before", 5, 18);
    if (file) write(file, "::after", SIDE - 15, SIDE - 7);
  }
  if (piece) {
    const drawn = withStyle(cell.querySelector("svg.piece"));
    for (const [name, value] of Object.entries({ x: x + 3, y: y + 3, width: SIDE - 6, height: SIDE - 6 })) drawn.setAttribute(name, value);
    parts.push(drawn);
  }
  return parts;
}

/** Returns the picture as a Blob with a PNG. */
export async function picture(board) {
  const { size } = board.view;
  const cells = [...board.cells.values()];
  const pixels = size * SIDE;
  const drawn = svg("svg", { width: pixels, height: pixels, viewBox: `0 0 ${pixels} ${pixels}` },
    ...cells.flatMap((cell, index) => squareOf(cell, (index % size) * SIDE, Math.floor(index / size) * SIDE)));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: pixels, height: pixels });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}
