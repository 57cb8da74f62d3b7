//! Tests of single nodes, which check what the search of a node stores in the tables and histories.

use std::time::{Duration, Instant};

use super::history::{ContinuationKey, LIMIT, QuietKeys, is_noisy};
use super::stack::Stack;
use super::tt::{TableEntry, TranspositionTable};
use super::worker::{Counter, Shared, ThreadData, Worker};
use super::{Control, Limits, Pool, RootLines, SearchContext, TimeManager, root::Root};
use crate::geometry::Board8x8;
use crate::notation::parse_uci;
use crate::position::{Position, Threats};
use crate::random::Rng;
use crate::rules::KingRight;
use crate::sync::atomic::AtomicBool;
use crate::types::score::INFINITE;
use crate::types::{Bound, Move, Window};

type Board = Board8x8;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// A middlegame position in which no capture wins material.
const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 4 9";

fn position(fen: &str) -> Position<Board> {
    Position::from_fen(fen, KingRight::Castling).unwrap()
}

/// Runs a function with a worker for a search of `root` without limits.
fn with_worker<R>(
    table: &TranspositionTable,
    root: &Position<Board>,
    work: impl FnOnce(&mut Worker<Board>) -> R,
) -> R {
    let limits = Limits::default();
    let time = TimeManager::new(&limits, root.side_to_move(), Instant::now(), Duration::ZERO);
    let control = Control::default();
    let context = SearchContext::new(table, &limits, &time, &control);
    let over = AtomicBool::new(false);
    let counters = [Counter::default()];
    let shared = Shared::new(&context, &over, &counters);
    let mut data = ThreadData::new().unwrap();
    let root = Root::new(root, &[], &context);
    work(&mut Worker::new(0, &shared, &counters[0], &mut data, &root))
}

fn search(root: &Position<Board>, limits: &Limits) -> RootLines {
    search_among(root, limits, &[])
}

fn search_among(root: &Position<Board>, limits: &Limits, search_moves: &[Move]) -> RootLines {
    let table = TranspositionTable::new(16).unwrap();
    let time = TimeManager::new(limits, root.side_to_move(), Instant::now(), Duration::ZERO);
    let control = Control::default();
    let context =
        SearchContext { search_moves, ..SearchContext::new(&table, limits, &time, &control) };
    Pool::new(1).unwrap().search(&context, root, &[])
}

#[test]
fn searchmoves_with_all_moves_change_nothing() {
    // With `searchmoves` the result of the root is not stored, but the search must be the same.
    let root = position(QUIET);
    let limits = Limits::depth(9);
    assert_eq!(search_among(&root, &limits, &root.legal_moves()), search(&root, &limits));
}

#[test]
fn each_move_made_counts_as_one_node() {
    assert_eq!(search(&position(START), &Limits::depth(1)).nodes, 20);
}

/// Plays twelve random, mostly reversible moves up to the root of a stack. Then plays up to 14 more moves
/// and calls `look` before each move.
fn shuffle(rng: &mut Rng, mut look: impl FnMut(&Stack<Board>, &Position<Board>, usize)) {
    const ENDGAMES: [&str; 3] = [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "3bk3/8/8/8/8/8/4P3/4KN2 w - - 0 1",
        "4k2r/8/8/8/8/8/8/1N2K3 b k - 0 1",
    ];
    let mut at = position(ENDGAMES[rng.below(3) as usize]);
    let mut earlier = Vec::new();
    let mut step = |at: &Position<Board>| {
        let moves = at.legal_moves();
        // Short moves only, so that positions repeat.
        let near = |mv: &&Move| mv.from::<Board>().distance(mv.to()) <= 1 && !is_noisy(at, **mv);
        let quiet: Vec<Move> = moves.iter().filter(near).copied().collect();
        let among = if quiet.is_empty() { &moves[..] } else { &quiet };
        among.get(rng.below(among.len().max(1) as u64) as usize).copied()
    };
    for _ in 0..12 {
        let Some(mv) = step(&at) else { return };
        earlier.push(at.key());
        at.make(mv);
    }
    let mut stack = Stack::new().unwrap();
    stack.reset(at.key(), &earlier);
    for ply in 0..14 {
        look(&stack, &at, ply);
        let Some(mv) = step(&at) else { return };
        let continuation = ContinuationKey::new::<Board>(at.moved_piece(mv), mv.to());
        at.make(mv);
        stack.push(ply, Some(mv), true, None, continuation, at.key());
    }
}

