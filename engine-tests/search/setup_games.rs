//! Plays whole setup games of the engine against itself. The library's game checks every placement and every
//! move, and the positions of both engines are compared with this game.
//!
//! By default only a few games are played. `ALEATOR_GAMES=200 cargo test --release --test search setup_games
//! -- --ignored --nocapture` plays 200 games of each variant and prints a table of results.

use std::fmt;
use std::time::Instant;

use aleator::engine::{self, Control, Engine, SearchRequest, SearchResult};
use aleator::game::{Game, Termination};
use aleator::rules::{SetupKind, Variant};
use aleator::search::Limits;
use aleator::setup::Setup;
use aleator::start::{Rng, SetupStart};
use aleator::types::Color;

const VARIANTS: [Variant; 3] = [Variant::FischerBenko, Variant::Transcendental, Variant::Jepps];
/// The maximum number of plies of a game. The fifty-move rule ends games long before.
const MOST_PLIES: usize = 3_000;

/// The search limits of a game.
#[derive(Clone, Copy)]
struct Budget {
    /// The number of rounds of the placement solver.
    leaf_depth: u32,
    /// The node limit of the placement solver.
    setup_nodes: u64,
    /// The number of nodes for each move after the placement phase.
    nodes: u64,
}

impl Budget {
    fn setup(self) -> SearchRequest {
        let (depth, nodes) = (Some(self.leaf_depth), Some(self.setup_nodes));
        Budget::request(Limits { depth, nodes, ..Limits::default() })
    }

    fn game(self) -> SearchRequest {
        Budget::request(Limits::nodes(self.nodes))
    }

    fn request(limits: Limits) -> SearchRequest {
        SearchRequest { limits, chess960: true, ..SearchRequest::default() }
    }
}

fn search(engine: &mut dyn Engine, request: &SearchRequest) -> SearchResult {
    assert_eq!(engine.check_search_moves(request), []);
    let result = engine.search(request, Instant::now(), &Control::default(), &());
    let best = result.lines.first().expect("the search reports a line");
    assert_eq!(best.pv.first(), result.best.as_ref(), "{}", engine.fen());
    result
}

/// Plays a game between two engines (White's first) and compares the engines with the library's game.
fn play(engines: &mut [Box<dyn Engine>; 2], start: Setup, budget: Budget, rng: &mut Rng) -> Record {
    let mut game = Game::from(start);
    let mut placements = 0;
    for turns in 0..MOST_PLIES {
        game.roll_dice(rng);
        let side = game.side_to_move();
        if let Some(ending) = game.termination() {
            return Record { ending, placements, plies: turns - placements };
        }
        let engine = engines[side.index()].as_mut();
        let (root, moves) = game.uci_position();
        engine
            .set_position(Some(root), &moves)
            .unwrap_or_else(|error| panic!("{root} {moves:?}: {error}"));
        assert_eq!((engine.fen(), engine.side_to_move()), (game.fen(), side));
        let request = match game.is_setup() {
            true => SearchRequest { search_moves: game.offered(), ..budget.setup() },
            false => budget.game(),
        };
        let best = search(engine, &request).best.expect("a turn");
        if game.answer_dice(&best) {
            continue;
        }
        let turn = game.read(&best).unwrap_or_else(|error| panic!("{best}: {error}"));
        assert_eq!(turn.uci, best);
        placements += usize::from(turn.placement);
        game.play(&best).unwrap();
    }
    panic!("no end: {}", game.command());
}

struct Record {
    ending: Termination,
    placements: usize,
    plies: usize,
}

/// The results of a number of games, from White's point of view.
#[derive(Default)]
struct Table {
    wins: usize,
    draws: usize,
    losses: usize,
    plies: usize,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let games = self.wins + self.draws + self.losses;
        write!(
            f,
            "{games:>5} {:>6} {:>6} {:>6} {:>11.1}",
            self.wins,
            self.draws,
            self.losses,
            self.plies as f64 / games.max(1) as f64
        )
    }
}

fn play_games(variant: Variant, games: u64, budget: Budget) -> Table {
    let mut table = Table::default();
    let engine = || engine::new(variant, 4, 1).unwrap_or_else(|error| panic!("{error}"));
    let mut engines = [engine(), engine()];
    for seed in 1..=games {
        let mut rng = Rng::new(seed);
        // Every fourth game of Jepps Random Chess is Free Play.
        let start = match variant {
            Variant::Jepps if seed % 4 == 0 => Setup::empty(SetupKind::JeppsFreePlay),
            _ => Setup::new(&SetupStart::random(variant, &mut rng).unwrap()),
        };
        engines.iter_mut().for_each(|engine| engine.new_game());
        let record = play(&mut engines, start, budget, &mut rng);
        let placements: &[usize] = match variant {
            Variant::FischerBenko => &[8],
            Variant::Transcendental => &[10],
            // In Jepps Random Chess the mediator's verdict gives Black a back rank, or Black places eight
            // pieces too.
            _ => &[8, 16],
        };
        assert!(placements.contains(&record.placements), "game {seed}: {}", record.placements);
        table.plies += record.plies;
        *match record.ending.outcome().winner() {
            Some(Color::White) => &mut table.wins,
            Some(Color::Black) => &mut table.losses,
            None => &mut table.draws,
        } += 1;
    }
    table
}

#[test]
fn a_few_games_of_each_variant() {
    let budget = Budget { leaf_depth: 1, setup_nodes: 20_000, nodes: 200 };
    for variant in VARIANTS {
        let table = play_games(variant, 5, budget);
        assert_eq!(table.wins + table.draws + table.losses, 5);
        // Games between equal players are long.
        assert!(table.plies > 5 * 20, "{variant}: {table}");
    }
}

#[test]
#[ignore = "takes minutes; plays ALEATOR_GAMES games of each variant (default 200)"]
fn many_games_of_each_variant() {
    let games = std::env::var("ALEATOR_GAMES").map_or(200, |text| text.parse().expect("a number"));
    let budget = Budget { leaf_depth: 1, setup_nodes: 100_000, nodes: 500 };
    println!("{:<16} games  White  drawn  Black  plies/game", "variant");
    let tables = VARIANTS.map(|variant| (variant, play_games(variant, games, budget)));
    for (variant, table) in tables {
        println!("{:<16} {table}", variant.name());
    }
}
