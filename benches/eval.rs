//! Benchmarks of the evaluation on both boards, and of legal move generation in the same positions. To
//! compare machines, compare the ratio of the two speeds.

use std::hint::black_box;

use aleator::eval::Evaluator;
use aleator::geometry::{Board, Board8x8};
use aleator::position::Position;
use aleator::rules::KingRight;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Middlegames of Chess960 and chess.
const MIDDLE_GAMES_8X8: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2r2knr/pb1q1p2/nppp2p1/4p1bp/PP2P3/2P2PP1/B2PN2P/BNRQ1K1R w HChc - 9 21",
    "1r2k1rq/n1p2p2/4ppn1/3p1b1p/pP1P1Q2/b1p2P1P/PN2P1P1/BR1BK1R1 w GBgb - 0 20",
    "rk1r4/2p1qnbB/p1b5/3pPQp1/p2P1P2/6N1/PP3NPn/2RK1R2 w FCda - 4 22",
    "b1r2k1r/ppbBqp2/3p4/2p1p1pp/1P1BPPn1/P6N/2PPQNPP/2R2K1R b HChc - 2 11",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
];

/// Middlegames of International Fischer Random Chess.
const MIDDLE_GAMES_10X10: [&str; 6] = [
    "3q1b4/1b1r1krn2/2pp1p2p1/1p2p1pp1n/10/4PP2P1/10/1PPP2PPN1/1B1R1KR3/3Q1BN3 b GDgd - 2 13",
    "3b1qn3/1r1b2kr2/2ppp1p3/1pn2p1pp1/10/10/1PPPP1PB2/5PQPP1/BR1N2KR2/6N3 w HBhb - 2 14",
    "5bn3/2r2k1r2/2n1p2p2/3p1p1qp1/1pp1b1P3/1B2P3P1/1P1P1BQ2N/2P2PP3/2R2K1R2/5N4 w KQkq - 1 20",
    "2n1n1b3/1Bk5r1/4pp1pp1/1p8/2ppQ5/2P2pPP2/1b6Pq/4PPB3/1RK5R1/5N4 b KQk - 0 21",
    "3q4n1/2r4kr1/1pppp2pp1/n9/5ppbb1/1P5P2/3PB5/2P1PPP1P1/2R1Q2KR1/3NB3N1 w KQkq - 0 16",
    "5nkbr1/R2q1b4/1r2p1pp2/2pn1p2p1/1p1p6/1P1B6/3P1P4/2P1P1PPPN/5B3K/Q1N5R1 w - - 2 18",
];

/// Returns the positions after every legal move in the given positions. A search evaluates similar positions.
fn positions<G: Board>(fens: &[&str]) -> Vec<Position<G>> {
    fens.iter()
        .map(|fen| Position::from_fen(fen, KingRight::Castling).unwrap())
        .flat_map(|root: Position<G>| root.legal_moves().into_iter().map(move |mv| root.after(mv)))
        .collect()
}

fn board<G: Board>(criterion: &mut Criterion, fens: &[&str]) {
    let positions = positions::<G>(fens);
    let mut group = criterion.benchmark_group(format!("evaluation {}", G::NAME));
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut evaluator = Evaluator::new().unwrap();
    group.bench_function("evaluate", |b| {
        b.iter(|| {
            for position in &positions {
                black_box(evaluator.evaluate_alone(black_box(position)));
            }
        });
    });
    group.bench_function("legal moves, for comparison", |b| {
        b.iter(|| {
            for position in &positions {
                black_box(black_box(position).legal_moves());
            }
        });
    });
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    board::<Board8x8>(criterion, &MIDDLE_GAMES_8X8);
    board::<aleator::geometry::Board10x10>(criterion, &MIDDLE_GAMES_10X10);
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
