//! Tests the trainer: reading positions, gradients, reproducibility, checkpoints and export.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tempfile::TempDir;

use super::model::{Numbers, logistic};
use super::passes::Passes;
use super::*;
use crate::eval::nnue::{Attacked, Parameters, Perspective, PlacedPiece, Rights, output_bound};
use crate::game::Termination;
use crate::geometry::{Board, Board8x8, Board10x10};
use crate::position::{Position, Threats, piece_value};
use crate::random::Rng;
use crate::rules::{BoardSize, HAS_BOARD_10X10};
use crate::tools::data::{BlockWriter, Component, GAMES_FILE, Ply, StoredGame, TrainingGame};
use crate::types::{Color, Role};

/// Returns a game of random moves whose scores are the material balance, so that there is something to learn.
fn game<G: Board>(component: Component, index: u32) -> TrainingGame {
    let mut rng = Rng::new(u64::from(index) + 77);
    let fen = component.starts().random(&mut rng).fen();
    let mut position = Position::<G>::from_fen(&fen, component.variant().rules().right).unwrap();
    let mut plies = Vec::new();
    for number in 0..80 {
        let moves = position.legal_moves();
        let Some(mv) = moves.get(rng.below(moves.len() as u64) as usize) else { break };
        plies.push(match number < 6 {
            true => Ply::random(&position, *mv),
            false => Ply::searched(&position, *mv, material(&position)),
        });
        position.make(*mv);
    }
    let winner =
        if material(&position) > 0 { position.side_to_move() } else { !position.side_to_move() };
    let termination = Termination::WinByScore(winner);
    TrainingGame { index, component, termination, random_plies: 6, fen, plies }
}

fn material<G: Board>(position: &Position<G>) -> i32 {
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let count = |color, role| position.pieces(color, role).count() as i32;
    let us = position.side_to_move();
    roles.into_iter().map(|role| piece_value(role) * (count(us, role) - count(!us, role))).sum()
}

fn component(name: &str) -> Component {
    name.parse().unwrap()
}

/// Returns the game of the test data set with this index.
fn game_of_set(index: u32) -> TrainingGame {
    game::<Board8x8>(component(["chess960", "jepps"][index as usize % 2]), index)
}

/// Creates a folder with a data set of this many games.
fn data(games: u32) -> TempDir {
    data_of(0..games)
}

/// Creates a folder with a data set of these games, in this order.
fn data_of(indices: impl Iterator<Item = u32>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = BlockWriter::new(Vec::new(), BoardSize::Eight, 1);
    for index in indices {
        writer.push(9, &game_of_set(index).to_bytes()).unwrap();
    }
    fs::write(folder.path().join(GAMES_FILE), writer.finish().unwrap()).unwrap();
    folder
}

fn sets(folder: &TempDir) -> Vec<DataSet> {
    vec![DataSet { path: folder.path().to_owned(), weight: 1.0 }]
}

fn small() -> Settings {
    Settings {
        hidden: 32,
        outputs: 1,
        epochs: 4,
        batch: 256,
        rate: 1e-2,
        warm_up: 0,
        lambda: 0.0, // scores are the material balance, which can be learnt, but results are random
        validation: 0.2,
        ..Settings::default()
    }
}

fn read_sets(sets: &[DataSet], settings: &Settings) -> Positions {
    Positions::read::<Board8x8>(sets, settings, &std::env::temp_dir(), &mut |_| {}).unwrap()
}

fn read(folder: &TempDir) -> Positions {
    read_sets(&sets(folder), &small())
}

/// Returns the positions of all buckets, shuffled with a fixed seed.
fn all(buckets: &Buckets) -> Vec<Packed> {
    let mut all = Vec::new();
    let mut show = |positions| {
        all.extend::<Vec<Packed>>(positions);
        true
    };
    buckets.pass(0, [usize::MAX, 1], &mut show).unwrap();
    all
}

fn in_order(mut positions: Vec<Packed>) -> Vec<Packed> {
    positions.sort_unstable_by_key(|packed| packed.to_bytes());
    positions
}

