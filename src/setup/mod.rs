//! Setup games: before move one, both sides place pieces on their back ranks in turn.
//!
//! A [`Setup`] is a placement phase in progress: two partly filled back ranks and the side to
//! place. A side holds exactly the pieces that its back rank lacks, so the hands are not stored.
//! A [`Placement`] leads to the next state of the placement phase. The last placement leads to the
//! game: see [`SetupOrGame`].
//!
//! | game | in hand at first | a turn | rule for back ranks | rights in the game |
//! | --- | --- | --- | --- | --- |
//! | Fischer-Benko | K Q R N N | one piece; the last two together | K between the rooks | both castlings |
//! | Half-Random Transcendental | K Q R N N | one piece | | none |
//! | Pre-Chess (`placement`) | all eight | one piece | | castling of a king on the e-file with a rook in the corner |
//! | Jepps, also Free Play | all eight | one piece, on the next square | | relocation |
//!
//! In all four games the bishops of a side must stand on squares of different colours. A placement
//! is illegal if the side can then no longer complete a legal back rank. A side's legal placements
//! depend only on the back rank of this side.
//!
//! **Turns.** White places first, then the sides alternate. Jepps Random Chess is an exception: in the
//! *normal order* White fills its whole back rank, a1 to h1, before Black fills a8 to h8. In its Free Play
//! the sides alternate: a1, h8, b1, g8 and so on. Jepps Random Chess and its Free Play have the same variant
//! name, `jepps`. A FEN distinguishes them unless the board is empty. The empty board is read as the normal
//! order. If Black then answers White's first piece on h8, the game is Free Play.
//!
//! This module does not roll dice. In Jepps Random Chess every piece that fits is legal, and the
//! caller restricts the choice to the pieces on the dice (`go searchmoves`).
//!
//! | file | contents |
//! | --- | --- |
//! | `rank` | the legal placements and completions of one back rank |
//! | `placement` | one turn and its notation |
//! | `read` | parsing a turn, with an error for each defect |
//! | `fen` | FEN with pieces in hand, with an error for each defect |
//! | `perft` | perft of the placement phase and of the games after it |
//! | `record` | the inventors' own records, written and read |
//! | `solver` | finding the best placement |

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
use crate::start::{BackRank, BlackBackRank, PartialBackRank, Pocket, SetupStart};
use crate::types::{Color, Role, Square};

/// Returns the side to place, given the numbers of pieces in White's and Black's hands. Returns
/// `None` if the placement phase is over, or if legal turns never lead to these numbers.
fn turn(kind: SetupKind, hands: [usize; 2]) -> Option<Color> {
    let [white, black] = hands;
    match kind {
        SetupKind::Jepps if white > 0 => (black == 8).then_some(Color::White),
        SetupKind::Jepps => (black > 0).then_some(Color::Black),
        // In Fischer-Benko no side ever has a single piece in hand, because the last two pieces are placed in
        // one turn.
        SetupKind::FischerBenko if black == 2 && white == 0 => Some(Color::Black),
        SetupKind::FischerBenko if white < 2 => None,
        _ if white == black => (white > 0).then_some(Color::White),
        _ => (black == white + 1).then_some(Color::Black),
    }
}

/// The state of an unfinished placement phase. At least one piece is in hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    kind: SetupKind,
    side: Color,
    ranks: [PartialBackRank; 2],
    number: u32,
}

/// Either a placement phase in progress or the game after the placement phase.
#[derive(Clone, PartialEq, Debug)]
pub enum SetupOrGame {
    /// Pieces are being placed.
    Setup(Setup),
    /// All pieces are placed.
    Game(Position<Board8x8>),
}

impl Setup {
    /// Returns the state before the first placement. In Fischer-Benko and Half-Random Transcendental Chess
    /// each back rank holds the two bishops and the rook that dice placed. In the other games the back ranks
    /// are empty. In Jepps Random Chess White fills its whole back rank before Black; for Free Play see
    /// [`Setup::empty`].
    pub fn new(start: &SetupStart) -> Setup {
        Setup { ranks: Color::ALL.map(|color| start.rank(color)), ..Setup::empty(start.kind()) }
    }

    /// Returns the state with empty back ranks, in which White places the first piece.
    pub const fn empty(kind: SetupKind) -> Setup {
        Setup { kind, side: Color::White, ranks: [PartialBackRank::EMPTY; 2], number: 1 }
    }

    /// Returns the kind of setup game.
    pub const fn kind(&self) -> SetupKind {
        self.kind
    }

    /// Returns the side to place.
    pub const fn side_to_place(&self) -> Color {
        self.side
    }

    /// Returns a side's back rank.
    pub const fn rank(&self, color: Color) -> &PartialBackRank {
        &self.ranks[color.index()]
    }

