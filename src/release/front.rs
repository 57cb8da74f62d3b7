//! What starts a release: one file that is fast on every x86-64 processor.
//!
//! The whole library is in it once for each level of processors (the x86-64 psABI defines them), and
//! the networks once. `build.sh` in this folder puts it together.

use std::process::ExitCode;

/// By board. The library has these files itself when it is built alone.
#[unsafe(no_mangle)]
static ALEATOR_NETWORKS: [&[u8]; 2] =
    [include_bytes!("../eval/nets/8x8.nnue"), include_bytes!("../eval/nets/10x10.nnue")];

/// The variable that asks for a level by its name.
const VARIABLE: &str = "ALEATOR_LEVEL";

/// The library as it was built for one level.
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

/// The newest first.
static LEVELS: [Level; 2] = [level!(v3), level!(v2)];

fn main() -> ExitCode {
    let level = match std::env::var(VARIABLE) {
        Ok(name) => LEVELS.iter().find(|level| level.name == name),
        // The oldest says itself what is missing.
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
