//! The files of a run: every game is written as it ends, and a run that was killed goes on from
//! them.
//!
//! The JSON file has an object a line: first `{"match": ...}` with the settings, then
//! `{"game": ...}` for each game (see [`GameRecord`]) and at last `{"summary": ...}`. The PGN file
//! holds the same games for other programs. Each game is one write, so that a kill can cut the last
//! one only; what is cut off is dropped when the run goes on, and the game is played again.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::record::{EngineFault, GameRecord, RecordedTurn, pgn};
use crate::game::GameResult;

/// What a run was started with, as text by name. A run goes on only with the same settings.
pub type Settings = BTreeMap<String, String>;

/// Why a file of a run cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("'{path}': {error}")]
    File { path: String, error: std::io::Error },
    #[error("'{path}' holds games already: --resume goes on with it, or name another file")]
    Exists { path: String },
    #[error("there is nothing to resume from: name the file with --json or --pgn")]
    NoFile,
    #[error("'{path}', line {line}: {reason}")]
    Json { path: String, line: usize, reason: String },
    #[error("'{path}', game {number}: {reason}")]
    Pgn { path: String, number: usize, reason: String },
    #[error("'{path}' is of another match: its {setting} is '{theirs}', here it is '{ours}'")]
    OtherSettings { path: String, setting: String, theirs: String, ours: String },
    #[error(
        "game {pair}.{game} of the resumed match begins with '{theirs}', where this match has \
         '{ours}': other openings or another seed"
    )]
    OtherOpening { pair: usize, game: usize, theirs: String, ours: String },
    #[error(
        "game {pair}.{game} of the resumed match is between '{white}' and '{black}', who do not meet there in this match"
    )]
    OtherEngines { pair: usize, game: usize, white: String, black: String },
}

/// A line of the JSON file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    Match(Settings),
    Game(Box<GameRecord>),
    Summary(serde_json::Value),
}

/// The files of a run, and the games that they hold.
#[derive(Debug, Default)]
pub struct Journal {
    json: Option<Book>,
    pgn: Option<Book>,
    /// For the tags of the PGN.
    event: String,
    time_control: String,
    games: Vec<GameRecord>,
}

/// A file that grows.
#[derive(Debug)]
struct Book {
    path: PathBuf,
    file: File,
}

impl Book {
    fn open(path: &Path, resume: bool) -> Result<(Book, Vec<u8>), JournalError> {
        let failure = |error| JournalError::File { path: path.display().to_string(), error };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failure)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failure)?;
        if !resume && !bytes.is_empty() {
            return Err(JournalError::Exists { path: path.display().to_string() });
        }
        Ok((Book { path: path.to_owned(), file }, bytes))
    }

    fn failure(&self, error: std::io::Error) -> JournalError {
        JournalError::File { path: self.name(), error }
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Drops what comes after so many bytes.
    fn cut(&mut self, length: usize) -> Result<(), JournalError> {
        let cut = |file: &mut File| {
            file.set_len(length as u64)?;
            file.seek(SeekFrom::End(0)).map(|_| ())
        };
        cut(&mut self.file).map_err(|error| self.failure(error))
    }

    fn append(&mut self, text: &str) -> Result<(), JournalError> {
        self.file.write_all(text.as_bytes()).map_err(|error| self.failure(error))
    }
}

impl Journal {
    /// Opens the files of a run. Without `resume` they must be new or empty; with it they are read,
    /// and must be of a run with the same settings.
    pub fn open(
        json: Option<&Path>,
        pgn: Option<&Path>,
        settings: &Settings,
        resume: bool,
    ) -> Result<Journal, JournalError> {
        if resume && json.is_none() && pgn.is_none() {
            return Err(JournalError::NoFile);
        }
        let setting = |name: &str| settings.get(name).cloned().unwrap_or_default();
        let (event, time_control) = (setting("event"), setting("limit"));
        let mut journal = Journal { event, time_control, ..Journal::default() };
        if let Some(path) = json {
            journal.open_json(path, settings, resume)?;
        }
        if let Some(path) = pgn {
            journal.open_pgn(path, resume)?;
        }
        Ok(journal)
    }

