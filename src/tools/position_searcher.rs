use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::engine::{Answer, Control, Engine, EngineError, GameEngine, Line, Reporter, Request};
use crate::game::Game;
use crate::search::{Bound, Limits};

/// Searches single positions.
pub(super) struct PositionSearcher {
    engine: Option<GameEngine>,
    hash: usize,
    limits: Limits,
}

/// Hears the last whole lines, the best one first.
#[derive(Default)]
struct LastLines(Mutex<Lines>);

/// The lines of one depth and, while those of the next are not all there, of the one before.
#[derive(Default)]
struct Lines {
    before: Vec<Line>,
    now: Vec<Line>,
}

impl Lines {
    fn add(&mut self, line: &Line) {
        let begins = line.multi_pv == 1;
        if line.bound != Bound::Exact && !(begins && self.now.is_empty()) {
            return;
        }
        if begins && self.now.len() >= self.before.len() {
            self.before = std::mem::take(&mut self.now);
        }
        self.now.truncate(line.multi_pv - 1);
        if self.now.len() + 1 == line.multi_pv {
            self.now.push(line.clone());
        }
    }

    fn whole(self) -> Vec<Line> {
        if self.now.len() < self.before.len() { self.before } else { self.now }
    }
}

impl Reporter for LastLines {
    fn line(&self, line: &Line) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(line);
    }

    fn wants_san(&self) -> bool {
        true
    }
}

impl PositionSearcher {
    /// Searches each position so far, with this many MiB of hash.
    pub const fn new(limits: Limits, hash: usize) -> PositionSearcher {
        PositionSearcher { engine: None, hash, limits }
    }

    /// An engine for this game that knows nothing of what was searched before.
    pub fn begin(&mut self, game: &Game) -> Result<(), EngineError> {
        match self.engine.as_mut().filter(|engine| engine.rules().variant == game.variant()) {
            Some(engine) => engine.new_game(),
            None => self.engine = Some(GameEngine::new(game.variant(), self.hash, 1)?),
        }
        Ok(())
    }

    /// Searches the position of the game that was begun: the last whole line, and the answer.
    pub fn search(
        &mut self,
        game: &Game,
        control: &Control,
    ) -> Result<(Option<Line>, Answer), EngineError> {
        let (lines, answer) = self.lines(game, control)?;
        Ok((lines.into_iter().next(), answer))
    }

    /// The same with as many lines as the limits ask for, the best one first.
    pub fn lines(
        &mut self,
        game: &Game,
        control: &Control,
    ) -> Result<(Vec<Line>, Answer), EngineError> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(GameEngine::new(game.variant(), self.hash, 1)?),
        };
        let (root, turns) = game.uci_position();
        engine.set_position(Some(root), &turns)?;
        let chess960 = game.is_chess960();
        let request = Request { limits: self.limits.clone(), chess960, ..Request::default() };
        let last = LastLines::default();
        let answer = engine.search(&request, Instant::now(), control, &last);
        let lines = last.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((lines.whole(), answer))
    }
}
