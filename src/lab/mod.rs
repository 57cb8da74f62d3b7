//! Tools that measure the engine.

pub mod bench;
pub mod data;
pub mod datagen;
pub mod opening;
