//! The state of a training after an epoch or some rounds of pretraining. A JSON line says of what training, then come the
//! parameters and both moments as 32-bit floats, then the CRC-32 of all that.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::curves::EpochLosses;
use super::descent::Descent;
use super::model::{Model, Shape};
use super::{Settings, TrainError};
use crate::files::{self, IfExists};

/// Of which training, and how far it was.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    pub settings: Settings,
    pub board: String,
    /// Centipawns of an output of 1.
    pub scale: f32,
    /// Of the positions.
    pub data: u32,
    /// By data set: how much its positions count.
    pub weights: Vec<f32>,
    /// The trainings whose last parameters this one began with.
    pub from: Vec<Progress>,
    /// Rounds of pretraining that are done.
    pub rounds: u64,
    /// Of the descent that is going on: that of pretraining, or that of the epochs.
    pub steps: u64,
    pub epochs: Vec<EpochLosses>,
}

impl Progress {
    /// In what a training differs from this one, if in anything.
    fn difference(&self, other: &Progress) -> Option<&'static str> {
        let pairs = [
            (self.board != other.board, "board"),
            (self.settings != other.settings, "setting"),
            (self.data != other.data, "data"),
            (self.scale != other.scale, "scale"),
            (self.weights != other.weights, "weights of data"),
            (self.from != other.from, "beginning"),
        ];
        pairs.into_iter().find_map(|(differs, what)| differs.then_some(what))
    }
}

fn state(descent: &Descent) -> [&[f32]; 3] {
    [&descent.model.parameters, &descent.first, &descent.second]
}

/// Writes a checkpoint in the place of the last one.
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

/// Goes on from a checkpoint, if there is one: puts its state into the descent and says how far it
/// was. That of another training is an error.
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

/// What other trainings came to, and which they were: several networks become one as wide as all of
/// them together, whose output is their mean.
pub(super) fn begin_with(
    paths: &[PathBuf],
    shape: Shape,
) -> Result<(Model, Vec<Progress>), TrainError> {
    let (mut models, mut trainings) = (Vec::new(), Vec::new());
    for path in paths {
        let missing = || {
            let error = std::io::ErrorKind::NotFound.into();
            TrainError::Read { path: path.clone(), error }
        };
        let (then, numbers) = read(path)?.ok_or_else(missing)?;
        // What no training can have had is not worth a look at its sizes.
        then.settings.check(false).map_err(|_| damaged(path))?;
        let Settings { hidden, outputs, .. } = then.settings;
        let part = Shape { hidden, ..shape };
        if outputs != shape.outputs || numbers.len() != 3 * part.parameters() {
            return Err(TrainError::OtherShape { path: path.clone() });
        }
        models.push(Model::of(part, &numbers[..part.parameters()]));
        trainings.push(then);
    }
    let found = models.iter().map(|model| model.shape.hidden).sum();
    if found != shape.hidden {
        return Err(TrainError::OtherWidth { found, wanted: shape.hidden });
    }
    if trainings.iter().any(|other| other.scale != trainings[0].scale) {
        return Err(TrainError::OtherScale);
    }
    Ok((Model::mean(shape, &models), trainings))
}

fn damaged(path: &Path) -> TrainError {
    TrainError::Checkpoint { path: path.to_owned() }
}

/// What a checkpoint holds, if there is one.
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
