use std::time::{Duration, Instant};

use crate::tools::arena::TimeControl;
use crate::types::Color;

/// Both sides' clocks. They are told what time it is.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    /// What was left when the clock last stopped.
    left: [Duration; 2],
    /// Moves since the clock was last refilled.
    moves: [u32; 2],
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Both stand at the full time.
    pub const fn new(control: TimeControl) -> Clocks {
        Clocks { control, left: [control.base; 2], moves: [0; 2], running: None }
    }

    /// How they are set.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// What a side has left.
    pub fn left(&self, color: Color, now: Instant) -> Duration {
        let used = match self.running {
            Some((running, since)) if running == color => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        self.left[color.index()].saturating_sub(used)
    }

    /// The side whose time has run out.
    pub fn fallen(&self, now: Instant) -> Option<Color> {
        self.running().filter(|color| self.left(*color, now).is_zero())
    }

    /// Stops the clock that runs.
    pub fn stop(&mut self, now: Instant) {
        if let Some(color) = self.running() {
            self.left[color.index()] = self.left(color, now);
        }
        self.running = None;
    }

    /// Starts a side's clock and stops the other.
    pub fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// A side has moved: it gets its increment, and the other's clock runs.
    pub fn press(&mut self, mover: Color, now: Instant) {
        let was_running = self.running().is_some();
        self.start(!mover, now);
        // The first move of a game is made before any clock runs.
        if !was_running {
            return;
        }
        let side = mover.index();
        self.left[side] += self.control.increment;
        self.moves[side] += 1;
        if self.control.moves == Some(self.moves[side]) {
            self.left[side] += self.control.base;
            self.moves[side] = 0;
        }
    }

    /// Sets what both sides have left; no clock runs.
    pub fn set(&mut self, left: [Duration; 2]) {
        (self.left, self.running) = (left, None);
    }

    /// For the engine: what is left, what each move adds, and moves to the next refill.
    pub fn moves_to_go(&self, color: Color) -> Option<u32> {
        self.control.moves.map(|moves| moves - self.moves[color.index()])
    }
}
