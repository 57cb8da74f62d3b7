//! A game, kept by the library, that judges what the engine does.

use aleator::attacks::Board;
use aleator::notation;
use aleator::position::{FenStyle, Position};
use aleator::rules::Variant;
use aleator::types::Move;

use super::info::Search;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Mate,
    Stalemate,
    Threefold,
    FiftyMoves,
    Material,
}

/// A position with the history that the repetition rule needs.
#[derive(Clone)]
pub struct Game<G: Board> {
    pub position: Position<G>,
    /// Keys of all positions so far, the current one last.
    keys: Vec<u64>,
}

impl<G: Board> Game<G> {
    /// A game from a position of a variant.
    pub fn new(variant: Variant, fen: &str) -> Game<G> {
        let right = variant.rules().right;
        let position = Position::from_fen(fen, right).unwrap_or_else(|e| panic!("{fen}: {e}"));
        Game { keys: vec![position.key()], position }
    }

    /// Plays a move.
    pub fn make(&mut self, mv: Move) {
        self.position.make(mv);
        self.keys.push(self.position.key());
    }

    /// Plays a move that the engine wrote: it must be legal, and spelt as it should be.
    pub fn play(&mut self, text: &str, chess960: bool) {
        let fen = self.position.fen(FenStyle::XFen);
        let mv = notation::parse_uci(&self.position, text).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!(notation::uci(&self.position, mv, chess960), text, "spelling in {fen}");
        self.make(mv);
    }

    /// The end that mate and the rules of draws set to the game.
    pub fn ending(&self) -> Option<Ending> {
        let position = &self.position;
        let key = position.key();
        if !position.has_legal_move() {
            Some(if position.in_check() { Ending::Mate } else { Ending::Stalemate })
        } else if self.keys.iter().filter(|&&other| other == key).count() >= 3 {
            Some(Ending::Threefold)
        } else if position.halfmove_clock() >= 100 {
            Some(Ending::FiftyMoves)
        } else {
            None
        }
    }

    /// The same, with draws by lack of material.
    pub fn ending_or_dead(&self) -> Option<Ending> {
        let dead = self.position.is_insufficient_material();
        self.ending().or(dead.then_some(Ending::Material))
    }

    /// Judges a search from here: every variation is legal and ends where the game would, the
    /// last line's first move is the best move, and the ponder move answers it.
    pub fn judge(&self, search: &Search, chess960: bool) {
        for info in &search.infos {
            assert!(!info.pv.is_empty(), "no variation: {info:?}");
            let mut game = self.clone();
            for (ply, text) in info.pv.iter().enumerate() {
                let ending = game.ending().filter(|_| ply > 0);
                assert_eq!(ending, None, "{text} comes after the end in {info:?}");
                game.play(text, chess960);
            }
        }
        let last = search.last_lines().first().expect("a line");
        assert_eq!(last.pv[0], search.best, "{search:#?}");
        if let Some(ponder) = &search.ponder {
            let mut game = self.clone();
            game.play(&search.best, chess960);
            game.play(ponder, chess960);
        }
        if last.pv.len() > 1 {
            assert_eq!(Some(&last.pv[1]), search.ponder.as_ref(), "{search:#?}");
        }
    }
}