    /// Returns the pieces that a side still has to place.
    pub fn pocket(&self, color: Color) -> Pocket {
        self.rank(color).pocket()
    }

    /// Returns the number of the turn, as in the last field of a FEN. Turn numbers start at 1 and increase
    /// after each turn of Black.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Returns the square that the side to place must fill next, or `None` if the player chooses the square.
    pub fn next_square(&self) -> Option<Square<Board8x8>> {
        let file = rank::next_file(self.kind, self.side, self.rank(self.side))?;
        Some(placement::home(self.side, file))
    }

    /// Returns the legal placements of the side to place, sorted by piece (K Q R B N), then by file.
    pub fn legal_placements(&self) -> PlacementList {
        rank::placements(self.kind, self.side, self.rank(self.side))
    }

    /// Returns whether dice are rolled for the next turn. `legal` holds the legal turns: if only one piece
    /// fits, it is placed without a roll.
    pub fn wants_roll(&self, legal: &PlacementList) -> bool {
        self.kind.fills_in_order() && legal.len() > 1
    }

    /// Whether a turn is legal in this state.
    pub fn is_legal(&self, placement: Placement) -> bool {
        placement.color() == self.side && self.legal_placements().contains(&placement)
    }

    /// Returns the state after a legal turn, or the game if the turn completes the placement phase.
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

    /// Applies the mediator's verdict of Jepps Random Chess. If Black mirrors or reverses White's back rank,
    /// returns the game. If Black rolls dice for its own back rank, returns the state before Black's first
    /// placement. Returns `None` unless White's back rank is complete and Black has not placed a piece.
    pub fn after_verdict(&self, verdict: BlackBackRank) -> Option<SetupOrGame> {
        let back_rank = self.rank(Color::White).complete()?;
        if self.kind != SetupKind::Jepps || *self.rank(Color::Black) != PartialBackRank::EMPTY {
            return None;
        }
        let black = match verdict {
            BlackBackRank::Own => return Some(SetupOrGame::Setup(*self)),
            BlackBackRank::Mirror => back_rank,
            BlackBackRank::Reverse => back_rank.reversed(),
        };
        Some(SetupOrGame::Game(position(self.kind, [back_rank, black], self.number + 8)))
    }

    /// Returns this state, switched to Free Play if `turn` shows that the game is Free Play: Black answers
    /// White's first piece on h8. Jepps Random Chess and its Free Play are one variant in the protocols and
    /// begin on the same empty board. Callers need this function only if they read turns without knowing
    /// which of the two games is played.
    pub fn decided_by(&self, turn: &str) -> Setup {
        let undecided = self.kind == SetupKind::Jepps && self.hands() == [7, 8];
        if undecided && turn.trim().to_ascii_lowercase().ends_with("h8") {
            return Setup { kind: SetupKind::JeppsFreePlay, side: Color::Black, ..*self };
        }
        *self
    }

    /// Returns a position with all pawns and the pieces placed so far. The position is for display only; no
    /// moves can be played in it.
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

    /// Returns the game that begins with the back ranks of this state, which must be complete.
    fn position(&self) -> Position<Board8x8> {
        let back_ranks = self.ranks.map(|rank| rank.complete().unwrap_or(BackRank::CLASSICAL));
        position(self.kind, back_ranks, self.number)
    }
}

/// Returns the side that places after `mover`, or `None` if no pieces are left to place. `holds` says whether
/// White and Black have pieces in hand. In states that legal turns cannot reach, a side may have to place
/// twice in a row.
fn next_side(kind: SetupKind, mover: Color, holds: [bool; 2]) -> Option<Color> {
    match (kind, holds) {
        (_, [false, false]) => None,
        (SetupKind::Jepps, [true, _]) => Some(Color::White),
        (_, holds) if holds[(!mover).index()] => Some(!mover),
        _ => Some(mover),
    }
}

/// Returns the game that begins with White's and Black's back ranks. White moves first, with the move number
/// `number`.
fn position(kind: SetupKind, back_ranks: [BackRank; 2], number: u32) -> Position<Board8x8> {
    let mut position = Position::empty();
    for color in Color::ALL {
        let roles = back_ranks[color.index()].roles();
        for (file, role) in (0..).zip(roles) {
            let square = placement::home(color, file);
            position.set_piece(role.of(color), square);
            if let Some(pawn) = square.forward(color) {
                position.set_piece(Role::Pawn.of(color), pawn);
            }
        }
    }
    for color in Color::ALL {
        let rank = PartialBackRank::from(back_ranks[color.index()]);
        for file in rank::rights(kind, &rank) {
            position.set_right(placement::home(color, file));
        }
    }
    position.set_turn(Color::White, 0, number);
    position
}

#[cfg(test)]
mod tests;
