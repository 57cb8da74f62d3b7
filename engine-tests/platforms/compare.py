#!/usr/bin/env python3
"""Checks that the engine gives the same results on every platform.

Runs `bench`, perft 4 of every variant and searches of ten positions on each board over UCI, and compares all
output except times.

    python3 engine-tests/platforms/compare.py
    python3 engine-tests/platforms/compare.py --nodes 300000 --only linux windows
    python3 engine-tests/platforms/compare.py --engine "phone=adb shell /data/local/tmp/aleator"

Platforms that have not been built or cannot run on this machine are skipped and marked in the table. The exit
status is 1 if an answer differs or an engine fails.
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

# The command that runs the engine on each platform, and how to build the engine. The first platform that runs
# is the reference.
PLATFORMS = {
    "linux": ("target/release/aleator", "make build"),
    "windows": ("engine-tests/platforms/wine.sh ./aleator-windows-x86-64.exe", "make release-windows"),
    "aarch64": ("qemu-aarch64 ./aleator-linux-aarch64", "make release-arm"),
    "node": ("node target/npm/bin/aleator.js", "make npm"),
    "chromium": ("node engine-tests/web/uci.js target/npm", "make npm, and npm ci in engine-tests/web"),
}
VARIANTS = "chess chess960 ifrc fischerbenko transcendental jepps placement".split()
# A placement phase after the dice have placed their pieces.
HANDS = {"fischerbenko": "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1"}
# Seconds to wait for an answer. Under an emulator the slowest answer takes minutes.
PATIENCE = 3600


def checks(nodes):
    """Yields every check: the name, the commands, and a regular expression for the last line of the
    answer."""
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
    """Removes times. Also removes lines with `currmove` or bounds, because the engine writes them only in
    long searches."""
    lines = [line for line in lines if line and not re.search(" (currmove|lowerbound|upperbound) ", line)]
    return [re.sub(r" \d+ nps$| (nps|time) \d+", "", line).rstrip() for line in lines]


def missing(command):
    """Returns the first program or file in a command that does not exist, or None if all exist."""
    words = shlex.split(command)
    if not shutil.which(words[0]):
        return words[0]
    return next((word for word in words[1:] if "/" in word and not pathlib.Path(word).exists()), None)


def answers(name, command, nodes):
    """Runs all checks on a platform. Returns the answers by the name of the check."""
    found, begin = {}, time.monotonic()
    engine = Engine(shlex.split(command))
    for check, commands, last in checks(nodes):
        for line in commands:
            engine.send(line)
        found[check] = without_times(engine.until(re.compile(last), PATIENCE))
        engine.ready()
    status = engine.quit()
    if status != 0:
        raise Silence(f"the engine ended with status {status}")
    print(f"{name}: {len(found)} answers in {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    return found


def number(lines):
    """Returns the result in an answer: the nodes, or the best move and the nodes of the search."""
    text = lines[-1]
    if text.startswith("bestmove"):
        nodes = [match for line in lines for match in re.findall(r" nodes (\d+)", line)]
        return f"{text.split()[1]} {nodes[-1]}"
    return re.search(r"\d+", text).group()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=300_000, help="nodes of each search")
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"the platforms to run, of {', '.join(PLATFORMS)} [all]")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME=COMMAND", help="another platform, with the command that runs the engine")
    arguments = parser.parse_args()
    platforms = {name: it for name, it in PLATFORMS.items() if name in (arguments.only or PLATFORMS)}
    for text in arguments.engine:
        name, command = text.split("=", 1)
        platforms[name] = (command, command)
    found, failed = {}, False
    for name, (command, source) in platforms.items():
        lack = missing(command)
        if lack:
            print(f"{name}: skipped, there is no {lack} (to build it: {source})", file=sys.stderr)
            continue
        try:
            found[name] = answers(name, command, arguments.nodes)
        except (OSError, Silence) as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = True
    if not found:
        sys.exit("no platform could be run")
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
