//! Tools that measure the engine and make what it learns from.

pub mod bench;
pub mod data;
pub mod datagen;
pub mod opening;
