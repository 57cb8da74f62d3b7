//! Where games of the tools begin: random starts of a variant, random moves from there, and suites
//! of openings as files.
//!
//! **The format.** One opening a line, as EPD (S. Edwards, 1994): four fields of a FEN, then
//! operations, such as
//!
//! ```text
//! rnbqkb1r/pp1p1ppp/2p1pn2/8/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq - hmvc 0; fmvn 4; ce 31;
//! ```
//!
//! `hmvc` and `fmvn` are the last two fields of the FEN, `ce` is what a search thinks of the
//! position, in centipawns from the view of the side to move. A suite holds no other lines, because
//! not all readers know comment lines. Our own reader, [`read_openings`], is more generous: it reads
//! whole FENs as well, as they stood in our suites at first (`... 0 4 ; ce 31;`).
//!
//! | file | holds |
//! | --- | --- |
//! | `suite` | making balanced suites |
//! | `read` | reading suites |
//! | `genfens` | openings for the clients of OpenBench |

mod genfens;
mod read;
mod suite;

pub use genfens::{Genfens, GenfensError, MAX_PLIES, PLIES};
pub use read::{OpeningError, OpeningFault, read_openings, read_openings_with};
pub use suite::{Opening, Suite, SuiteError};

use crate::attacks::Board;
use crate::game::BoardGame;
use crate::random::Rng;
use crate::rules::Variant;
use crate::start::{Numbering, Start};

/// A start of the variant's main phase, each as likely as the others that
/// [`Numbering::drawn`] lists: one array for both sides in Chess960 and IFRC, two where a set-up
/// gives each side its own.
pub fn random_start(variant: Variant, rng: &mut Rng) -> Start {
    Numbering::drawn(variant).random(rng)
}

/// Plays this many random legal moves, each as likely as the others; false if the game ended on the
/// way or there, for want of a move.
pub fn random_plies<G: Board>(game: &mut BoardGame<G>, plies: usize, rng: &mut Rng) -> bool {
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let Some(mv) = moves.get(rng.below(moves.len() as u64) as usize) else { return false };
        game.play(*mv);
    }
    game.position().has_legal_move()
}
