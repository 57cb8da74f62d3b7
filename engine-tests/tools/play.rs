//! Tests of `aleator play`, with scripts as standard input, and with Ctrl-C.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use aleator::pgn::PgnReader;
use tempfile::TempDir;

use crate::harness::has_10x10;

/// A temporary folder for the saved games and the files of a test.
struct Home(TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    fn command(&self, arguments: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_aleator"))
            .arg("play")
            .args(arguments)
            .env("ALEATOR_DATA", self.0.path().join("data"))
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn output(&self, arguments: &str, input: &str) -> Output {
        let words = shlex::split(arguments).unwrap();
        let mut child = self.command(&words.iter().map(String::as_str).collect::<Vec<_>>());
        // The program may exit before it has read all input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// Runs `play` with a script that contains each word of `words` on a separate line. Returns the output.
    fn play(&self, arguments: &str, words: &str) -> String {
        self.lines(arguments, &words.replace(' ', "\n"))
    }

    fn lines(&self, arguments: &str, input: &str) -> String {
        let output = self.output(arguments, input);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{arguments}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the number of saved games.
    fn saved(&self) -> usize {
        let entries = fs::read_dir(self.0.path().join("data/terminal")).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".terminal.json")).count()
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }
}

fn assert_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no '{part}' in:\n{text}");
    }
}

#[test]
fn two_people_play_to_mate() {
    let home = Home::new();
    let text = home.play("--black human", "f3 e7e5 g4 Qh4 moves undo Bc5 quit");
    assert_parts(
        &text,
        &[
            "chess: you - you",
            "   8 r n b q k b n r\n   7 p p p p p p p p\n",
            "     a b c d e f g h\n",
            "White to move> f3\nWhite: f3\n",
            "Black: Qh4#\n",
            "0-1  Black wins: White is checkmated.",
            "1. f3 e5 2. g4 Qh4# 0-1",
            // The mating move is taken back, so the game is not over and is saved.
            "Black to move> Bc5\nBlack: Bc5\n",
            "aleator play --resume",
        ],
    );
    assert!(!text.contains('\x1b'), "there must be no colours without a terminal");
    assert_eq!(home.saved(), 1);
    let text = home.play("--resume", "moves a3 Qh4");
    assert_parts(&text, &["1. f3 e5 2. g4 Bc5 *", "0-1"]);
}

#[test]
fn a_game_against_the_engine_is_saved_and_resumed() {
    if !has_10x10() {
        return;
    }
    let home = Home::new();
    let text = home.play("ifrc --level 1 --start 518", "e3e5 moves");
    assert_parts(
        &text,
        &["ifrc: you - Aleator (level 1)", "  10 . . . . . . . . . .\n", "Black: "],
    );
    let reply = text.split("Black: ").nth(1).unwrap().split_whitespace().next().unwrap();
    assert_parts(&text, &[&format!("1. e5 {reply} *"), "The game is saved."]);
    assert_eq!(home.saved(), 1);
    let text = home.play("--resume", "moves undo undo d4 resign yes");
    assert_parts(
        &text,
        &[
            &format!("1. e5 {reply} *"),
            "you have no turn to take back yet",
            "White: d4",
            "0-1  Black wins: White has resigned.",
        ],
    );
    assert_eq!(home.saved(), 0);
    let failed = home.output("--resume", "");
    assert_parts(
        &String::from_utf8_lossy(&failed.stderr),
        &["there is no saved game in", "aleator play"],
    );
    assert!(!failed.status.success());
}

#[test]
fn a_saved_game_can_be_selected() {
    let home = Home::new();
    home.play("chess --black human", "e4 quit");
    home.play("dfrc --black human --start RNBQKBNR/rnbbkqnr", "d4 d5 quit");
    home.play("chess --level 1", "a4 quit");
    let list = "  1  chess: you - Aleator (level 1), 2 turns\n  2  dfrc: you - you, 2 turns\n  \
        3  chess: you - you, 1 turn\n";
    let text = home.play("--resume=3", "moves quit");
    assert_parts(&text, &[list, "--resume=N", "1. e4 *"]);
    let text = home.play("dfrc --resume", "moves resign y");
    assert_parts(&text, &["dfrc: you - you; type ? for help", "1. d4 d5 *"]);
    for (arguments, words) in [
        (
            "ifrc --resume",
            "there is no saved game of ifrc. The saved games are:\n  1  chess: you - you, 1 turn",
        ),
        ("--resume=3", "there is no saved game 3. The saved games are"),
        ("--resume --level 3", "cannot be used with"),
        ("--resume --tc 5:00", "cannot be used with"),
    ] {
        let failed = home.output(arguments, "");
        assert_parts(&String::from_utf8_lossy(&failed.stderr), &[words]);
        assert!(!failed.status.success());
    }
}

