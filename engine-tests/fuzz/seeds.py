#!/usr/bin/env python3
"""Writes initial inputs for the fuzz targets into corpus/. The inputs are made from the data of the tests."""

import csv
import itertools
import json
import pathlib
import re
import struct

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data"
NETS = HERE.parents[1] / "src" / "eval" / "nets"
# The variants in the order of `Variant::ALL`. The first byte of an input is an index into this list.
VARIANTS = ["chess", "chess960", "ifrc", "fischerbenko", "transcendental", "jepps", "placement"]
# The maximum number of positions from each file. With more positions, a short run would only read the inputs.
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
    """Yields the number of a variant, the FEN of a position, and legal moves in the position (sometimes none)."""
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
    """Yields the bytes of a training game with at most one ply."""
    component = {"0": 0, "1": 1, "2": 3}.get(variant, int(variant) + 2)
    files = 10 if variant == "2" else 8
    plies = []
    for move in moves[:1]:
        squares = re.findall(r"[a-j]\d+", move)
        left, gone_to = (square(text, files) for text in squares)
        plies.append(struct.pack("<I", left | gone_to << 7 | 30 << 24) + bytes(1))
    # The result is a draw by stalemate.
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


CLOCK = '"clock": {"base_ms": 60000, "increment_ms": 1000}'


def requests(variant, fen, moves):
    """Returns the requests of the page for a game between two people, one per line."""
    order = json.dumps({"variant": VARIANTS[int(variant)], "fen": fen,
                        "white": "human", "black": "human"})
    turns = [f'POST /api/games/ID/turn {{"text": "{move}"}}' for move in moves[:1]]
    return "\n".join([f"POST /api/games {order}", *turns, "GET /api/games/ID/at/0"])


PEOPLE = '"white": "human", "black": "human"'
SESSIONS_OF_THE_PAGE = [
    f'POST /api/games {{"variant": "jepps", {PEOPLE}, "dice": "own"}}\n'
    'POST /api/games/ID/dice {"values": [1, 6]}\nPOST /api/games/ID/dice {}\n'
    'POST /api/games/ID/mediator {"choice": "again"}\nPOST /api/games/ID/undo {}',
    f'POST /api/games {{"variant": "jepps", {PEOPLE}, "order": "free"}}\n'
    'POST /api/games/ID/dice {"values": [3], "again": true}',
    f'POST /api/games {{"variant": "fischerbenko", {PEOPLE}, "start": "die", {CLOCK}}}\n'
    'POST /api/games/ID/dice {"values": [1, 2, 2, 3, 3, 5]}',
    f'POST /api/games {{"variant": "dfrc", "start": 921599, {PEOPLE}, {CLOCK}}}\n'
    'POST /api/games/ID/turn {"text": "e4"}\nPOST /api/games/ID/draw {"color": "white"}\n'
    'POST /api/games/ID/draw {}\nPOST /api/games/ID/rematch {"swap": true, "start": "new"}',
    'POST /api/start {"variant": "chess960", "start": "RNBQKBNR/bbqnnrkr"}\n'
    'POST /api/games {"variant": "ifrc", "level": 1}\nPOST /api/games/ID/resign {}\n'
    'POST /api/games/ID/review {"nodes": 10}\nDELETE /api/games/ID/review\n'
    'POST /api/games/ID/at/0 {"moves": ["e3"]}\nGET /api/games',
    'POST /api/position {"text": "4k3/8/8/8/8/8/8/4K2R w K"}\n'
    'POST /api/position {"variant": "jepps", "setup": true, "turn": "black", "squares": {"a1": "wK"}}\n'
    'POST /api/position {"variant": "ifrc", "rights": ["i2"], "squares": {"f2": "wK", "i2": "wR", "f9": "bK"}}',
    'POST /api/pgn [White "A"] [Result "1-0"] 1. e4 e5 2. Nf3 {[%clk 0:01:00]} 1-0\n'
    'POST /api/games {"variant": "chess", "record": "1. e4", "elo": 900}\n'
    'POST /api/games/ID/analysis {"ply": 0, "moves": ["d4"], "lines": 2}\nGET /api/variants',
]


def manifest(origin, share=None):
    counts = {"games": 2, "plies": 2, "kept": 0, "white_wins": 0, "draws": 2, "black_wins": 0}
    return {"manifest": 1, "program": "aleator", "commit": None, "board": "8x8",
            "origin": origin, "counts": counts, **({"share": share} if share else {})}


def manifests():
    settings = {"variant": "chess", "seed": 7, "nodes": 1000, "hard_nodes": 8000, "hash": 1,
                "random_min": 6, "random_max": 9, "start_score": 600, "win_score": 2000,
                "win_plies": 4, "play_out": 10, "draw_score": 8, "draw_plies": 10, "draw_ply": 60,
                "max_plies": 800}
    identity = {"network": 1, "evaluation": 2, "search": 3}
    played = {"datagen": {"set": 1, "identity": identity, "settings": settings}}
    sources = [{"file": "a.bin", "manifest": manifest(played)}, {"file": "b.bin", "manifest": None}]
    yield manifest(played)
    yield manifest(played, {"shard": "1/2", "games": 4})
    yield manifest(played, {"shard": "1/1", "games": 2})
    yield manifest({"merge": {"sources": sources}})
    yield manifest({"shuffle": {"seed": 9, "sources": sources}})


