//! What can be wrong with a game in a file.

use std::fmt;
use std::io;

use crate::game::GameError;
use crate::rules::VariantError;

/// Why nobody could play a game.
#[derive(Debug, thiserror::Error)]
pub enum PgnFault {
    #[error("'{found}' is no tag; a tag is a line such as [White \"Name\"]")]
    Tag { found: String },
    #[error("the tag {name} stands here twice, with different values")]
    TagTwice { name: &'static str },
    #[error("the tag Variant: {0}")]
    Variant(VariantError),
    #[error("the tag FEN: {0}")]
    Fen(GameError),
    #[error("move {place} {source}")]
    Turn { place: String, source: GameError },
    #[error("'(' begins a variation, but there is no move before it that it could replace")]
    NothingToReplace,
    #[error("')' ends no variation: none is open")]
    NothingToClose,
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

/// A game that nobody could play: where it stands, and what is wrong.
#[derive(Debug)]
pub struct BrokenGame {
    /// The line with the fault, from 1.
    pub line: usize,
    /// Which game of the file it is, from 1.
    pub game: usize,
    /// Whose it is, `White - Black`; empty if nobody says it.
    pub players: String,
    pub fault: Box<PgnFault>,
}

impl fmt::Display for BrokenGame {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}, game {}", self.line, self.game)?;
        if !self.players.is_empty() {
            write!(f, " ({})", self.players)?;
        }
        write!(f, ": {}", self.fault)
    }
}

impl std::error::Error for BrokenGame {}

/// What a reader meets instead of a game.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The games behind it can be read.
    #[error(transparent)]
    Game(BrokenGame),
    #[error("cannot read the games: {0}")]
    Input(io::Error),
}
