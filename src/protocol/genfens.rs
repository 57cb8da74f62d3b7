//! What follows `genfens`.

use super::command::{CommandError, UciCommand};
use super::words::{Integer, Words};
use crate::session;
use crate::tools::opening::{Genfens, MAX_PLIES, PLIES};

/// Reads `N seed S book None|FILE` and the extra words, in any order after the number.
pub(super) fn parse(words: &mut Words) -> Result<UciCommand, CommandError> {
    let count = number(words, "genfens")?;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut order = Genfens { count, seed: 0, book: None, starts: None, plies: PLIES };
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
            "seed" => order.seed = number(words, last)?,
            "book" => order.book = Some(text(words, last)?).filter(|name| !is_none(name)),
            "variant" => order.starts = Some(text(words, last)?.parse()?),
            _ => {
                let found = words.peek();
                let plies = u16::try_from(number(words, last)?).ok();
                let fits = plies.filter(|plies| *plies <= MAX_PLIES);
                order.plies = fits.ok_or_else(|| CommandError::form("genfens", found, last))?;
            }
        }
    }
    Ok(UciCommand::Session(session::Command::Genfens(order)))
}

/// The word by which OpenBench says that there is no book.
fn is_none(name: &str) -> bool {
    name.eq_ignore_ascii_case("none")
}

fn text(words: &mut Words, after: &'static str) -> Result<String, CommandError> {
    let word = words.next().map(str::to_owned);
    word.ok_or_else(|| CommandError::form("genfens", None, after))
}

fn number(words: &mut Words, after: &'static str) -> Result<u64, CommandError> {
    let word = words.next();
    match word.and_then(Integer::parse) {
        Some(Integer { negative: false, size }) => Ok(size),
        _ => Err(CommandError::form("genfens", word, after)),
    }
}
