//! The engine: a game's position, the threads and tables to search it, for either board.
//!
//! [`Engine`] is what the protocols and the command line see: one object-safe trait over both
//! boards and over positions that are still being set up. It takes and gives text and numbers,
//! and never prints: a search reports through a [`Reporter`].
//!
//! [`BoardEngine`] plays games on one board; [`SetupEngine`] adds the set-up before the game, for
//! the variants that have one.

mod setup;
mod setup_search;

pub use setup::SetupEngine;

use std::collections::TryReserveError;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::attacks::Board;
use crate::eval;
use crate::geometry::Board8x8;
#[cfg(feature = "board10x10")]
use crate::geometry::Board10x10;
use crate::notation::{self, MoveError};
use crate::position::perft::{self, Interrupted};
use crate::position::{FenError, FenStyle, Position};
use crate::rules::{BoardSize, Rules, SetupKind, Variant};
use crate::search::pool::Job;
use crate::search::time::TimeManager;
use crate::search::tt::TranspositionTable;
use crate::search::{Bound, Clock, Info, Limits, Listener, Outcome, Pool, Weakness};
use crate::setup::{PlacementError, SetupFenError};
use crate::start::Start;
use crate::system;
use crate::types::score::{MATE, MATE_BOUND};
use crate::types::{Color, Move, Value};

/// Why something cannot be done. The engine is as it was before.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineError {
    #[error("{0}")]
    Fen(#[from] FenError),
    #[error("{0}")]
    SetupFen(#[from] SetupFenError),
    #[error("move {number} of the list: {error}")]
    Move { number: usize, error: MoveError },
    #[error("move {number} of the list: {error}")]
    Placement { number: usize, error: PlacementError },
    #[error("searchmoves: {0}")]
    SearchMove(MoveError),
    #[error("searchmoves: {0}")]
    SearchPlacement(PlacementError),
    #[error("a hash table of {mebibytes} MiB is not to be had ({reason}); it keeps its size")]
    Hash { mebibytes: usize, reason: String },
    #[error(
        "{threads} search threads could not be started ({reason}); there are as many as before"
    )]
    Threads { threads: usize, reason: String },
    #[error(
        "perft: {depth} plies are too many to be counted in a lifetime; {} is the most",
        MAX_PERFT
    )]
    PerftDepth { depth: u32 },
    #[error("the side to move would be able to take the king if the other side had the move")]
    Flip,
    #[error("a set-up cannot be turned around: White places first")]
    FlipSetup,
}

/// The clocks of a `go` command, and its other limits, as yet without knowing who is to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// What is left on White's and Black's clocks. One alone serves either side.
    pub time: [Option<Duration>; 2],
    pub increment: [Option<Duration>; 2],
    pub moves_to_go: Option<u32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    pub mate: Option<u32>,
    pub infinite: bool,
    pub ponder: bool,
    /// In UCI notation, or placements such as `R@h1`: what dice offer, for instance.
    pub search_moves: Vec<String>,
    pub multi_pv: usize,
    /// Time lost between clock and engine with each move.
    pub overhead: Duration,
    /// Strength to play with, in Elo; full strength without.
    pub elo: Option<u32>,
    /// Spell castling as king takes rook.
    pub chess960: bool,
}

/// The outside's hold on a search.
#[derive(Debug, Default)]
pub struct Control {
    /// Ends the search.
    pub stop: AtomicBool,
    /// Set while the search thinks on the opponent's time.
    pub pondering: AtomicBool,
}

/// A score as people and protocols write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn for the side to move.
    Centipawns(Value),
    /// Mate in this many moves (not plies); negative if the side to move is mated.
    Mate(i32),
}

impl Score {
    /// Reads a search's value.
    pub fn new(value: Value) -> Score {
        if value >= MATE_BOUND {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_BOUND {
            Score::Mate(-(MATE + value) / 2)
        } else {
            Score::Centipawns(value)
        }
    }
}

/// A line of analysis.
#[derive(Clone, Debug)]
pub struct Line {
    pub depth: i32,
    pub selective_depth: usize,
    /// From 1.
    pub multi_pv: usize,
    pub score: Score,
    pub bound: Bound,
    /// Chances to win, draw and lose, in thousandths.
    pub wdl: [u32; 3],
    pub nodes: u64,
    pub time: Duration,
    /// In thousandths.
    pub hash_full: u32,
    pub tablebase_hits: u64,
    /// In UCI notation.
    pub pv: Vec<String>,
    /// The same in SAN.
    pub san: Vec<String>,
}

impl Line {
    /// Nodes a second.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes a second; a time too short to measure counts as a microsecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// Hears what a search finds out, as text.
pub trait Reporter: Sync {
    /// A line of analysis is finished or improved.
    fn line(&self, line: &Line);

