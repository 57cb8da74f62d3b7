//! Tests of forced mates of known length on both boards, and of draws by rule.
//!
//! Each line of `data/mates.epd` has a position, the variant, and the exact length of the shortest mate
//! (`dm`). All variants occur. The ignored test `compose` made the positions from games and random
//! placements. The lengths come from the prover, and the tests verify the lengths.
//!
//! | file | contents |
//! | --- | --- |
//! | `prover` | the length of the shortest mate |
//! | `compose` | generating the positions |

mod compose;
mod prover;

use std::collections::HashSet;

use crate::harness::Engine;
use crate::harness::game::{game, judge, play};
use crate::harness::info::{Score, Search};
use aleator::game::Termination;
use aleator::geometry::{Board, Board8x8};
use aleator::notation::{self, EpdRecord};
use aleator::on_board;
use aleator::position::{FenStyle, Position};
use aleator::rules::{KingRight, Variant, VariantError};
use aleator::types::Color;
use prover::Prover;

/// The engine's node limit for finding a mate.
const NODES: u64 = 200_000;

struct Problem {
    fen: String,
    variant: Variant,
    moves: u32,
}

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/mates.epd");

/// Returns the problems whose board is part of this build.
fn problems() -> Vec<Problem> {
    let text = std::fs::read_to_string(DATA).unwrap_or_else(|error| panic!("{DATA}: {error}"));
    let read = |line: &str| {
        let record = EpdRecord::parse(line);
        let variant = match record.operand("variant").expect(line).parse() {
            Err(VariantError::NeedsBoard10x10 { .. }) => return None,
            variant => variant.expect(line),
        };
        let moves = record.operand("dm").expect(line).parse().expect(line);
        Some(Problem { fen: record.fen, variant, moves })
    };
    text.lines().filter_map(read).collect()
}

impl Problem {
    fn position<G: Board>(&self) -> Position<G> {
        game(self.variant, &self.fen).position().clone()
    }
}

/// Returns the position of a FEN without the kings' rights.
fn without_rights<G: Board>(variant: Variant, fen: &str) -> Position<G> {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = "-";
    game(variant, &fields.join(" ")).position().clone()
}

#[test]
fn there_are_enough_problems() {
    let problems = problems();
    for &variant in Variant::ALL {
        for moves in 1..=5 {
            let fits = |p: &&Problem| p.moves == moves && p.variant == variant;
            let count = problems.iter().filter(fits).count();
            assert!(count >= 3, "{count} mates in {moves} of {variant}");
        }
    }
    let count = problems.iter().filter(|problem| problem.moves >= 2).count();
    assert!(count >= 66, "{count} mates in 2 to 5");
    let different: HashSet<_> = problems.iter().map(|problem| &problem.fen).collect();
    assert_eq!(different.len(), problems.len());
}

#[test]
fn fens_are_canonical_and_far_from_the_fifty_move_rule() {
    fn check<G: Board>(problem: &Problem) {
        let position = problem.position::<G>();
        assert_eq!(position.fen(FenStyle::XFen), problem.fen);
        assert!(u32::from(position.halfmove_clock()) + 2 * problem.moves < 100, "{}", problem.fen);
    }
    problems()
        .iter()
        .for_each(|problem| on_board!(problem.variant.rules().board, |G| check::<G>(problem)));
}

/// Checks with the prover the lengths of all mates in at most `most` moves.
fn prove(most: u32) {
    fn check<G: Board>(problem: &Problem) {
        let length = Prover::tireless().shortest_mate(&problem.position::<G>(), problem.moves);
        assert_eq!(length.unwrap(), Some(problem.moves), "{}", problem.fen);
    }
    let asked = |problem: &&Problem| problem.moves <= most;
    problems()
        .iter()
        .filter(asked)
        .for_each(|problem| on_board!(problem.variant.rules().board, |G| check::<G>(problem)));
}

#[test]
fn mates_up_to_four_have_the_proven_length() {
    prove(4);
}

#[test]
#[ignore = "takes ten seconds; `compose` has already proved these lengths"]
fn all_mates_have_the_proven_length() {
    prove(5);
}

/// Whether the side to move can force mate within `moves` moves. This function follows the definition.
fn can_mate<G: Board>(position: &Position<G>, moves: u32) -> bool {
    position.legal_moves().iter().any(|&mv| {
        let child = position.after(mv);
        let replies = child.legal_moves();
        match replies.is_empty() {
            true => child.in_check(),
            false => moves > 1 && replies.iter().all(|&r| can_mate(&child.after(r), moves - 1)),
        }
    })
}

