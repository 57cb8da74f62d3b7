//! The two dice of Jepps Random Chess (S. Jepps).
//!
//! White fills its back rank from a1 to h1. For each square White rolls two dice and may place the piece that
//! either die shows. The mediator then rolls two dice for Black. By the verdict of this roll, Black mirrors
//! White's back rank, reverses it, or fills its own back rank by dice, also from the a-file. In Free Play
//! there is no mediator: White fills a1, Black h8, White b1, Black g8, and so on.
//!
//! The two bishops of a side must stand on squares of different colours. A placement is illegal if it makes
//! this impossible. If only one piece fits a square, the piece is placed without a roll.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::die::{Die, DieError};
use super::numbering::BlackBackRank;
use super::partial::{PartialBackRank, PartialError};
use crate::random::Rng;
use crate::types::Role;

/// The numbers that two dice show.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Roll(pub [Die; 2]);

/// Why a text is not a roll of two dice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum RollError {
    #[error("a roll of two dice needs two numbers, such as '3 5'; numbers found: {found}")]
    Dice { found: usize },
    #[error(transparent)]
    Die(#[from] DieError),
}

impl Roll {
    /// Returns the 36 equally likely rolls.
    pub fn all() -> impl Iterator<Item = Roll> {
        Die::ALL.into_iter().flat_map(|one| Die::ALL.map(|two| Roll([one, two])))
    }

    /// Rolls two dice.
    pub const fn random(rng: &mut Rng) -> Roll {
        Roll([Die::roll(rng), Die::roll(rng)])
    }

    /// Whether both dice show the same number.
    pub fn is_double(self) -> bool {
        self.0[0] == self.0[1]
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Roll([one, two]) = self;
        write!(f, "{one} {two}")
    }
}

impl FromStr for Roll {
    type Err = RollError;

    /// Parses two numbers separated by white space, a comma, a hyphen, a plus sign or nothing, such as
    /// `3 5`, `3-5` or `35`.
    fn from_str(text: &str) -> Result<Roll, RollError> {
        let text = text.trim();
        if let [one @ b'1'..=b'6', two @ b'1'..=b'6'] = text.as_bytes() {
            return Ok(Roll([Die::new(one - b'0')?, Die::new(two - b'0')?]));
        }
        let is_gap = |letter: char| letter.is_whitespace() || ",-+".contains(letter);
        let parts: Vec<_> = text.split(is_gap).filter(|part| !part.is_empty()).collect();
        match parts[..] {
            [one, two] => Ok(Roll([one.parse()?, two.parse()?])),
            _ => Err(RollError::Dice { found: parts.len() }),
        }
    }
}

/// Returns the piece that a number on a die offers: 1 king, 2 knight, 3 bishop, 4 rook, 5 queen. Returns
/// `None` for a six, which offers every piece that is left.
pub const fn face(die: Die) -> Option<Role> {
    match die.value() {
        1 => Some(Role::King),
        2 => Some(Role::Knight),
        3 => Some(Role::Bishop),
        4 => Some(Role::Rook),
        5 => Some(Role::Queen),
        _ => None,
    }
}

/// How a square is filled: with the only piece that fits, or by a roll of two dice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JeppsStep {
    /// Only this piece fits, so the piece is placed without a roll.
    Forced(Role),
    /// Two dice are rolled. The list holds the pieces that fit, at least two, in the order K Q R B N.
    Roll(ArrayVec<Role, 5>),
}

/// Why a square cannot be filled.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum StepError {
    #[error(transparent)]
    Square(#[from] PartialError),
    #[error(
        "the back rank {rank} cannot be completed with the bishops on squares of opposite colours"
    )]
    DeadEnd { rank: PartialBackRank },
}

/// Returns the pieces that can be placed on a file so that the back rank can still be completed, in the order
/// K Q R B N. File 0 is the a-file. The list is never empty.
pub fn choices(rank: &PartialBackRank, file: usize) -> Result<ArrayVec<Role, 5>, StepError> {
    if file >= rank.squares().len() {
        return Err(PartialError::NoSuchFile { file }.into());
    }
    if let Some(standing) = rank.get(file) {
        return Err(PartialError::Occupied { file, standing }.into());
    }
    let mut fitting = ArrayVec::new();
    for role in rank.pocket().roles() {
        if can_be_finished(&rank.with(file, role)?) {
            fitting.push(role);
        }
    }
    if fitting.is_empty() { Err(StepError::DeadEnd { rank: *rank }) } else { Ok(fitting) }
}

/// Returns how the square on a file is filled: with the only piece that fits, or by a roll of two dice. File
/// 0 is the a-file.
pub fn step(rank: &PartialBackRank, file: usize) -> Result<JeppsStep, StepError> {
    let choices = choices(rank, file)?;
    Ok(match choices[..] {
        [only] => JeppsStep::Forced(only),
        _ => JeppsStep::Roll(choices),
    })
}

