//! A game in progress with its players, clocks, offers, engine replies and saved files. The
//! terminal game and the web page both drive it.
//!
//! A [`LiveGame`] has no threads, reads no clock and rolls no dice: the caller passes in the time
//! and the random numbers, and [`LiveGame::awaited`] says whom the game waits for. An
//! [`EngineThread`] answers the [`Question`]s that a game has for the engine.
//! ```
//! use std::time::Instant;
//! use aleator::play::{Awaited, GameStart, Player, GameSettings, Strength, LiveGame, EngineThread};
//! use aleator::rules::Variant;
//! use aleator::start::Rng;
//! use aleator::types::Color;
//!
//! let mut rng = Rng::new(1);
//! let start = GameStart::usual(Variant::Chess960, &mut rng);
//! let players = [Player::Person, Player::Engine(Strength::Level(1))];
//! let mut live = LiveGame::new(GameSettings::new(Variant::Chess960, start, players))?;
//! live.play("e4", Instant::now())?;
//! assert_eq!(live.awaited(), Awaited::Engine(Color::Black));
//! let engine = EngineThread::start(1)?;
//! let question = live.question(Instant::now()).unwrap();
//! let reply = engine.answer(&question, |_| {})?;
//! live.reply(&reply, Instant::now())?;
//! assert_eq!(live.turns().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `app` | the logic of the web page: all games, studies, listeners, saving |
//! | `arbiter` | the rules: what is needed next, and what follows from it |
//! | `game_start` | how a game begins: a starting position, a setup, dice |
//! | `player` | people, and the engine at its strengths |
//! | `habits` | the engine's human habits: it resigns, offers draws, pauses |
//! | `event` | the events of a game: dice, and turns with their annotations |
//! | `live_game` | the game with its settings and state |
//! | `variations` | the variations of a game |
//! | `review` | scores as expected points, and which turns were mistakes |
//! | `saved` | a game as a file, with every event |
//! | `pgn` | a game as PGN, and a PGN as a game to continue |
//! | `puzzle` | positions with one winning line, as EPD |
//! | `engine_thread` | questions to an engine, and the thread that answers them |

pub mod app;
pub mod arbiter;
mod engine_thread;
mod event;
mod game_start;
mod habits;
mod live_game;
mod pgn;
mod player;
mod puzzle;
pub mod review;
mod saved;
#[cfg(test)]
mod tests;
mod variations;

pub use engine_thread::{
    EngineEvent, EngineThread, EngineThreadError, LocalEngine, Question, Reply,
};
pub use event::{DiceRoll, GameEvent, Note, RollPurpose};
pub use game_start::{DOUBLE_FISCHER_RANDOM, GameStart, GameStartError};
pub use habits::{EndDecision, Habits, MoveContext, OutcomeTracker};
pub use live_game::{
    Awaited, DiceSource, DrawOffer, GameSettings, LiveGame, Origin, PLIES_BEFORE_DRAWS, PlayError,
};
pub use pgn::LoadError;
pub use player::{LEVELS, Player, Strength, USUAL_LEVEL};
pub use puzzle::{Puzzle, PuzzleError};
pub use saved::{SaveError, Saved};
pub use variations::{Variation, VariationTurn};
