//! A position of a game: pieces, side to move, rights, clocks, and derived data.
//!
//! The state is private and always consistent: positions are created from validated FENs
//! ([`Position::from_fen`]) and changed only by legal moves ([`Position::make`]). A position is a plain
//! value of 200 bytes (8x8) or 352 bytes (10x10). The search copies it for each move (copy-make) instead
//! of undoing moves, which is simpler and hardly slower.
//!
//! **Rights.** Castling and Jepps relocation share one set of squares: the unmoved rooks that may still
//! castle and the unmoved kings that may still relocate. A move removes its origin and target squares from
//! the set. A king move removes all squares of the king's side. So neither making moves nor generating
//! moves depends on the variant.
//!
//! | file | holds |
//! | --- | --- |
//! | `fen` | reading and writing FEN, with a precise error for each defect |
//! | `fields` | the fields that FENs of games and of setups have in common |
//! | `movegen` | generating legal moves: all moves, only noisy or quiet moves, or only their number |
//! | `legal` | checking whether a given move is legal (moves from the transposition table) |
//! | `make` | making a move or a null move |
//! | `zobrist` | the random numbers of hash keys |
//! | `see` | static exchange evaluation |
//! | `threats` | the squares that a side attacks, and those from which it gives check |
//! | `perft` | counting the move tree |

pub mod fen;
pub(crate) mod fields;
mod legal;
mod make;
mod movegen;
pub mod perft;
mod see;
mod threats;
mod zobrist;

pub use fen::{FenError, FenStyle};
pub use fields::FieldError;
pub use see::piece_value;
pub use threats::{CheckSquares, Threats};

use crate::attacks;
use crate::geometry::Board;
use crate::types::{Bitboard, Color, Move, Piece, Role, Square, SquareMap};

/// Hash keys, updated incrementally by `make`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Keys {
    /// The hash key of pieces, side to move, rights and en passant square.
    main: u64,
    /// The hash key of the pawns.
    pawn: u64,
    /// The hash keys of the pieces of each colour except pawns.
    non_pawn: [u64; 2],
}

/// A legal position.
#[derive(Clone)]
pub struct Position<G: Board> {
    by_role: [Bitboard<G>; 6],
    by_color: [Bitboard<G>; 2],
    board: SquareMap<G, Option<Piece>>,
    /// Unmoved rooks that may still castle and unmoved kings that may still relocate, of both colours.
    rights: Bitboard<G>,
    /// Pieces that give check to the side to move.
    checkers: Bitboard<G>,
    /// Pieces of the side to move that are pinned to its king.
    pinned: Bitboard<G>,
    keys: Keys,
    /// The square that a pawn has just passed with a double step, if an en passant capture is legal.
    en_passant: Option<Square<G>>,
    /// The square that a pawn has just passed with a double step, if en passant captures are pseudo-legal
    /// but not legal.
    illegal_en_passant: Option<Square<G>>,
    side: Color,
    /// The number of plies since the last capture or pawn move.
    halfmove_clock: u16,
    /// The move number, from 1, incremented after Black's move.
    fullmove_number: u32,
}

impl<G: Board> Position<G> {
    /// Returns an empty board, which `fen` and `setup` fill.
    pub(crate) fn empty() -> Self {
        Position {
            by_role: [Bitboard::EMPTY; 6],
            by_color: [Bitboard::EMPTY; 2],
            board: SquareMap::filled(None),
            rights: Bitboard::EMPTY,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            keys: Keys::default(),
            en_passant: None,
            illegal_en_passant: None,
            side: Color::White,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square<G>) -> Option<Piece> {
        self.board[square]
    }

    /// The pieces of this role, of both colours.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard<G> {
        self.by_role[role.index()]
    }

