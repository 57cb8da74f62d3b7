//! Annotates games with evaluations, mistakes, better lines and the players' accuracy.
//!
//! The engine searches each position after the setup once, always with the same limits. The engine's memory
//! is cleared before each game, so that the annotations of a game do not depend on other games.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::position_searcher::PositionSearcher;
use crate::analysis::review::{Judgement, LONGEST_LINE, Mark, ReviewedTurn, accuracies};
use crate::engine::EngineError;
use crate::game::{Game, Step};
use crate::pgn::{ENGINE_LINE, Eval, MoveLine, MoveNode, PgnGame, move_sign};
use crate::search::{Control, Limits};
use crate::types::Color;

/// Annotates games one by one.
pub struct Annotator {
    searcher: PositionSearcher,
    /// Whether existing scores, marks of mistakes and tags are replaced.
    replaces: bool,
}

/// How well one side or both sides played.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Quality {
    pub moves: u32,
    /// The numbers of inaccuracies (`?!`), mistakes (`?`) and blunders (`??`).
    pub marks: [u32; 3],
    /// The sum over all games of the accuracy, from 0 to 100, times the number of moves.
    sum: f64,
}

/// The statistics of annotated games.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    pub games: u64,
    /// The quality of White's and of Black's moves.
    pub sides: [Quality; 2],
    pub positions: u64,
    pub nodes: u64,
}

impl Quality {
    /// Returns the accuracy from 0 to 100, or `None` if there are no moves. The accuracy of several games is the
    /// mean weighted by the number of moves.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.sum / f64::from(self.moves))
    }

    /// Returns the quality of a side's moves in one game. `turns` are the turns of both sides with their marks.
    fn of_game(
        color: Color,
        accuracy: Option<f64>,
        turns: &[(ReviewedTurn, Option<Mark>)],
    ) -> Quality {
        let mut quality = Quality::default();
        for (_, mark) in turns.iter().filter(|(turn, _)| turn.color == color) {
            quality.moves += 1;
            quality.sum += accuracy.unwrap_or_default();
            if let Some(mark) = mark {
                quality.marks[*mark as usize] += 1;
            }
        }
        quality
    }

    /// Combines two statistics.
    pub fn and(&self, other: &Quality) -> Quality {
        let marks = [0, 1, 2].map(|mark| self.marks[mark] + other.marks[mark]);
        Quality { moves: self.moves + other.moves, marks, sum: self.sum + other.sum }
    }
}

impl fmt::Display for Quality {
    /// Writes the accuracy and the numbers of marks: `93.1 % (2 ?!, 1 ?, 0 ??)`.
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
    /// Adds the statistics of other games.
    pub fn add(&mut self, other: &Findings) {
        self.games += other.games;
        self.sides = [0, 1].map(|side| self.sides[side].and(&other.sides[side]));
        self.positions += other.positions;
        self.nodes += other.nodes;
    }
}

impl Annotator {
    /// Creates an annotator that searches each position within `limits`, with `hash` MiB of transposition
    /// table. If `replaces` is true, existing annotations are replaced.
    pub fn new(limits: Limits, hash: usize, replaces: bool) -> Annotator {
        Annotator { searcher: PositionSearcher::new(limits, hash, 1), replaces }
    }

    /// Annotates a game. If `control` stops the search, the game is only partly
    /// annotated, and the result is `None`.
    pub fn annotate(
        &mut self,
        pgn: &mut PgnGame,
        control: &Control,
    ) -> Result<Option<Findings>, EngineError> {
        let mut findings = Findings { games: 1, ..Findings::default() };
        let replaces = self.replaces;
        let mut game = pgn.start.clone();
        self.searcher.begin(&game)?;
        let mut before: Option<Judgement> = None;
        let mut reviewed = Vec::new();
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
            if replaces || node.notes.eval.is_none() {
                node.notes.eval = eval(&now);
            }
            if let (Some(before), Step::Turn(turn)) = (&before, &node.step) {
                let (turn, mark) = before.judge(color, &turn.uci, &now);
                reviewed.push((turn, mark));
                write_mark(node, mark, before, replaces);
            }
            before = Some(now);
        }
        let turns: Vec<ReviewedTurn> = reviewed.iter().map(|(turn, _)| *turn).collect();
        let accuracies = accuracies(&turns);
        findings.sides =
            Color::ALL.map(|color| Quality::of_game(color, accuracies[color.index()], &reviewed));
        let mut set = |name: &str, value: String| {
            let is_known = |value: &str| !matches!(value.trim(), "" | "?");
            if replaces || !pgn.tags.get(name).is_some_and(is_known) {
                pgn.tags.set(name, value);
            }
        };
        for (name, side) in [("WhiteAccuracy", 0), ("BlackAccuracy", 1)] {
            if let Some(accuracy) = findings.sides[side].accuracy() {
                set(name, format!("{accuracy:.1}"));
            }
        }
        set("Annotator", concat!("Aleator ", env!("CARGO_PKG_VERSION")).to_owned());
        Ok(Some(findings))
    }

    /// Returns the engine's judgement of a position. If the game is over, no search is needed.
    fn judge(
        &mut self,
        game: &Game,
        control: &Control,
        findings: &mut Findings,
    ) -> Result<Judgement, EngineError> {
        if let Some(ending) = game.termination() {
            return Ok(Judgement::of_outcome(ending.outcome()));
        }
        let result = self.searcher.search(game, control, &())?;
        findings.positions += 1;
        findings.nodes += result.nodes;
        Ok(Judgement::new(game.side_to_move(), result.lines.first()))
    }
}

fn eval(judgement: &Judgement) -> Option<Eval> {
    judgement.score.map(|score| Eval { score, depth: judgement.depth })
}

/// Marks a mistake and adds the better line as a variation, unless the move already has a mark or this
/// variation. If `replaces` is true, existing marks of mistakes are removed first.
fn write_mark(node: &mut MoveNode, mark: Option<Mark>, before: &Judgement, replaces: bool) {
    if replaces {
        node.nags.retain(|nag| Mark::ALL.iter().all(|mark| mark.nag() != *nag));
    }
    let Some(mark) = mark else { return };
    if replaces || node.nags.iter().all(|nag| move_sign(*nag).is_none()) {
        node.nags.push(mark.nag());
    }
    let turns = before.line.iter().take(LONGEST_LINE);
    let steps: Vec<MoveNode> = turns.map(|turn| MoveNode::from(Step::Turn(turn.clone()))).collect();
    let is_known = |line: &MoveLine| {
        line.turns.first().map(|node| &node.step) == steps.first().map(|node| &node.step)
    };
    if !steps.is_empty() && !node.variations.iter().any(is_known) {
        let mut line = MoveLine { turns: steps, ..MoveLine::default() };
        line.turns[0].notes.eval = eval(before);
        line.turns[0].notes.texts.push(ENGINE_LINE.to_owned());
        node.variations.push(line);
    }
}
