//! Tests of `info` lines, principal variations, MultiPV and best moves, which are checked against the
//! library's rules.

use aleator::geometry::{Board, Board8x8, Board10x10};
use aleator::rules::Variant;

use crate::harness::game::{game, judge, play};
use crate::harness::info::{Score, Search};
use crate::harness::{Engine, has_10x10};

const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2r2knr/pb1q1p2/nppp2p1/4p1bp/PP2P3/2P2PP1/B2PN2P/BNRQ1K1R w HChc - 9 21",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    // The following positions are close to mate, stalemate or a draw.
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/5k2/5p2/5K2 b - - 0 1",
    "8/8/4k3/8/8/3RK3/8/8 w - - 94 80",
    "8/8/4k3/8/2p5/3RK3/8/8 b - - 99 80",
    "6k1/5ppp/8/8/8/8/q7/4Q2K w - - 0 1",
    "kr6/8/8/8/8/8/7q/7K w - - 0 1",
];

const LARGE_FENS: &[&str] = &[
    "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - 0 1",
    "5bn3/2r2k1r2/2n1p2p2/3p1p1qp1/1pp1b1P3/1B2P3P1/1P1P1BQ2N/2P2PP3/2R2K1R2/5N4 w KQkq - 1 20",
    "10/10/10/10/4k5/10/4p5/4K5/10/10 w - - 97 60",
    "k9/10/1QK7/10/10/10/10/10/10/10 w - - 0 1",
];

/// Runs a test in every position of both boards. The test receives the engine, the FEN, and a function that
/// checks a search.
fn for_all(mut test: impl FnMut(&mut Engine, &str, &dyn Fn(&Search))) {
    let mut engine = Engine::start();
    for fen in FENS {
        run_test::<Board8x8>(&mut engine, Variant::Chess, fen, &mut test);
    }
    if let Ok(ifrc) = "ifrc".parse() {
        engine.tell("setoption name UCI_Variant value ifrc");
        for fen in LARGE_FENS {
            run_test::<Board10x10>(&mut engine, ifrc, fen, &mut test);
        }
    }
    engine.quit();
}

fn run_test<G: Board>(
    engine: &mut Engine,
    variant: Variant,
    fen: &str,
    test: &mut impl FnMut(&mut Engine, &str, &dyn Fn(&Search)),
) {
    let game = game::<G>(variant, fen);
    engine.tell(&format!("position fen {fen}"));
    test(engine, fen, &|search| judge(&game, search, false));
}

#[test]
fn every_info_line_is_complete_and_every_pv_legal() {
    for_all(|engine, fen, judge| {
        let search = engine.go("go depth 9");
        judge(&search);
        let mut last_time = 0;
        let mut last_nodes = 0;
        for info in &search.infos {
            let text = format!("{fen}: {info:?}");
            assert!((1..=9).contains(&info.depth), "{text}");
            assert!(info.seldepth.expect("seldepth") >= 1, "{text}");
            assert_eq!(info.multipv, Some(1), "{text}");
            let (nodes, time) = (info.nodes.expect("nodes"), info.time.expect("time"));
            assert!(nodes >= last_nodes && nodes > 0, "{text}");
            assert!(time >= last_time, "{text}");
            (last_nodes, last_time) = (nodes, time);
            // The engine computes `nps` from a clock finer than the milliseconds shown, so allow a
            // difference.
            let nps = info.nps.expect("nps");
            assert!(nps >= 900 * nodes / (time + 1), "{text}");
            assert!(time < 50 || nps <= 1_100 * nodes / time, "{text}");
            assert!(info.hashfull.expect("hashfull") <= 1_000, "{text}");
            assert_eq!(info.tbhits, Some(0), "{text}");
            assert_eq!((info.wdl, &info.bound), (None, &None), "{text}");
            if let Score::Cp(value) = info.score {
                assert!(value.abs() < 31_000, "{text}");
            }
        }
    });
}

#[test]
fn pvs_are_legal_however_the_search_ends() {
    for threads in [1, 3] {
        for_all(|engine, _, judge| {
            engine.tell(&format!("setoption name Threads value {threads}"));
            for go in ["go nodes 3000", "go nodes 17171", "go movetime 30", "go wtime 300"] {
                judge(&engine.go(go));
            }
            engine.send("go infinite");
            judge(&engine.stop_at_depth(3));
        });
    }
}

