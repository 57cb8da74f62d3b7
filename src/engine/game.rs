//! The engine for every variant: a game, the search threads and the transposition table.

use std::sync::Arc;

use super::chances::Chances;
use super::report::{Formatter, Reporter};
use super::setup_search::{SetupChoice, SetupSearch};
use super::strength::skill_of;
use super::{
    Control, Engine, EngineError, SearchInfo, SearchListener, SearchRequest, SearchResult,
};
use crate::eval::nnue::{Network, explain};
use crate::game::{BoardGame, Game, GameError, IgnoredPart, Stage, on_stage};
use crate::geometry::{Board, Board8x8, Board10x10};
use crate::host::Instant;
use crate::notation;
use crate::position::perft;
use crate::rules::{BoardSize, HAS_BOARD_10X10, Rules, Variant};
use crate::search::tt::TranspositionTable;
use crate::search::{Pool, SearchContext, TimeManager};
use crate::setup::{self, Setup};
use crate::sync::atomic::AtomicBool;
use crate::types::{Color, Move};

/// An engine that plays any variant.
pub struct GameEngine {
    game: Game,
    table: TranspositionTable,
    pool: BoardPool,
}

/// The search threads for one board size.
enum BoardPool {
    Eight(Pool<Board8x8>),
    Ten(Pool<Board10x10>),
}

/// Evaluates an expression with the pool of search threads of either board.
macro_rules! on_pool {
    ($pool:expr, $inner:pat => $body:expr) => {
        match $pool {
            BoardPool::Eight($inner) => $body,
            BoardPool::Ten($inner) => $body,
        }
    };
}

fn new_table(mebibytes: usize) -> Result<TranspositionTable, EngineError> {
    TranspositionTable::new(mebibytes)
        .map_err(|error| EngineError::Hash { mebibytes, reason: error.to_string() })
}

/// Creates a pool with the embedded network.
fn new_pool<G: Board>(threads: usize) -> Result<Pool<G>, EngineError> {
    Pool::new(threads).map_err(|error| EngineError::Threads { threads, reason: error.to_string() })
}

/// Loads a network into the search threads.
fn use_network<G: Board>(pool: &mut Pool<G>, network: &Arc<Network<G>>) -> Result<(), EngineError> {
    let set = pool.set_network(network);
    set.map_err(|error| EngineError::NetworkMemory { reason: error.to_string() })
}

/// Returns a new pool of `threads` threads with the network of this pool.
fn resized<G: Board>(pool: &Pool<G>, threads: usize) -> Result<Pool<G>, EngineError> {
    let mut resized = new_pool(threads)?;
    use_network(&mut resized, pool.network())?;
    Ok(resized)
}

