//! The command line: arguments to actions. What a person sees is written here and nowhere else.

mod analyse;
mod arena;
mod book;
mod data;
mod datagen;
mod fit;
mod perft;
mod setup;
mod start;
mod tune;

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::{Args, Parser, Subcommand};

use crate::engine::EngineError;
use crate::lab::bench;
use crate::lab::fit::FitError;
use crate::lab::opening::SuiteError;
use crate::protocol::{COMMANDS, CommandError, Output, Uci};
use crate::rules::{Variant, VariantError};
use crate::setup::{PhaseFenError, RecordError};
use crate::start::dice::DieError;
use crate::start::{NumberError, SetupStartError};

/// Aleator: a chess engine for every shuffled start.
///
/// Without arguments it speaks UCI on standard input and output, as GUIs and match runners
/// expect. Arguments that are whole UCI commands are carried out one after the other:
/// aleator "position startpos moves e2e4" "go depth 10".
#[derive(Parser, Debug)]
#[command(version, about, long_about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Analyse a position: `aleator go depth 20`.
    Go(analyse::GoArgs),
    /// Search fixed positions of both boards; the last line is `N nodes M nps`.
    Bench {
        /// Plies to search each position to.
        #[arg(default_value_t = bench::DEPTH)]
        depth: u32,
    },
    /// Count the tree of legal moves.
    Perft(perft::PerftArgs),
    /// Print start positions, by number, at random, or all.
    Start(start::StartArgs),
    /// Play a match or a tournament between UCI engines.
    Match(Box<arena::MatchArgs>),
    /// Umpire a set-up on the terminal, with people or the engine placing: `aleator setup jepps`.
    Setup(setup::SetupArgs),
    /// Make games to learn from: `aleator datagen --out DIR --games 1000`.
    ///
    /// The engine plays itself with few nodes a move. The work can be interrupted at any time and
    /// goes on with the same command. A setting that is not given is what it was before in the
    /// folder, or in the manifest of --from, or else its default.
    Datagen(datagen::DatagenArgs),
    /// Look into files of such games, check them, put them together.
    Data(data::DataArgs),
    /// Fit the parameters of the classical evaluation to such games.
    ///
    /// Prints the losses and writes the parameters as Rust source, for src/eval/params.rs. Every
    /// part of the evaluation is fitted that is linear in its parameters; units of danger to a
    /// king, scales of end games and mating a bare king are not.
    Fit(fit::FitArgs),
    /// Tune the numbers of the search by games of the engine against itself (SPSA).
    ///
    /// The engine must be built with `cargo build --release --features tune`.
    Tune(Box<tune::TuneArgs>),
    /// Make books and suites: `aleator book openings --variant ifrc --count 500`.
    Book(book::BookArgs),
}

/// Which position, of which variant.
#[derive(Args, Debug)]
struct PositionArgs {
    /// The position; without it, the variant's classical start.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// The rules to play by.
    #[arg(long, value_name = "VARIANT", default_value = "chess")]
    variant: Variant,
}

