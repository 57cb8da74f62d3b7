//! Tests of the UCI command parser.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::go::MAX_MILLIS;
use super::*;
use crate::engine::SearchRequest;
use crate::search::Limits;
use crate::session::Command as Ask;

fn ok(line: &str) -> UciCommand {
    UciCommand::parse(line).unwrap().unwrap()
}

fn error(line: &str) -> String {
    UciCommand::parse(line).unwrap_err().to_string()
}

fn position(fen: Option<&str>, moves: &[&str]) -> UciCommand {
    let (fen, moves) = (fen.map(str::to_owned), moves.iter().map(|&text| text.to_owned()));
    UciCommand::Session(Ask::Position { fen, moves: moves.collect() })
}

fn option(name: &str, value: Option<&str>) -> UciCommand {
    UciCommand::Session(Ask::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
}

#[test]
fn commands_without_arguments() {
    assert_eq!(ok("uci"), UciCommand::Uci);
    assert_eq!(ok("isready"), UciCommand::Session(Ask::Ready));
    assert_eq!(ok("ucinewgame"), UciCommand::Session(Ask::NewGame));
    assert_eq!(ok("go"), UciCommand::Go(GoCommand::default()));
    assert_eq!(ok("stop"), UciCommand::Session(Ask::Stop));
    assert_eq!(ok("ponderhit"), UciCommand::Session(Ask::PonderHit));
    assert_eq!(ok("quit"), UciCommand::Session(Ask::Quit));
    assert_eq!(ok("d"), UciCommand::Session(Ask::Display));
    assert_eq!(ok("eval"), UciCommand::Session(Ask::Evaluate));
    assert_eq!(ok("flip"), UciCommand::Session(Ask::Flip));
    assert_eq!(ok("compiler"), UciCommand::Compiler);
    assert_eq!(ok("help"), UciCommand::Help);
}

#[test]
fn every_listed_command_is_parsed_and_listed_once() {
    let mut names = COMMANDS.map(|command| command.name);
    for name in names {
        match UciCommand::parse(name) {
            Ok(command) => assert_eq!(words(&command.unwrap()).split(' ').next(), Some(name)),
            Err(CommandError::Unknown { .. }) => panic!("'{name}' is listed but cannot be parsed"),
            Err(_) => {}
        }
    }
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn blanks_and_line_ends_do_not_matter() {
    for line in ["", " ", "\t \t", "\r\n", "\n"] {
        assert_eq!(UciCommand::parse(line), Ok(None), "{line:?}");
    }
    assert_eq!(ok(" \tisready \t\r\n"), UciCommand::Session(Ask::Ready));
    assert_eq!(ok("debug\t \ton\r"), UciCommand::Debug(true));
    assert_eq!(ok("stop at once"), UciCommand::Session(Ask::Stop));
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_eq!(ok("joho debug on"), UciCommand::Debug(true));
    assert_eq!(ok("\0 \u{fffd}\u{fffd} isready"), UciCommand::Session(Ask::Ready));
    assert_eq!(
        error("joho debag on"),
        "unknown command 'joho debag on'; 'help' lists the commands"
    );
    // The names of commands must be whole words in lower case.
    assert!(error("UCI").contains("'UCI'"));
    assert!(error("ucis isreadyy").contains("'ucis isreadyy'"));
}

#[test]
fn errors_show_garbage_short_and_printable() {
    assert_eq!(
        error(&format!("  \x1b[31m\0{}", "x".repeat(1 << 20))),
        format!(
            "unknown command '\\u{{1b}}[31m\\0{}...'; 'help' lists the commands",
            "x".repeat(48)
        )
    );
}

#[test]
fn setoption_is_parsed() {
    assert_eq!(ok("setoption name Hash value 64"), option("Hash", Some("64")));
    assert_eq!(ok("setoption name Clear Hash"), option("Clear Hash", None));
    assert_eq!(ok("setoption name Clear \t Hash"), option("Clear Hash", None));
    assert_eq!(ok("setoption name Move Overhead value 30"), option("Move Overhead", Some("30")));
    // The parser keeps the case of names; the table of options ignores case.
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
fn errors_of_setoption_show_the_syntax() {
    let form = "setoption: expected 'setoption name <name> [value <value>]'; found ";
    let end = "the end of the line after";
    assert_eq!(error("setoption"), format!("{form}{end} 'setoption'"));
    assert_eq!(error("setoption Hash 64"), format!("{form}'Hash' after 'setoption'"));
    assert_eq!(error("setoption name"), format!("{form}{end} 'name'"));
    assert_eq!(error("setoption name value 3"), format!("{form}'value' after 'name'"));
}

#[test]
fn position_startpos_is_parsed() {
    assert_eq!(ok("position startpos"), position(None, &[]));
    assert_eq!(ok("position startpos moves"), position(None, &[]));
    assert_eq!(
        ok("position  startpos moves e2e4\te7e5 O-O b7a8q Q@g1+K@f1"),
        position(None, &["e2e4", "e7e5", "O-O", "b7a8q", "Q@g1+K@f1"])
    );
}

#[test]
fn position_fen_is_parsed() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let fields = [board, "w", "HAha", "-", "0", "1"];
    for count in 2..=6 {
        let fen = fields[..count].join(" ");
        assert_eq!(ok(&format!("position fen {fen}")), position(Some(&fen), &[]));
        assert_eq!(
            ok(&format!("position fen  {} moves e2e4 moves", fields[..count].join("\t "))),
            position(Some(&fen), &["e2e4", "moves"])
        );
    }
    // This parser does not check the contents of a FEN.
    assert_eq!(ok("position fen rubbish \u{fffd}\0"), position(Some("rubbish \u{fffd}\0"), &[]));
}

#[test]
fn errors_of_position_show_the_syntax() {
    let form = "position: expected 'position startpos|fen <FEN> [moves <move> ...]'; found ";
    assert_eq!(error("position"), format!("{form}the end of the line after 'position'"));
    assert_eq!(error("position 8/8 w - -"), format!("{form}'8/8' after 'position'"));
    assert_eq!(error("position startpos e2e4"), format!("{form}'e2e4' after 'startpos'"));
    let fields = "position: a FEN has 2 to 6 fields (board, side to move, castling, en passant, \
                  halfmove clock, move number), ";
    let moves = "; moves come after the word 'moves'";
    assert_eq!(error("position fen"), format!("{fields}'' has 0{moves}"));
    assert_eq!(error("position fen 8/8 moves a b"), format!("{fields}'8/8' has 1{moves}"));
    assert_eq!(
        error("position fen 8/8 w - - 0 1 e2e4"),
        format!("{fields}'8/8 w - - 0 1 e2e4' has 7{moves}")
    );
}

#[test]
fn debug_is_on_or_off() {
    assert_eq!(ok("debug off"), UciCommand::Debug(false));
    assert_eq!(error("debug maybe"), "debug: expected 'debug on|off'; found 'maybe' after 'debug'");
    assert!(error("debug").contains("found the end of the line"));
}

#[test]
fn go_parameters_are_parsed() {
    let UciCommand::Go(go) = ok("go ponder wtime 1000") else { panic!("no 'go'") };
    assert_eq!(
        (go.request.limits.ponder, go.request.limits.time[0]),
        (true, Some(Duration::from_secs(1)))
    );
    let UciCommand::Go(go) = ok("go wtime") else { panic!("no 'go'") };
    assert!(
        go.errors[0].to_string().starts_with("go: 'wtime' needs a whole number of milliseconds")
    );
}

/// Parses lines of about a megabyte. A parser with quadratic time would take minutes.
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
        let _ = UciCommand::parse(line);
        let taken = begin.elapsed();
        assert!(taken < Duration::from_secs(2), "{taken:?} for '{}'", &line[..20]);
    }
}

