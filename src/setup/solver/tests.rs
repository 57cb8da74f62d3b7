//! Tests of the solver: agreement with plain minimax, and obedience to limits.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::*;
use crate::position::FenStyle;
use crate::position::perft::perft;
use crate::rules::Variant;
use crate::setup::{SetupOrGame, rank};
use crate::start::{Rng, SetupStart};
use crate::types::Color;

/// Evaluates positions by a hash of the position and the depth, which is unrelated to chess.
pub struct Hash;

impl LeafValuer for Hash {
    fn estimate(&self, game: &Position<Board8x8>) -> Value {
        Rng::new(game.key()).below(601) as Value - 300
    }

    fn search(&self, game: &Position<Board8x8>, depth: u32, _: &Stop) -> Option<LeafValue> {
        let value = Rng::new(game.key() ^ u64::from(depth)).below(601) as Value - 300;
        Some(LeafValue { value, nodes: 10, pv: game.legal_moves().into_iter().take(1).collect() })
    }
}

/// Evaluates positions by mobility. The value is high if White has many moves and Black has few replies.
struct Mobility;

impl LeafValuer for Mobility {
    fn estimate(&self, game: &Position<Board8x8>) -> Value {
        let (moves, replies) = (perft(game, 1) as Value, perft(game, 2) as Value);
        100 * moves - 100 * replies / moves
    }

    fn search(&self, game: &Position<Board8x8>, depth: u32, _: &Stop) -> Option<LeafValue> {
        let value = self.estimate(game) * depth as Value;
        Some(LeafValue { value, nodes: 400, pv: Vec::new() })
    }
}

pub fn random_state(variant: Variant, turns: usize, rng: &mut Rng) -> Setup {
    let mut state = Setup::new(&SetupStart::random(variant, rng).unwrap());
    for _ in 0..turns {
        let legal = state.legal_placements();
        let placement = legal[rng.below(legal.len() as u64) as usize];
        state = setup_after(&state, placement);
    }
    state
}

pub fn setup_after(state: &Setup, placement: Placement) -> Setup {
    match state.after(placement) {
        SetupOrGame::Setup(state) => state,
        SetupOrGame::Game(position) => panic!("the placement phase is over: {position:?}"),
    }
}

pub fn request(state: &Setup, depth: u32) -> SolveRequest<'_> {
    SolveRequest { state, placements: &[], depth: Some(depth), nodes: None, stop: &|| false }
}

fn solved(state: &Setup, depth: u32, valuer: &dyn LeafValuer) -> Solution {
    solve(&request(state, depth), valuer, &mut |_| {}).unwrap()
}

/// Returns the minimax value for White, for comparison with the solver. The computation uses only public
/// functions of the placement phase and does not merge transpositions.
fn minimax(phase: &SetupOrGame, depth: u32, valuer: &dyn LeafValuer) -> Value {
    let state = match phase {
        SetupOrGame::Game(game) => return valuer.search(game, depth, &|| false).unwrap().value,
        SetupOrGame::Setup(state) => state,
    };
    let values = state
        .legal_placements()
        .into_iter()
        .map(|placement| minimax(&state.after(placement), depth, valuer));
    let best = if state.side_to_place() == Color::White { values.max() } else { values.min() };
    best.unwrap()
}

/// Compares the value of every line of the solution with plain minimax.
fn assert_exact(state: &Setup, depth: u32, valuer: &dyn LeafValuer) {
    let fen = state.fen();
    let solution = solved(state, depth, valuer);
    assert_eq!((solution.method, solution.depth), (Method::Exact, depth), "{fen}");
    let sign = state.side_to_place().sign();
    let plain: Vec<(Placement, Value)> = state
        .legal_placements()
        .into_iter()
        .map(|placement| (placement, sign * minimax(&state.after(placement), depth, valuer)))
        .collect();
    let best = plain.iter().map(|(_, value)| *value).max().unwrap();
    assert_eq!(solution.value(), best, "{fen}");
    assert!(plain.contains(&(solution.best().unwrap(), best)), "{fen}");
    assert_eq!(solution.lines.len(), plain.len());
    for line in &solution.lines {
        assert!(plain.contains(&(line.placements[0], line.value)), "{fen} {line:?}");
        assert_eq!(sign * leaf_of(state, line, depth, valuer).value, line.value, "{fen} {line:?}");
    }
    assert!(solution.lines.is_sorted_by_key(|line| -line.value));
}

/// Plays a line to the end of the placement phase and evaluates the game that it leads to.
fn leaf_of(state: &Setup, line: &SolutionLine, depth: u32, valuer: &dyn LeafValuer) -> LeafValue {
    let mut phase = SetupOrGame::Setup(*state);
    for placement in &line.placements {
        let SetupOrGame::Setup(state) = &phase else { panic!("{line:?} goes on too long") };
        assert!(state.is_legal(*placement));
        phase = state.after(*placement);
    }
    let SetupOrGame::Game(game) = &phase else { panic!("{line:?} ends too soon") };
    let leaf = valuer.search(game, depth, &|| false).unwrap();
    assert_eq!(leaf.pv, line.game);
    leaf
}

