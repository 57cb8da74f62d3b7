//! A network ready to evaluate: holds the weights in rows of lanes, and computes the sums of a view and the
//! output.

use std::marker::PhantomData;

use super::features::FeatureList;
use super::file::{NetworkError, OUTPUT_ONE, Parameters};
use super::kernels::{Kernel, Lanes};
use crate::geometry::Board;
use crate::types::Value;
use crate::types::score::MAX_EVAL;

/// At most `MOST` rows of weights.
type Rows<'a, const MOST: usize> = arrayvec::ArrayVec<&'a [Lanes], MOST>;

/// A network ready to evaluate, shared by all searches.
pub struct Network<G> {
    parameters: Parameters,
    hash: u32,
    kernel: Kernel,
    /// The number of [`Lanes`] in a row, which has one number for each hidden neuron.
    width: usize,
    input_weights: Box<[Lanes]>,
    input_bias: Box<[Lanes]>,
    /// The weights of the second layer, ordered by output, then by view.
    output_weights: Box<[Lanes]>,
    board: PhantomData<G>,
}

impl<G: Board> Network<G> {
    /// Creates a network from parameters. Fails if a sum could overflow.
    pub fn new(parameters: Parameters) -> Result<Network<G>, NetworkError> {
        parameters.check::<G>()?;
        Ok(Network::of_checked(parameters))
    }

    fn of_checked(parameters: Parameters) -> Network<G> {
        Network {
            hash: parameters.hash::<G>(),
            kernel: Kernel::best(),
            width: parameters.hidden / Lanes::WIDTH,
            input_weights: lanes(&parameters.input_weights),
            input_bias: lanes(&parameters.input_bias),
            output_weights: lanes(&parameters.output_weights),
            parameters,
            board: PhantomData,
        }
    }

    /// Parses the bytes of a network file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network<G>, NetworkError> {
        Ok(Network::of_checked(Parameters::from_bytes::<G>(bytes)?))
    }

    /// Returns the same network with another kernel, for tests and measurements.
    #[cfg(test)]
    pub(super) fn with_kernel(mut self, kernel: Kernel) -> Network<G> {
        self.kernel = kernel;
        self
    }

    pub fn name(&self) -> &str {
        &self.parameters.name
    }

    /// Returns the hash in the header of the network's file. The hash identifies the network.
    pub fn hash(&self) -> u32 {
        self.hash
    }

    /// Returns the number of hidden neurons of each view.
    pub fn hidden(&self) -> usize {
        self.parameters.hidden
    }

    /// Returns the number of [`Lanes`] in the sums of one view.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    #[inline(always)]
    fn row(&self, feature: u16) -> &[Lanes] {
        let begin = usize::from(feature) * self.width;
        &self.input_weights[begin..begin + self.width]
    }

    /// Computes the sums of a view from scratch. `features` are all inputs that are set.
    pub(super) fn refresh(&self, to: &mut [Lanes], features: &FeatureList) {
        let rows: Rows<{ super::features::MAX_ACTIVE }> =
            features.iter().map(|&feature| self.row(feature)).collect();
        self.kernel.update(to, &self.input_bias, &rows, &[]);
    }

    /// Computes the sums of a view from the previous sums and the changed inputs.
    #[inline]
    pub(super) fn update(
        &self,
        to: &mut [Lanes],
        from: &[Lanes],
        set: impl Iterator<Item = u16>,
        unset: impl Iterator<Item = u16>,
    ) {
        let mut adds: Rows<{ super::delta::MOST }> = Rows::new();
        let mut subs: Rows<{ super::delta::MOST }> = Rows::new();
        set.for_each(|feature| adds.push(self.row(feature)));
        unset.for_each(|feature| subs.push(self.row(feature)));
        self.kernel.update(to, from, &adds, &subs);
    }

    /// Returns the value for the side to move in centipawns. `views` holds the sums of the view of the side
    /// to move and of the opponent's view. `pieces` is the number of pieces on the board.
    #[inline]
    pub(super) fn output(&self, views: [&[Lanes]; 2], pieces: usize) -> Value {
        let outputs = self.parameters.outputs();
        let output = output_of(pieces, outputs);
        let begin = output * 2 * self.width;
        let (own, theirs) = self.output_weights[begin..begin + 2 * self.width].split_at(self.width);
        let sum = self.kernel.output(views[0], own) + self.kernel.output(views[1], theirs);
        let sum = i64::from(sum + self.parameters.output_bias[output]);
        let value = sum * i64::from(self.parameters.scale) / i64::from(OUTPUT_ONE);
        value.clamp(i64::from(-MAX_EVAL), i64::from(MAX_EVAL)) as Value
    }

    /// Returns the value of a position in centipawns. `views` holds the inputs in the view of the side to
    /// move and in the opponent's view. The function is slow and serves tests and tools.
    pub fn evaluate(&self, views: [&FeatureList; 2], pieces: usize) -> Value {
        let sums = views.map(|features| {
            let mut sums = vec![Lanes::ZERO; self.width];
            self.refresh(&mut sums, features);
            sums
        });
        self.output([&sums[0], &sums[1]], pieces)
    }
}

/// Returns the index of the output for this number of pieces. Each output covers an equal share of the
/// numbers from 2 to 32.
#[inline(always)]
pub fn output_of(pieces: usize, outputs: usize) -> usize {
    pieces.saturating_sub(1) * outputs / super::features::MAX_PIECES
}

fn lanes(numbers: &[i16]) -> Box<[Lanes]> {
    numbers.as_chunks().0.iter().map(|chunk| Lanes(*chunk)).collect()
}
