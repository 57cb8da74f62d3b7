//! Fuzzes manifests of data sets. A manifest that was read is written and read again unchanged. Verifying and
//! merging count the games in the file, whatever the manifest says.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use aleator::files::IfExists;
use aleator::game::Termination;
use aleator::geometry::Board8x8;
use aleator::notation::parse_uci;
use aleator::position::Position;
use aleator::rules::{BoardSize, KingRight};
use aleator::tools::data::{
    BlockWriter, CombineTarget, Component, Counts, Manifest, Ply, TrainingGame, VERSION, merge,
    verify,
};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// The number of the set that contains the games.
const SET: u32 = 1;

/// A temporary folder, and the path of a file with two games in this folder. The manifest is written to the
/// same folder.
static FOLDER: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = aleator_fuzz::folder();
    let path = folder.path().join("games.bin");
    let mut writer = BlockWriter::new(Vec::new(), BoardSize::Eight, 1);
    for index in 0..2 {
        writer.push(SET, &game(index).to_bytes()).expect("writing to a vector cannot fail");
    }
    fs::write(&path, writer.finish().expect("writing to a vector cannot fail"))
        .expect("the file can be written");
    (folder, path)
});

/// Returns a game that ends by stalemate.
fn game(index: u32) -> TrainingGame {
    let fen = "7k/8/4Q1K1/8/8/8/8/8 w - - 0 1";
    let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).expect("a position");
    let mv = parse_uci(&position, "e6f7").expect("a move");
    TrainingGame {
        index,
        component: Component::from_code(0).expect("chess"),
        termination: Termination::Stalemate,
        random_plies: 0,
        fen: fen.to_owned(),
        plies: vec![Ply::searched(&position, mv, 900)],
    }
}

fuzz_target!(|data: &[u8]| {
    let (folder, games) = &*FOLDER;
    let path = Manifest::path_of(games);
    fs::write(&path, data).expect("the file can be written");
    let Ok(manifest) = Manifest::read(&path) else { return };
    let other = folder.path().join("other.json");
    manifest.write(&other).expect("the file can be written");
    assert_eq!(Manifest::read(&other).as_ref().ok(), Some(&manifest));

    let mut problems = 0;
    let verification = verify(games, &mut |_| problems += 1).expect("the games can be read");
    let known = manifest.settings_of(SET).is_some();
    let counts = Counts { games: 2, plies: 2, draws: 2, ..Counts::default() };
    assert_eq!((verification.counts, verification.problems), (counts, problems));
    assert_eq!(verification.with_settings, if known { 2 } else { 0 });

    let path = folder.path().join("merged.bin");
    let (version, if_exists) = (VERSION, IfExists::Replace);
    let target = CombineTarget { path: &path, games_per_block: 1, version, if_exists };
    if let Ok(merged) = merge(&[games.clone()], &target, &mut |_, damage| panic!("{damage}")) {
        assert_eq!((merged.counts, merged.twice), (counts, 0));
        let merged = Manifest::of_games(&path)
            .expect("the manifest can be read")
            .expect("there is a manifest");
        assert_eq!(merged.counts, counts);
        assert_eq!(merged.settings_of(SET), manifest.settings_of(SET));
    }
});
