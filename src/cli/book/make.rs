//! `aleator book make`: books to play from.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use crate::book::{self, BookLine, is_line, is_polyglot};
use crate::cli::games::report;
use crate::cli::resumable::{ResumableArgs, decided_by};
use crate::cli::{interrupt, output};
use crate::files::{self, IfExists};
use crate::game::Game;
use crate::pgn::{PgnError, PgnReader};
use crate::rules::Variant;
use crate::search::Limits;
use crate::start::Numbering;
use crate::tools::book::{BookSearcher, PlayedMoves, polyglot};
use crate::tools::opening::read_openings;

/// The most starts that are roots without being asked for.
const MOST_STARTS: u64 = 10_000;

/// Arguments of `aleator book make`.
#[derive(Args, Debug)]
pub(super) struct MakeArgs {
    /// The game.
    #[arg(long, value_name = "VARIANT")]
    variant: Variant,
    /// A book of these games, as PGN; those of other variants are skipped. Of a game with a move that
    /// cannot be read the moves before it count.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["from", "text", "shard", "resume"])]
    games: Vec<PathBuf>,
    /// The same book as this text book: to write it as Polyglot.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "shard", "resume"])]
    text: Option<PathBuf>,
    /// Search from the positions of this suite on; without it, from every start of the game.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// How many turns deep the book is.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: u16,
    /// Of games: a move must have been played in so many of them.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "games", value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// Of searches: the most moves of a position.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=256))]
    breadth: u16,
    /// Of searches: by how many centipawns a move may be worse than the best.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 20, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    margin: i32,
    /// With how many nodes a position is searched.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Memory for the engine's table in MiB; it belongs to what the book depends on.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    #[command(flatten)]
    units: ResumableArgs,
}

pub(super) fn run(arguments: &MakeArgs) -> anyhow::Result<()> {
    if !arguments.games.is_empty() {
        return write(arguments, &played(arguments)?);
    }
    if let Some(path) = &arguments.text {
        return write(arguments, &read_text(path, arguments.variant)?);
    }
    if arguments.units.out.as_deref().is_some_and(is_polyglot) {
        bail!(
            "a book of searches is text; 'book make --text FILE --out FILE.bin' makes it Polyglot"
        );
    }
    search(arguments)
}

/// Writes a book in the form that its name says.
fn write(arguments: &MakeArgs, lines: &[BookLine]) -> anyhow::Result<()> {
    if lines.is_empty() {
        bail!("there is no move for the book; see --min-games and --variant");
    }
    let text = || lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let Some(out) = &arguments.units.out else {
        output::print(format_args!("{}", text()));
        return Ok(());
    };
    let bytes = if is_polyglot(out) {
        if !matches!(arguments.variant, Variant::Chess | Variant::Chess960) {
            bail!(
                "Polyglot books know chess and chess960 only; give the file another name than .bin"
            );
        }
        polyglot(lines)
    } else {
        text().into_bytes()
    };
    Ok(files::write(out, &bytes, IfExists::forced(arguments.units.force))?)
}

/// What the games have played.
fn played(arguments: &MakeArgs) -> anyhow::Result<Vec<BookLine>> {
    let mut played = PlayedMoves::new(arguments.variant, usize::from(arguments.plies));
    let (mut taken, mut skipped) = (0_u64, 0_u64);
    for path in &arguments.games {
        let name = format!("'{}': ", path.display());
        let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        for game in PgnReader::new(BufReader::with_capacity(1 << 16, file)) {
            match game {
                Ok(game) => {
                    report(&name, &game.faults);
                    let counted = if played.add(&game)? { &mut taken } else { &mut skipped };
                    *counted += 1;
                }
                Err(PgnError::Game(fault)) => report(&name, [&fault]),
                Err(error) => return Err(error.into()),
            }
        }
    }
    eprintln!("{taken} games of {}; {skipped} of other variants skipped", arguments.variant);
    Ok(played.lines(arguments.min_games)?)
}

fn read_text(path: &Path, variant: Variant) -> anyhow::Result<Vec<BookLine>> {
    // Says what is wrong, if anything is.
    book::Book::open(path, variant)?;
    let text = files::read_text(path, book::LARGEST)?;
    let lines = text.lines().filter(|line| is_line(line));
    Ok(lines.map(|line| BookLine::parse(line, variant)).collect::<Result<_, _>>()?)
}

/// The positions to search from.
fn roots(arguments: &MakeArgs) -> anyhow::Result<Vec<String>> {
    let variant = arguments.variant;
    if let Some(path) = &arguments.from {
        let text = files::read_text(path, book::LARGEST)?;
        let fens = read_openings(&text, variant);
        return fens.with_context(|| format!("'{}'", path.display()));
    }
    let starts = Numbering::of(variant);
    if starts.count() > MOST_STARTS {
        bail!("{variant} has {} starts; say by --from FILE which are meant", starts.count());
    }
    Ok(starts.all().map(|start| start.fen()).collect())
}

/// Writes what the engine thinks, root by root.
fn search(arguments: &MakeArgs) -> anyhow::Result<()> {
    let MakeArgs { variant, plies, breadth, margin, nodes, hash, ref units, .. } = *arguments;
    let roots = roots(arguments)?;
    let range = units.shard.range(roots.len() as u64);
    let words = json!({
        "variant": variant.name(),
        "roots": roots.len(),
        "checksum of the roots": crc32fast::hash(roots.join("\n").as_bytes()),
        "plies": plies,
        "breadth": breadth,
        "margin": margin,
        "nodes": nodes,
        "hash": hash,
    });
    let work = decided_by(&[variant.rules().board], words)?;
    let Some(mut results) = units.open(&work, "", &mut |()| {})? else { return Ok(()) };
    let control = interrupt::control();
    let limits = Limits::nodes(nodes);
    let mut searcher = BookSearcher::new(limits, hash.into(), plies.into(), breadth.into(), margin);
    let bar = output::progress(range.end - range.start, results.done());
    for number in range.start + results.done()..range.end {
        let root = Game::new(variant, &roots[number as usize])?;
        let Some(lines) = searcher.book(&root, &control)? else {
            return Err(units.interrupted(results.done()));
        };
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        results.add(&text, &())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    results.finish()
}
