//! Turns of people and the engine, taking back turns, and replaying the turns of saved games.

use std::mem::take;
use std::time::Duration;

use super::{Awaited, DiceSource, LiveGame, PlayError};
use crate::engine::{
    EndDecision, MoveContext, OutcomeTracker, SearchRequest, SearchResult, millis,
    pause_before_reply,
};
use crate::game::{AGAIN, Game};
use crate::host::Instant;
use crate::play::arbiter::{Arbiter, Need};
use crate::play::event::{GameEvent, Note};
use crate::play::{Player, variations};
use crate::start::Rng;
use crate::start::jepps::Roll;
use crate::types::{Color, Score};

/// The engine's time left, divided by this number, is the longest pause before a reply.
const PAUSES_IN_TIME_LEFT: u32 = 60;
/// The engine's thinking time for a move in a game without clocks.
const USUAL_TIME: Duration = Duration::from_secs(1);

impl LiveGame {
    /// Takes all steps that need no decision: makes placements that are the only possible ones, and rolls the
    /// program's dice if no person has to roll.
    pub fn settle(&mut self, rng: &mut Rng, now: Instant) {
        while self.termination().is_none() {
            let is_engine = |color| self.player(color).is_engine();
            let both = Color::ALL.into_iter().all(is_engine);
            let program_rolls = self.settings.dice == DiceSource::Program;
            let done = match (self.arbiter.forced(), self.arbiter.need()) {
                (Some(forced), _) => self.play(&forced.to_string(), now),
                (_, Need::Dice { color, .. }) if program_rolls && is_engine(color) => {
                    self.roll_dice(rng)
                }
                (_, Need::Die(_) | Need::MediatorDice) if program_rolls && both => {
                    self.roll_dice(rng)
                }
                _ => return,
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// Plays a turn for the side to move: a placement, or a move in UCI notation or SAN.
    pub fn play(&mut self, text: &str, now: Instant) -> Result<(), PlayError> {
        self.tick(now);
        self.check_not_over()?;
        match (self.arbiter.need(), self.arbiter.request()) {
            (Need::Mediation(mediation), _) => return Err(PlayError::VerdictFirst(mediation)),
            (_, Some(request)) => return Err(PlayError::DiceFirst(request)),
            _ => {}
        }
        let color = self.side_to_move();
        let turn = self.arbiter.play(text)?;
        if self.offer == Some(!color) {
            self.offer = None;
        }
        let (others, tail) = variations::divide(take(&mut self.tail), &turn.uci);
        self.tail = tail;
        if let Some(clocks) = self.clocks.as_mut().filter(|_| !turn.placement) {
            clocks.press(color, now);
        }
        let clocks = self.clocks.as_ref().filter(|_| !turn.placement);
        let clock_ms = clocks.map(|clocks| millis(clocks.left(color, now)));
        let is_timed = !turn.placement && !self.is_analysis();
        let spent = self.thinking_time.so_far(now).filter(|_| is_timed);
        let spent_ms = spent.map(millis);
        let note = Note { clock_ms, spent_ms, variations: others, ..Note::new(color, turn) };
        self.events.push(GameEvent::Turn(note));
        self.restart_thinking_time(now);
        self.run_clock(now);
        Ok(())
    }

    /// Plays the engine's reply: a turn, a reroll, or Black's acceptance of the mediator's verdict. Depending
    /// on the score of the reply, the engine resigns instead, or offers a draw with its turn.
    ///
    /// Only the scores of an engine at full strength are recorded, because the scores of weaker levels are
    /// not sound evaluations.
    pub fn reply(&mut self, reply: &SearchResult, now: Instant) -> Result<(), PlayError> {
        let best = reply.best.as_ref().ok_or(PlayError::NoReply)?;
        let color = self.side_to_move();
        let end_decision = self.end_decision(color, reply.score(), now);
        if end_decision == Some(EndDecision::Resign) {
            return self.resign(Some(color), now);
        }
        match self.arbiter.need() {
            Need::Choice(_) | Need::Mediation(_) if best == AGAIN => return self.roll_again(),
            Need::Mediation(_) => return self.accept(now),
            _ => self.play(best, now)?,
        }
        self.last_score = reply.score().map(|score| score.for_white(color));
        let is_full = matches!(self.player(color), Player::Engine(strength) if strength.is_full());
        if let Some(GameEvent::Turn(note)) = self.events.last_mut().filter(|_| is_full) {
            note.score = self.last_score;
        }
        let asks_person = !self.player(!color).is_engine();
        if end_decision == Some(EndDecision::OfferDraw)
            && asks_person
            && self.termination().is_none()
        {
            self.draw(Some(color), now)?;
        }
        Ok(())
    }

    /// Returns whether the engine, which plays `color`, resigns or offers a draw at this score.
    fn end_decision(
        &mut self,
        color: Color,
        score: Option<Score>,
        now: Instant,
    ) -> Option<EndDecision> {
        let Player::Engine(strength) = self.player(color) else { return None };
        let game = self.game().filter(|_| self.settings.habits.resigns)?;
        let opponent_time = self.clocks.as_ref().map(|clocks| clocks.left(!color, now));
        let context = MoveContext::new(game, score, opponent_time);
        self.outcome_trackers[color.index()].end_decision(strength, &context)
    }

    /// Returns a pause before the engine's search, if the engine should pause. The engine pauses below full
    /// strength against a person. At full strength the search is long enough. In a game with clocks, the pause
    /// is at most a fixed share of the engine's time left.
    pub fn pause_before_answer(&self, rng: &mut Rng, now: Instant) -> Option<Duration> {
        let Awaited::Engine(color) = self.awaited() else { return None };
        let Player::Engine(strength) = self.player(color) else { return None };
        let against_person = !self.player(!color).is_engine();
        if !self.settings.habits.pauses || !against_person || strength.is_full() {
            return None;
        }
        let share =
            self.clocks.as_ref().map(|clocks| clocks.left(color, now) / PAUSES_IN_TIME_LEFT);
        Some(pause_before_reply(rng).min(share.unwrap_or(Duration::MAX)))
    }

    /// Returns the game and the search request for the engine's turn, or `None` if it is not the engine's
    /// turn.
    pub fn search_request(&self, now: Instant) -> Option<(Game, SearchRequest)> {
        let (Awaited::Engine(color), Some(game)) = (self.awaited(), self.game()) else {
            return None;
        };
        let Player::Engine(strength) = self.player(color) else { return None };
        let mut request = SearchRequest::of_game(game);
        let limits = &mut request.limits;
        request.elo = strength.elo();
        match self.clocks.as_ref().filter(|_| !game.is_setup()) {
            Some(clocks) => {
                limits.time = Color::ALL.map(|color| Some(clocks.left(color, now)));
                limits.increment = [Some(clocks.control().increment); 2];
                limits.moves_to_go = clocks.moves_to_go(color);
            }
            None => limits.move_time = Some(USUAL_TIME),
        }
        Some((game.clone(), request))
    }

    /// Takes back the last turn that a person chose, or the last roll of the players' own dice, and everything
    /// after it. If the engine plays both sides, takes back one turn. A finished game continues.
    pub fn undo(&mut self, now: Instant) -> Result<(), PlayError> {
        let (arbiter, kept) = self.before_last_input().ok_or(PlayError::NothingToTakeBack)?;
        self.arbiter = arbiter;
        if let Some(GameEvent::Turn(note)) = self.events.get_mut(kept) {
            self.tail = take(&mut note.variations);
        }
        self.events.truncate(kept);
        self.rolls.truncate(self.events.iter().filter(|event| event.is_roll()).count());
        (self.offer, self.ended, self.last_score) = (None, None, None);
        self.outcome_trackers.iter_mut().for_each(OutcomeTracker::forget);
        // The tag `Termination` of the PGN file is no longer true.
        self.origin.tags.remove("Termination");
        let left = Color::ALL.map(|color| self.noted_time(color));
        if let (Some(clocks), [Some(white), Some(black)]) = (&mut self.clocks, left) {
            clocks.set([white, black]);
        }
        self.restart_thinking_time(now);
        self.run_clock(now);
        Ok(())
    }

    /// Returns whether [`undo`](Self::undo) is possible.
    pub fn can_undo(&self) -> bool {
        self.before_last_input().is_some()
    }

    /// Returns the game before what [`undo`](Self::undo) takes back, and the number of events until then.
    fn before_last_input(&self) -> Option<(Arbiter, usize)> {
        let is_person = |color| !self.player(color).is_engine();
        let any = Color::ALL.into_iter().any(is_person);
        let is_own = |event: &GameEvent| self.settings.dice == DiceSource::Own && event.is_roll();
        let mut arbiter = self.arbiter.clone();
        let mut kept = self.events.len();
        loop {
            let is_input = |event: &GameEvent| event.turn().is_some() || is_own(event);
            kept = self.events[..kept].iter().rposition(is_input)?;
            if is_own(&self.events[kept]) {
                let mut before = LiveGame::new(self.settings.clone()).ok()?;
                self.events[..kept].iter().try_for_each(|event| before.repeat(event)).ok()?;
                return Some((before.arbiter, kept));
            }
            if !arbiter.undo() {
                return None;
            }
            let side = arbiter.game().map(Game::side_to_move);
            if arbiter.forced().is_none() && (!any || side.is_some_and(is_person)) {
                return Some((arbiter, kept));
            }
        }
    }

    /// Returns the time on a side's clock after the side's last turn.
    fn noted_time(&self, color: Color) -> Option<Duration> {
        let turns = self.turns();
        let of_side = turns.iter().rev().filter(|note| note.color == color);
        let noted = of_side.filter_map(|note| note.clock_ms).next().map(Duration::from_millis);
        noted.or(self.settings.clock.map(|control| control.base))
    }

    /// Applies an event of a saved game, without clocks.
    pub(in crate::play) fn repeat(&mut self, event: &GameEvent) -> Result<(), PlayError> {
        match event {
            GameEvent::Die(die) => self.roll(&[*die]),
            GameEvent::Dice(Roll(dice)) => self.roll(dice),
            GameEvent::Again => self.roll_again(),
            GameEvent::Accept => {
                self.arbiter.accept()?;
                self.events.push(GameEvent::Accept);
                Ok(())
            }
            GameEvent::Turn(note) => {
                self.arbiter.play(&note.uci)?;
                self.events.push(event.clone());
                Ok(())
            }
        }
    }

    /// Plays a turn from a link to a game, without clocks.
    pub(in crate::play) fn follow(&mut self, text: &str) -> Result<(), PlayError> {
        let color = self.side_to_move();
        let turn = self.arbiter.play(text)?;
        self.events.push(GameEvent::Turn(Note::new(color, turn)));
        Ok(())
    }
}
