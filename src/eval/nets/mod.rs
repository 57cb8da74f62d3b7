//! The networks in force, as they were trained. `README.md` in this folder has the record of each.

use crate::geometry::BOARDS;
use crate::rules::BoardSize;

/// The file of the network that a board's games are evaluated with, if there is one that has won
/// its match against the evaluation before it.
pub const fn embedded(board: BoardSize) -> Option<&'static [u8]> {
    const EMBEDDED: [Option<&[u8]>; BOARDS] = [None, None];
    EMBEDDED[board as usize]
}
