#!/usr/bin/env python3
"""Tests the Windows program under wine and compares it with the Linux program, step by step.

    make build release-windows
    python3 engine-tests/campaigns/windows.py aleator-windows-x86-64.exe target/release/aleator
    python3 engine-tests/campaigns/windows.py WINDOWS LINUX --fastchess ./fastchess --only fastchess

The step `unit` compiles the unit tests for Windows, which takes minutes. Locked files are not tested: unlike
Windows, wine allows reading a file that another process has locked.
"""

import argparse
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLATFORMS = ROOT / "engine-tests/platforms"
UCI = """uci
setoption name UCI_Variant value ifrc
position startpos moves e3e5
go nodes 3000
setoption name UCI_Variant value chess960
position startpos
go nodes 3000
go perft 3
bench 5
isready
quit
"""


class Campaign:
    """The programs and the folder of a step. Under wine, `Z:` followed by a Linux path is a Windows path."""

    def __init__(self, arguments, folder):
        self.folder, self.referee = folder, arguments.fastchess
        self.linux = str(arguments.linux.resolve())
        self.exe = arguments.windows.resolve()
        self.name = "Z:" + str(self.exe).replace("/", "\\")
        self.windows = [str(PLATFORMS / "wine.sh"), str(self.exe)]

    def run(self, command, **options):
        """Runs a command in the folder of the step. Returns the standard output."""
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, **options)
        assert done.returncode == 0, f"{command}: {done.stdout[-1000:]}{done.stderr[-2000:]}"
        return done.stdout

    def unit(self):
        """Runs all unit tests of the library, compiled for Windows."""
        toolchain = [PLATFORMS / "toolchain.sh", "x86_64-pc-windows-gnu"]
        text = subprocess.run(
            [*toolchain, "cargo", "test", "--locked", "--lib"], cwd=ROOT, capture_output=True, text=True
        ).stdout
        assert "test result: ok" in text, text[-5000:]
        return re.search(r"test result: (.*)", text).group(1)

    def uci(self):
        """Checks that UCI commands with CR LF line endings get the same answers as on Linux."""
        answers = []
        for command in (self.windows, [self.linux]):
            text = self.run(command, input=UCI if command[0] == self.linux else UCI.replace("\n", "\r\n"))
            hash_size = int(re.search(r"name Hash .* max (\d+)", text).group(1))
            text = re.sub(r" (nps|time|max) \d+| \d+ nps$", "", text.replace("\r\n", "\n"), flags=re.M)
            answers.append([line for line in text.splitlines() if not line.startswith("id ")])
        assert answers[0] == answers[1], "\n".join(a for a in answers[0] if a not in answers[1])
        assert hash_size != 65_536, "the engine does not know the size of the memory"
        return f"{len(answers[0])} lines equal, at most {hash_size} MiB of hash"

    def datagen(self):
        """Checks that a truncated data set is resumed, that it equals the data set of Linux byte for byte,
        and that `data merge` can replace an existing file."""
        words = "--games 12 --nodes 500 --seed 7".split()
        self.run([*self.windows, "datagen", "--out", "theirs", *words])
        games = next(path for path in (self.folder / "theirs").iterdir() if path.suffix == ".bin")
        games.write_bytes(games.read_bytes()[:-20])
        self.run([*self.windows, "datagen", "--out", "theirs", *words])
        self.run([self.linux, "datagen", "--out", "ours", *words])
        merge = ["data", "merge", "--out", "merged.bin", "--force"]
        for program, source in ((self.windows, "theirs"), (self.windows, "theirs"), ([self.linux], "ours")):
            before = self.file("merged.bin")
            self.run([*program, *merge, source])
            assert before in (None, self.file("merged.bin")), "the games are different"
        return f"{len(self.file('merged.bin'))} bytes equal"

    def file(self, name):
        """Returns the bytes of a file, or None if it does not exist."""
        path = self.folder / name
        return path.read_bytes() if path.exists() else None

    def games(self, journal):
        """Returns the number of games of a match. No game may have an error or occur twice."""
        lines = (self.folder / journal).read_text(encoding="utf-8").splitlines()
        games = [json.loads(line)["game"] for line in lines if line.startswith('{"game"')]
        errors = [game["fault"] for game in games if game.get("fault")]
        assert not errors, errors
        keys = [(game["pair"], game["game"]) for game in games]
        assert len(set(keys)) == len(keys), "a game exists twice"
        return len(games)

    def match(self, program, engines, *more):
        """Returns the command that plays a match of quick games."""
        words = [*program, "match", "--nodes", "300", "--variant", "chess960"]
        words += ["--openings", "random:4", "--max-plies", "60", "--json", "games.jsonl"]
        for name, command in engines:
            words += ["--engine", f"{name}={command}"]
        return [*words, *more]

    def journal(self):
        """Checks that a match resumes after Ctrl-C and after a truncated line in the journal. The paths of
        the engines contain backslashes, also in the command that the match prints for resuming."""
        engines = [("a", self.name), ("b", f'"{self.name}"')]
        command = self.match(self.windows, engines, "--games", "100000")
        with open(self.folder / "said", "wb") as said:
            process = subprocess.Popen(command, cwd=self.folder, stdout=said, stderr=subprocess.STDOUT)
            while (self.file("games.jsonl") or b"").count(b'{"game"') < 3:
                assert process.poll() is None, self.file("said")
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            process.wait(60)
        done = self.games("games.jsonl")
        text = (self.folder / "said").read_text(encoding="utf-8")
        going_on = text.split("To continue:")[1].splitlines()[1]
        assert self.name in going_on and going_on.endswith("--resume"), text
        with open(self.folder / "games.jsonl", "ab") as journal:
            journal.write(b'{"game":{"pair":')
        text = self.run([*command[:-1], str(done + 3), "--resume"])
        assert f"resumed with {done} games" in text, text
        assert self.games("games.jsonl") >= done + 3
        return f"{done} games, and more after Ctrl-C and a truncated line"

    def children(self):
        """Checks that processes that an engine has started end when the engine ends."""
        (self.folder / "wrapper.bat").write_bytes(
            f'@start /b {self.name} serve --port 0 --folder left-behind\r\n@"{self.name}"\r\n'.encode()
        )
        wrapper = "Z:" + str(self.folder / "wrapper.bat").replace("/", "\\")
        engines = [("a", self.name), ("b", wrapper)]
        self.run(self.match(self.windows, engines, "--games", "2"), timeout=300)
        assert (self.folder / "left-behind").exists(), "no process was started"
        time.sleep(1)
        processes = self.run(["ps", "-eo", "args"])
        assert "left-behind" not in processes, processes
        return "ended"

    def arena(self):
        """Plays games against the Linux program, which also runs the match."""
        engines = [("linux", self.linux), ("windows", " ".join(self.windows))]
        self.run(self.match([self.linux], engines, "--games", "20"), timeout=1200)
        return f"{self.games('games.jsonl')} games without errors"

    def fastchess(self):
        """Plays games with clocks against the Linux program, run by fastchess."""
        if not self.referee:
            return "skipped: add --fastchess PROGRAM"
        (self.folder / "windows.sh").write_text(f'#!/bin/sh\nexec {" ".join(self.windows)} "$@"\n')
        (self.folder / "windows.sh").chmod(0o755)
        text = self.run(
            [self.referee.resolve(), "-engine", f"cmd={self.linux}", "name=linux"]
            + ["-engine", f"cmd={self.folder}/windows.sh", "name=windows", "-each", "tc=4+0.04"]
            + ["-variant", "fischerandom", "-rounds", "10", "-repeat", "-openings"]
            + [f"file={ROOT}/book/openings/chess960.epd", "format=epd", "-pgnout", "file=fast.pgn"],
            timeout=3600,
        )
        pgn = (self.folder / "fast.pgn").read_text(encoding="utf-8")
        endings = re.findall(r'\[Termination "(.*?)"\]', pgn)
        assert len(re.findall(r"\[Result ", pgn)) == 20, text
        errors = [one for one in endings if one not in ("normal", "adjudication")]
        assert not errors and "disconnect" not in text and "illegal" not in text.lower(), (errors, text)
        return re.search(r"Games: .*", text).group()


STEPS = ["uci", "datagen", "journal", "children", "arena", "fastchess", "unit"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("windows", type=pathlib.Path, help="the engine for Windows")
    parser.add_argument("linux", type=pathlib.Path, help="the engine for Linux, of the same commit")
    parser.add_argument("--fastchess", type=pathlib.Path, help="the path of fastchess, for the step `fastchess`")
    parser.add_argument("--only", nargs="+", choices=STEPS, default=STEPS)
    arguments = parser.parse_args()
    for step in arguments.only:
        with tempfile.TemporaryDirectory() as folder:
            campaign = Campaign(arguments, pathlib.Path(folder))
            outcome = getattr(campaign, step)()
            print(f"{step}: {outcome}", flush=True)


main()
