//! Aleator: a chess engine for every shuffled start.

pub mod attacks;
pub mod eval;
pub mod geometry;
pub mod position;
pub mod rules;
pub mod types;
