//! The parameters of the UCI command `go`.

use std::time::Duration;

use super::words::{Integer, Unexpected, Words};
use crate::engine::SearchRequest;
use crate::text::Excerpt;

/// The longest time in milliseconds, about 31 years. Longer times are capped so that sums of times do not
/// overflow.
pub const MAX_MILLIS: u64 = 1_000_000_000_000;

/// The time for a search if none of the limits in `go` could be parsed. This time is short because one of the
/// limits may have been the time on a clock.
const FALLBACK_TIME: Duration = Duration::from_millis(500);

/// The parsed parameters of `go`. A search without any limit runs until `stop`.
///
/// If a parameter is repeated, the last value counts. If `searchmoves` is repeated, the moves of all lists
/// are searched. Numbers that are too large are capped. Parameters that cannot be parsed are skipped. If a
/// parameter was skipped, `infinite` is ignored, and the search gets a time limit if it has no other limit.
/// The reason is that the caller may wait for a move without sending `stop`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GoCommand {
    /// The search request.
    pub request: Box<SearchRequest>,
    /// The depth in plies of a perft to run instead of a search.
    pub perft: Option<u32>,
    /// The unknown words. UCI requires engines to ignore unknown words; a message lists them.
    pub ignored: Vec<String>,
    /// The errors of the parameters that could not be parsed.
    pub errors: Vec<GoError>,
}

/// A parameter of `go`.
struct Param {
    /// The parameter's word in the protocol.
    name: &'static str,
    /// The unit of the parameter's number; empty for parameters without a number.
    unit: &'static str,
    value: Argument,
}

/// The type of a parameter's value, and the field that stores the value.
enum Argument {
    /// A time in milliseconds. Numbers below 1 count as 1, because some GUIs let the game continue after a
    /// flag fall and then send zero or less.
    Clock(fn(&mut SearchRequest) -> &mut Option<Duration>),
    /// An increment in milliseconds. Negative numbers count as 0.
    Increment(fn(&mut SearchRequest) -> &mut Option<Duration>),
    /// A number of moves. Numbers below 1 are ignored, because some GUIs send 0 for sudden death.
    MovesToGo,
    /// A whole number. Field 0 is the smallest number allowed.
    Count(u64, fn(&mut GoCommand) -> &mut Option<u32>),
    Nodes,
    Flag(fn(&mut SearchRequest) -> &mut bool),
    /// All words up to the next parameter. The engine checks later whether the words are moves.
    Moves,
}

const fn param(name: &'static str, unit: &'static str, value: Argument) -> Param {
    Param { name, unit, value }
}

const MILLIS: &str = "milliseconds";

const PARAMS: [Param; 13] = [
    param("wtime", MILLIS, Argument::Clock(|request| &mut request.limits.time[0])),
    param("btime", MILLIS, Argument::Clock(|request| &mut request.limits.time[1])),
    param("winc", MILLIS, Argument::Increment(|request| &mut request.limits.increment[0])),
    param("binc", MILLIS, Argument::Increment(|request| &mut request.limits.increment[1])),
    param("movestogo", "moves", Argument::MovesToGo),
    param("depth", "plies", Argument::Count(0, |go| &mut go.request.limits.depth)),
    param("nodes", "nodes", Argument::Nodes),
    param("movetime", MILLIS, Argument::Clock(|request| &mut request.limits.move_time)),
    param("mate", "moves", Argument::Count(1, |go| &mut go.request.limits.mate)),
    param("infinite", "", Argument::Flag(|request| &mut request.limits.infinite)),
    param("ponder", "", Argument::Flag(|request| &mut request.limits.ponder)),
    param("searchmoves", "", Argument::Moves),
    param("perft", "plies", Argument::Count(0, |go| &mut go.perft)),
];

fn param_of(word: &str) -> Option<&'static Param> {
    PARAMS.iter().find(|param| param.name == word)
}

fn param_names() -> String {
    PARAMS.map(|param| param.name).join(", ")
}

