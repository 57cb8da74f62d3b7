//! Checks the engine's moves and variations against the library's rules.

use aleator::game::{BoardGame, Termination};
use aleator::geometry::Board;
use aleator::notation;
use aleator::position::{FenStyle, Position};
use aleator::rules::Variant;

use super::info::Search;

/// Returns a game of a variant that begins with the given position.
pub fn game<G: Board>(variant: Variant, fen: &str) -> BoardGame<G> {
    let position = Position::from_fen(fen, variant.rules().right);
    BoardGame::new(position.unwrap_or_else(|error| panic!("{fen}: {error}")))
}

/// Plays a move that the engine has written. The move must be legal and in the expected notation.
pub fn play<G: Board>(game: &mut BoardGame<G>, text: &str, chess960: bool) {
    let position = game.position();
    let fen = position.fen(FenStyle::XFen);
    let mv = notation::parse_uci(position, text).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(notation::uci(position, mv, chess960), text, "notation in {fen}");
    game.play(mv);
}

/// Returns the termination of the game by mate or by a draw rule other than insufficient material.
pub fn ending<G: Board>(game: &BoardGame<G>) -> Option<Termination> {
    game.termination().filter(|ending| *ending != Termination::Material)
}

/// Checks a search of the position of `root`. Every variation must be legal and must not go on after the end
/// of the game. The last line must begin with the best move, and the ponder move must be a legal reply.
pub fn judge<G: Board>(root: &BoardGame<G>, search: &Search, chess960: bool) {
    for info in &search.infos {
        assert!(!info.pv.is_empty(), "no variation: {info:?}");
        let mut game = root.clone();
        for (ply, text) in info.pv.iter().enumerate() {
            let ending = ending(&game).filter(|_| ply > 0);
            assert_eq!(ending, None, "{text} comes after the end in {info:?}");
            play(&mut game, text, chess960);
        }
    }
    let last = search.last_lines().first().expect("a line");
    assert_eq!(last.pv[0], search.best, "{search:#?}");
    if let Some(ponder) = &search.ponder {
        let mut game = root.clone();
        play(&mut game, &search.best, chess960);
        play(&mut game, ponder, chess960);
    }
    if last.pv.len() > 1 {
        assert_eq!(Some(&last.pv[1]), search.ponder.as_ref(), "{search:#?}");
    }
}
