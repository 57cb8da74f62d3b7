//! The table of options, and the values of the options.

use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::{EngineMaker, SessionError};
use crate::engine::{self, Engine, EngineError, SearchRequest};
use crate::eval::nets;
use crate::eval::nnue::{NetworkError, Parameters};
use crate::geometry::BOARDS;
use crate::random::{self, Rng};
use crate::rules::{BoardSize, Variant, VariantError, on_board, variant_names};
#[cfg(feature = "tune")]
use crate::search::{self, params::TUNABLES};
use crate::system;
use crate::tablebase::{self, Prober, Tablebase, TablebaseError};
use crate::text::Excerpt;

/// The text of the option `UCI_EngineAbout`.
const ABOUT: &str = concat!(
    "Aleator ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine for every shuffled start; GPL-3.0-or-later"
);

/// The names of the options for the network files, one for each board size.
const EVAL_FILES: [&str; BOARDS] = ["EvalFile", "EvalFile10x10"];

/// UCI's spelling of an empty string. As the value of a file option, it selects the built-in network, no
/// book or no tablebases. An empty value has the same effect.
pub const NOTHING: &str = "<empty>";

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionValues {
    /// The variant that is played.
    pub variant: Variant,
    /// The size of the transposition table in MiB.
    pub hash: u64,
    /// The number of search threads.
    pub threads: u64,
    /// The number of principal variations to show.
    pub multi_pv: u64,
    /// Whether castling moves are written as king takes rook.
    pub chess960: bool,
    /// Whether to show the chances to win, draw and lose.
    pub show_wdl: bool,
    /// Whether to limit the playing strength to `elo`.
    pub limit_strength: bool,
    /// The playing strength in Elo if `limit_strength` is set.
    pub elo: u64,
    /// The random seed for the errors that an engine of limited strength makes in the current game.
    pub seed: u64,
    /// The time in milliseconds that each move loses outside the engine, for example in the GUI.
    pub overhead: u64,
    /// The number of nodes that count as a millisecond; 0 for real time.
    pub nodes_time: u64,
    /// Whether the GUI may ask the engine to ponder. The command `go ponder` works even if this is `false`.
    pub ponder: bool,
    /// Whether the GUI analyses instead of playing. The book is not used in analysis.
    pub analyse_mode: bool,
    /// The network file for each board size; `None` for the built-in network.
    pub networks: [Option<Arc<[u8]>>; BOARDS],
    /// Whether to play from the book.
    pub own_book: bool,
    /// The path of the book.
    pub book: Option<PathBuf>,
    /// The last move number at which the book is used.
    pub book_depth: u64,
    /// The tablebases, or `None` if no tablebases are used.
    pub tablebase: Option<Arc<Tablebase>>,
    /// The minimum depth at which the search probes the tables with the most pieces.
    pub probe_depth: u64,
    /// The maximum number of pieces in positions that the search probes.
    pub probe_limit: u64,
    /// Whether tablebase wins that the fifty-move rule prevents count as draws.
    pub fifty_move_rule: bool,
}

impl Default for OptionValues {
    fn default() -> OptionValues {
        OptionValues {
            variant: Variant::Chess,
            hash: 16,
            threads: 1,
            multi_pv: 1,
            chess960: false,
            show_wdl: false,
            limit_strength: false,
            elo: u64::from(*engine::ELO_RANGE.end()),
            seed: 0,
            overhead: 10,
            nodes_time: 0,
            ponder: false,
            analyse_mode: false,
            networks: [None, None],
            own_book: false,
            book: None,
            book_depth: 1000,
            tablebase: None,
            probe_depth: 1,
            probe_limit: tablebase::MAX_PIECES as u64,
            fifty_move_rule: true,
        }
    }
}

/// An option of the session. The default value of the option is the default value of its field in
/// [`OptionValues`].
#[derive(Clone, Debug)]
pub struct SessionOption {
    /// The name that GUIs show. Case does not matter when an option is set.
    pub name: &'static str,
    /// The type of the option's value, and where the value is stored.
    pub kind: OptionKind,
    /// Whether the option is declared to GUIs and listed for users.
    pub is_declared: bool,
}

