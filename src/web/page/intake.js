// Texts that people bring: PGN, FEN, or the record of a set-up. All become games on the server.

import { api, GameApi } from "./api.js";

const PEOPLE = { white: "human", black: "human" };

/** What a text is: "pgn", "fen" or "record". */
export function kindOf(text) {
  const trimmed = text.trim();
  if (/^\[\w+\s+"/m.test(trimmed)) return "pgn";
  const slashes = trimmed.split(/\s/)[0].split("/").length - 1;
  if (slashes >= 7) return "fen";
  const isRecord = trimmed.includes("@") || /^(mirror|reverse)\b/im.test(trimmed) || /^([KQRBN][a-h]1[,\s]+){2}/.test(trimmed);
  return isRecord ? "record" : "pgn";
}

/** The game that a FEN or a record is of, where nobody says. */
function variantOf(text, kind) {
  if (kind === "record") return text.includes("@") ? "fischerbenko" : "jepps";
  const board = text.trim().split(/\s/)[0];
  if (board.split("/").length >= 10) return "ifrc";
  return board.includes("[") ? "fischerbenko" : "chess960";
}

/**
 * Reads a text; `variant` is the game it is probably of. Resolves to { state, games, skipped }:
 * the State of the one game there was, or a list of many, and what could not be read.
 */
export async function takeIn(text, variant = null) {
  const kind = kindOf(text);
  if (kind !== "pgn") {
    const content = { [kind]: text.trim(), variant: variant ?? variantOf(text, kind) };
    return { state: await api.create({ ...PEOPLE, ...content }), games: [], skipped: [] };
  }
  const { games, skipped } = await api.readPgn(text);
  const state = games.length === 1 ? await new GameApi(games[0].id).get() : null;
  return { state, games, skipped };
}
