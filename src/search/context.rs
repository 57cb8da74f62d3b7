//! The context of a search: everything that a search needs except the position. The same type serves
//! searches by a thread pool, searches by one thread, and searches of the positions that a setup can lead
//! to.

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
    /// Whether the search must stop.
    pub stop: AtomicBool,
    /// Whether the search is pondering. Cleared by `ponderhit`, when the opponent has played the expected
    /// move.
    pub pondering: AtomicBool,
}

/// Everything that a search needs except the position.
#[derive(Clone, Copy)]
pub struct SearchContext<'a> {
    pub table: &'a TranspositionTable,
    pub limits: &'a Limits,
    pub time: &'a TimeManager,
    pub control: &'a Control,
    /// The root moves to consider. An empty slice means all legal moves.
    pub search_moves: &'a [Move],
    /// The deliberate weakness of a skill level; `None` means full strength.
    pub skill: Option<Skill>,
    pub listener: &'a dyn Listener,
    /// The tablebases, or `None` if no tablebases are available.
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
    /// Returns the node limit, which is the lowest of the user's limit, the skill level's limit, and the clock's
    /// limit if time is counted in nodes.
    pub fn node_limit(&self) -> Option<u64> {
        let of_skill = self.skill.map(|skill| skill.nodes);
        [self.limits.nodes, of_skill, self.time.node_limit()].into_iter().flatten().min()
    }

    /// Returns whether the search is pondering. The clock does not end a search that ponders.
    pub fn is_pondering(&self) -> bool {
        self.control.pondering.load(Relaxed)
    }

    /// Returns whether the search must stop immediately, because of the clock or a `stop` command.
    pub fn must_end(&self) -> bool {
        host::poll();
        self.control.stop.load(Relaxed) || self.time.is_over(self.is_pondering())
    }

    /// Waits until the result may be returned. A pondering search waits for `stop` or `ponderhit`. An
    /// infinite search at a weak level waits for `stop`, because the level's node limit ends the search
    /// early. In WebAssembly, which has only one thread, this function does not wait: the session holds the
    /// result back.
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
