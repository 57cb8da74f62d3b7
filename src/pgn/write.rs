//! Writing games as text.

use std::fmt::{self, Write};

use super::line::verdict_word;
use super::{MoveLine, MoveNode, Notes, PgnGame};
use crate::game::{Outcome, Step};
use crate::start::BlackBackRank;
use crate::types::Color;

/// The maximum length of a line of movetext. The PGN standard asks for fewer than 80 columns.
const WIDTH: usize = 79;

/// The rank on which White places its pieces.
const WHITES_RANK: char = '1';

/// Builds the text of a game: the tags, then the movetext broken into lines.
#[derive(Default)]
pub struct PgnText {
    text: String,
    column: usize,
    /// The last move number written, or `None` if the next turn must be written with a move number.
    number: Option<u32>,
    /// Whether the next word is the first of a variation.
    opened: bool,
}

impl PgnText {
    /// Writes a tag.
    pub fn tag(&mut self, name: &str, value: &str) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value: String = value.chars().filter(|letter| !letter.is_control()).collect();
        let _ = writeln!(self.text, "[{name} \"{value}\"]"); // writing to a String cannot fail
    }

    /// Writes the blank line between tags and moves.
    pub fn end_tags(&mut self) {
        self.text.push('\n');
    }

    /// Writes a turn. Writes the move number too, unless the number follows from the text before.
    pub fn turn(&mut self, number: u32, color: Color, san: &str) {
        if self.number.replace(number) != Some(number) {
            let dots = if color == Color::White { "." } else { "..." };
            self.word(&format!("{number}{dots}"));
        }
        self.word(san);
    }

    /// Writes a comment in braces, on one line if it fits. If the comment contains a closing brace, writes a
    /// semicolon, the comment and a line break instead.
    pub fn comment(&mut self, text: &str) {
        if text.contains('}') {
            let words: Vec<&str> = text.split_whitespace().collect();
            self.word(&format!(";{}", words.join(" ")));
            self.text.push('\n');
            self.column = 0;
            return;
        }
        let braced = format!("{{{text}}}");
        if braced.chars().count() <= WIDTH {
            self.word(&braced);
        } else {
            braced.split(' ').for_each(|word| self.word(word));
        }
    }

    /// Writes the result after the moves and returns the whole text.
    pub fn end(mut self, result: Option<Outcome>) -> String {
        self.word(result.map_or("*", Outcome::text));
        self.text + "\n\n"
    }

    fn word(&mut self, word: &str) {
        let opening = if std::mem::take(&mut self.opened) { "(" } else { "" };
        let length = opening.len() + word.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text += opening;
        self.text += word;
        self.column += length;
    }

    /// Begins a variation.
    fn open(&mut self) {
        (self.opened, self.number) = (true, None);
    }

    /// Ends a variation.
    fn close(&mut self) {
        if self.column >= WIDTH {
            self.text.push('\n');
            self.column = 0;
        }
        self.text.push(')');
        self.column += 1;
        self.number = None;
    }

    fn notes(&mut self, notes: &Notes) {
        notes.comments().iter().for_each(|comment| self.comment(comment));
    }

    fn line(&mut self, line: &MoveLine, mut place: Place) {
        self.notes(&line.notes);
        for node in &line.turns {
            let before = place;
            self.node(node, &mut place);
            for variation in &node.variations {
                self.open();
                self.line(variation, before);
                self.close();
            }
        }
    }

    fn node(&mut self, node: &MoveNode, place: &mut Place) {
        match &node.step {
            Step::Verdict(verdict) => {
                self.word(verdict_word(*verdict));
                place.decide(*verdict);
            }
            Step::Turn(turn) => {
                if turn.placement {
                    place.color =
                        if turn.san.ends_with(WHITES_RANK) { Color::White } else { Color::Black };
                }
                self.turn(place.number, place.color, &turn.san);
                place.number += u32::from(place.color == Color::Black);
                // The colour of a placement follows from the rank of its square. After the last
                // placement, White is to move.
                place.color = if turn.placement { Color::White } else { !place.color };
            }
        }
        node.nags.iter().for_each(|nag| self.word(&format!("${nag}")));
        self.notes(&node.notes);
    }
}

/// The move number and the colour of the next turn.
#[derive(Clone, Copy)]
struct Place {
    number: u32,
    color: Color,
}

impl Place {
    /// Skips Black's eight placements, unless Black places its own back rank.
    const fn decide(&mut self, verdict: BlackBackRank) {
        if !matches!(verdict, BlackBackRank::Own) {
            *self = Place { number: self.number + 8, color: Color::White };
        }
    }
}

impl fmt::Display for PgnGame {
    /// Writes the game as PGN, with a blank line at the end.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = PgnText::default();
        let result = self.result.map_or("*", Outcome::text);
        for (name, value) in self.tags.iter() {
            text.tag(name, if name.eq_ignore_ascii_case("Result") { result } else { value });
        }
        if !self.tags.is_empty() {
            text.end_tags();
        }
        text.line(
            &self.line,
            Place { number: self.start.number(), color: self.start.side_to_move() },
        );
        f.write_str(&text.end(self.result))
    }
}
