//! Benchmarks of the search: static exchange evaluation, the transposition table, and whole
//! searches on both boards.

use std::hint::black_box;
use std::time::{Duration, Instant};

use aleator::bench;
use aleator::geometry::{Board, Board8x8};
use aleator::position::Position;
use aleator::rules::KingRight;
use aleator::search::tt::{TableEntry, TranspositionTable};
use aleator::search::{Control, Limits, Pool, SearchContext, TimeManager};
use aleator::types::{Bound, Color};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn see(criterion: &mut Criterion) {
    let positions: Vec<Position<Board8x8>> = bench::POSITIONS_8X8
        .iter()
        .map(|fen| Position::from_fen(fen, KingRight::Castling).unwrap())
        .collect();
    let captures = |position: &Position<Board8x8>| {
        let mut moves = aleator::types::MoveList::new();
        position.add_noisy_moves(&mut moves);
        moves
    };
    let work: Vec<_> = positions.iter().map(|position| (position, captures(position))).collect();
    let total: usize = work.iter().map(|(_, moves)| moves.len()).sum();
    let mut group = criterion.benchmark_group("see");
    group.throughput(Throughput::Elements(total as u64));
    group.bench_function("captures of the bench positions", |b| {
        b.iter(|| {
            for (position, moves) in &work {
                for &mv in moves {
                    black_box(position.see_at_least(mv, 0));
                }
            }
        });
    });
    group.finish();
}

fn table(criterion: &mut Criterion) {
    let table = TranspositionTable::new(64).unwrap();
    let entry =
        TableEntry { mv: 77, value: 5, eval: 3, depth: 9, bound: Some(Bound::Exact), pv: false };
    let mut key = 1_u64;
    let mut next = move || {
        key = key.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        key
    };
    criterion.bench_function("table: store and probe, cold", |b| {
        b.iter(|| {
            let key = next();
            table.store(key, 3, entry);
            black_box(table.probe(key, 3))
        });
    });
}

fn search_board<G: Board>(criterion: &mut Criterion, fen: &str) {
    const NODES: u64 = 100_000;
    let root = Position::<G>::from_fen(fen, KingRight::Castling).unwrap();
    let mut pool = Pool::<G>::new(1).unwrap();
    let table = TranspositionTable::new(16).unwrap();
    let limits = Limits::nodes(NODES);
    let mut group = criterion.benchmark_group("search");
    group.sample_size(20).throughput(Throughput::Elements(NODES));
    group.bench_function(G::NAME, |b| {
        b.iter(|| {
            table.clear();
            pool.clear();
            let time = TimeManager::new(&limits, Color::White, Instant::now(), Duration::ZERO);
            let control = Control::default();
            let context = SearchContext::new(&table, &limits, &time, &control);
            pool.search(&context, &root, &[])
        });
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    search_board::<Board8x8>(criterion, bench::POSITIONS_8X8[4]);
    search_board::<aleator::geometry::Board10x10>(criterion, bench::POSITIONS_10X10[5]);
}

criterion_group!(benches, see, table, search);
criterion_main!(benches);
