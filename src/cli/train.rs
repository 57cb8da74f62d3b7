//! `aleator train`: trains a network on the positions of games.

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
    /// Input data set: a file with games, or a folder that contains games.bin. A weight for the positions of
    /// the data set can be added after a colon, as in DIR:0.5. --data can be given several times; all data
    /// sets must have the same board size.
    #[arg(long, value_name = "DIR", required = true)]
    data: Vec<DataSet>,
    /// Output folder for the network, the manifest, the losses and the checkpoint. If training is
    /// interrupted, the same command resumes it.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Name of the network, at most 32 bytes [default: board size and date, such as 8x8-2026-11-25].
    /// Networks with the same name are distinguished by their hashes.
    #[arg(long, value_parser = name)]
    name: Option<String>,
    /// Number of hidden neurons per perspective (White's and Black's), a multiple of 32.
    #[arg(long, value_name = "H", default_value_t = Settings::default().hidden)]
    hidden: usize,
    /// Number of training epochs.
    #[arg(long, value_name = "E", default_value_t = Settings::default().epochs)]
    epochs: u32,
    /// Batch size: number of positions per training step.
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch)]
    batch: usize,
    /// Initial learning rate.
    #[arg(long, value_name = "R", default_value_t = Settings::default().rate)]
    rate: f32,
    /// Number of warm-up steps, during which the learning rate rises linearly from 0.
    #[arg(long, value_name = "STEPS", default_value_t = Settings::default().warm_up)]
    warm_up: u64,
    /// How far the training targets look ahead in the game, from 0 to 1, as in TD(λ): each later score has
    /// this share of the weight of the score before it, and the result has the remaining weight. With 0, the
    /// targets are the search scores alone; with 1, the results alone.
    #[arg(long, value_name = "W", default_value_t = Settings::default().lambda)]
    lambda: f32,
    /// Share of the games, from 0 to 1, that are held out for the validation set.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().validation)]
    validation: f64,
    /// Network file whose weights training starts from. Without it, the initial weights are random.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Memory for positions, in MiB. Positions that do not fit into memory are stored in a file in --out
    /// and shuffled in parts.
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().memory)]
    memory: usize,
    /// Random seed. The same seed, games and settings give the same network.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of threads [default: all cores]. The result does not depend on the number of threads.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

fn name(text: &str) -> Result<String, String> {
    let fits = (1..=32).contains(&text.len()) && !text.starts_with('.');
    if fits && !text.contains(['/', '\\', '\0']) {
        Ok(text.to_owned())
    } else {
        Err("the name must have 1 to 32 bytes and be a valid file name".to_owned())
    }
}

impl TrainArgs {
    fn settings(&self) -> Settings {
        Settings {
            hidden: self.hidden,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            warm_up: self.warm_up,
            lambda: self.lambda,
            validation: self.validation,
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
    let outcome =
        train::run::<G>(out, &name, data, &settings, arguments.from.as_deref(), &mut show)?;
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

/// Prints the progress of training as lines of text, and on a terminal also as a progress bar.
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
            TrainEvent::Resumed(epochs) => self.line(&format!("continuing after epoch {epochs}")),
            TrainEvent::Learnt { positions, of } => {
                if self.bar.length() != Some(*of as u64) || self.bar.position() >= *of as u64 {
                    self.bar.reset();
                    self.bar.set_length(*of as u64);
                    self.began = Instant::now();
                }
                self.bar.inc(*positions as u64);
            }
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

/// Describes how many positions of each data set are used, and how many are skipped for each reason.
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
                LeftOut::Early => "among the first eight plies",
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