    fn open_json(
        &mut self,
        path: &Path,
        settings: &Settings,
        resume: bool,
    ) -> Result<(), JournalError> {
        let (mut book, bytes) = Book::open(path, resume)?;
        let (whole, entries) = read_json(&book.name(), &bytes)?;
        let mut has_settings = false;
        for entry in entries {
            match entry {
                Entry::Match(theirs) => {
                    check_settings(&book.name(), &theirs, settings)?;
                    has_settings = true;
                }
                Entry::Game(record) => self.games.push(*record),
                Entry::Summary(_) => {}
            }
        }
        book.cut(whole)?;
        if !has_settings {
            book.append(&line_of(&Entry::Match(settings.clone())))?;
        }
        self.json = Some(book);
        Ok(())
    }

    fn open_pgn(&mut self, path: &Path, resume: bool) -> Result<(), JournalError> {
        let (mut book, bytes) = Book::open(path, resume)?;
        let (whole, games) = read_pgn(&book.name(), &bytes)?;
        book.cut(whole)?;
        if self.json.is_some() {
            // The JSON file is written first, so that it may be a game ahead.
            let written: HashSet<_> = games.iter().map(|game| (game.pair, game.game)).collect();
            let missing = self.games.iter().filter(|r| !written.contains(&(r.pair, r.game)));
            for record in missing {
                book.append(&pgn(record, &self.event, &self.time_control))?;
            }
        } else {
            self.games = games;
        }
        self.pgn = Some(book);
        Ok(())
    }

    /// The games that are over.
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// Takes a game that has just ended.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        if let Some(book) = &mut self.json {
            book.append(&line_of(&Entry::Game(Box::new(record.clone()))))?;
        }
        if let Some(book) = &mut self.pgn {
            book.append(&pgn(record, &self.event, &self.time_control))?;
        }
        Ok(())
    }

    /// Writes the outcome of the run beneath the games.
    pub fn add_summary(&mut self, summary: serde_json::Value) -> Result<(), JournalError> {
        match &mut self.json {
            Some(book) => book.append(&line_of(&Entry::Summary(summary))),
            None => Ok(()),
        }
    }
}

fn line_of(entry: &Entry) -> String {
    // Maps with text as keys and plain structs can always be written.
    let mut line = serde_json::to_string(entry).unwrap_or_default();
    line.push('\n');
    line
}

/// The entries of a JSON file, and how many bytes hold whole lines.
fn read_json(path: &str, bytes: &[u8]) -> Result<(usize, Vec<Entry>), JournalError> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut entries = Vec::new();
    for (index, line) in bytes[..whole].split(|&byte| byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        entries.push(serde_json::from_slice(line).map_err(|error| JournalError::Json {
            path: path.to_owned(),
            line: index + 1,
            reason: error.to_string(),
        })?);
    }
    Ok((whole, entries))
}

/// How many games are wanted, how many at a time and when to stop may change; all else must not.
fn check_settings(path: &str, theirs: &Settings, ours: &Settings) -> Result<(), JournalError> {
    let names: HashSet<&String> = theirs.keys().chain(ours.keys()).collect();
    for name in names {
        let value = |settings: &Settings| settings.get(name).cloned().unwrap_or_default();
        let (theirs, ours) = (value(theirs), value(ours));
        if theirs != ours {
            let (path, setting) = (path.to_owned(), name.clone());
            return Err(JournalError::OtherSettings { path, setting, theirs, ours });
        }
    }
    Ok(())
}

/// The games of a PGN file that [`pgn`] wrote, and how many bytes hold whole games.
fn read_pgn(path: &str, bytes: &[u8]) -> Result<(usize, Vec<GameRecord>), JournalError> {
    let text = String::from_utf8_lossy(bytes);
    let mut games = Vec::new();
    let mut whole = 0;
    // A game is tags, a blank line, moves and a blank line.
    let mut rest = text.as_ref();
    while let Some((tags, after)) = rest.split_once("\n\n") {
        let Some((moves, after)) = after.split_once("\n\n") else { break };
        let failure = |reason: String| JournalError::Pgn {
            path: path.to_owned(),
            number: games.len() + 1,
            reason,
        };
        let record = read_game(tags, moves).map_err(failure)?;
        games.push(record);
        whole += rest.len() - after.len();
        rest = after;
    }
    Ok((whole.min(bytes.len()), games))
}

