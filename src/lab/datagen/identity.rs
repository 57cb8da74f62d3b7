use super::DatagenError;
use crate::attacks::Board;
use crate::lab::bench;
use crate::lab::data::Identity;
use crate::position::Position;
use crate::rules::{BoardSize, KingRight, on_board};
use crate::search::{Limits, Solo};

/// Nodes of each of the small searches.
const NODES: u64 = 500;

/// What evaluation and search of this program make of the positions of `bench`. Programs that
/// differ here play other games; the reverse is likely, if not certain.
pub fn identity(board: BoardSize) -> Result<Identity, DatagenError> {
    on_board!(board, |G| of_board::<G>(bench::positions(board)))
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
