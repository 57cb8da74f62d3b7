#!/usr/bin/env python3
"""openings.py FOLDER: writes src/web/page/openings.gz, the names of openings, from the tables a.tsv to e.tsv of
github.com/lichess-org/chess-openings (CC0) in a folder.

It keeps lines of at most ten turns whose name has no part after a comma. All lines come first: each row has the
number of moves that it shares with the row before, and its other moves. After an empty row come their names. The
file is compressed with zopfli (`pip install zopfli`), which gzip can read.
"""

import csv
import re
import sys
from os.path import commonprefix
from pathlib import Path

from zopfli import gzip

LONGEST = 10


def lines(folder):
    for name in "abcde":
        with open(Path(folder) / f"{name}.tsv", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                moves = re.sub(r"\d+\. ", "", row["pgn"]).split()
                if len(moves) <= LONGEST and "," not in row["name"]:
                    yield moves, row["name"]


def rows(found):
    before = []
    for moves, _ in found:
        same = len(commonprefix([before, moves]))
        yield " ".join([str(same), *moves[same:]])
        before = moves
    yield ""
    yield from (name for _, name in found)


if __name__ == "__main__":
    target = Path(__file__).parent / "page" / "openings.gz"
    text = "\n".join(rows(sorted(lines(sys.argv[1]))))
    target.write_bytes(gzip.compress(text.encode(), numiterations=60))
