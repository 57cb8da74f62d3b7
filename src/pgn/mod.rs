//! Games as files: portable game notation (PGN) of every variant, set-ups included.
//!
//! [`PgnReader`] takes one game after the other out of a stream, however large it is. A game without
//! a move that can be read is an error that names it, and the next one follows. A [`PgnGame`] is written by its
//! `Display`. What is written is read as the same game, and written from there as the same text.
//!
//! | file | holds |
//! | --- | --- |
//! | `fault` | what can be wrong with a game in a file |
//! | `tags` | the tags of a game, and which game they say it is |
//! | `notes` | what comments say: clocks, evaluations, dice, text |
//! | `tokens` | a line of moves cut into words |
//! | `language` | moves in the letters of other languages, and in figurines |
//! | `line` | a game's turns coming about, with their variations |
//! | `read` | games out of a stream, the broken ones skipped |
//! | `write` | games as text |
//!
//! **Which game.** The tag `Game` has our own name of it. Where it is missing, `Variant` says it, in the
//! words of lichess, Cute Chess, python-chess and others: `Chess960`, `fischerandom`, `Standard`,
//! `From Position`, in any case, with or without blanks and hyphens; without both it is chess. We
//! write both tags: `Variant` for others, who have names only for what is chess from where the
//! moves begin. `Order` is `Free Play` in that form of Jepps Random Chess.
//!
//! **Set-ups.** From a `FEN` with pieces in hand the first turns are placements:
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
//! In Jepps Random Chess the mediator's verdict stands between White's placements and what
//! follows: `Mirror`, `Reverse`, or `Own`, with which Black's placements begin. Dice that offered
//! a piece are told in a comment behind it, `{[%dice 1 6]}`.
//!
//! **Faults.** From a move on that cannot be read, a variation becomes a comment, and so does the rest of
//! a game. The game has the moves before it, and [`PgnGame::faults`] say what is wrong. Piece letters
//! are English. If a turn does not fit, the game is read in other languages, one after the other; the
//! first in which all turns fit is taken.
//!
//! **What is not kept.** Line breaks and runs of blanks in comments; `;` comments become `{}` ones,
//! unless they have a `}`; a comment behind a variation comes before it. Nobody can pass in our games, so that a line of
//! an analysis is kept as a comment from a null move (`--`, `Z0`) on.
//!
//! Source: S. J. Edwards, "Portable Game Notation Specification and Implementation Guide" (1994).

mod fault;
mod language;
mod line;
mod notes;
mod read;
mod tags;
#[cfg(test)]
mod tests;
mod tokens;
mod write;

pub use fault::{GameFault, PgnError, PgnFault, Remedy};
pub use notes::{Eval, Notes};
pub use read::PgnReader;
pub use tags::{Tags, variant_tag};
pub use tokens::{move_sign, sign};
pub use write::PgnText;

use crate::game::{Game, GameError, Outcome, Step, Termination};

/// A game as a file has it. `tags` and `start` must agree; [`PgnGame::new`] sees to it.
#[derive(Clone, Debug)]
pub struct PgnGame {
    pub tags: Tags,
    /// Where it began, before its first turn.
    pub start: Game,
    /// What was played.
    pub line: MoveLine,
    /// Nothing if it is not over, or nobody knows.
    pub result: Option<Outcome>,
    /// What was wrong with it in the file that it was read from.
    pub faults: Vec<GameFault>,
}

/// Turns one after the other: those of the game, or a variation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveLine {
    /// What is said before the first turn.
    pub notes: Notes,
    pub turns: Vec<MoveNode>,
}

/// A turn, or the mediator's verdict, and what is said about it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveNode {
    pub step: Step,
    /// Numeric annotation glyphs: 1 is `!`, 4 is `??`.
    pub nags: Vec<u16>,
    pub notes: Notes,
    /// What could have been played instead.
    pub variations: Vec<MoveLine>,
}

impl From<Step> for MoveNode {
    fn from(step: Step) -> MoveNode {
        MoveNode { step, nags: Vec::new(), notes: Notes::default(), variations: Vec::new() }
    }
}

impl PgnGame {
    /// A game that begins like this, with the tags that say so and nothing known otherwise.
    pub fn new(start: Game) -> PgnGame {
        let tags = Tags::of_start(&start);
        PgnGame { tags, start, line: MoveLine::default(), result: None, faults: Vec::new() }
    }

    /// The game on a board, with the dice that fell; its result is what the rules say.
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

    /// Says how the game ended; nothing if it has not.
    pub fn end(&mut self, result: Option<Outcome>) {
        self.result = result;
        self.tags.set("Result", result.map_or("*", Outcome::text));
    }

    /// Whether all its moves were read; only variations may have faults.
    pub fn is_complete(&self) -> bool {
        self.faults.iter().all(|fault| fault.remedy != Remedy::KeepMoves)
    }

    /// The game to its end, to be looked at or to be played on.
    pub fn replay(&self) -> Result<Game, GameError> {
        let mut game = self.start.clone();
        for node in &self.line.turns {
            game.follow(&node.step, node.notes.dice)?;
        }
        Ok(game)
    }
}
