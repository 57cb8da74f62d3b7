//! A position of a game: pieces, side to move, rights, clocks, and what follows from them.
//!
//! The state is private and always consistent: positions come from a FEN that was checked
//! ([`Position::from_fen`]) and change by legal moves only ([`Position::make`]). A position is a
//! plain value of 200 bytes (8x8) or 352 (10x10); the search copies it for each move instead of
//! taking moves back, which costs next to nothing more (`benches/RESULTS.md`) and needs no code.
//!
//! **Rights.** Castling and Jepps relocation are one set of squares: the unmoved rooks that may
//! still castle and the unmoved kings that may still relocate. A move takes the squares it
//! touches out of the set. So neither make nor move generation knows which variant is played.
//!
//! | file | holds |
//! | --- | --- |
//! | `fen` | text to position and back, with an error for each defect |
//! | `fields` | what FENs of games and of set-ups have in common |
//! | `movegen` | legal moves, all at once, by stage, or only counted |
//! | `legal` | is this one move legal? (moves from the hash table) |
//! | `make` | making a move, the null move |
//! | `see` | static exchange evaluation |
//! | `threats` | what a side attacks, and from where it checks |
//! | `draw` | fifty moves, insufficient material |
//! | `perft` | counting the move tree |

mod draw;
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

use crate::attacks::{self, Board};
use crate::geometry::Geometry;
use crate::types::{Bitboard, Color, Move, Piece, Role, Square, SquareMap};

/// Hash keys, kept incrementally by make.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Keys {
    /// Everything that distinguishes positions: pieces, side, rights, en passant.
    main: u64,
    /// Pawns alone.
    pawn: u64,
    /// The pieces of each colour that are not pawns.
    non_pawn: [u64; 2],
}

/// A legal position with one side to move.
#[derive(Clone)]
pub struct Position<G: Board> {
    by_role: [Bitboard<G>; 6],
    by_color: [Bitboard<G>; 2],
    board: SquareMap<G, Option<Piece>>,
    /// Unmoved rooks that may castle, unmoved kings that may relocate; of both colours.
    rights: Bitboard<G>,
    /// Pieces that give check to the side to move.
    checkers: Bitboard<G>,
    /// Pieces of the side to move that stand between its king and an enemy slider.
    pinned: Bitboard<G>,
    keys: Keys,
    /// The square a pawn has just jumped over, only while a capture there is legal.
    en_passant: Option<Square<G>>,
    /// The square a pawn has just jumped over, if captures there are pseudo-legal but not legal.
    illegal_en_passant: Option<Square<G>>,
    side: Color,
    /// Plies since the last capture or pawn move.
    halfmove_clock: u16,
    /// Number of the move, from 1, counted up after Black's.
    fullmove_number: u32,
}

impl<G: Board> Position<G> {
    /// A board without pieces; `fen` and `setup` fill it.
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

