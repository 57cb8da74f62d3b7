//! One description of a search, whoever runs it: a pool of threads, a lone one, or the leaves of a
//! set-up.

use std::time::Duration;

use super::limits::Limits;
use super::report::Listener;
use super::skill::Skill;
use super::time::TimeManager;
use super::tt::TranspositionTable;
use crate::host;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::sync::thread;
use crate::tablebase::Prober;

/// The outside's hold on a search.
#[derive(Debug, Default)]
pub struct Control {
    /// Ends the search.
    pub stop: AtomicBool,
    /// Set while the search thinks on the opponent's time; cleared when the move was played.
    pub pondering: AtomicBool,
}

/// What a search works with, but for the position.
#[derive(Clone, Copy)]
pub struct SearchContext<'a> {
    pub table: &'a TranspositionTable,
    pub limits: &'a Limits,
    pub time: &'a TimeManager,
    pub control: &'a Control,
    /// Deliberate weakness; none plays as well as it can.
    pub skill: Option<Skill>,
    pub listener: &'a dyn Listener,
    /// Tablebases, if there are any.
    pub prober: Option<&'a Prober>,
}

impl<'a> SearchContext<'a> {
    /// At full strength, without tablebases and without a listener.
    pub fn new(
        table: &'a TranspositionTable,
        limits: &'a Limits,
        time: &'a TimeManager,
        control: &'a Control,
    ) -> SearchContext<'a> {
        SearchContext { table, limits, time, control, skill: None, listener: &(), prober: None }
    }
}

impl SearchContext<'_> {
    /// The search has at most this many nodes.
    pub fn node_limit(&self) -> Option<u64> {
        [self.limits.nodes, self.skill.map(|skill| skill.nodes)].into_iter().flatten().min()
    }

    /// Whether the opponent's time runs: then the clock does not end the search.
    pub fn is_pondering(&self) -> bool {
        self.control.pondering.load(Relaxed)
    }

    /// Whether the search must stop where it is, because the clock or someone outside says so.
    pub fn must_end(&self) -> bool {
        host::poll();
        self.control.stop.load(Relaxed) || self.time.is_over(self.is_pondering())
    }

    /// In infinite and ponder mode the result is kept back until it is wanted: by the session, where
    /// there is one thread.
    pub(super) fn wait_for_permission(&self) {
        while !cfg!(target_family = "wasm")
            && (self.limits.infinite || self.is_pondering())
            && !self.control.stop.load(Relaxed)
        {
            thread::sleep(Duration::from_millis(1));
        }
    }
}
