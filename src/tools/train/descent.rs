//! Gradient descent with AdamW: learning rate schedule, batches and weight averaging.

use rayon::prelude::*;

use super::losses::Goal;
use super::model::{Model, Numbers};
use super::passes::Passes;
use super::positions::Packed;
use crate::geometry::Board;

/// Parameters that one thread updates at a time.
const PART: usize = 16 * 1_024;

/// The schedule of the learning rate and of the targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// The learning rate of the first step and of the last.
    pub rates: [f32; 2],
    /// The total number of steps.
    pub steps: u64,
    /// Number of first steps in which the rate rises from 0.
    pub warm_up: u64,
    /// The weight of results in the first step and in the last.
    pub lambdas: [f32; 2],
    /// Number of last steps whose parameters are averaged.
    pub mean_steps: u64,
    pub decay: f32,
    /// Bound on the absolute value of every parameter.
    pub clip: f32,
}

impl Schedule {
    /// The share of steps before this one, from 0 to 1.
    fn done(&self, step: u64) -> f64 {
        (step as f64 / self.steps.saturating_sub(1).max(1) as f64).min(1.0)
    }

    /// The learning rate of a step: a linear warm-up, and half a cosine from the first rate to the last.
    fn rate(&self, step: u64) -> f32 {
        let [first, last] = self.rates;
        let high = f64::midpoint(1.0, libm::cos(std::f64::consts::PI * self.done(step)));
        let warm = ((step + 1) as f64 / self.warm_up.max(1) as f64).min(1.0);
        (last + (first - last) * high as f32) * warm as f32
    }

    /// The weight of results in a step, linear from the first to the last.
    fn lambda(&self, step: u64) -> f32 {
        let [first, last] = self.lambdas;
        first + (last - first) * self.done(step) as f32
    }
}

/// The state of AdamW: the model, and the running means of gradients and of their squares.
pub struct Descent {
    pub model: Model,
    pub(super) first: Numbers,
    pub(super) second: Numbers,
    /// Completed steps.
    pub(super) step: u64,
    pub(super) schedule: Schedule,
    /// The sum of the parameters after the last steps, and their number.
    sum: Numbers,
    summed: u64,
    goal: Goal,
    gradient: Numbers,
    passes: Passes,
}

const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

impl Descent {
    /// Starts with a model.
    pub fn new(model: Model, schedule: Schedule, goal: Goal) -> Descent {
        let zeros = Numbers::zeros(model.parameters.len());
        Descent {
            first: zeros.clone(),
            second: zeros.clone(),
            sum: zeros.clone(),
            summed: 0,
            gradient: zeros,
            passes: Passes::new(model.shape),
            step: 0,
            model,
            schedule,
            goal,
        }
    }

    /// Makes a step for each batch of these positions. Returns the mean loss, each position's taken just
    /// before its step.
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

    /// Makes a step for one batch; returns the sum of its losses.
    pub fn batch<G: Board>(&mut self, batch: &[Packed]) -> f64 {
        self.goal.lambda = self.schedule.lambda(self.step);
        let Descent { model, goal, gradient, passes, .. } = self;
        let share = 1.0 / batch.len().max(1) as f32;
        let aim = |packed: &Packed| (goal.target(packed), goal.weight(packed));
        let loss = passes.learn::<G>(model, batch, aim, share, gradient);
        self.move_parameters();
        if self.step + self.schedule.mean_steps > self.schedule.steps {
            let sum = self.sum.par_iter_mut().zip(&self.model.parameters[..]);
            sum.for_each(|(sum, parameter)| *sum += *parameter);
            self.summed += 1;
        }
        loss
    }

    /// Replaces the parameters by their mean over the last steps, after the very last one.
    pub fn settle(&mut self) {
        let share = 1.0 / self.summed as f32;
        if std::mem::take(&mut self.summed) > 0 {
            let sums = self.sum.iter_mut().map(std::mem::take);
            let parameters = self.model.parameters.iter_mut();
            parameters.zip(sums).for_each(|(parameter, sum)| *parameter = share * sum);
        }
    }

    /// Updates every parameter with the gradient.
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
                // `clamp` checks its limits, which prevents vectorisation.
                *parameter = moved.max(-clip).min(clip);
            }
        });
    }
}
