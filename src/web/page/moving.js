// What a person may pick up and where it may go: turns and placements of the game, moves of variations, premoves
// while the engine thinks, and the choice of a promotion. The server's list of legal turns decides what is allowed;
// only premoves are guessed here.

import { el } from "./dom.js";
import { pieceName, pieceSvg } from "./pieces.js";
import { coordinates, place, squareName } from "./squares.js";

const PROMOTIONS = ["Q", "R", "B", "N"];

/** Returns the placements in a turn's text: "Q@g1+K@f1" has two. */
const drops = (text) => text.split("+");

export class Moving {
  constructor(table) {
    this.table = table;
    this.premove = null;
  }

  // The owner of the board.

  canPick(square) {
    const { table } = this;
    const piece = table.shown?.squares[square];
    if (!piece || table.isPlaying && table.state.phase === "setup") return false;
    const color = piece[0] === "w" ? "white" : "black";
    if (table.isPlaying) return table.isHuman(color);
    return table.shown.legal.some((turn) => turn.from === square);
  }

  targets(source) {
    const { table } = this;
    if (source.role) {
      return table.shown.legal.flatMap((turn) => drops(turn.text)).filter((drop) => drop[0] === source.role).map((drop) => drop.slice(2));
    }
    if (this.isPremove(source.square)) return this.reach(source.square);
    return this.turns(source, null).flatMap((turn) => [turn.to, ...(turn.also ?? [])]);
  }

  /** Whether to let the server explain why a square is not a target. */
  anywhere(source, square) {
    if (source.role) return true;
    const { squares } = this.table.shown;
    const king = squares[source.square];
    return this.table.isPlaying && this.table.isPersonsTurn && king?.[1] === "K" && squares[square] === `${king[0]}R`;
  }

  drop(source, square, settled) {
    if (source.role) return this.placePiece(source.role, square);
    if (this.isPremove(source.square)) return this.setPremove(source.square, square);
    const turns = this.turns(source, square);
    const exact = turns.filter((turn) => turn.to === square);
    return this.choose(exact.length ? exact : turns, source.square, square, settled);
  }

  labelOf(square, piece) {
    return piece && this.premove?.from === square ? "premove from here" : "";
  }

  relocates(source, square) {
    return Boolean(source.square) && this.turns(source, square).some((turn) => turn.relocation);
  }

  onPress() {
    this.cancelPremove();
  }

  onPick(source) {
    for (const strip of Object.values(this.table.strips)) strip.showPicked(source);
  }

  /** Returns the squares where the person to move may place a piece in a setup. */
  openSquares() {
    const { table } = this;
    const isAsked = table.isPlaying && table.state.phase === "setup" && table.isPersonsTurn;
    return isAsked ? [...new Set(table.state.legal.flatMap((turn) => turn.drops.map(({ to }) => to)))] : [];
  }

  // Turns.

  /** Returns the legal turns from a square, to a square or anywhere. */
  turns(source, to) {
    return this.table.shown.legal.filter((turn) => turn.from === source.square
      && (to === null || turn.to === to || turn.also?.includes(to)));
  }

  async choose(turns, from, to, settled) {
    if (turns.length === 0) return this.table.act(this.table.game.turn(`${from}${to}`));
    let turn = turns[0];
    if (turns.length > 1) {
      const role = await this.askPromotion(to, this.table.shown.squares[from][0]);
      turn = turns.find((one) => one.promotion?.toUpperCase() === role);
      if (!turn) return this.table.draw();
    }
    return this.play(turn, settled);
  }

  /** Plays a legal turn: draws it at once, except castling, then asks the server. */
  play(turn, settled) {
    const { table } = this;
    if (table.isRunning && !table.isLive) return table.pointToNow();
    if (!table.isPlaying) return table.vary([turn.text]);
    const there = settled ? [turn.to] : [];
    if (!turn.castling) {
      const squares = { ...table.shown.squares };
      squares[turn.to] = turn.promotion ? squares[turn.from][0] + turn.promotion.toUpperCase() : squares[turn.from];
      delete squares[turn.from];
      table.board.show({ squares, last: [turn.from, turn.to], check: null }, there);
    }
    return table.act(table.game.turn(turn.text), there);
  }

