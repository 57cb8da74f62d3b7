//! Forced mates of known length on both boards, and the draws that the rules force.
//!
//! `data/mates.epd` holds a position a line with its variant and the exact length of the shortest
//! mate. The positions were made by [`compose`] (an ignored test) out of random placements and
//! random games; the lengths come from the brute-force solver below, which knows nothing but the
//! rules, and which the tests ask again.

mod harness;

use aleator::attacks::Board;
use aleator::geometry::Board8x8;
#[cfg(feature = "board10x10")]
use aleator::geometry::Board10x10;
use aleator::notation;
use aleator::position::Position;
use aleator::rules::{BoardSize, Variant};
use aleator::types::Move;
use harness::Engine;
use harness::game::{Ending, Game};
use harness::info::{Score, Search};

/// Whether the side to move can mate within this many moves.
fn can_mate<G: Board>(position: &Position<G>, moves: u32) -> bool {
    position.legal_moves().iter().any(|&mv| mates(position, mv, moves))
}

/// Whether a move mates within this many moves, itself included, whatever the reply.
fn mates<G: Board>(position: &Position<G>, mv: Move, moves: u32) -> bool {
    let child = position.after(mv);
    if moves == 1 {
        return child.in_check() && !child.has_legal_move();
    }
    let replies = child.legal_moves();
    if replies.is_empty() {
        return child.in_check();
    }
    replies.iter().all(|&reply| can_mate(&child.after(reply), moves - 1))
}

/// The length of the shortest mate, if it is at most this.
fn shortest_mate<G: Board>(position: &Position<G>, most: u32) -> Option<u32> {
    (1..=most).find(|&moves| can_mate(position, moves))
}

struct Problem {
    fen: String,
    variant: Variant,
    moves: u32,
}

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/mates.epd");

/// The problems of the boards of this build.
fn problems() -> Vec<Problem> {
    let text = std::fs::read_to_string(DATA).unwrap_or_else(|error| panic!("{DATA}: {error}"));
    let read = |line: &str| {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [fen, variant, mate] = fields[..] else { panic!("{line}") };
        let variant = variant.strip_prefix("variant ").expect(line).parse().ok()?;
        let moves = mate.strip_prefix("mate ").expect(line).parse().expect(line);
        Some(Problem { fen: fen.to_owned(), variant, moves })
    };
    text.lines().filter(|line| !line.is_empty()).filter_map(read).collect()
}

#[test]
fn there_are_enough_problems() {
    let problems = problems();
    for moves in 1..=4 {
        for (size, enough) in [(BoardSize::Eight, 6), large(3)] {
            let fits = |p: &&Problem| p.moves == moves && p.variant.rules().board == size;
            let count = problems.iter().filter(fits).count();
            assert!(count >= enough, "{count} mates in {moves} on {size:?}");
        }
    }
}

#[cfg(feature = "board10x10")]
fn large(enough: usize) -> (BoardSize, usize) {
    (BoardSize::Ten, enough)
}

#[cfg(not(feature = "board10x10"))]
fn large(_: usize) -> (BoardSize, usize) {
    (BoardSize::Eight, 0)
}

/// The engine finds each mate at its true length, not longer, and not shorter than there is.
#[test]
fn mates_are_found_at_their_length() {
    let mut engine = Engine::start();
    for problem in problems() {
        engine.tell(&format!("setoption name UCI_Variant value {}", problem.variant));
        engine.tell("ucinewgame");
        engine.tell(&format!("position fen {}", problem.fen));
        let search = engine.go(&format!("go mate {}", problem.moves));
        let expected = Score::Mate(problem.moves as i32);
        assert_eq!(search.last().score, expected, "{}: {search:#?}", problem.fen);
        match problem.variant.rules().board {
            BoardSize::Eight => check::<Board8x8>(&problem, &search),
            #[cfg(feature = "board10x10")]
            BoardSize::Ten => check::<Board10x10>(&problem, &search),
        }
        // The score stays when the search goes on: nothing shorter is ever claimed.
        if problem.moves <= 2 {
            let search = engine.go(&format!("go depth {}", 2 * problem.moves + 4));
            assert_eq!(search.last().score, expected, "{}: {search:#?}", problem.fen);
        }
    }
}