    /// A search that runs for long has come to this move.
    fn current_move(&self, _depth: i32, _mv: &str, _number: usize) {}

    /// Whether lines are wanted in SAN too.
    fn wants_san(&self) -> bool {
        false
    }
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move to play, in UCI notation; `None` if there is no legal one.
    pub best: Option<String>,
    /// The expected answer to it.
    pub ponder: Option<String>,
    pub nodes: u64,
}

/// An engine for one board, with the position of a game.
pub trait Engine: Send {
    /// The rules in force.
    fn rules(&self) -> Rules;
    /// Sets up a FEN, or the variant's array, and plays moves. All or nothing.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), EngineError>;
    /// Forgets what was learned from the last game.
    fn new_game(&mut self);
    /// Resizes the hash table, and empties it.
    fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError>;
    /// Empties the hash table.
    fn clear_hash(&mut self);
    /// Changes the number of search threads.
    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError>;
    /// Turns a request into limits for the position, or says what is wrong with it.
    fn limits(&self, request: &Request) -> Result<Limits, EngineError>;
    /// Searches; see [`Pool::search`] for when it returns.
    fn search(
        &mut self,
        limits: &Limits,
        request: &Request,
        began: Instant,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Answer;
    /// Some legal move, in UCI notation.
    fn any_move(&self, chess960: bool) -> Option<String>;
    /// Counts the move tree, for each move in UCI notation; no move is made at depth 0. `None` if
    /// it was stopped. See [`check_perft_depth`].
    fn perft(&self, depth: u32, chess960: bool, stop: &AtomicBool) -> Option<Vec<(String, u64)>>;
    /// The position as a FEN.
    fn fen(&self) -> String;
    /// Who has the move.
    fn side_to_move(&self) -> Color;
    /// The board as people look at it.
    fn board(&self) -> String;
    /// The position for people: a board, FEN, key, checkers.
    fn display(&self) -> String;
    /// The static evaluation, term by term.
    fn explain_evaluation(&self) -> String;
    /// Turns the board around: colours, sides and the move change hands.
    fn flip(&mut self) -> Result<(), EngineError>;
}

/// An engine for a variant, with this many MiB of hash and this many threads, at the variant's
/// start.
pub fn new(variant: Variant, hash: usize, threads: usize) -> Result<Box<dyn Engine>, EngineError> {
    let rules = variant.rules();
    Ok(match rules.board {
        BoardSize::Eight if rules.setup != SetupKind::None => {
            Box::new(SetupEngine::new(rules, hash, threads)?)
        }
        BoardSize::Eight => Box::new(BoardEngine::<Board8x8>::new(rules, hash, threads)?),
        #[cfg(feature = "board10x10")]
        BoardSize::Ten => Box::new(BoardEngine::<Board10x10>::new(rules, hash, threads)?),
    })
}

/// The engine of one board.
pub struct BoardEngine<G: Board> {
    rules: Rules,
    position: Position<G>,
    /// Keys of the game's positions before this one.
    earlier: Vec<u64>,
    table: TranspositionTable,
    pool: Pool<G>,
}

fn new_table(mebibytes: usize) -> Result<TranspositionTable, EngineError> {
    let failure = |reason: String| EngineError::Hash { mebibytes, reason };
    if let Some(available) = system::available_mebibytes()
        && mebibytes > available
    {
        return Err(failure(format!("{available} MiB are available")));
    }
    TranspositionTable::new(mebibytes).map_err(|error: TryReserveError| failure(error.to_string()))
}

/// The deepest move tree that is counted. The count recurses, and nothing but the depth ends it.
pub const MAX_PERFT: u32 = 40;

/// Whether a perft of this depth can be asked for.
pub fn check_perft_depth(depth: u32) -> Result<(), EngineError> {
    if depth <= MAX_PERFT { Ok(()) } else { Err(EngineError::PerftDepth { depth }) }
}

fn new_pool<G: Board>(threads: usize) -> Result<Pool<G>, EngineError> {
    Pool::new(threads).map_err(|error| EngineError::Threads { threads, reason: error.to_string() })
}

impl<G: Board> BoardEngine<G> {
    /// An engine at the start of a variant that is played on this board.
    pub fn new(rules: Rules, hash: usize, threads: usize) -> Result<Self, EngineError> {
        let (position, earlier) = set_up(&rules, None, &[])?;
        Ok(BoardEngine {
            rules,
            position,
            earlier,
            table: new_table(hash)?,
            pool: new_pool(threads)?,
        })
    }

