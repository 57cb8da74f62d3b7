//! How to fit, and why there is no fit.

use crate::eval::classical::Params;
use crate::tools::data::{DataError, Filter};
use crate::types::Value;

/// How to fit. The docs are the help of the command line.
#[derive(Clone, PartialEq, Debug, clap::Args)]
pub struct FitSettings {
    /// About how many positions to draw from the games.
    #[arg(long, value_name = "N", default_value_t = FitSettings::default().positions)]
    pub positions: u64,
    /// How often to go over them.
    #[arg(long, value_name = "E", default_value_t = FitSettings::default().epochs)]
    pub epochs: u32,
    /// Positions in each step of the descent.
    #[arg(long, value_name = "N", default_value_t = FitSettings::default().batch)]
    pub batch: usize,
    /// The weight of the games' results in the targets, from 0 to 1; the rest is that of the
    /// search's scores.
    #[arg(long, value_name = "W", default_value_t = FitSettings::default().lambda)]
    pub lambda: f64,
    /// By how many centipawns a term is expected to move, where it counts, as a standard deviation.
    /// Less holds terms of which the games say little closer to what they were.
    #[arg(long, value_name = "CP", default_value_t = FitSettings::default().prior)]
    pub prior: f64,
    /// Centipawns of the first steps of the descent; later ones are smaller.
    #[arg(long, value_name = "CP", default_value_t = FitSettings::default().step)]
    pub step: f64,
    /// The share of games that are set apart to judge the fit.
    #[arg(long, value_name = "SHARE", default_value_t = FitSettings::default().validation)]
    pub validation: f64,
    /// Leave out positions with scores of this size and more: there is nothing to learn from how
    /// won a won game is.
    #[arg(long, value_name = "CP", default_value_t = FitSettings::default().score_below)]
    pub score_below: Value,
    /// Terms that stay as they are, by their names in the parameters' table, with commas between
    /// them, such as king_square,danger.
    #[arg(long, value_name = "TERMS", value_delimiter = ',')]
    pub hold: Vec<String>,
    /// Decides which positions are drawn, which games judge, and the order: the same seed, games
    /// and settings give the same parameters.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        FitSettings {
            positions: 1_000_000,
            epochs: 40,
            batch: 16_384,
            lambda: 0.5,
            prior: 30.0,
            step: 1.5,
            validation: 0.1,
            score_below: 1_500,
            hold: Vec::new(),
            seed: 0,
        }
    }
}

impl FitSettings {
    pub(super) fn filter(&self) -> Filter {
        Filter { score_below: self.score_below, ..Filter::default() }
    }

    /// Which parameters stay as they are.
    pub(super) fn held(&self, params: &Params) -> Result<Vec<bool>, FitError> {
        let mut known: Vec<&str> = params.names().iter().map(|(name, _)| *name).collect();
        let held = known.iter().map(|name| self.hold.iter().any(|held| held == name)).collect();
        known.dedup();
        match self.hold.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(FitError::Unknown { name: name.clone(), known: known.join(", ") }),
            None => Ok(held),
        }
    }

    /// Whether the numbers are in their ranges.
    pub(super) fn check(&self) -> Result<(), FitError> {
        for (name, value, least, most) in [
            ("lambda", self.lambda, 0.0, 1.0),
            ("validation", self.validation, 0.001, 0.9),
            ("prior", self.prior, 0.001, 1e6),
            ("step", self.step, 0.001, 100.0),
            ("batch", self.batch as f64, 1.0, 1e9),
            ("positions", self.positions as f64, 1.0, 1e12),
        ] {
            // Not `value < least`: what is no number is in no order.
            if !(least..=most).contains(&value) {
                return Err(FitError::Setting { name, value, least, most });
            }
        }
        Ok(())
    }
}

/// Why there is no fit.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{name} is {value}; it must be from {least} to {most}")]
    Setting { name: &'static str, value: f64, least: f64, most: f64 },
    #[error("there is no term '{name}' to be held; there are: {known}")]
    Unknown { name: String, known: String },
    #[error(
        "there are too few positions: {training} to fit to and {validation} to judge by; \
         make more games"
    )]
    TooFew { training: usize, validation: usize },
}
