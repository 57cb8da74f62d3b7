#!/usr/bin/env python3
"""Checks that memory, open files and threads of an engine process do not grow with the games played.

    python3 engine-tests/campaigns/leaks.py target/release/aleator

The process plays game after game against itself with few nodes a move, in all variants in turn and with
one and four threads. Every tenth game includes analysis, pondering and a cleared hash table. Memory, files
and threads are measured after `--first` games and after all games, with the same options. The command fails
if any of these numbers has grown by more than 5%. Linux only, because the numbers come from /proc.
"""

import argparse
import pathlib
import sys
import time

from soak import VARIANTS
from uci import Engine

LONGEST = 120


def prepare(engine, variant, threads):
    """Sets variant and threads, and starts a new game."""
    engine.send(f"setoption name UCI_Variant value {variant}\nsetoption name Threads value {threads}")
    engine.send("ucinewgame")
    engine.ready()


def measure(engine, args):
    """Sets the options of the first game. Returns the memory in KiB and the numbers of open files and
    threads."""
    prepare(engine, args.variants[0], args.threads[0])
    # Threads that have ended disappear from /proc a moment later.
    time.sleep(0.5)
    process = pathlib.Path("/proc", str(engine.process.pid))
    told = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    files = len(list((process / "fd").iterdir()))
    return {"KiB": int(told["VmRSS"].split()[0]), "files": files, "threads": int(told["Threads"])}


def disturb(engine, position):
    """Sends searches and options that a GUI may send between moves."""
    for line in ("go infinite", "go ponder wtime 1000 btime 1000"):
        engine.send(f"{position}\n{line}\nstop")
        engine.until("bestmove")
    engine.send(f"{position}\ngo ponder nodes 100\nponderhit\nsetoption name Clear Hash")
    engine.until("bestmove")


def game(engine, number, args):
    """Plays a game until there is no legal move, or at most LONGEST plies. Returns the number of plies."""
    variant = args.variants[number % len(args.variants)]
    threads = args.threads[number // len(args.variants) % len(args.threads)]
    prepare(engine, variant, threads)
    moves = []
    while len(moves) < LONGEST:
        position = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
        engine.send(f"{position}\ngo nodes {args.nodes}")
        move = engine.until("bestmove")[-1].split()[1]
        if move in ("(none)", "0000"):
            break
        moves.append(move)
        if number % 10 == 0 and len(moves) == 20:
            disturb(engine, position)
    return len(moves)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=VARIANTS)
    args = parser.parse_args()

    engine = Engine(args.engine, [("UCI_Chess960", "true")])
    began, plies, measured = time.monotonic(), 0, []
    for number in range(1, args.games + 1):
        plies += game(engine, number, args)
        if number in (args.first, args.games) or number % 200 == 0:
            found = measure(engine, args)
            told = ", ".join(f"{count} {what}" for what, count in found.items())
            print(f"{number} games, {plies} plies, {time.monotonic() - began:.0f} s: {told}", flush=True)
            if number in (args.first, args.games):
                measured.append(found)
    status = engine.quit()
    first, last = measured[0], measured[-1]
    grown = [what for what in first if last[what] > 1.05 * first[what]]
    print("grown: " + ", ".join(grown) if grown else "nothing has grown by more than 5%")
    sys.exit(1 if grown or status != 0 else 0)


if __name__ == "__main__":
    main()
