//! Checkpoints of a training run, and the initial network of a new training run.
//!
//! A checkpoint file starts with a line of JSON that identifies the training run. Then come the parameters
//! and both moments of AdamW as 32-bit floats, and the CRC-32 of all preceding bytes.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::curves::EpochLosses;
use super::descent::Descent;
use super::export::import;
use super::model::{Model, Shape};
use super::{Settings, TrainError};
use crate::eval::nnue::Parameters;
use crate::files::{self, IfExists};
use crate::geometry::Board;

/// The name of the checkpoint file in the folder of the training run.
pub(super) const CHECKPOINT: &str = "checkpoint.bin";

/// Identifies a training run and stores the progress of the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    pub settings: Settings,
    pub board: String,
    /// The checksum of all positions.
    pub data: u32,
    /// The weight of each data set's positions in the loss.
    pub weights: Vec<f32>,
    /// The network whose weights the training run started from, if any.
    pub from: Option<InitialNetwork>,
    /// The number of completed steps.
    pub steps: u64,
    pub epochs: Vec<EpochLosses>,
}

impl Progress {
    /// Returns the name of the first property in which two training runs differ, if any.
    fn difference(&self, other: &Progress) -> Option<&'static str> {
        let pairs = [
            (self.board != other.board, "board"),
            (self.settings != other.settings, "setting"),
            (self.data != other.data, "data"),
            (self.weights != other.weights, "weights of the data sets"),
            (self.from != other.from, "initial network"),
        ];
        pairs.into_iter().find_map(|(differs, what)| differs.then_some(what))
    }
}

/// The network file whose weights a training run starts from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InitialNetwork {
    /// The name of the network.
    pub network: String,
    /// The hash in the header of the file, in hexadecimal.
    pub hash: String,
    /// The number of centipawns that an output of 1 stands for.
    pub scale: f32,
}

fn state(descent: &Descent) -> [&[f32]; 3] {
    [&descent.model.parameters, &descent.first, &descent.second]
}

/// Writes a checkpoint and replaces the previous one.
pub(super) fn write(path: &Path, progress: &Progress, descent: &Descent) -> Result<(), TrainError> {
    // Serialising plain numbers and names cannot fail, so the default is never used.
    let mut bytes = serde_json::to_vec(progress).unwrap_or_default();
    bytes.push(b'\n');
    for number in state(descent).into_iter().flatten() {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(files::write(path, &bytes, IfExists::Replace)?)
}

/// Restores the state of a training run from its checkpoint. Returns the progress in the checkpoint, or
/// `None` if there is no checkpoint. Fails if the checkpoint belongs to another training run.
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

/// Loads the initial network from a network file. Fails if the network has another shape.
pub(super) fn load_initial<G: Board>(
    path: &Path,
    shape: Shape,
) -> Result<(Model, InitialNetwork), TrainError> {
    let read = std::fs::read(path);
    let bytes = read.map_err(|error| TrainError::Read { path: path.to_owned(), error })?;
    let parameters = Parameters::from_bytes::<G>(&bytes)
        .map_err(|error| TrainError::NotANetwork { path: path.to_owned(), error })?;
    let (hidden, outputs) = (parameters.hidden, parameters.outputs());
    if (hidden, outputs) != (shape.hidden, shape.outputs) {
        return Err(TrainError::OtherShape { path: path.to_owned(), hidden, outputs });
    }
    let hash = format!("{:08x}", parameters.hash::<G>());
    let model = import::<G>(&parameters);
    let (network, scale) = (parameters.name, parameters.scale.into());
    Ok((model, InitialNetwork { network, hash, scale }))
}

fn damaged(path: &Path) -> TrainError {
    TrainError::Checkpoint { path: path.to_owned() }
}

/// Reads a checkpoint. Returns `None` if the file does not exist.
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
