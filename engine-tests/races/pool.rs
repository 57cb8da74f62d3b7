//! Tests searches with several threads under shuttle: `stop` and `ponderhit` arrive at any time. The search,
//! the evaluation and the table are real, but shuttle runs only one thread at a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shuttle::rand::{Rng, thread_rng};

use super::*;
use crate::geometry::Board8x8;
use crate::rules::KingRight;
use crate::search::tt::TranspositionTable;
use crate::search::{Control, Limits, MAX_DEPTH, TimeManager};
use crate::sync::atomic::Ordering::Relaxed;
use crate::sync::thread;
use crate::types::Color;

/// The number of thread schedules tried for each kind of search.
const ROUNDS: usize = 60;

/// Runs a search under many thread schedules while the function `outside` changes the flags of the search.
/// `allowed` returns whether the flags allow the search to end.
fn check(limits: Limits, outside: fn(&Control), allowed: fn(&Control, &RootLines) -> bool) {
    let mut config = shuttle::Config::new();
    config.stack_size = 4 << 20;
    // A search that never ends fails the test. No search of this test needs nearly as many steps.
    config.max_steps = shuttle::MaxSteps::FailAfter(20_000_000);
    let scheduler = shuttle::scheduler::RandomScheduler::new(ROUNDS);
    shuttle::Runner::new(scheduler, config).run(move || {
        let fen = "8/5k2/8/8/8/2K5/3P4/8 w - - 0 1";
        let root = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let control = Arc::new(Control::default());
        control.pondering.store(limits.ponder, Relaxed);
        let table = TranspositionTable::new(1).unwrap();
        let time = TimeManager::new(&limits, Color::White, Instant::now(), Duration::ZERO);
        let context = SearchContext::new(&table, &limits, &time, &control);
        let shared = control.clone();
        let controller = thread::spawn(move || {
            // Change the flags at a random time, from before the search starts until long after the search
            // has reached its limit.
            for _ in 0..1 << thread_rng().gen_range(0..14) {
                thread::yield_now();
            }
            outside(&shared);
        });
        let outcome = Pool::new(2).unwrap().search(&context, &root, &[]);
        assert!(
            allowed(&control, &outcome),
            "the search ended too early, at depth {}",
            outcome.depth
        );
        assert!(outcome.best().is_some());
        controller.join().unwrap();
    });
}

fn stop(control: &Control) {
    control.stop.store(true, Relaxed);
}

fn ponderhit(control: &Control) {
    control.pondering.store(false, Relaxed);
}

#[test]
fn an_infinite_search_waits_for_stop() {
    let stopped = |control: &Control, lines: &RootLines| {
        control.stop.load(Relaxed) || lines.depth >= MAX_DEPTH
    };
    // The first search has no limit. The second has one, which an infinite search ignores.
    check(Limits { infinite: true, ..Limits::default() }, stop, stopped);
    check(Limits { infinite: true, ..Limits::depth(1) }.without_ignored(), stop, stopped);
}

#[test]
fn pondering_waits_for_ponderhit_or_stop() {
    let played = |control: &Control, _: &RootLines| !control.pondering.load(Relaxed);
    check(Limits { ponder: true, ..Limits::nodes(60) }, ponderhit, played);
    // The time limit is zero, but applies only after `ponderhit`.
    let over = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
    check(Limits { ponder: true, ..over }, ponderhit, played);
    let stopped = |control: &Control, _: &RootLines| control.stop.load(Relaxed);
    check(Limits { ponder: true, ..Limits::depth(1) }, stop, stopped);
}

#[test]
fn a_limit_ends_the_search_and_its_helpers() {
    check(Limits::depth(2), |_| {}, |_, _| true);
    check(Limits::nodes(100), |_| {}, |_, _| true);
    // Only the first thread checks the soft node limit, so the first thread must stop the others.
    check(Limits { soft_nodes: Some(20), ..Limits::default() }, |_| {}, |_, _| true);
    check(Limits { move_time: Some(Duration::ZERO), ..Limits::default() }, |_| {}, |_, _| true);
    check(Limits::nodes(100), stop, |_, _| true);
}
