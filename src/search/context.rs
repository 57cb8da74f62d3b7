//! Everything a search works with except the position, for searches by a pool of threads, by one
//! thread, and of the leaves of a setup.

use std::time::Duration;

use super::limits::Limits;
use super::lines::Listener;
use super::skill::Skill;
use super::time::TimeManager;
use super::tt::TranspositionTable;
use crate::host;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::sync::thread;
use crate::tablebase::Prober;
use crate::types::Move;

/// Flags by which other threads control a search.
#[derive(Debug, Default)]
pub struct Control {
    /// Ends the search.
    pub stop: AtomicBool,
    /// Set while the search ponders; cleared when the expected move is played.
    pub pondering: AtomicBool,
}

/// Everything a search works with except the position.
#[derive(Clone, Copy)]
pub struct SearchContext<'a> {
    pub table: &'a TranspositionTable,
    pub limits: &'a Limits,
    pub time: &'a TimeManager,
    pub control: &'a Control,
    /// The moves to consider, or all if empty.
    pub search_moves: &'a [Move],
    /// Deliberate weakness; `None` for full strength.
    pub skill: Option<Skill>,
    pub listener: &'a dyn Listener,
    /// The tablebases, if there are any.
    pub prober: Option<&'a Prober>,
}

impl<'a> SearchContext<'a> {
    /// Creates a context at full strength, without tablebases and without a listener.
    pub fn new(
        table: &'a TranspositionTable,
        limits: &'a Limits,
        time: &'a TimeManager,
        control: &'a Control,
    ) -> SearchContext<'a> {
        let (search_moves, listener) = (&[], &());
        SearchContext {
            table,
            limits,
            time,
            control,
            search_moves,
            skill: None,
            listener,
            prober: None,
        }
    }
}

impl SearchContext<'_> {
    /// Returns the most nodes that the search may have.
    pub fn node_limit(&self) -> Option<u64> {
        [self.limits.nodes, self.skill.map(|skill| skill.nodes)].into_iter().flatten().min()
    }

    /// Whether the search ponders. Then the clock does not end it.
    pub fn is_pondering(&self) -> bool {
        self.control.pondering.load(Relaxed)
    }

    /// Whether the search must stop immediately, because of the clock or a `stop` command.
    pub fn must_end(&self) -> bool {
        host::poll();
        self.control.stop.load(Relaxed) || self.time.is_over(self.is_pondering())
    }

    /// Holds the result back until `stop` or `ponderhit` if the search ponders, and until `stop` if a
    /// weak level searches infinitely, because its node limit ends the search early. In WebAssembly,
    /// which has one thread, the session does this.
    pub(super) fn wait_for_permission(&self) {
        let waits_for_stop = self.limits.infinite && self.skill.is_some();
        while !cfg!(target_family = "wasm")
            && (waits_for_stop || self.is_pondering())
            && !self.control.stop.load(Relaxed)
        {
            thread::sleep(Duration::from_millis(1));
        }
    }
}
