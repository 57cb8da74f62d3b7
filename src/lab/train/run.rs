use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checkpoint::{self, Progress};
use super::curves::{self, EpochLosses};
use super::descent::{Descent, Schedule};
use super::export::{self, Export, export};
use super::losses::{Goal, Losses};
use super::model::{Model, Shape, Workspace, logistic};
use super::positions::{DataSet, Packed, Positions, SetReport};
use super::{Settings, TrainError, pretraining};
use crate::attacks::Board;
use crate::eval::nnue::{Network, Parameters};
use crate::files::{self, IfExists};
use crate::geometry::Geometry;
use crate::lab::fit::best_scale;
use crate::random::Rng;

/// From so many positions on batches are larger.
const MANY: usize = 20_000_000;
/// Scores from which the scale is found, at most.
const SCORES: usize = 1_000_000;

/// What a training tells while it runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// So many positions were read.
    Read(usize),
    /// What there is to learn from, and centipawns of an output of 1.
    Begun { positions: &'a Positions, scale: f32, batch: usize },
    /// So many positions for pretraining have their label, of so many.
    Labelled { done: usize, of: u64 },
    /// Pretraining goes over its positions for this time, of so many.
    Pretraining { epoch: u32, of: u32, loss: f64 },
    /// So many epochs were done before.
    Resumed { epochs: u32 },
    /// So many more positions were learnt, of so many in the epoch.
    Learnt { positions: usize, of: usize },
    /// An epoch is over.
    Epoch { losses: &'a EpochLosses, of: u32 },
}

/// A network and how it was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub network: PathBuf,
    pub manifest: TrainingManifest,
}

/// How a network was made: enough to make it again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingManifest {
    /// Name and version of the program.
    pub program: String,
    /// The commit that the program was built from, where the build knew it.
    pub commit: Option<String>,
    pub board: String,
    pub name: String,
    /// In the network's header, hexadecimal.
    pub hash: String,
    /// Centipawns of an output of 1.
    pub scale: f32,
    pub batch: usize,
    pub settings: Settings,
    pub data: Vec<SetReport>,
    pub epochs: Vec<EpochLosses>,
    /// What could not be represented.
    pub export: Export,
    /// Losses of the network as the engine has it, of positions set apart.
    pub quantised: Losses,
}

/// Trains a network of a board in a folder, or goes on where it was.
pub fn run<G: Board>(
    folder: &Path,
    name: &str,
    sets: &[DataSet],
    settings: &Settings,
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome, TrainError> {
    settings.check()?;
    std::fs::create_dir_all(folder)
        .map_err(|error| TrainError::Folder { path: folder.to_owned(), error })?;
    let mut positions = Positions::read::<G>(sets, settings, &mut |read| watch(Event::Read(read)))?;
    let scale = settings.scale.unwrap_or_else(|| scale(&positions.training)).round();
    let large = positions.training.len() >= MANY;
    let batch = settings.batch.unwrap_or(if large { 8_192 } else { 4_096 });
    watch(Event::Begun { positions: &positions, scale, batch });
    let goal = Goal { scale, lambda: settings.lambda, weights: positions.weights() };
    let progress = Progress {
        settings: settings.clone(),
        board: <G as Geometry>::NAME.to_owned(),
        data: positions.checksum(),
        weights: goal.weights.clone(),
        steps: 0,
        epochs: Vec::new(),
    };
    let mut training = Training { folder, batch, settings, goal, progress };
    let descent = training.descend::<G>(sets, &mut positions, watch)?;
    let (parameters, report) = export::<G>(&descent.model, name, scale)?;
    training.finish::<G>(&parameters, report, positions)
}

struct Training<'a> {
    folder: &'a Path,
    batch: usize,
    settings: &'a Settings,
    goal: Goal,
    progress: Progress,
}

