//! What one side may do with its back rank. The other side's never matters.

use arrayvec::ArrayVec;

use super::placement::{Placement, PlacementList, SingleDrop};
use crate::rules::SetupKind;
use crate::start::{Array, PartialArray};
use crate::types::{Color, Role};

/// One bit for each file, the a-file lowest.
type Files = u8;

/// The files with squares of one colour. Which colour that is on which rank does not matter.
const EVEN_FILES: Files = 0b0101_0101;

fn files_of(rank: &PartialArray, role: Option<Role>) -> Files {
    (0..8).filter(|file| rank.get(*file) == role).map(|file| 1 << file).sum()
}

/// Why no legal array can come of a back rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Obstacle {
    #[error("both bishops stand on squares of the same colour")]
    BishopsOnOneColor,
    #[error("the bishop in hand finds no free square of the other colour")]
    NoSquareForBishop,
    #[error("the bishops in hand need a free light and a free dark square")]
    NoSquaresForBishops,
    #[error("the king could not come to stand between the rooks")]
    KingNotBetweenRooks,
}

/// What prevents every completion of a back rank, if anything does.
pub(super) fn obstacle(kind: SetupKind, rank: &PartialArray) -> Option<Obstacle> {
    bishop_obstacle(rank).or_else(|| {
        (kind.wants_king_between_rooks() && !king_can_be_between_rooks(rank))
            .then_some(Obstacle::KingNotBetweenRooks)
    })
}

fn bishop_obstacle(rank: &PartialArray) -> Option<Obstacle> {
    let placed = files_of(rank, Some(Role::Bishop));
    let free = files_of(rank, None);
    let (even, odd) = (placed & EVEN_FILES, placed & !EVEN_FILES);
    match (even.count_ones(), odd.count_ones()) {
        (1, 1) => None,
        (0, 0) => {
            let both = free & EVEN_FILES != 0 && free & !EVEN_FILES != 0;
            (!both).then_some(Obstacle::NoSquaresForBishops)
        }
        (1, 0) => (free & !EVEN_FILES == 0).then_some(Obstacle::NoSquareForBishop),
        (0, 1) => (free & EVEN_FILES == 0).then_some(Obstacle::NoSquareForBishop),
        _ => Some(Obstacle::BishopsOnOneColor),
    }
}

/// Whether there is a square for the king, or it stands on one, such that each side of it has a
/// rook or room for one. Queen and knights take any square, and the bishops' need does not
/// interfere: where this rule holds the bishops are placed before the first turn.
fn king_can_be_between_rooks(rank: &PartialArray) -> bool {
    let free = files_of(rank, None);
    let rooks = files_of(rank, Some(Role::Rook));
    let king = files_of(rank, Some(Role::King));
    let in_hand = rank.pocket().count(Role::Rook) as u32;
    let squares = if king == 0 { free } else { king };
    (0..8).map(|file| 1_u8 << file).filter(|square| squares & square != 0).any(|square| {
        let left = square - 1;
        let right = !left & !square;
        // Each side needs one rook, so a second one there is one too many.
        let sides = [left, right].map(|side| match (rooks & side).count_ones() {
            0 if free & side != 0 => Some(1),
            1 => Some(0),
            _ => None,
        });
        matches!(sides, [Some(left), Some(right)] if left + right <= in_hand)
    })
}

/// The file that must be filled next, where that is prescribed.
pub(super) fn next_file(kind: SetupKind, color: Color, rank: &PartialArray) -> Option<u8> {
    let mut free = rank.free_files();
    let file = match (kind, color) {
        (SetupKind::JeppsFreePlay, Color::Black) => free.last(),
        _ => free.next(),
    };
    file.filter(|_| kind.fills_in_order()).map(|file| file as u8)
}

/// The legal turns of a side, by piece (K Q R B N), then by file.
pub(super) fn placements(kind: SetupKind, color: Color, rank: &PartialArray) -> PlacementList {
    let pocket = rank.pocket();
    let finishable = |placement: &Placement| obstacle(kind, &placement.applied_to(rank)).is_none();
    if kind.ends_with_two() && pocket.len() == 2 {
        return last_two(color, rank).into_iter().filter(finishable).collect();
    }
    let next = next_file(kind, color, rank);
    let mut list = PlacementList::new();
    for role in pocket.roles() {
        for file in rank.free_files().map(|file| file as u8) {
            if next.is_none_or(|next| next == file) {
                list.push(Placement::single(color, SingleDrop { role, file }));
            }
        }
    }
    list.retain(|placement| finishable(placement));
    list
}

/// Both ways to place the last two pieces; one way, if they are equal.
fn last_two(color: Color, rank: &PartialArray) -> ArrayVec<Placement, 2> {
    let files: ArrayVec<u8, 8> = rank.free_files().map(|file| file as u8).collect();
    let pocket = rank.pocket();
    let pieces: ArrayVec<Role, 8> = pocket
        .roles()
        .into_iter()
        .flat_map(|role| std::iter::repeat_n(role, pocket.count(role)))
        .collect();
    let mut list = ArrayVec::new();
    if let ([low, high], [one, other]) = (&files[..], &pieces[..]) {
        let drop = |role: &Role, file: &u8| SingleDrop { role: *role, file: *file };
        list.push(Placement::double(color, drop(one, low), drop(other, high)));
        if one != other {
            list.push(Placement::double(color, drop(one, high), drop(other, low)));
        }
    }
    list
}

/// Every legal array that a back rank can still become, in the order K Q R B N by file.
pub fn completions(kind: SetupKind, rank: &PartialArray) -> Vec<Array> {
    let mut arrays = Vec::new();
    complete(kind, rank, &mut arrays);
    arrays
}

fn complete(kind: SetupKind, rank: &PartialArray, arrays: &mut Vec<Array>) {
    if obstacle(kind, rank).is_some() {
        return;
    }
    if let Some(array) = rank.complete() {
        arrays.push(array);
        return;
    }
    let Some(file) = rank.free_files().next() else { return };
    for role in rank.pocket().roles() {
        if let Ok(next) = rank.with(file, role) {
            complete(kind, &next, arrays);
        }
    }
}

/// The files of the rooks that may castle or of the king that may relocate when the game begins;
/// in Pre-Chess even before, because Fairy-Stockfish writes these rights while pieces are placed.
pub(super) fn rights(kind: SetupKind, rank: &PartialArray) -> ArrayVec<u8, 2> {
    const E_FILE: usize = 4;
    let files = |role| (0..8_u8).filter(move |file| rank.get(*file as usize) == Some(role));
    match kind {
        SetupKind::FischerBenko => files(Role::Rook).collect(),
        SetupKind::Transcendental => ArrayVec::new(),
        SetupKind::Placement if rank.get(E_FILE) == Some(Role::King) => {
            files(Role::Rook).filter(|file| matches!(file, 0 | 7)).collect()
        }
        SetupKind::Placement => ArrayVec::new(),
        SetupKind::Jepps | SetupKind::JeppsFreePlay => files(Role::King).take(1).collect(),
    }
}
