use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tempfile::TempDir;

use super::model::{Numbers, logistic};
use super::passes::Passes;
use super::*;
use crate::attacks::Board;
use crate::eval::nnue::{Attacked, Man, Parameters, Perspective, Rights, output_bound};
use crate::geometry::Board8x8;
use crate::position::{Position, Threats, piece_value};
use crate::random::Rng;
use crate::rules::BoardSize;
use crate::tools::data::{
    BlockWriter, Component, GAMES_FILE, Ply, RecordedResult, Termination, TrainingGame,
};
use crate::types::{Color, Role};

/// Games of random moves, whose scores are the material: something that can be learnt.
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
    let ending = RecordedResult::win(winner, Termination::WinByScore);
    TrainingGame { index, component, ending, random_plies: 6, fen, plies }
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

/// The game of the data set with this index.
fn game_of_set(index: u32) -> TrainingGame {
    game::<Board8x8>(component(["chess960", "jepps"][index as usize % 2]), index)
}

/// A folder with a data set of so many games.
fn data(games: u32) -> TempDir {
    data_of(0..games)
}

/// A folder with games of a data set, in this order.
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
        lambda: 0.0, // material can be learnt, luck cannot
        td_horizon: 0.0,
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

/// All positions, in an order that depends on how many there are alone.
fn all(buckets: &Buckets) -> Vec<Packed> {
    let mut all = Vec::new();
    let mut show = |positions| {
        all.extend::<Vec<Packed>>(positions);
        true
    };
    buckets.pass(0, 0.0, [usize::MAX, 1], &mut show).unwrap();
    all
}

fn in_order(mut positions: Vec<Packed>) -> Vec<Packed> {
    positions.sort_unstable_by_key(|packed| packed.to_bytes());
    positions
}

/// All that there are to learn from.
fn training(positions: &Positions) -> Vec<Packed> {
    all(&positions.training)
}

fn check_features<G: Board>(component: Component) {
    for index in 0..20 {
        let record = game::<G>(component, index);
        let right = component.variant().rules().right;
        let mut position = Position::<G>::from_fen(&record.fen, right).unwrap();
        for ply in record.plies {
            let packed = Packed::new(&position, -123, 2);
            let side = position.side_to_move();
            let expected = [side, !side].map(|color| {
                let threats = Color::ALL.map(|color| Threats::of(&position, color));
                let attacked = Attacked::of(&position, threats);
                let piece = |square| position.piece_at(square).unwrap();
                let men = position.occupied().into_iter();
                let men = men.map(|square| Man::new(piece(square), square, &attacked));
                let view = Perspective::new(color, position.king(color));
                view.features(men, Rights::of(&position))
            });
            assert_eq!(packed.features::<G>(), expected, "{position:?}");
            assert_eq!((packed.score(), packed.points()), (-123.0, Some(1.0)));
            assert_eq!(packed.count(), position.occupied().count() as usize);
            position.make(ply.mv::<G>().unwrap());
        }
    }
}

#[test]
fn packed_positions_have_the_inputs_of_the_positions() {
    check_features::<Board8x8>(component("chess960"));
    check_features::<Board8x8>(component("jepps"));
    #[cfg(feature = "board10x10")]
    check_features::<crate::geometry::Board10x10>(component("ifrc"));
}

