//! The engine: a game's position, the threads and tables to search it, for either board.
//!
//! [`Engine`] is what the protocols and the command line see: one object-safe trait over both
//! boards and over positions that are still being set up. It takes and gives text and numbers,
//! and never prints: a search reports through a [`LineListener`].
//!
//! | file | holds |
//! | --- | --- |
//! | `request` | what a search is asked for |
//! | `report` | what it says: lines of analysis, scores, the answer |
//! | `chances` | what values mean: chances to win, displayed centipawns |
//! | `strength` | deliberate weakness |
//! | `game` | [`GameEngine`]: a game with the threads and the table to search it |
//! | `setup_search` | `go` during a set-up |

mod chances;
mod game;
mod report;
mod request;
mod setup_search;
mod strength;

pub use crate::search::Control;
pub use game::{GameEngine, replay};
pub use report::{Answer, LastLines, Line, LineListener, Score, millis, nodes_per_second};
pub use request::Request;
pub use strength::ELO_RANGE;

use crate::eval::nnue::NetworkError;
use crate::game::{Game, GameError, IgnoredPart};
use crate::host::Instant;
use crate::rules::{Rules, Variant};
use crate::sync::atomic::AtomicBool;
use crate::types::Color;

/// Why something cannot be done. The engine is as it was before.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("move {number} of the list: {error}")]
    Turn { number: usize, error: GameError },
    #[error("move to choose from: {0}")]
    SearchMove(GameError),
    #[error("a hash table of {mebibytes} MiB is not to be had ({reason}); it keeps its size")]
    Hash { mebibytes: usize, reason: String },
    #[error(
        "{threads} search threads could not be started ({reason}); there are as many as before"
    )]
    Threads { threads: usize, reason: String },
    #[error(
        "perft: {depth} plies are too many to be counted in a lifetime; {} is the most",
        MAX_PERFT
    )]
    PerftDepth { depth: u32 },
    #[error("the network cannot be used: {0}; the evaluation stays as it was")]
    Network(#[from] NetworkError),
    #[error("there is no memory for a network ({reason}); the evaluation stays as it was")]
    NetworkMemory { reason: String },
    #[error("the side to move would be able to take the king if the other side had the move")]
    Flip,
    #[error("a set-up cannot be turned around: White places first")]
    FlipSetup,
}

/// An engine for one board, with the position of a game.
pub trait Engine: Send {
    /// The rules in force.
    fn rules(&self) -> Rules;
    /// Sets up a FEN, or the variant's array, and plays moves. All or nothing, but for parts of the
    /// FEN that contradict its board; see [`Game::new_lenient`](crate::game::Game::new_lenient).
    fn set_position(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
    ) -> Result<Vec<IgnoredPart>, EngineError>;
    /// Forgets what was learned from the last game.
    fn new_game(&mut self);
    /// Resizes the hash table, and empties it.
    fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError>;
    /// Empties the hash table.
    fn clear_hash(&mut self);
    /// Changes the number of search threads.
    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError>;
    /// Evaluates with the network in these bytes of its file; forgets what was learned from the game.
    fn set_network(&mut self, file: &[u8]) -> Result<(), EngineError>;
    /// What is wrong with each of the moves to choose from that [`Self::search`] will pass over.
    fn check_search_moves(&self, request: &Request) -> Vec<EngineError>;
    /// Searches; see [`Pool::search`](crate::search::Pool::search) for when it returns.
    fn search(
        &mut self,
        request: &Request,
        began: Instant,
        control: &Control,
        listener: &dyn LineListener,
    ) -> Answer;
    /// Some legal move, in UCI notation.
    fn any_move(&self, chess960: bool) -> Option<String>;
    /// Counts the move tree, for each move in UCI notation; no move is made at depth 0. `None` if
    /// it was stopped. See [`check_perft_depth`].
    fn perft(&self, depth: u32, chess960: bool, stop: &AtomicBool) -> Option<Vec<(String, u64)>>;
    /// The game up to the position, if the engine keeps it.
    fn game(&self) -> Option<&Game>;
    /// The position as a FEN.
    fn fen(&self) -> String;
    /// Who has the move.
    fn side_to_move(&self) -> Color;
    /// The board as people look at it.
    fn board(&self) -> String;
    /// The position for people: a board, FEN, key, checkers.
    fn display(&self) -> String;
    /// The static evaluation, piece by piece.
    fn explain_evaluation(&self) -> String;
    /// Turns the board around: colours, sides and the move change hands.
    fn flip(&mut self) -> Result<(), EngineError>;
}

/// An engine for a variant, with this many MiB of hash and this many threads, at the variant's
/// start.
pub fn new(variant: Variant, hash: usize, threads: usize) -> Result<Box<dyn Engine>, EngineError> {
    Ok(Box::new(GameEngine::new(variant, hash, threads)?))
}

/// The deepest move tree that is counted. The count recurses, and nothing but the depth ends it.
pub const MAX_PERFT: u32 = 40;

/// Whether a perft of this depth can be asked for.
pub fn check_perft_depth(depth: u32) -> Result<(), EngineError> {
    if depth <= MAX_PERFT { Ok(()) } else { Err(EngineError::PerftDepth { depth }) }
}
