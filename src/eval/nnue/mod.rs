//! The neural evaluation: an efficiently updatable network (NNUE; Y. Nasu, 2018) for each board.
//!
//! ```text
//! own view:   3 x 12 x squares + 6 rights ─┐
//!                                          ├─ the same weights ─ H ─ SCReLU ─┐
//! their view: 3 x 12 x squares + 6 rights ─┘                     H ─ SCReLU ─┴─ one output
//! ```
//!
//! The network sees a position from two perspectives: the view of the side to move and the opponent's view.
//! The inputs of a view are the pieces on their squares and the remaining rights. A piece is not attacked,
//! attacked and defended, or attacked and undefended. A view flips the board so that its own side plays
//! upwards and its own king stands on the right half. The sums of the first layer, one accumulator for each
//! view, are updated incrementally, because a move changes few inputs.
//!
//! All arithmetic uses integers. A network whose sums could overflow is rejected on loading, so every
//! kernel gives the same value on every machine. The output is in the unit of search values.
//! [`crate::tools::train`] trains networks.
//!
//! | file | contents |
//! | --- | --- |
//! | `features` | the inputs: pieces on squares with their attack states, and rights |
//! | `file` | a network's parameters, its file format, and its errors |
//! | `kernels` | sums of rows and the output, scalar and vectorised |
//! | `network` | a network ready to evaluate |
//! | `delta` | which inputs a move changes |
//! | `accumulator` | the first layer along a line of moves |
//! | `trace` | the value of each piece in a diagram, for people |

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
