//! Adam on all parameters.

use std::f64::consts::PI;

use rayon::prelude::*;

use super::model::{FitScales, PIECE, logistic};
use super::samples::Samples;
use super::settings::FitSettings;
use crate::eval::classical::PARTS;
use crate::start::Rng;

/// How slowly the means of gradients and of their squares forget.
const MEMORY: [f64; 2] = [0.9, 0.999];
/// Keeps quotients finite.
const TINY: f64 = 1e-12;

/// A value of each parameter, in the middle game and in the end game.
type Values = Vec<[f64; 2]>;

/// A fit in progress.
pub(super) struct FitDescent<'a> {
    samples: &'a Samples,
    settings: &'a FitSettings,
    scales: FitScales,
    base: Values,
    /// Parameters that stay as they are.
    held: &'a [bool],
    values: Values,
    /// Of gradients and of their squares.
    means: [Values; 2],
    /// By how much the loss grows with the square of each parameter's move, twofold.
    restraint: Vec<f64>,
    /// Rows in the order of the epoch.
    order: Vec<u32>,
    rng: Rng,
    steps: u32,
}

impl<'a> FitDescent<'a> {
    pub fn new(
        samples: &'a Samples,
        base: Values,
        held: &'a [bool],
        scales: FitScales,
        games: u64,
        settings: &'a FitSettings,
    ) -> Self {
        let zero = vec![[0.0; 2]; base.len()];
        FitDescent {
            samples,
            settings,
            scales,
            values: base.clone(),
            means: [zero.clone(), zero],
            restraint: restraint(samples, base.len(), games, settings.prior),
            base,
            held,
            order: (0..samples.rows().len() as u32).collect(),
            rng: Rng::new(settings.seed ^ 0x0adaa),
            steps: 0,
        }
    }

    pub fn values(&self) -> &[[f64; 2]] {
        &self.values
    }

    /// Goes over all rows once, in a new order.
    pub fn epoch(&mut self) {
        self.rng.shuffle(&mut self.order);
        let order = std::mem::take(&mut self.order);
        for batch in order.chunks(self.settings.batch) {
            let gradient = self.gradient(batch);
            self.step(&gradient);
        }
        self.order = order;
    }

    /// The gradient of the mean loss over some rows, and of the restraint.
    fn gradient(&self, rows: &[u32]) -> Values {
        let pieces: Vec<Values> =
            rows.par_chunks(PIECE).map(|piece| self.gradient_sum(piece)).collect();
        let moved = self.values.iter().zip(&self.base).zip(&self.restraint);
        let mut gradient: Values = moved
            .map(|((value, base), restraint)| {
                [0, 1].map(|half| restraint * (value[half] - base[half]))
            })
            .collect();
        for piece in pieces {
            for (sum, part) in gradient.iter_mut().zip(piece) {
                sum[0] += part[0] / rows.len() as f64;
                sum[1] += part[1] / rows.len() as f64;
            }
        }
        gradient
    }

    fn gradient_sum(&self, rows: &[u32]) -> Values {
        let mut gradient = vec![[0.0; 2]; self.values.len()];
        for &row in rows {
            let row = row as usize;
            let data = &self.samples.rows()[row];
            let prediction =
                logistic(self.samples.value(row, &self.values) / self.scales.evaluation);
            let error = prediction - self.scales.target(data, self.settings.lambda);
            let factor = error / self.scales.evaluation / f64::from(PARTS);
            let (mg, eg) = (factor * f64::from(data.mg), factor * f64::from(data.eg));
            for &(parameter, count) in self.samples.coefficients(row) {
                let sum = &mut gradient[usize::from(parameter)];
                sum[0] += mg * f64::from(count);
                sum[1] += eg * f64::from(count);
            }
        }
        gradient
    }

    /// A step against the gradient; the last steps are the smallest.
    fn step(&mut self, gradient: &[[f64; 2]]) {
        self.steps += 1;
        let batches = self.order_length().div_ceil(self.settings.batch);
        let all = f64::from(self.settings.epochs) * batches as f64;
        let done = (f64::from(self.steps) / all).min(1.0);
        let size = self.settings.step * 0.5 * (1.0 + (PI * done).cos());
        let [first, second] = &mut self.means;
        let correction = MEMORY.map(|memory| 1.0 - memory.powf(f64::from(self.steps)));
        for (number, slope) in gradient.iter().enumerate() {
            if self.held[number] {
                continue;
            }
            for half in 0..2 {
                let (mean, square) = (&mut first[number][half], &mut second[number][half]);
                *mean += (1.0 - MEMORY[0]) * (slope[half] - *mean);
                *square += (1.0 - MEMORY[1]) * (slope[half] * slope[half] - *square);
                let spread = (*square / correction[1]).sqrt() + TINY;
                self.values[number][half] -= size * (*mean / correction[0]) / spread;
            }
        }
    }

    fn order_length(&self) -> usize {
        self.samples.rows().len()
    }
}

/// How strongly each parameter is held. The prior is of what a term counts where it counts at all,
/// and not of its parameter: a parameter that is counted ten times at once, such as one for each
/// square of mobility, is held a hundred times as firmly.
fn restraint(samples: &Samples, parameters: usize, games: u64, prior: f64) -> Vec<f64> {
    let mut squares = vec![(0.0, 0_u64); parameters];
    for row in 0..samples.rows().len() {
        for &(parameter, count) in samples.coefficients(row) {
            let (sum, number) = &mut squares[usize::from(parameter)];
            *sum += (f64::from(count) / f64::from(PARTS)).powi(2);
            *number += 1;
        }
    }
    let firm = 1.0 / (games.max(1) as f64 * prior * prior);
    squares.iter().map(|(sum, number)| firm * sum / (*number).max(1) as f64).collect()
}
