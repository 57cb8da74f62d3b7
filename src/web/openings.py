#!/usr/bin/env python3
"""openings.py FOLDER: writes src/web/page/openings.gz, the names of openings, from the tables a.tsv to e.tsv of
github.com/lichess-org/chess-openings (CC0) in a folder.

It keeps lines of at most ten turns whose name has no part after a comma. Each row shares a prefix with the row
before: it has the number of shared moves and the other moves, then a bar, the number of shared letters of the name
and its other letters. The file is compressed.
"""

import csv
import gzip
import re
import sys
from os.path import commonprefix
from pathlib import Path

LONGEST = 10


def lines(folder):
    for name in "abcde":
        with open(Path(folder) / f"{name}.tsv", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                moves = re.sub(r"\d+\. ", "", row["pgn"]).split()
                if len(moves) <= LONGEST and "," not in row["name"]:
                    yield moves, row["name"]


def rows(found):
    moves_before, name_before = [], ""
    for moves, name in sorted(found):
        same = len(commonprefix([moves_before, moves]))
        letters = len(commonprefix([name_before, name]))
        yield f"{same} {' '.join(moves[same:])}|{letters} {name[letters:]}"
        moves_before, name_before = moves, name


if __name__ == "__main__":
    target = Path(__file__).parent / "page" / "openings.gz"
    text = "\n".join(rows(lines(sys.argv[1])))
    target.write_bytes(gzip.compress(f"{text}\n".encode(), mtime=0))
