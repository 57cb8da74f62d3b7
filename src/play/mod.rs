//! Games in progress, with players, clocks, draw offers, engine replies and saved files. The terminal game
//! and the web page are built on this module.
//!
//! A [`LiveGame`] has no threads, reads no clock and rolls no dice: the caller passes in the time and the
//! random numbers. [`LiveGame::awaited`] returns the player for whom the game waits. An [`EngineQueue`]
//! searches for the engine's turns.
//!
//! ```
//! use std::time::Instant;
//! use aleator::engine::Strength;
//! use aleator::play::{Awaited, GameStart, Player, GameSettings, LiveGame, EngineQueue};
//! use aleator::rules::Variant;
//! use aleator::start::{Numbering, Rng};
//! use aleator::types::Color;
//!
//! let mut rng = Rng::new(1);
//! let start = GameStart::usual(Numbering::of(Variant::Chess960), &mut rng);
//! let players = [Player::Person, Player::Engine(Strength::Level(1))];
//! let mut live = LiveGame::new(GameSettings::new(Variant::Chess960, start, players))?;
//! live.play("e4", Instant::now())?;
//! assert_eq!(live.awaited(), Awaited::Engine(Color::Black));
//! let engine = EngineQueue::start(1)?;
//! let (game, request) = live.search_request(Instant::now()).unwrap();
//! let result = engine.search(game, request, |_| {})?;
//! live.reply(&result, Instant::now())?;
//! assert_eq!(live.turns().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | contents |
//! | --- | --- |
//! | `app` | the logic of the web page: all games, studies, listeners, saving |
//! | `arbiter` | the rules: what is needed next, and what follows from it |
//! | `game_start` | how a game begins: a starting position, a setup, dice; people, and the engine at its strengths |
//! | `event` | the events of a game: dice, and turns with their annotations |
//! | `live_game` | the game with its settings and state |
//! | `variations` | the variations of a game |
//! | `saved` | saving games with all events, and restoring saved games |
//! | `pgn` | converting live games to PGN and back |
//! | `engine_queue` | the engine, which runs search requests one after the other |

pub mod app;
pub mod arbiter;
mod engine_queue;
mod event;
mod game_start;
mod live_game;
mod pgn;
mod saved;
#[cfg(test)]
mod tests;
mod variations;

pub use engine_queue::{EngineEvent, EngineQueue, EngineQueueError};
pub use event::{DiceRoll, GameEvent, Note, RollPurpose};
pub use game_start::{GameStart, GameStartError, Player};
pub use live_game::{Awaited, DiceSource, DrawOffer, GameSettings, LiveGame, Origin, PlayError};
pub use pgn::LoadError;
pub use saved::{SaveError, Saved};
pub use variations::{Variation, VariationTurn};
