use std::fmt;
use std::time::Duration;

use super::words::{Excerpt, Found, Integer, Words};
use crate::engine::Request;
use crate::search::Limits;

/// The longest time that is read, in milliseconds (some 31 years); longer ones count as this, so
/// that sums of times and clocks stay in range.
pub const MAX_MILLIS: u64 = 1_000_000_000_000;

/// What `go` asks for. Any of it may be absent; with nothing at all there is no limit but `stop`.
///
/// A parameter that comes twice counts as it came last; moves of several `searchmoves` add up.
/// Numbers too large for their type count as the largest there is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GoParams {
    /// White's clock, in ms, at least 1: a clock at zero or below, as GUIs send it after an
    /// overrun that they forgive, counts as 1.
    pub wtime: Option<u64>,
    /// Black's clock; as `wtime`.
    pub btime: Option<u64>,
    /// What White's clock gains with each move, in ms; below zero counts as 0.
    pub winc: Option<u64>,
    /// Black's increment; as `winc`.
    pub binc: Option<u64>,
    /// Moves to the next time control, at least 1: zero and less, by which some GUIs mean that
    /// there is none, count as absent.
    pub movestogo: Option<u32>,
    /// Depth to search to, in plies.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Time for this move, in ms, at least 1 as for `wtime`.
    pub movetime: Option<u64>,
    /// Look for a mate in this many moves (not plies).
    pub mate: Option<u32>,
    /// Search until `stop`, and answer no sooner.
    pub infinite: bool,
    /// Search in the opponent's time until `ponderhit` or `stop`, and answer no sooner.
    pub ponder: bool,
    /// Moves to choose from; empty means all.
    pub searchmoves: Vec<String>,
    /// Count leaves of the move tree to this depth, in plies, instead of searching.
    pub perft: Option<u32>,
    /// Words that are no parameter. The UCI standard has an engine ignore them; they are kept so
    /// that it can mention them.
    pub ignored: Vec<String>,
}

/// A parameter of `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoParam {
    WTime,
    BTime,
    WInc,
    BInc,
    MovesToGo,
    Depth,
    Nodes,
    MoveTime,
    Mate,
    Infinite,
    Ponder,
    SearchMoves,
    Perft,
}

impl GoParam {
    /// All of them.
    pub const ALL: [GoParam; 13] = [
        GoParam::WTime,
        GoParam::BTime,
        GoParam::WInc,
        GoParam::BInc,
        GoParam::MovesToGo,
        GoParam::Depth,
        GoParam::Nodes,
        GoParam::MoveTime,
        GoParam::Mate,
        GoParam::Infinite,
        GoParam::Ponder,
        GoParam::SearchMoves,
        GoParam::Perft,
    ];

    /// The word of the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            GoParam::WTime => "wtime",
            GoParam::BTime => "btime",
            GoParam::WInc => "winc",
            GoParam::BInc => "binc",
            GoParam::MovesToGo => "movestogo",
            GoParam::Depth => "depth",
            GoParam::Nodes => "nodes",
            GoParam::MoveTime => "movetime",
            GoParam::Mate => "mate",
            GoParam::Infinite => "infinite",
            GoParam::Ponder => "ponder",
            GoParam::SearchMoves => "searchmoves",
            GoParam::Perft => "perft",
        }
    }

    /// What the number after the word counts; empty where none comes.
    const fn unit(self) -> &'static str {
        match self {
            GoParam::WTime | GoParam::BTime | GoParam::WInc | GoParam::BInc | GoParam::MoveTime => {
                "milliseconds"
            }
            GoParam::MovesToGo | GoParam::Mate => "moves",
            GoParam::Depth | GoParam::Perft => "plies",
            GoParam::Nodes => "nodes",
            GoParam::Infinite | GoParam::Ponder | GoParam::SearchMoves => "",
        }
    }

    fn of_word(word: &str) -> Option<GoParam> {
        Self::ALL.into_iter().find(|param| param.name() == word)
    }
}

