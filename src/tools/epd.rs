//! Test suites in EPD: positions with the answers that an engine should find.
//!
//! | operation | contents |
//! | --- | --- |
//! | `bm M ...` | best moves: the engine should play one of them |
//! | `am M ...` | moves to avoid: the engine should play none of them |
//! | `dm N` or `bm #N` | a mate in at most N moves; if N is negative, the side to move is mated |
//! | `ce CP` | evaluation in centipawns for the side to move; the engine's score may differ by the margin |
//! | `id TEXT` | name of the position |
//! | `variant V` | variant of the position, if it differs from the variant of the suite |
//!
//! If a position has several of the operations `bm`, `am` and `dm`, the answer must satisfy all of them. `ce`
//! decides only if a position has none of `bm`, `am` and `dm`, but the difference from `ce` is always
//! reported. The engine's memory is cleared before each position. With one thread and a limit in nodes or
//! depth, the results are therefore reproducible.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::position_searcher::PositionSearcher;
use crate::engine::{EngineError, SearchInfo};
use crate::game::{Game, GameError, IgnoredPart, Turn};
use crate::notation::{EpdRecord, MoveError, epd_lines};
use crate::rules::{Variant, VariantError};
use crate::search::{Control, Limits};
use crate::tablebase::Prober;
use crate::text::Excerpt;
use crate::types::Score;

/// The smallest absolute value of `ce` that is a mate score.
const EPD_MATE: i32 = 30_000;

/// A position with the expected answers.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The line number in the file, from 1.
    pub line: usize,
    /// The name of the position, if it has one.
    pub id: Option<String>,
    pub game: Game,
    /// The best moves; empty if the line has no `bm` with moves.
    pub best: Vec<Turn>,
    /// The moves to avoid.
    pub avoid: Vec<Turn>,
    /// The largest number of moves to mate; negative if the side to move is mated.
    pub mate: Option<i32>,
    /// The evaluation in centipawns for the side to move.
    pub eval: Option<i32>,
    /// The kind under which the problem is counted.
    pub kind: Kind,
    /// Parts of the FEN that were ignored because they contradict the pieces on the board.
    pub ignored: Vec<IgnoredPart>,
}

/// The kinds of problems, by expected answer. A problem with several answers is counted under the first kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Kind {
    Best,
    Avoid,
    Mate,
    Eval,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Best, Kind::Avoid, Kind::Mate, Kind::Eval];
}

impl fmt::Display for Kind {
    /// Writes the EPD opcode of the kind.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Kind::Best => "bm",
            Kind::Avoid => "am",
            Kind::Mate => "dm",
            Kind::Eval => "ce",
        })
    }
}

/// The error for a line that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ProblemError {
    /// The line number, from 1.
    pub line: usize,
    pub reason: ProblemFault,
}

/// The reason why a line cannot be read as a problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemFault {
    #[error(transparent)]
    Variant(#[from] VariantError),
    #[error(transparent)]
    Position(GameError),
    #[error("operation '{opcode}': {error}")]
    Move { opcode: &'static str, error: GameError },
    #[error("operation '{opcode}' has no value; expected {wanted}")]
    Missing { opcode: &'static str, wanted: &'static str },
    #[error("operation '{opcode}': expected {wanted}, found {found}")]
    Number { opcode: &'static str, wanted: &'static str, found: Excerpt },
    #[error(
        "there is no expected answer; the line must have at least one of the operations 'bm', 'am', 'dm' and 'ce'"
    )]
    NoQuestion,
}

/// Parses a suite with one problem per line. Returns the problems, and an error for each unreadable line.
/// `variant` is the variant of positions without the operation `variant`. [`epd_lines`] skips blank lines and
/// comments.
pub fn read_problems(text: &str, variant: Variant) -> (Vec<Problem>, Vec<ProblemError>) {
    let (mut problems, mut errors) = (Vec::new(), Vec::new());
    for (line, text) in epd_lines(text) {
        match Problem::read(line, text, variant) {
            Ok(problem) => problems.push(problem),
            Err(reason) => errors.push(ProblemError { line, reason }),
        }
    }
    (problems, errors)
}

