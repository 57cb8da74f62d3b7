//! Deliberate weakness: evaluation errors, node limits and overlooked moves.

use crate::geometry::Board;
use crate::position::Position;
use crate::types::score::MAX_EVAL;
use crate::types::{Bitboard, Move, Role, Value};

/// The value of [`Skill::attention`] for a player that overlooks nothing.
pub const ALL_SEEN: u64 = 1000;

/// The weakness of a skill level: evaluation errors, a node limit, and overlooked moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// The largest error of the evaluation in centipawns, in either direction.
    pub error: Value,
    /// The maximum number of nodes of a search.
    pub nodes: u64,
    /// The probability, in thousandths, of seeing a move at a distance of one square. For a distance of N
    /// squares, the probability is raised to the power of N.
    pub attention: u64,
    /// Whether opening moves follow the rules that beginners are taught.
    pub opens_by_rule: bool,
    /// The random seed of the errors and overlooked moves.
    pub seed: u64,
}

impl Skill {
    /// Returns the skill for a search of this position. A level that opens by rule has smaller errors in
    /// the opening.
    pub fn at<G: Board>(self, root: &Position<G>) -> Skill {
        let is_rule = self.opens_by_rule && is_opening(root);
        Skill { error: if is_rule { self.error / 3 } else { self.error }, ..self }
    }

