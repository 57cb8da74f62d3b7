//! `aleator start`: prints start positions by number, at random, or all of them.

use std::fmt::Display;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::fairness::{self, EvaluateArgs};
use super::output;
use super::resumable::read_input;
use crate::random::fresh_seed;
use crate::rules::{SetupKind, Variant};
use crate::setup::Record;
use crate::start::fischer_benko::RootByDie;
use crate::start::{BlackBackRank, NumberError, Numbering, Rng, SetupStart, Start};
use crate::tools::fairness::FairnessRow;
use crate::types::Score;

/// Arguments of `aleator start`.
#[derive(Args, Debug)]
pub(super) struct StartArgs {
    /// Variant, or `dfrc`: chess960 with different back ranks (double Fischer random). Chess960 by
    /// default.
    #[arg(long, value_name = "VARIANT", value_parser = str::parse::<Numbering>)]
    variant: Option<Numbering>,
    /// The start with this number: Chess960 and IFRC 0..959 by Scharnagl (518 is the standard back
    /// rank), Fischer-Benko White's * 960 + Black's, transcendental White's * 2880 + Black's,
    /// Jepps 0..2879.
    #[arg(long, conflicts_with_all = ["random", "all"])]
    number: Option<u64>,
    /// A uniformly random start.
    #[arg(long, conflicts_with = "all")]
    random: bool,
    /// All starts, in the order of their numbers.
    #[arg(long)]
    all: bool,
    /// With --random: the random seed; the same seed always gives the same starts.
    #[arg(long, requires = "random")]
    seed: Option<u64>,
    /// With --random: the number of starts.
    #[arg(long, default_value_t = 1, requires = "random")]
    count: u64,
    /// Black's back rank: as White's, reversed (a-file to h-file), or its own (with chess960: double
    /// Fischer random).
    #[arg(long, value_parser = black())]
    black: Option<BlackBackRank>,
    /// The start of the setup instead: random pieces on the board, the rest in hand.
    #[arg(long, conflicts_with = "black")]
    setup: bool,
    /// Fischer-Benko and transcendental: the random part by rolls of one die, such as 1,2,2,3,3,5. The
    /// meaning of each roll is printed to standard error.
    #[arg(long, value_name = "ROLLS", value_delimiter = ',', conflicts_with_all = ["number", "random", "all", "black"])]
    dice: Option<Vec<String>>,
    /// The starts that result from records of setups in the inventors' notations; '-' reads them from
    /// standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["number", "random", "all", "black", "setup", "dice"])]
    from_notation: Option<String>,
    /// Format of a start [default: FEN; with --number, its number, back rank and FEN].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print JSON, one object per line: variant, number, array, fen; with --number --evaluate also the
    /// evaluation.
    #[arg(long, conflicts_with_all = ["format", "setup", "dice", "from_notation"])]
    json: bool,
    #[command(flatten)]
    evaluation: EvaluateArgs,
}