    /// The pieces of this colour.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard<G> {
        self.by_color[color.index()]
    }

    /// The pieces of this colour and role.
    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard<G> {
        self.by_color[color.index()] & self.by_role[role.index()]
    }

    /// Bishops and queens, of both colours.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard<G> {
        self.role(Role::Bishop) | self.role(Role::Queen)
    }

    /// Rooks and queens, of both colours.
    #[inline(always)]
    pub fn straight_sliders(&self) -> Bitboard<G> {
        self.role(Role::Rook) | self.role(Role::Queen)
    }

    /// The occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard<G> {
        self.by_color[0] | self.by_color[1]
    }

    /// The king square of a side.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square<G> {
        // Every position has both kings; the fallback only avoids a panic path in hot code.
        self.pieces(color, Role::King).first().unwrap_or(Square::of_index(0))
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard<G> {
        self.checkers
    }

    /// Returns whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to its king.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard<G> {
        self.pinned
    }

    /// The unmoved rooks that may still castle and the unmoved kings that may still relocate.
    #[inline(always)]
    pub fn rights(&self) -> Bitboard<G> {
        self.rights
    }

    /// The en passant square, if an en passant capture is legal.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square<G>> {
        self.en_passant
    }

    /// The square on which an en passant capture is pseudo-legal: a pawn can capture there, but the capture
    /// may leave the king in check. If no en passant capture is legal, neither the key nor the FEN depends
    /// on this square.
    pub fn pseudo_legal_en_passant(&self) -> Option<Square<G>> {
        self.en_passant.or(self.illegal_en_passant)
    }

    /// The number of plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The move number, from 1.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The hash key. Positions that are the same by the repetition rule have equal keys.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.keys.main
    }

    /// The hash key of the pawns of both sides.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawn
    }

    /// The hash key of one side's pieces except pawns.
    #[inline(always)]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.non_pawn[color.index()]
    }

    /// The pieces of both sides that attack a square, given the set of occupied squares.
    #[inline]
    pub fn attackers_to(&self, square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
        (attacks::pawn(Color::Black, square) & self.pieces(Color::White, Role::Pawn))
            | (attacks::pawn(Color::White, square) & self.pieces(Color::Black, Role::Pawn))
            | (attacks::knight(square) & self.role(Role::Knight))
            | (attacks::king(square) & self.role(Role::King))
            | self.sliders_to(square, occupied)
    }

    /// The bishops, rooks and queens of both sides that attack a square, given the set of occupied squares.
    #[inline(always)]
    pub fn sliders_to(&self, square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
        (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.straight_sliders())
    }

    /// The enemy sliders that would attack a side's king if the side's own pieces were removed, each with the
    /// side's pieces between slider and king.
    #[inline(always)]
    fn snipers(
        &self,
        color: Color,
    ) -> impl Iterator<Item = (Bitboard<G>, Bitboard<G>)> + use<'_, G> {
        let (king, theirs) = (self.king(color), self.color(!color));
        (self.sliders_to(king, theirs) & theirs).into_iter().map(move |sniper| {
            (sniper.bitboard(), attacks::between(king, sniper) & self.color(color))
        })
    }

    /// Returns whether a side attacks a square, given the set of occupied squares.
    #[inline(always)]
    pub fn is_attacked(&self, by: Color, square: Square<G>, occupied: Bitboard<G>) -> bool {
        let theirs = self.color(by);
        (attacks::pawn(!by, square) & theirs & self.role(Role::Pawn)).any()
            || (attacks::knight(square) & theirs & self.role(Role::Knight)).any()
            || (attacks::king(square) & theirs & self.role(Role::King)).any()
            || (self.sliders_to(square, occupied) & theirs).any()
    }

    /// Returns whether a legal move is castling, encoded as the king capturing its own rook.
    #[inline(always)]
    pub fn is_castling(&self, mv: Move) -> bool {
        self.color(self.side).contains(mv.to())
    }

    /// Returns whether a legal move is an en passant capture.
    #[inline(always)]
    pub fn is_en_passant(&self, mv: Move) -> bool {
        self.en_passant == Some(mv.to()) && self.role(Role::Pawn).contains(mv.from())
    }

    /// Returns whether a legal move is a capture.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.color(!self.side).contains(mv.to()) || self.is_en_passant(mv)
    }

    /// Returns whether a legal move is a promotion.
    #[inline(always)]
    pub fn is_promotion(&self, mv: Move) -> bool {
        let last_rank = G::PROMOTION_RANK[self.side.index()];
        mv.to::<G>().rank() == last_rank && self.role(Role::Pawn).contains(mv.from())
    }

    /// The role of the piece that a legal move captures.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<Role> {
        match self.board[mv.to()] {
            Some(piece) if piece.color() != self.side => Some(piece.role()),
            None if self.is_en_passant(mv) => Some(Role::Pawn),
            _ => None,
        }
    }

    /// The piece that a legal move moves.
    #[inline(always)]
    pub fn moved_piece(&self, mv: Move) -> Piece {
        // The origin of a legal move is never empty; the fallback only avoids a panic path.
        self.board[mv.from()].unwrap_or(Piece::WhitePawn)
    }

    /// Returns whether a side has a piece other than pawns and the king. Without other pieces, zugzwang is
    /// likely.
    #[inline(always)]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.color(color) - self.role(Role::Pawn) - self.role(Role::King)).any()
    }

    /// The squares of king and rook after castling.
    #[inline]
    pub fn castling_targets(king: Square<G>, rook: Square<G>) -> (Square<G>, Square<G>) {
        let short = (rook.file() > king.file()) as usize;
        (
            Square::on(G::CASTLED_KING_FILE[short], king.rank()),
            Square::on(G::CASTLED_ROOK_FILE[short], king.rank()),
        )
    }

    /// A side's home rank, on which castling and relocation take place.
    #[inline(always)]
    pub(crate) fn home_rank(color: Color) -> Bitboard<G> {
        Bitboard::rank(G::HOME_RANK[color.index()])
    }

    /// Whether the game is drawn by the fifty-move rule: there was no capture or pawn move in the last fifty
    /// moves of each side. Checkmate by the last of these moves takes precedence.
    #[inline]
    pub fn is_fifty_moves(&self) -> bool {
        self.halfmove_clock >= 100 && (!self.in_check() || self.has_legal_move())
    }

    /// Whether the material rules out mate by any sequence of legal moves: bare kings, a single minor
    /// piece, or only bishops that all stand on squares of the same colour.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let minors = self.role(Role::Knight) | self.role(Role::Bishop);
        if (self.occupied() ^ minors ^ self.role(Role::King)).any() {
            return false;
        }
        if !minors.many() {
            return true;
        }
        let light = Bitboard::<G>::light();
        self.role(Role::Knight).is_empty()
            && ((minors & light).is_empty() || (minors - light).is_empty())
    }
}

/// Two positions are equal if their FENs are equal.
impl<G: Board> PartialEq for Position<G> {
    fn eq(&self, other: &Self) -> bool {
        self.by_role == other.by_role
            && self.by_color == other.by_color
            && self.rights == other.rights
            && self.en_passant == other.en_passant
            && self.side == other.side
            && self.halfmove_clock == other.halfmove_clock
            && self.fullmove_number == other.fullmove_number
    }
}
