//! Trains the networks of [`crate::eval::nnue`] on games.
//!
//! 1. Every position of the games that a filter keeps is packed into 40 bytes. A share of the *games*
//!    is set apart: their positions judge the network and are not learnt from. The others are dealt
//!    to buckets on the disk, and mixed as they come back, so that memory need not hold them.
//! 2. A network with the shape of the one in the engine, but in floating point, learns to predict
//!    `logistic(output)`. Its target blends what the search said with what the game came to:
//!    `(1 - lambda) * logistic(score / scale) + lambda * result`; the loss is the mean square of
//!    the difference. So `scale * output` are centipawns in the search's unit. A score is first blended
//!    with those of the plies that followed in the game (temporal differences, R. Sutton, 1988).
//! 3. AdamW (I. Loshchilov, F. Hutter, 2017) in batches; the rate warms up in a line if wanted, and falls
//!    along a cosine to the end.
//! 4. The parameters are rounded, and what the engine's integers cannot hold is clipped and reported.
//!
//! If wanted, it learns first what the network in force says of positions around those of the games,
//! as a search meets them, or what small searches say: such labels cost next to nothing, and no
//! position comes twice. A training may also begin with a network of the engine, or with what others
//! came to: networks that learnt the same from different beginnings err in different places, and
//! their mean less than each.
//!
//! The outcome is a function of games and settings: threads divide the neurons, so that every sum is
//! taken in the same order, whatever their number.
//!
//! | file | holds |
//! | --- | --- |
//! | `packed` | a position to learn from, in 40 bytes |
//! | `positions` | how positions are read from games |
//! | `buckets` | those to learn from, on the disk, and passes over them in random order |
//! | `pretraining` | positions near those of games, labelled at once, without end |
//! | `losses` | what should be predicted, and how far off predictions are |
//! | `model` | the network in floating point: where its numbers stand |
//! | `passes` | forwards to predictions, backwards to the gradient, a strip of neurons at a time |
//! | `descent` | epochs, batches, AdamW |
//! | `checkpoint` | the state of a training, to go on from, and what trainings begin with |
//! | `curves` | losses as table and as drawing |
//! | `export` | from floating point to the file of the engine, and back |
//! | `run` | a training from the first to the last, in a folder |

mod buckets;
mod checkpoint;
mod curves;
mod descent;
mod export;
mod losses;
mod model;
mod packed;
mod passes;
mod positions;
mod pretraining;
mod run;
#[cfg(test)]
mod tests;

pub use buckets::Buckets;
pub use checkpoint::{InitialWeights, Progress};
pub use curves::EpochLosses;
pub use descent::{Descent, Schedule};
use export::MOST_INPUT;
pub use export::{Export, export};
pub use losses::{Goal, Losses};
pub use model::{Model, Shape};
pub use positions::{DataSet, LeftOut, Packed, Positions, SetReport};
pub use run::{TrainEvent, TrainingManifest, TrainingResult, run};

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::data::{DataError, Filter};
use crate::eval::nnue::{MAX_HIDDEN, NetworkError};
use crate::files::FileError;

/// What decides a network, besides the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Hidden neurons of each view, a multiple of 32.
    pub hidden: usize,
    /// Outputs, chosen by the number of men.
    pub outputs: usize,
    /// How often to go over the positions.
    pub epochs: u32,
    /// Positions in each step.
    pub batch: usize,
    /// The rate of the first steps.
    pub rate: f32,
    /// The rate of the last steps.
    pub last_rate: f32,
    /// In so many of the first steps the rate rises from 0.
    pub warm_up: u64,
    /// The network is the mean of what it was after so many last steps, of the last epoch at most
    /// (stochastic weight averaging; P. Izmailov and others, 2018). 0 for the last alone.
    pub mean_steps: u64,
    /// How fast weights decay, as a share of the rate.
    pub decay: f32,
    /// No parameter is larger.
    pub clip: f32,
    /// The weight of results in the targets, from 0 to 1; the rest is that of scores.
    pub lambda: f32,
    /// That weight in the last step, to which it goes in a line; by default it stays.
    pub last_lambda: Option<f32>,
    /// The share of positions that each pass leaves out, others each time.
    pub skip: f32,
    /// How many plies scores look ahead on average: each is a mean with those that followed in the
    /// game, whose weights fade. 0 for the scores as they are, as in old manifests that say nothing.
    #[serde(default, rename = "horizon")]
    pub td_horizon: f32,
    /// Centipawns of an output of 1; by default those of what it begins with, or 200.
    pub scale: Option<f32>,
    /// The share of games set apart to judge by.
    pub validation: f64,
    /// About how many positions near those of the games to learn first.
    pub pretraining: u64,
    /// Nodes of the searches with the network that is built in which label those; 0 for its evaluation
    /// as it is.
    pub pretraining_nodes: u64,
    /// Memory for positions, in MiB: half for those at hand, half for the next ones. More than that
    /// wait on the disk.
    pub memory: usize,
    /// Decides the beginning and the order.
    pub seed: u64,
}

