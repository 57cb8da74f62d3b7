//! Tests of the XBoard protocol (CECP 2), which the binary speaks after the command `xboard`.

use std::time::Duration;

use crate::harness::{BINARY, Engine};
use aleator::game::Game;
use aleator::rules::Variant;

/// Starts an engine, completes the handshake, and sends `new` and the given lines. Skips the output so far.
fn xboard(lines: &[&str]) -> Engine {
    let mut engine = Engine::with(&["xboard", "protover 2"]);
    engine.lines_until(|line| line == "feature done=1");
    engine.send("new");
    lines.iter().for_each(|line| engine.send(line));
    ping(&mut engine);
    engine
}

/// Waits until the engine has executed all commands sent. Returns the lines that the engine writes until
/// then.
fn ping(engine: &mut Engine) -> Vec<String> {
    engine.send("ping 1234");
    let mut lines = engine.lines_until(|line| line == "pong 1234");
    lines.pop();
    lines
}

/// Sends a line and returns the answer.
fn ask(engine: &mut Engine, line: &str) -> Vec<String> {
    engine.send(line);
    ping(engine)
}

/// Waits for the engine's next move.
fn next_move(engine: &mut Engine) -> String {
    let lines = engine.lines_until(|line| line.starts_with("move "));
    lines.last().and_then(|line| line.strip_prefix("move ")).expect("a move").to_owned()
}

/// Whether a line claims the end of the game.
fn is_result(line: &str) -> bool {
    ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|result| line.starts_with(result))
}

/// Lets two engines play each other from the position of `game`. Checks the moves and claims of results with
/// the library's game. Returns the game.
fn play_out(begin: &[&str], mut game: Game) -> Game {
    let mut players = [xboard(begin), xboard(begin)];
    let black = usize::from(game.side_to_move() == aleator::types::Color::Black);
    players.iter_mut().for_each(|player| player.send("option Resign=0"));
    players[1 - black].send("playother");
    players[black].send("go");
    while game.termination().is_none() && game.turns().len() < 60 {
        let color = game.side_to_move().index();
        let text = next_move(&mut players[color]);
        game.play(&text).unwrap_or_else(|error| panic!("{}: {error}", game.fen()));
        if game.termination().is_none() {
            players[1 - color].send(&format!("usermove {text}"));
        }
    }
    if let Some(ending) = game.termination() {
        // The engine that moved last claims the result.
        let last = &mut players[(!game.side_to_move()).index()];
        let claim = last.lines_until(is_result).pop().expect("a claim");
        let result = ending.outcome();
        assert!(claim.starts_with(&format!("{result} ")), "{claim} for {ending}");
    }
    game
}

#[test]
fn the_handshake_names_features_and_options() {
    let mut engine = Engine::with(&["xboard", "protover 2"]);
    let lines = engine.lines_until(|line| line == "feature done=1").join("\n");
    for feature in [
        "done=0",
        "variants=\"normal,fischerandom,placement\"",
        "setboard=1",
        "usermove=1",
        "ping=1",
        "playother=1",
        "time=1",
        "memory=1",
        "smp=1",
        "analyze=1",
        "colors=0",
        "sigint=0",
        "oocastle=0",
        "option=\"MultiPV -spin 1 1 256\"",
    ] {
        assert!(lines.contains(&format!(" {feature}")), "{feature} in {lines}");
    }
    assert_eq!(engine.quit(), [""; 0]);
    // The subcommand `xboard` does not need the handshake.
    let output =
        std::process::Command::new(BINARY).arg("xboard").output().expect("the program starts");
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    // If the first word is any other word, the protocol is UCI.
    let mut engine = Engine::with(&["xboards", "isready"]);
    engine.lines_until(|line| line == "readyok");
}

/// Lets the engine play a lone king against all White pieces, which only push pawns. Returns the number of
/// moves before the engine resigns, or `None` if it does not resign.
fn moves_of_a_lone_king(options: &[&str]) -> Option<usize> {
    let fen = "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    let mut game = Game::new(Variant::Chess, fen).unwrap();
    let mut engine = xboard(&["sd 2", &format!("setboard {fen}")]);
    options.iter().for_each(|option| engine.send(option));
    for moves in 0..14 {
        let is_push = |turn: &&String| {
            let san = game.read(turn).unwrap().san;
            san.len() == 2
        };
        let turns = game.legal_turns();
        let push = turns.iter().find(is_push).expect("a pawn can step");
        engine.send(&format!("usermove {push}"));
        game.play(push).unwrap();
        let is_answer = |line: &str| line.starts_with("move ") || line == "resign";
        let answer = engine.lines_until(is_answer).pop().unwrap();
        match answer.strip_prefix("move ") {
            Some(text) => game.play(text).unwrap(),
            None => return Some(moves),
        }
    }
    None
}

