//! Tests of the data format: round trips, damage, verification, merging and shuffling.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use proptest::prelude::*;

use super::*;
use crate::files::{FileError, IfExists};
use crate::game::{Outcome, Termination};
use crate::geometry::{Board, Board8x8};
use crate::position::Position;
use crate::rules::{BoardSize, on_board};
use crate::start::Rng;
use crate::types::Color;

/// A temporary folder that is removed when dropped.
pub(in crate::tools) struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("aleator-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns a game of random moves, some of them with scores.
fn record<G: Board>(component: &str, index: u32) -> TrainingGame {
    let component: Component = component.parse().unwrap();
    let mut rng = Rng::new(u64::from(index) + 1_000);
    let fen = component.starts().random(&mut rng).fen();
    let right = component.variant().rules().right;
    let mut position = Position::<G>::from_fen(&fen, right).unwrap();
    let mut plies = Vec::new();
    for number in 0..20 + rng.below(40) {
        let moves = position.legal_moves();
        let Some(mv) = moves.get(rng.below(moves.len() as u64) as usize) else { break };
        let score = rng.below(8_001) as i32 - 4_000;
        plies.push(match number < 6 {
            true => Ply::random(&position, *mv),
            false => Ply::searched(&position, *mv, score),
        });
        position.make(*mv);
    }
    // The side that is ahead in the last score wins.
    let ahead = plies.last().is_some_and(|ply| ply.score() > 0);
    let mover = !position.side_to_move();
    let winner = if ahead { mover } else { !mover };
    let termination = Termination::WinByScore(winner);
    TrainingGame { index, component, termination, random_plies: 6, fen, plies }
}

fn records() -> Vec<TrainingGame> {
    let components = ["chess960", "jepps", "transcendental"];
    (0..7).map(|index| record::<Board8x8>(components[index as usize % 3], index)).collect()
}

fn written(records: &[TrainingGame], set: u32, games_per_block: u16) -> Vec<u8> {
    let mut writer =
        BlockWriter::new(Vec::new(), BoardSize::Eight, games_per_block).in_version(UNPACKED);
    records.iter().for_each(|record| writer.push(set, &record.to_bytes()).unwrap());
    writer.finish().unwrap()
}

fn owned(game: &StoredGame) -> TrainingGame {
    TrainingGame {
        index: game.index,
        component: game.component,
        termination: game.termination,
        random_plies: game.random_plies as u8,
        fen: game.fen.to_owned(),
        plies: game.plies().collect(),
    }
}

/// Returns the games and the damaged parts that a reader finds in a source.
fn read(source: impl Read) -> (Vec<TrainingGame>, Vec<Damage>) {
    let (mut games, mut damages) = (Vec::new(), Vec::new());
    let mut reader = BlockReader::new(source);
    loop {
        match reader.next_block() {
            Ok(None) => return (games, damages),
            Ok(Some(block)) => games.extend(block.games().map(|game| owned(&game))),
            Err(BlockReadError::Damage(damage)) => damages.push(damage),
            Err(BlockReadError::Io(error)) => panic!("{error}"),
        }
    }
}

#[test]
fn written_games_are_read_back() {
    let records = records();
    for games_per_block in [1, 3, 100] {
        let bytes = written(&records, 7, games_per_block);
        assert_eq!(read(&bytes[..]), (records.clone(), vec![]), "{games_per_block} a block");
    }
    assert_eq!(written(&records, 7, 1).len() - written(&records, 7, 100).len(), 6 * HEADER);
    assert_eq!(read(&[][..]), (vec![], vec![]));
}

#[cfg(feature = "board10x10")]
#[test]
fn games_on_10x10_are_written_and_read_back() {
    use crate::geometry::Board10x10;
    let records: Vec<TrainingGame> =
        (0..3).map(|index| record::<Board10x10>("ifrc-double", index)).collect();
    let mut writer = BlockWriter::new(Vec::new(), BoardSize::Ten, 2).in_version(UNPACKED);
    records.iter().for_each(|record| writer.push(1, &record.to_bytes()).unwrap());
    let bytes = writer.finish().unwrap();
    assert_eq!(read(&bytes[..]), (records, vec![]));
    let mut reader = BlockReader::new(&bytes[..]);
    let block = reader.next_block().unwrap().unwrap();
    let game = block.games().next().unwrap();
    assert!(game.replay::<Board10x10>(Filter::SEARCHED).unwrap().all(|sample| sample.is_ok()));
    assert!(matches!(
        game.replay::<Board8x8>(Filter::SEARCHED).map(|_| ()),
        Err(ReplayError::Board { board: "10x10", .. })
    ));
}

#[test]
fn a_block_contains_games_of_one_set() {
    let records = records();
    let mut writer = BlockWriter::new(Vec::new(), BoardSize::Eight, 10).in_version(UNPACKED);
    for (record, set) in records.iter().zip([5, 5, 9, 5, 5, 5, 9]) {
        writer.push(set, &record.to_bytes()).unwrap();
    }
    let bytes = writer.finish().unwrap();
    let mut reader = BlockReader::new(&bytes[..]);
    let mut blocks = Vec::new();
    while let Some(block) = reader.next_block().unwrap() {
        blocks.push((block.set, block.games().count()));
    }
    assert_eq!(blocks, [(5, 2), (9, 1), (5, 3), (9, 1)]);
}

/// A source that yields only a few bytes per call, like a pipe.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 = self.1 % 7 + 1;
        let most = self.1.min(buffer.len());
        self.0.read(&mut buffer[..most])
    }
}

