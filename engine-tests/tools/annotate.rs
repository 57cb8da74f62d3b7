//! Tests of `aleator annotate` and `aleator puzzles`: the output, which must be the same if the games are
//! divided into parts.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use aleator::game::Step;
use aleator::pgn::{PgnGame, PgnReader};

use crate::harness::command::piped;

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n\
    {before} 1. e4 e5 2. Nf3 d6 3. Bc4 h6 {[%clk 0:01:00] slow} 4. Nc3 Bg4 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n\n\
    [White \"broken\"]\n\n1. e4 e5 2. Ke3 *\n\n\
    [Variant \"Chess960\"]\n[FEN \"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1\"]\n\n\
    1. d4 d5 (1... f5) 2. c3 Nb6 1/2-1/2\n\n\
    [Variant \"jepps\"]\n[FEN \"8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1\"]\n\n\
    1. N@a1 B@b1 K@c1 R@d1 B@e1 Q@f1 N@g1 R@h1 Mirror 9. e4 e5 10. d4 *\n\n\
    [White \"nobody\"]\n\n*\n\n";

fn annotate(folder: &Path, arguments: &str) -> Output {
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    run(folder, arguments)
}

fn run(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_aleator"))
        .args(["annotate", "games.pgn", "--nodes", "800", "--hash", "1"])
        .args(shlex::split(arguments).unwrap())
        .current_dir(folder)
        .output()
        .unwrap()
}

fn annotated(folder: &Path, arguments: &str) -> (String, String) {
    let output = annotate(folder, arguments);
    let [text, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{arguments}: {errors}");
    (text, errors)
}

fn games(text: &str) -> Vec<PgnGame> {
    PgnReader::new(text.as_bytes()).map(Result::unwrap).collect()
}

#[test]
fn games_are_annotated() {
    let folder = tempfile::tempdir().unwrap();
    let (text, errors) = annotated(folder.path(), "");
    let games = games(&text);
    assert_eq!(games.len(), 5, "{text}");
    assert!(
        errors.contains("warning: line 8, game 2 (broken - ?): move 2. 'Ke3' is illegal")
            && errors.contains("the moves before this place are kept"),
        "{errors}"
    );
    assert_eq!((games[1].line.turns.len(), &*games[1].line.turns[1].notes.texts[0]), (2, "Ke3"));
    assert!(errors.contains("game 1: White ") && errors.contains("5 games, "), "{errors}");
    let first = &games[0];
    assert_eq!(first.tags.get("Annotator").unwrap().split(' ').next(), Some("Aleator"));
    assert!(first.tags.get("WhiteAccuracy").is_some() && first.tags.get("BlackAccuracy").is_some());
    // Existing comments are kept.
    assert_eq!(first.line.notes.texts, ["before"]);
    assert_eq!(first.line.turns[5].notes.texts, ["slow"]);
    assert!(first.line.turns[5].notes.clock.is_some());
    // Black's capture of the queen allows mate. All moves have evaluations except the mating move.
    let taken = &first.line.turns[9];
    assert!(matches!(taken.nags[..], [2 | 4 | 6]), "{:?}", taken.nags);
    assert!(taken.variations[0].turns[0].notes.eval.is_some());
    let evals = |game: &PgnGame| {
        game.line.turns.iter().map(|node| node.notes.eval.is_some()).collect::<Vec<_>>()
    };
    let (last, others) =
        evals(first).split_last().map(|(last, others)| (*last, others.to_vec())).unwrap();
    assert!(!last && others.iter().all(|eval| *eval));
    // Placements are not annotated.
    let jepps = &games[3];
    let is_move = |step: &Step| matches!(step, Step::Turn(turn) if !turn.placement);
    assert!(
        evals(jepps)
            .iter()
            .zip(&jepps.line.turns)
            .all(|(eval, node)| *eval || !is_move(&node.step))
    );
    assert_eq!(evals(jepps).iter().filter(|eval| **eval).count(), 4, "after the verdict as well");
}

/// The numbers of the games in each part of the file. `parallel --pipe` would divide the file like this.
const PARTS: [&[usize]; 3] = [&[0], &[1, 2], &[3, 4]];

fn part(numbers: &[usize]) -> String {
    let starts: Vec<usize> = GAMES.match_indices("\n\n[").map(|(at, _)| at + 2).collect();
    let bounds = [vec![0], starts, vec![GAMES.len()]].concat();
    numbers.iter().map(|&number| &GAMES[bounds[number]..bounds[number + 1]]).collect()
}

#[test]
fn dividing_and_resuming_do_not_change_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, printed) = annotated(folder.path(), "");
    let words = "annotate - --nodes 800 --hash 1";
    let parts = PARTS.map(|numbers| piped(words, folder.path(), &part(numbers)));
    assert_eq!(parts.concat(), whole);
    assert_eq!(piped(&format!("{words} --out -"), folder.path(), GAMES), whole);
    // A resumed run prints the totals of all games, including the games that are not annotated again.
    let (_, errors) = annotated(folder.path(), "--out out.pgn");
    assert_eq!(fs::read_to_string(folder.path().join("out.pgn")).unwrap(), whole);
    assert_eq!(errors.lines().last(), printed.lines().last());
    let (_, errors) = annotated(folder.path(), "--out out.pgn --resume");
    assert!(errors.contains("'out.pgn' is already complete"), "{errors}");
    for (arguments, part) in [
        ("--out out.pgn", "already exists"),
        ("--out - --resume", "only a file can be resumed"),
        ("--depth 0", "0 is not in 1.."),
    ] {
        let output = annotate(folder.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(part), "{arguments}: {errors}");
    }
}

