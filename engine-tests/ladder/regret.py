#!/usr/bin/env python3
"""Measures the quality of an engine's moves one by one, with a stronger engine as the judge. See README.md.

Needs python-chess (`pip install chess`). Chess and Chess960 only.
"""

import argparse
import math
import pathlib
import random
import statistics

import chess
import chess.engine
import chess.pgn


def sample(args):
    """Writes a random sample of positions of a PGN file. In each position there is no check and a choice of
    moves."""
    generator = random.Random(args.seed)
    positions = []
    with open(args.pgn, encoding="utf-8") as games:
        while game := chess.pgn.read_game(games):
            board, usable = game.board(), []
            for move in game.mainline_moves():
                board.push(move)
                if board.ply() > 10 and not board.is_check() and board.legal_moves.count() >= 4:
                    usable.append(board.fen(en_passant="fen"))
            positions += generator.sample(usable, min(len(usable), args.each))
    generator.shuffle(positions)
    pathlib.Path(args.positions).write_text("\n".join(positions) + "\n", encoding="utf-8")
    print(f"{len(positions)} positions in {args.positions}")


def read_positions(args):
    """Returns the first `--count` positions of the file as boards."""
    lines = pathlib.Path(args.positions).read_text(encoding="utf-8").split("\n")
    fens = [line for line in lines if line][: args.count]
    return [chess.Board(fen, chess960=True) for fen in fens]


def open_engine(command, options):
    """Starts a UCI engine and sets options of the form NAME=VALUE."""
    engine = chess.engine.SimpleEngine.popen_uci(command, timeout=60)
    engine.configure(dict(option.split("=", 1) for option in options))
    return engine


def choose(args):
    """Asks an engine for its move in each position that is missing from the output file, and appends the
    moves."""
    path = pathlib.Path(args.out)
    done = len(path.read_text().splitlines()) if path.exists() else 0
    limit = chess.engine.Limit(nodes=args.nodes)
    with open_engine(args.engine, args.option) as engine, path.open("a") as out:
        for number, board in enumerate(read_positions(args)[done:], done):
            answer = engine.play(board, limit, game=number, info=chess.engine.INFO_BASIC)
            out.write(f"{number} {answer.move.uci()} {answer.info.get('depth', 0)}\n")
            out.flush()


def read_choices(path):
    """Returns the move and the depth for each position, by the number of the position."""
    lines = (line.split() for line in pathlib.Path(path).read_text().splitlines())
    return {int(number): (move, int(depth)) for number, move, depth in lines}


class Judge:
    """A strong engine's scores of moves, cached in a file."""

    def __init__(self, args):
        self.path = pathlib.Path(args.cache)
        self.limit = chess.engine.Limit(nodes=args.nodes)
        self.scores = {}
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                number, move, score = line.split()
                self.scores[int(number), move] = float(score)

    def score_moves(self, args, wanted):
        """Scores the moves that are not in the cache."""
        wanted = sorted(wanted - self.scores.keys())
        boards = read_positions(args)
        with open_engine(args.judge, args.option) as engine, self.path.open("a") as cache:
            for number, move in wanted:
                board = boards[number]
                root = [board.parse_uci(move)]
                info = engine.analyse(board, self.limit, root_moves=root, game=(number, move))
                # Expected points by a logistic curve of the score in pawns.
                pawns = info["score"].pov(board.turn).score(mate_score=10_000) / 100
                score = 1 / (1 + math.exp(-max(-20.0, min(20.0, pawns))))
                self.scores[number, move] = score
                cache.write(f"{number} {move} {score:.6f}\n")
                cache.flush()


def compare(args):
    """Prints how much better the moves in each file are than the moves in the first file."""
    judge = Judge(args)
    choices = [read_choices(path) for path in [args.base, *args.others]]
    wanted = set()
    for number in range(args.count):
        moves = {choice[number][0] for choice in choices if number in choice}
        if len(moves) > 1:
            wanted |= {(number, move) for move in moves}
    judge.score_moves(args, wanted)
    base = choices[0]
    for path, other in zip(args.others, choices[1:]):
        both = [number for number in range(args.count) if number in base and number in other]
        gains, depths = [], []
        for number in both:
            (ours, depth), (theirs, other_depth) = base[number], other[number]
            same = ours == theirs
            score = judge.scores
            gains.append(0.0 if same else score[number, theirs] - score[number, ours])
            depths.append(other_depth - depth)
        error = statistics.pstdev(gains) / math.sqrt(len(gains))
        print(
            f"{path}: {1000 * statistics.mean(gains):+.2f} ± {1000 * error:.2f} thousandths of a point"
            f" a move, {sum(gain != 0 for gain in gains) / len(gains):.0%} of {len(gains)} differ,"
            f" depth {statistics.mean(depths):+.2f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", default="positions.fen", help="the file of positions [positions.fen]")
    parser.add_argument("--count", type=int, default=2400, help="number of positions to use [2400]")
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("sample", help=sample.__doc__)
    step.add_argument("pgn")
    step.add_argument("--each", type=int, default=16, help="maximum number of positions from each game [16]")
    step.add_argument("--seed", type=int, default=1)
    step.set_defaults(run=sample)
    step = steps.add_parser("choose", help=choose.__doc__)
    step.add_argument("out", help="the file for the engine's moves")
    step.add_argument("--engine", default="./aleator")
    step.add_argument("--nodes", type=int, default=100_000)
    step.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    step.set_defaults(run=choose)
    step = steps.add_parser("compare", help=compare.__doc__)
    step.add_argument("base")
    step.add_argument("others", nargs="+")
    step.add_argument("--judge", default="stockfish", help="the engine that scores the moves [stockfish]")
    step.add_argument("--nodes", type=int, default=40_000, help="nodes of each search by the judge [40000]")
    step.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    step.add_argument("--cache", default="judged.txt")
    step.set_defaults(run=compare)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
