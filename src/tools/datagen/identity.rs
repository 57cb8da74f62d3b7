//! A fingerprint of this program's evaluation and search.

use std::sync::Arc;

use super::DatagenError;
use crate::bench;
use crate::eval::nnue::Network;
use crate::geometry::Board;
use crate::position::Position;
use crate::rules::{BoardSize, KingRight, on_board};
use crate::search::{Limits, Searcher};
use crate::tools::data::Identity;

/// Nodes of each of the small searches.
const NODES: u64 = 500;

/// Returns a fingerprint of the evaluation and search of the positions of `bench`, with a network file.
/// Programs with different fingerprints play different games; those with the same one most likely play
/// the same games.
pub fn identity(board: BoardSize, network: &[u8]) -> Result<Identity, DatagenError> {
    on_board!(board, |G| {
        of_board::<G>(bench::positions(board), Arc::new(Network::from_bytes(network)?))
    })
}

fn of_board<G: Board>(fens: &[&str], network: Arc<Network<G>>) -> Result<Identity, DatagenError> {
    let hash = network.hash();
    let mut searcher = searcher(1, network)?;
    let (mut evaluation, mut search) = (crc32fast::Hasher::new(), crc32fast::Hasher::new());
    for fen in fens {
        let position = Position::from_fen(fen, KingRight::Castling)
            .map_err(|error| DatagenError::Start { fen: (*fen).to_owned(), error })?;
        evaluation.update(&searcher.evaluate(&position).to_le_bytes());
        let found = searcher.search(&position, &[], &Limits::nodes(NODES));
        let best = found.best().map_or(0, |mv| mv.bits());
        search.update(&best.to_le_bytes());
        search.update(&found.score.to_le_bytes());
    }
    Ok(Identity { network: hash, evaluation: evaluation.finalize(), search: search.finalize() })
}

/// Creates a searcher with this hash size in MiB and this network.
pub(super) fn searcher<G: Board>(
    hash: usize,
    network: Arc<Network<G>>,
) -> Result<Searcher<G>, DatagenError> {
    let made = Searcher::new(hash)
        .and_then(|mut searcher| searcher.set_network(network).map(|()| searcher));
    made.map_err(|_| DatagenError::Memory { hash })
}