/// Returns all training positions.
fn training(positions: &Positions) -> Vec<Packed> {
    all(&positions.training)
}

fn check_features<G: Board>(component: Component) {
    for index in 0..20 {
        let record = game::<G>(component, index);
        let right = component.variant().rules().right;
        let mut position = Position::<G>::from_fen(&record.fen, right).unwrap();
        for ply in record.plies {
            let packed = Packed::new(&position, 0.75);
            let side = position.side_to_move();
            let expected = [side, !side].map(|color| {
                let threats = Color::ALL.map(|color| Threats::of(&position, color));
                let attacked = Attacked::of(&position, threats);
                let piece = |square| position.piece_at(square).unwrap();
                let pieces = position.occupied().into_iter();
                let pieces =
                    pieces.map(|square| PlacedPiece::new(piece(square), square, &attacked));
                let view = Perspective::new(color, position.king(color));
                view.features(pieces, Rights::of(&position))
            });
            assert_eq!(packed.features::<G>(), expected, "{position:?}");
            assert!((packed.target() - 0.75).abs() < 1e-5);
            assert_eq!(packed.count(), position.occupied().count() as usize);
            position.make(ply.mv::<G>().unwrap());
        }
    }
}

#[test]
fn packed_positions_have_the_same_features() {
    check_features::<Board8x8>(component("chess960"));
    check_features::<Board8x8>(component("jepps"));
    if HAS_BOARD_10X10 {
        check_features::<Board10x10>(component("ifrc"));
    }
}

#[test]
fn each_game_is_read_once() {
    let folder = data(40);
    let positions = read(&folder);
    let set = &positions.sets[0];
    assert_eq!((set.games, set.damage), (40, 0));
    let kept: u64 = set.kept.iter().sum();
    assert_eq!(set.plies, kept + set.left_out.values().sum::<u64>());
    let filter = Settings::FILTER;
    let keeps = |record: &TrainingGame| {
        let plies = record.plies.iter().enumerate();
        plies.filter(|(number, ply)| filter.keeps(*number, **ply)).count() as u64
    };
    assert_eq!(kept, (0..40).map(|index| keeps(&game_of_set(index))).sum::<u64>());
    assert_eq!(set.left_out[&LeftOut::Random], 40 * 6);
    assert_eq!([positions.training.len() as u64, positions.validation.len() as u64], set.kept);
    // The order of games in the file must not matter.
    let backwards = read(&data_of((0..40).rev()));
    assert_eq!(training(&backwards), training(&positions));
    assert_eq!(backwards.validation, positions.validation);
    assert_eq!(backwards.checksum, positions.checksum);
    // Games that occur in two files count once. The same games are held out as without the second file.
    let more = data(45);
    let twice = [sets(&folder), sets(&more)].concat();
    let again = read_sets(&twice, &small());
    let first = training(&again).into_iter().filter(|packed| packed.set() == 0).collect();
    assert_eq!(in_order(first), in_order(training(&positions)));
    assert!(again.sets[1].left_out[&LeftOut::SecondTime] > 0);
    assert_eq!(again.sets[1].games, 45);
    assert!(again.training.len() - positions.training.len() < 5 * 80);
    assert_ne!(again.checksum, positions.checksum);
}

/// The validation set must be the same for every seed. Otherwise an initial network trained with another seed
/// might have seen the validation games.
#[test]
fn the_validation_set_does_not_depend_on_the_seed() {
    let folder = data(40);
    let sets = sets(&folder);
    let with = |seed, validation| read_sets(&sets, &Settings { seed, validation, ..small() });
    let (positions, others) = (with(1, 0.2), with(2, 0.2));
    assert!(!positions.validation.is_empty());
    assert_eq!(others.validation, positions.validation);
    // A larger validation set contains the smaller validation set.
    let more = with(1, 0.4).validation;
    assert!(more.len() > positions.validation.len());
    assert!(positions.validation.iter().all(|packed| more.contains(packed)));
}

