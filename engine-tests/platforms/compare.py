#!/usr/bin/env python3
"""Is the engine the same on every platform? Asks each by UCI for `bench`, for perft 4 of every variant
and for searches of ten positions a board, and compares every line but for times.

    python3 engine-tests/platforms/compare.py
    python3 engine-tests/platforms/compare.py --nodes 300000 --only linux windows
    python3 engine-tests/platforms/compare.py --engine "phone=adb shell /data/local/tmp/aleator"

What has not been built, or cannot be run here, is skipped; the table says so. Ends with the status 1 if
an answer differs or an engine fails.
"""

import argparse
import pathlib
import re
import shlex
import shutil
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "engine-tests/campaigns"))
from uci import Engine, Silence  # noqa: E402

# Of each: the command, and what makes it. The first is what the others are measured by.
PLATFORMS = {
    "linux": ("target/release/aleator", "make build"),
    "windows": ("engine-tests/platforms/wine.sh ./aleator-windows-x86-64.exe", "make release-windows"),
    "aarch64": ("qemu-aarch64 ./aleator-linux-aarch64", "make release-arm"),
    "node": ("node target/npm/bin/aleator.js", "make npm"),
    "chromium": ("node engine-tests/web/uci.js target/npm", "make npm, and npm ci in engine-tests/web"),
}
VARIANTS = "chess chess960 ifrc fischerbenko transcendental jepps placement".split()
# Pieces in hand of both sides, as the dice may have left them.
HANDS = {"fischerbenko": "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1"}
# Under an emulator the longest takes minutes.
PATIENCE = 3600


def checks(nodes):
    """Every check: its name, the commands, and how the last line of the answer begins."""
    yield "bench", ["bench"], r"\d+ nodes \d+ nps"
    for variant in VARIANTS:
        position = f"fen {HANDS[variant]}" if variant in HANDS else "startpos"
        choose = f"setoption name UCI_Variant value {variant}"
        yield f"perft 4 {variant}", [choose, f"position {position}", "go perft 4"], "Nodes searched"
    for variant in ("chess960", "ifrc"):
        suite = (ROOT / f"book/openings/{variant}.epd").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(suite[:10], 1):
            fen = " ".join(line.split()[:4]) + " 0 1"
            choose = [f"setoption name UCI_Variant value {variant}", "ucinewgame"]
            commands = [*choose, f"position fen {fen}", f"go nodes {nodes}"]
            yield f"search {variant} {number}", commands, "bestmove"


def without_times(lines):
    """What does not depend on the clock: moves that are searched and bounds are told after some seconds."""
    lines = [line for line in lines if line and not re.search(" (currmove|lowerbound|upperbound) ", line)]
    return [re.sub(r" \d+ nps$| (nps|time) \d+", "", line).rstrip() for line in lines]


def missing(command):
    """What is not there of a command: its program, or a file that it names."""
    words = shlex.split(command)
    if not shutil.which(words[0]):
        return words[0]
    return next((word for word in words[1:] if "/" in word and not pathlib.Path(word).exists()), None)


def answers(name, command, nodes):
    """The answers of a platform to all checks, by their names."""
    found, begin = {}, time.monotonic()
    engine = Engine(shlex.split(command))
    for check, commands, last in checks(nodes):
        for line in commands:
            engine.send(line)
        found[check] = without_times(engine.until(re.compile(last), PATIENCE))
        engine.ready()
    status = engine.quit()
    if status != 0:
        raise Silence(f"ends with the status {status}")
    print(f"{name}: {len(found)} answers in {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    return found


def number(lines):
    """What an answer comes to: nodes, or the best move with its nodes."""
    text = lines[-1]
    if text.startswith("bestmove"):
        nodes = [match for line in lines for match in re.findall(r" nodes (\d+)", line)]
        return f"{text.split()[1]} {nodes[-1]}"
    return re.search(r"\d+", text).group()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=300_000, help="of each search")
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"of {', '.join(PLATFORMS)}")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME=COMMAND", help="another")
    arguments = parser.parse_args()
    platforms = {name: it for name, it in PLATFORMS.items() if name in (arguments.only or PLATFORMS)}
    for text in arguments.engine:
        name, command = text.split("=", 1)
        platforms[name] = (command, command)
    found, failed = {}, False
    for name, (command, source) in platforms.items():
        lack = missing(command)
        if lack:
            print(f"{name}: skipped, there is no {lack} ({source} makes what it needs)", file=sys.stderr)
            continue
        try:
            found[name] = answers(name, command, arguments.nodes)
        except (OSError, Silence) as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = True
    if not found:
        sys.exit("nothing could be run")
    if len(found) < 2 and not failed:
        sys.exit("nothing to compare: fewer than two platforms could be run")
    first = next(iter(found.values()))
    rows = [["check", *platforms]]
    for check, lines in first.items():
        row = [check]
        for name in platforms:
            theirs = found.get(name, {}).get(check)
            same = "equal" if theirs == lines else "DIFFERS: " + number(theirs or ["0"])
            failed |= theirs not in (None, lines)
            row.append("skipped" if theirs is None else number(lines) if theirs is lines else same)
        rows.append(row)
    for row in rows:
        print("| " + " | ".join(row) + " |")
        if row is rows[0]:
            print("|" + " --- |" * len(row))
    sys.exit(1 if failed else 0)


main()
