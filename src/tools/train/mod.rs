//! Trains the networks of [`crate::eval::nnue`] on games.
//!
//! 1. Every position that a filter keeps is packed into 40 bytes. A share of the *games* is held out:
//!    their positions form the validation set. The others are distributed to buckets on disk and
//!    shuffled when they are read back, so that they need not fit into memory.
//! 2. A floating-point network with the shape of the engine's learns to predict `logistic(output)`.
//!    Its target blends the search score with the result of the game:
//!    `(1 - lambda) * logistic(score / scale) + lambda * result`. The loss is the mean squared error,
//!    so `scale * output` is in the search's centipawns. A score is first averaged with those of the
//!    following plies of its game (temporal differences, R. Sutton, 1988).
//! 3. AdamW (I. Loshchilov, F. Hutter, 2017) on batches. The learning rate optionally warms up
//!    linearly, then falls along a cosine.
//! 4. The parameters are rounded; those outside the range of the engine's integers are clipped and
//!    reported.
//!
//! Optionally, the network is pretrained on positions near those of the games, labelled with the
//! static evaluation of the built-in network or with small searches. Such labels cost next to nothing,
//! and no position is repeated. Training can also start from a network file or from earlier training
//! runs: networks trained on the same data from different initial weights make different errors, and
//! their mean makes smaller ones.
//!
//! The result depends only on games and settings: threads divide the neurons, so that every sum is
//! taken in the same order for any number of threads.
//!
//! | file | contents |
//! | --- | --- |
//! | `packed` | a training position in 40 bytes |
//! | `positions` | reading positions from games |
//! | `buckets` | training positions on disk, read in random order for each epoch |
//! | `pretraining` | an endless supply of labelled positions near those of games |
//! | `losses` | targets and losses |
//! | `model` | the floating-point network and its memory layout |
//! | `passes` | forward pass to predictions, backward pass to the gradient, by tiles of neurons |
//! | `descent` | epochs, batches, AdamW |
//! | `checkpoint` | saving and resuming a training run; initial weights |
//! | `curves` | losses as a table and as a plot |
//! | `export` | conversion to and from the engine's network file |
//! | `run` | a whole training run in a folder |

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

/// The training settings; with the games they determine the network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Hidden neurons of each view, a multiple of 32.
    pub hidden: usize,
    /// Output buckets, selected by the number of pieces.
    pub outputs: usize,
    /// The number of epochs.
    pub epochs: u32,
    /// Positions per step.
    pub batch: usize,
    /// The initial learning rate.
    pub rate: f32,
    /// The final learning rate.
    pub last_rate: f32,
    /// Number of first steps in which the learning rate rises linearly from 0.
    pub warm_up: u64,
    /// The network is the mean of the parameters after this many last steps, at most those of the last
    /// epoch (stochastic weight averaging; P. Izmailov and others, 2018). 0 takes the last step alone.
    pub mean_steps: u64,
    /// Weight decay, multiplied by the learning rate.
    pub decay: f32,
    /// Bound on the absolute value of every parameter.
    pub clip: f32,
    /// The weight of results in the targets, from 0 to 1; scores have the rest.
    pub lambda: f32,
    /// That weight in the last step, reached linearly; by default it stays constant.
    pub last_lambda: Option<f32>,
    /// The random share of positions that each pass skips.
    pub skip: f32,
    /// How many plies scores look ahead on average: each is averaged with those of the following plies,
    /// with decaying weights. 0 uses plain scores, as do old manifests that lack the field.
    #[serde(default, rename = "horizon")]
    pub td_horizon: f32,
    /// Centipawns per unit of output; by default those of the initial network, or 200.
    pub scale: Option<f32>,
    /// The share of games in the validation set.
    pub validation: f64,
    /// About how many positions near those of the games to pretrain on.
    pub pretraining: u64,
    /// Nodes of the searches that label those with the built-in network; 0 takes its static evaluation.
    pub pretraining_nodes: u64,
    /// Memory for positions, in MiB: half for the current ones, half for the next ones. The others wait
    /// on disk.
    pub memory: usize,
    /// Seeds the initial weights and the order of positions.
    pub seed: u64,
}

