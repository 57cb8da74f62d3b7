//! Material that does not win, and how to mate a bare king.

/// The scale of an end game that is worth what its terms say.
pub const FULL_SCALE: i32 = 64;
