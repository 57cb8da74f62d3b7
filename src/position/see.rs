//! Static exchange evaluation: who wins material when both sides keep capturing on one square?

use super::Position;
use crate::attacks::{self, Board};
use crate::types::{Bitboard, Color, Move, Role};

/// What a piece is worth in an exchange, in centipawns.
///
/// Rounded teaching values; the evaluation has its own.
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
    /// Whether the exchanges that a legal move begins on its target square win at least
    /// `threshold` centipawns, if both sides may stop when they like.
    ///
    /// The swap algorithm (see <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>) as a
    /// question with a yes-or-no answer: `balance` is how far the side that has just moved is
    /// above the threshold if its piece is taken. The men of a side that were pinned before the move
    /// take nothing as long as one of the pinning pieces stands where it was, unless that is the
    /// square itself.
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
            return false; // not enough even if nothing takes back
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
        // True while the side that made the last capture comes out above the threshold.
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
            let Some((role, taker)) = self.least_valuable(ours) else { break };
            if role == Role::King && (attackers & self.color(!side)).any() {
                break; // the king may not take what is defended
            }
            wins = !wins;
            // The side that takes now must be better than break-even, because a tie goes to the
            // mover at the top: hence the 1 on one of the two sides.
            balance = -balance - 1 - piece_value(role);
            if balance >= 0 {
                break;
            }
            occupied ^= taker;
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

    /// The men of a side that alone shield its king from a slider, and these sliders.
    fn pins(&self, color: Color) -> (Bitboard<G>, Bitboard<G>) {
        let single = |&(_, shield): &(_, Bitboard<G>)| shield.any() && !shield.many();
        let pins = self.snipers(color).filter(single);
        pins.fold((Bitboard::EMPTY, Bitboard::EMPTY), |(pinned, pinners), (sniper, shield)| {
            (pinned | shield, pinners | sniper)
        })
    }

    /// The cheapest of some pieces: its role and its square alone.
    #[inline]
    fn least_valuable(&self, among: Bitboard<G>) -> Option<(Role, Bitboard<G>)> {
        Role::ALL.into_iter().find_map(|role| {
            (among & self.role(role)).first().map(|square| (role, square.bitboard()))
        })
    }
}
