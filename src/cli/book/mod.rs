//! `aleator book`: makes and checks opening books and suites.
//!
//! | file | contents |
//! | --- | --- |
//! | `openings` | makes suites of balanced openings |
//! | `make` | makes opening books from games or searches |
//! | `verify` | checks books and suites |

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
    /// Finds illegal positions, castling rights without king or rook, duplicate positions, positions in
    /// check, illegal moves, and lines that other programs read differently or cannot read.
    Verify(verify::VerifyArgs),
}

pub(super) fn run(arguments: &BookArgs) -> anyhow::Result<()> {
    match &arguments.action {
        BookAction::Openings(arguments) => openings::run(arguments),
        BookAction::Make(arguments) => make::run(arguments),
        BookAction::Verify(arguments) => verify::run(arguments),
    }
}
