//! Runs a whole training in a folder: reads the games, trains, and writes the network and its manifest.

use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::buckets::Buckets;
use super::checkpoint;
use super::checkpoint::{CHECKPOINT, InitialWeights, Progress};
use super::curves::{self, EpochLosses};
use super::descent::{Descent, Schedule};
use super::export::{self, Export, export};
use super::losses::{Goal, Losses};
use super::model::{Model, Shape, logistic};
use super::passes::Passes;
use super::positions::{DEFAULT_SCALE, DataSet, Packed, Positions, SetReport};
use super::pretraining::{PretrainingGames, rounds};
use super::{Settings, TrainError};
use crate::eval::nets;
use crate::eval::nnue::{Network, Parameters};
use crate::files::{self, IfExists};
use crate::geometry::Board;
use crate::random::Rng;

/// The number of rounds of pretraining between two checkpoints.
const ROUNDS: u64 = 4;

/// A progress report of a training run.
#[derive(Debug)]
pub enum TrainEvent<'a> {
    /// Reading is in progress. The value is the number of training positions read so far.
    Read(usize),
    /// All positions have been read. `scale` is the number of centipawns that an output of 1 stands for, and
    /// `built_in` has the validation losses of the built-in network.
    Begun { positions: &'a Positions, scale: f32, built_in: &'a Losses },
    /// The progress of pretraining: `done` is the number of positions trained on so far, and `of` is the number
    /// of all positions. `loss` is the training loss since the last report.
    Pretraining { done: u64, of: u64, loss: f64, validation: &'a Losses },
    /// A checkpoint was loaded. The values are the numbers of completed pretraining positions and epochs.
    Resumed { pretraining: u64, epochs: u32 },
    /// Another `positions` positions have been trained on. The current epoch or round has `of` positions.
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
    /// The networks whose weights the training run started from, if any.
    pub from: Vec<InitialWeights>,
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

/// Trains a network in a folder, or resumes the training run in the folder. `from` names network files or
/// folders of earlier training runs, from whose weights training starts. Several networks are merged into one
/// network, whose output is the mean of their outputs.
pub fn run<G: Board>(
    folder: &Path,
    name: &str,
    sets: &[DataSet],
    settings: &Settings,
    from: &[PathBuf],
    watch: &mut dyn FnMut(TrainEvent),
) -> Result<TrainingResult, TrainError> {
    settings.check(from.is_empty())?;
    let shape = Shape::new::<G>(settings.hidden, settings.outputs);
    let (model, from) = match from.is_empty() {
        true => (Model::new(shape, settings.seed), Vec::new()),
        false => checkpoint::load_initial::<G>(from, shape, settings.seed)?,
    };
    // The scale of the initial network is kept, so that its outputs keep their meaning.
    let scale = settings.scale.or(from.first().map(InitialWeights::scale));
    let settings = &Settings { scale, ..settings.clone() };
    std::fs::create_dir_all(folder)
        .map_err(|error| TrainError::Folder { path: folder.to_owned(), error })?;
    let positions =
        Positions::read::<G>(sets, settings, folder, &mut |read| watch(TrainEvent::Read(read)))?;
    let scale = scale.unwrap_or(DEFAULT_SCALE).round();
    let goal = Goal { scale, lambda: settings.last_lambda(), weights: positions.weights() };
    let built_in = quantised_losses(&nets::default_network::<G>(), &positions.validation, &goal);
    watch(TrainEvent::Begun { positions: &positions, scale, built_in: &built_in });
    let progress = Progress {
        settings: settings.clone(),
        board: G::NAME.to_owned(),
        scale,
        data: positions.checksum,
        weights: goal.weights.clone(),
        from,
        rounds: 0,
        steps: 0,
        epochs: Vec::new(),
    };
    let mut training = Training { folder, settings, goal, progress };
    let descent = training.descend::<G>(model, sets, &positions, watch)?;
    let (parameters, report) = export::<G>(&descent.model, name, scale)?;
    training.finish::<G>(&parameters, report, built_in, positions)
}

struct Training<'a> {
    folder: &'a Path,
    settings: &'a Settings,
    goal: Goal,
    progress: Progress,
}

