//! FENs of placement phases, with the pieces in hand in brackets.
//!
//! The format is that of crazyhouse and Fairy-Stockfish, such as
//! `2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1`. The pieces in hand are written
//! in the order K Q R B N, White's first, and read in any order. The castling field is `-` except in
//! Pre-Chess. In Pre-Chess the field contains the castling rights of the kings and rooks already placed,
//! because Fairy-Stockfish writes and requires these rights. The halfmove clock is not used.
//!
//! In Jepps Random Chess White fills a1 to h1 in this order. A FEN does not name the order in which the two
//! sides place. The filled squares of Black show it:
//!
//! - **Normal order:** White fills its whole back rank first. Then Black fills a8, b8 and so on. So Black's
//!   back rank is empty while White places, and White's back rank is full while Black places.
//! - **Free Play:** the sides place in turn, and Black fills h8, g8 and so on. Black has placed as many
//!   pieces as White if White places next, and one fewer if Black places next.
//!
//! The empty board fits both orders. It is read as the normal order, and [`Setup::decided_by`] switches to
//! Free Play.

use std::borrow::Cow;

use super::rank::{self, Obstacle};
use super::{Setup, SetupOrGame, turn};
use crate::geometry::{Board, Board8x8};
use crate::position::fields::{self, Fields};
use crate::position::{FenError, FieldError, Position};
use crate::rules::{SetupKind, Variant};
use crate::start::{PartialBackRank, PartialError};
use crate::text::shorten;
use crate::types::{Color, Piece, Role, Square};

/// What is wrong with the FEN of a placement phase.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum SetupFenError {
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error(
        "pieces in hand: {variant} has no placement phase, so the FEN must not contain brackets ('[') with pieces in hand"
    )]
    NoSetup { variant: Variant },
    #[error(
        "pieces in hand: expected pieces in brackets after the board, such as [KQRNNkqrnn], found '{found}'"
    )]
    Brackets { found: String },
    #[error(
        "pieces: in the placement phase, rank {rank} must be '{expected}', {color}'s eight pawns; found '{found}'"
    )]
    Pawns { rank: u8, color: Color, expected: &'static str, found: String },
    #[error(
        "pieces: in the placement phase, rank {rank} must be '8', an empty rank; found '{found}'"
    )]
    NotEmpty { rank: u8, found: String },
    #[error(
        "pieces: '{letter}' on rank {rank} is not one of {color}'s pieces; in the placement phase, only {color}'s pieces can be on this rank"
    )]
    WrongOwner { letter: char, rank: u8, color: Color },
    #[error("pieces: rank {rank}: {source}")]
    BackRank { rank: u8, source: PartialError },
    #[error(
        "pieces in hand: '{letter}' is not a piece that can be placed; expected K, Q, R, B, N or k, q, r, b, n"
    )]
    HandLetter { letter: char },
    #[error(
        "pieces: {color} has {found} {} instead of {expected}, counted on the board and in hand; each side has one K, one Q, and two each of R, B and N",
        role.letter()
    )]
    Count { color: Color, role: Role, found: usize, expected: usize },
    #[error(
        "the FEN has no pieces in hand, so the placement phase is over; a FEN of the placement phase lists the pieces in hand in brackets after the board"
    )]
    NothingInHand,
    #[error(
        "pieces in hand: {color} has too many {role}s in hand; in {variant}, dice place both bishops and one rook before the first turn"
    )]
    RandomPart { variant: Variant, color: Color, role: Role },
    #[error("{color}'s back rank cannot be finished: {obstacle}")]
    DeadEnd { color: Color, obstacle: Obstacle },
    #[error(
        "side to move: with {white} white and {black} black pieces in hand, it is {expected}'s turn, not {found}'s"
    )]
    Turn { white: usize, black: usize, expected: Color, found: Color },
    #[error(
        "pieces in hand: White has {white} and Black has {black} pieces in hand, which is impossible after legal turns of {variant}"
    )]
    HandSizes { variant: Variant, white: usize, black: usize },
    #[error(
        "pieces: {color}'s pieces are not on the squares that {color} must fill first. White fills the squares in order from a1 to h1. Black fills the squares after White in order from a8 to h8 or, in Free Play, alternates with White and fills them from h8 to a8"
    )]
    Order { color: Color },
    #[error("castling: in this placement phase, the field must be '{expected}', but is '{found}'")]
    Castling { expected: String, found: String },
    #[error("en passant: in the placement phase, the field must be '-', but is '{found}'")]
    EnPassant { found: String },
}

