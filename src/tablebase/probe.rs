//! What tables say of a position.

use std::sync::atomic::Ordering::Relaxed;

use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::{SyzygyError, Wdl};

use super::Tablebase;
use crate::attacks::Board;
use crate::position::Position;
use crate::types::{Color, Role};

/// The hundredth ply without a capture or pawn move makes a draw.
const FIFTY_MOVES: u16 = 100;

/// How a game ends from here if both sides play their best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablebaseResult {
    Win(Color),
    Draw,
}

/// A position as the tables know it: without rights.
fn chess<G: Board>(position: &Position<G>) -> Option<Chess> {
    if !G::HAS_TABLEBASES || position.rights().any() {
        return None;
    }
    let mut setup = Setup::empty();
    for square in position.occupied() {
        let piece = position.piece_at(square)?;
        let color = shakmaty_color(piece.color());
        let role = shakmaty_role(piece.role());
        setup.board.set_piece_at(shakmaty_square(square.index())?, shakmaty::Piece { color, role });
    }
    setup.turn = shakmaty_color(position.side_to_move());
    setup.ep_square = match position.en_passant() {
        Some(square) => Some(shakmaty_square(square.index())?),
        None => None,
    };
    // Boards that no game reaches are in the tables, too.
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

fn shakmaty_square(index: usize) -> Option<shakmaty::Square> {
    shakmaty::Square::try_from(u32::try_from(index).ok()?).ok()
}

const fn shakmaty_color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

const fn shakmaty_role(role: Role) -> shakmaty::Role {
    match role {
        Role::Pawn => shakmaty::Role::Pawn,
        Role::Knight => shakmaty::Role::Knight,
        Role::Bishop => shakmaty::Role::Bishop,
        Role::Rook => shakmaty::Role::Rook,
        Role::Queen => shakmaty::Role::Queen,
        Role::King => shakmaty::Role::King,
    }
}

impl Tablebase {
    /// What a position is worth to the side to move if the fifty-move rule begins to count there.
    /// Nothing where the tables do not say.
    pub fn wdl<G: Board>(&self, position: &Position<G>) -> Option<Wdl> {
        let answer = self.tables.probe_wdl_after_zeroing(&self.known(position)?);
        answer.map_err(|error| self.note(&error)).ok()
    }

    /// Plies to the next capture or pawn move, negative if the side to move is losing, 0 for a draw;
    /// of cursed wins and blessed losses 100 more than the size. It may be smaller by one than it
    /// should. Mate counts as such a move. Nothing where the tables do not say.
    pub fn dtz<G: Board>(&self, position: &Position<G>) -> Option<i32> {
        let answer = self.tables.probe_dtz(&self.known(position)?);
        answer.map_err(|error| self.note(&error)).ok().map(|dtz| dtz.ignore_rounding().0)
    }

    /// How the game ends, as far as that is certain with the plies that were played without a
    /// capture or pawn move.
    pub fn result<G: Board>(&self, position: &Position<G>) -> Option<TablebaseResult> {
        let side = position.side_to_move();
        let played = i32::from(position.halfmove_clock());
        let dtz = match (played, self.wdl(position)?) {
            (_, Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss) => {
                return Some(TablebaseResult::Draw);
            }
            (0, wdl) => wdl.signum(),
            _ => self.dtz(position)?,
        };
        // One ply may be missing.
        let in_time = played == 0 || dtz.abs() + played < i32::from(FIFTY_MOVES);
        in_time.then_some(TablebaseResult::Win(if dtz > 0 { side } else { !side }))
    }

    /// A position that may be in the tables.
    fn known<G: Board>(&self, position: &Position<G>) -> Option<Chess> {
        if position.occupied().count() as usize > self.men() {
            return None;
        }
        chess(position)
    }

    /// Keeps what went wrong first.
    #[cold]
    fn note(&self, error: &SyzygyError) {
        let fault = match error {
            SyzygyError::Castling | SyzygyError::TooManyPieces => return,
            SyzygyError::MissingTable { metric, material } => {
                format!("the {metric} table of {material} is missing")
            }
            SyzygyError::ProbeFailed { metric, material, error } => match &**error {
                shakmaty_syzygy::ProbeError::Read { error } => {
                    format!("the {metric} table of {material} cannot be read: {error}")
                }
                _ => format!("the {metric} table of {material} is corrupt"),
            },
        };
        let _ = self.fault.set(fault);
    }

    /// What went wrong first; it is told once.
    pub(super) fn take_fault(&self) -> Option<&str> {
        let fault = self.fault.get()?;
        (!self.is_told.swap(true, Relaxed)).then_some(fault)
    }
}
