//! The entry point of a release, which is one executable for all x86-64 processors.
//!
//! The executable contains the library once for each processor level (as defined by the x86-64 psABI), and
//! the networks only once. `build.sh` in this folder links the executable.

use std::process::ExitCode;

/// The networks of the 8x8 and 10x10 boards. In builds without this file, the library embeds the networks.
#[unsafe(no_mangle)]
static ALEATOR_NETWORKS: [&[u8]; 2] =
    [include_bytes!("../eval/nets/8x8.nnue"), include_bytes!("../eval/nets/10x10.nnue")];

/// The environment variable that selects a processor level by name.
const VARIABLE: &str = "ALEATOR_LEVEL";

/// The library for one processor level: the name of the level and the library's functions.
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

/// All processor levels, the newest first.
static LEVELS: [Level; 2] = [level!(v3), level!(v2)];

fn main() -> ExitCode {
    let level = match std::env::var(VARIABLE) {
        Ok(name) => LEVELS.iter().find(|level| level.name == name),
        // If the processor supports none of the levels, starts the oldest level, which reports what the
        // processor lacks.
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
