//! The window of a search, from alpha to beta.

use crate::types::Value;

/// The values that make a difference: up to `alpha` the side to move has something better elsewhere,
/// and from `beta` on its opponent has.
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
