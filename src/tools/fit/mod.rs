//! Fits the parameters of the classical evaluation to games (Texel's method: P. Österlund, 2014).
//!
//! An evaluation `v` predicts the points of White as `1 / (1 + exp(-v / scale))`. The fit looks
//! for the parameters with the least mean logistic loss, `-(t ln p + (1 - t) ln(1 - p))`, against
//! targets `t` that blend what the games came to with what the searches said:
//! `t = lambda * result + (1 - lambda) * p(score)`.
//!
//! 1. Positions are drawn from the games, and the evaluation of each is made a linear function of
//!    the parameters ([`crate::eval::classical::Linear`] says which parts are held fixed). A share of the
//!    *games* is set apart: their positions judge the fit and are not fitted to.
//! 2. Two scales are fitted, in centipawns: that of the search's scores against the results, which
//!    makes targets, and that of the evaluation as it is against the targets. With the latter, to
//!    make all parameters larger or smaller alike gains nothing at first, so that the fitted
//!    evaluation keeps the measure to which the margins of the search are tuned.
//! 3. Adam (D. Kingma, J. Ba, 2014) moves all parameters at once, in batches. They are held to
//!    where they were as by a normal prior ([`FitSettings::prior`]): a parameter about which games
//!    say little moves little. Positions of one game say much the same, so that a game counts as one observation.
//!
//! The outcome is a function of games and settings: sums are taken in the same order whatever the
//! number of threads.
//!
//! | file | holds |
//! | --- | --- |
//! | `settings` | how to fit, and why there is no fit |
//! | `samples` | positions, as rows of a sparse matrix |
//! | `model` | predictions, loss, scales |
//! | `descent` | Adam |
//! | `source` | parameters as Rust source |

mod descent;
mod model;
mod samples;
mod settings;
mod source;
#[cfg(test)]
mod tests;

use std::path::Path;

pub use model::FitScales;
pub(in crate::tools) use model::best_scale;
pub use samples::{SampleRow, Samples};
pub use settings::{FitError, FitSettings};
pub use source::{replace_table, table};

use self::descent::FitDescent;
use crate::attacks::Board;
use crate::eval::classical::Params;
use crate::types::Score;

/// What a fit tells while it runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FitEvent {
    /// So many positions were made linear, of about so many.
    Drawn { positions: usize, of: u64 },
    /// The fit begins, from these losses.
    Begun { training: usize, validation: usize, games: u64, scales: FitScales, losses: FitLosses },
    /// Once over the positions.
    Epoch { number: u32, of: u32, losses: FitLosses },
}

/// Mean logistic losses, in nats.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct FitLosses {
    pub training: f64,
    pub validation: f64,
}

/// A fit that is done.
#[derive(Clone)]
pub struct Fitted {
    /// Rounded to centipawns.
    pub params: Params,
    pub scales: FitScales,
    pub before: FitLosses,
    /// Of the rounded parameters.
    pub after: FitLosses,
    pub games: u64,
    /// Positions fitted to, and positions to judge by.
    pub positions: [usize; 2],
}

/// Fits the parameters of a board to the games in a file, beginning with the present ones.
pub fn fit<G: Board>(
    file: &Path,
    settings: &FitSettings,
    watch: &mut dyn FnMut(FitEvent),
) -> Result<Fitted, FitError> {
    settings.check()?;
    let base = Params::of::<G>();
    let held = settings.held(&base)?;
    let drawn = samples::draw::<G>(file, &base, settings, &mut |positions, of| {
        watch(FitEvent::Drawn { positions, of });
    })?;
    let [training, validation] = &drawn.samples;
    if training.rows().is_empty() || validation.rows().is_empty() {
        let [training, validation] = [training.rows().len(), validation.rows().len()];
        return Err(FitError::TooFew { training, validation });
    }
    let values = base.values().iter().map(|s| [f64::from(s.mg), f64::from(s.eg)]).collect();
    let (fitted, scales, before) = descend(&drawn, values, &held, settings, watch);
    let rounded: Vec<Score> = fitted
        .iter()
        .map(|half| Score::new(half[0].round() as i32, half[1].round() as i32))
        .collect();
    let values: Vec<[f64; 2]> =
        rounded.iter().map(|s| [f64::from(s.mg), f64::from(s.eg)]).collect();
    let losses = |samples: &Samples| model::loss(samples, &values, scales, settings.lambda);
    Ok(Fitted {
        params: base.with_values(&rounded),
        scales,
        before,
        after: FitLosses { training: losses(training), validation: losses(validation) },
        games: drawn.games,
        positions: [training.rows().len(), validation.rows().len()],
    })
}

/// Moves the parameters; also the scales, and the losses at the beginning.
fn descend(
    drawn: &samples::Drawn,
    base: Vec<[f64; 2]>,
    held: &[bool],
    settings: &FitSettings,
    watch: &mut dyn FnMut(FitEvent),
) -> (Vec<[f64; 2]>, FitScales, FitLosses) {
    let [training, validation] = &drawn.samples;
    let scales = FitScales::fit(training, &base, settings.lambda);
    let losses = |values: &[[f64; 2]]| FitLosses {
        training: model::loss(training, values, scales, settings.lambda),
        validation: model::loss(validation, values, scales, settings.lambda),
    };
    let before = losses(&base);
    let [rows, apart] = [training.rows().len(), validation.rows().len()];
    watch(FitEvent::Begun {
        training: rows,
        validation: apart,
        games: drawn.games,
        scales,
        losses: before,
    });
    let mut descent = FitDescent::new(training, base, held, scales, drawn.games, settings);
    for number in 1..=settings.epochs {
        descent.epoch();
        watch(FitEvent::Epoch { number, of: settings.epochs, losses: losses(descent.values()) });
    }
    (descent.values().to_vec(), scales, before)
}
