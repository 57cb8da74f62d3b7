//! Compares the 8x8 board with shakmaty, an independent library, move by move: legal moves, FEN, check,
//! mate, stalemate, insufficient material, SAN and UCI notation.
//!
//! `ALEATOR_POSITIONS` sets the number of compared positions (default 20,000). In a release build 5,000,000
//! positions take some minutes. Half of the positions come from random games of chess, of double Fischer
//! random, and of double Fischer random with missing pieces, in which castling and promotions come soon. The
//! other half are random placements of pieces.

use crate::common::{self, Random};
use aleator::geometry::Board8x8;
use aleator::notation::{parse_uci, san, uci};
use aleator::position::{FenStyle, Position};
use aleator::rules::KingRight;
use aleator::types::Move;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, PositionError};

type Ours = Position<Board8x8>;

/// Counts how often each kind of move and position was compared, to check the coverage.
#[derive(Default, Debug)]
struct Coverage {
    positions: usize,
    castlings: usize,
    en_passants: usize,
    promotions: usize,
    checks: usize,
    mates: usize,
    stalemates: usize,
    insufficient: usize,
}

impl Coverage {
    /// Checks that each count is at least 1 per 2,000 positions. With fewer than 2,000 positions the check
    /// always passes.
    fn assert_sufficient(&self, counts: &[usize]) {
        let enough = self.positions / 2_000;
        assert!(enough == 0 || counts.iter().all(|&count| count >= enough), "{self:?}");
    }
}

fn wanted() -> usize {
    match std::env::var("ALEATOR_POSITIONS") {
        Ok(text) => text.parse().expect("ALEATOR_POSITIONS is a number"),
        Err(_) => 20_000,
    }
}

/// Reads a FEN with shakmaty. Returns `None` for some positions that cannot arise in a game.
fn theirs(fen: &str) -> Option<Chess> {
    let setup = fen.parse::<Fen>().unwrap_or_else(|e| panic!("{fen}: {e}")).into_setup();
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

/// Compares FEN, legal moves, check, mate, stalemate, insufficient material and halfmove clock of a position.
fn compare(ours: &Ours, theirs: &Chess, met: &mut Coverage) {
    let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
    assert_eq!(ours.fen(FenStyle::XFen), fen);
    // Each library reads the FEN that the other library has written.
    assert_eq!(Ours::from_fen(&fen, KingRight::Castling).as_ref(), Ok(ours), "{fen}");
    assert_eq!(self::theirs(&ours.fen(FenStyle::Shredder)).as_ref(), Some(theirs), "{fen}");
    let moves = ours.legal_moves();
    compare_moves(ours, &moves, theirs, met);

    let (checked, stuck) = (ours.in_check(), moves.is_empty());
    assert_eq!(checked, theirs.is_check(), "{fen}");
    assert_eq!(checked && stuck, theirs.is_checkmate(), "{fen}");
    assert_eq!(!checked && stuck, theirs.is_stalemate(), "{fen}");
    assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "{fen}");
    assert_eq!(ours.has_legal_move(), !stuck, "{fen}");
    assert_eq!(u32::from(ours.halfmove_clock()), theirs.halfmoves(), "{fen}");

    met.positions += 1;
    met.checks += usize::from(checked);
    met.mates += usize::from(theirs.is_checkmate());
    met.stalemates += usize::from(theirs.is_stalemate());
    met.insufficient += usize::from(theirs.is_insufficient_material());
}