#[test]
fn an_upcoming_repetition_is_detected_if_and_only_if_a_reversible_move_repeats() {
    let mut rng = Rng::new(28);
    let mut counts = [0; 2];
    for _ in 0..3_000 {
        shuffle(&mut rng, |stack, position, ply| {
            let leads = |mv: &Move| {
                let child = position.after(*mv);
                let mut line = stack.clone();
                let continuation = ContinuationKey::none::<Board>();
                line.push(ply, Some(*mv), true, None, continuation, child.key());
                child.halfmove_clock() > 0 && line.is_repetition(&child, ply + 1)
            };
            let expected = position.legal_moves().iter().any(leads);
            assert_eq!(stack.can_repeat(position, ply), expected, "{position:?} at {ply}");
            counts[usize::from(expected)] += 1;
        });
    }
    assert!(counts.iter().all(|count| *count > 1_000), "{counts:?}");
}

#[test]
fn quiescence_keeps_the_pv_flag_of_a_table_entry() {
    let root = position(QUIET);
    let table = TranspositionTable::new(1).unwrap();
    let entry = TableEntry {
        mv: 0,
        value: -INFINITE + 1,
        eval: 17,
        depth: 0,
        bound: Some(Bound::Lower),
        pv: true,
    };
    table.store(root.key(), 1, entry);
    table.age();
    // The evaluation is far below alpha, so quiescence does not stand pat but stores a result.
    let window = Window::null(2_000);
    with_worker(&table, &root, |worker| worker.quiescence::<false>(&root, window, 1));
    let found = table.probe(root.key(), 1).unwrap();
    assert_eq!((found.bound, found.pv), (Some(Bound::Upper), true));
}

#[test]
fn evaluations_are_stored_before_there_is_a_result() {
    let root = position(QUIET);
    let table = TranspositionTable::new(1).unwrap();
    // Quiescence stands pat and stores no result.
    with_worker(&table, &root, |worker| worker.quiescence::<false>(&root, Window::null(-2_000), 1));
    let found = table.probe(root.key(), 1).unwrap();
    assert_eq!((found.bound, found.mv, found.depth, found.pv), (None, 0, 0, false));
    // Reverse futility pruning stores no result either.
    table.clear();
    with_worker(&table, &root, |worker| {
        worker.node::<false>(&root, Window::null(-2_000), 2, 1, true)
    });
    assert_eq!(table.probe(root.key(), 1), Some(found));
    // The stored evaluation does not depend on the halfmove clock, but the scaled evaluation does.
    let [fresh, old] = [0, 60].map(|clock| {
        let mut position = root.clone();
        position.set_turn(position.side_to_move(), clock, 40);
        assert_eq!(position.key(), root.key());
        with_worker(&table, &position, |worker| {
            let raw = worker.raw_eval(&position, Some(found), 1, false);
            assert_eq!(raw, found.eval);
            (worker.evaluate(&position), worker.corrected(&position, raw, 1))
        })
    });
    assert_eq!((fresh.0, old.0), (fresh.1, old.1));
    assert!(old.0.abs() < fresh.0.abs(), "{fresh:?} {old:?}");
}

fn quiet_keys(stack: &Stack<Board>, ply: usize) -> QuietKeys<Board> {
    QuietKeys { threats: Threats::NONE, ..stack.quiet_keys(ply) }
}

#[test]
fn null_moves_and_moves_before_the_root_have_no_histories() {
    let root = position(START);
    let mv = parse_uci(&root, "g1f3").unwrap();
    let mut stack = Stack::new().unwrap();
    stack.reset(root.key(), &[]);
    let mut data = ThreadData::<Board>::new().unwrap();
    // There is no move one, two or four plies before the root.
    let keys = QuietKeys { ply: 99, ..quiet_keys(&stack, 0) };
    data.histories.update_quiet(&root, keys, mv, 1_000);
    assert_eq!(data.histories.quiets(&root, keys).merit(mv), 1_000);
    data.histories.set_counter(keys.continuations[0], mv);
    assert_eq!(data.histories.counter(keys.continuations[0]), None);
}

