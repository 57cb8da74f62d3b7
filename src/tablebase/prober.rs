//! Decides when the tablebases are probed.

use std::sync::Arc;

use super::{Tablebase, TablebaseError, Wdl};
use crate::geometry::Board;
use crate::position::Position;

/// The number of pieces of the largest existing tables.
pub const MAX_PIECES: usize = 7;

/// Tables and the settings for probing them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prober {
    tables: Arc<Tablebase>,
    /// The maximum number of pieces. Positions with more pieces are not probed.
    max_pieces: u32,
    /// The minimum depth for probing positions with `max_pieces` pieces in the tree; positions with fewer
    /// pieces are probed at any depth.
    depth: i32,
    /// Whether the fifty-move rule applies.
    pub(super) fifty_moves: bool,
}

impl Prober {
    /// Creates a prober for positions with up to `max_pieces` pieces. In the tree, positions with exactly
    /// `max_pieces` pieces are probed at this depth or more, and positions with fewer pieces at any depth. If
    /// `max_pieces` exceeds the size of the largest tables, the depth is ignored.
    pub fn new(tables: Arc<Tablebase>, max_pieces: usize, depth: i32, fifty_moves: bool) -> Prober {
        let largest = tables.max_pieces();
        let depth = if max_pieces > largest { 0 } else { depth };
        Prober { tables, max_pieces: max_pieces.min(largest) as u32, depth, fifty_moves }
    }

    /// Opens the tables in some folders (see [`Tablebase::open`]) with the default settings.
    pub fn open(path: &str) -> Result<Prober, TablebaseError> {
        Ok(Prober::new(Arc::new(Tablebase::open(path)?), MAX_PIECES, 1, true))
    }

    /// Returns the tables.
    pub fn tables(&self) -> &Tablebase {
        &self.tables
    }

    /// Returns whether a root position should be probed.
    pub fn covers_root<G: Board>(&self, position: &Position<G>) -> bool {
        G::HAS_TABLEBASES
            && position.occupied().count() <= self.max_pieces
            && position.rights().is_empty()
    }

    /// Returns whether a node of the tree should be probed, where `depth` is the remaining depth. Only nodes
    /// after a capture or pawn move are probed.
    #[inline]
    pub fn covers<G: Board>(&self, position: &Position<G>, depth: i32) -> bool {
        if !G::HAS_TABLEBASES || position.halfmove_clock() != 0 {
            return false;
        }
        let pieces = position.occupied().count();
        pieces <= self.max_pieces
            && (pieces < self.max_pieces || depth >= self.depth)
            && position.rights().is_empty()
    }

    /// Returns the WDL value for the side to move, assuming a halfmove clock of zero. Without the
    /// fifty-move rule, cursed wins are wins and blessed losses are losses.
    pub fn wdl<G: Board>(&self, position: &Position<G>) -> Option<Wdl> {
        Some(match self.tables.wdl(position)? {
            Wdl::CursedWin if !self.fifty_moves => Wdl::Win,
            Wdl::BlessedLoss if !self.fifty_moves => Wdl::Loss,
            wdl => wdl,
        })
    }

    /// Returns the first error of any probe. The error is returned only once; later calls return `None`.
    pub fn take_error(&self) -> Option<&str> {
        self.tables.take_error()
    }
}
