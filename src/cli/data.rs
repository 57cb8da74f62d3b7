//! `aleator data`: inspects, checks and combines files of training data.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use clap::{Args, Subcommand};

use super::datagen::summary;
use crate::files::IfExists;
use crate::geometry::Board;
use crate::notation::{san, uci};
use crate::random::fresh_seed;
use crate::rules::on_board;
use crate::tools::data::{
    CombineTarget, Combined, Counts, Damage, DataError, Filter, Stats, StoredGame, TERMINATIONS,
    VERSION, described, games_file, merge, scan, scan_game, shuffle, verify,
};
use crate::types::score::{MATE, MATE_BOUND};
use crate::types::{Color, Value};

/// The maximum number of problems shown for a file; further problems are only counted.
const MAX_SHOWN: u64 = 20;

/// Arguments of `aleator data`.
#[derive(Args, Debug)]
pub(super) struct DataArgs {
    #[command(subcommand)]
    action: DataAction,
}

#[derive(Subcommand, Debug)]
enum DataAction {
    /// Show statistics of files: games, results, lengths, scores, and the speed of reading.
    Stats {
        #[command(flatten)]
        files: Files,
        #[command(flatten)]
        filter: FilterArgs,
    },
    /// Check files for damage, illegal moves, wrong results and duplicate games. The exit status is 1 if
    /// there is any problem.
    Verify {
        #[command(flatten)]
        files: Files,
    },
    /// Merge the games of several files into one file, without duplicate games.
    Merge {
        #[command(flatten)]
        files: Files,
        #[command(flatten)]
        out: OutArgs,
    },
    /// Merge the games of several files into one file in random order.
    Shuffle {
        #[command(flatten)]
        files: Files,
        #[command(flatten)]
        out: OutArgs,
        /// Random seed that determines the order of the games [default: a random number].
        #[arg(long)]
        seed: Option<u64>,
        /// Approximate amount of memory to use, in MiB. In addition, the disk of --out needs free space of
        /// twice the size of the games.
        #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
        memory: u64,
    },
    /// Show one game: the starting position, and all moves with scores.
    View {
        #[command(flatten)]
        files: Files,
        /// Show the game with this index. In a data set, the indices of the games begin at 0.
        #[arg(long, value_name = "I")]
        game: u32,
        /// Show moves in UCI notation instead of SAN.
        #[arg(long)]
        uci: bool,
    },
}

/// The files to read.
#[derive(Args, Debug)]
struct Files {
    /// Input files with games, or folders that contain a file games.bin.
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
}

impl Files {
    fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|path| games_file(path)).collect()
    }
}

/// The output file and its format.
#[derive(Args, Debug)]
struct OutArgs {
    /// Output file, or folder in which the output file games.bin is created. A manifest is written to the
    /// same folder.
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    /// Number of games per block of the output file. Larger blocks save up to 24 bytes per game, but if a
    /// block is damaged, all its games are lost.
    #[arg(long, value_name = "GAMES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    block: u16,
    /// Version of the output format. Files of version 2 are a quarter of the size of files of version 1.
    /// Older versions of Aleator can read only version 1.
    #[arg(long, value_name = "VERSION", default_value_t = VERSION, value_parser = clap::value_parser!(u8).range(1..=2))]
    format: u8,
    /// Replace the output files if they exist.
    #[arg(long)]
    force: bool,
}

impl OutArgs {
    fn target<'a>(&self, path: &'a Path) -> CombineTarget<'a> {
        CombineTarget {
            path,
            games_per_block: self.block,
            version: self.format,
            if_exists: IfExists::forced(self.force),
        }
    }
}