#[test]
fn clocks_are_described() {
    let home = Home::new();
    for (control, words) in [
        ("5", "Each side has 5 seconds for the game (for minutes, write --tc 5:00)."),
        ("1:30+1", "Each side has 1 minute 30 seconds for the game and 1 second for each move."),
        ("1:30.1", "Each side has 1 minute 30.1 seconds for the game."),
        ("40/5:00", "Each side has 5 minutes for each 40 moves."),
    ] {
        assert_parts(&home.play(&format!("--black human --tc {control}"), "quit"), &[words]);
    }
}

#[test]
fn scores_are_shown_only_on_request() {
    let home = Home::new();
    let players = "--white engine --black human --fen 'k7/8/8/8/8/8/7r/K7 w - - 0 1'";
    for level in [1, 12] {
        let text = home.play(&format!("{players} --level {level}"), "quit");
        assert_parts(&text, &["White: Kb1\n"]);
    }
}

#[test]
fn black_sees_the_board_from_its_side() {
    let home = Home::new();
    // In this position White has only one move.
    let players = "--white engine --black human --level 1 --fen 'k7/8/8/8/8/8/7r/K7 w - - 0 1'";
    let text = home.play(players, "flip fen quit");
    assert_parts(
        &text,
        &["Aleator (level 1) - you", "\n   1 . . . . . . K .\n", "     h g f e d c b a\n"],
    );
    assert_parts(&text, &["Black to move> flip\n", "     a b c d e f g h\n", " b - - 1 1\n"]);
}

#[test]
fn the_engine_gives_hints_and_evaluations() {
    let home = Home::new();
    let mate = "--black human --fen '6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1'";
    let text = home.play(mate, "hint eval e8 Ra8 hint");
    assert_parts(
        &text,
        &[
            "The engine would play Ra8#.",
            "#1 for White at depth ",
            "'e8' is illegal",
            "1-0  White wins: Black is checkmated.",
            "the game is over",
        ],
    );
}

#[test]
fn draws_are_offered_and_declined() {
    let home = Home::new();
    let text = home.play("--black human", "draw e4 draw e5 draw draw");
    assert_parts(
        &text,
        &[
            "a draw can be offered only after the first move",
            "A draw is offered",
            "1/2-1/2  Draw by agreement.",
        ],
    );
    let text = home.play("--level 1", "e4 draw");
    assert_parts(&text, &["The engine wants to play on."]);
}

#[test]
fn games_are_saved_and_loaded() {
    let home = Home::new();
    let script = "e4\ne5\nsave my game.pgn\nsave my game.pgn\nsave my game.pgn --force\nsave g.json\n\
        save no/such/folder/x\nNf3\nload my game.pgn\nmoves\nload g.json\nmoves\nload nothing.pgn\n";
    let text = home.lines("chess960 --black human --start 518", script);
    assert_parts(
        &text,
        &[
            "Written to my game.pgn.",
            "'my game.pgn' already exists; use --force to replace it",
            "cannot write 'no/such/folder/x'",
            "1. e4 e5 *",
            "cannot read 'nothing.pgn'",
        ],
    );
    assert_eq!(text.matches("1. e4 e5 *").count(), 2);
    let pgn = home.file("my game.pgn");
    assert_parts(&pgn, &["[Variant \"Chess960\"]\n[Game \"chess960\"]", "\n\n1. e4 e5 *\n"]);
    assert!(PgnReader::new(pgn.as_bytes()).next().unwrap().is_ok());
    // When a game is loaded, the unfinished game before must be saved too.
    assert_eq!(home.saved(), 3);
    let text = home.play("--black human --load 'my game.pgn'", "Nc3 moves");
    assert_parts(&text, &["1. e4 e5 2. Nc3 *"]);
    fs::write(home.0.path().join("bad.pgn"), "1. e4 e5 2. Ke3 *").unwrap();
    let failed = home.output("--load bad.pgn", "");
    assert_parts(
        &String::from_utf8_lossy(&failed.stderr),
        &["line 1, game 1: move 2. 'Ke3' is illegal"],
    );
}

