//! Positions drawn from games, as rows of a sparse matrix.

use std::path::Path;

use rayon::prelude::*;

use super::settings::FitSettings;
use crate::attacks::Board;
use crate::eval::classical::{Linear, Linearizer, PARTS, Params};
use crate::position::Position;
use crate::random::Rng;
use crate::tools::data::{DataError, Sample, StoredGame, scan};
use crate::types::{Color, Value};

/// Positions that are made linear at once, by all threads.
const BATCH: usize = 16_384;

/// What a position is besides its coefficients.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SampleRow {
    /// By how much the middle-game and the end-game sum count in the evaluation.
    pub mg: f32,
    pub eg: f32,
    /// What no parameter decides, in centipawns for White.
    pub fixed: f32,
    /// What the search said, in centipawns for White.
    pub score: f32,
    /// White's points.
    pub result: f32,
}

/// Rows of a sparse matrix: 4 bytes a coefficient, some 250 a position.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    rows: Vec<SampleRow>,
    /// Where the coefficients of each row end.
    ends: Vec<usize>,
    coefficients: Vec<(u16, i16)>,
}

impl Samples {
    pub fn add(&mut self, linear: &Linear, score: Value, result: f32) {
        let Linear { coefficients, fixed, mg, eg } = linear;
        self.rows.push(SampleRow {
            mg: *mg,
            eg: *eg,
            fixed: fixed.mg as f32 * mg + fixed.eg as f32 * eg,
            score: score as f32,
            result,
        });
        self.coefficients.extend(coefficients);
        self.ends.push(self.coefficients.len());
    }

    pub fn rows(&self) -> &[SampleRow] {
        &self.rows
    }

    /// The parameters of a row that count, with their coefficients in parts.
    #[inline]
    pub fn coefficients(&self, row: usize) -> &[(u16, i16)] {
        let begin = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.coefficients[begin..self.ends[row]]
    }

    /// The evaluation of a row, in centipawns for White.
    #[inline]
    pub fn value(&self, row: usize, values: &[[f64; 2]]) -> f64 {
        let (mut mg, mut eg) = (0.0, 0.0);
        for &(parameter, count) in self.coefficients(row) {
            let [value_mg, value_eg] = values[usize::from(parameter)];
            mg += value_mg * f64::from(count);
            eg += value_eg * f64::from(count);
        }
        let SampleRow { mg: part_mg, eg: part_eg, fixed, .. } = self.rows[row];
        (mg * f64::from(part_mg) + eg * f64::from(part_eg)) / f64::from(PARTS) + f64::from(fixed)
    }
}

/// What was drawn.
pub(super) struct Drawn {
    /// To fit to, and to judge by.
    pub samples: [Samples; 2],
    /// Games from which positions to fit to were drawn.
    pub games: u64,
}

/// A position that waits to be made linear.
struct Waiting<G: Board> {
    position: Position<G>,
    score: Value,
    result: f32,
    /// 1 if it is to judge by.
    purpose: usize,
}

/// Draws positions from a file of games: each that the filter keeps with the same chance. Tells how
/// many there are, of about how many.
pub(super) fn draw<G: Board>(
    file: &Path,
    params: &Params,
    settings: &FitSettings,
    tell: &mut dyn FnMut(usize, u64),
) -> Result<Drawn, DataError> {
    let kept = count(file, settings)?;
    let of = kept.min(settings.positions);
    let linearizer = Linearizer::<G>::new(params);
    let mut drawn = Drawn { samples: Default::default(), games: 0 };
    let mut sampler =
        Sampler { rng: Rng::new(settings.seed), share: of as f64 / kept.max(1) as f64 };
    let mut waiting = Vec::with_capacity(BATCH);
    scan(file, &mut |found| {
        let Ok(block) = found else { return Ok(()) }; // damage: the other games are sound
        for game in block.games() {
            let purpose = usize::from(sampler.draws(settings.validation));
            drawn.games += u64::from(purpose == 0);
            add_game(&game, purpose, settings, &mut sampler, &mut waiting)?;
            if waiting.len() >= BATCH {
                drawn.add(&linearizer, &mut waiting);
                tell(drawn.positions(), of);
            }
        }
        Ok(())
    })?;
    drawn.add(&linearizer, &mut waiting);
    tell(drawn.positions(), of);
    Ok(drawn)
}

/// How many positions the filter keeps.
fn count(file: &Path, settings: &FitSettings) -> Result<u64, DataError> {
    let mut kept = 0;
    scan(file, &mut |found| {
        let games = found.iter().flat_map(|block| block.games());
        kept += games.map(|game| game.kept(settings.filter()).count() as u64).sum::<u64>();
        Ok(())
    })?;
    Ok(kept)
}

struct Sampler {
    rng: Rng,
    /// Of the positions that are drawn.
    share: f64,
}

impl Sampler {
    /// True with this chance.
    fn draws(&mut self, chance: f64) -> bool {
        ((self.rng.next_u64() >> 11) as f64) < chance * (1_u64 << 53) as f64
    }
}

fn add_game<G: Board>(
    game: &StoredGame,
    purpose: usize,
    settings: &FitSettings,
    sampler: &mut Sampler,
    waiting: &mut Vec<Waiting<G>>,
) -> Result<(), DataError> {
    for sample in game.replay::<G>(settings.filter())? {
        let Sample { position, score, result, .. } = sample?;
        if sampler.draws(sampler.share) {
            let score = if position.side_to_move() == Color::White { score } else { -score };
            let result = f32::from(result.points(Color::White) as u8) / 2.0; // from half points
            waiting.push(Waiting { position, score, result, purpose });
        }
    }
    Ok(())
}

impl Drawn {
    fn positions(&self) -> usize {
        self.samples.iter().map(|samples| samples.rows.len()).sum()
    }

    /// Makes the waiting positions linear, in their order.
    fn add<G: Board>(&mut self, linearizer: &Linearizer<G>, waiting: &mut Vec<Waiting<G>>) {
        let linear: Vec<Option<Linear>> =
            waiting.par_iter().map(|one| linearizer.linear(&one.position)).collect();
        for (one, linear) in waiting.drain(..).zip(linear) {
            if let Some(linear) = linear {
                self.samples[one.purpose].add(&linear, one.score, one.result);
            }
        }
    }
}
