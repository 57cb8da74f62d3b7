//! Tests of `aleator setup`, and of records in `aleator start`, with scripts as standard input.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const EXAMPLE_FEN: &str = "rqbknbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w HEga - 0 5";
const EXAMPLE_RECORD: &str = "[Variant \"fischerbenko\"]
[FEN \"2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1\"]
1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8";
const EXAMPLE_ROLLS: &str = "1\n2\n2\n3\n3\n5\n";

fn run(arguments: &str, input: &str) -> Output {
    run_words(&arguments.split_whitespace().collect::<Vec<_>>(), input)
}

fn run_words(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_aleator"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may exit before it has read all input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Returns the output of a run that succeeds.
fn printed(arguments: &str, input: &str) -> String {
    let output = run(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the error output of a run that fails.
fn failure(arguments: &str, input: &str) -> String {
    let output = run(arguments, input);
    assert!(!output.status.success(), "{arguments} should fail");
    String::from_utf8(output.stderr).unwrap()
}

/// Returns the paragraph under a heading such as `FEN:`.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let (_, rest) = text
        .split_once(&format!("\n{heading}:\n"))
        .unwrap_or_else(|| panic!("no {heading} in:\n{text}"));
    rest.split("\n\n").next().unwrap().trim_end()
}

fn assert_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no '{part}' in:\n{text}");
    }
}

/// Returns a script with one word per line.
fn lines(words: &str) -> String {
    words.split(' ').map(|word| format!("{word}\n")).collect()
}

/// Returns a script that places the given pieces. For each piece the script has a roll and then the piece:
/// one die offers this piece, and the other die is a six. There are no doubles, after which the program asks
/// whether to reroll. There is always a choice, because a single offered piece is placed without a question.
fn jepps_rank(pieces: &str) -> String {
    let face = |piece| "KNBRQ".find(piece).unwrap() + 1;
    pieces.chars().map(|piece| format!("{} 6\n{piece}\n", face(piece))).collect()
}

#[test]
fn fischer_benko_follows_the_inventors_example() {
    let script = EXAMPLE_ROLLS.to_owned() + &lines("R@h1 N@e8 Nd1 ra8 N@a1 N@h8 K@f1+Q@g1 K@d8");
    let text = printed("setup fischerbenko --dice own", &script);
    assert_parts(&text, &["1: White's light-square bishop goes to b1"]);
    assert_eq!(section(&text, "FEN"), EXAMPLE_FEN);
    assert_eq!(section(&text, "Notation"), EXAMPLE_RECORD);
    let fen = format!("[FEN \"{EXAMPLE_FEN}\"]");
    assert_parts(section(&text, "PGN"), &["[Variant \"Chess960\"]", "[SetUp \"1\"]", &fen]);
    assert!(!text.contains('\x1b'), "there must be no colours without a terminal");
}

#[test]
fn wrong_input_is_explained_and_asked_again() {
    let script = "1\n2\n7\n2\nx\n3\nundo\n3\n3\n5\n".to_owned()
        + "K@a1\nR@d1\nN@e1\nN@a2\nB@a1\nQ@g1+K@f1\nagain\nkeep\n\u{fffd}\n\nR@h1\n";
    let text = printed("setup fischerbenko --dice own", &script);
    let parts = [
        "'7' is not a die roll",
        "'x' is not a die roll",
        "K@a1 is illegal, because then the king cannot end up between the rooks",
        "R@d1 is illegal",
        "there is already a rook on e1",
        "on rank 1, not on a2",
        "White has no bishop in hand",
        "only the last two pieces are placed together",
        "you may reroll only after a double",
        "that is not possible now",
        "White: R@h1",
        "Black places>",
        // At the end of the input, the program prints the setup so far.
        "The setup so far:",
    ];
    assert_parts(&text, &parts);
    assert_eq!(
        section(&text, "FEN"),
        "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R2R[KQNNkqrnn] b - - 0 1"
    );
    assert!(section(&text, "Notation").ends_with("1. R@h1"));
    assert!(!text.contains("PGN:"));
    let text = printed("setup transcendental --dice own", "1\n2\n");
    assert_parts(&text, &["the random part is not complete", "1 . B . . . . . ."]);
}

#[test]
fn undo_goes_back_to_the_last_answer() {
    let straight = EXAMPLE_ROLLS.to_owned() + &lines("R@h1 N@e8 N@d1");
    let winding = EXAMPLE_ROLLS.to_owned()
        + &lines("undo 5 R@h1 undo R@g1 N@h8 undo undo ? R@h1 N@e8 board N@d1 quit");
    let text = |script: &str| printed("setup fischerbenko --dice own", script);
    assert_eq!(section(&text(&straight), "FEN"), section(&text(&winding), "FEN"));
    assert_parts(&text(&winding), &["Commands:"]);
    assert_parts(&text("undo\n"), &["you have no turn to take back yet"]);
}

/// `undo` also takes back the engine's answer. If the program rolls the dice, it must roll the same numbers
/// again.
#[test]
fn undo_with_the_engine() {
    let text =
        |script: &str| printed("setup fischerbenko --seed 5 --black engine --depth 0", script);
    let start = text("");
    let possible = start.lines().find(|line| line.starts_with("possible:")).unwrap();
    let placement = possible.split(' ').nth(1).unwrap();
    let once = text(&format!("{placement}\n"));
    let twice = text(&format!("{placement}\nundo\n{placement}\n"));
    let answers = |text: &str| text.lines().filter(|line| line.starts_with("Black: ")).count();
    assert_eq!((answers(&once), answers(&twice)), (1, 2));
    assert_eq!(section(&once, "FEN"), section(&twice, "FEN"));
    let jepps = |script: &str| printed("setup jepps --seed 5", script);
    let rolls = |text: &str| -> Vec<String> {
        let rolled = text.lines().filter(|line| line.starts_with("  ") && line.contains(": a"));
        rolled.map(str::to_owned).collect()
    };
    // Place a piece of the first offer, then take the placement back and make it again.
    let offered = jepps("");
    let possible = offered.lines().rfind(|line| line.starts_with("possible:")).unwrap();
    let placement = possible.split(' ').nth(1).unwrap();
    let straight = rolls(&jepps(&format!("{placement}\n")));
    let winding = rolls(&jepps(&format!("{placement}\nundo\n{placement}\n")));
    assert!(winding.starts_with(&straight));
    assert_eq!(winding.last(), straight.last());
}

/// A search for an answer that was taken back must not influence the next search.
#[test]
fn a_question_asked_again_has_the_same_answer() {
    let arguments = "setup fischerbenko --seed 5 --black engine --depth 2";
    let start = printed(arguments, "");
    let possible = start.lines().find(|line| line.starts_with("possible:")).unwrap();
    let placement = possible.split(' ').nth(1).unwrap();
    let text = printed(arguments, &format!("{placement}\nundo\n").repeat(3));
    let answers: Vec<_> = text.lines().filter(|line| line.starts_with("Black: ")).collect();
    assert_eq!(answers.len(), 3);
    assert!(answers[0].contains("searched to depth 2"), "{text}");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
}

#[test]
fn a_setup_can_start_from_a_fen() {
    let root = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    let script = lines("R@h1 N@e8 Nd1 ra8 N@a1 N@h8 K@f1+Q@g1 K@d8");
    let output = run_words(&["setup", "fischerbenko", "--fen", root], &script);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(section(&text, "FEN"), EXAMPLE_FEN);
    assert_eq!(section(&text, "Notation"), EXAMPLE_RECORD);
    // If a setup of Jepps Random Chess begins in the middle, the record still contains White's turns.
    let between = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR[kqrrbbnn] b - - 0 9";
    let output = run_words(&["setup", "jepps", "--dice", "own", "--fen", between], "1 3\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(section(&text, "Notation"), "Na1, Bb1, Kc1, Rd1, Be1, Qf1, Ng1, Rh1\nReverse");
    let game = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk - 0 1";
    for (variant, fen, said) in
        [("chess960", root, "has no placement phase"), ("jepps", game, "no pieces in hand")]
    {
        let output = run_words(&["setup", variant, "--fen", fen], "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(said), "{errors}");
    }
}

/// `?` must explain every question and the possible answers.
#[test]
fn help_fits_the_question() {
    let typed = |variant: &str, script: &str| {
        printed(&format!("setup {variant} --dice own"), &format!("{script}?\n"))
    };
    assert_parts(&typed("fischerbenko", ""), &["Now: White's light-square bishop: 1 = b1"]);
    let faces = "1 king, 2 knight, 3 bishop, 4 rook, 5 queen, 6 any piece";
    let dice =
        ["Now: what two dice show", faces, "possible here: king, queen, rook, bishop, knight"];
    assert_parts(&typed("jepps", ""), &dice);
    assert_parts(&typed("jepps", "1 1\n"), &["Now: K@a1, or again"]);
    assert_parts(&typed("jepps", &jepps_rank("NBKRBQN")), &["Both even: Black mirrors"]);
    let doubled = jepps_rank("NBKRBQN") + "2 2\n";
    assert_parts(&typed("jepps", &doubled), &["Now: keep (", "or again"]);
    let over = jepps_rank("NBKRBQN") + "2 4\n";
    assert_parts(&typed("jepps", &over), &["Now: Enter to end the setup, or undo"]);
}

/// The last answer can be taken back before the result is final.
#[test]
fn the_last_answer_can_be_taken_back() {
    let script = EXAMPLE_ROLLS.to_owned() + &lines("R@h1 N@e8 Nd1 ra8 N@a1 N@h8 K@f1+Q@g1");
    let text = printed(
        "setup fischerbenko --dice own",
        &(script + "Q@d8+K@b8\nnonsense\nundo\nK@d8\n\nundo\n"),
    );
    assert_parts(&text, &["Press Enter to end, or type undo", "press Enter, or type 'undo'"]);
    assert_eq!(section(&text, "FEN"), EXAMPLE_FEN);
}

/// Splits a printed command line into words, without the program.
fn words_of(command: &str) -> Vec<String> {
    let mut parts = command.split('"');
    let mut words: Vec<String> =
        parts.next().unwrap().split_whitespace().skip(1).map(str::to_owned).collect();
    words.extend(parts.next().map(str::to_owned));
    words
}

/// The command at the end of the result must work.
#[test]
fn the_result_says_how_to_continue() {
    let text = printed("setup jepps --dice own", &(jepps_rank("NBKRBQN") + "2 4\n"));
    let command = section(&text, "To continue").replace("movetime 10000", "nodes 100");
    let words = words_of(&command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let shown = String::from_utf8(run_words(&words, "").stdout).unwrap();
    assert_parts(&shown, &["nbkrbqnr/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR w Kk - 0 9", "best move"]);
    // The setup is interrupted before it is complete.
    let text = printed("setup jepps --dice own", "1 2\nK\n");
    let words = words_of(section(&text, "To continue"));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let shown = String::from_utf8(run_words(&words, "").stdout).unwrap();
    assert_parts(&shown, &["1 K . . . . . . .", "White rolls for b1"]);
}

#[test]
fn a_pgn_is_written_after_the_setup_and_replaces_files_only_if_forced() {
    let folder = crate::harness::command::folder("arbiter/pgn");
    let path = folder.join("game.pgn");
    let setup = |force: &[&str], script: &str| {
        let path = path.to_str().unwrap();
        let words = ["setup", "jepps", "--dice", "own", "--pgn", path];
        run_words(&[&words[..], force].concat(), script)
    };
    let whole = jepps_rank("NBKRBQN") + "2 4\n";
    let output = setup(&[], "1 2\n");
    assert!(!output.status.success() && !path.exists());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no PGN was written"));
    assert!(setup(&[], &whole).status.success());
    let text = std::fs::read_to_string(&path).unwrap();
    assert_parts(&text, &["[Variant \"jepps\"]", "[FEN \"nbkrbqnr/", "\n\n*\n"]);
    std::fs::write(&path, "mine").unwrap();
    let output = setup(&[], &whole);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("already exists"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    assert!(setup(&["--force"], &whole).status.success());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

/// The move number in the FEN must be one higher than the last turn number in the record.
#[test]
fn move_numbers_of_free_play_match_its_fen() {
    let arguments = "setup jepps --free-play --depth 0 --white engine --black engine --seed 3";
    let text = printed(arguments, "");
    assert!(section(&text, "FEN").ends_with(" 0 9"), "{text}");
    assert_parts(section(&text, "Notation"), &["1. ", " 8. "]);
}

/// Any other input than `quit` must not end the program before the end of the setup or of the input.
#[test]
fn arbitrary_input_is_handled() {
    let words = [
        "undo",
        "again",
        "keep",
        "board",
        "?",
        "\u{0}",
        "1",
        "3 5",
        "6 6",
        "K@e1",
        "R@a1",
        "Q",
        "N@g8",
        "Q@g1+K@f1",
        "hint",
        "resign",
        "fen",
        "moves",
        "load x.pgn",
        "",
    ];
    let mut rng = aleator::start::Rng::new(16);
    for game in ["fischerbenko", "transcendental", "placement", "jepps", "jepps --free-play"] {
        for more in ["--dice own", "--black engine --depth 0"] {
            let pick = |_| words[rng.below(words.len() as u64) as usize].to_owned() + "\n";
            let script: String = (0..80).map(pick).collect();
            let text = printed(&format!("setup {game} --seed 1 {more}"), &script);
            let is_told =
                text.contains("The setup so far") || text.contains("The setup is complete.");
            assert!(is_told, "{game}: {text}");
        }
    }
}

/// Ctrl-C has the same effect as the end of the input.
#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_setup_so_far() {
    use std::io::{BufRead, BufReader};

    use nix::sys::signal::{Signal, kill};
    let mut child = Command::new(env!("CARGO_BIN_EXE_aleator"))
        .args(["setup", "placement"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"K@e1\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.by_ref().any(|line| line.contains("White: K@e1")));
    kill(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let rest: Vec<String> = lines.collect();
    assert!(rest.iter().any(|line| line.contains("The setup so far")), "{rest:#?}");
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_published_transcendental_game() {
    // The script begins with the rolls that place the bishops and rooks. The last two placements are the only
    // possible ones, so they are not in the script.
    let script =
        "3\n1\n1\n2\n3\n3\n".to_owned() + &lines("R@e1 N@f8 N@h1 N@c8 N@c1 R@h8 Q@b1 Q@g8");
    let text = printed("setup transcendental --dice own", &script);
    assert_eq!(
        section(&text, "Notation").lines().last().unwrap(),
        "1. R@e1 N@f8 2. N@h1 N@c8 3. N@c1 R@h8 4. Q@b1 Q@g8 5. K@g1 K@b8"
    );
    assert_eq!(section(&text, "FEN"), "bknbrnqr/pppppppp/8/8/8/8/PPPPPPPP/BQNRRBKN w - - 0 6");
}

#[test]
fn jepps_with_the_mediator() {
    // The last piece of each back rank, a rook, is placed automatically.
    let white = jepps_rank("NBKRBQN");
    let own = format!("3 4\n{}", jepps_rank("RNBQKBN"));
    for (mediator, black, second) in [
        ("2 4\n", "nbkrbqnr", "Mirror"),
        ("13\n", "rnqbrkbn", "Reverse"),
        ("2 2\nagain\n5 5\nkeep\n", "rnqbrkbn", "Reverse"),
        (own.as_str(), "rnbqkbnr", "Ra8, Nb8, Bc8, Qd8, Ke8, Bf8, Ng8, Rh8"),
    ] {
        let text = printed("setup jepps --dice own", &(white.clone() + mediator));
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR w Kk - 0 9");
        assert_eq!(section(&text, "FEN"), fen, "{text}");
        let record = format!("Na1, Bb1, Kc1, Rd1, Be1, Qf1, Ng1, Rh1\n{second}");
        assert_eq!(section(&text, "Notation"), record);
        assert_eq!(printed("start --from-notation -", &record).trim_end(), fen);
    }
}

#[test]
fn jepps_rejects_what_the_dice_do_not_offer() {
    let script = "1 7\n1\n1 2\nQa1\nKb1\nagain\nKa1\n1 1\n6 6\nKh8\nagain\n";
    let text = printed("setup jepps --dice own", script);
    let parts = [
        "'7' is not a die roll",
        "a roll of two dice needs two numbers",
        "the dice show 1 2: they do not offer a queen, but a king or a knight",
        "the next piece must be placed on a1",
        "you may reroll only after a double",
        "White: K@a1",
        "no king is left; reroll",
        "any piece you like; a double, which may be rerolled",
        "K@h8: it is White's turn, and White places pieces on rank 1, not on h8",
    ];
    assert_parts(&text, &parts);
    let error = failure("setup placement --free-play", "");
    assert_parts(&error, &["Free Play is a form of jepps"]);
    let error = failure("setup chess960", "");
    assert_parts(&error, &["chess960 has no placement phase"]);
}

#[test]
fn pre_chess_can_be_played_against_the_engine() {
    let arguments = "setup placement --white engine --depth 0 --seed 1";
    let text = printed(arguments, "");
    assert_parts(&text, &[" for its side, the next best ", "Black places>"]);
    // Black reaches the standard back rank, whatever the engine does.
    let text = printed(arguments, &lines("Ra8 Nb8 Bc8 Qd8 Ke8 Bf8 Ng8"));
    let fen = section(&text, "FEN");
    assert!(fen.starts_with("rnbqkbnr/") && fen.ends_with("kq - 0 9"), "{fen}");
    assert_parts(
        section(&text, "PGN"),
        &["[White \"Aleator (level 12)\"]", "[Variant \"Standard\"]"],
    );
    assert_eq!(printed("start --from-notation -", section(&text, "Notation")).trim_end(), fen);
}

#[test]
fn setups_by_the_engine_are_reproducible() {
    for game in [
        "fischerbenko --depth 1",
        "transcendental --depth 0",
        "jepps --depth 0",
        "jepps --depth 0 --free-play",
        "placement --depth 0",
    ] {
        let arguments = format!("setup {game} --white engine --black engine --seed 11");
        let text = printed(&arguments, "");
        assert_parts(&text, &["The setup is complete."]);
        assert_eq!(text, printed(&arguments, ""), "{arguments}");
        let variant = game.split(' ').next().unwrap();
        let read = format!("start --variant {variant} --from-notation -");
        let fen = printed(&read, section(&text, "Notation"));
        assert_eq!(fen.trim_end(), section(&text, "FEN"));
    }
}

#[test]
fn starts_round_trip_through_notation() {
    for variant in ["fischerbenko", "transcendental", "jepps", "placement"] {
        let drawn = format!("start --variant {variant} --random --seed 7 --count 20");
        let records = printed(&format!("{drawn} --format notation"), "");
        let read = format!("start --variant {variant} --from-notation -");
        let back = |format: &str| printed(&format!("{read} --format {format}"), &records);
        assert_eq!(back("notation"), records);
        for format in ["array", "epd"] {
            assert_eq!(back(format), printed(&format!("{drawn} --format {format}"), ""));
        }
    }
    assert_eq!(printed("start --from-notation -", EXAMPLE_RECORD).trim_end(), EXAMPLE_FEN);
}

#[test]
fn invalid_records_are_rejected_with_their_place() {
    let read = "start --from-notation -";
    let error = failure(read, &EXAMPLE_RECORD.replace("N@d1", "N@e1"));
    assert_parts(&error, &["line 3, column 17: turn 3: N@e1: there is already a rook on e1"]);
    let error = failure("start --variant jepps --from-notation -", "Na1, Bb1\nMirror");
    assert_parts(&error, &["line 2, column 1: 'Mirror' is the mediator's verdict"]);
    let error = failure("start --format array --from-notation -", "Na1, Bb1");
    assert_parts(&error, &["not finished"]);
    let error = failure("start --from-notation /no/such/file", "");
    assert_parts(&error, &["cannot read '/no/such/file'"]);
    let error = failure("start --variant chess960 --format notation", "");
    assert_parts(&error, &["chess960 has no setup"]);
}

#[test]
fn the_random_part_can_be_rolled_with_one_die() {
    let rolls = |rolls: &str| format!("start --variant fischerbenko --dice {rolls}");
    let output = run(&rolls("1,6,2,2,5,3,3,5"), "");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().trim_end(),
        "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1"
    );
    let said = String::from_utf8(output.stderr).unwrap();
    assert_parts(&said, &["6: Black's light-square bishop has only four squares; reroll"]);
    assert_parts(&failure(&rolls("1,2,0"), ""), &["roll 3: '0' is not a die roll"]);
    let error = failure(&rolls("1,2"), "");
    assert_parts(&error, &["too few rolls: White's dark-square bishop: 1 = a1"]);
    assert_parts(&failure(&rolls("1,2,2,3,3,5,5"), ""), &["complete before roll 7"]);
    let error = failure("start --variant jepps --dice 1", "");
    assert_parts(&error, &["jepps has no random part"]);
}
