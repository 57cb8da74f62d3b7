//! Fuzzes the files from which interrupted work resumes: match journals, tuning states and unfinished
//! results. The first byte of an input selects the kind of file. The other bytes are the contents of the file
//! after the header.
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

/// Appends bytes to a file. Returns the new contents of the file.
fn append(path: &Path, more: &[u8]) -> Vec<u8> {
    let bytes = [fs::read(path).expect("the file exists"), more.to_vec()].concat();
    fs::write(path, &bytes).expect("the file can be written");
    bytes
}

/// Checks a match journal. Games that were read must be read again, and be the same after they were written
/// to another journal. The program may remove an incomplete last line of the file, but nothing else.
fn journal(folder: &Path, data: &[u8]) {
    let named = |name: &str| JournalFiles {
        json: Some(folder.join(name)),
        pgn: Some(folder.join(format!("{name}.pgn"))),
    };
    let open = |name, resume| {
        Journal::open(&named(name), PgnStyle::default(), &JournalHeader::new(), resume)
    };
    drop(open("one", false).expect("a new file can be created"));
    let bytes = append(&folder.join("one"), data);
    let taken = open("one", true);
    let left = fs::read(folder.join("one")).expect("the file exists");
    let Ok(taken) = taken else { return assert_eq!(left, bytes) };
    assert!(bytes.starts_with(&left) && !bytes[left.len()..].contains(&b'\n'));
    let games = taken.games().to_vec();
    drop(taken);
    assert_eq!(open("one", true).expect("the journal is valid").games(), games);
    let mut other = open("other", false).expect("a new file can be created");
    games.iter().for_each(|game| other.add(game).expect("the file can be written"));
    drop(other);
    assert_eq!(open("other", true).expect("the file is valid").games(), games);
}

/// Checks a tuning state: a run resumes from the state that it wrote, and trials stay within the bounds.
fn tuning(folder: &Path, data: &[u8]) {
    let Ok(state) = serde_json::from_slice::<Tuning>(data) else { return };
    let names: Vec<&str> = state.numbers.iter().map(|number| &*number.name).collect();
    let Ok(fresh) = Tuning::new(state.settings.clone(), &names.join(","), TUNABLES) else { return };
    let path = folder.join("state");
    state.write(&path, None).expect("the file can be written");
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
    taken.write(&path, Some(&state)).expect("the state can be written");
    assert_eq!(Tuning::resume(&path, &fresh).expect("the file is valid"), taken);
}

/// Checks unfinished results: the texts and notes must be the same in the finished results.
fn units(folder: &Path, data: &[u8]) {
    let out = folder.join("out");
    let open = |begin, notes: &mut Vec<Value>| {
        let target = OutputTarget { out: &out, shard: Shard::WHOLE, begin };
        ResumableOutput::open(&target, &Value::Null, "header\n", &mut |note| notes.push(note))
    };
    drop(open(Begin::New, &mut Vec::new()).expect("a new file can be created"));
    let growing = folder.join("out.unfinished");
    let bytes = append(&growing, data);
    let mut notes = Vec::new();
    let taken = open(Begin::Resume, &mut notes);
    let left = fs::read(&growing).expect("the file exists");
    let Ok(taken) = taken else { return assert_eq!(left, bytes) };
    assert!(bytes.starts_with(&left) && !bytes[left.len()..].contains(&b'\n'));
    let taken = taken.expect("the results are unfinished");
    let lines = left.split_inclusive(|&byte| byte == b'\n').skip(1);
    let units: Vec<Value> = lines.map(|line| serde_json::from_slice(line).expect("JSON")).collect();
    assert_eq!(taken.done(), units.len() as u64);
    assert!(units.iter().map(|unit| &unit["note"]).eq(&notes));
    taken.finish().expect("the file can be written");
    let texts: String = units.iter().filter_map(|unit| unit["text"].as_str()).collect();
    assert_eq!(fs::read_to_string(&out).expect("the file exists"), format!("header\n{texts}"));
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
