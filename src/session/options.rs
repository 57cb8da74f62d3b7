use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::{EngineMaker, SessionError};
use crate::engine::{self, Engine, EngineError, Request};
use crate::eval::nets;
use crate::eval::nnue::{NetworkError, Parameters};
use crate::geometry::BOARDS;
use crate::random::{self, Rng};
use crate::rules::{BoardSize, Variant, VariantError, on_board};
#[cfg(feature = "tune")]
use crate::search::{self, params::TUNABLES};
use crate::system;
use crate::tablebase::{self, Prober, Tablebase, TablebaseError};
use crate::text::Excerpt;

/// What the text option `UCI_EngineAbout` says.
const ABOUT: &str = concat!(
    "Aleator ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine for every shuffled start; GPL-3.0-or-later"
);

/// The options that name a network's file, by board.
const EVAL_FILES: [&str; BOARDS] = ["EvalFile", "EvalFile10x10"];

/// The value that switches a file option off, as UCI writes an empty text; an empty value does the
/// same. It selects the built-in network, no book, or no tablebases.
pub const NOTHING: &str = "<empty>";

/// What the options are set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionValues {
    /// The game played.
    pub variant: Variant,
    /// Size of the transposition table, in MiB.
    pub hash: u64,
    /// How many threads search.
    pub threads: u64,
    /// How many lines to show.
    pub multi_pv: u64,
    /// Whether castling is spelt king takes rook.
    pub chess960: bool,
    /// Whether to show the chances to win, draw and lose.
    pub show_wdl: bool,
    /// Whether to play as weakly as `elo` says.
    pub limit_strength: bool,
    /// The strength to play with.
    pub elo: u64,
    /// Which errors weak play makes in this game.
    pub seed: u64,
    /// Time lost on the way between clock and engine with each move, in ms.
    pub overhead: u64,
    /// Whether the GUI lets the engine ponder. It searches so when told to.
    pub ponder: bool,
    /// Whether the GUI analyses. Analysis and play are the same.
    pub analyse_mode: bool,
    /// The network for each board, if not the one that is built in.
    pub networks: [Option<Arc<[u8]>>; BOARDS],
    /// Whether to play from the book.
    pub own_book: bool,
    /// The file that it is in.
    pub book: Option<PathBuf>,
    /// To which move of the game it is used.
    pub book_depth: u64,
    /// Tablebases.
    pub tablebase: Option<Arc<Tablebase>>,
    /// From which depth on the tree asks the largest of them.
    pub probe_depth: u64,
    /// Positions with more men are not asked of.
    pub probe_limit: u64,
    /// Whether wins that take too long count as draws there.
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
            ponder: false,
            analyse_mode: false,
            networks: [None, None],
            own_book: false,
            book: None,
            book_depth: 1000,
            tablebase: None,
            probe_depth: 1,
            probe_limit: tablebase::MOST_MEN as u64,
            fifty_move_rule: true,
        }
    }
}

/// An option of the session. Its default is that of its field in [`OptionValues`].
#[derive(Clone, Debug)]
pub struct SessionOption {
    /// The name, as GUIs show it; compared without regard to case.
    pub name: &'static str,
    /// What it takes, and where that is kept.
    pub kind: OptionKind,
    /// Whether users are told of it.
    pub is_declared: bool,
}

/// The kinds of options.
#[derive(Clone, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check(fn(&mut OptionValues) -> &mut bool),
    /// A whole number.
    Spin(RangeInclusive<u64>, Number),
    /// The game, by its name or an alias.
    Variant,
    /// A file with a network for this board.
    Network(BoardSize),
    /// A file with an opening book.
    Book,
    /// Folders with tablebases.
    Tablebase,
    /// Something to press; it has no value.
    Button(fn(&mut dyn Engine)),
    /// This text for the user, which some GUIs send back; nothing changes.
    Text(&'static str),
}

/// Where a number is kept.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// In a field of the settings.
    Field(fn(&mut OptionValues) -> &mut u64),
    /// In the search, by its index in [`TUNABLES`].
    #[cfg(feature = "tune")]
    Tunable(usize),
}