#[test]
fn reads_slow_sources_and_files_larger_than_the_buffer() {
    let records = records();
    let bytes = written(&records, 7, 2);
    assert_eq!(read(Trickle(&bytes, 0)).0, records);
    // The bytes are longer than a chunk of the reader, so that some blocks continue in the next chunk.
    let many = bytes.repeat(600);
    assert!(many.len() > 600_000);
    let (games, damages) = read(&many[..]);
    assert_eq!((games.len(), damages.len()), (600 * records.len(), 0));
    assert_eq!(games[games.len() - 1], records[records.len() - 1]);
}

#[test]
fn a_truncated_file_yields_the_games_before_its_end() {
    let records = &records()[..3];
    let bytes = written(records, 7, 1);
    let ends: Vec<usize> = (1..=3).map(|n| written(&records[..n], 7, 1).len()).collect();
    for cut in 0..bytes.len() {
        let (games, damages) = read(&bytes[..cut]);
        let whole = ends.iter().filter(|end| **end <= cut).count();
        assert_eq!(games, records[..whole], "cut at {cut}");
        let begin = if whole == 0 { 0 } else { ends[whole - 1] };
        if begin == cut {
            assert_eq!(damages, []);
            continue;
        }
        let [damage] = &damages[..] else { panic!("cut at {cut}: {damages:?}") };
        assert_eq!((damage.offset, damage.skipped), (begin as u64, (cut - begin) as u64));
        assert!(matches!(damage.fault, BlockFault::Cut { missing } if missing > 0), "{damage}");
    }
}

#[test]
fn a_changed_byte_damages_only_its_block() {
    let records = &records()[..3];
    let bytes = written(records, 7, 1);
    let ends: Vec<usize> = (1..=3).map(|n| written(&records[..n], 7, 1).len()).collect();
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x10;
        let (games, damages) = read(&changed[..]);
        let hit = ends.iter().filter(|end| **end <= place).count();
        let rest: Vec<&TrainingGame> = records
            .iter()
            .enumerate()
            .filter(|(n, _)| *n != hit)
            .map(|(_, record)| record)
            .collect();
        assert_eq!(games.iter().collect::<Vec<_>>(), rest, "byte {place}");
        let [damage] = &damages[..] else { panic!("byte {place}: {damages:?}") };
        let begin = if hit == 0 { 0 } else { ends[hit - 1] };
        assert_eq!(
            (damage.offset, damage.skipped),
            (begin as u64, (ends[hit] - begin) as u64),
            "byte {place}: {damage}"
        );
    }
}

#[test]
fn bytes_between_blocks_are_skipped() {
    let records = records();
    let (one, two) = (written(&records[..2], 7, 1), written(&records[2..], 7, 1));
    // The garbage ends with the first bytes of `MAGIC`. The reader must still find the whole magic that
    // follows.
    let garbage = [&[1; 700][..], &MAGIC[..5]].concat();
    let (games, damages) = read(&[&one[..], &garbage[..], &two[..]].concat()[..]);
    assert_eq!(games, records);
    let expected = Damage { offset: one.len() as u64, fault: BlockFault::Magic, skipped: 705 };
    assert_eq!(damages, [expected]);
    let text = damages[0].to_string();
    assert!(text.contains(&format!("byte {}", one.len())) && text.contains("705"), "{text}");
}