/// The type of an option, and where the value of the option is stored.
#[derive(Clone, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check(fn(&mut OptionValues) -> &mut bool),
    /// A whole number.
    Spin(RangeInclusive<u64>, Number),
    /// The name or an alias of a variant.
    Variant,
    /// A file with a network for the given board size.
    Network(BoardSize),
    /// A file with an opening book.
    Book,
    /// Folders with tablebases.
    Tablebase,
    /// A button: an action without a value.
    Button(fn(&mut dyn Engine)),
    /// A fixed text for the user. Some GUIs send the text back, so setting this option is allowed but has no
    /// effect.
    Text(&'static str),
}

/// Where the value of a spin option is stored.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// The value is a field of [`OptionValues`].
    Field(fn(&mut OptionValues) -> &mut u64),
    /// The value is a search parameter. The field is the index of the parameter in [`TUNABLES`].
    #[cfg(feature = "tune")]
    Tunable(usize),
}

impl Number {
    /// Returns the default value.
    pub fn default(self) -> u64 {
        match self {
            Number::Field(field) => *field(&mut OptionValues::default()),
            #[cfg(feature = "tune")]
            Number::Tunable(index) => TUNABLES[index].default as u64,
        }
    }

    fn set(self, settings: &mut OptionValues, value: u64) {
        match self {
            Number::Field(field) => *field(settings) = value,
            #[cfg(feature = "tune")]
            Number::Tunable(index) => search::set_number(index, value as i32),
        }
    }
}

