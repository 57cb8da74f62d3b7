//! The engine of every variant: a game, and the threads and the table to search it with.

use std::sync::Arc;

use super::chances::Chances;
use super::report::{LineWriter, answer, no_moves};
use super::setup_search::{SetupChoice, SetupSearch};
use super::strength::skill_of;
use super::{Answer, Control, Engine, EngineError, LineListener, Request};
use crate::attacks::Board;
use crate::eval::nets;
use crate::eval::nnue::{Network, explain};
use crate::game::{BoardGame, Game, GameError, Stage, on_stage};
use crate::geometry::Board8x8;
use crate::host::Instant;
use crate::notation;
use crate::position::{Position, perft};
use crate::rules::{BoardSize, Rules, Variant};
use crate::search::tt::TranspositionTable;
use crate::search::{Limits, Pool, SearchContext, TimeManager};
use crate::setup::{self, Setup};
use crate::sync::atomic::AtomicBool;
use crate::types::Color;

/// The engine of a variant.
pub struct GameEngine {
    game: Game,
    table: TranspositionTable,
    pool: BoardPool,
    /// The file of the network that evaluates.
    network: Vec<u8>,
}

/// The threads that search a game, with what they remember of its board.
enum BoardPool {
    Eight(Pool<Board8x8>),
    #[cfg(feature = "board10x10")]
    Ten(Pool<crate::geometry::Board10x10>),
}

/// Asks the pool of whichever board.
macro_rules! on_pool {
    ($pool:expr, $inner:pat => $body:expr) => {
        match $pool {
            BoardPool::Eight($inner) => $body,
            #[cfg(feature = "board10x10")]
            BoardPool::Ten($inner) => $body,
        }
    };
}

fn new_table(mebibytes: usize) -> Result<TranspositionTable, EngineError> {
    TranspositionTable::new(mebibytes)
        .map_err(|error| EngineError::Hash { mebibytes, reason: error.to_string() })
}

fn new_pool(board: BoardSize, threads: usize) -> Result<BoardPool, EngineError> {
    let pool = match board {
        BoardSize::Eight => Pool::new(threads).map(BoardPool::Eight),
        #[cfg(feature = "board10x10")]
        BoardSize::Ten => Pool::new(threads).map(BoardPool::Ten),
    };
    pool.map_err(|error| EngineError::Threads { threads, reason: error.to_string() })
}

/// Has the threads evaluate with the network in a file.
fn use_network<G: Board>(pool: &mut Pool<G>, file: &[u8]) -> Result<(), EngineError> {
    let set = pool.set_network(&Arc::new(Network::from_bytes(file)?));
    set.map_err(|error| EngineError::NetworkMemory { reason: error.to_string() })
}

/// The game after some turns from a FEN, or from the variant's start.
pub fn replay(variant: Variant, fen: Option<&str>, turns: &[String]) -> Result<Game, EngineError> {
    let mut game = match fen {
        Some(fen) => Game::new(variant, fen)?,
        None => Game::standard(variant)?,
    };
    let mut before = "";
    for (number, text) in (1..).zip(turns) {
        if game.was_completed_by(before, text) {
            before = "";
            continue;
        }
        game.decide_order(text);
        game.play(text).map_err(|error| EngineError::Turn { number, error })?;
        before = text;
    }
    Ok(game)
}

impl GameEngine {
    /// Takes a game of any variant as it is. Nothing is remembered of games of another variant.
    pub fn set_game(&mut self, game: Game) -> Result<(), EngineError> {
        if game.variant() != self.game.variant() {
            let threads = on_pool!(&self.pool, pool => pool.count());
            *self = GameEngine::new(game.variant(), self.table.mebibytes(), threads)?;
        }
        self.game = game;
        Ok(())
    }

    /// An engine at the start of a variant.
    pub fn new(variant: Variant, hash: usize, threads: usize) -> Result<GameEngine, EngineError> {
        let board = variant.rules().board;
        let (table, pool) = (new_table(hash)?, new_pool(board, threads)?);
        // A new pool evaluates with it.
        let network = nets::embedded(board).to_vec();
        let mut engine = GameEngine { game: Game::standard(variant)?, table, pool, network };
        engine.clear_hash(); // as in `set_hash`
        Ok(engine)
    }

