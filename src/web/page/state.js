// @ts-check
// The state of a game's screen (ScreenState in types.d.ts), and what follows from it.
//
// A place is { ply, moves }: this number of turns of the game, then the moves of a variation. The latest place,
// without a variation, is the live one: moves made there are turns of the game while it lasts; moves made anywhere
// else are variations.

import { childrenOf, pathTo, readTree } from "./tree.js";
import { ends, MARKS, otherSide, sideName, spoken } from "./words.js";

/** @import { Color, Game, LegalTurn, Place, Position, ScreenState, Turn } from "../types" */

/** Returns the state of the screen when a game is opened. @param {Game} game @returns {ScreenState} */
export function firstState(game) {
  return {
    game,
    clocksAt: performance.now(),
    tree: readTree(game),
    place: livePlace(game),
    ...showing(positionOf(game)),
    flipped: turnedFor(game, game.players.black.kind === "human" && game.players.white.kind !== "human"),
    picked: null,
    premove: null,
    hint: null,
    note: null,
    isAnalysing: false,
    isThreat: false,
    lineCount: 3,
    lines: [],
    analysisProblem: null,
    rest: null,
    review: null,
    roll: null,
    assessment: null,
  };
}

/**
 * Whether Black is below: in a game between two people, the side to move if they want that, or else as before.
 * @param {Game} game
 * @param {boolean} flipped
 */
export function turnedFor(game, flipped) {
  const isTurning = document.documentElement.dataset.turning === "on" && arePeople(game) && !game.analysis;
  return isTurning && game.phase !== "over" ? game.turn === "black" : flipped;
}

/** Returns the changes that show a position. @param {Position} shown @param {string[]} settled */
export function showing(shown, settled = []) {
  return { shown, settled, pending: null, ghosts: {} };
}

/** Returns the fields of a game that an earlier position has, too. @param {Game} game @returns {Position} */
export function positionOf({ squares, check, last, turn, legal, fen }) {
  return { squares, check, last, turn, legal, fen };
}

/** Returns the place of the latest position. @param {Game} game @returns {Place} */
export function livePlace(game) {
  return { ply: game.turns.length, moves: [] };
}

/** @param {{ game: Game, place: Place }} state */
export function isLive({ game, place }) {
  return place.ply === game.turns.length && place.moves.length === 0;
}

/** Whether moves made now are turns of the game. @param {{ game: Game, place: Place }} state */
export function isPlaying(state) {
  return isLive(state) && state.game.phase !== "over";
}

/** @param {Game} game @param {Color} color */
export function isHuman(game, color) {
  return game.players[color].kind === "human";
}

/** @param {Game} game */
export function arePeople(game) {
  return isHuman(game, "white") && isHuman(game, "black");
}

/**
 * Whether a game against the engine or the clock is running, in which earlier positions allow no moves.
 * @param {Game} game
 */
export function isRunning(game) {
  return game.phase !== "over" && Boolean(game.clocks || !arePeople(game));
}

/** Whether a person has to act: move, place or roll dice. @param {Game} game */
export function isPersonsTurn({ phase, awaits }) {
  return phase !== "over" && awaits.kind === "human";
}

/**
 * Whether dice roll without a click: a single die places the bishops and rooks of a setup, and nobody has a choice.
 * @param {ScreenState} state
 */
export function rollsByItself(state) {
  const { dice, phase } = state.game;
  return phase === "setup" && isPlaying(state) && Boolean(dice?.needed && !dice.own && dice.count === 1);
}

/** Whether turns of a person can be taken back. @param {Game} game */
export function hasPerson(game) {
  return !game.ending && (isHuman(game, "white") || isHuman(game, "black"));
}

/**
 * Returns the moves that lead to the shown place: turns of the game, then those of a variation.
 * @param {ScreenState} state
 */
export function lineTo({ game, place, tree }) {
  return [...game.turns.slice(0, place.ply), ...pathTo(tree, place)];
}

