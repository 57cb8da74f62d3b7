//! The engine: a game, the search threads and the transposition table, for either board size.
//!
//! The protocols and the command line use the object-safe trait [`Engine`], which covers both board sizes
//! and placement phases. Arguments and results are text and numbers. The engine never prints; a search
//! reports to a [`SearchListener`].
//!
//! | file | contents |
//! | --- | --- |
//! | `request` | the parameters of a search |
//! | `report` | the reports and the result of a search, as text and numbers |
//! | `runner` | runs searches outside the caller's thread |
//! | `chances` | converts values into winning chances and displayed centipawns |
//! | `strength` | the levels, and limited strength |
//! | `habits` | the engine's human habits: resigning, offering draws, pausing |
//! | `game` | [`GameEngine`]: a game with its search threads and transposition table |
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

/// Why a command failed. A failed command does not change the engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum EngineError {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("move {number} of the list of moves: {error}")]
    Turn { number: usize, error: GameError },
    #[error("searchmoves: {0}")]
    SearchMove(GameError),
    #[error(
        "cannot allocate a hash table of {mebibytes} MiB ({reason}); the hash size is unchanged"
    )]
    Hash { mebibytes: usize, reason: String },
    #[error("cannot start {threads} search threads ({reason}); the number of threads is unchanged")]
    Threads { threads: usize, reason: String },
    #[error(
        "perft: the depth of {depth} plies would take too long; the maximum depth is {}",
        MAX_PERFT
    )]
    PerftDepth { depth: u32 },
    #[error("the network cannot be used: {0}; the evaluation is unchanged")]
    Network(#[from] NetworkError),
    #[error("cannot allocate memory for a network ({reason}); the evaluation is unchanged")]
    NetworkMemory { reason: String },
    #[error(
        "the position cannot be flipped, because the side to move could capture the other side's king"
    )]
    Flip,
    #[error("'flip' does not work during the placement phase, because White always places first")]
    FlipSetup,
}

/// An engine for one board size, with the current game.
pub trait Engine: Send {
    /// Returns the rules of the current variant.
    fn rules(&self) -> Rules;
    /// Sets up the position of a FEN or the variant's starting position, and plays moves. On failure, the
    /// position is unchanged. Returns the parts of the FEN that contradict the board and were ignored; see
    /// [`Game::new_lenient`](crate::game::Game::new_lenient).
    fn set_position(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
    ) -> Result<Vec<IgnoredPart>, EngineError>;
    /// Clears the hash table and all other search data from the last game.
    fn new_game(&mut self);
    /// Resizes and clears the hash table.
    fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError>;
    /// Clears the hash table.
    fn clear_hash(&mut self);
    /// Changes the number of search threads.
    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError>;
    /// Loads a network from the bytes of a network file, and calls [`Self::new_game`].
    fn set_network(&mut self, file: &[u8]) -> Result<(), EngineError>;
    /// Returns an error for each invalid move in the request's search moves. [`Self::search`] skips invalid
    /// search moves.
    fn check_search_moves(&self, request: &SearchRequest) -> Vec<EngineError>;
    /// Searches the current position. [`Pool::search`](crate::search::Pool::search) describes when a search
    /// ends.
    fn search(
        &mut self,
        request: &SearchRequest,
        began: Instant,
        control: &Control,
        listener: &dyn SearchListener,
    ) -> SearchResult;
    /// Returns an arbitrary legal move in UCI notation, or `None` if there is no legal move.
    fn any_move(&self, chess960: bool) -> Option<String>;
    /// Counts the leaves of the move tree separately for each legal move, written in UCI notation. The list
    /// is empty at depth 0. Returns `None` if the count was stopped. Check the depth with
    /// [`check_perft_depth`] first.
    fn perft(&self, depth: u32, chess960: bool, stop: &AtomicBool) -> Option<Vec<(String, u64)>>;
    /// Returns the game up to the current position, if the engine stores the game.
    fn game(&self) -> Option<&Game>;
    /// Returns the position as a FEN.
    fn fen(&self) -> String;
    /// Returns the side to move.
    fn side_to_move(&self) -> Color;
    /// Draws the board as text.
    fn board(&self) -> String;
    /// Describes the position for people: board, FEN, key, checkers.
    fn display(&self) -> String;
    /// Describes the static evaluation, piece by piece.
    fn explain_evaluation(&self) -> String;
    /// Mirrors the position: swaps the colours of all pieces and the side to move.
    fn flip(&mut self) -> Result<(), EngineError>;
}

/// Creates an engine at the starting position of a variant. `hash` is the size of the hash table in MiB,
/// `threads` the number of search threads.
pub fn new(variant: Variant, hash: usize, threads: usize) -> Result<Box<dyn Engine>, EngineError> {
    Ok(Box::new(GameEngine::new(variant, hash, threads)?))
}

/// The maximum depth of a perft. The perft function recurses once per ply.
pub const MAX_PERFT: u32 = 40;

/// Returns an error if the depth exceeds [`MAX_PERFT`].
pub fn check_perft_depth(depth: u32) -> Result<(), EngineError> {
    if depth <= MAX_PERFT { Ok(()) } else { Err(EngineError::PerftDepth { depth }) }
}
