//! Tests of `setoption` with valid and invalid values, and of the effect of each option.

use crate::harness::info::{Score, Search};
use crate::harness::{Engine, has_10x10};

fn declarations() -> Vec<String> {
    Engine::with(&["uci"]).lines_until(|line| line == "uciok")
}

#[test]
fn every_option_is_declared() {
    let lines = declarations();
    let declared = |text: &str| {
        assert!(lines.iter().any(|line| line.starts_with(text)), "no '{text}' in {lines:#?}");
    };
    declared("option name Hash type spin default 16 min 1 max ");
    declared("option name Clear Hash type button");
    declared("option name Threads type spin default 1 min 1 max 1024");
    declared("option name Ponder type check default false");
    declared("option name MultiPV type spin default 1 min 1 max 256");
    declared("option name UCI_Chess960 type check default false");
    declared("option name UCI_Variant type combo default chess var chess var chess960");
    declared("option name UCI_ShowWDL type check default false");
    declared("option name UCI_AnalyseMode type check default false");
    declared("option name UCI_LimitStrength type check default false");
    declared("option name UCI_Elo type spin default ");
    declared("option name Move Overhead type spin default ");
    declared("option name UCI_EngineAbout type string default Aleator");
    declared("option name SyzygyPath type string default <empty>");
    declared("option name SyzygyProbeDepth type spin default 1 min 1 max 100");
    declared("option name Syzygy50MoveRule type check default true");
    declared("option name SyzygyProbeLimit type spin default 7 min 0 max 7");
    let variants = lines.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    assert_eq!(variants.contains(" var ifrc"), has_10x10(), "{variants}");
    for alias in ["standard", "normal", "fischerandom"] {
        assert!(!variants.contains(alias), "GUIs misbehave on a listed alias: {variants}");
    }
}

#[test]
fn valid_values_are_accepted_silently() {
    let mut engine = Engine::start();
    for option in [
        "Hash value 1",
        "Hash value 8",
        "hash value 8",
        "Clear Hash",
        "clear hash value whatever",
        "Threads value 3",
        "Threads value 1",
        "Ponder value true",
        "Ponder value FALSE",
        "MultiPV value 256",
        "MULTIPV value 1",
        "UCI_Chess960 value true",
        "UCI_Chess960 value false",
        "UCI_Variant value chess960",
        "UCI_Variant value chess",
        "UCI_ShowWDL value true",
        "UCI_AnalyseMode value true",
        "UCI_LimitStrength value true",
        "UCI_Elo value 1500",
        "Move Overhead value 0",
        "Move  Overhead value 5000",
        "UCI_EngineAbout value anything at all",
    ] {
        engine.tell(&format!("setoption name {option}"));
    }
    engine.go("go depth 3");
    engine.quit();
}

/// Returns the parts of the output of a search that do not depend on time.
fn essence(search: &Search) -> Vec<String> {
    let lines = search.infos.iter().map(|info| {
        format!("{} {:?} {:?} {:?} {:?}", info.depth, info.score, info.nodes, info.wdl, info.pv)
    });
    lines.chain([search.best.clone()]).collect()
}