#[test]
fn a_lost_game_is_resigned_unless_an_option_forbids_it() {
    assert_eq!(moves_of_a_lone_king(&[]), Some(10));
    assert_eq!(moves_of_a_lone_king(&["option Resign=0"]), None);
    let weak = ["option UCI_LimitStrength=1", "option UCI_Elo=1500"];
    assert_eq!(moves_of_a_lone_king(&weak), None, "a weak player does not resign");
}

#[test]
fn a_game_of_chess_between_two_engines() {
    let game = play_out(&["sd 3"], Game::standard(Variant::Chess).unwrap());
    assert!(game.turns().len() > 8, "{}", game.fen());
}

#[test]
fn a_game_of_chess960_with_castling() {
    const FEN: &str = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1";
    let begin = ["variant fischerandom", "force", &format!("setboard {FEN}")].map(str::to_owned);
    let begin: Vec<&str> = begin.iter().map(String::as_str).collect();
    let mut engine = xboard(&begin);
    for text in ["f1h1", "f8b8"] {
        assert_eq!(ask(&mut engine, &format!("usermove {text}")), [""; 0], "king takes rook");
    }
    // After castling, the king cannot castle again.
    let refusal = ask(&mut engine, "usermove O-O-O");
    assert!(
        refusal[0].starts_with("Illegal move (") && refusal[0].ends_with(": O-O-O"),
        "{refusal:?}"
    );
    for line in ["undo", "undo", "usermove O-O", "usermove O-O-O", "sd 1", "go"] {
        engine.send(line);
    }
    let mut game = Game::new(Variant::Chess960, FEN).unwrap();
    for text in ["O-O", "O-O-O", &next_move(&mut engine)] {
        game.play(text).unwrap();
    }
    // The engine must write castling as king takes rook too. In this position castling is the only move.
    let lone = "4r2k/8/8/8/8/6b1/6P1/5KRB w G - 0 1";
    let mut engine = xboard(&["variant fischerandom", "force", &format!("setboard {lone}")]);
    engine.send("go");
    assert_eq!(next_move(&mut engine), "f1g1");
    play_out(&[&begin[..], &["sd 2"]].concat(), Game::new(Variant::Chess960, FEN).unwrap());
}

#[test]
fn a_game_of_pre_chess_with_its_setup() {
    let mut engine = xboard(&[]);
    let setup = ask(&mut engine, "variant placement");
    let parent = "setup (PNBRQ...........Kpnbrq...........k) 8x8+6_bughouse \
                  8/pppppppp/8/8/8/8/PPPPPPPP/8[";
    assert!(setup[0].starts_with(parent) && setup[1].starts_with("piece K& "), "{setup:?}");
    assert_eq!(targets(&mut engine, "j3"), "highlight 8/8/8/8/8/8/8/YYYYYYYY");
    // XBoard would show the columns before a tab as plain numbers, so in Pre-Chess there must be no tab.
    for line in ["post", "st 1", "go"] {
        engine.send(line);
    }
    let lines = engine.lines_until(|line| line.starts_with("move "));
    let thinking = lines.iter().filter(|line| line.contains('@') && !line.starts_with("move "));
    assert!(
        thinking.clone().count() > 0 && !thinking.clone().any(|line| line.contains('\t')),
        "{lines:?}"
    );
    ask(&mut engine, "new");
    ask(&mut engine, "variant placement");
    let refusal = ask(&mut engine, "usermove Q@d8");
    assert!(
        refusal[0].starts_with("Illegal move") && refusal[0].ends_with(": Q@d8"),
        "{refusal:?}"
    );
    let game =
        play_out(&["variant placement", "st 0.05"], Game::standard(Variant::Placement).unwrap());
    assert!(!game.is_setup(), "{}", game.fen());
}

/// Asks the engine for the target squares of the piece on a square. The answer depends on the engine's
/// position.
fn targets(engine: &mut Engine, square: &str) -> String {
    ask(engine, &format!("lift {square}")).pop().expect("an answer")
}

