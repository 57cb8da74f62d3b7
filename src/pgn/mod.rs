//! Portable game notation (PGN) for every variant, including placement phases.
//!
//! [`PgnReader`] reads the games of a stream of any length, one by one. If a game has a problem before its
//! first move, the reader returns an error that names the game, and then continues with the next game. The
//! `Display` of [`PgnGame`] writes a game. Reading the written text gives the same game, and writing that
//! game gives the same text again.
//!
//! | file | holds |
//! | --- | --- |
//! | `problem` | the problems that a game in a file can have |
//! | `tags` | the tags of a game, and the starting position that they describe |
//! | `notes` | the contents of comments: clocks, evaluations, dice, text |
//! | `tokens` | splitting movetext into tokens |
//! | `language` | piece letters of other languages, and figurines |
//! | `line` | building a game's tree of turns and variations |
//! | `read` | reading games from a stream, skipping broken games |
//! | `write` | writing games as text |
//!
//! **Variants.** The tag `Game` contains Aleator's own name of the variant. If this tag is missing, the
//! reader uses the tag `Variant` and accepts the names that lichess, Cute Chess, python-chess and other
//! programs write: `Chess960`, `fischerandom`, `Standard`, `From Position`. Case, spaces and hyphens do not
//! matter. A game without either tag is chess. The writer writes both tags. Other programs do not know the
//! placement phases, so `Variant` contains a variant that other programs know and in which they can continue
//! from the position. The tag `Order` with the value `Free Play` marks the Free Play of Jepps Random Chess.
//!
//! **Placement phases.** If the tag `FEN` contains pieces in hand, the first turns are placements:
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
//! In Jepps Random Chess the mediator's verdict follows White's placements. After `Mirror` or `Reverse` the
//! moves begin; after `Own` Black's placements begin. A comment after a placement contains the dice that
//! offered the piece, such as `{[%dice 1 6]}`.
//!
//! **Problems.** If a move in a variation cannot be read, the rest of the variation becomes a comment. If a
//! move of the main line cannot be read, the rest of the game becomes a comment. [`PgnGame::problems`]
//! lists the problems. Piece letters are English. If a move makes no sense in English, the reader tries the
//! piece letters of other languages. The reader chooses the language in which the whole main line can be
//! read and the variations have the fewest problems.
//!
//! **Not preserved.** Line breaks and repeated spaces in comments are lost. A comment after `;` becomes a
//! comment in braces, unless it contains a `}`. A comment after a variation moves to the place before the
//! variation. Parts of the tag `FEN` that contradict its board are removed. No variant allows null moves,
//! so the part of a line that begins with a null move (`--`, `Z0`) becomes a comment.
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

pub use notes::{ENGINE_LINE, Eval, Notes};
pub use problem::{GameProblem, PgnError, PgnProblem, Remedy};
pub use read::PgnReader;
pub use tags::{Tags, variant_tag};
pub use tokens::{move_sign, sign};
pub use write::PgnText;

use crate::game::{Game, GameError, Outcome, Step, Termination};

/// A game in a PGN file. The tags must describe the start, as they do after [`PgnGame::new`].
#[derive(Clone, Debug)]
pub struct PgnGame {
    pub tags: Tags,
    /// The game before its first turn.
    pub start: Game,
    /// The main line.
    pub line: MoveLine,
    /// The result, or `None` if the game is not over or the result is unknown.
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
    /// The variations: lines that could have been played instead of this step.
    pub variations: Vec<MoveLine>,
}

impl From<Step> for MoveNode {
    fn from(step: Step) -> MoveNode {
        MoveNode { step, nags: Vec::new(), notes: Notes::default(), variations: Vec::new() }
    }
}

impl PgnGame {
    /// Returns a game without turns. Its tags describe the start; the players and the other standard tags
    /// are marked as unknown.
    pub fn new(start: Game) -> PgnGame {
        let tags = Tags::of_start(&start);
        PgnGame { tags, start, line: MoveLine::default(), result: None, problems: Vec::new() }
    }

    /// Converts a played game and the dice rolled in it. If the game has ended by the rules, its result is
    /// set.
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

    /// Sets the result and the tag `Result`. `None` means that the game has not ended.
    pub fn end(&mut self, result: Option<Outcome>) {
        self.result = result;
        self.tags.set("Result", result.map_or("*", Outcome::text));
    }

    /// Whether all moves of the main line could be read. The variations may have problems.
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