#[test]
fn invalid_headers_are_explained() {
    let fault = |place: usize, byte: u8| {
        let mut bytes = written(&records()[..1], 7, 1);
        bytes[place] = byte;
        read(&bytes[..]).1.remove(0).fault
    };
    assert_eq!(fault(8, 9), BlockFault::Version(9));
    assert_eq!(fault(9, 7), BlockFault::Board(7));
    assert!(matches!(fault(15, 0x80), BlockFault::Length(_)));
    assert!(matches!(fault(20, 0), BlockFault::Checksum { .. }));
}

/// Returns a block with a valid checksum for any payload.
fn sealed(payload: &[u8], games: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    Block::write(&mut bytes, UNPACKED, BoardSize::Eight, 7, games, payload);
    bytes
}

#[test]
fn invalid_records_are_explained() {
    let good = records()[0].to_bytes();
    let fault = |payload: &[u8], games| match read(&sealed(payload, games)[..]).1.remove(0).fault {
        BlockFault::Record { fault, .. } => fault,
        other => panic!("{other}"),
    };
    let changed = |place: usize, byte: u8| {
        let mut record = good.clone();
        record[place] = byte;
        fault(&record, 1)
    };
    assert_eq!(changed(4, 200), GameRecordFault::Component(200));
    assert_eq!(changed(5, 0xff), GameRecordFault::Termination(0xff));
    assert_eq!(changed(5, 1), GameRecordFault::Termination(1), "a mate that counts as a draw");
    assert!(matches!(changed(6, 255), GameRecordFault::RandomPlies { random: 255, .. }));
    assert_eq!(changed(10, 0xff), GameRecordFault::Fen);
    assert_eq!(fault(&good[..good.len() - 1], 1), GameRecordFault::Cut);
    assert_eq!(fault(&good, 2), GameRecordFault::Cut);
    assert_eq!(fault(&good, 0), GameRecordFault::Surplus { bytes: good.len() });
}

#[test]
fn replay_yields_the_kept_positions() {
    let record = record::<Board8x8>("jepps", 3);
    let bytes = record.to_bytes();
    let game = StoredGame::read(&bytes).unwrap();
    let mut position = game.start::<Board8x8>().unwrap();
    let mut expected = Vec::new();
    for (ply, recorded) in record.plies.iter().enumerate() {
        let mv = recorded.mv::<Board8x8>().unwrap();
        if Filter::default().keeps(ply, *recorded) {
            let (score, result) = (recorded.score(), game.outcome());
            expected.push(Sample { position: position.clone(), ply, mv, score, result });
        }
        position.make(mv);
    }
    let found: Vec<_> =
        game.replay::<Board8x8>(Filter::default()).unwrap().map(Result::unwrap).collect();
    assert!(found.len() > 3 && found.len() < record.plies.len());
    assert_eq!(found, expected);
    assert_eq!(game.kept(Filter::default()).count(), found.len());
    let searched = game.replay::<Board8x8>(Filter::SEARCHED).unwrap().count();
    assert_eq!(searched, record.plies.len() - 6);
}

#[test]
fn an_illegal_move_ends_a_replay() {
    let mut record = record::<Board8x8>("chess", 1);
    record.plies[10] = record.plies[9];
    let bytes = record.to_bytes();
    let game = StoredGame::read(&bytes).unwrap();
    let all: Vec<_> = game.replay::<Board8x8>(Filter::SEARCHED).unwrap().collect();
    assert_eq!(all.len(), 5, "plies 6 to 9 and the error");
    assert!(matches!(all[4], Err(ReplayError::Illegal { index: 1, ply: 10, .. })));
}

fn problems(path: &Path) -> Vec<DataProblem> {
    let mut problems = Vec::new();
    let report = verify(path, &mut |problem| problems.push(problem)).unwrap();
    assert_eq!(report.problems, problems.len() as u64);
    problems
}

