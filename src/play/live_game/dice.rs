//! Rolls of dice in a game, rerolls, and Black's decision after a double of the mediator: accept the verdict,
//! or reroll.

use super::{LiveGame, PlayError};
use crate::host::Instant;
use crate::play::arbiter::Need;
use crate::play::event::{DiceRoll, GameEvent, RollPurpose};
use crate::start::Rng;
use crate::start::die::Die;
use crate::start::jepps::{self, Mediation, Roll};
use crate::types::Color;

impl LiveGame {
    /// Returns the roll that has been made since the last turn. Returns `None` if there is none, or if it was
    /// discarded for a reroll.
    pub fn shown(&self) -> Option<&DiceRoll> {
        let turns = self.turns().len();
        self.rolls.last().filter(|roll| roll.turns == turns && !roll.is_discarded)
    }

    /// Applies dice that were rolled, in order. If a single die places bishops and rooks, `values` has one or
    /// more rolls; otherwise it has exactly two dice.
    pub fn roll(&mut self, values: &[Die]) -> Result<(), PlayError> {
        self.check_not_over()?;
        let request = self.arbiter.request().ok_or(PlayError::NoDice)?;
        let found = values.len();
        match (self.arbiter.need(), values) {
            (Need::Die(_), [_, ..]) => {
                for die in values {
                    let color = self.side_to_move();
                    let meaning = self.arbiter.roll_die(*die)?;
                    self.events.push(GameEvent::Die(*die));
                    let sentence = (meaning.to_string(), meaning.short());
                    self.note_roll(RollPurpose::Root, color, &[*die], sentence);
                }
                Ok(())
            }
            (Need::Die(_), []) => {
                Err(PlayError::DiceCount { wanted: "one die or more are", found, request })
            }
            (_, &[one, two]) => {
                let (roll, color) = (Roll([one, two]), self.side_to_move());
                let is_mediators = self.arbiter.need() == Need::MediatorDice;
                let sentence = self.arbiter.roll_dice(roll)?;
                self.events.push(GameEvent::Dice(roll));
                if is_mediators {
                    // The sentence does not say whether Black may reroll, because `Need::Mediation` contains
                    // this information.
                    let verdict = Mediation { may_roll_again: false, ..jepps::mediate(roll) };
                    let sentence = (verdict.to_string(), verdict.black.to_string());
                    self.note_roll(RollPurpose::Mediation, color, &roll.0, sentence);
                } else {
                    let sentence = (sentence, roll.to_string());
                    self.note_roll(RollPurpose::Placement, color, &roll.0, sentence);
                }
                Ok(())
            }
            _ => Err(PlayError::DiceCount { wanted: "two dice are", found, request }),
        }
    }

    fn note_roll(
        &mut self,
        purpose: RollPurpose,
        color: Color,
        dice: &[Die],
        (sentence, short): (String, String),
    ) {
        let dice = dice.iter().map(|die| die.value()).collect();
        let (turns, is_discarded) = (self.turns().len(), false);
        let roll = DiceRoll { purpose, color, dice, sentence, short, turns, is_discarded };
        self.rolls.push(roll);
    }

    /// Rolls the one die or the two dice that the game needs next.
    pub fn roll_dice(&mut self, rng: &mut Rng) -> Result<(), PlayError> {
        let dice = [Die::roll(rng), Die::roll(rng)];
        match self.arbiter.need() {
            Need::Die(_) => self.roll(&dice[..1]),
            _ => self.roll(&dice),
        }
    }

    /// Discards the last roll, which must be a double, so that the dice are rolled again. Fails if the rules
    /// allow no reroll.
    pub fn roll_again(&mut self) -> Result<(), PlayError> {
        self.check_not_over()?;
        self.arbiter.roll_again()?;
        self.events.push(GameEvent::Again);
        if let Some(roll) = self.rolls.last_mut() {
            roll.is_discarded = true;
        }
        Ok(())
    }

    /// Accepts, for Black, the mediator's verdict after a double.
    pub fn accept(&mut self, now: Instant) -> Result<(), PlayError> {
        self.check_not_over()?;
        self.arbiter.accept()?;
        self.events.push(GameEvent::Accept);
        self.restart_thinking_time(now);
        self.run_clock(now);
        Ok(())
    }
}