/// Returns a proptest strategy that generates words other than `but`.
fn word(but: &'static str) -> impl Strategy<Value = String> {
    prop_oneof!["[!-~]{1,8}", r"[a-h][1-8][a-h][1-8][qrbn]?", r"\PC{1,5}"]
        .prop_map(|text| text.split_ascii_whitespace().collect())
        .prop_filter("an empty or a reserved word", move |text: &String| {
            !text.is_empty() && text != but
        })
}

const PARAMS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "movetime",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

/// Returns a proptest strategy that generates lists of words that are not parameters of `go`.
fn plain_words(most: usize) -> impl Strategy<Value = Vec<String>> {
    let plain = word("").prop_filter("a parameter", |text| !PARAMS.contains(&text.as_str()));
    prop::collection::vec(plain, 0..=most)
}

fn go() -> impl Strategy<Value = GoCommand> {
    let millis = |least| {
        let number = prop_oneof![least..=MAX_MILLIS, least..10];
        prop::option::of(number.prop_map(Duration::from_millis))
    };
    let count = || prop::option::of(any::<u32>());
    let moves_to_go = prop::option::of(1..=u32::MAX);
    let clocks = ([millis(1), millis(1)], [millis(0), millis(0)], moves_to_go, millis(1));
    let moves = prop::option::of(1..=u32::MAX);
    let counts = (count(), prop::option::of(any::<u64>()), moves, count());
    let others = (any::<bool>(), any::<bool>(), plain_words(4), plain_words(2));
    (clocks, counts, others).prop_map(|(clocks, counts, others)| {
        let (time, increment, moves_to_go, move_time) = clocks;
        let (depth, nodes, mate, perft) = counts;
        let (infinite, ponder, search_moves, ignored) = others;
        let mut limits = Limits { time, increment, moves_to_go, move_time, ..Limits::default() };
        limits = Limits { depth, nodes, mate, infinite, ponder, ..limits };
        let request = SearchRequest { limits, search_moves, ..SearchRequest::default() };
        let mut go = GoCommand { request: Box::new(request), perft, ..GoCommand::default() };
        // A `go` in which every word is unknown is an error, so unknown words are added only if there are
        // parameters too.
        if go != GoCommand::default() {
            go.ignored = ignored;
        }
        go
    })
}

