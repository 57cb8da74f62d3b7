#!/usr/bin/env python3
"""Are won endings won? Makes a set of them, and lets an engine play them against itself.

    endings.py make won.epd --stockfish stockfish
    endings.py play won.epd --engine ./aleator

The side to move wins every position of the set. Nobody's king is bare. Of four men Syzygy's tables say
that, of five and six Stockfish, with a million nodes and more than five pawns. An ending counts as won if
it is mate, or the tables of four men call it won, within fifty moves of each side. Needs python-chess, and the tables that `make syzygy-tables` brings.
"""

import argparse
import random
from pathlib import Path

import chess
import chess.engine
import chess.syzygy

# How many of the set have so many men.
SHARES = {4: 60, 5: 70, 6: 70}
SCORE = 500
NODES = 1_000_000
MOVES = 50


def draw(rng, men):
    """A legal position of so many men, White to move, with something beside either king."""
    while True:
        board = chess.Board(None)
        stronger = rng.randint(1, men - 3)
        pieces = [(chess.KING, chess.WHITE), (chess.KING, chess.BLACK)]
        for number in range(men - 2):
            kind = rng.choices([chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN], [4, 1, 1, 2, 1])[0]
            pieces.append((kind, chess.WHITE if number < stronger else chess.BLACK))
        for square, (kind, color) in zip(rng.sample(range(64), men), pieces):
            board.set_piece_at(square, chess.Piece(kind, color))
        if board.is_valid() and not board.is_check() and any(board.legal_moves):
            return board


def make(args):
    rng = random.Random(args.seed)
    lines = []
    with chess.syzygy.open_tablebase(str(args.tables)) as tables, chess.engine.SimpleEngine.popen_uci(args.stockfish) as engine:
        for men, wanted in SHARES.items():
            found = 0
            while found < wanted:
                board = draw(rng, men)
                if men == 4:
                    won = tables.get_wdl(board) == 2
                else:
                    # A short look first: most positions are far from won.
                    limits = [chess.engine.Limit(nodes=nodes) for nodes in (NODES // 50, NODES)]
                    won = all(engine.analyse(board, limit, game=object())["score"].relative.score(mate_score=100_000) > SCORE
                              for limit in limits)
                if won:
                    lines.append(board.epd())
                    found += 1
    args.set.write_text("".join(line + "\n" for line in lines))


def is_won(board, engine, tables, limit):
    """Whether the side to move wins from there; both sides are played by the engine."""
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
            men, fen = chess.popcount(board.occupied), board.fen()
            # Of four men the tables know at once: there the engine plays to the mate.
            known = tables if men > 4 else None
            was_won = is_won(board, engine, known, chess.engine.Limit(nodes=args.nodes))
            won.setdefault(men, []).append(was_won)
            if not was_won:
                print(f"not won: {fen}  {board.fen()}", flush=True)
    for men, results in won.items():
        print(f"{men} men: {sum(results)} of {len(results)} won")


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
