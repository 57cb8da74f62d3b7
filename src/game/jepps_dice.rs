//! The dice of Jepps Random Chess in a game in progress.
//!
//! While no dice have been rolled, all legal placements are allowed. Over UCI no dice are ever rolled; there,
//! `searchmoves` restricts the placements to those that the dice offer.

use super::{Game, GameError, Stage, stage_of};
use crate::setup::{Placement, SetupOrGame};
use crate::start::jepps::{self, Mediation, Offer, Roll};
use crate::start::{BlackBackRank, Rng};
use crate::types::Role;

/// The text with which a side asks for a reroll. A side that does not reroll names a placement or accepts the
/// mediator's verdict by its name.
pub const AGAIN: &str = "again";

/// The state of the dice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Dice {
    /// No roll waits for an answer: the game has no dice, or the dice for the next turn have not been rolled
    /// yet.
    #[default]
    None,
    /// The dice offer one or more pieces for the next square. The side to place chooses one of these pieces.
    Offer(Offer),
    /// White's back rank is complete, and the mediator has to roll.
    Mediator,
    /// The mediator has rolled a double. Black has to decide: accept the verdict, or reroll.
    MediatorDouble(Mediation),
}

/// The result of a roll of two dice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rolled {
    /// The dice offer pieces for the next square.
    Offer(Offer),
    /// The dice decide the mediator's verdict: how Black gets its back rank.
    Mediation(Mediation),
}

impl Dice {
    /// Returns the state of the dice before the first roll in `stage`.
    pub(super) fn at(stage: &Stage) -> Dice {
        match stage {
            Stage::Setup(state) if state.after_verdict(BlackBackRank::Own).is_some() => {
                Dice::Mediator
            }
            _ => Dice::None,
        }
    }

    /// Returns the roll that offers pieces for the next square, or `None` if there is no such roll.
    pub(super) const fn roll(&self) -> Option<Roll> {
        match self {
            Dice::Offer(offer) => Some(offer.roll),
            _ => None,
        }
    }

    /// Returns whether the mediator has to roll, or has rolled a double that Black has to accept or reroll.
    pub(super) const fn is_mediators(&self) -> bool {
        matches!(self, Dice::Mediator | Dice::MediatorDouble(_))
    }

    /// Returns whether the dice allow a placement. Without a roll, every placement is allowed.
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

    /// Returns whether two dice have to be rolled: by the mediator, or for the next square if several pieces
    /// fit on this square.
    pub fn wants_roll(&self) -> bool {
        match (&self.dice, self.setup()) {
            (Dice::Mediator, _) => true,
            (Dice::None, Some(state)) => state.wants_roll(&state.legal_placements()),
            _ => false,
        }
    }

    /// Applies a roll of two dice. Returns `None` if no roll is needed. A roll that offers no piece that can
    /// be placed is not kept: the dice have to be rolled again.
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

    /// Returns whether the side to place may reroll: the dice show a double of this side or of the mediator.
    pub const fn may_roll_again(&self) -> bool {
        match &self.dice {
            Dice::Offer(offer) => offer.may_roll_again,
            Dice::MediatorDouble(mediation) => mediation.may_roll_again,
            _ => false,
        }
    }

    /// Discards the current roll, so that the dice must be rolled again. A side may reroll its own double,
    /// and Black a double of the mediator. Returns false, and changes nothing, if a reroll is not allowed.
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

    /// Accepts, for Black, the mediator's verdict after a double: Black mirrors White's back rank, reverses
    /// it, or starts to place its own pieces. Returns the verdict, or `None` if there is no verdict to
    /// accept.
    pub fn accept(&mut self) -> Option<BlackBackRank> {
        let Dice::MediatorDouble(mediation) = self.dice else { return None };
        self.decide(mediation.black).then_some(mediation.black)
    }

    /// Applies a verdict of the mediator, whatever the dice show. Returns false, and changes nothing, if the
    /// game does not wait for a verdict.
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

    /// Handles a side's answer to the dice: [`AGAIN`] asks for a reroll, and the name of the mediator's
    /// verdict accepts the verdict. Returns false if `text` is anything else, such as a turn.
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

    /// Describes in words what an engine chose: a turn in SAN, a reroll, or the acceptance of the mediator's
    /// verdict.
    pub fn describe_choice(&self, text: &str) -> Result<String, GameError> {
        match (&self.dice, text) {
            (Dice::Offer(_) | Dice::MediatorDouble(_), AGAIN) => Ok("reroll".to_owned()),
            (Dice::MediatorDouble(_), verdict) => Ok(format!("accept ({verdict})")),
            _ => Ok(self.read(text)?.san),
        }
    }

    /// Returns everything that a side may answer to the dice: placements or the mediator's verdict, and
    /// [`AGAIN`] if a reroll is allowed. The list is empty if no dice have been rolled.
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
