//! The files of a run: the journal and the PGN file. Each game is written when it ends, so that a run can be
//! resumed even after its process was killed.
//!
//! The journal has one JSON object per line. The first line, `{"match": ...}`, has the settings of the run. A
//! line `{"game": ...}` follows for each game (see [`GameRecord`]), and `{"summary": ...}` is the last line.
//! Each line is written with a single call, so killing the process can truncate only the last line. When the
//! run is resumed, a truncated line is removed and its game is played again. Apart from that, the files only
//! grow. A file that was not written by this match is rejected and not changed.
//!
//! The PGN file holds the same games for other programs. The arena never parses the PGN file. When a run is
//! resumed, the PGN file must start with the PGN of the journal's games; missing games are appended.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::pgn::{PgnStyle, pgn};
use super::record::GameRecord;
use crate::tools::log::{Log, LogError, difference};

/// The settings of a run. A run can be resumed only with the same settings.
pub type JournalHeader = Map<String, Value>;

/// The version of the journal format.
const FORMAT: u64 = 2;

/// Why the files of a run cannot be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(
        "'{path}' is not empty; resume the match in this file with --resume, or name another file"
    )]
    Exists { path: String },
    #[error("a match can be resumed only from a file; name its journal or its PGN file")]
    NoFile,
    #[error("the journal and the PGN file are the same file, '{path}'; name two different files")]
    SameFile { path: String },
    #[error("'{path}' is not a journal of a match, so it is not changed; name another file")]
    Foreign { path: String },
    #[error(
        "'{path}' was written by another version of Aleator; finish the match with that version, or \
         start a new match in another file"
    )]
    OtherVersion { path: String },
    #[error(
        "line {line} of '{path}' is not a valid entry of a journal: {error}; the file was not changed"
    )]
    Line { path: String, line: usize, error: serde_json::Error },
    #[error(
        "'{path}' does not contain the games of '{journal}', so it is not changed; name a \
         new PGN file to get all games"
    )]
    OtherPgn { path: String, journal: String },
    #[error(
        "'{path}' belongs to another match: {name} was {theirs} in that match and is {ours} now; give the settings of that match, or name another file"
    )]
    OtherHeader { path: String, name: String, theirs: Value, ours: Value },
    #[error(
        "game {pair}.{game} of the interrupted match starts from '{theirs}', but now it would start \
         from '{ours}'; give the same openings and seed"
    )]
    OtherOpening { pair: usize, game: usize, theirs: String, ours: String },
    #[error(
        "game {pair}.{game} of the interrupted match is between {white:?} and {black:?}, but now \
         other engines would play this game"
    )]
    OtherEngines { pair: usize, game: usize, white: String, black: String },
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    Match(JournalHeader),
    Game(Box<GameRecord>),
    Summary(Value),
}

/// The open files of a run, and the games in its journal.
#[derive(Debug, Default)]
pub struct Journal {
    json: Option<Log>,
    pgn: Option<Log>,
    style: PgnStyle,
    games: Vec<GameRecord>,
}

/// The paths of the files of a run.
#[derive(Clone, Debug, Default)]
pub struct JournalFiles {
    /// The journal.
    pub json: Option<PathBuf>,
    pub pgn: Option<PathBuf>,
}

impl JournalFiles {
    /// Returns the path of the journal. If only a PGN file is named, the journal is `FILE.jsonl` next to it.
    fn journal(&self) -> Option<PathBuf> {
        self.json.clone().or_else(|| {
            let mut path = self.pgn.clone()?.into_os_string();
            path.push(".jsonl");
            Some(path.into())
        })
    }
}

impl Journal {
    /// Opens the files of a run. Without `resume`, the files must be new or empty. With `resume`, the files
    /// must belong to a run with the same header. Nothing is written until all files are accepted.
    pub fn open(
        files: &JournalFiles,
        style: PgnStyle,
        header: &JournalHeader,
        resume: bool,
    ) -> Result<Journal, JournalError> {
        let mut journal = Journal { style, ..Journal::default() };
        let Some(path) = files.journal() else {
            return if resume { Err(JournalError::NoFile) } else { Ok(journal) };
        };
        let mut header = header.clone();
        header.insert("format".to_owned(), FORMAT.into());
        let (mut json, bytes) = open(&path, resume)?;
        let whole = journal.read(&json.name(), &bytes, &header)?;
        if let Some(pgn) = &files.pgn {
            // The journal exists by now, so this check also finds links to the journal and other spellings of
            // its path.
            if same_file::is_same_file(pgn, &path).unwrap_or(false) {
                return Err(JournalError::SameFile { path: pgn.display().to_string() });
            }
            let (mut log, bytes) = open(pgn, resume)?;
            let missing = journal
                .missing(&bytes)
                .ok_or_else(|| JournalError::OtherPgn { path: log.name(), journal: json.name() })?;
            log.append(&missing)?;
            journal.pgn = Some(log);
        }
        json.cut(whole as u64)?;
        if whole == 0 {
            json.append(&line_of(&Entry::Match(header)))?;
        }
        journal.json = Some(json);
        Ok(journal)
    }

