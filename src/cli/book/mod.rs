//! `aleator book`: makes and checks books and suites.
//!
//! | file | contents |
//! | --- | --- |
//! | `openings` | suites of balanced openings |
//! | `make` | opening books from games or searches |
//! | `verify` | checks of a file |

mod make;
mod openings;
mod verify;

use clap::{Args, Subcommand};

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
    Verify(verify::VerifyArgs),
}

pub(super) fn run(arguments: &BookArgs) -> anyhow::Result<()> {
    match &arguments.action {
        BookAction::Openings(arguments) => openings::run(arguments),
        BookAction::Make(arguments) => make::run(arguments),
        BookAction::Verify(arguments) => verify::run(arguments),
    }
}
