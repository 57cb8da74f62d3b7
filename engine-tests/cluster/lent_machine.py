#!/usr/bin/env python3
"""Generates training games and trains a network on a larger machine that is lent for half an hour. See
README.md. `python3 -m doctest` checks the calculations."""

import argparse
import ctypes
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path

MIB = 1 << 20
# The fraction of the time for generating games. The rest of the time is for training.
GAMES_SHARE = 0.85
# The number of games of the first set. The size of this set shows how many bytes a game takes.
FIRST_GAMES = 1_000
# The maximum number of sets to output. At most 8 files may be output: the network, its manifest, the manifests of
# the sets, and 5 sets.
MOST_SETS = 5
MOST_MIB = 63


class Clock:
    """Measures the time that all calls use together, without the time between calls. The time is kept in a
    file, so that the time of a killed call counts too."""

    def __init__(self, path, total, call):
        self.path = path
        self.before = float(path.read_text()) if path.exists() else 0.0
        self.began = time.monotonic()
        self.call = max(0.0, min(call, total - self.before))
        self.over = threading.Event()
        self.keeper = threading.Thread(target=self.keep, daemon=True)
        self.keeper.start()

    def at(self, used):
        """Returns the moment at which all calls together will have used `used` seconds."""
        return self.began + used - self.before

    def keep(self):
        while not self.over.wait(1):
            self.write(self.before + time.monotonic() - self.began)

    def finish(self):
        """Counts the whole time of this call as used, even if the call ended early, so that equal calls get
        equal shares of the time."""
        self.over.set()
        self.keeper.join()
        self.write(self.before + self.call)

    def write(self, used):
        new = self.path.with_suffix(".new")
        new.write_text(f"{used:.1f}")
        new.replace(self.path)


def end_with_parent():
    if sys.platform == "linux":
        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def run(command, until):
    """Runs a command, and stops it at the given moment."""
    process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, preexec_fn=end_with_parent)
    timer = threading.Timer(max(0.1, until - time.monotonic()), process.terminate)
    timer.start()
    status = process.wait()
    timer.cancel()
    if status not in (0, -signal.SIGTERM):
        sys.exit(f"'{command[1]}' ended with status {status}")


def games_file(path):
    return path / "games.bin"


def manifest_file(path):
    return path / "games.manifest.json"


def games_in(path):
    """Returns the number of games of a set, or 0 if the set has no manifest yet."""
    if not manifest_file(path).exists():
        return 0
    return json.loads(manifest_file(path).read_text())["counts"]["games"]


def sets_of(args):
    return sorted((args.work / "games").glob("[0-9]*"))


def games_wanted(full, set_bytes):
    """Returns the target number of games of a new set, given the bytes and games of each earlier set.

    >>> games_wanted([], 12_000_000)
    1000
    >>> games_wanted([(200_000, 1_000), (11_800_000, 59_000)], 12_000_000)
    60000
    """
    if not full:
        return FIRST_GAMES
    size, games = map(sum, zip(*full))
    return max(1, int(set_bytes * games / max(1, size)))


def make_games(args, until, call_end):
    """Adds games to the newest set until the set is full, then begins the next set. If no time is left, only
    repairs the end of the newest set after an interruption."""
    # Slightly below the size at which MOST_SETS full sets would exceed the limit.
    set_bytes = 0.98 * args.mib * MIB / MOST_SETS
    while True:
        full = [(games_file(path).stat().st_size, games_in(path)) for path in sets_of(args)[:-1]]
        folder = args.work / "games" / f"{len(full):03}"
        hours = max(0.0, until - time.monotonic()) / 3600
        wanted = games_wanted(full, set_bytes)
        if hours > 0 and games_in(folder) >= wanted:
            full.append((games_file(folder).stat().st_size, games_in(folder)))
            folder = args.work / "games" / f"{len(full):03}"
            wanted = games_wanted(full, set_bytes)
        command = [args.engine, "datagen", "--out", folder, "--threads", args.cores, "--games", wanted]
        command += ["--hours", f"{hours:.6f}", "--network", args.network]
        # An existing set has its settings in the manifest.
        if not manifest_file(folder).exists():
            command += ["--variant", args.variant, "--nodes", args.nodes]
        run(command, call_end)
        if time.monotonic() >= until:
            return