    /// Reads the games of a journal. Returns the length in bytes of the complete lines.
    fn read(
        &mut self,
        path: &str,
        bytes: &[u8],
        header: &JournalHeader,
    ) -> Result<usize, JournalError> {
        let name = || path.to_owned();
        if bytes.is_empty() {
            return Ok(0);
        }
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut lines = bytes[..whole].split(|&byte| byte == b'\n').enumerate();
        match lines.next().map(|(_, line)| serde_json::from_slice(line)) {
            Some(Ok(Entry::Match(theirs))) => check_header(path, theirs, header)?,
            _ => return Err(JournalError::Foreign { path: name() }),
        }
        for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let entry = serde_json::from_slice(line).map_err(|error| JournalError::Line {
                path: name(),
                line: index + 1,
                error,
            })?;
            if let Entry::Game(record) = entry {
                self.games.push(*record);
            }
        }
        // The bytes after the last complete line may only be the beginning of an entry.
        let torn = &bytes[whole..];
        let begins = |entry: &[u8]| entry.starts_with(torn) || torn.starts_with(entry);
        if begins(b"{\"game\":") || begins(b"{\"summary\":") {
            Ok(whole)
        } else {
            Err(JournalError::Foreign { path: name() })
        }
    }

    /// Returns the PGN that the PGN file lacks. Returns `None` if the file contains anything but the
    /// beginning of the PGN of the journal's games.
    fn missing(&self, mut bytes: &[u8]) -> Option<Vec<u8>> {
        let mut missing = Vec::new();
        for record in &self.games {
            let text = pgn(record, &self.style).into_bytes();
            let (there, rest) = bytes.split_at(text.len().min(bytes.len()));
            missing.extend_from_slice(text.strip_prefix(there)?);
            bytes = rest;
        }
        bytes.is_empty().then_some(missing)
    }

    /// Returns whether the run has files, so that its games are stored.
    pub fn is_kept(&self) -> bool {
        self.json.is_some()
    }

    /// Returns the games that the journal contained when it was opened.
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// Writes a finished game to the files.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        if let Some(log) = &mut self.json {
            log.append(&line_of(&Entry::Game(Box::new(record.clone()))))?;
        }
        if let Some(log) = &mut self.pgn {
            log.append(pgn(record, &self.style).as_bytes())?;
        }
        Ok(())
    }

    /// Writes the summary of the run to the journal.
    pub fn add_summary(&mut self, summary: Value) -> Result<(), JournalError> {
        if let Some(log) = &mut self.json {
            log.append(&line_of(&Entry::Summary(summary)))?;
        }
        self.sync()
    }

    /// Waits until everything written so far is on disk.
    pub fn sync(&self) -> Result<(), JournalError> {
        [&self.json, &self.pgn].into_iter().flatten().try_for_each(Log::sync)?;
        Ok(())
    }
}

/// Opens a file and reads its contents. Fails if the file has contents and the run is not resumed.
fn open(path: &Path, resume: bool) -> Result<(Log, Vec<u8>), JournalError> {
    let log = Log::open(path)?;
    let bytes = log.bytes()?;
    if !resume && !bytes.is_empty() {
        return Err(JournalError::Exists { path: log.name() });
    }
    Ok((log, bytes))
}

