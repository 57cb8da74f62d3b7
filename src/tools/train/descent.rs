//! Gradient descent with AdamW and a learning rate schedule.

use rayon::prelude::*;

use super::model::{Model, Numbers};
use super::passes::Passes;
use super::positions::Packed;
use crate::geometry::Board;

/// The number of parameters that one thread updates at a time.
const PART: usize = 16 * 1_024;

/// The schedule of the learning rate, and the bounds of the steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// The learning rates of the first and the last step.
    pub rates: [f32; 2],
    /// The total number of steps.
    pub steps: u64,
    /// The number of steps at the beginning in which the learning rate rises linearly from 0.
    pub warm_up: u64,
    pub decay: f32,
    /// The bound for the absolute value of every parameter.
    pub clip: f32,
}

impl Schedule {
    /// Returns the learning rate of a step. The rate falls along half a cosine from the first to the last
    /// rate. During the warm-up, the rate is multiplied by a factor that rises linearly.
    fn rate(&self, step: u64) -> f32 {
        let [first, last] = self.rates;
        let done = (step as f64 / self.steps.saturating_sub(1).max(1) as f64).min(1.0);
        let high = f64::midpoint(1.0, libm::cos(std::f64::consts::PI * done));
        let warm = ((step + 1) as f64 / self.warm_up.max(1) as f64).min(1.0);
        (last + (first - last) * high as f32) * warm as f32
    }
}

/// The state of AdamW: the model, and the running means of the gradients and of their squares.
pub struct Descent {
    pub model: Model,
    pub(super) first: Numbers,
    pub(super) second: Numbers,
    /// The number of completed steps.
    pub(super) step: u64,
    pub(super) schedule: Schedule,
    /// The weight of each data set's positions in the loss.
    weights: Vec<f32>,
    gradient: Numbers,
    passes: Passes,
}

const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

impl Descent {
    /// Creates a descent that starts with a model. `weights` has the weight of each data set's positions.
    pub fn new(model: Model, schedule: Schedule, weights: Vec<f32>) -> Descent {
        let zeros = Numbers::zeros(model.parameters.len());
        Descent {
            first: zeros.clone(),
            second: zeros.clone(),
            gradient: zeros,
            passes: Passes::new(model.shape),
            step: 0,
            model,
            schedule,
            weights,
        }
    }

    /// Makes a step for each batch of the positions. Returns the mean loss, where the loss of each position
    /// is computed just before the step of its batch.
    pub fn epoch<G: Board>(
        &mut self,
        positions: &[Packed],
        batch: usize,
        watch: &mut dyn FnMut(usize),
    ) -> f64 {
        let mut loss = 0.0;
        for batch in positions.chunks(batch) {
            loss += self.batch::<G>(batch);
            watch(batch.len());
        }
        loss / positions.len().max(1) as f64
    }

    /// Makes a step for one batch. Returns the sum of the losses of all positions in the batch.
    pub fn batch<G: Board>(&mut self, batch: &[Packed]) -> f64 {
        let Descent { model, weights, gradient, passes, .. } = self;
        let share = 1.0 / batch.len().max(1) as f32;
        let weight = |packed: &Packed| weights.get(packed.set()).copied().unwrap_or(1.0);
        let aim = |packed: &Packed| (packed.target(), weight(packed));
        let loss = passes.learn::<G>(model, batch, aim, share, gradient);
        self.move_parameters();
        loss
    }

    /// Updates all parameters with the gradient.
    fn move_parameters(&mut self) {
        let rate = self.schedule.rate(self.step);
        self.step += 1;
        let unbiased =
            BETA.map(|beta| 1.0 / (1.0 - libm::pow(beta.into(), self.step as f64) as f32));
        let Schedule { decay, clip, .. } = self.schedule;
        let parameters = self.model.parameters.par_chunks_mut(PART);
        let moments = self.first.par_chunks_mut(PART).zip(self.second.par_chunks_mut(PART));
        let parts = parameters.zip(self.gradient.par_chunks(PART)).zip(moments);
        parts.for_each(|((parameters, gradient), (first, second))| {
            let moments = first.iter_mut().zip(second);
            for ((parameter, slope), (first, second)) in
                parameters.iter_mut().zip(gradient).zip(moments)
            {
                *first = BETA[0] * *first + (1.0 - BETA[0]) * slope;
                *second = BETA[1] * *second + (1.0 - BETA[1]) * slope * slope;
                let mean = *first * unbiased[0];
                let size = (*second * unbiased[1]).sqrt() + EPSILON;
                let moved = *parameter - rate * (mean / size + decay * *parameter);
                // `clamp` checks its limits, which would prevent vectorisation.
                *parameter = moved.max(-clip).min(clip);
            }
        });
    }
}
