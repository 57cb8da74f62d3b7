//! Where an evaluation comes from: the value of each group of terms for each side.

use std::fmt;

use super::packed::Packed;
use super::params::{FULL_PHASE, FULL_SCALE};
use crate::types::{Color, Score, Value};

/// The groups of terms in a [`Trace`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    Material,
    Squares,
    Pawns,
    Passed,
    Pieces,
    Mobility,
    Threats,
    King,
    Endgame,
    Tempo,
}

impl Term {
    /// Every group with its name, in the order of the table.
    pub const ALL: [(Term, &str); 10] = [
        (Term::Material, "material"),
        (Term::Squares, "piece squares"),
        (Term::Pawns, "pawn structure"),
        (Term::Passed, "passed pawns"),
        (Term::Pieces, "pieces"),
        (Term::Mobility, "mobility"),
        (Term::Threats, "threats"),
        (Term::King, "king safety"),
        (Term::Endgame, "mating"),
        (Term::Tempo, "side to move"),
    ];
}

/// Is told every term as it is added up. `()` listens to nothing and costs nothing.
pub trait Tracer {
    /// Whether anyone listens.
    const LISTENS: bool;
    /// This much of a term counts for this side.
    fn add(&mut self, term: Term, color: Color, score: Packed);
    /// The sum was blended with this much middle game, its end-game half scaled so.
    fn blended(&mut self, phase: i32, scale: i32);
}

impl Tracer for () {
    const LISTENS: bool = false;
    #[inline(always)]
    fn add(&mut self, _: Term, _: Color, _: Packed) {}
    #[inline(always)]
    fn blended(&mut self, _: i32, _: i32) {}
}

/// An evaluation, term by term.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    scores: [[Score; 2]; Term::ALL.len()],
    /// How much of the middle game is left, of [`FULL_PHASE`].
    phase: i32,
    /// The weight of the end-game half, of [`FULL_SCALE`].
    scale: i32,
    /// The value for the side to move.
    value: Value,
    black_to_move: bool,
}

impl Tracer for Trace {
    const LISTENS: bool = true;

    fn add(&mut self, term: Term, color: Color, score: Packed) {
        self.scores[term as usize][color.index()] += score.into();
    }

    fn blended(&mut self, phase: i32, scale: i32) {
        (self.phase, self.scale) = (phase, scale);
    }
}

impl Trace {
    pub(super) fn conclude(&mut self, side: Color, value: Value) {
        (self.black_to_move, self.value) = (side == Color::Black, value);
    }

    /// What a group of terms is worth to a side, in centipawns.
    pub fn score(&self, term: Term, color: Color) -> Score {
        self.scores[term as usize][color.index()]
    }

    /// The evaluation, in centipawns for the side to move.
    pub fn value(&self) -> Value {
        self.value
    }

    /// The evaluation, in centipawns for White.
    pub fn white_value(&self) -> Value {
        if self.black_to_move { -self.value } else { self.value }
    }
}

/// A table in pawns, middle game and end game, from White's point of view.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let pawns = |centipawns: i32| centipawns as f64 / 100.0;
        let row = |f: &mut fmt::Formatter, name: &str, white: Score, black: Score| {
            write!(f, "{name:>15} |")?;
            for score in [white, black, white - black] {
                write!(f, " {:>6.2} {:>6.2} |", pawns(score.mg), pawns(score.eg))?;
            }
            writeln!(f)
        };
        writeln!(f, "{:>15} |     White     |     Black     |     Total     |", "term")?;
        writeln!(f, "{:>15} |     mg     eg |     mg     eg |     mg     eg |", "")?;
        let rule = format!("{0}-+-{1}+-{1}+-{1}+", "-".repeat(15), "-".repeat(14));
        writeln!(f, "{rule}")?;
        let mut sums = [Score::ZERO; 2];
        for (term, name) in Term::ALL {
            let [white, black] = self.scores[term as usize];
            sums[0] += white;
            sums[1] += black;
            row(f, name, white, black)?;
        }
        writeln!(f, "{rule}")?;
        row(f, "sum", sums[0], sums[1])?;
        writeln!(f, "middle game {} of {}", self.phase, FULL_PHASE)?;
        if self.scale != FULL_SCALE {
            writeln!(f, "end game counts {} of {}", self.scale, FULL_SCALE)?;
        }
        write!(f, "evaluation {:+.2} pawns for White", pawns(self.white_value()))
    }
}
