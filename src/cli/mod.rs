//! The command line: parses arguments and runs the commands.

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
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context, anyhow};
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::{Shell, generate};

use crate::bench;
use crate::engine::{Engine, EngineError, GameEngine};
use crate::files::FileError;
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
/// Without arguments, aleator speaks UCI on standard input and output, as GUIs and match runners expect.
/// If the first line of input is `xboard`, aleator speaks the XBoard protocol instead. UCI commands can
/// also be given as arguments, and are executed in order:
/// aleator "position startpos moves e2e4" "go depth 10".
#[derive(Parser, Debug)]
#[command(version, long_version = system::build_description(), about, long_about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Analyse a position, for example `aleator go depth 20`.
    Go(analyse::GoArgs),
    /// Search a fixed set of positions on 8x8 and 10x10 boards, and print the nodes and the speed.
    ///
    /// The last line is `N nodes M nps`.
    Bench {
        /// Depth in plies [default: 13]. Instead of the depth, the five arguments of Stockfish's bench can be
        /// given: hash size in MiB, threads, limit, `default`, and the kind of limit (`depth`, `nodes` or
        /// `movetime`).
        #[arg(value_name = "DEPTH")]
        arguments: Vec<String>,
    },
    /// Count the leaf nodes of the tree of legal moves, to test the move generator.
    Perft(perft::PerftArgs),
    /// Print starting positions: by number, at random, or all of them.
    Start(start::StartArgs),
    /// Play a match or a tournament between UCI engines.
    Match(Box<arena::MatchArgs>),
    /// Play a game in the terminal, for example `aleator play ifrc --level 3`.
    ///
    /// Play against the engine or another person, with or without clocks. A game can begin with a setup
    /// and dice. Unfinished games are saved; `aleator play --resume` continues the last one.
    Play(Box<play::PlayArgs>),
    /// Set up the pieces of a variant in the terminal, for example `aleator setup jepps`.
    ///
    /// The program checks the rules of the setup and rolls the dice. People or the engine place the
    /// pieces.
    Setup(setup::SetupArgs),
    /// Serve a web page on this machine for playing all variants in the browser, until Ctrl-C.
    #[cfg(feature = "web")]
    Serve(serve::ServeArgs),
    /// Speak the XBoard protocol (CECP 2) instead of UCI, for chess, Chess960 and Pre-Chess.
    ///
    /// XBoard and WinBoard do not need this command: `aleator` without arguments also speaks the XBoard
    /// protocol if the first line of input is `xboard`.
    Xboard,
    /// Annotate games, for example `aleator annotate games.pgn --nodes 100000 --out annotated.pgn`.
    ///
    /// Evaluates each position, marks mistakes with a better line, and adds both players' accuracy.
    /// Existing comments and annotations are kept, unless --replace is given. If a move of a game cannot
    /// be read, only the moves before that move are annotated.
    Annotate(annotate::AnnotateArgs),
    /// Find puzzles in games, for example `aleator puzzles games.pgn --out puzzles.epd`.
    ///
    /// A puzzle is a position in which one move wins and all other moves are far worse. Each puzzle is
    /// confirmed by a search with --nodes at every move of its solution. The output is EPD, which
    /// `aleator epd` reads. If a move of a game cannot be read, only the positions before that move are
    /// searched.
    Puzzles(puzzles::PuzzlesArgs),
    /// Test the engine on a suite of positions, for example `aleator epd SUITE.epd --movetime 1000`.
    ///
    /// Checks best moves (bm), moves to avoid (am), mates (dm) and evaluations (ce). Reports for each
    /// position whether the engine solved the position, and at which depth and time. Prints a table at
    /// the end.
    Epd(epd::EpdArgs),
    /// Join files that commands wrote with --shard, for example `aleator join table.csv`.
    ///
    /// The parts of table.csv are table.1-of-8.csv to table.8-of-8.csv. All parts must be complete and
    /// must have been made with the same settings. An error names the missing parts.
    Join {
        /// Output file: the name that was given by --out when the parts were made, such as table.csv.
        #[arg(value_name = "FILE")]
        out: PathBuf,
        /// Replace the output file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Generate training data, for example `aleator datagen --out DIR --games 1000`.
    ///
    /// The engine plays games against itself with few nodes per move, after 6 to 9 random plies. Games whose
    /// scores stay high or near 0 are adjudicated. The manifest lists all settings. Ctrl-C interrupts the
    /// generation at any time, and the same command resumes it. Settings that are not given come from the
    /// manifest of --from, or else from the existing data set in --out, or else from the defaults.
    Datagen(datagen::DatagenArgs),
    /// Inspect, check or combine files of training data.
    Data(data::DataArgs),
    /// Train a network for the neural evaluation on training data.
    ///
    /// Writes the network, a manifest with everything needed to reproduce the training, and the losses as
    /// a table and a plot.
    Train(Box<train::TrainArgs>),
    /// Tune search parameters with SPSA, by games of the engine against itself.
    ///
    /// The engine must be built with `cargo build --release --features tune`.
    Tune(Box<tune::TuneArgs>),
    /// Print a completion script for a shell, for example `aleator completions bash`.
    ///
    /// For bash, save the script as `~/.local/share/bash-completion/completions/aleator`. The command
    /// `aleator man DIR` writes man pages.
    Completions {
        /// Shell for which the script is printed.
        shell: Shell,
    },
    /// Write man pages of all commands into a folder, for example `aleator man ~/.local/share/man/man1`.
    Man {
        /// Output folder for the man pages. The folder is created if it does not exist. Existing man pages of
        /// Aleator in the folder are replaced.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Make or check opening books and suites, for example `aleator book verify ifrc.epd`.
    Book(book::BookArgs),
}

/// A position and its variant.
#[derive(Args, Debug)]
struct PositionArgs {
    /// Position as FEN [default: the standard starting position, or the empty setup, of the variant].
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Moves to play from the position, in SAN or UCI notation: `--moves e4 e5 g1f3` or
    /// `--moves "1. e4 e5 2. Nf3"`.
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// Variant: chess, chess960 (also dfrc), ifrc, fischerbenko, transcendental, jepps or placement.
    #[arg(long, value_name = "VARIANT", default_value = "chess")]
    variant: Variant,
}

impl PositionArgs {
    /// Creates an engine and sets the position that the arguments describe.
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

    /// Adds the names of the variants for which the FEN is valid, if the FEN is not valid for the given
    /// variant.
    fn explain(&self, error: EngineError) -> anyhow::Error {
        let fen = self.fen.as_deref().unwrap_or_default();
        let variants: Vec<Variant> =
            Variant::ALL.iter().copied().filter(|one| Game::new(*one, fen).is_ok()).collect();
        let [first, ..] = variants[..] else { return error.into() };
        if variants.contains(&self.variant) {
            return error.into();
        }
        let names = variants.into_iter().map(Variant::name).collect::<Vec<_>>().join(", ");
        anyhow!("{error}; the FEN is a position of {names}: add --variant {}", first.name())
    }
}

/// Strips the move number from the start of a word: `12.e4` becomes `e4`, and `12.` becomes empty.
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
        // If the error is a failed write to standard output, the next branch reports the error.
        Err(error) if lost.is_none() || !error.is::<io::Error>() => fail(&error),
        _ => match lost {
            // If a reader such as `head` closes the pipe, that is not an error.
            Some(lost) if lost.kind() != io::ErrorKind::BrokenPipe => {
                fail(&anyhow!("cannot write the result: {lost}"))
            }
            _ => ExitCode::SUCCESS,
        },
    }
}

