#!/usr/bin/env python3
"""Plays many quick games of the engine against itself in every variant, with different numbers of
threads, and counts crashes, hangs, illegal moves and time losses.

    python3 engine-tests/campaigns/soak.py target/release/aleator --folder /tmp/soak

`aleator match` plays the games. The journals stay in the folder, and the same command resumes from them. The
command fails if a game had a failure other than a time loss. With `--idle` the command plays one game at a
time and also fails if there was a time loss. Nothing else should then run on the machine.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import time

VARIANTS = ["chess", "chess960", "ifrc", "fischerbenko", "transcendental", "jepps", "placement"]
SETUPS = VARIANTS[3:]
KINDS = ["crash", "hang", "silent", "illegal", "no_start", "time_loss"]


def games_of(journal):
    """Returns the games of a journal."""
    if not journal.exists():
        return []
    lines = (json.loads(line) for line in journal.read_text().splitlines() if line.endswith("}"))
    return [line["game"] for line in lines if "game" in line]


def play(args, variant, threads, games):
    """Plays a match. Returns the games, and whether the match finished."""
    journal = pathlib.Path(args.folder, f"{variant}-{threads}.jsonl")
    command = [args.engine, "match", "--variant", variant, "--tc", args.tc, "--games", str(games)]
    for name in ("a", "b"):
        command += ["--engine", f"{name}={args.engine}"]
    command += ["--option", f"Threads={threads}", "--seed", str(args.seed)]
    command += ["--openings", "random:0" if variant in SETUPS else "random:4"]
    command += ["--concurrency", str(1 if args.idle else 2), "--json", str(journal)]
    with open(journal.with_suffix(".log"), "a", encoding="utf-8") as log:
        # A match stops after too many consecutive failures. Resume the match a few times at most.
        for _ in range(args.attempts):
            resume = ["--resume"] if journal.exists() else []
            ended = subprocess.run(command + resume, stdout=log, stderr=log, check=False)
            if ended.returncode == 0:
                break
    return games_of(journal), ended.returncode == 0


def describe(name, games, seconds):
    """Prints a line of the table: the games, moves and failures of a match."""
    failures = collections.Counter(game["fault"]["kind"] for game in games if game.get("fault"))
    moves = sum(len(game["moves"]) for game in games)
    counts = "".join(f"{failures.pop(kind, 0):>10}" for kind in KINDS)
    print(f"{name:<18}{len(games):>7}{moves:>9}{counts}{seconds:>8.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--games", type=int, default=4_000, help="total number of games of all matches")
    parser.add_argument("--tc", default="0.5+0.005")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=VARIANTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--attempts", type=int, default=3)
    parser.add_argument("--idle", action="store_true")
    args = parser.parse_args()
    args.engine = str(pathlib.Path(args.engine).resolve())
    pathlib.Path(args.folder).mkdir(parents=True, exist_ok=True)

    matches = [(variant, threads) for variant in args.variants for threads in args.threads]
    # Matches consist of pairs of games, so round up to an even number.
    games = 2 * -(-args.games // (2 * len(matches)))
    print(f"{'variant, threads':<18}{'games':>7}{'moves':>9}" + "".join(f"{kind:>10}" for kind in KINDS))
    played, unfinished, began = [], [], time.monotonic()
    for variant, threads in matches:
        start = time.monotonic()
        found, is_finished = play(args, variant, threads, games)
        describe(f"{variant}, {threads}", found, time.monotonic() - start)
        played += found
        if not is_finished or len(found) != games:
            unfinished.append(f"{variant}, {threads}")
    describe("all", played, time.monotonic() - began)
    for name in unfinished:
        print(f"{name}: the match did not finish; the log of the match is in the folder")
    kinds = {game["fault"]["kind"] for game in played if game.get("fault")}
    tolerated = set() if args.idle else {"time_loss"}
    sys.exit(1 if unfinished or kinds - tolerated else 0)


if __name__ == "__main__":
    main()
