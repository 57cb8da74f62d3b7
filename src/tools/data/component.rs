//! The kinds of starting positions that training games can have.

use std::fmt;
use std::str::FromStr;

use crate::rules::{BoardSize, Variant, VariantError};
use crate::start::Numbering;

/// A kind of starting position: a variant and one of its lists of starting positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Component {
    code: u8,
    name: &'static str,
    starts: Numbering,
}

const fn component(code: u8, name: &'static str, starts: Numbering) -> Component {
    Component { code, name, starts }
}

impl Component {
    /// All kinds of starting positions that this build knows: the code in files, the name, and the list of
    /// starting positions. `ifrc-double` has independent back ranks, which the rules of IFRC do not allow.
    pub const ALL: &'static [Component] = &[
        component(0, "chess", Numbering::of(Variant::Chess)),
        component(1, "chess960", Numbering::of(Variant::Chess960)),
        component(2, "dfrc", Numbering::DOUBLE_FISCHER_RANDOM),
        #[cfg(feature = "board10x10")]
        component(3, "ifrc", Numbering::of(Variant::Ifrc)),
        #[cfg(feature = "board10x10")]
        component(4, "ifrc-double", Numbering::independent(Variant::Ifrc)),
        component(5, "fischerbenko", Numbering::of(Variant::FischerBenko)),
        component(6, "transcendental", Numbering::of(Variant::Transcendental)),
        component(7, "jepps", Numbering::of(Variant::Jepps).drawn()),
        component(8, "placement", Numbering::of(Variant::Placement)),
    ];

    /// Returns the code of this kind of starting position in files of games.
    pub const fn code(self) -> u8 {
        self.code
    }

    /// Returns the kind of starting position with a code, or `None` if this build has no such kind.
    pub fn from_code(code: u8) -> Option<Component> {
        Component::ALL.iter().copied().find(|component| component.code == code)
    }

    /// Returns the name of this kind of starting position in the text of a mix.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the variant that is played from these starting positions.
    pub const fn variant(self) -> Variant {
        self.starts.variant()
    }

    /// Returns the board on which the variant is played.
    pub const fn board(self) -> BoardSize {
        self.variant().rules().board
    }

    /// Returns the list of starting positions. All positions of the list are equally likely.
    pub const fn starts(self) -> Numbering {
        self.starts
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name)
    }
}

impl FromStr for Component {
    type Err = VariantError;

    /// Parses the name of a variant or `ifrc-double`.
    fn from_str(name: &str) -> Result<Component, VariantError> {
        let lower = name.trim().to_ascii_lowercase();
        let named =
            |name: &str| Component::ALL.iter().copied().find(|component| component.name == name);
        match named(&lower) {
            Some(found) => Ok(found),
            // Also accepts aliases of variants, such as `fischerandom`.
            None => Ok(named(name.parse::<Variant>()?.name()).unwrap_or(Component::ALL[0])),
        }
    }
}
