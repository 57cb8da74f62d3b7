//! `aleator datagen`: generates training data.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::Value;

use crate::eval::nets;
use crate::random::fresh_seed;
use crate::rules::BoardSize;
use crate::tools::data::{Counts, DatagenSettings, GAMES_FILE, Manifest, Mix, Origin};
use crate::tools::datagen::{self, DatagenEvent, DatagenGoal, DatagenPlan, DatagenProgress};
use crate::tools::shard::Shard;

/// The interval between progress lines if there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Arguments of `aleator datagen`.
#[derive(Args, Debug)]
pub(super) struct DatagenArgs {
    /// Output folder of the data set, for the files games.bin and games.manifest.json. If the data set
    /// exists, new games are added to it.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of games that the data set has at the end, including games that already exist.
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Time limit in hours. After this time, no new games start, and the games in progress are finished.
    #[arg(long, value_name = "H")]
    hours: Option<f64>,
    /// Generate only part K of N of the games, in a separate folder: with `--out set --shard 3/8` the
    /// folder is `set.3-of-8`. Merge the parts with `aleator data merge`.
    #[arg(long, value_name = "K/N", conflicts_with = "hours", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,
    /// Number of games to play in parallel. The games do not depend on this number.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Input file with the network for the engine's evaluation [default: the built-in network].
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Input manifest of another data set: generate the same games as in that data set.
    #[arg(long, value_name = "MANIFEST")]
    from: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// The settings that determine the games. The names of the fields are those of [`DatagenSettings`].
#[derive(Args, Serialize, Debug)]
struct SettingsArgs {
    /// Variant of the starting positions: a name (chess, chess960, dfrc, ifrc, ifrc-double, fischerbenko,
    /// transcendental, jepps, placement) or a mix with weights, such as chess960:70,chess:30. `8x8` (the
    /// default) and `10x10` are the mixes that the built-in networks are trained on.
    #[arg(long, value_name = "MIX")]
    variant: Option<Mix>,
    /// Random seed of the games [default: a random number].
    #[arg(long)]
    seed: Option<u64>,
    /// Soft node limit per move: after this number of nodes, no further iteration starts, and after 8 times
    /// this number the search stops at once [default: 400].
    #[arg(long)]
    nodes: Option<u64>,
    /// Hash size of each thread in MiB [default: 4].
    #[arg(long, value_name = "MIB", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    hash: Option<usize>,
    /// Adjudicate a game as a draw when it reaches this number of plies [default: 800].
    #[arg(long, value_name = "PLIES")]
    max_plies: Option<u32>,
}

impl SettingsArgs {
    /// Returns the settings of an earlier run, overridden by those on the command line.
    fn over(&self, earlier: DatagenSettings) -> anyhow::Result<DatagenSettings> {
        let mut settings = serde_json::to_value(earlier)?;
        if let Some(nodes) = self.nodes {
            settings["hard_nodes"] = nodes.saturating_mul(8).into();
        }
        if let Value::Object(given) = serde_json::to_value(self)? {
            for (name, value) in given.into_iter().filter(|(_, value)| !value.is_null()) {
                settings[name] = value;
            }
        }
        Ok(serde_json::from_value(settings)?)
    }
}

pub(super) fn run(arguments: &DatagenArgs) -> anyhow::Result<()> {
    let plan = plan(arguments)?;
    let mut display = Display::new(&plan);
    let progress = datagen::run(&plan, &mut |event| display.show(&event))?;
    display.finish(&progress);
    Ok(())
}

/// Makes the plan from the arguments, from the manifest of --from, and from the existing data set.
fn plan(arguments: &DatagenArgs) -> anyhow::Result<DatagenPlan> {
    let folder = arguments.shard.path(&arguments.out);
    let there = Manifest::of_games(&folder.join(GAMES_FILE))?;
    let from = arguments.from.as_deref().map(Manifest::read).transpose()?;
    let games = from.as_ref().map(|manifest| manifest.counts.games);
    let earlier = match from.or(there).map(|manifest| manifest.origin) {
        Some(Origin::Datagen { settings, .. }) => settings,
        Some(_) if arguments.from.is_some() => {
            bail!(
                "--from: this manifest describes combined files; give the manifest of one of its sources"
            )
        }
        _ if !arguments.shard.is_whole() && arguments.settings.seed.is_none() => {
            bail!("all shards of a data set need the same seed: add --seed N, such as --seed 1")
        }
        _ => DatagenSettings { seed: fresh_seed(), ..DatagenSettings::default() },
    };
    let time = arguments.hours.map(time_of_hours).transpose()?;
    // Without --games and --hours, the manifest of --from determines the number of games.
    let described = games.filter(|_| time.is_none()).and_then(|games| u32::try_from(games).ok());
    let goal = DatagenGoal { games: arguments.games.or(described), shard: arguments.shard, time };
    if goal.games.is_none() && goal.time.is_none() {
        bail!("give either the number of games in the data set, --games N, or the time, --hours H");
    }
    let settings = arguments.settings.over(earlier)?;
    Ok(DatagenPlan {
        folder,
        network: network(arguments.network.as_deref(), settings.variant.board())?,
        settings,
        goal,
        threads: arguments.threads.into(),
    })
}

/// Reads the network file at `path`, or returns the built-in network if no path is given.
fn network(path: Option<&Path>, board: BoardSize) -> anyhow::Result<Vec<u8>> {
    match path {
        None => Ok(nets::embedded(board).to_vec()),
        Some(path) => {
            std::fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))
        }
    }
}

