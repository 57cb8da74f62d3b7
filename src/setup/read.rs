//! Parses placements. Each reason why a text is not a legal placement has its own error.

use arrayvec::ArrayVec;

use super::Setup;
use super::placement::{Placement, SingleDrop, home};
use super::rank::{self, Obstacle};
use crate::geometry::Board8x8;
use crate::text::shorten;
use crate::types::{Color, Role, Square};

/// Why a text is not a legal placement.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum PlacementError {
    #[error(
        "'{found}' is not a placement; pieces are still being placed, so write a piece, '@' and a square, such as {example}"
    )]
    Shape { found: String, example: String },
    #[error("'{found}': '{letter}' is not a piece that can be placed; expected K, Q, R, B or N")]
    Piece { found: String, letter: String },
    #[error("'{found}': '{square}' is not a square of the board; expected a square from a1 to h8")]
    NoSquare { found: String, square: String },
    #[error("'{found}' places {count} pieces; at most two are placed in one turn")]
    TooMany { found: String, count: usize },
    #[error(
        "{found}: it is {color}'s turn, and {color} places pieces on rank {rank}, not on {square}"
    )]
    BackRank { found: String, color: Color, rank: u8, square: String },
    #[error("{found}: there is already a {standing} on {square}")]
    Occupied { found: String, square: String, standing: Role },
    #[error("{found}: {color} has no {role} in hand; the pieces in hand are {hand}")]
    NotInHand { found: String, color: Color, role: Role, hand: String },
    #[error("{found} places two pieces on {square}; place them on different squares")]
    SameSquare { found: String, square: String },
    #[error("{found} places two pieces, but a turn places only one piece{}", if *.at_end { "; only the last two pieces are placed together" } else { "" })]
    NotTogether { found: String, at_end: bool },
    #[error("{found}: the next piece must be placed on {square}")]
    Order { found: String, square: String },
    #[error("{found} is illegal, because then {obstacle}")]
    DeadEnd { found: String, obstacle: Obstacle },
}

/// Parses a drop such as `R@h1`, with the letter in either case, without checking its legality.
fn parse_drop(text: &str) -> Result<(Role, Square<Board8x8>), PlacementError> {
    let found = || shorten(text);
    let Some((letter, square)) = text.split_once('@') else {
        return Err(PlacementError::Shape { found: found(), example: "R@h1".to_owned() });
    };
    let mut letters = letter.chars();
    let role = match (letters.next().and_then(Role::from_letter), letters.next()) {
        (Some(role), None) if role != Role::Pawn => role,
        _ => {
            let letter = shorten(letter);
            return Err(PlacementError::Piece { found: found(), letter });
        }
    };
    let named = Square::parse(square)
        .ok_or_else(|| PlacementError::NoSquare { found: found(), square: shorten(square) })?;
    Ok((role, named))
}

impl Placement {
    /// Returns whether `text` names one of the two pieces that this turn placed. Some GUIs send the second
    /// piece as a turn of its own, although the first piece already implied it.
    pub fn is_repeated_by(self, text: &str) -> bool {
        parse_drop(text.trim()).is_ok_and(|(role, square)| {
            self.second.is_some()
                && self
                    .drops()
                    .any(|drop| drop.role == role && home(self.color, drop.file) == square)
        })
    }
}

impl Setup {
    /// Parses a turn such as `R@h1`. Returns an error unless the turn is legal in this state.
    ///
    /// In Fischer-Benko the last two pieces are placed in one turn, such as `Q@g1+K@f1`. They may be named in
    /// either order. One of them may be omitted, because only one square is left for it. Letters may be in
    /// either case.
    pub fn read_placement(&self, text: &str) -> Result<Placement, PlacementError> {
        let found = shorten(text.trim());
        let mut drops = ArrayVec::<(Role, Square<Board8x8>), 2>::new();
        for part in text.trim().split('+') {
            let drop = parse_drop(part).map_err(|error| match error {
                PlacementError::Shape { .. } => {
                    PlacementError::Shape { found: found.clone(), example: self.example() }
                }
                error => error,
            })?;
            if drops.try_push(drop).is_err() {
                let count = text.split('+').count();
                return Err(PlacementError::TooMany { found, count });
            }
        }
        let color = self.side;
        let mut singles = ArrayVec::<SingleDrop, 2>::new();
        for (role, square) in drops {
            if square.rank() != home(color, 0).rank() {
                let (rank, square) = (home(color, 0).rank() + 1, square.to_string());
                return Err(PlacementError::BackRank { found, color, rank, square });
            }
            singles.push(SingleDrop { role, file: square.file() });
        }
        let placement = match singles[..] {
            [one, other] => Placement::double(color, one, other),
            [one] => self.completed(Placement::single(color, one)),
            _ => return Err(PlacementError::Shape { found, example: self.example() }),
        };
        self.check(placement, &found).map(|()| placement)
    }

    /// Returns a legal placement as an example for error messages.
    fn example(&self) -> String {
        self.legal_placements().first().map_or_else(|| "R@h1".to_owned(), Placement::to_string)
    }

    /// Completes a placement of one piece in Fischer-Benko if only two pieces were left: the last piece goes
    /// to the only square that is still free.
    fn completed(&self, placement: Placement) -> Placement {
        let rank = self.rank(self.side);
        if !(self.kind.ends_with_two() && rank.pocket().len() == 2) {
            return placement;
        }
        let after = placement.applied_to(rank);
        match (&after.pocket().roles()[..], after.free_files().next()) {
            ([role], Some(file)) if after.pocket().len() == 1 => {
                let other = SingleDrop { role: *role, file: file as u8 };
                Placement::double(placement.color, placement.first, other)
            }
            _ => placement,
        }
    }

    /// Checks that the side to place may make this turn. The error says why the turn is illegal.
    fn check(&self, placement: Placement, found: &str) -> Result<(), PlacementError> {
        let found = || found.to_owned();
        let color = self.side;
        let mut rank = *self.rank(color);
        let before = rank;
        for drop in placement.drops() {
            let square = home(color, drop.file).to_string();
            match (before.get(drop.file as usize), rank.get(drop.file as usize)) {
                (Some(standing), _) => {
                    return Err(PlacementError::Occupied { found: found(), square, standing });
                }
                (None, Some(_)) => {
                    return Err(PlacementError::SameSquare { found: found(), square });
                }
                (None, None) => {}
            }
            rank = rank.with(drop.file as usize, drop.role).map_err(|_| {
                let hand = self.hand_in_words();
                PlacementError::NotInHand { found: found(), color, role: drop.role, hand }
            })?;
        }
        let together = placement.second.is_some();
        let at_end = self.kind.ends_with_two();
        if together && !(at_end && before.pocket().len() == 2) {
            return Err(PlacementError::NotTogether { found: found(), at_end });
        }
        if let Some(next) = rank::next_file(self.kind, color, &before)
            && next != placement.first.file
        {
            let square = home(color, next).to_string();
            return Err(PlacementError::Order { found: found(), square });
        }
        match rank::obstacle(self.kind, &rank) {
            Some(obstacle) => Err(PlacementError::DeadEnd { found: found(), obstacle }),
            None => Ok(()),
        }
    }

    fn hand_in_words(&self) -> String {
        let pocket = self.pocket(self.side);
        let words = pocket.roles().into_iter().map(|role| match pocket.count(role) {
            1 => role.letter().to_string(),
            count => format!("{count} {}", role.letter()),
        });
        words.collect::<Vec<_>>().join(", ")
    }
}
