//! The searches that the session runs. It answers each with one best move, in order. Searches that are no
//! longer wanted are stopped and marked, and their answers are ignored.

use std::collections::VecDeque;

use crate::engine::SearchInfo;
use crate::host::Instant;

/// What a search is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The engine's move.
    Move,
    /// The engine's reply to this expected move of the opponent.
    Ponder(String),
    Analysis,
    /// A move suggestion.
    Hint,
}

/// A running or waiting search.
pub(super) struct PendingSearch {
    pub purpose: Purpose,
    pub began: Instant,
    /// The best line so far.
    pub line: Option<SearchInfo>,
    /// The root move being searched, and its number.
    pub current: Option<(String, usize)>,
    /// Whether a hint was requested before there was a best line; the first line answers it.
    pub owes_hint: bool,
    is_wanted: bool,
}

/// Decides when thinking output is held back. python-chess sends a ping after each engine move and
/// attributes all output before the pong to that move, so that ponder output must come later. Other GUIs
/// send no such ping: that becomes clear when the user moves without one.
pub(super) struct HeldThinking {
    /// Whether the GUI is expected to send a ping after a move.
    expects_ping: bool,
    /// Whether thinking output is held back since the engine's move.
    is_held: bool,
    /// The ping after the move, whose pong releases the output.
    ping: Option<String>,
}

impl HeldThinking {
    pub const fn new() -> HeldThinking {
        HeldThinking { expects_ping: true, is_held: false, ping: None }
    }

    pub const fn is_held(&self) -> bool {
        self.is_held
    }

    pub fn engine_moved(&mut self) {
        (self.is_held, self.ping) = (self.expects_ping, None);
    }

    pub fn user_moved(&mut self) {
        if self.is_held && self.ping.is_none() {
            self.expects_ping = false;
        }
        self.is_held = false;
    }

    pub fn take_ping(&mut self, number: &str) {
        self.expects_ping = true;
        if self.is_held && self.ping.is_none() {
            self.ping = Some(number.to_owned());
        }
    }

    /// Returns whether the pong to this ping releases the output, and releases it.
    pub fn is_released_by(&mut self, number: &str) -> bool {
        let is_released = self.is_held && self.ping.as_deref() == Some(number);
        self.is_held &= !is_released;
        is_released
    }
}

/// The running search, followed by the waiting ones.
#[derive(Default)]
pub(super) struct Searches(VecDeque<PendingSearch>);

impl Searches {
    /// Adds a search.
    pub fn begin(&mut self, purpose: Purpose) {
        let (began, line, current) = (Instant::now(), None, None);
        let (owes_hint, is_wanted) = (false, true);
        self.0.push_back(PendingSearch { purpose, began, line, current, owes_hint, is_wanted });
    }

    /// Returns the search whose answer is still wanted: only the last can be.
    pub fn wanted(&mut self) -> Option<&mut PendingSearch> {
        self.0.back_mut().filter(|search| search.is_wanted)
    }

    /// Returns the purpose of the search that is still wanted.
    pub fn purpose(&self) -> Option<&Purpose> {
        self.0.back().filter(|search| search.is_wanted).map(|search| &search.purpose)
    }

    /// Returns the running search, if it is wanted.
    pub fn current(&mut self) -> Option<&mut PendingSearch> {
        self.0.front_mut().filter(|search| search.is_wanted)
    }

    /// Marks all searches as unwanted. Returns whether one was wanted.
    pub fn drop_wanted(&mut self) -> bool {
        self.wanted().is_some_and(|search| std::mem::take(&mut search.is_wanted))
    }

    /// Removes the running search, which has ended. Returns it if its answer is wanted.
    pub fn end(&mut self) -> Option<PendingSearch> {
        self.0.pop_front().filter(|search| search.is_wanted)
    }
}
