//! What a network should predict, and how far it is from it.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::model::logistic;
use super::positions::Packed;
use crate::tools::data::Component;

/// Positions whose losses one thread adds up.
const PIECE: usize = 2_048;

/// What targets are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Centipawns of an output of 1.
    pub scale: f32,
    /// The weight of results.
    pub lambda: f32,
    /// How much positions count, by data set.
    pub weights: Vec<f32>,
}

impl Goal {
    /// The expected points that a network should predict for the side to move.
    #[inline]
    pub fn target(&self, packed: &Packed) -> f32 {
        let score = logistic(packed.score() / self.scale);
        packed.points().map_or(score, |points| self.lambda * points + (1.0 - self.lambda) * score)
    }

    /// By how much a position counts; one without a game is of no data set.
    #[inline]
    pub fn weight(&self, packed: &Packed) -> f32 {
        match packed.points() {
            Some(_) => self.weights.get(packed.set()).copied().unwrap_or(1.0),
            None => 1.0,
        }
    }
}

/// Mean square differences from the targets, every position counting alike.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Losses {
    pub all: f64,
    /// By kind of start.
    pub components: BTreeMap<String, f64>,
}

impl Losses {
    /// Those of predicted points, one for each position. The sums of pieces are added in their order.
    pub fn of(positions: &[Packed], predictions: &[f32], goal: &Goal) -> Losses {
        let pieces = positions.par_chunks(PIECE).zip(predictions.par_chunks(PIECE));
        let pieces = pieces.map(|(positions, predictions)| {
            let mut sums = BTreeMap::new();
            for (packed, prediction) in positions.iter().zip(predictions) {
                let error = prediction - goal.target(packed);
                let (sum, count): &mut (f64, u64) = sums.entry(packed.component()).or_default();
                *sum += f64::from(error * error);
                *count += 1;
            }
            sums
        });
        let mut total: BTreeMap<u8, (f64, u64)> = BTreeMap::new();
        for (component, (sum, count)) in pieces.collect::<Vec<_>>().into_iter().flatten() {
            let entry = total.entry(component).or_default();
            entry.0 += sum;
            entry.1 += count;
        }
        let mean = |(sum, count): (f64, u64)| sum / count.max(1) as f64;
        let all = total.values().fold((0.0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        let name = |code| Component::from_code(code).map_or("?", Component::name).to_owned();
        let components = total.iter().map(|(code, sums)| (name(*code), mean(*sums))).collect();
        Losses { all: mean(all), components }
    }
}
