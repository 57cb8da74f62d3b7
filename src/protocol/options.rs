//! Declarations of options in UCI syntax.

use crate::rules::Variant;
use crate::session::{NOTHING, OptionKind, OptionValues, SessionOption};

/// Returns the line that declares an option to a GUI.
pub fn declaration(option: &SessionOption) -> String {
    let kind = match &option.kind {
        OptionKind::Check(field) => {
            format!("check default {}", field(&mut OptionValues::default()))
        }
        OptionKind::Spin(range, number) => {
            let (default, min, max) = (number.default(), range.start(), range.end());
            format!("spin default {default} min {min} max {max}")
        }
        OptionKind::Variant => {
            let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
            let default = OptionValues::default().variant.name();
            format!("combo default {default} var {}", names.join(" var "))
        }
        OptionKind::Network(_) | OptionKind::Book | OptionKind::Tablebase => {
            format!("string default {NOTHING}")
        }
        OptionKind::Button(_) => "button".to_owned(),
        OptionKind::Text(text) => format!("string default {text}"),
    };
    format!("option name {} type {kind}", option.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::options;

    #[test]
    fn declarations() {
        let lines: Vec<String> = options().iter().map(declaration).collect();
        let hash = lines[0].strip_prefix("option name Hash type spin default 16 min 1 max ");
        assert!(hash.and_then(|most| most.parse::<u64>().ok()).is_some_and(|most| most >= 16));
        let variants: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        assert_eq!(
            lines[1..13],
            [
                "option name Clear Hash type button",
                "option name Threads type spin default 1 min 1 max 1024",
                "option name Ponder type check default false",
                "option name MultiPV type spin default 1 min 1 max 256",
                "option name UCI_Chess960 type check default false",
                &format!(
                    "option name UCI_Variant type combo default chess var {}",
                    variants.join(" var ")
                ),
                "option name UCI_ShowWDL type check default false",
                "option name UCI_AnalyseMode type check default false",
                "option name UCI_LimitStrength type check default false",
                "option name UCI_Elo type spin default 2600 min 400 max 2600",
                "option name Move Overhead type spin default 10 min 0 max 5000",
                concat!(
                    "option name UCI_EngineAbout type string default Aleator ",
                    env!("CARGO_PKG_VERSION"),
                    ", a chess engine for every shuffled start; GPL-3.0-or-later"
                ),
            ]
        );
        assert_eq!(
            lines[13..17],
            [
                "option name OwnBook type check default false",
                "option name Book File type string default <empty>",
                "option name Book Depth type spin default 1000 min 1 max 1000",
                "option name EvalFile type string default <empty>",
            ]
        );
        for alias in ["standard", "normal", "fischerandom"] {
            assert!(!lines[6].contains(alias), "GUIs misbehave on a listed alias: {}", lines[6]);
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn tunable_search_parameters_are_declared() {
        let lines: Vec<String> = options().iter().map(declaration).collect();
        let wanted = "option name reverse_futility_margin type spin default ";
        let line = lines.iter().find(|line| line.starts_with(wanted)).unwrap();
        assert!(line.ends_with(" min 30 max 160"), "{line}");
    }
}
