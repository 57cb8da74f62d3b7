//! The command line: arguments to actions. What a person sees is written here and nowhere else.

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
mod join;
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
use crate::protocol::{COMMANDS, NAME, Output, converse, run_uci, run_xboard};
use crate::rules::Variant;
use crate::search::Control;
use crate::system;

/// Aleator: a chess engine for every shuffled start.
///
/// Without arguments it speaks UCI on standard input and output, as GUIs and match runners
/// expect, or XBoard's protocol if the first word is `xboard`. Arguments that are whole UCI commands are carried out one after the other:
/// aleator "position startpos moves e2e4" "go depth 10".
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
    /// Play in the terminal: `aleator play ifrc --level 3`.
    ///
    /// Every game from its set-up on, dice included, against the engine or another person, with
    /// clocks. A game that is left is kept, and `aleator play --resume` goes on with it.
    Play(Box<play::PlayArgs>),
    /// Arbitrate a set-up on the terminal, with people or the engine placing: `aleator setup jepps`.
    Setup(setup::SetupArgs),
    /// Play in the browser: a page on this machine for every variant, until Ctrl-C.
    #[cfg(feature = "web")]
    Serve(serve::ServeArgs),
    /// Speak XBoard's protocol (CECP 2) instead of UCI: chess, Chess960 and Pre-Chess.
    ///
    /// The same as the word `xboard` in the first line to `aleator` without arguments, which is
    /// how XBoard and WinBoard begin.
    Xboard,
    /// Annotate games: `aleator annotate games.pgn --nodes 100000 --out annotated.pgn`.
    ///
    /// Writes what each position is worth, marks mistakes with the better line, and adds the
    /// accuracy of both players. What the games have already stays, unless --replace is given. A game
    /// with a move that cannot be read is annotated up to there.
    Annotate(annotate::AnnotateArgs),
    /// Find puzzles in games: `aleator puzzles games.pgn --out puzzles.epd`.
    ///
    /// A puzzle is a position in which one move wins and no other comes near. Each is confirmed
    /// with --nodes at every move of its solution. The result is EPD, which `aleator epd` reads. A game
    /// with a move that cannot be read is searched up to there.
    Puzzles(puzzles::PuzzlesArgs),
    /// Search a suite of positions: `aleator epd SUITE.epd --movetime 1000`.
    ///
    /// Asks for best moves (bm), moves to avoid (am), mates (dm) and evaluations (ce), says of each
    /// position whether it was solved, at which depth and time, and ends with a table.
    Epd(epd::EpdArgs),
    /// Put the parts together that --shard has made: `aleator join table.csv`.
    ///
    /// The parts of table.csv are table.1-of-8.csv and so on. They must all be there, finished, and
    /// of the same work; what is missing is named.
    Join(join::JoinArgs),
    /// Make games to learn from: `aleator datagen --out DIR --games 1000`.
    ///
    /// The engine plays itself with few nodes a move. The work can be interrupted at any time and
    /// goes on with the same command. A setting that is not given is what it was before in the
    /// folder, or in the manifest of --from, or else its default.
    Datagen(datagen::DatagenArgs),
    /// Look into files of such games, check them, put them together.
    Data(data::DataArgs),
    /// Train a network for the neural evaluation on such games.
    ///
    /// Writes the network, a manifest from which it can be made again, and the losses as table and
    /// drawing.
    Train(Box<train::TrainArgs>),
    /// Tune the numbers of the search by games of the engine against itself (SPSA).
    ///
    /// The engine must be built with `cargo build --release --features tune`.
    Tune(Box<tune::TuneArgs>),
    /// Print a script by which a shell completes our words: `aleator completions bash`.
    ///
    /// For bash, in `~/.local/share/bash-completion/completions/aleator`; `man` has a page on each
    /// command, made by `aleator man DIR`.
    Completions { shell: Shell },
    /// Write a man page for each command into a folder: `aleator man ~/.local/share/man/man1`.
    Man {
        /// Made if it is not there; pages of ours in it are replaced.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Make and check books and suites: `aleator book make --variant ifrc --out ifrc.epd`.
    Book(book::BookArgs),
}

