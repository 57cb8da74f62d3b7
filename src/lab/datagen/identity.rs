use super::DatagenError;
use crate::attacks::Board;
use crate::geometry::Board8x8;
#[cfg(feature = "board10x10")]
use crate::geometry::Board10x10;
use crate::lab::bench;
use crate::lab::data::Identity;
use crate::position::Position;
use crate::rules::{BoardSize, KingRight};
use crate::search::{Limits, Solo};

/// Nodes of each of the small searches.
const NODES: u64 = 500;

/// What evaluation and search of this program make of the positions of `bench`. Programs that
/// differ here play other games; the reverse is likely, if not certain.
pub fn identity(board: BoardSize) -> Result<Identity, DatagenError> {
    match board {
        BoardSize::Eight => of_board::<Board8x8>(&bench::POSITIONS_8X8),
        #[cfg(feature = "board10x10")]
        BoardSize::Ten => of_board::<Board10x10>(&bench::POSITIONS_10X10),
    }
}

fn of_board<G: Board>(fens: &[&str]) -> Result<Identity, DatagenError> {
    let mut solo = Solo::<G>::new(1).map_err(|_| DatagenError::Memory { hash: 1 })?;
    let (mut evaluation, mut search) = (crc32fast::Hasher::new(), crc32fast::Hasher::new());
    for fen in fens {
        let position = Position::from_fen(fen, KingRight::Castling)
            .map_err(|error| DatagenError::Start { fen: (*fen).to_owned(), error })?;
        evaluation.update(&solo.evaluate(&position).to_le_bytes());
        let found = solo.search(&position, &[], &Limits::nodes(NODES));
        let best = found.best.map_or(0, |mv| mv.bits());
        search.update(&best.to_le_bytes());
        search.update(&found.score.to_le_bytes());
    }
    Ok(Identity { evaluation: evaluation.finalize(), search: search.finalize() })
}
