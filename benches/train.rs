//! Benchmark of training: positions per second on one core, with the usual and a larger width.

use std::hint::black_box;

use aleator::geometry::Board8x8;
use aleator::position::Position;
use aleator::random::Rng;
use aleator::rules::{KingRight, Variant};
use aleator::start::Numbering;
use aleator::tools::train::{Descent, Model, Packed, Schedule, Shape};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const BATCH: usize = 4_096;

/// Returns positions of random games, in fragments of eight positions, as in training. They have about 27
/// pieces, more than positions of well-played games.
fn positions(count: usize) -> Vec<Packed> {
    let mut rng = Rng::new(1);
    let mut packed = Vec::new();
    while packed.len() < count {
        let fen = Numbering::of(Variant::Chess960).drawn().random(&mut rng).fen();
        let mut position = Position::<Board8x8>::from_fen(&fen, KingRight::Castling).unwrap();
        for _ in 0..100 {
            let moves = position.legal_moves();
            let Some(mv) = moves.get(rng.below(moves.len() as u64) as usize) else { break };
            position.make(*mv);
            packed.push(Packed::new(&position, rng.below(101) as f32 / 100.0));
        }
    }
    rng.shuffle(packed.as_chunks_mut::<8>().0);
    packed.truncate(count);
    packed
}

fn training(criterion: &mut Criterion) {
    let positions = positions(4 * BATCH);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut group = criterion.benchmark_group("training, one thread");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.sample_size(10);
    for hidden in [256, 512] {
        let model = Model::new(Shape::new::<Board8x8>(hidden, 8), 1);
        let schedule =
            Schedule { rates: [1e-3, 1e-6], steps: 10_000, warm_up: 0, decay: 0.01, clip: 1.98 };
        let mut descent = Descent::new(model, schedule, vec![1.0]);
        group.bench_function(format!("768 -> {hidden}"), |b| {
            b.iter(|| {
                pool.install(|| {
                    black_box(descent.epoch::<Board8x8>(&positions, BATCH, &mut |_| {}))
                })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, training);
criterion_main!(benches);
