//! The contents of comments: text, and commands such as `[%clk 0:01:00]` for programs.

use std::fmt;
use std::time::Duration;

use crate::start::jepps::Roll;
use crate::types::{Color, Score};

/// The comment on the first move of a variation that the engine added to a reviewed game.
pub const ENGINE_LINE: &str = "Aleator";

/// The contents of all comments at one place of a game. If a command occurs several times, the last
/// occurrence counts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notes {
    /// The roll of the dice that offered the piece placed: `[%dice 1 6]`.
    pub dice: Option<Roll>,
    /// A program's evaluation of the position: `[%eval 0.31]`.
    pub eval: Option<Eval>,
    /// The time left on the mover's clock: `[%clk 0:04:57.3]`.
    pub clock: Option<Duration>,
    /// The mover's thinking time: `[%emt 0:00:01.5]`.
    pub spent: Option<Duration>,
    /// The texts of the comments, without line breaks. Unknown commands remain in the texts.
    pub texts: Vec<String>,
}

/// A program's evaluation of a position, and the depth of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eval {
    /// The score from White's point of view.
    pub score: Score,
    pub depth: Option<u32>,
}

impl fmt::Display for Eval {
    /// Writes the value of the command `[%eval ...]`, such as `0.31`, `#-3` or `1.05,22`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.score {
            Score::Centipawns(score) => {
                let sign = if score < 0 { "-" } else { "" };
                let size = score.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)?;
            }
            Score::Mate(moves) => write!(f, "#{moves}")?,
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

impl Eval {
    /// Parses the value of the command `[%eval ...]`.
    fn read(text: &str) -> Option<Eval> {
        let (score, depth) = match text.split_once(',') {
            Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
            None => (text, None),
        };
        let score = match score.trim().strip_prefix('#') {
            Some(moves) => Score::Mate(moves.parse().ok()?),
            None => {
                let pawns: f64 = score.trim().parse().ok()?;
                let centipawns = (pawns * 100.0).round();
                Score::Centipawns((centipawns.abs() < 1e9).then_some(centipawns as i32)?)
            }
        };
        Some(Eval { score, depth })
    }
}

/// A time in hours, minutes and seconds: `1:02:03.4`.
struct Clock(Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (seconds, millis) = (self.0.as_secs(), self.0.subsec_millis());
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        if millis == 0 {
            return Ok(());
        }
        f.write_str(format!(".{millis:03}").trim_end_matches('0'))
    }
}

impl Clock {
    /// Parses a time such as `1:02:03.4`, `2:03` or `3.4`. Fractions of a millisecond are dropped.
    fn read(text: &str) -> Option<Duration> {
        let mut seconds = 0_u64;
        let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
        if whole.split(':').count() > 3 {
            return None;
        }
        for part in whole.split(':') {
            seconds = seconds * 60 + u64::from(part.parse::<u32>().ok()?);
        }
        if fraction.is_empty() || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
        Some(Duration::from_secs(seconds) + Duration::from_millis(digits.parse().ok()?))
    }
}

impl Notes {
    /// Whether there are no notes.
    pub fn is_empty(&self) -> bool {
        *self == Notes::default()
    }

    /// Adds a comment, given the text between the braces. Known commands are removed from the text and stored
    /// as numbers. The scores and times that match runners write after a move are removed and stored as well.
    pub(super) fn read(&mut self, comment: &str, mover: Option<Color>) {
        let mut text = String::new();
        let mut rest = comment;
        while let Some(at) = rest.find("[%") {
            let length = rest[at..].find(']').map_or(rest.len() - at, |end| end + 1);
            text += &rest[..at];
            let command = &rest[at..at + length];
            if self.command(command).is_some() {
                text.push(' ');
            } else {
                text += command;
            }
            rest = &rest[at + length..];
        }
        text += rest;
        let said = mover.and_then(|mover| self.read_match_comment(text.trim(), mover));
        self.say(&said.unwrap_or(text));
    }

    /// Parses a comment that Cute Chess, fastchess or Aleator writes after a move in a match, such as
    /// `+0.44/12 0.5s`, `0.5s` or `-M4/9 0.1s, White mates`. Scores are from the mover's point of view; the
    /// distance to mate is in plies. Returns the text after the numbers, or `None` if the comment has a
    /// different form.
    fn read_match_comment(&mut self, text: &str, mover: Color) -> Option<String> {
        let (numbers, rest) = text.split_once(',').unwrap_or((text, ""));
        let (score, time) = match numbers.split_once(' ') {
            Some((score, time)) => (Some(score), time),
            None => (None, numbers),
        };
        let spent = Clock::read(time.strip_suffix('s')?)?;
        if let Some(score) = score {
            let (score, depth) = score.split_once('/')?;
            let depth = Some(depth.parse().ok()?);
            let score = match score.trim_start_matches(['+', '-']).strip_prefix('M') {
                Some(plies) => {
                    let moves = plies.parse::<i32>().ok()?.checked_add(1)? / 2;
                    Score::Mate(if score.starts_with('-') { -moves } else { moves })
                }
                None => Eval::read(score)?.score,
            };
            self.eval = Some(Eval { score: score.for_white(mover), depth });
        }
        self.spent = Some(spent);
        Some(rest.to_owned())
    }

    /// Adds a text after replacing every run of whitespace by a single space.
    pub fn say(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        if !words.is_empty() {
            self.texts.push(words.join(" "));
        }
    }

    /// Parses and stores a command such as `[%clk 0:01:00]`. Returns `None` if the command is unknown.
    fn command(&mut self, text: &str) -> Option<()> {
        let (name, value) =
            text.strip_prefix("[%")?.strip_suffix(']')?.split_once(char::is_whitespace)?;
        match name {
            "dice" => self.dice = Some(value.parse().ok()?),
            "eval" => self.eval = Some(Eval::read(value)?),
            "clk" => self.clock = Some(Clock::read(value)?),
            "emt" => self.spent = Some(Clock::read(value)?),
            _ => return None,
        }
        Some(())
    }

    /// Returns the comments to write to PGN, without braces. The comments contain all commands and texts.
    pub(crate) fn comments(&self) -> Vec<String> {
        let commands = [
            self.dice.map(|roll| format!("[%dice {roll}]")),
            self.eval.map(|eval| format!("[%eval {eval}]")),
            self.clock.map(|clock| format!("[%clk {}]", Clock(clock))),
            self.spent.map(|spent| format!("[%emt {}]", Clock(spent))),
        ];
        let mut first: Vec<String> = commands.into_iter().flatten().collect();
        let mut texts = self.texts.iter().cloned();
        if first.is_empty() {
            return texts.collect();
        }
        first.extend(texts.next());
        [first.join(" ")].into_iter().chain(texts).collect()
    }
}
