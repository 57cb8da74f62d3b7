//! Computes a fingerprint of the program's evaluation and search.

use std::sync::Arc;

use super::DatagenError;
use crate::bench;
use crate::eval::nnue::Network;
use crate::geometry::Board;
use crate::position::Position;
use crate::rules::{BoardSize, KingRight, on_board};
use crate::search::{Limits, Searcher};
use crate::tools::data::Identity;

/// The number of nodes of each small search.
const NODES: u64 = 500;

/// Returns a fingerprint of evaluation and search, computed from their results in the positions of `bench`.
/// `network` is the contents of a network file. Programs with different fingerprints play different games.
/// Programs with the same fingerprint most likely play the same games.
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

/// Creates a searcher with `hash` MiB of transposition table.
pub(super) fn searcher<G: Board>(
    hash: usize,
    network: Arc<Network<G>>,
) -> Result<Searcher<G>, DatagenError> {
    let made = Searcher::new(hash)
        .and_then(|mut searcher| searcher.set_network(network).map(|()| searcher));
    made.map_err(|_| DatagenError::Memory { hash })
}
