//! Computes the targets of training positions, and the losses.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::model::logistic;
use super::positions::Packed;
use crate::geometry::Board;
use crate::tools::data::{Component, ReplayError, StoredGame};

/// The number of positions whose losses one thread adds up at a time.
const CHUNK: usize = 2_048;

/// Returns the target of each ply of a game: the expected points of the side that made the move, from 0 to 1.
///
/// The target is `(1 - lambda) * logistic(score / scale) + lambda * next`. Here `score` is the score of the
/// ply, and `next` is the target of the next ply from the same side, or the result of the game after the last
/// ply. This is TD(λ) (R. Sutton, 1988): later scores have lower and lower weights. With a `lambda` of 0, the
/// targets are the scores alone; with 1, the results alone.
///
/// `scale` is the number of centipawns that an output of 1 stands for. Fails if the starting position is
/// invalid or of another board.
pub fn targets<G: Board>(
    game: &StoredGame,
    scale: f32,
    lambda: f32,
) -> Result<Vec<f32>, ReplayError> {
    let first = game.start::<G>()?.side_to_move();
    let to_move = if game.plies().len().is_multiple_of(2) { first } else { !first };
    let mut next = f32::from(game.outcome().points(to_move) as u8) / 2.0;
    let mut targets = Vec::with_capacity(game.plies().len());
    for ply in game.plies().rev() {
        let score = logistic(ply.score() as f32 / scale);
        next = (1.0 - lambda) * score + lambda * (1.0 - next);
        targets.push(next);
    }
    targets.reverse();
    Ok(targets)
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
    pub fn of(positions: &[Packed], predictions: &[f32]) -> Losses {
        let chunks = positions.par_chunks(CHUNK).zip(predictions.par_chunks(CHUNK));
        let chunks = chunks.map(|(positions, predictions)| {
            let mut sums = BTreeMap::new();
            for (packed, prediction) in positions.iter().zip(predictions) {
                let error = prediction - packed.target();
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
