#!/usr/bin/env python3
"""Ranks networks in a few minutes each, by test suites and by the error of the static evaluation. See README.md.

    judge.py [NETWORK...]   prints a row for each network; `current`, the default, is the built-in network
    judge.py make           replaces engine-tests/data/quiet.tsv: plays games, and labels positions from them

Needs python-chess (`pip install chess`). `make` also needs numpy and scipy.
"""

import argparse
import math
import random
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# This folder goes to the end of the path, because its queue.py would hide Python's module of that name.
sys.path[:1] = [str(ROOT / "engine-tests/campaigns")]
sys.path.append(str(ROOT / "engine-tests/ladder"))

from concurrent.futures import ThreadPoolExecutor  # noqa: E402

import chess  # noqa: E402
from uci import Engine  # noqa: E402

# Each file of positions, and the numbers of nodes at which its moves are read off.
SUITES = {"arasan2024": (10_000, 50_000, 200_000), "eet": (10_000, 50_000, 200_000), "sts": (10_000,)}
# The columns of the table with their numbers of decimals.
COLUMNS = {"Arasan 10k": 0, "Arasan 50k": 0, "Arasan 200k": 0, "EET 10k": 0, "EET 50k": 0, "EET 200k": 0,
           "STS 10k": 1, "quiet": 5, "random": 5, "bench": 0}
LEGEND = """\
Arasan, EET, STS: positions solved at 10,000, 50,000 and 200,000 nodes of one search (STS: points / 100)
quiet, random: mean of (e(f * static value) - e(value after 20,000 nodes))², e(v) = 1 / (1 + exp(-v / 200)), v in the
    search's unit, for quiet positions of games and the same positions after a random move; f is the factor with the
    least mean, because the unit of the static values has no effect on play
bench: nodes on 8x8 at depth 13"""
QUIET = ROOT / "engine-tests/data/quiet.tsv"
# How `make` makes positions: their number, the nodes for each label, the number of games, and the positions from
# each game before the search rejects those that are not quiet.
COUNT, NODES, GAMES, EACH = 3_000, 20_000, 240, 25
# The longest wait for an answer, in seconds. The machine may be busy.
PATIENCE = 600


def open_engine(program, network="current"):
    """Starts the engine with a network. Exits with the engine's message if it cannot use the network."""
    engine = Engine(program, [("Hash", 16), ("Threads", 1), ("UCI_Chess960", "true")])
    if network != "current":
        engine.send(f"setoption name EvalFile value {network}\nisready")
        if messages := engine.until("readyok")[:-1]:
            sys.exit(messages[0].removeprefix("info string "))
    return engine


def search(engine, board, *limits):
    """Searches a position with an empty hash table. Returns the best move at each number of nodes, and the final
    score as (`cp` or `mate`, number)."""
    engine.send(f"ucinewgame\nposition fen {board.fen()}\ngo nodes {limits[-1]}")
    *infos, last = engine.until("bestmove", PATIENCE)
    # Scores with a bound do not match. They are only printed in searches that take seconds.
    found = [re.search(r" score (\w+) (\S+) nodes (\d+) .* pv (\S+)", info) for info in infos]
    lines = [line.groups() for line in found if line]
    moves = [[move for _, _, nodes, move in lines if int(nodes) <= limit][-1] for limit in limits[:-1]]
    kind, score, *_ = lines[-1]
    return [board.parse_uci(move) for move in moves + [last.split()[1]]], (kind, int(score))


def points(board, operations, move):
    """Returns the points of a move, from 0 to 1. The moves in `c9` have the percentages in `c8`."""
    if "c9" in operations:
        scored = zip(operations["c9"].split(), operations["c8"].split())
        return next((int(score) / 100 for other, score in scored if board.parse_uci(other) == move), 0)
    return move in operations["bm"] if "bm" in operations else move not in operations["am"]


def solve(engine, suite, limits):
    """Returns the points in a suite at each number of nodes."""
    totals = [0] * len(limits)
    for line in suite.read_text(encoding="utf-8").splitlines():
        board, operations = chess.Board.from_epd(line, chess960=True)
        moves, _ = search(engine, board, *limits)
        totals = [total + points(board, operations, move) for total, move in zip(totals, moves)]
    return totals


def static_values(engine, boards):
    """Returns the static evaluations for the side to move, in the search's unit."""
    # All commands at once: on a busy machine, waiting for each answer would take minutes.
    for board in boards:
        engine.send(f"position fen {board.fen()}\neval")
    pawns = [float(engine.until("The network's value", PATIENCE)[-1].split()[3]) for _ in boards]
    return [100 * value * (1 if board.turn else -1) for board, value in zip(boards, pawns)]


def expected(value):
    """Converts a score in the search's unit to expected points."""
    return 1 / (1 + math.exp(-value / 200))


def least_error(values, labels):
    """Returns the least mean squared error over all factors of the static values, from 0.5 to 2."""
    labels = [expected(label) for label in labels]
    return min(statistics.fmean((expected(factor / 100 * value) - label) ** 2 for value, label in zip(values, labels))
               for factor in range(50, 201, 2))


