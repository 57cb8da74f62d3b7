//! The evaluation as a linear function of its parameters, for a fit of them.
//!
//! How often a parameter counts in a position is found by evaluating with this parameter alone and
//! zero in all others: the code that plays is the code that is asked, and neither is slowed down
//! by the other. All terms are counted alike in the middle game and in the end game, so that each
//! evaluation serves two parameters, one in either half.
//!
//! What is not linear is taken as it is with the given numbers: how much of the end game counts,
//! and how many units of danger a king is in. These lessen with its shelter, which is a sum of
//! parameters itself; the two factors of danger are probed with that shelter standing.

use super::packed::Packed;
use super::params::{FULL_PHASE, FULL_SCALE, Params};
use super::pawns::Entry;
use super::sum::{terms, value};
use super::tables::Weights;
use super::trace::{Term, Tracer};
use crate::attacks::Board;
use crate::eval::endgame::FADING_PARTS;
use crate::position::Position;
use crate::types::{Color, Score};

/// Coefficients are counted in so many parts of one, for terms that are not whole numbers.
pub const PARTS: i32 = 256;

/// A position's evaluation as a function of the parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Linear {
    /// Parameters by number, in the order of [`super::params::Terms::for_each`], and how often each
    /// counts for White more than for Black, in [`PARTS`].
    pub coefficients: Vec<(u16, i16)>,
    /// What no parameter decides, in centipawns for White.
    pub fixed: Score,
    /// By how much the middle-game and the end-game sum count in the evaluation, from 0 to 1.
    pub mg: f32,
    pub eg: f32,
}

impl Linear {
    /// The evaluation in centipawns for White, with these middle-game and end-game values.
    pub fn white_value(&self, values: &[[f64; 2]]) -> f64 {
        let (mut mg, mut eg) = (f64::from(self.fixed.mg), f64::from(self.fixed.eg));
        for &(parameter, count) in &self.coefficients {
            let count = f64::from(count) / f64::from(PARTS);
            mg += values[usize::from(parameter)][0] * count;
            eg += values[usize::from(parameter)][1] * count;
        }
        mg * f64::from(self.mg) + eg * f64::from(self.eg)
    }
}

/// Finds [`Linear`] evaluations.
pub struct Linearizer<G: Board> {
    /// The numbers in force, which decide what is not linear.
    base: Box<Weights<G>>,
    /// Those that count in themselves, and those that count with the shelter of the king.
    probes: [Probes<G>; 2],
}

/// Parameters that are probed beside the same others.
struct Probes<G: Board> {
    /// The others alone.
    still: Box<Weights<G>>,
    /// One or two parameters more: the first in the middle game, the second in the end game.
    pairs: Vec<(Box<Weights<G>>, Vec<u16>)>,
}

/// The parameters that count by the shelter of a king.
fn needs_shelter(name: &str) -> bool {
    ["danger", "danger_square"].contains(&name)
}

/// The parameters that make the shelter of a king.
fn is_shelter(name: &str) -> bool {
    ["shield", "storm", "storm_blocked"].contains(&name)
}

impl<G: Board> Linearizer<G> {
    /// Takes what is not linear from these numbers.
    pub fn new(params: &Params) -> Self {
        let (mut alone, mut with_shelter) = (Vec::new(), Vec::new());
        for (number, (name, _)) in params.names().into_iter().enumerate() {
            if needs_shelter(name) { &mut with_shelter } else { &mut alone }.push(number as u16);
        }
        let zero = params.map(|_| Score::ZERO);
        let mut shelter = *params;
        shelter.for_each(|name, _, score| {
            if !is_shelter(name) {
                *score = Score::ZERO;
            }
        });
        Linearizer {
            base: Box::new(Weights::new(params)),
            probes: [Probes::new(&zero, &alone), Probes::new(&shelter, &with_shelter)],
        }
    }

    /// The position's evaluation; none if it is a dead draw whatever the parameters.
    pub fn linear(&self, position: &Position<G>) -> Option<Linear> {
        let mut blend = Blend::default();
        let pawns = Entry::new(position, &self.base, &mut ());
        value(position, &self.base, &pawns, &mut blend);
        if blend.scale == 0 {
            return None;
        }
        let mut coefficients = Vec::new();
        let fixed = self.probes[0].ask(position, &mut coefficients);
        self.probes[1].ask(position, &mut coefficients);
        coefficients.sort_unstable();
        let phase = blend.phase as f32 / FULL_PHASE as f32;
        let idle = position.halfmove_clock().min(100) as f32;
        let progress = 1.0 - idle / FADING_PARTS as f32;
        let scale = blend.scale as f32 / FULL_SCALE as f32;
        Some(Linear {
            coefficients,
            fixed: fixed.into(),
            mg: phase * progress,
            eg: (1.0 - phase) * scale * progress,
        })
    }
}

impl<G: Board> Probes<G> {
    fn new(still: &Params, numbers: &[u16]) -> Self {
        let values = still.values();
        let unit = Score::new(PARTS, PARTS);
        let pair = |numbers: &[u16]| {
            let mut values = values.clone();
            for (half, &number) in numbers.iter().enumerate() {
                let value = &mut values[usize::from(number)];
                if half == 0 { value.mg += unit.mg } else { value.eg += unit.eg }
            }
            (Box::new(Weights::new(&still.with_values(&values))), numbers.to_vec())
        };
        Probes {
            still: Box::new(Weights::new(still)),
            pairs: numbers.chunks(2).map(pair).collect(),
        }
    }

    /// Finds the coefficients that are not zero, and what there is without them.
    fn ask(&self, position: &Position<G>, coefficients: &mut Vec<(u16, i16)>) -> Packed {
        let still = sum(position, &self.still);
        for (weights, numbers) in &self.pairs {
            let difference = sum(position, weights) - still;
            for (number, count) in numbers.iter().zip([difference.mg(), difference.eg()]) {
                if count != 0 {
                    coefficients.push((*number, count as i16)); // a half has 16 bits
                }
            }
        }
        still
    }
}

fn sum<G: Board>(position: &Position<G>, weights: &Weights<G>) -> Packed {
    terms(position, weights, &Entry::new(position, weights, &mut ()), &mut ())
}

/// Listens to how the halves are blended, and to nothing else.
#[derive(Default)]
struct Blend {
    phase: i32,
    scale: i32,
}

impl Tracer for Blend {
    const LISTENS: bool = false;
    fn add(&mut self, _: Term, _: Color, _: Packed) {}
    fn blended(&mut self, phase: i32, scale: i32) {
        (self.phase, self.scale) = (phase, scale);
    }
}
