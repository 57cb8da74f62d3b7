//! Computes the targets of training positions, and the losses.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::model::logistic;
use super::positions::Packed;
use crate::tools::data::Component;

/// The number of positions whose losses one thread adds up at a time.
const CHUNK: usize = 2_048;

/// How the targets of positions are computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The number of centipawns that an output of 1 stands for.
    pub scale: f32,
    /// The weight of results in the targets. Scores have the remaining weight.
    pub lambda: f32,
    /// The weight of each data set's positions in the loss.
    pub weights: Vec<f32>,
}

impl Goal {
    /// Returns the target of a position: the expected points of the side to move.
    #[inline]
    pub fn target(&self, packed: &Packed) -> f32 {
        let score = logistic(packed.score() / self.scale);
        self.lambda * packed.points() + (1.0 - self.lambda) * score
    }

    /// Returns the weight of a position in the loss.
    #[inline]
    pub fn weight(&self, packed: &Packed) -> f32 {
        self.weights.get(packed.set()).copied().unwrap_or(1.0)
    }
}

/// Mean squared errors of predictions. All positions have the same weight.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Losses {
    pub all: f64,
    /// The mean squared error for each kind of starting position, by name.
    pub components: BTreeMap<String, f64>,
}

impl Losses {
    /// Computes the losses of predictions. Partial sums are added in a fixed order, so that the result does
    /// not depend on the threads.
    pub fn of(positions: &[Packed], predictions: &[f32], goal: &Goal) -> Losses {
        let chunks = positions.par_chunks(CHUNK).zip(predictions.par_chunks(CHUNK));
        let chunks = chunks.map(|(positions, predictions)| {
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
        for (component, (sum, count)) in chunks.collect::<Vec<_>>().into_iter().flatten() {
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
