#!/usr/bin/env python3
"""Generates training games and trains a network on a larger machine that is lent for half an hour. The games
take two thirds of the time, on all cores. See README.md. `python3 -m doctest` checks the calculations."""

import argparse
import ctypes
import fcntl
import json
import math
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
GAMES_SHARE = 2 / 3
# The number of games of the first set. The size of this set shows how many bytes a game takes.
FIRST_GAMES = 1_000
# The maximum number of sets to output. At most 8 files may be output: the network, the manifest of the
# network, the manifests of the sets, and 5 sets.
MOST_SETS = 5
MOST_MIB = 63
# The fraction of the training time to plan for. The rest is a reserve, because the speed is measured on a
# sample.
PLANNED = 0.88
# The options of `train`, whose defaults are for training from an earlier network.
FROM_RANDOM_WEIGHTS = ("--rate", 0.001, "--batch", 4096, "--warm-up", 1000, "--lambda", 0)


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
    """Runs a command. Returns the printed lines with their times, and the time of the end. Returns None if
    the command was stopped because the time was over."""
    process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, preexec_fn=end_with_parent)
    timer = threading.Timer(max(0.1, until - time.monotonic()), process.terminate)
    timer.start()
    times = []
    for line in process.stdout:
        print(line, end="", flush=True)
        times.append((line, time.monotonic()))
    status = process.wait()
    timer.cancel()
    if status not in (0, -signal.SIGTERM):
        sys.exit(f"'{command[1]}' ended with status {status}")
    return times + [("end", time.monotonic())] if status == 0 else None


def games_file(path):
    return path / "games.bin" if path.is_dir() else path


def manifest_file(path):
    return games_file(path).with_suffix(".manifest.json")


def counts(path):
    """Returns the numbers of games and plies of a set. Without a manifest, the number of games is 0 and the
    number of plies an estimate."""
    if manifest_file(path).exists():
        counted = json.loads(manifest_file(path).read_text())["counts"]
        return counted["games"], counted["plies"]
    # A ply takes at least 1.5 bytes, so this is an upper bound of the number of plies.
    return 0, int(games_file(path).stat().st_size / 1.5)


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
        full = [(games_file(path).stat().st_size, counts(path)[0]) for path in sets_of(args)[:-1]]
        folder = args.work / "games" / f"{len(full):03}"
        hours = max(0.0, until - time.monotonic()) / 3600
        wanted = games_wanted(full, set_bytes)
        if hours > 0 and manifest_file(folder).exists() and counts(folder)[0] >= wanted:
            full.append((games_file(folder).stat().st_size, counts(folder)[0]))
            folder = args.work / "games" / f"{len(full):03}"
            wanted = games_wanted(full, set_bytes)
        command = [args.engine, "datagen", "--out", folder, "--threads", args.cores, "--games", wanted]
        command += ["--hours", f"{hours:.6f}"]
        # An existing set has its settings in the manifest.
        if not manifest_file(folder).exists():
            command += ["--variant", args.variant, "--nodes", args.nodes]
        if args.network:
            command += ["--network", args.network]
        run(command, call_end)
        if time.monotonic() >= until:
            return


def train(args, data, out, epochs, until, more=()):
    command = [args.engine, "train", "--out", out, "--epochs", epochs, "--threads", args.cores]
    command += ["--hidden", args.hidden, "--name", args.name, *FROM_RANDOM_WEIGHTS, *more]
    return run(command + [word for path in data for word in ("--data", path)], until)


def path_of(data):
    """Returns the path in an argument of the form PATH or PATH:WEIGHT."""
    path, colon, weight = str(data).rpartition(":")
    return Path(path if colon and "/" not in weight else data)


def measure(args, sample, until):
    """Trains two epochs with a set. Returns the seconds for reading the set, for an epoch, and for the work
    after the last epoch. Returns None if the time was over."""
    shutil.rmtree(args.work / "sample", ignore_errors=True)
    began = time.monotonic()
    times = train(args, [sample], args.work / "sample", 2, until)
    if times is None:
        return None
    read, first, second, end = (next(at for line, at in times if line.startswith(start))
                                for start in ("scale ", "epoch 1 ", "epoch 2 ", "end"))
    return read - began, second - first, end - second


def epochs_that_fit(seconds, reading, epoch, rest, interruptions):
    """Returns how many epochs fit into the time. After an interruption one epoch is repeated and the data are
    read again.

    >>> epochs_that_fit(100.0, 10.0, 8.0, 2.0, 0)
    11
    >>> epochs_that_fit(100.0, 10.0, 8.0, 2.0, 2)
    6
    >>> epochs_that_fit(5.0, 10.0, 8.0, 2.0, 0)
    0
    """
    return max(0, int((seconds - reading - rest - interruptions * (reading + epoch)) / epoch))


