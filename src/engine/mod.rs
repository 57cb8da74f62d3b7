//! The engine: a game with the search threads and the transposition table, for either board.
//!
//! The protocols and the command line use [`Engine`], an object-safe trait for both boards and for
//! placement phases. It takes and returns text and numbers, and never prints: a search reports through a
//! [`SearchListener`].
//!
//! | file | contents |
//! | --- | --- |
//! | `request` | what a user asks a search for |
//! | `report` | what a search reports and returns, as text and numbers |
//! | `runner` | runs searches outside the caller's thread |
//! | `chances` | converts values into winning chances and displayed centipawns |
//! | `strength` | the levels, and limited strength |
//! | `habits` | the engine's human habits: it resigns, offers draws, pauses |
//! | `game` | [`GameEngine`]: a game with the threads and the table to search it |
//! | `setup_search` | searches during a placement phase |

mod chances;
mod game;
mod habits;
mod report;
mod request;
mod runner;
mod setup_search;
mod strength;

pub use crate::search::Control;
pub use game::{GameEngine, replay};
pub use habits::{
    EndDecision, Habits, MoveContext, OutcomeTracker, PLIES_BEFORE_DRAWS, pause_before_reply,
};
pub use report::{SearchInfo, SearchListener, SearchResult, millis, nodes_per_second};
pub use request::SearchRequest;
pub use runner::{Job, Runner};
pub use strength::{ELO_RANGE, LEVELS, Strength, USUAL_LEVEL};

use crate::eval::nnue::NetworkError;
use crate::game::{Game, GameError, IgnoredPart};
use crate::host::Instant;
use crate::rules::{Rules, Variant};
use crate::sync::atomic::AtomicBool;
use crate::types::Color;

/// Why a command failed. The engine is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum EngineError {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("move {number} of the list: {error}")]
    Turn { number: usize, error: GameError },
    #[error("searchmoves: {0}")]
    SearchMove(GameError),
    #[error("cannot allocate a hash table of {mebibytes} MiB ({reason}); its size is unchanged")]
    Hash { mebibytes: usize, reason: String },
    #[error("cannot start {threads} search threads ({reason}); their number is unchanged")]
    Threads { threads: usize, reason: String },
    #[error("perft: {depth} plies would take more than a lifetime; the maximum is {}", MAX_PERFT)]
    PerftDepth { depth: u32 },
    #[error("the network cannot be used: {0}; the evaluation is unchanged")]
    Network(#[from] NetworkError),
    #[error("cannot allocate memory for a network ({reason}); the evaluation is unchanged")]
    NetworkMemory { reason: String },
    #[error("the position cannot be flipped: the side to move could capture the king")]
    Flip,
    #[error("a placement phase cannot be flipped: White places first")]
    FlipSetup,
}

/// An engine for one board, with a game.
pub trait Engine: Send {
    /// Returns the variant's rules.
    fn rules(&self) -> Rules;
    /// Sets up a FEN or the variant's starting position, and plays moves. On failure, nothing changes.
    /// Returns the parts of the FEN that contradict its board and were ignored; see
    /// [`Game::new_lenient`](crate::game::Game::new_lenient).
    fn set_position(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
    ) -> Result<Vec<IgnoredPart>, EngineError>;
    /// Clears the hash table and everything else learned from the last game.
    fn new_game(&mut self);
    /// Resizes the hash table, and clears it.
    fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError>;
    /// Clears the hash table.
    fn clear_hash(&mut self);
    /// Changes the number of search threads.
    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError>;
    /// Loads the network from the bytes of its file, and calls [`Self::new_game`].
    fn set_network(&mut self, file: &[u8]) -> Result<(), EngineError>;
    /// Returns an error for each of the request's search moves that [`Self::search`] will skip.
    fn check_search_moves(&self, request: &SearchRequest) -> Vec<EngineError>;
    /// Searches; see [`Pool::search`](crate::search::Pool::search) for when it returns.
    fn search(
        &mut self,
        request: &SearchRequest,
        began: Instant,
        control: &Control,
        listener: &dyn SearchListener,
    ) -> SearchResult;
    /// Returns an arbitrary legal move in UCI notation, or `None` if there is none.
    fn any_move(&self, chess960: bool) -> Option<String>;
    /// Counts the leaves of the move tree for each move in UCI notation. The list is empty at depth 0.
    /// Returns `None` if it was stopped. Check the depth with [`check_perft_depth`] first.
    fn perft(&self, depth: u32, chess960: bool, stop: &AtomicBool) -> Option<Vec<(String, u64)>>;
    /// Returns the game up to the position, if the engine keeps it.
    fn game(&self) -> Option<&Game>;
    /// Returns the position as a FEN.
    fn fen(&self) -> String;
    /// Returns the side to move.
    fn side_to_move(&self) -> Color;
    /// Draws the board as text.
    fn board(&self) -> String;
    /// Describes the position for people: board, FEN, key, checkers.
    fn display(&self) -> String;
    /// Explains the static evaluation, piece by piece.
    fn explain_evaluation(&self) -> String;
    /// Mirrors the position: swaps colours and the side to move.
    fn flip(&mut self) -> Result<(), EngineError>;
}

/// Makes an engine at the starting position of a variant, with a hash size in MiB and a number of
/// threads.
pub fn new(variant: Variant, hash: usize, threads: usize) -> Result<Box<dyn Engine>, EngineError> {
    Ok(Box::new(GameEngine::new(variant, hash, threads)?))
}

/// The largest depth of a perft, which recurses to that depth.
pub const MAX_PERFT: u32 = 40;

/// Returns an error if a perft of this depth is too deep.
pub fn check_perft_depth(depth: u32) -> Result<(), EngineError> {
    if depth <= MAX_PERFT { Ok(()) } else { Err(EngineError::PerftDepth { depth }) }
}
