//! Moves in the letters of other languages, in figurines, and in other signs than those of ASCII.

use std::borrow::Cow;

/// King, queen, rook, bishop and knight in English.
const ENGLISH: [&str; 5] = ["K", "Q", "R", "B", "N"];

/// The same pieces in other languages, as the PGN standard has them, and in Russian. One line stands
/// for all languages with these letters. The first that fits a game is taken.
pub(super) const LANGUAGES: [[&str; 5]; 13] = [
    ["K", "D", "T", "L", "S"], // German, Danish, Norwegian, Swedish, Croatian, Slovene
    ["R", "D", "T", "F", "C"], // French
    ["R", "D", "T", "A", "C"], // Spanish, Italian, Catalan
    ["K", "D", "T", "L", "P"], // Dutch
    ["K", "H", "W", "G", "S"], // Polish
    ["K", "D", "V", "S", "J"], // Czech, Slovak
    ["K", "V", "B", "F", "H"], // Hungarian
    ["R", "D", "T", "B", "C"], // Portuguese
    ["R", "D", "T", "N", "C"], // Romanian
    ["K", "D", "T", "L", "R"], // Finnish
    ["K", "D", "H", "B", "R"], // Icelandic
    ["K", "L", "V", "O", "R"], // Estonian
    ["Кр", "Ф", "Л", "С", "К"], // Russian
];

/// A move with the letters of a language in English.
pub(super) fn in_english(word: &str, letters: &[&str; 5]) -> String {
    if word.starts_with("O-O") {
        return word.to_owned();
    }
    let (mut text, mut rest) = (String::new(), word);
    while let Some(first) = rest.chars().next() {
        let found = letters.iter().position(|letter| rest.starts_with(letter));
        let length = found.map_or(first.len_utf8(), |role| letters[role].len());
        text += match found {
            Some(role) => ENGLISH[role],
            // An English letter that the language does not have means nothing in it.
            None if ENGLISH.contains(&&rest[..length]) => "_",
            None => &rest[..length],
        };
        rest = &rest[length..];
    }
    text
}

/// A word in ASCII, as far as its signs have a meaning in PGN: figurines, dashes, crosses.
pub(super) fn plain(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return word.into();
    }
    let mut text = String::new();
    for letter in word.chars() {
        match letter {
            '♔'..='♘' => text += ENGLISH[letter as usize - '♔' as usize],
            '♚'..='♞' => text += ENGLISH[letter as usize - '♚' as usize],
            // A pawn has no letter; the others only say how a sign looks, or nothing.
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' | '\u{200b}'..='\u{200d}' => {}
            '‐'..='―' | '−' => text.push('-'),
            '×' => text.push('x'),
            '½' => text += "1/2",
            '†' | '‡' => text.push('+'),
            _ => text.push(letter),
        }
    }
    text.into()
}