def plan(args, clock, until):
    """Chooses the data and the number of epochs for the time left. Returns None if even a sample takes too
    long."""
    sets = [path for path in sets_of(args) if counts(path)[0] > 0]
    end = clock.at(args.seconds)
    for sample in (max(sets, key=lambda path: counts(path)[1]), sets[0]):
        now = time.monotonic()
        costs = measure(args, sample, min(until, now + (end - now) / 3))
        if costs:
            break
    else:
        return None
    # Each call reserves some time at the end for the output.
    calls = max(1, math.ceil((end - clock.began) / args.call - 0.01))
    left = PLANNED * (end - time.monotonic() - calls * reserve(args))
    data = [*args.data, *sets]
    while True:
        times = sum(counts(path_of(path))[1] for path in data) / max(1, counts(sample)[1])
        epochs = epochs_that_fit(left, *(times * cost for cost in costs), calls - 1)
        if epochs > 0 or len(data) == 1:
            break
        data.pop(0)
    costs = ", ".join(f"{times * cost:.1f}" for cost in costs)
    print(f"reading, each epoch and finishing take about {costs} s: {epochs} epochs fit into {left:.0f} s")
    return {"data": list(map(str, data)), "epochs": max(1, min(epochs, args.epochs))}


def learn(args, clock, until):
    """Makes a plan if no earlier call has made one, and trains by the plan."""
    path = args.work / "plan.json"
    if not path.exists():
        made = plan(args, clock, until)
        if made is None:
            return
        path.with_suffix(".new").write_text(json.dumps(made))
        path.with_suffix(".new").replace(path)
    planned = json.loads(path.read_text())
    if not (args.work / "training" / f"{args.name}.nnue").exists() and time.monotonic() < until:
        train(args, planned["data"], args.work / "training", planned["epochs"], until)


def network_folder(args, until):
    """Returns the folder of the best network available: the fully trained network, otherwise the network
    after the last complete epoch, otherwise the network trained on the sample. Returns None if there is no
    network."""
    stopped = args.work / "stopped"
    for folder in (args.work / "training", args.work / "sample"):
        if (folder / f"{args.name}.nnue").exists():
            return folder
        if (folder / "checkpoint.bin").exists():
            shutil.rmtree(stopped, ignore_errors=True)
            if train(args, sets_of(args)[:1], stopped, 0, until, ["--from", folder]):
                return stopped
    return None


def newest(sizes, most):
    """Returns how many of the newest sets to output, given the sizes of all sets and the maximum total size.

    >>> newest([10, 9, 8, 3], 20), newest([10, 9, 8, 3], 19), newest([1] * 9, 20)
    (3, 2, 5)
    """
    last = sizes[-MOST_SETS:]
    return max(number for number in range(len(last) + 1) if sum(last[len(last) - number:]) <= most)


def bring_out(args, call_end):
    """Copies the network and the newest games to the output folder."""
    out = args.out / "lent-machine"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    folder = network_folder(args, call_end)
    files = [folder / f"{args.name}{ending}" for ending in (".nnue", ".manifest.json")] if folder else []
    for file in files:
        shutil.copy(file, out)
    most = min(args.mib * MIB, MOST_MIB * MIB - sum(file.stat().st_size for file in files))
    sets = [path for path in sets_of(args) if counts(path)[0] > 0]
    sets = sets[len(sets) - newest([games_file(path).stat().st_size for path in sets], most):]
    with tarfile.open(out / "manifests.tar", "w") as tar:
        for path in sets:
            hash = json.loads(manifest_file(path).read_text())["origin"]["datagen"]["set"]
            name = f"{path.name}-{hash:08x}"
            shutil.copy(games_file(path), out / f"{name}.bin")
            tar.add(manifest_file(path), f"{name}.manifest.json")
        for table in [folder / "losses.csv"] if folder else []:
            if table.exists():
                tar.add(table, table.name)
    size = sum(file.stat().st_size for file in out.iterdir()) / MIB
    print(f"network: {folder.name if folder else 'none yet'}; {len(sets)} sets; {size:.1f} MiB in '{out}'")


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
    parser.add_argument("--nodes", type=int, default=100, help="nodes searched per move [100]")
    parser.add_argument("--network", type=Path, help="the network that plays the games [the built-in one]")
    parser.add_argument("--hidden", type=int, default=512, help="hidden neurons of the new network [512]")
    parser.add_argument("--name", default="network", help="the name of the new network [network]")
    parser.add_argument("--epochs", type=int, default=40, help="maximum number of epochs [40]")
    parser.add_argument("--data", action="append", default=[], help="another data set to train on: PATH[:WEIGHT]")
    parser.add_argument("--mib", type=float, default=60, help="maximum MiB of games to output; the newest games are output [60]")
    args = parser.parse_args()
    if args.out is None:
        parser.error("the output folder is missing: --out FOLDER")
    for data in args.data:
        if not games_file(path_of(data)).exists():
            parser.error(f"there is no data set '{data}'")
    args.engine = args.engine.resolve()
    if not args.engine.exists():
        parser.error(f"there is no program '{args.engine}'")
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
    if (args.work / "plan.json").exists():
        games_end = clock.began
    make_games(args, min(until, games_end), call_end)
    if games_end < until:
        learn(args, clock, until)
    bring_out(args, call_end)
    clock.finish()


if __name__ == "__main__":
    main()
