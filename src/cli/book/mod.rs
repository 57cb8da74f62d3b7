//! `aleator book`: books and suites as files.
//!
//! | file | holds |
//! | --- | --- |
//! | `openings` | suites of balanced openings |
//! | `make` | opening books, of games and of searches |
//! | `verify` | what is wrong with a file |

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
    /// A suite of balanced openings for matches: random starts and random moves, kept if a search
    /// finds neither side better. A line is EPD that ends with `ce N;`, the search's centipawns
    /// for the side to move. No position comes twice, nobody is in check. The same options give the
    /// same suite, whatever the number of threads.
    Openings(openings::OpeningsArgs),
    /// A book to play from (options OwnBook and Book File): of games that were played, or of the
    /// engine's own searches.
    ///
    /// A line is a position with moves and their weights: `... bm e4 d4; weights "3 1";`. Out of
    /// games, a move weighs two for each win and one for each draw of who played it. Out of
    /// searches, it weighs the margin and one, less what it is worse than the best one.
    Make(make::MakeArgs),
    /// Say what is wrong with a book or suite, line by line; status 1 if anything is.
    ///
    /// Positions that are none, rights without king or rook, positions that come twice, sides in
    /// check, moves that are illegal, and lines that other programs read differently or not at all.
    Verify(verify::VerifyArgs),
}

pub(super) fn run(arguments: &BookArgs) -> anyhow::Result<()> {
    match &arguments.action {
        BookAction::Openings(arguments) => openings::run(arguments),
        BookAction::Make(arguments) => make::run(arguments),
        BookAction::Verify(arguments) => verify::run(arguments),
    }
}