/// Returns the moves of an operation. If a move is ambiguous, returns all legal moves that it can mean.
fn moves(record: &EpdRecord, opcode: &'static str, game: &Game) -> Result<Vec<Turn>, ProblemFault> {
    let Some(texts) = record.moves(opcode) else { return Ok(Vec::new()) };
    if texts.is_empty() && (opcode != "bm" || record.mate_length().is_none()) {
        return Err(ProblemFault::Missing { opcode, wanted: "moves" });
    }
    let fail = |error| ProblemFault::Move { opcode, error };
    let mut moves = Vec::new();
    for text in texts {
        match game.read(text) {
            Err(GameError::Move(MoveError::Ambiguous { candidates, .. })) => {
                moves.extend(candidates.split(" or ").filter_map(|text| game.read(text).ok()));
            }
            read => moves.push(read.map_err(fail)?),
        }
    }
    Ok(moves)
}

/// Returns the number of an operation, or `None` if the record has no such operation. Fails unless `fits`
/// accepts the number.
fn number(
    record: &EpdRecord,
    opcode: &'static str,
    wanted: &'static str,
    fits: impl Fn(&i32) -> bool,
) -> Result<Option<i32>, ProblemFault> {
    let Some(operands) = record.operands(opcode) else { return Ok(None) };
    let text = operands.first().ok_or(ProblemFault::Missing { opcode, wanted })?;
    let number = text.parse().ok().filter(fits);
    let wrong = || ProblemFault::Number { opcode, wanted, found: Excerpt::new(text) };
    Ok(Some(number.ok_or_else(wrong)?))
}

impl Problem {
    fn read(line: usize, text: &str, variant: Variant) -> Result<Problem, ProblemFault> {
        let record = EpdRecord::parse(text);
        let variant = record.operand("variant").map_or(Ok(variant), str::parse)?;
        let (game, ignored) =
            Game::new_lenient(variant, &record.fen).map_err(ProblemFault::Position)?;
        let mate = number(&record, "dm", "a number of moves other than 0", |moves| *moves != 0)?;
        let mate = mate.or(record.mate_length());
        let eval = number(&record, "ce", "centipawns from -32767 to 32767", |value| {
            value.unsigned_abs() <= 32_767
        })?;
        let (best, avoid) = (moves(&record, "bm", &game)?, moves(&record, "am", &game)?);
        let is_given = |kind: &Kind| match kind {
            Kind::Best => !best.is_empty(),
            Kind::Avoid => !avoid.is_empty(),
            Kind::Mate => mate.is_some(),
            Kind::Eval => eval.is_some(),
        };
        Ok(Problem {
            line,
            id: record.text("id"),
            kind: Kind::ALL.into_iter().find(is_given).ok_or(ProblemFault::NoQuestion)?,
            game,
            best,
            avoid,
            mate,
            eval,
            ignored,
        })
    }

    /// Returns whether a line of analysis solves the problem. `margin` is the largest allowed difference from
    /// `ce`, in centipawns.
    fn is_right(&self, line: &SearchInfo, margin: u32) -> bool {
        let Some(played) = line.pv.first() else { return false };
        let plays = |moves: &[Turn]| moves.iter().any(|turn| turn.uci == *played);
        let mates = |most: i32| match line.score {
            Score::Mate(moves) => {
                moves.signum() == most.signum() && moves.unsigned_abs() <= most.unsigned_abs()
            }
            Score::Centipawns(_) => false,
        };
        let is_close = || self.error(line).is_some_and(|error| error <= margin);
        (self.best.is_empty() || plays(&self.best))
            && !plays(&self.avoid)
            && self.mate.is_none_or(mates)
            && (self.kind != Kind::Eval || is_close())
    }

