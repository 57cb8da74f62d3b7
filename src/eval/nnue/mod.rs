//! The neural evaluation: an efficiently updatable network (NNUE; Y. Nasu, 2018) for each board.
//!
//! ```text
//! own view:   3 x 12 x squares + 6 rights ─┐
//!                                          ├─ the same weights ─ H ─ SCReLU ─┐
//! their view: 3 x 12 x squares + 6 rights ─┘                     H ─ SCReLU ─┴─ one output
//! ```
//!
//! A position is seen twice, by the side to move and by the other. Each view counts which piece
//! stands where, whether it is attacked and whether it is defended then, and which rights are left. It
//! turns the board so that its own side plays upwards and its own king stands on the right half. The sums of the first layer, one accumulator for
//! each view, are kept while moves are made: a move changes few inputs.
//!
//! Everything is integer arithmetic, and what could overflow is refused when a network is loaded,
//! so that every kernel gives the same value on every machine. The output is in the search's unit.
//! [`crate::tools::train`] makes networks.
//!
//! | file | holds |
//! | --- | --- |
//! | `features` | the inputs: numbers of pieces on squares and of rights |
//! | `file` | a network's parameters, the form of its file, and what may be wrong with one |
//! | `kernels` | sums of rows and the output, plain and with AVX2 |
//! | `network` | a network ready to evaluate |
//! | `delta` | which inputs a move changes |
//! | `accumulator` | the first layer along a line of moves |
//! | `trace` | what a network thinks of each piece, for people |

mod accumulator;
mod delta;
mod features;
mod file;
mod kernels;
mod network;
#[cfg(test)]
mod tests;
mod trace;

pub use accumulator::Accumulators;
pub use features::{Attacked, FeatureList, MAX_MEN, Man, Perspective, Rights, inputs};
pub use file::{MAX_HIDDEN, NetworkError, OUTPUT_ONE, Parameters, QB, output_bound};
pub use kernels::QA;
pub use network::{Network, output_of};
pub use trace::{evaluate, explain};