def errors(engine):
    """Returns the mean squared errors of the static evaluation in quiet positions, and after a random move."""
    boards, labels = ([], []), ([], [])
    for line in QUIET.read_text().splitlines():
        epd, score, move, next_score = line.split("\t")
        board, _ = chess.Board.from_epd(epd, chess960=True)
        boards[0].append(board.copy())
        board.push_uci(move)
        boards[1].append(board)
        labels[0].append(int(score))
        labels[1].append(int(next_score))
    return [least_error(static_values(engine, some), some_labels) for some, some_labels in zip(boards, labels)]


def bench(engine):
    """Returns the nodes of the bench on 8x8."""
    engine.send("bench")
    return int(re.search(r"^8x8: (\d+)", "\n".join(engine.until(r"\d+ nodes", PATIENCE)), re.MULTILINE)[1])


def judge(args, engine):
    """Returns the network's hash and the values of its row."""
    engine.send("position startpos\neval")
    name = re.search(r"\((\w+)\)$", engine.until("Network")[-1])[1]
    row = [total for suite, limits in SUITES.items() for total in solve(engine, args.suites / f"{suite}.epd", limits)]
    row += errors(engine) + [bench(engine)]
    engine.quit()
    return name, row


def print_row(name, row, file):
    cells = [f"{value:{len(column)}.{digits}f}" for (column, digits), value in zip(COLUMNS.items(), row)]
    print(f"{name:10}", *(f"{cell:>7}" for cell in cells), file, sep="  ", flush=True)


def compare(args):
    """Prints the table of the networks."""
    engines = [open_engine(args.engine, network) for network in args.networks]
    print(LEGEND, "", sep="\n")
    print(f"{'network':10}", *(f"{column:>7}" for column in COLUMNS), "file", sep="  ", flush=True)
    rows = []
    with ThreadPoolExecutor(args.jobs) as jobs:
        for network, (name, row) in zip(args.networks, jobs.map(lambda engine: judge(args, engine), engines)):
            print_row(name, row, network)
            rows.append(row)
    if args.seeds:
        print_row("range", [max(values) - min(values) for values in zip(*rows)], "")


def label(program, epds, count):
    """Returns lines of quiet.tsv: a quiet position, its score, a random move, and the score after the move."""
    import chances

    def score(board, limit):
        """Returns the best move, and the score in the search's unit, or `None` if it is a mate."""
        [move], (kind, value) = search(engine, board, limit)
        material = sum(chances.POINTS[piece.symbol().lower()] for piece in board.piece_map().values())
        pawn = 1 / (base + growth * min(material, chances.FULL))
        return move, round(value / 100 * pawn) if kind == "cp" else None

    base, growth, *_ = chances.current_curves(8)
    engine, lines = open_engine(program), []
    for epd in epds:
        board, _ = chess.Board.from_epd(epd, chess960=True)
        # First a short search, which rejects most positions.
        for limit in (NODES // 20, NODES):
            best, value = score(board, limit)
            if value is None or best.promotion or board.is_capture(best):
                break
        else:
            moves = [move for move in board.legal_moves if not board.gives_check(move)]
            if not moves:
                continue
            board.push(random.Random(epd).choice(moves))
            if not board.is_game_over() and (next_value := score(board, NODES)[1]) is not None:
                lines.append(f"{epd}\t{value}\t{board.peek()}\t{next_value}\n")
                if len(lines) == count:
                    break
    engine.quit()
    return lines


def make(args):
    """Plays a match between two numbers of nodes, and labels positions from its games."""
    import regret

    with tempfile.TemporaryDirectory() as folder:
        pgn, positions = f"{folder}/games.pgn", Path(folder, "positions.fen")
        subprocess.run(
            [args.engine, "match", "--nodes", "3000", "--limit", "more.nodes=4000", "--games", str(GAMES)]
            + [f"--engine={name}={shlex.quote(args.engine)}" for name in ("less", "more")]
            + ["--variant", "chess960", "--openings", ROOT / "book/openings/chess960.epd", "--order", "random"]
            + ["--resign", "3,700", "--draw", "60,8,10", "--concurrency", str(args.jobs), "--pgn", pgn],
            check=True,
        )
        regret.sample(argparse.Namespace(pgn=pgn, positions=positions, each=EACH, seed=1))
        epds = list(dict.fromkeys(fen.rsplit(" ", 2)[0] for fen in positions.read_text().splitlines()))
    with ThreadPoolExecutor(args.jobs) as jobs:
        parts = jobs.map(lambda part: label(args.engine, epds[part :: args.jobs], COUNT // args.jobs), range(args.jobs))
        QUIET.write_text("".join(line for part in parts for line in part))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help="a file for EvalFile, or `current`; or `make`")
    parser.add_argument("--engine", default="./aleator", help="the binary [./aleator]")
    parser.add_argument("--suites", type=Path, default=ROOT.parent / "shared/suites",
                        help="the folder of arasan2024.epd, eet.epd and sts.epd [../shared/suites]")
    parser.add_argument("--jobs", type=int, default=1, help="number of engines at the same time [1]")
    parser.add_argument("--seeds", action="store_true",
                        help="the networks are seeds of one recipe: also print by how much each column differs")
    args = parser.parse_args()
    args.networks = args.networks or ["current"]
    if args.networks == ["make"]:
        make(args)
    elif not args.suites.is_dir():
        parser.error(f"no folder {args.suites}: set --suites")
    else:
        compare(args)


if __name__ == "__main__":
    main()