    /// Returns the difference between the engine's score and `ce` in centipawns. If `ce` and the score are
    /// both mates by the same side, the difference is 0. Returns `None` if the two scores cannot be
    /// compared: the problem has no `ce`, only one score is a mate, or different sides mate.
    fn error(&self, line: &SearchInfo) -> Option<u32> {
        let wanted = self.eval?;
        match line.score {
            Score::Centipawns(value) if wanted.abs() < EPD_MATE => Some(value.abs_diff(wanted)),
            Score::Mate(moves) if wanted.abs() >= EPD_MATE && (moves > 0) == (wanted > 0) => {
                Some(0)
            }
            _ => None,
        }
    }
}

/// The settings of the engines that search a suite.
#[derive(Clone, Debug)]
pub struct EpdSettings {
    /// The limits for each position.
    pub limits: Limits,
    /// The hash size of each engine in MiB.
    pub hash: usize,
    /// The threads of each engine.
    pub threads: usize,
    /// The number of engines that run at the same time.
    pub concurrency: usize,
    /// The largest allowed difference between the engine's score and `ce`, in centipawns.
    pub margin: u32,
    /// The tablebases; `None` to search without tablebases.
    pub prober: Option<Prober>,
}

/// The point of a search after which the answer stayed right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Since {
    pub depth: i32,
    pub nodes: u64,
    pub time: Duration,
}

/// An engine's answer to a problem.
#[derive(Clone, Debug)]
pub struct Found {
    /// The point after which the answer stayed right; `None` if the final answer is wrong.
    pub solved: Option<Since>,
    /// The last line of analysis; `None` if the game is over.
    pub line: Option<SearchInfo>,
    /// The difference between the final score and `ce` in centipawns, if the two can be compared.
    pub error: Option<u32>,
    pub nodes: u64,
    pub time: Duration,
}

/// Searches problems with several engines, and calls `tell` with each result in the order of the problems.
/// The run ends early if `control` is stopped. If `tell` breaks, `control` is stopped. Results of stopped
/// searches are not reported.
pub fn run(
    problems: &[Problem],
    settings: &EpdSettings,
    control: &Control,
    tell: &mut dyn FnMut(&Problem, &Found) -> ControlFlow<()>,
) -> Result<(), EngineError> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..settings.concurrency.clamp(1, problems.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let EpdSettings { limits, hash, threads, prober, .. } = settings.clone();
                let mut searcher = PositionSearcher::new(limits, hash, threads);
                searcher.request.prober = prober;
                while !control.stop.load(Relaxed)
                    && let number = next.fetch_add(1, Relaxed)
                    && let Some(problem) = problems.get(number)
                {
                    let found = search(&mut searcher, problem, settings.margin, control);
                    // Sending fails if `tell` has ended the run or another search has failed.
                    if control.stop.load(Relaxed) || sender.send((number, found)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let result = tell_in_order(problems, receiver, tell);
        if !matches!(result, Ok(ControlFlow::Continue(()))) {
            control.stop.store(true, Relaxed);
        }
        result.map(|_| ())
    })
}