#[test]
fn games_are_read_whole_and_once() {
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
    // Threads decide where a game stands in its file, but not what is learnt.
    let backwards = read(&data_of((0..40).rev()));
    assert_eq!(training(&backwards), training(&positions));
    assert_eq!(backwards.validation, positions.validation);
    assert_eq!(backwards.checksum, positions.checksum);
    // The same games in another file count once, and are set apart or not as before.
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

/// A game that judges a network was not learnt by the one that it begins with, whose seed was another.
#[test]
fn the_seed_does_not_decide_what_is_set_apart() {
    let folder = data(40);
    let sets = sets(&folder);
    let with = |seed, validation| read_sets(&sets, &Settings { seed, validation, ..small() });
    let (positions, others) = (with(1, 0.2), with(2, 0.2));
    assert!(!positions.validation.is_empty());
    assert_eq!(others.validation, positions.validation);
    // What is set apart of fewer games is so of more.
    let more = with(1, 0.4).validation;
    assert!(more.len() > positions.validation.len());
    assert!(positions.validation.iter().all(|packed| more.contains(packed)));
}

/// A pass has every position once, whatever the memory, in whole batches and in another order than
/// the pass before.
#[test]
fn passes_mix_what_memory_does_not_hold() {
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
        positions.training.pass(seed, 0.0, [wanted, batch], &mut show).unwrap();
        shown
    };
    for wanted in [1, 500, usize::MAX] {
        let shown = pass(3, wanted);
        assert_eq!(shown.len() > 1, wanted < positions.training.len(), "{wanted}");
        let (last, others) = shown.split_last().unwrap();
        assert!(others.iter().all(|part| part.len().is_multiple_of(batch)));
        // A bucket may have more than one game, and what is left of the last batch comes besides.
        assert!(shown.iter().all(|part| part.len() <= wanted.max(5 * 80).saturating_add(batch)));
        assert!(!last.is_empty());
        let all = shown.concat();
        let mut bytes: Vec<_> = all.iter().map(|packed| packed.to_bytes()).collect();
        assert_eq!(pass(3, wanted).concat(), all);
        assert_ne!(pass(4, wanted).concat(), all);
        bytes.sort_unstable();
        assert_eq!(bytes, sorted);
    }
    // A share is left out, as many with any memory, and others in each pass.
    let pass = |seed, wanted| {
        let mut shown = Vec::new();
        let mut show = |positions: Vec<Packed>| {
            shown.extend(positions);
            true
        };
        positions.training.pass(seed, 0.25, [wanted, batch], &mut show).unwrap();
        assert_eq!(shown.len(), positions.training.met(0.25));
        let mut bytes: Vec<_> = shown.into_iter().map(Packed::to_bytes).collect();
        bytes.sort_unstable();
        bytes
    };
    assert!(positions.training.met(0.25).abs_diff(3 * sorted.len() / 4) < 2);
    assert_ne!(pass(3, usize::MAX), pass(4, usize::MAX));
    assert_ne!(pass(3, 500), pass(3, usize::MAX));
    // What is larger than the buffers stands in the file.
    let folder = tempfile::tempdir().unwrap();
    let mut buckets = Buckets::new(folder.path()).unwrap();
    let game = training(&positions);
    let record = super::buckets::record((1, 7), &game);
    (0..40).for_each(|_| buckets.push((1, 7), game.len(), &record).unwrap());
    assert!(40 * record.len() > 4 * (64 << 10));
    assert_eq!(in_order(all(&buckets)), in_order(vec![game; 40].concat()));
}

/// Scores from the view of White, whatever the parity of the ply.
fn for_white(positions: &Positions) -> Vec<(f32, f32)> {
    let training = training(positions);
    let all = training.iter().chain(&positions.validation);
    all.map(|packed| {
        let sign = if packed.white_to_move() { 1.0 } else { -1.0 };
        (sign * packed.score(), sign * (packed.points().unwrap() - 0.5))
    })
    .collect()
}

#[test]
fn scores_look_ahead_as_far_as_is_wanted() {
    let folder = data(40);
    let read = |td_horizon| {
        let settings = Settings { td_horizon, scale: Some(300.0), ..small() };
        for_white(&read_sets(&sets(&folder), &settings))
    };
    let [as_they_are, near, far] = [0.0, 3.0, 1_000.0].map(read);
    let error = |scores: &[(f32, f32)]| -> f32 {
        let points = scores.iter().map(|(score, points)| logistic(score / 300.0) - 0.5 - points);
        points.map(|error| error * error).sum::<f32>() / scores.len() as f32
    };
    let errors = [&as_they_are, &near, &far].map(|scores| error(scores));
    // Random moves: the further ahead, the more is known of the result.
    assert!(errors[0] > 1.05 * errors[1] && errors[1] > 4.0 * errors[2], "{errors:?}");
    // What follows one score within three plies is not far from it.
    let moved = as_they_are.iter().zip(&near).filter(|(a, b)| (a.0 - b.0).abs() > 600.0).count();
    assert!(moved < as_they_are.len() / 10, "{moved} of {}", as_they_are.len());
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
    // All of the second set was in the first.
    assert!((positions.weights()[0] - 1.0).abs() < 1e-6, "{:?}", positions.weights());
}