#[test]
fn invalid_values_are_rejected_and_change_nothing() {
    let expected = essence(&Engine::start().go("go depth 7"));
    let mut engine = Engine::start();
    for (option, hint) in [
        ("Hash value 0", "from 1 to"),
        ("Hash value -5", "from 1 to"),
        ("Hash value 99999999999999999999", "from 1 to"),
        ("Hash value 18446744073709551615", "from 1 to"),
        ("Hash value lots", "'lots'"),
        ("Hash value 1.5", "'1.5'"),
        ("Hash value", "needs a value"),
        ("Hash", "write 'setoption name Hash value <value>'"),
        ("Threads value 0", "from 1 to 1024"),
        ("Threads value 1025", "from 1 to 1024"),
        ("Threads value two", "'two'"),
        ("MultiPV value 0", "from 1 to 256"),
        ("MultiPV value 257", "from 1 to 256"),
        ("MultiPV value 3x", "'3x'"),
        ("UCI_Chess960 value 1", "'true' or 'false'"),
        ("UCI_Chess960 value yes", "'yes'"),
        ("UCI_ShowWDL value", "needs a value"),
        ("UCI_AnalyseMode value on", "'on'"),
        ("Ponder value maybe", "'maybe'"),
        ("UCI_LimitStrength value 17", "'17'"),
        ("UCI_Elo value 0", "whole number"),
        ("UCI_Elo value 9999", "whole number"),
        ("UCI_Variant value losers", "chess960"),
        ("UCI_Variant value", "needs a value"),
        ("Move Overhead value -1", "from 0 to 5000"),
        ("Move Overhead value 5001", "from 0 to 5000"),
        ("MoveOverhead value 10", "Move Overhead"),
        ("NoSuchOption value 3", "'NoSuchOption'"),
        ("Contempt", "'Contempt'"),
        ("Hash \u{1}\u{202e} value 3", "no option"),
    ] {
        let remark = engine.refusal(&format!("setoption name {option}"));
        assert!(remark.contains(hint), "{option}: {remark}");
    }
    for form in ["setoption", "setoption name", "setoption Hash 3", "setoption name value 3"] {
        assert!(engine.refusal(form).contains("setoption"), "{form}");
    }
    assert_eq!(essence(&engine.go("go depth 7")), expected);
}

#[test]
fn wdl_is_shown_on_request_and_adds_up() {
    let mut engine = Engine::start();
    assert!(engine.go("go depth 4").infos.iter().all(|info| info.wdl.is_none()));
    engine.tell("setoption name UCI_ShowWDL value true");
    engine.tell("position fen 4k3/8/8/8/8/8/4q3/4K2R w - - 0 1");
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/qq2K3 w - - 0 1",
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        "8/8/8/8/8/5k2/4p3/4K3 w - - 0 1",
    ];
    for fen in fens {
        engine.tell(&format!("position fen {fen}"));
        for info in engine.go("go depth 6").infos {
            let [win, draw, loss] = info.wdl.unwrap_or_else(|| panic!("no wdl: {info:?}"));
            assert_eq!(win + draw + loss, 1000, "{info:?}");
            match info.score {
                Score::Mate(moves) if moves > 0 => assert_eq!(win, 1000, "{info:?}"),
                Score::Mate(_) => assert_eq!(loss, 1000, "{info:?}"),
                Score::Cp(value) if value > 0 => assert!(win >= loss, "{info:?}"),
                Score::Cp(value) if value < 0 => assert!(loss >= win, "{info:?}"),
                // The score is 0, so wins and losses may differ only by rounding, up to 3.
                Score::Cp(_) => assert!(win.abs_diff(loss) <= 3, "{info:?}"),
            }
        }
    }
    engine.tell("setoption name UCI_ShowWDL value false");
    assert!(engine.go("go depth 4").infos.iter().all(|info| info.wdl.is_none()));
}

#[test]
fn the_hash_table_can_be_resized_and_cleared() {
    let mut engine = Engine::start();
    let first = essence(&engine.go("go depth 8"));
    let again = engine.go("go depth 8");
    assert_ne!(essence(&again), first, "a filled table changes the count of nodes");
    for size in ["1", "64", "3", "16"] {
        engine.tell(&format!("setoption name Hash value {size}"));
        engine.go("go nodes 20000");
    }
    engine.tell("ucinewgame");
    assert_eq!(essence(&engine.go("go depth 8")), first);
    // After `Clear Hash` the table is nearly empty at the first report.
    engine.tell("setoption name Hash value 1");
    let full = engine.go("go nodes 200000").last().hashfull.unwrap();
    engine.tell("setoption name Clear Hash");
    let emptied = engine.go("go depth 1").last().hashfull.unwrap();
    assert!(full > 100 && emptied < 50, "hashfull {full}, then {emptied}");
}

/// A hash table of the largest declared size must be rejected: the size is the whole memory of the machine,
/// part of which is in use.
#[cfg(target_os = "linux")]
#[test]
fn a_hash_table_that_does_not_fit_is_rejected() {
    let lines = declarations();
    let hash = lines.iter().find(|line| line.starts_with("option name Hash ")).unwrap();
    let most = hash.rsplit(' ').next().unwrap();
    let mut engine = Engine::start();
    let first = essence(&engine.go("go depth 6"));
    let remark = engine.refusal(&format!("setoption name Hash value {most}"));
    assert!(remark.contains(most) && remark.contains("MiB"), "{remark}");
    engine.tell("ucinewgame");
    assert_eq!(essence(&engine.go("go depth 6")), first, "the old table stays");
}

