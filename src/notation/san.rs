//! Standard algebraic notation (SAN; PGN standard, section 8.2.3), on either board.
//!
//! A king's relocation in Jepps Random Chess is written like any king move: `Kg1`.

use super::{CastlingSide, Illegality, MoveError, castle, illegal, last_square};
use crate::geometry::Board;
use crate::position::Position;
use crate::text::shorten;
use crate::types::{Move, Role, Square};

/// Writes a legal move in SAN, with `+` or `#`.
pub fn san<G: Board>(position: &Position<G>, mv: Move) -> String {
    let mut text = without_check(position, mv);
    let after = position.after(mv);
    if after.in_check() {
        text.push(if after.has_legal_move() { '+' } else { '#' });
    }
    text
}

fn without_check<G: Board>(position: &Position<G>, mv: Move) -> String {
    let (from, to) = (mv.from::<G>(), mv.to::<G>());
    if position.is_castling(mv) {
        return CastlingSide::of(from, to).san().to_owned();
    }
    let mark = if position.is_capture(mv) { "x" } else { "" };
    let role = position.moved_piece(mv).role();
    if role != Role::Pawn {
        return format!("{}{}{mark}{to}", role.letter(), origin(position, mv, role));
    }
    let mut text = match mark {
        "" => to.to_string(),
        _ => format!("{}x{to}", file_letter(from)),
    };
    if position.is_promotion(mv) {
        text.push('=');
        text.push(mv.promoted().letter());
    }
    text
}

/// Returns the part of the origin square that distinguishes the moving piece from other pieces of the same
/// role that can move to the target square. Returns an empty text if there is no other such piece. Otherwise
/// returns the file if the file suffices, or else the rank if the rank suffices, or else file and rank.
fn origin<G: Board>(position: &Position<G>, mv: Move, role: Role) -> String {
    let (from, to) = (mv.from::<G>(), mv.to::<G>());
    let rivals: Vec<Square<G>> = position
        .legal_moves()
        .into_iter()
        .filter(|other| other.to::<G>() == to && position.moved_piece(*other).role() == role)
        .map(|other| other.from::<G>())
        .filter(|square| *square != from)
        .collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        file_letter(from).to_string()
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        (from.rank() + 1).to_string()
    } else {
        from.to_string()
    }
}

fn file_letter<G: Board>(square: Square<G>) -> char {
    (b'a' + square.file()) as char
}

/// The parts of a move in SAN, except castling.
struct Parts<G: Board> {
    role: Role,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square<G>,
    promotion: Option<char>,
}

impl<G: Board> Parts<G> {
    /// Returns whether the origin file and rank in the text, if given, match this square.
    fn comes_from(&self, square: Square<G>) -> bool {
        // A pawn move without a file is a step straight ahead.
        let straight = (self.role == Role::Pawn).then_some(self.to.file());
        self.file.or(straight).is_none_or(|file| file == square.file())
            && self.rank.is_none_or(|rank| rank == square.rank())
    }
}

/// Parses a move in SAN.
///
/// The parser accepts missing, wrong and superfluous marks (`+`, `#`, `x`, `!?`, `e.p.`, `ch`), zeros in
/// castling, `e8Q`, `e8/Q` and `e8(Q)` for `e8=Q`, an origin that is longer than necessary, `-` and `:`, and
/// `k`, `q`, `r` and `n` for `K`, `Q`, `R` and `N` (`b` is a file). It rejects illegal moves and texts that
/// fit more than one legal move.
pub fn parse_san<G: Board>(position: &Position<G>, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    if text.starts_with(['k', 'q', 'r', 'n']) {
        let upper = text[..1].to_ascii_uppercase() + &text[1..];
        if let Ok(mv) = parse_san(position, &upper) {
            return Ok(mv);
        }
    }
    if let Some(side) = CastlingSide::parse(text) {
        return castle(position, side, text);
    }
    let Some(parts) = read_parts::<G>(text) else {
        return Err(MoveError::Unreadable { text: shorten(text), expected: expected::<G>() });
    };
    let mut candidates: Vec<Square<G>> = position
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.to::<G>() == parts.to && !position.is_castling(*mv))
        .map(|mv| mv.from::<G>())
        .filter(|from| position.role(parts.role).contains(*from) && parts.comes_from(*from))
        .collect();
    candidates.dedup(); // four promotions leave the same square
    match candidates[..] {
        [] => Err(unreachable_target(position, &parts)),
        [from] => illegal::legal_move(position, from, parts.to, parts.promotion),
        _ => {
            let candidates = name_all(position, &parts, &candidates);
            return Err(MoveError::Ambiguous { text: shorten(text), candidates });
        }
    }
    .map_err(|reason| MoveError::Illegal { text: shorten(text), reason })
}

