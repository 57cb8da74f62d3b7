#!/usr/bin/env python3
"""Tests whether an engine wins won endings. Makes a set of won endings, and lets an engine play them against
itself.

    endings.py make won.epd --stockfish stockfish
    endings.py play won.epd --engine ./aleator

The side to move wins every position of the set. Positions with four pieces are won according to Syzygy
tablebases. In positions with five or six pieces Stockfish sees an advantage of more than five pawns after a
million nodes. Neither king is bare. The engine has won an ending if it mates within fifty moves, or reaches a
won position of the four-piece tablebases. Needs python-chess, and the tablebases that `make syzygy-tables`
downloads.
"""

import argparse
import random
from pathlib import Path

import chess
import chess.engine
import chess.syzygy

# How many positions the set contains for each number of pieces, including kings and pawns.
SHARES = {4: 60, 5: 70, 6: 70}
SCORE = 500
NODES = 1_000_000
MOVES = 50


def draw(rng, count):
    """Returns a random legal position of `count` pieces, White to move, without a bare king."""
    while True:
        board = chess.Board(None)
        stronger = rng.randint(1, count - 3)
        pieces = [(chess.KING, chess.WHITE), (chess.KING, chess.BLACK)]
        for number in range(count - 2):
            kind = rng.choices([chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN], [4, 1, 1, 2, 1])[0]
            pieces.append((kind, chess.WHITE if number < stronger else chess.BLACK))
        for square, (kind, color) in zip(rng.sample(range(64), count), pieces):
            board.set_piece_at(square, chess.Piece(kind, color))
        if board.is_valid() and not board.is_check() and any(board.legal_moves):
            return board


def make(args):
    rng = random.Random(args.seed)
    lines = []
    with chess.syzygy.open_tablebase(str(args.tables)) as tables, chess.engine.SimpleEngine.popen_uci(args.stockfish) as engine:
        for count, wanted in SHARES.items():
            found = 0
            while found < wanted:
                board = draw(rng, count)
                if count == 4:
                    won = tables.get_wdl(board) == 2
                else:
                    # First a short search, which rejects most positions.
                    limits = [chess.engine.Limit(nodes=nodes) for nodes in (NODES // 50, NODES)]
                    won = all(engine.analyse(board, limit, game=object())["score"].relative.score(mate_score=100_000) > SCORE
                              for limit in limits)
                if won:
                    lines.append(board.epd())
                    found += 1
    args.set.write_text("".join(line + "\n" for line in lines))


def is_won(board, engine, tables, limit):
    """Returns whether the side to move wins when the engine plays both sides."""
    winner, game = board.turn, object()
    for _ in range(2 * MOVES):
        if tables and chess.popcount(board.occupied) <= 4 and (wdl := tables.get_wdl(board)) is not None:
            return wdl == (2 if board.turn == winner else -2)
        played = engine.play(board, limit, game=game).move
        if played is None:
            break
        board.push(played)
        if board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves():
            break
    return board.is_checkmate() and board.turn != winner


def play(args):
    lines = [line for line in args.set.read_text().splitlines() if "variant" not in line]
    boards = [chess.Board(line + " 0 1") for line in lines]
    won = {}
    with chess.syzygy.open_tablebase(str(args.tables)) as tables, chess.engine.SimpleEngine.popen_uci(args.engine) as engine:
        for board in boards:
            count, fen = chess.popcount(board.occupied), board.fen()
            # The tablebases would decide a four-piece ending immediately, so there the engine must mate.
            known = tables if count > 4 else None
            was_won = is_won(board, engine, known, chess.engine.Limit(nodes=args.nodes))
            won.setdefault(count, []).append(was_won)
            if not was_won:
                print(f"not won: {fen}  {board.fen()}", flush=True)
    for count, results in won.items():
        print(f"{count} pieces: {sum(results)} of {len(results)} won")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for run in (make, play):
        command = commands.add_parser(run.__name__)
        command.set_defaults(run=run)
        command.add_argument("set", type=Path)
        command.add_argument("--tables", default=Path(__file__).parent.parent / "data/syzygy", type=Path)
        if run is make:
            command.add_argument("--stockfish", default="stockfish")
            command.add_argument("--seed", type=int, default=1)
        else:
            command.add_argument("--engine", required=True)
            command.add_argument("--nodes", type=int, default=10_000)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