impl Training<'_> {
    /// Every epoch that is not done yet.
    fn descend<G: Board>(
        &mut self,
        sets: &[DataSet],
        positions: &mut Positions,
        watch: &mut dyn FnMut(Event),
    ) -> Result<Descent, TrainError> {
        let Settings { hidden, outputs, epochs, seed, .. } = *self.settings;
        let model = Model::new(Shape::new::<G>(hidden, outputs), seed);
        let mut descent = self.begin(model, positions.training.len(), epochs);
        let checkpoint = self.folder.join("checkpoint.bin");
        if let Some(then) = checkpoint::resume(&checkpoint, &self.progress, &mut descent)? {
            self.progress = then;
            watch(Event::Resumed { epochs: self.progress.epochs.len() as u32 });
        } else if self.settings.pretraining > 0 {
            let model = self.pretrain::<G>(descent.model, sets, positions, watch)?;
            descent = self.begin(model, positions.training.len(), epochs);
        }
        let mut rng = Rng::new(!seed);
        let Positions { training, validation, .. } = positions;
        for epoch in 1..=epochs {
            shuffle(training, &mut rng); // those of epochs done before as well
            if epoch as usize <= self.progress.epochs.len() {
                continue;
            }
            let of = training.len();
            let mut learnt = |positions| watch(Event::Learnt { positions, of });
            let loss = descent.epoch::<G>(training, self.batch, &mut learnt);
            let validation = losses::<G>(&descent.model, validation, &self.goal);
            self.progress.epochs.push(EpochLosses { epoch, training: loss, validation });
            self.progress.steps = descent.step;
            self.write_curves()?;
            checkpoint::write(&checkpoint, &self.progress, &descent)?;
            if let Some(losses) = self.progress.epochs.last() {
                watch(Event::Epoch { losses, of: epochs });
            }
        }
        Ok(descent)
    }

    fn begin(&self, model: Model, positions: usize, epochs: u32) -> Descent {
        let Settings { rate, last_rate, decay, clip, .. } = *self.settings;
        let steps = positions.div_ceil(self.batch) as u64 * u64::from(epochs);
        let schedule = Schedule { rates: [rate, last_rate], steps, decay, clip };
        Descent::new(model, schedule, self.goal.clone())
    }

    /// Learns what the classical evaluation says.
    fn pretrain<G: Board>(
        &self,
        model: Model,
        sets: &[DataSet],
        positions: &Positions,
        watch: &mut dyn FnMut(Event),
    ) -> Result<Model, TrainError> {
        let of = self.settings.pretraining;
        let plies = positions.sets.iter().map(|set| set.plies).sum();
        let mut labelled = pretraining::positions::<G>(sets, self.settings, plies, &mut |done| {
            watch(Event::Labelled { done, of });
        })?;
        let epochs = self.settings.pretraining_epochs;
        let mut descent = self.begin(model, labelled.len(), epochs);
        let mut rng = Rng::new(self.settings.seed ^ 1);
        for epoch in 1..=epochs {
            shuffle(&mut labelled, &mut rng);
            let of = labelled.len();
            let mut learnt = |positions| watch(Event::Learnt { positions, of });
            let loss = descent.epoch::<G>(&labelled, self.batch, &mut learnt);
            watch(Event::Pretraining { epoch, of: epochs, loss });
        }
        Ok(descent.model)
    }

    fn write_curves(&self) -> Result<(), TrainError> {
        curves::write_table(&self.folder.join("losses.csv"), &self.progress.epochs)?;
        curves::draw(&self.folder.join("losses.svg"), &self.progress.epochs)
    }

    /// Writes the network and its manifest.
    fn finish<G: Board>(
        self,
        parameters: &Parameters,
        export: Export,
        positions: Positions,
    ) -> Result<Outcome, TrainError> {
        let network = export::network::<G>(parameters)?;
        let path = self.folder.join(format!("{}.nnue", parameters.name));
        let manifest = TrainingManifest {
            program: concat!("aleator ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: option_env!("ALEATOR_COMMIT").filter(|text| !text.is_empty()).map(Into::into),
            board: <G as Geometry>::NAME.to_owned(),
            name: parameters.name.clone(),
            hash: format!("{:08x}", network.hash()),
            scale: self.goal.scale,
            batch: self.batch,
            settings: self.settings.clone(),
            quantised: quantised_losses(&network, &positions.validation, &self.goal),
            data: positions.sets,
            epochs: self.progress.epochs,
            export,
        };
        files::write(&path, &parameters.to_bytes::<G>(), IfExists::Replace)?;
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
        let beside = path.with_extension("manifest.json");
        files::write(&beside, (text + "\n").as_bytes(), IfExists::Replace)?;
        Ok(Outcome { network: path, manifest })
    }
}

/// Centipawns of an output of 1: what fits the scores to the results.
fn scale(positions: &[Packed]) -> f32 {
    let step = positions.len().div_ceil(SCORES);
    let labels = positions.iter().step_by(step);
    let pairs: Vec<[f64; 2]> = labels
        .filter_map(|packed| Some([packed.score().into(), packed.points()?.into()]))
        .collect();
    best_scale(&pairs) as f32
}

/// Each order is as likely as the others (R. Fisher, F. Yates, 1938).
fn shuffle(positions: &mut [Packed], rng: &mut Rng) {
    for left in (1..positions.len()).rev() {
        positions.swap(left, rng.below(left as u64 + 1) as usize);
    }
}

fn losses<G: Board>(model: &Model, positions: &[Packed], goal: &Goal) -> Losses {
    Losses::of(positions, goal, |piece| {
        let mut work = Workspace::new(model.shape);
        piece.iter().map(|packed| model.predict::<G>(packed, &mut work)).collect()
    })
}

/// The losses of the engine's own integers.
fn quantised_losses<G: Board>(network: &Network<G>, positions: &[Packed], goal: &Goal) -> Losses {
    Losses::of(positions, goal, |piece| {
        let predict = |packed: &Packed| {
            let [own, theirs] = &packed.features::<G>();
            logistic(network.evaluate([own, theirs], packed.count()) as f32 / goal.scale)
        };
        piece.iter().map(predict).collect()
    })
}
