//! Forwards to what a network predicts, and backwards to the slopes of the loss.
//!
//! A strip of neurons after the other goes through all positions: its weights stay in the caches near
//! a core, and strips share nothing but the predictions. So threads divide the strips, one gradient is
//! enough, and every sum is taken in the same order whatever the number of threads.
//!
//! Forwards the weights of the first layer are rounded to 16 bits, twice as fine as the engine's,
//! so that twice as many are summed at once. Backwards this is left out of account (the
//! straight-through estimator; Y. Bengio, N. Léonard, A. Courville, 2013).

use rayon::prelude::*;

use super::model::{Lanes, Model, STRIP, Shape, logistic};
use super::positions::Packed;
use crate::attacks::Board;
use crate::eval::nnue::output_of;

/// Positions whose sums are kept at once.
const PIECE: usize = 8_192;
/// Positions that one thread prepares in a row.
const BLOCK: usize = 256;

/// What an activation of 1 is in rounded numbers: 32 of it are far from what sums come to.
const ONE: f32 = 1_024.0;

/// Rounded numbers of the neurons of a strip.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rounded([i16; STRIP]);

impl Rounded {
    fn of(lanes: &Lanes) -> Rounded {
        Rounded(lanes.map(|number| (number * ONE).round_ties_even() as i16))
    }

    #[inline(always)]
    fn add(&mut self, other: &Rounded) {
        for lane in 0..STRIP {
            self.0[lane] = self.0[lane].saturating_add(other.0[lane]);
        }
    }
}

/// Where positions are worked on.
pub(super) struct Passes {
    blocks: Vec<Block>,
    strips: Vec<Strip>,
}

/// The inputs of positions.
#[derive(Default)]
struct Block {
    /// Those that are set, view after view.
    features: Vec<u16>,
    /// Where those of both views end, by position, and the position's output.
    ends: Vec<([usize; 2], usize)>,
}

/// What a strip of neurons makes of positions.
#[derive(Default)]
struct Strip {
    /// Its weights of the inputs, then its biases.
    rows: Vec<Rounded>,
    /// Its sums of both views.
    sums: Vec<[Rounded; 2]>,
    /// What it adds to the output.
    totals: Vec<f32>,
}

impl Block {
    fn read<G: Board>(&mut self, positions: &[Packed], outputs: usize) {
        self.features.clear();
        self.ends.clear();
        for packed in positions {
            let ends = packed.features::<G>().map(|view| {
                self.features.extend(view);
                self.features.len()
            });
            self.ends.push((ends, output_of(packed.count(), outputs)));
        }
    }

    /// Both views of each position, and its output.
    #[inline(always)]
    fn positions(&self) -> impl Iterator<Item = ([&[u16]; 2], usize)> {
        let mut begin = 0;
        self.ends.iter().map(move |([middle, end], output)| {
            let views = [&self.features[begin..*middle], &self.features[*middle..*end]];
            begin = *end;
            (views, *output)
        })
    }
}

impl Strip {
    fn forwards(&mut self, parameters: &[f32], shape: Shape, blocks: &[Block]) {
        let (inputs, outputs) = parameters.as_chunks().0.split_at(shape.output_row(0));
        self.rows.clear();
        self.rows.extend(inputs.iter().map(Rounded::of));
        self.sums.clear();
        self.totals.clear();
        let (bias, rows) = self.rows.split_last().expect("there are biases");
        for (views, output) in blocks.iter().flat_map(Block::positions) {
            let mut totals = [0.0; STRIP];
            let mut sums = [*bias; 2];
            for view in 0..2 {
                let sum = &mut sums[view];
                views[view].iter().for_each(|feature| sum.add(&rows[usize::from(*feature)]));
                activate(sum, &outputs[2 * output + view], &mut totals);
            }
            self.sums.push(sums);
            self.totals.push(sum_of(&totals) / (ONE * ONE));
        }
    }

    /// Adds to the gradient of this strip; `slopes` are those of the loss by the outputs.
    fn backwards(
        &self,
        parameters: &[f32],
        gradient: &mut [f32],
        shape: Shape,
        blocks: &[Block],
        slopes: &[f32],
    ) {
        let outputs = &parameters.as_chunks().0[shape.output_row(0)..];
        let (rows, by_outputs) = gradient.as_chunks_mut().0.split_at_mut(shape.output_row(0));
        let (bias, rows) = rows.split_last_mut().expect("there are biases");
        let positions = blocks.iter().flat_map(Block::positions);
        for (((views, output), sums), slope) in positions.zip(&self.sums).zip(slopes) {
            for view in 0..2 {
                let row = 2 * output + view;
                let slopes = slopes_of(*slope, &sums[view], &outputs[row], &mut by_outputs[row]);
                views[view].iter().for_each(|row| add(&mut rows[usize::from(*row)], &slopes));
                add(bias, &slopes);
            }
        }
    }
}

impl Passes {
    pub fn new(shape: Shape) -> Passes {
        let strips = (0..shape.hidden / STRIP).map(|_| Strip::default());
        Passes { blocks: Vec::new(), strips: strips.collect() }
    }

