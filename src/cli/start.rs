//! `aleator start`: prints starting positions by number, at random, or all of them.

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
    /// Variant of the starting positions. `dfrc` (double Fischer random) is chess960 with independent back
    /// ranks for White and Black [default: chess960].
    #[arg(long, value_name = "VARIANT")]
    variant: Option<Numbering>,
    /// Print the starting position with this number. Chess960 and IFRC: 0 to 959 in Scharnagl's numbering,
    /// where 518 is the standard back rank. Jepps: 0 to 2879. Fischer-Benko: 960 times the number of White's
    /// back rank, plus the number of Black's. Transcendental and Pre-Chess: 2880 times the number of White's
    /// back rank, plus the number of Black's.
    #[arg(long, conflicts_with_all = ["random", "all"])]
    number: Option<u64>,
    /// Print random starting positions, all with equal probability.
    #[arg(long, conflicts_with = "all")]
    random: bool,
    /// Print all starting positions in the order of their numbers.
    #[arg(long)]
    all: bool,
    /// Random seed for --random. The same seed always gives the same starting positions.
    #[arg(long, requires = "random")]
    seed: Option<u64>,
    /// Number of random starting positions to print with --random.
    #[arg(long, default_value_t = 1, requires = "random")]
    count: u64,
    /// Black's back rank: the same as White's (`mirror`), White's in reverse order, from the h-file to the
    /// a-file (`reverse`), or independent of White's (`own`; in chess960 this is double Fischer random).
    #[arg(long, value_parser = black())]
    black: Option<BlackBackRank>,
    /// Print starting positions of setup games instead of complete starting positions. Pieces that dice place
    /// before the first turn are on the board, and all other pieces are in hand.
    #[arg(long, conflicts_with = "black")]
    setup: bool,
    /// For fischerbenko and transcendental: print the starting position of a setup game in which these rolls
    /// of one die, such as 1,2,2,3,3,5, place the first pieces. The meaning of each roll is printed to
    /// standard error.
    #[arg(long, value_name = "ROLLS", value_delimiter = ',', conflicts_with_all = ["number", "random", "all", "black"])]
    dice: Option<Vec<String>>,
    /// Input file with records of setup games, in the notation of the variant's inventor. The starting
    /// position that results from each record is printed. `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["number", "random", "all", "black", "setup", "dice"])]
    from_notation: Option<String>,
    /// Output format [default: FEN; with --number: number, back rank and FEN].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print JSON, one object per line, with the fields variant, number, array (the back rank) and fen.
    /// With --number and --evaluate, fields with the evaluation are added.
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
    /// A complete FEN.
    Fen,
    /// EPD: the first four fields of the FEN, and the number of the starting position as `id`.
    Epd,
    /// White's back rank from the a-file to the h-file. If Black's back rank is different, it follows after a
    /// slash.
    Array,
    /// A record of a setup that leads to the starting position, in the notation of the variant's inventor.
    Notation,
}

impl StartArgs {
    fn numbering(&self) -> Numbering {
        self.variant.unwrap_or(Numbering::of(Variant::Chess960))
    }

    fn variant(&self) -> Variant {
        self.numbering().variant()
    }

    /// Returns the numbered list of starting positions to which --number and --all refer.
    fn listed(&self) -> Result<Numbering, NumberError> {
        self.black.map_or(Ok(self.numbering()), |black| Numbering::new(self.variant(), black))
    }
}

pub(super) fn run(arguments: &StartArgs) -> anyhow::Result<()> {
    let EvaluateArgs { evaluate, units, shard, .. } = &arguments.evaluation;
    if *evaluate && arguments.number.is_none() {
        if arguments.json {
            bail!("with --evaluate, --json needs --number N: the table of --all is CSV");
        }
        if !arguments.all || units.file().is_none() {
            bail!("--evaluate needs either --number N, or both --all and --out FILE");
        }
        return fairness::run(&arguments.evaluation, arguments.listed()?);
    }
    if units.out.is_some() || !shard.is_whole() {
        bail!("--out and --shard need --all --evaluate");
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
    let listed = arguments.listed()?;
    if let Some(number) = arguments.number {
        return write(output, arguments, &listed.start(number)?, listed);
    }
    if arguments.all {
        return listed.all().try_for_each(|start| write(output, arguments, &start, listed));
    }
    if arguments.random {
        let drawn = if arguments.black.is_none() { listed.drawn() } else { listed };
        let mut rng = Rng::new(arguments.seed.unwrap_or_else(fresh_seed));
        return (0..arguments.count)
            .try_for_each(|_| write(output, arguments, &drawn.random(&mut rng), drawn));
    }
    write(output, arguments, &Start::standard(listed.variant()), listed)
}

/// A starting position to be printed as JSON or as text.
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
    /// Score of the starting position from White's point of view.
    score: Score,
    /// Probabilities that White wins, draws and loses, in permille.
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

    /// Writes the starting position as text with a label on each line, or as JSON.
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

/// Evaluates the starting position with this number, and writes the position with its evaluation.
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
        // An empty line follows each record, because a record can have several lines.
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

/// Writes the setup before the first placement by a player, after the given rolls of the die that places
/// bishops and rooks.
fn write_rolled(
    arguments: &StartArgs,
    rolls: &[String],
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let variant = arguments.variant();
    let mut root = RootByDie::new();
    if !variant.rules().setup.is_some_and(SetupKind::has_random_part) {
        bail!(
            "--dice is only for fischerbenko and transcendental: {variant} has no random part that is \
             rolled with one die"
        );
    }
    for (number, text) in (1..).zip(rolls) {
        let die = text.parse().with_context(|| format!("roll {number}"))?;
        let Ok(meaning) = root.roll(die) else {
            bail!("there are too many rolls: the random part was complete before roll {number}");
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

/// Writes the starting positions that result from the records of setups in a file.
fn write_records(arguments: &StartArgs, file: &str, output: &mut impl Write) -> anyhow::Result<()> {
    let (bytes, _) = read_input(Path::new(file))?;
    let text = String::from_utf8(bytes).with_context(|| format!("cannot read '{file}'"))?;
    for record in Record::read_all(&text, arguments.variant.map(Numbering::variant))? {
        match arguments.format.unwrap_or(Format::Fen) {
            Format::Fen => writeln!(output, "{}", record.fen())?,
            Format::Notation => writeln!(output, "{record}\n")?,
            _ => {
                let start = record.start().context(
                    "the setup in the record is not finished: add --format fen or --format notation",
                )?;
                write(output, arguments, &start, Numbering::of(start.variant()).drawn())?;
            }
        }
    }
    Ok(())
}
