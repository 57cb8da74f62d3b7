use std::fmt;
use std::ops::RangeInclusive;

use super::words::{Excerpt, Integer};
use crate::rules::{Variant, VariantError};
#[cfg(feature = "tune")]
use crate::search::params::TUNABLES;

/// A UCI option; displays as the `option name ...` line that declares it.
#[derive(Clone, Debug)]
pub struct UciOption {
    /// The name, as GUIs show it; compared without regard to case.
    pub name: &'static str,
    /// Its type, default, bounds, and what a new value means.
    pub kind: OptionKind,
}

/// The types of options that UCI has, each with its default, its bounds, and the change that a
/// value read from `setoption` makes.
#[derive(Clone, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check { default: bool, change: fn(bool) -> OptionChange },
    /// A whole number from `min` to `max`.
    Spin { default: u64, min: u64, max: u64, change: fn(u64) -> OptionChange },
    /// One of some words, compared without regard to case.
    Combo {
        default: &'static str,
        choices: Vec<(&'static str, OptionChange)>,
        /// The choice meant by a word that is accepted but not listed, or why there is none;
        /// `Ok(None)` if nothing is known of it.
        alias: fn(&str) -> Result<Option<&'static str>, VariantError>,
    },
    /// Something to press; it has no value.
    Button { change: OptionChange },
    /// Any text.
    String { default: String, change: fn(String) -> OptionChange },
    /// A number of the search, by its index in [`TUNABLES`]: a spin.
    #[cfg(feature = "tune")]
    Tunable { index: usize },
}

/// An option's new value, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionChange {
    /// `Hash`: size of the transposition table, in MiB.
    Hash(usize),
    /// `Clear Hash`: forget what the table holds.
    ClearHash,
    /// `Threads`: how many search.
    Threads(usize),
    /// `Ponder`: whether the GUI lets the engine ponder. (It searches so when told to; the time
    /// manager may spend more if it is.)
    Ponder(bool),
    /// `MultiPV`: how many lines to show.
    MultiPv(usize),
    /// `UCI_Chess960`: castling is spelt king takes rook.
    Chess960(bool),
    /// `UCI_Variant`: the game played.
    Variant(Variant),
    /// `UCI_ShowWDL`: show the chances to win, draw and lose.
    ShowWdl(bool),
    /// `UCI_AnalyseMode`: the GUI analyses, it does not play.
    AnalyseMode(bool),
    /// `UCI_LimitStrength`: play as weakly as `UCI_Elo` says.
    LimitStrength(bool),
    /// `UCI_Elo`: the strength to play with.
    Elo(u32),
    /// `Move Overhead`: time lost on the way between clock and engine with each move, in ms.
    MoveOverhead(u64),
    /// `UCI_EngineAbout`: text for the user, which some GUIs send back; nothing changes.
    EngineAbout,
    /// A number of the search, by its index in [`TUNABLES`].
    #[cfg(feature = "tune")]
    Tunable { index: usize, value: i32 },
}

/// What the declarations depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSetup<'a> {
    /// The largest `Hash` that this machine can have, in MiB; at least 1 is offered.
    pub max_hash: usize,
    /// The variants that the engine can play, in the order to list them.
    pub variants: &'a [Variant],
    /// The strengths that it can be limited to.
    pub elo: RangeInclusive<u32>,
    /// The text of `UCI_EngineAbout`, of one line.
    pub about: &'a str,
}

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct OptionTable {
    options: Vec<UciOption>,
}

