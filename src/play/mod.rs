//! A game at a table: who plays, with which clocks, what was offered and how it ended. What the
//! game in the terminal and the page in the browser both sit at.
//!
//! A [`Table`] holds no thread, reads no clock and throws no dice of its own: it is told the time
//! and given random numbers, and says whom it waits for. A [`Thinker`] is the engine, which answers
//! the [`Question`]s that a table has for it.
//!
//! ```
//! use std::time::Instant;
//! use aleator::play::{Awaited, Beginning, Player, Setting, Strength, Table, Thinker};
//! use aleator::rules::Variant;
//! use aleator::start::Rng;
//! use aleator::types::Color;
//!
//! let mut rng = Rng::new(1);
//! let start = Beginning::usual(Variant::Chess960, &mut rng);
//! let players = [Player::Person, Player::Engine(Strength::Level(1))];
//! let mut table = Table::new(Setting::new(Variant::Chess960, start, players))?;
//! table.play("e4", Instant::now())?;
//! assert_eq!(table.awaited(), Awaited::Engine(Color::Black));
//! let engine = Thinker::start(1)?;
//! let question = table.question(Instant::now()).unwrap();
//! let reply = engine.answer(&question, |_| {})?;
//! table.reply(&reply, Instant::now())?;
//! assert_eq!(table.turns().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `umpire` | the rules: what is wanted next, what follows from it |
//! | `beginning` | how a game begins: a start, a set-up, dice |
//! | `player` | people, and the engine at its strengths |
//! | `clock` | both clocks |
//! | `table` | the game with all that was agreed about it |
//! | `conclusion` | how it ended, in a sentence |
//! | `saved` | a game as a file, with all that happened at the table |
//! | `pgn` | a game as PGN, and one from there to be played on |
//! | `thinker` | the engine's side of the table, through a session |

mod beginning;
mod clock;
mod conclusion;
mod pgn;
mod player;
mod saved;
mod table;
#[cfg(test)]
mod tests;
mod thinker;
pub mod umpire;

pub use beginning::{Beginning, BeginningError};
pub use clock::Clocks;
pub use conclusion::{Cause, Conclusion, TableCause};
pub use pgn::LoadError;
pub use player::{LEVELS, Player, Strength};
pub use saved::{SaveError, Saved};
pub use table::{
    Awaited, DiceSource, DrawOffer, Event, Note, PLIES_BEFORE_DRAWS, Setting, Shown, Table,
    TableError, Tried, Variation,
};
pub use thinker::{Question, Reply, Thinker, ThinkerError, Thought};
