//! `aleator annotate`: games with what the engine thinks of them.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::{interrupt, output};
use crate::engine::nodes_per_second;
use crate::files::{IfExists, NewFile};
use crate::lab::annotate::{Annotator, Findings};
use crate::pgn::{PgnError, PgnGame, Reader};
use crate::search::{Control, Limits};

/// Arguments of `aleator annotate`.
#[derive(Args, Debug)]
pub(super) struct AnnotateArgs {
    /// The games, of any variant, as PGN.
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// How deep each position is searched.
    #[arg(long, conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// With how many nodes each position is searched.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Where the annotated games go; standard output if nothing is said.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on in the file that an interrupted run has left.
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Replace the file if it exists.
    #[arg(long, requires = "out")]
    force: bool,
    /// Annotate the K-th of N parts of the games; the parts, one behind the other, are the whole.
    #[arg(long, value_name = "K/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
    /// Memory for the engine's table in MiB; it belongs to what the annotation depends on.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let read = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    let fits = |&(k, n): &(u64, u64)| (1..=n).contains(&k) && n <= 1_000_000;
    read.filter(fits).ok_or_else(|| format!("'{text}' is no part such as 3/8, the third of eight"))
}

/// The games of the file, broken ones named and passed over.
struct Games {
    reader: Reader<BufReader<File>>,
    /// Whether broken games are to be named.
    is_loud: bool,
}

impl Games {
    fn open(path: &Path, is_loud: bool) -> anyhow::Result<Games> {
        let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        Ok(Games { reader: Reader::new(BufReader::with_capacity(1 << 16, file)), is_loud })
    }

    fn next(&mut self) -> anyhow::Result<Option<PgnGame>> {
        for read in &mut self.reader {
            match read {
                Ok(game) => return Ok(Some(game)),
                Err(PgnError::Game(broken)) if self.is_loud => {
                    eprintln!("aleator: passed over: {broken}");
                }
                Err(PgnError::Game(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }
}

/// Where annotated games go.
enum Sink {
    Stdout,
    File(File),
}

impl Sink {
    fn add(&mut self, text: &str) -> io::Result<()> {
        match self {
            // A game at a time, so that an interruption leaves whole games.
            Sink::File(file) => file.write_all(text.as_bytes()).and_then(|()| file.flush()),
            Sink::Stdout => {
                output::print(format_args!("{text}"));
                Ok(())
            }
        }
    }
}

pub(super) fn run(arguments: &AnnotateArgs) -> anyhow::Result<()> {
    let limits = match arguments.depth {
        Some(depth) => Limits { depth: Some(depth), ..Limits::default() },
        None => Limits { nodes: Some(arguments.nodes), ..Limits::default() },
    };
    let mut games = Games::open(&arguments.games, true)?;
    let range = range_of(arguments)?;
    for _ in 0..range.start {
        games.next()?;
    }
    let (mut sink, done) = open_sink(arguments, &mut games)?;
    let control = Arc::new(Control::default());
    let stop = control.clone();
    interrupt::on_next(move || stop.stop.store(true, Relaxed));
    let mut annotator = Annotator::new(limits, arguments.hash.into());
    let (began, mut total, mut count) = (Instant::now(), Findings::default(), done);
    while range.start + count < range.end
        && let Some(mut game) = games.next()?
    {
        let Some(findings) = annotator.annotate(&mut game, &control)? else {
            let how = match arguments.out {
                Some(_) => interrupt::how_to_go_on(arguments.resume, true),
                None => "With --out FILE the work could go on.".to_owned(),
            };
            bail!("interrupted after {count} games. {how}");
        };
        sink.add(&game.to_string()).map_err(|error| anyhow!("cannot write the games: {error}"))?;
        if output::failed() {
            break;
        }
        count += 1;
        let [white, black] = findings.sides;
        eprintln!("game {}: White {white}, Black {black}", range.start + count);
        total.add(&findings);
    }
    summary(&total, count - done, began);
    Ok(())
}

fn summary(total: &Findings, games: u64, began: Instant) {
    let [white, black] = total.sides;
    let rate = nodes_per_second(total.nodes, began.elapsed());
    eprintln!(
        "{games} games, {} positions, {} nodes, {rate} nodes a second",
        total.positions, total.nodes
    );
    eprintln!("White {white}, Black {black}, together {}", white.and(&black));
}

/// Which games are annotated, counted from 0.
fn range_of(arguments: &AnnotateArgs) -> anyhow::Result<std::ops::Range<u64>> {
    let Some((part, parts)) = arguments.shard else { return Ok(0..u64::MAX) };
    let mut games = Games::open(&arguments.games, false)?;
    let mut count = 0;
    while games.next()?.is_some() {
        count += 1;
    }
    Ok((part - 1) * count / parts..part * count / parts)
}

/// Opens what is written to. Of a file that is gone on with, whole games stay, and as many are taken
/// from the input.
fn open_sink(arguments: &AnnotateArgs, games: &mut Games) -> anyhow::Result<(Sink, u64)> {
    let Some(path) = &arguments.out else { return Ok((Sink::Stdout, 0)) };
    let cannot = || format!("cannot write '{}'", path.display());
    if !arguments.resume || !path.exists() {
        NewFile::create(path, IfExists::forced(arguments.force))?.finish()?;
        let file = OpenOptions::new().append(true).open(path).with_context(cannot)?;
        return Ok((Sink::File(file), 0));
    }
    let (count, length) = whole_games(path, games)?;
    let file = OpenOptions::new().append(true).open(path).with_context(cannot)?;
    file.set_len(length).with_context(cannot)?;
    Ok((Sink::File(file), count))
}

/// How many whole games of the input stand in a file, and how many bytes they have.
fn whole_games(path: &Path, games: &mut Games) -> anyhow::Result<(u64, u64)> {
    let mut written = Games::open(path, false)?;
    let mut bytes = BufReader::new(File::open(path)?);
    let (mut count, mut length) = (0, 0);
    while let Some(game) = written.next()? {
        // What we write is read and written again as it is; half a game is not.
        let text = game.to_string();
        let mut found = vec![0; text.len()];
        if bytes.read_exact(&mut found).is_err() || found != text.as_bytes() {
            break;
        }
        let same = games.next()?.is_some_and(|source| is_same(&source, &game));
        if !same {
            bail!(
                "'{}' cannot be gone on with: its game {} is not that of the games to annotate; \
                 --force begins anew",
                path.display(),
                count + 1
            );
        }
        (count, length) = (count + 1, length + text.len() as u64);
    }
    Ok((count, length))
}

/// Whether two games have the same beginning and the same turns.
fn is_same(one: &PgnGame, other: &PgnGame) -> bool {
    let steps =
        |game: &PgnGame| game.line.turns.iter().map(|node| node.step.clone()).collect::<Vec<_>>();
    one.start.fen() == other.start.fen() && steps(one) == steps(other)
}
