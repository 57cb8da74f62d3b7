//! Games annotated by the engine: what each position is worth, what would have been better, and
//! how accurate the players were.
//!
//! Every position past the set-up is searched once, to the same depth or with as many nodes, after
//! the engine has forgotten the game before, so that an annotation depends on its game and on these
//! alone. *Points* are what a side may expect of a game: 1 for a win, 0.5 for a draw, by the
//! chances that the engine gives to win and draw. A move loses what its side can expect less after
//! it than before.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::position_searcher::PositionSearcher;
use crate::engine::{EngineError, Line};
use crate::game::{Game, GameError, Step, Turn};
use crate::pgn::{Eval, MoveLine, MoveNode, PgnGame};
use crate::search::{Control, Limits};
use crate::types::Color;

/// From how many lost points on a move gets a mark: `?!`, `?`, `??`; and the numbers that PGN has
/// for them.
const MARKS: [(f64, u16); 3] = [(0.1, 6), (0.2, 2), (0.3, 4)];

fn mark_of(lost: f64) -> Option<usize> {
    MARKS.iter().rposition(|(least, _)| lost >= *least)
}

/// PGN's number for the mark of a move that lost so many points, if it deserves one.
pub fn nag_of(lost: f64) -> Option<u16> {
    mark_of(lost).map(|mark| MARKS[mark].1)
}

/// The most turns of a better line that are written.
const LONGEST_LINE: usize = 8;

/// How fast accuracy falls with the points that are lost: a mistake of 0.2 is worth 41 %.
const DECAY: f64 = 4.5;

/// Annotates one game after the other.
pub struct Annotator {
    searcher: PositionSearcher,
}

/// Why a game cannot be annotated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnnotateError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Game(#[from] GameError),
}

/// How well a side, or both, played.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Quality {
    pub moves: u32,
    /// Of `?!`, `?` and `??`.
    pub marks: [u32; 3],
    /// The sum of the accuracies of its moves, each from 0 to 100.
    sum: f64,
}

/// What an annotation found.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// White's and Black's.
    pub sides: [Quality; 2],
    pub positions: u64,
    pub nodes: u64,
}

impl Quality {
    /// From 0 to 100; nothing of who has not moved.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.sum / f64::from(self.moves))
    }

    fn add(&mut self, lost: f64, mark: Option<usize>) {
        self.moves += 1;
        self.sum += 100.0 * (-DECAY * lost.max(0.0)).exp();
        if let Some(mark) = mark {
            self.marks[mark] += 1;
        }
    }

    /// What both are together.
    pub fn and(&self, other: &Quality) -> Quality {
        let marks = [0, 1, 2].map(|mark| self.marks[mark] + other.marks[mark]);
        Quality { moves: self.moves + other.moves, marks, sum: self.sum + other.sum }
    }
}

impl fmt::Display for Quality {
    /// `93.1 % (2 ?!, 1 ?, 0 ??)`
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [inaccuracies, mistakes, blunders] = self.marks;
        match self.accuracy() {
            Some(accuracy) => write!(f, "{accuracy:.1} %")?,
            None => f.write_str("-")?,
        }
        write!(f, " ({inaccuracies} ?!, {mistakes} ?, {blunders} ??)")
    }
}

impl Findings {
    /// Adds those of another game.
    pub fn add(&mut self, other: &Findings) {
        self.sides = [0, 1].map(|side| self.sides[side].and(&other.sides[side]));
        self.positions += other.positions;
        self.nodes += other.nodes;
    }
}

/// What was found of a position.
struct Judged {
    /// For White; nothing where the game is over.
    eval: Option<Eval>,
    /// White's.
    points: f64,
    /// What is best.
    line: Vec<Turn>,
}

impl Judged {
    fn points_of(&self, color: Color) -> f64 {
        if color == Color::White { self.points } else { 1.0 - self.points }
    }
}

impl Annotator {
    /// Searches each position so far, with this many MiB of hash.
    pub const fn new(limits: Limits, hash: usize) -> Annotator {
        Annotator { searcher: PositionSearcher::new(limits, hash) }
    }

