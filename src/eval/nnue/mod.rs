//! The neural evaluation: an efficiently updatable network (NNUE; Y. Nasu, 2018) for each board.
//!
//! ```text
//! own view:   3 x 12 x squares + 6 rights ─┐
//!                                          ├─ the same weights ─ H ─ SCReLU ─┐
//! their view: 3 x 12 x squares + 6 rights ─┘                     H ─ SCReLU ─┴─ one output
//! ```
//!
//! A position is seen from two perspectives, that of the side to move and that of the other side.
//! The inputs of a view are the pieces on their squares, each with whether it is attacked and, if
//! so, whether it is defended, and the remaining rights. A view flips the board so that its own
//! side plays upwards and its own king stands on the right half. The sums of the first layer, one
//! accumulator for each view, are updated incrementally, because a move changes few inputs.
//!
//! Everything is integer arithmetic. A network that could overflow is rejected when it is loaded,
//! so every kernel gives the same value on every machine. The output is in the search's unit.
//! [`crate::tools::train`] trains networks.
//!
//! | file | contents |
//! | --- | --- |
//! | `features` | the inputs: indices of pieces on squares and of rights |
//! | `file` | a network's parameters, its file format, and its errors |
//! | `kernels` | sums of rows and the output, scalar and vectorised |
//! | `network` | a network ready to evaluate |
//! | `delta` | which inputs a move changes |
//! | `accumulator` | the first layer along a line of moves |
//! | `trace` | the value of each piece, for people |

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
pub use features::{Attacked, FeatureList, MAX_PIECES, Perspective, PlacedPiece, Rights, inputs};
pub use file::{MAX_HIDDEN, NetworkError, OUTPUT_ONE, Parameters, QB, output_bound};
pub use kernels::QA;
pub use network::{Network, output_of};
pub use trace::{evaluate, explain};
