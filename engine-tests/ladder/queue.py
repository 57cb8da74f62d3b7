#!/usr/bin/env python3
"""Plays a queue of SPRT tests, generates training games, and measures the effects of many parameters at once.
See README.md."""

import argparse
import ctypes
import fcntl
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
# The defaults of a test. With an SPRT, `games` is the maximum number of games.
DEFAULTS = {"variant": "chess960", "nodes": 40_000, "games": 8_000, "options": [], "arguments": []}
ARGUMENTS = "--order random --resign 3,700 --draw 60,8,10 --option Hash=16".split()
# For each board: the mix of variants of the training games, and the hours before games on the other board are
# generated.
MIXES = {
    "8x8": ("8x8", 1.0),
    "10x10": ("10x10", 0.5),
}
# A number of games that no data set will ever reach.
MOST_GAMES = "4000000000"


def become_background():
    """Sets the lowest priority, and ends this process as soon as its parent ends."""
    os.nice(19)
    if sys.platform == "linux":
        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def lock(path):
    """Locks a file for this process and its children. Returns None if another process holds the lock."""
    file = open(path, "w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def read_tests(folder):
    tests = tomllib.loads((folder / "tests.toml").read_text()).get("test", [])
    names = [test.get("name", "") for test in tests]
    for test, name in zip(tests, names):
        if not re.fullmatch(r"[\w.-]+", name) or names.count(name) > 1:
            sys.exit(f"tests.toml: a test needs a unique name of letters, digits and -._, not '{name}'")
        if len(test.get("engines", [])) != 2:
            sys.exit(f"tests.toml: test '{name}' needs two engines, such as engines = ['new=./a', 'old=./b']")
    return [DEFAULTS | test for test in tests]


def summary(journal):
    """Returns the summary that a match writes when it is finished."""
    try:
        with open(journal, "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 100_000))
            last = file.read().splitlines()[-1]
            return json.loads(last).get("summary")
    except (OSError, IndexError, json.JSONDecodeError):
        return None


def command_of(arena, test, journal):
    suite = REPOSITORY / "book/openings" / f"{test['variant']}.epd"
    limit = ["--tc", test["tc"]] if "tc" in test else ["--nodes", str(test["nodes"])]
    command = [arena, "match", "--variant", test["variant"], *limit]
    command += ["--games", str(test["games"]), "--openings", str(test.get("openings", suite))]
    command += ["--seed", str(test.get("seed", 1)), "--json", str(journal), "--resume", *ARGUMENTS]
    for kind, values in [("--engine", test["engines"]), ("--option", test["options"])]:
        command += [word for value in values for word in (kind, value)]
    if "sprt" in test:
        command += ["--sprt", *map(str, test["sprt"]), "--model", "logistic"]
    return command + test["arguments"]


def play(folder, arena, test):
    """Plays a test to the end, unless the test is finished, has failed, or is played by another process.
    Returns whether the test was played."""
    name = test["name"]
    journal, failed = folder / f"{name}.jsonl", folder / f"{name}.failed"
    with lock(folder / f"{name}.lock") or open(os.devnull) as held:
        if held.name == os.devnull or failed.exists() or is_over(test, summary(journal)):
            return False
        print(time.strftime("%H:%M"), name, flush=True)
        with open(folder / f"{name}.log", "w") as log:
            # The match inherits the lock, because the match may live a moment longer than a queue that is
            # killed.
            match = subprocess.Popen(
                command_of(arena, test, journal), stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, preexec_fn=become_background, pass_fds=[held.fileno()],
            )
            if match.wait() != 0 and match.returncode != -signal.SIGTERM:
                failed.write_text("\n".join((folder / f"{name}.log").read_text().splitlines()[-5:]))
        return True


def is_over(test, outcome):
    """Returns whether a test is finished, given the summary of its match. A finished test continues if its
    number of games is increased."""
    if outcome is None:
        return False
    sprt = outcome.get("sprt")
    decided = sprt and not sprt["bounds"][0] < sprt["llr"] < sprt["bounds"][1]
    return bool(decided) or outcome["games"] >= test["games"]


def match(folder, arena, wait):
    while True:
        played = [test["name"] for test in read_tests(folder) if play(folder, arena, test)]
        if not played and not wait:
            return
        if not played:
            time.sleep(10)


def row(folder, test):
    name = test["name"]
    outcome = summary(folder / f"{name}.jsonl")
    bounds = "[{}, {}]".format(*test["sprt"]) if "sprt" in test else "-"
    limit = test.get("tc") or f"{test['nodes']:,}"
    what = f"| {name} | {test['variant']} | {limit} | "
    if (folder / f"{name}.failed").exists():
        return what + f"- | - | {bounds} | failed: see {name}.failed |"
    if outcome is None:
        log = folder / f"{name}.log"
        lines = [line for line in (log.read_text().splitlines() if log.exists() else []) if " games " in line]
        return what + f"- | - | {bounds} | {'running: ' + ' '.join(lines[-1].split()) if lines else 'waiting'} |"
    new = outcome["engines"][0]
    score = f"+{new['wins']} ={new['draws']} -{new['losses']}"
    sprt = outcome.get("sprt") or {}
    llr, (low, high) = sprt.get("llr"), sprt.get("bounds", (0, 0))
    decision = "played" if llr is None else "accepted" if llr >= high else "rejected" if llr <= low else "cap"
    if llr is not None:
        bounds += f" {llr:+.2f}"
    # An engine that won or lost every game has no Elo.
    elo = "-" if new["elo"] is None else f"{new['elo']:+.1f} ± {new['elo_error']:.1f}"
    return what + f"{score} | {elo} | {bounds} | {decision} |"


def rows(folder):
    print("| test | variant | nodes or clock | games | Elo | SPRT, LLR | decision |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for test in read_tests(folder):
        print(row(folder, test))


def default_numbers(engine):
    said = subprocess.run([engine], input="uci\nquit\n", capture_output=True, text=True, check=True).stdout
    return {name: int(value) for name, value in re.findall(r"option name (\w+) type spin default (-?\d+)", said)}


def screen(folder, arena):
    """Plays short matches of an engine against itself until the script is stopped. Each parameter has a
    default and another value. In each match a coin flip decides which side plays with which of the two
    values."""
    path = folder / "factors.toml"
    test = DEFAULTS | (tomllib.loads(path.read_text()) if path.exists() else {})
    if not {"engine", "factors"} <= set(test):
        sys.exit(f"{path} must contain engine = './tune' and factors = {{ PARAMETER = VALUE }}")
    defaults = default_numbers(test["engine"])
    unknown = sorted(set(test["factors"]) - set(defaults))
    if unknown:
        sys.exit(f"factors.toml: '{test['engine']}' has no option {', '.join(unknown)}: it needs `--features tune`")
    done = folder / "screen.jsonl"
    while True:
        row = len(done.read_text().splitlines()) if done.exists() else 0
        coin = random.Random(row)
        signs = {name: coin.choice([1, -1]) for name in test["factors"]}
        options = []
        for name, sign in signs.items():
            values = [test["factors"][name], defaults[name]][::sign]
            options += [f"new.{name}={values[0]}", f"old.{name}={values[1]}"]
        engines = [f"{side}={test['engine']}" for side in ("new", "old")]
        journal = folder / f"screen-{row}.jsonl"
        short = test | {"games": test.get("row", 30), "seed": row, "engines": engines,
                        "options": test["options"] + options}
        with open(folder / "screen.log", "w") as log:
            subprocess.run(command_of(arena, short, journal), stdin=subprocess.DEVNULL, stdout=log,
                           stderr=subprocess.STDOUT, preexec_fn=become_background, check=True)
        new = summary(journal)["engines"][0]
        with open(done, "a") as file:
            file.write(json.dumps({"signs": signs, **{key: new[key] for key in ("wins", "draws", "losses")}}) + "\n")


def effects(folder):
    """Prints how much Elo each parameter's other value gains, the largest gain first, with the half width of
    the 95% confidence interval. The estimate is a least squares fit to the matches of `screen`."""
    import numpy  # imported here because the queues do not need numpy

    path = folder / "screen.jsonl"
    played = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    names = sorted({name for row in played for name in row["signs"]})
    if len(played) <= len(names):
        sys.exit(f"{len(names)} parameters need more short matches than the {len(played)} played in '{folder}'")
    signs = numpy.array([[row["signs"].get(name, 0) for name in names] for row in played], float)
    sizes = numpy.array([row["wins"] + row["draws"] + row["losses"] for row in played])
    # If the score is nearly even, Elo is proportional to wins minus losses.
    elo = numpy.array([row["wins"] - row["losses"] for row in played]) / sizes * 800 / numpy.log(10)
    found = numpy.linalg.lstsq(signs, elo, rcond=None)[0]
    variance = ((elo - signs @ found) ** 2).sum() / (len(played) - len(names))
    errors = numpy.sqrt(numpy.diag(numpy.linalg.pinv(signs.T @ signs)) * variance)
    print(f"{sizes.sum()} games")
    for effect, error, name in sorted(zip(found, errors, names), reverse=True):
        print(f"{name:28} {effect:+6.1f} ± {1.96 * error:.1f}")


def games(folder, engine, seconds):
    """Generates games for each board in turn, with a copy of the engine. All games of a set must be by the
    same engine, so each engine has separate sets."""
    folder.mkdir(parents=True, exist_ok=True)
    held = lock(folder / "games.lock")
    if held is None:
        sys.exit(f"another process generates games in '{folder}'")
    digest = hashlib.sha256(Path(engine).read_bytes()).hexdigest()[:8]
    copy = folder / f"engine-{digest}"
    if not copy.exists():
        shutil.copy(engine, copy)
    end = time.monotonic() + seconds if seconds else float("inf")
    while True:
        for board, (mix, hours) in MIXES.items():
            hours = min(hours, (end - time.monotonic()) / 3600)
            if hours <= 0:
                return
            out = folder / board / digest
            command = [copy, "datagen", "--out", out, "--hours", f"{hours:.4f}", "--games", MOST_GAMES]
            if not (out / "games.manifest.json").exists():
                command += ["--variant", mix, "--nodes", "100"]
            log = folder / f"{board}.log"
            with open(log, "w") as to:
                made = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=to,
                                      stderr=subprocess.STDOUT, preexec_fn=become_background)
            if made.returncode != 0:
                sys.exit(f"datagen ended: {log.read_text()[-500:]}")


def lower_autogroup(pid):
    """Lowers the priority of a session. Linux divides time among sessions first, so a process's nice value
    does not affect other sessions. The queue runs in a separate session, because otherwise everything else in
    the session of the terminal would be slowed down too."""
    try:
        Path(f"/proc/{pid}/autogroup").write_text("19")
    except OSError:
        pass


def start(folder, arena, datagen, engine):
    """Starts the queue of tests and, if `datagen` is given, the queue of training games. Each queue has a
    separate process group."""
    running = [group for group in groups(folder) if is_alive(group)]
    if running:
        sys.exit(f"the queues of '{folder}' are already running; `stop` ends them")
    script = [sys.executable, __file__]
    commands = [[*script, "match", folder, "--arena", arena, "--wait"]]
    if datagen:
        commands.append([*script, "games", datagen, "--engine", engine or arena])
    pids = []
    for command in commands:
        with open(folder / f"{command[2]}.log", "a") as log:
            queue = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log,
                                     stderr=subprocess.STDOUT, start_new_session=True)
        lower_autogroup(queue.pid)
        pids.append(str(queue.pid))
    (folder / "pids").write_text(" ".join(pids))


def groups(folder):
    path = folder / "pids"
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def is_alive(group):
    try:
        os.killpg(group, 0)
        return True
    except ProcessLookupError:
        return False


def signal_all(folder, what):
    """Sends a signal to the queues and the processes that they started."""
    for group in filter(is_alive, groups(folder)):
        os.killpg(group, what)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, text in [
        ("match", "play the tests of FOLDER/tests.toml, one after the other"),
        ("rows", "print the results of all tests as a table"),
        ("screen", "play matches with random choices of the parameters of FOLDER/factors.toml, until stopped"),
        ("effects", "print the Elo gain of each parameter, from the matches of `screen`"),
        ("games", "generate training games for 8x8 and 10x10 in turn, in FOLDER/8x8 and FOLDER/10x10"),
        ("start", "start the queues of tests and training games in the background; earlier work is resumed"),
        ("pause", "pause the queues that `start` started"),
        ("continue", "continue the paused queues"),
        ("stop", "end the queues that `start` started"),
    ]:
        verb = verbs.add_parser(verb, help=text)
        verb.add_argument("folder", type=Path)
    default = REPOSITORY / "aleator"
    for verb in ["match", "screen", "start"]:
        verbs.choices[verb].add_argument("--arena", default=default, help="the binary that runs matches")
    verbs.choices["match"].add_argument("--wait", action="store_true", help="when all tests are finished, wait for new tests")
    verbs.choices["start"].add_argument("--datagen", type=Path, help="also generate training games, in this folder")
    for verb in ["games", "start"]:
        verbs.choices[verb].add_argument("--engine", default=None if verb == "start" else default,
                                         help="the binary that generates games")
    verbs.choices["games"].add_argument("--seconds", type=float, help="end after this number of seconds")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if args.verb == "match":
        match(args.folder, args.arena, args.wait)
    elif args.verb == "rows":
        rows(args.folder)
    elif args.verb == "screen":
        screen(args.folder, args.arena)
    elif args.verb == "effects":
        effects(args.folder)
    elif args.verb == "games":
        games(args.folder, args.engine, args.seconds)
    elif args.verb == "start":
        start(args.folder, args.arena, args.datagen, args.engine)
    else:
        signals = {"pause": signal.SIGSTOP, "continue": signal.SIGCONT, "stop": signal.SIGTERM}
        signal_all(args.folder, signals[args.verb])
        if args.verb == "stop":
            signal_all(args.folder, signal.SIGCONT)  # paused processes handle SIGTERM only when they continue


if __name__ == "__main__":
    main()