/// Selects the plies that count as kept, that is, as usable for training.
#[derive(Args, Debug)]
struct FilterArgs {
    /// Count positions in check as usable for training (column `kept`). By default, positions in check do not
    /// count.
    #[arg(long)]
    keep_checks: bool,
    /// Count positions whose best move is a capture or promotion as usable for training (column `kept`). By
    /// default, these positions do not count.
    #[arg(long)]
    keep_tactical: bool,
    /// Number of plies at the start of each game, including the random plies, whose positions do not count as
    /// usable for training.
    #[arg(long, value_name = "PLY", default_value_t = Filter::default().first_ply)]
    first_ply: usize,
    /// Count a position as usable for training only if its absolute score in centipawns is below this value.
    #[arg(long, value_name = "CP", default_value_t = Filter::default().score_below)]
    score_below: Value,
}

impl FilterArgs {
    fn filter(&self) -> Filter {
        Filter {
            skip_checks: !self.keep_checks,
            skip_tactical: !self.keep_tactical,
            skip_random: true,
            first_ply: self.first_ply,
            score_below: self.score_below,
        }
    }
}

pub(super) fn run(arguments: &DataArgs) -> anyhow::Result<()> {
    match &arguments.action {
        DataAction::Stats { files, filter } => show_stats(&files.paths(), filter.filter()),
        DataAction::Verify { files } => verify_all(&files.paths()),
        DataAction::Merge { files, out } => {
            let path = games_file(&out.out);
            let combined = merge(&files.paths(), &out.target(&path), &mut warner())?;
            show_combined(&path, &combined);
            Ok(())
        }
        DataAction::Shuffle { files, out, seed, memory } => {
            let path = games_file(&out.out);
            let seed = seed.unwrap_or_else(fresh_seed);
            let how = (seed, memory << 20);
            let combined = shuffle(&files.paths(), &out.target(&path), how, &mut warner())?;
            show_combined(&path, &combined);
            println!("seed {seed}");
            Ok(())
        }
        DataAction::View { files, game, uci } => view(&files.paths(), *game, *uci),
    }
}

/// Returns a function that prints damage to standard error, up to [`MAX_SHOWN`] times.
fn warner() -> impl FnMut(&Path, Damage) {
    let mut shown = 0;
    move |path, damage| {
        shown += 1;
        match shown {
            ..=MAX_SHOWN => eprintln!("aleator: '{}': {damage}", path.display()),
            _ if shown == MAX_SHOWN + 1 => eprintln!("aleator: further damage is not shown"),
            _ => {}
        }
    }
}

fn show_combined(path: &Path, combined: &Combined) {
    println!("{}: {}", path.display(), summary(&combined.counts));
    if combined.twice > 0 {
        println!("{} duplicate games were skipped", combined.twice);
    }
}

fn show_stats(files: &[PathBuf], filter: Filter) -> anyhow::Result<()> {
    let mut stats = Stats::new(filter);
    let began = Instant::now();
    let mut warn = warner();
    for path in files {
        scan(path, &mut |found| {
            match found {
                Ok(block) => block.games().for_each(|game| stats.add(&game)),
                Err(damage) => warn(path, damage),
            }
            Ok(())
        })?;
    }
    let seconds = began.elapsed().as_secs_f64();
    let total = stats.total();
    println!("{}", summary(&total));
    println!(
        "{} to {} plies a game, {} plies random",
        stats.shortest.unwrap_or(0),
        stats.longest,
        stats.random_plies
    );
    show_components(&stats);
    show_terminations(&stats);
    show_scores(&stats);
    let millions = total.plies as f64 / seconds.max(1e-6) / 1e6;
    println!("\nread in {seconds:.2} s, {millions:.1} million plies/s");
    Ok(())
}

fn show_components(stats: &Stats) {
    println!(
        "\n{:<15} {:>9} {:>11} {:>11} {:>9} {:>9} {:>9}",
        "starts", "games", "plies", "kept", "White", "drawn", "Black"
    );
    for (component, counts) in &stats.components {
        let Counts { games, plies, kept, white_wins, draws, black_wins } = counts;
        println!(
            "{component:<15} {games:>9} {plies:>11} {kept:>11} {white_wins:>9} {draws:>9} {black_wins:>9}"
        );
    }
}

