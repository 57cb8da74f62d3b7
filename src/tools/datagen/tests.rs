//! Tests of data generation: reproducibility, resuming and repairing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::*;
use crate::eval::nets;
use crate::geometry::{Board, Board8x8, Board10x10};
use crate::rules::{BoardSize, HAS_BOARD_10X10};
use crate::search::Searcher;
use crate::tools::data::tests::Folder;
use crate::tools::data::{
    BlockReader, DatagenSettings, GAMES_FILE, Manifest, StoredGame, scan, verify,
};

fn quick() -> DatagenSettings {
    DatagenSettings {
        nodes: 60,
        hard_nodes: 480,
        seed: 11,
        max_plies: 60,
        ..DatagenSettings::default()
    }
}

/// Returns a plan that generates `games` games in a folder.
fn plan(folder: &Path, settings: DatagenSettings, games: u32, threads: usize) -> DatagenPlan {
    DatagenPlan {
        folder: folder.to_owned(),
        settings,
        network: nets::embedded(BoardSize::Eight).to_vec(),
        goal: DatagenGoal { games: Some(games), ..DatagenGoal::default() },
        threads,
    }
}

fn make(folder: &Path, settings: &DatagenSettings, games: u32, threads: usize) -> DatagenProgress {
    run(&plan(folder, settings.clone(), games, threads), &mut |_| {}).unwrap()
}

/// Returns the encoded games of a file by index. Fails if an index occurs twice.
fn games(folder: &Path) -> BTreeMap<u32, Vec<u8>> {
    let mut games = BTreeMap::new();
    scan(&folder.join(GAMES_FILE), &mut |block| {
        for game in block.unwrap().games() {
            assert_eq!(games.insert(game.index, game.bytes().to_vec()), None);
        }
        Ok(())
    })
    .unwrap();
    let report = verify(&folder.join(GAMES_FILE), &mut |problem| panic!("{problem}")).unwrap();
    assert_eq!(report.with_settings, games.len() as u64);
    games
}

fn check_reproducible<G: Board>(variant: &str) {
    let settings = DatagenSettings { variant: variant.parse().unwrap(), ..quick() };
    let mut searcher = Searcher::<G>::new(1).unwrap();
    let first = play(&mut searcher, &settings, 3).unwrap();
    // Another game played first must not change the result.
    let other = play(&mut searcher, &settings, 4).unwrap();
    assert_eq!(play(&mut searcher, &settings, 3).unwrap(), first);
    assert_ne!((&other.fen, &other.plies), (&first.fen, &first.plies));
    let seeded = DatagenSettings { seed: 12, ..settings };
    assert_ne!(play(&mut searcher, &seeded, 3).unwrap().plies, first.plies);
    let bytes = first.to_bytes();
    let game = StoredGame::read(&bytes).unwrap();
    assert!((6..=9).contains(&game.random_plies));
    assert!(game.plies().take(game.random_plies).all(|ply| ply.is_random()));
    assert!(game.plies().skip(game.random_plies).all(|ply| !ply.is_random()));
    let opening = game.plies().nth(game.random_plies).unwrap();
    assert!(opening.score().abs() <= DatagenSettings::default().start_score);
}

#[test]
fn a_game_depends_only_on_seed_and_index() {
    check_reproducible::<Board8x8>("8x8");
    check_reproducible::<Board8x8>("jepps");
    if HAS_BOARD_10X10 {
        check_reproducible::<Board10x10>("10x10");
    }
}

