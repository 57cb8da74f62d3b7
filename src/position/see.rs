//! Static exchange evaluation: the material balance after the best captures of both sides on one square.

use super::Position;
use crate::attacks;
use crate::geometry::Board;
use crate::types::{Bitboard, Color, Move, Role};

/// The value of a piece in an exchange, in centipawns. The evaluation does not use these values.
pub const fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 0,
    }
}

impl<G: Board> Position<G> {
    /// Returns whether the exchange that a legal move begins on its target square wins at least `threshold`
    /// centipawns, if both sides may stop capturing at any time.
    ///
    /// This is the threshold version of the swap algorithm
    /// (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>): `balance` is the margin above the
    /// threshold for the side that has just captured, if its capturing piece is lost. Pieces that were
    /// pinned before the move do not capture while any pinning piece of the opponent is still on its
    /// square. A pinning piece on the target square does not count.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if self.is_castling(mv) {
            return threshold <= 0;
        }
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        let mut on_square = self.moved_piece(mv).role();
        let mut balance = self.captured(mv).map_or(0, piece_value) - threshold;
        if self.is_promotion(mv) {
            on_square = mv.promoted();
            balance += piece_value(on_square) - piece_value(Role::Pawn);
        }
        if balance < 0 {
            return false; // not enough even without a recapture
        }
        balance -= piece_value(on_square);
        if balance >= 0 {
            return true; // enough even if the piece is lost
        }

        let mut occupied = (self.occupied() - from.bitboard()) | to.bitboard();
        if self.is_en_passant(mv)
            && let Some(victim) = to.forward(!self.side)
        {
            occupied -= victim.bitboard();
        }
        let mut attackers = self.attackers_to(to, occupied);
        let mut side = !self.side;
        // Whether the side that began the exchange reaches the threshold if the exchange stops now.
        let mut wins = true;
        let mut pins = [None; 2];
        loop {
            attackers &= occupied;
            let mut ours = attackers & self.color(side);
            if ours.any() {
                let (pinned, pinners) = *pins[side.index()].get_or_insert_with(|| self.pins(side));
                if (pinners & (occupied - to.bitboard())).any() {
                    ours -= pinned;
                }
            }
            let Some((role, capturer)) = self.least_valuable(ours) else { break };
            if role == Role::King && (attackers & self.color(!side)).any() {
                break; // the king cannot capture a defended piece
            }
            wins = !wins;
            // The side that began the exchange has to reach the threshold. The other side has to keep the
            // result below the threshold, so the 1 makes the comparison strict.
            balance = -balance - 1 - piece_value(role);
            if balance >= 0 {
                break;
            }
            occupied ^= capturer;
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop(to, occupied) & self.diagonal_sliders();
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook(to, occupied) & self.straight_sliders();
            }
            side = !side;
        }
        wins
    }

    /// Returns the pieces of a side that are pinned to its king, and the pinning sliders.
    fn pins(&self, color: Color) -> (Bitboard<G>, Bitboard<G>) {
        let single = |&(_, shield): &(_, Bitboard<G>)| shield.any() && !shield.many();
        let pins = self.snipers(color).filter(single);
        pins.fold((Bitboard::EMPTY, Bitboard::EMPTY), |(pinned, pinners), (sniper, shield)| {
            (pinned | shield, pinners | sniper)
        })
    }

    /// Returns the role and the square of the least valuable piece among some pieces.
    #[inline]
    fn least_valuable(&self, among: Bitboard<G>) -> Option<(Role, Bitboard<G>)> {
        Role::ALL.into_iter().find_map(|role| {
            (among & self.role(role)).first().map(|square| (role, square.bitboard()))
        })
    }
}
