//! Forwards to what a network predicts, and backwards to the slopes of the loss.
//!
//! All weights together are larger than the caches nearest to a core, and each position reads some
//! thirty rows of them twice. So a block of positions goes through [`STRIP`] neurons at a time, whose
//! weights stay near. Every sum is taken in the same order as one position after the other would.

use super::model::{Model, Numbers, Shape, logistic};
use super::positions::Packed;
use crate::eval::nnue::{FeatureList, output_of};
use crate::geometry::Geometry;

/// Neurons of a view that are summed at once; widths are multiples of it.
const STRIP: usize = 16;
/// Positions of a block: enough that copying a strip is a small part of the work.
const BLOCK: usize = 512;

/// Numbers of the neurons of a strip.
type Lanes = [f32; STRIP];

/// Where a thread works on one block after the other.
pub(super) struct Workspace {
    /// The inputs that are set in both views of each position.
    features: Vec<[FeatureList; 2]>,
    /// The numbers of the strip at hand: rows of the inputs, then the biases.
    strip: Numbers,
    /// The sums of neurons by strip, position and view.
    sums: Numbers,
    /// What the lanes of all strips add to the output, by position and view.
    totals: Vec<[Lanes; 2]>,
}

impl Workspace {
    pub fn new(shape: Shape) -> Workspace {
        Workspace {
            features: Vec::with_capacity(BLOCK),
            strip: Numbers::zeros((shape.inputs + 1) * STRIP),
            sums: Numbers::zeros(2 * BLOCK * shape.hidden),
            totals: Vec::with_capacity(BLOCK),
        }
    }
}

/// The same lanes of all rows of inputs and of the biases.
fn strip_of(numbers: &[f32], shape: Shape, strip: usize) -> impl Iterator<Item = &Lanes> {
    let rows = numbers[..shape.output(0)].chunks_exact(shape.hidden);
    rows.map(move |row| &row.as_chunks().0[strip])
}

fn copy<'a>(to: &mut [Lanes], from: impl Iterator<Item = &'a Lanes>) {
    to.iter_mut().zip(from).for_each(|(to, lanes)| *to = *lanes);
}

/// The lanes that begin here. All loops over lanes are written so that the compiler makes vectors of them.
#[inline(always)]
fn lanes(numbers: &[f32], begin: usize) -> &Lanes {
    &numbers[begin..][..STRIP].as_chunks().0[0]
}

#[inline(always)]
fn lanes_mut(numbers: &mut [f32], begin: usize) -> &mut Lanes {
    &mut numbers[begin..][..STRIP].as_chunks_mut().0[0]
}

#[inline(always)]
fn add(to: &mut Lanes, lanes: &Lanes) {
    for lane in 0..STRIP {
        to[lane] += lanes[lane];
    }
}

impl Model {
    /// What the network predicts of positions: the expected points of the side to move.
    pub(super) fn predict<G: Geometry>(
        &self,
        positions: &[Packed],
        work: &mut Workspace,
    ) -> Vec<f32> {
        let blocks = positions.chunks(BLOCK);
        blocks.flat_map(|block| self.forwards::<G>(block, work)).collect()
    }

    /// Writes the gradient of positions' losses, `weight * (prediction - target)²`, times `share`,
    /// over what `gradient` holds. `aim` says target and weight. Returns the sum of the losses.
    pub(super) fn learn<G: Geometry>(
        &self,
        positions: &[Packed],
        aim: impl Fn(&Packed) -> (f32, f32),
        share: f32,
        gradient: &mut [f32],
        work: &mut Workspace,
    ) -> f64 {
        let mut loss = 0.0;
        if positions.is_empty() {
            gradient.fill(0.0);
        }
        for (number, block) in positions.chunks(BLOCK).enumerate() {
            let predictions = self.forwards::<G>(block, work);
            let slopes = block.iter().zip(predictions).map(|(packed, prediction)| {
                let (target, weight) = aim(packed);
                let error = prediction - target;
                loss += f64::from(weight * (error * error));
                share * weight * 2.0 * error * prediction * (1.0 - prediction)
            });
            let slopes: Vec<f32> = slopes.collect();
            self.backwards(block, &slopes, number == 0, gradient, work);
        }
        loss
    }

