//! Endgame knowledge and draw scaling on top of the network: material that cannot win, mating a
//! bare king, and scores that shrink as the halfmove clock approaches a draw.

use crate::geometry::Board;
use crate::position::Position;
use crate::types::score::{DRAW, MAX_EVAL};
use crate::types::{Bitboard, Color, Role, Square, Value};

/// The divisor of 50-move scaling: an evaluation loses 1 / 256 of its value for each ply without a capture
/// or a pawn move.
const HALFMOVE_PARTS: i32 = 256;

/// The evaluation terms that drive a bare king to a square where the king can be mated, in centipawns.
struct Mating {
    /// Bonus for a certain win.
    won: i32,
    /// Bonus for each file and each rank that the bare king is away from the centre.
    to_edge: i32,
    /// Bonus with bishop and knight, in place of `to_edge`: for each file and each rank that the bare king
    /// is nearer to a corner of the bishop's colour.
    to_corner: i32,
    /// Bonus for each step that the kings are nearer to each other.
    to_king: i32,
}

const MATING: Mating = Mating { won: 200, to_edge: 36, to_corner: 72, to_king: 32 };

/// The points of a minor piece; see [`piece_points`].
pub const MINOR: i32 = 3;

/// Returns the material of a side without pawns, in points: 3 for a knight or a bishop, 5 for a rook, 9 for
/// a queen.
pub fn piece_points<G: Board>(color: Color, position: &Position<G>) -> i32 {
    let count = |role| position.pieces(color, role).count() as i32;
    MINOR * (count(Role::Knight) + count(Role::Bishop))
        + 5 * count(Role::Rook)
        + 9 * count(Role::Queen)
}

/// Returns the material of both sides in the points of [`piece_points`], with one point for each pawn. The
/// starting position has 78 points.
pub fn all_points<G: Board>(position: &Position<G>) -> i32 {
    let of_side =
        |color| piece_points(color, position) + position.pieces(color, Role::Pawn).count() as i32;
    Color::ALL.map(of_side).iter().sum()
}

/// Returns whether a side cannot win against a sensible defence. A side without pawns cannot win with at
/// most a minor piece, or with two knights. A side with pawns cannot win with rook pawns if the enemy king
/// holds the promotion square.
#[inline(always)]
pub fn cannot_win<G: Board>(side: Color, position: &Position<G>) -> bool {
    let pawns = position.pieces(side, Role::Pawn);
    if pawns.any() {
        return is_rook_pawn_draw(side, pawns, position);
    }
    let (points, knights) = (piece_points(side, position), position.pieces(side, Role::Knight));
    let knights_alone = position.color(side) == knights | position.pieces(side, Role::King);
    points <= MINOR || knights_alone && points == 2 * MINOR
}

/// Returns whether a side has only pawns on one edge file, perhaps with bishops that do not control the
/// promotion square, and the enemy king stands in or next to the promotion corner. The enemy king cannot be
/// driven out of the corner.
#[inline(always)]
fn is_rook_pawn_draw<G: Board>(side: Color, pawns: Bitboard<G>, position: &Position<G>) -> bool {
    let bishops = position.pieces(side, Role::Bishop);
    if position.color(side) != pawns | bishops | position.pieces(side, Role::King) {
        return false;
    }
    [0, G::FILES - 1].into_iter().any(|file| {
        let corner = Square::on(file, G::PROMOTION_RANK[side.index()]);
        (pawns - Bitboard::file(file)).is_empty()
            && position.king(!side).distance(corner) <= 1
            && bishops.into_iter().all(|bishop| bishop.is_light() != corner.is_light())
    })
}

/// Returns whether a side has only its king.
#[inline(always)]
fn is_bare<G: Board>(position: &Position<G>, color: Color) -> bool {
    !position.color(color).many()
}

/// Returns the value unchanged, or a draw if the side that the value favours cannot win.
#[inline(always)]
pub fn draw_if_nobody_wins<G: Board>(value: Value, position: &Position<G>) -> Value {
    let side = position.side_to_move();
    let ahead = if value > 0 { side } else { !side };
    if cannot_win(ahead, position) { DRAW } else { value }
}

/// If one side has only its king and the other side can force mate, returns the value for the side to move
/// in centipawns. The value consists of the winner's material and the placement of the kings.
#[inline(always)]
pub fn mating<G: Board>(position: &Position<G>) -> Option<Value> {
    let winner = match Color::ALL.map(|color| is_bare(position, color)) {
        [false, true] => Color::White,
        [true, false] => Color::Black,
        _ => return None,
    };
    let value = 100 * all_points(position) + drive(winner, position)?;
    Some(if winner == position.side_to_move() { value } else { -value })
}

fn drive<G: Board>(strong: Color, position: &Position<G>) -> Option<Value> {
    let bishops = position.pieces(strong, Role::Bishop);
    let knights = position.pieces(strong, Role::Knight);
    let heavy = (position.straight_sliders() & position.color(strong)).any();
    let [on_light, on_dark] =
        [true, false].map(|light| bishops.into_iter().any(|square| square.is_light() == light));
    let bishop_and_knight = bishops.any() && knights.any();
    let mates = heavy || on_light && on_dark || bishop_and_knight || knights.count() >= 3;
    if !mates {
        return None;
    }
    let king = position.king(!strong);
    let near = i32::from(G::RANKS) - king.distance(position.king(strong));
    let place = if heavy || on_light == on_dark {
        MATING.to_edge * (off_centre(king.file(), G::FILES) + off_centre(king.rank(), G::RANKS))
    } else {
        // Bishop and knight can force mate only in corners of the bishop's colour, so other edges do not
        // help.
        let corners = [0, G::FILES - 1].into_iter().flat_map(|file| {
            [0, G::RANKS - 1].into_iter().map(move |rank| Square::<G>::on(file, rank))
        });
        let controlled = corners.filter(|corner| corner.is_light() == on_light);
        let nearest = controlled.map(|corner| files_and_ranks(corner, king)).min().unwrap_or(0);
        MATING.to_corner * (i32::from(G::FILES) - nearest)
    };
    Some(MATING.won + MATING.to_king * near + place)
}

/// Returns the distance of a file or rank from the centre.
fn off_centre(line: u8, lines: u8) -> i32 {
    (2 * i32::from(line) - (i32::from(lines) - 1)).abs() / 2
}

fn files_and_ranks<G: Board>(a: Square<G>, b: Square<G>) -> i32 {
    (a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank())).into()
}

/// Scales an evaluation down with the halfmove clock, because the side ahead is not making
/// progress. The result is within `±MAX_EVAL`.
#[inline(always)]
pub fn scale_by_halfmove_clock<G: Board>(value: Value, position: &Position<G>) -> Value {
    let idle = i32::from(position.halfmove_clock().min(100));
    (value - value * idle / HALFMOVE_PARTS).clamp(-MAX_EVAL, MAX_EVAL)
}