/// Compares the legal moves in three notations: UCI with and without Chess960 castling, and SAN.
fn compare_moves(ours: &Ours, moves: &[Move], theirs: &Chess, met: &mut Coverage) {
    let mut our_texts: Vec<[String; 3]> = moves
        .iter()
        .map(|&mv| [uci(ours, mv, true), uci(ours, mv, false), san(ours, mv)])
        .collect();
    let mut their_texts: Vec<[String; 3]> = theirs
        .legal_moves()
        .iter()
        .map(|&mv| {
            met.castlings += usize::from(mv.is_castle());
            met.en_passants += usize::from(mv.is_en_passant());
            met.promotions += usize::from(mv.is_promotion());
            let chess960 = mv.to_uci(CastlingMode::Chess960).to_string();
            // Without Chess960 notation, castling is written as `e1g1` only if king and rook stand on the
            // squares of standard chess.
            let is_standard = ["e1a1", "e1h1", "e8a8", "e8h8"].contains(&chess960.as_str());
            let mode = if is_standard { CastlingMode::Standard } else { CastlingMode::Chess960 };
            let standard = mv.to_uci(mode).to_string();
            [chess960, standard, SanPlus::from_move(theirs.clone(), mv).to_string()]
        })
        .collect();
    our_texts.sort_unstable();
    their_texts.sort_unstable();
    assert_eq!(our_texts, their_texts, "{ours:?}");
}

/// Compares `positions` positions of random games in total.
fn games(
    random: &mut Random,
    positions: usize,
    start: impl Fn(&mut Random) -> Ours,
    met: &mut Coverage,
) {
    let end = met.positions + positions;
    while met.positions < end {
        let start = start(random);
        let mut their = theirs(&start.fen(FenStyle::Shredder)).unwrap();
        let plies = (end - met.positions - 1).min(200);
        common::play(random, start, plies, |ours, mv| {
            compare(ours, &their, met);
            let Some(mv) = mv else { return };
            // Each library reads the move that the other library has written.
            let text = uci(ours, mv, true);
            let parsed: shakmaty::uci::UciMove = text.parse().unwrap();
            let their_move = parsed.to_move(&their).unwrap();
            let back = their_move.to_uci(CastlingMode::Chess960).to_string();
            assert_eq!(parse_uci(ours, &back), Ok(mv), "{ours:?}");
            their.play_unchecked(their_move);
        });
    }
}

#[test]
fn random_games_agree() {
    let mut random = Random::new(960);
    let mut met = Coverage::default();
    let shuffled = |removed| {
        move |random: &mut Random| {
            common::random_start::<Board8x8>(random, KingRight::Castling, removed)
        }
    };
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let chess = Ours::from_fen(chess, KingRight::Castling).unwrap();
    games(&mut random, wanted() / 8, |_| chess.clone(), &mut met);
    games(&mut random, wanted() / 8, shuffled(0), &mut met);
    games(&mut random, wanted() / 4, shuffled(60), &mut met);
    println!("{met:?}");
    met.assert_sufficient(&[met.castlings, met.en_passants, met.promotions, met.checks]);
}

#[test]
fn random_placements_agree() {
    let mut random = Random::new(961);
    let mut met = Coverage::default();
    let positions = wanted() / 2;
    while met.positions < positions {
        let ours = common::random_position::<Board8x8>(&mut random, KingRight::Castling);
        if let Some(their) = theirs(&ours.fen(FenStyle::Shredder)) {
            compare(&ours, &their, &mut met);
        }
    }
    println!("{met:?}");
    met.assert_sufficient(&[met.castlings, met.en_passants, met.promotions, met.checks, met.mates]);
}

/// Compares final positions that random games rarely reach.
#[test]
fn mates_and_stalemates_agree() {
    let ends = [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
        "k7/P7/K7/8/8/8/8/8 b - - 0 1",
        "5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10", // Loyd's stalemate in ten moves
        "8/8/8/8/8/1pk5/p7/K7 w - - 0 1",
        "4k3/8/8/8/8/8/5PPP/1r4K1 w - - 0 1",
        "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", // smothered mate
        "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "8/8/8/2k5/3Pp3/8/8/4K2B b - d3 0 1", // en passant answers the check
        "7R/8/8/8/8/5k2/8/5K1R b H - 0 1",
    ];
    let mut met = Coverage::default();
    for fen in ends {
        let ours = Ours::from_fen(fen, KingRight::Castling).unwrap();
        compare(&ours, &theirs(fen).unwrap(), &mut met);
    }
    assert_eq!((met.mates, met.stalemates), (4, 5), "{met:?}");
}