/// Why a FEN describes neither a placement phase nor a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum SetupOrGameError {
    #[error(transparent)]
    Setup(#[from] SetupFenError),
    #[error(transparent)]
    Game(#[from] FenError),
}

impl SetupOrGameError {
    /// Returns the FEN without the impossible castling right, en passant square or number that this error
    /// reports. Returns `None` for other errors and if the text of the field is malformed; see
    /// [`Game::new_lenient`](crate::game::Game::new_lenient).
    pub(crate) fn without_impossible_part(&self, fen: &str) -> Option<String> {
        match self {
            SetupOrGameError::Game(error) => error.without_impossible_part(fen),
            SetupOrGameError::Setup(SetupFenError::Field(error)) => error.without_number(fen),
            SetupOrGameError::Setup(SetupFenError::Castling { .. }) => {
                let is_right = |letter: char| "kqabcdefgh".contains(letter.to_ascii_lowercase());
                let found = fields::field(fen, fields::RIGHTS);
                found.chars().all(is_right).then(|| fields::with_field(fen, fields::RIGHTS, "-"))
            }
            SetupOrGameError::Setup(SetupFenError::EnPassant { .. }) => {
                let square = Square::<Board8x8>::parse(fields::field(fen, fields::EN_PASSANT));
                square.map(|_| fields::with_field(fen, fields::EN_PASSANT, "-"))
            }
            SetupOrGameError::Setup(_) => None,
        }
    }
}

impl SetupOrGame {
    /// Parses a FEN of a variant on 8x8. The FEN describes a placement phase if it contains pieces
    /// in brackets or, as PyChess writes them, pieces as a ninth rank. Otherwise the FEN describes a
    /// position of the game. Empty brackets are ignored.
    pub fn from_fen(fen: &str, variant: Variant) -> Result<SetupOrGame, SetupOrGameError> {
        let fen = fen.trim_ascii_start();
        let field = fen.split_ascii_whitespace().next().unwrap_or_default();
        let others = &fen[field.len()..];
        let board = hand_in_brackets(field);
        if let Some(plain) = board.strip_suffix("[]").or_else(|| board.strip_suffix("[-]")) {
            let game = format!("{plain}{others}");
            return Ok(SetupOrGame::Game(Position::from_fen(&game, variant.rules().right)?));
        }
        if board.contains(['[', ']']) {
            return Ok(SetupOrGame::Setup(Setup::from_fen(&format!("{board}{others}"), variant)?));
        }
        Ok(SetupOrGame::Game(Position::from_fen(fen, variant.rules().right)?))
    }
}

impl Setup {
    /// Parses the FEN of a placement phase. Accepts states that legal turns cannot reach and states that
    /// cannot be completed; [`Setup::defect`] reports what is wrong with such a state. If the side to place
    /// cannot complete its back rank, there is no legal placement.
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Setup, SetupFenError> {
        let kind = variant.rules().setup.ok_or(SetupFenError::NoSetup { variant })?;
        let mut fields = Fields::new(fen);
        let (board, hand) = split_hand(fields.board()?)?;
        let ranks = read_board(board)?;
        check_hand(&ranks, hand)?;
        let side = fields.side()?;
        let mut state = Setup { kind, side, ranks, number: 1 };
        let castling = fields.optional();
        let expected = state.castling_field();
        if castling != "-" && castling != expected {
            return Err(SetupFenError::Castling { expected, found: shorten(castling) });
        }
        let en_passant = fields.optional();
        if en_passant != "-" {
            return Err(SetupFenError::EnPassant { found: shorten(en_passant) });
        }
        (_, state.number) = fields.clocks()?;
        state.check_random_part()?;
        if kind.fills_in_order() {
            state.kind = state.order_of_filling()?;
        }
        if state.ranks.iter().all(|rank| rank.pocket().is_empty()) {
            return Err(SetupFenError::NothingInHand);
        }
        Ok(state)
    }

    fn check_random_part(&self) -> Result<(), SetupFenError> {
        if !self.kind.has_random_part() {
            return Ok(());
        }
        for color in Color::ALL {
            let pocket = self.pocket(color);
            for (role, most) in [(Role::Bishop, 0), (Role::Rook, 1)] {
                if pocket.count(role) > most {
                    let variant = self.kind.variant();
                    return Err(SetupFenError::RandomPart { variant, color, role });
                }
            }
        }
        Ok(())
    }

    /// Returns which game the filled squares belong to: Jepps Random Chess, in which White fills its whole
    /// back rank before Black, or Free Play. The module documentation has the rules.
    fn order_of_filling(&self) -> Result<SetupKind, SetupFenError> {
        let [white, black] = self.hands();
        let filled_first = |color: Color, count: usize, from_h: bool| {
            (0..8).all(|nth| {
                let file = if from_h { 7 - nth } else { nth };
                self.rank(color).get(file).is_some() == (nth < count)
            })
        };
        if !filled_first(Color::White, 8 - white, false) {
            return Err(SetupFenError::Order { color: Color::White });
        }
        let normal = filled_first(Color::Black, 8 - black, false);
        if normal && turn(SetupKind::Jepps, [white, black]) == Some(self.side) {
            return Ok(SetupKind::Jepps);
        }
        match (filled_first(Color::Black, 8 - black, true), normal) {
            (true, _) if turn(SetupKind::JeppsFreePlay, [white, black]).is_some() => {
                Ok(SetupKind::JeppsFreePlay)
            }
            // Legal turns of neither Jepps Random Chess nor Free Play reach this state. [`Setup::defect`]
            // reports the error later.
            (true, _) | (_, true) => Ok(SetupKind::Jepps),
            (false, false) => Err(SetupFenError::Order { color: Color::Black }),
        }
    }

    /// Returns how many pieces White and Black have in hand.
    pub(super) fn hands(&self) -> [usize; 2] {
        self.ranks.map(|rank| rank.pocket().len())
    }

    /// Returns what is wrong with this state: legal turns cannot reach it, or a back rank cannot be
    /// completed. Returns `None` for every state reached from [`Setup::new`] by legal placements.
    pub fn defect(&self) -> Option<SetupFenError> {
        self.check_turn().and_then(|()| self.check_finish()).err()
    }

    fn check_turn(&self) -> Result<(), SetupFenError> {
        let [white, black] = self.hands();
        match turn(self.kind, [white, black]) {
            Some(side) if side == self.side => Ok(()),
            Some(expected) => Err(SetupFenError::Turn { white, black, expected, found: self.side }),
            None => {
                let variant = self.kind.variant();
                Err(SetupFenError::HandSizes { variant, white, black })
            }
        }
    }

    fn check_finish(&self) -> Result<(), SetupFenError> {
        for color in Color::ALL {
            if let Some(obstacle) = rank::obstacle(self.kind, self.rank(color)) {
                return Err(SetupFenError::DeadEnd { color, obstacle });
            }
        }
        Ok(())
    }

    /// Returns the FEN of this state of the placement phase.
    pub fn fen(&self) -> String {
        let rank = |color| {
            let text = self.rank(color).to_string();
            if color == Color::Black { text.to_ascii_lowercase() } else { text }
        };
        let hand = Color::ALL.map(|color| self.pocket(color).letters(color)).concat();
        format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{}[{hand}] {} {} - 0 {}",
            rank(Color::Black),
            rank(Color::White),
            self.side.letter(),
            self.castling_field(),
            self.number
        )
    }

    /// Returns the castling field of the FEN: the castling rights in Pre-Chess, otherwise `-`. In Pre-Chess a
    /// king with castling rights stands on the e-file, and rooks with castling rights stand in the corners,
    /// so `K` and `Q` are unambiguous.
    fn castling_field(&self) -> String {
        let mut field = String::new();
        for color in Color::ALL.into_iter().filter(|_| self.kind == SetupKind::Placement) {
            for file in rank::rights(self.kind, self.rank(color)).into_iter().rev() {
                let right = if file == 0 { Role::Queen } else { Role::King };
                field.push(right.of(color).letter());
            }
        }
        if field.is_empty() { "-".to_owned() } else { field }
    }
}

