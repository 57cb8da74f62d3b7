//! The dice of Jepps Random Chess in a game in progress.
//!
//! As long as no dice have been rolled, all legal placements are allowed. This is always the case over UCI,
//! where `searchmoves` restricts the placements to those that the dice offer.

use super::{Game, GameError, Stage, stage_of};
use crate::setup::{Placement, SetupOrGame};
use crate::start::jepps::{self, Mediation, Offer, Roll};
use crate::start::{BlackBackRank, Rng};
use crate::types::Role;

/// The text with which a side asks for a reroll, in place of a placement or the name of a verdict.
pub const AGAIN: &str = "again";

/// The state of the dice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Dice {
    /// No roll is pending: the game has no dice, or the dice have not been rolled for the next turn yet.
    #[default]
    None,
    /// The dice offer pieces for the next square.
    Offer(Offer),
    /// The mediator has to roll next.
    Mediator,
    /// The mediator has rolled a double. Black accepts the verdict or asks for a reroll.
    MediatorDouble(Mediation),
}

/// The result of a roll.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rolled {
    /// The dice offer pieces to choose from.
    Offer(Offer),
    /// The dice give the mediator's verdict.
    Mediation(Mediation),
}

impl Dice {
    /// Returns the state of the dice after a turn that has led to `stage`.
    pub(super) fn at(stage: &Stage) -> Dice {
        match stage {
            Stage::Setup(state) if state.after_verdict(BlackBackRank::Own).is_some() => {
                Dice::Mediator
            }
            _ => Dice::None,
        }
    }

    /// Returns the roll if the dice offer pieces.
    pub(super) const fn roll(&self) -> Option<Roll> {
        match self {
            Dice::Offer(offer) => Some(offer.roll),
            _ => None,
        }
    }

    /// Returns whether the mediator has to roll, or Black has to accept or reroll the mediator's double.
    pub(super) const fn is_mediators(&self) -> bool {
        matches!(self, Dice::Mediator | Dice::MediatorDouble(_))
    }

    /// Returns whether the dice allow a placement.
    pub(super) fn offer(&self, placement: Placement) -> bool {
        self.check(placement).is_ok()
    }

    pub(super) fn check(&self, placement: Placement) -> Result<(), GameError> {
        let Dice::Offer(offer) = self else { return Ok(()) };
        match placement.drops().find(|drop| !offer.roles.contains(&drop.role)) {
            None => Ok(()),
            Some(drop) => {
                let name = |role: &Role| format!("a {role}");
                let offered = offer.roles.iter().map(name).collect::<Vec<_>>().join(" or ");
                Err(GameError::NotOffered { role: drop.role, roll: offer.roll, offered })
            }
        }
    }
}

impl Game {
    /// Returns the state of the dice.
    pub const fn dice(&self) -> &Dice {
        &self.dice
    }

    /// Returns whether a roll of two dice is needed: a roll of the mediator, or a roll for a square on which
    /// different pieces can be placed.
    pub fn wants_roll(&self) -> bool {
        match (&self.dice, self.setup()) {
            (Dice::Mediator, _) => true,
            (Dice::None, Some(state)) => state.wants_roll(&state.legal_placements()),
            _ => false,
        }
    }

    /// Applies a roll of two dice. Returns `None` if no roll is needed. If none of the offered pieces can be
    /// placed, the dice have to be rerolled.
    pub fn roll(&mut self, roll: Roll) -> Option<Rolled> {
        if !self.wants_roll() {
            return None;
        }
        if self.dice == Dice::Mediator {
            let mediation = jepps::mediate(roll);
            self.dice = Dice::MediatorDouble(mediation);
            if !mediation.may_roll_again {
                self.accept();
            }
            return Some(Rolled::Mediation(mediation));
        }
        let state = self.setup()?;
        let file = state.next_square()?.file();
        let offer = jepps::offer(state.rank(state.side_to_place()), file.into(), roll).ok()?;
        if !offer.must_roll_again() {
            self.dice = Dice::Offer(offer.clone());
        }
        Some(Rolled::Offer(offer))
    }

