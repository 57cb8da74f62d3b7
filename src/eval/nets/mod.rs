//! The networks in force, as they were trained. `README.md` in this folder has the record of each.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::nnue::Network;
#[cfg(target_family = "wasm")]
use super::nnue::NetworkError;
use crate::attacks::Board;
use crate::geometry::BOARDS;
use crate::rules::BoardSize;
#[cfg(target_family = "wasm")]
use crate::rules::on_board;

/// By board, the file of a network that has won its match against the evaluation before it.
#[cfg(not(any(aleator_level, target_family = "wasm")))]
static ALEATOR_NETWORKS: [&[u8]; BOARDS] = [include_bytes!("8x8.nnue"), TEN_BY_TEN];

#[cfg(all(not(any(aleator_level, target_family = "wasm")), feature = "board10x10"))]
const TEN_BY_TEN: &[u8] = include_bytes!("10x10.nnue");
#[cfg(all(not(any(aleator_level, target_family = "wasm")), not(feature = "board10x10")))]
const TEN_BY_TEN: &[u8] = &[];

// A release has this library several times, and the networks once, in `src/release/front.rs`.
// SAFETY: that is the one definition of this name; it has this type and never changes.
#[cfg(aleator_level)]
unsafe extern "Rust" {
    safe static ALEATOR_NETWORKS: [&'static [u8]; BOARDS];
}

// A page fetches them for the boards that are played.
#[cfg(target_family = "wasm")]
static ALEATOR_NETWORKS: [OnceLock<Vec<u8>>; BOARDS] = [const { OnceLock::new() }; BOARDS];

#[cfg(not(target_family = "wasm"))]
fn file(board: usize) -> &'static [u8] {
    ALEATOR_NETWORKS[board]
}

#[cfg(target_family = "wasm")]
fn file(board: usize) -> &'static [u8] {
    ALEATOR_NETWORKS[board].get().map_or(&[], Vec::as_slice)
}

/// The file of the network that a board's games are evaluated with. In WebAssembly it is empty until
/// it is given.
pub fn embedded(board: BoardSize) -> &'static [u8] {
    file(board as usize)
}

/// Puts the file of a board's network in force, before an engine for it is made.
#[cfg(target_family = "wasm")]
pub fn give(board: BoardSize, file: Vec<u8>) -> Result<(), NetworkError> {
    on_board!(board, |G| Network::<G>::from_bytes(&file).map(drop))?;
    ALEATOR_NETWORKS[board as usize].get_or_init(|| file);
    Ok(())
}

/// The network in that file, ready to evaluate: all who ask share it.
pub fn in_force<G: Board>() -> Arc<Network<G>> {
    type Shared = Arc<dyn Any + Send + Sync>;
    static NETWORKS: [OnceLock<Shared>; BOARDS] = [const { OnceLock::new() }; BOARDS];
    let network = NETWORKS[G::INDEX].get_or_init(|| {
        // A test has read it, or in WebAssembly `give`.
        Arc::new(Network::<G>::from_bytes(file(G::INDEX)).expect("there is a network of the board"))
    });
    Arc::clone(network).downcast().expect("it is of this board")
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
                assert_eq!(in_force::<G>().hash(), read.hash());
            });
        }
    }
}
