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

/// Numbers of inputs, of hidden neurons of each view, and of outputs. Says where what stands among
/// the parameters: rows of weights of the inputs, their biases, two rows for each output, and the
/// outputs' biases.
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

    #[inline(always)]
    pub(super) fn bias(self) -> usize {
        self.inputs * self.hidden
    }

    /// Where the two rows of an output begin.
    #[inline(always)]
    pub(super) fn output(self, output: usize) -> usize {
        (self.inputs + 1 + 2 * output) * self.hidden
    }

    pub(super) fn output_bias(self) -> usize {
        self.output(self.outputs)
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
        let mut draw = |numbers: &mut [f32], most: f32| {
            for number in numbers {
                let share = (rng.next_u64() >> 40) as f32 / (1_u32 << 23) as f32; // 0 to 2
                *number = most * (share - 1.0);
            }
        };
        // About thirty inputs are set, so that sums are about 0.3 in size.
        draw(&mut parameters[..shape.bias()], 0.1);
        let outputs = shape.output(0)..shape.output_bias();
        draw(&mut parameters[outputs], 1.0 / (shape.hidden as f32).sqrt());
        Model { shape, parameters }
    }

    /// A network with these parameters, as many as its shape has.
    pub(super) fn of(shape: Shape, numbers: &[f32]) -> Model {
        let mut parameters = Numbers::zeros(shape.parameters());
        parameters.copy_from_slice(numbers);
        Model { shape, parameters }
    }

    /// The network of this shape whose output is the mean of those of others: it has their hidden
    /// neurons side by side.
    pub(super) fn mean(shape: Shape, parts: &[Model]) -> Model {
        let mut parameters = Numbers::zeros(shape.parameters());
        let share = 1.0 / parts.len() as f32;
        let mut begin = 0;
        for Model { shape: part, parameters: numbers } in parts {
            let (rows, biases) = numbers.split_at(part.output_bias());
            for (number, row) in rows.chunks_exact(part.hidden).enumerate() {
                // Rows of inputs, that of their biases, then those of the outputs.
                let factor = if number > shape.inputs { share } else { 1.0 };
                let to = &mut parameters[number * shape.hidden + begin..][..part.hidden];
                to.iter_mut().zip(row).for_each(|(to, weight)| *to = factor * weight);
            }
            let to = &mut parameters[shape.output_bias()..];
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
