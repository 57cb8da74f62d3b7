//! Standard algebraic notation, on either board.
//!
//! Castling is `O-O` towards the h-file and `O-O-O` towards the a-file, whatever squares that
//! means; the relocation of Jepps Random Chess is written as the king's move it is (`Kg1`).

use super::{MoveError, castling, castling_side, excerpt};
use crate::attacks::Board;
use crate::position::Position;
use crate::types::{Move, Role, Square};

/// A legal move in SAN, with `+` or `#`.
pub fn san<G: Board>(position: &Position<G>, mv: Move) -> String {
    let mut text = bare(position, mv);
    let next = position.after(mv);
    if next.in_check() {
        text.push(if next.has_legal_move() { '+' } else { '#' });
    }
    text
}

fn bare<G: Board>(position: &Position<G>, mv: Move) -> String {
    let (from, to) = (mv.from::<G>(), mv.to::<G>());
    if position.is_castling(mv) {
        return if to.file() > from.file() { "O-O" } else { "O-O-O" }.to_owned();
    }
    let role = position.moved_piece(mv).role();
    let capture = if position.is_capture(mv) { "x" } else { "" };
    if role == Role::Pawn {
        let file = if capture.is_empty() { String::new() } else { file_name(from) };
        let promotion = match position.is_promotion(mv) {
            true => format!("={}", mv.promoted().letter()),
            false => String::new(),
        };
        return format!("{file}{capture}{to}{promotion}");
    }
    format!("{}{}{capture}{to}", role.letter(), disambiguation(position, mv, role))
}

fn file_name<G: Board>(square: Square<G>) -> String {
    char::from(b'a' + square.file()).to_string()
}

/// The file, the rank or the square of the origin: the first that tells it from other pieces of
/// its kind that could go there too.
fn disambiguation<G: Board>(position: &Position<G>, mv: Move, role: Role) -> String {
    let (from, to) = (mv.from::<G>(), mv.to::<G>());
    let rivals: Vec<Square<G>> = position
        .legal_moves()
        .into_iter()
        .filter(|&other| {
            other.to::<G>() == to
                && other.from::<G>() != from
                && position.moved_piece(other).role() == role
                && !position.is_castling(other)
        })
        .map(|other| other.from())
        .collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        file_name(from)
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        (from.rank() + 1).to_string()
    } else {
        from.to_string()
    }
}

/// What a SAN text says, castling aside.
struct Pattern<G: Board> {
    role: Role,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square<G>,
    promotion: Option<Role>,
}

/// Reads a move in SAN. Checks, captures and marks such as `!?` may be missing or there; a
/// promotion may be written `e8=Q`, `e8Q` or `e8(Q)`; more of the origin than needed is no error.
pub fn parse_san<G: Board>(position: &Position<G>, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    if let Some(short) = castling_side(text) {
        return castling(position, short)
            .ok_or_else(|| MoveError::Castling { text: excerpt(text) });
    }
    let pattern =
        read_pattern::<G>(text).ok_or_else(|| MoveError::NotSan { text: excerpt(text) })?;
    let fits = |mv: &Move| {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        position.moved_piece(*mv).role() == pattern.role
            && to == pattern.to
            && !position.is_castling(*mv)
            && pattern.from_file.is_none_or(|file| from.file() == file)
            && pattern.from_rank.is_none_or(|rank| from.rank() == rank)
    };
    let found: Vec<Move> = position.legal_moves().into_iter().filter(fits).collect();
    let Some(&first) = found.first() else {
        return Err(MoveError::Illegal { text: excerpt(text) });
    };
    let promotes = position.is_promotion(first);
    match pattern.promotion {
        None if promotes => return Err(MoveError::PromotionMissing { text: excerpt(text) }),
        Some(_) if !promotes => {
            return Err(MoveError::PromotionNeedless { text: excerpt(text) });
        }
        _ => {}
    }
    let mut chosen =
        found.iter().filter(|mv| !promotes || pattern.promotion == Some(mv.promoted()));
    match (chosen.next(), chosen.next()) {
        (Some(&mv), None) => Ok(mv),
        _ => {
            let names: Vec<String> = found.iter().map(|&mv| san(position, mv)).collect();
            let candidates = names.join(" or ");
            Err(MoveError::Ambiguous { text: excerpt(text), candidates })
        }
    }
}

fn read_pattern<G: Board>(text: &str) -> Option<Pattern<G>> {
    let text = text.trim_end_matches("e.p.").trim_end_matches(['+', '#', '!', '?', ' ']);
    let (role, rest) = match text.chars().next()? {
        letter @ ('N' | 'B' | 'R' | 'Q' | 'K') => (Role::from_letter(letter)?, &text[1..]),
        'P' => (Role::Pawn, &text[1..]),
        _ => (Role::Pawn, text),
    };
    let (rest, promotion) = split_promotion(rest);
    // The target is the last square in the text: try the shortest tail that is one.
    let tail = (1..=rest.len())
        .filter(|&length| rest.is_char_boundary(rest.len() - length))
        .find_map(|length| {
            let (head, tail) = rest.split_at(rest.len() - length);
            Square::<G>::parse(tail).map(|square| (head, square))
        })?;
    let (head, to) = tail;
    let mut head = head.trim_end_matches(['x', ':', '-']);
    let mut from_file = None;
    if let Some(letter) = head.chars().next().filter(char::is_ascii_lowercase) {
        from_file = Some(letter as u8 - b'a').filter(|&file| file < G::FILES);
        from_file?;
        head = &head[1..];
    }
    let mut from_rank = None;
    if !head.is_empty() {
        let rank: u8 = head.parse().ok()?;
        from_rank = Some(rank.checked_sub(1).filter(|&rank| rank < G::RANKS)?);
    }
    if promotion.is_some() && role != Role::Pawn {
        return None;
    }
    Some(Pattern { role, from_file, from_rank, to, promotion })
}

/// Takes `=Q`, `Q` or `(Q)` off the end.
fn split_promotion(text: &str) -> (&str, Option<Role>) {
    let core = text.strip_suffix(')').unwrap_or(text);
    if let Some(letter @ ('N' | 'B' | 'R' | 'Q')) = core.chars().next_back() {
        let rest = core[..core.len() - 1].trim_end_matches(['=', '(', '/']);
        return (rest, Role::from_letter(letter));
    }
    (text, None)
}
