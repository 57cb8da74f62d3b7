//! The window of a search, from alpha to beta.

use crate::types::Value;

/// The range of values that matter at a node. At or below `alpha`, the side to move has a better option
/// elsewhere in the tree. At or above `beta`, the opponent has a better option elsewhere in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// Returns the null window that tests whether a value is above `alpha`.
    #[inline(always)]
    pub fn null(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// Returns the window from the opponent's point of view.
    #[inline(always)]
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Returns whether no value lies between alpha and beta.
    #[inline(always)]
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}
