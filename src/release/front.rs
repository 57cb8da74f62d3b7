//! The entry point of a release: one file that is fast on every x86-64 processor.
//!
//! It contains the whole library once for each processor level (defined by the x86-64 psABI), and
//! the networks once. `build.sh` in this folder links it.

use std::process::ExitCode;

/// The networks by board. Without this front, the library embeds the files itself.
#[unsafe(no_mangle)]
static ALEATOR_NETWORKS: [&[u8]; 2] =
    [include_bytes!("../eval/nets/8x8.nnue"), include_bytes!("../eval/nets/10x10.nnue")];

/// The variable that selects a level by name.
const VARIABLE: &str = "ALEATOR_LEVEL";

/// The library, built for one level.
struct Level {
    name: &'static str,
    suits: fn() -> bool,
    require: fn(),
    main: fn() -> ExitCode,
}

macro_rules! level {
    ($name:ident) => {
        Level {
            name: stringify!($name),
            suits: $name::processor::suits,
            require: $name::processor::require,
            main: $name::cli::main,
        }
    };
}

/// The levels, newest first.
static LEVELS: [Level; 2] = [level!(v3), level!(v2)];

fn main() -> ExitCode {
    let level = match std::env::var(VARIABLE) {
        Ok(name) => LEVELS.iter().find(|level| level.name == name),
        // The oldest level reports what is missing.
        Err(_) => LEVELS.iter().find(|level| (level.suits)()).or(LEVELS.last()),
    };
    let Some(level) = level else {
        eprintln!(
            "aleator: {VARIABLE} must be one of {}",
            LEVELS.each_ref().map(|it| it.name).join(", ")
        );
        return ExitCode::FAILURE;
    };
    (level.require)();
    (level.main)()
}
