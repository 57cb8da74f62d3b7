//! Whole games of the engine against itself, with the set-up before move one: every placement and
//! every move is checked by the rules, and the positions of both engines are the umpire's.
//!
//! A few games run always. `ALEATOR_GAMES=200 cargo test --release --test search setup_games --
//! --ignored --nocapture` plays as many of each variant and prints a table of results.

use std::fmt;
use std::sync::Mutex;
use std::time::Instant;

use crate::harness::game::{Ending, Game};
use aleator::engine::{self, Answer, Control, Engine, Line, Reporter, Request};
use aleator::geometry::Board8x8;
use aleator::position::FenStyle;
use aleator::rules::{SetupKind, Variant};
use aleator::search::Limits;
use aleator::setup::{Phase, State};
use aleator::start::jepps::{self, Roll, Step};
use aleator::start::{BlackArray, Rng, SetupStart};
use aleator::types::Color;

const VARIANTS: [Variant; 3] = [Variant::FischerBenko, Variant::Transcendental, Variant::Jepps];
/// Games end by themselves long before: by fifty moves at the latest.
const MOST_PLIES: usize = 3_000;

/// How long the engines think.
#[derive(Clone, Copy)]
struct Budget {
    /// In the set-up: rounds, and nodes that no further leaf exceeds.
    leaf_depth: u32,
    setup_nodes: u64,
    /// For each move of the game.
    nodes: u64,
}

impl Budget {
    fn setup(self) -> Request {
        let (depth, nodes) = (Some(self.leaf_depth), Some(self.setup_nodes));
        Budget::request(Limits { depth, nodes, ..Limits::default() })
    }

    fn game(self) -> Request {
        Budget::request(Limits::nodes(self.nodes))
    }

    fn request(limits: Limits) -> Request {
        Request { limits, chess960: true, ..Request::default() }
    }
}

/// Keeps the last line of analysis.
struct LastLine(Mutex<Option<Line>>);

impl Reporter for LastLine {
    fn line(&self, line: &Line) {
        *self.0.lock().unwrap() = Some(line.clone());
    }
}

fn search(engine: &mut dyn Engine, request: &Request) -> Answer {
    assert_eq!(engine.check_search_moves(request), []);
    let last = LastLine(Mutex::new(None));
    let answer = engine.search(request, Instant::now(), &Control::default(), &last);
    let line = last.0.into_inner().unwrap().expect("the search says something");
    assert_eq!(line.pv.first(), answer.best.as_ref(), "{}", engine.fen());
    answer
}

/// Two engines, White's first, and the umpire's score sheet.
struct Match {
    engines: [Box<dyn Engine>; 2],
    root: String,
    moves: Vec<String>,
}

impl Match {
    /// The engine whose turn it is, at the position of the score sheet.
    fn turn(&mut self, side: Color, expected_fen: &str) -> &mut dyn Engine {
        let engine = self.engines[side.index()].as_mut();
        engine
            .set_position(Some(&self.root), &self.moves)
            .unwrap_or_else(|error| panic!("{} {:?}: {error}", self.root, self.moves));
        assert_eq!(engine.fen(), expected_fen);
        assert_eq!(engine.side_to_move(), side);
        engine
    }

    /// The placements that the dice offer for the next square of Jepps Random Chess, all of them
    /// where there are no dice. A player rolls again only if it must.
    fn offered(state: &State, rng: &mut Rng) -> Vec<String> {
        let Some(square) = state.next_square() else { return Vec::new() };
        let (rank, file) = (state.rank(state.side_to_place()), usize::from(square.file()));
        if let Step::Forced(role) = jepps::step(rank, file).unwrap() {
            return vec![format!("{}@{square}", role.letter())];
        }
        loop {
            let offer = jepps::offer(rank, file, Roll::throw(rng)).unwrap();
            if !offer.must_roll_again() {
                let text = |role: aleator::types::Role| format!("{}@{square}", role.letter());
                return offer.roles.into_iter().map(text).collect();
            }
        }
    }