#[test]
fn multipv_lines_come_in_order() {
    for_all(|engine, fen, judge| {
        for lines in [2, 4, 256] {
            engine.tell(&format!("setoption name MultiPV value {lines}"));
            let go = if lines == 256 { "go depth 4" } else { "go nodes 30000" };
            let search = engine.go(go);
            judge(&search);
            check_lines(fen, &search, lines);
        }
        engine.tell("setoption name MultiPV value 1");
    });
}

/// Checks MultiPV sets. The lines of a set must be numbered, have equal depths, exact scores in descending
/// order, and different first moves. A set must have the requested number of lines, or one line for each
/// legal move.
fn check_lines(fen: &str, search: &Search, wanted: usize) {
    let mut sets: Vec<Vec<_>> = Vec::new();
    for info in &search.infos {
        if info.multipv == Some(1) {
            sets.push(Vec::new());
        }
        sets.last_mut().expect("line 1 comes first").push(info);
    }
    for set in &sets {
        assert_eq!(set.len(), sets[0].len(), "{fen}: sets of different size");
        assert!(set.len() <= wanted, "{fen}");
        let rank = |score| match score {
            Score::Cp(value) => value,
            Score::Mate(moves) if moves > 0 => 100_000 - moves,
            Score::Mate(moves) => -100_000 - moves,
        };
        for (index, info) in set.iter().enumerate() {
            let text = format!("{fen}: {set:#?}");
            assert_eq!(info.multipv, Some(index as u32 + 1), "{text}");
            assert_eq!(info.depth, set[0].depth, "{text}");
            assert_eq!(info.bound, None, "{text}");
            if index > 0 {
                assert!(rank(info.score) <= rank(set[index - 1].score), "{text}");
            }
            let same = set.iter().filter(|other| other.pv[0] == info.pv[0]).count();
            assert_eq!(same, 1, "{text}");
        }
    }
    if wanted == 256 {
        let legal = count_legal_moves(fen);
        assert_eq!(sets[0].len(), legal, "{fen}: a line for every legal move");
    }
}

fn count_legal_moves(fen: &str) -> usize {
    if LARGE_FENS.contains(&fen) {
        return game::<Board10x10>(Variant::Chess, fen).position().legal_moves().len();
    }
    game::<Board8x8>(Variant::Chess, fen).position().legal_moves().len()
}

#[test]
fn without_a_legal_move_the_best_move_is_none() {
    let mut engine = Engine::start();
    let mut cases = vec![
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "info depth 0 score mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
        // Mate on the hundredth ply takes precedence over the draw.
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", "info depth 0 score mate 0"),
    ];
    for turn in 0..2 {
        for (fen, info) in &cases {
            engine.tell(&format!("position fen {fen}"));
            for go in ["go depth 5", "go nodes 100", "go movetime 20", "go wtime 100", "go mate 1"]
            {
                engine.send(go);
                let lines = engine.lines_until(|line| line.starts_with("bestmove"));
                assert_eq!(lines, [*info, "bestmove (none)"], "{fen} {go}");
            }
        }
        if turn == 0 && has_10x10() {
            engine.tell("setoption name UCI_Variant value ifrc");
            cases = vec![
                ("k9/1Q8/2K7/10/10/10/10/10/10/10 b - - 0 1", "info depth 0 score mate 0"),
                ("k9/2Q7/2K7/10/10/10/10/10/10/10 b - - 0 1", "info depth 0 score cp 0"),
            ];
        }
    }
}

#[test]
fn positions_already_drawn_still_get_a_move() {
    for fen in ["8/8/4k3/8/8/3RK3/8/8 w - - 100 80", "8/8/4k3/8/8/3K4/8/8 w - - 0 1"] {
        let mut engine = Engine::with(&[&format!("position fen {fen}")]);
        let search = engine.go("go depth 4");
        assert_ne!(search.best, "(none)");
        assert_eq!(search.last().score, Score::Cp(0), "{search:#?}");
    }
}

#[test]
fn a_third_repetition_ends_the_pv() {
    // Black is far behind and has been giving perpetual check. The `position` command includes the moves so
    // far.
    let fen = "6k1/5ppp/8/8/8/8/5PPP/QQ1q2K1 w - - 0 1";
    let moves = "b1d1 g8f8 d1b1 f8g8 b1d1 g8f8 d1b1";
    let mut game = game::<Board8x8>(Variant::Chess, fen);
    moves.split(' ').for_each(|mv| play(&mut game, mv, false));
    let mut engine = Engine::with(&[&format!("position fen {fen} moves {moves}")]);
    for depth in 1..=8 {
        judge(&game, &engine.go(&format!("go depth {depth}")), false);
    }
}
