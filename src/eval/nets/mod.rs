//! The networks in force, as they were trained. `README.md` in this folder has the record of each.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::nnue::Network;
use crate::attacks::Board;
use crate::geometry::BOARDS;
use crate::rules::BoardSize;

/// By board, the file of a network that has won its match against the evaluation before it.
const EMBEDDED: [Option<&[u8]>; BOARDS] =
    [Some(include_bytes!("8x8.nnue")), Some(include_bytes!("10x10.nnue"))];

/// The file of the network that a board's games are evaluated with, if there is one.
pub const fn embedded(board: BoardSize) -> Option<&'static [u8]> {
    EMBEDDED[board as usize]
}

/// The network in that file, ready to evaluate: all who ask share it.
pub fn in_force<G: Board>() -> Option<Arc<Network<G>>> {
    type Shared = Option<Arc<dyn Any + Send + Sync>>;
    static NETWORKS: [OnceLock<Shared>; BOARDS] = [const { OnceLock::new() }; BOARDS];
    let network = NETWORKS[G::INDEX].get_or_init(|| {
        // A test has read it.
        let network = Network::<G>::from_bytes(EMBEDDED[G::INDEX]?).ok()?;
        Some(Arc::new(network))
    });
    network.clone()?.downcast().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::on_board;

    #[test]
    fn what_is_built_in_is_in_force() {
        for &board in BoardSize::ALL {
            on_board!(board, |G| {
                let read = embedded(board).map(|file| Network::<G>::from_bytes(file).unwrap());
                let hash = |network: &Network<G>| network.hash();
                assert_eq!(in_force::<G>().map(|it| hash(&it)), read.as_ref().map(hash));
            });
        }
    }
}