/// The user enters die rolls, then placements, then moves of the game.
#[test]
fn a_setup_continues_into_the_game() {
    let home = Home::new();
    let script = "1 2 2 3 3 5\nR@a7\nR@h1\nN@e8\nNd1\nra8\nN@a1\nN@h8\nK@f1+Q@g1\nK@d8\ne4\ne5\nsave fb.pgn\n";
    let text = home.lines("fischerbenko --black human --dice own", script);
    assert_parts(
        &text,
        &[
            "What do the dice show?> 1 2 2 3 3 5\n",
            "   1 . B B . R . . .\n",
            "White has in hand: K Q R N N",
            "White places> R@a7\n",
            "White places pieces on rank 1, not on a7",
            "Black: Q@b8+K@d8\n",
            "Black: e5\n",
        ],
    );
    let pgn = home.file("fb.pgn");
    assert_parts(&pgn, &["[Variant \"fischerbenko\"]"]);
    let moves = pgn.split("\n\n").nth(1).unwrap().replace('\n', " ");
    assert_eq!(moves, "1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8 5. e4 e5 *");
}

/// Returns a script that places pieces on squares. For each piece the script has a roll and then the
/// placement: one die offers this piece, and the other die is a six.
fn jepps_rank(pieces: &str, squares: &str) -> String {
    let face = |piece| "KNBRQ".find(piece).unwrap() + 1;
    let turn = |(piece, square): (char, &str)| format!("{} 6\n{piece}@{square}\n", face(piece));
    pieces.chars().zip(squares.split(' ')).map(turn).collect()
}

#[test]
fn the_mediator_and_the_dice_are_played_and_saved() {
    let home = Home::new();
    let white = jepps_rank("NBKRBQN", "a1 b1 c1 d1 e1 f1 g1");
    let script = format!("{white}3 3\nagain\n2 4\ne4\ne5\nsave j.pgn\nload j.pgn\nmoves\n");
    let text = home.lines("jepps --black human --dice own", &script);
    assert_parts(
        &text,
        &[
            "White: R@h1\n",
            "Black: accept the verdict, or reroll? (keep, again)> again\n",
            "2 4: both even: Black mirrors White's array",
            "   8 n b k r b q n r\n",
        ],
    );
    let moves = text.rsplit("1. N@a1").next().unwrap().replace('\n', " ");
    assert!(moves.starts_with(" B@b1 K@c1 R@d1 B@e1 Q@f1 N@g1 R@h1 Mirror 9. e4 e5 *"), "{moves}");
    let pgn = home.file("j.pgn").replace('\n', " ");
    assert_parts(&pgn, &["N@a1 {[%dice 2 6]}", "Mirror {[%dice 2 4]}"]);
}

