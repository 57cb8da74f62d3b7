//! When tables are asked.

use std::sync::Arc;

use super::{Tablebase, TablebaseError, Wdl};
use crate::attacks::Board;
use crate::position::Position;

/// The largest tables there are have so many men.
pub const MOST_MEN: usize = 7;

/// Tables, and how they are to be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prober {
    tables: Arc<Tablebase>,
    /// Positions with more men are not asked of.
    men: u32,
    /// In the tree, positions with so many men are asked of from this depth on, those with fewer at
    /// any.
    depth: i32,
    /// Whether the fifty-move rule counts.
    pub(super) fifty_moves: bool,
}

impl Prober {
    /// Asks these tables of positions with up to so many men: of the largest from a depth on, of
    /// smaller ones always. A limit above what there are tables of asks always.
    pub fn new(tables: Arc<Tablebase>, men: usize, depth: i32, fifty_moves: bool) -> Prober {
        let most = tables.men();
        let depth = if men > most { 0 } else { depth };
        Prober { tables, men: men.min(most) as u32, depth, fifty_moves }
    }

    /// Asks the tables in some folders (see [`Tablebase::open`]) as often as that is of use.
    pub fn open(path: &str) -> Result<Prober, TablebaseError> {
        Ok(Prober::new(Arc::new(Tablebase::open(path)?), MOST_MEN, 1, true))
    }

    /// The tables.
    pub fn tables(&self) -> &Tablebase {
        &self.tables
    }

    /// Whether the root is to be looked up.
    pub fn covers_root<G: Board>(&self, position: &Position<G>) -> bool {
        G::HAS_TABLEBASES && position.occupied().count() <= self.men && position.rights().is_empty()
    }

    /// Whether a node with this depth left is to be looked up: the move that led there was a capture
    /// or a pawn's.
    #[inline]
    pub fn covers<G: Board>(&self, position: &Position<G>, depth: i32) -> bool {
        if !G::HAS_TABLEBASES || position.halfmove_clock() != 0 {
            return false;
        }
        let men = position.occupied().count();
        men <= self.men && (men < self.men || depth >= self.depth) && position.rights().is_empty()
    }

    /// What a position is worth to the side to move if the fifty-move rule begins to count there, or
    /// does not count at all.
    pub fn wdl<G: Board>(&self, position: &Position<G>) -> Option<Wdl> {
        Some(match self.tables.wdl(position)? {
            Wdl::CursedWin if !self.fifty_moves => Wdl::Win,
            Wdl::BlessedLoss if !self.fifty_moves => Wdl::Loss,
            wdl => wdl,
        })
    }

    /// What went wrong first when the tables were asked; it is told once.
    pub fn take_fault(&self) -> Option<&str> {
        self.tables.take_fault()
    }
}