/// Asks the solver: there is no shorter mate, and the engine's move keeps the one there is.
fn check<G: Board>(problem: &Problem, search: &Search) {
    let game = Game::<G>::new(problem.variant, &problem.fen);
    game.judge(search, false);
    let (position, moves) = (&game.position, problem.moves);
    if moves <= 3 {
        assert_eq!(shortest_mate(position, moves), Some(moves), "{}", problem.fen);
        let best = notation::parse_uci(position, &search.best).expect("a legal move");
        assert!(mates(position, best, moves), "{} does not mate: {}", search.best, problem.fen);
    }
    let mut end = game.clone();
    search.last().pv.iter().for_each(|mv| end.play(mv, false));
    if search.last().pv.len() as u32 == 2 * moves - 1 {
        assert_eq!(end.ending(), Some(Ending::Mate), "{search:#?}");
    }
}

/// A position and moves that lead to it, searched to a depth.
fn search_after(fen: &str, moves: &str, go: &str) -> Search {
    let mut game = Game::<Board8x8>::new(Variant::Chess, fen);
    moves.split_whitespace().for_each(|mv| game.play(mv, false));
    let mut engine = Engine::with(&[&format!("position fen {fen} moves {moves}")]);
    let search = engine.go(go);
    game.judge(&search, false);
    search
}

#[test]
fn perpetual_check_saves_a_lost_game() {
    // Black threatens Ra1 mate and more; queen checks on e8 and h5 go on for ever.
    let fen = "6k1/6p1/8/7p/4Q3/7n/rr5p/7K w - - 0 1";
    let search = search_after(fen, "", "go depth 12");
    assert_eq!(search.last().score, Score::Cp(0), "{search:#?}");
    assert_eq!(search.best, "e4e8", "{search:#?}");
}

#[test]
fn a_third_repetition_saves_the_weaker_side() {
    // Each side went there and back once; the king's next step back makes it three times.
    let fen = "r3k3/8/8/8/8/8/8/4K3 b - - 0 1";
    let moves = "a8b8 e1d1 b8a8 d1e1 a8b8 e1d1 b8a8";
    let search = search_after(fen, moves, "go depth 8");
    assert_eq!((search.last().score, &*search.best), (Score::Cp(0), "d1e1"), "{search:#?}");
    // Without that history there is nothing to hope for.
    let search = search_after("r3k3/8/8/8/8/8/8/3K4 w - - 0 1", "", "go depth 8");
    assert!(matches!(search.last().score, Score::Cp(..-200) | Score::Mate(..0)), "{search:#?}");
}

#[test]
fn the_stronger_side_avoids_a_third_repetition() {
    let fen = "r3k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let moves = "e1d1 a8b8 d1e1 b8a8 e1d1 a8b8 d1e1";
    let search = search_after(fen, moves, "go depth 8");
    assert_ne!(search.best, "b8a8", "{search:#?}");
    assert!(matches!(search.last().score, Score::Cp(200..) | Score::Mate(1..)), "{search:#?}");
}

#[test]
fn progress_is_made_before_fifty_moves_are_over() {
    // Any move but the pawn's lets Black's next one complete the fifty.
    let search = search_after("8/8/8/4k3/8/8/R5P1/6K1 w - - 98 90", "", "go depth 6");
    assert!(search.best.starts_with("g2g"), "{search:#?}");
    assert!(matches!(search.last().score, Score::Cp(200..) | Score::Mate(1..)), "{search:#?}");
    // Without the pawn it is a draw, and known to be.
    let search = search_after("8/8/8/4k3/8/8/R7/6K1 w - - 98 90", "", "go depth 6");
    assert_eq!(search.last().score, Score::Cp(0), "{search:#?}");
}

#[test]
fn mate_comes_before_the_fifty_move_draw_but_not_after_it() {
    let mate_in_one = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 90";
    assert_eq!(search_after(mate_in_one, "", "go depth 4").last().score, Score::Mate(1));
    let mate_in_two = "7k/8/8/8/8/8/R7/1R4K1 w - -";
    assert_eq!(
        search_after(&format!("{mate_in_two} 96 90"), "", "go depth 9").last().score,
        Score::Mate(2)
    );
    // Black's reply is the hundredth ply: too late.
    assert_eq!(
        search_after(&format!("{mate_in_two} 98 90"), "", "go depth 9").last().score,
        Score::Cp(0)
    );
}