/// Formats a `go` command. `searchmoves` comes last, because all words up to the next parameter are read as
/// moves.
fn go_words(go: &GoCommand) -> String {
    let GoCommand { request, perft, ignored, .. } = go;
    let limits = &request.limits;
    let millis = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
    let numbers = [
        ("wtime", millis(limits.time[0])),
        ("btime", millis(limits.time[1])),
        ("winc", millis(limits.increment[0])),
        ("binc", millis(limits.increment[1])),
        ("movestogo", limits.moves_to_go.map(u64::from)),
        ("depth", limits.depth.map(u64::from)),
        ("nodes", limits.nodes),
        ("movetime", millis(limits.move_time)),
        ("mate", limits.mate.map(u64::from)),
        ("perft", perft.map(u64::from)),
    ];
    let mut words = vec!["go".to_owned()];
    words.extend(ignored.iter().cloned());
    words.extend(
        [(limits.ponder, "ponder"), (limits.infinite, "infinite")]
            .into_iter()
            .filter(|(on, _)| *on)
            .map(|(_, word)| word.to_owned()),
    );
    words.extend(numbers.iter().filter_map(|(word, n)| n.map(|n| format!("{word} {n}"))));
    if !request.search_moves.is_empty() {
        words.push(format!("searchmoves {}", request.search_moves.join(" ")));
    }
    words.join(" ")
}

