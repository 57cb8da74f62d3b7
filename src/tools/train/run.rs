//! Runs a whole training in a folder: reads the games, trains, and writes the network and its manifest.

use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::buckets::Buckets;
use super::checkpoint;
use super::checkpoint::{CHECKPOINT, InitialNetwork, Progress};
use super::curves::{self, EpochLosses};
use super::descent::{Descent, Schedule};
use super::export::{self, Export, export};
use super::losses::Losses;
use super::model::{Model, Shape, logistic};
use super::passes::Passes;
use super::positions::{DataSet, Packed, Positions, SetReport};
use super::{Settings, TrainError};
use crate::eval::nets;
use crate::eval::nnue::{Network, Parameters};
use crate::files::{self, IfExists};
use crate::geometry::Board;
use crate::random::Rng;

/// A progress report of a training run.
#[derive(Debug)]
pub enum TrainEvent<'a> {
    /// Reading is in progress. The value is the number of training positions read so far.
    Read(usize),
    /// All positions have been read. `scale` is the number of centipawns that an output of 1 stands for, and
    /// `built_in` has the validation losses of the built-in network.
    Begun { positions: &'a Positions, scale: f32, built_in: &'a Losses },
    /// A checkpoint was loaded. The value is the number of completed epochs.
    Resumed(u32),
    /// Another `positions` positions have been trained on. The current epoch has `of` positions.
    Learnt { positions: usize, of: usize },
    /// An epoch has ended. `losses` has its losses, and `of` is the total number of epochs.
    Epoch { losses: &'a EpochLosses, of: u32 },
}

/// A trained network and its manifest.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingResult {
    pub network: PathBuf,
    pub manifest: TrainingManifest,
}

/// Describes how a network was trained, in enough detail to reproduce it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingManifest {
    /// The name and version of the program.
    pub program: String,
    /// The commit that the program was built from, or `None` if unknown at build time.
    pub commit: Option<String>,
    pub board: String,
    pub name: String,
    /// The hash in the header of the network file, in hexadecimal.
    pub hash: String,
    /// The number of centipawns that an output of 1 stands for.
    pub scale: f32,
    pub settings: Settings,
    /// The network whose weights the training run started from, if any.
    pub from: Option<InitialNetwork>,
    pub data: Vec<SetReport>,
    pub epochs: Vec<EpochLosses>,
    /// The parameters that rounding could not represent exactly.
    pub export: Export,
    /// The validation losses of the quantised network.
    pub quantised: Losses,
    /// The validation losses of the built-in network.
    #[serde(rename = "in_force")]
    pub built_in: Losses,
}

/// Trains a network in a folder, or resumes the training run in the folder. `from` is the network file from
/// whose weights training starts. Without it, the initial weights are random.
pub fn run<G: Board>(
    folder: &Path,
    name: &str,
    sets: &[DataSet],
    settings: &Settings,
    from: Option<&Path>,
    watch: &mut dyn FnMut(TrainEvent),
) -> Result<TrainingResult, TrainError> {
    settings.check()?;
    let shape = Shape::new::<G>(settings.hidden, settings.outputs);
    let (model, from) = match from {
        None => (Model::new(shape, settings.seed), None),
        Some(path) => {
            let (model, network) = checkpoint::load_initial::<G>(path, shape)?;
            (model, Some(network))
        }
    };
    // The scale of the initial network is kept, so that its outputs keep their meaning.
    let scale = settings.scale.or(from.as_ref().map(|network| network.scale));
    let settings = &Settings { scale, ..settings.clone() };
    let scale = settings.scale_or_default();
    std::fs::create_dir_all(folder)
        .map_err(|error| TrainError::Folder { path: folder.to_owned(), error })?;
    let positions =
        Positions::read::<G>(sets, settings, folder, &mut |read| watch(TrainEvent::Read(read)))?;
    let built_in = quantised_losses(&nets::default_network::<G>(), &positions.validation, scale);
    watch(TrainEvent::Begun { positions: &positions, scale, built_in: &built_in });
    let progress = Progress {
        settings: settings.clone(),
        board: G::NAME.to_owned(),
        data: positions.checksum,
        weights: positions.weights(),
        from,
        steps: 0,
        epochs: Vec::new(),
    };
    let mut training = Training { folder, settings, progress };
    let descent = training.descend::<G>(model, &positions, watch)?;
    let (parameters, report) = export::<G>(&descent.model, name, scale)?;
    training.finish::<G>(&parameters, report, built_in, positions)
}

struct Training<'a> {
    folder: &'a Path,
    settings: &'a Settings,
    progress: Progress,
}