/// Tests twenty random states of placement phases, three of them before the first placement in Fischer-Benko.
#[test]
fn matches_plain_minimax() {
    let mut rng = Rng::new(3);
    for (variant, turns, roots) in [
        (Variant::FischerBenko, 0, 3),
        (Variant::FischerBenko, 1, 2),
        (Variant::FischerBenko, 2, 4),
        (Variant::FischerBenko, 5, 2),
        (Variant::Transcendental, 2, 2),
        (Variant::Transcendental, 3, 3),
        (Variant::Transcendental, 6, 3),
        (Variant::Transcendental, 9, 1),
    ] {
        for root in 0..roots {
            let state = random_state(variant, turns, &mut rng);
            assert_exact(&state, 1 + root, &Hash);
            if turns >= 2 {
                assert_exact(&state, 1, &Mobility);
            }
        }
    }
}

/// Compares the values in Half-Random Transcendental Chess before the first placement with the values of the
/// states two turns later, each solved separately. The whole tree has 51,840,000 sequences, too many for
/// plain minimax. The states two turns later are compared with plain minimax in `matches_plain_minimax`.
#[test]
fn half_random_transcendental_agrees_with_its_subtrees() {
    let mut rng = Rng::new(4);
    let root = random_state(Variant::Transcendental, 0, &mut rng);
    let solution = solved(&root, 1, &Hash);
    assert_eq!((solution.leaves, solution.lines.len()), (3_600, 20));
    let by_replies = |state: &Setup| {
        let value = |placement| -solved(&setup_after(state, placement), 1, &Hash).value();
        state.legal_placements().into_iter().map(value).max().unwrap()
    };
    for line in &solution.lines {
        let child = setup_after(&root, line.placements[0]);
        assert_eq!(-by_replies(&child), line.value);
        leaf_of(&root, line, 1, &Hash);
    }
}

#[test]
fn late_pre_chess_is_exact() {
    let mut rng = Rng::new(5);
    for turns in [9, 10, 11, 14] {
        assert_exact(&random_state(Variant::Placement, turns, &mut rng), 1, &Hash);
    }
}

#[test]
fn early_pre_chess_values_every_placement() {
    let mut rng = Rng::new(6);
    for turns in [0, 1, 4] {
        let state = random_state(Variant::Placement, turns, &mut rng);
        let solution = solved(&state, 2, &Mobility);
        assert_eq!(solution.method, Method::Candidates);
        assert!(solution.leaves <= MOST_LEAVES, "{}", solution.leaves);
        assert_eq!(solution.lines.len(), state.legal_placements().len());
        let sign = state.side_to_place().sign();
        for line in &solution.lines {
            assert_eq!(sign * leaf_of(&state, line, 2, &Mobility).value, line.value);
        }
        // The result does not depend on the scheduling of threads.
        assert_eq!(solved(&state, 2, &Mobility), solution);
    }
}

#[test]
fn considers_only_the_requested_placements() {
    let mut rng = Rng::new(7);
    for variant in [Variant::FischerBenko, Variant::Placement, Variant::Jepps] {
        let state = random_state(variant, 3, &mut rng);
        let whole = solved(&state, 1, &Hash);
        let worst = whole.lines.last().unwrap();
        let chosen = [worst.placements[0]];
        let only = SolveRequest { placements: &chosen, ..request(&state, 1) };
        let solution = solve(&only, &Hash, &mut |_| {}).unwrap();
        assert_eq!(solution.lines.len(), 1);
        assert_eq!(solution.best(), Some(chosen[0]));
        if whole.method != Method::Candidates {
            assert_eq!(solution.value(), worst.value);
            assert_eq!(solution.value_of_rolling, whole.value_of_rolling);
        }
        // It is not the other side's turn, so its placements are illegal and none is left to consider.
        let other = setup_after(&state, chosen[0]).legal_placements();
        if other[0].color() != chosen[0].color() {
            let none = SolveRequest { placements: &other, ..request(&state, 1) };
            assert_eq!(solve(&none, &Hash, &mut |_| {}), None);
        }
    }
}