/// Prints the error of a command, and each underlying cause that the printed text does not yet contain.
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
    if error.chain().any(|cause| matches!(cause.downcast_ref(), Some(FileError::Exists { .. }))) {
        text += "; --force replaces it, or write elsewhere";
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
            println!("'{}' was joined from {parts} parts", out.display());
            Ok(())
        }
        Action::Datagen(arguments) => Ok(datagen::run(&arguments)?),
        Action::Data(arguments) => Ok(data::run(&arguments)?),
        Action::Train(arguments) => train::run(&arguments),
        Action::Tune(arguments) => tune::run(&arguments),
        Action::Book(arguments) => book::run(&arguments),
        Action::Completions { shell } => completions(shell),
        Action::Man { folder } => man(&folder),
    }
}

fn run_bench(arguments: &[String]) -> anyhow::Result<()> {
    let settings = read_bench(&mut Words::new(&arguments.join(" ")))?;
    let control = Control::default();
    let total = bench::run(&settings, &Default::default(), &control, &mut |line| {
        println!("{line}");
        control.stop.store(output::failed(), Relaxed);
    });
    total.iter().for_each(|total| println!("{total}"));
    Ok(())
}

/// Prints the completion script of a shell.
fn completions(shell: Shell) -> anyhow::Result<()> {
    // The generator panics if a write fails, so it writes to memory.
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "aleator", &mut script);
    output::print(format_args!("{}", String::from_utf8_lossy(&script)));
    Ok(())
}

/// Writes `aleator.1`, `aleator-go.1` and so on into a folder.
fn man(folder: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write to '{}'", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let command = Cli::command().name("aleator").disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).with_context(cannot)
}

/// Speaks UCI on standard input and output, or executes the given lines.
fn uci(lines: &[String]) -> anyhow::Result<()> {
    if lines.is_empty() {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            println!("{NAME} waits for UCI commands ('help', 'quit'); see also 'aleator --help'");
        }
        match converse(BufReader::new(io::stdin()), Output::stdout(), &extra::COMMANDS) {
            // The GUI has already received the error message for a wrong position.
            Ok(()) | Err(ProtocolError::Position) => {}
            Err(error) => return Err(error.into()),
        }
    } else {
        // If commands are given as arguments, `quit` only ends the list and does not stop the searches before
        // it.
        let lines: Vec<&str> =
            lines.iter().map(|line| line.trim()).take_while(|line| *line != "quit").collect();
        run_uci(Cursor::new(lines.join("\n")), Output::stdout(), &extra::COMMANDS)?;
    }
    Ok(())
}

/// Returns whether the arguments are UCI commands rather than a command line of `aleator`.
///
/// The first argument must begin with the name of a UCI command. If the name is also the name of an
/// [`Action`], the first argument must contain further words, such as `go depth 5`.
fn are_uci_commands(arguments: &[String]) -> bool {
    let Some(first) = arguments.first() else { return false };
    let mut words = first.split_ascii_whitespace();
    let name = words.next().unwrap_or("");
    let is_uci = COMMANDS.iter().chain(&extra::COMMANDS).any(|command| command.name == name);
    let mut ours = Cli::command();
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
        Cli::command().debug_assert();
    }
}