/// Formats a command as a line of input.
fn words(command: &UciCommand) -> String {
    let UciCommand::Session(command) = command else {
        return match command {
            UciCommand::Uci => "uci".to_owned(),
            UciCommand::Debug(on) => format!("debug {}", if *on { "on" } else { "off" }),
            UciCommand::Compiler => "compiler".to_owned(),
            UciCommand::Help => "help".to_owned(),
            UciCommand::Go(go) => go_words(go),
            UciCommand::Session(_) => unreachable!(),
        };
    };
    match command {
        Ask::SetOption { name, value: None } => format!("setoption name {name}"),
        Ask::SetOption { name, value: Some(value) } => {
            format!("setoption name {name} value {value}")
        }
        Ask::Position { fen, moves } => {
            let start = fen.as_ref().map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
            format!("position {start} moves {}", moves.join(" "))
        }
        Ask::Ready => "isready".to_owned(),
        Ask::NewGame => "ucinewgame".to_owned(),
        Ask::Stop => "stop".to_owned(),
        Ask::PonderHit => "ponderhit".to_owned(),
        Ask::Quit => "quit".to_owned(),
        Ask::Display => "d".to_owned(),
        Ask::Evaluate => "eval".to_owned(),
        Ask::Flip => "flip".to_owned(),
        Ask::Go(_)
        | Ask::Perft(_)
        | Ask::Extra(_)
        | Ask::Say(_)
        | Ask::RejectPosition(_)
        | Ask::EndOfInput => {
            panic!("no line of UCI input gives {command:?}")
        }
    }
}

fn command() -> impl Strategy<Value = UciCommand> {
    let words = |but, least, most| prop::collection::vec(word(but), least..=most);
    let fen = prop::option::of(words("moves", 2, 6).prop_map(|fields| fields.join(" ")));
    let value = any::<String>().prop_map(|text| text.trim_ascii().to_owned());
    prop_oneof![
        prop::sample::select(vec![
            UciCommand::Uci,
            UciCommand::Session(Ask::Ready),
            UciCommand::Session(Ask::NewGame),
            UciCommand::Session(Ask::Stop),
            UciCommand::Session(Ask::PonderHit),
            UciCommand::Session(Ask::Quit),
            UciCommand::Debug(true),
            UciCommand::Debug(false),
            UciCommand::Session(Ask::Display),
            UciCommand::Session(Ask::Evaluate),
            UciCommand::Session(Ask::Flip),
            UciCommand::Compiler,
            UciCommand::Help,
        ]),
        (words("value", 1, 4), prop::option::of(value)).prop_map(|(name, value)| {
            UciCommand::Session(Ask::SetOption { name: name.join(" "), value })
        }),
        (fen, words("", 0, 6))
            .prop_map(|(fen, moves)| UciCommand::Session(Ask::Position { fen, moves })),
        go().prop_map(UciCommand::Go),
    ]
}

/// Returns a proptest strategy that generates lines of protocol words, numbers and garbage.
fn line() -> impl Strategy<Value = String> {
    let known = COMMANDS.map(|command| command.name).to_vec();
    let inner = ["name", "value", "startpos", "fen", "moves", "on", "off", "w", "-"].to_vec();
    let word = prop_oneof![
        1 => prop::sample::select(known),
        3 => prop::sample::select(PARAMS.to_vec()),
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

/// Checks that a line can be parsed without a panic. A command must survive a round trip, and an error
/// message must be a single short line.
fn check_line(line: &str) -> Result<(), TestCaseError> {
    let mut errors = Vec::new();
    match UciCommand::parse(line) {
        Ok(Some(UciCommand::Go(go))) if !go.errors.is_empty() => {
            prop_assert!(go.request.limits.is_limited(), "{go:?}");
            errors.extend(go.errors.iter().map(ToString::to_string));
        }
        Ok(Some(command)) => {
            prop_assert_eq!(UciCommand::parse(&words(&command)), Ok(Some(command)));
        }
        Ok(None) => prop_assert!(line.trim_ascii().is_empty()),
        Err(error) => errors.push(error.to_string()),
    }
    for text in errors {
        prop_assert!(text.len() < 600 && !text.contains(char::is_control), "{text:?}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_rejected(line in any::<String>()) {
        check_line(&line)?;
    }

    #[test]
    fn any_bytes_are_parsed_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_line(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn any_words_are_parsed_or_rejected(line in line()) {
        check_line(&line)?;
    }

    #[test]
    fn commands_survive_a_round_trip(command in command()) {
        prop_assert_eq!(UciCommand::parse(&words(&command)), Ok(Some(command)));
    }
}
