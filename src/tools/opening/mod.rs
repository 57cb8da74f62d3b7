//! Openings for games: random starting positions, random moves, and files of openings.
//!
//! **The format.** A suite has one opening per line, as EPD (S. Edwards, 1994): the first four fields of a
//! FEN, then operations. For example:
//!
//! ```text
//! rnbqkb1r/pp1p1ppp/2p1pn2/8/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq - hmvc 0; fmvn 4; ce 31;
//! ```
//!
//! `hmvc` and `fmvn` are the last two fields of the FEN. `ce` is the score of a search in centipawns for the
//! side to move. Our suites have no comment lines, because some readers do not accept comments. Our own
//! reader, [`read_openings`], also accepts a complete FEN followed by a comment (`... 0 4 ; ce 31;`).
//!
//! | file | contents |
//! | --- | --- |
//! | `suite` | generates balanced suites |
//! | `read` | reads suites |
//! | `genfens` | generates openings for OpenBench clients |

mod genfens;
mod read;
mod suite;

pub use genfens::{Genfens, GenfensError, MAX_PLIES, PLIES};
pub use read::{OpeningError, OpeningFault, read_openings, read_openings_with};
pub use suite::{Opening, Suite, SuiteError};

use crate::game::BoardGame;
use crate::geometry::Board;
use crate::random::Rng;

/// Plays `plies` uniformly random legal moves. Returns false if the side to move has no legal move at the end
/// or earlier.
pub fn random_plies<G: Board>(game: &mut BoardGame<G>, plies: usize, rng: &mut Rng) -> bool {
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let Some(mv) = moves.get(rng.below(moves.len() as u64) as usize) else { return false };
        game.play(*mv);
    }
    game.position().has_legal_move()
}
