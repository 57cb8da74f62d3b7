//! A strict parser of `info` and `bestmove` lines, and of the last line of `bench`. Anything that the UCI protocol
//! does not allow fails the test.

/// The score of a line, from the side to move's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    Cp(i32),
    /// The number of moves to mate, negative if the side to move is mated.
    Mate(i32),
}

/// An `info` line with a score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    pub depth: u32,
    pub seldepth: Option<u32>,
    pub multipv: Option<u32>,
    pub score: Score,
    /// `lowerbound` or `upperbound`, if the score is a bound.
    pub bound: Option<String>,
    pub wdl: Option<[u32; 3]>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u32>,
    pub tbhits: Option<u64>,
    /// The time in milliseconds.
    pub time: Option<u64>,
    pub pv: Vec<String>,
}

impl Info {
    /// Parses a line. Returns `None` for a line without a score.
    pub fn parse(line: &str) -> Option<Info> {
        let rest = line.strip_prefix("info ")?;
        if rest.starts_with("string ") || rest.contains(" currmove ") {
            return None;
        }
        let mut info = Info {
            depth: 0,
            seldepth: None,
            multipv: None,
            score: Score::Cp(i32::MIN),
            bound: None,
            wdl: None,
            nodes: None,
            nps: None,
            hashfull: None,
            tbhits: None,
            time: None,
            pv: Vec::new(),
        };
        let mut words = rest.split(' ');
        while let Some(word) = words.next() {
            let mut number = || -> i64 {
                let word = words.next().unwrap_or_else(|| panic!("truncated: {line}"));
                word.parse().unwrap_or_else(|_| panic!("'{word}' is not a number: {line}"))
            };
            let unsigned = |number: i64| u64::try_from(number).expect("not below zero");
            let small = |number: i64| u32::try_from(number).expect("not below zero");
            match word {
                "depth" => info.depth = small(number()),
                "seldepth" => info.seldepth = Some(small(number())),
                "multipv" => info.multipv = Some(small(number())),
                "nodes" => info.nodes = Some(unsigned(number())),
                "nps" => info.nps = Some(unsigned(number())),
                "hashfull" => info.hashfull = Some(small(number())),
                "tbhits" => info.tbhits = Some(unsigned(number())),
                "time" => info.time = Some(unsigned(number())),
                "wdl" => info.wdl = Some([(); 3].map(|()| small(number()))),
                "score" => {
                    let kind = words.next();
                    let value: i32 = words.next().and_then(|word| word.parse().ok()).expect(line);
                    info.score = match kind {
                        Some("cp") => Score::Cp(value),
                        Some("mate") => Score::Mate(value),
                        _ => panic!("a score of unknown kind: {line}"),
                    };
                }
                "lowerbound" | "upperbound" => info.bound = Some(word.to_owned()),
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                _ => panic!("unknown word '{word}': {line}"),
            }
        }
        assert_ne!(info.score, Score::Cp(i32::MIN), "no score: {line}");
        Some(info)
    }
}

/// The output of a search.
#[derive(Clone, Debug)]
pub struct Search {
    pub infos: Vec<Info>,
    /// The texts of the `info string` lines.
    pub remarks: Vec<String>,
    /// The best move; `(none)` if there is no legal move.
    pub best: String,
    pub ponder: Option<String>,
}

impl Search {
    /// Parses the lines of a search. The last line must be `bestmove`.
    pub fn new(lines: Vec<String>) -> Search {
        let (last, lines) = lines.split_last().expect("there are lines");
        let words: Vec<&str> = last.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best, None),
            ["bestmove", best, "ponder", ponder] => (best, Some(ponder.to_owned())),
            _ => panic!("malformed: {last}"),
        };
        let mut search =
            Search { infos: Vec::new(), remarks: Vec::new(), best: best.to_owned(), ponder };
        for line in lines {
            if line.starts_with("info string variant ") {
                continue; // the answer to setting UCI_Variant
            } else if let Some(remark) = line.strip_prefix("info string ") {
                search.remarks.push(remark.to_owned());
            } else if let Some(info) = Info::parse(line) {
                search.infos.push(info);
            } else {
                assert!(line.contains(" currmove "), "unexpected line in a search: {line}");
            }
        }
        search
    }

    /// Returns the last `info` line with a score.
    pub fn last(&self) -> &Info {
        self.infos.last().expect("the search has an info line")
    }

    /// Returns the number of nodes in the last line with a score.
    pub fn nodes(&self) -> u64 {
        self.last().nodes.expect("nodes are reported")
    }

    /// Returns the lines of the last MultiPV set, in the order of output.
    pub fn last_lines(&self) -> &[Info] {
        let first = self.infos.iter().rposition(|info| info.multipv == Some(1));
        &self.infos[first.expect("a first line")..]
    }
}

/// Returns the number of nodes in the last line of `bench`, such as `2052175 nodes 1051421 nps`.
pub fn bench_nodes(line: &str) -> u64 {
    let words: Vec<&str> = line.split(' ').collect();
    let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("not a result of bench: {line}") };
    let [nodes, nps] = [nodes, nps].map(|word| word.parse().expect("a number"));
    assert!(nodes > 0 && nps > 0, "{line}");
    nodes
}