/// Explains why no piece that fits the text can move to the target.
fn unreachable_target<G: Board>(position: &Position<G>, parts: &Parts<G>) -> Illegality {
    let color = position.side_to_move();
    let fitting: Vec<Square<G>> = position
        .pieces(color, parts.role)
        .into_iter()
        .filter(|from| *from != parts.to && parts.comes_from(*from))
        .collect();
    let mut reasons = fitting.iter().map(|from| illegal::of_move(position, *from, parts.to));
    let telling = match fitting.len() {
        1 => reasons.next(),
        // If several pieces fit the text, explain the move of a piece that only a pin or check keeps from
        // moving.
        _ => reasons.find(|reason| matches!(reason, Illegality::LeavesInCheck { .. })),
    };
    telling.unwrap_or_else(|| Illegality::NoSuchPiece {
        color,
        role: parts.role,
        square: parts.to.to_string(),
    })
}

/// Lists the candidate moves, as in `Nbd2 or Nfd2`.
fn name_all<G: Board>(
    position: &Position<G>,
    parts: &Parts<G>,
    candidates: &[Square<G>],
) -> String {
    // List the moves even if the promotion letter is missing, wrong or superfluous.
    let letters = [parts.promotion, Some('q'), None];
    let names: Vec<String> = candidates
        .iter()
        .filter_map(|from| {
            letters
                .iter()
                .find_map(|letter| illegal::legal_move(position, *from, parts.to, *letter).ok())
        })
        .map(|mv| san(position, mv))
        .collect();
    names.join(" or ")
}

fn read_parts<G: Board>(text: &str) -> Option<Parts<G>> {
    let body = without_marks(text);
    let piece = body.chars().next().filter(char::is_ascii_uppercase);
    let role = piece.map_or(Some(Role::Pawn), Role::from_letter)?;
    let body = &body[piece.map_or(0, char::len_utf8)..];
    let (body, promotion) = split_promotion(body);

    let target = body.rfind(|letter: char| letter.is_ascii_lowercase())?;
    let to = Square::parse(&body[target..])?;
    let origin = body[..target].trim_end_matches(['x', ':', '-']);
    let (file, rank) = match origin.chars().next().filter(char::is_ascii_lowercase) {
        Some(letter) => (Some(letter as u8 - b'a'), &origin[1..]),
        None => (None, origin),
    };
    if file.is_some_and(|file| file >= G::FILES) {
        return None;
    }
    let rank = match rank {
        "" => None,
        digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            Some(digits.parse::<u8>().ok()?.checked_sub(1).filter(|rank| *rank < G::RANKS)?)
        }
        _ => return None,
    };
    Some(Parts { role, file, rank, to, promotion })
}

/// Strips check marks, annotations and `e.p.` from the end of a text.
pub(crate) fn without_marks(text: &str) -> &str {
    const WORDS: [&str; 6] = ["e.p", "ep", "ch", "dis", "dbl", "mate"];
    let mut rest = text;
    loop {
        let shorter = rest.trim_end().trim_end_matches(['+', '#', '!', '?', '.', ',']);
        let shorter = WORDS.iter().find_map(|word| shorter.strip_suffix(word)).unwrap_or(shorter);
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

/// Splits `e8=Q`, `e8(Q)` or `e8Q` into the square and the letter.
fn split_promotion(text: &str) -> (&str, Option<char>) {
    let unclosed = text.strip_suffix(')').unwrap_or(text);
    let mut chars = unclosed.chars();
    match chars.next_back().filter(|letter| Role::from_letter(*letter).is_some()) {
        Some(letter) => (chars.as_str().trim_end_matches(['=', '(', '/']), Some(letter)),
        None => (text, None),
    }
}

fn expected<G: Board>() -> String {
    format!(
        "expected a piece (K, Q, R, B, N, or none for a pawn) and the square it goes to (a1 to \
         {}), such as Nf3, exd5, Nbd2, e8=Q; or O-O, O-O-O",
        last_square::<G>()
    )
}