/// Replays turns from a FEN, or from the variant's starting position if `fen` is `None`. Returns the game,
/// and the parts of the FEN that were ignored.
pub fn replay(
    variant: Variant,
    fen: Option<&str>,
    turns: &[String],
) -> Result<(Game, Vec<IgnoredPart>), EngineError> {
    let (mut game, ignored) = match fen {
        Some(fen) => Game::new_lenient(variant, fen)?,
        None => (Game::standard(variant)?, Vec::new()),
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
    Ok((game, ignored))
}

impl GameEngine {
    /// Sets the game to search. The game may be of any variant. If the variant changes, the hash table and
    /// the histories are cleared. If the board size changes, the embedded network replaces a loaded network.
    pub fn set_game(&mut self, game: Game) -> Result<(), EngineError> {
        let (old, new) = (self.game.variant(), game.variant());
        if old != new {
            if old.rules().board == new.rules().board {
                self.new_game();
            } else {
                let threads = on_pool!(&self.pool, pool => pool.count());
                *self = GameEngine::new(new, self.table.mebibytes(), threads)?;
            }
        }
        self.game = game;
        Ok(())
    }

    /// Creates an engine for a variant, with `hash` MiB of transposition table and `threads` search threads.
    /// The game is at the starting position.
    pub fn new(variant: Variant, hash: usize, threads: usize) -> Result<GameEngine, EngineError> {
        let table = new_table(hash)?;
        let pool = match variant.rules().board {
            BoardSize::Eight => BoardPool::Eight(new_pool(threads)?),
            BoardSize::Ten => BoardPool::Ten(new_pool(threads)?),
        };
        let mut engine = GameEngine { game: Game::standard(variant)?, table, pool };
        engine.clear_hash(); // allocates the memory now, as in `set_hash`
        Ok(engine)
    }

    /// Returns the current game.
    pub const fn game(&self) -> &Game {
        &self.game
    }
}

impl Engine for GameEngine {
    fn rules(&self) -> Rules {
        self.game.variant().rules()
    }

    fn set_position(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
    ) -> Result<Vec<IgnoredPart>, EngineError> {
        let (game, ignored) = replay(self.game.variant(), fen, moves)?;
        self.game = game;
        Ok(ignored)
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
        self.table = new_table(mebibytes).or_else(|_| {
            // The old and the new table may not both fit into memory, so free the old table first.
            self.table = new_table(1)?;
            new_table(mebibytes).or_else(|error| {
                self.table = new_table(before)?;
                Err(error)
            })
        })?;
        // The operating system provides memory when it is first written. Clearing the table writes all of the
        // memory now, rather than while a clock is running.
        self.clear_hash();
        Ok(())
    }

    fn clear_hash(&mut self) {
        on_pool!(&self.pool, pool => pool.install(|| self.table.clear()));
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        if threads != on_pool!(&self.pool, pool => pool.count()) {
            self.pool = match &self.pool {
                BoardPool::Eight(pool) => BoardPool::Eight(resized(pool, threads)?),
                BoardPool::Ten(pool) => BoardPool::Ten(resized(pool, threads)?),
            };
        }
        Ok(())
    }

    fn set_network(&mut self, file: &[u8]) -> Result<(), EngineError> {
        on_pool!(&mut self.pool, pool => use_network(pool, &Arc::new(Network::from_bytes(file)?)))?;
        self.new_game();
        Ok(())
    }

    fn check_search_moves(&self, request: &SearchRequest) -> Vec<EngineError> {
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
        request: &SearchRequest,
        began: Instant,
        control: &Control,
        listener: &dyn SearchListener,
    ) -> SearchResult {
        let reporter = Reporter::new(request, listener);
        let search = GameSearch { began, control, reporter, table: &self.table };
        match (self.game.stage(), &mut self.pool) {
            (Stage::Setup(state), BoardPool::Eight(pool)) => search.search_setup(state, pool),
            (Stage::Eight(game), BoardPool::Eight(pool)) => search.search_board(game, pool),
            (Stage::Ten(game), BoardPool::Ten(pool)) if HAS_BOARD_10X10 => {
                search.search_board(game, pool)
            }
            _ => unreachable!("the pool has the variant's board"),
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

    fn game(&self) -> Option<&Game> {
        Some(&self.game)
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
            return "there is no static evaluation while the side to move is in check".to_owned();
        }
        match (self.game.stage(), &self.pool) {
            (Stage::Setup(_), _) => {
                "there is no static evaluation while pieces are being placed; 'go' shows a score"
                    .to_owned()
            }
            (Stage::Eight(game), BoardPool::Eight(pool)) => explain_position(game, pool),
            (Stage::Ten(game), BoardPool::Ten(pool)) if HAS_BOARD_10X10 => {
                explain_position(game, pool)
            }
            _ => unreachable!("the pool has the variant's board"),
        }
    }

    fn flip(&mut self) -> Result<(), EngineError> {
        let flipped = on_stage!(self.game.stage(), _ => return Err(EngineError::FlipSetup),
                                game => game.position().flipped_fen());
        self.set_position(Some(&flipped), &[]).map(drop).map_err(|_| EngineError::Flip)
    }
}

/// Explains the network's evaluation piece by piece, in displayed pawns.
fn explain_position<G: Board>(game: &BoardGame<G>, pool: &Pool<G>) -> String {
    let position = game.position();
    let chances = Chances::of(position);
    explain(pool.network(), position, |value| f64::from(chances.centipawns(value)) / 100.0)
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

/// The parameters of a search.
struct GameSearch<'a> {
    began: Instant,
    control: &'a Control,
    reporter: Reporter<'a>,
    table: &'a TranspositionTable,
}

impl GameSearch<'_> {
    fn search_board<G: Board>(self, game: &BoardGame<G>, pool: &mut Pool<G>) -> SearchResult {
        let GameSearch { began, control, reporter, table } = self;
        let (root, request) = (game.position(), reporter.request);
        let texts = request.search_moves.iter();
        let search_moves: Vec<Move> =
            texts.filter_map(|text| notation::parse_move(root, text).ok()).collect();
        if !root.has_legal_move() {
            reporter.report(SearchInfo::no_moves(root.in_check(), began.elapsed()));
        }
        let limits = request.limits.without_ignored();
        let time = TimeManager::new(&limits, root.side_to_move(), began, request.overhead);
        let listener = Formatter { root, chances: Chances::of(root), reporter: &reporter };
        let context = SearchContext {
            search_moves: &search_moves,
            skill: request.elo.map(|elo| skill_of(elo, request.seed).at(root)),
            listener: &listener,
            prober: request.prober.as_ref(),
            ..SearchContext::new(table, &limits, &time, control)
        };
        let found = pool.search(&context, root, game.earlier_keys());
        let mut pv = found.pv().iter();
        let best =
            pv.next().map(|mv| (notation::uci(root, *mv, request.chess960), root.after(*mv)));
        let (best, after) = best.unzip();
        let ponder = after.zip(pv.next());
        let ponder = ponder.map(|(after, reply)| notation::uci(&after, *reply, request.chess960));
        reporter.result(best, ponder, found.nodes)
    }

    fn search_setup(self, state: &Setup, pool: &mut Pool<Board8x8>) -> SearchResult {
        let GameSearch { began, control, reporter, table } = self;
        let choice = SetupChoice::new(state, &reporter.request.search_moves);
        let limits = &reporter.request.limits.without_ignored();
        let search = SetupSearch { choice: &choice, limits, began, control, reporter: &reporter };
        let (best, ponder, nodes) = search.run(pool, table);
        reporter.result(best, ponder, nodes)
    }
}