impl Training<'_> {
    /// Runs all steps that have not been completed yet.
    fn descend<G: Board>(
        &mut self,
        model: Model,
        positions: &Positions,
        watch: &mut dyn FnMut(TrainEvent),
    ) -> Result<Descent, TrainError> {
        let Settings { epochs, batch, rate, last_rate, warm_up, decay, clip, .. } = *self.settings;
        let steps = positions.training.len().div_ceil(batch) as u64 * u64::from(epochs);
        let schedule = Schedule { rates: [rate, last_rate], steps, warm_up, decay, clip };
        let mut descent = Descent::new(model, schedule, self.progress.weights.clone());
        if let Some(then) = checkpoint::resume(&self.checkpoint(), &self.progress, &mut descent)? {
            self.progress = then;
            watch(TrainEvent::Resumed(self.progress.epochs.len() as u32));
        }
        let (settings, left) = (self.settings, self.progress.epochs.len() as u32 + 1..=epochs);
        std::thread::scope(|scope| {
            // While the network is trained on a part of the positions, the next part is read and shuffled.
            let (sender, incoming) = sync_channel(0);
            let epochs = left.clone();
            scope.spawn(move || send_passes(&positions.training, settings, epochs, &sender));
            for epoch in left {
                self.epoch::<G>(epoch, positions, &incoming, &mut descent, watch)?;
            }
            Ok(descent)
        })
    }

    /// Trains on positions as they arrive, until the epoch is complete.
    fn epoch<G: Board>(
        &mut self,
        epoch: u32,
        positions: &Positions,
        incoming: &Receiver<io::Result<Vec<Packed>>>,
        descent: &mut Descent,
        watch: &mut dyn FnMut(TrainEvent),
    ) -> Result<(), TrainError> {
        let of = positions.training.len();
        let (mut loss, mut met) = (0.0, 0);
        while met < of {
            let Ok(learnt) = incoming.recv() else { break };
            let learnt = learnt.map_err(|error| unreadable(positions, error))?;
            let mut learn = |positions| watch(TrainEvent::Learnt { positions, of });
            loss +=
                descent.epoch::<G>(&learnt, self.settings.batch, &mut learn) * learnt.len() as f64;
            met += learnt.len();
        }
        let validation = losses::<G>(&descent.model, &positions.validation);
        self.progress.epochs.push(EpochLosses { epoch, training: loss / of as f64, validation });
        self.write_curves()?;
        self.save(descent)?;
        if let Some(losses) = self.progress.epochs.last() {
            watch(TrainEvent::Epoch { losses, of: self.settings.epochs });
        }
        Ok(())
    }

    fn checkpoint(&self) -> PathBuf {
        self.folder.join(CHECKPOINT)
    }

    /// Writes a checkpoint of the current progress.
    fn save(&mut self, descent: &Descent) -> Result<(), TrainError> {
        self.progress.steps = descent.step;
        checkpoint::write(&self.checkpoint(), &self.progress, descent)
    }

    fn write_curves(&self) -> Result<(), TrainError> {
        curves::write_table(&self.folder.join("losses.csv"), &self.progress.epochs)?;
        curves::draw(&self.folder.join("losses.svg"), &self.progress.epochs)
    }

    /// Writes the network and its manifest to the folder.
    fn finish<G: Board>(
        self,
        parameters: &Parameters,
        export: Export,
        built_in: Losses,
        positions: Positions,
    ) -> Result<TrainingResult, TrainError> {
        let scale = self.settings.scale_or_default();
        let network = export::network::<G>(parameters)?;
        let path = self.folder.join(format!("{}.nnue", parameters.name));
        let manifest = TrainingManifest {
            program: concat!("aleator ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: option_env!("ALEATOR_COMMIT").filter(|text| !text.is_empty()).map(Into::into),
            board: G::NAME.to_owned(),
            name: parameters.name.clone(),
            hash: format!("{:08x}", network.hash()),
            scale,
            settings: self.settings.clone(),
            from: self.progress.from,
            quantised: quantised_losses(&network, &positions.validation, scale),
            data: positions.sets,
            epochs: self.progress.epochs,
            built_in,
            export,
        };
        files::write(&path, &parameters.to_bytes::<G>(), IfExists::Replace)?;
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
        let manifest_path = path.with_extension("manifest.json");
        files::write(&manifest_path, (text + "\n").as_bytes(), IfExists::Replace)?;
        Ok(TrainingResult { network: path, manifest })
    }
}

/// Sends the positions of each epoch in parts, until the receiver is closed.
fn send_passes(
    positions: &Buckets,
    settings: &Settings,
    epochs: RangeInclusive<u32>,
    to: &SyncSender<io::Result<Vec<Packed>>>,
) {
    let sizes = [settings.positions_at_hand(), settings.batch];
    let mut taken = true;
    for epoch in epochs {
        let seed = Rng::new(!settings.seed ^ u64::from(epoch)).next_u64();
        let mut send = |positions| {
            taken = to.send(Ok(positions)).is_ok();
            taken
        };
        let passed = positions.pass(seed, sizes, &mut send);
        let failed = passed.map_err(|error| to.send(Err(error))).is_err();
        if failed || !taken {
            return;
        }
    }
}

fn unreadable(positions: &Positions, error: io::Error) -> TrainError {
    TrainError::Read { path: positions.training.folder().to_owned(), error }
}

fn losses<G: Board>(model: &Model, positions: &[Packed]) -> Losses {
    let predictions = Passes::new(model.shape).predict::<G>(model, positions);
    Losses::of(positions, &predictions)
}

/// Returns the validation losses of a quantised network.
fn quantised_losses<G: Board>(network: &Network<G>, positions: &[Packed], scale: f32) -> Losses {
    let predict = |packed: &Packed| {
        let [own, theirs] = &packed.features::<G>();
        logistic(network.evaluate([own, theirs], packed.count()) as f32 / scale)
    };
    let predictions: Vec<f32> = positions.par_iter().map(predict).collect();
    Losses::of(positions, &predictions)
}