impl Number {
    /// The number of a session that nobody has told anything.
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

/// Why an option stays as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("there is no option {name}; there are {known}")]
    Unknown { name: Excerpt, known: String },
    /// An option that needs a value came without.
    #[error("option '{option}' needs a value, {wanted}")]
    NoValue { option: &'static str, wanted: String },
    /// The value is not of the option's kind.
    #[error("option '{option}' takes {wanted}, not {value}; it stays as it was")]
    BadValue { option: &'static str, value: Excerpt, wanted: String },
    /// The file cannot be read.
    #[error("option '{option}': cannot read {path}: {error}; it stays as it was")]
    File { option: &'static str, path: Excerpt, error: String },
    /// The file is no network for the board.
    #[error("option '{option}': {path} cannot be used: {error}; it stays as it was")]
    Network { option: &'static str, path: Excerpt, error: NetworkError },
    /// The tables cannot be used.
    #[error("option '{option}': {error}; it stays as it was")]
    Tablebase { option: &'static str, error: TablebaseError },
    /// The variant exists, but not here.
    #[error("option '{option}': {reason}; it stays as it was")]
    Variant { option: &'static str, reason: VariantError },
}

/// The options, in the order in which they are declared.
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
        option("UCI_EngineAbout", OptionKind::Text(ABOUT)),
        check("OwnBook", |settings| &mut settings.own_book),
        option("Book File", OptionKind::Book),
        spin("Book Depth", 1..=1000, |settings| &mut settings.book_depth),
    ];
    let network = |&board| option(EVAL_FILES[board as usize], OptionKind::Network(board));
    options.extend(BoardSize::ALL.iter().map(network));
    let most_men = tablebase::MOST_MEN as u64;
    options.extend([
        option("SyzygyPath", OptionKind::Tablebase),
        spin("SyzygyProbeDepth", 1..=100, |settings| &mut settings.probe_depth),
        check("Syzygy50MoveRule", |settings| &mut settings.fifty_move_rule),
        spin("SyzygyProbeLimit", 0..=most_men, |settings| &mut settings.probe_limit),
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

/// The bytes of a file, if it is a network for this board.
fn read_network(
    option: &'static str,
    board: BoardSize,
    path: &str,
) -> Result<Arc<[u8]>, OptionError> {
    let bytes = std::fs::read(path).map_err(|error| OptionError::File {
        option,
        path: Excerpt::new(path),
        error: error.to_string(),
    })?;
    on_board!(board, |G| Parameters::from_bytes::<G>(&bytes))
        .map_err(|error| OptionError::Network { option, path: Excerpt::new(path), error })?;
    Ok(bytes.into())
}

/// The option of this name.
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
    /// Puts a value into the settings.
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
                settings.variant = text.parse().map_err(|reason| match reason {
                    VariantError::Unknown { .. } => bad(),
                    reason => OptionError::Variant { option, reason },
                })?;
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

    /// Which values there are, in words.
    fn wanted(&self) -> String {
        match &self.kind {
            OptionKind::Check(_) => "'true' or 'false'".to_owned(),
            OptionKind::Spin(range, _) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            OptionKind::Variant => {
                let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
                format!("one of {}", names.join(", "))
            }
            OptionKind::Network(_) => {
                format!("the path of a network, or {NOTHING} for the one that is built in")
            }
            OptionKind::Book => format!("the path of a book, or {NOTHING} for none"),
            OptionKind::Tablebase => format!("folders with Syzygy tables, or {NOTHING} for none"),
            OptionKind::Button(_) => "no value".to_owned(),
            OptionKind::Text(_) => "any text".to_owned(),
        }
    }
}

impl OptionValues {
    /// The defaults, with errors of weak play that nobody has seen yet.
    pub(super) fn new() -> OptionValues {
        OptionValues { seed: random::fresh_seed(), ..OptionValues::default() }
    }

    /// Other errors of weak play, for another game.
    pub(super) fn renew_seed(&mut self) {
        self.seed = Rng::new(self.seed).next_u64();
    }

    /// The strength to play with and the errors to make; full strength without.
    fn skill(&self) -> Option<(u64, u64)> {
        self.limit_strength.then_some((self.elo, self.seed))
    }

    // The numbers lie in the ranges of their options, so that no conversion cuts anything off.

    /// The engine for these settings.
    pub(super) fn make_engine(&self, make: EngineMaker) -> Result<Box<dyn Engine>, EngineError> {
        let mut engine = make(self.variant, self.hash as usize, self.threads as usize)?;
        let network = self.network();
        if network != nets::embedded(self.variant.rules().board) {
            engine.set_network(network)?;
        }
        Ok(engine)
    }

    /// The file of the network that evaluates in the games of the variant.
    fn network(&self) -> &[u8] {
        let board = self.variant.rules().board;
        self.networks[board as usize].as_deref().unwrap_or_else(|| nets::embedded(board))
    }

    /// The book that is in force, by file and variant.
    pub(super) fn book_in_force(&self) -> Option<(&Path, Variant)> {
        Some((self.book.as_deref().filter(|_| self.own_book)?, self.variant))
    }

    /// Adds what the options say to a request.
    pub(super) fn complete(&self, request: &mut Request) {
        request.limits.multi_pv = self.multi_pv as usize;
        request.overhead = Duration::from_millis(self.overhead);
        request.elo = self.limit_strength.then_some(self.elo as u32);
        request.seed = self.seed;
        request.chess960 = self.chess960;
        request.prober = self.prober();
    }

    /// The tables and how they are asked. Weak play has none: it would be perfect there.
    fn prober(&self) -> Option<Prober> {
        let tablebase = self.tablebase.as_ref().filter(|_| !self.limit_strength)?;
        let (men, depth) = (self.probe_limit as usize, self.probe_depth as i32);
        Some(Prober::new(Arc::clone(tablebase), men, depth, self.fifty_move_rule))
    }

    /// Sets the option of this name, and lets the engine follow. If that fails, nothing changes.
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
            // The table, and what was learned from it, holds the evaluations of a player of
            // another strength, errors and all, or with other knowledge of endings.
            engine.new_game();
        }
        *self = new;
        Ok(option)
    }
}

#[cfg(test)]
mod tests;
