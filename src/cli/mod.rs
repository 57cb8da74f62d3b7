//! The command line: parses arguments and runs commands. Everything that commands print is written here.

#[macro_use]
mod output;

mod analyse;
mod annotate;
mod arena;
mod book;
mod data;
mod datagen;
mod epd;
mod extra;
mod fairness;
mod games;
mod help;
mod interrupt;
mod perft;
mod play;
mod puzzles;
mod resumable;
#[cfg(feature = "web")]
mod serve;
mod setup;
mod shell;
mod start;
mod train;
mod tune;

use std::io::{self, BufReader, Cursor, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::anyhow;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::bench;
use crate::engine::{Engine, EngineError, GameEngine};
use crate::game::Game;
use crate::protocol::{
    COMMANDS, NAME, Output, ProtocolError, Words, converse, read_bench, run_uci, run_xboard,
};
use crate::rules::Variant;
use crate::search::Control;
use crate::system;
use crate::tools::resumable::join;

/// Aleator: a chess engine for every shuffled start.
///
/// Without arguments it speaks UCI on standard input and output, as GUIs and match runners expect, or
/// XBoard's protocol if the first word is `xboard`. Arguments that are whole UCI commands are executed
/// in order: aleator "position startpos moves e2e4" "go depth 10".
#[derive(Parser, Debug)]
#[command(version, long_version = system::build_description(), about, long_about, max_term_width = 100)]
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
        /// A depth in plies [default: 13], or the arguments of Stockfish's bench: hash in MiB,
        /// threads, limit, `default`, and `depth`, `nodes` or `movetime`.
        #[arg(value_name = "DEPTH")]
        arguments: Vec<String>,
    },
    /// Count the leaves of the tree of legal moves.
    Perft(perft::PerftArgs),
    /// Print start positions: by number, at random, or all.
    Start(start::StartArgs),
    /// Play a match or a tournament between UCI engines.
    Match(Box<arena::MatchArgs>),
    /// Play in the terminal: `aleator play ifrc --level 3`.
    ///
    /// Plays whole games, with setup and dice, against the engine or another person, with clocks. An
    /// unfinished game is saved; continue it with `aleator play --resume`.
    Play(Box<play::PlayArgs>),
    /// Arbitrate a setup in the terminal, by people or the engine: `aleator setup jepps`.
    Setup(setup::SetupArgs),
    /// Play in the browser: a page on this machine for every variant, until Ctrl-C.
    #[cfg(feature = "web")]
    Serve(serve::ServeArgs),
    /// Speak XBoard's protocol (CECP 2) instead of UCI: chess, Chess960 and Pre-Chess.
    ///
    /// The same happens if the first line of input to `aleator` without arguments is `xboard`, as from
    /// XBoard and WinBoard.
    Xboard,
    /// Annotate games: `aleator annotate games.pgn --nodes 100000 --out annotated.pgn`.
    ///
    /// Evaluates each position, marks mistakes with a better line, and adds both players' accuracy.
    /// Existing comments and annotations are kept, unless --replace is given. A game with a move that
    /// cannot be read is annotated up to there.
    Annotate(annotate::AnnotateArgs),
    /// Find puzzles in games: `aleator puzzles games.pgn --out puzzles.epd`.
    ///
    /// A puzzle is a position in which one move wins and all others are far worse. Each is confirmed
    /// with --nodes at every move of its solution. The result is EPD, which `aleator epd` reads. A game
    /// with a move that cannot be read is searched up to there.
    Puzzles(puzzles::PuzzlesArgs),
    /// Search a suite of positions: `aleator epd SUITE.epd --movetime 1000`.
    ///
    /// Checks best moves (bm), moves to avoid (am), mates (dm) and evaluations (ce). Reports for each
    /// position whether it was solved, at which depth and time, and prints a table at the end.
    Epd(epd::EpdArgs),
    /// Join the parts that were made with --shard: `aleator join table.csv`.
    ///
    /// The parts of table.csv are table.1-of-8.csv and so on. They must all be complete and belong to
    /// the same work; missing parts are named.
    Join {
        /// The file given by --out when the parts were made.
        #[arg(value_name = "FILE")]
        out: PathBuf,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Generate training data: `aleator datagen --out DIR --games 1000`.
    ///
    /// The engine plays against itself with few nodes per move. The work can be interrupted at any time,
    /// and is resumed by the same command. Settings that are not given are taken from the folder, or from
    /// the manifest of --from, or else have their defaults.
    Datagen(datagen::DatagenArgs),
    /// Inspect, check and combine files of training data.
    Data(data::DataArgs),
    /// Train a network for the neural evaluation on training data.
    ///
    /// Writes the network, a manifest from which it can be reproduced, and the losses as a table and a
    /// plot.
    Train(Box<train::TrainArgs>),
    /// Tune parameters of the search by games of the engine against itself (SPSA).
    ///
    /// The engine must be built with `cargo build --release --features tune`.
    Tune(Box<tune::TuneArgs>),
    /// Print a script with which a shell completes the command line: `aleator completions bash`.
    ///
    /// For bash, put it into `~/.local/share/bash-completion/completions/aleator`. There are man pages,
    /// too, made by `aleator man DIR`.
    Completions { shell: Shell },
    /// Write a man page for each command into a folder: `aleator man ~/.local/share/man/man1`.
    Man {
        /// Created if it does not exist; existing pages of Aleator are replaced.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Make and check books and suites: `aleator book make --variant ifrc --out ifrc.epd`.
    Book(book::BookArgs),
}

/// A position and its variant.
#[derive(Args, Debug)]
struct PositionArgs {
    /// The position; by default the variant's start.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Moves from there, in SAN or UCI notation: `--moves e4 e5 g1f3` or
    /// `--moves "1. e4 e5 2. Nf3"`.
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// The variant: chess, chess960 (also double Fischer random), ifrc, fischerbenko, transcendental,
    /// jepps, placement.
    #[arg(long, value_name = "VARIANT", default_value = "chess")]
    variant: Variant,
}

impl PositionArgs {
    /// Creates an engine with the position.
    fn engine(&self, hash: usize, threads: usize) -> anyhow::Result<GameEngine> {
        let words = self.moves.iter().flat_map(|text| text.split_whitespace());
        let moves = words.map(without_number).filter(|word| !word.is_empty());
        let moves: Vec<String> = moves.map(str::to_owned).collect();
        let mut engine = GameEngine::new(self.variant, hash, threads)?;
        let set_up = engine.set_position(self.fen.as_deref(), &moves);
        for part in set_up.map_err(|error| self.explain(error))? {
            eprintln!("aleator: --fen: {part}");
        }
        Ok(engine)
    }

    /// Adds which variants the FEN is a position of, if it is not one of the given variant.
    fn explain(&self, error: EngineError) -> anyhow::Error {
        let fen = self.fen.as_deref().unwrap_or_default();
        let variants: Vec<Variant> =
            Variant::ALL.iter().copied().filter(|one| Game::new(*one, fen).is_ok()).collect();
        let [first, ..] = variants[..] else { return error.into() };
        if variants.contains(&self.variant) {
            return error.into();
        }
        let names = variants.into_iter().map(Variant::name).collect::<Vec<_>>().join(", ");
        anyhow!("{error}; it is a position of {names}: add --variant {}", first.name())
    }
}

/// Strips the move number before a move; nothing is left of `12.`.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.starts_with('.') { rest.trim_start_matches('.') } else { text }
}