    /// The game up to the position.
    pub const fn game(&self) -> &Game {
        &self.game
    }
}

impl Engine for GameEngine {
    fn rules(&self) -> Rules {
        self.game.variant().rules()
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), EngineError> {
        self.game = replay(self.game.variant(), fen, moves)?;
        Ok(())
    }

    fn new_game(&mut self) {
        self.clear_hash();
        on_pool!(&mut self.pool, pool => pool.clear());
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        let before = self.table.mebibytes();
        if mebibytes == before {
            self.clear_hash();
            return Ok(());
        }
        if let Ok(table) = new_table(mebibytes) {
            self.table = table;
        } else {
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
        }
        // The system gives the memory when it is first written: now, to all threads, and not while the
        // clock runs.
        self.clear_hash();
        Ok(())
    }

    fn clear_hash(&mut self) {
        on_pool!(&self.pool, pool => pool.install(|| self.table.clear()));
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        if threads != on_pool!(&self.pool, pool => pool.count()) {
            let mut pool = new_pool(self.rules().board, threads)?;
            on_pool!(&mut pool, pool => use_network(pool, &self.network))?;
            self.pool = pool;
        }
        Ok(())
    }

    fn set_network(&mut self, file: &[u8]) -> Result<(), EngineError> {
        on_pool!(&mut self.pool, pool => use_network(pool, file))?;
        self.network = file.to_vec();
        self.new_game();
        Ok(())
    }

    fn check_search_moves(&self, request: &Request) -> Vec<EngineError> {
        let texts = &request.search_moves;
        let wrong: Vec<GameError> = on_stage!(self.game.stage(),
        state => {
            let errors = SetupChoice::new(state, texts).errors;
            errors.into_iter().map(GameError::from).collect()
        },
        game => {
            let read = texts.iter().map(|text| notation::parse_move(game.position(), text));
            read.filter_map(|read| Some(read.err()?.into())).collect()
        });
        wrong.into_iter().map(EngineError::SearchMove).collect()
    }

    fn search(
        &mut self,
        request: &Request,
        began: Instant,
        control: &Control,
        listener: &dyn LineListener,
    ) -> Answer {
        let order = Order { request, began, control, listener, table: &self.table };
        match (self.game.stage(), &mut self.pool) {
            (Stage::Setup(state), BoardPool::Eight(pool)) => order.search_setup(state, pool),
            (Stage::Eight(game), BoardPool::Eight(pool)) => order.search_board(game, pool),
            #[cfg(feature = "board10x10")]
            (Stage::Ten(game), BoardPool::Ten(pool)) => order.search_board(game, pool),
            #[cfg(feature = "board10x10")]
            _ => unreachable!("the threads are those of the variant's board"),
        }
    }

    fn any_move(&self, chess960: bool) -> Option<String> {
        on_stage!(self.game.stage(),
        state => Some(state.legal_placements().first()?.to_string()),
        game => {
            let position = game.position();
            Some(notation::uci(position, *position.legal_moves().first()?, chess960))
        })
    }

    fn perft(&self, depth: u32, chess960: bool, stop: &AtomicBool) -> Option<Vec<(String, u64)>> {
        if depth == 0 {
            return Some(Vec::new());
        }
        let count = || {
            on_stage!(self.game.stage(),
            state => {
                let counts = setup::perft::divide(state, depth, stop).ok()?;
                Some(counts.into_iter().map(|(turn, count)| (turn.to_string(), count)).collect())
            },
            game => {
                let position = game.position();
                let counts = perft::divide(position, depth, stop).ok()?.into_iter();
                let name = |mv| notation::uci(position, mv, chess960);
                Some(counts.map(|(mv, count)| (name(mv), count)).collect())
            })
        };
        on_pool!(&self.pool, pool => pool.install(count))
    }

    fn fen(&self) -> String {
        self.game.fen()
    }