/// Converts the notation of PyChess, which writes the pieces in hand as a ninth rank, to pieces in brackets.
fn hand_in_brackets(board: &str) -> Cow<'_, str> {
    let is_hand = |text: &str| text.bytes().all(|letter| b"KQRBNkqrbn".contains(&letter));
    match board.rsplit_once('/') {
        Some((ranks, hand)) if ranks.matches('/').count() == 7 && is_hand(hand) => {
            Cow::Owned(format!("{ranks}[{hand}]"))
        }
        _ => Cow::Borrowed(board),
    }
}

/// Splits the first field of the FEN into the board and the pieces in brackets after the board.
fn split_hand(field: &str) -> Result<(&str, &str), SetupFenError> {
    field
        .strip_suffix(']')
        .and_then(|field| field.split_once('['))
        .filter(|(board, hand)| !board.contains(']') && !hand.contains(['[', ']']))
        .ok_or_else(|| {
            let from = field.find(['[', ']']).unwrap_or(field.len());
            let found = &field[from..];
            let found = if found.is_empty() { "nothing".to_owned() } else { shorten(found) };
            SetupFenError::Brackets { found }
        })
}

/// Parses the board field of a FEN. Returns White's and Black's back ranks.
fn read_board(text: &str) -> Result<[PartialBackRank; 2], SetupFenError> {
    let mut ranks = [PartialBackRank::EMPTY; 2];
    for (rank, line) in fields::ranks::<Board8x8>(text)? {
        let named = rank + 1;
        let is = |ranks: [u8; 2], color: Color| ranks[color.index()] == rank;
        let home = Color::ALL.into_iter().find(|color| is(Board8x8::HOME_RANK, *color));
        let pawns = Color::ALL.into_iter().find(|color| is(Board8x8::PAWN_RANK, *color));
        match (home, pawns) {
            (Some(color), _) => ranks[color.index()] = read_back_rank(line, named, color)?,
            (_, Some(color)) => {
                let expected = if color == Color::White { "PPPPPPPP" } else { "pppppppp" };
                if line != expected {
                    let found = shorten(line);
                    return Err(SetupFenError::Pawns { rank: named, color, expected, found });
                }
            }
            _ if !is_empty_rank(line) => {
                return Err(SetupFenError::NotEmpty { rank: named, found: shorten(line) });
            }
            _ => {}
        }
    }
    Ok(ranks)
}