/// Why an action of the command line failed.
#[derive(Debug, thiserror::Error)]
enum CliError {
    #[error("{0}")]
    Engine(#[from] EngineError),
    #[error("{0}")]
    Command(#[from] CommandError),
    #[error("{0}")]
    Variant(#[from] VariantError),
    #[error("say how far to search: 'depth N', 'nodes N', 'movetime MS', 'mate N' or 'infinite'")]
    NoLimit,
    #[error("{0}")]
    Number(#[from] NumberError),
    #[error("{0}")]
    Setup(#[from] SetupStartError),
    #[error("{0}")]
    Record(#[from] RecordError),
    #[error("roll {number}: {error}")]
    Roll { number: usize, error: DieError },
    #[error("the dice are too few: {wanted}")]
    TooFewRolls { wanted: String },
    #[error("roll {number} is too much: both roots are complete")]
    TooManyRolls { number: usize },
    #[error(
        "{0} has no random part to be rolled with one die; fischerbenko and transcendental have one"
    )]
    NoRandomPart(Variant),
    #[error("{0} has no set-up, and so no notation for one")]
    NoNotation(Variant),
    #[error("the set-up in the record is not finished: print it as FEN or notation")]
    Unfinished,
    #[error("Free Play is a form of jepps; {0} has none")]
    NoFreePlay(Variant),
    #[error("{0}")]
    SetupFen(#[from] PhaseFenError),
    #[error("the engine has no judgement of this set-up")]
    NoJudgement,
    #[error("{0}")]
    Judge(#[from] setup::JudgeError),
    #[error("{0}")]
    Data(#[from] data::ToolError),
    #[error("{0}")]
    Datagen(#[from] datagen::JobError),
    #[error("{0}")]
    Fit(#[from] FitError),
    #[error("{0}")]
    Tune(#[from] tune::TuneCliError),
    #[error("{0}")]
    Suite(#[from] SuiteError),
    #[error("'{file}' exists and has no table of parameters of the {board} board to be replaced")]
    NoTable { file: String, board: &'static str },
    #[error("cannot write '{file}': {error}")]
    Created { file: String, error: std::io::Error },
    #[error("{0}")]
    Arena(#[from] arena::MatchError),
    #[error("cannot read '{file}': {error}")]
    File { file: String, error: std::io::Error },
    #[error("cannot read the input: {0}")]
    Input(std::io::Error),
    #[error("cannot write the result: {0}")]
    Output(#[from] std::io::Error),
}

/// Does what the arguments ask for.
pub fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned()).collect();
    let result = if arguments.is_empty() {
        uci(&[])
    } else if are_uci_commands(&arguments) {
        uci(&arguments)
    } else {
        run(Cli::parse())
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("aleator: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<(), CliError> {
    match cli.action {
        None => uci(&[]),
        Some(Action::Go(arguments)) => analyse::run(&arguments),
        Some(Action::Bench { depth }) => {
            let stop = AtomicBool::new(false); // nobody sets it, so there is a total
            let total = bench::run(Some(depth), &stop, &mut |line| anstream::println!("{line}"));
            total.iter().for_each(|total| anstream::println!("{total}"));
            Ok(())
        }
        Some(Action::Perft(arguments)) => perft::run(&arguments),
        Some(Action::Start(arguments)) => start::run(&arguments),
        Some(Action::Match(arguments)) => Ok(arena::run(&arguments)?),
        Some(Action::Setup(arguments)) => setup::run(&arguments),
        Some(Action::Datagen(arguments)) => Ok(datagen::run(&arguments)?),
        Some(Action::Data(arguments)) => Ok(data::run(&arguments)?),
        Some(Action::Fit(arguments)) => fit::run(&arguments),
        Some(Action::Tune(arguments)) => Ok(tune::run(&arguments)?),
        Some(Action::Book(arguments)) => book::run(&arguments),
    }
}

/// The UCI loop, or the given lines of it.
fn uci(lines: &[String]) -> Result<(), CliError> {
    let mut session = Uci::new(Output::stdout())?;
    if lines.is_empty() {
        session.run(std::io::stdin().lock());
    } else {
        session.run_all(lines);
    }
    Ok(())
}

/// Whether the arguments are UCI commands, each a whole line, and not words of our own command
/// line: the first begins with a UCI command's name and either has more words in the same argument
/// or is no action of [`Action`].
fn are_uci_commands(arguments: &[String]) -> bool {
    let Some(first) = arguments.first() else { return false };
    let mut words = first.split_ascii_whitespace();
    let name = words.next().unwrap_or("");
    let is_uci = COMMANDS.iter().any(|command| command.name == name);
    let is_action = <Cli as clap::CommandFactory>::command()
        .get_subcommands()
        .any(|action| action.get_name() == name);
    is_uci && (words.next().is_some() || !is_action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uci_lines_are_told_from_actions() {
        let uci = |words: &[&str]| {
            are_uci_commands(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>())
        };
        assert!(uci(&["position startpos", "go depth 10", "quit"]));
        assert!(uci(&["uci"]));
        assert!(uci(&["go depth 5"]));
        assert!(uci(&["isready", "quit"]));
        assert!(!uci(&["go", "depth", "5"]));
        assert!(!uci(&["bench"]));
        assert!(!uci(&["--help"]));
        assert!(!uci(&[]));
    }

    #[test]
    fn the_arguments_are_consistent() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