fn time_of_hours(hours: f64) -> anyhow::Result<Duration> {
    Duration::try_from_secs_f64(hours * 3_600.0)
        .with_context(|| format!("{hours} is not a number of hours, such as 0.5 for half an hour"))
}

/// Shows the progress: as a bar on a terminal, otherwise as a line of text every ten seconds.
struct Display {
    bar: Option<ProgressBar>,
    goal: DatagenGoal,
    last_line: Instant,
}

impl Display {
    fn new(plan: &DatagenPlan) -> Display {
        println!("seed {}, {} threads", plan.settings.seed, plan.threads);
        println!("starts {}", plan.settings.variant);
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(plan.goal.range().len() as u64);
            let template = match plan.goal.games {
                Some(_) => "{bar:30} {msg}",
                None => "{spinner} {elapsed_precise} {msg}",
            };
            ProgressStyle::with_template(template).map(|style| bar.set_style(style)).ok();
            bar
        });
        Display { bar, goal: plan.goal, last_line: Instant::now() }
    }

    fn show(&mut self, event: &DatagenEvent) {
        match event {
            DatagenEvent::Resumed { games } => {
                self.line(&format!("continuing after {games} games"))
            }
            DatagenEvent::Repaired(repair) => self.line(&repair.to_string()),
            DatagenEvent::Progress(progress) => self.progress(progress),
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| println!("{text}")),
            None => println!("{text}"),
        }
    }

    fn progress(&mut self, progress: &DatagenProgress) {
        let mut text = summary(&progress.total);
        text += &format!("  {}", speed(progress));
        if let Some(time) = remaining(progress, self.goal) {
            text += &format!("  {} left", HumanDuration(time));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(progress.total.games);
            bar.set_message(text);
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            println!("{text}");
        }
    }

    fn finish(&self, progress: &DatagenProgress) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        println!("{}", summary(&progress.total));
        let seconds = progress.elapsed.as_secs_f64();
        let games = progress.made.games;
        println!("{games} games generated in {seconds:.1} s, {}", speed(progress));
    }
}

/// Formats the number of games, the results, the plies and the kept plies.
pub(super) fn summary(counts: &Counts) -> String {
    let Counts { games, plies, kept, white_wins, draws, black_wins } = *counts;
    let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    format!(
        "{games} games  +{white_wins} ={draws} -{black_wins}  {plies} plies, {:.1} a game  {kept} kept, {:.0} %",
        share(plies, games),
        100.0 * share(kept, plies)
    )
}

fn speed(progress: &DatagenProgress) -> String {
    let seconds = progress.elapsed.as_secs_f64().max(0.001);
    let rate = |number: u64| number as f64 / seconds;
    format!("{:.0} positions/s, {:.0} kept/s", rate(progress.searched), rate(progress.made.kept))
}

/// Estimates the remaining time from the goal and from the speed so far.
fn remaining(progress: &DatagenProgress, goal: DatagenGoal) -> Option<Duration> {
    let by_time = goal.time.map(|time| time.saturating_sub(progress.elapsed));
    let by_games = progress
        .missing
        .filter(|_| progress.made.games > 0)
        .map(|missing| progress.elapsed.mul_f64(missing as f64 / progress.made.games as f64));
    by_time.into_iter().chain(by_games).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remaining_time_ends_when_the_first_goal_is_reached() {
        let made = Counts { games: 10, ..Counts::default() };
        let elapsed = Duration::from_secs(20);
        let progress =
            DatagenProgress { made, elapsed, missing: Some(30), ..DatagenProgress::default() };
        let goal = |seconds| DatagenGoal {
            games: Some(40),
            time: Some(Duration::from_secs(seconds)),
            ..DatagenGoal::default()
        };
        assert_eq!(remaining(&progress, goal(50)), Some(Duration::from_secs(30)));
        assert_eq!(remaining(&progress, goal(500)), Some(Duration::from_secs(60)));
        assert_eq!(remaining(&DatagenProgress::default(), DatagenGoal::default()), None);
    }

    #[test]
    fn the_default_hard_node_limit_is_8_times_the_soft_limit() {
        let words = ["datagen", "--out", "x", "--nodes", "50"];
        let arguments = <Wrapper as clap::Parser>::parse_from(words).datagen.settings;
        let settings = arguments.over(DatagenSettings::default()).unwrap();
        assert_eq!((settings.nodes, settings.hard_nodes), (50, 400));
    }

    #[derive(clap::Parser)]
    struct Wrapper {
        #[command(flatten)]
        datagen: DatagenArgs,
    }
}