#[test]
fn verify_finds_invalid_games() {
    let folder = Folder::new();
    let good = records();
    let check = |records: &[TrainingGame]| problems(&folder.file("a.bin", &written(records, 7, 1)));
    assert_eq!(check(&good), []);
    let twice = check(&[&good[..], &good[2..3]].concat());
    assert!(matches!(twice[..], [DataProblem::Twice { index: 2, set: 7, .. }]), "{twice:?}");
    let fault = |change: &dyn Fn(&mut TrainingGame)| {
        let mut record = good[0].clone();
        change(&mut record);
        match check(&[record]).remove(0) {
            DataProblem::Game { fault, index: 0, .. } => fault,
            other => panic!("{other}"),
        }
    };
    let quiet = |ply: Ply| {
        let [a, b, c, d, e] = ply.to_bytes();
        Ply::from_bytes([a, b, c ^ 0x10, d, e]) // flips the flag for check
    };
    assert_eq!(fault(&|game| game.plies[8] = quiet(game.plies[8])), GameFault::Flags { ply: 8 });
    assert_eq!(fault(&|game| game.random_plies = 5), GameFault::Flags { ply: 5 });
    assert!(matches!(fault(&|game| game.plies.truncate(6)), GameFault::Empty));
    assert!(matches!(
        fault(&|game| game.plies[9] = game.plies[8]),
        GameFault::Replay(ReplayError::Illegal { ply: 9, .. })
    ));
    assert!(matches!(fault(&|game| game.fen.push(' ')), GameFault::Fen(_)));
    assert!(matches!(
        fault(&|game| game.fen.replace_range(0..1, "x")),
        GameFault::Replay(ReplayError::Start { .. })
    ));
    let mate = Termination::Mate(Color::White);
    assert!(matches!(
        fault(&|game| game.termination = mate),
        GameFault::Ending { found: None, .. }
    ));
    let loser = match good[0].termination.outcome() {
        Outcome::WhiteWins => Color::Black,
        _ => Color::White,
    };
    assert!(matches!(
        fault(&|game| game.termination = Termination::WinByScore(loser)),
        GameFault::LastScore { .. }
    ));
}

/// With the settings in the manifest, verification also checks that each adjudication follows from the
/// settings.
#[test]
fn verify_uses_the_settings_of_the_manifest() {
    let folder = Folder::new();
    let good = records();
    let path = folder.file("a.bin", &written(&good, 7, 1));
    let settings =
        DatagenSettings { win_score: 30_000, draw_ply: 500, ..DatagenSettings::default() };
    let identity = Identity { network: 3, evaluation: 1, search: 2 };
    let origin = Origin::Datagen { set: 7, identity, settings };
    let mut manifest = Manifest::new("8x8", origin);
    good.iter().for_each(|record| {
        let bytes = record.to_bytes();
        manifest.counts.add(&StoredGame::read(&bytes).unwrap(), Filter::default());
    });
    manifest.write(&Manifest::path_of(&path)).unwrap();
    let found = problems(&path);
    assert_eq!(found.len(), good.len());
    assert!(found.iter().all(|problem| matches!(
        problem,
        DataProblem::Game { fault: GameFault::Ending { found: None, .. }, .. }
    )));
    manifest.counts.games += 1;
    manifest.write(&Manifest::path_of(&path)).unwrap();
    assert!(matches!(problems(&path).last(), Some(DataProblem::Counts { .. })));
}

/// Returns the games of a file in their order, each as the hash of its data set and its index.
fn order(path: &Path) -> Vec<(u32, u32)> {
    let mut order = Vec::new();
    scan(path, &mut |block| {
        let block = block.unwrap();
        order.extend(block.games().map(|game| (block.set, game.index)));
        Ok(())
    })
    .unwrap();
    order
}

fn target(path: &Path) -> CombineTarget<'_> {
    CombineTarget { path, games_per_block: 1, version: VERSION, if_exists: IfExists::Refuse }
}

#[test]
fn merging_keeps_each_game_once() {
    let folder = Folder::new();
    let records = records();
    let a = folder.file("a.bin", &written(&records[..4], 1, 1));
    let b = folder.file("b.bin", &written(&records[2..], 1, 2));
    let c = folder.file("c.bin", &written(&records[..2], 2, 1));
    let out = folder.0.join("new/all.bin");
    let sources = [a, b, c];
    let target = CombineTarget { games_per_block: 3, ..target(&out) };
    let combined = merge(&sources, &target, &mut |_, damage| panic!("{damage}")).unwrap();
    assert_eq!((combined.counts.games, combined.twice), (9, 2));
    let expected: Vec<(u32, u32)> =
        (0..7).map(|index| (1, index)).chain([(2, 0), (2, 1)]).collect();
    assert_eq!(order(&out), expected);
    assert_eq!(problems(&out), []);
    let manifest = Manifest::of_games(&out).unwrap().unwrap();
    assert_eq!(manifest.counts, combined.counts);
    let again = merge(&sources, &target, &mut |_, _| {});
    assert!(matches!(again, Err(DataError::Write(FileError::Exists { .. }))));
    let forced = CombineTarget { if_exists: IfExists::Replace, ..target };
    merge(&sources[..1], &forced, &mut |_, _| {}).unwrap();
    assert_eq!((order(&out).len(), problems(&out)), (4, vec![]));
    assert_eq!(
        fs::read_dir(out.parent().unwrap()).unwrap().count(),
        2,
        "no temporary file is left"
    );
}

