//! Converts search values into winning chances and into displayed centipawns.
//!
//! Displayed centipawns are scaled so that a side with 100 centipawns wins half of the games. Both
//! conversions depend on the material on the board. The same search value wins more games with all
//! pieces on the board than with few pieces. Only displayed scores are converted. The search and the
//! labels of training games use the internal unit of search values.

use crate::eval::endgame::all_points;
use crate::geometry::{BOARDS, Board, Board8x8};
use crate::position::Position;
use crate::types::Value;
use crate::types::score::{MAX_EVAL, is_decided};

/// The material in points, as counted by [`all_points`], with all pieces and pawns on the board.
const ALL_POINTS: i32 = 78;

/// The parameters of a logistic curve for the winning chances. They are linear functions of the
/// material in points. `engine-tests/ladder/chances.py` fitted the parameters to self-play games at
/// 10,000 nodes per move. There were 3,700 games of Chess960 but only 300 games of IFRC, so the
/// parameters for 10x10 are rough.
struct Curves {
    /// The factor that converts a search value to displayed pawns: the factor at 0 points, and the growth
    /// per point.
    pawns: [f64; 2],
    /// The width of the curve in the unit of search values: the width at 0 points, and the growth per
    /// point.
    width: [f64; 2],
}

/// The fitted curves, indexed by [`Board::INDEX`].
const CURVES: [Curves; BOARDS] = [
    Curves { pawns: [0.002918, 0.0001564], width: [50.1, 0.323] },
    Curves { pawns: [0.002966, 0.0000875], width: [74.1, 0.311] },
];

/// Converts the search values of one root position.
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

    /// Returns the conversion for a root position.
    pub fn of<G: Board>(root: &Position<G>) -> Chances {
        Chances::new(&CURVES[G::INDEX], all_points(root))
    }

    /// Returns the conversion for placement phases, which lead to games on 8x8 with all pieces on the board.
    pub fn of_setup() -> Chances {
        Chances::new(&CURVES[Board8x8::INDEX], ALL_POINTS)
    }

    /// Converts a search value to displayed centipawns. Mate and tablebase scores are unchanged.
    pub fn centipawns(self, value: Value) -> Value {
        if is_decided(value) {
            return value;
        }
        let centipawns = (f64::from(value) * self.pawns * 100.0).round() as Value;
        centipawns.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Returns the chances to win, draw and lose for the side to move, in per mille. The chance to lose is
    /// the chance to win with the value negated.
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
            // The tolerance allows for the rounding of displayed centipawns.
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
