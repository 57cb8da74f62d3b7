#!/usr/bin/env python3
"""Fits the curves of `src/engine/chances.rs` to the journals of matches; README.md explains it."""

import argparse
import json
import pathlib
import re
import sys

try:
    import numpy as np
    from scipy.optimize import minimize
except ImportError as missing:
    sys.exit(f"{missing}: pip install numpy scipy")

ROOT = pathlib.Path(__file__).resolve().parents[2]
POINTS = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}
# In the search's unit: where games begin to be won. Far beyond, games that cannot be won at all count most.
MOST = 400
# The points of all men.
FULL = 78


def men(rows):
    """The men of a FEN by square, and the number of files."""
    found, files = {}, 0
    rows = rows.split("/")
    for rank, row in zip(range(len(rows), 0, -1), rows):
        file = 0
        for empty, sign in re.findall(r"(\d+)|(.)", row):
            if sign:
                found[file, rank] = sign
            file += int(empty or 1)
        files = file
    return found, files


def points_before_moves(start, moves):
    """The points on the board before each move. Castling is written as king takes rook."""
    board, files = men(start.split()[0])
    middle = files // 2
    for move in moves:
        yield sum(POINTS[man.lower()] for man in board.values())
        parts = re.fullmatch(r"(\w\d+?)([a-j]\d+)([nbrq]?)", move["uci"])
        if not parts:
            return  # a placement of a set-up
        *squares, promotion = parts.groups()
        origin, target = [(ord(square[0]) - ord("a"), int(square[1:])) for square in squares]
        man, taken = board.pop(origin), board.pop(target, None)
        if man in "Kk" and taken in ("R", "r") and man.isupper() == taken.isupper():
            # Towards the a-file the king stops two files from the middle, else two files behind it.
            king = middle + 2 if target > origin else middle - 2
            target, rook = (king, origin[1]), king - 1 if target > origin else king + 1
            board[rook, origin[1]] = taken
        elif man in "Pp" and origin[0] != target[0] and taken is None:
            board.pop((target[0], origin[1]))  # en passant
        board[target] = (promotion.upper() if man.isupper() else promotion) or man


def positions(journals):
    """Value for the side to move, points, and the result for it, of every move of every game."""
    for journal in journals:
        for line in open(journal, encoding="utf-8"):
            game = json.loads(line).get("game") if line.endswith("}\n") else None
            if not game or game["result"] not in RESULTS:
                continue
            white = game["start"].split()[1] == "w"
            for move, points in zip(game["moves"], points_before_moves(game["start"], game["moves"])):
                score = move.get("score")
                if isinstance(score, int):
                    yield score, min(points, FULL), RESULTS[game["result"]] * (1 if white else -1)
                white = not white


def shares(numbers, value, points):
    """The shares of games that are won and lost."""
    half, width = 1 / (numbers[0] + numbers[1] * points), numbers[2] + numbers[3] * points
    return 1 / (1 + np.exp((half - value) / width)), 1 / (1 + np.exp((half + value) / width))


def error(numbers, value, points, result):
    """The mean of minus the logarithm of what was expected of each result."""
    if min(numbers[0], numbers[2], numbers[0] + numbers[1] * FULL, numbers[2] + numbers[3] * FULL) <= 0:
        return 99.0
    won, lost = shares(numbers, value, points)
    expected = np.choose(result + 1, [lost, 1 - won - lost, won])
    return -np.mean(np.log(np.maximum(expected, 1e-9)))


def curves_in_force(files):
    """The numbers of the engine's curves for a board of so many files."""
    name = {8: "EIGHT", 10: "TEN"}[files]
    source = (ROOT / "src/engine/chances.rs").read_text(encoding="utf-8")
    found = re.search(rf"const {name}: Curves =\s*Curves {{([^}}]*)}}", source)
    return [float(number) for number in re.findall(r"\d+\.\d+", found[1])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("journals", nargs="+")
    parser.add_argument("--files", type=int, choices=[8, 10], default=8, help="of the board")
    parser.add_argument("--raw", action="store_true", help="the journals have values in the search's unit")
    args = parser.parse_args()
    found = list(positions(args.journals))
    if not found:
        sys.exit("there are no games in these journals")
    value, points, result = np.array(found).T
    in_force = curves_in_force(args.files)
    if not args.raw:
        value = value / (100 * (in_force[0] + in_force[1] * points))
    near = abs(value) < MOST
    value, points, result = value[near], points[near], result[near].astype(int)
    found = minimize(error, in_force, args=(value, points, result), method="Nelder-Mead",
                     options={"maxiter": 4000, "xatol": 1e-7, "fatol": 1e-9})
    base, growth, width, wider = found.x
    print(f"{len(value)} positions, error {found.fun:.4f}, of the curves in force {error(in_force, value, points, result):.4f}")
    print(f"Curves {{ pawns: [{base:.6f}, {growth:.7f}], width: [{width:.1f}, {wider:.3f}] }}")
    centipawns = 100 * value * (in_force[0] + in_force[1] * points)
    for least in range(0, FULL, 13):
        some = (points >= least) & (points < least + 13) & (abs(abs(centipawns) - 100) < 15)
        if some.any():
            won = np.mean(result[some] == np.sign(value[some]))
            print(f"{least:2} to {least + 12} points, 85 to 115 centipawns: {some.sum()} positions, won {won:.3f}")


if __name__ == "__main__":
    main()
