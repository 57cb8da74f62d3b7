//! Checkpoints of a training run, and the initial weights of a new one.
//!
//! A checkpoint file is a JSON line that identifies the training, then the parameters and both moments
//! as 32-bit floats, then the CRC-32 of all that.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::curves::EpochLosses;
use super::descent::Descent;
use super::export::import;
use super::model::{Model, Shape};
use super::{Settings, TrainError};
use crate::eval::nnue::Parameters;
use crate::files::{self, IfExists};
use crate::geometry::Board;

/// The name of the checkpoint in the folder of the training.
pub(super) const CHECKPOINT: &str = "checkpoint.bin";

/// Identifies a training run and says how far it has come.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    pub settings: Settings,
    pub board: String,
    /// Centipawns per unit of output.
    pub scale: f32,
    /// The checksum of the positions.
    pub data: u32,
    /// The weight of the positions of each data set.
    pub weights: Vec<f32>,
    /// The initial networks.
    pub from: Vec<InitialWeights>,
    /// Completed rounds of pretraining.
    pub rounds: u64,
    /// Steps of the current phase: pretraining or the epochs.
    pub steps: u64,
    pub epochs: Vec<EpochLosses>,
}

impl Progress {
    /// Names the first property in which two training runs differ.
    fn difference(&self, other: &Progress) -> Option<&'static str> {
        let pairs = [
            (self.board != other.board, "board"),
            (self.settings != other.settings, "setting"),
            (self.data != other.data, "data"),
            (self.scale != other.scale, "scale"),
            (self.weights != other.weights, "weights of data"),
            (self.from != other.from, "initial network"),
        ];
        pairs.into_iter().find_map(|(differs, what)| differs.then_some(what))
    }
}

/// A source of initial weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum InitialWeights {
    /// The last parameters of a training run.
    Training(Box<Progress>),
    /// A network file: its name, the hash in its header in hexadecimal, and its centipawns per unit of
    /// output.
    Network { network: String, hash: String, scale: f32 },
}

impl InitialWeights {
    /// Centipawns per unit of output.
    pub(super) fn scale(&self) -> f32 {
        match self {
            InitialWeights::Training(then) => then.scale,
            InitialWeights::Network { scale, .. } => *scale,
        }
    }
}

fn state(descent: &Descent) -> [&[f32]; 3] {
    [&descent.model.parameters, &descent.first, &descent.second]
}

/// Writes a checkpoint, replacing the last one.
pub(super) fn write(path: &Path, progress: &Progress, descent: &Descent) -> Result<(), TrainError> {
    // Plain numbers and names cannot fail to be serialised.
    let mut bytes = serde_json::to_vec(progress).unwrap_or_default();
    bytes.push(b'\n');
    for number in state(descent).into_iter().flatten() {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(files::write(path, &bytes, IfExists::Replace)?)
}

/// Resumes from a checkpoint, if there is one: restores its state and returns its progress. Fails for
/// a checkpoint of another training.
pub(super) fn resume(
    path: &Path,
    now: &Progress,
    descent: &mut Descent,
) -> Result<Option<Progress>, TrainError> {
    let Some((then, numbers)) = read(path)? else { return Ok(None) };
    if let Some(what) = then.difference(now) {
        return Err(TrainError::OtherCheckpoint { path: path.to_owned(), what });
    }
    let Descent { model, first, second, .. } = descent;
    if numbers.len() != 3 * model.parameters.len() {
        return Err(damaged(path));
    }
    let state = model.parameters.iter_mut().chain(&mut **first).chain(&mut **second);
    state.zip(numbers).for_each(|(to, number)| *to = number);
    descent.step = then.steps;
    Ok(Some(then))
}

/// Loads the initial model from folders of training runs or network files, and describes them. Several
/// are merged into one network whose output is their mean. If it is wider than they are together, the
/// remaining neurons are initialised from the seed.
pub(super) fn load_initial<G: Board>(
    paths: &[PathBuf],
    shape: Shape,
    seed: u64,
) -> Result<(Model, Vec<InitialWeights>), TrainError> {
    let parts: Result<Vec<(Model, InitialWeights)>, TrainError> = paths
        .iter()
        .map(|path| match path.is_dir() {
            true => from_training(&path.join(CHECKPOINT), shape),
            false => from_network::<G>(path, shape),
        })
        .collect();
    let (models, sources): (Vec<Model>, Vec<InitialWeights>) = parts?.into_iter().unzip();
    let found = models.iter().map(|model| model.shape.hidden).sum();
    if found > shape.hidden {
        return Err(TrainError::OtherWidth { found, wanted: shape.hidden });
    }
    if sources.iter().any(|other| other.scale() != sources[0].scale()) {
        return Err(TrainError::OtherScale);
    }
    Ok((Model::mean(shape, &models, seed), sources))
}

/// Loads the network of a checkpoint, if it can be a part of one of this shape.
fn from_training(path: &Path, shape: Shape) -> Result<(Model, InitialWeights), TrainError> {
    let missing = || {
        let error = std::io::ErrorKind::NotFound.into();
        TrainError::Read { path: path.to_owned(), error }
    };
    let (then, numbers) = read(path)?.ok_or_else(missing)?;
    // Checked before the sizes are computed: a damaged header could claim anything.
    then.settings.check(false).map_err(|_| damaged(path))?;
    let Settings { hidden, outputs, .. } = then.settings;
    let part = Shape { hidden, ..shape };
    if outputs != shape.outputs || numbers.len() != 3 * part.parameters() {
        return Err(TrainError::OtherShape { path: path.to_owned() });
    }
    Ok((Model::of(part, &numbers[..part.parameters()]), InitialWeights::Training(Box::new(then))))
}

/// Loads a network file of the engine.
fn from_network<G: Board>(
    path: &Path,
    shape: Shape,
) -> Result<(Model, InitialWeights), TrainError> {
    let read = std::fs::read(path);
    let bytes = read.map_err(|error| TrainError::Read { path: path.to_owned(), error })?;
    let parameters = Parameters::from_bytes::<G>(&bytes)
        .map_err(|error| TrainError::NotANetwork { path: path.to_owned(), error })?;
    if parameters.outputs() != shape.outputs {
        return Err(TrainError::OtherShape { path: path.to_owned() });
    }
    let hash = format!("{:08x}", parameters.hash::<G>());
    let model = import::<G>(&parameters);
    let (network, scale) = (parameters.name, parameters.scale.into());
    Ok((model, InitialWeights::Network { network, hash, scale }))
}

fn damaged(path: &Path) -> TrainError {
    TrainError::Checkpoint { path: path.to_owned() }
}

/// Reads a checkpoint, if there is one.
fn read(path: &Path) -> Result<Option<(Progress, Vec<f32>)>, TrainError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TrainError::Read { path: path.to_owned(), error }),
    };
    let damaged = || damaged(path);
    let (content, crc) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
    if crc32fast::hash(content) != u32::from_le_bytes(*crc) {
        return Err(damaged());
    }
    let end = content.iter().position(|byte| *byte == b'\n').ok_or_else(damaged)?;
    let then: Progress = serde_json::from_slice(&content[..end]).map_err(|_| damaged())?;
    let numbers = content[end + 1..].as_chunks().0;
    Ok(Some((then, numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())))
}
