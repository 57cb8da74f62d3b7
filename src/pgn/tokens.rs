//! A line of moves cut into words.

/// A piece of a line of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A move, a number, a result, or what nobody knows.
    Word(&'a str),
    /// A numeric annotation glyph.
    Nag(u16),
    /// A variation begins.
    Open,
    /// A variation ends.
    Close,
    /// What stands behind a semicolon.
    Comment(&'a str),
    /// A comment begins that ends with a brace, maybe on another line.
    Brace,
}

/// What annotators write instead of the numbers of glyphs.
const SIGNS: [(&str, u16); 20] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("⩱", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("+−", 18),
    ("-+", 19),
    ("−+", 19),
];

/// The number that PGN has for a sign such as `?!`.
pub fn sign(text: &str) -> Option<u16> {
    SIGNS.iter().find(|(sign, _)| *sign == text).map(|(_, nag)| *nag)
}

/// The sign of how good a move is, from `!` to `?!`, that has this number.
pub fn move_sign(nag: u16) -> Option<&'static str> {
    SIGNS.iter().find(|(_, number)| *number == nag && nag <= 6).map(|(sign, _)| *sign)
}

/// The first token of a line and how many bytes it and the blanks before it have; nothing if only
/// blanks are left.
pub(super) fn next(line: &str) -> Option<(Token<'_>, usize)> {
    let text = line.trim_start();
    let blanks = line.len() - text.len();
    let first = text.chars().next()?;
    let (token, length) = match first {
        '(' => (Token::Open, 1),
        ')' => (Token::Close, 1),
        '{' => (Token::Brace, 1),
        ';' => (Token::Comment(&text[1..]), text.len()),
        '$' => {
            let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
            let whole = &text[..=digits];
            (whole[1..].parse().map_or(Token::Word(whole), Token::Nag), whole.len())
        }
        '!' | '?' => {
            let marks = text.bytes().take_while(|mark| b"!?".contains(mark)).count();
            // Of more marks than have a meaning the first two count.
            let nag = sign(&text[..marks]).or_else(|| sign(&text[..2])).unwrap_or(1);
            (Token::Nag(nag), marks)
        }
        _ => {
            let ends = |letter: char| letter.is_whitespace() || "(){;$!?".contains(letter);
            let word = &text[..text.find(ends).unwrap_or(text.len())];
            (sign(word).map_or(Token::Word(word), Token::Nag), word.len())
        }
    };
    Some((token, blanks + length))
}

/// A word without the number before it: `12...Nf6` is `Nf6`; of `12.` nothing is left.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.is_empty() {
        rest
    } else if rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}