def learn(args, until):
    """Trains the network on all sets, with the default settings of `train`. Training that was interrupted
    continues after its last complete epoch."""
    command = [args.engine, "train", "--out", args.work / "training", "--name", args.name]
    command += ["--from", args.network, "--epochs", args.epochs, "--threads", args.cores]
    data = [*args.data, *(path for path in sets_of(args) if games_in(path) > 0)]
    run(command + [word for path in data for word in ("--data", path)], until)


def newest(sizes, most):
    """Returns how many of the newest sets to output, given the sizes of all sets and the maximum total size.

    >>> newest([10, 9, 8, 3], 20), newest([10, 9, 8, 3], 19), newest([1] * 9, 20)
    (3, 2, 5)
    """
    last = sizes[-MOST_SETS:]
    return max(number for number in range(len(last) + 1) if sum(last[len(last) - number:]) <= most)


def bring_out(args):
    """Copies the network and the newest games to the output folder."""
    out = args.out / "lent-machine"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    files = [args.work / "training" / f"{args.name}{ending}" for ending in (".nnue", ".manifest.json")]
    files = [file for file in files if file.exists()]
    for file in files:
        shutil.copy(file, out)
    most = min(args.mib * MIB, MOST_MIB * MIB - sum(file.stat().st_size for file in files))
    sets = [path for path in sets_of(args) if games_in(path) > 0]
    sets = sets[len(sets) - newest([games_file(path).stat().st_size for path in sets], most):]
    with tarfile.open(out / "manifests.tar", "w") as tar:
        for path in sets:
            hash = json.loads(manifest_file(path).read_text())["origin"]["datagen"]["set"]
            name = f"{path.name}-{hash:08x}"
            shutil.copy(games_file(path), out / f"{name}.bin")
            tar.add(manifest_file(path), f"{name}.manifest.json")
    size = sum(file.stat().st_size for file in out.iterdir()) / MIB
    network = "a network" if files else "no network yet"
    print(f"{network}, {len(sets)} sets, {size:.1f} MiB in '{out}'")


def reserve(args):
    """Returns the seconds reserved at the end of a call for the output."""
    return max(5.0, 0.03 * args.call)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", type=Path, default="aleator", help="the path of Aleator [aleator]")
    parser.add_argument("--work", type=Path, default="target/lent", help="the folder for games and networks, kept between calls [target/lent]")
    parser.add_argument("--out", type=Path, default=os.environ.get("OUT"), help="the folder for the output [$OUT]")
    parser.add_argument("--seconds", type=float, default=1560, help="seconds of all calls together [1560]")
    parser.add_argument("--call", type=float, help="seconds of this call [--seconds]")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="number of threads [all cores]")
    parser.add_argument("--variant", default="8x8", help="8x8, 10x10 or a mix of variants, as `datagen --variant` takes it [8x8]")
    parser.add_argument("--nodes", type=int, default=400, help="nodes searched per move [400]")
    parser.add_argument("--network", type=Path, required=True, help="the network that plays the games, and with which the training starts")
    parser.add_argument("--name", default="network", help="the name of the new network [network]")
    parser.add_argument("--epochs", type=int, default=2, help="number of training epochs [2]")
    parser.add_argument("--data", action="append", default=[], help="another data set to train on: PATH[:WEIGHT]")
    parser.add_argument("--mib", type=float, default=60, help="maximum MiB of games to output; the newest games are output [60]")
    args = parser.parse_args()
    if args.out is None:
        parser.error("the output folder is missing: --out FOLDER")
    args.engine = args.engine.resolve()
    for file in (args.engine, args.network):
        if not file.exists():
            parser.error(f"there is no file '{file}'")
    args.call = min(args.call or args.seconds, args.seconds)
    if args.call < 20 or not 0 < args.mib <= MOST_MIB:
        parser.error(f"--call must be at least 20 seconds, and --mib at most {MOST_MIB}")
    return args


def main():
    args = arguments()
    (args.work / "games").mkdir(parents=True, exist_ok=True)
    lock = open(args.work / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"another call of this script is using '{args.work}'")
    clock = Clock(args.work / "seconds", args.seconds, args.call)
    # When all time is used, another call still repairs the sets and outputs the results.
    call_end = clock.began + max(clock.call, reserve(args))
    until = call_end - reserve(args)
    games_end = clock.at(GAMES_SHARE * args.seconds)
    # Training that has begun needs the same games when it continues.
    if (args.work / "training").exists():
        games_end = clock.began
    make_games(args, min(until, games_end), call_end)
    if games_end < until:
        learn(args, until)
    bring_out(args)
    clock.finish()


if __name__ == "__main__":
    main()
