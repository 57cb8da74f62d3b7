//! Converts search values into winning chances and into centipawns, 100 of which win half of the
//! games.
//!
//! Both depend on the material left: a value that wins half of the games with all pieces on the
//! board wins few when most of them are gone. The search knows nothing of this; its values and the
//! labels of games keep its own unit.

use crate::eval::endgame::all_points;
use crate::geometry::{BOARDS, Board, Board8x8};
use crate::position::Position;
use crate::types::Value;
use crate::types::score::{MAX_EVAL, is_decided};

/// The points on the board ([`all_points`]) with all pieces and pawns.
const ALL_POINTS: i32 = 78;

/// Logistic curves that depend on the points on the board. `engine-tests/ladder/chances.py` fitted
/// them to self-play games at 10,000 nodes per move: 3,700 games of Chess960, but only 300 of IFRC,
/// so those are rough.
struct Curves {
    /// The factor from a value to displayed pawns, and its growth per point.
    pawns: [f64; 2],
    /// The width of the curve in the search's unit, and its growth per point.
    width: [f64; 2],
}

/// By board.
const CURVES: [Curves; BOARDS] = [
    Curves { pawns: [0.002918, 0.0001564], width: [50.1, 0.323] },
    Curves { pawns: [0.002966, 0.0000875], width: [74.1, 0.311] },
];

/// Converts values of searches from one root.
#[derive(Clone, Copy)]
pub struct Chances {
    pawns: f64,
    width: f64,
}

impl Chances {
    fn new(curves: &Curves, points: i32) -> Chances {
        let at = |[base, growth]: [f64; 2]| base + growth * f64::from(points.min(ALL_POINTS));
        Chances { pawns: at(curves.pawns), width: at(curves.width) }
    }

    /// Returns the conversion for searches from this root.
    pub fn of<G: Board>(root: &Position<G>) -> Chances {
        Chances::new(&CURVES[G::INDEX], all_points(root))
    }

    /// Returns the conversion for placement phases, which lead to 8x8 games with all pieces.
    pub fn of_setup() -> Chances {
        Chances::new(&CURVES[Board8x8::INDEX], ALL_POINTS)
    }

    /// Converts a value to displayed centipawns. Mate and tablebase scores are unchanged.
    pub fn centipawns(self, value: Value) -> Value {
        if is_decided(value) {
            return value;
        }
        let centipawns = (f64::from(value) * self.pawns * 100.0).round() as Value;
        centipawns.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Returns the chances to win, draw and lose in per mille: a curve for the side to move, and
    /// its mirror image for the other side.
    pub fn win_draw_loss(self, value: Value) -> [u32; 3] {
        if is_decided(value) {
            return if value > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
        }
        let half = 1.0 / self.pawns;
        let chance =
            |value: f64| (1000.0 / (1.0 + libm::exp((half - value) / self.width))).round() as u32;
        let (win, loss) = (chance(f64::from(value)), chance(-f64::from(value)));
        [win, 1000_u32.saturating_sub(win + loss), loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::KingRight;
    use crate::types::score::MATE;

    fn of(fen: &str) -> Chances {
        Chances::of(&Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap())
    }

    const FENS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w - - 0 1",
        "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1",
    ];

    #[test]
    fn a_hundred_centipawns_win_half_of_the_games() {
        for chances in FENS.map(of).into_iter().chain([Chances::of_setup()]) {
            let hundred = (50..600).find(|&value| chances.centipawns(value) >= 100).unwrap();
            let win = |value| chances.win_draw_loss(value)[0];
            // Displayed centipawns are rounded.
            assert!(win(hundred - 3) <= 500 && 500 <= win(hundred + 3), "{hundred}");
        }
    }

    #[test]
    fn the_same_value_wins_less_with_fewer_pieces() {
        let [all, some, few] = FENS.map(of);
        for value in [40, 120, 250] {
            let win = |chances: Chances| chances.win_draw_loss(value)[0];
            assert!(win(all) > win(some) && win(some) > win(few), "{value}");
            assert!(all.centipawns(value) > some.centipawns(value), "{value}");
        }
    }

    #[test]
    fn conversions_are_symmetric_and_keep_mates() {
        for chances in FENS.map(of) {
            for value in (-3_000..3_000).step_by(7) {
                let [win, draw, loss] = chances.win_draw_loss(value);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(chances.win_draw_loss(-value), [loss, draw, win]);
                assert_eq!(chances.centipawns(-value), -chances.centipawns(value));
            }
            assert_eq!(chances.centipawns(MATE - 3), MATE - 3);
            assert_eq!(chances.win_draw_loss(3 - MATE), [0, 0, 1000]);
        }
    }
}