fn read_game(tags: &str, moves: &str) -> Result<GameRecord, String> {
    let tags: BTreeMap<&str, String> = tags.lines().filter_map(read_tag).collect();
    let tag = |name: &str| tags.get(name).cloned().ok_or(format!("the tag '{name}' is missing"));
    let round = tag("Round")?;
    let (pair, game) = round
        .split_once('.')
        .and_then(|(pair, game)| Some((pair.parse::<usize>().ok()?, game.parse::<usize>().ok()?)))
        .filter(|&(pair, game)| pair > 0 && (1..=2).contains(&game))
        .ok_or(format!(
            "Round '{round}' is not of the form PAIR.GAME, so it is no match of ours"
        ))?;
    let result = tag("Result")?;
    let result = GameResult::ALL
        .into_iter()
        .find(|known| known.text() == result)
        .ok_or(format!("Result '{result}' is none of 1-0, 0-1, 1/2-1/2"))?;
    let (white, black, reason) = (tag("White")?, tag("Black")?, tag("Termination")?);
    let loser = if result == GameResult::WhiteWins { &black } else { &white };
    let fault = tags
        .get("Fault")
        .map(|said| EngineFault { engine: loser.clone(), fault: Fault::of_name(&reason, said) });
    let start = tag("FEN")?;
    let placements = tags.get("Placements").cloned().unwrap_or_default();
    Ok(GameRecord {
        pair: pair - 1,
        game: game - 1,
        round: 0, // the caller knows the schedule
        variant: tag("Variant")?,
        opening: tags.get("Opening").cloned().unwrap_or_else(|| start.clone()),
        placements: placements.split_ascii_whitespace().map(str::to_owned).collect(),
        moves: read_moves(moves),
        white,
        black,
        start,
        result,
        reason,
        fault,
    })
}

/// Reads `[Name "value"]`.
fn read_tag(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")?;
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        text.push(if letter == '\\' { letters.next()? } else { letter });
    }
    Some((name, text))
}

