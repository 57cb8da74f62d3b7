//! The commands `bench` and `genfens`, which OpenBench uses in addition to the UCI protocol.

use crate::protocol::{BENCH, CommandError, CommandForm, UciCommand, Words, read_number};
use crate::session::{Command, Event, ExtraTask, SessionError};
use crate::tools::opening::{Genfens, MAX_PLIES, PLIES};

/// The commands that `aleator` understands in addition to the UCI protocol.
pub(super) static COMMANDS: [CommandForm; 2] = [
    BENCH,
    CommandForm {
        name: "genfens",
        arguments: "<n> seed <n> book None|<file> [variant <name>] [plies 0..200]",
        purpose: "generate openings for OpenBench",
        read: |words| Ok(genfens_task(read_genfens(words)?)),
    },
];

fn genfens_task(request: Genfens) -> UciCommand {
    let task = ExtraTask::new("genfens", true, move |options, control, frontend| {
        let mut print = |fen: &str| frontend.hear(Event::Remark(&format!("genfens {fen}")));
        let done = request.run(options.variant, &control.stop, &mut print);
        done.map_err(|error| SessionError::Extra(error.into()))
    });
    UciCommand::Session(Command::Extra(task))
}

/// Parses the arguments of `genfens`: the number of openings, followed by `seed S`, `book None|FILE`,
/// `variant NAME` and `plies N` in any order.
fn read_genfens(words: &mut Words) -> Result<Genfens, CommandError> {
    let count = read_number(words, "genfens", "genfens")?;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut request = Genfens { count, seed: 0, book: None, starts: None, plies: PLIES };
    let mut last = "genfens";
    while let Some(word) = words.peek() {
        last = match word {
            "seed" => "seed",
            "book" => "book",
            "variant" => "variant",
            "plies" => "plies",
            _ => return Err(CommandError::form("genfens", Some(word), last)),
        };
        words.next();
        match last {
            "seed" => request.seed = read_number(words, "genfens", last)?,
            "book" => request.book = Some(text(words, last)?).filter(|name| !is_none(name)),
            "variant" => {
                let starts = text(words, last)?.parse();
                let error = |error| CommandError::Variant("genfens", error);
                request.starts = Some(starts.map_err(error)?);
            }
            _ => {
                let found = words.peek();
                let plies = u16::try_from(read_number(words, "genfens", last)?).ok();
                let fits = plies.filter(|plies| *plies <= MAX_PLIES);
                request.plies = fits.ok_or_else(|| CommandError::form("genfens", found, last))?;
            }
        }
    }
    Ok(request)
}

/// Returns whether a book name is `None`, which OpenBench writes if there is no book.
fn is_none(name: &str) -> bool {
    name.eq_ignore_ascii_case("none")
}

fn text(words: &mut Words, after: &'static str) -> Result<String, CommandError> {
    let word = words.next().map(str::to_owned);
    word.ok_or_else(|| CommandError::form("genfens", None, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        UciCommand::parse_with(&COMMANDS, line).unwrap_err().to_string()
    }

    #[test]
    fn genfens_is_parsed_as_openbench_writes_it() {
        let read = |words: &str| read_genfens(&mut Words::new(words)).unwrap();
        let request = read("64 seed 17 book None ");
        assert_eq!(
            (request.count, request.seed, request.book, request.starts),
            (64, 17, None, None)
        );
        let request = read("1 seed 2 book Books/a.epd variant dfrc plies 4");
        assert_eq!((request.book.as_deref(), request.plies), (Some("Books/a.epd"), 4));
        assert_eq!(request.starts.map(|starts| starts.name()), Some("dfrc"));
        for (line, wrong) in [
            ("genfens", "found the end of the line after 'genfens'"),
            ("genfens many", "'many'"),
            ("genfens 4 seed -1", "'-1'"),
            ("genfens 4 seed", "after 'seed'"),
            ("genfens 4 book", "after 'book'"),
            ("genfens 4 seed 1 book None plies 201", "'201'"),
            ("genfens 4 seed 1 bok None", "'bok'"),
            (
                "genfens 4 variant draughts",
                "there is no variant 'draughts'; the variants are chess,",
            ),
        ] {
            assert!(error(line).contains(wrong), "{}", error(line));
        }
    }

    #[test]
    fn extra_commands_do_not_shadow_uci_commands() {
        for command in &COMMANDS {
            assert!(crate::protocol::COMMANDS.iter().all(|other| other.name != command.name));
        }
    }
}