impl fmt::Display for GoParam {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why the parameters of `go` cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GoError {
    /// The value of a parameter is missing or no number.
    #[error(
        "go: '{param}' needs a whole number of {} after it, as in '{param} 20'; found {found}",
        param.unit()
    )]
    NotANumber {
        /// The parameter that has no value.
        param: GoParam,
        /// What stands in its place.
        found: Found,
    },
    /// The value of a parameter that counts something is below zero.
    #[error("go: the {} of '{param}' are 0 or more; found {found}", param.unit())]
    Negative {
        /// The parameter.
        param: GoParam,
        /// Its value.
        found: Found,
    },
    /// `searchmoves` without moves.
    #[error(
        "go: 'searchmoves' needs one move or more after it, as in 'searchmoves e2e4 d2d4'; \
         found {found}"
    )]
    NoMoves {
        /// What comes instead.
        found: Found,
    },
    /// There are words, but none that says what to do.
    #[error("go: {word} is no parameter; there are {}", param_names())]
    Unknown {
        /// The first of the words.
        word: Excerpt,
    },
}

fn param_names() -> String {
    GoParam::ALL.map(GoParam::name).join(", ")
}

impl GoParams {
    /// Reads what stands behind `go`.
    pub(super) fn parse(words: &mut Words) -> Result<GoParams, GoError> {
        let mut go = GoParams::default();
        while let Some(word) = words.next() {
            match GoParam::of_word(word) {
                Some(param) => go.read(param, words)?,
                None => go.ignored.push(word.to_owned()),
            }
        }
        // To search for ever is no answer to `go dept 10`.
        if let Some(word) = go.ignored.first()
            && go == (GoParams { ignored: go.ignored.clone(), ..GoParams::default() })
        {
            return Err(GoError::Unknown { word: Excerpt::new(word) });
        }
        Ok(go)
    }

    /// Whether anything but `stop` will end the search.
    pub fn has_limit(&self) -> bool {
        self.wtime.or(self.btime).or(self.nodes).or(self.movetime).is_some()
            || self.depth.or(self.mate).is_some()
    }

    /// Reads the value of a parameter.
    fn read(&mut self, param: GoParam, words: &mut Words) -> Result<(), GoError> {
        match param {
            GoParam::WTime => self.wtime = Some(clock(param, words)?),
            GoParam::BTime => self.btime = Some(clock(param, words)?),
            GoParam::WInc => self.winc = Some(millis(param, words)?),
            GoParam::BInc => self.binc = Some(millis(param, words)?),
            GoParam::MovesToGo => {
                let moves = integer(param, words)?.or_zero();
                self.movestogo = (moves > 0).then(|| saturate(moves));
            }
            GoParam::Depth => self.depth = Some(saturate(count(param, words)?)),
            GoParam::Nodes => self.nodes = Some(count(param, words)?),
            GoParam::MoveTime => self.movetime = Some(clock(param, words)?),
            GoParam::Mate => self.mate = Some(saturate(count(param, words)?)),
            GoParam::Infinite => self.infinite = true,
            GoParam::Ponder => self.ponder = true,
            GoParam::SearchMoves => self.read_searchmoves(words)?,
            GoParam::Perft => self.perft = Some(saturate(count(param, words)?)),
        }
        Ok(())
    }

    /// Takes words until the next parameter. Which of them are moves, the position will say.
    fn read_searchmoves(&mut self, words: &mut Words) -> Result<(), GoError> {
        let before = self.searchmoves.len();
        while let Some(word) = words.peek()
            && GoParam::of_word(word).is_none()
        {
            self.searchmoves.push(word.to_owned());
            words.next();
        }
        if self.searchmoves.len() == before {
            return Err(GoError::NoMoves { found: Found::new(words.peek()) });
        }
        Ok(())
    }
}

impl From<GoParams> for Request {
    /// What the command asks for. The options of the session are as in [`Request::default`].
    fn from(go: GoParams) -> Request {
        let millis = |value: Option<u64>| value.map(Duration::from_millis);
        Request {
            time: [go.wtime, go.btime].map(millis),
            increment: [go.winc, go.binc].map(millis),
            moves_to_go: go.movestogo,
            limits: Limits {
                depth: go.depth,
                nodes: go.nodes,
                move_time: millis(go.movetime),
                mate: go.mate,
                infinite: go.infinite,
                ponder: go.ponder,
                ..Limits::default()
            },
            search_moves: go.searchmoves,
            ..Request::default()
        }
    }
}