#[test]
fn shuffling_changes_only_the_order() {
    let folder = Folder::new();
    let records: Vec<TrainingGame> =
        (0..60).map(|index| record::<Board8x8>("chess960", index)).collect();
    let bytes = written(&records, 1, 1);
    let path = folder.file("a.bin", &bytes);
    let shuffled = |name: &str, seed, memory| {
        let out = folder.0.join(name);
        let damaged = &mut |_: &Path, damage| panic!("{damage}");
        shuffle(std::slice::from_ref(&path), &target(&out), (seed, memory), damaged).unwrap();
        assert_eq!(problems(&out), []);
        fs::read(&out).unwrap()
    };
    let inputs = [("b.bin", 5, 1 << 30), ("c.bin", 5, 4_000), ("d.bin", 6, 4_000)];
    for (name, seed, memory) in inputs {
        let found = shuffled(name, seed, memory);
        assert_eq!(found, shuffled(&format!("again-{name}"), seed, memory));
        assert_ne!(found, bytes);
        let mut indices = order(&folder.0.join(name));
        assert!(indices.windows(2).filter(|pair| pair[0].1 + 1 == pair[1].1).count() < 15);
        indices.sort_unstable();
        assert_eq!(indices, (0..60).map(|index| (1, index)).collect::<Vec<_>>());
    }
    assert_ne!(order(&folder.0.join("c.bin")), order(&folder.0.join("d.bin")));
    let left = fs::read_dir(&folder.0).unwrap().count();
    assert_eq!(left, 1 + 6 * 2, "no temporary file is left");
}

#[test]
fn damage_does_not_stop_a_merge() {
    let folder = Folder::new();
    let records = records();
    let mut bytes = written(&records, 1, 1);
    let place = written(&records[..1], 1, 1).len() + 40;
    bytes[place] ^= 1;
    let path = folder.file("a.bin", &bytes);
    let mut damages = Vec::new();
    let out = folder.0.join("b.bin");
    let combined = merge(&[path], &target(&out), &mut |_, d| damages.push(d)).unwrap();
    assert_eq!((combined.counts.games, damages.len()), (6, 1));
    let nothing = folder.file("empty.bin", &[]);
    let out = folder.0.join("c.bin");
    let error = merge(&[nothing], &target(&out), &mut |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("empty.bin"), "{error}");
    assert!(!out.exists());
}

#[cfg(feature = "board10x10")]
#[test]
fn games_on_different_boards_cannot_be_merged() {
    use crate::geometry::Board10x10;
    let folder = Folder::new();
    let a = folder.file("a.bin", &written(&records(), 1, 1));
    let mut writer = BlockWriter::new(Vec::new(), BoardSize::Ten, 1).in_version(UNPACKED);
    let record = record::<Board10x10>("ifrc", 0);
    writer.push(1, &record.to_bytes()).unwrap();
    let b = folder.file("b.bin", &writer.finish().unwrap());
    let out = folder.0.join("c.bin");
    let error = merge(&[a, b], &target(&out), &mut |_, _| {}).unwrap_err();
    assert!(matches!(error, DataError::Boards { expected: "8x8", found: "10x10", .. }));
    assert_eq!(
        fs::read_dir(&folder.0).unwrap().count(),
        2,
        "only the sources may be in the folder"
    );
}

