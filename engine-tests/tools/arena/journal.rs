//! Tests of journals: every game must be recorded exactly once, whatever happens to the match.

use std::io::Write;

use super::*;

/// A match that is killed at random moments and resumed must play every game exactly once.
#[test]
fn a_killed_run_is_resumed() {
    let folder = Folder::new();
    let (json, pgn) = (folder.file("games.jsonl"), folder.file("games.pgn"));
    let pair = [("a", ourselves()), ("b", ourselves())];
    let arguments = [
        "--nodes",
        "40",
        "--games",
        "24",
        "--max-plies",
        "60",
        "--concurrency",
        "2",
        "--resume",
        "--json",
        &json,
        "--pgn",
        &pgn,
    ];
    let mut done = 0;
    for _ in 0..3 {
        let mut child = run_match(&pair, &arguments).stdout(Stdio::null()).spawn().unwrap();
        // Kill the match after some more games, in the middle of the next game.
        while count(&json) < done + 3 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        done = count(&json);
    }
    // Add a half-written game, as a killed process may leave it.
    let mut file = std::fs::OpenOptions::new().append(true).open(&json).unwrap();
    file.write_all(b"{\"game\":{\"pair\":").unwrap();
    let text = output(&mut run_match(&pair, &arguments));
    assert!(text.contains(&format!("resumed with {done} games")), "{text}");
    let games = games(&json);
    let expected = (0..12).flat_map(|pair| [(pair, 0), (pair, 1)]).collect();
    assert_eq!(keys(&games), expected);
    let pgn = std::fs::read_to_string(&pgn).unwrap();
    let rounds: BTreeSet<&str> = pgn.lines().filter(|line| line.starts_with("[Round ")).collect();
    assert_eq!((rounds.len(), pgn.matches("[Round ").count()), (24, 24));
    // A match with other settings cannot be resumed from this journal.
    let other = [arguments.as_slice(), &["--seed", "2"]].concat();
    assert!(
        complaint(&mut run_match(&pair, &other)).contains("seed was 1 in that match and is 2 now")
    );
}

/// Existing files must not be overwritten. To resume a match, `--pgn` is enough, because the journal is next
/// to the PGN file.
#[test]
fn a_match_is_resumed_from_the_journal_of_its_pgn_file() {
    let folder = Folder::new();
    let pgn = folder.file("games.pgn");
    let pair = [("a", ourselves()), ("b", ourselves())];
    let play = |games: &str, more: &[&str]| {
        let words = ["--nodes", "20", "--max-plies", "10", "--games", games, "--pgn", &pgn];
        run_match(&pair, &[&words, more].concat())
    };
    std::fs::write(&pgn, "precious").unwrap();
    for (resume, words) in [(&[][..], "is not empty"), (&["--resume"][..], "does not contain")] {
        let text = complaint(&mut play("2", resume));
        assert!(text.contains(&format!("'{pgn}' {words}")), "{text}");
        assert_eq!(std::fs::read_to_string(&pgn).unwrap(), "precious");
    }
    std::fs::remove_file(&pgn).unwrap();
    output(&mut play("2", &["--resume"]));
    let first = std::fs::read_to_string(&pgn).unwrap();
    let text = output(&mut play("4", &["--resume"]));
    assert!(text.contains("resumed with 2 games"), "{text}");
    let both = std::fs::read_to_string(&pgn).unwrap();
    assert!(both.starts_with(&first) && both.matches("[Round ").count() == 4, "{both}");
    assert_eq!(keys(&games(&format!("{pgn}.jsonl"))).len(), 4);
    // With CRLF line endings, the PGN file is no longer the file that the match has written.
    let crlf = both.replace('\n', "\r\n");
    std::fs::write(&pgn, &crlf).unwrap();
    complaint(&mut play("6", &["--resume"]));
    assert_eq!(std::fs::read_to_string(&pgn).unwrap(), crlf);
    let same = complaint(&mut play("6", &["--resume", "--json", &pgn]));
    assert!(same.contains("not a journal") || same.contains("the same file"), "{same}");
}

