//! Tests of the rules of a session, with a fake engine whose searches end at once.

use std::sync::Mutex;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::engine::{Control, SearchInfo};
use crate::game::{Game, IgnoredPart};
use crate::rules::Rules;
use crate::search::Limits;
use crate::types::Color;

#[cfg(shuttle)]
#[path = "../../engine-tests/races/session.rs"]
mod races;

/// A fake engine. Field 0 is the engine's position, and field 1 is a function that runs during a search. The
/// first of a request's `searchmoves` is a mark that identifies the request. The best move of a search
/// consists of the position, the mark and the value of MultiPV.
struct Fake(String, fn(&SearchRequest, &Control));

/// The name of a position that the fake engine rejects. A search with this mark panics.
const BAD: &str = "bad";

fn fake(_: Variant, _: usize, _: usize) -> Result<Box<dyn Engine>, EngineError> {
    Ok(Box::new(Fake("start".to_owned(), |_, _| {})))
}

impl Engine for Fake {
    fn rules(&self) -> Rules {
        Variant::Chess.rules()
    }

    fn set_position(
        &mut self,
        fen: Option<&str>,
        _: &[String],
    ) -> Result<Vec<IgnoredPart>, EngineError> {
        let fen = fen.unwrap_or("start");
        if fen == BAD {
            return Err(EngineError::Flip);
        }
        self.0 = fen.to_owned();
        Ok(Vec::new())
    }

    fn new_game(&mut self) {}

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        let reason = "it is a test".to_owned();
        if mebibytes == 3 { Err(EngineError::Hash { mebibytes, reason }) } else { Ok(()) }
    }

    fn clear_hash(&mut self) {}

    fn set_threads(&mut self, _: usize) -> Result<(), EngineError> {
        Ok(())
    }

    fn set_network(&mut self, _: &[u8]) -> Result<(), EngineError> {
        Ok(())
    }

    fn check_search_moves(&self, _: &SearchRequest) -> Vec<EngineError> {
        Vec::new()
    }

    fn search(
        &mut self,
        request: &SearchRequest,
        _: Instant,
        control: &Control,
        _: &dyn SearchListener,
    ) -> SearchResult {
        let mark = &request.search_moves[0];
        if mark == BAD {
            std::panic::resume_unwind(Box::new(()));
        }
        (self.1)(request, control);
        let best = Some(format!("{} {mark} {}", self.0, request.limits.multi_pv));
        SearchResult { best, ..SearchResult::default() }
    }

    fn any_move(&self, _: bool) -> Option<String> {
        Some("any".to_owned())
    }

    fn perft(&self, _: u32, _: bool, _: &AtomicBool) -> Option<Vec<(String, u64)>> {
        Some(vec![(self.0.clone(), 1)])
    }

    fn game(&self) -> Option<&Game> {
        None
    }

    fn fen(&self) -> String {
        self.0.clone()
    }

    fn side_to_move(&self) -> Color {
        Color::White
    }

    fn board(&self) -> String {
        String::new()
    }

    fn display(&self) -> String {
        format!("at {}", self.0)
    }

    fn explain_evaluation(&self) -> String {
        String::new()
    }

    fn flip(&mut self) -> Result<(), EngineError> {
        Err(EngineError::Flip)
    }
}

/// A frontend that records all events as text.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl SearchListener for Notes {
    fn info(&self, _: &SearchInfo) {}
}

impl Frontend for Notes {
    fn hear(&self, event: Event) {
        self.0.lock().unwrap().push(match event {
            Event::Ready => "ready".to_owned(),
            Event::BestMove(answer) => {
                format!("best {}", answer.best.as_deref().unwrap_or("(none)"))
            }
            Event::Perft { counts, total: 1 } => format!("perft {}", counts[0].0),
            Event::Text(text) => text.to_owned(),
            Event::Error(SessionError::Busy(name)) => format!("busy {name}"),
            Event::Error(SessionError::Idle(name)) => format!("idle {name}"),
            Event::Error(_) => "rejected".to_owned(),
            event => format!("{event:?}"),
        });
    }
}

/// A session that a test drives step by step: the test sends a command or lets the current task end.
struct Steps {
    session: Session,
    done: Arc<Mutex<Option<Box<dyn Engine>>>>,
    notes: Arc<Notes>,
}

