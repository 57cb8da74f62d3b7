use std::ops::{Deref, DerefMut};

use crate::eval::nnue::inputs;
use crate::geometry::Geometry;
use crate::random::Rng;

/// Numbers in memory that begins at a multiple of 64 bytes, so that no vector of them lies on two
/// lines of the cache.
#[derive(Debug)]
pub struct Numbers {
    memory: Vec<f32>,
    begin: usize,
}

impl Numbers {
    /// What the memory may begin with that is not used.
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

/// Neurons of a view that are summed at once; widths are multiples of it.
pub(super) const STRIP: usize = 32;

/// Numbers of the neurons of a strip. All loops over lanes are written so that the compiler makes
/// vectors of them.
pub(super) type Lanes = [f32; STRIP];

/// Numbers of inputs, of hidden neurons of each view, and of outputs. Says where what stands among
/// the parameters.
///
/// Each neuron has a weight for every input, its bias, and for every output two weights, one for
/// each view: these are rows. Parameters stand strip by strip, and in a strip row by row, so that
/// all numbers of a strip are near each other. At the end stand the outputs' biases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub inputs: usize,
    pub hidden: usize,
    pub outputs: usize,
}

impl Shape {
    /// The shape of a network for this board.
    pub fn new<G: Geometry>(hidden: usize, outputs: usize) -> Shape {
        Shape { inputs: inputs::<G>(), hidden, outputs }
    }

    /// The row of biases, behind those of the inputs.
    #[inline(always)]
    pub(super) fn bias_row(self) -> usize {
        self.inputs
    }

    /// The first of the two rows of an output.
    #[inline(always)]
    pub(super) fn output_row(self, output: usize) -> usize {
        self.inputs + 1 + 2 * output
    }

    /// How many rows there are.
    pub(super) fn rows(self) -> usize {
        self.output_row(self.outputs)
    }

    /// How many numbers a strip has.
    pub(super) fn strip(self) -> usize {
        self.rows() * STRIP
    }

    /// Where the numbers of a row stand, neuron after neuron.
    pub(super) fn row(self, row: usize) -> impl Iterator<Item = usize> {
        let strip = self.strip();
        (0..self.hidden).map(move |neuron| neuron / STRIP * strip + row * STRIP + neuron % STRIP)
    }

    pub(super) fn output_bias(self) -> usize {
        self.rows() * self.hidden
    }

    pub(super) fn parameters(self) -> usize {
        self.output_bias() + self.outputs
    }
}

/// A network in floating point.
#[derive(Clone, Debug)]
pub struct Model {
    pub shape: Shape,
    pub(super) parameters: Numbers,
}

impl Model {
    /// A network that knows nothing: weights drawn evenly, biases 0.
    pub fn new(shape: Shape, seed: u64) -> Model {
        let mut rng = Rng::new(seed);
        let mut parameters = Numbers::zeros(shape.parameters());
        let mut draw = |row, most: f32| {
            for place in shape.row(row) {
                let share = (rng.next_u64() >> 40) as f32 / (1_u32 << 23) as f32; // 0 to 2
                parameters[place] = most * (share - 1.0);
            }
        };
        // About thirty inputs are set, so that sums are about 0.3 in size.
        (0..shape.bias_row()).for_each(|row| draw(row, 0.1));
        let most = 1.0 / (shape.hidden as f32).sqrt();
        (shape.output_row(0)..shape.rows()).for_each(|row| draw(row, most));
        Model { shape, parameters }
    }

    /// A network with these parameters, as many as its shape has.
    pub(super) fn of(shape: Shape, numbers: &[f32]) -> Model {
        let mut parameters = Numbers::zeros(shape.parameters());
        parameters.copy_from_slice(numbers);
        Model { shape, parameters }
    }

    /// The network whose rows, neuron after neuron, are these, followed by the outputs' biases.
    pub(super) fn of_rows(shape: Shape, numbers: &[f32]) -> Model {
        let mut parameters = Numbers::zeros(shape.parameters());
        let (rows, biases) = numbers.split_at(shape.output_bias());
        let places = (0..shape.rows()).flat_map(|row| shape.row(row));
        places.zip(rows).for_each(|(place, number)| parameters[place] = *number);
        parameters[shape.output_bias()..].copy_from_slice(biases);
        Model { shape, parameters }
    }

    /// What [`Model::of_rows`] takes.
    pub(super) fn to_rows(&self) -> Vec<f32> {
        let places = (0..self.shape.rows()).flat_map(|row| self.shape.row(row));
        let mut numbers: Vec<f32> = places.map(|place| self.parameters[place]).collect();
        numbers.extend(&self.parameters[self.shape.output_bias()..]);
        numbers
    }

    /// The network of this shape whose output is the mean of those of others: it has their hidden
    /// neurons side by side. What is left of its width is drawn, and has no say in the outputs yet.
    pub(super) fn mean(shape: Shape, parts: &[Model], seed: u64) -> Model {
        let mut parameters = Model::new(shape, seed).parameters;
        let outputs = (shape.output_row(0)..shape.rows()).flat_map(|row| shape.row(row));
        outputs.for_each(|place| parameters[place] = 0.0);
        let share = 1.0 / parts.len() as f32;
        let mut begin = 0;
        for Model { shape: part, parameters: numbers } in parts {
            for row in 0..shape.rows() {
                let factor = if row > shape.bias_row() { share } else { 1.0 };
                let to = shape.row(row).skip(begin);
                to.zip(part.row(row)).for_each(|(to, at)| parameters[to] = factor * numbers[at]);
            }
            let to = &mut parameters[shape.output_bias()..];
            let biases = &numbers[part.output_bias()..];
            to.iter_mut().zip(biases).for_each(|(to, bias)| *to += share * bias);
            begin += part.hidden;
        }
        Model { shape, parameters }
    }
}

/// `1 / (1 + exp(-x))`, the same on every machine.
#[inline]
pub(super) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}
