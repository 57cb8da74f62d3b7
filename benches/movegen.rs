//! Benchmarks of move generation: perft of both boards (8x8 also with shakmaty), sliding attacks,
//! and the cost of copying a position.

use std::hint::black_box;

use aleator::attacks;
use aleator::geometry::Board8x8;
use aleator::position::Position;
use aleator::position::perft::perft;
use aleator::rules::KingRight;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::{CastlingMode, Chess, fen::Fen};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Compares perft of Aleator and of shakmaty in the same positions, with bulk counting and one thread.
fn perft_8x8(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft 8x8");
    group.sample_size(10);
    for (name, fen, depth, nodes) in
        [("start 6", START, 6, 119_060_324_u64), ("kiwipete 5", KIWIPETE, 5, 193_690_690)]
    {
        group.throughput(Throughput::Elements(nodes));
        let ours = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        group.bench_function(BenchmarkId::new("aleator", name), |b| {
            b.iter(|| assert_eq!(perft(black_box(&ours), depth), nodes));
        });
        let theirs: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        group.bench_function(BenchmarkId::new("shakmaty", name), |b| {
            b.iter(|| assert_eq!(shakmaty::perft(black_box(&theirs), depth), nodes));
        });
    }
    group.finish();
}

/// Measures copy-make: copying a position, and making a move on the copy. Unmaking moves cannot be measured
/// here, because the state of a position is private.
fn copy(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("copy-make 8x8");
    let position = Position::<Board8x8>::from_fen(KIWIPETE, KingRight::Castling).unwrap();
    let moves = position.legal_moves();
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("copy", |b| {
        b.iter(|| {
            for _ in &moves {
                black_box(black_box(&position).clone());
            }
        });
    });
    group.bench_function("copy and make", |b| {
        b.iter(|| {
            for &mv in &moves {
                black_box(black_box(&position).after(mv));
            }
        });
    });
    group.bench_function("generate", |b| b.iter(|| black_box(&position).legal_moves()));
    group.bench_function("count", |b| b.iter(|| black_box(&position).count_legal_moves()));
    group.finish();
}

fn sliders_8x8(criterion: &mut Criterion) {
    let position = Position::<Board8x8>::from_fen(KIWIPETE, KingRight::Castling).unwrap();
    let occupied = position.occupied();
    criterion.bench_function("queen attacks 8x8", |b| {
        b.iter(|| {
            for square in aleator::types::Square::all() {
                black_box(attacks::queen(square, black_box(occupied)));
            }
        });
    });
}

mod ten {
    use super::*;
    use aleator::geometry::Board10x10;

    const START: &str =
        "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - 0 1";
    const MIDDLE: &str =
        "2n1n1b3/1Bk5r1/4pp1pp1/1p8/2ppQ5/2P2pPP2/1b6Pq/4PPB3/1RK5R1/5N4 b KQk - 0 21";

    /// Measures perft of IFRC positions with bulk counting and one thread.
    pub fn perft_10x10(criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group("perft 10x10");
        group.sample_size(10);
        for (name, fen, depth, nodes) in
            [("start 5", START, 5, 121_869_558_u64), ("middle 4", MIDDLE, 4, 9_620_624)]
        {
            group.throughput(Throughput::Elements(nodes));
            let position = Position::<Board10x10>::from_fen(fen, KingRight::Castling).unwrap();
            group.bench_function(name, |b| {
                b.iter(|| assert_eq!(perft(black_box(&position), depth), nodes));
            });
        }
        group.finish();
    }

    pub fn sliders_10x10(criterion: &mut Criterion) {
        let position = Position::<Board10x10>::from_fen(MIDDLE, KingRight::Castling).unwrap();
        let occupied = position.occupied();
        criterion.bench_function("queen attacks 10x10", |b| {
            b.iter(|| {
                for square in aleator::types::Square::all() {
                    black_box(attacks::queen(square, black_box(occupied)));
                }
            });
        });
    }
}

criterion_group!(eight, perft_8x8, copy, sliders_8x8);
criterion_group!(ten_by_ten, ten::perft_10x10, ten::sliders_10x10);

criterion_main!(eight, ten_by_ten);