/// A pass shows every position once and in whole batches. Each seed gives another order. The size of the
/// memory does not matter.
#[test]
fn passes_shuffle_data_larger_than_memory() {
    let positions = read(&data(120));
    let mut sorted = training(&positions).into_iter().map(Packed::to_bytes).collect::<Vec<_>>();
    sorted.sort_unstable();
    let batch = 64;
    let pass = |seed, wanted| {
        let mut shown = Vec::new();
        let mut show = |positions| {
            shown.push(positions);
            true
        };
        positions.training.pass(seed, [wanted, batch], &mut show).unwrap();
        shown
    };
    for wanted in [1, 500, usize::MAX] {
        let shown = pass(3, wanted);
        assert_eq!(shown.len() > 1, wanted < positions.training.len(), "{wanted}");
        let (last, others) = shown.split_last().unwrap();
        assert!(others.iter().all(|part| part.len().is_multiple_of(batch)));
        // A part may exceed the wanted size: a single bucket may be larger, and positions left over from the
        // last part are added.
        assert!(shown.iter().all(|part| part.len() <= wanted.max(5 * 80).saturating_add(batch)));
        assert!(!last.is_empty());
        let all = shown.concat();
        let mut bytes: Vec<_> = all.iter().map(|packed| packed.to_bytes()).collect();
        assert_eq!(pass(3, wanted).concat(), all);
        assert_ne!(pass(4, wanted).concat(), all);
        bytes.sort_unstable();
        assert_eq!(bytes, sorted);
    }
    // Games larger than the write buffer are written to the file.
    let folder = tempfile::tempdir().unwrap();
    let mut buckets = Buckets::new(folder.path()).unwrap();
    let game = training(&positions);
    let record = super::buckets::record((1, 7), &game);
    (0..40).for_each(|_| buckets.push((1, 7), game.len(), &record).unwrap());
    assert!(40 * record.len() > 4 * (64 << 10));
    let shuffled = all(&buckets);
    let games = vec![game; 40].concat();
    // Eight positions in a row stay together.
    let mut fragments = shuffled.as_chunks::<8>().0.iter().take(50);
    assert!(fragments.all(|part| games.windows(8).any(|others| others == part)));
    assert_ne!(shuffled[..100], games[..100]);
    assert_eq!(in_order(shuffled), in_order(games));
}

#[test]
fn a_data_set_has_a_path_and_a_weight() {
    let read = |text: &str| text.parse::<DataSet>().map(|set| (set.path, set.weight)).ok();
    assert_eq!(read("games/8x8"), Some(("games/8x8".into(), 1.0)));
    assert_eq!(read("games:0.5"), Some(("games".into(), 0.5)));
    assert_eq!(read("C:/games"), Some(("C:/games".into(), 1.0)));
    for text in ["games:0", "games:-1", "games:x", "games:inf", ":2"] {
        assert_eq!(read(text), None, "{text}");
    }
    let folder = data(30);
    let weighted = [
        DataSet { weight: 3.0, ..sets(&folder)[0].clone() },
        DataSet { path: folder.path().to_owned(), weight: 1.0 },
    ];
    let positions = read_sets(&weighted, &small());
    // Every game of the second data set is also in the first data set.
    assert!((positions.weights()[0] - 1.0).abs() < 1e-6, "{:?}", positions.weights());
}