impl Steps {
    fn new() -> Steps {
        let (notes, done) = (Arc::new(Notes::default()), Arc::new(Mutex::new(None)));
        let inbox = done.clone();
        let on_done = move |engine| assert!(inbox.lock().unwrap().replace(engine).is_none());
        let runner = Runner::in_place();
        let session = Session::new(notes.clone(), fake, runner, Arc::new(on_done)).unwrap();
        Steps { session, done, notes }
    }

    fn after(commands: &[Command]) -> Steps {
        let mut steps = Steps::new();
        commands.iter().for_each(|command| steps.session.take(command.clone()));
        steps
    }

    /// If the current task ends by itself, runs the task to its end and returns `true`.
    fn end_job(&mut self) -> bool {
        let ends = self.session.task.as_ref().is_some_and(|task| !task.is_endless());
        if ends {
            self.session.runner.take().unwrap()();
            let engine = self.done.lock().unwrap().take().unwrap();
            self.session.done(engine);
        }
        ends
    }

    fn heard(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.0.lock().unwrap())
    }
}

fn search(mark: &str, limits: Limits) -> Command {
    let search_moves = vec![mark.to_owned()];
    Command::Go(Box::new(SearchRequest { limits, search_moves, ..SearchRequest::default() }))
}

fn depth(mark: &str) -> Command {
    search(mark, Limits::depth(8))
}

fn infinite(mark: &str) -> Command {
    search(mark, Limits { infinite: true, ..Limits::default() })
}

fn position(fen: &str) -> Command {
    Command::Position { fen: Some(fen.to_owned()), moves: Vec::new() }
}

fn option(name: &str, value: &str) -> Command {
    Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }
}

#[test]
fn commands_wait_for_a_search_that_ends_by_itself() {
    let mut steps = Steps::after(&[
        depth("one"),
        Command::Ready,
        position("there"),
        Command::Ready,
        Command::Display,
        depth("two"),
        Command::Quit,
    ]);
    assert_eq!(steps.heard(), ["ready"], "the first 'ready' comes at once, the second waits");
    assert!(steps.end_job() && !steps.session.is_over);
    assert_eq!(steps.heard(), ["best start one 1", "ready", "at there"]);
    assert!(steps.end_job() && steps.session.is_over, "'quit' is executed after the searches");
    assert_eq!(steps.heard(), ["best there two 1"]);
}

#[test]
fn an_endless_search_rejects_commands_until_it_is_stopped() {
    let mut steps = Steps::after(&[infinite("one"), position("a"), depth("two"), Command::Ready]);
    assert!(!steps.end_job());
    assert_eq!(steps.heard(), ["busy position", "busy search", "ready"]);
    for command in [Command::Stop, position("b"), depth("three")] {
        steps.session.take(command);
    }
    assert!(steps.end_job() && steps.end_job());
    assert_eq!(steps.heard(), ["best start one 1", "best b three 1"]);
    assert!(!steps.session.is_over);
}

#[test]
fn stop_and_ponderhit_act_on_all_earlier_searches() {
    let ponder = Limits { ponder: true, ..Limits::depth(8) };
    let pondering = || search("two", ponder.clone());
    let mut steps = Steps::after(&[infinite("one"), Command::Stop, infinite("two"), Command::Stop]);
    assert!(steps.end_job() && steps.end_job());
    let mut steps = Steps::after(&[depth("one"), pondering(), Command::PonderHit]);
    assert!(steps.end_job() && steps.end_job());
    // `Stop` and `PonderHit` do not affect later searches.
    let mut steps = Steps::after(&[depth("one"), Command::Stop, infinite("two")]);
    assert!(steps.end_job() && !steps.end_job());
    let mut steps = Steps::after(&[depth("one"), Command::PonderHit, pondering()]);
    assert!(steps.end_job() && !steps.end_job());
}

#[test]
fn quit_and_end_of_input_stop_the_task_or_wait_for_its_end() {
    for (commands, ends_search) in [
        (vec![depth("one"), Command::EndOfInput], false),
        (vec![infinite("one"), Command::EndOfInput], true),
        (vec![depth("one"), Command::Quit], true),
        (vec![infinite("one"), Command::Quit], true),
        (vec![Command::Perft(3), Command::Quit], false),
        (vec![depth("one"), position("a"), Command::Quit], false),
    ] {
        let mut steps = Steps::after(&commands);
        let stop = steps.session.task.as_ref().unwrap().control.stop.load(Relaxed);
        assert_eq!(stop, ends_search, "{commands:?}");
        assert!(steps.end_job() && steps.session.is_over, "{commands:?}");
        assert_eq!(steps.heard().len(), 1, "{commands:?}");
    }
}