    /// Returns whether the player may ask for a reroll.
    pub const fn may_roll_again(&self) -> bool {
        match &self.dice {
            Dice::Offer(offer) => offer.may_roll_again,
            Dice::MediatorDouble(mediation) => mediation.may_roll_again,
            _ => false,
        }
    }

    /// Discards the current roll, so that the dice must be rolled again. A reroll is allowed after a side's
    /// own double, and for Black after a double of the mediator. Returns false, and changes nothing, if a
    /// reroll is not allowed.
    pub fn roll_again(&mut self) -> bool {
        if !self.may_roll_again() {
            return false;
        }
        self.dice = match self.dice {
            Dice::MediatorDouble(_) => Dice::Mediator,
            _ => Dice::None,
        };
        true
    }

    /// Accepts the mediator's verdict: Black gets White's back rank, gets White's back rank reversed, or
    /// starts to place its own pieces. Returns `None` if there is no verdict to accept.
    pub fn accept(&mut self) -> Option<BlackBackRank> {
        let Dice::MediatorDouble(mediation) = self.dice else { return None };
        self.decide(mediation.black).then_some(mediation.black)
    }

    /// Applies a verdict of the mediator without regard to the dice. Returns whether a verdict was needed.
    pub fn decide(&mut self, verdict: BlackBackRank) -> bool {
        let state = self.setup().filter(|_| self.dice.is_mediators());
        let Some(phase) = state.and_then(|state| state.after_verdict(verdict)) else {
            return false;
        };
        self.dice = Dice::None;
        if matches!(phase, SetupOrGame::Game(_)) {
            self.stage = stage_of(phase);
            self.verdict = Some(verdict);
            self.restart();
        }
        true
    }

    /// Rolls the dice until no further roll is needed.
    pub fn roll_dice(&mut self, rng: &mut Rng) {
        while self.wants_roll() {
            self.roll(Roll::random(rng));
        }
    }

    /// Handles a side's decision about the dice: [`AGAIN`], or the name of the mediator's verdict to accept
    /// the verdict. Returns false if `text` is anything else, such as a turn.
    pub fn answer_dice(&mut self, text: &str) -> bool {
        match &self.dice {
            _ if text == AGAIN => self.roll_again(),
            Dice::MediatorDouble(mediation) if text == mediation.black.name() => {
                self.accept().is_some()
            }
            _ => false,
        }
    }

    /// Plays a random turn, chosen uniformly from all turns that the rules and the dice allow. Rolls dice as
    /// needed, without voluntary rerolls. Returns whether there was a legal turn.
    pub fn play_at_random(&mut self, rng: &mut Rng) -> bool {
        self.roll_dice(rng);
        while self.accept().is_some() {
            self.roll_dice(rng);
        }
        let turns = self.legal_turns();
        let turn = turns.get(rng.below(turns.len() as u64) as usize);
        turn.is_some_and(|turn| self.play(turn).is_ok())
    }

    /// Describes an engine's choice for people: a turn in SAN, or a decision about the dice.
    pub fn describe_choice(&self, text: &str) -> Result<String, GameError> {
        match (&self.dice, text) {
            (Dice::Offer(_) | Dice::MediatorDouble(_), AGAIN) => Ok("reroll".to_owned()),
            (Dice::MediatorDouble(_), verdict) => Ok(format!("accept ({verdict})")),
            _ => Ok(self.read(text)?.san),
        }
    }

    /// Returns the choices that the dice offer: placements or the mediator's verdict, and [`AGAIN`] if a
    /// reroll is allowed. Returns no choices if no dice have been rolled.
    pub fn offered(&self) -> Vec<String> {
        let mut offered = match &self.dice {
            Dice::Offer(_) => self.legal_turns(),
            Dice::MediatorDouble(mediation) => vec![mediation.black.to_string()],
            _ => Vec::new(),
        };
        offered.extend(self.may_roll_again().then(|| AGAIN.to_owned()));
        offered
    }
}