/// The result file may have an unusual name. Files with similar names stay unchanged.
#[test]
fn merging_and_shuffling_change_only_the_result_files() {
    let folder = Folder::new();
    let source = [folder.file("a.bin", &written(&records(), 1, 1))];
    for name in ["p.draft", "q.part0", "r.tmp", "s.manifest.json", "t"] {
        let out = folder.0.join(name);
        let manifest = Manifest::path_of(&out);
        merge(&source, &target(&out), &mut |_, _| {}).unwrap();
        assert_eq!((order(&out).len(), problems(&out)), (7, vec![]), "{name}");
        fs::remove_file(manifest).unwrap();
    }
    let precious = ["b.draft", "b.part0", "b.manifest.json.tmp", "b.manifest.tmp", "b.tmp"];
    let precious = precious.map(|name| folder.file(name, b"precious"));
    let out = folder.0.join("b.bin");
    shuffle(&source, &target(&out), (1, 2_000), &mut |_, _| {}).unwrap();
    merge(&source, &target(&folder.0.join("b2.bin")), &mut |_, _| {}).unwrap();
    assert!(precious.iter().all(|path| fs::read(path).unwrap() == b"precious"));
    // The manifest of `b.dat` would replace the manifest of `b.bin`.
    let manifest = fs::read(Manifest::path_of(&out)).unwrap();
    let refused = merge(&source, &target(&folder.0.join("b.dat")), &mut |_, _| {}).unwrap_err();
    assert!(refused.to_string().contains("b.manifest.json' already exists"), "{refused}");
    assert_eq!(fs::read(Manifest::path_of(&out)).unwrap(), manifest);
    assert!(!folder.0.join("b.dat").exists());
}

#[test]
fn a_file_that_is_being_written_is_not_replaced() {
    let folder = Folder::new();
    let source = [folder.file("a.bin", &written(&records(), 1, 1))];
    let out = folder.file("b.bin", &written(&records()[..1], 2, 1));
    let grows = fs::File::open(&out).unwrap();
    lock(&grows, &out).unwrap();
    let forced = CombineTarget { if_exists: IfExists::Replace, ..target(&out) };
    let refused = merge(&source, &forced, &mut |_, _| {}).unwrap_err();
    assert!(matches!(refused, DataError::Busy { .. }), "{refused}");
    drop(grows);
    merge(&source, &forced, &mut |_, _| {}).unwrap();
    assert_eq!(order(&out).len(), 7);
}

#[test]
fn manifests_of_nested_merges_stay_flat() {
    let folder = Folder::new();
    let identity = Identity { network: 3, evaluation: 1, search: 2 };
    let mut file = folder.file("0.bin", &written(&records()[..2], 5, 1));
    let origin = Origin::Datagen { set: 5, identity, settings: DatagenSettings::default() };
    Manifest::new("8x8", origin).write(&Manifest::path_of(&file)).unwrap();
    let other = folder.file("other.bin", &written(&records(), 6, 1));
    for number in 1..=40 {
        let out = folder.0.join(format!("{number}.bin"));
        match number % 2 {
            0 => shuffle(&[file, other.clone()], &target(&out), (1, 1 << 20), &mut |_, _| {}),
            _ => merge(&[file, other.clone()], &target(&out), &mut |_, _| {}),
        }
        .unwrap();
        file = out;
    }
    let manifest = Manifest::of_games(&file).unwrap().unwrap();
    assert!(manifest.settings_of(5).is_some() && manifest.settings_of(6).is_none());
    let Origin::Shuffle { sources, .. } = manifest.origin else { panic!("{manifest:?}") };
    let names: Vec<&str> = sources.iter().map(|source| source.file.as_str()).collect();
    assert!(names[0].ends_with("0.bin") && names[1].ends_with("other.bin"), "{names:?}");
    assert_eq!(names.len(), 2);
}

#[test]
fn a_manifest_that_claims_billions_of_games_is_rejected_quickly() {
    let folder = Folder::new();
    let identity = Identity { network: 3, evaluation: 1, search: 2 };
    let file = folder.file("0.bin", &written(&records()[..2], 5, 1));
    let origin = Origin::Datagen { set: 5, identity, settings: DatagenSettings::default() };
    let share = Some(Share { shard: "1/2".parse().unwrap(), games: u32::MAX });
    let manifest = Manifest { share, ..Manifest::new("8x8", origin) };
    manifest.write(&Manifest::path_of(&file)).unwrap();
    let error = merge(&[file], &target(&folder.0.join("out.bin")), &mut |_, _| {}).unwrap_err();
    let DataError::Missing { missing } = error else { panic!("{error}") };
    assert_eq!(missing.len(), 2, "{missing:?}");
    assert_eq!(missing[0], "shard 1/2 has 2 of its 2147483647 games");
}

