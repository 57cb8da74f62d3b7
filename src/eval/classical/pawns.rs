//! Terms of pawns among pawns, which a cache remembers.
//!
//! A search meets the same pawns again and again: what depends on them alone is computed once
//! and found by [`Position::pawn_key`]. The shelter of a king depends on its square as well and
//! is kept beside, for the square where the king was last seen with these pawns.

use std::collections::TryReserveError;

use super::packed::Packed;
use super::shelter;
use super::tables::Weights;
use super::trace::{Term, Tracer};
use crate::attacks::{self, Board};
use crate::position::Position;
use crate::system::filled;
use crate::types::{Bitboard, Color, Role, Square};

/// What is known of a set of pawns.
#[derive(Clone, Copy)]
pub struct Entry<G: Board> {
    key: u64,
    /// Material, squares and structure, for White.
    pub score: Packed,
    /// The shelter of each king, on this square.
    pub shelter: [Packed; 2],
    shelter_king: [Square<G>; 2],
    /// Passed pawns of both colours.
    pub passed: Bitboard<G>,
    /// By colour: what its pawns attack or could attack after steps.
    pub span: [Bitboard<G>; 2],
    /// By colour: the files on which it has no pawn.
    pub no_pawn: [Bitboard<G>; 2],
    /// By colour: how many pawns it has on light squares and on dark ones.
    pub by_shade: [[u8; 2]; 2],
}

impl<G: Board> Entry<G> {
    /// Computes an entry.
    pub fn new<T: Tracer>(
        position: &Position<G>,
        weights: &Weights<G>,
        tracer: &mut T,
    ) -> Entry<G> {
        let pawns = Color::ALL.map(|color| position.pieces(color, Role::Pawn));
        let white = Structure::new(Color::White, pawns[0], pawns[1]);
        let black = Structure::new(Color::Black, pawns[1], pawns[0]);
        Entry {
            key: position.pawn_key(),
            score: white.score(weights, tracer) - black.score(weights, tracer),
            shelter: Color::ALL.map(|color| shelter::score(color, position, weights)),
            shelter_king: Color::ALL.map(|color| position.king(color)),
            passed: white.passed() | black.passed(),
            span: [white.span, black.span],
            no_pawn: [!white.files, !black.files],
            by_shade: pawns.map(|pawns| {
                [(pawns & weights.light).count() as u8, (pawns - weights.light).count() as u8]
            }),
        }
    }

    /// Brings the shelters up to date with where the kings are.
    #[inline(always)]
    fn follow_kings(&mut self, position: &Position<G>, weights: &Weights<G>) {
        for color in Color::ALL {
            let king = position.king(color);
            if self.shelter_king[color.index()] != king {
                self.shelter_king[color.index()] = king;
                self.shelter[color.index()] = shelter::score(color, position, weights);
            }
        }
    }
}

/// Remembers entries; a table without chains, the newest entry stays.
pub struct Cache<G: Board> {
    entries: Box<[Entry<G>]>,
}

impl<G: Board> Cache<G> {
    /// A quarter of a megabyte on 8x8: what fits a second-level cache beside other things.
    const ENTRIES: usize = 1 << 12;

    pub fn new(weights: &Weights<G>) -> Result<Self, TryReserveError> {
        // A true entry, that of a board without pawns: no slot is ever wrong.
        let no_pawns = Entry::new(&Position::empty(), weights, &mut ());
        Ok(Cache { entries: filled(Self::ENTRIES, no_pawns)?.into_boxed_slice() })
    }

    /// The entry of the pawns of a position.
    #[inline(always)]
    pub fn entry(&mut self, position: &Position<G>, weights: &Weights<G>) -> &Entry<G> {
        let key = position.pawn_key();
        let entry = &mut self.entries[key as usize % Self::ENTRIES];
        if entry.key != key {
            *entry = Entry::new(position, weights, &mut ());
        } else {
            entry.follow_kings(position, weights);
        }
        entry
    }
}

