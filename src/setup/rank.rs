//! The legal placements and completions of one side's back rank. They do not depend on the other side's back
//! rank.

use arrayvec::ArrayVec;

use super::placement::{Placement, PlacementList, SingleDrop};
use crate::rules::SetupKind;
use crate::start::{BackRank, PartialBackRank};
use crate::types::{Color, Role};

/// A set of files, one bit per file; the lowest bit is the a-file.
type Files = u8;

/// The files a, c, e and g. On a back rank their squares have the same colour: dark on rank 1,
/// light on rank 8.
const EVEN_FILES: Files = 0b0101_0101;

fn files_of(rank: &PartialBackRank, role: Option<Role>) -> Files {
    (0..8).filter(|file| rank.get(*file) == role).map(|file| 1 << file).sum()
}

/// Why a back rank cannot be completed legally.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum Obstacle {
    #[error("both bishops stand on squares of the same colour")]
    BishopsOnOneColor,
    #[error("there is no free square of the other colour for the second bishop")]
    NoSquareForBishop,
    #[error("there is no free light square or no free dark square for one of the bishops")]
    NoSquaresForBishops,
    #[error("the king cannot end up between the rooks")]
    KingNotBetweenRooks,
}

/// Returns why a back rank cannot be completed legally, or `None` if it can.
pub(super) fn obstacle(kind: SetupKind, rank: &PartialBackRank) -> Option<Obstacle> {
    bishop_obstacle(rank).or_else(|| {
        (kind.wants_king_between_rooks() && !king_can_be_between_rooks(rank))
            .then_some(Obstacle::KingNotBetweenRooks)
    })
}

fn bishop_obstacle(rank: &PartialBackRank) -> Option<Obstacle> {
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

/// Whether the king can still end up between the rooks. For some square of the king, there must be
/// a rook or a free square for a rook on the king's left, and likewise on the right. The queen and
/// the knights can take any square. The bishops cannot be in the way: in the games with this rule,
/// the bishops are placed before the first turn.
fn king_can_be_between_rooks(rank: &PartialBackRank) -> bool {
    let free = files_of(rank, None);
    let rooks = files_of(rank, Some(Role::Rook));
    let king = files_of(rank, Some(Role::King));
    let in_hand = rank.pocket().count(Role::Rook) as u32;
    let squares = if king == 0 { free } else { king };
    (0..8).map(|file| 1_u8 << file).filter(|square| squares & square != 0).any(|square| {
        let left = square - 1;
        let right = !left & !square;
        // Exactly one rook must stand on each side of the king.
        let sides = [left, right].map(|side| match (rooks & side).count_ones() {
            0 if free & side != 0 => Some(1),
            1 => Some(0),
            _ => None,
        });
        matches!(sides, [Some(left), Some(right)] if left + right <= in_hand)
    })
}

/// Returns the file that must be filled next, or `None` if the player chooses the file.
pub(super) fn next_file(kind: SetupKind, color: Color, rank: &PartialBackRank) -> Option<u8> {
    let mut free = rank.free_files();
    let file = match (kind, color) {
        (SetupKind::JeppsFreePlay, Color::Black) => free.last(),
        _ => free.next(),
    };
    file.filter(|_| kind.fills_in_order()).map(|file| file as u8)
}

/// Returns the legal placements of a side, sorted by piece (K Q R B N), then by file.
pub(super) fn placements(kind: SetupKind, color: Color, rank: &PartialBackRank) -> PlacementList {
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

/// Returns the ways to place the last two pieces in one turn: two ways, or one if the pieces are equal.
fn last_two(color: Color, rank: &PartialBackRank) -> ArrayVec<Placement, 2> {
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

/// Returns every legal completion of a back rank, sorted by the piece on the first free file (K Q R B N),
/// then by the piece on the next free file, and so on.
pub fn completions(kind: SetupKind, rank: &PartialBackRank) -> Vec<BackRank> {
    let mut back_ranks = Vec::new();
    complete(kind, rank, &mut back_ranks);
    back_ranks
}

fn complete(kind: SetupKind, rank: &PartialBackRank, back_ranks: &mut Vec<BackRank>) {
    if obstacle(kind, rank).is_some() {
        return;
    }
    if let Some(back_rank) = rank.complete() {
        back_ranks.push(back_rank);
        return;
    }
    let Some(file) = rank.free_files().next() else { return };
    for role in rank.pocket().roles() {
        if let Ok(next) = rank.with(file, role) {
            complete(kind, &next, back_ranks);
        }
    }
}

/// Returns the files of the rooks that may castle, or of the king that may relocate, when the game
/// begins. The back rank may be incomplete, because in Pre-Chess FENs of the placement phase contain
/// castling rights too, as Fairy-Stockfish writes them.
pub(super) fn rights(kind: SetupKind, rank: &PartialBackRank) -> ArrayVec<u8, 2> {
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
