//! The umpire of set-ups, `aleator setup`, played through scripts on standard input.

use std::io::Write;
use std::process::{Command, Stdio};

use aleator::geometry::Board8x8;
use aleator::position::Position;
use aleator::rules::Variant;

/// What the umpire says to these answers, a line each.
fn play(arguments: &[&str], answers: &[&str]) -> String {
    let mut umpire = Command::new(env!("CARGO_BIN_EXE_aleator"))
        .arg("setup")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = umpire.stdin.take().unwrap();
    // The umpire may be done before it has read all.
    let _ = input.write_all((answers.join("\n") + "\n").as_bytes());
    drop(input);
    let output = umpire.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?} {answers:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The FEN that the umpire ends with.
fn fen(said: &str) -> &str {
    let (_, rest) = said.rsplit_once("FEN:\n").unwrap_or_else(|| panic!("no FEN in\n{said}"));
    rest.lines().next().unwrap()
}

/// The six rolls of a single die of the inventor's example.
const ROOT: [&str; 6] = ["1", "2", "2", "3", "3", "5"];

#[test]
fn the_inventors_example_of_fischer_benko() {
    let turns =
        ["R@h1", "N@e8", "N@d1", "Ra8", "N@a1", "N@h8", "K@f1+Q@g1", "Q@b8"].map(str::to_owned);
    let answers: Vec<&str> = ROOT.iter().copied().chain(turns.iter().map(String::as_str)).collect();
    let said = play(&["fischerbenko", "--dice", "typed"], &answers);
    assert_eq!(fen(&said), "rqbknbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w HEga - 0 5");
    assert!(
        said.contains("1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8"),
        "{said}"
    );
    // The game that follows is Chess960, which GUIs know.
    assert!(said.contains("[Variant \"Chess960\"]") && said.contains("[SetUp \"1\"]"));
}

#[test]
fn wrong_answers_are_explained_and_asked_again() {
    let mut answers = vec!["7", "x", "", "6", "1", "2", "2", "3", "3", "5"];
    answers.extend(["K@a1", "R@e1", "B@a1", "hello", "R@h9", "?", "R@h1"]);
    let said = play(&["fischerbenko", "--dice", "typed"], &answers);
    // A 6 has no square of a bishop's colour; what is no roll is explained.
    assert!(said.contains("roll again"), "{said}");
    for complaint in ["K@a1", "already a rook", "no bishop in hand", "'hello'", "R@h9"] {
        assert!(said.contains(complaint), "{complaint} in\n{said}");
    }
    assert!(said.contains("What you can type"), "{said}");
    // The end of the input leaves with what was reached.
    let reached = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R2R[KQNNkqrnn] b - - 0 1";
    assert_eq!(fen(&said), reached);
    assert!(said.contains("So far"), "{said}");
}

#[test]
fn undo_takes_back_the_last_answer_again_and_again() {
    let mut answers = ROOT.to_vec();
    answers.extend(["R@h1", "N@e8", "undo", "undo", "N@a1", "quit"]);
    let said = play(&["fischerbenko", "--dice", "typed"], &answers);
    let reached = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/NBB1R3[KQRNkqrnn] b - - 0 1";
    assert_eq!(fen(&said), reached, "{said}");
    // More than there is to take back is no harm.
    let said = play(&["fischerbenko", "--dice", "typed"], &["undo", "1", "undo", "undo", "quit"]);
    assert!(said.contains("8/pppppppp") || said.contains("in hand"), "{said}");
}

/// Rolls and choices that fill White's rank with the classical array.
const CLASSICAL: [&str; 14] =
    ["6 1", "R", "6 2", "N", "6 3", "Bc1", "6 4", "Q@d1", "6 1", "K", "6 3", "B", "6 2", "N"];

#[test]
fn the_mediator_of_jepps() {
    let set_up = |rest: &[&str]| {
        let answers: Vec<&str> = CLASSICAL.iter().chain(rest).copied().collect();
        play(&["jepps", "--dice", "typed"], &answers)
    };
    let said = set_up(&["2 4"]);
    assert_eq!(fen(&said), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk - 0 9");
    assert!(said.contains("Ra1, Nb1, Bc1, Qd1, Ke1, Bf1, Ng1, Rh1\nMirror"), "{said}");
    let said = set_up(&["5 3"]);
    assert_eq!(fen(&said), "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk - 0 9");
    assert!(said.contains("\nReverse"), "{said}");
    // A double may be kept or rolled again.
    let said = set_up(&["4 4", "keep"]);
    assert!(said.contains("\nMirror"), "{said}");
    let said = set_up(&["4 4", "again", "1 3"]);
    assert!(said.contains("\nReverse"), "{said}");
    // One of each: Black has its own dice, and sets up its own array.
    let said = set_up(&["1 2", "6 1", "K", "6 2", "N", "quit"]);
    assert!(fen(&said).starts_with("kn6/pppppppp"), "{said}");
}

#[test]
fn the_engine_sets_up_both_sides_and_the_seed_decides_the_dice() {
    for variant in ["fischerbenko", "transcendental", "jepps"] {
        let both = ["--white", "engine", "--black", "engine", "--depth", "0"];
        for seed in ["1", "2", "3"] {
            let arguments: Vec<&str> =
                [variant].into_iter().chain(both).chain(["--seed", seed]).collect();
            let said = play(&arguments, &[]);
            assert_eq!(said, play(&arguments, &[]), "{variant} {seed}");
            let rules = variant.parse::<Variant>().unwrap().rules();
            Position::<Board8x8>::from_fen(fen(&said), rules.right).unwrap();
            assert!(said.contains("The set-up is over"), "{said}");
        }
    }
}

#[test]
fn free_play_and_pre_chess() {
    let free = ["jepps", "--free-play", "--white", "engine", "--black", "engine", "--depth", "0"];
    let arguments: Vec<&str> = free.into_iter().chain(["--seed", "5"]).collect();
    let said = play(&arguments, &[]);
    Position::<Board8x8>::from_fen(fen(&said), Variant::Jepps.rules().right).unwrap();
    assert!(said.contains("i. ") && said.contains("viii. "), "{said}");
    let said = play(&["placement"], &["K@e1", "K@e8", "R@h1", "B@a8", "quit"]);
    assert!(fen(&said).starts_with("b3k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R["), "{said}");
}

#[test]
fn a_variant_without_a_set_up_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_aleator"))
        .args(["setup", "chess"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("chess") && said.contains("fischerbenko"), "{said}");
}