  placePiece(role, square) {
    const { table } = this;
    const legal = table.shown.legal.find((turn) => drops(turn.text).includes(`${role}@${square}`));
    return table.act(table.game.turn(legal?.text ?? `${role}@${square}`), [square]);
  }

  // Promotion.

  /** Asks for a pawn's promotion, on its square; resolves to null if the person cancels. */
  askPromotion(square, color) {
    const { board } = this.table;
    const { size, flipped } = board.view;
    const { column, row } = place(square, size, flipped);
    const { by } = board.grid.dataset;
    return new Promise((resolve) => {
      const done = (role) => {
        layer.remove();
        board.focus(square, by);
        resolve(role);
      };
      const choices = PROMOTIONS.map((role) => el("button.promotion", { type: "button", "aria-label": pieceName(color + role), "data-role": role, onclick: () => done(role) }, pieceSvg(color + role)));
      if (row > size / 2) choices.reverse();
      const column_ = el("div.promotions", {}, choices);
      column_.style.setProperty("--column", column);
      column_.style.setProperty("--size", size);
      column_.classList.add(row > size / 2 ? "from-below" : "from-above");
      const layer = el("div.promotion-layer", { role: "dialog", "aria-label": "Promotion", onclick: (event) => event.target === layer && done(null) }, column_);
      layer.addEventListener("keydown", (event) => {
        if (event.key === "Escape") done(null);
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step) choices[(choices.indexOf(document.activeElement) + step + 4) % 4].focus();
        event.stopPropagation();
      });
      board.element.append(layer);
      layer.querySelector("[data-role=Q]").focus();
    });
  }

  // Premoves.

  isPremove(square) {
    const { table } = this;
    if (!table.isPlaying || table.state.phase !== "board") return false;
    const color = table.shown.squares[square]?.[0] === "w" ? "white" : "black";
    return table.isHuman(color) && color !== table.state.turn && !table.isHuman(table.state.turn);
  }

  setPremove(from, to) {
    this.premove = { from, to };
    this.table.draw();
  }

  premoveSquares() {
    return this.premove ? [this.premove.from, this.premove.to] : [];
  }

  cancelPremove() {
    if (!this.premove) return;
    this.premove = null;
    this.table.draw();
  }

  /** Plays the premove if it is legal at its turn, or else drops it. */
  playPremove() {
    const { premove, table } = this;
    if (!premove || !table.isLive) return;
    if (table.state.phase !== "board") return this.cancelPremove();
    if (!table.isPersonsTurn) return;
    this.premove = null;
    const turns = this.turns({ square: premove.from }, premove.to);
    const turn = turns.find((one) => one.promotion?.toUpperCase() === "Q") ?? turns[0];
    if (turn) this.play(turn, false);
    else table.draw();
  }

  /** Returns the squares that a piece might reach after the opponent's move. */
  reach(from) {
    const { shown, state } = this.table;
    const piece = shown.squares[from];
    const a = coordinates(from);
    const squares = [];
    for (let file = 0; file < state.board; file += 1) {
      for (let rank = 0; rank < state.board; rank += 1) {
        const to = squareName(file, rank);
        if (to !== from && reaches(piece, file - a.file, rank - a.rank, shown.squares[to])) squares.push(to);
      }
    }
    return squares;
  }
}

/** Whether a piece could move by this number of files and ranks on an empty board. */
function reaches(piece, files, ranks, onto) {
  const [across, along] = [Math.abs(files), Math.abs(ranks)];
  const straight = across === 0 || along === 0, diagonal = across === along;
  const forward = piece[0] === "w" ? ranks : -ranks;
  switch (piece[1]) {
    case "N": return across * along === 2;
    case "B": return diagonal;
    case "R": return straight;
    case "Q": return straight || diagonal;
    case "K": return Math.max(across, along) === 1 || along === 0 && (onto === `${piece[0]}R` || across % 2 === 0);
    default: return across === 0 ? forward === 1 || forward === 2 : across === 1 && forward === 1;
  }
}
