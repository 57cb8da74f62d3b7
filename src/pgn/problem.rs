//! The problems that a game in a file can have, and what the reader does about them.

use std::fmt;
use std::io;

use crate::game::GameError;
use crate::rules::VariantError;
use crate::setup::SetupOrGameError;

/// The kind of a problem in a game.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PgnProblem {
    #[error("'{found}' is not a tag; a tag is a line such as [White \"Name\"]")]
    Tag { found: String },
    #[error("the tag {name} occurs twice with different values; only one value is allowed")]
    TagTwice { name: &'static str },
    #[error("the tag Variant: {0}")]
    Variant(VariantError),
    #[error("the tag FEN: {0}")]
    Fen(GameError),
    #[error("the tag FEN: {0}")]
    FenPart(SetupOrGameError),
    #[error("move {place} {source}")]
    Turn { place: String, source: GameError },
    #[error(
        "'(' begins a variation, but no move comes before it; a variation must follow the move that it replaces"
    )]
    NothingToReplace,
    #[error("')' closes a variation, but no variation is open")]
    NothingToClose,
    #[error("'}}' closes a comment, but no comment is open")]
    NoCommentToClose,
    #[error("the game is over, but a variation is still open: a ')' is missing")]
    VariationNotClosed,
    #[error("the comment that begins here is never closed: a '}}' is missing")]
    CommentNotClosed,
    #[error("variations are nested more than {limit} deep, which is the maximum")]
    TooDeep { limit: usize },
    #[error("the game has more than {limit} moves, variations included, which is the maximum")]
    TooManyTurns { limit: usize },
    #[error("the game has more than {limit} bytes, which is the maximum")]
    TooLarge { limit: usize },
}

/// The reader's reaction to a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remedy {
    /// The reader skips the game.
    Skip,
    /// The reader keeps the moves before the problem and turns the rest of the game into a comment.
    KeepMoves,
    /// The reader turns the rest of the variation into a comment.
    CutVariation,
    /// The reader ignores the unexpected character, or the wrong part of the tag `FEN`.
    Ignore,
}

/// A problem in a game, its place in the file, and the reader's reaction.
#[derive(Clone, Debug)]
pub struct GameProblem {
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the game in the file, from 1. Unreadable games count, too.
    pub game: usize,
    /// The names of the players in the form `White - Black`. Empty if the tags name no player.
    pub players: String,
    pub kind: Box<PgnProblem>,
    pub remedy: Remedy,
}

impl fmt::Display for GameProblem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}, game {}", self.line, self.game)?;
        if !self.players.is_empty() {
            write!(f, " ({})", self.players)?;
        }
        write!(f, ": {}", self.kind)?;
        f.write_str(match self.remedy {
            Remedy::Skip => "",
            Remedy::KeepMoves => "; the moves before this place are kept",
            Remedy::CutVariation => "; the rest of this variation is kept as a comment",
            Remedy::Ignore => "; this part is ignored",
        })
    }
}

impl std::error::Error for GameProblem {}

/// The error that the reader returns instead of a game.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The game is skipped. The reader can continue with the next game.
    #[error(transparent)]
    Game(GameProblem),
    #[error("cannot read the games: {0}")]
    Input(io::Error),
}
