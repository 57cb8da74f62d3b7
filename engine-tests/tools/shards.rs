//! Tests of `--shard`, `--resume` and `join`: the results must be the same if the work is divided, killed or
//! repeated. `tools::resumable` tests the unfinished files.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::harness::command::{aleator, failure, folder, output};

fn run(words: &str, folder: &Path) -> String {
    let output = output(words, folder);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

const TABLE: &str = "start --all --evaluate --nodes 10 --hash 1 --out table.csv";

#[test]
fn parts_of_a_table_of_starts_join_to_the_whole() {
    let folder = folder("shards/table");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    for shard in ["1/2", "2/2"] {
        assert_eq!(run(&format!("{TABLE} --shard {shard}"), &folder), "");
    }
    let parts = read("table.1-of-2.csv") + &read("table.2-of-2.csv");
    fs::remove_file(folder.join("table.2-of-2.csv")).unwrap();
    let missing = failure("join table.csv", &folder);
    assert!(missing.contains("'table.csv' cannot be joined: shard 2/2 is missing"), "{missing}");
    let text = run(TABLE, &folder);
    let whole = read("table.csv");
    assert_eq!(parts, whole);
    assert_eq!(whole.lines().count(), 961);
    let first = "number,fen,centipawns,win,draw,loss,best,depth\n\
                 0,bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1,";
    assert!(whole.starts_with(first), "{whole:.200}");
    assert!(text.starts_with("960 starts of chess960: from "), "{text}");
    assert!(text.contains("The 10 fairest:") && text.contains("The 10 most unfair:"), "{text}");
    assert!(read("table.svg").starts_with("<svg"));
    // With --resume, a finished table is kept, and the summary is printed again.
    assert_eq!(run(&format!("{TABLE} --resume"), &folder), text);
    assert!(failure(TABLE, &folder).contains("already exists"));
    let odd = failure("start --all --out table.csv", &folder);
    assert!(odd.contains("need --all --evaluate"), "{odd}");
}

#[test]
fn killed_work_is_resumed() {
    let folder = folder("shards/killed");
    let words = "start --all --evaluate --nodes 3000 --hash 1 --out table.csv --shard 3/100";
    run(words, &folder);
    let part = folder.join("table.003-of-100.csv");
    let expected = fs::read(&part).unwrap();
    fs::remove_file(&part).unwrap();
    let mut child = aleator(words, &folder).stderr(Stdio::null()).spawn().unwrap();
    let growing = folder.join("table.003-of-100.csv.unfinished");
    let units = || fs::read(&growing).map_or(0, |text| text.split(|&byte| byte == b'\n').count());
    while units() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for _ in 0..2 {
        run(&format!("{words} --resume"), &folder);
        assert_eq!(fs::read(&part).unwrap(), expected);
    }
    let other = failure(&format!("{} --resume", words.replace("3000", "4000")), &folder);
    assert!(other.contains("its words limit nodes is 3000, but 4000 is expected"), "{other}");
}

#[test]
fn parts_of_a_data_set_have_the_games_of_the_whole() {
    let folder = folder("shards/data");
    let words = "datagen --out set --games 10 --nodes 60 --max-plies 40 --seed 5";
    run(words, &folder);
    for shard in ["1/3", "2/3", "2/3"] {
        run(&format!("{words} --shard {shard}"), &folder);
    }
    let incomplete = failure("data merge set.1-of-3 set.2-of-3 -o merged", &folder);
    assert!(incomplete.contains("shard 3/3 has 0 of its 4 games"), "{incomplete}");
    assert!(!folder.join("merged/games.bin").exists());
    run(&format!("{words} --shard 3/3"), &folder);
    let merge = "data merge set.1-of-3 set.2-of-3 set.3-of-3 -o merged";
    assert!(run(merge, &folder).contains("10 games"));
    let view = |set: &str, game: u32| run(&format!("data view {set} --game {game}"), &folder);
    assert!((0..10).all(|game| view("merged", game) == view("set", game)));
    let other =
        failure(&format!("{words} --shard 3/3 --games 11").replace("--games 10 ", ""), &folder);
    assert!(other.contains("shard was 3/3 of 10 games and is now 3/3 of 11 games"), "{other}");
    let unseeded = failure("datagen --out other --games 10 --shard 1/3", &folder);
    assert!(unseeded.contains("add --seed"), "{unseeded}");
}
