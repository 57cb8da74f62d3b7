//! The embedded networks. `README.md` in this folder describes how the networks were trained.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::nnue::Network;
#[cfg(target_family = "wasm")]
use super::nnue::NetworkError;
use crate::geometry::{BOARDS, Board};
use crate::rules::BoardSize;
#[cfg(not(any(aleator_level, target_family = "wasm")))]
use crate::rules::HAS_BOARD_10X10;
#[cfg(target_family = "wasm")]
use crate::rules::on_board;

/// The files of the default networks, by board. Each network won its match against the previous evaluation.
#[cfg(not(any(aleator_level, target_family = "wasm")))]
static ALEATOR_NETWORKS: [&[u8]; BOARDS] =
    [include_bytes!("8x8.nnue"), if HAS_BOARD_10X10 { include_bytes!("10x10.nnue") } else { &[] }];

// A release contains this library several times, but the networks only once, in `src/release/front.rs`.
// SAFETY: `src/release/front.rs` has the only definition of this name. The value has this type and never
// changes.
#[cfg(aleator_level)]
unsafe extern "Rust" {
    safe static ALEATOR_NETWORKS: [&'static [u8]; BOARDS];
}

// In WebAssembly, the page fetches the networks of the boards that are played.
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

/// Returns the file of a board's default network. In WebAssembly, the file is empty until `give` has
/// supplied the network.
pub fn embedded(board: BoardSize) -> &'static [u8] {
    file(board as usize)
}

/// Supplies the file of a board's network. Must be called before an engine for the board is created.
#[cfg(target_family = "wasm")]
pub fn give(board: BoardSize, file: Vec<u8>) -> Result<(), NetworkError> {
    on_board!(board, |G| Network::<G>::from_bytes(&file).map(drop))?;
    ALEATOR_NETWORKS[board as usize].get_or_init(|| file);
    Ok(())
}

/// Returns the default network, ready to evaluate and shared by all callers.
pub fn default_network<G: Board>() -> Arc<Network<G>> {
    type Shared = Arc<dyn Any + Send + Sync>;
    static NETWORKS: [OnceLock<Shared>; BOARDS] = [const { OnceLock::new() }; BOARDS];
    let network = NETWORKS[G::INDEX].get_or_init(|| {
        // This cannot fail: a test parses the embedded file, and in WebAssembly `give` has checked the file.
        Arc::new(Network::<G>::from_bytes(file(G::INDEX)).expect("the board has a network"))
    });
    Arc::clone(network).downcast().expect("the network is for this board")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::on_board;

    #[test]
    fn the_embedded_network_is_the_default() {
        for &board in BoardSize::ALL {
            on_board!(board, |G| {
                let read = Network::<G>::from_bytes(embedded(board)).unwrap();
                assert_eq!(default_network::<G>().hash(), read.hash());
            });
        }
    }
}
