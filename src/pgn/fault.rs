//! What can be wrong with a game in a file.

use std::fmt;
use std::io;

use crate::game::GameError;
use crate::rules::VariantError;
use crate::setup::SetupOrGameError;

/// What can be wrong with a game.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PgnFault {
    #[error("'{found}' is no tag; a tag is a line such as [White \"Name\"]")]
    Tag { found: String },
    #[error("the tag {name} stands here twice, with different values")]
    TagTwice { name: &'static str },
    #[error("the tag Variant: {0}")]
    Variant(VariantError),
    #[error("the tag FEN: {0}")]
    Fen(GameError),
    #[error("the tag FEN: {0}")]
    FenPart(SetupOrGameError),
    #[error("move {place} {source}")]
    Turn { place: String, source: GameError },
    #[error("'(' begins a variation, but there is no move before it that it could replace")]
    NothingToReplace,
    #[error("')' ends no variation: none is open")]
    NothingToClose,
    #[error("'}}' ends no comment: none is open")]
    NoCommentToClose,
    #[error("the game is over, but a variation is still open: a ')' is missing")]
    VariationNotClosed,
    #[error("the comment that begins here is never closed: a '}}' is missing")]
    CommentNotClosed,
    #[error("variations are nested more than {limit} deep")]
    TooDeep { limit: usize },
    #[error("the game has more than {limit} moves, variations included")]
    TooManyTurns { limit: usize },
    #[error("the game has more than {limit} bytes")]
    TooLarge { limit: usize },
}

/// What a reader makes of a game with a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remedy {
    /// The game is skipped.
    Skip,
    /// The game has the moves before the fault. What follows is a comment.
    KeepMoves,
    /// The rest of the variation with the fault is a comment.
    CutVariation,
    /// The sign with the fault is left out.
    Ignore,
}

/// A fault in a game: where it is, what is wrong, and what a reader makes of the game.
#[derive(Clone, Debug)]
pub struct GameFault {
    /// The line with the fault, from 1.
    pub line: usize,
    /// Which game of the file it is, from 1; games that cannot be read count, too.
    pub game: usize,
    /// Whose it is, `White - Black`; empty if nobody says it.
    pub players: String,
    pub fault: Box<PgnFault>,
    pub remedy: Remedy,
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}, game {}", self.line, self.game)?;
        if !self.players.is_empty() {
            write!(f, " ({})", self.players)?;
        }
        write!(f, ": {}", self.fault)?;
        f.write_str(match self.remedy {
            Remedy::Skip => "",
            Remedy::KeepMoves => "; the moves before it are kept",
            Remedy::CutVariation => "; the rest of this variation is kept as a comment",
            Remedy::Ignore => "; it is ignored",
        })
    }
}

impl std::error::Error for GameFault {}

/// What a reader meets instead of a game.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The games behind it can be read.
    #[error(transparent)]
    Game(GameFault),
    #[error("cannot read the games: {0}")]
    Input(io::Error),
}
