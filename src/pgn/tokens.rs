//! Splitting a line of movetext into tokens.

/// A token of movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A move, a move number, a result or something unknown.
    Word(&'a str),
    /// A numeric annotation glyph.
    Nag(u16),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// A comment that ends on the same line: text after a semicolon, or a time, draw offer or command in
    /// brackets.
    Comment(&'a str),
    /// The opening brace of a comment, which may end on another line.
    Brace,
    /// A closing brace outside any comment.
    StrayBrace,
}

/// The symbols for numeric annotation glyphs (NAGs). If a glyph has several symbols, the usual symbol comes
/// first.
const SIGNS: [(&str, u16); 33] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("+−", 18),
    ("-+", 19),
    ("−+", 19),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("□", 7),
    ("~", 13),
    ("=/∞", 44),
    ("∆", 140),
    ("Δ", 140),
    ("⌓", 142),
    ("N", 146),
];

/// The results that may follow a word without a space between.
const RESULTS: [&str; 3] = ["1/2-1/2", "1-0", "0-1"];

/// Returns the numeric annotation glyph of a symbol such as `?!`.
pub fn sign(text: &str) -> Option<u16> {
    SIGNS.iter().find(|(sign, _)| *sign == text).map(|(_, nag)| *nag)
}

/// Returns the symbol, `!` to `?!`, for a numeric annotation glyph that assesses a move.
pub fn move_sign(nag: u16) -> Option<&'static str> {
    SIGNS.iter().find(|(_, number)| *number == nag && nag <= 6).map(|(sign, _)| *sign)
}

/// Returns the first token of a text and the number of bytes up to the end of the token. Returns `None` if
/// the text contains only whitespace.
pub(super) fn next(line: &str) -> Option<(Token<'_>, usize)> {
    let text = line.trim_start();
    let blanks = line.len() - text.len();
    let first = text.chars().next()?;
    let (token, length) = match first {
        '(' | '[' => match bracketed(text) {
            Some((comment, length)) => (Token::Comment(comment), length),
            None if first == '(' => (Token::Open, 1),
            None => (Token::Word("["), 1),
        },
        ')' => (Token::Close, 1),
        '{' => (Token::Brace, 1),
        '}' => (Token::StrayBrace, 1),
        '*' => (Token::Word("*"), 1),
        ';' => (Token::Comment(&text[1..]), text.len()),
        '$' => {
            let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
            let whole = &text[..=digits];
            (whole[1..].parse().map_or(Token::Word(whole), Token::Nag), whole.len())
        }
        '!' | '?' => {
            let marks = text.bytes().take_while(|mark| b"!?".contains(mark)).count();
            // If all the marks together are not a known symbol, use the first two marks.
            let nag = sign(&text[..marks]).or_else(|| sign(&text[..2])).unwrap_or(1);
            (Token::Nag(nag), marks)
        }
        _ => {
            let word = word(text);
            (sign(word).map_or(Token::Word(word), Token::Nag), word.len())
        }
    };
    Some((token, blanks + length))
}

/// Returns the comment in brackets at the beginning of a text, and the number of bytes including the
/// brackets. The comment is a time such as `(0:05)` or `(0:05/0:12)`, a draw offer `(=)`, a command
/// `[%clk 0:05]`, or any text in square brackets. Returns `None` for a variation, or if the closing bracket
/// is too far away.
fn bracketed(text: &str) -> Option<(&str, usize)> {
    // The limits keep a line full of opening brackets from taking quadratic time.
    let (closing, longest) = if text.starts_with('(') { (b')', 30) } else { (b']', 200) };
    let within = &text.as_bytes()[..text.len().min(longest)];
    let end = within.iter().position(|byte| *byte == closing)?;
    let inner = text[1..end].trim();
    let is_time = || {
        (inner.contains(':') || inner.ends_with('s'))
            && inner.starts_with(|letter: char| letter.is_ascii_digit())
            && inner.chars().all(|letter| "0123456789:./ s".contains(letter))
    };
    match text.as_bytes()[0] {
        b'[' if inner.starts_with('%') => Some((&text[..=end], end + 1)),
        b'(' if inner != "=" && !is_time() => None,
        _ => Some((inner, end + 1)),
    }
}

/// Returns the first word of a text, without an annotation symbol or result attached to the end of the word.
fn word(text: &str) -> &str {
    let ends = |letter: char| letter.is_whitespace() || "(){}[;$!?*".contains(letter);
    let mut length = text.find(ends).unwrap_or(text.len());
    // The parentheses of a promotion such as `e8(Q)` belong to the word.
    let mut behind = text[length..].chars();
    if let (Some('('), Some(letter), Some(')')) = (behind.next(), behind.next(), behind.next())
        && letter.is_alphabetic()
    {
        length = text.len() - behind.as_str().len();
    }
    let word = &text[..length];
    if sign(word).is_some() {
        return word;
    }
    let is_sign_like = |letter: char| "=+-~".contains(letter) || !letter.is_ascii();
    let signs = SIGNS.iter().map(|(sign, _)| *sign).filter(|sign| *sign != "N");
    let endings = RESULTS.into_iter().chain(signs.filter(|_| word.ends_with(is_sign_like)));
    let ending = endings.filter(|end| word.len() > end.len() && word.ends_with(end));
    &word[..length - ending.map(str::len).max().unwrap_or(0)]
}

/// Removes the move number from a word: `12...Nf6` and `12Nf6` become `Nf6`, and `12.` becomes empty.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(char::is_alphabetic) {
        rest
    } else if rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}