fn black() -> impl TypedValueParser<Value = BlackBackRank> {
    let names = PossibleValuesParser::new(BlackBackRank::ALL.map(BlackBackRank::name));
    names.map(|name| BlackBackRank::named(&name).unwrap_or(BlackBackRank::Own))
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Format {
    /// The complete FEN.
    Fen,
    /// Four fields, and the number as an `id`.
    Epd,
    /// White's pieces from the a-file on; Black's after a slash if they differ.
    Array,
    /// A record of a setup that leads to the start, in the inventor's notation.
    Notation,
}

impl StartArgs {
    fn numbering(&self) -> Numbering {
        self.variant.unwrap_or(Numbering::of(Variant::Chess960))
    }

    fn variant(&self) -> Variant {
        self.numbering().variant()
    }

    /// The numbered list that --number and --all refer to.
    fn listed(&self) -> Result<Numbering, NumberError> {
        self.black.map_or(Ok(self.numbering()), |black| Numbering::new(self.variant(), black))
    }
}

pub(super) fn run(arguments: &StartArgs) -> anyhow::Result<()> {
    let EvaluateArgs { evaluate, units, shard, .. } = &arguments.evaluation;
    if *evaluate && arguments.number.is_none() {
        if arguments.json {
            bail!("--json is for single starts: a table of all is CSV");
        }
        if !arguments.all || units.file().is_none() {
            bail!("--evaluate needs --number N, or --all and --out FILE for a table of all");
        }
        return fairness::run(&arguments.evaluation, arguments.listed()?);
    }
    if units.out.is_some() || !shard.is_whole() {
        bail!("--out and --shard are for tables: add --all --evaluate");
    }
    if let (true, Some(number)) = (arguments.evaluation.evaluate, arguments.number) {
        return write_evaluation(arguments, number);
    }
    let mut output = BufWriter::new(output::stdout());
    if let Some(file) = &arguments.from_notation {
        write_records(arguments, file, &mut output)
    } else if let Some(rolls) = &arguments.dice {
        write_rolled(arguments, rolls, &mut output)
    } else if arguments.setup {
        write_setups(arguments, &mut output)
    } else {
        write_starts(arguments, &mut output)
    }?;
    Ok(output.flush()?)
}

fn write_starts(arguments: &StartArgs, output: &mut impl Write) -> anyhow::Result<()> {
    let variant = arguments.variant();
    let listed = arguments.listed()?;
    if let Some(number) = arguments.number {
        return write(output, arguments, &listed.start(number)?, listed);
    }
    if arguments.all {
        return listed.all().try_for_each(|start| write(output, arguments, &start, listed));
    }
    if arguments.random {
        let is_usual = arguments.black.is_none() && listed == Numbering::of(variant);
        let drawn = if is_usual { Numbering::drawn(variant) } else { listed };
        let mut rng = Rng::new(arguments.seed.unwrap_or_else(fresh_seed));
        return (0..arguments.count)
            .try_for_each(|_| write(output, arguments, &drawn.random(&mut rng), drawn));
    }
    write(output, arguments, &Start::standard(variant), listed)
}

/// A start as JSON or as text.
#[derive(Serialize)]
struct StartRecord {
    variant: &'static str,
    number: Option<u64>,
    array: String,
    fen: String,
    /// The evaluation, if requested.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    evaluation: Option<StartEvaluation>,
}

#[derive(Serialize)]
struct StartEvaluation {
    /// White's score.
    score: Score,
    /// White's chances to win, draw and lose, in permille.
    wdl: [u32; 3],
    best: String,
    depth: i32,
}

impl StartRecord {
    fn new(
        start: &Start,
        numbering: Numbering,
        evaluation: Option<StartEvaluation>,
    ) -> StartRecord {
        let (variant, number) = (start.variant().name(), numbering.number(start));
        StartRecord { variant, number, array: start.to_string(), fen: start.fen(), evaluation }
    }

    /// Writes the start as text with a label on each line, or as JSON.
    fn write(&self, output: &mut impl Write, is_json: bool) -> anyhow::Result<()> {
        if is_json {
            return Ok(writeln!(output, "{}", serde_json::to_string(self)?)?);
        }
        if let Some(number) = self.number {
            writeln!(output, "number    {number}")?;
        }
        writeln!(output, "back rank {}\nFEN       {}", self.array, self.fen)?;
        if let Some(StartEvaluation { score, wdl, best, depth }) = &self.evaluation {
            let [win, draw, loss] = wdl.map(|permille| f64::from(permille) / 10.0);
            writeln!(output, "score     {score} for White at depth {depth}, best move {best}")?;
            writeln!(output, "chances   White wins {win} %, draw {draw} %, Black wins {loss} %")?;
        }
        Ok(())
    }
}

/// Writes the start with this number and its evaluation.
fn write_evaluation(arguments: &StartArgs, number: u64) -> anyhow::Result<()> {
    let listed = arguments.listed()?;
    let Some(row) = arguments.evaluation.row(listed, number)? else {
        bail!("the search was interrupted");
    };
    let FairnessRow { score, wdl, best, depth, .. } = row;
    let evaluation = Some(StartEvaluation { score, wdl, best, depth });
    let record = StartRecord::new(&listed.start(number)?, listed, evaluation);
    record.write(&mut output::stdout(), arguments.json)
}

fn write(
    output: &mut impl Write,
    arguments: &StartArgs,
    start: &Start,
    numbering: Numbering,
) -> anyhow::Result<()> {
    let is_asked_for = arguments.number.is_some() && arguments.format.is_none();
    if arguments.json || is_asked_for {
        return StartRecord::new(start, numbering, None).write(output, arguments.json);
    }
    let format = arguments.format.unwrap_or(Format::Fen);
    if format == Format::Notation {
        let record = Record::of_start(start).with_context(|| {
            format!("{} has no setup, so there is no notation for it", start.variant())
        })?;
        // Records can have several lines, so there is an empty line between them.
        return Ok(writeln!(output, "{record}\n")?);
    }
    let number = numbering.number(start);
    let line = match (format, number) {
        (Format::Fen, _) => start.fen(),
        (Format::Array | Format::Notation, _) => start.to_string(),
        (Format::Epd, None) => start.epd(),
        (Format::Epd, Some(number)) => format!("{} id \"{number}\";", start.epd()),
    };
    Ok(writeln!(output, "{line}")?)
}

fn write_setups(arguments: &StartArgs, output: &mut impl Write) -> anyhow::Result<()> {
    let variant = arguments.variant();
    let mut line = |text: &dyn Display| -> anyhow::Result<()> { Ok(writeln!(output, "{text}")?) };
    if let Some(number) = arguments.number {
        return line(&SetupStart::numbered(variant, number)?.fen());
    }
    if arguments.all {
        return (0..SetupStart::count(variant)?)
            .try_for_each(|number| line(&SetupStart::numbered(variant, number)?.fen()));
    }
    let mut rng = Rng::new(arguments.seed.unwrap_or_else(fresh_seed));
    (0..arguments.count).try_for_each(|_| line(&SetupStart::random(variant, &mut rng)?.fen()))
}

/// Writes the start of a setup determined by rolls of one die.
fn write_rolled(
    arguments: &StartArgs,
    rolls: &[String],
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let variant = arguments.variant();
    let mut root = RootByDie::new();
    if !variant.rules().setup.is_some_and(SetupKind::has_random_part) {
        bail!(
            "{variant} has no random part that one die can determine; fischerbenko and \
             transcendental have one"
        );
    }
    for (number, text) in (1..).zip(rolls) {
        let die = text.parse().with_context(|| format!("roll {number}"))?;
        let Ok(meaning) = root.roll(die) else {
            bail!("roll {number} is one too many: the random part is complete");
        };
        eprintln!("{meaning}");
    }
    match (root.roots(), root.request()) {
        (Some(roots), _) => {
            Ok(writeln!(output, "{}", SetupStart::of_roots(variant, roots)?.fen())?)
        }
        (None, request) => {
            let wanted = request.map_or_else(String::new, |request| request.to_string());
            bail!("there are too few rolls: {wanted}")
        }
    }
}

/// Writes the starts that result from records.
fn write_records(arguments: &StartArgs, file: &str, output: &mut impl Write) -> anyhow::Result<()> {
    let (bytes, _) = read_input(Path::new(file))?;
    let text = String::from_utf8(bytes).with_context(|| format!("cannot read '{file}'"))?;
    for record in Record::read_all(&text, arguments.variant.map(Numbering::variant))? {
        match arguments.format.unwrap_or(Format::Fen) {
            Format::Fen => writeln!(output, "{}", record.fen())?,
            Format::Notation => writeln!(output, "{record}\n")?,
            _ => {
                let start = record.start().context(
                    "the setup in the record is not finished: print it as FEN or notation",
                )?;
                write(output, arguments, &start, Numbering::drawn(start.variant()))?;
            }
        }
    }
    Ok(())
}
