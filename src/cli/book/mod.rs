//! `aleator book`: makes and checks books and suites.
//!
//! | file | contents |
//! | --- | --- |
//! | `openings` | suites of balanced openings |
//! | `make` | opening books from games or searches |

mod make;
mod openings;

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::book::{Book, LARGEST, is_polyglot};
use crate::files;
use crate::rules::Variant;
use crate::tools::book::verify;

/// Arguments of `aleator book`.
#[derive(Args, Debug)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    action: BookAction,
}

#[derive(Subcommand, Debug)]
enum BookAction {
    /// Make a suite of balanced openings for matches: random moves from random starts, kept if a search
    /// finds neither side better. Each line is EPD that ends with `ce N;`, the score in centipawns for
    /// the side to move. All positions are different, and none is in check. The same options give the
    /// same suite, for any number of threads.
    Openings(openings::OpeningsArgs),
    /// Make a book to play from (options OwnBook and Book File), from games or from the engine's own
    /// searches.
    ///
    /// A line is a position with moves and their weights: `... bm e4 d4; weights "3 1";`. From games, a
    /// move has weight two for each win and one for each draw of its player. From searches, its weight
    /// is the margin plus one, less the centipawns by which it is worse than the best move.
    Make(make::MakeArgs),
    /// Check a book or suite line by line; the exit status is 1 if there are errors.
    ///
    /// Finds illegal positions, castling rights without king or rook, duplicate positions, checks,
    /// illegal moves, and lines that other programs read differently or not at all.
    Verify(VerifyArgs),
}

/// Arguments of `aleator book verify`.
#[derive(Args, Debug)]
struct VerifyArgs {
    /// Books and suites as EPD, or Polyglot books (`.bin`), of which only the structure can be checked.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Variant of the files.
    #[arg(long, value_name = "VARIANT", default_value = "chess")]
    variant: Variant,
}

pub(super) fn run(arguments: &BookArgs) -> anyhow::Result<()> {
    match &arguments.action {
        BookAction::Openings(arguments) => openings::run(arguments),
        BookAction::Make(arguments) => make::run(arguments),
        BookAction::Verify(arguments) => verify_files(arguments),
    }
}

/// Checks books and suites.
fn verify_files(arguments: &VerifyArgs) -> anyhow::Result<()> {
    let mut bad = 0;
    for path in &arguments.files {
        let name = path.display();
        if is_polyglot(path) {
            let Book::Polyglot(book) = Book::open(path, arguments.variant)? else { continue };
            println!("{name}: {} entries, sorted by key", book.count());
            continue;
        }
        let report = verify(&files::read(path, LARGEST)?, arguments.variant);
        let text = report.to_string();
        text.lines().for_each(|line| println!("{name}: {line}"));
        bad += usize::from(report.errors() > 0 || report.positions == 0);
    }
    match bad {
        0 => Ok(()),
        1 => bail!("a file has errors or no positions"),
        _ => bail!("{bad} files have errors or no positions"),
    }
}
