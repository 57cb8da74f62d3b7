//! `aleator train`: trains a network on games.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::geometry::Board;
use crate::rules::on_board;
use crate::tools::data::{board_of, games_file};
use crate::tools::train::{
    self, DataSet, EpochLosses, LeftOut, Losses, Positions, SetReport, Settings, TrainEvent,
    TrainingResult,
};

/// Arguments of `aleator train`.
#[derive(Args, Debug)]
pub(super) struct TrainArgs {
    /// File of games, or folder with a games.bin, and the weight of its positions: DIR or DIR:WEIGHT.
    /// Can be given several times; all must have the same board.
    #[arg(long, value_name = "DIR", required = true)]
    data: Vec<DataSet>,
    /// Folder for the network, its manifest, the losses and the checkpoint. An interrupted training is
    /// resumed by the same command.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The network's name, at most 32 bytes [default: board and date, such as 8x8-2026-11-25; the hash
    /// distinguishes networks of the same name].
    #[arg(long, value_parser = name)]
    name: Option<String>,
    /// Hidden neurons of each view, a multiple of 32.
    #[arg(long, value_name = "H", default_value_t = Settings::default().hidden)]
    hidden: usize,
    /// Output buckets, selected by the number of pieces.
    #[arg(long, value_name = "N", default_value_t = Settings::default().outputs)]
    outputs: usize,
    /// Number of epochs.
    #[arg(long, value_name = "E", default_value_t = Settings::default().epochs)]
    epochs: u32,
    /// Positions per step.
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch)]
    batch: usize,
    /// Initial learning rate [default: 0.00015 with --from, else 0.001].
    #[arg(long, value_name = "R")]
    rate: Option<f32>,
    /// Final learning rate.
    #[arg(long, value_name = "R", default_value_t = Settings::default().last_rate)]
    last_rate: f32,
    /// Number of first steps in which the learning rate rises linearly from 0.
    #[arg(long, value_name = "STEPS", default_value_t = Settings::default().warm_up)]
    warm_up: u64,
    /// Average the parameters over this many last steps, at most those of the last epoch; 0 takes the
    /// last step alone.
    #[arg(long, value_name = "STEPS", default_value_t = Settings::default().mean_steps)]
    mean_steps: u64,
    /// Weight decay, multiplied by the learning rate.
    #[arg(long, value_name = "D", default_value_t = Settings::default().decay)]
    decay: f32,
    /// Weight of the games' results in the targets, from 0 to 1; search scores have the rest.
    #[arg(long, value_name = "W", default_value_t = Settings::default().lambda)]
    lambda: f32,
    /// That weight in the last step, reached linearly [default: constant].
    #[arg(long, value_name = "W")]
    last_lambda: Option<f32>,
    /// Random share of positions that each epoch skips.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().skip)]
    skip: f32,
    /// Average scores with those of the following plies of the game, looking this many plies ahead on
    /// average; 0 uses plain scores.
    #[arg(long = "horizon", value_name = "PLIES", default_value_t = Settings::default().td_horizon)]
    td_horizon: f32,
    /// Centipawns per unit of output [default: that of --from, else 200].
    #[arg(long, value_name = "CP")]
    scale: Option<f32>,
    /// Share of games in the validation set.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().validation)]
    validation: f64,
    /// First pretrain on about this many positions near those of the games, each once, labelled by the
    /// built-in network's static evaluation. With --epochs 0 this is all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pretraining: u64,
    /// Label those by searches with this many nodes instead, and skip tactical positions.
    #[arg(long, value_name = "NODES", default_value_t = 0)]
    pretraining_nodes: u64,
    /// Start from the training in this folder, or from this network file. Given several times, starts
    /// from the mean of the networks, side by side in one as wide as all of them; with --epochs 0 this
    /// is the result. If --hidden is larger, the other neurons start with random weights and do not
    /// affect the output yet.
    #[arg(long, value_name = "DIR|FILE")]
    from: Vec<PathBuf>,
    /// Memory for positions, in MiB. Positions beyond it are kept in a file in --out and shuffled in
    /// parts.
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().memory)]
    memory: usize,
    /// Random seed; the same seed, games and settings give the same network.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads; the result does not depend on them [default: all cores].
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

fn name(text: &str) -> Result<String, String> {
    let fits = (1..=32).contains(&text.len()) && !text.starts_with('.');
    if fits && !text.contains(['/', '\\', '\0']) {
        Ok(text.to_owned())
    } else {
        Err("it must have 1 to 32 bytes and be a valid file name".to_owned())
    }
}

impl TrainArgs {
    fn settings(&self) -> Settings {
        let default_rate = match self.from.is_empty() {
            true => Settings::RATE_FROM_NOTHING,
            false => Settings::default().rate,
        };
        Settings {
            hidden: self.hidden,
            outputs: self.outputs,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate.unwrap_or(default_rate),
            last_rate: self.last_rate,
            warm_up: self.warm_up,
            mean_steps: self.mean_steps,
            decay: self.decay,
            lambda: self.lambda,
            last_lambda: self.last_lambda,
            skip: self.skip,
            td_horizon: self.td_horizon,
            scale: self.scale,
            validation: self.validation,
            pretraining: self.pretraining,
            pretraining_nodes: self.pretraining_nodes,
            memory: self.memory,
            seed: self.seed,
            ..Settings::default()
        }
    }
}