/// Why a parameter of `go` could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GoError {
    /// The value of a parameter is missing or not a number.
    #[error("go: '{param}' needs a whole number of {unit}, as in '{param} 20'; found {found}")]
    NotANumber {
        /// The name of the parameter.
        param: &'static str,
        /// The unit of the number.
        unit: &'static str,
        /// The word found instead of a number.
        found: Unexpected,
    },
    /// The value of a parameter is too small.
    #[error("go: the number of {unit} after '{param}' must be at least {least}; found {found}")]
    TooSmall {
        /// The name of the parameter.
        param: &'static str,
        /// The unit of the number.
        unit: &'static str,
        /// The smallest allowed value.
        least: u64,
        /// The value found.
        found: Unexpected,
    },
    /// No move follows `searchmoves`.
    #[error(
        "go: 'searchmoves' needs one or more moves, as in 'searchmoves e2e4 d2d4'; found {found}"
    )]
    NoMoves {
        /// The word found instead of a move.
        found: Unexpected,
    },
    /// All words after `go` are unknown.
    #[error("go: unknown parameter {word}; the parameters are {}", param_names())]
    Unknown {
        /// The first unknown word.
        word: Excerpt,
    },
}

impl GoCommand {
    /// Parses the words after `go`.
    pub(super) fn parse(words: &mut Words) -> GoCommand {
        let mut go = GoCommand::default();
        while let Some(word) = words.next() {
            match param_of(word) {
                Some(param) => {
                    let result = go.read(param, words);
                    go.errors.extend(result.err());
                }
                None => go.ignored.push(word.to_owned()),
            }
        }
        // `go dept 10` must not start an infinite search.
        if go.errors.is_empty() && go.perft.is_none() && *go.request == SearchRequest::default() {
            let word = go.ignored.first();
            go.errors.extend(word.map(|word| GoError::Unknown { word: Excerpt::new(word) }));
        }
        if !go.errors.is_empty() {
            let request = &mut *go.request;
            request.limits.infinite = false;
            if !request.limits.is_limited() {
                request.limits.move_time = Some(FALLBACK_TIME);
            }
        }
        go
    }

    fn read(&mut self, param: &'static Param, words: &mut Words) -> Result<(), GoError> {
        let request = &mut *self.request;
        match param.value {
            Argument::Clock(field) => {
                *field(request) = Some(param.millis(words)?.max(Duration::from_millis(1)));
            }
            Argument::Increment(field) => *field(request) = Some(param.millis(words)?),
            Argument::MovesToGo => {
                let moves = param.integer(words)?.or_zero();
                request.limits.moves_to_go = Some(saturate(moves)).filter(|moves| *moves > 0);
            }
            Argument::Count(least, field) => {
                *field(self) = Some(saturate(param.count(least, words)?));
            }
            Argument::Nodes => request.limits.nodes = Some(param.count(0, words)?),
            Argument::Flag(field) => *field(request) = true,
            Argument::Moves => {
                let before = request.search_moves.len();
                while let Some(word) = words.peek().filter(|word| param_of(word).is_none()) {
                    request.search_moves.push(word.to_owned());
                    words.next();
                }
                if request.search_moves.len() == before {
                    return Err(GoError::NoMoves { found: Unexpected::new(words.peek()) });
                }
            }
        }
        Ok(())
    }
}

impl Param {
    /// Parses the next word as a number. If the next word is the name of a parameter, leaves the word in
    /// `words` and returns an error.
    fn number(
        &self,
        words: &mut Words,
        read: impl Fn(&str) -> Option<Integer>,
    ) -> Result<Integer, GoError> {
        let word = words.peek();
        if word.is_some_and(|word| param_of(word).is_none()) {
            words.next();
        }
        let Param { name: param, unit, .. } = *self;
        let error = || GoError::NotANumber { param, unit, found: Unexpected::new(word) };
        word.and_then(read).ok_or_else(error)
    }

    fn integer(&self, words: &mut Words) -> Result<Integer, GoError> {
        self.number(words, Integer::parse)
    }

    fn count(&self, least: u64, words: &mut Words) -> Result<u64, GoError> {
        let found = words.peek();
        let number = self.integer(words)?;
        if number.negative || number.size < least {
            let Param { name: param, unit, .. } = *self;
            return Err(GoError::TooSmall { param, unit, least, found: Unexpected::new(found) });
        }
        Ok(number.size)
    }

    /// Parses a time in milliseconds. Digits after a decimal point are dropped.
    fn millis(&self, words: &mut Words) -> Result<Duration, GoError> {
        let whole = |word: &str| match word.split_once('.') {
            Some((whole, part)) if part.bytes().all(|byte| byte.is_ascii_digit()) => {
                Integer::parse(whole)
            }
            Some(_) => None,
            None => Integer::parse(word),
        };
        Ok(Duration::from_millis(self.number(words, whole)?.or_zero().min(MAX_MILLIS)))
    }
}

