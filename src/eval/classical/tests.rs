//! What must hold of the evaluation, on either board.

use std::collections::HashSet;

use proptest::prelude::*;

use super::packed::Packed;
use super::pawns::Entry;
use super::sum::terms;
use super::*;
use crate::geometry::{Board8x8, Board10x10};
use crate::position::FenStyle;
use crate::rules::KingRight;
use crate::types::score::MAX_EVAL;
use crate::types::{Color, Score, Square};

const START8: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PERFT8: &str = include_str!("../../../engine-tests/data/perft/frc.epd");
const START10: &str = "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - 0 1";
const PERFT10: &str = include_str!("../../../engine-tests/data/perft/ifrc.epd");

fn position<G: Board>(fen: &str) -> Position<G> {
    Position::from_fen(fen, KingRight::Castling).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn eval8(fen: &str) -> Value {
    trace(&position::<Board8x8>(fen)).value()
}

fn eval10(fen: &str) -> Value {
    trace(&position::<Board10x10>(fen)).value()
}

/// The FENs of a perft suite.
fn suite(epd: &str) -> impl Iterator<Item = &str> {
    epd.lines().map(|line| line.split(';').next().unwrap_or(line).trim())
}

/// Positions of a game of random moves; it ends where there is no move.
fn playout<G: Board>(start: &Position<G>, seed: u64, plies: usize) -> Vec<Position<G>> {
    let mut state = seed | 1;
    let mut positions = vec![start.clone()];
    for _ in 0..plies {
        let last = &positions[positions.len() - 1];
        let moves = last.legal_moves();
        if moves.is_empty() {
            break;
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        positions.push(last.after(moves[(state % moves.len() as u64) as usize]));
    }
    positions
}

/// The ranks of a FEN, the last first, each as its squares: `None` is empty.
fn ranks(pieces: &str) -> Vec<Vec<Option<char>>> {
    let read = |rank: &str| {
        let (mut squares, mut run) = (Vec::new(), 0);
        for letter in rank.chars() {
            match letter.to_digit(10) {
                Some(digit) => run = 10 * run + digit as usize,
                None => {
                    squares.extend(std::iter::repeat_n(None, std::mem::take(&mut run)));
                    squares.push(Some(letter));
                }
            }
        }
        squares.extend(std::iter::repeat_n(None, run));
        squares
    };
    pieces.split('/').map(read).collect()
}

fn pieces_field(ranks: &[Vec<Option<char>>]) -> String {
    let write = |rank: &Vec<Option<char>>| {
        let (mut text, mut run) = (String::new(), 0);
        for square in rank.iter().chain([&Some('|')]) {
            match square {
                None => run += 1,
                Some(letter) => {
                    if run > 0 {
                        text += &run.to_string();
                    }
                    run = 0;
                    text.push(*letter);
                }
            }
        }
        text.trim_end_matches('|').to_owned()
    };
    ranks.iter().map(write).collect::<Vec<_>>().join("/")
}

fn swap_case(letter: char) -> char {
    if letter.is_ascii_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    }
}

/// The same position with colours exchanged and the ranks upside down.
fn flipped<G: Board>(original: &Position<G>) -> Position<G> {
    let fen = original.fen(FenStyle::Shredder);
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let mut board = ranks(fields[0]);
    board.reverse();
    for square in board.iter_mut().flatten() {
        *square = square.map(swap_case);
    }
    let side = if fields[1] == "w" { "b" } else { "w" };
    let rights: String = fields[2].chars().map(swap_case).collect();
    let en_passant = match Square::<G>::parse(fields[3]) {
        Some(square) => square.flip().to_string(),
        None => "-".to_owned(),
    };
    let pieces = pieces_field(&board);
    position(&format!("{pieces} {side} {rights} {en_passant} {} {}", fields[4], fields[5]))
}

/// The same position without castling rights, and with the files mirrored if asked for.
fn without_rights<G: Board>(original: &Position<G>, mirror: bool) -> Position<G> {
    let fen = original.fen(FenStyle::Shredder);
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let mut board = ranks(fields[0]);
    if mirror {
        board.iter_mut().for_each(|rank| rank.reverse());
    }
    let pieces = pieces_field(&board);
    position(&format!("{pieces} {} - - {} {}", fields[1], fields[4], fields[5]))
}

/// Symmetries, bounds, cache and trace on all positions of a game.
fn check_playout<G: Board>(classical: &mut Classical<G>, start: &Position<G>, seed: u64) {
    let mut evaluate =
        |position: &Position<G>| endgame::fade(classical.evaluate(position), position);
    for position in playout(start, seed, 120) {
        let value = evaluate(&position);
        assert!(value.abs() <= MAX_EVAL, "{position:?}");
        let trace = trace(&position);
        assert_eq!(value, trace.value(), "with and without cache: {position:?}");
        assert_eq!(value, evaluate(&flipped(&position)), "flipped: {position:?}");
        let [straight, mirrored] =
            [false, true].map(|mirror| evaluate(&without_rights(&position, mirror)));
        assert_eq!(straight, mirrored, "mirrored: {position:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn symmetric_and_pure_8x8(seed: u64) {
        let mut evaluator = Classical::<Board8x8>::new().unwrap();
        check_playout(&mut evaluator, &position(START8), seed);
    }

    #[test]
    fn symmetric_and_pure_10x10(seed: u64) {
        let mut evaluator = Classical::<Board10x10>::new().unwrap();
        check_playout(&mut evaluator, &position(START10), seed);
    }
}

#[test]
fn symmetric_and_pure_from_suites() {
    let mut evaluator = Classical::<Board8x8>::new().unwrap();
    for (seed, fen) in suite(PERFT8).enumerate() {
        check_playout(&mut evaluator, &position(fen), 77 + 2 * seed as u64);
    }
    let mut evaluator = Classical::<Board10x10>::new().unwrap();
    for (seed, fen) in suite(PERFT10).enumerate() {
        check_playout(&mut evaluator, &position(fen), 99 + 2 * seed as u64);
    }
}

#[test]
fn start_is_even_but_for_the_move() {
    assert!((1..50).contains(&eval8(START8)));
    assert!((1..50).contains(&eval10(START10)));
}

#[test]
fn material_counts_in_order() {
    let without = |square: &str| {
        let mut board: Vec<char> = START8.chars().collect();
        let index = START8.find("RNBQ").unwrap() + (square.as_bytes()[0] - b'a') as usize;
        board[index] = '1';
        let fen = board.into_iter().collect::<String>().replace("KQkq", "-");
        eval8(&fen)
    };
    let (rook, knight, bishop, queen) =
        (without("a1"), without("b1"), without("c1"), without("d1"));
    let pawn = eval8(&START8.replace("PPPPPPPP", "PPPP1PPP"));
    assert!(queen < rook - 200, "{queen} {rook}");
    assert!(rook < bishop - 50, "{rook} {bishop}");
    assert!(bishop < pawn - 150 && knight < pawn - 150, "{bishop} {knight} {pawn}");
    assert!(pawn < -20, "{pawn}");
}

#[test]
fn passed_pawns_gain_by_advancing() {
    let on_rank = |rank: usize| {
        let mut board = ["6k1", "5ppp", "8", "8", "8", "8", "5PPP", "R5K1"];
        board[8 - rank] = match rank {
            7 => "1P3ppp",
            2 => "1P3PPP",
            _ => "1P6",
        };
        eval8(&format!("{} w - - 0 1", board.join("/")))
    };
    for rank in 3..7 {
        let (here, ahead) = (on_rank(rank), on_rank(rank + 1));
        assert!(ahead > here, "rank {rank}: {here}, next: {ahead}");
    }
    assert!(on_rank(7) > on_rank(4) + 80, "{} {}", on_rank(4), on_rank(7));
}

#[test]
fn a_pawn_out_of_reach_is_nearly_a_queen() {
    // Black's king steps into the square of the pawn, or it does not.
    let caught = eval8("8/8/5k2/8/P7/8/8/7K b - - 0 1");
    let free = eval8("8/8/6k1/8/P7/8/8/7K b - - 0 1");
    assert!(free < caught - 200, "{free} {caught}");
    assert!(eval8("8/8/5k2/8/P7/8/8/7K w - - 0 1") > 300);
    assert!(eval8("8/8/4k3/8/P7/8/8/7K w - - 0 1") < 200);
}

#[test]
fn dead_draws_are_zero() {
    for fen in [
        "8/8/3k4/8/3N4/3K4/8/8 w - - 0 1",
        "8/8/3k4/8/3B4/3K4/8/8 b - - 0 1",
        "8/8/4k3/8/4N3/3KN3/8/8 w - - 0 1",
        // Rook pawns and the wrong bishop.
        "k7/8/8/P7/8/4BK2/8/8 w - - 0 1",
        "8/8/8/8/5b1p/6k1/8/7K w - - 0 1",
        "7k/8/7P/8/8/3K4/8/8 w - - 0 1",
    ] {
        assert_eq!(eval8(fen), 0, "{fen}");
    }
    assert!(eval8("k7/8/8/P7/8/3BK3/8/8 w - - 0 1") > 200, "the right bishop");
    assert!(eval8("8/8/4k3/8/3R4/3K1b2/8/8 w - - 0 1").abs() < 60, "rook against bishop");
}

#[test]
fn drawish_end_games_count_less() {
    let [opposite, same] =
        ["8/3bk3/5p2/2P5/3P1B2/4PK2/8/8 w - - 0 1", "8/2b1k3/5p2/2P5/3P1B2/4PK2/8/8 w - - 0 1"];
    assert!(0 < eval8(opposite) && eval8(opposite) < eval8(same) * 2 / 3);
    let trace = trace(&position::<Board8x8>(opposite));
    assert!(trace.to_string().contains("end game counts"), "{trace}");
    let fresh = eval8("8/8/4k3/8/3R4/3K4/3P4/8 w - - 0 1");
    let stale = eval8("8/8/4k3/8/3R4/3K4/3P4/8 w - - 80 100");
    assert!(stale < fresh * 3 / 4 && stale > 0, "{fresh} {stale}");
}

#[test]
fn bare_kings_are_driven_to_where_they_are_mated() {
    let centre = eval8("8/8/8/4k3/8/8/3R4/3K4 w - - 0 1");
    let edge = eval8("4k3/8/8/8/8/8/3R4/3K4 w - - 0 1");
    let together = eval8("4k3/8/4K3/8/8/8/3R4/8 w - - 0 1");
    assert!(edge > centre && together > edge, "{centre} {edge} {together}");
    // The corners of the bishop's colour, and the others.
    let wrong = eval8("k7/2K5/8/1N2B3/8/8/8/8 b - - 0 1");
    let right = eval8("7k/5K2/8/4B1N1/8/8/8/8 b - - 0 1");
    assert!(right < wrong - 50, "{right} {wrong}");
    {
        let centre = eval10("10/10/10/10/4k5/10/10/3R6/3K6/10 w - - 0 1");
        let edge = eval10("4k5/10/10/10/10/10/10/3R6/3K6/10 w - - 0 1");
        assert!(edge > centre, "{centre} {edge}");
    }
}

#[test]
fn an_exposed_king_is_in_danger() {
    let safe = eval8("r4rk1/ppp2ppp/2n5/8/8/2N3Q1/PPP2PPP/R4RK1 b - - 0 1");
    let bare = eval8("r4rk1/ppppp3/2n5/8/8/2N3Q1/PPP2PPP/R4RK1 b - - 0 1");
    assert!(bare < safe - 60, "{safe} {bare}");
}

#[test]
fn fifteen_queens_stay_in_bounds() {
    let fen = "k7/8/8/8/8/QQQQQ3/QQQQQ3/QQQQQ2K b - - 0 1";
    let value = eval8(fen);
    assert!((-MAX_EVAL..-12_000).contains(&value), "{value}");
    let value = eval8("K7/8/8/qqq5/8/8/8/7k w - - 0 1");
    assert!(value < -2_500, "{value}");
}

#[test]
fn trace_is_a_table_whose_sums_are_the_evaluation() {
    let fen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w kq - 0 1";
    let trace = trace(&position::<Board8x8>(fen));
    let [mg, eg] = Term::ALL.iter().fold([0, 0], |[mg, eg], &(term, _)| {
        let (white, black) = (trace.score(term, Color::White), trace.score(term, Color::Black));
        [mg + white.mg - black.mg, eg + white.eg - black.eg]
    });
    // All pieces are there: the middle game alone counts.
    assert_eq!(trace.white_value(), mg);
    assert_ne!(mg, eg);
    let text = trace.to_string();
    for name in ["material", "mobility", "king safety", "threats", "sum", "evaluation"] {
        assert!(text.contains(name), "{name} is missing:\n{text}");
    }
    assert_eq!(
        trace.score(Term::Material, Color::White),
        trace.score(Term::Material, Color::Black)
    );
}

/// Every number can make a difference: none is forgotten in the code.
fn every_parameter_counts<G: Board>(positions: &[Position<G>]) {
    let base = Params::of::<G>();
    let weights = Weights::new(&base);
    let sum = |weights: &Weights<G>, position: &Position<G>| {
        let pawns = Entry::new(position, weights, &mut ());
        terms(position, weights, &pawns, &mut ())
    };
    let sums: Vec<Packed> = positions.iter().map(|position| sum(&weights, position)).collect();
    let mut silent = HashSet::new();
    let mut names = Vec::new();
    base.clone().for_each(|name, index, _| names.push((name, index)));
    for (number, &(name, index)) in names.iter().enumerate() {
        let (mut changed, mut counter) = (base, 0);
        changed.for_each(|_, _, score| {
            if counter == number {
                *score += Score::new(64, 64);
            }
            counter += 1;
        });
        let weights = Weights::new(&changed);
        let moves =
            |(position, &before): (&Position<G>, &Packed)| sum(&weights, position) != before;
        if !positions.iter().zip(&sums).any(moves) {
            silent.insert((name, index));
        }
    }
    let first_step = G::PAWN_RANK[0].abs_diff(G::PROMOTION_RANK[0]) as usize;
    let unused = |name: &str, index: usize| {
        let by_steps = name.starts_with("passed_")
            && !["passed_rook_behind", "passed_unstoppable"].contains(&name)
            || ["passed", "phalanx", "supported"].contains(&name);
        // A pawn is never promoted where it stands, and starts no farther away than it does;
        // pawns do not stand on the home rank; nothing supports a pawn where it
        // starts; the last step is the whole way.
        by_steps && (index == 0 || index > first_step)
            || (name, index) == ("pawn_square", 7)
            || (name, index) == ("supported", first_step)
            || (name, index) == ("passed_safe_step", 1)
    };
    silent.retain(|&(name, index)| !unused(name, index));
    assert!(silent.is_empty(), "without effect: {silent:?}");
}

#[test]
fn every_parameter_counts_8x8() {
    let starts = suite(PERFT8).chain([
        START8,
        "8/8/5k2/8/P7/8/8/7K b - - 0 1",
        "4k3/P7/8/8/8/7p/8/4K3 w - - 0 1",
    ]);
    let positions: Vec<_> = starts
        .zip(3..)
        .flat_map(|(fen, seed)| playout(&position::<Board8x8>(fen), 9_176 * seed, 60))
        .collect();
    every_parameter_counts(&positions);
}

#[test]
fn every_parameter_counts_10x10() {
    let starts = suite(PERFT10).chain([
        START10,
        "10/10/5k4/10/P9/10/10/10/9K/10 b - - 0 1",
        "10/10/5k4/3PP5/10/10/10/10/9K/10 b - - 0 1",
    ]);
    let positions: Vec<_> = starts
        .zip(3..)
        .flat_map(|(fen, seed)| playout(&position::<Board10x10>(fen), 9_176 * seed, 60))
        .collect();
    every_parameter_counts(&positions);
}

#[test]
fn square_functions_are_symmetric_and_bounded() {
    fn check<G: Board>() {
        for square in Square::<G>::all() {
            let mirrored = Square::<G>::on(G::FILES - 1 - square.file(), square.rank());
            assert_eq!(tables::bases(square), tables::bases(mirrored));
            assert!(tables::bases(square).iter().all(|base| (0.0..=1.0).contains(base)));
        }
        let centre = Square::<G>::on(G::FILES / 2, G::RANKS / 2);
        assert_eq!(tables::bases(centre)[..3], [1.0, 1.0, 1.0]);
    }
    check::<Board8x8>();
    check::<Board10x10>();
}
