//! What searches find in games: mistakes, and puzzles.
//!
//! | file | contents |
//! | --- | --- |
//! | `review` | the evaluation of each position of a game, and which turns were mistakes |
//! | `puzzle` | positions with one winning line, as EPD |

mod puzzle;
pub mod review;

pub use puzzle::{Puzzle, PuzzleError};