/// Compares the gradient with finite differences. The steps are much larger than the rounding of the weights.
#[test]
fn gradients_match_finite_differences() {
    let positions = training(&read(&data(30)));
    let mut model = Model::new(Shape::new::<Board8x8>(64, 2), 3);
    model.parameters.iter_mut().for_each(|number| *number *= 3.0);
    let shape = model.shape;
    let mut passes = Passes::new(shape);
    // The positions fill more than one block, and the last block is not full.
    assert!(positions.len() > 700);
    for positions in positions.chunks(700).take(2) {
        let packed = &positions[positions.len() / 2];
        let mut gradient = Numbers::zeros(model.parameters.len());
        let target = 0.8;
        let share = 1.0 / positions.len() as f32;
        let aim = |_: &Packed| (target, 1.0);
        let learnt = passes.learn::<Board8x8>(&model, positions, aim, share, &mut gradient);
        let mut loss = |model: &Model| {
            let errors = passes.predict::<Board8x8>(model, positions).into_iter();
            let squares = errors.map(|points| f64::from(points - target).powi(2));
            squares.sum::<f64>() / positions.len() as f64
        };
        let mean = learnt / positions.len() as f64;
        assert!((mean - loss(&model)).abs() < 1e-6, "{mean}");
        let row = usize::from(packed.features::<Board8x8>()[0][3]);
        let output = shape.output_row(crate::eval::nnue::output_of(packed.count(), 2));
        let neurons = [row, shape.bias_row(), output].map(|row| shape.row(row).skip(31).take(2));
        let mut seen = 0.0;
        for index in neurons.into_iter().flatten().chain(shape.output_bias()..shape.parameters()) {
            let old = model.parameters[index];
            // The forward pass rounds the first layer to multiples of 1/1,024. The step is also a multiple of
            // 1/1,024.
            let step = 8.0 / 1_024.0;
            model.parameters[index] = old + step;
            let above = loss(&model);
            model.parameters[index] = old - step;
            let below = loss(&model);
            model.parameters[index] = old;
            let slope = (above - below) / f64::from(2.0 * step);
            let found = f64::from(gradient[index]);
            assert!((slope - found).abs() < 1e-3 + 0.02 * slope.abs(), "{slope} {found}");
            seen += found.abs();
        }
        assert!(seen > 1e-3, "{seen}");
    }
}

/// Compares the predictions and the gradient of whole games with those of single positions. The kings of some
/// positions change to the other half of the board, so that a view is mirrored.
fn check_sums_over_games<G: Board>(component: Component) {
    let right = component.variant().rules().right;
    let mut positions = Vec::new();
    for index in 0..6 {
        let record = game::<G>(component, index);
        let mut position = Position::<G>::from_fen(&record.fen, right).unwrap();
        for ply in record.plies {
            position.make(ply.mv::<G>().unwrap());
            positions.push(Packed::new(&position, 0.6));
        }
    }
    let views: Vec<_> = positions.iter().map(Packed::perspectives::<G>).collect();
    let mirrored = views.windows(2).filter(|pair| pair[0][0] != pair[1][0]);
    assert!(mirrored.filter(|pair| pair[0][1] == pair[1][1]).count() > 3);
    let model = Model::new(Shape::new::<G>(64, 2), 3);
    let mut passes = Passes::new(model.shape);
    let mut learn = |positions: &[Packed]| {
        let mut gradient = Numbers::zeros(model.parameters.len());
        let aim = |packed: &Packed| (packed.count() as f32 / 32.0, 1.0);
        let loss = passes.learn::<G>(&model, positions, aim, 1.0, &mut gradient);
        (loss, passes.predict::<G>(&model, positions), gradient)
    };
    let (loss, predictions, gradient) = learn(&positions);
    let mut singly = (0.0, Vec::new(), vec![0.0; gradient.len()]);
    for packed in positions.chunks(1) {
        let (loss, predictions, gradient) = learn(packed);
        singly.0 += loss;
        singly.1.extend(predictions);
        singly.2.iter_mut().zip(&gradient[..]).for_each(|(sum, slope)| *sum += f64::from(*slope));
    }
    assert!((loss - singly.0).abs() < 1e-9 * loss, "{loss} {}", singly.0);
    assert_eq!(predictions, singly.1);
    let largest = singly.2.iter().fold(0.0, |most, slope| slope.abs().max(most));
    for (slope, expected) in gradient.iter().zip(singly.2) {
        assert!((f64::from(*slope) - expected).abs() < 1e-6 * largest, "{slope} {expected}");
    }
}

#[test]
fn games_have_the_same_gradient_as_single_positions() {
    check_sums_over_games::<Board8x8>(component("chess960"));
    if HAS_BOARD_10X10 {
        check_sums_over_games::<Board10x10>(component("ifrc"));
    }
}