/// Returns whether a back rank can be completed so that the bishops stand on squares of different colours.
pub fn can_be_finished(rank: &PartialBackRank) -> bool {
    // For each colour of squares, exactly one bishop must stand there, or a square must be free for a bishop.
    [0, 1].into_iter().all(|parity| {
        let squares = rank.squares();
        let of_color = || squares.iter().skip(parity).step_by(2);
        match of_color().filter(|square| **square == Some(Role::Bishop)).count() {
            0 => of_color().any(Option::is_none),
            bishops => bishops == 1,
        }
    })
}

/// What one die offers for a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offered {
    /// This piece may be placed.
    Piece(Role),
    /// Any piece that fits may be placed.
    FreeChoice,
    /// All pieces of this role have been placed.
    NoneLeft(Role),
    /// The die shows a bishop, but the side's other bishop already stands on a square of this colour.
    BrothersColor,
    /// The die shows this piece, but it cannot be placed, because the square must be kept for a bishop: no
    /// other square of this colour is free.
    KeptForBishop(Role),
}

/// What a roll of two dice offers for a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The roll.
    pub roll: Roll,
    /// What each die offers.
    pub dice: [Offered; 2],
    /// The pieces that may be placed, in the order K Q R B N. The list is empty if neither die offers
    /// a piece that fits.
    pub roles: ArrayVec<Role, 5>,
    /// Whether the player may reroll instead of placing a piece. This is the case after a double, and if no
    /// piece can be placed.
    pub may_roll_again: bool,
}

impl Offer {
    /// Whether the player must reroll because no piece can be placed.
    pub fn must_roll_again(&self) -> bool {
        self.roles.is_empty()
    }
}

impl fmt::Display for Offer {
    /// Describes the offer in words, such as `3 1: a bishop is not possible, the other one stands on this
    /// colour; a king`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.roll, self.dice[0])?;
        if !self.roll.is_double() {
            write!(f, "; {}", self.dice[1])?;
        }
        f.write_str(match (self.must_roll_again(), self.may_roll_again) {
            (true, _) => "; reroll",
            (false, true) => "; a double, which may be rerolled",
            _ => "",
        })
    }
}

impl fmt::Display for Offered {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Offered::Piece(role) => write!(f, "a {role}"),
            Offered::FreeChoice => f.write_str("any piece you like"),
            Offered::NoneLeft(role) => write!(f, "no {role} is left"),
            Offered::BrothersColor => {
                f.write_str("a bishop is not possible, the other one stands on this colour")
            }
            Offered::KeptForBishop(role) => {
                write!(f, "a {role} is not possible, this square must be kept for a bishop")
            }
        }
    }
}

/// Returns which pieces a roll offers for the square on a file. File 0 is the a-file. The function also works
/// if [`step`] returns `Forced` and no roll is needed.
pub fn offer(rank: &PartialBackRank, file: usize, roll: Roll) -> Result<Offer, StepError> {
    let choices = choices(rank, file)?;
    let dice = roll.0.map(|die| match face(die) {
        None => Offered::FreeChoice,
        Some(role) if choices.contains(&role) => Offered::Piece(role),
        Some(role) if rank.pocket().count(role) == 0 => Offered::NoneLeft(role),
        Some(Role::Bishop) => Offered::BrothersColor,
        Some(role) => Offered::KeptForBishop(role),
    });
    let offers =
        |role: &Role| dice.contains(&Offered::FreeChoice) || dice.contains(&Offered::Piece(*role));
    let roles: ArrayVec<_, 5> = choices.into_iter().filter(offers).collect();
    let may_roll_again = roll.is_double() || roles.is_empty();
    Ok(Offer { roll, dice, roles, may_roll_again })
}

/// The mediator's verdict: how Black gets its back rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mediation {
    /// The mediator's roll.
    pub roll: Roll,
    /// How Black's back rank follows from White's. If both dice are even, Black mirrors White; if both are
    /// odd, Black reverses White's back rank. With one even and one odd die, Black fills its own back rank by
    /// dice.
    pub black: BlackBackRank,
    /// Whether the mediator has rolled a double, so that Black may have the dice rerolled instead of
    /// accepting the verdict.
    pub may_roll_again: bool,
}

/// Returns the mediator's verdict for a roll of the mediator's dice.
pub fn mediate(roll: Roll) -> Mediation {
    let black = match roll.0.map(Die::is_odd) {
        [false, false] => BlackBackRank::Mirror,
        [true, true] => BlackBackRank::Reverse,
        _ => BlackBackRank::Own,
    };
    Mediation { roll, black, may_roll_again: roll.is_double() }
}

impl fmt::Display for Mediation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let verdict = match self.black {
            BlackBackRank::Mirror => "both even: Black mirrors White's array",
            BlackBackRank::Reverse => "both odd: Black reverses White's array",
            BlackBackRank::Own => "one odd, one even: Black rolls its own array",
        };
        write!(f, "{}: {verdict}", self.roll)?;
        f.write_str(if self.may_roll_again { "; a double: Black may reroll" } else { "" })
    }
}