#[test]
fn the_prover_agrees_with_the_definition() {
    fn check<G: Board>(problem: &Problem) {
        let position = problem.position::<G>();
        for moves in 1..=2 {
            let proved = Prover::tireless().can_mate(&position, moves).unwrap();
            assert_eq!(proved, can_mate(&position, moves), "{} in {moves}", problem.fen);
        }
    }
    problems()
        .iter()
        .for_each(|problem| on_board!(problem.variant.rules().board, |G| check::<G>(problem)));
}

/// In every variant with castling or relocation, some problems must depend on the right to castle or
/// relocate.
#[test]
fn some_mates_depend_on_a_right() {
    fn depends<G: Board>(problem: &Problem) -> bool {
        let position = without_rights::<G>(problem.variant, &problem.fen);
        Prover::tireless().shortest_mate(&position, problem.moves).unwrap() != Some(problem.moves)
    }
    let problems = problems();
    let with_right = |variant: &&Variant| variant.rules().right != KingRight::None;
    for &variant in Variant::ALL.iter().filter(with_right) {
        let of_variant = problems.iter().filter(|p| p.variant == variant && p.moves <= 3);
        let count =
            of_variant.filter(|p| on_board!(variant.rules().board, |G| depends::<G>(p))).count();
        assert!(count >= 3, "{count} of {variant}");
    }
}

/// The engine's result for a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Solution {
    /// The engine found the shortest mate.
    Shortest,
    /// The engine found only a longer mate.
    Longer,
    /// The engine found no mate.
    Missed,
}

/// Searches each problem with 200,000 nodes. The engine must find a mate in at least 95 % of the problems
/// with 2 to 5 moves, and the shortest mate in at least 85 %. In problems with 1 to 3 moves it must always
/// find the shortest mate. It must never claim a mate that is shorter than the shortest mate.
#[test]
fn mates_are_found_within_200_000_nodes() {
    let mut engine = Engine::start();
    engine.tell("setoption name Hash value 16");
    let solve = |problem: Problem| {
        let solution =
            on_board!(problem.variant.rules().board, |G| solve::<G>(&mut engine, &problem));
        (problem, solution)
    };
    let solved: Vec<_> = problems().into_iter().map(solve).collect();
    let report = report(&solved);
    println!("{report}");
    let count = |fits: &dyn Fn(u32, Solution) -> bool| {
        solved.iter().filter(|(problem, solution)| fits(problem.moves, *solution)).count()
    };
    let all = count(&|moves, _| moves >= 2);
    let missed = count(&|moves, solution| moves >= 2 && solution == Solution::Missed);
    let not_shortest = count(&|moves, solution| moves >= 2 && solution != Solution::Shortest);
    let short = count(&|moves, solution| moves <= 3 && solution != Solution::Shortest);
    assert_eq!(short, 0, "shortest mates in 1 to 3 are missed\n{report}");
    assert!(missed * 100 <= all * 5, "{missed} of {all} are missed\n{report}");
    assert!(not_shortest * 100 <= all * 15, "{not_shortest} of {all} not shortest\n{report}");
}

/// Returns the number of results by length of the mate, and then the problems whose shortest mate was not
/// found.
fn report(solved: &[(Problem, Solution)]) -> String {
    let by_length = (1..=5).map(|moves| {
        let count = |wanted| {
            let fits = |(p, v): &&(Problem, Solution)| p.moves == moves && *v == wanted;
            solved.iter().filter(fits).count()
        };
        let [shortest, longer, missed] =
            [Solution::Shortest, Solution::Longer, Solution::Missed].map(count);
        format!("mates in {moves}: {shortest} found, {longer} longer, {missed} missed\n")
    });
    let others = solved.iter().filter(|(_, solution)| *solution != Solution::Shortest);
    let others = others.map(|(p, solution)| {
        format!("{solution:?}: mate in {} of {}: {}\n", p.moves, p.variant, p.fen)
    });
    by_length.chain(others).collect()
}