pub(super) fn run(arguments: &TrainArgs) -> anyhow::Result<()> {
    let files: Vec<PathBuf> = arguments.data.iter().map(|set| games_file(&set.path)).collect();
    let board = board_of(&files)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    on_board!(board, |G| pool.install(|| train_board::<G>(arguments)))
}

fn train_board<G: Board>(arguments: &TrainArgs) -> anyhow::Result<()> {
    let began = Instant::now();
    let mut screen = Screen::new();
    let TrainArgs { out, data, .. } = arguments;
    let dated = || format!("{}-{}", G::NAME, time::OffsetDateTime::now_utc().date());
    let name = arguments.name.clone().unwrap_or_else(dated);
    let settings = arguments.settings();
    let mut show = |event: TrainEvent| screen.show(&event);
    let outcome = train::run::<G>(out, &name, data, &settings, &arguments.from, &mut show)?;
    let TrainingResult { network, manifest } = outcome;
    let export = &manifest.export;
    println!(
        "quantised: loss {}\n\
         clipped: {} parameters of the first layer; {} outputs scaled down\n\
         network {} in '{}' after {:.0} s",
        losses(&manifest.quantised),
        export.clipped_inputs,
        export.shrunk_outputs,
        manifest.hash,
        network.display(),
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Prints progress: lines, and a bar on a terminal.
struct Screen {
    bar: ProgressBar,
    began: Instant,
}

impl Screen {
    fn new() -> Screen {
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new(0)
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{bar:30} {pos} of {len}  {per_sec}  {eta} left");
        Screen {
            bar: bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())),
            began: Instant::now(),
        }
    }

    fn line(&self, text: &str) {
        self.bar.suspend(|| println!("{text}"));
    }

    fn show(&mut self, event: &TrainEvent) {
        match event {
            TrainEvent::Read(positions) => self.bar.set_position(*positions as u64),
            TrainEvent::Begun { positions, scale, built_in } => {
                self.line(&contents(positions));
                self.line(&format!("scale {scale:.0}"));
                self.line(&format!("built-in network: validation {}", losses(built_in)));
            }
            TrainEvent::Resumed { pretraining: 0, epochs } => {
                self.line(&format!("continuing after epoch {epochs}"));
            }
            TrainEvent::Resumed { pretraining, epochs } => self.line(&format!(
                "continuing after {pretraining} positions of pretraining and {epochs} epochs"
            )),
            TrainEvent::Learnt { positions, of } => {
                if self.bar.length() != Some(*of as u64) || self.bar.position() >= *of as u64 {
                    self.bar.reset();
                    self.bar.set_length(*of as u64);
                    self.began = Instant::now();
                }
                self.bar.inc(*positions as u64);
            }
            TrainEvent::Pretraining { done, of, loss, validation } => self.line(&format!(
                "pretraining {done} of {of}: loss {loss:.6}, validation {:.6}",
                validation.all
            )),
            TrainEvent::Epoch { losses: EpochLosses { epoch, training, validation }, of } => {
                let validation = losses(validation);
                self.line(&format!(
                    "epoch {epoch} of {of}: loss {training:.6}, validation {validation}{}",
                    self.speed()
                ));
            }
        }
    }

    fn speed(&self) -> String {
        let seconds = self.began.elapsed().as_secs_f64();
        format!("; {:.0} thousand positions/s", self.bar.position() as f64 / seconds / 1_000.0)
    }
}

fn losses(losses: &Losses) -> String {
    let by_component = losses.components.iter().map(|(name, loss)| format!("{name} {loss:.6}"));
    format!("{:.6} ({})", losses.all, by_component.collect::<Vec<_>>().join(", "))
}

/// Describes what was read from each data set, and what was skipped.
fn contents(positions: &Positions) -> String {
    let mut text = String::new();
    for set in &positions.sets {
        let SetReport { path, weight, games, plies, kept: [training, validation], .. } = set;
        text += &format!(
            "{}, weight {weight}: {games} games, {plies} plies; {training} for training, \
             {validation} for validation\n",
            path.display()
        );
        let left_out = set.left_out.iter().map(|(reason, plies)| {
            let reason = match reason {
                LeftOut::Random => "random",
                LeftOut::Early => "among the first eight",
                LeftOut::InCheck => "in check",
                LeftOut::Tactical => "with a capture or promotion as best move",
                LeftOut::Decided => "with scores of 30 pawns or more",
                LeftOut::SecondTime => "of duplicate games",
            };
            format!("{plies} {reason}")
        });
        text += &format!("  skipped: {}\n", left_out.collect::<Vec<_>>().join(", "));
        if set.damage > 0 {
            text += &format!("  {} damaged blocks\n", set.damage);
        }
    }
    let [training, validation] = [positions.training.len(), positions.validation.len()];
    text + &format!("{training} positions for training, {validation} for validation")
}