/// Calls `tell` for each problem as soon as this problem and all earlier problems have been searched.
fn tell_in_order(
    problems: &[Problem],
    receiver: Receiver<(usize, Result<Found, EngineError>)>,
    tell: &mut dyn FnMut(&Problem, &Found) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, EngineError> {
    let (mut waiting, mut told) = (BTreeMap::new(), 0);
    for (number, found) in receiver {
        waiting.insert(number, found?);
        while let Some(found) = waiting.remove(&told) {
            if tell(&problems[told], &found).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            told += 1;
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Searches a problem with an engine whose memory is cleared first.
fn search(
    searcher: &mut PositionSearcher,
    problem: &Problem,
    margin: u32,
    control: &Control,
) -> Result<Found, EngineError> {
    // If only a mate is expected, the search ends as soon as the mate is found.
    let mate = problem.mate.filter(|_| problem.kind == Kind::Mate);
    searcher.request.limits.mate = mate.map(i32::unsigned_abs);
    searcher.begin(&problem.game)?;
    let (lines, began) = (Mutex::new(Vec::new()), Instant::now());
    let lock = || lines.lock().unwrap_or_else(PoisonError::into_inner);
    let listener = |line: &SearchInfo| lock().push(line.clone());
    let nodes = searcher.search(&problem.game, control, &listener)?.nodes;
    let time = began.elapsed();
    let lines = std::mem::take(&mut *lock());
    let right = lines.iter().rev().take_while(|line| problem.is_right(line, margin));
    let since = |&SearchInfo { depth, nodes, time, .. }: &SearchInfo| Since { depth, nodes, time };
    Ok(Found {
        solved: right.last().map(since),
        error: lines.last().and_then(|line| problem.error(line)),
        line: lines.into_iter().next_back(),
        nodes,
        time,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - -";

    fn problem(text: &str) -> Result<Problem, String> {
        let (mut problems, errors) = read_problems(text, Variant::Chess);
        match errors.first() {
            Some(error) => Err(error.to_string()),
            None => Ok(problems.remove(0)),
        }
    }

    #[test]
    fn expected_answers_are_parsed() {
        let asked = problem(&format!(
            "# a suite\n\n{MATE_IN_TWO} bm Rb7 a2a7, ax Kf1+; dm 2; ce +32765; id \"R and; R\""
        ))
        .unwrap_err();
        assert!(asked.starts_with("line 3: operation 'bm': "), "{asked}");
        let asked = problem(&format!(
            "{MATE_IN_TWO} bm Rb7 a2a7; am Kf1, Ra3; dm 2; ce 32765; id \"R and; R\""
        ))
        .unwrap();
        let names = |turns: &[Turn]| turns.iter().map(|turn| turn.san.clone()).collect::<Vec<_>>();
        assert_eq!(
            (names(&asked.best), names(&asked.avoid)),
            (vec!["Rb7".to_owned(), "Ra7".to_owned()], vec!["Kf1".to_owned(), "Ra3".to_owned()])
        );
        assert_eq!(
            (asked.mate, asked.eval, asked.id.as_deref()),
            (Some(2), Some(32765), Some("R and; R"))
        );
        assert_eq!(asked.kind, Kind::Best);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (operations, message) in [
            ("", "there is no expected answer"),
            ("bm", "'bm' has no value; expected moves"),
            ("bm Rc7", "'bm': 'Rc7' "),
            ("am e2e4", "'am': 'e2e4' is illegal"),
            ("dm 0", "'dm': expected a number of moves other than 0, found '0'"),
            ("dm 1x", "found '1x'"),
            ("ce much", "'ce': expected centipawns from -32767 to 32767, found 'much'"),
            ("ce", "'ce' has no value; expected centipawns"),
            ("variant draughts; bm Rb7", "draughts"),
            ("hmvc x; bm Rb7", "line 1: "),
        ] {
            let error = problem(&format!("{MATE_IN_TWO} {operations}")).map(|_| ());
            assert!(
                error.as_ref().is_err_and(|error| error.contains(message)),
                "{operations}: {error:?}"
            );
        }
        assert!(problem("\u{0}\u{fffd}; bm").is_err());
    }

    #[test]
    fn notations_of_public_suites_are_parsed() {
        for (operations, best, mate) in [
            ("0 1 bm Rb7 dm 2", vec!["Rb7"], Some(2)),
            ("- bm Ra2-a7 R1b2;", vec!["Ra7", "Rbb2"], None),
            ("; bm Kf1 + ; id BK.01", vec!["Kf1"], None),
            ("bm Rb2 Ra1", vec!["Rbb2", "Rab2", "Rba1", "Raa1"], None),
            ("bm #2; ep; 00:00;", vec![], Some(2)),
            ("bm #-2", vec![], Some(-2)),
            ("dm -2", vec![], Some(-2)),
        ] {
            let problem = problem(&format!("{MATE_IN_TWO} {operations}")).unwrap();
            let found: Vec<&str> = problem.best.iter().map(|turn| &*turn.san).collect();
            assert_eq!((found, problem.mate), (best, mate), "{operations}");
        }
        let problem = problem("7k/8/8/8/8/8/R7/1R4K1 w KQ e6 -1 1; bm Rb7; id a b;").unwrap();
        assert_eq!(problem.id.as_deref(), Some("a b"));
        assert_eq!(problem.ignored.len(), 3);
        assert_eq!(problem.game.fen(), "7k/8/8/8/8/8/R7/1R4K1 w Q - 0 1");
    }

    fn settings(concurrency: usize) -> EpdSettings {
        let limits = Limits::nodes(3_000);
        EpdSettings { limits, hash: 1, threads: 1, concurrency, margin: 50, prober: None }
    }

    fn search(text: &str, concurrency: usize) -> Vec<(usize, Found)> {
        let (problems, errors) = read_problems(text, Variant::Chess);
        assert_eq!(errors, []);
        let mut told = Vec::new();
        run(&problems, &settings(concurrency), &Control::default(), &mut |problem, found| {
            told.push((problem.line, found.clone()));
            ControlFlow::Continue(())
        })
        .unwrap();
        told
    }

    #[test]
    fn right_and_wrong_answers_are_distinguished() {
        let text = format!(
            "{MATE_IN_TWO} dm 2;\n{MATE_IN_TWO} dm 1;\n{MATE_IN_TWO} am Kh1 Kf1;\n\
             {MATE_IN_TWO} bm Kh1;\n{MATE_IN_TWO} ce 32763;\n{MATE_IN_TWO} ce -32763;\n\
             8/8/8/8/8/8/8/K1k5 w - - ce 20;\n8/8/8/8/8/8/8/K1k5 w - - ce 100;\n\
             7k/5Q2/6K1/8/8/8/8/8 b - - dm 3;"
        );
        let told = search(&text, 1);
        let solved: Vec<bool> = told.iter().map(|(_, found)| found.solved.is_some()).collect();
        assert_eq!(solved, [true, false, true, false, true, false, true, false, false]);
        let errors: Vec<_> = told.iter().map(|(_, found)| found.error).collect();
        assert_eq!(errors[4..8], [Some(0), None, Some(20), Some(100)]);
    }

    #[test]
    fn mates_of_either_side_are_expected() {
        const MATED_IN_ONE: &str = "7k/R7/8/8/8/8/8/1R4K1 b - -";
        let operations = ["bm #-1", "dm -2", "bm #1"].map(|text| format!("{MATED_IN_ONE} {text}"));
        let text = format!("{MATE_IN_TWO} bm #2\n{MATE_IN_TWO} bm #1\n{}", operations.join("\n"));
        let told = search(&text, 1);
        let solved: Vec<bool> = told.iter().map(|(_, found)| found.solved.is_some()).collect();
        assert_eq!(solved, [true, false, true, true, false]);
    }

    #[test]
    fn concurrent_engines_report_the_same_answers_in_the_same_order() {
        let text: String = (1..=6)
            .map(|moves| format!("{MATE_IN_TWO} dm {moves};\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; variant chess960\n"))
            .collect();
        let told = |concurrency| {
            let told = search(&text, concurrency);
            told.into_iter()
                .map(|(line, found)| (line, found.nodes, found.line.map(|line| line.san)))
                .collect::<Vec<_>>()
        };
        let alone = told(1);
        assert_eq!(
            alone.iter().map(|told| told.0).collect::<Vec<_>>(),
            (1..=12).collect::<Vec<_>>()
        );
        assert_eq!(told(3), alone);
    }

    #[test]
    fn a_run_ends_when_tell_breaks() {
        let (problems, _) =
            read_problems(&format!("{MATE_IN_TWO} dm 2\n").repeat(50), Variant::Chess);
        let mut count = 0;
        run(&problems, &settings(2), &Control::default(), &mut |_, _| {
            count += 1;
            if count == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        assert_eq!(count, 3);
    }
}
