//! `aleator book make`: makes opening books.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use crate::book::{self, BookLine, is_polyglot};
use crate::cli::games::report;
use crate::cli::resumable::ResumableArgs;
use crate::cli::{interrupt, output};
use crate::files::{self, IfExists};
use crate::game::Game;
use crate::notation::epd_lines;
use crate::pgn::{PgnError, PgnReader};
use crate::rules::Variant;
use crate::search::Limits;
use crate::start::Numbering;
use crate::tools::book::{BookSearcher, PlayedMoves, polyglot};
use crate::tools::opening::read_openings_with;
use crate::tools::shard::Shard;

/// The maximum number of starting positions that are searched without `--from`.
const MAX_STARTS: u64 = 10_000;

/// Arguments of `aleator book make`.
#[derive(Args, Debug)]
pub(super) struct MakeArgs {
    /// Variant of the book, or `dfrc` for chess960 in which White and Black have different back ranks.
    #[arg(long = "variant", value_name = "VARIANT")]
    starts: Numbering,
    /// Input: PGN files from whose games the book is made. Games of other variants are skipped. If a move of
    /// a game cannot be read, only the moves before that move are used.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["from", "text", "shard", "resume"])]
    games: Vec<PathBuf>,
    /// Input: a book in text format to convert. The output file --out gets a Polyglot book if its name ends
    /// in `.bin`, otherwise a book in text format.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "shard", "resume"])]
    text: Option<PathBuf>,
    /// File with the positions to search from, a FEN or EPD on each line [default: all starting positions of
    /// the variant]. Only for books made by searches, which need neither --games nor --text.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Depth of the book: number of plies from the start of each game, or from each position of --from.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: u16,
    /// With --games: include a move only if it was played in at least N games.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "games", value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// For a book made by searches: maximum number of book moves in each position.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=256))]
    breadth: u16,
    /// For a book made by searches: maximum number of centipawns by which a book move may be worse than the
    /// best move.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 20, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    margin: i32,
    /// For a book made by searches: number of nodes to search in each position.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Size of the engine's hash table in MiB. With another size, the searches can give another book.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    #[command(flatten)]
    units: ResumableArgs,
    /// Search only part K of N of the positions, and write the results to a file with K and N in its name:
    /// with 3/8 and --out book.epd, to `book.3-of-8.epd`. Join the parts with `aleator join book.epd`.
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,
}

pub(super) fn run(arguments: &MakeArgs) -> anyhow::Result<()> {
    if !arguments.games.is_empty() {
        return write(arguments, &played(arguments)?);
    }
    if let Some(path) = &arguments.text {
        return write(arguments, &read_text(path, arguments.starts.variant())?);
    }
    if arguments.units.file().is_some_and(is_polyglot) {
        bail!(
            "a book of searches is written as text, not as .bin; convert the text with 'aleator book make \
             --text FILE --out FILE.bin'"
        );
    }
    search(arguments)
}

/// Writes a book to the file of --out, as Polyglot if the file name ends in `.bin`, otherwise as text.
/// Without --out, prints the book.
fn write(arguments: &MakeArgs, lines: &[BookLine]) -> anyhow::Result<()> {
    if lines.is_empty() {
        bail!("the book would contain no moves; check --min-games and --variant");
    }
    let text = || lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let Some(out) = arguments.units.file() else {
        output::print(format_args!("{}", text()));
        return Ok(());
    };
    let bytes = if is_polyglot(out) {
        if !matches!(arguments.starts.variant(), Variant::Chess | Variant::Chess960) {
            bail!(
                "Polyglot books (.bin) support only chess and chess960; choose another file name for --out"
            );
        }
        polyglot(lines)
    } else {
        text().into_bytes()
    };
    Ok(files::write(out, &bytes, IfExists::forced(arguments.units.force))?)
}

/// Collects the moves of the games in the files of --games.
fn played(arguments: &MakeArgs) -> anyhow::Result<Vec<BookLine>> {
    let variant = arguments.starts.variant();
    let mut played = PlayedMoves::new(variant, usize::from(arguments.plies));
    let (mut added, mut skipped) = (0_u64, 0_u64);
    for path in &arguments.games {
        let name = format!("'{}': ", path.display());
        let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        let games = PgnReader::new(BufReader::with_capacity(1 << 16, file));
        for game in games {
            match game {
                Ok(game) => {
                    report(&name, &game.problems);
                    let counted = if played.add(&game)? { &mut added } else { &mut skipped };
                    *counted += 1;
                }
                Err(PgnError::Game(problem)) => report(&name, [&problem]),
                Err(error) => return Err(error.into()),
            }
        }
    }
    eprintln!("{added} games of {variant}; {skipped} of other variants skipped");
    Ok(played.lines(arguments.min_games)?)
}

fn read_text(path: &Path, variant: Variant) -> anyhow::Result<Vec<BookLine>> {
    // Opens the book only to report errors with line numbers.
    book::Book::open(path, variant)?;
    let text = files::read_text(path, book::LARGEST)?;
    let lines = epd_lines(&text);
    Ok(lines.map(|(_, line)| BookLine::parse(line, variant)).collect::<Result<_, _>>()?)
}

/// Returns the positions that the searches start from.
fn roots(arguments: &MakeArgs) -> anyhow::Result<Vec<String>> {
    let starts = arguments.starts;
    if let Some(path) = &arguments.from {
        let text = files::read_text(path, book::LARGEST)?;
        let name = path.display();
        let fens = read_openings_with(&text, starts.variant(), &mut |line, part| {
            eprintln!("aleator: '{name}', line {line}: {part}");
        });
        return fens.with_context(|| format!("'{name}'"));
    }
    if starts.count() > MAX_STARTS {
        bail!(
            "{} has {} starting positions, too many for searches; select some with --from FILE",
            starts.name(),
            starts.count()
        );
    }
    Ok(starts.all().map(|start| start.fen()).collect())
}

/// Makes a book of searches. Writes the lines of each root position as soon as its search has ended.
fn search(arguments: &MakeArgs) -> anyhow::Result<()> {
    let MakeArgs { starts, plies, breadth, margin, nodes, hash, ref units, shard, .. } = *arguments;
    let variant = starts.variant();
    let roots = roots(arguments)?;
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
    let (boards, work) = ([variant.rules().board], (shard, roots.len() as u64));
    let Some(mut results) = units.open(&boards, words, "", work, &mut |()| {})? else {
        return Ok(());
    };
    let control = interrupt::control();
    let limits = Limits::nodes(nodes);
    let mut searcher = BookSearcher::new(limits, hash.into(), plies.into(), breadth.into(), margin);
    while let Some(number) = results.next_unit() {
        let root = Game::new(variant, &roots[number as usize])?;
        let Some(lines) = searcher.book(&root, &control)? else {
            return Err(results.interrupted());
        };
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        results.add(&text, &())?;
    }
    results.finish()
}
