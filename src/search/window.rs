//! The window of a search: which values make a difference.

use crate::types::Value;

/// Values up to `alpha` are too bad for the side to move to come here, values from `beta` on too
/// good for the opponent to let it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// A window that only asks whether a value is above `alpha`.
    #[inline(always)]
    pub fn null(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// As the opponent sees it.
    #[inline(always)]
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether no value makes a difference.
    #[inline(always)]
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}