    fn side_to_move(&self) -> Color {
        self.game.side_to_move()
    }

    fn board(&self) -> String {
        on_stage!(self.game.stage(), state => notation::board(&state.board()),
                  game => notation::board(game.position()))
    }

    fn display(&self) -> String {
        let details = on_stage!(self.game.stage(), state => setup_details(state),
                                game => board_details(game));
        format!("{}\nFen: {}\n{details}", self.board(), self.fen())
    }

    fn explain_evaluation(&self) -> String {
        if self.game.in_check() {
            return "the side to move is in check: such positions are searched, not evaluated"
                .to_owned();
        }
        on_stage!(self.game.stage(),
        _ => "pieces are still being placed: there is no game to evaluate yet, but 'go' says what \
              the set-up is worth".to_owned(),
        game => explain_position(game.position(), &self.network))
    }

    fn flip(&mut self) -> Result<(), EngineError> {
        let flipped = on_stage!(self.game.stage(), _ => return Err(EngineError::FlipSetup),
                                game => game.position().flipped_fen());
        self.set_position(Some(&flipped), &[]).map_err(|_| EngineError::Flip)
    }
}

/// What the network thinks of each piece, in the pawns that are displayed.
fn explain_position<G: Board>(position: &Position<G>, network: &[u8]) -> String {
    // What is in force was read before.
    let network = match Network::from_bytes(network) {
        Ok(network) => network,
        Err(error) => return error.to_string(),
    };
    let chances = Chances::of(position);
    explain(&network, position, |value| f64::from(chances.centipawns(value)) / 100.0)
}

fn board_details<G: Board>(game: &BoardGame<G>) -> String {
    let position = game.position();
    let checkers: Vec<String> =
        position.checkers().into_iter().map(|square| square.to_string()).collect();
    format!("Key: {:016X}\nCheckers: {}", position.key(), checkers.join(" "))
}

fn setup_details(state: &Setup) -> String {
    let in_hand = |color| match state.pocket(color).letters(color) {
        letters if letters.is_empty() => "nothing".to_owned(),
        letters => letters,
    };
    let [white, black] = Color::ALL.map(in_hand);
    let next = state.next_square().map_or_else(String::new, |square| format!(" on {square}"));
    format!("In hand: White {white}, Black {black}\nTo place: {}{next}", state.side_to_place())
}

/// A search: its limits, its table and its listener.
struct Order<'a> {
    request: &'a Request,
    began: Instant,
    control: &'a Control,
    listener: &'a dyn LineListener,
    table: &'a TranspositionTable,
}

impl Order<'_> {
    fn search_board<G: Board>(&self, game: &BoardGame<G>, pool: &mut Pool<G>) -> Answer {
        let Order { request, began, control, listener, table } = *self;
        let root = game.position();
        let search_moves = request.search_moves.iter();
        let search_moves =
            search_moves.filter_map(|text| notation::parse_move(root, text).ok()).collect();
        let limits = Limits { search_moves, ..request.limits(root.side_to_move()) };
        let chess960 = request.chess960;
        if !root.has_legal_move() {
            listener.line(&no_moves(root.in_check(), began.elapsed()));
        }
        let time = TimeManager::new(&limits, began, request.overhead);
        let listener = LineWriter { root, chances: Chances::of(root), chess960, listener };
        let context = SearchContext {
            skill: request.elo.map(|elo| skill_of(elo, request.seed).at(root)),
            listener: &listener,
            prober: request.prober.as_ref(),
            ..SearchContext::new(table, &limits, &time, control)
        };
        let outcome = pool.search(&context, root, game.earlier_keys());
        answer(root, &outcome, chess960)
    }

    fn search_setup(&self, state: &Setup, pool: &mut Pool<Board8x8>) -> Answer {
        let Order { request, began, control, listener, table } = *self;
        let choice = SetupChoice::new(state, &request.search_moves);
        let limits = request.limits(choice.state.side_to_place());
        let (choice, limits) = (&choice, &limits);
        SetupSearch { choice, limits, request, began, control, listener }.run(pool, table)
    }
}