/// Returns whether a rank of the FEN consists of digits whose sum is 8, such as `8` or `44`.
fn is_empty_rank(line: &str) -> bool {
    let digits = || line.chars().map(|letter| letter.to_digit(9).unwrap_or(0));
    line.len() <= 8 && digits().all(|digit| digit > 0) && digits().sum::<u32>() == 8
}

fn read_back_rank(line: &str, rank: u8, color: Color) -> Result<PartialBackRank, SetupFenError> {
    let foreign = line
        .chars()
        .find(|letter| Piece::from_letter(*letter).is_some_and(|piece| piece.color() != color));
    if let Some(letter) = foreign {
        return Err(SetupFenError::WrongOwner { letter, rank, color });
    }
    line.parse().map_err(|source| SetupFenError::BackRank { rank, source })
}

/// Checks that the pieces in hand are exactly the pieces missing from the back ranks.
fn check_hand(ranks: &[PartialBackRank; 2], hand: &str) -> Result<(), SetupFenError> {
    let mut found = [[0_usize; Role::ALL.len()]; 2];
    for letter in hand.chars() {
        let piece = Piece::from_letter(letter)
            .filter(|piece| piece.role() != Role::Pawn)
            .ok_or(SetupFenError::HandLetter { letter })?;
        found[piece.color().index()][piece.role().index()] += 1;
    }
    for color in Color::ALL {
        let rank = &ranks[color.index()];
        for role in Role::ALL {
            let (in_hand, placed) = (found[color.index()][role.index()], rank.count(role));
            let lacking = rank.pocket().count(role);
            if in_hand != lacking {
                let (found, expected) = (in_hand + placed, lacking + placed);
                return Err(SetupFenError::Count { color, role, found, expected });
            }
        }
    }
    Ok(())
}
