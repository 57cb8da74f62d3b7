use rayon::prelude::*;

use super::losses::Goal;
use super::model::{Model, Numbers};
use super::passes::Passes;
use super::positions::Packed;
use crate::attacks::Board;

/// Parameters that one thread moves at once.
const PART: usize = 16 * 1_024;

/// How fast to learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// Of the first step, and of the last.
    pub rates: [f32; 2],
    /// All steps that there will be.
    pub steps: u64,
    /// In so many of the first steps the rate rises to the first.
    pub warm_up: u64,
    /// The weight of results in the first step, and in the last.
    pub lambdas: [f32; 2],
    /// Over so many of the last steps the mean is taken of what they led to.
    pub mean_steps: u64,
    pub decay: f32,
    /// No parameter is larger.
    pub clip: f32,
}

impl Schedule {
    /// How much of all steps is done before one, from 0 to 1.
    fn done(&self, step: u64) -> f64 {
        (step as f64 / self.steps.saturating_sub(1).max(1) as f64).min(1.0)
    }

    /// The rate of a step: up to the first in a line, then to the last along half a cosine.
    fn rate(&self, step: u64) -> f32 {
        let [first, last] = self.rates;
        let high = f64::midpoint(1.0, libm::cos(std::f64::consts::PI * self.done(step)));
        let warm = ((step + 1) as f64 / self.warm_up.max(1) as f64).min(1.0);
        (last + (first - last) * high as f32) * warm as f32
    }

    /// The weight of results in a step: from the first to the last in a line.
    fn lambda(&self, step: u64) -> f32 {
        let [first, last] = self.lambdas;
        first + (last - first) * self.done(step) as f32
    }
}

/// AdamW: the means of gradients and of their squares, by parameter.
pub struct Descent {
    pub model: Model,
    pub(super) first: Numbers,
    pub(super) second: Numbers,
    /// Steps that were made.
    pub(super) step: u64,
    pub(super) schedule: Schedule,
    /// The sum of what the last steps led to, and how many they are.
    sum: Numbers,
    summed: u64,
    goal: Goal,
    gradient: Numbers,
    passes: Passes,
}

const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

impl Descent {
    /// Begins with a model.
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

    /// Makes a step for each batch of these positions; returns the mean loss of the positions as
    /// they were met.
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

    /// A step by the positions of a batch; returns the sum of their losses.
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

    /// After the last step: goes back to the mean of what the last steps led to.
    pub fn settle(&mut self) {
        let share = 1.0 / self.summed as f32;
        if std::mem::take(&mut self.summed) > 0 {
            let sums = self.sum.iter_mut().map(std::mem::take);
            let parameters = self.model.parameters.iter_mut();
            parameters.zip(sums).for_each(|(parameter, sum)| *parameter = share * sum);
        }
    }

    /// Moves every parameter by the gradient.
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
                // Not `clamp`, which looks at its limits and keeps the compiler from making vectors.
                *parameter = moved.max(-clip).min(clip);
            }
        });
    }
}