/// Clears the tables and lets the engine search for a mate. Every mate that the engine reports must exist.
fn solve<G: Board>(engine: &mut Engine, problem: &Problem) -> Solution {
    engine.tell(&format!("setoption name UCI_Variant value {}", problem.variant));
    engine.tell("ucinewgame");
    engine.tell(&format!("position fen {}", problem.fen));
    let search = engine.go(&format!("go nodes {NODES} mate {}", problem.moves));
    check::<G>(problem, &search);
    let score = search.last().score;
    if score == Score::Mate(problem.moves as i32) && problem.moves <= 2 {
        // A deeper search must have the same score.
        let longer = engine.go(&format!("go depth {}", 2 * problem.moves + 4));
        assert_eq!(longer.last().score, score, "{}: {longer:#?}", problem.fen);
    }
    match score {
        Score::Mate(moves) if moves == problem.moves as i32 => Solution::Shortest,
        Score::Mate(moves) if moves > 0 => Solution::Longer,
        _ => Solution::Missed,
    }
}

/// Checks that the search did not report a mate shorter than the shortest mate, and that the best move leads
/// to the mate.
fn check<G: Board>(problem: &Problem, search: &Search) {
    let game = game::<G>(problem.variant, &problem.fen);
    judge(&game, search, false);
    let moves = problem.moves as i32;
    for info in search.infos.iter().filter(|info| info.bound.as_deref() != Some("upperbound")) {
        let claimed = matches!(info.score, Score::Mate(n) if n > 0 && n < moves);
        assert!(!claimed, "there is no mate this short in {}: {info:?}", problem.fen);
    }
    if search.last().score != Score::Mate(moves) {
        return;
    }
    if moves <= 3 {
        let best = notation::parse_uci(game.position(), &search.best).expect("a legal move");
        let lost = Prover::tireless().is_lost(&game.position().after(best), problem.moves - 1);
        assert!(lost.unwrap(), "{} does not mate: {}", search.best, problem.fen);
    }
    let mut end = game.clone();
    search.last().pv.iter().for_each(|mv| play(&mut end, mv, false));
    if search.last().pv.len() as i32 == 2 * moves - 1 {
        let mate = Termination::Mate(game.position().side_to_move());
        assert_eq!(end.termination(), Some(mate), "{search:#?}");
    }
}

/// Searches the position after the given moves from a FEN.
fn search_after(fen: &str, moves: &str, go: &str) -> Search {
    let mut game = game::<Board8x8>(Variant::Chess, fen);
    moves.split_whitespace().for_each(|mv| play(&mut game, mv, false));
    let mut engine = Engine::with(&[&format!("position fen {fen} moves {moves}")]);
    let search = engine.go(go);
    judge(&game, &search, false);
    search
}

#[test]
fn perpetual_check_saves_a_lost_game() {
    // Black threatens mate by Ra1 and more. White has a perpetual check with the queen on e8 and h5.
    let fen = "6k1/6p1/8/7p/4Q3/7n/rr5p/7K w - - 0 1";
    let search = search_after(fen, "", "go depth 12");
    assert_eq!(search.last().score, Score::Cp(0), "{search:#?}");
    assert_eq!(search.best, "e4e8", "{search:#?}");
}

#[test]
fn a_third_repetition_saves_the_weaker_side() {
    // Both sides have moved back and forth. The move Ke1 reaches the same position for the third time.
    let fen = "r3k3/8/8/8/8/8/8/4K3 b - - 0 1";
    let moves = "a8b8 e1d1 b8a8 d1e1 a8b8 e1d1 b8a8";
    let search = search_after(fen, moves, "go depth 8");
    assert_eq!((search.last().score, &*search.best), (Score::Cp(0), "d1e1"), "{search:#?}");
    // If the earlier moves are unknown, the position is lost.
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
    // After any move except a pawn move, Black's reply completes the fifty moves.
    let search = search_after("8/8/8/4k3/8/8/R5P1/6K1 w - - 98 90", "", "go depth 6");
    assert!(search.best.starts_with("g2g"), "{search:#?}");
    assert!(matches!(search.last().score, Score::Cp(200..) | Score::Mate(1..)), "{search:#?}");
    // Without the pawn the position is a draw, and the score must be 0.
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
    // Black's reply is the hundredth ply, so the mate would come too late.
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
        let mut game = game::<Board8x8>(Variant::Chess, fen);
        let mut moves = String::new();
        while game.termination().is_none() {
            engine.tell(&format!("position fen {fen} moves {moves}"));
            let search = engine.go("go nodes 20000");
            judge(&game, &search, false);
            play(&mut game, &search.best, false);
            moves = format!("{moves} {}", search.best);
        }
        assert_eq!(game.termination(), Some(Termination::Mate(Color::White)), "{fen}: {moves}");
    }
}
