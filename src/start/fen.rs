//! FENs of starting positions, and of setup games before the first placement.

use super::partial::PartialBackRank;
use super::root::SetupStart;
use super::{BackRank, Numbering, Start};
use crate::geometry::{Board, Board8x8};
use crate::position::fields::rank_text;
use crate::rules::{KingRight, Variant, on_board};
use crate::types::{Color, Piece, Role};

impl Start {
    /// Returns the FEN of the starting position.
    ///
    /// Castling rights are written as in X-FEN. `KQkq` is unambiguous in every starting position, because
    /// each side has only two rooks. In Jepps Random Chess `Kk` means that both kings may relocate.
    pub fn fen(&self) -> String {
        format!("{} 0 1", self.epd())
    }

    /// Returns the first four fields of the FEN of the starting position, with which an EPD record begins.
    pub fn epd(&self) -> String {
        let ranks = Color::ALL.map(|color| PartialBackRank::from(self.back_rank(color)));
        let rules = self.variant.rules();
        let pieces = on_board!(rules.board, |G| pieces_field::<G>(ranks));
        format!("{pieces} w {} -", self.rights_field(rules.right))
    }

    fn rights_field(&self, right: KingRight) -> String {
        let mut field = String::new();
        for color in Color::ALL {
            let letters = match right {
                KingRight::None => "",
                KingRight::Relocation => "K",
                KingRight::Castling if self.variant == Variant::Placement => {
                    orthodox_rights(self.back_rank(color))
                }
                KingRight::Castling => "KQ",
            };
            match color {
                Color::White => field += letters,
                Color::Black => field += &letters.to_ascii_lowercase(),
            }
        }
        if field.is_empty() { "-".to_owned() } else { field }
    }
}

/// Returns one side's castling rights in a variant with orthodox castling. Castling requires the king on the
/// e-file and the rook in the corner.
fn orthodox_rights(back_rank: BackRank) -> &'static str {
    let [queenside, .., kingside] = back_rank.roles();
    let king_on_e = back_rank.files_of(Role::King).eq([4]);
    match (king_on_e, kingside == Role::Rook, queenside == Role::Rook) {
        (true, true, true) => "KQ",
        (true, true, false) => "K",
        (true, false, true) => "Q",
        _ => "",
    }
}

impl Numbering {
    /// Returns the number of the starting position with the given FEN. Returns `None` if [`Start::fen`] does
    /// not return exactly this text for a starting position of the list.
    pub fn number_of_fen(self, fen: &str) -> Option<u64> {
        let ranks: Vec<&str> = fen.split([' ', '/']).collect();
        let home = |color: Color| {
            let from_white = on_board!(self.variant().rules().board, |G| [
                G::HOME_RANK[color.index()],
                G::RANKS
            ]);
            let [home, count] = from_white.map(usize::from);
            let letters = ranks.get(count - 1 - home)?.replace(|c: char| c.is_ascii_digit(), "");
            letters.parse::<BackRank>().ok()
        };
        let (white, black) = (home(Color::White)?, home(Color::Black)?);
        let start = Start { variant: self.variant(), white, black };
        self.number(&start).filter(|_| start.fen() == fen)
    }
}

impl SetupStart {
    /// Returns the FEN of a setup game before the first placement by a player. The pieces in hand are in
    /// brackets, as in FENs of crazyhouse and Fairy-Stockfish. There are no castling rights yet.
    pub fn fen(&self) -> String {
        let ranks = Color::ALL.map(|color| self.rank(color));
        let pieces = pieces_field::<Board8x8>(ranks);
        let [white, black] = Color::ALL.map(|color| self.rank(color).pocket().letters(color));
        format!("{pieces}[{white}{black}] w - - 0 1")
    }
}

