//! Trains the networks of [`crate::eval::nnue`] on games.
//!
//! 1. Each position that a filter keeps is packed into 40 bytes. The positions of a random share of the
//!    *games* are held out as the validation set. All other positions are distributed to buckets on disk. The
//!    positions in the buckets are shuffled when they are read back, so the positions need not fit into
//!    memory. Fragments of eight positions in a row stay together, because such positions have most features
//!    in common, which makes training faster.
//! 2. A floating-point network with the shape of the engine's network learns to predict a target with
//!    `logistic(output)`. The target of a position is a mean of the search score, of the scores later in the
//!    game and of the result, see [`targets`]. The loss is the mean squared error. So `scale * output` is in
//!    the centipawns of the search.
//! 3. The network is trained in batches with AdamW (I. Loshchilov, F. Hutter, 2017). The learning rate can
//!    warm up linearly, and then falls along a cosine.
//! 4. The parameters are rounded to the engine's integers. Parameters outside the range of these integers are
//!    clipped and reported.
//!
//! Training starts with random weights, or with the weights of a network file.
//!
//! The result depends only on the games and the settings. Threads divide the neurons among themselves, so
//! that every sum is computed in the same order for any number of threads.
//!
//! | file | contents |
//! | --- | --- |
//! | `packed` | a training position in 40 bytes |
//! | `positions` | reads positions from games |
//! | `buckets` | stores training positions on disk and reads them in random order for each epoch |
//! | `losses` | targets and losses |
//! | `model` | the floating-point network and its memory layout |
//! | `passes` | computes predictions (forward pass) and gradients (backward pass) |
//! | `descent` | epochs, batches, AdamW |
//! | `checkpoint` | saves and resumes a training run; loads the initial network |
//! | `curves` | writes the losses as a table and as a plot |
//! | `export` | converts networks to and from the engine's network file |
//! | `run` | runs a whole training in a folder |

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
mod run;
#[cfg(test)]
mod tests;

pub use buckets::Buckets;
pub use checkpoint::{InitialNetwork, Progress};
pub use curves::EpochLosses;
pub use descent::{Descent, Schedule};
use export::MOST_INPUT;
pub use export::{Export, export};
pub use losses::{Losses, targets};
pub use model::{Model, Shape};
pub use positions::{DataSet, LeftOut, Packed, Positions, SetReport};
pub use run::{TrainEvent, TrainingManifest, TrainingResult, run};

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::data::{DataError, Filter};
use crate::eval::nnue::{MAX_HIDDEN, NetworkError};
use crate::files::FileError;

/// The default number of centipawns that an output of 1 stands for.
const DEFAULT_SCALE: f32 = 200.0;

/// The settings of a training run. The settings and the games determine the network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The number of hidden neurons of each view, a multiple of 32.
    pub hidden: usize,
    /// The number of output buckets. The number of pieces selects the bucket.
    pub outputs: usize,
    /// The number of epochs.
    pub epochs: u32,
    /// The number of positions per step.
    pub batch: usize,
    /// The initial learning rate.
    pub rate: f32,
    /// The final learning rate.
    pub last_rate: f32,
    /// The number of steps at the beginning in which the learning rate rises linearly from 0.
    pub warm_up: u64,
    /// The weight decay in a step, as a multiple of the learning rate.
    pub decay: f32,
    /// The bound for the absolute value of every parameter.
    pub clip: f32,
    /// How far the targets look ahead in the game, from 0 (not at all) to 1 (to the result), see [`targets`].
    pub lambda: f32,
    /// The number of centipawns that an output of 1 stands for. By default the scale of the initial network,
    /// or 200 without an initial network.
    pub scale: Option<f32>,
    /// The share of games that are held out for the validation set.
    pub validation: f64,
    /// The memory for positions in MiB. One half is for the positions that the network is being trained on,
    /// the other half for the positions that come next. All other positions stay on disk.
    pub memory: usize,
    /// The seed for the initial weights and the order of positions.
    pub seed: u64,
}

impl Default for Settings {
    /// Returns the settings of the recipe in the README of the networks.
    fn default() -> Settings {
        Settings {
            hidden: 512,
            outputs: 8,
            epochs: 2,
            batch: 16_384,
            rate: 3e-4,
            last_rate: 2.4e-6,
            warm_up: 50,
            decay: 0.01,
            clip: MOST_INPUT,
            lambda: 0.95,
            scale: None,
            validation: 0.02,
            memory: 2_048,
            seed: 0,
        }
    }
}

impl Settings {
    /// The filter that selects the plies to train on.
    pub const FILTER: Filter = Filter {
        skip_checks: true,
        skip_tactical: true,
        skip_random: true,
        first_ply: 8,
        score_below: 3_000,
    };

    /// Returns the number of centipawns that an output of 1 stands for.
    fn scale_or_default(&self) -> f32 {
        self.scale.unwrap_or(DEFAULT_SCALE).round()
    }

    /// Returns the number of positions that are in memory for training at the same time.
    fn positions_at_hand(&self) -> usize {
        (self.memory << 20) / 2 / Packed::BYTES
    }

    /// Checks that all settings are in their ranges.
    pub fn check(&self) -> Result<(), TrainError> {
        let invalid = |name, value: f64, wanted| Err(TrainError::Setting { name, value, wanted });
        // The check is not written as `value < low`, because it must also reject NaN.
        let within = |value: f32, low: f32, high: f32| (low..=high).contains(&value);
        if self.hidden == 0 || !self.hidden.is_multiple_of(32) || self.hidden > MAX_HIDDEN {
            return invalid("hidden", self.hidden as f64, "a multiple of 32 from 32 to 1024");
        }
        if !(1..=8).contains(&self.outputs) {
            return invalid("outputs", self.outputs as f64, "from 1 to 8");
        }
        if self.epochs == 0 {
            return invalid("epochs", 0.0, "at least 1");
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
    #[error("{name} is {value}, but must be {wanted}")]
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
        "the checkpoint '{}' is damaged or from another version of the program; remove the \
         checkpoint to start anew",
        path.display()
    )]
    Checkpoint { path: PathBuf },
    #[error(
        "the checkpoint '{}' belongs to a training run that differs in its {what}; remove the \
         checkpoint to start anew, or train in another folder", path.display()
    )]
    OtherCheckpoint { path: PathBuf, what: &'static str },
    #[error(
        "the initial network '{}' has {hidden} hidden neurons and {outputs} outputs: train with \
         --hidden {hidden} --outputs {outputs}",
        path.display()
    )]
    OtherShape { path: PathBuf, hidden: usize, outputs: usize },
    #[error("cannot start from the network '{}': {error}", path.display())]
    NotANetwork { path: PathBuf, error: NetworkError },
    #[error("cannot draw '{}': {error}", path.display())]
    Drawing { path: PathBuf, error: curves::DrawingError },
    #[error("the engine cannot use the network: {0}")]
    Network(#[from] NetworkError),
}
