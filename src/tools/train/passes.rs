//! The forward pass, which computes the predictions of a network, and the backward pass, which computes the
//! gradient.
//!
//! The neurons are divided into tiles, and each tile processes all positions. So the weights of a tile stay
//! in the caches near a core, and tiles share only the predictions. Threads divide the tiles among
//! themselves. So there is only one gradient, and every sum is computed in the same order for any number of
//! threads.
//!
//! Consecutive positions of a game have most features in common. So the forward pass computes the sums of a
//! position from the sums of the previous position and the features that have changed. It starts anew where
//! there are more changes than features, or where the files of a view are mirrored. The backward pass goes
//! through the positions in reverse order and adds up the slopes: a feature that appears in a position gets
//! the sum of the slopes from this position on, and a feature that disappears gives them back.
//!
//! The forward pass rounds the weights of the first layer to 16 bits, twice as finely as the engine does. A
//! SIMD vector holds twice as many 16-bit integers as floating-point numbers. The backward pass ignores the
//! rounding (the straight-through estimator; Y. Bengio, N. Léonard, A. Courville, 2013).

use rayon::prelude::*;

use super::model::{Lanes, Model, Shape, TILE, logistic};
use super::packed::{Contents, Packed};
use crate::eval::nnue::{Perspective, output_of};
use crate::geometry::Board;

/// The number of positions whose sums are kept at the same time.
const CHUNK: usize = 8_192;
/// The number of positions whose features one thread prepares at a time.
const BLOCK: usize = 256;

/// The number of partial sums of an output in each tile. A SIMD vector holds all of them.
const PARTS: usize = 8;
type Parts = [f32; PARTS];

/// The integer that stands for an activation of 1. Sums saturate at 32, but real sums stay far below 32.
const ONE: f32 = 1_024.0;

/// The rounded numbers of a tile, one for each neuron.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rounded([i16; TILE]);

impl Rounded {
    fn of(lanes: &Lanes) -> Rounded {
        let mut rounded = Rounded([0; TILE]);
        // A cast to `i16`, or `map` instead of the loop, would prevent vectorisation.
        for (rounded, number) in rounded.0.iter_mut().zip(lanes) {
            let number = (number * ONE).round_ties_even();
            *rounded = number.clamp(i16::MIN.into(), i16::MAX.into()) as i32 as i16;
        }
        rounded
    }

    #[inline(always)]
    fn add(&mut self, other: &Rounded) {
        for lane in 0..TILE {
            self.0[lane] = self.0[lane].saturating_add(other.0[lane]);
        }
    }

    #[inline(always)]
    fn subtract(&mut self, other: &Rounded) {
        for lane in 0..TILE {
            self.0[lane] = self.0[lane].saturating_sub(other.0[lane]);
        }
    }
}

/// The working memory of the forward and the backward pass.
pub(super) struct Passes {
    blocks: Vec<Block>,
    tiles: Vec<Tile>,
}

/// The features of a block of positions.
#[derive(Default)]
struct Block {
    /// Features in White's view and in Black's view.
    features: Vec<[u16; 2]>,
    changes: Vec<Change>,
}

/// How the active features differ from those of the previous position in the block.
struct Change {
    /// Whether all features of the previous position have disappeared.
    fresh: bool,
    /// The rows of output weights of White's view and of Black's view.
    rows: [usize; 2],
    /// Where the features that have appeared begin in `features`, where those that have disappeared begin, and
    /// where these end. If `fresh` is set, no features are listed as disappeared.
    places: [usize; 3],
}

/// The values that a tile of neurons computes.
#[derive(Default)]
struct Tile {
    /// The rounded weights of the tile's inputs, followed by the rounded biases.
    rows: Vec<Rounded>,
    /// For each position, the sums of the neurons before activation, for both views.
    sums: Vec<[Rounded; 2]>,
    /// For each position, the contribution of the tile to the output, in parts.
    totals: Vec<Parts>,
}

impl Block {
    fn read<G: Board>(&mut self, positions: &[Packed], outputs: usize) {
        let Block { features, changes } = self;
        features.clear();
        changes.clear();
        let mut previous: Option<(Contents<G>, [Perspective; 2])> = None;
        for packed in positions {
            let (contents, views) = (packed.contents::<G>(), packed.perspectives::<G>());
            let same_views = previous.as_ref().filter(|(_, others)| *others == views);
            let change = same_views
                .map(|(others, _)| [contents.without(others), others.without(&contents)])
                .filter(|change| change.iter().map(Contents::len).sum::<usize>() < contents.len());
            let [appeared, disappeared] = match &change {
                Some([appeared, disappeared]) => [appeared, disappeared],
                None => [&contents, &Contents::default()],
            };
            let begin = features.len();
            features.extend(appeared.features(views));
            let middle = features.len();
            features.extend(disappeared.features(views));
            let output = 2 * output_of(packed.count(), outputs);
            let theirs = usize::from(!packed.white_to_move());
            changes.push(Change {
                fresh: change.is_none(),
                rows: [output + theirs, output + 1 - theirs],
                places: [begin, middle, features.len()],
            });
            previous = Some((contents, views));
        }
    }

    /// Iterates over the output buckets of the positions.
    fn outputs(&self) -> impl Iterator<Item = usize> {
        self.changes.iter().map(|change| change.rows[0] / 2)
    }

