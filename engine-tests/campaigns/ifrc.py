#!/usr/bin/env python3
"""Compares Aleator's rules of International Fischer Random Chess with those of Fairy-Stockfish, which the
Python package pyffish contains (`pip install pyffish`).

    python3 engine-tests/campaigns/ifrc.py target/release/aleator --positions 1000000

A third of the positions come from games that begin with mirrored back ranks, a third from games with
different back ranks, and a third from random placements of pieces. In each position both programs must
read Aleator's FEN and find the same legal moves. After every tenth move, after castling, promotions and
en passant captures, and at the end of every game, both programs must agree on FEN, check and legal moves.

Fairy-Stockfish has a known bug: with the king on c2 and the rook on b2 it allows castling although a rook
or queen on a2 would then give check (c9, b9, a9 for Black). This move is counted separately.
"""

import argparse
import collections
import random
import re
import sys
import time

import pyffish
from uci import Engine

NAME = "ifrc"
pyffish.load_variant_config("""
[ifrc:chess]
maxRank = 10
maxFile = 10
chess960 = true
castlingRank = 2
castlingKingsideFile = h
castlingQueensideFile = d
doubleStepRank = 3
promotionRank = 10
""")


def legal_moves(fen, moves=()):
    return set(pyffish.legal_moves(NAME, fen, list(moves), True))


def at(fen, square):
    """Returns the piece on a square, or "1" if it is empty."""
    row = fen.split()[0].split("/")[10 - int(square[1:])]
    return re.sub(r"\d+", lambda run: "1" * int(run[0]), row)["abcdefghij".index(square[0])]


def without_en_passant(fen):
    """Returns pyffish's FEN without the en passant square. Comparing legal moves checks en passant too."""
    fields = pyffish.get_fen(NAME, fen, [], True).split()
    return fields[:3] + fields[4:]


def back_rank(rng):
    """Returns a random back rank with bishops on opposite colours and the king between the rooks."""
    while True:
        pieces = rng.sample("RNBQKBNR", 8)
        bishops = [file for file, piece in enumerate(pieces) if piece == "B"]
        rooks = [file for file, piece in enumerate(pieces) if piece == "R"]
        if sum(bishops) % 2 and rooks[0] < pieces.index("K") < rooks[1]:
            return "".join(pieces)


def start(rng, is_double):
    white = back_rank(rng)
    black = back_rank(rng) if is_double else white
    return (
        f"10/1{black.lower()}1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1{white}1/10 w KQkq - 0 1"
    )


