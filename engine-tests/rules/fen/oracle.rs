//! Tests that Aleator accepts the same FENs as shakmaty: FENs with changed characters, and FENs with all en
//! passant squares.

use aleator::geometry::Board8x8;
use aleator::position::{FenError, FenStyle, FieldError, Position};
use aleator::rules::KingRight;
use aleator::types::Color;

use crate::common::{self, Random};

/// Changes a few characters of a FEN. Most changes replace a character by another of the same kind, so that
/// many results are legal positions. Other changes replace, insert, remove or swap any characters.
fn mutate(text: &str, random: &mut Random) -> String {
    const KINDS: [&[u8]; 3] = [b"pnbrqPNBRQ", b"KQkqABCDEFGHabcdefgh-", b"12345678/ wb036"];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(3) {
        let place = random.below(bytes.len());
        let kind = KINDS.into_iter().find(|kind| kind.contains(&bytes[place]));
        let any = KINDS[random.below(3)];
        match random.below(10) {
            0 => bytes.insert(place, random.choose(any)),
            1 if bytes.len() > 1 => drop(bytes.remove(place)),
            2 => bytes[place] = random.choose(any),
            3 | 4 => {
                let other = random.below(bytes.len());
                bytes.swap(place, other);
            }
            _ => bytes[place] = random.choose(kind.unwrap_or(any)),
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Reads a FEN with shakmaty, including positions that cannot arise in a game but can be played.
fn shakmaty_reads(fen: &str) -> Option<shakmaty::Chess> {
    use shakmaty::{CastlingMode, Chess, FromSetup, PositionError};
    let setup: shakmaty::fen::Fen = fen.parse().ok()?;
    Chess::from_setup(setup.into(), CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

#[derive(Default, Debug)]
struct Comparison {
    accepted: usize,
    rejected: usize,
    /// The number of FENs that only Aleator rejects, all for reasons that [`is_intended`] allows.
    strict: usize,
    en_passants: usize,
}

impl Comparison {
    /// Reads a FEN with both programs and compares the results.
    fn compare(&mut self, fen: &str) {
        use shakmaty::{EnPassantMode, Position as _};
        let ours = Position::<Board8x8>::from_fen(fen, KingRight::Castling);
        match (ours, shakmaty_reads(fen)) {
            (Ok(ours), Some(theirs)) => {
                assert_eq!(ours.count_legal_moves() as usize, theirs.legal_moves().len(), "{fen}");
                let en_passant = ours.en_passant().map(|square| square.to_string());
                let theirs = theirs.ep_square(EnPassantMode::Legal).map(|s| s.to_string());
                assert_eq!(en_passant, theirs, "{fen}");
                self.accepted += 1;
                self.en_passants += usize::from(en_passant.is_some());
            }
            (Err(_), None) => self.rejected += 1,
            (Ok(_), None) => panic!("shakmaty rejects {fen}, but Aleator accepts it"),
            (Err(error), Some(_)) => {
                assert!(
                    is_intended(&error),
                    "shakmaty accepts {fen}, but Aleator rejects it: {error}"
                );
                self.strict += 1;
            }
        }
    }
}

#[test]
fn mutated_fens_are_accepted_exactly_if_shakmaty_accepts_them() {
    let mut random = Random::new(4);
    let mut comparison = Comparison::default();
    let fens = common::data_fens();
    for _ in 0..100 {
        for (_, fen) in fens.iter().filter(|(variant, _)| variant == "chess960") {
            comparison.compare(&mutate(fen, &mut random));
        }
    }
    println!("{comparison:?}");
    assert!(comparison.accepted > 500 && comparison.rejected > 1_000, "{comparison:?}");
}

/// Tries all eight squares of the third or sixth rank as the en passant square, in positions of random games.
#[test]
fn en_passant_squares_are_accepted_exactly_if_shakmaty_accepts_them() {
    let mut comparison = Comparison::default();
    let mut random = Random::new(5);
    for game in 0..60 {
        let start = common::random_start(&mut random, KingRight::Castling, 30 * (game % 3));
        common::play(&mut random, start, 80, |position: &Position<Board8x8>, _| {
            let fen = position.fen(FenStyle::Shredder);
            let fields: Vec<&str> = fen.split(' ').collect();
            let rank = if position.side_to_move() == Color::White { 6 } else { 3 };
            for file in 'a'..='h' {
                let [pieces, side, rights] = fields[..3] else { panic!("{fen}") };
                comparison.compare(&format!("{pieces} {side} {rights} {file}{rank} 0 1"));
            }
        });
    }
    println!("{comparison:?}");
    assert!(comparison.accepted > 2_000 && comparison.rejected > 5_000, "{comparison:?}");
    assert!(comparison.strict == 0 && comparison.en_passants > 200, "{comparison:?}");
}

/// Whether Aleator rejects a FEN on purpose although shakmaty accepts it.
fn is_intended(error: &FenError) -> bool {
    matches!(
        error,
        // Move lists only have room for the moves of 16 pieces per side.
        FenError::TooManyPieces { .. }
            // A castling right that occurs twice indicates a mistake.
            | FenError::CastlingTwice { .. }
            | FenError::Field(FieldError::MissingSide)
            // Two digits in a row are rejected: '44' for an empty rank could mean forty-four squares.
            | FenError::EmptyRun { .. }
            // These numbers are too large for any game.
            | FenError::Field(FieldError::HalfmoveClock { .. })
            | FenError::Field(FieldError::FullmoveNumber { .. })
    )
}
