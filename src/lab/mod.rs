//! Tools that measure the engine.

pub mod bench;
pub mod opening;
