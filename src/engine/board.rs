//! The engine of one board.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::report::{Narrator, answer, no_moves};
use super::strength::skill_of;
use super::{Answer, Control, Engine, EngineError, Reporter, Request};
use crate::attacks::Board;
use crate::eval;
use crate::notation::{self, MoveError};
use crate::position::perft::{self, Interrupted};
use crate::position::{FenStyle, Position};
use crate::rules::Rules;
use crate::search::tt::TranspositionTable;
use crate::search::{Job, Limits, Pool, TimeManager};
use crate::start::Start;
use crate::types::score::MATE;
use crate::types::{Color, Move};

/// The engine of one board.
pub struct BoardEngine<G: Board> {
    pub(super) rules: Rules,
    pub(super) position: Position<G>,
    /// Keys of the game's positions before this one.
    pub(super) earlier: Vec<u64>,
    pub(super) table: TranspositionTable,
    pub(super) pool: Pool<G>,
}

fn new_table(mebibytes: usize) -> Result<TranspositionTable, EngineError> {
    TranspositionTable::new(mebibytes)
        .map_err(|error| EngineError::Hash { mebibytes, reason: error.to_string() })
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

    /// The moves to choose from, each as far as it can be played.
    fn search_moves(&self, request: &Request) -> impl Iterator<Item = Result<Move, MoveError>> {
        request.search_moves.iter().map(|text| notation::parse_move(&self.position, text))
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

impl<G: Board> Engine for BoardEngine<G> {
    fn rules(&self) -> Rules {
        self.rules
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), EngineError> {
        (self.position, self.earlier) = set_up(&self.rules, fen, moves)?;
        Ok(())
    }

    fn new_game(&mut self) {
        self.clear_hash();
        self.pool.clear();
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        let before = self.table.mebibytes();
        if mebibytes == before {
            self.clear_hash();
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
        self.pool.install(|| self.table.clear());
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        if threads != self.pool.count() {
            self.pool = new_pool(threads)?;
        }
        Ok(())
    }

    fn check_search_moves(&self, request: &Request) -> Vec<EngineError> {
        self.search_moves(request).filter_map(Result::err).map(EngineError::SearchMove).collect()
    }

    fn search(
        &mut self,
        request: &Request,
        began: Instant,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Answer {
        let search_moves = self.search_moves(request).filter_map(Result::ok).collect();
        let root = &self.position;
        let limits = Limits { search_moves, ..request.limits(root.side_to_move()) };
        let chess960 = request.chess960;
        if !root.has_legal_move() {
            let score = if root.in_check() { -MATE } else { 0 };
            reporter.line(&no_moves(score, began.elapsed()));
        }
        let time = TimeManager::new(&limits, began, request.overhead);
        let listener = Narrator { root, chess960, reporter };
        let job = Job {
            table: &self.table,
            limits: &limits,
            time: &time,
            control,
            skill: request.elo.map(|elo| skill_of(elo, request.seed)),
            listener: &listener,
        };
        let outcome = self.pool.search(&job, root, &self.earlier);
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
        eval::classical::trace(&self.position).to_string()
    }

    fn flip(&mut self) -> Result<(), EngineError> {
        let flipped = self.position.flipped_fen();
        self.set_position(Some(&flipped), &[]).map_err(|_| EngineError::Flip)
    }
}
