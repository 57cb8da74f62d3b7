// Texts that people bring: PGN, FEN, or the record of a set-up. All become games on the server,
// which also knows what a text is.

import { api, GameApi, Refusal } from "./api.js";

const PEOPLE = { white: "human", black: "human" };
/** A FEN and a record are shorter; of a file of games the beginning tells. */
const HEAD = 4000;

/** What a text is: { kind: "games" }, or a position with its game; of `variant` if it can be. */
export async function recognise(text, variant = null) {
  const head = text.slice(0, HEAD);
  const found = await api.position({ text: head, variant });
  return variant && found.problem ? api.position({ text: head }) : found;
}

/**
 * Reads a text; `variant` is the game it is probably of, `name` that of its file. Resolves to { state, games, problems }:
 * the State of the one game there was, or a list of many, and what is wrong: games that were skipped, faults of others.
 */
export async function takeIn(text, variant = null, name = null) {
  const found = await recognise(text, variant);
  if (found.problem) throw new Refusal(found.problem, 422);
  if (found.kind !== "games") {
    return { state: await api.create({ ...PEOPLE, variant: found.variant, fen: found.fen }), games: [], problems: [] };
  }
  const { games, skipped, warnings } = await api.readPgn(text, name);
  const state = games.length === 1 ? await new GameApi(games[0].id).get() : null;
  return { state, games, problems: [...skipped, ...warnings] };
}
