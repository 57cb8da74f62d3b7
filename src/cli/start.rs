//! `aleator start`: start positions by number, at random, or all of them.

use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufWriter, Write};

use clap::{Args, ValueEnum};

use super::CliError;
use crate::rules::Variant;
use crate::start::{BlackArray, Numbering, Rng, SetupStart, Start};

/// Arguments of `aleator start`.
#[derive(Args, Debug)]
pub(super) struct StartArgs {
    /// The game to start.
    #[arg(long, value_name = "VARIANT", default_value = "chess960")]
    variant: Variant,
    /// The start with this number: Chess960 and IFRC 0..959 by Scharnagl (518 is the classical
    /// array), Fischer-Benko White's * 960 + Black's, transcendental White's * 2880 + Black's,
    /// Jepps 0..2879.
    #[arg(long, conflicts_with_all = ["random", "all"])]
    number: Option<u64>,
    /// A start at random, each as likely as any other.
    #[arg(long, conflicts_with = "all")]
    random: bool,
    /// Every start there is, in the order of their numbers.
    #[arg(long)]
    all: bool,
    /// With --random: the same seed gives the same starts, everywhere and always.
    #[arg(long, requires = "random")]
    seed: Option<u64>,
    /// With --random: how many starts.
    #[arg(long, default_value_t = 1, requires = "random")]
    count: u64,
    /// Black's array: as White's, reversed (a-file to h-file), or its own (with chess960: double
    /// Fischer random).
    #[arg(long, value_enum)]
    black: Option<Black>,
    /// The beginning of the set-up phase instead: the random pieces on the board, the rest in hand.
    #[arg(long, conflicts_with = "black")]
    setup: bool,
    /// How to write a start.
    #[arg(long, value_enum, default_value_t = Format::Fen)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Black {
    Mirror,
    Reverse,
    Own,
}

impl From<Black> for BlackArray {
    fn from(black: Black) -> BlackArray {
        match black {
            Black::Mirror => BlackArray::Mirror,
            Black::Reverse => BlackArray::Reverse,
            Black::Own => BlackArray::Own,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Format {
    /// All six fields.
    Fen,
    /// Four fields and the number as an `id`.
    Epd,
    /// White's pieces from the a-file on; Black's after a slash if they differ.
    Array,
}

pub(super) fn run(arguments: &StartArgs) -> Result<(), CliError> {
    let mut output = BufWriter::new(std::io::stdout().lock());
    let result = if arguments.setup {
        write_setups(arguments, &mut output)
    } else {
        write_starts(arguments, &mut output)
    };
    // A reader that has seen enough, such as `head`, is no failure.
    match result.and_then(|()| Ok(output.flush()?)) {
        Err(CliError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn write_starts(arguments: &StartArgs, output: &mut impl Write) -> Result<(), CliError> {
    let variant = arguments.variant;
    let listed = match arguments.black {
        Some(black) => Numbering::new(variant, black.into())?,
        None => Numbering::of(variant),
    };
    if let Some(number) = arguments.number {
        return write(output, arguments.format, &listed.start(number)?, listed);
    }
    if arguments.all {
        return listed.all().try_for_each(|start| write(output, arguments.format, &start, listed));
    }
    if arguments.random {
        let drawn = if arguments.black.is_some() { listed } else { Numbering::drawn(variant) };
        let mut rng = Rng::new(arguments.seed.unwrap_or_else(fresh_seed));
        return (0..arguments.count)
            .try_for_each(|_| write(output, arguments.format, &drawn.random(&mut rng), drawn));
    }
    write(output, arguments.format, &Start::standard(variant), listed)
}

fn write(
    output: &mut impl Write,
    format: Format,
    start: &Start,
    numbering: Numbering,
) -> Result<(), CliError> {
    let number = numbering.number(start);
    let line = match (format, number) {
        (Format::Fen, _) => start.fen(),
        (Format::Array, _) => start.to_string(),
        (Format::Epd, None) => start.epd(),
        (Format::Epd, Some(number)) => format!("{} id \"{number}\";", start.epd()),
    };
    Ok(writeln!(output, "{line}")?)
}

fn write_setups(arguments: &StartArgs, output: &mut impl Write) -> Result<(), CliError> {
    let variant = arguments.variant;
    let mut line = |text: &dyn Display| -> Result<(), CliError> { Ok(writeln!(output, "{text}")?) };
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

/// A seed that differs from call to call: the standard library seeds its hashers from the
/// system's random numbers.
fn fresh_seed() -> u64 {
    RandomState::new().hash_one(std::process::id())
}
