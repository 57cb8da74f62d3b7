// @ts-check
// What a person may pick up on a board and where it may go: the legal turns of a position, with the choice of a
// promotion; in a game also placements, and premoves while the engine thinks. The server's list of legal turns
// decides what is allowed; only premoves are guessed here.

import { Board } from "./board.js";
import { el } from "./dom.js";
import { pieceName, pieceSvg } from "./pieces.js";
import { coordinates, place, squareName } from "./squares.js";
import { dropsOf, isHuman, isPersonsTurn, isPlaying, turnsFrom } from "./state.js";

/** @import { Color, LegalTurn, Position, ScreenState, Source } from "../types" */
/** @import { Actions } from "./actions.js" */

const PROMOTIONS = ["Q", "R", "B", "N"];

/** @param {string} piece @returns {Color} */
const colorOf = (piece) => (piece[0] === "w" ? "white" : "black");

/** The owner of a board on which a position's legal turns can be made (BoardOwner in types.d.ts). */
export class Mover {
  /**
   * @param {() => Position} position
   * @param {(turn: LegalTurn, isDragged: boolean) => unknown} play
   */
  constructor(position, play) {
    this.position = position;
    this.play = play;
    this.board = new Board(this);
  }

  /** @param {string} square */
  canPick(square) {
    return turnsFrom(this.position(), square).length > 0;
  }

  /** @param {Source} source */
  targets({ square }) {
    return square ? turnsFrom(this.position(), square).flatMap((turn) => [turn.to, ...turn.also]) : [];
  }

  /** @param {Source} _source @param {string} _square */
  anywhere(_source, _square) {
    return false;
  }

  /** @param {Source} source @param {string} square @param {boolean} isDragged */
  async drop(source, square, isDragged) {
    const from = source.square ?? "";
    const all = turnsFrom(this.position(), from, square);
    const exact = all.filter((turn) => turn.to === square);
    const turns = exact.length ? exact : all;
    if (turns.length === 1) return this.play(turns[0], isDragged);
    const role = await this.promote(square, colorOf(this.position().squares[from]));
    const turn = turns.find(({ promotion }) => promotion?.toUpperCase() === role);
    return turn ? this.play(turn, isDragged) : this.board.paint();
  }

  /** @param {string} square @param {Color} color @returns {Promise<string | null>} */
  async promote(square, color) {
    return askPromotion(this.board, square, color);
  }

  /** @param {string} _square @param {string | null} _piece */
  labelOf(_square, _piece) {
    return "";
  }

  /** @param {Source} source @param {string} to */
  relocates({ square }, to) {
    return Boolean(square) && turnsFrom(this.position(), square ?? "", to).some((turn) => turn.relocation);
  }

  onPress() {}

  /** @param {Source | null} _source */
  onPick(_source) {}
}

/** The owner of a game's board. */
export class GameMover extends Mover {
  /** @param {Actions} actions */
  constructor(actions) {
    super(
      () => actions.state.shown,
      (turn, isDragged) => actions.play(turn, isDragged),
    );
    this.actions = actions;
  }

  /** @param {string} square */
  canPick(square) {
    const { state } = this.actions;
    const piece = state.shown.squares[square];
    if (!piece || !isPlaying(state)) return super.canPick(square);
    return state.game.phase !== "setup" && isHuman(state.game, colorOf(piece));
  }

  /** @param {Source} source */
  targets(source) {
    const { state } = this.actions;
    if (source.role) {
      const drops = state.shown.legal.flatMap((turn) => dropsOf(turn.text));
      return drops.filter((drop) => drop[0] === source.role).map((drop) => drop.slice(2));
    }
    return isPremove(state, source) ? reach(state, source.square ?? "") : super.targets(source);
  }

  /** Lets the server explain why a square is not a target. @param {Source} source @param {string} square */
  anywhere(source, square) {
    if (source.role) return true;
    const { state } = this.actions;
    const { squares } = state.shown;
    const king = squares[source.square ?? ""];
    const isOwnRook = king?.[1] === "K" && squares[square] === `${king[0]}R`;
    return isPlaying(state) && isPersonsTurn(state.game) && isOwnRook;
  }

  /** @param {Source} source @param {string} square @param {boolean} isDragged */
  async drop(source, square, isDragged) {
    const { actions } = this;
    const { shown } = actions.state;
    if (source.role) {
      const text = `${source.role}@${square}`;
      const legal = shown.legal.find((turn) => dropsOf(turn.text).includes(text));
      return actions.send(legal?.text ?? text, [square]);
    }
    const from = source.square ?? "";
    if (isPremove(actions.state, source)) return actions.store.update({ premove: { from, to: square } });
    if (turnsFrom(shown, from, square).length === 0) return actions.send(`${from}${square}`);
    return super.drop(source, square, isDragged);
  }

