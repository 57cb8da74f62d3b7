//! Predictions, their loss, and the scales that turn centipawns into chances.

use rayon::prelude::*;

use super::samples::{SampleRow, Samples};

/// Rows whose sum is taken by one thread. The sums of such pieces are added in their order.
pub(super) const PIECE: usize = 1_024;

/// How many centipawns are one unit of the logistic function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitScales {
    /// Of the search's scores against the results.
    pub scores: f64,
    /// Of the evaluation before the fit against the targets.
    pub evaluation: f64,
}

impl FitScales {
    /// The scales with the least loss.
    pub fn fit(samples: &Samples, values: &[[f64; 2]], lambda: f64) -> FitScales {
        let rows = samples.rows();
        let scores: Vec<[f64; 2]> =
            rows.iter().map(|row| [f64::from(row.score), f64::from(row.result)]).collect();
        let scores = best_scale(&scores);
        let scales = FitScales { scores, evaluation: scores };
        let evaluations: Vec<[f64; 2]> = (0..rows.len())
            .into_par_iter()
            .map(|row| [samples.value(row, values), scales.target(&rows[row], lambda)])
            .collect();
        FitScales { scores, evaluation: best_scale(&evaluations) }
    }

    /// What an evaluation should predict.
    #[inline]
    pub fn target(&self, row: &SampleRow, lambda: f64) -> f64 {
        let score = logistic(f64::from(row.score) / self.scores);
        lambda * f64::from(row.result) + (1.0 - lambda) * score
    }
}

#[inline]
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The loss of predicting `logistic(x)` where it should be `target`, in a form that does not
/// overflow.
#[inline]
fn logistic_loss(x: f64, target: f64) -> f64 {
    (-x.abs()).exp().ln_1p() + x.max(0.0) - target * x
}

/// The mean loss of an evaluation with these values of the parameters.
pub(super) fn loss(samples: &Samples, values: &[[f64; 2]], scales: FitScales, lambda: f64) -> f64 {
    let rows = samples.rows();
    mean(rows.len(), |row| {
        let x = samples.value(row, values) / scales.evaluation;
        logistic_loss(x, scales.target(&rows[row], lambda))
    })
}

/// A mean over rows that does not depend on the number of threads.
fn mean(rows: usize, of: impl Fn(usize) -> f64 + Sync) -> f64 {
    let piece = |number: usize| {
        let begin = number * PIECE;
        (begin..rows.min(begin + PIECE)).map(&of).sum::<f64>()
    };
    let pieces: Vec<f64> = (0..rows.div_ceil(PIECE)).into_par_iter().map(piece).collect();
    pieces.iter().sum::<f64>() / rows.max(1) as f64
}

/// The scale with which pairs of centipawns and targets have the least loss, which has one
/// minimum in the scale's inverse: golden-section search of its logarithm.
pub(in crate::tools) fn best_scale(pairs: &[[f64; 2]]) -> f64 {
    let loss = |logarithm: f64| {
        let scale = logarithm.exp();
        mean(pairs.len(), |row| logistic_loss(pairs[row][0] / scale, pairs[row][1]))
    };
    let ratio = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (10_f64.ln(), 5_000_f64.ln());
    while high - low > 1e-4 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if loss(left) < loss(right) { high = right } else { low = left }
    }
    f64::midpoint(low, high).exp()
}
