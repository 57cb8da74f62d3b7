//! The searches that were asked of the session. It answers each by one best move, in order: what
//! is no longer wanted when its answer comes is stopped and marked, and nobody waits for it.

use std::collections::VecDeque;

use crate::engine::Line;
use crate::host::Instant;

/// What a search is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The engine's move.
    Move,
    /// The engine's answer to this move of the opponent, if that is played.
    Ponder(String),
    Analysis,
    /// A move to suggest.
    Hint,
}

/// A search under way, or about to be.
pub(super) struct PendingSearch {
    pub purpose: Purpose,
    pub began: Instant,
    /// The best line so far.
    pub line: Option<Line>,
    /// The move it has come to, and its number.
    pub current: Option<(String, usize)>,
    /// Whether a hint was asked for before it had one; its first line tells it.
    pub owes_hint: bool,
    is_wanted: bool,
}

/// When thinking is held back. python-chess sends a ping after each move of the engine and takes all
/// thinking before the pong for that of the move; what the engine ponders on must come later. Other
/// GUIs send no such ping, which shows when the user moves without one.
pub(super) struct HeldThinking {
    /// Whether the GUI is expected to send a ping after a move.
    expects_ping: bool,
    /// Whether the engine has moved and thinking is held back since.
    is_held: bool,
    /// The ping after the move, whose pong ends that.
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

    /// Tells whether the pong to this ping ends the holding back.
    pub fn is_released_by(&mut self, number: &str) -> bool {
        let is_released = self.is_held && self.ping.as_deref() == Some(number);
        self.is_held &= !is_released;
        is_released
    }
}

/// All of them, the first one first.
#[derive(Default)]
pub(super) struct Searches(VecDeque<PendingSearch>);

impl Searches {
    /// A search was asked for.
    pub fn begin(&mut self, purpose: Purpose) {
        let (began, line, current) = (Instant::now(), None, None);
        let (owes_hint, is_wanted) = (false, true);
        self.0.push_back(PendingSearch { purpose, began, line, current, owes_hint, is_wanted });
    }

    /// The one whose answer is still wanted: only the last can be.
    pub fn wanted(&mut self) -> Option<&mut PendingSearch> {
        self.0.back_mut().filter(|search| search.is_wanted)
    }

    /// What the one that is still wanted is for.
    pub fn purpose(&self) -> Option<&Purpose> {
        self.0.back().filter(|search| search.is_wanted).map(|search| &search.purpose)
    }

    /// The one under way, if it is wanted.
    pub fn current(&mut self) -> Option<&mut PendingSearch> {
        self.0.front_mut().filter(|search| search.is_wanted)
    }

    /// Nobody wants an answer any more; says whether somebody did.
    pub fn drop_wanted(&mut self) -> bool {
        self.wanted().is_some_and(|search| std::mem::take(&mut search.is_wanted))
    }

    /// The first has ended; gives it if its answer is wanted.
    pub fn end(&mut self) -> Option<PendingSearch> {
        self.0.pop_front().filter(|search| search.is_wanted)
    }
}
