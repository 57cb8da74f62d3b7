//! Portable game notation (PGN) for every variant, including placement phases.
//!
//! [`PgnReader`] reads the games of a stream one by one, however long the stream is. A game with a problem
//! before its first move is an error that names the game; the reader then continues with the next game.
//! [`PgnGame`] is written by its `Display`. Reading the written text gives the same game and, written again,
//! the same text.
//!
//! | file | holds |
//! | --- | --- |
//! | `problem` | what can be wrong with a game in a file |
//! | `tags` | the tags of a game, and the start position they describe |
//! | `notes` | the contents of comments: clocks, evaluations, dice, text |
//! | `tokens` | splitting movetext into tokens |
//! | `language` | piece letters of other languages, and figurines |
//! | `line` | building a game's tree of turns and variations |
//! | `read` | reading games from a stream, skipping broken ones |
//! | `write` | writing games as text |
//!
//! **Variants.** The tag `Game` has our own name of the variant. Where it is missing, the tag `Variant` is
//! read, with the names of lichess, Cute Chess, python-chess and others: `Chess960`, `fischerandom`,
//! `Standard`, `From Position`, in any case, with or without spaces and hyphens. Without both tags the game
//! is chess. Both tags are written. `Variant` then has the name under which other programs can continue
//! from the position, because they do not know the placement phases. The tag `Order` is `Free Play` in that
//! form of Jepps Random Chess.
//!
//! **Placement phases.** From a `FEN` with pieces in hand, the first turns are placements:
//!
//! ```text
//! [Variant "fischerbenko"]
//! [Game "fischerbenko"]
//! [SetUp "1"]
//! [FEN "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1"]
//!
//! 1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8 5. e4 e5 *
//! ```
//!
//! In Jepps Random Chess the mediator's verdict follows White's placements: `Mirror` or `Reverse`, after
//! which the moves begin, or `Own`, after which Black's placements begin. The dice that offered a piece are
//! in a comment after its placement, `{[%dice 1 6]}`.
//!
//! **Problems.** If a move cannot be read, the rest of its variation, or of the game, becomes a comment. The
//! game keeps the moves before it, and [`PgnGame::problems`] says what is wrong. Piece letters are English.
//! If a move does not fit, the reader tries the letters of other languages. It takes the language in which
//! the whole main line fits and the variations have the fewest problems.
//!
//! **Not preserved.** Line breaks and repeated spaces in comments. Comments after `;` become `{}` comments,
//! unless they contain a `}`. A comment after a variation moves before it. No variant allows a null move, so
//! a line of analysis becomes a comment from a null move (`--`, `Z0`) on.
//!
//! Source: S. J. Edwards, "Portable Game Notation Specification and Implementation Guide" (1994).

mod language;
mod line;
mod notes;
mod problem;
mod read;
mod tags;
#[cfg(test)]
mod tests;
mod tokens;
mod write;

pub use notes::{Eval, Notes};
pub use problem::{GameProblem, PgnError, PgnProblem, Remedy};
pub use read::PgnReader;
pub use tags::{Tags, variant_tag};
pub use tokens::{move_sign, sign};
pub use write::PgnText;

use crate::game::{Game, GameError, Outcome, Step, Termination};

/// A game in a PGN file. `tags` and `start` must agree, as they do after [`PgnGame::new`].
#[derive(Clone, Debug)]
pub struct PgnGame {
    pub tags: Tags,
    /// The game before its first turn.
    pub start: Game,
    /// The main line.
    pub line: MoveLine,
    /// `None` if the game is not over or its result is unknown.
    pub result: Option<Outcome>,
    /// The problems found while reading the game.
    pub problems: Vec<GameProblem>,
}

/// A sequence of turns: the main line of a game, or a variation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveLine {
    /// The comments before the first turn.
    pub notes: Notes,
    pub turns: Vec<MoveNode>,
}

/// A turn or the mediator's verdict, with its annotations.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveNode {
    pub step: Step,
    /// Numeric annotation glyphs (NAGs): 1 is `!`, 4 is `??`.
    pub nags: Vec<u16>,
    pub notes: Notes,
    /// Alternatives to this step.
    pub variations: Vec<MoveLine>,
}

impl From<Step> for MoveNode {
    fn from(step: Step) -> MoveNode {
        MoveNode { step, nags: Vec::new(), notes: Notes::default(), variations: Vec::new() }
    }
}

impl PgnGame {
    /// Returns a game without turns, with the tags of its start. The values of all other tags are unknown.
    pub fn new(start: Game) -> PgnGame {
        let tags = Tags::of_start(&start);
        PgnGame { tags, start, line: MoveLine::default(), result: None, problems: Vec::new() }
    }

    /// Converts a played game, with its dice. The result is the one by the rules, if the game has ended.
    pub fn of(game: &Game) -> PgnGame {
        let mut pgn = PgnGame::new(game.beginning());
        for (step, roll) in game.steps() {
            let mut node = MoveNode::from(step);
            node.notes.dice = roll;
            pgn.line.turns.push(node);
        }
        pgn.end(game.termination().map(Termination::outcome));
        pgn
    }

    /// Sets the result; `None` if the game has not ended.
    pub fn end(&mut self, result: Option<Outcome>) {
        self.result = result;
        self.tags.set("Result", result.map_or("*", Outcome::text));
    }

    /// Whether all moves of the main line were read. Variations may have problems.
    pub fn is_complete(&self) -> bool {
        self.problems.iter().all(|problem| problem.remedy != Remedy::KeepMoves)
    }

    /// Plays the main line and returns the resulting game.
    pub fn replay(&self) -> Result<Game, GameError> {
        let mut game = self.start.clone();
        for node in &self.line.turns {
            game.follow(&node.step, node.notes.dice)?;
        }
        Ok(game)
    }
}