fn train_in(folder: &Path, data: &TempDir, settings: &Settings, threads: usize) -> TrainingResult {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let train = || run::<Board8x8>(folder, "test", &sets(data), settings, None, &mut |_| {});
    pool.install(train).unwrap()
}

/// Trains with one thread, with several threads and with an interruption, and compares the resulting files.
#[test]
fn training_is_reproducible() {
    let data = data(240);
    let folders: Vec<TempDir> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let settings = small();
    let outcome = train_in(folders[0].path(), &data, &settings, 1);
    let first = &outcome.manifest.epochs[0].validation;
    let last = &outcome.manifest.epochs[3].validation;
    assert!(last.all < 0.95 * first.all, "{} {}", first.all, last.all);
    assert_eq!(last.components.keys().collect::<Vec<_>>(), ["chess960", "jepps"]);
    let quantised = &outcome.manifest.quantised;
    assert!((quantised.all - last.all).abs() < 0.02 * last.all, "{} {}", quantised.all, last.all);

    let other = train_in(folders[1].path(), &data, &settings, 3);
    assert_eq!(other.manifest, outcome.manifest);

    let killed = catch_unwind(AssertUnwindSafe(|| {
        run::<Board8x8>(folders[2].path(), "test", &sets(&data), &settings, None, &mut |event| {
            assert!(
                !matches!(event, TrainEvent::Epoch { losses, .. } if losses.epoch == 2),
                "killed"
            );
        })
    }));
    assert!(killed.is_err() && !folders[2].path().join("test.nnue").exists());
    let mut resumed = 0;
    run::<Board8x8>(folders[2].path(), "test", &sets(&data), &settings, None, &mut |event| {
        if let TrainEvent::Resumed(epochs) = event {
            resumed = epochs;
        }
    })
    .unwrap();
    assert_eq!(resumed, 2);
    for file in ["test.nnue", "test.manifest.json", "losses.csv", "losses.svg"] {
        let bytes = |folder: &TempDir| fs::read(folder.path().join(file)).unwrap();
        assert!(folders.iter().all(|folder| bytes(folder) == bytes(&folders[0])), "{file}");
    }
    let table = fs::read_to_string(folders[0].path().join("losses.csv")).unwrap();
    assert_eq!(table.lines().count(), 5);
    assert!(table.starts_with("epoch,training,validation,chess960,jepps\n1,"), "{table}");
    assert!(fs::read_to_string(folders[0].path().join("losses.svg")).unwrap().contains("polyline"));
    let bytes = fs::read(folders[0].path().join("test.nnue")).unwrap();
    let parameters = Parameters::from_bytes::<Board8x8>(&bytes).unwrap();
    assert_eq!((parameters.name.as_str(), parameters.hidden), ("test", 32));
}

/// The memory holds only a third of the positions at once.
#[test]
fn data_larger_than_memory_trains_the_same_with_any_number_of_threads() {
    let data = data(700);
    let settings = Settings { memory: 1, epochs: 2, batch: 4_096, ..small() };
    let positions = read_sets(&sets(&data), &settings).training.len();
    assert!(positions > 2 * settings.positions_at_hand(), "{positions}");
    let folders: Vec<TempDir> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let [one, two] = [1, 2].map(|threads| {
        let outcome = train_in(folders[threads - 1].path(), &data, &settings, threads);
        (fs::read(outcome.network).unwrap(), outcome.manifest)
    });
    assert!(one == two);
    let [first, last] = [0, 1].map(|epoch| one.1.epochs[epoch].validation.all);
    assert!(last < first, "{first} {last}");
    let whole = Settings { memory: 8, ..settings };
    let folder = tempfile::tempdir().unwrap();
    let outcome = train_in(folder.path(), &data, &whole, 2);
    assert_ne!(fs::read(outcome.network).unwrap(), one.0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5, "no positions are left behind");
}