/// Why an option was not changed.
#[derive(Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no option with this name.
    #[error("there is no option {name}; the options are {known}")]
    Unknown { name: Excerpt, known: String },
    /// The value is missing.
    #[error("option '{option}' needs a value: {wanted}")]
    NoValue { option: &'static str, wanted: String },
    /// The value is invalid.
    #[error("option '{option}' takes {wanted}, not {value}; the option is unchanged")]
    BadValue { option: &'static str, value: Excerpt, wanted: String },
    /// The file cannot be read.
    #[error("option '{option}': cannot read {path}: {error}; the option is unchanged")]
    File { option: &'static str, path: Excerpt, error: io::Error },
    /// The file is not a network for the option's board size.
    #[error("option '{option}': cannot use the network {path}: {error}; the option is unchanged")]
    Network { option: &'static str, path: Excerpt, error: NetworkError },
    /// The tablebases cannot be used.
    #[error("option '{option}': {error}; the option is unchanged")]
    Tablebase { option: &'static str, error: TablebaseError },
    /// There is no such variant in this build.
    #[error("option '{option}': {error}; the option is unchanged")]
    Variant { option: &'static str, error: VariantError },
}

/// Returns all options in the order of their declaration.
pub fn options() -> Vec<SessionOption> {
    let elo = u64::from(*engine::ELO_RANGE.start())..=u64::from(*engine::ELO_RANGE.end());
    let memory = system::memory_mebibytes().max(OptionValues::default().hash as usize) as u64;
    let mut options = vec![
        spin("Hash", 1..=memory, |settings| &mut settings.hash),
        option("Clear Hash", OptionKind::Button(|engine| engine.clear_hash())),
        spin("Threads", 1..=1024, |settings| &mut settings.threads),
        check("Ponder", |settings| &mut settings.ponder),
        spin("MultiPV", 1..=256, |settings| &mut settings.multi_pv),
        check("UCI_Chess960", |settings| &mut settings.chess960),
        option("UCI_Variant", OptionKind::Variant),
        check("UCI_ShowWDL", |settings| &mut settings.show_wdl),
        check("UCI_AnalyseMode", |settings| &mut settings.analyse_mode),
        check("UCI_LimitStrength", |settings| &mut settings.limit_strength),
        spin("UCI_Elo", elo, |settings| &mut settings.elo),
        spin("Move Overhead", 0..=5000, |settings| &mut settings.overhead),
        spin("Nodes Time", 0..=1_000_000, |settings| &mut settings.nodes_time),
        option("UCI_EngineAbout", OptionKind::Text(ABOUT)),
        check("OwnBook", |settings| &mut settings.own_book),
        option("Book File", OptionKind::Book),
        spin("Book Depth", 1..=1000, |settings| &mut settings.book_depth),
    ];
    let network = |&board| option(EVAL_FILES[board as usize], OptionKind::Network(board));
    options.extend(BoardSize::ALL.iter().map(network));
    let max_pieces = tablebase::MAX_PIECES as u64;
    options.extend([
        option("SyzygyPath", OptionKind::Tablebase),
        spin("SyzygyProbeDepth", 1..=100, |settings| &mut settings.probe_depth),
        check("Syzygy50MoveRule", |settings| &mut settings.fifty_move_rule),
        spin("SyzygyProbeLimit", 0..=max_pieces, |settings| &mut settings.probe_limit),
    ]);
    options.push(SessionOption {
        is_declared: false,
        ..spin("Skill Seed", 0..=u64::MAX, |settings| &mut settings.seed)
    });
    #[cfg(feature = "tune")]
    let options = {
        let tunables = TUNABLES.iter().enumerate().map(|(index, tunable)| {
            let range = tunable.min as u64..=tunable.max as u64;
            option(tunable.name, OptionKind::Spin(range, Number::Tunable(index)))
        });
        options.into_iter().chain(tunables).collect()
    };
    options
}

/// Returns the bytes of a network file. Fails if the file is not a network for the given board size.
fn read_network(
    option: &'static str,
    board: BoardSize,
    path: &str,
) -> Result<Arc<[u8]>, OptionError> {
    let name = || Excerpt::new(path);
    let read = std::fs::read(path);
    let bytes = read.map_err(|error| OptionError::File { option, path: name(), error })?;
    on_board!(board, |G| Parameters::from_bytes::<G>(&bytes))
        .map_err(|error| OptionError::Network { option, path: name(), error })?;
    Ok(bytes.into())
}

/// Finds an option by its name.
fn find(name: &str) -> Result<SessionOption, OptionError> {
    let mut options = options();
    let Some(index) = options.iter().position(|one| one.name.eq_ignore_ascii_case(name)) else {
        let known = options.iter().filter(|one| one.is_declared).map(|one| one.name);
        let known = known.collect::<Vec<_>>().join(", ");
        return Err(OptionError::Unknown { name: Excerpt::new(name), known });
    };
    Ok(options.swap_remove(index))
}

const fn option(name: &'static str, kind: OptionKind) -> SessionOption {
    SessionOption { name, kind, is_declared: true }
}

const fn check(name: &'static str, field: fn(&mut OptionValues) -> &mut bool) -> SessionOption {
    option(name, OptionKind::Check(field))
}

const fn spin(
    name: &'static str,
    range: RangeInclusive<u64>,
    field: fn(&mut OptionValues) -> &mut u64,
) -> SessionOption {
    option(name, OptionKind::Spin(range, Number::Field(field)))
}

impl SessionOption {
    /// Parses a value and stores it in the settings.
    fn read(&self, value: Option<&str>, settings: &mut OptionValues) -> Result<(), OptionError> {
        let option = self.name;
        let text = match (value.unwrap_or_default(), &self.kind) {
            ("", OptionKind::Network(_) | OptionKind::Book | OptionKind::Tablebase) => NOTHING,
            ("", OptionKind::Button(_) | OptionKind::Text(_)) => return Ok(()),
            ("", _) => return Err(OptionError::NoValue { option, wanted: self.wanted() }),
            (text, _) => text,
        };
        let bad = || {
            let (value, wanted) = (Excerpt::new(text), self.wanted());
            OptionError::BadValue { option, value, wanted }
        };
        match &self.kind {
            OptionKind::Check(field) => {
                *field(settings) = text.to_ascii_lowercase().parse().map_err(|_| bad())?;
            }
            OptionKind::Spin(range, number) => {
                let value = text.parse().ok().filter(|value| range.contains(value));
                number.set(settings, value.ok_or_else(bad)?);
            }
            OptionKind::Variant => {
                let read = text.parse();
                settings.variant = read.map_err(|error| OptionError::Variant { option, error })?;
            }
            OptionKind::Network(board) => {
                settings.networks[*board as usize] =
                    (text != NOTHING).then(|| read_network(option, *board, text)).transpose()?;
            }
            OptionKind::Tablebase => {
                let tablebase = (text != NOTHING).then(|| Tablebase::open(text).map(Arc::new));
                settings.tablebase = tablebase
                    .transpose()
                    .map_err(|error| OptionError::Tablebase { option, error })?;
            }
            OptionKind::Book => settings.book = (text != NOTHING).then(|| PathBuf::from(text)),
            OptionKind::Button(_) | OptionKind::Text(_) => {}
        }
        Ok(())
    }

    /// Describes the valid values of the option, for error messages.
    fn wanted(&self) -> String {
        match &self.kind {
            OptionKind::Check(_) => "'true' or 'false'".to_owned(),
            OptionKind::Spin(range, _) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            OptionKind::Variant => format!("one of {}", variant_names().join(", ")),
            OptionKind::Network(_) => {
                format!("the path of a network, or {NOTHING} for the built-in network")
            }
            OptionKind::Book => format!("the path of a book, or {NOTHING} for none"),
            OptionKind::Tablebase => format!("folders with Syzygy tables, or {NOTHING} for none"),
            OptionKind::Button(_) => "no value".to_owned(),
            OptionKind::Text(_) => "any text".to_owned(),
        }
    }
}

impl OptionValues {
    /// Returns the default values with a random seed.
    pub(super) fn new() -> OptionValues {
        OptionValues { seed: random::fresh_seed(), ..OptionValues::default() }
    }

    /// Changes the seed. Called at the beginning of a new game.
    pub(super) fn renew_seed(&mut self) {
        self.seed = Rng::new(self.seed).next_u64();
    }

    /// Returns the Elo and the seed, or `None` if the strength is not limited.
    fn skill(&self) -> Option<(u64, u64)> {
        self.limit_strength.then_some((self.elo, self.seed))
    }

    // All numbers lie in the ranges of their options, so the casts below are lossless.

    /// Creates an engine with these settings.
    pub(super) fn make_engine(&self, make: EngineMaker) -> Result<Box<dyn Engine>, EngineError> {
        let mut engine = make(self.variant, self.hash as usize, self.threads as usize)?;
        let network = self.network();
        if network != nets::embedded(self.variant.rules().board) {
            engine.set_network(network)?;
        }
        Ok(engine)
    }

    /// Returns the bytes of the network for the board size of the current variant.
    fn network(&self) -> &[u8] {
        let board = self.variant.rules().board;
        self.networks[board as usize].as_deref().unwrap_or_else(|| nets::embedded(board))
    }

    /// Returns the path and the variant of the book, or `None` if no book is used.
    pub(super) fn current_book(&self) -> Option<(&Path, Variant)> {
        Some((self.book.as_deref().filter(|_| self.own_book)?, self.variant))
    }

    /// Adds the values of the options to a search request.
    pub(super) fn complete(&self, request: &mut SearchRequest) {
        request.limits.multi_pv = self.multi_pv as usize;
        request.limits.nodes_per_millisecond = (self.nodes_time > 0).then_some(self.nodes_time);
        request.overhead = Duration::from_millis(self.overhead);
        request.elo = self.limit_strength.then_some(self.elo as u32);
        request.seed = self.seed;
        request.chess960 = self.chess960;
        request.prober = self.prober();
    }

    /// Returns the tablebases with the options for probing. Returns `None` if the strength is limited,
    /// because the engine would play perfectly in positions that the tablebases contain.
    fn prober(&self) -> Option<Prober> {
        let tablebase = self.tablebase.as_ref().filter(|_| !self.limit_strength)?;
        let (pieces, depth) = (self.probe_limit as usize, self.probe_depth as i32);
        Some(Prober::new(Arc::clone(tablebase), pieces, depth, self.fifty_move_rule))
    }

    /// Sets an option and updates the engine. If this fails, the option is unchanged.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        engine: &mut Box<dyn Engine>,
        make: EngineMaker,
    ) -> Result<SessionOption, SessionError> {
        let option = find(name)?;
        let mut new = self.clone();
        option.read(value, &mut new)?;
        if let OptionKind::Button(press) = option.kind {
            press(engine.as_mut());
        }
        if new.variant != self.variant {
            *engine = new.make_engine(make)?;
        } else if new.network() != self.network() {
            engine.set_network(new.network())?;
        }
        if new.hash != self.hash {
            engine.set_hash(new.hash as usize)?;
        }
        if new.threads != self.threads {
            engine.set_threads(new.threads as usize)?;
        }
        if new.skill() != self.skill() || new.prober() != self.prober() {
            // Clear the transposition table and the histories, because they come from searches with another
            // strength, another seed or other tablebases.
            engine.new_game();
        }
        *self = new;
        Ok(option)
    }
}

#[cfg(test)]
mod tests;