  /** @param {string} square @param {Color} color */
  async promote(square, color) {
    return document.documentElement.dataset.promotion === "queen" ? "Q" : super.promote(square, color);
  }

  /** @param {string} square @param {string | null} piece */
  labelOf(square, piece) {
    return piece && this.actions.state.premove?.from === square ? "premove from here" : "";
  }

  onPress() {
    this.actions.cancelPremove();
  }

  /** @param {Source | null} picked */
  onPick(picked) {
    this.actions.store.update({ picked });
  }
}

/**
 * Asks for a pawn's promotion, on its square; resolves to null if the person cancels.
 * @param {Board} board
 * @param {string} square
 * @param {Color} color
 */
function askPromotion(board, square, color) {
  const { size, flipped } = board.view;
  const { column, row } = place(square, size, flipped);
  const { by } = board.grid.dataset;
  return new Promise((/** @type {(role: string | null) => void} */ resolve) => {
    const done = (/** @type {string | null} */ role) => {
      layer.remove();
      board.focus(square, by);
      resolve(role);
    };
    const choices = PROMOTIONS.map((role) => {
      const code = color[0] + role;
      const label = pieceName(code);
      const onclick = () => done(role);
      return el(
        "button.promotion",
        { type: "button", "aria-label": label, "data-role": role, onclick },
        pieceSvg(code),
      );
    });
    const isLow = row > size / 2;
    if (isLow) choices.reverse();
    const list = el(`div.promotions.${isLow ? "from-below" : "from-above"}`, {}, choices);
    list.style.setProperty("--column", String(column));
    list.style.setProperty("--size", String(size));
    const layer = el("div.promotion-layer", { role: "dialog", "aria-label": "Promotion" }, list);
    layer.addEventListener("click", (event) => event.target === layer && done(null));
    layer.addEventListener("keydown", (event) => {
      if (event.key === "Escape") done(null);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) choices[(choices.findIndex((one) => one === document.activeElement) + step + 4) % 4].focus();
      event.stopPropagation();
    });
    board.element.append(layer);
    choices.find((one) => one.dataset.role === "Q")?.focus();
  });
}

/** Returns the squares where the person to move may place a piece in a setup. @param {ScreenState} state */
export function openSquares(state) {
  const { game } = state;
  const isAsked = isPlaying(state) && game.phase === "setup" && isPersonsTurn(game);
  return isAsked ? [...new Set(game.legal.flatMap((turn) => turn.drops.map(({ to }) => to)))] : [];
}

/**
 * Whether a move from a square would be a premove: of a person's piece while the engine is to move.
 * @param {ScreenState} state
 * @param {Source} source
 */
function isPremove(state, { square }) {
  const { game, shown } = state;
  if (!isPlaying(state) || game.phase !== "board") return false;
  const color = colorOf(shown.squares[square ?? ""] ?? "");
  return isHuman(game, color) && color !== game.turn && !isHuman(game, game.turn);
}

/**
 * Returns the squares that a piece might reach after the opponent's move.
 * @param {ScreenState} state
 * @param {string} from
 */
function reach({ game, shown }, from) {
  const piece = shown.squares[from];
  const a = coordinates(from);
  const squares = [];
  for (let file = 0; file < game.board; file += 1) {
    for (let rank = 0; rank < game.board; rank += 1) {
      const to = squareName(file, rank);
      if (to !== from && reaches(piece, file - a.file, rank - a.rank, shown.squares[to])) squares.push(to);
    }
  }
  return squares;
}

/**
 * Whether a piece could move by this number of files and ranks on an empty board.
 * @param {string} piece
 * @param {number} files
 * @param {number} ranks
 * @param {string | undefined} onto
 */
function reaches(piece, files, ranks, onto) {
  const [across, along] = [Math.abs(files), Math.abs(ranks)];
  const straight = across === 0 || along === 0;
  const diagonal = across === along;
  const forward = piece[0] === "w" ? ranks : -ranks;
  switch (piece[1]) {
    case "N":
      return across * along === 2;
    case "B":
      return diagonal;
    case "R":
      return straight;
    case "Q":
      return straight || diagonal;
    case "K":
      return Math.max(across, along) === 1 || (along === 0 && (onto === `${piece[0]}R` || across % 2 === 0));
    default:
      return across === 0 ? forward === 1 || forward === 2 : across === 1 && forward === 1;
  }
}
