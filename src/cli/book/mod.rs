//! `aleator book`: makes and checks opening books and suites.
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
    /// Make a suite of balanced openings for matches.
    ///
    /// An opening is a random starting position followed by random moves. An opening is accepted if a
    /// search finds no large advantage for either side. No position occurs twice, and in no position is
    /// the side to move in check. Each line is EPD and ends with `ce N;`, the score in centipawns for the
    /// side to move. The same options give the same suite, for any number of threads.
    Openings(openings::OpeningsArgs),
    /// Make an opening book for the UCI options OwnBook and Book File, from games or from searches.
    ///
    /// A line is a position with moves and their weights: `... bm e4 d4; weights "3 1";`. In a book of
    /// games, the weight of a move is two for each win and one for each draw of the side that played the
    /// move. In a book of searches, the weight of a move is --margin plus one, minus the centipawns by
    /// which the move is worse than the best move.
    Make(make::MakeArgs),
    /// Check books or suites line by line. The exit status is 1 if there are errors.
    ///
    /// Finds illegal positions, castling rights that do not match the kings and rooks, duplicate positions,
    /// positions in check, illegal moves, and lines that other programs read differently or not at all.
    Verify(VerifyArgs),
}

/// Arguments of `aleator book verify`.
#[derive(Args, Debug)]
struct VerifyArgs {
    /// Files to check: books and suites in EPD, or Polyglot books (`.bin`). For a Polyglot book, only the
    /// structure is checked.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Variant of the positions in the files.
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
