#!/usr/bin/env python3
"""Measures how well networks predict the results of match games by their static values alone. See README.md.

    results.py NETWORK... --games JOURNAL...   prints a row for each network; `current` is the built-in network

Needs python-chess, numpy and scipy (`pip install chess numpy scipy`).
"""

import argparse
import random
import sys

# Before the imports below, because `judge` moves this folder, whose queue.py would hide Python's module, to the end
# of the path.
import judge

from concurrent.futures import ThreadPoolExecutor  # noqa: E402

import chess  # noqa: E402
import numpy as np  # noqa: E402
from scipy.optimize import minimize  # noqa: E402

from chances import RESULTS, finished_games  # noqa: E402

# The variants whose games are used: those that python-chess can play.
VARIANTS = ("chess", "chess960", "dfrc")
# The first plies of each game that are skipped.
FIRST = 10
# Positions whose static value by the first network is larger are not used: their games are decided.
DECIDED = 900
# Each range of pieces on the board has a prediction of its own. These are the least numbers of its pieces.
PIECES = (2, 9, 13, 17, 22, 27)


def quiet_positions(journals, share):
    """Yields a random share of the quiet positions of the games: the index of the game, the board, and the result
    of the game for the side to move, from 0 to 1."""
    coin = random.Random(1)
    for index, game in enumerate(finished_games(journals)):
        if game["variant"] not in VARIANTS:
            continue
        board = chess.Board(game["start"], chess960=True)
        for ply, played in enumerate(game["moves"]):
            move = chess.Move.from_uci(played["uci"])
            is_quiet = not (board.is_check() or board.is_capture(move) or move.promotion)
            if ply >= FIRST and is_quiet and coin.random() < share:
                result = RESULTS[game["result"]] * (1 if board.turn else -1)
                yield index, board.copy(stack=False), (1 + result) / 2
            board.push(move)


def predicted(values, results, pieces):
    """Returns the result that the values predict for each position: a logistic function of the value, of its signed
    square and of a constant for the side to move, fitted for each range of pieces."""
    found = np.zeros(len(values))
    classes = np.digitize(pieces, PIECES)
    for number in set(classes):
        some = classes == number
        value = values[some] / 200
        inputs = np.stack([value, value * abs(value), np.ones(len(value))], axis=1)

        def cross_entropy(weights):
            logits = inputs @ weights
            return np.mean(np.logaddexp(0, logits) - results[some] * logits)

        found[some] = 1 / (1 + np.exp(-inputs @ minimize(cross_entropy, np.zeros(3)).x))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", metavar="NETWORK", help="a file for EvalFile, or `current`")
    parser.add_argument("--games", nargs="+", required=True, metavar="JOURNAL",
                        help="journals of matches on 8x8 by engines that none of the networks was trained on")
    parser.add_argument("--engine", default="./aleator", help="the binary [./aleator]")
    parser.add_argument("--share", type=float, default=0.3, help="share of the quiet positions that is used [0.3]")
    parser.add_argument("--jobs", type=int, default=1, help="number of engines at the same time [1]")
    args = parser.parse_args()
    positions = list(quiet_positions(args.games, args.share))
    if not positions:
        sys.exit("there are no quiet positions of chess, chess960 or dfrc in finished games of these journals")
    games, boards, results = zip(*positions)
    with ThreadPoolExecutor(args.jobs) as jobs:
        engines = [judge.open_engine(args.engine, network) for network in args.networks]
        rows = [np.array(row) for row in jobs.map(lambda engine: judge.static_values(engine, boards), engines)]
    used = abs(rows[0]) < DECIDED
    results, games = np.array(results)[used], np.array(games)[used]
    pieces = np.array([chess.popcount(board.occupied) for board in boards])[used]
    errors = [(results - predicted(row[used], results, pieces)) ** 2 for row in rows]
    print(f"{len(results)} positions of {len(set(games))} games\n   error   less the first, 95%")
    for network, error in zip(args.networks, errors):
        # The positions of a game have the same result, so the games are the independent samples.
        of_games = np.bincount(games, error - errors[0])[np.unique(games)]
        margin = 1.96 * np.sqrt(len(of_games)) * of_games.std() / len(results)
        print(f"{error.mean():8.5f}  {of_games.sum() / len(results):+.5f} ± {margin:.5f}  {network}")


if __name__ == "__main__":
    main()