#[test]
fn incomplete_rounds_are_discarded() {
    let mut rng = Rng::new(8);
    let state = random_state(Variant::FischerBenko, 2, &mut rng);
    let mut reported = Vec::new();
    let whole =
        solve(&request(&state, 3), &Hash, &mut |solution| reported.push(solution.clone())).unwrap();
    assert_eq!(reported.iter().map(|solution| solution.depth).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(reported.last(), Some(&whole));
    assert_eq!(whole.nodes, 30 * whole.leaves as u64);

    // The node limit suffices for one and a half rounds, so the result of the first round remains.
    let most = 15 * whole.leaves as u64;
    let limited = SolveRequest { nodes: Some(most), depth: None, ..request(&state, 3) };
    let cut = solve(&limited, &Hash, &mut |_| {}).unwrap();
    assert_eq!((cut.depth, &cut.lines), (1, &reported[0].lines));
    assert!(cut.nodes >= most && cut.nodes < most + 10 * 64, "{}", cut.nodes);

    // The node limit suffices only for the estimates, which are not reported.
    let few = SolveRequest { nodes: Some(whole.leaves as u64), depth: None, ..request(&state, 3) };
    let estimated = solve(&few, &Hash, &mut |_| panic!("no round was complete")).unwrap();
    assert_eq!((estimated.depth, estimated.method), (0, Method::Exact));
    assert_eq!(estimated.lines.len(), whole.lines.len());
    assert!(estimated.lines.iter().any(|line| line.value != 0));
}

#[test]
fn early_pre_chess_stopped_before_it_is_solved_returns_a_guess() {
    let mut rng = Rng::new(6);
    for turns in [0, 1, 4] {
        let state = random_state(Variant::Placement, turns, &mut rng);
        // Stop when all back ranks of both sides have been estimated against the panels of twelve back ranks.
        let back_ranks = |color| rank::completions(state.kind(), state.rank(color)).len();
        let enough = 12 * (back_ranks(Color::White) + back_ranks(Color::Black));
        let valuer = Counting { valuer: Mobility, estimates: AtomicUsize::new(0) };
        let is_over = || valuer.estimates.load(Relaxed) >= enough;
        let stopped = SolveRequest { stop: &is_over, ..request(&state, 2) };
        let guess = solve(&stopped, &valuer, &mut |_| panic!("nothing was solved")).unwrap();
        assert_eq!((guess.method, guess.depth, guess.nodes), (Method::Guess, 0, 0));
        let placements: Vec<_> = guess.lines.iter().map(|line| line.placements[0]).collect();
        let legal = state.legal_placements();
        assert_eq!(placements.len(), legal.len());
        assert!(legal.iter().all(|placement| placements.contains(placement)));
        assert!(guess.lines.is_sorted_by_key(|line| std::cmp::Reverse(line.value)));
        assert_ne!(guess.lines[0].value, guess.lines[legal.len() - 1].value);
    }
}

/// A valuer that counts estimates and searched leaves.
struct Counting<V> {
    valuer: V,
    estimates: AtomicUsize,
}

impl<V: LeafValuer> LeafValuer for Counting<V> {
    fn estimate(&self, game: &Position<Board8x8>) -> Value {
        self.estimates.fetch_add(1, Relaxed);
        self.valuer.estimate(game)
    }

    fn search(&self, game: &Position<Board8x8>, depth: u32, stop: &Stop) -> Option<LeafValue> {
        self.estimates.fetch_add(1, Relaxed);
        self.valuer.search(game, depth, stop)
    }
}

/// Returns the state of every setup game before the first placement, which has the largest tree.
fn beginnings() -> impl Iterator<Item = Setup> {
    let with_setup = Variant::ALL.iter().filter(|variant| variant.rules().setup.is_some());
    let drawn = with_setup.map(|variant| random_state(*variant, 0, &mut Rng::new(1)));
    drawn.chain([Setup::empty(SetupKind::JeppsFreePlay)])
}

/// Stops the solver at various times. The solver must return a legal placement and make hardly any
/// estimates after the stop.
#[test]
fn the_solver_stops_at_once() {
    for state in beginnings() {
        for most_asked in [0, 1, 10, 100, 1_000, 10_000] {
            let valuer = Counting { valuer: Hash, estimates: AtomicUsize::new(0) };
            let (asked, at_stop) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
            let stop = || {
                let is_over = asked.fetch_add(1, Relaxed) >= most_asked;
                if is_over {
                    at_stop.fetch_min(valuer.estimates.load(Relaxed), Relaxed);
                }
                is_over
            };
            let stopped = SolveRequest { stop: &stop, depth: None, ..request(&state, 1) };
            let solution = solve(&stopped, &valuer, &mut |_| {}).unwrap();
            assert!(state.is_legal(solution.best().unwrap()));
            let late = valuer.estimates.load(Relaxed) - at_stop.load(Relaxed);
            // Each thread may still finish estimating one back rank against the panel.
            assert!(late <= 12 * rayon::current_num_threads(), "{:?}: {late}", state.kind());
        }
    }
}

/// Checks that the guess uses the estimates made so far if the node limit does not suffice to
/// estimate all back ranks.
#[test]
fn partial_estimates_give_a_guess() {
    let state = Setup::empty(SetupKind::Placement);
    for nodes in [100, 500, 2_000] {
        let valuer = Counting { valuer: Mobility, estimates: AtomicUsize::new(0) };
        let limited = SolveRequest { nodes: Some(nodes), ..request(&state, 1) };
        let guess = solve(&limited, &valuer, &mut |_| panic!("nothing was solved")).unwrap();
        assert_eq!(guess.method, Method::Guess);
        assert_ne!(guess.lines[0].value, guess.lines[guess.lines.len() - 1].value);
        // Eight estimates take as much time as one node.
        assert!(valuer.estimates.load(Relaxed) as u64 <= 2 * 8 * nodes);
    }
}

/// With a limit of one node, even the static estimates are skipped.
#[test]
fn a_limit_of_one_node_is_obeyed() {
    for state in beginnings() {
        let valuer = Counting { valuer: Hash, estimates: AtomicUsize::new(0) };
        let limited = SolveRequest { nodes: Some(1), depth: None, ..request(&state, 1) };
        let solution = solve(&limited, &valuer, &mut |_| panic!("nothing was solved")).unwrap();
        assert_eq!(solution.method, Method::Guess);
        assert!(state.is_legal(solution.best().unwrap()));
        // The other threads may have begun leaves before the limit was reached.
        let valued = valuer.estimates.load(Relaxed);
        assert!(valued <= rayon::current_num_threads(), "{:?}: {valued}", state.kind());
    }
}

/// A valuer that aborts the search of a leaf in the second round.
struct Halting(AtomicUsize);

impl LeafValuer for Halting {
    fn estimate(&self, _: &Position<Board8x8>) -> Value {
        0
    }

    fn search(&self, game: &Position<Board8x8>, depth: u32, stop: &Stop) -> Option<LeafValue> {
        let count = self.0.fetch_add(1, Relaxed);
        assert!(!stop());
        (depth < 2 || !count.is_multiple_of(7)).then(|| Hash.search(game, depth, stop)).flatten()
    }
}

#[test]
fn a_valuer_can_abort_a_round() {
    let state = random_state(Variant::FischerBenko, 0, &mut Rng::new(9));
    let unlimited = SolveRequest { depth: None, ..request(&state, 1) };
    let solution = solve(&unlimited, &Halting(AtomicUsize::new(0)), &mut |_| {}).unwrap();
    assert_eq!(solution.depth, 1);
    assert_eq!(solution.lines, solved(&state, 1, &Hash).lines);
}

#[test]
fn dead_ends_are_reported() {
    // White has to place, but no placement is legal.
    let fen = "r1b1nb1r/pppppppp/8/8/8/8/PPPPPPPP/1BBNRN1Q[KRkqn] w - - 0 3";
    let state = Setup::from_fen(fen, Variant::FischerBenko).unwrap();
    assert_eq!(solve(&request(&state, 1), &Hash, &mut |_| {}), None);
    // Black has a legal placement, but White cannot complete its back rank.
    let state = Setup::from_fen(&fen.replace(" w ", " b "), Variant::FischerBenko).unwrap();
    let solution = solved(&state, 1, &Hash);
    assert_eq!((solution.method, solution.depth), (Method::DeadEnd, 0));
    assert_eq!(solution.lines.len(), state.legal_placements().len());
}

#[test]
fn best_line_agrees_with_the_opponents_best_line() {
    for variant in [Variant::FischerBenko, Variant::Transcendental] {
        let white = random_state(variant, 0, &mut Rng::new(10));
        let solution = solved(&white, 1, &Mobility);
        let black = setup_after(&white, solution.best().unwrap());
        let reply = solved(&black, 1, &Mobility);
        assert_eq!(solution.value(), -reply.value());
        let names = |line: &SolutionLine| {
            line.placements.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names(&solution.lines[0])[1..], names(&reply.lines[0])[..]);
    }
}

#[test]
fn leaves_are_the_games_after_the_placements() {
    struct Fens(std::sync::Mutex<Vec<String>>);
    impl LeafValuer for Fens {
        fn estimate(&self, game: &Position<Board8x8>) -> Value {
            self.0.lock().unwrap().push(game.fen(FenStyle::XFen));
            0
        }
        fn search(&self, _: &Position<Board8x8>, _: u32, _: &Stop) -> Option<LeafValue> {
            None
        }
    }
    let fen = "r1b1nbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR[kq] b - - 0 4";
    let state = Setup::from_fen(fen, Variant::FischerBenko).unwrap();
    let fens = Fens(std::sync::Mutex::new(Vec::new()));
    solve(&request(&state, 1), &fens, &mut |_| {}).unwrap();
    let mut seen = fens.0.into_inner().unwrap();
    seen.sort();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[1], "rqbknbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w KQkq - 0 4");
}
