#!/usr/bin/env python3
"""Kills `aleator match` and `aleator datagen` (SIGKILL) at random moments and restarts them until they
finish. Then every game must exist exactly once and equal the same game of a run that was never killed.

    python3 engine-tests/campaigns/kills.py target/release/aleator --kills 300

Half of the kills hit each command, in runs of `--games` games. A game that was on disk when the command was
killed must not be lost or played again. The PGN file must contain the games of the journal. No engine may
outlive its match.
"""

import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time


class Trial:
    """A test of one of the two commands, in a separate folder."""

    def __init__(self, engine, folder, seed, games):
        self.engine, self.folder, self.seed, self.count = engine, folder, seed, games

    def start(self, name):
        """Starts or resumes the run called `name`."""
        with open(self.folder / f"{name}.log", "a", encoding="utf-8") as log:
            return subprocess.Popen(
                [self.engine, *self.arguments(name)], stdout=log, stderr=log, cwd=self.folder
            )

    def run(self):
        """Kills and restarts the command until it finishes. Returns the number of kills."""
        rng, kills, before = random.Random(self.seed), 0, self.kept()
        while True:
            process = self.start("killed")
            try:
                status = process.wait(rng.uniform(0, self.longest))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
                kept = self.kept()
                assert before.items() <= kept.items(), "games were lost or changed"
                before = kept
                continue
            assert status == 0, (self.folder / "killed.log").read_text()[-2000:]
            break
        assert self.start("whole").wait() == 0, (self.folder / "whole.log").read_text()[-2000:]
        killed, whole = self.games("killed"), self.games("whole")
        assert len(whole) == self.count, f"{len(whole)} games without a kill"
        assert before.items() <= killed.items(), "games were lost or changed"
        different = [key for key in whole if killed.get(key) != whole[key]]
        assert not different and len(killed) == len(whole), f"{self.folder}: different games: {different}"
        return kills


class Match(Trial):
    longest = 0.6

    def arguments(self, name):
        arguments = ["match", "--variant", "jepps" if self.seed % 2 else "chess960", "--nodes", "150"]
        for player in ("a", "b"):
            arguments += ["--engine", f"{player}={self.engine}"]
        arguments += ["--option", "Hash=1", "--games", str(self.count), "--seed", str(self.seed)]
        arguments += ["--openings", "random:4", "--max-plies", "60", "--concurrency", "2"]
        arguments += ["--json", f"{name}.jsonl", "--pgn", f"{name}.pgn"]
        return arguments + (["--resume"] if (self.folder / f"{name}.jsonl").exists() else [])

    def games(self, name):
        """Returns the games of a journal by pair and number, without times."""
        found = {}
        path = self.folder / f"{name}.jsonl"
        lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
        for game in (json.loads(line).get("game") for line in lines):
            if game:
                key = game["pair"], game["game"]
                assert key not in found, f"game {key} exists twice"
                moves = [(move["uci"], move["score"], move["depth"]) for move in game["moves"]]
                start = game["opening"], game.get("placements"), game["white"]
                found[key] = (*start, tuple(moves), game["result"], game["reason"])
                found[key] = json.dumps(found[key])
        return found

    def kept(self):
        return self.games("killed")

    def run(self):
        kills = super().run()
        rounds = lambda name: sorted(re.findall(r'\[Round "(.*)"\]', (self.folder / name).read_text()))
        assert rounds("killed.pgn") == rounds("whole.pgn"), "the PGN files have different games"
        for _ in range(100):
            left = subprocess.run(["pgrep", "-f", f"^{self.engine}$"], capture_output=True, check=False)
            if left.returncode != 0:
                return kills
            time.sleep(0.1)
        raise AssertionError(f"engines are still running: {left.stdout}")


class Datagen(Trial):
    longest = 0.3

    def arguments(self, name):
        variant = "10x10" if self.seed % 2 else "8x8"
        arguments = ["datagen", "--out", name, "--games", str(self.count), "--threads", "2"]
        arguments += ["--variant", variant, "--seed", str(self.seed), "--nodes", "60"]
        return arguments + ["--max-plies", "60"]

    def games(self, name):
        """Returns each game as `data view` prints it. First checks with `data verify` that there are
        no duplicate games."""
        for command in (["verify", name], ["stats", name]):
            told = subprocess.run(
                [self.engine, "data", *command], cwd=self.folder, capture_output=True, text=True, check=False
            )
            assert told.returncode == 0, told.stdout + told.stderr
        assert f"{self.count} games" in told.stdout, told.stdout
        view = lambda game: subprocess.check_output(
            [self.engine, "data", "view", name, "--game", str(game), "--uci"], cwd=self.folder
        )
        return {game: view(game) for game in range(self.count)}

    def kept(self):
        """Checks that each resumed command found at least as many games as the one before."""
        log = self.folder / "killed.log"
        counts = re.findall(r"continuing after (\d+) games", log.read_text()) if log.exists() else []
        counts = [int(count) for count in counts]
        assert counts == sorted(counts), f"games were lost: {counts}"
        return {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--games", type=int, default=100, help="number of games of each run; must be even")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # Only this script starts engines from this path, so `pgrep` finds no other engines.
        engine = shutil.copy(args.engine, pathlib.Path(folder, "aleator"))
        for trial in (Match, Datagen):
            kills, runs, began = 0, 0, time.monotonic()
            while kills < args.kills / 2:
                runs += 1
                place = pathlib.Path(folder, f"{trial.__name__}-{runs}")
                place.mkdir()
                kills += trial(str(engine), place, runs, args.games).run()
            told = f"{trial.__name__}: {kills} kills in {runs} runs of {args.games} games"
            print(f"{told}, {time.monotonic() - began:.0f} s: every game exists once and equals the game of the run without kills", flush=True)


if __name__ == "__main__":
    main()