/// Returns the first field of a FEN, with White's and Black's back ranks and all pawns.
fn pieces_field<G: Board>(ranks: [PartialBackRank; 2]) -> String {
    let piece_at = |file: u8, rank: u8| -> Option<Piece> {
        let start_file = usize::from(file.checked_sub(G::FIRST_START_FILE)?);
        for color in Color::ALL {
            if rank == G::HOME_RANK[color.index()] {
                return ranks[color.index()].get(start_file).map(|role| role.of(color));
            }
            if rank == G::PAWN_RANK[color.index()] && start_file < 8 {
                return Some(Role::Pawn.of(color));
            }
        }
        None
    };
    let lines: Vec<_> = (0..G::RANKS)
        .rev()
        .map(|rank| rank_text((0..G::FILES).map(|file| piece_at(file, rank).map(Piece::letter))))
        .collect();
    lines.join("/")
}

#[cfg(test)]
mod tests {
    use super::super::{Numbering, Rng, SetupRoot};
    use super::*;
    use crate::geometry::Board;
    use crate::position::{FenStyle, Position};

    fn fen(variant: Variant, text: &str) -> String {
        Start::parse(variant, text).unwrap().fen()
    }

    #[test]
    fn fens_of_starts() {
        for (variant, text, expected) in [
            (
                Variant::Chess,
                "RNBQKBNR",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ),
            (
                Variant::Chess960,
                "BBQNNRKR",
                "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
            ),
            (
                Variant::FischerBenko,
                "NBBNRKQR/RQBKNBRN",
                "rqbknbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w KQkq - 0 1",
            ),
            (
                Variant::Transcendental,
                "BQNRRBKN/BKNBRNQR",
                "bknbrnqr/pppppppp/8/8/8/8/PPPPPPPP/BQNRRBKN w - - 0 1",
            ),
            (Variant::Jepps, "KNBQRBNR", "knbqrbnr/pppppppp/8/8/8/8/PPPPPPPP/KNBQRBNR w Kk - 0 1"),
        ] {
            assert_eq!(fen(variant, text), expected);
        }
    }

    #[test]
    fn placement_has_orthodox_castling_rights() {
        for (text, rights) in [
            ("RNBQKBNR/RNBQKBNR", "KQkq"),
            ("RNBQKBRN/NRBQKBNR", "Qk"),
            ("NNBQKBRR/RRBQKBNN", "Kq"),
            ("RNBKQBNR/NRBQKBRN", "-"),
            ("RNKQBBNR/RNBQKBNR", "kq"),
        ] {
            let fen = fen(Variant::Placement, text);
            assert_eq!(fen.split(' ').nth(2), Some(rights), "{fen}");
        }
    }

    #[test]
    fn fen_of_a_10x10_start() {
        let Ok(ifrc) = "ifrc".parse() else { return };
        assert_eq!(
            fen(ifrc, "RNBQKBNR"),
            "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - 0 1"
        );
    }

    #[test]
    fn fens_of_setup_games() {
        let root = |text: &str| SetupRoot::of_rank(&text.parse().unwrap()).unwrap();
        let roots = [root("1BB1R3"), root("2B2BR1")];
        let setup = SetupStart::of_roots(Variant::FischerBenko, roots).unwrap();
        assert_eq!(setup.fen(), "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1");
        for variant in [Variant::Jepps, Variant::Placement] {
            let setup = SetupStart::numbered(variant, 0).unwrap();
            assert_eq!(setup.fen(), "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1");
        }
    }

    /// Checks for every starting position of a variant that [`Position`] parses the FEN and writes the same
    /// FEN.
    fn round_trip<G: Board>(variant: Variant) {
        let numbering = Numbering::of(variant).drawn();
        let mut rng = Rng::new(2);
        let starts: Vec<Start> = if numbering.count() <= 960 {
            numbering.all().collect()
        } else {
            (0..2_000).map(|_| numbering.random(&mut rng)).collect()
        };
        for start in starts {
            let fen = start.fen();
            let position = Position::<G>::from_fen(&fen, variant.rules().right)
                .unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.fen(FenStyle::XFen), fen);
            assert_eq!(format!("{} 0 1", start.epd()), fen);
        }
    }

    #[test]
    fn positions_parse_every_start() {
        for variant in Variant::ALL {
            on_board!(variant.rules().board, |G| round_trip::<G>(*variant));
        }
    }
}
