//! Tests of `aleator datagen` and `aleator data` with the real binary: interrupted and resumed runs, and
//! damaged files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::harness::command::{aleator, failure, folder, output, printed};
use crate::harness::has_10x10;
use aleator::tools::data::{BlockReader, scan};

/// Returns the records of a file by the index of the game. Fails if a game is duplicate or damaged.
fn games(file: &Path) -> BTreeMap<u32, Vec<u8>> {
    let mut games = BTreeMap::new();
    scan(file, &mut |block| {
        for game in block.unwrap().games() {
            assert_eq!(games.insert(game.index, game.bytes().to_vec()), None, "duplicate game");
        }
        Ok(())
    })
    .unwrap();
    games
}

/// Returns the number of complete games in a file that may still be growing.
fn count(file: &Path) -> usize {
    let Ok(bytes) = fs::read(file) else { return 0 };
    let mut reader = BlockReader::new(&bytes[..]);
    let mut games = 0;
    while let Ok(Some(block)) = reader.next_block() {
        games += block.games().count();
    }
    games
}

/// Waits until the file has `games` games or the process has exited. Then kills the process (SIGKILL on
/// Unix).
fn kill_at(mut child: Child, file: &Path, games: usize) {
    while count(file) < games && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

const QUICK: &str = "--nodes 100 --max-plies 80 --seed 5";

#[test]
fn a_killed_run_is_resumed() {
    let folder = folder("datagen/killed");
    let undisturbed = format!("datagen --out whole --games 14 --threads 1 {QUICK}");
    assert!(printed(&undisturbed, &folder).contains("14 games  +"));
    let expected = games(&folder.join("whole/games.bin"));
    assert_eq!(expected.keys().copied().collect::<Vec<_>>(), (0..14).collect::<Vec<_>>());

    let words = format!("datagen --out killed --games 14 --threads 2 {QUICK}");
    let file = folder.join("killed/games.bin");
    for round in 1..=3 {
        let mut command = aleator(&words, &folder);
        kill_at(command.stdout(Stdio::null()).spawn().unwrap(), &file, 3 * round);
        // Truncate the file, as if the process had been killed while writing.
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - round]).unwrap();
    }
    let text = printed("datagen --out killed --games 14 --threads 2", &folder);
    assert!(text.contains("removed from the file: damage at byte"), "{text}");
    assert!(text.contains("continuing after ") && text.contains("14 games  +"), "{text}");
    assert_eq!(games(&file), expected);
    let report = printed("data verify whole killed", &folder);
    assert!(report.contains("no problems") && !report.contains("no manifest"), "{report}");
}

#[test]
fn a_manifest_is_enough_to_make_the_games_again() {
    let folder = folder("datagen/again");
    let words = "datagen --variant dfrc:1,jepps:2 --out a --games 5";
    printed(&format!("{words} {QUICK}"), &folder);
    printed("datagen --from a/games.manifest.json --out b --threads 2", &folder);
    assert_eq!(games(&folder.join("a/games.bin")), games(&folder.join("b/games.bin")));
    let text = fs::read_to_string(folder.join("b/games.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let settings = &manifest["origin"]["datagen"]["settings"];
    assert_eq!((&settings["seed"], &settings["nodes"]), (&5.into(), &100.into()));
    assert_eq!(settings["variant"], "dfrc:1,jepps:2");
    assert_eq!(manifest["counts"]["games"], 5);

    let refused = failure("datagen --out a --games 6 --nodes 101", &folder);
    assert!(refused.contains("nodes was 100 and is now 101"), "{refused}");
    assert!(failure("datagen --out c", &folder).contains("--games N"));
    let zero = failure("datagen --out c --games 1 --nodes 0", &folder);
    assert!(zero.contains("nodes is 0"), "{zero}");
}

#[test]
fn one_process_writes_at_a_time() {
    let folder = folder("datagen/busy");
    let words = format!("datagen --out a --hours 1 {QUICK}");
    let file = folder.join("a/games.bin");
    let mut child = aleator(&words, &folder).stdout(Stdio::null()).spawn().unwrap();
    while count(&file) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it should run for an hour");
        std::thread::sleep(Duration::from_millis(2));
    }
    let refused = failure("datagen --out a --games 500", &folder);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(refused.contains("another `aleator datagen`"), "{refused}");
}

/// If standard output is a full disk, the printed text is lost, but the games must be complete.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_for_standard_output_costs_no_game() {
    let folder = folder("datagen/full");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let words = format!("datagen --out a --games 3 {QUICK}");
    let output = aleator(&words, &folder).stdout(full).output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    assert!(complaint.contains("cannot write the result"), "{complaint}");
    assert_eq!(games(&folder.join("a/games.bin")).len(), 3);
    assert!(printed("data verify a", &folder).contains("no problems"));
}

