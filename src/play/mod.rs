//! A game that is played: by whom, with which clocks, what was offered and how it ended. What the
//! game in the terminal and the page in the browser both drive.
//!
//! A [`LiveGame`] holds no thread, reads no clock and throws no dice of its own: it is given the time
//! and random numbers, and says whom it waits for. An [`EngineThread`] is the engine, which answers
//! the [`Question`]s that a game has for it.
//!
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
//! | `app` | what is behind the page: all games, studies, listeners, saving |
//! | `arbiter` | the rules: what is wanted next, what follows from it |
//! | `game_start` | how a game begins: a start, a set-up, dice |
//! | `player` | people, and the engine at its strengths |
//! | `habits` | what the engine does besides its moves: it resigns, offers draws, takes a moment |
//! | `event` | what happens in a game: turns with what is known of them, and dice |
//! | `live_game` | the game with all that was agreed about it |
//! | `variations` | what could have been played instead |
//! | `conclusion` | how it ended, in a sentence |
//! | `review` | the worth of positions, and which turns were mistakes |
//! | `saved` | a game as a file, with all that happened in it |
//! | `pgn` | a game as PGN, and one from there to be played on |
//! | `puzzle` | positions with one winning line, as EPD |
//! | `engine_thread` | questions to an engine, and the thread that answers them |

pub mod app;
pub mod arbiter;
mod conclusion;
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

pub use conclusion::{Cause, Conclusion, PlayCause};
pub use engine_thread::{
    EngineEvent, EngineThread, EngineThreadError, LocalEngine, Question, Reply,
};
pub use event::{GameEvent, Note, Throw, ThrowPurpose};
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
