//! The floating-point network: shape, memory layout and initial weights.

use std::ops::{Deref, DerefMut};

use crate::eval::nnue::inputs;
use crate::geometry::Board;
use crate::random::Rng;

/// Numbers in memory that is aligned to 64 bytes, so that no SIMD vector crosses a cache line.
#[derive(Debug)]
pub struct Numbers {
    memory: Vec<f32>,
    begin: usize,
}

impl Numbers {
    /// The maximum number of elements that the alignment leaves unused.
    const SPARE: usize = 64 / size_of::<f32>() - 1;

    pub fn zeros(count: usize) -> Numbers {
        let memory = vec![0.0; count + Numbers::SPARE];
        let begin = memory.as_ptr().align_offset(64).min(Numbers::SPARE);
        Numbers { memory, begin }
    }
}

impl Clone for Numbers {
    fn clone(&self) -> Numbers {
        let mut copy = Numbers::zeros(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl Deref for Numbers {
    type Target = [f32];

    #[inline(always)]
    fn deref(&self) -> &[f32] {
        &self.memory[self.begin..self.memory.len() - (Numbers::SPARE - self.begin)]
    }
}

impl DerefMut for Numbers {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32] {
        let end = self.memory.len() - (Numbers::SPARE - self.begin);
        &mut self.memory[self.begin..end]
    }
}

/// The number of neurons of a view that are processed together. The width of a hidden layer is a multiple of
/// `TILE`.
pub(super) const TILE: usize = 32;

/// One number for each neuron of a tile. Loops over the lanes are written in a form that the compiler can
/// vectorise.
pub(super) type Lanes = [f32; TILE];

/// The sizes of a network: inputs, hidden neurons of each view, and outputs. The shape determines the layout
/// of the parameters.
///
/// A row has one number for each hidden neuron: the weight of an input, the bias, or the weight for an output
/// and a view. Parameters are stored tile by tile, and in each tile row by row. So the numbers of a tile are
/// contiguous. The biases of the outputs are at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub inputs: usize,
    pub hidden: usize,
    pub outputs: usize,
}

impl Shape {
    /// Returns the shape of a network for this board.
    pub fn new<G: Board>(hidden: usize, outputs: usize) -> Shape {
        Shape { inputs: inputs::<G>(), hidden, outputs }
    }

    /// Returns the index of the row of biases, which follows the rows of the inputs.
    #[inline(always)]
    pub(super) fn bias_row(self) -> usize {
        self.inputs
    }

    /// Returns the index of the first row of an output. Each output has two rows, one for each view.
    #[inline(always)]
    pub(super) fn output_row(self, output: usize) -> usize {
        self.inputs + 1 + 2 * output
    }

    /// Returns the number of rows.
    pub(super) fn rows(self) -> usize {
        self.output_row(self.outputs)
    }

    /// Returns the number of parameters of a tile.
    pub(super) fn tile(self) -> usize {
        self.rows() * TILE
    }

    /// Returns the indices of the parameters of a row, neuron by neuron.
    pub(super) fn row(self, row: usize) -> impl Iterator<Item = usize> {
        let tile = self.tile();
        (0..self.hidden).map(move |neuron| neuron / TILE * tile + row * TILE + neuron % TILE)
    }

    pub(super) fn output_bias(self) -> usize {
        self.rows() * self.hidden
    }

    pub(super) fn parameters(self) -> usize {
        self.output_bias() + self.outputs
    }
}

/// A floating-point network.
#[derive(Clone, Debug)]
pub struct Model {
    pub shape: Shape,
    pub(super) parameters: Numbers,
}

impl Model {
    /// Creates a network with uniformly random weights. All biases are 0.
    pub fn new(shape: Shape, seed: u64) -> Model {
        let mut rng = Rng::new(seed);
        let mut parameters = Numbers::zeros(shape.parameters());
        let mut draw = |row, most: f32| {
            for place in shape.row(row) {
                let share = (rng.next_u64() >> 40) as f32 / (1_u32 << 23) as f32; // from 0 to 2
                parameters[place] = most * (share - 1.0);
            }
        };
        // About thirty inputs are active, so that the absolute value of a sum is about 0.3.
        (0..shape.bias_row()).for_each(|row| draw(row, 0.1));
        let most = 1.0 / (shape.hidden as f32).sqrt();
        (shape.output_row(0)..shape.rows()).for_each(|row| draw(row, most));
        Model { shape, parameters }
    }

    /// Creates a network from the numbers of all rows, in order, and the output biases at the end. Each row
    /// has a number for each neuron.
    pub(super) fn of_rows(shape: Shape, numbers: &[f32]) -> Model {
        let mut parameters = Numbers::zeros(shape.parameters());
        let (rows, biases) = numbers.split_at(shape.output_bias());
        let places = (0..shape.rows()).flat_map(|row| shape.row(row));
        places.zip(rows).for_each(|(place, number)| parameters[place] = *number);
        parameters[shape.output_bias()..].copy_from_slice(biases);
        Model { shape, parameters }
    }

    /// Returns the numbers from which [`Model::of_rows`] creates this network.
    pub(super) fn to_rows(&self) -> Vec<f32> {
        let places = (0..self.shape.rows()).flat_map(|row| self.shape.row(row));
        let mut numbers: Vec<f32> = places.map(|place| self.parameters[place]).collect();
        numbers.extend(&self.parameters[self.shape.output_bias()..]);
        numbers
    }
}

/// Returns `1 / (1 + exp(-x))`. The result is the same on every machine.
#[inline]
pub(super) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}
