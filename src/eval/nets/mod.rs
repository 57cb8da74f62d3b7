//! The networks in force, as they were trained. `README.md` in this folder has the record of each.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::nnue::Network;
use crate::attacks::Board;
use crate::geometry::BOARDS;
use crate::rules::BoardSize;

/// By board, the file of a network that has won its match against the evaluation before it.
#[cfg(not(aleator_level))]
static ALEATOR_NETWORKS: [&[u8]; BOARDS] = [include_bytes!("8x8.nnue"), TEN_BY_TEN];

#[cfg(all(not(aleator_level), feature = "board10x10"))]
const TEN_BY_TEN: &[u8] = include_bytes!("10x10.nnue");
#[cfg(all(not(aleator_level), not(feature = "board10x10")))]
const TEN_BY_TEN: &[u8] = &[];

// A release has this library several times, and the networks once, in `src/release/front.rs`.
#[cfg(aleator_level)]
unsafe extern "Rust" {
    safe static ALEATOR_NETWORKS: [&'static [u8]; BOARDS];
}

/// The file of the network that a board's games are evaluated with.
pub fn embedded(board: BoardSize) -> &'static [u8] {
    ALEATOR_NETWORKS[board as usize]
}

/// The network in that file, ready to evaluate: all who ask share it. Nothing for lack of memory.
pub fn in_force<G: Board>() -> Option<Arc<Network<G>>> {
    type Shared = Option<Arc<dyn Any + Send + Sync>>;
    static NETWORKS: [OnceLock<Shared>; BOARDS] = [const { OnceLock::new() }; BOARDS];
    let network = NETWORKS[G::INDEX].get_or_init(|| {
        // A test has read it.
        let network = Network::<G>::from_bytes(ALEATOR_NETWORKS[G::INDEX]).ok()?;
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
                let read = Network::<G>::from_bytes(embedded(board)).unwrap();
                assert_eq!(in_force::<G>().map(|it| it.hash()), Some(read.hash()));
            });
        }
    }
}