fn line_of(entry: &Entry) -> Vec<u8> {
    // Maps with string keys and plain structs can always be serialised.
    let mut line = serde_json::to_vec(entry).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Compares the headers of two runs. A header does not contain the settings that may change when a run is
/// resumed: the number of games, the concurrency and the SPRT.
fn check_header(
    path: &str,
    theirs: JournalHeader,
    ours: &JournalHeader,
) -> Result<(), JournalError> {
    if theirs.get("format") != ours.get("format") {
        return Err(JournalError::OtherVersion { path: path.to_owned() });
    }
    match difference("", &theirs.into(), &ours.clone().into()) {
        None => Ok(()),
        Some((name, theirs, ours)) => {
            Err(JournalError::OtherHeader { path: path.to_owned(), name, theirs, ours })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use serde_json::json;
    use tempfile::TempDir;

    use super::super::record::RecordedTurn;
    use super::super::standings::tests::record;
    use super::*;
    use crate::game::Outcome;

    fn header(seed: u64) -> JournalHeader {
        let Value::Object(header) = json!({"seed": seed, "engines": {"a": {"command": ["x"]}}})
        else {
            unreachable!()
        };
        header
    }

    /// Returns the paths of a match's files in a folder.
    fn files(folder: &TempDir) -> JournalFiles {
        let at = |name| Some(folder.path().join(name));
        JournalFiles { json: at("m.jsonl"), pgn: at("m.pgn") }
    }

    fn open(files: &JournalFiles, resume: bool) -> Result<Journal, JournalError> {
        Journal::open(files, PgnStyle::default(), &header(1), resume)
    }

    /// Plays a match of two games and returns the contents of its journal and PGN file.
    fn played(folder: &TempDir) -> [Vec<u8>; 2] {
        let files = files(folder);
        let mut journal = open(&files, false).unwrap();
        journal.add(&full_record(0, 0)).unwrap();
        journal.add(&full_record(0, 1)).unwrap();
        [files.json, files.pgn].map(|path| fs::read(path.unwrap()).unwrap())
    }

    fn full_record(pair: usize, game: usize) -> GameRecord {
        let mut record = record(pair, game, Outcome::WhiteWins);
        record.white = "é".to_owned();
        record.moves = ["Ra8+", "Kf7", "O-O-O"]
            .map(|san| RecordedTurn {
                uci: "a1a8".to_owned(),
                san: san.to_owned(),
                score: Some(12),
                mate: None,
                depth: Some(5),
                ms: 7,
            })
            .to_vec();
        record
    }

    fn keys(journal: &Journal) -> Vec<(usize, usize)> {
        journal.games().iter().map(|record| (record.pair, record.game)).collect()
    }

    #[test]
    fn a_run_is_resumed_from_its_journal() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(&folder);
        let [_, whole] = played(&folder);
        open(&files, true).unwrap().add_summary(json!({"games": 2})).unwrap();
        let journal = open(&files, true).unwrap();
        assert_eq!(keys(&journal), [(0, 0), (0, 1)]);
        assert_eq!(journal.games()[1], full_record(0, 1));
        drop(journal);
        // A new PGN file gets all games; the old PGN file is not needed.
        let pgn = folder.path().join("new.pgn");
        open(&JournalFiles { pgn: Some(pgn.clone()), ..files.clone() }, true).unwrap();
        assert_eq!(fs::read(&pgn).unwrap(), whole);
        open(&JournalFiles { pgn: None, ..files }, true).unwrap();
    }

    #[test]
    fn a_pgn_file_alone_gets_a_journal() {
        let folder = tempfile::tempdir().unwrap();
        let files = JournalFiles { json: None, ..files(&folder) };
        open(&files, false).unwrap().add(&full_record(0, 0)).unwrap();
        assert!(folder.path().join("m.pgn.jsonl").exists());
        assert_eq!(keys(&open(&files, true).unwrap()), [(0, 0)]);
    }

    #[test]
    fn a_truncated_game_is_dropped_wherever_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(&folder);
        let [json, pgn] = [&files.json, &files.pgn].map(|path| path.clone().unwrap());
        let [whole, whole_pgn] = played(&folder);
        let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
        let first = lines[0].len() + lines[1].len();
        let length_of = |path: &Path| fs::metadata(path).unwrap().len() as usize;
        for length in first..whole.len() {
            fs::write(&json, &whole[..length]).unwrap();
            // Simulates a PGN file that lacks some games or ends within a game.
            fs::write(&pgn, &whole_pgn[..(length - first).min(whole_pgn.len() / 2)]).unwrap();
            assert_eq!(keys(&open(&files, true).unwrap()), [(0, 0)], "{length}");
            assert_eq!(length_of(&json), first);
            assert_eq!(length_of(&pgn), whole_pgn.len() / 2);
        }
        let mut journal = open(&files, true).unwrap();
        journal.add(&full_record(0, 1)).unwrap();
        assert_eq!([json, pgn].map(|path| fs::read(path).unwrap()), [whole, whole_pgn]);
    }

    /// Files are not changed if the journal is not a journal of this match, or if the PGN file does not have
    /// the journal's games.
    #[test]
    fn other_files_are_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(&folder);
        let [json, pgn] = [&files.json, &files.pgn].map(|path| path.clone().unwrap());
        let [whole, whole_pgn] = played(&folder);
        let crlf = String::from_utf8(whole_pgn.clone()).unwrap().replace('\n', "\r\n");
        let more = [whole_pgn.clone(), b"[Event".to_vec()].concat();
        for text in [b"precious".to_vec(), crlf.into_bytes(), more] {
            fs::write(&pgn, &text).unwrap();
            let error = open(&files, true).unwrap_err();
            assert!(matches!(error, JournalError::OtherPgn { .. }), "{error}");
            assert_eq!([fs::read(&json).unwrap(), fs::read(&pgn).unwrap()], [whole.clone(), text]);
        }
        fs::write(&pgn, &whole_pgn).unwrap();
        let half = whole[..whole.len() / 2].to_vec();
        let texts = [
            b"precious".to_vec(),
            b"{\"settings\": {}}\n".to_vec(),
            b"{\"match\":{}".to_vec(),
            whole_pgn.clone(),
            [whole.clone(), b"precious".to_vec()].concat(),
            [half, b"\n".to_vec(), whole.clone()].concat(),
        ];
        for text in texts {
            fs::write(&json, &text).unwrap();
            for resume in [true, false] {
                open(&files, resume).unwrap_err();
                assert_eq!(
                    [fs::read(&json).unwrap(), fs::read(&pgn).unwrap()],
                    [text.clone(), whole_pgn.clone()]
                );
            }
        }
    }

    #[test]
    fn journals_are_neither_overwritten_nor_mixed() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(&folder);
        played(&folder);
        assert!(matches!(open(&files, false), Err(JournalError::Exists { .. })));
        let other = Journal::open(&files, PgnStyle::default(), &header(2), true).unwrap_err();
        assert!(other.to_string().contains("seed was 1 in that match and is 2 now"), "{other}");
        let mut changed = header(1);
        changed["engines"]["a"]["command"] = json!(["y"]);
        let other = Journal::open(&files, PgnStyle::default(), &changed, true).unwrap_err();
        let told = "engines a command was [\"x\"] in that match and is [\"y\"] now";
        assert!(other.to_string().contains(told), "{other}");
        let none = JournalFiles::default();
        assert!(matches!(open(&none, true), Err(JournalError::NoFile)));
        assert!(!open(&none, false).unwrap().is_kept());
        // A journal in another format is rejected.
        let json = files.json.clone().unwrap();
        fs::write(&json, "{\"match\":{\"form\":\"RoundRobin\",\"seed\":\"1\"}}\n").unwrap();
        assert!(matches!(open(&files, true), Err(JournalError::OtherVersion { .. })));
        // A run whose files do not exist yet can be resumed.
        let fresh = JournalFiles { json: Some(folder.path().join("fresh")), pgn: None };
        assert_eq!(open(&fresh, true).unwrap().games(), []);
    }

    #[test]
    fn a_journal_can_have_only_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(&folder);
        let busy = |files: &JournalFiles, resume| {
            matches!(open(files, resume), Err(JournalError::Log(LogError::Busy { .. })))
        };
        let journal = open(&files, false).unwrap();
        assert!(busy(&files, false) && busy(&files, true));
        // The PGN file is also locked, even if the journal is a different file.
        let json = Some(folder.path().join("other.jsonl"));
        assert!(busy(&JournalFiles { json, ..files.clone() }, false));
        drop(journal);
        open(&files, true).unwrap();
    }

    #[test]
    fn the_files_must_be_different() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| Some(folder.path().join(name));
        let same = |json: &str, pgn: &str, resume| {
            let files = JournalFiles { json: at(json), pgn: at(pgn) };
            matches!(open(&files, resume), Err(JournalError::SameFile { .. }))
        };
        assert!(same("m", "m", false));
        fs::create_dir(folder.path().join("sub")).unwrap();
        assert!(same("m", "sub/../m", false));
        fs::remove_file(folder.path().join("m")).unwrap();
        let [whole, _] = played(&folder);
        fs::hard_link(folder.path().join("m.jsonl"), folder.path().join("hard")).unwrap();
        assert!(same("m.jsonl", "hard", true));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("m.jsonl", folder.path().join("soft")).unwrap();
            assert!(same("soft", "m.jsonl", true) && same("m.jsonl", "soft", true));
        }
        assert_eq!(fs::read(folder.path().join("m.jsonl")).unwrap(), whole);
    }

    #[cfg(unix)]
    #[test]
    fn special_files_are_rejected() {
        let files = |path: &str| JournalFiles { json: Some(path.into()), pgn: None };
        let special = |path| open(&files(path), true).unwrap_err();
        let error = special("/dev/full");
        assert!(matches!(error, JournalError::Log(LogError::Special { .. })), "{error}");
        assert!(
            special("/no/such/folder/m")
                .to_string()
                .starts_with("cannot read or write '/no/such/folder/m': ")
        );
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_are_rejected(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut journal = Journal::default();
            prop_assert_eq!(journal.read("x", &bytes, &header(1)).is_ok(), bytes.is_empty());
        }
    }
}
