//! Prepares comments for the page: removes commands such as `[%csl]` and `[%cal]`, and returns the coloured
//! squares and arrows that these commands draw. Also parses the squares of turns.

use serde_json::{Value, json};

/// The colours of squares and arrows, with their letters in `[%csl]` and `[%cal]`.
const BRUSHES: [(char, &str); 4] = [('G', "green"), ('R', "red"), ('B', "blue"), ('Y', "yellow")];

/// The maximum number of letters of a comment that a person writes.
const LONGEST: usize = 5_000;

/// Removes the commands from the comments of a turn and of its variations. The squares and arrows that the
/// commands draw are added as `shapes`. The turn is JSON.
pub(super) fn tidy(turn: &mut Value) {
    if let Some(comment) = turn["comment"].as_str() {
        let (text, shapes) = divided(comment);
        turn["comment"] = json!(text);
        turn["shapes"] = json!(shapes);
    }
    let lines = turn.get_mut("variations").and_then(Value::as_array_mut);
    lines.into_iter().flatten().for_each(tidy_line);
}

/// Calls [`tidy`] for all turns of a variation.
pub(super) fn tidy_line(line: &mut Value) {
    line.as_array_mut().into_iter().flatten().for_each(tidy);
}

/// Splits a comment into its text without commands, and the squares and arrows that the commands draw.
pub(super) fn divided(comment: &str) -> (String, Vec<Value>) {
    let (text, commands) = split(comment);
    let drawn = commands.iter().filter_map(|command| command.trim_end_matches(']').split_once(' '));
    let drawn = drawn.filter(|(name, _)| ["[%csl", "[%cal"].contains(name));
    let shapes = drawn.flat_map(|(_, drawn)| drawn.split(',').filter_map(|one| shape(one.trim())));
    (text, shapes.collect())
}

/// Splits a comment into its text without commands, and the commands.
fn split(comment: &str) -> (String, Vec<&str>) {
    let (mut text, mut commands, mut rest) = (String::new(), Vec::new(), comment);
    while let Some(at) = rest.find("[%") {
        let Some(end) = rest[at..].find(']') else { break };
        text += &rest[..at];
        commands.push(&rest[at..=at + end]);
        rest = &rest[at + end + 1..];
    }
    text += rest;
    (text.split_whitespace().collect::<Vec<_>>().join(" "), commands)
}

/// Returns a comment with the text that a person has written and the commands of the old comment. Braces, which
/// PGN cannot contain in comments, become parentheses. Returns `None` if nothing is left.
pub(super) fn rewritten(old: &str, text: &str) -> Option<String> {
    let written = |letter: char| match letter {
        '{' => '(',
        '}' => ')',
        _ if letter.is_control() => ' ',
        _ => letter,
    };
    let text: String = text.chars().take(LONGEST).map(written).collect();
    let (_, commands) = split(old);
    let words: Vec<&str> = commands.into_iter().chain(text.split_whitespace()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Parses a coloured square such as `Gd4`, or an arrow such as `Re2e4`.
fn shape(text: &str) -> Option<Value> {
    let mut letters = text.chars();
    let letter = letters.next()?;
    let (_, brush) = BRUSHES.iter().find(|(known, _)| *known == letter)?;
    let squares = squares_of(letters.as_str());
    let is_square = |square: &String| {
        let rank = square.get(1..).and_then(|rank| rank.parse::<u8>().ok());
        square.starts_with(|file| ('a'..='j').contains(&file)) && matches!(rank, Some(1..=10))
    };
    if !squares.iter().all(is_square) {
        return None;
    }
    let (from, to) = (squares.first()?, squares.last()?);
    Some(json!({ "brush": brush, "from": from, "to": to }))
}

/// Returns the squares of a move in UCI notation or of a placement.
pub(super) fn squares_of(uci: &str) -> Vec<String> {
    if uci.contains('@') {
        return uci
            .split('+')
            .filter_map(|drop| Some(drop.split_once('@')?.1.to_owned()))
            .collect();
    }
    let mut squares: Vec<String> = Vec::new();
    for letter in uci.chars() {
        match squares.last_mut() {
            Some(square) if letter.is_ascii_digit() => square.push(letter),
            _ => squares.push(letter.to_string()),
        }
    }
    squares.truncate(2);
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_turns() {
        for (uci, squares) in [
            ("e2e4", &["e2", "e4"][..]),
            ("b9b10n", &["b9", "b10"]),
            ("e7e8q", &["e7", "e8"]),
            ("N@a1", &["a1"]),
            ("Q@g1+K@f1", &["g1", "f1"]),
        ] {
            assert_eq!(squares_of(uci), squares, "{uci}");
        }
    }

    #[test]
    fn squares_and_arrows_become_shapes_and_leave_the_text() {
        let comment = "Now [%csl Gd4,Rj10] the [%cal Be2e4, Yb9b10] knight [%emt 0:00:01] jumps";
        let (text, shapes) = divided(comment);
        assert_eq!(text, "Now the knight jumps");
        let shape =
            |brush: &str, from: &str, to: &str| json!({ "brush": brush, "from": from, "to": to });
        let expected = [
            shape("green", "d4", "d4"),
            shape("red", "j10", "j10"),
            shape("blue", "e2", "e4"),
            shape("yellow", "b9", "b10"),
        ];
        assert_eq!(shapes, expected);
        for nonsense in ["[%csl Gz9,d4,X]", "[%cal Ge2e44,G]", "[%csl é1]"] {
            assert_eq!(divided(nonsense), (String::new(), Vec::new()), "{nonsense}");
        }
        assert_eq!(divided("[%csl Gd4").0, "[%csl Gd4");
    }

    #[test]
    fn a_rewritten_comment_keeps_its_commands() {
        for (old, text, expected) in [
            ("dull [%csl Gd4] move", " a {fine}\n move ", Some("[%csl Gd4] a (fine) move")),
            ("dull", " ", None),
            ("[%cal Ga1a2", "new", Some("new")),
        ] {
            assert_eq!(rewritten(old, text).as_deref(), expected);
        }
    }

    #[test]
    fn commands_are_removed_from_variations_too() {
        let mut turn = json!({ "variations": [[{ "comment": "a [%csl Gd4]", "variations": [[
            { "comment": "[%cal Ge2e4]" }
        ]] }]] });
        tidy(&mut turn);
        let inner = &turn["variations"][0][0];
        assert_eq!((&inner["comment"], &inner["shapes"][0]["from"]), (&json!("a"), &json!("d4")));
        assert_eq!(inner["variations"][0][0]["comment"], "");
    }
}
