//! Positions without end for a network to begin with, each met once: a few random moves from those
//! of games, with what the network in force says of them, or a small search.
//!
//! They come in rounds, and a round is a function of its number: nothing is kept, and a training
//! goes on at any of them.

use rayon::prelude::*;

use super::positions::{DataSet, Packed, games_to_learn};
use super::{Settings, TrainError};
use crate::attacks::Board;
use crate::position::Position;
use crate::random::Rng;
use crate::search::{Limits, Searcher};
use crate::tools::data::{DataError, Filter, StoredGame};
use crate::types::{Move, Value};

/// Positions that one thread labels in a row.
const UNIT: usize = 4_096;
/// Most units of a round, which is shuffled as a whole.
const UNITS: u64 = 64;
/// Of so many positions of a game one is gone on from.
const SPARSE: u64 = 4;
/// Most random moves from there.
const WALK: u64 = 4;

/// What rounds are made of: games that are not set apart.
pub(super) struct PretrainingGames<'a> {
    games: Vec<Box<[u8]>>,
    settings: &'a Settings,
}

/// Positions of each round of so many in all, to whole units; games with too few give fewer.
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
            games.extend(games_to_learn(&set.path, settings)?);
        }
        Ok(PretrainingGames { games, settings })
    }

    /// So many positions of a round. Their order is as good as random.
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
        // Games that end at once have no positions: more are not drawn than should be needed.
        for _ in 0..UNIT {
            let drawn = self.games.get(rng.below(self.games.len().max(1) as u64) as usize);
            let game = drawn.and_then(|bytes| StoredGame::read(bytes));
            let samples = game.as_ref().and_then(|game| game.replay::<G>(all).ok());
            for sample in samples.into_iter().flatten().map_while(Result::ok) {
                if rng.below(SPARSE) > 0 {
                    continue;
                }
                let found = walk(sample.position, &mut rng);
                packed.extend(found.and_then(|position| self.label(&position, teacher)));
                if packed.len() == UNIT {
                    return packed;
                }
            }
        }
        packed
    }

    /// A position with what the teacher says of it, if that says what the position is worth.
    fn label<G: Board>(&self, position: &Position<G>, teacher: &mut Searcher<G>) -> Option<Packed> {
        let score = match self.settings.pretraining_nodes {
            0 => teacher.evaluate(position),
            nodes => quiet_score(position, nodes, teacher)?,
        };
        Some(Packed::new(position, score, Packed::NO_RESULT))
    }
}

/// What a search says, unless the best move takes or promotes: then it tells of tactics.
fn quiet_score<G: Board>(
    position: &Position<G>,
    nodes: u64,
    teacher: &mut Searcher<G>,
) -> Option<Value> {
    let limits = Limits { soft_nodes: Some(nodes), nodes: Some(8 * nodes), ..Limits::default() };
    let found = teacher.search(position, &[], &limits);
    let quiet = found.best.is_some_and(|mv| !position.is_capture(mv) && !position.is_promotion(mv));
    (quiet && found.score.abs() < Settings::FILTER.score_below).then_some(found.score)
}

/// A position some moves on, as searches meet them: of those moves about half take something,
/// where that is possible. Nothing if the side to move is in check then, or a game is over. No
/// network sees for how long nothing happened, so that nothing is to be said of that.
fn walk<G: Board>(mut position: Position<G>, rng: &mut Rng) -> Option<Position<G>> {
    for _ in 0..rng.below(WALK + 1) {
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