impl Default for Settings {
    /// The recipe of the current networks.
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
    /// The default learning rate for a network with random initial weights.
    pub const RATE_FROM_NOTHING: f32 = 1e-3;

    /// Which plies of games are trained on.
    pub const FILTER: Filter = Filter {
        skip_checks: true,
        skip_tactical: true,
        skip_random: true,
        first_ply: 8,
        score_below: 3_000,
    };

    /// Returns the weight of results in the last step.
    fn last_lambda(&self) -> f32 {
        self.last_lambda.unwrap_or(self.lambda)
    }

    /// Returns how many positions are in memory at once.
    fn positions_at_hand(&self) -> usize {
        (self.memory << 20) / 2 / Packed::BYTES
    }

    /// Checks that every setting is in its range. `from_nothing` says that the initial weights are random.
    pub fn check(&self, from_nothing: bool) -> Result<(), TrainError> {
        let invalid = |name, value: f64, wanted| Err(TrainError::Setting { name, value, wanted });
        // Not `value < low`: this must reject NaN, too.
        let within = |value: f32, low: f32, high: f32| (low..=high).contains(&value);
        if self.hidden == 0 || !self.hidden.is_multiple_of(32) || self.hidden > MAX_HIDDEN {
            return invalid("hidden", self.hidden as f64, "a multiple of 32 from 32 to 1024");
        }
        if !(1..=8).contains(&self.outputs) {
            return invalid("outputs", self.outputs as f64, "from 1 to 8");
        }
        if from_nothing && self.epochs == 0 && self.pretraining == 0 {
            return invalid("epochs", 0.0, "at least 1 without pretraining or initial weights");
        }
        if self.batch == 0 {
            return invalid("batch", 0.0, "at least 1");
        }
        if !(1..=1 << 20).contains(&self.memory) {
            return invalid("memory", self.memory as f64, "from 1 to 1048576 MiB");
        }
        if !(0.0001..=0.5).contains(&self.validation) {
            return invalid("validation", self.validation, "from 0.0001 to 0.5");
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
                return invalid(name, value.into(), wanted);
            }
        }
        Ok(())
    }
}

/// Why a network could not be trained.
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
    #[error("cannot train on more than 256 data sets at once")]
    TooManySets,
    #[error(
        "there are too few positions: {training} for training and {validation} for validation; \
         generate more games"
    )]
    TooFew { training: usize, validation: usize },
    #[error("cannot read '{}': {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("cannot create the folder '{}': {error}", path.display())]
    Folder { path: PathBuf, error: std::io::Error },
    #[error(
        "the checkpoint '{}' is damaged or of another program version; remove it to start anew",
        path.display()
    )]
    Checkpoint { path: PathBuf },
    #[error(
        "the checkpoint '{}' was made with another {what}; remove it to start anew, or train in \
         another folder", path.display()
    )]
    OtherCheckpoint { path: PathBuf, what: &'static str },
    #[error("'{}' is for another board or another number of outputs", path.display())]
    OtherShape { path: PathBuf },
    #[error(
        "the initial networks have {found} hidden neurons together, so the new one must have at least as \
         many, not {wanted}"
    )]
    OtherWidth { found: usize, wanted: usize },
    #[error("cannot start from '{}': {error}", path.display())]
    NotANetwork { path: PathBuf, error: NetworkError },
    #[error("the initial networks have different scales, so their outputs cannot be averaged")]
    OtherScale,
    #[error("not enough memory for a searcher")]
    Memory,
    #[error("cannot draw '{}': {error}", path.display())]
    Drawing { path: PathBuf, error: curves::DrawingError },
    #[error("the engine cannot use the network: {0}")]
    Network(#[from] NetworkError),
}
