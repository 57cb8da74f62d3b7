#!/usr/bin/env python3
"""Fits the curves of `src/engine/chances.rs` to the journals of matches; see README.md."""

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
# Only values below this limit (in the search's unit) are used. Larger values would mostly show the effect of
# games that cannot be won at all.
MAX_VALUE = 400
# The points of all pieces and pawns of the starting position.
FULL = 78


def pieces_on(rows):
    """Parses the first field of a FEN. Returns the pieces by square, and the number of files."""
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
    """Yields the points of all pieces on the board before each move. Castling moves must be king takes
    rook."""
    board, files = pieces_on(start.split()[0])
    middle = files // 2
    for move in moves:
        yield sum(POINTS[piece.lower()] for piece in board.values())
        parts = re.fullmatch(r"(\w\d+?)([a-j]\d+)([nbrq]?)", move["uci"])
        if not parts:
            return  # a placement of a setup game
        *squares, promotion = parts.groups()
        origin, target = [(ord(square[0]) - ord("a"), int(square[1:])) for square in squares]
        piece, taken = board.pop(origin), board.pop(target, None)
        if piece in "Kk" and taken in ("R", "r") and piece.isupper() == taken.isupper():
            # The king goes to the file two files left or right of the middle of the board.
            king = middle + 2 if target > origin else middle - 2
            target, rook = (king, origin[1]), king - 1 if target > origin else king + 1
            board[rook, origin[1]] = taken
        elif piece in "Pp" and origin[0] != target[0] and taken is None:
            board.pop((target[0], origin[1]))  # en passant
        board[target] = (promotion.upper() if piece.isupper() else promotion) or piece


def finished_games(journals):
    """Yields the finished games of the journals."""
    for journal in journals:
        with open(journal, encoding="utf-8") as lines:
            for line in lines:
                game = json.loads(line).get("game") if line.endswith("}\n") else None
                if game and game["result"] in RESULTS:
                    yield game


def positions(journals):
    """Yields the score, the points on the board and the result of the game for each move of each game. Score
    and result are from the point of view of the side to move."""
    for game in finished_games(journals):
        white = game["start"].split()[1] == "w"
        for move, points in zip(game["moves"], points_before_moves(game["start"], game["moves"])):
            score = move.get("score")
            if isinstance(score, int):
                yield score, min(points, FULL), RESULTS[game["result"]] * (1 if white else -1)
            white = not white


def shares(numbers, value, points):
    """Returns the fractions of games that the curves expect to be won and lost."""
    half, width = 1 / (numbers[0] + numbers[1] * points), numbers[2] + numbers[3] * points
    return 1 / (1 + np.exp((half - value) / width)), 1 / (1 + np.exp((half + value) / width))


def error(numbers, value, points, result):
    """Returns the cross-entropy: the mean of -log(expected probability of the result)."""
    if min(numbers[0], numbers[2], numbers[0] + numbers[1] * FULL, numbers[2] + numbers[3] * FULL) <= 0:
        return 99.0
    won, lost = shares(numbers, value, points)
    expected = np.choose(result + 1, [lost, 1 - won - lost, won])
    return -np.mean(np.log(np.maximum(expected, 1e-9)))


def current_curves(files):
    """Reads the four numbers of the engine's curves for the board with the given number of files."""
    source = (ROOT / "src/engine/chances.rs").read_text(encoding="utf-8")
    found = re.findall(r"^    Curves {([^}]*)}", source, re.MULTILINE)[[8, 10].index(files)]
    return [float(number) for number in re.findall(r"\d+\.\d+", found)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("journals", nargs="+")
    parser.add_argument("--files", type=int, choices=[8, 10], default=8, help="number of files of the board [8]")
    parser.add_argument("--raw", action="store_true", help="the scores in the journals are in the search's unit, not in centipawns")
    args = parser.parse_args()
    found = list(positions(args.journals))
    if not found:
        sys.exit("there are no games in these journals")
    value, points, result = np.array(found).T
    current = current_curves(args.files)
    if not args.raw:
        value = value / (100 * (current[0] + current[1] * points))
    near = abs(value) < MAX_VALUE
    value, points, result = value[near], points[near], result[near].astype(int)
    found = minimize(error, current, args=(value, points, result), method="Nelder-Mead",
                     options={"maxiter": 4000, "xatol": 1e-7, "fatol": 1e-9})
    base, growth, width, wider = found.x
    print(f"{len(value)} positions, error {found.fun:.4f}, error of the current curves {error(current, value, points, result):.4f}")
    print(f"Curves {{ pawns: [{base:.6f}, {growth:.7f}], width: [{width:.1f}, {wider:.3f}] }}")
    centipawns = 100 * value * (current[0] + current[1] * points)
    for least in range(0, FULL, 13):
        some = (points >= least) & (points < least + 13) & (abs(abs(centipawns) - 100) < 15)
        if some.any():
            won = np.mean(result[some] == np.sign(value[some]))
            print(f"{least:2} to {least + 12} points, 85 to 115 centipawns: {some.sum()} positions, won {won:.3f}")


if __name__ == "__main__":
    main()
