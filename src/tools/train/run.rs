use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checkpoint;
use super::checkpoint::{CHECKPOINT, InitialWeights, Progress};
use super::curves::{self, EpochLosses};
use super::descent::{Descent, Schedule};
use super::export::{self, Export, export};
use super::losses::{Goal, Losses};
use super::model::{Model, Shape, logistic};
use super::passes::Workspace;
use super::positions::{DataSet, Packed, Positions, SetReport};
use super::pretraining::{PretrainingGames, rounds};
use super::{Settings, TrainError};
use crate::attacks::Board;
use crate::eval::nnue::{Network, Parameters};
use crate::files::{self, IfExists};
use crate::geometry::Geometry;
use crate::random::Rng;
use crate::tools::fit::best_scale;

/// From so many positions on batches are larger.
const MANY: usize = 20_000_000;
/// Rounds of pretraining between checkpoints.
const ROUNDS: u64 = 4;
/// Scores from which the scale is found, at most.
const SCORES: usize = 1_000_000;

/// What a training tells while it runs.
#[derive(Debug)]
pub enum TrainEvent<'a> {
    /// So many positions were read.
    Read(usize),
    /// What there is to learn from, and centipawns of an output of 1.
    /// And the losses of the classical evaluation, of positions set apart.
    Begun { positions: &'a Positions, scale: f32, batch: usize, classical: &'a Losses },
    /// So many positions of pretraining are learnt, of so many: the loss of the last ones as they
    /// were met, and that of the positions set apart.
    Pretraining { done: u64, of: u64, loss: f64, validation: &'a Losses },
    /// So many positions of pretraining and so many epochs were done before.
    Resumed { pretraining: u64, epochs: u32 },
    /// So many more positions were learnt, of so many in the epoch.
    Learnt { positions: usize, of: usize },
    /// An epoch is over.
    Epoch { losses: &'a EpochLosses, of: u32 },
}

/// A network and how it was made.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingResult {
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
    /// What it began with.
    pub from: Vec<InitialWeights>,
    pub data: Vec<SetReport>,
    pub epochs: Vec<EpochLosses>,
    /// What could not be represented.
    pub export: Export,
    /// Losses of the network as the engine has it, of positions set apart.
    pub quantised: Losses,
    /// Those of the classical evaluation.
    pub classical: Losses,
}

/// Trains a network of a board in a folder, or goes on where it was. If others are given, it begins
/// with them: with what a training in a folder came to or the network in a file, or the mean of several.
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
        false => checkpoint::begin_with::<G>(from, shape)?,
    };
    // Outputs go on to mean what they meant.
    let scale = settings.scale.or(from.first().map(InitialWeights::scale));
    let settings = &Settings { scale, ..settings.clone() };
    std::fs::create_dir_all(folder)
        .map_err(|error| TrainError::Folder { path: folder.to_owned(), error })?;
    let mut positions =
        Positions::read::<G>(sets, settings, &mut |read| watch(TrainEvent::Read(read)))?;
    let scale = scale.unwrap_or_else(|| scale_of(&positions.training)).round();
    let large = positions.training.len() >= MANY;
    let batch = settings.batch.unwrap_or(if large { 8_192 } else { 4_096 });
    let goal = Goal { scale, lambda: settings.lambda, weights: positions.weights() };
    let classical = Losses::of_values(&positions.validation, &positions.classical, &goal);
    watch(TrainEvent::Begun { positions: &positions, scale, batch, classical: &classical });
    let progress = Progress {
        settings: settings.clone(),
        board: <G as Geometry>::NAME.to_owned(),
        scale,
        data: positions.checksum(),
        weights: goal.weights.clone(),
        from,
        rounds: 0,
        steps: 0,
        epochs: Vec::new(),
    };
    let mut training = Training { folder, batch, settings, goal, progress };
    let descent = training.descend::<G>(model, sets, &mut positions, watch)?;
    let (parameters, report) = export::<G>(&descent.model, name, scale)?;
    training.finish::<G>(&parameters, report, classical, positions)
}

struct Training<'a> {
    folder: &'a Path,
    batch: usize,
    settings: &'a Settings,
    goal: Goal,
    progress: Progress,
}

