//! Fuzzes the files from which interrupted work resumes: match journals, tuning states and unfinished
//! results. The first byte selects the kind; the rest is appended to the file's header.
#![no_main]

use std::fs;
use std::path::Path;

use aleator::search::params::TUNABLES;
use aleator::tools::arena::{Journal, JournalFiles, JournalHeader, PgnStyle};
use aleator::tools::resumable::{Begin, OutputTarget, ResumableOutput};
use aleator::tools::shard::Shard;
use aleator::tools::tune::Tuning;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// Appends these bytes to a file; returns its content.
fn append(path: &Path, more: &[u8]) -> Vec<u8> {
    let bytes = [fs::read(path).expect("it is there"), more.to_vec()].concat();
    fs::write(path, &bytes).expect("there is room");
    bytes
}

/// Checks a match journal: games that were read are read again, and are the same in another journal.
/// At most an incomplete last line of the file is dropped.
fn journal(folder: &Path, data: &[u8]) {
    let named = |name: &str| JournalFiles {
        json: Some(folder.join(name)),
        pgn: Some(folder.join(format!("{name}.pgn"))),
    };
    let open = |name, resume| {
        Journal::open(&named(name), PgnStyle::default(), &JournalHeader::new(), resume)
    };
    drop(open("one", false).expect("it is new"));
    let bytes = append(&folder.join("one"), data);
    let taken = open("one", true);
    let left = fs::read(folder.join("one")).expect("it is there");
    let Ok(taken) = taken else { return assert_eq!(left, bytes) };
    assert!(bytes.starts_with(&left) && !bytes[left.len()..].contains(&b'\n'));
    let games = taken.games().to_vec();
    drop(taken);
    assert_eq!(open("one", true).expect("it was taken").games(), games);
    let mut other = open("other", false).expect("it is new");
    games.iter().for_each(|game| other.add(game).expect("there is room"));
    drop(other);
    assert_eq!(open("other", true).expect("we wrote it").games(), games);
}

/// Checks a tuning state: the run that wrote it resumes from it, and trials stay within the bounds.
fn tuning(folder: &Path, data: &[u8]) {
    let Ok(state) = serde_json::from_slice::<Tuning>(data) else { return };
    let names: Vec<&str> = state.numbers.iter().map(|number| &*number.name).collect();
    let Ok(fresh) = Tuning::new(state.settings.clone(), &names.join(","), TUNABLES) else { return };
    let path = folder.join("state");
    state.write(&path, None).expect("there is room");
    let Ok(mut taken) = Tuning::resume(&path, &fresh) else { return };
    assert_eq!(taken, state);
    if taken.iteration >= taken.settings.schedule.iterations {
        return;
    }
    let trial = taken.trial();
    let bounds = taken.numbers.iter().map(|number| number.min..=number.max);
    for ((bounds, plus), minus) in bounds.zip(&trial.plus).zip(&trial.minus) {
        assert!(bounds.contains(&plus.1) && bounds.contains(&minus.1), "{trial:?}");
    }
    taken.learn(&trial, Default::default());
    taken.write(&path, Some(&state)).expect("nobody changed it");
    assert_eq!(Tuning::resume(&path, &fresh).expect("we wrote it"), taken);
}

/// Checks unfinished results: they have the same texts and notes when they are finished.
fn units(folder: &Path, data: &[u8]) {
    let out = folder.join("out");
    let open = |begin, notes: &mut Vec<Value>| {
        let target = OutputTarget { out: &out, shard: Shard::WHOLE, begin };
        ResumableOutput::open(&target, &Value::Null, "header\n", &mut |note| notes.push(note))
    };
    drop(open(Begin::New, &mut Vec::new()).expect("it is new"));
    let growing = folder.join("out.unfinished");
    let bytes = append(&growing, data);
    let mut notes = Vec::new();
    let taken = open(Begin::Resume, &mut notes);
    let left = fs::read(&growing).expect("it is there");
    let Ok(taken) = taken else { return assert_eq!(left, bytes) };
    assert!(bytes.starts_with(&left) && !bytes[left.len()..].contains(&b'\n'));
    let taken = taken.expect("nothing is finished");
    let lines = left.split_inclusive(|&byte| byte == b'\n').skip(1);
    let units: Vec<Value> = lines.map(|line| serde_json::from_slice(line).expect("JSON")).collect();
    assert_eq!(taken.done(), units.len() as u64);
    assert!(units.iter().map(|unit| &unit["note"]).eq(&notes));
    taken.finish().expect("there is room");
    let texts: String = units.iter().filter_map(|unit| unit["text"].as_str()).collect();
    assert_eq!(fs::read_to_string(&out).expect("it is there"), format!("header\n{texts}"));
}

fuzz_target!(|data: &[u8]| {
    let Some((kind, data)) = data.split_first() else { return };
    let folder = aleator_fuzz::folder();
    match kind % 3 {
        0 => journal(folder.path(), data),
        1 => tuning(folder.path(), data),
        _ => units(folder.path(), data),
    }
});