#[test]
fn moves_are_taken_back() {
    let mut engine = xboard(&["force"]);
    let before = targets(&mut engine, "e2");
    assert_eq!(ask(&mut engine, "undo"), ["Error (there is no move to take back): undo"]);
    engine.send("usermove e2e4");
    let refused = ask(&mut engine, "remove");
    assert!(refused[0].ends_with(": remove"), "{refused:?}");
    let moved = targets(&mut engine, "e2");
    assert_ne!(before, moved);
    assert_eq!(ask(&mut engine, "undo"), [""; 0]);
    assert_eq!(targets(&mut engine, "e2"), before);
    // `remove` takes back a move of each side, and the engine keeps its colour.
    let mut engine = xboard(&["sd 1"]);
    engine.send("usermove e2e4");
    next_move(&mut engine);
    assert_eq!(ask(&mut engine, "remove"), [""; 0]);
    engine.send("usermove d2d4");
    let mut game = Game::standard(Variant::Chess).unwrap();
    for text in ["d4", &next_move(&mut engine)] {
        game.play(text).unwrap();
    }
}

#[test]
fn every_time_control_leads_to_a_move() {
    for lines in [
        &["level 40 0:02 0"][..],
        &["level 0 0:02 0.1"],
        &["level 1 0:01 0"],
        &["st 1", "sd 3"],
        &["level 0 5 0", "time 50", "otim 100"],
        &["level 0 0 0"],
        &["time 0", "otim -100"],
        &["sd 2"],
        &["sd 1", "memory 2", "cores 2"],
    ] {
        let mut engine = xboard(lines);
        for mv in ["e2e4", "a2a3"] {
            engine.send(&format!("usermove {mv}"));
            next_move(&mut engine);
        }
        engine.quit();
    }
    // `?` must make the engine move immediately.
    let mut engine = xboard(&["level 0 60 0"]);
    engine.send_bytes(b"go\n?\n");
    next_move(&mut engine);
}

#[test]
fn pongs_come_in_order_and_after_the_move() {
    let mut engine = xboard(&["sd 5"]);
    engine.send_bytes(b"go\nping 7\nping 8\n");
    let lines = engine.lines_until(|line| line == "pong 8");
    let place = |start: &str| lines.iter().position(|line| line.starts_with(start));
    assert!(place("move ").unwrap() < place("pong 7").unwrap(), "{lines:?}");
    assert!(place("pong 7").unwrap() + 1 == place("pong 8").unwrap(), "{lines:?}");
    // An analysis or an aborted search must not delay `pong`.
    for (line, end) in [("analyze", "exit"), ("go", "force"), ("go", "new"), ("go", "result *")] {
        let mut engine = xboard(&["level 0 90 0"]);
        let text = format!("{line}\n{end}\nping 9\n");
        engine.send_bytes(text.as_bytes());
        let lines = engine.lines_until(|line| line == "pong 9");
        assert_eq!(lines, ["pong 9"], "{line}");
        let text = format!("analyze\nping 10\n{end}\n");
        engine.send_bytes(text.as_bytes());
        engine.lines_until(|line| line == "pong 10");
    }
}

#[test]
fn analysis_follows_the_board() {
    let mut engine = xboard(&["post", "option MultiPV=2", "analyze"]);
    // Waits for a line of analysis whose first move is legal in the position of `game`. The line must have
    // all columns.
    let begins = |engine: &mut Engine, game: &Game| {
        let lines = engine.lines_until(|line| {
            let first = line.split_once('\t').and_then(|(_, pv)| pv.split(' ').next());
            first.is_some_and(|first| game.read(first).is_ok())
        });
        let (numbers, _) = lines.last().and_then(|line| line.split_once('\t')).expect("a tab");
        let numbers = numbers.split(' ').filter(|word| word.parse::<i64>().is_ok());
        assert_eq!(numbers.count(), 7, "{lines:?}");
    };
    let mut game = Game::standard(Variant::Chess).unwrap();
    begins(&mut engine, &game);
    for mv in ["f2f3", "e7e5", "g2g4"] {
        engine.send(&format!("usermove {mv}"));
        game.play(mv).unwrap();
        begins(&mut engine, &game);
    }
    let status = ask(&mut engine, ".").into_iter().find(|line| line.starts_with("stat01: "));
    let words: Vec<String> = status.expect("an answer").split(' ').map(str::to_owned).collect();
    assert_eq!(words[5], game.legal_turns().len().to_string(), "{words:?}");
    engine.send("hint");
    engine.lines_until(|line| line.starts_with("Hint: "));
    // If a hint is requested before the new search has found a move, the hint must come later.
    for command in ["undo", "hint", "usermove g2g4", "hint"] {
        engine.send(command);
    }
    engine.lines_until(|line| line.starts_with("Hint: "));
    // At the end of the game nothing is searched, and `undo` still works.
    ask(&mut engine, "usermove d8h4");
    assert!(ask(&mut engine, ".").contains(&"stat01: 0 0 0 0 0".to_owned()));
    engine.send("undo");
    begins(&mut engine, &game);
    // The analysis continues after `new` and after `setboard`.
    engine.send("new");
    begins(&mut engine, &Game::standard(Variant::Chess).unwrap());
    let fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    engine.send(&format!("setboard {fen}"));
    begins(&mut engine, &Game::new(Variant::Chess, fen).unwrap());
    ask(&mut engine, "exit");
    assert_eq!(ask(&mut engine, "."), [""; 0]);
    assert_eq!(engine.quit(), [""; 0]);
}