    /// What the network predicts of positions: the expected points of the side to move.
    pub fn predict<G: Board>(&mut self, model: &Model, positions: &[Packed]) -> Vec<f32> {
        let pieces = positions.chunks(PIECE);
        pieces.flat_map(|piece| self.forwards::<G>(model, piece)).collect()
    }

    /// Writes the gradient of positions' losses, `weight * (prediction - target)²`, times `share`.
    /// `aim` says target and weight. Returns the sum of the losses.
    pub fn learn<G: Board>(
        &mut self,
        model: &Model,
        positions: &[Packed],
        aim: impl Fn(&Packed) -> (f32, f32) + Sync,
        share: f32,
        gradient: &mut [f32],
    ) -> f64 {
        let mut loss = 0.0;
        gradient.fill(0.0);
        for piece in positions.chunks(PIECE) {
            let predictions = self.forwards::<G>(model, piece);
            let (losses, slopes): (Vec<f32>, Vec<f32>) = piece
                .par_iter()
                .zip(predictions)
                .map(|(packed, prediction)| {
                    let (target, weight) = aim(packed);
                    let error = prediction - target;
                    let slope = 2.0 * error * prediction * (1.0 - prediction);
                    (weight * (error * error), share * weight * slope)
                })
                .unzip();
            loss += losses.into_iter().map(f64::from).sum::<f64>();
            self.backwards(model, &slopes, gradient);
        }
        loss
    }

    /// Predicts positions, and keeps their inputs and sums.
    fn forwards<G: Board>(&mut self, model: &Model, piece: &[Packed]) -> Vec<f32> {
        let Model { shape, ref parameters } = *model;
        let Passes { blocks, strips } = self;
        blocks.resize_with(piece.len().div_ceil(BLOCK), Block::default);
        let parts = blocks.par_iter_mut().zip(piece.par_chunks(BLOCK));
        parts.for_each(|(block, positions)| block.read::<G>(positions, shape.outputs));
        let parts = strips.par_iter_mut().zip(parameters.par_chunks_exact(shape.strip()));
        parts.with_max_len(1).for_each(|(strip, numbers)| strip.forwards(numbers, shape, blocks));
        let biases = &parameters[shape.output_bias()..];
        let outputs: Vec<usize> =
            blocks.iter().flat_map(|block| &block.ends).map(|(_, output)| *output).collect();
        let predict = |(number, output): (usize, usize)| {
            let totals = strips.iter().map(|strip| strip.totals[number]);
            logistic(biases[output] + totals.sum::<f32>())
        };
        outputs.into_par_iter().enumerate().map(predict).collect()
    }

    /// Adds the gradient of what went forwards; `slopes` are those of the loss by its outputs.
    fn backwards(&self, model: &Model, slopes: &[f32], gradient: &mut [f32]) {
        let Model { shape, ref parameters } = *model;
        let Passes { blocks, strips } = self;
        let (rows, biases) = gradient.split_at_mut(shape.output_bias());
        let numbers = parameters.par_chunks_exact(shape.strip());
        let parts = strips.par_iter().zip(numbers).zip(rows.par_chunks_exact_mut(shape.strip()));
        parts.with_max_len(1).for_each(|((strip, numbers), gradient)| {
            strip.backwards(numbers, gradient, shape, blocks, slopes);
        });
        let outputs = blocks.iter().flat_map(|block| &block.ends);
        outputs.zip(slopes).for_each(|((_, output), slope)| biases[*output] += slope);
    }
}

#[inline(always)]
fn add(to: &mut Lanes, lanes: &Lanes) {
    for lane in 0..STRIP {
        to[lane] += lanes[lane];
    }
}

/// The sum of all lanes: halves are added until one is left.
#[inline(always)]
fn sum_of(lanes: &Lanes) -> f32 {
    let mut lanes = *lanes;
    let mut width = STRIP;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
    }
    lanes[0]
}

/// Adds `weight * clamp(x, 0, ONE)²` to each lane.
#[inline(always)]
fn activate(sums: &Rounded, weights: &Lanes, totals: &mut Lanes) {
    for lane in 0..STRIP {
        let active = f32::from(sums.0[lane]).clamp(0.0, ONE);
        totals[lane] += active * active * weights[lane];
    }
}

/// The slopes of the loss by sums, where that by the output is `slope`; adds those by the weights.
#[inline(always)]
fn slopes_of(slope: f32, sums: &Rounded, weights: &Lanes, by_weights: &mut Lanes) -> Lanes {
    let mut slopes = [0.0; STRIP];
    for lane in 0..STRIP {
        let sum = f32::from(sums.0[lane]);
        let active = sum.clamp(0.0, ONE);
        // Outside 0 to 1 the activation is flat.
        let inside = if active == sum { 2.0 / ONE * active } else { 0.0 };
        by_weights[lane] += slope / (ONE * ONE) * (active * active);
        slopes[lane] = slope * weights[lane] * inside;
    }
    slopes
}
