//! Probes the tablebases for a position.

use std::sync::atomic::Ordering::Relaxed;

use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::{SyzygyError, Wdl};

use super::Tablebase;
use crate::geometry::Board;
use crate::position::Position;
use crate::types::{Color, Role};

/// The halfmove clock at which the game is drawn.
const FIFTY_MOVES: u16 = 100;

/// The result of a position with perfect play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablebaseResult {
    Win(Color),
    Draw,
}

/// Converts a position to a shakmaty position. Returns `None` if the position has castling or relocation
/// rights.
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
    // Accepts positions that cannot arise in a game, because the tables contain them, too.
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
    /// Returns the WDL value for the side to move, assuming a halfmove clock of zero, or `None` if the
    /// tables do not contain the position.
    pub fn wdl<G: Board>(&self, position: &Position<G>) -> Option<Wdl> {
        let answer = self.tables.probe_wdl_after_zeroing(&self.known(position)?);
        answer.map_err(|error| self.note(&error)).ok()
    }

    /// Returns the number of plies to the next capture, pawn move or mate, negative if the side to move is
    /// losing, 0 for a draw, or `None` if the tables do not contain the position. The magnitude is 100
    /// higher for cursed wins and blessed losses. The magnitude may be one ply too small.
    pub fn dtz<G: Board>(&self, position: &Position<G>) -> Option<i32> {
        let answer = self.tables.probe_dtz(&self.known(position)?);
        answer.map_err(|error| self.note(&error)).ok().map(|dtz| dtz.ignore_rounding().0)
    }

    /// Returns the result with perfect play, or `None` if the result is unknown or uncertain because of the
    /// halfmove clock.
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
        // The comparison is strict, because DTZ may be one ply too small.
        let in_time = played == 0 || dtz.abs() + played < i32::from(FIFTY_MOVES);
        in_time.then_some(TablebaseResult::Win(if dtz > 0 { side } else { !side }))
    }

    /// Converts a position to a shakmaty position. Returns `None` if the tables cannot contain the position.
    fn known<G: Board>(&self, position: &Position<G>) -> Option<Chess> {
        if position.occupied().count() as usize > self.max_pieces() {
            return None;
        }
        chess(position)
    }

    /// Stores the error of a probe for [`Tablebase::take_error`], unless an earlier probe has failed.
    #[cold]
    fn note(&self, error: &SyzygyError) {
        let error = match error {
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
        let _ = self.error.set(error);
    }

    /// Returns the first error of any probe. The error is returned only once; later calls return `None`.
    pub(super) fn take_error(&self) -> Option<&str> {
        let error = self.error.get()?;
        (!self.is_told.swap(true, Relaxed)).then_some(error)
    }
}