/// Other programs read journals, so numbers must be JSON numbers, and nothing may be in Rust's debug format.
#[test]
fn a_journal_is_plain_json() {
    let folder = Folder::new();
    let json = folder.file("games");
    let engines = [("a", ourselves()), ("bad", misbehaving("engine_that_is_late"))];
    let arguments = ["--nodes", "20", "--limit", "bad.movetime=20", "--games", "2"];
    let rules = ["--resign", "3,600", "--openings", "random:2", "--json", &json];
    let text = output(&mut run_match(&engines, &[arguments.as_slice(), &rules].concat()));
    assert!(text.contains("a (20 nodes a move) against bad (0.02 s a move)"), "{text}");
    let text = std::fs::read_to_string(&json).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let header = &header["match"];
    assert_eq!((&header["margin_ms"], &header["form"]), (&20.into(), &"round-robin".into()));
    assert_eq!(header["adjudication"]["win"]["score"], 600);
    assert_eq!(header["adjudication"]["draw"], Value::Null);
    assert_eq!(header["engines"]["a"]["limit"]["nodes"], 20);
    assert_eq!(header["engines"]["bad"]["limit"]["movetime_ms"], 20);
    let game = &games(&json)[0];
    assert!(game["fault"]["over_ms"].is_u64(), "{game}");
    assert_eq!(game["date"].as_str().unwrap().len(), "2026-11-22".len());
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_standings_and_how_to_continue() {
    use nix::sys::signal::{Signal, kill};

    let folder = Folder::new();
    let json = folder.file("a journal");
    let pair = [("a", ourselves()), ("b", ourselves())];
    let arguments = ["--nodes", "50", "--max-plies", "20", "--games", "100000", "--json", &json];
    let child = run_match(&pair, &arguments).stdout(Stdio::piped()).spawn().unwrap();
    while count(&json) < 3 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    kill(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let done = count(&json);
    assert!(text.contains(&format!("Games  {done}: ")), "{text}");
    let command = text.split("To continue:\n").nth(1).unwrap();
    let mut words = shlex::split(command).unwrap();
    assert_eq!(words[words.len() - 1], "--resume");
    // Resume with the printed command, but play only two more games.
    let games = words.iter().position(|word| word == "100000").unwrap();
    words[games] = (done + 2).to_string();
    let text = self::output(Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()));
    assert!(text.contains(&format!("resumed with {done} games")), "{text}");
    assert!(keys(&self::games(&json)).len() >= done + 2);
}

/// If the disk is full, the journal must contain only complete games, and the match can be resumed later.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_complete_games() {
    let folder = Folder::new();
    let json = folder.file("games");
    let pair = [("a", ourselves()), ("b", ourselves())];
    let arguments = ["--nodes", "20", "--max-plies", "20", "--games", "20", "--json", &json];
    let whole = run_match(&pair, &arguments);
    // Limit files to eight blocks. Ignoring the signal XFSZ makes writing beyond the limit an error.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]);
    command.arg(whole.get_program()).args(whole.get_args()).stdin(Stdio::null());
    let text = complaint(&mut command);
    assert_eq!((text.lines().count(), text.contains(&json)), (1, true), "{text}");
    let bytes = std::fs::read(&json).unwrap();
    assert_eq!(bytes.last(), Some(&b'\n'));
    let done = games(&json).len();
    assert!(done > 0);
    let text = output(&mut run_match(&pair, &[arguments.as_slice(), &["--resume"]].concat()));
    assert!(text.contains(&format!("resumed with {done} games")), "{text}");
    assert_eq!(keys(&games(&json)).len(), 20);
}

/// If standard output cannot be written, a match with a journal continues, and a match without a journal
/// stops.
#[cfg(target_os = "linux")]
#[test]
fn a_match_survives_its_standard_output() {
    let folder = Folder::new();
    let json = folder.file("games");
    let pair = [("good", ourselves()), ("bad", misbehaving("engine_that_cheats"))];
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    // The match prints each engine failure, so it needs standard output.
    let arguments = ["--nodes", "10", "--openings", "random:2", "--games"];
    let kept = [arguments.as_slice(), &["8", "--json", &json]].concat();
    let output = run_match(&pair, &kept).stdout(full()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(1), 1), "{text}");
    assert!(text.contains("No space left"), "{text}");
    assert_eq!(keys(&games(&json)).len(), 8);
    let unkept = [arguments.as_slice(), &["1000000"]].concat();
    let output = run_match(&pair, &unkept).stdout(full()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("No space left") && !text.contains("in a row"), "{text}");
}