fn saturate(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    fn read(text: &str) -> GoCommand {
        GoCommand::parse(&mut Words::new(text))
    }

    fn ok(text: &str) -> GoCommand {
        let go = read(text);
        assert_eq!(go.errors, [], "{text}");
        go
    }

    /// Parses parameters that contain an error. Checks that the search has a limit, and returns the first
    /// error message.
    fn error(text: &str) -> String {
        let go = read(text);
        let pondered = go.request.limits.ponder;
        assert!(
            go.request.limits.is_limited() && pondered == text.contains("ponder"),
            "{text}: {go:?}"
        );
        go.errors[0].to_string()
    }

    fn millis(number: u64) -> Option<Duration> {
        Some(Duration::from_millis(number))
    }

    #[test]
    fn parameters_may_come_in_any_order() {
        let expected = GoCommand {
            request: Box::new(SearchRequest {
                limits: Limits {
                    time: [millis(1), millis(2)],
                    increment: [millis(3), millis(4)],
                    moves_to_go: Some(5),
                    depth: Some(6),
                    nodes: Some(7),
                    move_time: millis(8),
                    mate: Some(9),
                    infinite: true,
                    ponder: true,
                    ..Limits::default()
                },
                search_moves: vec!["e2e4".into(), "O-O".into()],
                ..SearchRequest::default()
            }),
            perft: Some(10),
            ..GoCommand::default()
        };
        let parts = [
            "wtime 1",
            "btime 2",
            "winc 3",
            "binc 4",
            "movestogo 5",
            "depth 6",
            "nodes 7",
            "movetime 8",
            "mate 9",
            "infinite",
            "ponder",
            "searchmoves e2e4 O-O",
            "perft 10",
        ];
        for turn in 0..parts.len() {
            let mut parts = parts;
            parts.rotate_left(turn);
            assert_eq!(ok(&parts.join(" ")), expected, "{parts:?}");
            parts.reverse();
            assert_eq!(ok(&parts.join("\t ")), expected, "{parts:?}");
        }
    }

    #[test]
    fn searches_without_a_limit_are_recognised() {
        for text in ["wtime 1", "btime 1", "depth 1", "nodes 1", "movetime 1", "mate 1"] {
            assert!(ok(text).request.limits.is_limited(), "{text}");
        }
        for text in [
            "",
            "infinite",
            "depth 3 infinite",
            "ponder",
            "winc 1",
            "movestogo 3",
            "searchmoves e2e4",
        ] {
            assert!(!ok(text).request.limits.is_limited(), "{text}");
        }
    }

    #[test]
    fn single_parameters_are_parsed() {
        let only = |request| GoCommand { request: Box::new(request), ..GoCommand::default() };
        let limited = |limits| only(SearchRequest { limits, ..SearchRequest::default() });
        assert_eq!(ok(""), GoCommand::default());
        let time = [None, millis(500)];
        assert_eq!(ok("btime 500"), limited(Limits { time, ..Limits::default() }));
        assert_eq!(ok("infinite"), limited(Limits { infinite: true, ..Limits::default() }));
        assert_eq!(ok("depth 0"), limited(Limits::depth(0)));
        assert_eq!(ok("depth 3 depth 4"), ok("depth 4"));
    }

    #[test]
    fn ponder_takes_no_value() {
        let go = ok("ponder wtime 1000 btime 2000");
        assert_eq!(
            (go.request.limits.ponder, go.request.limits.time),
            (true, [millis(1000), millis(2000)])
        );
        assert_eq!(ok("wtime 1000 ponder btime 2000"), go);
        assert_eq!(ok("wtime 1000 btime 2000 ponder"), go);
    }

    #[test]
    fn searchmoves_end_at_the_next_parameter() {
        let go = ok("searchmoves e2e4 d2d4 ponder wtime 7 searchmoves Q@g1+K@f1");
        let request = go.request;
        assert_eq!(request.search_moves, ["e2e4", "d2d4", "Q@g1+K@f1"]);
        assert_eq!((request.limits.ponder, request.limits.time[0]), (true, millis(7)));
        assert_eq!(
            error("searchmoves"),
            "go: 'searchmoves' needs one or more moves, as in 'searchmoves e2e4 d2d4'; \
             found the end of the line"
        );
        assert!(error("searchmoves infinite").ends_with("found 'infinite'"));
        assert!(error("searchmoves e2e4 searchmoves").ends_with("found the end of the line"));
    }

    #[test]
    fn negative_clocks_and_huge_numbers_are_capped() {
        let request = ok("wtime -250 btime 0 winc -1 binc 0 movetime -5 movestogo 0").request;
        assert_eq!((request.limits.time, request.limits.move_time), ([millis(1); 2], millis(1)));
        assert_eq!((request.limits.increment, request.limits.moves_to_go), ([millis(0); 2], None));
        let request = ok("movestogo -1 movestogo 3 movestogo -2").request;
        assert_eq!(request.limits.moves_to_go, None);
        let huge = "9".repeat(1000);
        let request = ok(&format!(
            "wtime {huge} winc {huge} movestogo {huge} depth {huge} nodes {huge} mate {huge}"
        ))
        .request;
        let (most, limits) = (millis(MAX_MILLIS), &request.limits);
        assert_eq!((request.limits.time[0], request.limits.increment[0]), (most, most));
        assert_eq!(
            (request.limits.moves_to_go, limits.depth, limits.mate),
            (Some(u32::MAX), Some(u32::MAX), Some(u32::MAX))
        );
        assert_eq!(limits.nodes, Some(u64::MAX));
        assert_eq!(ok(&format!("wtime -{huge}")).request.limits.time[0], millis(1));
    }

    #[test]
    fn errors_name_the_parameter_and_the_word_found() {
        assert_eq!(
            error("wtime abc"),
            "go: 'wtime' needs a whole number of milliseconds, as in 'wtime 20'; \
             found 'abc'"
        );
        assert_eq!(
            error("infinite depth"),
            "go: 'depth' needs a whole number of plies, as in 'depth 20'; \
             found the end of the line"
        );
        assert!(error("wtime btime 100").ends_with("found 'btime'"));
        assert!(error("nodes 1e6").contains("number of nodes"));
        assert!(error("depth 12.5").ends_with("found '12.5'"));
        assert_eq!(
            error("depth -3"),
            "go: the number of plies after 'depth' must be at least 0; found '-3'"
        );
        assert_eq!(
            error("mate 0"),
            "go: the number of moves after 'mate' must be at least 1; found '0'"
        );
        for name in PARAMS.iter().filter(|param| !param.unit.is_empty()).map(|param| param.name) {
            assert!(error(&format!("{name} x")).contains(&format!("'{name}'")));
            assert!(error(&format!("ponder {name}")).contains(&format!("'{name}'")));
        }
    }

    #[test]
    fn times_may_have_decimals() {
        let request = ok("wtime 1000.5 btime 7. winc 0.9 binc -0.5 movetime 12.75").request;
        assert_eq!(
            (request.limits.time, request.limits.move_time),
            ([millis(1000), millis(7)], millis(12))
        );
        assert_eq!(request.limits.increment, [millis(0); 2]);
        for text in ["wtime 1.2.3", "wtime .5", "wtime 1.x", "wtime ."] {
            assert!(error(text).starts_with("go: 'wtime' needs"), "{text}");
        }
    }

    #[test]
    fn a_search_whose_limits_cannot_be_parsed_has_a_limit() {
        let fallback = Some(FALLBACK_TIME);
        for text in ["movetime infinite", "depth", "infinite nodes x", "searchmoves", "perft x"] {
            assert!(!read(text).errors.is_empty(), "{text}");
            assert_eq!(read(text).request.limits.move_time, fallback, "{text}");
            assert!(!read(text).request.limits.infinite, "{text}");
        }
        // If some limits can be parsed, only these limits apply.
        let go = read("depth 5 nodes many wtime 100 winc x");
        assert_eq!((go.request.limits.depth, go.request.limits.time[0]), (Some(5), millis(100)));
        assert_eq!((go.request.limits.move_time, go.errors.len()), (None, 2));
        // An error in a limit does not end pondering.
        let limits = read("ponder wtime x").request.limits;
        assert_eq!((limits.ponder, limits.move_time), (true, fallback));
    }

    #[test]
    fn unknown_words_are_ignored_unless_all_words_are_unknown() {
        let go = ok("now depth 3 please");
        assert_eq!(
            (go.request.limits.depth, go.ignored),
            (Some(3), vec!["now".to_owned(), "please".to_owned()])
        );
        assert_eq!(
            error("dept 10"),
            "go: unknown parameter 'dept'; the parameters are wtime, btime, winc, binc, movestogo, \
             depth, nodes, movetime, mate, infinite, ponder, searchmoves, perft"
        );
    }
}
