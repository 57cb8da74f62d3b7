// @ts-check
// Import of texts: PGN, FEN, or the record of a setup. The server recognises them and makes games of them.

import { api, gameApi, Refusal } from "./api.js";

/** @import { Described } from "../types" */

/** FENs and records are shorter, and files of games are recognised by their start. */
const HEAD = 4000;
/** The app takes 16 MiB. */
const MOST = 15e6;
const ADDRESS = /^(https?:\/\/|(www\.)?(lichess\.org|chess\.com)\/)\S*$/i;

/**
 * Returns what a text is: { kind: "games" }, or a position with its variant, which is `variant` if possible.
 * @param {string} text
 * @param {string | null} variant
 */
export async function recognise(text, variant = null) {
  const head = text.slice(0, HEAD).trim();
  const problem = ADDRESS.test(head)
    ? "Paste the PGN instead: this page loads nothing from other sites."
    : head.includes("\0") && "This file is not a PGN.";
  if (problem) return /** @type {Described} */ ({ kind: "position", problem });
  const found = await api.position({ text: head, variant });
  return variant && found.problem ? api.position({ text: head }) : found;
}

/** Returns the text of a file in UTF-8, UTF-16 with its mark, or Windows-1252. @param {File} file */
export async function textOf(file) {
  const bytes = await file.arrayBuffer();
  const mark = String(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength)));
  const wide = { "255,254": "utf-16le", "254,255": "utf-16be" }[mark];
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Imports a text; `variant` is its probable variant, `name` the name of its file. Resolves to
 * { state, games, problems }: the state of a single game, or a list of several, and what is wrong: games that were
 * skipped, and problems of others.
 * @param {string} text
 * @param {string | null} variant
 * @param {string | null} name
 */
export async function takeIn(text, variant = null, name = null) {
  if (!text.trim()) throw new Error(name ? "This file is empty." : "Paste a PGN or a FEN first.");
  const found = await recognise(text, variant);
  if (found.problem) throw new Refusal(found.problem, 422);
  if (found.kind !== "games") {
    return {
      state: await api.create({ analysis: true, variant: found.variant ?? "chess", fen: found.fen }),
      games: [],
      problems: [],
    };
  }
  const { games, skipped, warnings } = await api.readPgn(text.slice(0, MOST).trim(), name);
  const limit = "A file may have 15 MB: only the beginning of this one was read.";
  if (text.length > MOST) skipped.unshift({ error: limit });
  const state = games.length === 1 ? await gameApi(games[0].id).get() : null;
  return { state, games, problems: [...skipped, ...warnings] };
}