#[test]
fn tools_read_check_and_combine() {
    let folder = folder("datagen/tools");
    printed(&format!("datagen --out a --games 4 {QUICK}"), &folder);
    printed("datagen --out b --games 3 --nodes 50 --max-plies 70 --seed 6", &folder);
    let stats = printed("data stats a b/games.bin", &folder);
    for part in ["7 games  +", "starts ", "\nend ", "\nscore ", "million plies/s"] {
        assert!(stats.contains(part), "no '{part}' in {stats}");
    }
    assert!(printed("data merge a b -o all.bin --block 2", &folder).contains("7 games"));
    printed("data shuffle all.bin -o mixed --seed 1 --block 5", &folder);
    printed("data shuffle all.bin -o again --seed 1 --block 5 --memory 1", &folder);
    let bytes = |name: &str| fs::read(folder.join(name).join("games.bin")).unwrap();
    assert_eq!(bytes("mixed"), bytes("again"));
    // The manifest of a merged file must contain the settings of both sets, so that `verify` can check all
    // games.
    let report = printed("data verify all.bin mixed", &folder);
    assert!(report.contains("no problems") && !report.contains("not be checked"), "{report}");
    let twice = printed("data merge a a all.bin -o once", &folder);
    assert!(twice.contains("8 duplicate games were skipped"), "{twice}");
    assert!(failure("data merge a b -o all.bin", &folder).contains("already exists"));
    assert!(printed("data merge a -o all.bin --force", &folder).contains("4 games"));
    // The output file may have any name.
    assert!(printed("data merge a b -o x.draft", &folder).contains("7 games"));
    assert!(printed("data verify all.bin x.draft", &folder).contains("no problems"));

    let shown = printed("data view a --game 2", &folder);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("game 2 of set "), "{shown}");
    assert!(lines[2].ends_with(" w KQkq - 0 1") || lines[2].contains(" w "), "{shown}");
    assert!(lines[3].trim_start().starts_with("1. ") && lines[3].ends_with("random"), "{shown}");
    assert!(printed("data view a --game 2 --uci", &folder).lines().nth(3).unwrap() != lines[3]);
    assert!(failure("data view a --game 4", &folder).contains("no game 4"));
    assert!(failure("data stats nowhere", &folder).contains("nowhere"));
}

#[test]
fn damage_is_reported_with_its_place() {
    let folder = folder("datagen/damaged");
    printed(&format!("datagen --out a --games 3 {QUICK}"), &folder);
    let file = folder.join("a/games.bin");
    let sound = fs::read(&file).unwrap();
    let first = {
        let mut reader = BlockReader::new(&sound[..]);
        reader.next_block().unwrap().unwrap().end()
    };
    let mut changed = sound.clone();
    changed[first as usize + 50] ^= 1;
    fs::write(&file, &changed).unwrap();
    let text = failure("data verify a", &folder);
    assert!(text.contains(&format!("damage at byte {first}: the checksum")), "{text}");
    assert!(text.contains("2 games  +"), "{text}");
    // Other tools skip the damaged games and process the rest.
    assert_eq!(output("data stats a", &folder).status.code(), Some(0));
    fs::write(&file, &sound[..sound.len() - 1]).unwrap();
    assert!(failure("data verify a", &folder).contains("truncated; 1 bytes"));
    fs::write(&file, [&sound[..], &sound[..first as usize]].concat()).unwrap();
    assert!(failure("data verify a", &folder).contains("occurs twice"));
}

#[test]
fn data_sets_of_10x10_are_separate_or_the_feature_is_named() {
    let folder = folder("datagen/large");
    if !has_10x10() {
        let output = output("datagen --variant 10x10 --out a --games 1", &folder);
        assert!(String::from_utf8_lossy(&output.stderr).contains("board10x10"));
        return;
    }
    printed(&format!("datagen --variant 10x10 --out a --games 3 {QUICK}"), &folder);
    assert!(printed("data verify a", &folder).contains("no problems"));
    assert!(printed("data view a --game 0", &folder).contains("ifrc"));
    let mixed = output("datagen --variant chess:1,ifrc:1 --out b --games 1", &folder);
    let complaint = String::from_utf8_lossy(&mixed.stderr).into_owned();
    assert!(!mixed.status.success() && complaint.contains("different boards"), "{complaint}");
    printed(&format!("datagen --variant chess --out b --games 1 {QUICK}"), &folder);
    let refused = failure("data merge a b -o c", &folder);
    assert!(refused.contains("8x8 board") && refused.contains("10x10 board"), "{refused}");
    assert!(!folder.join("c/games.bin").exists());
}
