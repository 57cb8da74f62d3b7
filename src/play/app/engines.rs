//! Which engine searches what: a queue of searches for a few numbered engines.
use std::collections::VecDeque;

use super::response::{Effect, EngineCommand, Ticket};
use crate::engine::{SearchInfo, SearchRequest, SearchResult};
use crate::game::Game;
use crate::play::EngineEvent;
use crate::types::Color;

/// Assigns searches to engines; those that find no free engine wait in a queue.
pub(super) struct Engines {
    slots: Vec<Slot>,
    waiting: VecDeque<EngineTask>,
    /// The number of the last task.
    last: u64,
}

struct Slot {
    for_studies: bool,
    /// The game of its last search, which it may have learned from.
    game: String,
    /// The number of its last search; 0 before the first.
    used: u64,
    task: Option<Box<EngineTask>>,
    is_stopped: bool,
}

/// A search that is queued or running.
pub(super) struct EngineTask {
    pub number: u64,
    pub game: String,
    pub purpose: SearchPurpose,
    /// What to search; `None` to ask the game once an engine is free, since its clock runs until then.
    request: Option<(Game, SearchRequest)>,
}

/// What a search is for.
pub(super) enum SearchPurpose {
    /// The engine's turn.
    Turn,
    /// A response to a request, about this game.
    Hint(Ticket, Box<Game>),
    /// A response to a request, with the side that places.
    Assessment(Ticket, Color),
    /// The game's analysis or review.
    Study,
}

/// What an engine reported about a search.
pub(super) enum Finding {
    Line { game: String, search: u64, line: SearchInfo },
    End(Box<EngineTask>, Result<SearchResult, String>),
}

impl Engines {
    /// Returns engines of which `play` are for turns and hints, and `studies` for studies.
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

    /// Returns how many studies may run at a time.
    pub fn studies(&self) -> usize {
        self.slots.iter().filter(|slot| slot.for_studies).count()
    }

    /// Queues a search and returns its number.
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

    /// Starts queued searches on free engines. `request_of` returns what a game wants to have searched.
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

    /// Returns the free engine that last searched for the game, or else the used one that has been
    /// idle longest, or else a new one.
    fn free_for(&self, task: &EngineTask) -> Option<usize> {
        let is_study = matches!(task.purpose, SearchPurpose::Study);
        let is_free = |slot: &Slot| slot.task.is_none() && slot.for_studies == is_study;
        let free = self.slots.iter().enumerate().filter(|(_, slot)| is_free(slot));
        let rank = |slot: &Slot| (slot.game != task.game, slot.used == 0, slot.used);
        free.min_by_key(|(_, slot)| rank(slot)).map(|(engine, _)| engine)
    }

    /// Handles an engine's event; those of cancelled searches are ignored.
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