    fn moves(&self, texts: &[String]) -> Result<Vec<Move>, EngineError> {
        texts
            .iter()
            .map(|text| notation::parse_uci(&self.position, text).map_err(EngineError::SearchMove))
            .collect()
    }
}

/// The position after some moves from a start, and the keys of those before it.
fn set_up<G: Board>(
    rules: &Rules,
    fen: Option<&str>,
    moves: &[String],
) -> Result<(Position<G>, Vec<u64>), EngineError> {
    let start = Start::standard(rules.variant).fen();
    let mut position = Position::<G>::from_fen(fen.unwrap_or(&start), rules.right)?;
    let mut earlier = Vec::new();
    for (index, text) in moves.iter().enumerate() {
        let mv = notation::parse_uci(&position, text)
            .map_err(|error| EngineError::Move { number: index + 1, error })?;
        earlier.push(position.key());
        position.make(mv);
    }
    Ok((position, earlier))
}

/// The limits that a request sets to a side, whatever moves it may consider.
fn limits_for(request: &Request, side: Color) -> Limits {
    let us = side.index();
    let ours = |values: [Option<Duration>; 2]| values[us].or(values[1 - us]);
    let clock = ours(request.time).map(|remaining| Clock {
        remaining,
        increment: ours(request.increment).unwrap_or_default(),
        moves_to_go: request.moves_to_go,
    });
    let mut limits = Limits {
        depth: request.depth,
        nodes: request.nodes,
        soft_nodes: None,
        move_time: request.move_time,
        clock,
        mate: request.mate,
        infinite: request.infinite,
        ponder: request.ponder,
        search_moves: Vec::new(),
        multi_pv: request.multi_pv,
    };
    let limited = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.move_time.is_some()
        || limits.clock.is_some()
        || limits.mate.is_some();
    limits.infinite |= !limited && !limits.ponder;
    limits
}

impl<G: Board> Engine for BoardEngine<G> {
    fn rules(&self) -> Rules {
        self.rules
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), EngineError> {
        (self.position, self.earlier) = set_up(&self.rules, fen, moves)?;
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.pool.clear();
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        let before = self.table.mebibytes();
        if mebibytes == before {
            self.table.clear();
            return Ok(());
        }
        if let Ok(table) = new_table(mebibytes) {
            self.table = table;
            return Ok(());
        }
        // Both at once do not fit: give the old one back first.
        self.table = new_table(1)?;
        let wanted = new_table(mebibytes);
        self.table = match wanted {
            Ok(table) => table,
            Err(error) => {
                self.table = new_table(before)?;
                return Err(error);
            }
        };
        Ok(())
    }

    fn clear_hash(&mut self) {
        self.table.clear();
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        if threads != self.pool.len() {
            self.pool = new_pool(threads)?;
        }
        Ok(())
    }

    fn limits(&self, request: &Request) -> Result<Limits, EngineError> {
        let search_moves = self.moves(&request.search_moves)?;
        Ok(Limits { search_moves, ..limits_for(request, self.position.side_to_move()) })
    }

    fn search(
        &mut self,
        limits: &Limits,
        request: &Request,
        began: Instant,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Answer {
        let root = &self.position;
        let chess960 = request.chess960;
        if !root.has_legal_move() {
            let score = if root.in_check() { -MATE } else { 0 };
            reporter.line(&no_moves(score, began.elapsed()));
        }
        let time = TimeManager::new(limits, began, request.overhead);
        let listener = Narrator { root, chess960, reporter };
        let outcome = self.pool.search(&Job {
            root,
            earlier: &self.earlier,
            limits,
            time: &time,
            table: &self.table,
            stop: &control.stop,
            pondering: &control.pondering,
            weakness: request.elo.map(weakness_of),
            listener: &listener,
        });
        answer(root, &outcome, chess960)
    }

    fn any_move(&self, chess960: bool) -> Option<String> {
        let mv = *self.position.legal_moves().first()?;
        Some(notation::uci(&self.position, mv, chess960))
    }

    fn perft(&self, depth: u32, chess960: bool, stop: &AtomicBool) -> Option<Vec<(String, u64)>> {
        if depth == 0 {
            return Some(Vec::new());
        }
        let counts: Result<Vec<(Move, u64)>, Interrupted> =
            self.pool.install(|| perft::divide(&self.position, depth, stop));
        let name = |mv| notation::uci(&self.position, mv, chess960);
        Some(counts.ok()?.into_iter().map(|(mv, count)| (name(mv), count)).collect())
    }

    fn fen(&self) -> String {
        self.position.fen(FenStyle::XFen)
    }

    fn side_to_move(&self) -> Color {
        self.position.side_to_move()
    }

    fn board(&self) -> String {
        notation::board(&self.position)
    }

    fn display(&self) -> String {
        let position = &self.position;
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|square| square.to_string()).collect();
        format!(
            "{}\nFen: {}\nKey: {:016X}\nCheckers: {}",
            self.board(),
            self.fen(),
            position.key(),
            checkers.join(" ")
        )
    }