    /// One turn of the set-up.
    fn place(&mut self, state: &State, budget: Budget, rng: &mut Rng) -> Phase {
        let offered = Self::offered(state, rng);
        let request = Request { search_moves: offered.clone(), ..budget.setup() };
        let engine = self.turn(state.side_to_place(), &state.fen());
        let best = search(engine, &request).best.expect("a placement");
        assert!(offered.is_empty() || offered.contains(&best), "{best} of {offered:?}");
        let placement = state.read_placement(&best).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(placement.to_string(), best);
        self.moves.push(best);
        let phase = state.after(placement);
        if let Phase::Setup(state) = &phase
            && state.kind() == SetupKind::JeppsFreePlay
            && state.pocket(Color::Black).len() == 8
        {
            // From the empty board a first piece alone does not tell that Black is to answer.
            (self.root, self.moves) = (state.fen(), Vec::new());
        }
        phase
    }

    /// The mediator of Jepps Random Chess, when White has placed its last piece.
    fn mediate(&mut self, phase: Phase, rng: &mut Rng) -> Phase {
        let Phase::Setup(state) = &phase else { return phase };
        let verdict = jepps::mediate(Roll::throw(rng)).black;
        match state.after_verdict(verdict) {
            Some(Phase::Game(game)) => {
                assert_ne!(verdict, BlackArray::Own);
                self.root = game.fen(FenStyle::XFen);
                self.moves.clear();
                Phase::Game(game)
            }
            _ => phase,
        }
    }

    fn set_up(&mut self, start: State, budget: Budget, rng: &mut Rng) -> Game<Board8x8> {
        let variant = start.kind().variant();
        let mut phase = Phase::Setup(start);
        loop {
            match phase {
                Phase::Setup(state) => {
                    phase = self.place(&state, budget, rng);
                    phase = self.mediate(phase, rng);
                }
                Phase::Game(position) => {
                    return Game::new(variant, &position.fen(FenStyle::XFen));
                }
            }
        }
    }

    fn play(&mut self, start: State, budget: Budget, rng: &mut Rng) -> Record {
        let mut game = self.set_up(start, budget, rng);
        let turns = self.moves.len();
        for plies in 0..MOST_PLIES {
            let side = game.position.side_to_move();
            if let Some(ending) = game.ending_or_dead() {
                let winner = (ending == Ending::Mate).then_some(!side);
                return Record { winner, ending, turns, plies };
            }
            let fen = game.position.fen(FenStyle::XFen);
            let best = search(self.turn(side, &fen), &budget.game()).best.expect("a move");
            game.play(&best, true);
            self.moves.push(best);
        }
        panic!("no end: {} moves {:?}", self.root, self.moves);
    }
}

struct Record {
    winner: Option<Color>,
    ending: Ending,
    /// Turns of the set-up that the score sheet has.
    turns: usize,
    plies: usize,
}

/// Results of games, White's view.
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
            Variant::Jepps if seed % 4 == 0 => State::empty(SetupKind::JeppsFreePlay),
            _ => State::new(&SetupStart::random(variant, &mut rng).unwrap()),
        };
        engines.iter_mut().for_each(|engine| engine.new_game());
        let mut game = Match { engines, root: start.fen(), moves: Vec::new() };
        let record = game.play(start, budget, &mut rng);
        engines = game.engines;
        let turns: &[usize] = match variant {
            Variant::FischerBenko => &[8],
            Variant::Transcendental => &[10],
            // Black's array by the mediator, Free Play after its first piece, all by dice.
            _ => &[0, 15, 16],
        };
        assert!(turns.contains(&record.turns), "game {seed}: {} turns", record.turns);
        assert_eq!(record.winner.is_some(), record.ending == Ending::Mate);
        table.plies += record.plies;
        *match record.winner {
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
        // Games between equals last.
        assert!(table.plies > 5 * 20, "{variant}: {table}");
    }
}

#[test]
#[ignore = "minutes; ALEATOR_GAMES games of each variant, 200 without it"]
fn many_games_of_each_variant() {
    let games = std::env::var("ALEATOR_GAMES").map_or(200, |text| text.parse().expect("a number"));
    let budget = Budget { leaf_depth: 1, setup_nodes: 100_000, nodes: 500 };
    println!("{:<16} games  White  drawn  Black  plies/game", "variant");
    let tables = VARIANTS.map(|variant| (variant, play_games(variant, games, budget)));
    for (variant, table) in tables {
        println!("{:<16} {table}", variant.name());
    }
}