/// The moves of a movetext; numbers, comments and the result are left out.
fn read_moves(text: &str) -> Vec<RecordedTurn> {
    let mut in_comment = false;
    let mut moves = Vec::new();
    for word in text.split_ascii_whitespace() {
        let begins = word.starts_with('{');
        if !in_comment && !begins && !word.starts_with(|letter: char| letter.is_ascii_digit()) {
            let (uci, san) = (String::new(), word.to_owned());
            moves.push(RecordedTurn { uci, san, score: None, depth: None, ms: 0 });
        }
        in_comment = (in_comment || begins) && !word.ends_with('}');
    }
    moves
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::standings::tests::record;
    use super::*;

    fn settings(seed: &str) -> Settings {
        [("event", "test"), ("limit", "1+0.01"), ("seed", seed)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    /// A folder of its own for each test, gone at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("aleator-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn file(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn full_record(pair: usize, game: usize) -> GameRecord {
        let mut record = record(pair, game, GameResult::WhiteWins);
        record.moves = ["Ra8+", "Kf7", "O-O-O"]
            .map(|san| RecordedTurn {
                uci: "a1a8".to_owned(),
                san: san.to_owned(),
                score: Some(12),
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
    fn a_run_goes_on_from_either_file() {
        let folder = Folder::new("either");
        let (json, pgn) = (folder.file("m.jsonl"), folder.file("m.pgn"));
        let mut journal = Journal::open(Some(&json), Some(&pgn), &settings("1"), false).unwrap();
        journal.add(&full_record(0, 0)).unwrap();
        journal.add(&full_record(1, 1)).unwrap();
        journal.add_summary(serde_json::json!({"games": 2})).unwrap();
        drop(journal);
        for (json, pgn) in [(Some(&*json), None), (None, Some(&*pgn)), (Some(&*json), Some(&*pgn))]
        {
            let journal = Journal::open(json, pgn, &settings("1"), true).unwrap();
            assert_eq!(keys(&journal), [(0, 0), (1, 1)]);
            let game = &journal.games()[1];
            assert_eq!((game.moves.len(), game.moves[2].san.as_str()), (3, "O-O-O"));
            assert_eq!((game.white.as_str(), game.result), ("b", GameResult::WhiteWins));
            assert_eq!(game.opening, full_record(1, 1).opening);
        }
    }

    #[test]
    fn a_game_that_was_cut_is_dropped_wherever_the_cut_is() {
        let folder = Folder::new("cut");
        let (json, pgn) = (folder.file("m.jsonl"), folder.file("m.pgn"));
        let mut journal = Journal::open(Some(&json), Some(&pgn), &settings("1"), false).unwrap();
        journal.add(&full_record(0, 0)).unwrap();
        let first = [&json, &pgn].map(|path| std::fs::metadata(path).unwrap().len() as usize);
        journal.add(&full_record(0, 1)).unwrap();
        drop(journal);
        for (path, first) in [&json, &pgn].into_iter().zip(first) {
            let whole = std::fs::read(path).unwrap();
            for length in first..whole.len() {
                std::fs::write(path, &whole[..length]).unwrap();
                let (as_json, as_pgn) =
                    if path == &json { (Some(&*json), None) } else { (None, Some(&*pgn)) };
                let journal = Journal::open(as_json, as_pgn, &settings("1"), true).unwrap();
                assert_eq!(keys(&journal), [(0, 0)], "{} of {}", length, whole.len());
                drop(journal);
                assert_eq!(std::fs::metadata(path).unwrap().len() as usize, first);
            }
            std::fs::write(path, &whole).unwrap();
        }
        // The PGN file misses the last game: it is written from the JSON file.
        let whole = std::fs::read(&pgn).unwrap();
        std::fs::write(&pgn, &whole[..first[1] + 10]).unwrap();
        let journal = Journal::open(Some(&json), Some(&pgn), &settings("1"), true).unwrap();
        assert_eq!(keys(&journal), [(0, 0), (0, 1)]);
        assert_eq!(std::fs::read(&pgn).unwrap(), whole);
    }

    #[test]
    fn files_are_not_overwritten_nor_mixed_up() {
        let folder = Folder::new("mixed");
        let json = folder.file("m.jsonl");
        drop(Journal::open(Some(&json), None, &settings("1"), false).unwrap());
        let again = Journal::open(Some(&json), None, &settings("1"), false);
        assert!(matches!(again, Err(JournalError::Exists { .. })));
        let other = Journal::open(Some(&json), None, &settings("2"), true).unwrap_err();
        assert!(
            matches!(&other, JournalError::OtherSettings { setting, theirs, ours, .. }
            if setting == "seed" && theirs == "1" && ours == "2"),
            "{other}"
        );
        assert!(matches!(
            Journal::open(None, None, &settings("1"), true),
            Err(JournalError::NoFile)
        ));
        // To resume what was never begun is to begin it.
        let fresh = folder.file("fresh.jsonl");
        assert_eq!(Journal::open(Some(&fresh), None, &settings("1"), true).unwrap().games(), []);
    }

    #[test]
    fn faults_survive_in_pgn() {
        let mut faulty = full_record(0, 0);
        let fault = Fault::Illegal { found: "e2e5".to_owned(), reason: "no \"way\"".to_owned() };
        faulty.reason = fault.name().to_owned();
        faulty.fault = Some(EngineFault { engine: "b".to_owned(), fault });
        let text = pgn(&faulty, "e", "1");
        let (whole, games) = read_pgn("x", text.as_bytes()).unwrap();
        assert_eq!(whole, text.len());
        let fault = games[0].fault.as_ref().unwrap();
        assert_eq!((fault.engine.as_str(), fault.fault.name()), ("b", "illegal move"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read_pgn("x", &bytes);
            let _ = read_json("x", &bytes);
        }

        #[test]
        fn any_text_like_pgn_is_read_or_refused(text in "(\\[[A-Z][a-z]* \"[^\n]{0,8}\"?\\]\n|\n|[1-9. {}]{0,9}){0,12}") {
            let _ = read_pgn("x", text.as_bytes());
        }
    }
}
