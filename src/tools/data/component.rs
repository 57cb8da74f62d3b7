//! The kinds of starting positions ("starts") that training games can have.

use std::fmt;
use std::str::FromStr;

use crate::rules::{BoardSize, Variant, VariantError};
use crate::start::Numbering;
use crate::text::shorten;

/// A kind of start: a variant and, if the variant has several lists of starts, one of the lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Component {
    code: u8,
    name: &'static str,
    variant: Variant,
}

const fn component(code: u8, name: &'static str, variant: Variant) -> Component {
    Component { code, name, variant }
}

impl Component {
    /// All kinds of starts in this build, each with its code in files, its name and its variant. If the name
    /// differs from the variant's, the two sides have independent back ranks: double Fischer random, and the
    /// corresponding starts on 10x10, which the rules of IFRC do not have.
    pub const ALL: &'static [Component] = &[
        component(0, "chess", Variant::Chess),
        component(1, "chess960", Variant::Chess960),
        component(2, "dfrc", Variant::Chess960),
        #[cfg(feature = "board10x10")]
        component(3, "ifrc", Variant::Ifrc),
        #[cfg(feature = "board10x10")]
        component(4, "ifrc-double", Variant::Ifrc),
        component(5, "fischerbenko", Variant::FischerBenko),
        component(6, "transcendental", Variant::Transcendental),
        component(7, "jepps", Variant::Jepps),
        component(8, "placement", Variant::Placement),
    ];

    /// Returns the code that stands for this kind of start in files.
    pub const fn code(self) -> u8 {
        self.code
    }

    /// Returns the kind of start with a code, or `None` if this build has no such kind.
    pub fn from_code(code: u8) -> Option<Component> {
        Component::ALL.iter().copied().find(|component| component.code == code)
    }

    /// Returns the name used in a mix.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the variant that is played from these starts.
    pub const fn variant(self) -> Variant {
        self.variant
    }

    /// Returns the board of the variant.
    pub const fn board(self) -> BoardSize {
        self.variant.rules().board
    }

    /// Returns the list of starts. All starts of the list are equally likely.
    pub fn starts(self) -> Numbering {
        match self.name == self.variant.name() {
            true => Numbering::drawn(self.variant),
            false => Numbering::independent(self.variant),
        }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name)
    }
}

/// Why a name does not stand for a kind of start.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ComponentError {
    #[error("there is no variant '{name}'; the variants are {}", names())]
    Unknown { name: String },
    #[error(transparent)]
    Variant(VariantError),
}

fn names() -> String {
    Component::ALL.iter().map(|component| component.name).collect::<Vec<_>>().join(", ")
}

impl FromStr for Component {
    type Err = ComponentError;

    fn from_str(name: &str) -> Result<Component, ComponentError> {
        let lower = name.trim().to_ascii_lowercase();
        if let Some(found) = Component::ALL.iter().find(|component| component.name == lower) {
            return Ok(*found);
        }
        // The name may be another name of a variant, such as `fischerandom`. A build without the 10x10 board
        // returns an error for `ifrc` that explains which build is needed.
        let variant_name = lower.strip_suffix("-double").unwrap_or(&lower);
        match variant_name.parse::<Variant>() {
            Ok(variant) if variant_name == lower => variant.name().parse(),
            Err(error @ VariantError::NeedsBoard10x10 { .. }) => {
                Err(ComponentError::Variant(error))
            }
            _ => Err(ComponentError::Unknown { name: shorten(name) }),
        }
    }
}
