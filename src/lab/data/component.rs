use std::fmt;
use std::str::FromStr;

use crate::rules::{BoardSize, Variant, VariantError};
use crate::start::Numbering;

/// A kind of start: a variant, and where one variant has several lists of starts, which of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Component {
    Chess = 0,
    /// Chess960, Black's array mirroring White's.
    Chess960 = 1,
    /// Double Fischer random: Chess960 with an array of its own for each side.
    Dfrc = 2,
    #[cfg(feature = "board10x10")]
    Ifrc = 3,
    /// IFRC with an array of its own for each side. The game's rules have no such start.
    #[cfg(feature = "board10x10")]
    IfrcDouble = 4,
    FischerBenko = 5,
    Transcendental = 6,
    Jepps = 7,
    Placement = 8,
}

impl Component {
    /// Every kind of start of this build.
    pub const ALL: &'static [Component] = &[
        Component::Chess,
        Component::Chess960,
        Component::Dfrc,
        #[cfg(feature = "board10x10")]
        Component::Ifrc,
        #[cfg(feature = "board10x10")]
        Component::IfrcDouble,
        Component::FischerBenko,
        Component::Transcendental,
        Component::Jepps,
        Component::Placement,
    ];

    /// The variant that is played.
    pub const fn variant(self) -> Variant {
        match self {
            Component::Chess => Variant::Chess,
            Component::Chess960 | Component::Dfrc => Variant::Chess960,
            #[cfg(feature = "board10x10")]
            Component::Ifrc | Component::IfrcDouble => Variant::Ifrc,
            Component::FischerBenko => Variant::FischerBenko,
            Component::Transcendental => Variant::Transcendental,
            Component::Jepps => Variant::Jepps,
            Component::Placement => Variant::Placement,
        }
    }

    /// The board that it is played on.
    pub const fn board(self) -> BoardSize {
        self.variant().rules().board
    }

    /// The starts, each as likely as the others.
    pub const fn starts(self) -> Numbering {
        match self {
            Component::Dfrc => Numbering::DOUBLE_FISCHER_RANDOM,
            #[cfg(feature = "board10x10")]
            Component::IfrcDouble => Numbering::independent(Variant::Ifrc),
            _ => Numbering::drawn(self.variant()),
        }
    }

    /// The name in a mix: the variant's, `dfrc` or `ifrc-double`.
    pub const fn name(self) -> &'static str {
        match self {
            Component::Dfrc => "dfrc",
            #[cfg(feature = "board10x10")]
            Component::IfrcDouble => "ifrc-double",
            _ => self.variant().name(),
        }
    }

    /// The number in a file.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind of start with this number, if this build has it.
    pub fn from_code(code: u8) -> Option<Component> {
        Component::ALL.iter().copied().find(|component| component.code() == code)
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no kind of start of this build.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ComponentError {
    #[error("there are no starts called '{name}'; there are {}", names())]
    Unknown { name: String },
    #[error("{0}")]
    Variant(VariantError),
}

fn names() -> String {
    Component::ALL.iter().map(|component| component.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Component {
    type Err = ComponentError;

    fn from_str(name: &str) -> Result<Component, ComponentError> {
        let lower = name.trim().to_ascii_lowercase();
        if let Some(found) = Component::ALL.iter().find(|component| component.name() == lower) {
            return Ok(*found);
        }
        // `fischerandom` and its like; and `ifrc` in a build without its board, which is told why.
        let variant_name = lower.strip_suffix("-double").unwrap_or(&lower);
        match variant_name.parse::<Variant>() {
            Ok(variant) if variant_name == lower => Component::ALL
                .iter()
                .copied()
                .find(|component| component.name() == variant.name())
                .ok_or(ComponentError::Unknown { name: lower }),
            Err(error @ VariantError::NeedsBoard10x10 { .. }) => {
                Err(ComponentError::Variant(error))
            }
            _ => Err(ComponentError::Unknown { name: crate::text::shorten(name) }),
        }
    }
}
