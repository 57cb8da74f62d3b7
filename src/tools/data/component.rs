//! Kinds of starts that training games can have.

use std::fmt;
use std::str::FromStr;

use crate::rules::{BoardSize, Variant, VariantError};
use crate::start::Numbering;
use crate::text::shorten;

/// A kind of start: a variant and, if it has several sets of starts, which of them.
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
    /// Every kind of start of this build: its code in files, its name, and its variant. Where the name
    /// differs from the variant's, each side has its own back rank (double Fischer random, and the
    /// corresponding starts on 10x10, which the rules of IFRC do not have).
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

    /// The code in files.
    pub const fn code(self) -> u8 {
        self.code
    }

    /// Returns the kind of start with this code, if this build has it.
    pub fn from_code(code: u8) -> Option<Component> {
        Component::ALL.iter().copied().find(|component| component.code == code)
    }

    /// The name in a mix.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The variant played.
    pub const fn variant(self) -> Variant {
        self.variant
    }

    /// The board of the variant.
    pub const fn board(self) -> BoardSize {
        self.variant.rules().board
    }

    /// The starts, which are equally likely.
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

/// Why a name is not a kind of start of this build.
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
        // Other names of variants such as `fischerandom`; and `ifrc` in a build without the 10x10 board,
        // whose error explains that.
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