impl Default for Settings {
    /// The recipe of the networks in force.
    fn default() -> Settings {
        Settings {
            hidden: 512,
            outputs: 8,
            epochs: 1,
            batch: 16_384,
            rate: 1.5e-4,
            last_rate: 2.4e-6,
            warm_up: 0,
            mean_steps: 0,
            decay: 0.01,
            clip: MOST_INPUT,
            lambda: 0.0,
            last_lambda: None,
            skip: 0.0,
            td_horizon: 8.0,
            scale: None,
            validation: 0.02,
            pretraining: 0,
            pretraining_nodes: 0,
            memory: 2_048,
            seed: 0,
        }
    }
}

impl Settings {
    /// The rate for a network that begins with random numbers.
    pub const RATE_FROM_NOTHING: f32 = 1e-3;

    /// Which plies of games are learnt from.
    pub const FILTER: Filter = Filter {
        skip_checks: true,
        skip_tactical: true,
        skip_random: true,
        first_ply: 8,
        score_below: 3_000,
    };

    /// The weight of results in the last step.
    fn last_lambda(&self) -> f32 {
        self.last_lambda.unwrap_or(self.lambda)
    }

    /// How many positions are at hand at once.
    fn positions_at_hand(&self) -> usize {
        (self.memory << 20) / 2 / Packed::BYTES
    }

    /// Whether these can be trained with, from nothing or not.
    pub fn check(&self, from_nothing: bool) -> Result<(), TrainError> {
        let fault = |name, value: f64, wanted| Err(TrainError::Setting { name, value, wanted });
        // Not `value < 0.0`: what is no number is in no order.
        let within = |value: f32, low: f32, high: f32| (low..=high).contains(&value);
        if self.hidden == 0 || !self.hidden.is_multiple_of(32) || self.hidden > MAX_HIDDEN {
            return fault("hidden", self.hidden as f64, "a multiple of 32 to 1024");
        }
        if !(1..=8).contains(&self.outputs) {
            return fault("outputs", self.outputs as f64, "from 1 to 8");
        }
        if from_nothing && self.epochs == 0 && self.pretraining == 0 {
            return fault("epochs", 0.0, "at least 1 without pretraining or a beginning");
        }
        if self.batch == 0 {
            return fault("batch", 0.0, "at least 1");
        }
        if !(1..=1 << 20).contains(&self.memory) {
            return fault("memory", self.memory as f64, "from 1 to 1048576 MiB");
        }
        if !(0.0001..=0.5).contains(&self.validation) {
            return fault("validation", self.validation, "from 0.0001 to 0.5");
        }
        for (name, value, low, high, wanted) in [
            ("lambda", self.lambda, 0.0, 1.0, "from 0 to 1"),
            ("last-lambda", self.last_lambda(), 0.0, 1.0, "from 0 to 1"),
            ("skip", self.skip, 0.0, 0.99, "from 0 to 0.99"),
            ("horizon", self.td_horizon, 0.0, 1_000.0, "from 0 to 1000 plies"),
            ("rate", self.rate, 1e-9, 1.0, "from 1e-9 to 1"),
            ("last-rate", self.last_rate, 0.0, 1.0, "from 0 to 1"),
            ("decay", self.decay, 0.0, 1.0, "from 0 to 1"),
            ("clip", self.clip, 0.01, MOST_INPUT, "from 0.01 to 1.64"),
            ("scale", self.scale.unwrap_or(400.0), 20.0, 5_000.0, "from 20 to 5000 centipawns"),
        ] {
            if !within(value, low, high) {
                return fault(name, value.into(), wanted);
            }
        }
        Ok(())
    }
}

/// Why there is no network.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Write(#[from] FileError),
    #[error("{name} is {value}; it must be {wanted}")]
    Setting { name: &'static str, value: f64, wanted: &'static str },
    #[error("the data set '{text}' should be FOLDER or FOLDER:WEIGHT, with a weight above 0")]
    DataSet { text: String },
    #[error("at most 256 data sets can be learnt from at once")]
    TooManySets,
    #[error(
        "there are too few positions: {training} to learn from and {validation} to judge by; make \
         more games"
    )]
    TooFew { training: usize, validation: usize },
    #[error("cannot read '{}': {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("cannot make the folder '{}': {error}", path.display())]
    Folder { path: PathBuf, error: std::io::Error },
    #[error(
        "the checkpoint '{}' is damaged or of another program; remove it to begin anew",
        path.display()
    )]
    Checkpoint { path: PathBuf },
    #[error(
        "the checkpoint '{}' was made with another {what}; remove it to begin anew, or train in \
         another folder", path.display()
    )]
    OtherCheckpoint { path: PathBuf, what: &'static str },
    #[error("'{}' is of another board or another number of --outputs", path.display())]
    OtherShape { path: PathBuf },
    #[error(
        "what to begin with has {found} hidden neurons together, this training {wanted}: give \
         --hidden {found} or more"
    )]
    OtherWidth { found: usize, wanted: usize },
    #[error("cannot begin with '{}': {error}", path.display())]
    NotANetwork { path: PathBuf, error: NetworkError },
    #[error("what to begin with is of different scales: the mean of outputs would mean nothing")]
    OtherScale,
    #[error("no memory for a searcher")]
    Memory,
    #[error("cannot draw '{}': {reason}", path.display())]
    Drawing { path: PathBuf, reason: String },
    #[error("the network cannot be used: {0}")]
    Network(#[from] NetworkError),
}