#[test]
fn after_an_invalid_position_moves_are_illegal_until_a_valid_one() {
    let mut engine = xboard(&["force"]);
    for fen in ["8/8/8/8/8/8/8/8 w - - 0 1", "rnbqkbnr w", "x", "kk6/8/8/8/8/8/8/KK6 w - - 0 1"] {
        let answer = ask(&mut engine, &format!("setboard {fen}"));
        assert!(answer[0].starts_with("tellusererror Illegal position: "), "{answer:?}");
        let answer = ask(&mut engine, "usermove e2e4");
        assert!(answer[0].starts_with("Illegal move"), "{answer:?}");
        assert!(ask(&mut engine, "go")[0].starts_with("Error ("));
        assert_eq!(ask(&mut engine, "analyze"), [""; 0]);
        engine.send("exit");
    }
    assert_eq!(ask(&mut engine, "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), [""; 0]);
    assert_eq!(ask(&mut engine, "usermove e2e4"), [""; 0]);
    // If the game is over, the engine claims the result instead of moving.
    engine.send("setboard 7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    assert_eq!(ask(&mut engine, "go"), ["1-0 {White mates}"]);
}

/// python-chess attributes thinking output before the pong to the move just played, so output of pondering
/// must come after the pong.
#[test]
fn pondering_is_shown_after_the_pong() {
    let is_thinking = |line: &str| line.starts_with(|c: char| c.is_ascii_digit());
    for threads in ["1", "8"] {
        let cores = format!("cores {threads}");
        let mut engine = xboard(&["hard", "post", &cores, "sd 5"]);
        engine.send("usermove e2e4");
        let answer = next_move(&mut engine);
        std::thread::sleep(Duration::from_millis(200));
        let said = ping(&mut engine);
        assert!(!said.iter().any(|line| is_thinking(line)), "{threads}: {answer}: {said:?}");
        engine.lines_until(is_thinking);
        // If a GUI sends no ping after a move, it must receive output of pondering from the next move on.
        let mut engine = xboard(&["hard", "post", &cores, "sd 5"]);
        for mv in ["usermove e2e4", "usermove a2a3"] {
            engine.send(mv);
            next_move(&mut engine);
        }
        engine.lines_until(is_thinking);
    }
}

#[test]
fn analysis_of_a_finished_position_ends() {
    let mut engine = xboard(&["post", "analyze"]);
    for fen in ["8/8/8/4k3/8/8/8/4K3 w - - 0 1", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"] {
        ask(&mut engine, &format!("setboard {fen}"));
        let status = ask(&mut engine, ".");
        assert!(status.iter().any(|line| line.starts_with("stat01: 0 0 0 0 ")), "{status:?}");
    }
    assert_eq!(ask(&mut engine, "exit"), [""; 0]);
    engine.quit();
}

#[test]
fn the_engine_ponders_on_the_expected_reply() {
    let mut engine = xboard(&["hard", "post", "sd 6"]);
    engine.send("usermove e2e4");
    let mut game = Game::standard(Variant::Chess).unwrap();
    game.play("e4").unwrap();
    let mut hits = 0;
    for wants_hit in [true, false, true] {
        game.play(&next_move(&mut engine)).unwrap();
        let said = ping(&mut engine);
        assert!(!said.iter().any(|line| line.starts_with("move ")), "too early: {said:?}");
        let hint = said.iter().find_map(|line| line.strip_prefix("Hint: "));
        let expected = hint.map(|hint| game.read(hint).expect("a legal move").uci);
        hits += usize::from(expected.is_some());
        let turns = game.legal_turns();
        let other = turns.into_iter().find(|turn| Some(turn) != expected.as_ref());
        let reply = expected.filter(|_| wants_hit).or(other).expect("a legal move");
        engine.send(&format!("usermove {reply}"));
        game.play(&reply).unwrap();
    }
    assert!(hits > 0, "the engine never pondered on the move that was played");
    next_move(&mut engine);
    engine.send("easy");
    assert_eq!(engine.quit().iter().filter(|line| line.starts_with("move ")).count(), 0);
}

#[test]
fn unsupported_variants_are_rejected() {
    let mut engine = xboard(&["force"]);
    let ifrc = ask(&mut engine, "variant ifrc");
    assert!(ifrc[0].contains("castles on the first and the last rank"), "{ifrc:?}");
    assert!(ask(&mut engine, "usermove e2e4")[0].starts_with("Illegal move"));
    assert!(ask(&mut engine, "variant jepps")[0].contains("aleator serve"));
    assert!(
        ask(&mut engine, "variant atomic")[0]
            .starts_with("Error (unknown variant; the variants are normal")
    );
    engine.send("new");
    engine.send("force");
    assert_eq!(ask(&mut engine, "usermove e2e4"), [""; 0]);
}

/// Sends truncated, binary, huge and contradictory lines: each gets an error message or no answer, and
/// the game does not change.
#[test]
fn hostile_lines_change_nothing() {
    let huge = "9".repeat(1 << 20);
    let mut engine = xboard(&["force", "usermove e2e4"]);
    let before = targets(&mut engine, "e7");
    let errors = [
        "xyzzy",
        "edit",
        "#",
        "e",
        "white",
        "black",
        "nps 100",
        "pause",
        "exclude all",
        "level",
        "level 40",
        "level 40 5",
        "level x 5 0",
        "level 40 : 0",
        "level 40 5 nan",
        "level 1 2 3 4",
        "st",
        "st inf",
        "st -",
        "sd",
        "sd x",
        "time",
        "time 1e9",
        "otim \u{fffd}",
        "ping",
        "ping x",
        "ping 1.5",
        "protover",
        "protover x",
        "variant",
        "usermove",
        "setboard",
        "memory",
        "cores",
        "memory 0",
        "memory -1",
        "cores 0",
        "cores 1000000",
        "option",
        "option =",
        "option Hash=1",
        "option UCI_Variant=ifrc",
        "option MultiPV",
        "option MultiPV=0",
        "option MultiPV=x",
        "option OwnBook=2",
        "option EvalFile=/nonexistent/illegal",
        "option \u{1b}[2J=1",
        "lift",
        "remove",
        "usermove e2e4 e7e5 \0",
        "NEW",
        "new\u{0}",
        "go\u{1}",
    ];
    for line in errors.iter().map(|line| (*line).to_owned()).chain([
        huge.clone(),
        format!("ping {huge}x"),
        format!("option {huge}={huge}"),
        format!("level {huge} {huge}"),
    ]) {
        let answer = ask(&mut engine, &line);
        let [refusal] = &answer[..] else { panic!("'{line:.60}' was answered: {answer:?}") };
        let is_refusal = refusal.starts_with("Error (") || refusal.starts_with("Illegal move");
        assert!(is_refusal && refusal.len() < 600, "'{line:.60}': {refusal}");
        assert!(!refusal.starts_with("Error") || !refusal.contains("llegal"), "{refusal}");
        assert!(!refusal.contains(['\0', '\u{1b}']), "{refusal:?}");
    }
    for text in ["e2e4", "e7e9", "e8e8", "O-O", "Q@e4", "@@@@", "a7a8q", "zzzz", "\u{1}", &huge] {
        let answer = ask(&mut engine, &format!("usermove {text}"));
        assert!(answer.len() == 1 && answer[0].starts_with("Illegal move"), "{answer:.200?}");
    }
    engine.send_bytes(b"\xff\xfe\n\0\0\nusermove \xc3\x28\n\xef\xbb\xbf\nping \xff\n");
    engine.send_bytes(format!("{}\n", "y".repeat(20 << 20)).as_bytes());
    assert!(ping(&mut engine).iter().all(|line| line.contains("(") || line.starts_with("Illegal")));
    assert_eq!(targets(&mut engine, "e7"), before, "the game has not changed");
    // Send contradictory commands in a meaningless order.
    engine.send_bytes(
        b"sd 4\ngo\ngo\nplayother\nanalyze\ngo\nusermove e7e5\nforce\nundo\nanalyze\nundo\nexit\n\
          exit\nhard\neasy\nhint\nhint\n?\n.\nresult 2-0 {\nremove\ndraw\n",
    );
    ping(&mut engine);
    engine.send("new");
    // Send a line truncated at every length.
    let whole = "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    engine.send("force");
    (0..=whole.len()).for_each(|length| engine.send(&whole[..length]));
    ping(&mut engine);
    assert_eq!(ask(&mut engine, "usermove e2e4"), [""; 0]);
    engine.quit();
}
