//! The forward pass, which computes the predictions of a network, and the backward pass, which computes the
//! gradient.
//!
//! The neurons are divided into tiles, and each tile processes all positions. So the weights of a tile stay
//! in the caches near a core, and tiles share only the predictions. Threads divide the tiles among
//! themselves. So there is only one gradient, and every sum is computed in the same order for any number of
//! threads.
//!
//! The forward pass rounds the weights of the first layer to 16 bits, twice as finely as the engine does. A
//! SIMD vector holds twice as many 16-bit integers as floating-point numbers. The backward pass ignores the
//! rounding (the straight-through estimator; Y. Bengio, N. Léonard, A. Courville, 2013).

use rayon::prelude::*;

use super::model::{Lanes, Model, Shape, TILE, logistic};
use super::positions::Packed;
use crate::eval::nnue::output_of;
use crate::geometry::Board;

/// The number of positions whose sums are kept at the same time.
const CHUNK: usize = 8_192;
/// The number of positions whose features one thread prepares at a time.
const BLOCK: usize = 256;

/// The integer that stands for an activation of 1. Sums saturate at 32, but real sums stay far below 32.
const ONE: f32 = 1_024.0;

/// The rounded numbers of a tile, one for each neuron.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rounded([i16; TILE]);

impl Rounded {
    fn of(lanes: &Lanes) -> Rounded {
        Rounded(lanes.map(|number| (number * ONE).round_ties_even() as i16))
    }

    #[inline(always)]
    fn add(&mut self, other: &Rounded) {
        for lane in 0..TILE {
            self.0[lane] = self.0[lane].saturating_add(other.0[lane]);
        }
    }
}

/// The working memory of the forward and the backward pass.
pub(super) struct Passes {
    blocks: Vec<Block>,
    tiles: Vec<Tile>,
}

/// The active features of a block of positions.
#[derive(Default)]
struct Block {
    /// The features of all positions. For each position, the features of its first view precede those of its
    /// second view.
    features: Vec<u16>,
    /// For each position, the end of each view's features in `features`, and the output bucket.
    ends: Vec<([usize; 2], usize)>,
}

/// The values that a tile of neurons computes.
#[derive(Default)]
struct Tile {
    /// The rounded weights of the tile's inputs, followed by the rounded biases.
    rows: Vec<Rounded>,
    /// For each position, the sums of the neurons before activation, for both views.
    sums: Vec<[Rounded; 2]>,
    /// For each position, the contribution of the tile to the output.
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