impl Training<'_> {
    /// Everything that is not done yet.
    fn descend<G: Board>(
        &mut self,
        model: Model,
        sets: &[DataSet],
        positions: &mut Positions,
        watch: &mut dyn FnMut(TrainEvent),
    ) -> Result<Descent, TrainError> {
        let Settings { pretraining, epochs, seed, .. } = *self.settings;
        let rounds: Vec<u64> = rounds(pretraining).collect();
        let pretraining = rounds.iter().map(|round| round.div_ceil(self.batch as u64)).sum();
        let steps = positions.training.len().div_ceil(self.batch) as u64 * u64::from(epochs);
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
            descent.schedule.steps = steps;
        }
        let mut rng = Rng::new(!seed);
        let Positions { training, validation, .. } = positions;
        for epoch in 1..=epochs {
            rng.shuffle(training); // those of epochs done before as well
            if epoch as usize <= self.progress.epochs.len() {
                continue;
            }
            let of = training.len();
            let mut learnt = |positions| watch(TrainEvent::Learnt { positions, of });
            let loss = descent.epoch::<G>(training, self.batch, &mut learnt);
            let validation = losses::<G>(&descent.model, validation, &self.goal);
            self.progress.epochs.push(EpochLosses { epoch, training: loss, validation });
            self.write_curves()?;
            self.keep(&descent)?;
            if let Some(losses) = self.progress.epochs.last() {
                watch(TrainEvent::Epoch { losses, of: epochs });
            }
        }
        Ok(descent)
    }

    fn begin(&self, model: Model, steps: u64) -> Descent {
        let Settings { rate, last_rate, decay, clip, .. } = *self.settings;
        let schedule = Schedule { rates: [rate, last_rate], steps, decay, clip };
        Descent::new(model, schedule, self.goal.clone())
    }

    /// Learns positions near those of the games, each once.
    fn pretrain<G: Board>(
        &mut self,
        descent: &mut Descent,
        rounds: &[u64],
        sets: &[DataSet],
        validation: &[Packed],
        watch: &mut dyn FnMut(TrainEvent),
    ) -> Result<(), TrainError> {
        let pretraining = PretrainingGames::new(sets, self.settings)?;
        let (mut loss, mut met) = (0.0, 0);
        for (number, wanted) in (0..).zip(rounds).skip(self.progress.rounds as usize) {
            let round = pretraining.round::<G>(number, *wanted)?;
            let of = round.len();
            let mut learnt = |positions| watch(TrainEvent::Learnt { positions, of });
            loss += descent.epoch::<G>(&round, self.batch, &mut learnt) * of as f64;
            met += of;
            self.progress.rounds = number + 1;
            let done = &rounds[..=number as usize];
            if self.progress.rounds.is_multiple_of(ROUNDS) || done.len() == rounds.len() {
                self.keep(descent)?;
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

    /// Writes a checkpoint.
    fn keep(&mut self, descent: &Descent) -> Result<(), TrainError> {
        self.progress.steps = descent.step;
        checkpoint::write(&self.checkpoint(), &self.progress, descent)
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
        classical: Losses,
        positions: Positions,
    ) -> Result<TrainingResult, TrainError> {
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
            from: self.progress.from,
            quantised: quantised_losses(&network, &positions.validation, &self.goal),
            data: positions.sets,
            epochs: self.progress.epochs,
            classical,
            export,
        };
        files::write(&path, &parameters.to_bytes::<G>(), IfExists::Replace)?;
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
        let beside = path.with_extension("manifest.json");
        files::write(&beside, (text + "\n").as_bytes(), IfExists::Replace)?;
        Ok(TrainingResult { network: path, manifest })
    }
}

/// Centipawns of an output of 1: what fits the scores to the results.
fn scale_of(positions: &[Packed]) -> f32 {
    let step = positions.len().div_ceil(SCORES);
    let labels = positions.iter().step_by(step);
    let pairs: Vec<[f64; 2]> = labels
        .filter_map(|packed| Some([packed.score().into(), packed.points()?.into()]))
        .collect();
    best_scale(&pairs) as f32
}

fn losses<G: Board>(model: &Model, positions: &[Packed], goal: &Goal) -> Losses {
    Losses::of(positions, goal, |_, piece| {
        model.predict::<G>(piece, &mut Workspace::new(model.shape))
    })
}

/// The losses of the engine's own integers.
fn quantised_losses<G: Board>(network: &Network<G>, positions: &[Packed], goal: &Goal) -> Losses {
    Losses::of(positions, goal, |_, piece| {
        let predict = |packed: &Packed| {
            let [own, theirs] = &packed.features::<G>();
            logistic(network.evaluate([own, theirs], packed.count()) as f32 / goal.scale)
        };
        piece.iter().map(predict).collect()
    })
}
