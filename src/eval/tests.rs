//! Tests of the evaluator that hold for any network.

use super::*;
use crate::geometry::Board8x8;
use crate::rules::KingRight;

/// Walks the whole tree to a depth, as a search does. Compares each incremental evaluation with the
/// evaluation of the position alone. Returns the number of positions.
fn walk<G: Board>(
    [line, alone]: [&mut Evaluator<G>; 2],
    position: &Position<G>,
    depth: u32,
) -> u64 {
    assert_eq!(line.evaluate(position), alone.evaluate_alone(position), "{position:?}");
    let mut count = 1;
    if depth == 0 {
        return count;
    }
    if !position.in_check() {
        let child = line.push_null(position);
        count += walk([line, alone], &child, depth - 1);
        line.pop();
    }
    for mv in position.legal_moves() {
        let child = line.push(position, mv);
        assert_eq!(child, position.after(mv));
        count += walk([line, alone], &child, depth - 1);
        line.pop();
    }
    count
}

fn check<G: Board>(fen: &str) {
    let root = Position::<G>::from_fen(fen, KingRight::Castling).unwrap();
    let (mut line, mut alone) = (Evaluator::new().unwrap(), Evaluator::new().unwrap());
    line.reset(&root);
    assert!(walk([&mut line, &mut alone], &root, 2) > 100);
}

#[test]
fn incremental_evaluation_equals_evaluation_from_scratch() {
    // The positions allow castling to both sides, en passant, promotions and captures.
    check::<Board8x8>("r3k2r/1Pn3p1/8/3pP3/8/2N5/1p4P1/R3K2R w KQkq d6 0 2");
    check::<Board8x8>("r3k2r/1P1n2p1/8/8/3Pp3/2N5/1p4P1/R3K2R b KQkq d3 0 2");
    check::<crate::geometry::Board10x10>(
        "10/1rP2k2r1/3n4p1/10/10/4pP4/10/3N4P1/1Rp2K2R1/10 b KQkq f4 0 20",
    );
}