#[test]
fn a_panic_in_the_search_is_reported_and_answered() {
    let mut steps = Steps::after(&[depth(BAD), depth("two")]);
    assert!(steps.end_job() && steps.end_job());
    assert_eq!(steps.heard(), ["rejected", "best any", "best start two 1"]);
}

#[test]
fn an_option_that_the_engine_rejects_is_unchanged() {
    let mut steps = Steps::after(&[option("Hash", "3"), option("MultiPV", "2"), depth("one")]);
    assert!(steps.end_job());
    assert_eq!(steps.heard(), ["rejected", "best start one 2"]);
    assert_eq!(steps.session.settings.hash, 16);
}

#[test]
fn an_abandoned_session_ends() {
    let (sender, messages) = crate::sync::mpsc::channel();
    let steps = Steps::new();
    for command in [infinite("one"), position("a"), depth("two")] {
        sender.send(Message::Command(command)).unwrap();
    }
    sender.send(Message::Done(fake(Variant::Chess, 1, 1).unwrap())).unwrap();
    steps.session.run(&messages, &AtomicBool::new(true));
    assert_eq!(steps.notes.0.lock().unwrap().len(), 0);
}

/// Returns the events of an in-place session that executes the given commands.
fn heard_in_place(commands: &[Command]) -> Vec<String> {
    let notes = Arc::new(Notes::default());
    let session = InPlace::new(fake, notes.clone()).unwrap();
    commands
        .iter()
        .for_each(|command| assert_ne!(session.send(command.clone()), *command == Command::Quit));
    std::mem::take(&mut *notes.0.lock().unwrap())
}

#[test]
fn an_in_place_session_executes_commands_at_once() {
    let commands = [depth("one"), Command::Ready, position("there"), depth("two"), Command::Stop];
    let heard = heard_in_place(&commands);
    assert_eq!(heard, ["best start one 1", "ready", "best there two 1", "idle stop"]);
}

#[test]
fn an_in_place_session_holds_back_the_result_of_pondering() {
    // The fake engine returns immediately, as a real search may do after it has found a mate.
    let ponder = |mark| search(mark, Limits { ponder: true, ..Limits::depth(8) });
    let heard = heard_in_place(&[ponder("one"), depth("two"), Command::Ready]);
    assert_eq!(heard, ["busy search", "ready"]);
    let heard = heard_in_place(&[ponder("one"), Command::Stop, ponder("two"), Command::PonderHit]);
    assert_eq!(heard, ["best start one 1", "best start two 1"]);
    let heard = heard_in_place(&[ponder("one"), Command::Quit]);
    assert_eq!(heard, ["best start one 1"]);
    // A search without a limit may end by itself when there is nothing left to search.
    let heard = heard_in_place(&[infinite("one"), depth("two")]);
    assert_eq!(heard, ["best start one 1", "best start two 1"]);
}

#[test]
fn after_a_rejected_position_the_previous_position_is_not_searched() {
    let mut steps = Steps::after(&[position("a"), position(BAD), depth("one"), Command::Perft(3)]);
    assert_eq!(steps.heard(), ["rejected", "rejected", "best (none)", "rejected"]);
    let unreadable = Command::RejectPosition("position: two words".to_owned());
    for command in [position("b"), unreadable, Command::NewGame, depth("two"), position("c")] {
        steps.session.take(command);
    }
    assert_eq!(steps.heard(), ["rejected", "rejected", "best (none)"]);
    steps.session.take(depth("three"));
    assert!(steps.end_job());
    assert_eq!(steps.heard(), ["best c three 1"]);
}

#[test]
fn an_in_place_session_accepts_commands_during_a_search() {
    /// A frontend that sends commands when the search first reports a line.
    #[derive(Default)]
    struct Within(Notes, Mutex<Option<Handle>>);

    impl SearchListener for Within {
        fn info(&self, _: &SearchInfo) {
            let handle = self.1.lock().unwrap().take();
            handle.iter().for_each(|handle| {
                for command in [Command::Ready, Command::Display, Command::Stop, Command::Display] {
                    assert!(handle.send(command));
                }
            });
        }
    }

    impl Frontend for Within {
        fn hear(&self, event: Event) {
            self.0.hear(event);
        }
    }

    let frontend = Arc::new(Within::default());
    let handle = in_place(frontend.clone()).unwrap();
    *frontend.1.lock().unwrap() = Some(handle.clone());
    assert!(handle.send(Command::Go(Box::default())));
    let heard = std::mem::take(&mut *frontend.0.0.lock().unwrap());
    assert_eq!(heard[..2], ["ready", "busy display"]);
    assert!(heard[2].starts_with("best ") && heard[3].contains("Fen: "), "{heard:?}");
    handle.abandon();
    assert!(!handle.send(Command::Ready));
}

