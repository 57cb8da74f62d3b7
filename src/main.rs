//! The `aleator` binary; see [`aleator::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    aleator::processor::require();
    aleator::cli::main()
}
