//! The library's game as the judge of what the engine does.

use aleator::attacks::Board;
use aleator::game::{BoardGame, Outcome};
use aleator::notation;
use aleator::position::{FenStyle, Position};
use aleator::rules::Variant;

use super::info::Search;

/// A game from a position of a variant.
pub fn game<G: Board>(variant: Variant, fen: &str) -> BoardGame<G> {
    let position = Position::from_fen(fen, variant.rules().right);
    BoardGame::new(position.unwrap_or_else(|error| panic!("{fen}: {error}")))
}

/// Plays a move that the engine wrote: it must be legal, and spelt as it should be.
pub fn play<G: Board>(game: &mut BoardGame<G>, text: &str, chess960: bool) {
    let position = game.position();
    let fen = position.fen(FenStyle::XFen);
    let mv = notation::parse_uci(position, text).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(notation::uci(position, mv, chess960), text, "spelling in {fen}");
    game.play(mv);
}

/// The end that mate and the rules of draws set to the game, lack of material apart.
pub fn ending<G: Board>(game: &BoardGame<G>) -> Option<Outcome> {
    game.outcome().filter(|ending| *ending != Outcome::Material)
}

/// Judges a search from here: every variation is legal and ends where the game would, the last
/// line's first move is the best move, and the ponder move answers it.
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