    /// Iterates over the positions. Yields the features that have appeared and those that have disappeared.
    #[inline(always)]
    fn positions(&self) -> impl DoubleEndedIterator<Item = (&Change, [&[[u16; 2]]; 2])> {
        self.changes.iter().map(|change| {
            let [begin, middle, end] = change.places;
            (change, [&self.features[begin..middle], &self.features[middle..end]])
        })
    }
}

impl Tile {
    fn round(&mut self, parameters: &[f32], shape: Shape) {
        let inputs = &parameters.as_chunks().0[..shape.output_row(0)];
        self.rows.clear();
        self.rows.extend(inputs.iter().map(Rounded::of));
    }

    fn forwards(&mut self, parameters: &[f32], shape: Shape, blocks: &[Block]) {
        let outputs = &parameters.as_chunks().0[shape.output_row(0)..];
        self.sums.clear();
        self.totals.clear();
        let (bias, rows) = self.rows.split_last().expect("there are biases");
        let mut sums = [*bias; 2];
        for (change, [appeared, disappeared]) in blocks.iter().flat_map(Block::positions) {
            if change.fresh {
                sums = [*bias; 2];
            }
            for features in appeared {
                (0..2).for_each(|view| sums[view].add(&rows[usize::from(features[view])]));
            }
            for features in disappeared {
                (0..2).for_each(|view| sums[view].subtract(&rows[usize::from(features[view])]));
            }
            let mut totals = [0.0; TILE];
            (0..2).for_each(|view| activate(&sums[view], &outputs[change.rows[view]], &mut totals));
            self.sums.push(sums);
            self.totals.push(parts_of(&totals));
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
        let positions = blocks.iter().flat_map(Block::positions).rev();
        let mut totals = [[0.0; TILE]; 2];
        for (((change, [appeared, disappeared]), sums), slope) in
            positions.zip(self.sums.iter().rev()).zip(slopes.iter().rev())
        {
            for (view, total) in totals.iter_mut().enumerate() {
                let row = change.rows[view];
                add_slopes(*slope, &sums[view], &outputs[row], &mut by_outputs[row], total);
            }
            for features in appeared {
                (0..2).for_each(|view| add(&mut rows[usize::from(features[view])], &totals[view]));
            }
            for features in disappeared {
                (0..2).for_each(|view| {
                    subtract(&mut rows[usize::from(features[view])], &totals[view])
                });
            }
            if change.fresh {
                (0..2).for_each(|view| add(bias, &totals[view]));
                totals = [[0.0; TILE]; 2];
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
        self.round(model);
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
        self.round(model);
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

    /// Rounds the weights of the first layer. Must be called before a forward pass.
    fn round(&mut self, model: &Model) {
        let numbers = model.parameters.par_chunks_exact(model.shape.tile());
        let parts = self.tiles.par_iter_mut().zip(numbers);
        parts.for_each(|(tile, numbers)| tile.round(numbers, model.shape));
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
        let outputs: Vec<usize> = blocks.iter().flat_map(Block::outputs).collect();
        let predict = |(number, output): (usize, usize)| {
            let mut sums = [0.0; PARTS];
            tiles.iter().for_each(|tile| add(&mut sums, &tile.totals[number]));
            logistic(biases[output] + sums.iter().sum::<f32>() / (ONE * ONE))
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
        let outputs = blocks.iter().flat_map(Block::outputs);
        outputs.zip(slopes).for_each(|(output, slope)| biases[output] += slope);
    }
}

#[inline(always)]
fn add<const N: usize>(to: &mut [f32; N], numbers: &[f32; N]) {
    for lane in 0..N {
        to[lane] += numbers[lane];
    }
}

#[inline(always)]
fn subtract(from: &mut Lanes, lanes: &Lanes) {
    for lane in 0..TILE {
        from[lane] -= lanes[lane];
    }
}

/// Adds up the lanes, except the last additions, which need no SIMD vectors.
#[inline(always)]
fn parts_of(lanes: &Lanes) -> Parts {
    let mut parts = [0.0; PARTS];
    lanes.as_chunks().0.iter().for_each(|chunk| add(&mut parts, chunk));
    parts
}

/// Adds `weight * clamp(x, 0, ONE)²` to the total of each lane, where `x` is the sum of the lane.
#[inline(always)]
fn activate(sums: &Rounded, weights: &Lanes, totals: &mut Lanes) {
    for lane in 0..TILE {
        let active = f32::from(sums.0[lane]).clamp(0.0, ONE);
        totals[lane] += active * active * weights[lane];
    }
}

/// Adds the derivatives of the loss with respect to the sums to `by_sums`, and those with respect to the
/// output weights to `by_weights`. `slope` is the derivative with respect to the output.
#[inline(always)]
fn add_slopes(
    slope: f32,
    sums: &Rounded,
    weights: &Lanes,
    by_weights: &mut Lanes,
    by_sums: &mut Lanes,
) {
    for lane in 0..TILE {
        let sum = f32::from(sums.0[lane]);
        let active = sum.clamp(0.0, ONE);
        // Outside the interval from 0 to 1 the activation is constant, so the derivative is 0.
        let inside = if active == sum { 2.0 / ONE * active } else { 0.0 };
        by_weights[lane] += slope / (ONE * ONE) * (active * active);
        by_sums[lane] += slope * weights[lane] * inside;
    }
}