/// How many steps a pawn on this square is from promotion, as an index of `STEPS`.
#[inline(always)]
pub fn steps<G: Board>(us: Color, square: Square<G>) -> usize {
    let steps = square.rank().abs_diff(G::PROMOTION_RANK[us.index()]) as usize;
    steps.min(super::params::STEPS - 1)
}

/// The pawns of one side as sets of squares.
struct Structure<G: Board> {
    us: Color,
    pawns: Bitboard<G>,
    attacks: Bitboard<G>,
    /// What they attack or could attack after steps.
    span: Bitboard<G>,
    /// All squares of the files they are on.
    files: Bitboard<G>,
    their_pawns: Bitboard<G>,
    their_attacks: Bitboard<G>,
}

impl<G: Board> Structure<G> {
    fn new(us: Color, pawns: Bitboard<G>, their_pawns: Bitboard<G>) -> Self {
        let attacks = attacks::pawns(us, pawns);
        Structure {
            us,
            pawns,
            attacks,
            span: attacks | attacks.forward_fill(us),
            files: pawns | pawns.forward_fill(us) | pawns.forward_fill(!us),
            their_pawns,
            their_attacks: attacks::pawns(!us, their_pawns),
        }
    }

    /// Pawns with an enemy pawn before them on the file.
    fn opposed(&self) -> Bitboard<G> {
        self.pawns & self.their_pawns.forward_fill(!self.us)
    }

    /// Pawns before which there is no pawn and which no enemy pawn can ever attack on their way.
    fn passed(&self) -> Bitboard<G> {
        let guarded = self.their_attacks | self.their_attacks.forward_fill(!self.us);
        self.pawns - self.opposed() - guarded - self.pawns.forward_fill(!self.us)
    }

    fn doubled(&self) -> Bitboard<G> {
        self.pawns & self.pawns.forward_fill(self.us)
    }

    fn isolated(&self) -> Bitboard<G> {
        self.pawns - (self.files.left() | self.files.right())
    }

    /// Pawns that no neighbour can come to defend, whose next square an enemy pawn guards.
    fn backward(&self) -> Bitboard<G> {
        let steps = self.pawns.forward(self.us) & (self.their_attacks - self.span);
        steps.forward(!self.us) - self.isolated()
    }

    fn score<T: Tracer>(&self, weights: &Weights<G>, tracer: &mut T) -> Packed {
        let standing = self.standing(weights, tracer);
        let structure = self.weaknesses(weights) + self.chains(weights);
        tracer.add(Term::Pawns, self.us, structure);
        let mut passed = Packed::ZERO;
        for square in self.passed() {
            passed += weights.terms.passed[steps(self.us, square)];
        }
        tracer.add(Term::Passed, self.us, passed);
        standing + structure + passed
    }

    /// Material and squares.
    fn standing<T: Tracer>(&self, weights: &Weights<G>, tracer: &mut T) -> Packed {
        let mut sum = Packed::ZERO;
        for square in self.pawns {
            sum += weights.standing(self.us, Role::Pawn, square, tracer);
        }
        sum
    }

    fn weaknesses(&self, weights: &Weights<G>) -> Packed {
        let terms = &weights.terms;
        let (isolated, backward, opposed) = (self.isolated(), self.backward(), self.opposed());
        let count = |set: Bitboard<G>| set.count() as i32;
        terms.doubled * count(self.doubled())
            + terms.isolated * count(isolated)
            + terms.isolated_open * count(isolated - opposed)
            + terms.backward * count(backward)
            + terms.backward_open * count(backward - opposed)
    }

    /// Pawns that stand together.
    fn chains(&self, weights: &Weights<G>) -> Packed {
        let terms = &weights.terms;
        let mut sum = Packed::ZERO;
        for square in self.pawns & (self.pawns.left() | self.pawns.right()) {
            sum += terms.phalanx[steps(self.us, square)];
        }
        for square in self.pawns & self.attacks {
            sum += terms.supported[steps(self.us, square)];
        }
        sum
    }
}