/// Which position, of which variant.
#[derive(Args, Debug)]
struct PositionArgs {
    /// The position; without it, the variant's start.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// What was played since, in SAN or UCI notation: `--moves e4 e5 g1f3` or
    /// `--moves "1. e4 e5 2. Nf3"`.
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// The rules to play by: chess, chess960 (double Fischer random too), ifrc, fischerbenko,
    /// transcendental, jepps, placement.
    #[arg(long, value_name = "VARIANT", default_value = "chess")]
    variant: Variant,
}

impl PositionArgs {
    /// An engine at the position.
    fn engine(&self, hash: usize, threads: usize) -> anyhow::Result<GameEngine> {
        let words = self.moves.iter().flat_map(|text| text.split_whitespace());
        let moves = words.map(without_number).filter(|word| !word.is_empty());
        let moves: Vec<String> = moves.map(str::to_owned).collect();
        let mut engine = GameEngine::new(self.variant, hash, threads)?;
        engine.set_position(self.fen.as_deref(), &moves).map_err(|error| self.explain(error))?;
        Ok(engine)
    }

    /// What is wrong, and the variants of which the FEN is a position if ours is none of them.
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

/// A move without the number that a game's record puts before it: nothing is left of `12.`.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.starts_with('.') { rest.trim_start_matches('.') } else { text }
}

/// Does what the arguments ask for.
pub fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned()).collect();
    let result = if are_uci_commands(&arguments) { uci(&arguments) } else { parse_and_run() };
    let lost = output::failure();
    match result {
        // That a write failed is said below.
        Err(error) if lost.is_none() || !error.is::<io::Error>() => fail(&error),
        _ => match lost {
            // A reader that has seen enough, such as `head`, is no failure.
            Some(lost) if lost.kind() != io::ErrorKind::BrokenPipe => {
                fail(&anyhow!("cannot write the result: {lost}"))
            }
            _ => ExitCode::SUCCESS,
        },
    }
}

/// Prints why the command failed, with the causes that the error does not say itself.
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

/// Carries out the words of our own command line.
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
        Action::Bench { depth } => run_bench(depth),
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
        Action::Join(arguments) => join::run(&arguments),
        Action::Datagen(arguments) => Ok(datagen::run(&arguments)?),
        Action::Data(arguments) => Ok(data::run(&arguments)?),
        Action::Train(arguments) => train::run(&arguments),
        Action::Tune(arguments) => tune::run(&arguments),
        Action::Book(arguments) => book::run(&arguments),
        Action::Completions { shell } => help::completions(shell),
        Action::Man { folder } => help::man(&folder),
    }
}

fn run_bench(depth: u32) -> anyhow::Result<()> {
    let control = Control::default();
    let total = bench::run(Some(depth), &control, &mut |line| {
        println!("{line}");
        control.stop.store(output::failed(), Relaxed);
    });
    total.iter().for_each(|total| println!("{total}"));
    Ok(())
}

/// A conversation on standard input and output, or the given lines of UCI.
fn uci(lines: &[String]) -> anyhow::Result<()> {
    if lines.is_empty() {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            println!("{NAME} waits for UCI commands ('help', 'quit'); 'aleator --help' has more");
        }
        converse(BufReader::new(io::stdin()), Output::stdout(), &extra::COMMANDS)?;
    } else {
        // Nobody is in a hurry here: `quit` means that there are no more, and ends no search.
        let lines: Vec<&str> =
            lines.iter().map(|line| line.trim()).take_while(|line| *line != "quit").collect();
        run_uci(Cursor::new(lines.join("\n")), Output::stdout(), &extra::COMMANDS)?;
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
    let is_uci = COMMANDS.iter().chain(&extra::COMMANDS).any(|command| command.name == name);
    let mut ours = <Cli as clap::CommandFactory>::command();
    ours.build(); // which adds `help`
    let is_action = ours.get_subcommands().any(|action| action.get_name() == name);
    is_uci && (words.next().is_some() || !is_action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_may_have_numbers() {
        let words = ["1.", "e4", "e5", "2.Nf3", "2...Nc6", "...", "O-O", "7", ""];
        let bare = ["", "e4", "e5", "Nf3", "Nc6", "", "O-O", "7", ""];
        assert_eq!(words.map(without_number), bare);
    }

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