impl Training<'_> {
    /// Runs all steps that have not been completed yet.
    fn descend<G: Board>(
        &mut self,
        model: Model,
        sets: &[DataSet],
        positions: &Positions,
        watch: &mut dyn FnMut(TrainEvent),
    ) -> Result<Descent, TrainError> {
        let Settings { pretraining, epochs, batch, skip, .. } = *self.settings;
        let rounds: Vec<u64> = rounds(pretraining).collect();
        let pretraining = rounds.iter().map(|round| round.div_ceil(batch as u64)).sum();
        let steps = positions.training.met(skip).div_ceil(batch) as u64 * u64::from(epochs);
        let mut descent = self.begin(model, pretraining);
        if let Some(then) = checkpoint::resume(&self.checkpoint(), &self.progress, &mut descent)? {
            self.progress = then;
            let pretraining = rounds.iter().take(self.progress.rounds as usize).sum();
            watch(TrainEvent::Resumed { pretraining, epochs: self.progress.epochs.len() as u32 });
        }
        if self.progress.rounds < rounds.len() as u64 {
            self.pretrain::<G>(&mut descent, &rounds, sets, &positions.validation, watch)?;
        }
        if self.progress.epochs.is_empty() {
            descent = self.begin(descent.model, steps);
        } else {
            descent.schedule = self.schedule(steps);
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
        let of = positions.training.met(self.settings.skip);
        let (mut loss, mut met) = (0.0, 0);
        while met < of {
            let Ok(learnt) = incoming.recv() else { break };
            let learnt = learnt.map_err(|error| unreadable(positions, error))?;
            let mut learn = |positions| watch(TrainEvent::Learnt { positions, of });
            loss +=
                descent.epoch::<G>(&learnt, self.settings.batch, &mut learn) * learnt.len() as f64;
            met += learnt.len();
        }
        if epoch == self.settings.epochs {
            descent.settle();
        }
        let validation = losses::<G>(&descent.model, &positions.validation, &self.goal);
        self.progress.epochs.push(EpochLosses { epoch, training: loss / of as f64, validation });
        self.write_curves()?;
        self.save(descent)?;
        if let Some(losses) = self.progress.epochs.last() {
            watch(TrainEvent::Epoch { losses, of: self.settings.epochs });
        }
        Ok(())
    }

    fn begin(&self, model: Model, steps: u64) -> Descent {
        Descent::new(model, self.schedule(steps), self.goal.clone())
    }

    fn schedule(&self, steps: u64) -> Schedule {
        let Settings { rate, last_rate, warm_up, lambda, decay, clip, .. } = *self.settings;
        Schedule {
            rates: [rate, last_rate],
            steps,
            warm_up,
            lambdas: [lambda, self.settings.last_lambda()],
            // Only steps of the last epoch can be averaged, because a checkpoint does not store the sum of
            // the parameters.
            mean_steps: self
                .settings
                .mean_steps
                .min(steps / u64::from(self.settings.epochs.max(1))),
            decay,
            clip,
        }
    }

    /// Trains on generated positions that are near the positions of the games. Each position is used once.
    fn pretrain<G: Board>(
        &mut self,
        descent: &mut Descent,
        rounds: &[u64],
        sets: &[DataSet],
        validation: &[Packed],
        watch: &mut dyn FnMut(TrainEvent),
    ) -> Result<(), TrainError> {
        let games = PretrainingGames::new(sets, self.settings)?;
        let (mut loss, mut met) = (0.0, 0);
        for (number, wanted) in (0..).zip(rounds).skip(self.progress.rounds as usize) {
            let round = games.round::<G>(number, *wanted)?;
            let of = round.len();
            let mut learnt = |positions| watch(TrainEvent::Learnt { positions, of });
            loss += descent.epoch::<G>(&round, self.settings.batch, &mut learnt) * of as f64;
            met += of;
            self.progress.rounds = number + 1;
            let done = &rounds[..=number as usize];
            if self.progress.rounds.is_multiple_of(ROUNDS) || done.len() == rounds.len() {
                self.save(descent)?;
                let [done, of] = [done, rounds].map(|rounds| rounds.iter().sum());
                let validation = &losses::<G>(&descent.model, validation, &self.goal);
                let loss = std::mem::take(&mut loss) / std::mem::take(&mut met).max(1) as f64;
                watch(TrainEvent::Pretraining { done, of, loss, validation });
            }
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
        let network = export::network::<G>(parameters)?;
        let path = self.folder.join(format!("{}.nnue", parameters.name));
        let manifest = TrainingManifest {
            program: concat!("aleator ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: option_env!("ALEATOR_COMMIT").filter(|text| !text.is_empty()).map(Into::into),
            board: G::NAME.to_owned(),
            name: parameters.name.clone(),
            hash: format!("{:08x}", network.hash()),
            scale: self.goal.scale,
            settings: self.settings.clone(),
            from: self.progress.from,
            quantised: quantised_losses(&network, &positions.validation, &self.goal),
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
        let passed = positions.pass(seed, settings.skip, sizes, &mut send);
        let failed = passed.map_err(|error| to.send(Err(error))).is_err();
        if failed || !taken {
            return;
        }
    }
}

fn unreadable(positions: &Positions, error: io::Error) -> TrainError {
    TrainError::Read { path: positions.training.folder().to_owned(), error }
}

fn losses<G: Board>(model: &Model, positions: &[Packed], goal: &Goal) -> Losses {
    let predictions = Passes::new(model.shape).predict::<G>(model, positions);
    Losses::of(positions, &predictions, goal)
}

/// Returns the validation losses of a quantised network.
fn quantised_losses<G: Board>(network: &Network<G>, positions: &[Packed], goal: &Goal) -> Losses {
    let predict = |packed: &Packed| {
        let [own, theirs] = &packed.features::<G>();
        logistic(network.evaluate([own, theirs], packed.count()) as f32 / goal.scale)
    };
    let predictions: Vec<f32> = positions.par_iter().map(predict).collect();
    Losses::of(positions, &predictions, goal)
}
