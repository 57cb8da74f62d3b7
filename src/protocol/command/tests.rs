use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::go::{GoParam, MAX_MILLIS};
use super::*;

fn ok(line: &str) -> Command {
    Command::parse(line).unwrap().unwrap()
}

fn error(line: &str) -> String {
    Command::parse(line).unwrap_err().to_string()
}

fn position(start: PositionStart, moves: &[&str]) -> Command {
    Command::Position { start, moves: moves.iter().map(|&text| text.to_owned()).collect() }
}

fn option(name: &str, value: Option<&str>) -> Command {
    Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

#[test]
fn words_alone() {
    assert_eq!(ok("uci"), Command::Uci);
    assert_eq!(ok("isready"), Command::IsReady);
    assert_eq!(ok("ucinewgame"), Command::UciNewGame);
    assert_eq!(ok("go"), Command::Go(GoParams::default()));
    assert_eq!(ok("stop"), Command::Stop);
    assert_eq!(ok("ponderhit"), Command::PonderHit);
    assert_eq!(ok("quit"), Command::Quit);
    assert_eq!(ok("d"), Command::Display);
    assert_eq!(ok("eval"), Command::Eval);
    assert_eq!(ok("bench"), Command::Bench { depth: None });
    assert_eq!(ok("flip"), Command::Flip);
    assert_eq!(ok("compiler"), Command::Compiler);
    assert_eq!(ok("help"), Command::Help);
}

#[test]
fn every_command_is_listed_once_and_known() {
    let mut names = COMMANDS.map(|command| command.name);
    for name in names {
        match Command::parse(name) {
            Ok(command) => assert_eq!(command.unwrap().name(), name),
            Err(CommandError::Unknown { .. }) => panic!("'{name}' is listed, but not known"),
            Err(_) => {}
        }
    }
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn blanks_and_line_ends_do_not_matter() {
    for line in ["", " ", "\t \t", "\r\n", "\n"] {
        assert_eq!(Command::parse(line), Ok(None), "{line:?}");
    }
    assert_eq!(ok(" \tisready \t\r\n"), Command::IsReady);
    assert_eq!(ok("debug\t \ton\r"), Command::Debug(true));
    assert_eq!(ok("stop at once"), Command::Stop);
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_eq!(ok("joho debug on"), Command::Debug(true));
    assert_eq!(ok("\0 \u{fffd}\u{fffd} isready"), Command::IsReady);
    assert_eq!(
        error("joho debag on"),
        "there is no command in 'joho debag on'; 'help' lists the commands"
    );
    // Commands are lower-case words and whole.
    assert!(error("UCI").contains("'UCI'"));
    assert!(error("ucis isreadyy").contains("'ucis isreadyy'"));
}

#[test]
fn errors_show_garbage_short_and_printable() {
    assert_eq!(
        error(&format!("  \x1b[31m\0{}", "x".repeat(1 << 20))),
        format!(
            "there is no command in '\\u{{1b}}[31m\\0{}...'; 'help' lists the commands",
            "x".repeat(48)
        )
    );
}

#[test]
fn setoption() {
    assert_eq!(ok("setoption name Hash value 64"), option("Hash", Some("64")));
    assert_eq!(ok("setoption name Clear Hash"), option("Clear Hash", None));
    assert_eq!(ok("setoption name Clear \t Hash"), option("Clear Hash", None));
    assert_eq!(ok("setoption name Move Overhead value 30"), option("Move Overhead", Some("30")));
    // Names are compared by the table of options, whatever their case.
    assert_eq!(ok("setoption name hAsH value 1"), option("hAsH", Some("1")));
}

#[test]
fn setoption_keeps_values_verbatim() {
    assert_eq!(
        ok("setoption name Book File value  C:\\my  books\\a value.bin \r\n"),
        option("Book File", Some("C:\\my  books\\a value.bin"))
    );
    assert_eq!(ok("setoption name Book File value"), option("Book File", Some("")));
    assert_eq!(ok("setoption name Book File value \t"), option("Book File", Some("")));
    assert_eq!(ok("setoption name a name value b name"), option("a name", Some("b name")));
    assert_eq!(ok("setoption name Values value values"), option("Values", Some("values")));
}

#[test]
fn setoption_errors() {
    let form = "setoption: write 'setoption name <name> [value <value>]'; ";
    assert_eq!(error("setoption"), format!("{form}found the end of the line, not 'name'"));
    assert_eq!(error("setoption Hash 64"), format!("{form}found 'Hash', not 'name'"));
    let missing =
        "setoption: the name is missing after 'name', as in 'setoption name Hash value 64'";
    assert_eq!(error("setoption name"), missing);
    assert_eq!(error("setoption name value 3"), missing);
}

#[test]
fn position_from_the_start() {
    assert_eq!(ok("position startpos"), position(PositionStart::StartPos, &[]));
    assert_eq!(ok("position startpos moves"), position(PositionStart::StartPos, &[]));
    assert_eq!(
        ok("position  startpos moves e2e4\te7e5 O-O b7a8q Q@g1+K@f1"),
        position(PositionStart::StartPos, &["e2e4", "e7e5", "O-O", "b7a8q", "Q@g1+K@f1"])
    );
}

#[test]
fn position_from_a_fen() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let fields = [board, "w", "HAha", "-", "0", "1"];
    for count in 2..=6 {
        let fen = fields[..count].join(" ");
        let start = PositionStart::Fen(fen.clone());
        assert_eq!(ok(&format!("position fen {fen}")), position(start.clone(), &[]));
        assert_eq!(
            ok(&format!("position fen  {} moves e2e4 moves", fields[..count].join("\t "))),
            position(start, &["e2e4", "moves"])
        );
    }
    // What a FEN may say, its own parser knows.
    assert_eq!(
        ok("position fen rubbish \u{fffd}\0"),
        position(PositionStart::Fen("rubbish \u{fffd}\0".to_owned()), &[])
    );
}

#[test]
fn position_errors() {
    let form = format!("position: write {POSITION_FORM}; found ");
    assert_eq!(error("position"), format!("{form}the end of the line after 'position'"));
    assert_eq!(error("position 8/8 w - -"), format!("{form}'8/8' after 'position'"));
    assert_eq!(
        error("position startpos e2e4"),
        format!("{form}'e2e4' after 'startpos', not 'moves'")
    );
    let fields = "position: a FEN has 2 to 6 fields (board, side to move, castling, en passant, \
                  half-move clock, move number), ";
    let moves = "; moves come after the word 'moves'";
    assert_eq!(error("position fen"), format!("{fields}'' has 0{moves}"));
    assert_eq!(error("position fen 8/8 moves a b"), format!("{fields}'8/8' has 1{moves}"));
    assert_eq!(
        error("position fen 8/8 w - - 0 1 e2e4"),
        format!("{fields}'8/8 w - - 0 1 e2e4' has 7{moves}")
    );
}

#[test]
fn debug_and_bench() {
    assert_eq!(ok("debug off"), Command::Debug(false));
    assert_eq!(
        error("debug maybe"),
        "debug: write 'debug on' or 'debug off'; found 'maybe' after 'debug'"
    );
    assert!(error("debug").contains("found the end of the line"));
    assert_eq!(ok("bench 12"), Command::Bench { depth: Some(12) });
    assert_eq!(ok("bench 16 1 13 default depth"), Command::Bench { depth: Some(16) });
    assert_eq!(ok(&format!("bench {}", "9".repeat(99))), Command::Bench { depth: Some(u32::MAX) });
    let wanted = "bench: the depth is a whole number of plies, as in 'bench 10'; found ";
    assert_eq!(error("bench deep"), format!("{wanted}'deep'"));
    assert_eq!(error("bench -3"), format!("{wanted}'-3'"));
}

#[test]
fn go_is_read_by_its_own_parser() {
    let go = GoParams { ponder: true, wtime: Some(1000), ..GoParams::default() };
    assert_eq!(ok("go ponder wtime 1000"), Command::Go(go));
    assert!(error("go wtime").starts_with("go: 'wtime' needs a whole number of milliseconds"));
}

/// Anything quadratic would take minutes.
#[test]
fn a_megabyte_takes_linear_time() {
    let long = |part: &str| part.repeat((1 << 20) / part.len());
    let lines = [
        long("x"),
        long("x "),
        long(" "),
        long("\0\u{fffd}"),
        format!("position startpos moves {}", long("g1f3 g8f6 f3g1 f6g8 ")),
        format!("position fen {}", long("a ")),
        format!("position fen {} w", long("8")),
        format!("setoption name {}", long("a ")),
        format!("setoption name a value {}", long("b \t ")),
        format!("go searchmoves {}", long("e2e4 ")),
        format!("go {}", long("wtime 1 searchmoves a ")),
        format!("go {}", long("x ")),
        format!("go depth {}", long("9")),
    ];
    for line in &lines {
        let begin = Instant::now();
        let _ = Command::parse(line);
        let taken = begin.elapsed();
        assert!(taken < Duration::from_secs(2), "{taken:?} for '{}'", &line[..20]);
    }
}

/// A word that is not `but`.
fn word(but: &'static str) -> impl Strategy<Value = String> {
    prop_oneof!["[!-~]{1,8}", r"[a-h][1-8][a-h][1-8][qrbn]?", r"\PC{1,5}"]
        .prop_map(|text| text.split_ascii_whitespace().collect())
        .prop_filter("an empty or a reserved word", move |text: &String| {
            !text.is_empty() && text != but
        })
}

/// A word that is no parameter of `go`.
fn plain_words(most: usize) -> impl Strategy<Value = Vec<String>> {
    let plain = word("")
        .prop_filter("a parameter", |text| GoParam::ALL.iter().all(|param| param.name() != text));
    prop::collection::vec(plain, 0..=most)
}

fn go_params() -> impl Strategy<Value = GoParams> {
    let clock = || prop::option::of(prop_oneof![1..=MAX_MILLIS, 1_u64..10]);
    let increment = || prop::option::of(prop_oneof![0..=MAX_MILLIS, 0_u64..10]);
    let count = || prop::option::of(any::<u32>());
    let moves_to_go = prop::option::of(1..=u32::MAX);
    let clocks = (clock(), clock(), increment(), increment(), moves_to_go, clock());
    let counts = (count(), prop::option::of(any::<u64>()), count(), count());
    let others = (any::<bool>(), any::<bool>(), plain_words(4), plain_words(2));
    (clocks, counts, others).prop_map(|(clocks, counts, others)| {
        let (wtime, btime, winc, binc, movestogo, movetime) = clocks;
        let (depth, nodes, mate, perft) = counts;
        let (infinite, ponder, searchmoves, ignored) = others;
        let mut go = GoParams {
            wtime,
            btime,
            winc,
            binc,
            movestogo,
            depth,
            nodes,
            movetime,
            mate,
            infinite,
            ponder,
            searchmoves,
            perft,
            ignored: Vec::new(),
        };
        // Unknown words alone are an error, not a command.
        if go != GoParams::default() {
            go.ignored = ignored;
        }
        go
    })
}

fn command() -> impl Strategy<Value = Command> {
    let words = |but, least, most| prop::collection::vec(word(but), least..=most);
    let fen = words("moves", 2, 6).prop_map(|fields| PositionStart::Fen(fields.join(" ")));
    let start = prop_oneof![Just(PositionStart::StartPos), fen];
    let value = any::<String>().prop_map(|text| text.trim_ascii().to_owned());
    prop_oneof![
        prop::sample::select(vec![
            Command::Uci,
            Command::IsReady,
            Command::UciNewGame,
            Command::Stop,
            Command::PonderHit,
            Command::Quit,
            Command::Debug(true),
            Command::Debug(false),
            Command::Display,
            Command::Eval,
            Command::Flip,
            Command::Compiler,
            Command::Help,
        ]),
        prop::option::of(any::<u32>()).prop_map(|depth| Command::Bench { depth }),
        (words("value", 1, 4), prop::option::of(value))
            .prop_map(|(name, value)| Command::SetOption { name: name.join(" "), value }),
        (start, words("", 0, 6)).prop_map(|(start, moves)| Command::Position { start, moves }),
        go_params().prop_map(Command::Go),
    ]
}

/// Lines out of the words of the protocol, numbers and rubbish.
fn line() -> impl Strategy<Value = String> {
    let known = COMMANDS.map(|command| command.name).to_vec();
    let inner = ["name", "value", "startpos", "fen", "moves", "on", "off", "w", "-"].to_vec();
    let word = prop_oneof![
        1 => prop::sample::select(known),
        3 => prop::sample::select(GoParam::ALL.map(GoParam::name).to_vec()),
        2 => prop::sample::select(inner),
    ];
    let word = prop_oneof![
        4 => word.prop_map(str::to_owned),
        2 => "[-+]?[0-9]{1,25}",
        1 => any::<String>(),
    ];
    prop::collection::vec((word, "[ \t]{1,2}"), 0..12)
        .prop_map(|words| words.into_iter().map(|(word, blank)| word + &blank).collect())
}

/// Nothing panics; a command printed reads as the same command; an error is one short line.
fn check_line(line: &str) -> Result<(), TestCaseError> {
    match Command::parse(line) {
        Ok(Some(command)) => {
            prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
        }
        Ok(None) => prop_assert!(line.trim_ascii().is_empty()),
        Err(error) => {
            let text = error.to_string();
            prop_assert!(text.len() < 600 && !text.contains(char::is_control), "{text:?}");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(line in any::<String>()) {
        check_line(&line)?;
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_line(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn any_words_are_read_or_refused(line in line()) {
        check_line(&line)?;
    }

    #[test]
    fn commands_read_as_they_print(command in command()) {
        prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
    }
}
