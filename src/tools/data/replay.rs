//! Replays recorded games to obtain their positions.

use super::filter::Filter;
use super::game::StoredGame;
use super::ply::Ply;
use crate::game::Outcome;
use crate::geometry::Board;
use crate::position::{FenError, Position};
use crate::types::{Move, Value};

/// A position of a recorded game, for training.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample<G: Board> {
    pub position: Position<G>,
    /// The number of plies played before the position.
    pub ply: usize,
    /// The best move of the search, which was also played in the game.
    pub mv: Move,
    /// The score for the side to move: centipawns or a mate score.
    pub score: Value,
    /// The outcome of the game.
    pub result: Outcome,
}

/// Why a recorded game cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("game {index} has an invalid starting position, '{fen}': {error}")]
    Start { index: u32, fen: String, error: FenError },
    #[error(
        "game {index} is played on the {board} board, but a game on another board was expected"
    )]
    Board { index: u32, board: &'static str },
    #[error("game {index}, ply {ply}: {} is illegal", describe(*.mv))]
    Illegal { index: u32, ply: usize, mv: Option<Move> },
}

fn describe(mv: Option<Move>) -> String {
    mv.map_or_else(
        || "a move with a square outside the board".to_owned(),
        |mv| format!("the move {mv:?}"),
    )
}

/// Replays a game and yields the positions of the plies that a filter keeps.
#[derive(Clone)]
pub struct Replay<'a, G: Board> {
    game: StoredGame<'a>,
    filter: Filter,
    position: Position<G>,
    ply: usize,
    plies: &'a [[u8; Ply::BYTES]],
}

impl<'a> StoredGame<'a> {
    /// Returns the position before the first ply.
    pub fn start<G: Board>(&self) -> Result<Position<G>, ReplayError> {
        let (index, rules) = (self.index, self.component.variant().rules());
        if G::NAME != rules.board.name() {
            return Err(ReplayError::Board { index, board: rules.board.name() });
        }
        Position::from_fen(self.fen, rules.right).map_err(|error| ReplayError::Start {
            index,
            fen: self.fen.to_owned(),
            error,
        })
    }

    /// Returns the move of a ply, or an error if the move is not legal in `position`.
    pub fn legal_move<G: Board>(
        &self,
        position: &Position<G>,
        number: usize,
        ply: Ply,
    ) -> Result<Move, ReplayError> {
        let mv = ply.mv::<G>();
        mv.filter(|mv| position.is_legal(*mv)).ok_or(ReplayError::Illegal {
            index: self.index,
            ply: number,
            mv,
        })
    }

    /// Iterates over the positions of the plies that a filter keeps. Ends after an error.
    pub fn replay<G: Board>(&self, filter: Filter) -> Result<Replay<'a, G>, ReplayError> {
        let position = self.start()?;
        Ok(Replay { game: *self, filter, position, ply: 0, plies: self.ply_bytes() })
    }
}

impl<G: Board> Iterator for Replay<'_, G> {
    type Item = Result<Sample<G>, ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some((first, rest)) = self.plies.split_first() {
            self.plies = rest;
            let ply = Ply::from_bytes(*first);
            let number = self.ply;
            let mv = match self.game.legal_move(&self.position, number, ply) {
                Ok(mv) => mv,
                Err(error) => {
                    self.plies = &[];
                    return Some(Err(error));
                }
            };
            self.ply += 1;
            let sample = self.filter.keeps(number, ply).then(|| Sample {
                position: self.position.clone(),
                ply: number,
                mv,
                score: ply.score(),
                result: self.game.outcome(),
            });
            self.position.make(mv);
            if let Some(sample) = sample {
                return Some(Ok(sample));
            }
        }
        None
    }
}
