#!/usr/bin/env python3
"""Runs the code of OpenBench's client on a binary of Aleator, as a machine that works for a server does.

    git clone https://github.com/AndyGrant/OpenBench
    make EXE=/tmp/Aleator-12345678
    python3 engine-tests/openbench/try.py OpenBench /tmp/Aleator-12345678

Checks Aleator.json with the code of the server. Checks the binary with `bench.py` and `genfens.py` of the
client. Reads every opening with python-chess (`pip install chess`), if python-chess is installed.
"""

import argparse
import io
import json
import os
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))


def check_configuration(openbench):
    """Runs the checks that the server runs when it starts, but without the server's web framework."""
    settings = types.ModuleType("OpenSite.settings")
    settings.PROJECT_PATH = openbench
    sys.modules["OpenSite"] = types.ModuleType("OpenSite")
    sys.modules["OpenSite.settings"] = settings
    sys.path.insert(0, os.path.join(openbench, "OpenBench"))
    import config

    with open(os.path.join(HERE, "Aleator.json")) as file:
        engine = json.load(file)
    config.verify_engine_basics(engine)
    config.verify_engine_build("Aleator", engine)
    for preset in engine["test_presets"].values():
        config.verify_engine_test_preset(preset)
    for preset in engine["tune_presets"].values():
        config.verify_engine_tune_preset(preset)
    for preset in engine["datagen_presets"].values():
        config.verify_engine_datagen_preset(preset)
    print("Aleator.json passes the server's checks")
    return engine


def check_openings(text, chess960):
    """Checks that each opening is a legal position, and prints the number of different openings."""
    lines = text.splitlines()
    try:
        import chess
    except ImportError:
        print("%d openings; skipped: python-chess is not installed" % len(lines))
        return
    for line in lines:
        board = chess.Board(None, chess960=chess960)
        board.set_epd(line)
        assert board.is_valid(), line
    print("%d openings, %d of them different, all legal by python-chess" % (len(lines), len(set(lines))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("openbench", help="a clone of OpenBench's repository")
    parser.add_argument("binary", help="the binary built by `make EXE=`")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--count", type=int, default=500, help="openings for each thread")
    args = parser.parse_args()

    openbench = os.path.abspath(args.openbench)
    engine = check_configuration(openbench)
    sys.path.insert(0, os.path.join(openbench, "Client"))
    import bench
    import genfens

    # The client runs './BINARY', so the path must be relative.
    binary = os.path.relpath(os.path.abspath(args.binary))
    speed, nodes = bench.run_benchmark(binary, args.threads, 1)
    print("bench.py: %d nodes, %d nodes per second" % (nodes, speed))
    bench.run_benchmark(binary, args.threads, 1, expected=nodes)
    print("bench.py: a second run searched the same number of nodes")

    orders = [("None", ""), (os.path.join(HERE, "../../book/openings/dfrc.epd"), "variant dfrc plies 2")]
    presets = engine["datagen_presets"].values()
    orders += [("None", preset["datagen_custom_genfens"]) for preset in presets]
    for book, extra in orders:
        output = io.StringIO()
        genfens.create_genfens_opening_book({
            "N": args.count, "book": book, "seeds": range(1, args.threads + 1), "extra": extra,
            "engine": binary, "threads": args.threads, "output": output,
        })
        check_openings(output.getvalue(), "dfrc" in extra)


if __name__ == "__main__":
    main()