    /// Predicts the positions of a block, and leaves their inputs and sums in the workspace.
    fn forwards<G: Geometry>(&self, block: &[Packed], work: &mut Workspace) -> Vec<f32> {
        let Model { shape, ref parameters } = *self;
        work.features.clear();
        work.features.extend(block.iter().map(Packed::features::<G>));
        work.totals.clear();
        work.totals.resize(block.len(), [[0.0; STRIP]; 2]);
        let outputs: Vec<usize> =
            block.iter().map(|packed| output_of(packed.count(), shape.outputs)).collect();
        for (strip, sums) in work.sums.chunks_exact_mut(2 * BLOCK * STRIP).enumerate() {
            let held = work.strip.as_chunks_mut().0;
            copy(held, strip_of(parameters, shape, strip));
            let (bias, rows) = held.split_last().expect("there are biases");
            let positions = work.features.iter().zip(sums.as_chunks_mut().0.as_chunks_mut::<2>().0);
            for (((views, sums), totals), output) in positions.zip(&mut work.totals).zip(&outputs) {
                for (view, features) in views.iter().enumerate() {
                    let mut sum = *bias;
                    features.iter().for_each(|feature| add(&mut sum, &rows[usize::from(*feature)]));
                    let begin = shape.output(*output) + view * shape.hidden + strip * STRIP;
                    activate(&sum, lanes(parameters, begin), &mut totals[view]);
                    sums[view] = sum;
                }
            }
        }
        let biases = &parameters[shape.output_bias()..];
        let outputs = outputs.iter().zip(&work.totals).map(|(output, [own, theirs])| {
            biases[*output] + own.iter().sum::<f32>() + theirs.iter().sum::<f32>()
        });
        outputs.map(logistic).collect()
    }

    /// Adds the gradient of a block that went forwards, or writes that of the first one; `slopes` are
    /// those of the loss by its outputs.
    fn backwards(
        &self,
        block: &[Packed],
        slopes: &[f32],
        first: bool,
        gradient: &mut [f32],
        work: &mut Workspace,
    ) {
        let Model { shape, ref parameters } = *self;
        let (rows_and_biases, outputs) = gradient.split_at_mut(shape.output(0));
        let begins: Vec<usize> = block
            .iter()
            .map(|packed| shape.output(output_of(packed.count(), shape.outputs)))
            .collect();
        if first {
            outputs.fill(0.0);
        }
        for (strip, sums) in work.sums.chunks_exact(2 * BLOCK * STRIP).enumerate() {
            let held = work.strip.as_chunks_mut().0;
            if first {
                held.fill([0.0; STRIP]);
            } else {
                copy(held, strip_of(rows_and_biases, shape, strip));
            }
            let (bias, rows) = held.split_last_mut().expect("there are biases");
            let positions = work.features.iter().zip(sums.as_chunks().0.as_chunks::<2>().0);
            for (((views, sums), begin), slope) in positions.zip(&begins).zip(slopes) {
                for (view, features) in views.iter().enumerate() {
                    let begin = begin + view * shape.hidden + strip * STRIP;
                    let by_weights = lanes_mut(outputs, begin - shape.output(0));
                    let weights = lanes(parameters, begin);
                    let slopes = slopes_of(*slope, &sums[view], weights, by_weights);
                    features.iter().for_each(|row| add(&mut rows[usize::from(*row)], &slopes));
                    add(bias, &slopes);
                }
            }
            let to = rows_and_biases.chunks_exact_mut(shape.hidden);
            let to = to.map(|row| &mut row.as_chunks_mut().0[strip]);
            to.zip(&*held).for_each(|(to, lanes)| *to = *lanes);
        }
        for (slope, begin) in slopes.iter().zip(&begins) {
            let output = (begin - shape.output(0)) / (2 * shape.hidden);
            outputs[shape.output_bias() - shape.output(0) + output] += slope;
        }
    }
}

/// Adds `weight * clamp(x, 0, 1)²` to each lane.
#[inline(always)]
fn activate(sums: &Lanes, weights: &Lanes, totals: &mut Lanes) {
    for lane in 0..STRIP {
        let active = sums[lane].clamp(0.0, 1.0);
        totals[lane] += active * active * weights[lane];
    }
}

/// The slopes of the loss by sums, where that by the output is `slope`; adds those by the weights.
#[inline(always)]
fn slopes_of(slope: f32, sums: &Lanes, weights: &Lanes, by_weights: &mut Lanes) -> Lanes {
    let mut slopes = [0.0; STRIP];
    for lane in 0..STRIP {
        let active = sums[lane].clamp(0.0, 1.0);
        // Outside 0 to 1 the activation is flat.
        let inside = if active == sums[lane] { 2.0 * active } else { 0.0 };
        by_weights[lane] += slope * active * active;
        slopes[lane] = slope * weights[lane] * inside;
    }
    slopes
}