/// Each forged header claims that its block reaches to the end of the file. If the reader checked every
/// claim, it would read the file once for each header.
#[test]
fn forged_headers_take_linear_time() {
    let count = (2 << 20) / HEADER;
    let mut bytes = Vec::new();
    for number in 1..=count {
        bytes.extend(MAGIC);
        bytes.extend([UNPACKED, 0, 1, 0]);
        bytes.extend((((count - number) * HEADER) as u32).to_le_bytes());
        bytes.extend([0; 8]);
    }
    let mut reader = BlockReader::new(&bytes[..]);
    let mut skipped = 0;
    while let Err(error) = reader.next_block() {
        let BlockReadError::Damage(damage) = error else { panic!("{error}") };
        skipped += damage.skipped;
    }
    assert_eq!(skipped, bytes.len() as u64);
    let bound = reader::MAX_RECHECKED + 2 * bytes.len() as u64;
    assert!(reader.rejected_bytes <= bound, "{} bytes checked", reader.rejected_bytes);
}

/// Calls every function that reads games, to check that no function panics for these bytes.
fn read_everything(bytes: &[u8]) {
    let mut reader = BlockReader::new(bytes);
    let mut places = Vec::new();
    loop {
        match reader.next_block() {
            Ok(None) => break,
            Ok(Some(block)) => block.games().for_each(|game| {
                let mut stats = Stats::new(Filter::default());
                stats.add(&game);
                if let Ok(replay) = game.replay::<Board8x8>(Filter::SEARCHED) {
                    replay.for_each(drop);
                }
            }),
            Err(BlockReadError::Damage(damage)) => {
                assert!(damage.skipped > 0, "{damage}");
                places.push(damage.offset);
            }
            Err(BlockReadError::Io(error)) => panic!("{error}"),
        }
    }
    assert!(places.is_sorted());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn arbitrary_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        read_everything(&bytes);
        read_everything(&[&MAGIC[..], &[UNPACKED, 0], &bytes[..]].concat());
    }

    #[test]
    fn arbitrary_payloads_are_read(payload in prop::collection::vec(any::<u8>(), 0..300), games in 0_u16..4) {
        read_everything(&sealed(&payload, games));
    }

    /// The records are well-formed, but their moves, flags and scores are arbitrary.
    #[test]
    fn arbitrary_plies_are_replayed(plies in prop::collection::vec(any::<[u8; 5]>(), 6..60)) {
        let mut record = record::<Board8x8>("chess", 0);
        record.plies.truncate(8);
        record.plies.extend(plies.into_iter().map(Ply::from_bytes));
        read_everything(&sealed(&record.to_bytes(), 1));
    }

    #[test]
    fn arbitrary_fens_are_read(fen in "[ -~]{0,90}") {
        let mut record = record::<Board8x8>("chess", 0);
        record.fen = fen;
        read_everything(&sealed(&record.to_bytes(), 1));
    }

    #[test]
    fn damaged_files_are_read(place in 0_usize..2_000, bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut file = written(&records(), 7, 2);
        let place = place.min(file.len());
        let end = (place + bytes.len()).min(file.len());
        file.splice(place..end, bytes);
        read_everything(&file);
    }
}

/// Encodes games in version 2.
fn packed(records: &[TrainingGame], games_per_block: u16) -> Vec<u8> {
    let board = records[0].component.board();
    let mut writer = BlockWriter::new(Vec::new(), board, games_per_block);
    records.iter().for_each(|record| writer.push(7, &record.to_bytes()).unwrap());
    writer.finish().unwrap()
}

#[test]
fn packed_games_of_every_kind_round_trip() {
    for component in Component::ALL {
        let records: Vec<TrainingGame> = (0..5)
            .map(|index| {
                on_board!(component.board(), |G| record::<G>(component.name(), 70_000 * index))
            })
            .collect();
        for games_per_block in [1, 2, 100] {
            let bytes = packed(&records, games_per_block);
            assert_eq!(read(&bytes[..]), (records.clone(), vec![]), "{component}");
            assert_eq!(bytes[8], VERSION);
        }
        // The packed game contains the number of the starting position and not its FEN.
        let start = &records[0].fen.as_bytes()[..8];
        assert!(!packed(&records, 1).windows(8).any(|bytes| bytes == start), "{component}");
    }
}

#[test]
fn a_game_that_breaks_the_rules_is_stored_unpacked() {
    let mut records = records();
    // Three games are changed so that they cannot be packed: one gets another game's moves, one gets flags
    // that do not match its moves, and one gets a starting position that is not in the list of its variant.
    records[1].plies = records[4].plies.clone();
    records[3].plies[7] = Ply::from_bytes([0xff; Ply::BYTES]);
    records[5].fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned();
    records[5].plies.truncate(0);
    records[5].random_plies = 0;
    let bytes = packed(&records, 100);
    assert_eq!(read(&bytes[..]), (records, vec![]));
}

