#!/usr/bin/env python3
"""`aleator match` and `aleator datagen` are killed (SIGKILL) at random moments, started again, and
killed again, until they are through. Then every game must be there once, and be the game that a run
makes which nobody disturbs.

    python3 engine-tests/campaigns/kills.py target/release/aleator --kills 300

Half of the kills are of each, in runs of `--games` games. Besides, no game that was on disk at a kill
may be gone or played again, the PGN file must have what the journal has, and no engine may outlive
the match that started it.
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
    """One of the two programs, in a folder of its own."""

    def __init__(self, engine, folder, seed, games):
        self.engine, self.folder, self.seed, self.count = engine, folder, seed, games

    def start(self, name):
        """Begins, or goes on with, the run of this name."""
        with open(self.folder / f"{name}.log", "a", encoding="utf-8") as log:
            return subprocess.Popen(
                [self.engine, *self.arguments(name)], stdout=log, stderr=log, cwd=self.folder
            )

    def run(self):
        """Kills until it is through; the number of kills."""
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
                assert before.items() <= kept.items(), "games are gone or have changed"
                before = kept
                continue
            assert status == 0, (self.folder / "killed.log").read_text()[-2000:]
            break
        assert self.start("whole").wait() == 0, (self.folder / "whole.log").read_text()[-2000:]
        killed, whole = self.games("killed"), self.games("whole")
        assert len(whole) == self.count, f"{len(whole)} games without a kill"
        assert before.items() <= killed.items(), "games are gone or have changed"
        different = [key for key in whole if killed.get(key) != whole[key]]
        assert not different and len(killed) == len(whole), f"{self.folder}: not the same: {different}"
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
        """The games of a journal by pair and number, without what is not the engines': times."""
        found = {}
        path = self.folder / f"{name}.jsonl"
        lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
        for game in (json.loads(line).get("game") for line in lines):
            if game:
                key = game["pair"], game["game"]
                assert key not in found, f"game {key} is there twice"
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
        assert rounds("killed.pgn") == rounds("whole.pgn"), "the PGN files have other games"
        for _ in range(100):
            left = subprocess.run(["pgrep", "-f", f"^{self.engine}$"], capture_output=True, check=False)
            if left.returncode != 0:
                return kills
            time.sleep(0.1)
        raise AssertionError(f"engines are left: {left.stdout}")


class Datagen(Trial):
    longest = 0.3

    def arguments(self, name):
        variant = "10x10" if self.seed % 2 else "8x8"
        arguments = ["datagen", "--out", name, "--games", str(self.count), "--threads", "2"]
        arguments += ["--variant", variant, "--seed", str(self.seed), "--nodes", "60"]
        return arguments + ["--max-plies", "60"]

    def games(self, name):
        """Each game as it is shown; `verify` complains of games that are there twice."""
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
        """Checks that it never found fewer games than before when it was resumed."""
        log = self.folder / "killed.log"
        counts = re.findall(r"continuing after (\d+) games", log.read_text()) if log.exists() else []
        counts = [int(count) for count in counts]
        assert counts == sorted(counts), f"games are gone: {counts}"
        return {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--games", type=int, default=100, help="of a run, an even number")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # By this name engines are told from those of others.
        engine = shutil.copy(args.engine, pathlib.Path(folder, "aleator"))
        for trial in (Match, Datagen):
            kills, runs, began = 0, 0, time.monotonic()
            while kills < args.kills / 2:
                runs += 1
                place = pathlib.Path(folder, f"{trial.__name__}-{runs}")
                place.mkdir()
                kills += trial(str(engine), place, runs, args.games).run()
            told = f"{trial.__name__}: {kills} kills in {runs} runs of {args.games} games"
            print(f"{told}, {time.monotonic() - began:.0f} s: every game once and as undisturbed", flush=True)


if __name__ == "__main__":
    main()
