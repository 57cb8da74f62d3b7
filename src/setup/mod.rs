//! The games before move one: pieces placed on the back ranks in turn.
//!
//! A [`Setup`] is a set-up under way: two partly filled back ranks and the side to place. What a
//! side has in hand is what its back rank lacks of an array, so nothing else need be stored. A
//! [`Placement`] leads to another state or, after the last one, into the game: see [`SetupOrGame`].
//!
//! | game | in hand at first | a turn | rule for arrays | rights in the game |
//! | --- | --- | --- | --- | --- |
//! | Fischer-Benko | K Q R N N | one piece; the last two together | K between the rooks | both castlings |
//! | Half-Random Transcendental | K Q R N N | one piece | | none |
//! | Pre-Chess (`placement`) | all eight | one piece | | castling of a king on the e-file with a rook in the corner |
//! | Jepps, also Free Play | all eight | one piece, on the next square | | relocation |
//!
//! Everywhere bishops stand on squares of different colours, and a placement after which the
//! side could not complete such an array is illegal. The sides never hinder each other, so what
//! one may place depends on its own back rank alone.
//!
//! **Who places.** White first, then in turn. In Jepps Random Chess White fills the whole rank,
//! a1 to h1, before Black fills a8 to h8, while in its Free Play they take turns, a1, h8, b1, g8
//! and so on. Both are `jepps` to the outside; a FEN tells them apart, save for the empty board,
//! which is read as the normal order until Black answers White's first piece on h8.
//!
//! Dice are not known here: in Jepps Random Chess every piece that fits is legal, and what the
//! dice offer is a restriction of the choice that the caller makes (`go searchmoves`).
//!
//! | file | holds |
//! | --- | --- |
//! | `rank` | what one side may still do with its back rank |
//! | `placement` | one turn, and how it is written |
//! | `read` | a turn out of text, or why it is none |
//! | `fen` | FEN with pieces in hand, and an error for each defect |
//! | `perft` | counting the tree, across the border into the game |
//! | `record` | the inventors' own records, written and read |
//! | `solver` | which placement is best |

pub mod fen;
pub mod perft;
mod placement;
mod rank;
mod read;
pub mod record;
pub mod solver;

pub use fen::{SetupFenError, SetupOrGameError};
pub use placement::{Placement, PlacementList, SingleDrop};
pub use rank::{Obstacle, completions};
pub use read::PlacementError;
pub use record::{Record, RecordError, RecordFault};

use crate::geometry::Board8x8;
use crate::position::Position;
use crate::rules::SetupKind;
use crate::start::{Array, BlackArray, PartialArray, Pocket, SetupStart};
use crate::types::{Color, Role, Square};

/// Whose turn it is with so many pieces in White's and in Black's hand; nobody's if turns
/// never lead there or the set-up is over.
fn turn(kind: SetupKind, hands: [usize; 2]) -> Option<Color> {
    let [white, black] = hands;
    match kind {
        SetupKind::Jepps if white > 0 => (black == 8).then_some(Color::White),
        SetupKind::Jepps => (black > 0).then_some(Color::Black),
        // One piece in hand does not occur, two go together.
        SetupKind::FischerBenko if black == 2 && white == 0 => Some(Color::Black),
        SetupKind::FischerBenko if white < 2 => None,
        _ if white == black => (white > 0).then_some(Color::White),
        _ => (black == white + 1).then_some(Color::Black),
    }
}

/// A set-up under way. At least one piece is in hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    kind: SetupKind,
    side: Color,
    ranks: [PartialArray; 2],
    number: u32,
}

/// Where a game stands: still in the set-up, or past it.
#[derive(Clone, PartialEq, Debug)]
pub enum SetupOrGame {
    Setup(Setup),
    Game(Position<Board8x8>),
}

impl Setup {
    /// The beginning of a set-up: after the dice of Fischer-Benko and Half-Random Transcendental
    /// Chess, with empty back ranks in the other games. Jepps Random Chess begins in the normal
    /// order.
    pub fn new(start: &SetupStart) -> Setup {
        Setup { ranks: Color::ALL.map(|color| start.rank(color)), ..Setup::empty(start.kind()) }
    }

    /// Empty back ranks, White to place.
    pub const fn empty(kind: SetupKind) -> Setup {
        Setup { kind, side: Color::White, ranks: [PartialArray::EMPTY; 2], number: 1 }
    }

    /// The game of placing.
    pub const fn kind(&self) -> SetupKind {
        self.kind
    }

    /// Who places the next piece.
    pub const fn side_to_place(&self) -> Color {
        self.side
    }

    /// What a side has placed.
    pub const fn rank(&self, color: Color) -> &PartialArray {
        &self.ranks[color.index()]
    }

    /// What a side has still to place.
    pub fn pocket(&self, color: Color) -> Pocket {
        self.rank(color).pocket()
    }

