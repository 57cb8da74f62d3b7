//! What could have been played instead: variations beside the turns of a game.
//!
//! They are kept as a file has them: lines of turns, each turn with the lines that stand for it.
//! What could have been played instead of the first turn of a line stands beside the line.

use std::mem::take;

use serde::{Deserialize, Serialize};

use crate::game::Turn;

/// Turns that were not played, one after the other.
pub type Variation = Vec<VariationTurn>;

/// A turn of a variation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VariationTurn {
    /// A placement, or a move in UCI notation.
    pub uci: String,
    pub san: String,
    /// As in a [`Note`](super::Note).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// What could have been tried instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

impl From<&Turn> for VariationTurn {
    fn from(turn: &Turn) -> VariationTurn {
        let (uci, san) = (turn.uci.clone(), turn.san.clone());
        let (mark, nags, comment, variations) = (None, Vec::new(), None, Vec::new());
        VariationTurn { uci, san, mark, nags, comment, variations }
    }
}

/// The line that begins a path of turns, and for how many of them it is the path.
fn begun(lines: &[Variation], path: &[String]) -> Option<(usize, usize)> {
    let first = path.first()?;
    let index = lines.iter().position(|line| line.first().is_some_and(|one| one.uci == *first))?;
    let pairs = lines[index].iter().zip(path);
    Some((index, pairs.take_while(|(turn, uci)| turn.uci == **uci).count()))
}

/// Adds the turns that are not there yet.
pub(super) fn add(lines: &mut Vec<Variation>, turns: &[Turn]) {
    let path: Vec<String> = turns.iter().map(|turn| turn.uci.clone()).collect();
    match begun(lines, &path) {
        None if turns.is_empty() => {}
        None => lines.push(turns.iter().map(VariationTurn::from).collect()),
        Some((index, same)) => {
            let (line, rest) = (&mut lines[index], &turns[same..]);
            match line.get_mut(same) {
                Some(there) => add(&mut there.variations, rest),
                None => line.extend(rest.iter().map(VariationTurn::from)),
            }
        }
    }
}

/// Takes the last turn of a path away, with all that follows it; says whether it was there.
pub(super) fn remove(lines: &mut Vec<Variation>, path: &[String]) -> bool {
    let Some((index, same)) = begun(lines, path) else { return false };
    let line = &mut lines[index];
    if same < path.len() {
        let there = line.get_mut(same);
        return there.is_some_and(|there| remove(&mut there.variations, &path[same..]));
    }
    let last = same - 1;
    if last == 0 {
        lines.remove(index);
        return true;
    }
    // The first of those that stood for it goes on in its place.
    let mut others = take(&mut line[last].variations);
    line.truncate(last);
    if !others.is_empty() {
        let mut next = others.remove(0);
        if let Some(first) = next.first_mut() {
            first.variations = others;
        }
        line.extend(next);
    }
    true
}

/// Gives the line in which a path ends the place of the one that it stands for, or, if it stands
/// for none, the first place; says whether it was there.
pub(super) fn promote(lines: &mut [Variation], path: &[String]) -> bool {
    let Some((index, same)) = begun(lines, path) else { return false };
    let rest = &path[same..];
    if rest.is_empty() {
        lines[..=index].rotate_right(1);
        return true;
    }
    let line = &mut lines[index];
    let Some(there) = line.get_mut(same) else { return false };
    let Some((branch, along)) = begun(&there.variations, rest) else { return false };
    if along < rest.len() {
        return promote(&mut there.variations, rest);
    }
    let mut others = take(&mut there.variations);
    let mut chosen = others.remove(branch);
    others.insert(0, line.split_off(same));
    chosen[0].variations = others;
    line.extend(chosen);
    true
}

/// Divides lines into those that another turn begins, and what follows this turn in the others.
pub(super) fn divide(lines: Vec<Variation>, uci: &str) -> (Vec<Variation>, Vec<Variation>) {
    let begins = |line: &Variation| line.first().is_some_and(|first| first.uci == uci);
    let (same, others): (Vec<_>, Vec<_>) = lines.into_iter().partition(begins);
    (others, same.into_iter().flat_map(|mut line| beside(line.split_off(1))).collect())
}

/// A line, and beside it what stands for its first turn; nothing for a line without turns.
pub(super) fn beside(mut line: Variation) -> Vec<Variation> {
    let Some(first) = line.first_mut() else { return Vec::new() };
    let others = take(&mut first.variations);
    let mut lines = vec![line];
    lines.extend(others.into_iter().flat_map(beside));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn turns(text: &str) -> Vec<Turn> {
        let turn = |uci: String| Turn { san: uci.clone(), uci, placement: false };
        path(text).into_iter().map(turn).collect()
    }

    /// As in a PGN: `a b (c) d | e`.
    fn text(lines: &[Variation]) -> String {
        let line = |line: &Variation| {
            let mut words = Vec::new();
            for turn in line {
                words.push(turn.uci.clone());
                words.extend(
                    turn.variations
                        .iter()
                        .map(|other| format!("({})", text(std::slice::from_ref(other)))),
                );
            }
            words.join(" ")
        };
        lines.iter().map(line).collect::<Vec<_>>().join(" | ")
    }

    fn tree() -> Vec<Variation> {
        let mut lines = Vec::new();
        for added in ["a b c", "a b d e", "a b d f", "g h", "a b c", "a x"] {
            add(&mut lines, &turns(added));
        }
        lines
    }

    #[test]
    fn turns_are_added_once() {
        assert_eq!(text(&tree()), "a b (x) c (d e (f)) | g h");
        let mut lines = tree();
        add(&mut lines, &[]);
        add(&mut lines, &turns("g h i j"));
        assert_eq!(text(&lines), "a b (x) c (d e (f)) | g h i j");
    }

    #[test]
    fn what_stood_for_a_turn_that_goes_takes_its_place() {
        for (gone, left) in [
            ("a b c", "a b (x) d e (f) | g h"),
            ("a b d", "a b (x) c | g h"),
            ("a b d e", "a b (x) c (d f) | g h"),
            ("a b", "a x | g h"),
            ("a", "g h"),
            ("g h", "a b (x) c (d e (f)) | g"),
        ] {
            let mut lines = tree();
            assert!(remove(&mut lines, &path(gone)), "{gone}");
            assert_eq!(text(&lines), left, "{gone}");
        }
        let mut lines = tree();
        for nowhere in ["b", "a b c d", "a c"] {
            assert!(!remove(&mut lines, &path(nowhere)) && !promote(&mut lines, &path(nowhere)));
        }
        assert_eq!(lines, tree());
    }

    #[test]
    fn a_line_takes_the_place_of_the_one_it_stands_for() {
        for (chosen, expected) in [
            ("g h", "g h | a b (x) c (d e (f))"),
            ("a x", "a x (b c (d e (f))) | g h"),
            ("a b d e", "a b (x) d (c) e (f) | g h"),
            ("a b d f", "a b (x) c (d f (e)) | g h"),
        ] {
            let mut lines = tree();
            assert!(promote(&mut lines, &path(chosen)), "{chosen}");
            assert_eq!(text(&lines), expected, "{chosen}");
        }
    }

    #[test]
    fn a_turn_that_is_played_leaves_what_follows_it() {
        let (others, following) = divide(tree(), "a");
        assert_eq!((text(&others), text(&following)), ("g h".into(), "b c (d e (f)) | x".into()));
    }
}