fn integer(param: GoParam, words: &mut Words) -> Result<Integer, GoError> {
    let word = words.next();
    word.and_then(Integer::parse)
        .ok_or_else(|| GoError::NotANumber { param, found: Found::new(word) })
}

fn count(param: GoParam, words: &mut Words) -> Result<u64, GoError> {
    let word = words.peek();
    let number = integer(param, words)?;
    if number.negative {
        return Err(GoError::Negative { param, found: Found::new(word) });
    }
    Ok(number.size)
}

fn millis(param: GoParam, words: &mut Words) -> Result<u64, GoError> {
    Ok(integer(param, words)?.or_zero().min(MAX_MILLIS))
}

fn clock(param: GoParam, words: &mut Words) -> Result<u64, GoError> {
    Ok(millis(param, words)?.max(1))
}

fn saturate(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl fmt::Display for GoParams {
    /// The parameters as they would stand behind `go`, each after a blank. `searchmoves` comes
    /// last, because it takes every word up to the next parameter.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for word in &self.ignored {
            write!(f, " {word}")?;
        }
        for (on, param) in [(self.ponder, GoParam::Ponder), (self.infinite, GoParam::Infinite)] {
            if on {
                write!(f, " {param}")?;
            }
        }
        let numbers = [
            (GoParam::WTime, self.wtime),
            (GoParam::BTime, self.btime),
            (GoParam::WInc, self.winc),
            (GoParam::BInc, self.binc),
            (GoParam::MovesToGo, self.movestogo.map(u64::from)),
            (GoParam::Depth, self.depth.map(u64::from)),
            (GoParam::Nodes, self.nodes),
            (GoParam::MoveTime, self.movetime),
            (GoParam::Mate, self.mate.map(u64::from)),
            (GoParam::Perft, self.perft.map(u64::from)),
        ];
        for (param, number) in numbers {
            if let Some(number) = number {
                write!(f, " {param} {number}")?;
            }
        }
        if !self.searchmoves.is_empty() {
            write!(f, " {} {}", GoParam::SearchMoves, self.searchmoves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GoParams, GoError> {
        GoParams::parse(&mut Words::new(text))
    }

    fn ok(text: &str) -> GoParams {
        read(text).unwrap()
    }

    fn error(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn all_parameters_in_any_order() {
        let expected = GoParams {
            wtime: Some(1),
            btime: Some(2),
            winc: Some(3),
            binc: Some(4),
            movestogo: Some(5),
            depth: Some(6),
            nodes: Some(7),
            movetime: Some(8),
            mate: Some(9),
            infinite: true,
            ponder: true,
            searchmoves: vec!["e2e4".into(), "O-O".into()],
            perft: Some(10),
            ignored: vec![],
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
        assert_eq!(ok(&expected.to_string()), expected);
    }

    #[test]
    fn requests_say_the_same() {
        let go = ok("wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 movetime 8 mate 9 \
                     infinite ponder searchmoves e2e4");
        let millis = Duration::from_millis;
        let expected = Request {
            time: [Some(millis(1)), Some(millis(2))],
            increment: [Some(millis(3)), Some(millis(4))],
            moves_to_go: Some(5),
            limits: Limits {
                depth: Some(6),
                nodes: Some(7),
                move_time: Some(millis(8)),
                mate: Some(9),
                infinite: true,
                ponder: true,
                ..Limits::default()
            },
            search_moves: vec!["e2e4".into()],
            ..Request::default()
        };
        assert_eq!(Request::from(go), expected);
        assert_eq!(Request::from(GoParams::default()), Request::default());
    }

    #[test]
    fn limits_are_what_ends_a_search() {
        for text in ["wtime 1", "btime 1", "depth 1", "nodes 1", "movetime 1", "mate 1"] {
            assert!(ok(text).has_limit(), "{text}");
        }
        for text in ["", "infinite", "ponder", "winc 1", "movestogo 3", "searchmoves e2e4"] {
            assert!(!ok(text).has_limit(), "{text}");
        }
    }

    #[test]
    fn each_parameter_alone() {
        assert_eq!(ok(""), GoParams::default());
        assert_eq!(ok("btime 500"), GoParams { btime: Some(500), ..GoParams::default() });
        assert_eq!(ok("infinite"), GoParams { infinite: true, ..GoParams::default() });
        assert_eq!(ok("depth 0"), GoParams { depth: Some(0), ..GoParams::default() });
        assert_eq!(ok("depth 3 depth 4"), ok("depth 4"));
    }

    #[test]
    fn ponder_takes_no_value() {
        let expected =
            GoParams { ponder: true, wtime: Some(1000), btime: Some(2000), ..GoParams::default() };
        assert_eq!(ok("ponder wtime 1000 btime 2000"), expected);
        assert_eq!(ok("wtime 1000 ponder btime 2000"), expected);
        assert_eq!(ok("wtime 1000 btime 2000 ponder"), expected);
    }

    #[test]
    fn searchmoves_end_at_the_next_parameter() {
        let go = ok("searchmoves e2e4 d2d4 ponder wtime 7 searchmoves Q@g1+K@f1");
        assert_eq!(go.searchmoves, ["e2e4", "d2d4", "Q@g1+K@f1"]);
        assert_eq!((go.ponder, go.wtime), (true, Some(7)));
        assert_eq!(
            error("searchmoves"),
            "go: 'searchmoves' needs one move or more after it, as in 'searchmoves e2e4 d2d4'; \
             found the end of the line"
        );
        assert!(error("searchmoves infinite").ends_with("found 'infinite'"));
        assert!(error("searchmoves e2e4 searchmoves").ends_with("found the end of the line"));
    }

    #[test]
    fn clocks_below_zero_and_huge_numbers() {
        let go = ok("wtime -250 btime 0 winc -1 binc 0 movetime -5 movestogo 0");
        assert_eq!((go.wtime, go.btime, go.movetime), (Some(1), Some(1), Some(1)));
        assert_eq!((go.winc, go.binc, go.movestogo), (Some(0), Some(0), None));
        assert_eq!(ok("movestogo -1 movestogo 3 movestogo -2").movestogo, None);
        let huge = "9".repeat(1000);
        let go = ok(&format!(
            "wtime {huge} winc {huge} movestogo {huge} depth {huge} nodes {huge} mate {huge}"
        ));
        assert_eq!((go.wtime, go.winc), (Some(MAX_MILLIS), Some(MAX_MILLIS)));
        assert_eq!(
            (go.movestogo, go.depth, go.mate),
            (Some(u32::MAX), Some(u32::MAX), Some(u32::MAX))
        );
        assert_eq!(go.nodes, Some(u64::MAX));
        assert_eq!(ok(&format!("wtime -{huge}")).wtime, Some(1));
    }

    #[test]
    fn errors_name_the_parameter_and_what_came() {
        assert_eq!(
            error("wtime abc"),
            "go: 'wtime' needs a whole number of milliseconds after it, as in 'wtime 20'; \
             found 'abc'"
        );
        assert_eq!(
            error("infinite depth"),
            "go: 'depth' needs a whole number of plies after it, as in 'depth 20'; \
             found the end of the line"
        );
        assert!(error("wtime btime 100").ends_with("found 'btime'"));
        assert!(error("nodes 1e6").contains("number of nodes"));
        assert!(error("movetime 12.5").ends_with("found '12.5'"));
        assert_eq!(error("depth -3"), "go: the plies of 'depth' are 0 or more; found '-3'");
        for param in GoParam::ALL.into_iter().filter(|param| !param.unit().is_empty()) {
            assert!(error(&format!("{param} x")).contains(&format!("'{param}'")));
            assert!(error(&format!("ponder {param}")).contains(&format!("'{param}'")));
        }
    }

    #[test]
    fn unknown_words_are_kept_apart_and_alone_are_an_error() {
        let go = ok("now depth 3 please");
        assert_eq!((go.depth, go.ignored), (Some(3), vec!["now".to_owned(), "please".to_owned()]));
        assert_eq!(
            error("dept 10"),
            "go: 'dept' is no parameter; there are wtime, btime, winc, binc, movestogo, depth, \
             nodes, movetime, mate, infinite, ponder, searchmoves, perft"
        );
    }
}