#[test]
fn puzzles_of_divided_games_are_those_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let words = "puzzles - --look 1000 --nodes 10000 --hash 1";
    let game = "[SetUp \"1\"]\n[FEN \"6k1/1q3ppp/8/8/8/8/5PPP/R5K1 b - - 0 30\"]\n\n30... Qb2 31. h3 *\n\n";
    let whole = piped(words, folder.path(), &game.repeat(2));
    let first = |number: usize| format!("{words} --first {number} --out -");
    let parts = [1, 2].map(|number| piped(&first(number), folder.path(), game));
    assert_eq!(parts.concat(), whole);
    assert!(whole.contains("id \"chess 1.31\"") && whole.contains("id \"chess 2.31\""), "{whole}");
}

#[test]
fn the_finder_says_why_it_drops_candidates() {
    let folder = tempfile::tempdir().unwrap();
    let game = "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/q2Q4/8/5PPP/3R2K1 b - - 0 29\"]\n\n29... Qxd4 30. Rxd4 *\n\n";
    fs::write(folder.path().join("games.pgn"), game.repeat(2)).unwrap();
    let puzzles = |more: &str| {
        let words = format!("puzzles games.pgn --look 1000 --nodes 10000 --hash 1 {more}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_aleator"));
        let run = command.args(words.split(' ')).current_dir(folder.path()).output().unwrap();
        String::from_utf8(run.stderr).unwrap()
    };
    let errors = puzzles("--out out.epd");
    let reason = "the best move only takes back";
    for part in [
        &*format!("game 1: 0 puzzles, 0 in all; 30. dropped: {reason}\n"),
        "2 games, 0 puzzles, 2 candidates dropped\n",
        &format!("2: {reason}\n"),
    ] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    assert!(puzzles("--out out.epd --resume").contains("already complete"));
}

#[test]
fn a_fen_tag_that_contradicts_its_board_is_corrected_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n\n1. O-O Ke7 *\n\n\
        [White \"b\"]\n\n1. e4 *\n\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - e6 0 1\"]\n\n1. Ke2 *\n";
    fs::write(folder.path().join("some.pgn"), games).unwrap();
    for (command, out) in [("annotate", "annotated.pgn"), ("puzzles", "puzzles.epd")] {
        let run = Command::new(env!("CARGO_BIN_EXE_aleator"))
            .args([command, "some.pgn", "--nodes", "100", "--hash", "1", "--out", out])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let errors = String::from_utf8(run.stderr).unwrap();
        assert!(run.status.success(), "{errors}");
        for line in [
            "game 1: the tag FEN: castling: the right 'Q' ",
            "game 3: the tag FEN: en passant: e6 ",
        ] {
            let told =
                errors.lines().filter(|told| told.contains(line) && told.ends_with("ignored"));
            assert_eq!(told.count(), 1, "{command}: {errors}");
        }
    }
}

#[test]
fn existing_annotations_stay_unless_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[Annotator \"A {b}\"]\n[WhiteAccuracy \"1.0\"]\n\n\
        1. e4 $1 $14 {[%eval 7.00] {a} e5 $4 2. Nf3 d6 3. Bc4 h6 4. Nc3 Bg4 5. Nxe5 Bxd1 ; } b\n1-0\n";
    fs::write(folder.path().join("games.pgn"), text).unwrap();
    for replaces in [false, true] {
        let output = run(folder.path(), if replaces { "--replace" } else { "" });
        let written = String::from_utf8(output.stdout).unwrap();
        let games = games(&written);
        let [game] = &games[..] else { panic!("{written}") };
        let (first, last) = (&game.line.turns[0], game.line.turns.last().unwrap());
        assert_eq!(game.tags.get("Annotator") == Some("A {b}"), !replaces, "{written}");
        assert_eq!(game.tags.get("WhiteAccuracy") == Some("1.0"), !replaces, "{written}");
        assert_eq!(written.contains("[%eval 7.00]"), !replaces, "{written}");
        assert_eq!(game.line.turns[1].nags == [4], !replaces, "{written}");
        assert_eq!((&first.nags[..2], &first.notes.texts), (&[1, 14][..], &vec!["{a".to_owned()]));
        assert_eq!(last.notes.texts, ["} b"]);
        assert!(!last.variations.is_empty() && last.notes.eval.is_some(), "{written}");
    }
}

/// Broken games after the last complete game must be reported too. Every report names the game by its number
/// in the file.
#[test]
fn every_broken_game_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let broken = "[Event \"x\"]\n\n1. Ke3 *\n\n";
    fs::write(&path, format!("{broken}1. e4 *\n\n{broken}{broken}")).unwrap();
    let output = run(folder.path(), "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    for part in
        ["line 3, game 1: ", "\ngame 2: ", "line 9, game 3: ", "line 13, game 4: ", "1 game, "]
    {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    let puzzles = Command::new(env!("CARGO_BIN_EXE_aleator"))
        .args(["puzzles", "games.pgn", "--look", "100", "--nodes", "100", "--hash", "1"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&puzzles.stderr);
    for part in ["line 3, game 1: ", "\ngame 2: ", "line 9, game 3: ", "line 13, game 4: "] {
        assert!(puzzles.status.success() && errors.contains(part), "{part}: {errors}");
    }
    for (text, is_kept, part) in [
        ("", false, "has no game"),
        (broken, false, "has no game that can be read"),
        ("[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n", true, "has no complete game"),
    ] {
        fs::write(&path, text).unwrap();
        let output = run(folder.path(), "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(part), "{errors}");
        assert_eq!(errors.contains("line 3, game 1: move "), !text.is_empty(), "{errors}");
        assert_eq!(String::from_utf8_lossy(&output.stdout).contains("1. e4"), is_kept);
    }
}
