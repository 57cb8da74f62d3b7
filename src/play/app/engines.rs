//! The queue of searches for the engines of the web page. Each engine has a number.
use std::collections::VecDeque;

use super::puzzle::JudgedAttempt;
use super::response::{Effect, EngineCommand, Ticket};
use crate::engine::{SearchInfo, SearchRequest, SearchResult};
use crate::game::Game;
use crate::play::EngineEvent;
use crate::types::Color;

/// Assigns searches to engines. Searches wait in a queue until an engine is free.
pub(super) struct Engines {
    slots: Vec<Slot>,
    waiting: VecDeque<EngineTask>,
    /// The number of the last queued task.
    last: u64,
}

/// The state of one engine.
struct Slot {
    for_studies: bool,
    /// The game of the engine's last search.
    game: String,
    /// The number of the engine's last search; 0 before the first search.
    used: u64,
    task: Option<Box<EngineTask>>,
    is_stopped: bool,
}

/// A search that is queued or running.
pub(super) struct EngineTask {
    pub number: u64,
    pub game: String,
    pub purpose: SearchPurpose,
    /// The position to search. `None` for the engine's turns: their requests are made when an engine is free,
    /// because the clock runs until then.
    request: Option<(Game, SearchRequest)>,
}

/// The purpose of a search.
pub(super) enum SearchPurpose {
    /// Making the engine's turn.
    Turn,
    /// Answering the request with this ticket with a hint about this game.
    Hint(Ticket, Box<Game>),
    /// Answering the request with this ticket with an assessment of the placements of this side.
    Assessment(Ticket, Color),
    /// Answering the request with this ticket with an explanation of an attempt at a puzzle.
    Puzzle(Ticket, Box<JudgedAttempt>),
    /// Analysing or reviewing the game.
    Study,
}

/// A report of an engine about a search.
pub(super) enum Finding {
    Line { game: String, search: u64, line: SearchInfo },
    End(Box<EngineTask>, Result<SearchResult, String>),
}

impl Engines {
    /// Creates `play` engines for turns and hints, and `studies` engines for analyses and reviews.
    pub fn new(play: usize, studies: usize) -> Engines {
        let slot = |index| Slot {
            for_studies: index >= play,
            game: String::new(),
            used: 0,
            task: None,
            is_stopped: false,
        };
        let slots = (0..play + studies).map(slot).collect();
        Engines { slots, waiting: VecDeque::new(), last: 0 }
    }

    /// Returns the number of analyses and reviews that may run at the same time.
    pub fn studies(&self) -> usize {
        self.slots.iter().filter(|slot| slot.for_studies).count()
    }

    /// Queues a search and returns the number by which the search is known.
    pub fn want(
        &mut self,
        game: &str,
        purpose: SearchPurpose,
        request: Option<(Game, SearchRequest)>,
    ) -> u64 {
        self.last += 1;
        let (number, game) = (self.last, game.to_owned());
        self.waiting.push_back(EngineTask { number, game, purpose, request });
        number
    }

    /// Cancels a search.
    pub fn cancel(&mut self, number: u64, effects: &mut Vec<Effect>) {
        self.waiting.retain(|task| task.number != number);
        for (engine, slot) in self.slots.iter_mut().enumerate() {
            if slot.task.as_ref().is_some_and(|task| task.number == number) && !slot.is_stopped {
                slot.is_stopped = true;
                effects.push(Effect::Engine(EngineCommand::Stop { engine }));
            }
        }
    }

    /// Starts queued searches on free engines. `request_of` returns the search request for the engine's turn
    /// in a game, if it is the engine's turn.
    pub fn start(
        &mut self,
        request_of: impl Fn(&str) -> Option<(Game, SearchRequest)>,
        effects: &mut Vec<Effect>,
    ) {
        let mut index = 0;
        while let Some(task) = self.waiting.get(index) {
            let Some(engine) = self.free_for(task) else {
                index += 1;
                continue;
            };
            let Some(mut task) = self.waiting.remove(index) else { return };
            let request = task.request.take().or_else(|| request_of(&task.game));
            let Some((game, request)) = request else { continue };
            let slot = &mut self.slots[engine];
            let is_new_game = slot.used > 0 && slot.game != task.game;
            let (search, game, request) = (task.number, Box::new(game), Box::new(request));
            let command = EngineCommand::Search { engine, search, game, request, is_new_game };
            effects.push(Effect::Engine(command));
            (slot.used, slot.game) = (search, task.game.clone());
            (slot.task, slot.is_stopped) = (Some(Box::new(task)), false);
        }
    }

    /// Returns a free engine. Prefers the engine that last searched for the game, then the engine that has
    /// been idle longest, and then an engine that has never been used.
    fn free_for(&self, task: &EngineTask) -> Option<usize> {
        let is_study = matches!(task.purpose, SearchPurpose::Study);
        let is_free = |slot: &Slot| slot.task.is_none() && slot.for_studies == is_study;
        let free = self.slots.iter().enumerate().filter(|(_, slot)| is_free(slot));
        let rank = |slot: &Slot| (slot.game != task.game, slot.used == 0, slot.used);
        free.min_by_key(|(_, slot)| rank(slot)).map(|(engine, _)| engine)
    }

    /// Handles a message from an engine about a search. Messages about cancelled searches are ignored.
    pub fn hear(&mut self, search: u64, event: EngineEvent) -> Option<Finding> {
        let is_its =
            |slot: &&mut Slot| slot.task.as_ref().is_some_and(|task| task.number == search);
        let slot = self.slots.iter_mut().find(is_its)?;
        let result = match event {
            EngineEvent::Line(line) => {
                let task = slot.task.as_ref().filter(|_| !slot.is_stopped)?;
                return Some(Finding::Line { game: task.game.clone(), search, line });
            }
            EngineEvent::Done(reply) => Ok(reply),
            EngineEvent::Failed(error) => Err(error),
        };
        let task = slot.task.take()?;
        (!slot.is_stopped).then_some(Finding::End(task, result))
    }
}