    /// Number of the move, from 1, counted up after each turn of Black.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The square that must be filled now, in the games that prescribe it.
    pub fn next_square(&self) -> Option<Square<Board8x8>> {
        let file = rank::next_file(self.kind, self.side, self.rank(self.side))?;
        Some(placement::home(self.side, file))
    }

    /// What the side to place may do: its legal turns, by piece (K Q R B N), then by file.
    pub fn legal_placements(&self) -> PlacementList {
        rank::placements(self.kind, self.side, self.rank(self.side))
    }

    /// Whether dice decide between these legal turns.
    pub fn wants_roll(&self, legal: &PlacementList) -> bool {
        self.kind.fills_in_order() && legal.len() > 1
    }

    /// Whether this turn is legal now.
    pub fn is_legal(&self, placement: Placement) -> bool {
        placement.color() == self.side && self.legal_placements().contains(&placement)
    }

    /// What a legal turn leads to.
    pub fn after(&self, placement: Placement) -> SetupOrGame {
        debug_assert!(self.is_legal(placement), "{placement} in {}", self.fen());
        let mut state = *self;
        let mover = placement.color();
        state.ranks[mover.index()] = placement.applied_to(state.rank(mover));
        if mover == Color::Black {
            state.number += 1;
        }
        let holds = Color::ALL.map(|color| !state.pocket(color).is_empty());
        match next_side(state.kind, mover, holds) {
            None => return SetupOrGame::Game(state.position()),
            Some(side) => state.side = side,
        }
        SetupOrGame::Setup(state)
    }

    /// What follows the mediator's verdict in Jepps Random Chess: the game in which Black repeats
    /// or reverses White's array, or Black's own set-up. Nothing if it is not Black's turn to
    /// place its first piece after White's last.
    pub fn after_verdict(&self, verdict: BlackArray) -> Option<SetupOrGame> {
        let array = self.rank(Color::White).complete()?;
        if self.kind != SetupKind::Jepps || *self.rank(Color::Black) != PartialArray::EMPTY {
            return None;
        }
        let black = match verdict {
            BlackArray::Own => return Some(SetupOrGame::Setup(*self)),
            BlackArray::Mirror => array,
            BlackArray::Reverse => array.reversed(),
        };
        Some(SetupOrGame::Game(position(self.kind, [array, black], self.number + 8)))
    }

    /// This state, or that of Free Play if the turn to come says so. Jepps Random Chess and its Free
    /// Play are one variant to the protocols and begin on the same empty board; a first piece of
    /// Black's on h8 in answer to White's first one decides for Free Play. Only who reads turns
    /// without knowing which of the two is played need ask.
    pub fn decided_by(&self, turn: &str) -> Setup {
        let undecided = self.kind == SetupKind::Jepps && self.hands() == [7, 8];
        if undecided && turn.trim().to_ascii_lowercase().ends_with("h8") {
            return Setup { kind: SetupKind::JeppsFreePlay, side: Color::Black, ..*self };
        }
        *self
    }

    /// What stands on the board, to be looked at: no game can be played on from there.
    pub fn board(&self) -> Position<Board8x8> {
        let mut board = Position::empty();
        for color in Color::ALL {
            for (file, role) in (0..).zip(self.rank(color).squares()) {
                let square = placement::home(color, file);
                if let Some(role) = role {
                    board.set_piece(role.of(color), square);
                }
                if let Some(pawn) = square.forward(color) {
                    board.set_piece(Role::Pawn.of(color), pawn);
                }
            }
        }
        board
    }

    /// The game that begins with these back ranks, which are complete.
    fn position(&self) -> Position<Board8x8> {
        let arrays = self.ranks.map(|rank| rank.complete().unwrap_or(Array::CLASSICAL));
        position(self.kind, arrays, self.number)
    }
}

/// Who places after `mover`, given whether White and Black hold pieces; nobody when none does.
/// In states that no turns lead to, a side may have to place twice in a row.
fn next_side(kind: SetupKind, mover: Color, holds: [bool; 2]) -> Option<Color> {
    match (kind, holds) {
        (_, [false, false]) => None,
        (SetupKind::Jepps, [true, _]) => Some(Color::White),
        (_, holds) if holds[(!mover).index()] => Some(!mover),
        _ => Some(mover),
    }
}

/// The game that begins with these arrays, White to move.
fn position(kind: SetupKind, arrays: [Array; 2], number: u32) -> Position<Board8x8> {
    let mut position = Position::empty();
    for color in Color::ALL {
        let roles = arrays[color.index()].roles();
        for (file, role) in (0..).zip(roles) {
            let square = placement::home(color, file);
            position.set_piece(role.of(color), square);
            if let Some(pawn) = square.forward(color) {
                position.set_piece(Role::Pawn.of(color), pawn);
            }
        }
    }
    for color in Color::ALL {
        let rank = PartialArray::from(arrays[color.index()]);
        for file in rank::rights(kind, &rank) {
            position.set_right(placement::home(color, file));
        }
    }
    position.set_turn(Color::White, 0, number);
    position
}

#[cfg(test)]
mod tests;
