//! Aleator: a chess engine for every shuffled start.

pub mod attacks;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod geometry;
pub mod lab;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod setup;
pub mod start;
pub mod system;
pub mod types;