def random_placement(rng):
    """Returns the FEN of randomly placed pieces with all castling rights that the placement allows.
    Kings and rooks often stand on their back rank."""
    board = [["1"] * 10 for _ in range(10)]

    def put(piece, rank):
        file = rng.randrange(10)
        if board[rank][file] == "1":
            board[rank][file] = piece

    rights = ""
    count = rng.randrange(15)
    for home, case in ((1, str.upper), (8, str.lower)):
        is_home = rng.random() < 0.6
        put(case("k"), home if is_home else rng.randrange(10))
        for _ in range(count):
            piece = rng.choice("ppppnnbbrrq")
            # A pawn is never behind its starting rank or on its last rank.
            rank = rng.randrange(2, 8) if piece == "p" else rng.randrange(10)
            put(case(piece), home if piece == "r" and is_home and rng.random() < 0.6 else rank)
        rank = board[home]
        if case("k") in rank:
            king = rank.index(case("k"))
            rooks = [file for file in range(10) if rank[file] == case("r")]
            sides = [file for file in rooks if file > king][-1:], [file for file in rooks if file < king][:1]
            rights += "".join(case("abcdefghij"[file]) for side in sides for file in side)
    rows = ("".join(rank) for rank in reversed(board))
    text = "/".join(re.sub("1+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{text} {rng.choice('wb')} {rights or '-'} - {rng.randrange(120)} 40"


class Campaign:
    def __init__(self, program, seed):
        options = [("UCI_Variant", NAME), ("UCI_Chess960", "true")]
        self.engine = Engine(program, options)
        self.rng = random.Random(seed)
        self.met = collections.Counter()

    def ours(self, fen, moves=()):
        """Returns Aleator's FEN, check and legal moves of a position, or None if Aleator rejects the
        position."""
        moves = " moves " + " ".join(moves) if moves else ""
        self.engine.send(f"position fen {fen}{moves}\nd\ngo perft 1")
        lines = self.engine.until("Nodes searched")
        if any(line.startswith("info string position:") for line in lines):
            return None
        told = dict(line.split(": ", 1) for line in lines if ": " in line)
        found = {text for text, count in told.items() if count == "1" and text[0].islower()}
        return told["Fen"], bool(told["Checkers"].strip()), found

    def fail(self, what, fen, ours, theirs):
        self.met["mismatches"] += 1
        print(f"MISMATCH {what}: {fen}: ours {ours}, pyffish {theirs}", flush=True)

    def known_bug(self, fen, moves):
        """Removes the castling move that only Fairy-Stockfish considers legal."""
        side = fen.split()[1]
        castling = "c2b2" if side == "w" else "c9b9"
        rank = fen.split("/")[8 if side == "w" else 1]
        if castling in moves and rank.startswith(("qRK", "rRK") if side == "w" else ("Qrk", "Rrk")):
            self.met["known castling bug"] += 1
            return moves - {castling}
        return moves

    def is_rare(self, fen, move):
        """Returns the kind of a castling move, promotion or en passant capture, and None for other moves."""
        origin, target, promotion = re.fullmatch(r"(\w\d+)(\w\d+)(\w?)", move).groups()
        piece, taken = at(fen, origin), at(fen, target)
        kind = None
        if piece + taken in ("KR", "kr"):
            kind = "castlings"
        elif promotion:
            kind = "promotions"
        elif piece in "Pp" and origin[0] != target[0] and taken == "1":
            kind = "en passant captures"
        self.met[kind] += 1
        return kind

    def game(self, fen, plies):
        """Plays a random game from a FEN and compares the rules in every position."""
        told = self.ours(fen)
        for ply in range(plies):
            fen, checked, moves = told
            theirs = self.known_bug(fen, legal_moves(fen))
            self.met["positions"] += 1
            self.met["checks"] += checked
            if moves != theirs:
                self.fail("legal moves", fen, moves - theirs, theirs - moves)
            moves = sorted(moves & theirs)
            if not moves:
                self.met["mates" if checked else "stalemates"] += 1
                if pyffish.gives_check(NAME, fen, [], True) != checked:
                    self.fail("check at the end", fen, checked, not checked)
                return
            rare = [move for move in moves if self.is_rare(fen, move)]
            move = self.rng.choice(rare if rare and self.rng.random() < 0.3 else moves)
            told = self.ours(fen, [move])
            if move in rare or ply % 10 == 0:
                self.compare_after(fen, move, *told)

    def compare_after(self, fen, move, told, checked, moves):
        """Compares FEN, check and legal moves after a move."""
        self.met["moves made by both"] += 1
        theirs = pyffish.get_fen(NAME, fen, [move], True)
        if without_en_passant(told) != without_en_passant(theirs):
            self.fail(f"FEN after {move}", fen, told, theirs)
        if pyffish.gives_check(NAME, fen, [move], True) != checked:
            self.fail(f"check after {move}", fen, checked, not checked)
        theirs = self.known_bug(told, legal_moves(fen, [move]))
        if moves != theirs:
            self.fail(f"moves after {move}", fen, moves - theirs, theirs - moves)

    def run(self, positions):
        kinds = [
            ("games", 150, lambda: start(self.rng, False)),
            ("double games", 150, lambda: start(self.rng, True)),
            ("random placements", 5, lambda: random_placement(self.rng)),
        ]
        began, told = time.monotonic(), 0
        for number, (kind, plies, begin) in enumerate(kinds, 1):
            while self.met["positions"] < positions * number // len(kinds):
                fen, left = begin(), positions * number // len(kinds) - self.met["positions"]
                if self.is_position(fen):
                    self.game(fen, min(plies, left))
                    self.met[kind] += 1
                if self.met["positions"] - told >= 50_000:
                    told = self.met["positions"]
                    print(f"{told} positions, {time.monotonic() - began:.0f} s", flush=True)
        print(", ".join(f"{name or 'other moves'} {count}" for name, count in self.met.items()))
        print(f"{self.met['mismatches']} mismatches, {time.monotonic() - began:.0f} s")
        return self.met["mismatches"] == 0

    def is_position(self, fen):
        """Returns whether a FEN is valid. Random placements are often invalid, because a king could be
        captured."""
        return self.ours(fen) is not None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    sys.exit(0 if Campaign(args.engine, args.seed).run(args.positions) else 1)


if __name__ == "__main__":
    main()