    /// Writes into a game what is found of it; nothing comes back if `control` stopped it, and the
    /// game is not to be used then.
    pub fn annotate(
        &mut self,
        pgn: &mut PgnGame,
        control: &Control,
    ) -> Result<Option<Findings>, AnnotateError> {
        let mut findings = Findings::default();
        let mut game = pgn.start.clone();
        self.searcher.begin(&game)?;
        let mut before: Option<Judged> = None;
        for node in &mut pgn.line.turns {
            let color = game.side_to_move();
            if before.is_none() && !game.is_setup() {
                before = Some(self.judge(&game, control, &mut findings)?);
            }
            game.follow(&node.step, None)?;
            if game.is_setup() {
                continue;
            }
            let now = self.judge(&game, control, &mut findings)?;
            if control.stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Ok(None);
            }
            node.notes.eval = now.eval;
            if let (Some(before), Step::Turn(turn)) = (&before, node.step.clone()) {
                let lost = before.points_of(color) - now.points_of(color);
                let is_best = before.line.first().is_some_and(|best| best.uci == turn.uci);
                let lost = if is_best { 0.0 } else { lost };
                let mark = mark_of(lost);
                findings.sides[color.index()].add(lost, mark);
                write_mark(node, mark, before);
            }
            before = Some(now);
        }
        for (name, side) in [("WhiteAccuracy", 0), ("BlackAccuracy", 1)] {
            if let Some(accuracy) = findings.sides[side].accuracy() {
                pgn.tags.set(name, format!("{accuracy:.1}"));
            }
        }
        pgn.tags.set("Annotator", concat!("Aleator ", env!("CARGO_PKG_VERSION")));
        Ok(Some(findings))
    }

    /// Searches a position.
    fn judge(
        &mut self,
        game: &Game,
        control: &Control,
        findings: &mut Findings,
    ) -> Result<Judged, EngineError> {
        if let Some(ending) = game.outcome() {
            let result = ending.result(game.side_to_move());
            let points = match result.winner() {
                Some(Color::White) => 1.0,
                Some(Color::Black) => 0.0,
                None => 0.5,
            };
            return Ok(Judged { eval: None, points, line: Vec::new() });
        }
        let (last, answer) = self.searcher.search(game, control)?;
        findings.positions += 1;
        findings.nodes += answer.nodes;
        Ok(last.map_or_else(Judged::unknown, |line| Judged::of(&line, game.side_to_move())))
    }
}

impl Judged {
    fn unknown() -> Judged {
        Judged { eval: None, points: 0.5, line: Vec::new() }
    }

    /// Of a line of analysis with this side to move.
    fn of(line: &Line, side: Color) -> Judged {
        let points = line.points();
        let texts = line.pv.iter().zip(&line.san).take(LONGEST_LINE);
        let turn = |(uci, san): (&String, &String)| Turn {
            uci: uci.clone(),
            san: san.clone(),
            placement: false,
        };
        Judged {
            eval: Some(Eval {
                score: line.score.for_white(side),
                depth: u32::try_from(line.depth).ok(),
            }),
            points: if side == Color::White { points } else { 1.0 - points },
            line: texts.map(turn).collect(),
        }
    }
}

/// Marks a mistake, and says what would have been better, unless the game says it already. Earlier
/// marks of mistakes give way.
fn write_mark(node: &mut MoveNode, mark: Option<usize>, before: &Judged) {
    node.nags.retain(|nag| MARKS.iter().all(|(_, ours)| nag != ours));
    let Some(mark) = mark else { return };
    node.nags.push(MARKS[mark].1);
    let steps: Vec<MoveNode> =
        before.line.iter().map(|turn| MoveNode::from(Step::Turn(turn.clone()))).collect();
    let is_said = |line: &MoveLine| {
        line.turns.first().map(|node| &node.step) == steps.first().map(|node| &node.step)
    };
    if !steps.is_empty() && !node.variations.iter().any(is_said) {
        let mut line = MoveLine { turns: steps, ..MoveLine::default() };
        line.turns[0].notes.eval = before.eval;
        node.variations.push(line);
    }
}