/// A step of a random test of a session.
#[derive(Clone, Debug)]
enum Step {
    Take(Command),
    /// Let the current task end, if it ends by itself.
    End,
}

fn step() -> impl Strategy<Value = Step> {
    let limits = |ponder, infinite, depth| Limits { ponder, infinite, depth, ..Limits::default() };
    let clocked = |ponder| {
        let time = [Some(Duration::from_secs(1)), None];
        let limits = Limits { time, ..limits(ponder, false, None) };
        Command::Go(Box::new(SearchRequest { limits, ..SearchRequest::default() }))
    };
    let bare = |limits| Command::Go(Box::new(SearchRequest { limits, ..SearchRequest::default() }));
    let searches = [
        bare(limits(false, false, Some(8))),
        bare(limits(false, false, None)),
        bare(limits(false, true, None)),
        bare(limits(false, true, Some(8))),
        bare(limits(true, false, None)),
        bare(limits(true, false, Some(8))),
        bare(limits(true, true, None)),
        clocked(false),
        clocked(true),
    ];
    let others = [
        Command::Perft(3),
        Command::Ready,
        Command::Display,
        Command::NewGame,
        Command::Say(String::new()),
        option("MultiPV", "2"),
        option("MultiPV", "3"),
        option("MultiPV", "many"),
        option("Hash", "3"),
        position(BAD),
    ];
    prop_oneof![
        8 => prop::sample::select(searches.to_vec()).prop_map(Step::Take),
        8 => prop::sample::select(others.to_vec()).prop_map(Step::Take),
        4 => Just(Step::Take(position(""))),
        4 => prop::sample::select(vec![Command::Stop, Command::PonderHit]).prop_map(Step::Take),
        1 => prop::sample::select(vec![Command::Quit, Command::EndOfInput]).prop_map(Step::Take),
        6 => Just(Step::End),
    ]
}

/// Marks each position, search and text with the number of its step.
fn number(mut steps: Vec<Step>) -> Vec<Step> {
    for (number, step) in steps.iter_mut().enumerate() {
        match step {
            Step::Take(Command::Position { fen, .. }) if fen.as_deref() == Some("") => {
                *fen = Some(format!("p{number}"));
            }
            Step::Take(Command::Go(request)) => request.search_moves = vec![format!("g{number}")],
            Step::Take(Command::Say(text)) => *text = format!("said {number}"),
            _ => {}
        }
    }
    steps
}

/// A second, independent implementation of the rules, which predicts the events of a session.
#[derive(Default)]
struct Oracle {
    position: Option<String>,
    lacks_position: bool,
    lines: Option<u32>,
    task: Option<OracleTask>,
    /// The waiting commands. The flag says whether a `Stop` has arrived after the command.
    queue: VecDeque<(Command, bool)>,
    says: Vec<String>,
    accepted: Vec<String>,
    is_over: bool,
}

struct OracleTask {
    result: String,
    is_search: bool,
    is_limited: bool,
    is_pondering: bool,
    is_stopped: bool,
}

impl OracleTask {
    fn ends(&self) -> bool {
        self.is_stopped || self.is_limited && !self.is_pondering
    }
}

impl Oracle {
    fn take(&mut self, command: Command) {
        match (command, &mut self.task) {
            (Command::Stop, None) => self.says.push("idle stop".to_owned()),
            (Command::PonderHit, None) => self.says.push("idle ponder hit".to_owned()),
            (Command::Stop, Some(task)) => {
                task.is_stopped = true;
                self.queue.iter_mut().for_each(|waiting| waiting.1 = true);
            }
            (Command::PonderHit, Some(task)) => {
                task.is_pondering = false;
                for (command, _) in &mut self.queue {
                    if let Command::Go(request) = command {
                        request.limits.ponder = false;
                    }
                }
            }
            (command, task) => {
                // `quit` stops only searches here, because the perfts of this test are short.
                if let (Command::Quit, Some(task), true) = (&command, task, self.queue.is_empty()) {
                    task.is_stopped |= task.is_search;
                }
                self.queue.push_back((command, false));
            }
        }
        self.carry_on();
    }

