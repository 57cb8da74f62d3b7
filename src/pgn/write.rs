//! Games as text.

use std::fmt::{self, Write};

use super::line::verdict_word;
use super::{MoveLine, MoveNode, Notes, PgnGame};
use crate::game::{Outcome, Step};
use crate::start::BlackBackRank;
use crate::types::Color;

/// Columns of a line of moves; the standard wants fewer than 80.
const WIDTH: usize = 79;

/// What the rank is on which White places.
const WHITES_RANK: char = '1';

/// The text of a game coming about: its tags, then its moves, broken into lines.
#[derive(Default)]
pub struct PgnText {
    text: String,
    column: usize,
    /// The number of the move, if it was written.
    number: Option<u32>,
    /// What comes next is the first of a variation.
    opened: bool,
}

impl PgnText {
    /// A tag.
    pub fn tag(&mut self, name: &str, value: &str) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value: String = value.chars().filter(|letter| !letter.is_control()).collect();
        let _ = writeln!(self.text, "[{name} \"{value}\"]"); // a String takes everything
    }

    /// The blank line between tags and moves.
    pub fn end_tags(&mut self) {
        self.text.push('\n');
    }

    /// A turn, with its number where that does not follow from what was written before.
    pub fn turn(&mut self, number: u32, color: Color, san: &str) {
        if self.number.replace(number) != Some(number) {
            let dots = if color == Color::White { "." } else { "..." };
            self.word(&format!("{number}{dots}"));
        }
        self.word(san);
    }

    /// A comment, on one line if it fits there. One with a closing brace, which would end it within
    /// braces, stands behind a semicolon and goes on to the end of its line.
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

    /// The end of the moves, and the whole text.
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

    /// A variation begins.
    fn open(&mut self) {
        (self.opened, self.number) = (true, None);
    }

    /// A variation ends.
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
                // After the last placement White moves.
                place.color = if turn.placement { Color::White } else { !place.color };
            }
        }
        node.nags.iter().for_each(|nag| self.word(&format!("${nag}")));
        self.notes(&node.notes);
    }
}

/// Which move comes next, and whose it is.
#[derive(Clone, Copy)]
struct Place {
    number: u32,
    color: Color,
}

impl Place {
    /// Black's eight placements are none if White's array decides them.
    const fn decide(&mut self, verdict: BlackBackRank) {
        if !matches!(verdict, BlackBackRank::Own) {
            *self = Place { number: self.number + 8, color: Color::White };
        }
    }
}

impl fmt::Display for PgnGame {
    /// The game as a file has it, with a blank line at the end.
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