/// Why a `setoption` changes nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("there is no option {name}; there are {known}")]
    Unknown {
        /// The name.
        name: Excerpt,
        /// The names there are.
        known: String,
    },
    /// An option that needs a value came without.
    #[error(
        "option '{option}' needs a value: write 'setoption name {option} value <value>', {wanted}"
    )]
    NoValue {
        /// The option.
        option: &'static str,
        /// Which values there are.
        wanted: String,
    },
    /// The value is not of the option's type.
    #[error("option '{option}' takes {wanted}, not {value}; it stays as it was")]
    BadValue {
        /// The option.
        option: &'static str,
        /// The value.
        value: Excerpt,
        /// Which values there are.
        wanted: String,
    },
    /// The variant exists, but not here.
    #[error("option '{option}': {reason}; it stays as it was")]
    Variant {
        /// The option.
        option: &'static str,
        /// Why not.
        reason: VariantError,
    },
}

const fn check(name: &'static str, change: fn(bool) -> OptionChange) -> UciOption {
    UciOption { name, kind: OptionKind::Check { default: false, change } }
}

fn spin(
    name: &'static str,
    default: u64,
    bounds: RangeInclusive<u64>,
    change: fn(u64) -> OptionChange,
) -> UciOption {
    let (min, max) = bounds.into_inner();
    UciOption {
        name,
        kind: OptionKind::Spin { default: default.clamp(min, max), min, max, change },
    }
}

/// The combo of the variants. Chess is the default, if it is offered.
fn variant_option(variants: &[Variant]) -> UciOption {
    let choices: Vec<_> =
        variants.iter().map(|&variant| (variant.name(), OptionChange::Variant(variant))).collect();
    let default = if variants.contains(&Variant::Chess) { None } else { variants.first() };
    let kind = OptionKind::Combo {
        default: default.unwrap_or(&Variant::Chess).name(),
        choices,
        alias: |text| match text.trim().parse::<Variant>() {
            Ok(variant) => Ok(Some(variant.name())),
            Err(VariantError::Unknown { .. }) => Ok(None),
            Err(error) => Err(error),
        },
    };
    UciOption { name: "UCI_Variant", kind }
}

/// The numbers of the search.
#[cfg(feature = "tune")]
fn tunable_options() -> Vec<UciOption> {
    let option = |index: usize| UciOption {
        name: TUNABLES[index].name,
        kind: OptionKind::Tunable { index },
    };
    (0..TUNABLES.len()).map(option).collect()
}

impl OptionTable {
    /// The options of an engine that can do what `setup` says.
    pub fn new(setup: &OptionSetup) -> OptionTable {
        use OptionChange as Change;
        let max_hash = setup.max_hash.max(1) as u64;
        let (weakest, strongest) = (u64::from(*setup.elo.start()), u64::from(*setup.elo.end()));
        // A spin's value lies within its bounds, so that no conversion below can cut anything off.
        let options = vec![
            spin("Hash", 16, 1..=max_hash, |mib| Change::Hash(mib as usize)),
            UciOption {
                name: "Clear Hash",
                kind: OptionKind::Button { change: Change::ClearHash },
            },
            spin("Threads", 1, 1..=1024, |threads| Change::Threads(threads as usize)),
            check("Ponder", Change::Ponder),
            spin("MultiPV", 1, 1..=256, |lines| Change::MultiPv(lines as usize)),
            check("UCI_Chess960", Change::Chess960),
            variant_option(setup.variants),
            check("UCI_ShowWDL", Change::ShowWdl),
            check("UCI_AnalyseMode", Change::AnalyseMode),
            check("UCI_LimitStrength", Change::LimitStrength),
            spin("UCI_Elo", strongest, weakest..=strongest.max(weakest), |elo| {
                Change::Elo(elo as u32)
            }),
            spin("Move Overhead", 10, 0..=5000, Change::MoveOverhead),
            UciOption {
                name: "UCI_EngineAbout",
                kind: OptionKind::String {
                    default: setup.about.to_owned(),
                    change: |_| Change::EngineAbout,
                },
            },
        ];
        #[cfg(feature = "tune")]
        let options = [options, tunable_options()].concat();
        OptionTable { options }
    }

    /// The options, in the order in which they are declared.
    pub fn iter(&self) -> impl Iterator<Item = &UciOption> {
        self.options.iter()
    }

