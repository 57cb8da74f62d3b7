//! Generates any number of positions for pretraining, each a few random moves away from a position of a game.
//! The positions are labelled with the static evaluation of the built-in network or with a small search.
//!
//! The positions are generated in rounds. A round depends only on its number. So nothing is stored, and
//! training can resume at any round.

use rayon::prelude::*;

use super::positions::{DataSet, Packed, training_games};
use super::{Settings, TrainError};
use crate::geometry::Board;
use crate::position::Position;
use crate::random::Rng;
use crate::search::{Limits, Searcher};
use crate::tools::data::{DataError, Filter, StoredGame};
use crate::types::{Move, Value};

/// The number of positions in a unit. One thread labels one unit at a time.
const UNIT: usize = 4_096;
/// The maximum number of units in a round. A round is shuffled as a whole.
const UNITS: u64 = 64;
/// On average, one in `SPARSE` positions of a game is used.
const SPARSE: u64 = 4;
/// The maximum number of random moves played from the position of a game.
const MAX_MOVES: u64 = 4;

/// The training games whose positions are the starting points of pretraining.
pub(super) struct PretrainingGames<'a> {
    games: Vec<Box<[u8]>>,
    settings: &'a Settings,
}

/// Returns the number of positions of each round, in whole units. A round can become smaller if some games
/// have no usable positions.
pub(super) fn rounds(positions: u64) -> impl Iterator<Item = u64> {
    let units = positions.div_ceil(UNIT as u64);
    (0..units.div_ceil(UNITS)).map(move |round| (units - round * UNITS).min(UNITS) * UNIT as u64)
}

impl<'a> PretrainingGames<'a> {
    pub fn new(
        sets: &[DataSet],
        settings: &'a Settings,
    ) -> Result<PretrainingGames<'a>, DataError> {
        let mut games = Vec::new();
        for set in sets {
            games.extend(training_games(&set.path, settings)?);
        }
        Ok(PretrainingGames { games, settings })
    }

    /// Generates `positions` positions of a round, in random order.
    pub fn round<G: Board>(&self, round: u64, positions: u64) -> Result<Vec<Packed>, TrainError> {
        let units: Result<Vec<Vec<Packed>>, TrainError> = (0..positions / UNIT as u64)
            .into_par_iter()
            .map_init(
                || Searcher::<G>::new(1),
                |teacher, unit| {
                    let teacher = teacher.as_mut().map_err(|_| TrainError::Memory)?;
                    Ok(self.unit(round * UNITS + unit, teacher))
                },
            )
            .collect();
        let mut positions = units?.concat();
        Rng::new(!round).shuffle(&mut positions);
        Ok(positions)
    }

    fn unit<G: Board>(&self, number: u64, teacher: &mut Searcher<G>) -> Vec<Packed> {
        let mut rng = Rng::new(Rng::new(number).next_u64() ^ !self.settings.seed);
        let mut packed = Vec::with_capacity(UNIT);
        let all = Filter { skip_random: false, ..Filter::SEARCHED };
        teacher.clear();
        // Limits the number of games that are tried, because some games have no usable positions.
        for _ in 0..UNIT {
            let drawn = self.games.get(rng.below(self.games.len().max(1) as u64) as usize);
            let game = drawn.and_then(|bytes| StoredGame::read(bytes));
            let samples = game.as_ref().and_then(|game| game.replay::<G>(all).ok());
            for sample in samples.into_iter().flatten().map_while(Result::ok) {
                if rng.below(SPARSE) > 0 {
                    continue;
                }
                let found = random_walk(sample.position, &mut rng);
                packed.extend(found.and_then(|position| self.label(&position, teacher)));
                if packed.len() == UNIT {
                    return packed;
                }
            }
        }
        packed
    }

    /// Labels a position. Returns `None` if the label comes from a search and the search finds the position
    /// tactical or decided.
    fn label<G: Board>(&self, position: &Position<G>, teacher: &mut Searcher<G>) -> Option<Packed> {
        let score = match self.settings.pretraining_nodes {
            0 => teacher.evaluate(position),
            nodes => quiet_score(position, nodes, teacher)?,
        };
        Some(Packed::new(position, score, Packed::NO_RESULT))
    }
}

/// Returns the score of a search. Returns `None` if the best move is a capture or promotion, or if the score
/// is too large.
fn quiet_score<G: Board>(
    position: &Position<G>,
    nodes: u64,
    teacher: &mut Searcher<G>,
) -> Option<Value> {
    let limits = Limits { soft_nodes: Some(nodes), nodes: Some(8 * nodes), ..Limits::default() };
    let found = teacher.search(position, &[], &limits);
    let quiet =
        found.best().is_some_and(|mv| !position.is_capture(mv) && !position.is_promotion(mv));
    (quiet && found.score.abs() < Settings::FILTER.score_below).then_some(found.score)
}

/// Makes some random moves. If captures are possible, about half of the moves are captures, as in searches.
/// Returns `None` if the game is over or the side to move is in check. Clears the halfmove clock, which is
/// not an input of the networks.
fn random_walk<G: Board>(mut position: Position<G>, rng: &mut Rng) -> Option<Position<G>> {
    for _ in 0..rng.below(MAX_MOVES + 1) {
        let moves = position.legal_moves();
        let captures: Vec<Move> =
            moves.iter().copied().filter(|mv| position.is_capture(*mv)).collect();
        let among = if captures.is_empty() || rng.below(2) == 0 { &moves[..] } else { &captures };
        let mv = *among.get(rng.below(among.len().max(1) as u64) as usize)?;
        position.make(mv);
    }
    position.set_turn(position.side_to_move(), 0, 1);
    (!position.in_check()).then_some(position)
}