#[test]
fn null_move_verification_does_not_update_the_previous_move() {
    let root = position(QUIET);
    let mv = parse_uci(&root, "a2a3").unwrap();
    let merit = |verified_ply| {
        let table = TranspositionTable::new(1).unwrap();
        with_worker(&table, &root, |worker| {
            (worker.stack[0].eval, worker.verified_ply) = (500, verified_ply);
            let child = worker.descend(&root, mv, 0);
            worker.node::<false>(&child, Window::null(300), 1, 1, false);
            worker.ascend();
            worker.histories.quiets(&root, quiet_keys(worker.stack, 0)).merit(mv)
        })
    };
    assert_ne!(merit(None), 0);
    assert_eq!(merit(Some(1)), 0);
}

#[test]
fn the_history_near_the_root_affects_ordering_but_not_reductions() {
    let root = position(START);
    let mv = parse_uci(&root, "g1f3").unwrap();
    let mut stack = Stack::new().unwrap();
    stack.reset(root.key(), &[]);
    let mut data = ThreadData::<Board>::new().unwrap();
    let [here, below] = [0, 99].map(|ply| QuietKeys { ply, ..quiet_keys(&stack, 0) });
    data.histories.update_quiet(&root, here, mv, -LIMIT / 8);
    let [near, far] = [here, below].map(|keys| data.histories.quiets(&root, keys));
    assert_eq!(near.merit(mv), far.merit(mv));
    assert!(near.order(mv) < near.merit(mv));
    assert_eq!(far.order(mv), far.merit(mv));
}

#[test]
fn the_best_move_of_an_exact_node_gets_a_bonus() {
    let root = position(START);
    let table = TranspositionTable::new(1).unwrap();
    with_worker(&table, &root, |worker| {
        let window = Window { alpha: -INFINITE, beta: INFINITE };
        // At depth 1 no other node updates histories.
        worker.node::<true>(&root, window, 1, 1, false);
        let entry = table.probe(root.key(), 1).unwrap();
        assert_eq!(entry.bound, Some(Bound::Exact));
        let best = Move::from_bits::<Board>(entry.mv).unwrap();
        assert!(!is_noisy(&root, best));
        let keys = worker.stack.quiet_keys(1);
        assert!(worker.histories.quiets(&root, keys).merit(best) > 0);
        // The best move caused no cutoff, so it is not a killer.
        assert_eq!(worker.stack[1].killers, [None; 2]);
    });
}

#[test]
fn a_better_root_move_counts_before_its_exact_value_is_known() {
    // In which of these positions the best move changes within an iteration depends on the network.
    let positions = [
        QUIET,
        START,
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "r2q1rk1/pp1bbppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 4 10",
        "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 1 7",
        "2r2rk1/1b2qppp/p3pn2/1p6/3N4/1P2P3/P1Q2PPP/2RR2K1 b - - 0 18",
        "8/5pk1/6p1/3N3p/1b2P2P/5PP1/5K2/8 w - - 0 40",
    ];
    let case = positions.into_iter().find_map(|fen| {
        let root = position(fen);
        let ends: Vec<_> = (1..600).map(|nodes| search(&root, &Limits::nodes(nodes))).collect();
        let at = ends.windows(2).position(|pair| {
            let changed = pair[0].best() != pair[1].best() && pair[0].depth == pair[1].depth;
            // The line consists of the move and the table's reply only.
            changed && pair[1].depth > 2 && pair[1].pv().len() == 2
        })?;
        let changed = &ends[at + 1];
        let known = ends[at + 1..].iter().find(|end| end.pv().len() > 2)?;
        // Another move can become the best before the exact value is known. Such positions do not count.
        let same = (known.best(), known.depth) == (changed.best(), changed.depth);
        same.then(|| (changed.clone(), known.clone()))
    });
    let (changed, known) = case.unwrap();
    assert!(known.score >= changed.score && known.nodes > changed.nodes);
}

#[test]
fn a_capture_that_leads_to_a_fail_low_gets_a_bonus() {
    let root = position("r3k3/ppp2ppp/8/3n4/4P3/8/PPP2PPP/R3K3 w - - 0 1");
    let capture = parse_uci(&root, "e4d5").unwrap();
    let table = TranspositionTable::new(1).unwrap();
    with_worker(&table, &root, |worker| {
        let child = worker.descend(&root, capture, 0);
        // Alpha is farther above the evaluation than any move can gain, but not as far as the margin of
        // razoring.
        let alpha = worker.evaluate(&child) + 300;
        assert!(worker.node::<false>(&child, Window::null(alpha), 1, 1, false) <= alpha);
        assert!(worker.histories.capture(&root, capture) > 0);
    });
}