    /// What `setoption name NAME value VALUE` changes. Names are compared without regard to case.
    pub fn read(&self, name: &str, value: Option<&str>) -> Result<OptionChange, OptionError> {
        let option = self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        match option {
            Some(option) => option.read(value),
            None => {
                let known: Vec<_> = self.options.iter().map(|option| option.name).collect();
                Err(OptionError::Unknown { name: Excerpt::new(name), known: known.join(", ") })
            }
        }
    }
}

impl fmt::Display for OptionTable {
    /// The declarations, a line each.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.options.iter().try_for_each(|option| writeln!(f, "{option}"))
    }
}

impl UciOption {
    /// The change that a value makes. A button needs none and ignores it.
    pub fn read(&self, value: Option<&str>) -> Result<OptionChange, OptionError> {
        let option = self.name;
        if let OptionKind::Button { change } = &self.kind {
            return Ok(change.clone());
        }
        let text = match value {
            Some(text) if !text.is_empty() || matches!(self.kind, OptionKind::String { .. }) => {
                text
            }
            _ => return Err(OptionError::NoValue { option, wanted: self.wanted() }),
        };
        let change = match &self.kind {
            OptionKind::Button { change } => Some(change.clone()),
            OptionKind::Check { change, .. } => read_bool(text).map(change),
            OptionKind::Spin { min, max, change, .. } => Integer::parse(text)
                .filter(|number| !number.negative && (*min..=*max).contains(&number.size))
                .map(|number| change(number.size)),
            OptionKind::Combo { choices, alias, .. } => {
                let name = alias(text).map_err(|reason| OptionError::Variant { option, reason })?;
                let name = name.unwrap_or(text);
                let choice = choices.iter().find(|(choice, _)| choice.eq_ignore_ascii_case(name));
                choice.map(|(_, change)| change.clone())
            }
            #[cfg(feature = "tune")]
            OptionKind::Tunable { index } => Integer::parse(text)
                .filter(|number| !number.negative)
                .and_then(|number| i32::try_from(number.size).ok())
                .filter(|number| (TUNABLES[*index].min..=TUNABLES[*index].max).contains(number))
                .map(|value| OptionChange::Tunable { index: *index, value }),
            OptionKind::String { change, .. } => {
                Some(change(if text == EMPTY { String::new() } else { text.to_owned() }))
            }
        };
        change.ok_or_else(|| OptionError::BadValue {
            option,
            value: Excerpt::new(text),
            wanted: self.wanted(),
        })
    }

    /// Which values there are, in words.
    fn wanted(&self) -> String {
        match &self.kind {
            OptionKind::Check { .. } => "'true' or 'false'".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            OptionKind::Combo { choices, .. } => {
                let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
                format!("one of {}", names.join(", "))
            }
            OptionKind::Button { .. } => "no value".to_owned(),
            OptionKind::String { .. } => "any text".to_owned(),
            #[cfg(feature = "tune")]
            OptionKind::Tunable { index } => {
                let number = &TUNABLES[*index];
                format!("a whole number from {} to {}", number.min, number.max)
            }
        }
    }
}

/// How UCI spells an empty text.
const EMPTY: &str = "<empty>";

fn read_bool(text: &str) -> Option<bool> {
    match text {
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

impl fmt::Display for UciOption {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default, .. } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices, .. } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|(name, _)| write!(f, " var {name}"))
            }
            OptionKind::Button { .. } => f.write_str("button"),
            OptionKind::String { default, .. } => {
                let default = if default.is_empty() { EMPTY } else { default };
                write!(f, "string default {default}")
            }
            #[cfg(feature = "tune")]
            OptionKind::Tunable { index } => {
                let number = &TUNABLES[*index];
                write!(f, "spin default {} min {} max {}", number.default, number.min, number.max)
            }
        }
    }
}

#[cfg(test)]
mod tests;