#[test]
fn a_checkpoint_of_another_training_is_rejected_and_kept() {
    let games = data(30);
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { epochs: 1, ..small() };
    train_in(folder.path(), &games, &settings, 1);
    let path = folder.path().join("checkpoint.bin");
    let bytes = fs::read(&path).unwrap();
    let error = |data: &TempDir, settings: &Settings| {
        let run = run::<Board8x8>(folder.path(), "test", &sets(data), settings, None, &mut |_| {});
        run.unwrap_err().to_string()
    };
    let seed = Settings { seed: 1, ..settings.clone() };
    assert!(error(&games, &seed).contains("differs in its setting"));
    assert!(error(&data(31), &settings).contains("differs in its data"));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    for wrong in [&bytes[..bytes.len() - 1], b"text", b""] {
        fs::write(&path, wrong).unwrap();
        assert!(error(&games, &settings).contains("damaged"));
    }
}

#[test]
fn training_can_start_from_a_network_file() {
    let games = data(30);
    let folder = tempfile::tempdir().unwrap();
    let taught = train_in(folder.path(), &games, &Settings { epochs: 1, ..small() }, 1);
    let begin = |path: &Path, hidden: usize, outputs: usize| {
        let settings =
            Settings { hidden, outputs, rate: 1e-9, last_rate: 0.0, scale: None, ..small() };
        let to = tempfile::tempdir().unwrap();
        run::<Board8x8>(to.path(), "test", &sets(&games), &settings, Some(path), &mut |_| {})
            .map(|outcome| outcome.manifest)
    };
    let manifest = begin(&taught.network, 32, 1).unwrap();
    let TrainingManifest { hash, scale, quantised, .. } = taught.manifest.clone();
    let network = InitialNetwork { network: "test".into(), hash: hash.clone(), scale };
    assert_eq!((manifest.from, manifest.scale), (Some(network), scale));
    // With a rate near 0, the weights stay as they are. The default scale is that of the initial network.
    assert_eq!((manifest.hash, manifest.quantised), (hash, quantised));
    assert_eq!(manifest.settings.scale, Some(scale));
    let rejected =
        |path: &Path, hidden, outputs| begin(path, hidden, outputs).unwrap_err().to_string();
    for (hidden, outputs) in [(64, 1), (32, 2)] {
        let error = rejected(&taught.network, hidden, outputs);
        assert!(error.contains("has 32 hidden neurons and 1 outputs"), "{error}");
    }
    let missing = folder.path().join("no.nnue");
    assert!(rejected(&missing, 32, 1).contains("cannot read"));
    let mut bytes = fs::read(&taught.network).unwrap();
    bytes[70] ^= 1;
    fs::write(&missing, bytes).unwrap();
    assert!(rejected(&missing, 32, 1).contains("damaged"));
}

#[test]
fn export_reports_clipped_and_shrunk_weights() {
    let positions = training(&read(&data(30)));
    let model = Model::new(Shape::new::<Board8x8>(64, 2), 5);
    let (parameters, report) = export::<Board8x8>(&model, "fits", 300.0).unwrap();
    assert_eq!(report, Export::default());
    let network = super::export::network::<Board8x8>(&parameters).unwrap();
    let points = Passes::new(model.shape).predict::<Board8x8>(&model, &positions);
    for (packed, points) in positions.iter().zip(points) {
        let [own, theirs] = &packed.features::<Board8x8>();
        let value = network.evaluate([own, theirs], packed.count()) as f32;
        assert!((logistic(value / 300.0) - points).abs() < 0.004, "{value} {points}");
    }
    let mut large = model;
    let place = |row, neuron| large.shape.row(row).nth(neuron).unwrap();
    let [weight, bias] = [place(0, 5), place(large.shape.bias_row(), 1)];
    let row = large.shape.output_row(1);
    let output: Vec<usize> = large.shape.row(row).chain(large.shape.row(row + 1)).collect();
    large.parameters[weight] = 3.0;
    large.parameters[bias] = -7.0;
    // The sum of 128 weights of 486 does not overflow.
    output.iter().for_each(|place| large.parameters[*place] = 1.9);
    let (parameters, report) = export::<Board8x8>(&large, "large", 300.0).unwrap();
    assert_eq!(report, Export { clipped_inputs: 2, shrunk_outputs: 0 });
    assert_eq!(parameters.output_weights[128], 486);
    // The sum of 1,024 weights of 486 overflows.
    let mut wide = Model::new(Shape::new::<Board8x8>(512, 1), 5);
    let shape = wide.shape;
    for row in shape.output_row(0)..shape.rows() {
        shape.row(row).for_each(|place| wide.parameters[place] = 1.9);
    }
    let (parameters, report) = export::<Board8x8>(&wide, "wide", 300.0).unwrap();
    assert_eq!(report.shrunk_outputs, 1);
    let bound = output_bound(&parameters.output_weights, 0);
    assert!((0.95..1.0).contains(&(bound as f64 / f64::from(i32::MAX))));
    assert_eq!(parameters.check::<Board8x8>(), Ok(()));
}

