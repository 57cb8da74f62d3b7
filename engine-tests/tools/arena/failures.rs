//! Tests of how `match` handles engine failures of every kind.

use super::*;

#[test]
fn failures_lose_the_game_and_are_named() {
    let kinds = [
        ("engine_that_crashes", "crash"),
        ("engine_that_cheats", "illegal move"),
        ("engine_that_is_late", "time loss"),
    ];
    for (test, kind) in kinds {
        let engines = [("good", ourselves()), ("bad", misbehaving(test))];
        let text = output(&mut run_match(
            &engines,
            &["--movetime", "20", "--margin", "400", "--games", "2", "--openings", "random:2"],
        ));
        assert!(text.contains("Games  2: +2 =0 -0"), "{test}: {text}");
        assert!(text.contains(&format!("Failures bad 2 {kind}")), "{test}: {text}");
        assert!(text.contains("engine 'bad'"), "{test}: {text}");
    }
}

#[test]
fn an_engine_that_hangs_is_restarted() {
    let engines = [("good", ourselves()), ("bad", misbehaving("engine_that_hangs"))];
    let text = output(&mut run_match(
        &engines,
        &["--nodes", "10", "--patience", "1", "--games", "2", "--openings", "random:2"],
    ));
    assert!(text.contains("Failures bad 2 hang"), "{text}");
}

#[test]
fn ten_failures_in_a_row_end_the_match() {
    let folder = Folder::new();
    let json = folder.file("games");
    let engines = [("good", ourselves()), ("bad", misbehaving("engine_that_cheats"))];
    let text = complaint(&mut run_match(
        &engines,
        &["--nodes", "10", "--games", "100", "--openings", "random:2", "--json", &json],
    ));
    assert!(text.contains("engine failures decided 10 games in a row"), "{text}");
    assert!(text.contains("'bad' answered 'e2e5', which is illegal"), "{text}");
    assert_eq!(games(&json).len(), 10);
}

#[test]
fn an_engine_that_never_stops_writing_counts_as_hung() {
    let engines = [("good", ourselves()), ("bad", misbehaving("engine_that_floods"))];
    let text = output(&mut run_match(
        &engines,
        &["--nodes", "10", "--patience", "1", "--games", "2", "--openings", "random:2"],
    ));
    assert!(text.contains("Failures bad 2 hang"), "{text}");
}

#[test]
fn engine_output_cannot_control_the_terminal() {
    let engines = [("good", ourselves()), ("bad", misbehaving("engine_that_paints"))];
    let arguments = ["--nodes", "10", "--games", "2", "--openings", "random:2"];
    let text = output(&mut run_match(&engines, &arguments));
    assert!(text.contains("'bad' crashed") && text.contains("\\u{1b}]0;mine"), "{text}");
    assert!(!text.contains('\x1b') && !text.contains('\x07'), "{text}");
    let text =
        complaint(&mut run_match(&engines, &[&arguments[..], &["--option", "bad.x=y"]].concat()));
    assert!(
        text.contains("its options are: Colour\\u{1b}[31m") && !text.contains('\x1b'),
        "{text}"
    );
}

/// If the engine command is a wrapper script, `match` must kill the script and the engine that the script has
/// started.
#[cfg(unix)]
#[test]
fn a_wrapper_is_killed_with_its_engine() {
    let folder = Folder::new();
    let held = folder.file("held");
    std::fs::write(&held, "").unwrap();
    let bad = misbehaving("engine_that_stays");
    let script = folder.file("wrapper.sh");
    // The shell replaces itself with the last command of a script, so the engine must not be the last
    // command.
    std::fs::write(&script, format!("HELD='{held}' {bad}\ntrue\n")).unwrap();
    let engines = [("good", ourselves()), ("bad", format!("sh '{script}'"))];
    output(&mut run_match(
        &engines,
        &["--nodes", "10", "--patience", "1", "--games", "2", "--openings", "random:2"],
    ));
    let file = std::fs::File::open(&held).unwrap();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while file.try_lock().is_err() {
        assert!(std::time::Instant::now() < until, "the engine is still running");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
