//! The searches that the session runs. The session answers each search with one best move, in order. If a
//! search is no longer wanted, the driver stops the search and ignores the answer.

use std::collections::VecDeque;

use crate::engine::SearchInfo;
use crate::host::Instant;

/// The purpose of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// To find the engine's move.
    Move,
    /// To ponder on the engine's reply to the given move, which the opponent is expected to play.
    Ponder(String),
    Analysis,
    /// To suggest a move to the user.
    Hint,
}

/// A running or waiting search.
pub(super) struct PendingSearch {
    pub purpose: Purpose,
    pub began: Instant,
    /// The best line so far.
    pub line: Option<SearchInfo>,
    /// The root move that is being searched, and its number in the order of the root moves.
    pub current: Option<(String, usize)>,
    /// Whether the user asked for a hint before the search had a best line. The hint is given when the first
    /// line arrives.
    pub owes_hint: bool,
    is_wanted: bool,
}

/// Decides when thinking output is held back. python-chess sends a ping after each move of the engine and
/// attributes all output before the pong to this move. Thinking output from pondering must therefore come
/// after the pong. Other GUIs send no ping after a move. The engine detects this when the user moves before
/// any ping has arrived.
pub(super) struct HeldThinking {
    /// Whether the GUI is expected to send a ping after a move.
    expects_ping: bool,
    /// Whether thinking output has been held back since the engine's last move.
    is_held: bool,
    /// The number of the ping after the engine's last move. Thinking output is shown again after the pong
    /// with this number.
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

    /// If `number` is the number of the ping after the engine's last move, stops holding back thinking output
    /// and returns `true`.
    pub fn is_released_by(&mut self, number: &str) -> bool {
        let is_released = self.is_held && self.ping.as_deref() == Some(number);
        self.is_held &= !is_released;
        is_released
    }
}

/// The running search, followed by the searches that wait in the session's queue.
#[derive(Default)]
pub(super) struct Searches(VecDeque<PendingSearch>);

impl Searches {
    /// Adds a search that was sent to the session.
    pub fn begin(&mut self, purpose: Purpose) {
        let (began, line, current) = (Instant::now(), None, None);
        let (owes_hint, is_wanted) = (false, true);
        self.0.push_back(PendingSearch { purpose, began, line, current, owes_hint, is_wanted });
    }

    /// Returns the search whose answer is still wanted. Only the search that was sent last can be wanted.
    pub fn wanted(&mut self) -> Option<&mut PendingSearch> {
        self.0.back_mut().filter(|search| search.is_wanted)
    }

    /// Returns the purpose of the search that is still wanted.
    pub fn purpose(&self) -> Option<&Purpose> {
        self.0.back().filter(|search| search.is_wanted).map(|search| &search.purpose)
    }

    /// Returns the running search, or `None` if no search is running or the running search is not wanted.
    pub fn current(&mut self) -> Option<&mut PendingSearch> {
        self.0.front_mut().filter(|search| search.is_wanted)
    }

    /// Marks the wanted search as unwanted. Returns `false` if no search was wanted.
    pub fn drop_wanted(&mut self) -> bool {
        self.wanted().is_some_and(|search| std::mem::take(&mut search.is_wanted))
    }

    /// Removes the search that has just ended. Returns the search if its answer is wanted.
    pub fn end(&mut self) -> Option<PendingSearch> {
        self.0.pop_front().filter(|search| search.is_wanted)
    }
}