#[test]
fn damage_to_packed_games_affects_only_the_damaged_blocks() {
    let records: Vec<TrainingGame> =
        (0..30).map(|index| record::<Board8x8>("dfrc", index)).collect();
    let whole = packed(&records, 2);
    let ends: Vec<u64> = {
        let mut reader = BlockReader::new(&whole[..]);
        std::iter::from_fn(|| reader.next_block().unwrap().map(|block| block.end())).collect()
    };
    assert_eq!(ends.len(), 15);
    let mut rng = Rng::new(200);
    for _ in 0..200 {
        let mut bytes = whole.clone();
        let at = rng.below(bytes.len() as u64) as usize;
        let hit = ends.partition_point(|end| *end <= at as u64);
        let more = match rng.below(3) {
            0 => {
                bytes[at] ^= 1 << rng.below(8);
                hit + 1
            }
            1 => {
                bytes.insert(at, rng.below(256) as u8);
                hit + 1
            }
            _ => {
                bytes.truncate(at);
                15
            }
        };
        let (games, damages) = read(&bytes[..]);
        let mut expected = records[..2 * hit].to_vec();
        expected.extend_from_slice(&records[2 * more..]);
        // Inserted bytes damage no block if they happen to lie between two blocks.
        let between = games.len() == 30 && bytes.len() > whole.len();
        assert!(games == expected || between, "{at}: {} games", games.len());
        let cut_between = hit > 0 && ends[hit - 1] == at as u64 || at == 0;
        assert!(!damages.is_empty() || cut_between && bytes.len() < whole.len(), "{at}");
    }
}

#[test]
fn versions_can_be_converted_and_mixed_in_one_file() {
    let folder = Folder::new();
    let records = records();
    let old = folder.file("old.bin", &written(&records, 7, 1));
    let convert = |from: &Path, name: &str, version| {
        let path = folder.0.join(name);
        let target = CombineTarget { version, ..target(&path) };
        merge(&[from.to_owned()], &target, &mut |_, damage| panic!("{damage}")).unwrap();
        path
    };
    let new = convert(&old, "new.bin", VERSION);
    let back = convert(&new, "back.bin", UNPACKED);
    let [old_bytes, new_bytes, back_bytes] =
        [&old, &new, &back].map(|path| fs::read(path).unwrap());
    assert_eq!(old_bytes, back_bytes);
    assert!(2 * new_bytes.len() < old_bytes.len());
    let both = [new_bytes, old_bytes].concat();
    let (games, damages) = read(&both[..]);
    assert_eq!((games, damages), ([&records[..], &records].concat(), vec![]));
}

#[test]
fn forged_payloads_give_a_game_or_an_error() {
    let mut rng = Rng::new(28);
    for _ in 0..2_000 {
        let length = 7 + rng.below(60) as usize;
        let mut payload: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
        payload[..7].copy_from_slice(&[3, rng.below(9) as u8, 0, 4, 60, 9, 20]);
        let mut bytes = Vec::new();
        Block::write(&mut bytes, VERSION, BoardSize::Eight, 7, 1, &payload);
        let (games, damages) = read(&bytes[..]);
        assert_eq!(games.len() + damages.len(), 1);
    }
}

#[test]
fn a_game_is_found_and_the_others_are_not_decoded() {
    let folder = Folder::new();
    let records = records();
    let found = |bytes: &[u8], index| {
        let mut games = Vec::new();
        scan_game(&folder.file("some.bin", bytes), index, &mut |block, game| {
            assert_eq!(block.set, 7);
            games.push(owned(game));
            Ok(())
        })
        .unwrap();
        games
    };
    for bytes in [packed(&records, 1), packed(&records, 3), written(&records, 7, 3)] {
        for record in &records {
            assert_eq!(&found(&bytes, record.index)[..], std::slice::from_ref(record));
        }
        assert_eq!(found(&bytes, 99), []);
    }
    // The block's first game has index 5 and an unknown kind of starting position, so the game cannot be
    // decoded.
    let mut payload = vec![5, 255, 0, 0, 0, 1, 0];
    payload.extend(&packed(&records[2..3], 1)[HEADER..]);
    let mut bytes = Vec::new();
    Block::write(&mut bytes, VERSION, BoardSize::Eight, 7, 2, &payload);
    assert_eq!(read(&bytes[..]).0, []);
    assert_eq!(found(&bytes, 2), [records[2].clone()]);
    assert_eq!(found(&bytes, 5), []);
}