    fn explain_evaluation(&self) -> String {
        if self.position.in_check() {
            return "the side to move is in check: such positions are searched, not evaluated"
                .to_owned();
        }
        eval::trace(&self.position).to_string()
    }

    fn flip(&mut self) -> Result<(), EngineError> {
        let flipped = self.position.flipped_fen();
        self.set_position(Some(&flipped), &[]).map_err(|_| EngineError::Flip)
    }
}

/// Turns what the search reports into text.
struct Narrator<'a, G: Board> {
    root: &'a Position<G>,
    chess960: bool,
    reporter: &'a dyn Reporter,
}

impl<G: Board> Listener for Narrator<'_, G> {
    fn info(&self, info: &Info) {
        let mut position = self.root.clone();
        let (mut pv, mut san) = (Vec::new(), Vec::new());
        for &mv in &info.pv {
            pv.push(notation::uci(&position, mv, self.chess960));
            if self.reporter.wants_san() {
                san.push(notation::san(&position, mv));
            }
            position.make(mv);
        }
        self.reporter.line(&Line {
            depth: info.depth,
            selective_depth: info.selective_depth,
            multi_pv: info.multi_pv,
            score: Score::new(info.score),
            bound: info.bound,
            wdl: win_draw_loss(info.score),
            nodes: info.nodes,
            time: info.time,
            hash_full: info.hash_full,
            tablebase_hits: info.tablebase_hits,
            pv,
            san,
        });
    }

    fn current_move(&self, depth: i32, mv: Move, number: usize) {
        let text = notation::uci(self.root, mv, self.chess960);
        self.reporter.current_move(depth, &text, number);
    }
}

/// What there is to say of a position without a move.
fn no_moves(score: Value, time: Duration) -> Line {
    Line {
        depth: 0,
        selective_depth: 0,
        multi_pv: 1,
        score: Score::new(score),
        bound: Bound::Exact,
        wdl: win_draw_loss(score),
        nodes: 0,
        time,
        hash_full: 0,
        tablebase_hits: 0,
        pv: Vec::new(),
        san: Vec::new(),
    }
}

fn answer<G: Board>(root: &Position<G>, outcome: &Outcome, chess960: bool) -> Answer {
    let best = outcome.best.map(|mv| notation::uci(root, mv, chess960));
    let ponder = outcome
        .best
        .zip(outcome.ponder)
        .map(|(mv, reply)| notation::uci(&root.after(mv), reply, chess960));
    Answer { best, ponder, nodes: outcome.nodes }
}

/// Chances to win, draw and lose in thousandths: a logistic curve for the side to move, and its
/// mirror image for the other.
///
/// The two numbers are our own guess of where half of the games are won and how fast that grows;
/// no data have been fitted yet.
pub fn win_draw_loss(value: Value) -> [u32; 3] {
    const HALF: f64 = 180.0;
    const SCALE: f64 = 70.0;
    if value.abs() >= MATE_BOUND {
        return if value > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance = |value: f64| (1000.0 / (1.0 + ((HALF - value) / SCALE).exp())).round() as u32;
    let (win, loss) = (chance(f64::from(value)), chance(-f64::from(value)));
    [win, 1000_u32.saturating_sub(win + loss), loss]
}

/// The strengths that `UCI_Elo` offers.
pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 800..=2600;

/// How the strength of an Elo is reached: by errors of the evaluation, which grow the weaker the
/// play is to be, and few nodes. The scale is nominal.
fn weakness_of(elo: u32) -> Weakness {
    let elo = elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end());
    let below = f64::from(ELO_RANGE.end() - elo) / 1800.0;
    // From 40 nodes at the bottom to 40,000 at the top, and from 300 centipawns to none.
    let nodes = 40_000.0 / 1000_f64.powf(below);
    Weakness { error: (300.0 * below * below) as Value, nodes: nodes as u64 }
}