/// Runs the program.
pub fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned()).collect();
    let result = if are_uci_commands(&arguments) { uci(&arguments) } else { parse_and_run() };
    let lost = output::failure();
    match result {
        // A failed write is reported below.
        Err(error) if lost.is_none() || !error.is::<io::Error>() => fail(&error),
        _ => match lost {
            // A reader that has seen enough, such as `head`, is not an error.
            Some(lost) if lost.kind() != io::ErrorKind::BrokenPipe => {
                fail(&anyhow!("cannot write the result: {lost}"))
            }
            _ => ExitCode::SUCCESS,
        },
    }
}

/// Prints why the command failed, with the causes that the error's text does not include.
fn fail(error: &anyhow::Error) -> ExitCode {
    if let Some(misuse) = error.downcast_ref::<clap::Error>() {
        let _ = misuse.print();
        return ExitCode::from(2);
    }
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            text = if text.is_empty() { cause } else { format!("{text}: {cause}") };
        }
    }
    eprintln!("aleator: {text}");
    ExitCode::FAILURE
}

/// Parses the command line and runs the command.
fn parse_and_run() -> anyhow::Result<()> {
    let cli = match Cli::try_parse() {
        // The text of --help or --version.
        Err(text) if !text.use_stderr() => {
            output::print(format_args!("{}", text.render().ansi()));
            return Ok(());
        }
        parsed => parsed?,
    };
    let Some(action) = cli.action else { return uci(&[]) };
    match action {
        Action::Go(arguments) => analyse::run(&arguments),
        Action::Bench { arguments } => run_bench(&arguments),
        Action::Perft(arguments) => perft::run(&arguments),
        Action::Start(arguments) => start::run(&arguments),
        Action::Match(arguments) => arena::run(&arguments),
        Action::Play(arguments) => play::run(&arguments),
        Action::Setup(arguments) => setup::run(&arguments),
        #[cfg(feature = "web")]
        Action::Serve(arguments) => serve::run(&arguments),
        Action::Xboard => Ok(run_xboard(BufReader::new(io::stdin()), Output::stdout())?),
        Action::Annotate(arguments) => annotate::run(&arguments),
        Action::Puzzles(arguments) => puzzles::run(&arguments),
        Action::Epd(arguments) => epd::run(&arguments),
        Action::Join { out, force } => {
            let parts = join(&out, force)?;
            println!("'{}' from {parts} parts", out.display());
            Ok(())
        }
        Action::Datagen(arguments) => Ok(datagen::run(&arguments)?),
        Action::Data(arguments) => Ok(data::run(&arguments)?),
        Action::Train(arguments) => train::run(&arguments),
        Action::Tune(arguments) => tune::run(&arguments),
        Action::Book(arguments) => book::run(&arguments),
        Action::Completions { shell } => help::completions(shell),
        Action::Man { folder } => help::man(&folder),
    }
}

