// @ts-check
// Scores, clocks and moves as text.

import { roleName } from "./pieces.js";

/** @import { Color, Ends, Game, Score, Turn } from "../types" */

/**
 * Returns "+0.31", "−1.20", "#5" (mate in five moves for White), "−#3".
 * @param {Score | null | undefined} score
 */
export function scoreText(score, digits = 2) {
  if (!score) return "";
  const { cp = 0, mate = null } = score;
  if (mate !== null) return `${mate < 0 ? "\u2212" : ""}#${Number.isFinite(mate) ? Math.abs(mate) : ""}`;
  return `${cp > 0 ? "+" : cp < 0 ? "\u2212" : ""}${(Math.abs(cp) / 100).toFixed(digits)}`;
}

/**
 * Returns the score after a turn; a mate on the board is an infinite one for the side that gave it.
 * @param {Turn} turn
 * @returns {Score | undefined}
 */
export function scoreAfter({ score, color }) {
  return score?.mate === 0 ? { mate: color === "white" ? Infinity : -Infinity } : score;
}

/**
 * Returns a score as White's share of the bar, from 0 (Black wins) to 1: about White's expected result, where +1.00
 * wins half of the games (src/engine/chances.rs, which also considers the material).
 * @param {Score | null | undefined} score
 */
export function share(score) {
  if (!score) return 0.5;
  const { cp = 0, mate = null } = score;
  return mate === null ? 1 / (1 + Math.exp(-cp / 135)) : mate < 0 ? 0 : 1;
}

/** Returns 1234567 as "1.2 M". @param {number} count */
export function countText(count) {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count);
}

/** Returns milliseconds as "5:07", "1:02:03", or "0:09.4" below ten seconds. @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Returns the time of a move: "3.2 s", "42 s", "1:05". @param {number} ms */
export function spentText(ms) {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 59_500 ? `${Math.round(ms / 1000)} s` : clockText(ms);
}

/** Returns a score in a few letters: "+0.3", "\u221212", "#5". @param {Score} score */
export function shortScore(score) {
  return scoreText(score, Math.abs(score.cp ?? NaN) < 995 ? 1 : 0);
}

/** The meanings of marks, which are also class names of the style sheet. @type {Record<string, string>} */
export const MARKS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/** Returns "White" for "white". @param {Color | undefined} color */
export function sideName(color) {
  return color === "white" ? "White" : "Black";
}

/** @param {Color} color @returns {Color} */
export function otherSide(color) {
  return color === "white" ? "black" : "white";
}

/** Returns a placement as text: "Rook a1", "Queen g1, king f1" for "Q@g1+K@f1". @param {string} text */
export function placementText(text) {
  const words = text
    .split("+")
    .map((drop) => `${roleName(drop[0])} ${drop.slice(2)}`)
    .join(", ");
  return words[0].toUpperCase() + words.slice(1);
}

/** Returns a turn as it is spoken: "knight takes f 3, check". @param {string} san */
export function spoken(san) {
  if (san.includes("@")) {
    return san
      .split("+")
      .map((drop) => `${roleName(drop[0])} placed on ${drop.slice(2)}`)
      .join(", ");
  }
  const end = san.includes("#") ? ", mate" : san.includes("+") ? ", check" : "";
  const plain = san.replace(/[+#!?]/g, "");
  if (/^O-O-O/.test(plain)) return `castles queen side${end}`;
  if (/^O-O/.test(plain)) return `castles king side${end}`;
  const parts = plain.match(/^([KQRBN]?)([a-j]?\d{0,2}?)(x?)([a-j]\d{1,2})(?:=?([QRBN]))?$/);
  const [, role, from, takes, to, promotion] = parts ?? [];
  if (!to) return `${plain}${end}`;
  const what = role ? roleName(role) : from ? "" : "pawn";
  const words = [
    what,
    from,
    takes && "takes",
    takes ? to : `to ${to}`,
    promotion && `becomes a ${roleName(promotion)}`,
  ];
  return words.filter(Boolean).join(" ") + end;
}

/**
 * Returns the squares of a move in UCI notation; null for a placement.
 * @param {string | undefined} uci
 * @returns {Ends | null}
 */
export function ends(uci) {
  const [, from, to] = uci?.match(/^([a-j]\d+)([a-j]\d+)[qrbn]?$/) ?? [];
  return from ? { from, to } : null;
}

/** Returns how long ago something was: "5 min ago". @param {number} milliseconds */
export function agoText(milliseconds) {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

/**
 * Returns what has happened between two states of a game, for screen readers.
 * @param {Game} before
 * @param {Game} game
 */
export function announcement(before, game) {
  const news = game.turns.slice(before.turns.length).map(({ color, san }) => `${sideName(color)}: ${spoken(san)}`);
  if (game.turns.length < before.turns.length) news.push("Taken back.");
  if (game.ending && !before.ending) news.push(game.ending.sentence);
  if (game.offer && game.offer !== before.offer) news.push(`${sideName(game.offer)} offers a draw.`);
  if (game.dice?.sentence && game.dice.sentence !== before.dice?.sentence) news.push(game.dice.sentence);
  return news.join(" ");
}