/// The gradient is the slope of the loss, as measured over steps that rounding leaves much of.
#[test]
fn gradients_are_slopes() {
    let positions = training(&read(&data(30)));
    let mut model = Model::new(Shape::new::<Board8x8>(64, 2), 3);
    model.parameters.iter_mut().for_each(|number| *number *= 3.0);
    let shape = model.shape;
    let mut passes = Passes::new(shape);
    // More than a block: one is full, the next is not.
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
            // Steps of the first layer are whole units of the rounded weights.
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

/// The output of a mean is the mean of outputs, whatever the widths.
#[test]
fn a_mean_is_between_its_parts() {
    let positions = training(&read(&data(30)));
    let shape = |hidden| Shape::new::<Board8x8>(hidden, 2);
    let parts = [Model::new(shape(32), 3), Model::new(shape(96), 4), Model::new(shape(32), 5)];
    let whole = Model::mean(shape(160), &parts, 6);
    let outputs = |model: &Model| -> Vec<f32> {
        let points = Passes::new(model.shape).predict::<Board8x8>(model, &positions).into_iter();
        points.map(|points| (points / (1.0 - points)).ln()).collect()
    };
    let outputs_of_parts = parts.each_ref().map(outputs);
    let wider = outputs(&Model::mean(shape(192), &parts, 6));
    for (number, (output, wider)) in outputs(&whole).into_iter().zip(wider).enumerate() {
        let mean = outputs_of_parts.iter().map(|outputs| outputs[number]).sum::<f32>() / 3.0;
        assert!((output - mean).abs() < 1e-4, "{mean}");
        assert!((wider - mean).abs() < 1e-4, "what was drawn has no say yet");
    }
    assert_eq!(Model::mean(shape(32), &parts[..1], 6).parameters[..], parts[0].parameters[..]);
}

fn train_in(folder: &Path, data: &TempDir, settings: &Settings, threads: usize) -> TrainingResult {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let train = || run::<Board8x8>(folder, "test", &sets(data), settings, &[], &mut |_| {});
    pool.install(train).unwrap()
}

#[test]
fn a_network_does_not_depend_on_threads_nor_on_interruptions() {
    without_a_difference(3_000);
}

#[test]
fn nor_does_one_without_pretraining() {
    without_a_difference(0);
}

/// Trains with one thread, with several, and with an interruption.
fn without_a_difference(pretraining: u64) {
    let data = data(120);
    let folders: Vec<TempDir> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let settings = Settings { pretraining, skip: 0.1, mean_steps: 3, ..small() };
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
        run::<Board8x8>(folders[2].path(), "test", &sets(&data), &settings, &[], &mut |event| {
            assert!(
                !matches!(event, TrainEvent::Epoch { losses, .. } if losses.epoch == 2),
                "killed"
            );
        })
    }));
    assert!(killed.is_err() && !folders[2].path().join("test.nnue").exists());
    let mut resumed = 0;
    run::<Board8x8>(folders[2].path(), "test", &sets(&data), &settings, &[], &mut |event| {
        if let TrainEvent::Resumed { epochs, .. } = event {
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

/// A set of which memory holds a third at once: positions are learnt by the part.
#[test]
fn a_set_larger_than_memory_is_learnt_with_any_number_of_threads() {
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
fn a_checkpoint_of_another_training_is_left_alone() {
    let games = data(30);
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { epochs: 1, ..small() };
    train_in(folder.path(), &games, &settings, 1);
    let path = folder.path().join("checkpoint.bin");
    let bytes = fs::read(&path).unwrap();
    let error = |data: &TempDir, settings: &Settings| {
        let run = run::<Board8x8>(folder.path(), "test", &sets(data), settings, &[], &mut |_| {});
        run.unwrap_err().to_string()
    };
    let seed = Settings { seed: 1, ..settings.clone() };
    assert!(error(&games, &seed).contains("another setting"));
    assert!(error(&data(31), &settings).contains("another data"));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    for wrong in [&bytes[..bytes.len() - 1], b"text", b""] {
        fs::write(&path, wrong).unwrap();
        assert!(error(&games, &settings).contains("damaged"));
    }
}

/// Whatever widths they claim: those that do not fit are refused, and none is believed.
#[test]
fn only_trainings_that_fit_are_begun_with() {
    let games = data(30);
    let folder = tempfile::tempdir().unwrap();
    train_in(folder.path(), &games, &Settings { epochs: 1, ..small() }, 1);
    let path = folder.path().join("checkpoint.bin");
    let bytes = fs::read(&path).unwrap();
    let begin = |hidden: usize, outputs: usize| {
        let from = [folder.path().to_owned(), folder.path().to_owned()];
        let settings = Settings { epochs: 0, hidden, outputs, ..small() };
        let to = tempfile::tempdir().unwrap();
        run::<Board8x8>(to.path(), "mean", &sets(&games), &settings, &from, &mut |_| {})
    };
    assert_eq!(begin(64, 1).unwrap().manifest.from.len(), 2);
    assert_eq!(begin(96, 1).unwrap().manifest.settings.hidden, 96);
    assert!(begin(32, 1).unwrap_err().to_string().contains("--hidden 64"));
    assert!(begin(64, 2).unwrap_err().to_string().contains("--outputs"));
    for claimed in ["0", "33", "9223372036854775808"] {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        let line = std::str::from_utf8(&bytes[..end]).unwrap();
        let line = line.replace("\"hidden\":32", &format!("\"hidden\":{claimed}"));
        let mut changed = [line.as_bytes(), &bytes[end..bytes.len() - 4]].concat();
        changed.extend(crc32fast::hash(&changed).to_le_bytes());
        fs::write(&path, changed).unwrap();
        assert!(begin(64, 1).unwrap_err().to_string().contains("damaged"), "{claimed}");
    }
}

/// What a file holds is begun with as it is: where nothing is learnt, the same network comes out.
#[test]
fn a_network_in_a_file_is_begun_with() {
    let games = data(30);
    let folder = tempfile::tempdir().unwrap();
    let taught = train_in(folder.path(), &games, &Settings { epochs: 1, ..small() }, 1);
    let read = |path: &Path| Parameters::from_bytes::<Board8x8>(&fs::read(path).unwrap()).unwrap();
    let begin = |path: &Path, hidden: usize, outputs: usize| {
        let from = vec![path.to_owned(); hidden / 32];
        let settings = Settings { epochs: 0, hidden, outputs, scale: None, ..small() };
        let to = tempfile::tempdir().unwrap();
        let outcome =
            run::<Board8x8>(to.path(), "test", &sets(&games), &settings, &from, &mut |_| {});
        outcome.map(|outcome| (read(&outcome.network), outcome.manifest))
    };
    let (again, manifest) = begin(&taught.network, 32, 1).unwrap();
    let TrainingManifest { hash, scale, .. } = taught.manifest.clone();
    let network = InitialWeights::Network { network: "test".into(), hash, scale };
    assert_eq!((manifest.from, manifest.scale), (vec![network], scale));
    assert_eq!(again, read(&taught.network));
    // Scores that look ahead do so in the same scale.
    assert_eq!(manifest.settings.scale, Some(scale));
    // Both halves of a mean are it.
    let (mean, _) = begin(&taught.network, 64, 1).unwrap();
    assert_eq!(mean.input_bias, [&again.input_bias[..], &again.input_bias].concat());
    assert!(begin(&taught.network, 64, 2).unwrap_err().to_string().contains("--outputs"));
    let missing = folder.path().join("no.nnue");
    assert!(begin(&missing, 32, 1).unwrap_err().to_string().contains("cannot read"));
    let mut bytes = fs::read(&taught.network).unwrap();
    bytes[70] ^= 1;
    fs::write(&missing, bytes).unwrap();
    assert!(begin(&missing, 32, 1).unwrap_err().to_string().contains("damaged"));
}

#[test]
fn export_keeps_what_fits_and_tells_what_does_not() {
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
    // 128 weights of 486 do not overflow.
    output.iter().for_each(|place| large.parameters[*place] = 1.9);
    let (parameters, report) = export::<Board8x8>(&large, "large", 300.0).unwrap();
    assert_eq!(report, Export { clipped_inputs: 2, shrunk_outputs: 0 });
    assert_eq!(parameters.output_weights[128], 486);
    // 1,024 weights of 486 overflow.
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

/// What rates and weights of results come to can be seen in how far a step goes, and to where.
#[test]
fn rates_warm_up_and_results_come_to_count() {
    let positions = training(&read(&data(30)));
    let shape = Shape::new::<Board8x8>(32, 1);
    let goal = Goal { scale: 300.0, lambda: 0.0, weights: vec![1.0] };
    let moved = |warm_up, lambdas| {
        let (rates, mean_steps) = ([1e-2; 2], 0);
        let schedule =
            Schedule { rates, steps: 2, warm_up, lambdas, mean_steps, decay: 0.0, clip: 1.98 };
        let mut descent = Descent::new(Model::new(shape, 1), schedule, goal.clone());
        [(); 2].map(|()| {
            let before = descent.model.parameters.clone();
            let loss = descent.batch::<Board8x8>(&positions);
            let pairs = before.iter().zip(&descent.model.parameters[..]);
            (pairs.map(|(before, after)| (before - after).abs()).fold(0.0, f32::max), loss)
        })
    };
    let [(cold, _), (warm, _)] = moved(2, [0.0; 2]);
    let [(at_once, scores_first), (_, scores_last)] = moved(0, [0.0; 2]);
    assert!((cold - 0.005).abs() < 1e-4 && (at_once - 0.01).abs() < 1e-4, "{cold} {at_once}");
    assert!(warm > 1.5 * cold, "{cold} {warm}");
    let [(_, first), (_, last)] = moved(0, [0.0, 1.0]);
    assert_eq!(first, scores_first);
    assert!(last > 1.2 * scores_last, "results are harder to foretell: {last} {scores_last}");
}

#[test]
fn the_mean_of_the_last_steps_is_taken() {
    let positions = training(&read(&data(30)));
    let goal = Goal { scale: 300.0, lambda: 0.0, weights: vec![1.0] };
    let (rates, lambdas) = ([1e-2; 2], [0.0; 2]);
    let schedule =
        Schedule { rates, steps: 3, warm_up: 0, lambdas, mean_steps: 2, decay: 0.0, clip: 1.98 };
    let mut descent = Descent::new(Model::new(Shape::new::<Board8x8>(32, 1), 1), schedule, goal);
    let after = [(); 3].map(|()| {
        descent.batch::<Board8x8>(&positions);
        descent.model.parameters.clone()
    });
    descent.settle();
    let [_, before_last, last] = &after;
    for ((mean, a), b) in descent.model.parameters.iter().zip(&before_last[..]).zip(&last[..]) {
        assert!((mean - (a + b) / 2.0).abs() < 1e-6, "{mean} {a} {b}");
    }
    assert_ne!(descent.model.parameters[..], last[..]);
    descent.settle(); // there is nothing left to take
    assert_ne!(descent.model.parameters[..], last[..]);
}

#[test]
fn senseless_settings_are_refused() {
    let refused = |settings: Settings| settings.check(true).unwrap_err().to_string();
    assert!(Settings::default().check(true).is_ok());
    assert!(refused(Settings { hidden: 33, ..small() }).starts_with("hidden is 33"));
    assert!(refused(Settings { lambda: f32::NAN, ..small() }).starts_with("lambda"));
    assert!(refused(Settings { epochs: 0, ..small() }).starts_with("epochs"));
    assert!(refused(Settings { td_horizon: -1.0, ..small() }).starts_with("horizon"));
    assert!(refused(Settings { memory: 0, ..small() }).contains("MiB"));
    assert!(refused(Settings { skip: 1.0, ..small() }).contains("0.99"));
    assert!(refused(Settings { last_lambda: Some(1.5), ..small() }).starts_with("last-lambda"));
    assert!(refused(Settings { clip: 2.0, ..small() }).contains("1.64"));
}
