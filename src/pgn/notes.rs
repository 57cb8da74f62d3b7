//! What comments say: text, and the commands `[%...]` in it that programs read.

use std::fmt;
use std::time::Duration;

use crate::engine::Score;
use crate::start::jepps::Roll;
use crate::types::Color;

/// What is said at one place. Of commands of one kind the last counts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notes {
    /// What the dice showed that offered the piece: `[%dice 1 6]`.
    pub dice: Option<Roll>,
    /// What a program thinks of the position: `[%eval 0.31]`.
    pub eval: Option<Eval>,
    /// What the mover had left on the clock: `[%clk 0:04:57.3]`.
    pub clock: Option<Duration>,
    /// How long the mover has thought: `[%emt 0:00:01.5]`.
    pub spent: Option<Duration>,
    /// Comments, each without line breaks; other commands stand in them as they are.
    pub texts: Vec<String>,
}

/// What a position is worth, and how deep the search was that says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eval {
    /// For White.
    pub score: Score,
    pub depth: Option<u32>,
}

impl fmt::Display for Eval {
    /// As in the command: `0.31`, `#-3`, `1.05,22`.
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
    /// Reads what `Display` writes.
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

/// Hours, minutes and seconds, `1:02:03.4`.
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
    /// Reads `1:02:03.4`, `2:03` or `3.4`, to thousandths.
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
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Notes::default()
    }

    /// Takes a comment, the text between its braces: commands that we know are taken out of it, and
    /// what match runners write behind a side's move.
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
        let said = mover.and_then(|mover| self.opinion(text.trim(), mover));
        self.say(&said.unwrap_or(text));
    }

    /// Takes what Cute Chess, fastchess and we say of a move in a match: `+0.44/12 0.5s`, `0.5s`,
    /// `-M4/9 0.1s, White mates`. The score is the mover's, a mate in plies. What else stands there
    /// comes back; nothing if it is no such comment.
    fn opinion(&mut self, text: &str, mover: Color) -> Option<String> {
        let (numbers, rest) = text.split_once(',').unwrap_or((text, ""));
        let (opinion, time) = match numbers.split_once(' ') {
            Some((opinion, time)) => (Some(opinion), time),
            None => (None, numbers),
        };
        let spent = Clock::read(time.strip_suffix('s')?)?;
        if let Some(opinion) = opinion {
            let (score, depth) = opinion.split_once('/')?;
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

    /// Adds a text. Of blanks and line breaks one blank stays.
    pub fn say(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        if !words.is_empty() {
            self.texts.push(words.join(" "));
        }
    }

    /// Takes a command such as `[%clk 0:01:00]`; nothing if it is none of ours.
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

    /// The comments that say all this, without their braces.
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