    /// Adds an error to the evaluation of the position with this key. The error depends only on the seed
    /// and the key, so the search is consistent. Scores with the smaller errors of the opening may remain
    /// in the transposition table after the opening, which does no harm.
    #[inline]
    pub fn distort(self, eval: Value, key: u64) -> Value {
        // The sum of two random numbers: small errors are more frequent than large ones.
        let mixed = self.mix(key);
        let draw = |bits: u64| (bits & 0xffff) as i64 - 0x8000;
        let sum = draw(mixed >> 48) + draw(mixed >> 32);
        let error = (sum * i64::from(self.error) / 0x1_0000) as Value;
        (eval + error).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Whether a move of either side is overlooked in the position with this key. The result is the same
    /// throughout a game. Beginners see moves near the last move and short moves more easily than other
    /// moves. For example, they see a recapture but overlook a bishop in the far corner.
    pub fn overlooks<G: Board>(self, key: u64, mv: Move, last: Option<Move>) -> bool {
        if self.attention == ALL_SEEN {
            return false;
        }
        let to = mv.to::<G>();
        let squares = mv.from().distance(to) + last.map_or(0, |last| last.to().distance(to));
        let seen = (0..squares).fold(1 << 32, |seen, _| seen * self.attention / ALL_SEEN);
        self.mix(key ^ u64::from(mv.bits()).wrapping_mul(0xd6e8_feb8_6659_fd93)) >> 32 >= seen
    }

    /// Keeps the root moves that this skill level considers. A level that opens by rule first keeps only
    /// the natural moves in the opening. Then every level keeps only the moves that the player does not
    /// overlook. A step that would leave no move is skipped.
    pub fn choose_from<G: Board>(self, position: &Position<G>, moves: &mut Vec<Move>) {
        if self.opens_by_rule && is_opening(position) {
            keep_if_any(moves, |mv| is_natural(position, mv));
        }
        keep_if_any(moves, |mv| !self.overlooks::<G>(position.key(), mv, None));
    }

    /// Returns a pseudo-random number that depends on seed and key only.
    #[inline]
    const fn mix(self, key: u64) -> u64 {
        (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The number of pieces and pawns before the first capture.
const ALL_PIECES: u32 = 32;
/// The minimum number of unmoved pawns of a side in the opening.
const PAWNS_AT_HOME: u32 = 6;

/// Returns whether the side to move is still in the opening: no piece has been captured, the side has moved
/// at most two pawns, and the side is not in check. Works for any starting position.
fn is_opening<G: Board>(position: &Position<G>) -> bool {
    let us = position.side_to_move();
    let home = Bitboard::rank(G::PAWN_RANK[us.index()]);
    let pawns = (position.pieces(us, Role::Pawn) & home).count();
    position.occupied().count() == ALL_PIECES && pawns >= PAWNS_AT_HOME && !position.in_check()
}

/// Returns whether a move follows the opening rules that beginners are taught. Pawns move on the four
/// central files. Knights, bishops and queens leave the back rank, and knights avoid the edge. Captures,
/// castling and moves of attacked pieces are always natural.
fn is_natural<G: Board>(position: &Position<G>, mv: Move) -> bool {
    let (us, from, to) = (position.side_to_move(), mv.from::<G>(), mv.to::<G>());
    let is_attacked = position.is_attacked(!us, from, position.occupied());
    let is_out = to.relative(us).rank() > G::HOME_RANK[0];
    // Twice the distance from the centre line: 1, 3, 5, ...
    let off_centre = (2 * to.file() + 1).abs_diff(G::FILES);
    match position.moved_piece(mv).role() {
        _ if is_attacked || position.is_capture(mv) || position.is_castling(mv) => true,
        Role::Pawn => off_centre <= 3,
        Role::Knight => is_out && off_centre < G::FILES - 1,
        Role::Rook | Role::King => false,
        _ => is_out,
    }
}

/// Keeps the moves that satisfy a condition. If no move satisfies the condition, keeps all moves.
fn keep_if_any(moves: &mut Vec<Move>, is_kept: impl Fn(Move) -> bool) {
    if moves.iter().any(|&mv| is_kept(mv)) {
        moves.retain(|&mv| is_kept(mv));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Board8x8, Board10x10};
    use crate::notation;
    use crate::position::Position;
    use crate::rules::KingRight;

    const BEGINNER: Skill =
        Skill { error: 0, nodes: 40, attention: 600, opens_by_rule: true, seed: 1 };

    /// Returns the number of positions, out of 1,000, in which a beginner sees the move `mv` after the move
    /// `last`.
    fn seen<G: Board>(mv: Move, last: Option<Move>) -> usize {
        (0..1_000_u64)
            .map(|key| key.wrapping_mul(0x2545_f491_4f6c_dd1d))
            .filter(|&key| !BEGINNER.overlooks::<G>(key, mv, last))
            .count()
    }

    #[test]
    fn short_moves_near_the_last_move_are_seen_best() {
        let position: Position<Board8x8> =
            Position::from_fen("4k3/7b/8/8/8/8/8/R3K2R w KQ - 0 1", KingRight::Castling).unwrap();
        let read = |text: &str| notation::parse_move(&position, text).unwrap();
        let (step, rook) = (read("e1d1"), read("a1a8"));
        assert!((500..700).contains(&seen::<Board8x8>(step, None)));
        assert!((1..100).contains(&seen::<Board8x8>(rook, None)));
        // The king move is seen more often if the last move was nearby than if it was far away.
        assert!(
            seen::<Board8x8>(step, Some(read("e1f1"))) > 2 * seen::<Board8x8>(step, Some(rook))
        );
        let attentive = Skill { attention: ALL_SEEN, ..BEGINNER };
        assert!((0..1_000).all(|key| !attentive.overlooks::<Board8x8>(key, rook, Some(step))));
    }

    #[test]
    fn overlooked_moves_depend_on_the_seed() {
        let fen = "4k5/10/10/10/10/10/10/10/4K5/R9 w - - 0 1";
        let position: Position<Board10x10> = Position::from_fen(fen, KingRight::Castling).unwrap();
        let moves = position.legal_moves();
        let overlooked = |seed| {
            let skill = Skill { seed, ..BEGINNER };
            let is_overlooked = |&&mv: &&Move| skill.overlooks::<Board10x10>(7, mv, None);
            moves.iter().filter(is_overlooked).copied().collect::<Vec<_>>()
        };
        assert_eq!(overlooked(1), overlooked(1));
        assert_ne!(overlooked(1), overlooked(2));
    }

    /// Returns the moves that a player who overlooks nothing considers, in UCI notation.
    fn choices<G: Board>(fen: &str, right: KingRight) -> Vec<String> {
        let position = Position::<G>::from_fen(fen, right).unwrap();
        let mut moves = position.legal_moves().into_iter().collect();
        Skill { attention: ALL_SEEN, ..BEGINNER }.choose_from(&position, &mut moves);
        let mut texts: Vec<String> =
            moves.iter().map(|&mv| notation::uci(&position, mv, true)).collect();
        texts.sort();
        texts
    }

    #[test]
    fn games_open_with_central_pawns_and_knights() {
        let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(
            choices::<Board8x8>(chess, KingRight::Castling).join(" "),
            "b1c3 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g1f3"
        );
        let out = "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2";
        let moves = choices::<Board8x8>(out, KingRight::Castling);
        assert!(moves.contains(&"f3e5".to_owned()) && !moves.contains(&"f3g1".to_owned()));
        let chased = "rnbqkbnr/pppp1ppp/8/8/4p3/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2";
        assert!(choices::<Board8x8>(chased, KingRight::Castling).contains(&"f3g1".to_owned()));
        // The opening rules apply to any starting position.
        let shuffled = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w - - 0 1";
        let moves = choices::<Board8x8>(shuffled, KingRight::Castling);
        assert_eq!(moves.join(" "), "a1b3 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 h1g3");
        let ten = "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w - - 0 1";
        let moves = choices::<Board10x10>(ten, KingRight::Castling);
        assert!(moves.contains(&"e3e5".to_owned()) && !moves.contains(&"b3b4".to_owned()));
        assert!(moves.contains(&"c2d4".to_owned()) && !moves.contains(&"h2j3".to_owned()));
    }

    #[test]
    fn errors_are_smaller_while_opening_by_rule() {
        let read = |fen| Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let opening = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let later = read("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let player = Skill { error: 300, ..BEGINNER };
        assert_eq!((player.at(&opening).error, player.at(&later).error), (100, 300));
        assert_eq!(Skill { opens_by_rule: false, ..player }.at(&opening).error, 300);
    }

    #[test]
    fn after_the_opening_all_moves_are_considered() {
        for fen in [
            // In the first position a pawn has been captured, in the second position three pawns have
            // moved, and in the third position White is in check.
            "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/PPP5/3PPPPP/RNBQKBNR w KQkq - 0 1",
            "rnb1kbnr/pppp1ppp/4p3/8/7q/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 1",
        ] {
            let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
            let all = position.legal_moves().into_iter().count();
            assert_eq!(choices::<Board8x8>(fen, KingRight::Castling).len(), all, "{fen}");
        }
    }
}
