//! Translation of moves that contain piece letters of other languages, figurines or other non-ASCII
//! characters.

use std::borrow::Cow;

/// The English piece letters: king, queen, rook, bishop and knight.
const ENGLISH: [&str; 5] = ["K", "Q", "R", "B", "N"];

/// The piece letters of other languages: king, queen, rook, bishop and knight. They are taken from the PGN
/// standard, with Russian added. Languages with the same letters share a row. If a game can be read equally
/// well with several rows, the first of these rows is used.
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

/// Translates a move from the piece letters of a language into English.
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
            // An English piece letter that the language does not use must not be read as a piece.
            None if ENGLISH.contains(&&rest[..length]) => "_",
            None => &rest[..length],
        };
        rest = &rest[length..];
    }
    text
}

/// Replaces figurines, dashes, crosses and other non-ASCII characters of a move by ASCII characters.
pub(super) fn plain(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return word.into();
    }
    let mut text = String::new();
    for letter in word.chars() {
        match letter {
            '♔'..='♘' => text += ENGLISH[letter as usize - '♔' as usize],
            '♚'..='♞' => text += ENGLISH[letter as usize - '♚' as usize],
            // Pawns have no letter. The other characters are variation selectors and invisible characters.
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