#[test]
fn threads_and_interruptions_do_not_change_the_games() {
    let (one, two) = (Folder::new(), Folder::new());
    let progress = make(&one.0, &quick(), 8, 1);
    assert_eq!((progress.total.games, progress.missing), (8, Some(0)));
    let expected = games(&one.0);
    assert_eq!(expected.len(), 8);
    make(&two.0, &quick(), 3, 2);
    let path = two.0.join(GAMES_FILE);
    let bytes = fs::read(&path).unwrap();
    // Imitates a process that was killed while writing a block.
    fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
    let mut reports = Vec::new();
    let plan = plan(&two.0, quick(), 8, 2);
    let progress = run(&plan, &mut |event| match event {
        DatagenEvent::Repaired(repair) => reports.push(repair.to_string()),
        DatagenEvent::Resumed { games } => reports.push(format!("{games} games")),
        DatagenEvent::Progress(_) => {}
    })
    .unwrap();
    assert_eq!((progress.total.games, progress.made.games), (8, 6));
    assert!(reports[0].contains("9 bytes are missing"), "{reports:?}");
    assert_eq!(reports[1], "2 games");
    assert_eq!(games(&two.0), expected);
    let manifest = Manifest::of_games(&path).unwrap().unwrap();
    assert_eq!(manifest.counts, progress.total);
    // If the data set already has more games than the goal, no game is added.
    assert_eq!(make(&two.0, &quick(), 5, 1).made.games, 0);
}

/// The file is truncated at its first invalid block. The removed part is kept in another file, and its games
/// are generated again.
#[test]
fn damage_in_the_middle_is_repaired() {
    let folder = Folder::new();
    make(&folder.0, &quick(), 4, 1);
    let expected = games(&folder.0);
    let path = folder.0.join(GAMES_FILE);
    let mut bytes = fs::read(&path).unwrap();
    let end = BlockReader::new(&bytes[..]).next_block().unwrap().unwrap().end() as usize;
    bytes[end + 50] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let mut kept = None;
    let plan = plan(&folder.0, quick(), 4, 1);
    let progress = run(&plan, &mut |event| {
        if let DatagenEvent::Repaired(repair) = event {
            assert!(repair.to_string().contains(&format!("damage at byte {end}: ")), "{repair}");
            kept = repair.kept.clone();
        }
    })
    .unwrap();
    assert_eq!(progress.made.games, 3);
    assert_eq!(games(&folder.0), expected);
    assert_eq!(fs::read(kept.unwrap()).unwrap(), bytes[end..]);
}

#[test]
fn a_file_without_games_is_not_changed() {
    let folder = Folder::new();
    make(&folder.0, &quick(), 1, 1);
    let path = folder.0.join(GAMES_FILE);
    let plan = plan(&folder.0, quick(), 1, 1);
    let mut newer = fs::read(&path).unwrap();
    newer[8] += 1;
    for bytes in [&b"precious"[..], &newer] {
        fs::write(&path, bytes).unwrap();
        let error = run(&plan, &mut |_| {}).unwrap_err();
        assert!(matches!(error, DatagenError::NoGames { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn changed_settings_are_rejected_by_name() {
    let folder = Folder::new();
    make(&folder.0, &quick(), 1, 1);
    let rejection =
        |settings| run(&plan(&folder.0, settings, 2, 1), &mut |_| {}).unwrap_err().to_string();
    let nodes = rejection(DatagenSettings { nodes: 61, ..quick() });
    assert!(nodes.contains("nodes was 60 and is now 61"), "{nodes}");
    let mix = rejection(DatagenSettings { variant: "chess".parse().unwrap(), ..quick() });
    assert!(mix.contains("variant was \"chess960:40"), "{mix}");
    assert!(rejection(DatagenSettings { nodes: 0, ..quick() }).contains("nodes is 0"));
    fs::remove_file(Manifest::path_of(&folder.0.join(GAMES_FILE))).unwrap();
    assert!(rejection(quick()).contains("no manifest"));
}

#[test]
fn gives_up_if_no_start_is_balanced() {
    let impossible = DatagenSettings { start_score: -1, nodes: 1, hard_nodes: 1, ..quick() };
    let mut searcher = Searcher::<Board8x8>::new(1).unwrap();
    let error = play(&mut searcher, &impossible, 0).unwrap_err();
    assert!(matches!(error, DatagenError::NoStart { index: 0, .. }), "{error}");
}
