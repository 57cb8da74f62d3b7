//! Plain values: colours, pieces, squares, sets of squares, moves and scores. The rules of chess are in other
//! modules.

mod bitboard;
mod color;
mod mv;
mod piece;
pub mod score;
mod square;

pub use bitboard::Bitboard;
pub use color::Color;
pub use mv::{Move, MoveList};
pub use piece::{Piece, Role};
pub use score::{Bound, Score, Value, Window};
pub use square::{Square, SquareMap};