    /// Who has the move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// What stands on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square<G>) -> Option<Piece> {
        self.board[square]
    }

    /// Every piece of this role, of both colours.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard<G> {
        self.by_role[role.index()]
    }

    /// Every piece of this colour.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard<G> {
        self.by_color[color.index()]
    }

    /// Every piece of this colour and role.
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

    /// Every square with a piece on it.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard<G> {
        self.by_color[0] | self.by_color[1]
    }

    /// The square of a side's king.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square<G> {
        // Every position has both kings; the fallback only spares a panic path in hot code.
        self.pieces(color, Role::King).first().unwrap_or(Square::of_index(0))
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard<G> {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that shield its king from a slider.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard<G> {
        self.pinned
    }

    /// The unmoved rooks that may still castle and the unmoved kings that may still relocate.
    #[inline(always)]
    pub fn rights(&self) -> Bitboard<G> {
        self.rights
    }

    /// The square on which an en-passant capture is legal now.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square<G>> {
        self.en_passant
    }

    /// The square on which an en-passant capture is pseudo-legal now: a pawn stands ready, though it
    /// may be pinned. Where the capture is illegal, neither key nor FEN depends on it.
    pub fn pseudo_legal_en_passant(&self) -> Option<Square<G>> {
        self.en_passant.or(self.illegal_en_passant)
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the move, from 1.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The hash key: equal for positions that are equal in the sense of the repetition rule.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.keys.main
    }

    /// A key of the pawns alone.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawn
    }

    /// A key of the pieces of one side other than pawns.
    #[inline(always)]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.non_pawn[color.index()]
    }

    /// Every piece of either side that attacks a square when these squares are occupied.
    #[inline]
    pub fn attackers_to(&self, square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
        (attacks::pawn(Color::Black, square) & self.pieces(Color::White, Role::Pawn))
            | (attacks::pawn(Color::White, square) & self.pieces(Color::Black, Role::Pawn))
            | (attacks::knight(square) & self.role(Role::Knight))
            | (attacks::king(square) & self.role(Role::King))
            | self.sliders_to(square, occupied)
    }

    /// The bishops, rooks and queens of both sides that attack a square when these squares are
    /// occupied.
    #[inline(always)]
    pub fn sliders_to(&self, square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
        (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.straight_sliders())
    }

    /// The enemy's sliders that would attack a side's king if none of its own men stood in the way,
    /// each with those that do.
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

    /// Whether a side attacks a square when these squares are occupied.
    #[inline(always)]
    pub fn is_attacked(&self, by: Color, square: Square<G>, occupied: Bitboard<G>) -> bool {
        let theirs = self.color(by);
        (attacks::pawn(!by, square) & theirs & self.role(Role::Pawn)).any()
            || (attacks::knight(square) & theirs & self.role(Role::Knight)).any()
            || (attacks::king(square) & theirs & self.role(Role::King)).any()
            || (self.sliders_to(square, occupied) & theirs).any()
    }

    /// Whether a legal move castles: the king takes its own rook.
    #[inline(always)]
    pub fn is_castling(&self, mv: Move) -> bool {
        self.color(self.side).contains(mv.to())
    }

    /// Whether a legal move is an en-passant capture.
    #[inline(always)]
    pub fn is_en_passant(&self, mv: Move) -> bool {
        self.en_passant == Some(mv.to()) && self.role(Role::Pawn).contains(mv.from())
    }

    /// Whether a legal move takes something.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.color(!self.side).contains(mv.to()) || self.is_en_passant(mv)
    }

    /// Whether a legal move promotes a pawn.
    #[inline(always)]
    pub fn is_promotion(&self, mv: Move) -> bool {
        let last_rank = G::PROMOTION_RANK[self.side.index()];
        mv.to::<G>().rank() == last_rank && self.role(Role::Pawn).contains(mv.from())
    }

    /// What a legal move takes.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<Role> {
        match self.board[mv.to()] {
            Some(piece) if piece.color() != self.side => Some(piece.role()),
            None if self.is_en_passant(mv) => Some(Role::Pawn),
            _ => None,
        }
    }

    /// The piece a legal move moves.
    #[inline(always)]
    pub fn moved_piece(&self, mv: Move) -> Piece {
        // The origin of a legal move is never empty; the fallback spares a panic path.
        self.board[mv.from()].unwrap_or(Piece::WhitePawn)
    }

    /// Whether a side has a piece besides pawns and its king: without one, zugzwang is likely.
    #[inline(always)]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.color(color) - self.role(Role::Pawn) - self.role(Role::King)).any()
    }

    /// Where king and rook of a castling move end up.
    #[inline]
    pub fn castling_targets(king: Square<G>, rook: Square<G>) -> (Square<G>, Square<G>) {
        let short = (rook.file() > king.file()) as usize;
        (
            Square::on(G::CASTLED_KING_FILE[short], king.rank()),
            Square::on(G::CASTLED_ROOK_FILE[short], king.rank()),
        )
    }

    /// The squares of a side's home rank, on which castling and relocation happen.
    #[inline(always)]
    pub(crate) fn home_rank(color: Color) -> Bitboard<G> {
        Bitboard::rank(<G as Geometry>::HOME_RANK[color.index()])
    }
}

/// Positions are equal when FEN would write them the same.
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