/// The program rolls the dice, and the engine plays both sides.
#[test]
fn the_engine_plays_every_game_with_itself() {
    for (game, words) in [("fischerbenko", 8), ("jepps", 8)] {
        let home = Home::new();
        let mut child = home.command(
            &format!("{game} --white engine --black engine --level 1 --seed 4")
                .split(' ')
                .collect::<Vec<_>>(),
        );
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut placed = 0;
        let first = lines.find(|line| {
            let is_turn = line.starts_with("White: ") || line.starts_with("Black: ");
            placed += usize::from(is_turn && line.contains('@'));
            is_turn && !line.contains('@')
        });
        assert!(first.is_some() && placed >= words, "{game}: {placed}, then {first:?}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(home.saved(), 1, "{game}: the game must be saved up to the kill");
    }
    let home = Home::new();
    let text =
        home.lines("--white engine --black engine --fen '7k/8/5KQ1/8/8/8/8/8 w - - 0 1'", "");
    assert_parts(&text, &["White: Qg7#", "1-0  White wins: Black is checkmated."]);
}

#[test]
fn the_flag_falls_while_nobody_moves() {
    let home = Home::new();
    let mut child = home.command(&["--black", "human", "--tc", "0.2"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"e4\n").unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut lines = lines.skip_while(|line| !line.starts_with("1-0"));
    assert_eq!(lines.next().as_deref(), Some("1-0  White wins: Black's time has run out."));
    drop(stdin);
    assert!(lines.count() < 6);
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_the_game() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    // Press Ctrl-C while a person is to move, and while the engine thinks.
    for (arguments, last) in
        [(&["--black", "human"][..], "Black to move> "), (&["--tc", "100:00"][..], "White: e4\n")]
    {
        let home = Home::new();
        let mut child = home.command(arguments);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"e4\n").unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut seen = Vec::new();
        while !String::from_utf8_lossy(&seen).contains(last) {
            let mut byte = [0];
            stdout.read_exact(&mut byte).unwrap();
            seen.push(byte[0]);
        }
        kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        assert!(child.wait().unwrap().success());
        assert_parts(&rest, &["aleator play --resume"]);
        let text = home.play("--resume", "moves quit");
        assert_parts(&text, &["1. e4"]);
    }
}

#[test]
fn pieces_can_be_pictures() {
    let text = Home::new().play("--pieces pictures", "quit");
    assert_parts(&text, &["   8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n", "   1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖\n"]);
}

#[test]
fn impossible_requests_are_explained() {
    let home = Home::new();
    for (arguments, part) in [
        ("atomic", "there is no variant 'atomic'"),
        ("--level 13", "the level is a number from 1 to 12"),
        ("--elo 100", "the rating is a number from 400 to 2600"),
        ("--tc soon", "'soon' is not a time control"),
        ("--fen x", "pieces: "),
        ("chess960 --start 960", "960"),
        ("--free-play", "Free Play is a form of jepps; chess has none"),
        ("--load nothing.pgn", "cannot read 'nothing.pgn'"),
        ("--load x.json", "cannot read 'x.json'"),
        ("--resume --fen x", "cannot be used with"),
    ] {
        let output = home.output(arguments, "");
        assert!(!output.status.success(), "{arguments}");
        assert_parts(&String::from_utf8_lossy(&output.stderr), &[part]);
    }
    let text = home.lines(
        "--black human",
        "\nxyzzy\nsave\nagain\nkeep\nundo\ne9\nO-O\n\u{0}\u{7}\n7 7\nhelp\nR@a1\nquit now\nquit\n",
    );
    assert_parts(
        &text,
        &[
            "'xyzzy' is not a move",
            "'save' needs the name of a file",
            "you have no turn to take back yet",
            "Commands:",
            "Now: ",
        ],
    );
    assert_eq!(home.saved(), 0, "nothing was played");
}

#[test]
fn resigning_must_be_confirmed_and_the_game_can_be_shown_as_pgn() {
    let home = Home::new();
    let text = home.play("--black human --tc 5:00+3", "e4 resign no pgn e5 resign yes quit");
    assert_parts(
        &text,
        &[
            "White to move (5:00, Black 5:00)> e4",
            "Resign? (yes, no)> no\nThe game continues.",
            "[Game \"chess\"]",
            "\n1. e4 {[%clk 0:05:00] [%emt 0:00:0",
            "Black wins: White has resigned.",
        ],
    );
    let text = home.play("jepps --black human --dice own", "pgn resign yes quit");
    assert_parts(&text, &["Black wins: White has resigned."]);
}

/// Whatever the input is, the program must continue to the end of the input.
#[test]
fn arbitrary_input_is_handled() {
    let home = Home::new();
    let mut rng = aleator::start::Rng::new(15);
    let words = [
        "e4",
        "e5",
        "undo",
        "flip",
        "draw",
        "resign",
        "yes",
        "pgn",
        "moves",
        "fen",
        "board",
        "again",
        "keep",
        "3 5",
        "1",
        "R@a1",
        "K@b1",
        "N@a8",
        "save x.pgn --force",
        "load x.pgn",
        "save x.json --force",
        "load x.json",
        "?",
        "\u{0}",
    ];
    let mut games = vec!["chess", "fischerbenko", "jepps", "placement"];
    if has_10x10() {
        games.push("ifrc");
    }
    for game in games {
        for dice in ["program", "own"] {
            let script: String = (0..150)
                .map(|_| format!("{}\n", words[rng.below(words.len() as u64) as usize]))
                .collect();
            home.lines(&format!("{game} --black human --dice {dice} --seed 1"), &script);
        }
    }
    assert!(Path::new(home.0.path()).exists());
}