/// Checks the learning rate by the size of a step.
#[test]
fn the_learning_rate_warms_up() {
    let positions = training(&read(&data(30)));
    let shape = Shape::new::<Board8x8>(32, 1);
    let moved = |warm_up| {
        let schedule =
            Schedule { rates: [1e-2; 2], steps: 2, warm_up, decay: 0.0, clip: MOST_INPUT };
        let mut descent = Descent::new(Model::new(shape, 1), schedule, vec![1.0]);
        [(); 2].map(|()| {
            let before = descent.model.parameters.clone();
            descent.batch::<Board8x8>(&positions);
            let pairs = before.iter().zip(&descent.model.parameters[..]);
            pairs.map(|(before, after)| (before - after).abs()).fold(0.0, f32::max)
        })
    };
    let [cold, warm] = moved(2);
    let [at_once, _] = moved(0);
    assert!((cold - 0.005).abs() < 1e-4 && (at_once - 0.01).abs() < 1e-4, "{cold} {at_once}");
    assert!(warm > 1.5 * cold, "{cold} {warm}");
}

#[test]
fn targets_blend_scores_with_later_scores_and_the_result() {
    for index in 0..10 {
        let bytes = game_of_set(index).to_bytes();
        let game = StoredGame::read(&bytes).unwrap();
        let of = |lambda| targets::<Board8x8>(&game, 300.0, lambda).unwrap();
        let [scores, blended, results] = [0.0, 0.25, 1.0].map(of);
        let samples = game.replay::<Board8x8>(Settings::FILTER).unwrap().map(Result::unwrap);
        for sample in samples {
            let ply = sample.ply;
            let points = sample.result.points(sample.position.side_to_move());
            assert_eq!(results[ply], f32::from(points as u8) / 2.0);
            assert_eq!(scores[ply], logistic(sample.score as f32 / 300.0));
            // The scores of later plies are from alternating sides, and the result has the remaining weight.
            let (mut expected, mut share) = (0.0, 1.0);
            for (later, score) in scores[ply..].iter().enumerate() {
                let score = if later % 2 == 0 { *score } else { 1.0 - score };
                expected += 0.75 * share * score;
                share *= 0.25;
            }
            expected += share * results[ply];
            assert!((blended[ply] - expected).abs() < 1e-5, "{} {expected}", blended[ply]);
        }
    }
}

#[test]
fn invalid_settings_are_rejected() {
    let rejected = |settings: Settings| settings.check().unwrap_err().to_string();
    assert!(Settings::default().check().is_ok());
    assert!(rejected(Settings { hidden: 33, ..small() }).starts_with("hidden is 33"));
    assert!(rejected(Settings { lambda: f32::NAN, ..small() }).starts_with("lambda"));
    assert!(rejected(Settings { epochs: 0, ..small() }).starts_with("epochs"));
    assert!(rejected(Settings { memory: 0, ..small() }).contains("MiB"));
    assert!(rejected(Settings { clip: 2.0, ..small() }).contains("1.64"));
}
