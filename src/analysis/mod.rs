//! Results of analysing games with the search: mistakes and puzzles.
//!
//! | file | contents |
//! | --- | --- |
//! | `review` | the evaluation of each position of a game, and the turns that were mistakes |
//! | `puzzle` | positions with only one winning line, in EPD |
//! | `gain` | what a line of moves wins and loses |

pub mod gain;
mod puzzle;
pub mod review;

pub use puzzle::{Puzzle, PuzzleError};