fn run_bench(arguments: &[String]) -> anyhow::Result<()> {
    let settings = read_bench(&mut Words::new(&arguments.join(" ")))?;
    let control = Control::default();
    let total = bench::run(&settings, &control, &mut |line| {
        println!("{line}");
        control.stop.store(output::failed(), Relaxed);
    });
    total.iter().for_each(|total| println!("{total}"));
    Ok(())
}

/// Speaks UCI on standard input and output, or executes the given lines.
fn uci(lines: &[String]) -> anyhow::Result<()> {
    if lines.is_empty() {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            println!("{NAME} waits for UCI commands ('help', 'quit'); see also 'aleator --help'");
        }
        match converse(BufReader::new(io::stdin()), Output::stdout(), &extra::COMMANDS) {
            // A GUI was told at once and went on.
            Ok(()) | Err(ProtocolError::Position) => {}
            Err(error) => return Err(error.into()),
        }
    } else {
        // `quit` only ends the list of commands here; searches run to their end.
        let lines: Vec<&str> =
            lines.iter().map(|line| line.trim()).take_while(|line| *line != "quit").collect();
        run_uci(Cursor::new(lines.join("\n")), Output::stdout(), &extra::COMMANDS)?;
    }
    Ok(())
}

/// Returns whether the arguments are whole UCI commands rather than words of our own command line: the
/// first begins with the name of a UCI command, and either the same argument has more words, or the
/// name is not one of [`Action`].
fn are_uci_commands(arguments: &[String]) -> bool {
    let Some(first) = arguments.first() else { return false };
    let mut words = first.split_ascii_whitespace();
    let name = words.next().unwrap_or("");
    let is_uci = COMMANDS.iter().chain(&extra::COMMANDS).any(|command| command.name == name);
    let mut ours = <Cli as clap::CommandFactory>::command();
    ours.build(); // adds `help`
    let is_action = ours.get_subcommands().any(|action| action.get_name() == name);
    is_uci && (words.next().is_some() || !is_action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_may_be_numbered() {
        let words = ["1.", "e4", "e5", "2.Nf3", "2...Nc6", "...", "O-O", "7", ""];
        let bare = ["", "e4", "e5", "Nf3", "Nc6", "", "O-O", "7", ""];
        assert_eq!(words.map(without_number), bare);
    }

    #[test]
    fn uci_lines_are_distinguished_from_actions() {
        let uci = |words: &[&str]| {
            are_uci_commands(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>())
        };
        assert!(uci(&["position startpos", "go depth 10", "quit"]));
        assert!(uci(&["uci"]));
        assert!(uci(&["go depth 5"]));
        assert!(uci(&["isready", "quit"]));
        assert!(!uci(&["go", "depth", "5"]));
        assert!(!uci(&["bench"]));
        assert!(!uci(&["help"]));
        assert!(!uci(&["help", "go"]));
        assert!(!uci(&["--help"]));
        assert!(!uci(&[]));
    }

    #[test]
    fn the_arguments_are_consistent() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