    fn end_job(&mut self) {
        if let Some(task) = self.task.take_if(|task| task.ends()) {
            self.says.push(task.result);
            self.carry_on();
        }
    }

    fn carry_on(&mut self) {
        while let Some((command, is_stopped)) = self.queue.pop_front() {
            match (command, &mut self.task) {
                (Command::Ready, _) => self.says.push("ready".to_owned()),
                (command, Some(task)) if task.ends() => {
                    return self.queue.push_front((command, is_stopped));
                }
                (Command::Say(text), _) => self.says.push(text),
                (command @ (Command::Quit | Command::EndOfInput), Some(task)) => {
                    task.is_stopped = true;
                    return self.queue.push_front((command, is_stopped));
                }
                (command, Some(_)) => {
                    self.lacks_position |= matches!(command, Command::Position { .. });
                    self.says.push(format!("busy {}", command.name()));
                }
                (command, None) => self.carry_out(command, is_stopped),
            }
        }
    }

    fn carry_out(&mut self, command: Command, is_stopped: bool) {
        let position = self.position.clone().unwrap_or("start".to_owned());
        match command {
            Command::Quit | Command::EndOfInput => {
                self.is_over = true;
                self.queue.clear();
            }
            Command::Position { fen, .. } if fen.as_deref() != Some(BAD) => {
                (self.position, self.lacks_position) = (fen, false);
            }
            Command::SetOption { name, value } if name == "MultiPV" => {
                match value.and_then(|value| value.parse().ok()) {
                    Some(lines) => self.lines = Some(lines),
                    None => self.says.push("rejected".to_owned()),
                }
            }
            Command::Position { .. } | Command::SetOption { .. } => {
                self.lacks_position |= matches!(command, Command::Position { .. });
                self.says.push("rejected".to_owned());
            }
            Command::Display => self.says.push(format!("at {position}")),
            Command::Go(_) if self.lacks_position => {
                self.says.extend(["rejected".to_owned(), "best (none)".to_owned()]);
            }
            Command::Perft(_) if self.lacks_position => self.says.push("rejected".to_owned()),
            Command::Go(request) => {
                let limits = &request.limits;
                let mark = &request.search_moves[0];
                self.accepted.push(mark.clone());
                let lines = self.lines.unwrap_or(1);
                self.task = Some(OracleTask {
                    result: format!("best {position} {mark} {lines}"),
                    is_search: true,
                    is_limited: !limits.infinite
                        && (limits.depth.is_some() || limits.time[0].is_some()),
                    is_pondering: limits.ponder,
                    is_stopped,
                });
            }
            Command::Perft(_) => {
                self.task = Some(OracleTask {
                    result: format!("perft {position}"),
                    is_search: false,
                    is_limited: true,
                    is_pondering: false,
                    is_stopped,
                });
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// Sends random commands and lets tasks end at random times. The session must send the events that the
    /// rules demand, answer each accepted search once and in order, and end.
    #[test]
    fn the_rules_hold_in_every_order(steps in prop::collection::vec(step(), 1..40)) {
        let (mut real, mut oracle) = (Steps::new(), Oracle::default());
        let mut heard = Vec::new();
        let end = [Step::Take(Command::EndOfInput)].into_iter();
        let ends = std::iter::repeat_n(Step::End, steps.len() + 1);
        for step in number(steps).into_iter().chain(end).chain(ends) {
            if oracle.is_over {
                break;
            }
            match step {
                Step::Take(command) => {
                    real.session.take(command.clone());
                    oracle.take(command);
                }
                Step::End => {
                    real.end_job();
                    oracle.end_job();
                }
            }
            heard.extend(real.heard());
            prop_assert_eq!(&heard, &oracle.says);
            prop_assert_eq!(real.session.task.is_some(), oracle.task.is_some());
        }
        prop_assert!(real.session.is_over && oracle.is_over && real.session.task.is_none());
        // Skip the answers to searches after a rejected position. These answers have no mark.
        let answered: Vec<_> =
            heard.iter().filter_map(|line| line.strip_prefix("best ")?.split(' ').nth(1)).collect();
        prop_assert_eq!(&answered, &oracle.accepted, "one answer for each accepted search");
    }
}
