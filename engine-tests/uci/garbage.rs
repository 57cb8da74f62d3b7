//! Tests of input that is not a command. It must neither end the program nor change the program's state.

use crate::harness::{Engine, pick};
use aleator::random::Rng;

#[test]
fn unknown_commands_are_named() {
    let mut engine = Engine::start();
    for line in
        ["xyzzy", "hello world", "UCI", "Go depth 3", "position_startpos", "uciok", "\u{1b}[2J"]
    {
        let remark = engine.refusal(line);
        assert!(remark.contains("unknown command") && remark.contains("help"), "{remark}");
        assert!(!remark.contains('\u{1b}'), "escape sequences are not repeated: {remark:?}");
    }
    // As the UCI specification demands, unknown words before a command are skipped.
    assert_eq!(engine.ask("joho debug on"), [""; 0]);
    assert!(engine.ask("please d").iter().any(|line| line.starts_with("Fen: ")));
}

#[test]
fn invalid_utf8_is_survived() {
    let mut engine = Engine::start();
    let before = engine.ask("d");
    for bytes in [
        &b"\xff\xfe\xfd\n"[..],
        b"\0\0\0\n",
        b"posi\0tion startpos\n",
        b"position fen \xc3\x28\x80 w - - 0 1\n",
        b"setoption name \xf0\x28 value \xff\n",
        b"go depth \xe2\x82\n",
        b"\x1b]0;title\x07\n",
        b"\r\r\r\n",
        b"\xef\xbb\xbf\n",
    ] {
        engine.send_bytes(bytes);
        for remark in engine.sync() {
            // The `position` command before this `go` was rejected, so the best move is `(none)`.
            let is_answer = bytes.starts_with(b"go ") && remark == "bestmove (none)";
            assert!(is_answer || remark.starts_with("info string "), "{bytes:?}: {remark:?}");
        }
    }
    assert_eq!(engine.ask("d"), before);
    engine.quit();
}

#[test]
fn lines_of_a_megabyte_and_more_are_survived() {
    let mut engine = Engine::start();
    let before = engine.ask("d");
    let million = 1 << 20;
    for line in [
        "x".repeat(million),
        "x ".repeat(million / 2),
        format!("position startpos moves{}", " e2e4".repeat(million / 5)),
        format!("position fen {}", "8/".repeat(million / 2)),
        format!("position fen {} w - - 0 1", "1".repeat(million)),
        format!("setoption name {} value 3", "Hash ".repeat(million / 5)),
        format!("setoption name Hash value {}", "9".repeat(million)),
        "y".repeat(40 * million),
    ] {
        let remark = engine.refusal(&line);
        assert!(remark.len() < 1_000, "{} bytes of answer", remark.len());
    }
    assert_eq!(engine.ask("d"), before);
    engine.tell("position startpos");
    let search = engine.go(&format!("go depth {}x", "9".repeat(million)));
    assert!(search.best != "(none)" && search.remarks[0].len() < 1_000, "{search:#?}");
    // The number of remarks about wrong moves is limited.
    let search = engine.go(&format!("go depth 1 searchmoves{}", " e2e5".repeat(million / 5)));
    assert!((1..20).contains(&search.remarks.len()), "{search:#?}");
    let many = format!("go depth 2 searchmoves{}", " e2e4".repeat(million / 5));
    assert_eq!(engine.go(&many).best, "e2e4");
    engine.quit();
}

/// Sends commands, options, numbers and nonsense in random order. Afterwards the engine must still answer
/// `isready`, search, and quit. It must not write anything to stderr.
#[test]
fn random_words_are_survived() {
    const WORDS: &str = "\
        uci ucinewgame setoption position go stop ponderhit debug d eval flip compiler name \
        value Hash MultiPV UCI_Variant chess chess960 ifrc jepps UCI_Chess960 UCI_ShowWDL \
        UCI_LimitStrength UCI_Elo true false startpos fen moves depth nodes movetime wtime \
        btime winc binc movestogo mate infinite ponder searchmoves e2e4 e7e5 g1f3 b8c6 e1g1 \
        e1h1 O-O a7a8q c3c4 4k3/8/8/8/8/8/8/4K2R 9k/10/10/10/10/10/10/10/5K2R1/10 w b KQkq \
        - on 0 1 2 3 800 -1 4294967296 99999999999999999999 \u{fffd} \0";
    let words: Vec<&str> = WORDS.split(' ').collect();
    let mut random = Rng::new(0x5eed);
    let mut engine = Engine::start();
    for round in 0..400 {
        for _ in 0..10 {
            let count = 1 + random.below(7);
            let mut line: Vec<&str> = (0..count).map(|_| *pick(&mut random, &words)).collect();
            // Half of the lines begin with a command.
            if random.below(2) == 0 {
                line.insert(0, words[random.below(12) as usize]);
            }
            engine.send(&line.join(" "));
        }
        engine.send("stop");
        engine.sync();
        if round % 100 == 99 {
            // Reset these options from time to time, because a large table or many lines would slow down the
            // test.
            engine.send("setoption name Hash value 1");
            engine.send("setoption name MultiPV value 1");
        }
    }
    engine.settle();
    engine.send("setoption name UCI_LimitStrength value false");
    engine.send("setoption name UCI_Variant value chess960");
    engine.send("setoption name UCI_Variant value chess");
    engine.send("position startpos");
    engine.sync();
    let search = engine.go("go depth 3");
    assert_eq!(search.last().pv[0], search.best);
    engine.quit();
}
