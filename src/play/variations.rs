//! The variations of a game: adding, removing and promoting lines.
//!
//! Variations are stored as in PGN. A variation is a line of turns, and each turn contains the variations
//! that replace this turn. A variation that replaces the first turn of another variation is stored next to
//! the other variation, in the same list.

use std::mem::take;

use serde::{Deserialize, Serialize};

use crate::game::Turn;

/// A line of turns that were not played.
pub type Variation = Vec<VariationTurn>;

/// A turn of a variation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VariationTurn {
    /// A placement, or a move in UCI notation.
    pub uci: String,
    pub san: String,
    /// The annotation symbol, such as `?!`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Whether the engine added the turn, as part of a better line in a review.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_engine: bool,
    /// Variations that replace this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

impl VariationTurn {
    fn new(turn: &Turn, by_engine: bool) -> VariationTurn {
        let (uci, san) = (turn.uci.clone(), turn.san.clone());
        let (mark, nags, comment, variations) = (None, Vec::new(), None, Vec::new());
        VariationTurn { uci, san, mark, nags, comment, by_engine, variations }
    }
}

/// Finds the line that begins with the same turn as `path`. Returns the index of the line, and the number
/// of turns that are the same in line and path.
fn begun(lines: &[Variation], path: &[String]) -> Option<(usize, usize)> {
    let first = path.first()?;
    let index = lines.iter().position(|line| line.first().is_some_and(|one| one.uci == *first))?;
    let pairs = lines[index].iter().zip(path);
    Some((index, pairs.take_while(|(turn, uci)| turn.uci == **uci).count()))
}

/// Adds a line of turns to the variations. Turns that the variations already contain are not added again.
/// `by_engine` says whether the engine adds the line.
pub(super) fn add(lines: &mut Vec<Variation>, turns: &[Turn], by_engine: bool) {
    let path: Vec<String> = turns.iter().map(|turn| turn.uci.clone()).collect();
    match begun(lines, &path) {
        None if turns.is_empty() => {}
        None => lines.push(turns.iter().map(|turn| VariationTurn::new(turn, by_engine)).collect()),
        Some((index, same)) => {
            let (line, rest) = (&mut lines[index], &turns[same..]);
            match line.get_mut(same) {
                Some(there) => add(&mut there.variations, rest, by_engine),
                None => line.extend(rest.iter().map(|turn| VariationTurn::new(turn, by_engine))),
            }
        }
    }
}

/// Removes the turns that the engine added, except those that lead to other turns.
pub(super) fn remove_engine_lines(lines: &mut Vec<Variation>) {
    for line in lines.iter_mut() {
        line.iter_mut().for_each(|turn| remove_engine_lines(&mut turn.variations));
        let is_kept = |turn: &VariationTurn| !turn.by_engine || !turn.variations.is_empty();
        line.truncate(line.iter().rposition(is_kept).map_or(0, |last| last + 1));
    }
    lines.retain(|line| !line.is_empty());
}

/// Returns the last turn of a path, or `None` if the path does not exist.
pub(super) fn find<'a>(
    lines: &'a mut [Variation],
    path: &[String],
) -> Option<&'a mut VariationTurn> {
    let (index, same) = begun(lines, path)?;
    let line = &mut lines[index];
    if same == path.len() {
        return line.get_mut(same - 1);
    }
    find(&mut line.get_mut(same)?.variations, &path[same..])
}

/// Removes the last turn of a path and all turns that follow. Returns whether the path existed.
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
    // The first variation that replaces the removed turn becomes the continuation of the line.
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

/// Promotes the variation in which a path ends: swaps the variation with the line that it replaces, or
/// moves a top-level variation to the front. Returns whether the path existed.
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

/// Splits lines by their first turn. Returns the lines that start with another turn than `uci`, and the
/// continuations after `uci` of the lines that start with `uci`.
pub(super) fn divide(lines: Vec<Variation>, uci: &str) -> (Vec<Variation>, Vec<Variation>) {
    let begins = |line: &Variation| line.first().is_some_and(|first| first.uci == uci);
    let (same, others): (Vec<_>, Vec<_>) = lines.into_iter().partition(begins);
    (others, same.into_iter().flat_map(|mut line| with_alternatives(line.split_off(1))).collect())
}

/// Returns a line, followed by the variations that replace its first turn, as separate lines. Returns no
/// lines if the line is empty.
pub(super) fn with_alternatives(mut line: Variation) -> Vec<Variation> {
    let Some(first) = line.first_mut() else { return Vec::new() };
    let others = take(&mut first.variations);
    let mut lines = vec![line];
    lines.extend(others.into_iter().flat_map(with_alternatives));
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

    /// Formats lines like PGN, such as `a b (c) d | e`, with variations in parentheses.
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
            add(&mut lines, &turns(added), false);
        }
        lines
    }

    #[test]
    fn turns_are_added_once() {
        assert_eq!(text(&tree()), "a b (x) c (d e (f)) | g h");
        let mut lines = tree();
        add(&mut lines, &[], false);
        add(&mut lines, &turns("g h i j"), false);
        assert_eq!(text(&lines), "a b (x) c (d e (f)) | g h i j");
    }

    #[test]
    fn the_engines_lines_can_be_removed() {
        let mut lines = tree();
        for added in ["k l", "a b d g", "g h i"] {
            add(&mut lines, &turns(added), true);
        }
        add(&mut lines, &turns("k m n"), false);
        add(&mut lines, &turns("g h"), true);
        assert_eq!(text(&lines), "a b (x) c (d e (f) (g)) | g h i | k l (m n)");
        remove_engine_lines(&mut lines);
        // A turn of the engine stays where a person's variation replaces the turn.
        assert_eq!(text(&lines), "a b (x) c (d e (f)) | g h | k l (m n)");
    }

    #[test]
    fn a_turn_is_found_by_its_path() {
        for (way, found) in [
            ("a b c", Some("c")),
            ("a b d f", Some("f")),
            ("a x", Some("x")),
            ("a b x", None),
            ("h", None),
        ] {
            let mut lines = tree();
            assert_eq!(find(&mut lines, &path(way)).map(|turn| turn.uci.as_str()), found, "{way}");
        }
    }

    #[test]
    fn a_variation_takes_the_place_of_a_removed_turn() {
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
    fn a_promoted_line_takes_the_place_of_the_one_it_replaces() {
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
    fn playing_a_turn_keeps_its_continuations() {
        let (others, following) = divide(tree(), "a");
        assert_eq!((text(&others), text(&following)), ("g h".into(), "b c (d e (f)) | x".into()));
    }
}
