//! The dice of Jepps Random Chess in a game in progress.
//!
//! Without rolled dice, the placements are not restricted: over UCI, `searchmoves` says what the
//! dice offer.

use super::{Game, GameError, Stage, stage_of};
use crate::setup::{Placement, SetupOrGame};
use crate::start::jepps::{self, Mediation, Offer, Roll};
use crate::start::{BlackBackRank, Rng};
use crate::types::Role;

/// The word for a reroll, where a placement or a verdict could be chosen.
pub const AGAIN: &str = "again";

/// The state of the dice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Dice {
    /// There are none, or they have not been rolled yet.
    #[default]
    None,
    /// The pieces offered for the next square.
    Offer(Offer),
    /// The mediator's roll is due.
    Mediator,
    /// The mediator rolled a double, which Black accepts or has rerolled.
    MediatorDouble(Mediation),
}

/// The result of a roll.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rolled {
    /// Pieces to choose from.
    Offer(Offer),
    /// The mediator's verdict.
    Mediation(Mediation),
}

impl Dice {
    /// Returns the state of the dice after a turn has led to this stage.
    pub(super) fn at(stage: &Stage) -> Dice {
        match stage {
            Stage::Setup(state) if state.after_verdict(BlackBackRank::Own).is_some() => {
                Dice::Mediator
            }
            _ => Dice::None,
        }
    }

    /// Returns the roll that offers pieces.
    pub(super) const fn roll(&self) -> Option<Roll> {
        match self {
            Dice::Offer(offer) => Some(offer.roll),
            _ => None,
        }
    }

    /// Whether the mediator's verdict is still open.
    pub(super) const fn is_mediators(&self) -> bool {
        matches!(self, Dice::Mediator | Dice::MediatorDouble(_))
    }

    /// Whether the dice allow a placement.
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

    /// Whether a roll of two dice is due: the mediator's, or one for a square on which more than
    /// one piece fits.
    pub fn wants_roll(&self) -> bool {
        match (&self.dice, self.setup()) {
            (Dice::Mediator, _) => true,
            (Dice::None, Some(state)) => state.wants_roll(&state.legal_placements()),
            _ => false,
        }
    }

    /// Applies a roll; `None` if none is due. If nothing can be placed, the dice have to be
    /// rerolled.
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

    /// Whether the player may have the dice rerolled.
    pub const fn may_roll_again(&self) -> bool {
        match &self.dice {
            Dice::Offer(offer) => offer.may_roll_again,
            Dice::MediatorDouble(mediation) => mediation.may_roll_again,
            _ => false,
        }
    }

    /// Picks the dice up for a reroll. Returns whether that is allowed: after a side's double, or
    /// if Black wants it, after the mediator's.
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

    /// Accepts the mediator's roll: Black gets White's back rank or its reverse at once, or rolls its
    /// own. Returns `None` if there is no roll to accept.
    pub fn accept(&mut self) -> Option<BlackBackRank> {
        let Dice::MediatorDouble(mediation) = self.dice else { return None };
        self.decide(mediation.black).then_some(mediation.black)
    }

    /// Applies a mediator's verdict, whatever the dice showed. Returns whether one was due.
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

    /// Rolls the dice until there is a choice, if dice are due.
    pub fn roll_dice(&mut self, rng: &mut Rng) {
        while self.wants_roll() {
            self.roll(Roll::random(rng));
        }
    }

    /// Handles a side's answer to the dice: [`AGAIN`], or the mediator's verdict to accept. Returns
    /// whether it was one of these; a turn, for instance, is not.
    pub fn answer_dice(&mut self, text: &str) -> bool {
        match &self.dice {
            _ if text == AGAIN => self.roll_again(),
            Dice::MediatorDouble(mediation) if text == mediation.black.name() => {
                self.accept().is_some()
            }
            _ => false,
        }
    }

    /// Plays a uniformly random turn among those that rules and dice allow, without rerolls.
    /// Returns whether there was one.
    pub fn play_at_random(&mut self, rng: &mut Rng) -> bool {
        self.roll_dice(rng);
        while self.accept().is_some() {
            self.roll_dice(rng);
        }
        let turns = self.legal_turns();
        let turn = turns.get(rng.below(turns.len() as u64) as usize);
        turn.is_some_and(|turn| self.play(turn).is_ok())
    }

    /// Describes an engine's choice for people: a turn in SAN, or its answer to the dice.
    pub fn describe_choice(&self, text: &str) -> Result<String, GameError> {
        match (&self.dice, text) {
            (Dice::Offer(_) | Dice::MediatorDouble(_), AGAIN) => Ok("reroll".to_owned()),
            (Dice::MediatorDouble(_), verdict) => Ok(format!("accept ({verdict})")),
            _ => Ok(self.read(text)?.san),
        }
    }

    /// Returns the choices that the dice leave: placements or the mediator's verdict, and [`AGAIN`]
    /// where that is allowed. Empty if no dice have been rolled.
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