#[test]
fn a_won_ending_is_won_in_time() {
    for (variant, fen) in
        [("chess", "8/8/8/3k4/8/8/8/KQ6 w - - 20 1"), ("chess", "8/8/8/4k3/8/8/8/KR6 w - - 0 1")]
    {
        let mut engine = Engine::with(&[&format!("setoption name UCI_Variant value {variant}")]);
        let mut game = Game::<Board8x8>::new(Variant::Chess, fen);
        let mut moves = String::new();
        while game.ending().is_none() {
            engine.tell(&format!("position fen {fen} moves {moves}"));
            let search = engine.go("go nodes 20000");
            game.judge(&search, false);
            game.play(&search.best, false);
            moves = format!("{moves} {}", search.best);
        }
        assert_eq!(game.ending(), Some(Ending::Mate), "{fen}: {moves}");
    }
}

/// Makes the data of this test.
#[cfg(feature = "board10x10")]
mod compose {
    use aleator::position::FenStyle;

    use super::harness::Random;
    use super::*;

    /// A random placement: both kings, some pieces for White, fewer for Black.
    fn random_placement<G: Board>(random: &mut Random, variant: Variant) -> Option<Position<G>> {
        let (files, ranks) = (usize::from(G::FILES), usize::from(G::RANKS));
        let mut board = vec![vec![' '; files]; ranks];
        let white: Vec<char> = (0..2 + random.below(3))
            .map(|_| *random.pick(&['Q', 'R', 'B', 'N', 'R', 'P']))
            .collect();
        let black: Vec<char> = (0..random.below(5))
            .map(|_| *random.pick(&['q', 'r', 'b', 'n', 'p', 'p', 'p']))
            .collect();
        for piece in ['K', 'k'].into_iter().chain(white).chain(black) {
            let (rank, file) = (random.below(ranks), random.below(files));
            board[rank][file] = piece;
        }
        let rows: Vec<String> = board
            .iter()
            .map(|row| {
                let mut text = String::new();
                let mut empty = 0;
                for &piece in row {
                    if piece == ' ' {
                        empty += 1;
                        continue;
                    }
                    if empty > 0 {
                        text += &std::mem::take(&mut empty).to_string();
                    }
                    text.push(piece);
                }
                if empty > 0 { text + &empty.to_string() } else { text }
            })
            .collect();
        let side = random.pick(&["w", "b"]);
        Position::from_fen(&format!("{} {side} - - 0 1", rows.join("/")), variant.rules().right)
            .ok()
    }

    /// A position from a random game.
    fn random_middle_game<G: Board>(random: &mut Random, variant: Variant) -> Option<Position<G>> {
        let start = aleator::start::Start::standard(variant).fen();
        let mut position = Position::from_fen(&start, variant.rules().right).ok()?;
        for _ in 0..20 + random.below(60) {
            let legal = position.legal_moves();
            position.make(*legal.get(random.below(legal.len().max(1)))?);
        }
        Some(position)
    }

    fn compose_for<G: Board>(variant: Variant, each: usize, lines: &mut Vec<String>) {
        let mut random = Random(0xc0de);
        for moves in 1..=4_u32 {
            let mut found = 0;
            while found < each {
                // Whole games are too wide for the solver beyond two moves.
                let middle_game = moves <= 2 && found < each / 2;
                let make = if middle_game { random_middle_game::<G> } else { random_placement };
                let Some(position) = make(&mut random, variant) else { continue };
                if !position.has_legal_move() || shortest_mate(&position, moves) != Some(moves) {
                    continue;
                }
                let fen = position.fen(FenStyle::XFen);
                println!("{fen} mate {moves}");
                lines.push(format!("{fen}; variant {variant}; mate {moves}"));
                found += 1;
            }
        }
    }

    /// Writes `data/mates.epd` anew: `cargo test --release --test mates compose -- --ignored`.
    #[test]
    #[ignore = "makes the data, takes minutes"]
    fn compose() {
        let mut lines = Vec::new();
        compose_for::<Board8x8>(Variant::Chess, 8, &mut lines);
        compose_for::<Board10x10>(Variant::Ifrc, 4, &mut lines);
        std::fs::write(DATA, lines.join("\n") + "\n").unwrap();
    }
}