#[test]
fn several_threads_search() {
    let mut engine = Engine::start();
    for threads in [2, 4, 1, 2] {
        engine.tell(&format!("setoption name Threads value {threads}"));
        engine.tell("position startpos moves e2e4 c7c5");
        let search = engine.go("go depth 8");
        assert!(search.last().depth >= 8, "{search:#?}");
        engine.go("go movetime 50");
        let search = engine.go("go nodes 30000");
        // The number of nodes is not exact, because the threads' nodes are summed only at intervals.
        assert!((29_000..=31_000).contains(&search.nodes()), "{search:#?}");
    }
    engine.quit();
}

#[test]
fn limited_strength_searches_few_nodes_and_leaves_no_trace() {
    let fen = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut engine = Engine::with(&[fen]);
    let strong = engine.go("go depth 1").last().score;
    engine.tell("ucinewgame");
    engine.tell("setoption name UCI_LimitStrength value true");
    engine.tell("setoption name UCI_Elo value 1000");
    let weak = engine.go("go depth 20");
    assert!(weak.nodes() < 5_000, "{weak:#?}");
    engine.tell("setoption name UCI_Elo value 2600");
    assert!(engine.go("go depth 20").nodes() > weak.nodes());
    engine.tell("setoption name UCI_Elo value 1000");
    engine.go("go depth 20");
    engine.tell("setoption name UCI_LimitStrength value false");
    // The errors that a weak player adds to evaluations must not stay in the hash table.
    assert_eq!(engine.go("go depth 1").last().score, strong);
}

/// Returns the scores that a weak player gives to some positions.
fn scores(engine: &mut Engine) -> Vec<Score> {
    let moves = ["", " moves e2e4", " moves e2e4 e7e5", " moves d2d4", " moves d2d4 d7d5 c2c4"];
    let think = |moves: &&str| {
        engine.tell(&format!("position startpos{moves}"));
        engine.go("go depth 1").last().score
    };
    moves.iter().map(think).collect()
}

#[test]
fn weak_play_errs_differently_in_each_game() {
    let weak = ["setoption name UCI_Elo value 800", "setoption name UCI_LimitStrength value true"];
    let mut engine = Engine::with(&weak);
    let first = scores(&mut engine);
    engine.tell("ucinewgame");
    let second = scores(&mut engine);
    assert_ne!(first, second, "another game");
    assert_ne!(first, scores(&mut Engine::with(&weak)), "another session");
    // With the same seed, the errors must be the same in the first and in the second game.
    let mut games = Vec::new();
    for _ in 0..2 {
        engine.tell("setoption name Skill Seed value 7");
        games.push(scores(&mut engine));
        engine.tell("ucinewgame");
        games.push(scores(&mut engine));
    }
    assert!(games[0] == games[2] && games[1] == games[3] && games[0] != games[1], "{games:?}");
    assert!(!declarations().iter().any(|line| line.contains("Skill Seed")));
}

#[test]
fn a_beginner_overlooks_mates_in_one_and_free_pieces() {
    for (fen, best) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
        ("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1", "f3h4"),
    ] {
        let position = format!("position fen {fen}");
        let limit = "setoption name UCI_LimitStrength value true";
        let mut engine = Engine::with(&[limit, &position]);
        let mut found = |elo: u32| {
            engine.tell(&format!("setoption name UCI_Elo value {elo}"));
            let is_found = |seed: &u32| {
                engine.tell(&format!("setoption name Skill Seed value {seed}"));
                engine.go("go depth 20").best == best
            };
            (1..=20).filter(is_found).count()
        };
        let beginner = found(400);
        assert!(beginner < 15, "{fen}: {beginner}");
        assert_eq!(found(800), 20, "{fen}");
    }
}

#[test]
fn move_overhead_is_subtracted_from_the_clock() {
    let mut engine = Engine::with(&["setoption name Move Overhead value 5000"]);
    let search = engine.go("go wtime 4900 btime 4900");
    assert!(search.last().time.unwrap() < 1_500, "{search:#?}");
}
