//! Tests a session under shuttle: the tasks of the session and the sender of the commands run in any order.

use shuttle::rand::{Rng, thread_rng};

use super::*;
use crate::sync::thread;

/// A fake search that obeys `stop` and `ponderhit`.
fn think(request: &SearchRequest, control: &Control) {
    let plies = thread_rng().gen_range(0..4);
    for _ in 0..plies {
        thread::yield_now();
    }
    let is_endless = || !request.limits.is_limited() || control.pondering.load(Relaxed);
    while is_endless() && !control.stop.load(Relaxed) {
        thread::yield_now();
    }
}

fn thinking(_: Variant, _: usize, _: usize) -> Result<Box<dyn Engine>, EngineError> {
    Ok(Box::new(Fake("start".to_owned(), think)))
}

/// Returns a random command. If the command is a search, `mark` identifies the search.
fn some_command(mark: &str) -> Command {
    let ponder = Limits { ponder: true, ..Limits::depth(8) };
    match thread_rng().gen_range(0..9) {
        0 | 1 => depth(mark),
        2 => infinite(mark),
        3 => search(mark, ponder),
        4 => search(mark, Limits { depth: None, ..ponder }),
        5 => Command::Ready,
        6 => Command::PonderHit,
        7 => position("there"),
        _ => Command::Stop,
    }
}

/// Runs a session that receives the commands from another thread. Returns the events of the session.
fn events_of(commands: Vec<Command>, then: impl FnOnce(Handle) + Send + 'static) -> Vec<String> {
    let notes = Arc::new(Notes::default());
    let begin = |handle: Handle| {
        thread::spawn(move || {
            commands.into_iter().for_each(|command| assert!(handle.send(command)));
            then(handle);
        });
        Ok(())
    };
    run_with(thinking, notes.clone(), begin).unwrap();
    std::mem::take(&mut *notes.0.lock().unwrap())
}

fn some_commands() -> Vec<Command> {
    (0..thread_rng().gen_range(1..8)).map(|number| some_command(&number.to_string())).collect()
}

/// Returns the marks of the searches among the commands.
fn marks(commands: &[Command]) -> Vec<String> {
    let mark = |command: &Command| match command {
        Command::Go(request) => Some(request.search_moves[0].clone()),
        _ => None,
    };
    commands.iter().filter_map(mark).collect()
}

#[test]
fn each_search_is_answered_once_and_in_order() {
    shuttle::check_random(
        || {
            let commands = some_commands();
            let end = if thread_rng().r#gen() { Command::Quit } else { Command::EndOfInput };
            let last = end.clone();
            let said = events_of(commands.clone(), move |handle| assert!(handle.send(last)));
            let count = |what: &str| said.iter().filter(|text| text.starts_with(what)).count();
            let answered: Vec<String> = said
                .iter()
                .filter_map(|text| text.strip_prefix("best ")?.split(' ').nth(1))
                .map(str::to_owned)
                .collect();
            let asked = marks(&commands);
            let what = format!("{commands:?} {end:?}: {said:?}");
            // Rejected searches are not answered. All other searches are answered in order.
            assert!(answered.iter().all(|mark| asked.contains(mark)), "{what}");
            assert!(answered.is_sorted_by(|a, b| a < b), "{what}");
            // After a position that was rejected because the engine was busy, a search is rejected, and answered
            // without a move.
            let unsearched = count("best (none)");
            assert_eq!(answered.len() + count("busy search") + unsearched, asked.len(), "{what}");
            assert_eq!(count("rejected"), unsearched, "{what}");
            assert!(unsearched == 0 || count("busy position") > 0, "{what}");
            let readies = commands.iter().filter(|&command| *command == Command::Ready).count();
            assert_eq!(count("ready"), readies, "{what}");
        },
        ROUNDS,
    );
}

#[test]
fn abandoning_a_session_ends_it() {
    shuttle::check_random(
        || {
            let commands = some_commands();
            let asked = marks(&commands).len();
            let said = events_of(commands, |handle| handle.abandon());
            let answered = said.iter().filter(|text| text.starts_with("best")).count();
            assert!(answered <= asked, "{said:?}");
        },
        ROUNDS,
    );
}

/// The number of thread schedules tried in each test.
const ROUNDS: usize = 20_000;
