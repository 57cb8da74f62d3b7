#!/usr/bin/env python3
"""Writes what the targets begin with into corpus/, made from the tests' data."""

import csv
import itertools
import json
import pathlib
import re
import struct

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data"
NETS = HERE.parents[1] / "src" / "eval" / "nets"
# In the order of `Variant::ALL`; the first byte of an input is the number.
VARIANTS = ["chess", "chess960", "ifrc", "fischerbenko", "transcendental", "jepps", "placement"]
# Of each file; more would be read first, and nothing else in a short run.
MOST = 30


def number(variant):
    return str(VARIANTS.index({"fischer-benko": "fischerbenko"}.get(variant, variant)))


def seed(target, inputs):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    for place, data in enumerate(inputs):
        data = data.encode() if isinstance(data, str) else data
        (folder / f"seed-{place:03}").write_bytes(data)


def lines(name):
    return (DATA / name).read_text().splitlines()


def positions():
    """The number of a variant, a FEN, and moves that are legal there."""
    for name, variant in [("frc", "chess960"), ("ifrc", "ifrc"), ("jepps", "jepps"),
                          ("transcendental", "transcendental")]:
        for line in lines(f"perft/{name}.epd")[:MOST]:
            yield number(variant), line.split(";")[0].strip(), []
    for line in lines("perft/edge-cases.jsonl")[:MOST]:
        case = json.loads(line)
        yield number(case["variant"]), case["fen"], case["legal_moves"]
    for name in ["setup-perft", "placement-perft"]:
        for line in lines(f"setup/{name}.jsonl")[:MOST]:
            case = json.loads(line)
            yield number(case["variant"]), case["fen"], case["moves"]


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PLAYED = "e2e4 Nc6 Nf3 d7d5 exd5 Nb4 c2c4 c7c5 dxc6 Nd3+".split()
SETUPS = [(variant, fen, moves) for variant, fen, moves in positions() if "[" in fen]
GAMES = [(variant, fen, moves) for variant, fen, moves in positions() if "[" not in fen]


def pgn(variant, fen, moves):
    head = f'[Variant "{VARIANTS[int(variant)]}"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n'
    return head + " ".join(f"{move} $1 {{a comment}}" for move in moves[:1]) + " *\n"


def square(text, files):
    return (int(text[1:]) - 1) * files + ord(text[0]) - ord("a")


def record_of_game(variant, fen, moves):
    """A game of data, without plies or with one."""
    component = {"0": 0, "1": 1, "2": 3}.get(variant, int(variant) + 2)
    files = 10 if variant == "2" else 8
    plies = []
    for move in moves[:1]:
        squares = re.findall(r"[a-j]\d+", move)
        left, gone_to = (square(text, files) for text in squares)
        plies.append(struct.pack("<I", left | gone_to << 7 | 30 << 24) + bytes(1))
    # A draw by stalemate.
    yield struct.pack("<IBBBBH", 7, component, 1 | 1 << 2, 0, len(fen), len(plies)) + \
        fen.encode() + b"".join(plies)


def network(board):
    data = bytearray((NETS / f"{board}.nnue").read_bytes()[:300])
    data[18:20] = struct.pack("<H", 32)
    return bytes(data)


def saved(variant, fen, moves):
    color = "white" if " w " in fen else "black"
    turns = [{"turn": {"color": color, "uci": move, "san": move}} for move in moves[:1]]
    return json.dumps({
        "variant": VARIANTS[int(variant)], "beginning": {"fen": fen},
        "players": ["human", {"engine": {"level": 3}}], "events": turns,
        "clock": {"control": "60+1", "left_ms": [60000, 59000]}})


def main():
    seed("fen", [variant + fen for variant, fen, _ in positions()])
    seed("moves", ["\n".join(["0" + START, *PLAYED])] +
         ["\n".join([variant + fen, *moves[:3]]) for variant, fen, moves in positions()])
    seed("records", [f'{variant}[FEN "{fen}"]\n1. {moves[0]}\n' for variant, fen, moves in SETUPS] +
         ["5Na1, Bb1, Kc1, Qd1, Be1, Rf1, Ng1, Rh1\nMirror", "51. Na1 Kh8 2. Bb1 Rg8",
          '3[Variant "fischerbenko"]\n[FEN "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] '
          'w - - 0 1"]\n1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8'])
    seed("commands", ["0go wtime 1000 btime 1000 movestogo 4", "0setoption name Hash value 4",
                      f"0position fen {START} moves e2e4", "0genfens 3 seed 1 book None",
                      "1518", "1BBQNNRKR", "1RNBQKBNR/bbqnnrkr", "34", "3B2B1R2", "4BQNRRBKN"] +
         [f"1{row['rank']}" for row in itertools.islice(
             csv.DictReader(lines("start/scharnagl.csv")), MOST)])
    seed("session", ["position startpos moves e2e4\ngo movetime 2\nisready",
                     "setoption name UCI_Variant value jepps\nposition startpos\ngo nodes 50",
                     "go infinite\nponderhit\nflip\neval\nd\nucinewgame\ngo perft 2"] +
         [f"setoption name UCI_Variant value {VARIANTS[int(variant)]}\nposition fen {fen} moves "
          f"{' '.join(moves[:1])}\ngo depth 1\n" for variant, fen, moves in positions()])
    seed("pgn", ['[White "A"]\n\n1. e4 e5 (1... c5 2. Nf3 $1 {[%clk 0:01:00] why}) 2. Ke2 1-0\n'] +
         [pgn(*position) for position in positions()])
    problems = ["0" + line for line in lines("mates.epd")[:MOST]]
    seed("problems", problems + [f"{variant}{fen} ; bm {' '.join(moves[:2])}; id \"x\"; ce 20;"
                                 for variant, fen, moves in positions() if moves])
    seed("openings", problems + [variant + fen for variant, fen, _ in positions()])
    seed("book", [f"{variant}{fen} ; bm {moves[0]}; weights \"3\"; ce 5;"
                  for variant, fen, moves in positions() if moves])
    seed("polyglot", [bytes(32)] + [fen.encode() + bytes(range(64))
                                    for variant, fen, _ in GAMES if variant in "01"])
    seed("blocks", [data for position in GAMES for data in record_of_game(*position)])
    seed("network", [network(board) for board in ["8x8", "10x10"]])
    seed("saved", [saved(*position) for position in positions()])


if __name__ == "__main__":
    main()