fn show_terminations(stats: &Stats) {
    let rows = TERMINATIONS.iter().zip(stats.terminations).filter(|(_, count)| *count > 0);
    let rows: Vec<_> = rows.map(|(name, count)| ((*name).to_owned(), count)).collect();
    show_shares(["end", "games"], &rows);
}

fn show_scores(stats: &Stats) {
    let mut from = 0;
    let row = |(below, count)| {
        let name = match from {
            _ if below == Value::MAX => "mates".to_owned(),
            _ if below > MATE_BOUND => format!("{from} and more"),
            _ => format!("{from} to {}", below - 1),
        };
        from = below;
        (name, count)
    };
    let rows: Vec<_> = Stats::CLASSES.into_iter().zip(stats.scores).map(row).collect();
    show_shares(["score", "plies"], &rows);
}

/// Prints a table of counts with percentages.
fn show_shares([what, of]: [&str; 2], rows: &[(String, u64)]) {
    println!("\n{what:<15} {of:>9} {:>6}", "%");
    let all: u64 = rows.iter().map(|(_, count)| count).sum();
    for (name, count) in rows {
        println!("{name:<15} {count:>9} {:>6.1}", 100.0 * *count as f64 / all.max(1) as f64);
    }
}

fn verify_all(files: &[PathBuf]) -> anyhow::Result<()> {
    let mut problems = 0;
    for path in files {
        let mut shown = 0;
        let report = verify(path, &mut |problem| {
            shown += 1;
            if shown <= MAX_SHOWN {
                println!("{}: {problem}", path.display());
            }
        })?;
        if shown > MAX_SHOWN {
            println!("{}: {} more problems", path.display(), shown - MAX_SHOWN);
        }
        problems += report.problems;
        println!("{}: {}", path.display(), summary(&report.counts));
        let unknown = report.counts.games - report.with_settings;
        if unknown > 0 {
            println!(
                "{}: for {unknown} games, adjudications could not be checked, because no manifest with \
                 the adjudication scores was found",
                path.display()
            );
        }
    }
    if problems > 0 {
        bail!("{problems} problems");
    }
    println!("no problems");
    Ok(())
}

fn view(files: &[PathBuf], wanted: u32, in_uci: bool) -> anyhow::Result<()> {
    let mut text = String::new();
    for path in files {
        scan_game(path, wanted, &mut |block, game| {
            let shown = on_board!(block.board, |G| describe::<G>(game, in_uci))?;
            text += &format!("game {wanted} of set {:08x}\n{shown}\n", block.set);
            Ok(())
        })?;
    }
    if let (true, Some(path)) = (text.is_empty(), files.first()) {
        bail!("there is no game {wanted} in '{}'", path.display());
    }
    super::output::print(format_args!("{text}"));
    Ok(())
}

/// Formats a game as text, with one line for each ply.
fn describe<G: Board>(game: &StoredGame, in_uci: bool) -> Result<String, DataError> {
    let mut position = game.start::<G>()?;
    let (component, ending) = (game.component, described(game.termination));
    let mut text = format!("{component}, {ending}\n{}\n", game.fen);
    for (number, ply) in game.plies().enumerate() {
        let mv = game.legal_move(&position, number, ply)?;
        let dots = if position.side_to_move() == Color::White { "." } else { "..." };
        let name = if in_uci { uci(&position, mv, true) } else { san(&position, mv) };
        let count = format!("{}{dots}", position.fullmove_number());
        let score = if ply.is_random() { "random".to_owned() } else { score_text(ply.score()) };
        let mark = if Filter::default().keeps(number, ply) { "  kept" } else { "" };
        text += &format!("{count:>6} {name:<9} {score:>8}{mark}\n");
        position.make(mv);
    }
    Ok(text)
}

/// Formats a score in pawns, or a mate score as the number of moves to mate.
fn score_text(score: Value) -> String {
    if score.abs() <= MATE_BOUND {
        return format!("{:+.2}", f64::from(score) / 100.0);
    }
    let moves = (MATE - score.abs() + 1) / 2;
    format!("{}#{moves}", if score < 0 { "-" } else { "" })
}
