//! Runs the engines of the server on threads.
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::play::app::{ENGINES, EngineCommand, FIRST_ENGINES, Input};
use crate::play::{EngineEvent, EngineQueue};

/// The size of each engine's transposition table, in MiB.
const HASH: usize = 16;

/// Starts a thread that passes commands to the engines. `hear` is called with the reports of the engines.
pub(super) fn start(
    hear: impl Fn(Input) + Clone + Send + 'static,
) -> io::Result<Sender<EngineCommand>> {
    let (sender, commands) = channel();
    let work = move || run(&commands, &hear);
    thread::Builder::new().name("engines".to_owned()).spawn(work)?;
    Ok(sender)
}

fn run(commands: &Receiver<EngineCommand>, hear: &(impl Fn(Input) + Clone + Send + 'static)) {
    let mut thinkers: [Option<EngineQueue>; ENGINES] = Default::default();
    // These engines start before the first search. If an engine cannot start, its first search tries again,
    // and reports the error.
    for engine in FIRST_ENGINES {
        thinkers[engine] = EngineQueue::start(HASH).ok();
    }
    while let Ok(command) = commands.recv() {
        match command {
            EngineCommand::Stop { engine } => {
                thinkers[engine].iter().for_each(EngineQueue::stop);
            }
            EngineCommand::Search { engine, search, game, request, is_new_game } => {
                let hear = hear.clone();
                let hear = move |event| hear(Input::EngineEvent { search, event });
                let queue = match &mut thinkers[engine] {
                    Some(queue) => queue,
                    none => match EngineQueue::start(HASH) {
                        Ok(queue) => none.insert(queue),
                        Err(error) => {
                            hear(EngineEvent::Failed(error.to_string()));
                            continue;
                        }
                    },
                };
                if is_new_game {
                    queue.new_game();
                }
                queue.ask(*game, *request, hear);
            }
        }
    }
}