/**
 * Whether the engine's scores are shown: once the game is over, under analysis, or after a review.
 * @param {ScreenState} state
 */
export function showsScores({ game, isAnalysing }) {
  return game.phase === "over" || isAnalysing || game.turns.some((turn) => turn.mark);
}

/** Whether a review makes sense: not twice, and not during a game against the engine. @param {ScreenState} state */
export function canReview({ game, review }) {
  const isFree = game.ending || arePeople(game);
  return Boolean(isFree) && !review && !game.accuracy && game.turns.some((turn) => !turn.placement);
}

/** @param {Turn} turn */
export const isMistake = (turn) => (turn.mark ?? "") in MARKS;

/** Returns the move number of a turn, counted back from the newest FEN. @param {Game} game @param {number} ply */
export function numberOf({ fen, turn, turns }, ply) {
  const full = Number((fen ?? "").trim().split(" ").at(-1)) || 1;
  const ahead = full * 2 + (turn === "black" ? 1 : 0);
  return (ahead - (turns.length - ply)) >> 1;
}

/**
 * Returns the ply of the nearest mistake before or after the shown place; undefined if there is none.
 * @param {ScreenState} state
 * @param {number} direction
 */
export function nextMistake({ game, place }, direction) {
  const plies = game.turns.flatMap((turn, index) => (isMistake(turn) ? [index + 1] : []));
  if (direction > 0) return plies.find((ply) => ply > place.ply);
  return plies.findLast((ply) => ply < place.ply || (ply === place.ply && place.moves.length > 0));
}

/**
 * Returns the shapes of the comment on the turn that led here, and the better move of a mistake.
 * @param {ScreenState} state
 */
export function shapesOf(state) {
  const { game, place, tree } = state;
  const shapes = lineTo(state).at(-1)?.shapes ?? [];
  const turn = place.moves.length ? null : game.turns[place.ply - 1];
  if (!turn?.best || !turn.mark) return shapes;
  const better = childrenOf(tree, { ply: place.ply - 1, moves: [] }).find(({ san }) => san === turn.best);
  const arrow = ends(better?.uci);
  return arrow ? [...shapes, { ...arrow, brush: "green" }] : shapes;
}

/**
 * Returns the engine's arrows, the best line's last; of castling, to where the king ends.
 * @param {ScreenState} state
 */
export function engineArrows({ isAnalysing, isThreat, lines, shown }) {
  if (!isAnalysing) return [];
  const arrows = lines.filter(Boolean).flatMap(({ uci: [uci] }, rank) => {
    const move = ends(uci);
    const legal = shown.legal.find((turn) => turn.text === uci);
    return move ? [{ from: move.from, to: (legal?.castling && legal.also[0]) || move.to, rank, isThreat }] : [];
  });
  return arrows.reverse();
}

/**
 * Returns the legal turns from a square, to a square or anywhere.
 * @param {Position} position
 * @param {string} from
 * @param {string | null} to
 * @returns {LegalTurn[]}
 */
export function turnsFrom({ legal }, from, to = null) {
  return legal.filter((turn) => turn.from === from && (to === null || turn.to === to || turn.also.includes(to)));
}

/**
 * Returns the move that leads to the shown place, for screen readers.
 * @param {ScreenState} state
 */
export function moveThere(state) {
  const { game, place, shown } = state;
  const turn = lineTo(state).at(-1);
  if (!turn) return "Starting position";
  const color = place.moves.length ? otherSide(shown.turn) : game.turns[place.ply - 1].color;
  const mark = MARKS[turn.mark ?? ""];
  const from = place.moves.length ? "Variation, " : "";
  return [`${from}${sideName(color)}: ${spoken(turn.san)}`, mark, turn.comment].filter(Boolean).join(". ");
}

/** Returns the single placements of a turn's text: "Q@g1+K@f1" has two. @param {string} text */
export const dropsOf = (text) => text.split("+");