    /// Iterates over the positions. Yields the features of both views and the output bucket.
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

impl Tile {
    fn forwards(&mut self, parameters: &[f32], shape: Shape, blocks: &[Block]) {
        let (inputs, outputs) = parameters.as_chunks().0.split_at(shape.output_row(0));
        self.rows.clear();
        self.rows.extend(inputs.iter().map(Rounded::of));
        self.sums.clear();
        self.totals.clear();
        let (bias, rows) = self.rows.split_last().expect("there are biases");
        for (views, output) in blocks.iter().flat_map(Block::positions) {
            let mut totals = [0.0; TILE];
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

    /// Adds the gradient of this tile's parameters to `gradient`. `slopes` has the derivative of the loss
    /// with respect to the output, for each position.
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
        let tiles = (0..shape.hidden / TILE).map(|_| Tile::default());
        Passes { blocks: Vec::new(), tiles: tiles.collect() }
    }

    /// Predicts the expected points of the side to move for each position.
    pub fn predict<G: Board>(&mut self, model: &Model, positions: &[Packed]) -> Vec<f32> {
        let chunks = positions.chunks(CHUNK);
        chunks.flat_map(|chunk| self.forwards::<G>(model, chunk)).collect()
    }

    /// Computes the gradient of the total loss, multiplied by `share`, and writes it to `gradient`. The loss
    /// of a position is `weight * (prediction - target)²`; `aim` returns the target and the weight of a
    /// position. Returns the sum of the losses.
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
        for chunk in positions.chunks(CHUNK) {
            let predictions = self.forwards::<G>(model, chunk);
            let (losses, slopes): (Vec<f32>, Vec<f32>) = chunk
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

    /// Predicts positions. Keeps the features and sums of the positions for the backward pass.
    fn forwards<G: Board>(&mut self, model: &Model, chunk: &[Packed]) -> Vec<f32> {
        let Model { shape, ref parameters } = *model;
        let Passes { blocks, tiles } = self;
        blocks.resize_with(chunk.len().div_ceil(BLOCK), Block::default);
        let parts = blocks.par_iter_mut().zip(chunk.par_chunks(BLOCK));
        parts.for_each(|(block, positions)| block.read::<G>(positions, shape.outputs));
        let parts = tiles.par_iter_mut().zip(parameters.par_chunks_exact(shape.tile()));
        parts.with_max_len(1).for_each(|(tile, numbers)| tile.forwards(numbers, shape, blocks));
        let biases = &parameters[shape.output_bias()..];
        let outputs: Vec<usize> =
            blocks.iter().flat_map(|block| &block.ends).map(|(_, output)| *output).collect();
        let predict = |(number, output): (usize, usize)| {
            let totals = tiles.iter().map(|tile| tile.totals[number]);
            logistic(biases[output] + totals.sum::<f32>())
        };
        outputs.into_par_iter().enumerate().map(predict).collect()
    }

    /// Adds the gradient for the positions of the last forward pass to `gradient`. `slopes` has the
    /// derivative of the loss with respect to the output, for each position.
    fn backwards(&self, model: &Model, slopes: &[f32], gradient: &mut [f32]) {
        let Model { shape, ref parameters } = *model;
        let Passes { blocks, tiles } = self;
        let (rows, biases) = gradient.split_at_mut(shape.output_bias());
        let numbers = parameters.par_chunks_exact(shape.tile());
        let parts = tiles.par_iter().zip(numbers).zip(rows.par_chunks_exact_mut(shape.tile()));
        parts.with_max_len(1).for_each(|((tile, numbers), gradient)| {
            tile.backwards(numbers, gradient, shape, blocks, slopes);
        });
        let outputs = blocks.iter().flat_map(|block| &block.ends);
        outputs.zip(slopes).for_each(|((_, output), slope)| biases[*output] += slope);
    }
}

#[inline(always)]
fn add(to: &mut Lanes, lanes: &Lanes) {
    for lane in 0..TILE {
        to[lane] += lanes[lane];
    }
}

/// Returns the sum of all lanes. Adds one half of the lanes to the other half until one lane is left.
#[inline(always)]
fn sum_of(lanes: &Lanes) -> f32 {
    let mut lanes = *lanes;
    let mut width = TILE;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
    }
    lanes[0]
}

/// Adds `weight * clamp(x, 0, ONE)²` to the total of each lane, where `x` is the sum of the lane.
#[inline(always)]
fn activate(sums: &Rounded, weights: &Lanes, totals: &mut Lanes) {
    for lane in 0..TILE {
        let active = f32::from(sums.0[lane]).clamp(0.0, ONE);
        totals[lane] += active * active * weights[lane];
    }
}

/// Returns the derivatives of the loss with respect to the sums. `slope` is the derivative with respect to
/// the output. Adds the derivatives with respect to the output weights to `by_weights`.
#[inline(always)]
fn slopes_of(slope: f32, sums: &Rounded, weights: &Lanes, by_weights: &mut Lanes) -> Lanes {
    let mut slopes = [0.0; TILE];
    for lane in 0..TILE {
        let sum = f32::from(sums.0[lane]);
        let active = sum.clamp(0.0, ONE);
        // Outside the interval from 0 to 1 the activation is constant, so the derivative is 0.
        let inside = if active == sum { 2.0 / ONE * active } else { 0.0 };
        by_weights[lane] += slope / (ONE * ONE) * (active * active);
        slopes[lane] = slope * weights[lane] * inside;
    }
    slopes
}