def journals():
    game = {"pair": 0, "game": 1, "round": 0, "white": "a", "black": "b", "date": "2026-11-22",
            "variant": "chess", "opening": START, "start": START, "result": "1-0",
            "reason": "mate", "moves": [{"uci": "e2e4", "san": "e4", "score": 12, "depth": 5,
                                         "ms": 7}, {"uci": "e7e5", "san": "e5", "mate": -3, "ms": 7}]}
    failed = {**game, "game": 0, "placements": ["K@e1"], "opening": "x", "result": "1/2-1/2",
              "fault": {"engine": "b", "kind": "illegal", "found": "e9", "reason": "no square"}}
    entries = [{"game": game}, {"game": failed}, {"summary": {"games": 2}}]
    yield "0" + "".join(json.dumps(entry) + "\n" for entry in entries)
    yield '0{"game":{"pair":0,"ga'
    schedule = {"iterations": 100, "r_end": 0.01, "alpha": 0.602, "gamma": 0.101, "stability": 0.1}
    numbers = []
    source = (HERE.parents[1] / "src" / "search" / "params.rs").read_text()
    for found in re.findall(r"(\w+) = (-?\d+), (-?\d+)..=(-?\d+), ([\d.]+);", source)[:2]:
        name, start, low, high, step = found[0], *map(float, found[1:])
        numbers.append({"name": name, "start": int(start), "min": int(low), "max": int(high),
                        "c_end": step, "value": start + 0.5})
    settings = {"schedule": schedule, "pairs": 4, "seed": 9, "games": {"nodes": "1000"}}
    yield "1" + json.dumps({"settings": settings, "iteration": 3, "numbers": numbers, "faults": 1})
    units = [{"text": f"{number},1\n", "note": {"solved": [number, 5], "nodes": 1}}
             for number in range(2)]
    yield "2" + "".join(json.dumps(unit) + "\n" for unit in units)
    yield '2{"text":"1,'


def main():
    seed("fen", [variant + fen for variant, fen, _ in positions()])
    seed("moves", ["\n".join(["0" + START, *PLAYED])] +
         ["\n".join([variant + fen, *moves[:3]]) for variant, fen, moves in positions()])
    seed("records", [f'{variant}[FEN "{fen}"]\n1. {moves[0]}\n' for variant, fen, moves in SETUPS] +
         ["5Na1, Bb1, Kc1, Qd1, Be1, Rf1, Ng1, Rh1\nMirror", "51. Na1 Kh8 2. Bb1 Rg8",
          '3[Variant "fischerbenko"]\n[FEN "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] '
          'w - - 0 1"]\n1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8'])
    die, dice = "\n".join("122335"), "\n".join(["11", "keep", "3 5", "again", "K"] + ["26", "QBN"] * 8)
    seed("dice", [variant + kind + text for variant, kind, text in [
        ("3", "-", die + "\nR@h1\nN@e8\nundo"), ("4", "-", die + "\nN@a1\nK@e8"),
        ("5", "-", dice), ("5", "f", dice), ("5", "-", "12\nR\n13\nN\n14\nB\n11\nagain\n22\nkeep"),
        ("6", "-", "K@b1\nK@b8\nR@a1\nundo\nQ@c1")]])
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
    seed("xboard", [first + text for first in "01" for text in
                    ["xboard\nprotover 2\nnew\nrandom\nlevel 40 5 0\npost\nhard\ntime 100\notim 100\n"
                     "usermove e2e4\n?\nusermove d2d4\nundo\nremove\nresult 1-0 {mate}",
                     "variant placement\nforce\nlift j1\nusermove B@a1\nB@h8\ngo\nhint\nbk",
                     "variant fischerandom\nforce\nsetboard bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/"
                     "BQNRKRNB w KQkq - 0 1\ne4\nplayother\nanalyze\n.\nexit\ndraw\nsd 2\ngo",
                     "st 1\noption MultiPV=2\noption Clear Hash\nnopost\neasy\nname x\nedit"]] +
         [f"0variant {word}\nforce\nsetboard {fen}\nusermove {' '.join(moves[:1])}\ngo\nundo\n"
          for variant, fen, moves in positions()
          for word in {"0": ["normal"], "1": ["fischerandom"], "6": ["placement"]}.get(variant, [])])
    seed("manifests", [json.dumps(one, indent=2) for one in manifests()])
    seed("journals", list(journals()))
    seed("page", SESSIONS_OF_THE_PAGE + [requests(*position) for position in positions()])
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
