//! The engine's declarations to the GUI: features, options, and the setup of Pre-Chess.

use super::habits;
use crate::game::Game;
use crate::protocol::NAME;
use crate::rules::{BoardSize, Variant};
use crate::session::{self, NOTHING, OptionKind, OptionValues, SessionOption};

/// The available variants and their names in the protocol.
pub(super) const VARIANTS: [(&str, Variant); 3] = [
    ("normal", Variant::Chess),
    ("fischerandom", Variant::Chess960),
    ("placement", Variant::Placement),
];

/// Options that are not declared to XBoard, because the protocol has a command with the same effect or cannot
/// use the option.
const UNDECLARED: [&str; 8] = [
    "Hash",            // memory
    "Threads",         // cores
    "Ponder",          // hard, easy
    "UCI_Variant",     // variant
    "UCI_Chess960",    // variant
    "UCI_AnalyseMode", // analyze
    "UCI_ShowWDL",     // thinking output has no column for WDL
    "UCI_EngineAbout", // the option has no effect
];

/// Why a variant is not available in this protocol.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum VariantRefusal {
    #[error(
        "ifrc is not available in this protocol, because XBoard castles on the first and the last rank \
         only; play ifrc on the page of 'aleator serve', with 'aleator play ifrc' or in UCI"
    )]
    Ifrc,
    #[error(
        "{0} is not available in this protocol, which has normal, fischerandom and placement; play \
         {0} on the page of 'aleator serve', with 'aleator play {0}' or in UCI"
    )]
    Elsewhere(Variant),
    #[error("unknown variant; the variants are normal, fischerandom and placement")]
    Unknown,
}

/// Returns the variant with the given name, or an error if it is not available in this protocol.
pub(super) fn variant(name: &str) -> Result<Variant, VariantRefusal> {
    if name.eq_ignore_ascii_case("ifrc") {
        return Err(VariantRefusal::Ifrc);
    }
    let variant: Variant = name.parse().map_err(|_| VariantRefusal::Unknown)?;
    let is_offered = VARIANTS.iter().any(|(_, one)| *one == variant);
    if is_offered { Ok(variant) } else { Err(VariantRefusal::Elsewhere(variant)) }
}

/// Returns the lines that answer the command `protover`.
pub(super) fn features() -> String {
    let variants = VARIANTS.map(|(name, _)| name).join(",");
    let options: String = offered().map(|option| declaration(&option) + "\n").collect();
    format!(
        "feature done=0\n\
         feature myname=\"{NAME}\" variants=\"{variants}\"\n\
         feature setboard=1 usermove=1 ping=1 playother=1 san=0 time=1 draw=1 reuse=1 analyze=1\n\
         feature colors=0 sigint=0 ics=0 name=0 nps=0 memory=1 smp=1 highlight=1 oocastle=0\n\
         {options}feature option=\"{} -check 1\"\nfeature done=1",
        habits::OPTION
    )
}

/// Returns the options that are declared to XBoard.
fn offered() -> impl Iterator<Item = SessionOption> {
    let is_ours = |option: &SessionOption| match option.kind {
        OptionKind::Network(board) => board == BoardSize::Eight,
        _ => option.is_declared && !UNDECLARED.contains(&option.name),
    };
    session::options().into_iter().filter(is_ours)
}

fn declaration(option: &SessionOption) -> String {
    let kind = match &option.kind {
        OptionKind::Check(field) => {
            format!("check {}", u8::from(*field(&mut OptionValues::default())))
        }
        OptionKind::Spin(range, number) => {
            format!("spin {} {} {}", number.default(), range.start(), range.end())
        }
        OptionKind::Variant => format!("string {}", OptionValues::default().variant.name()),
        OptionKind::Network(_) | OptionKind::Book => format!("file {NOTHING}"),
        OptionKind::Tablebase => format!("path {NOTHING}"),
        OptionKind::Button(_) => "button".to_owned(),
        OptionKind::Text(text) => format!("string {text}"),
    };
    format!("feature option=\"{} -{kind}\"", option.name)
}

/// Returns the session command that sets an option, or `None` if no option of this name is declared. The
/// value of a check option is `1` or `0`.
pub(super) fn setting(name: &str, value: Option<String>) -> Option<session::Command> {
    let option = offered().find(|option| option.name.eq_ignore_ascii_case(name))?;
    let is_check = matches!(option.kind, OptionKind::Check(_));
    let value = value.map(|value| match value.as_str() {
        "1" if is_check => "true".to_owned(),
        "0" if is_check => "false".to_owned(),
        _ => value,
    });
    Some(session::Command::SetOption { name: option.name.to_owned(), value })
}

/// Returns the lines that describe Pre-Chess to XBoard, or `None` for other variants.
///
/// Pre-Chess is described as a variant with pieces in hand in which captured pieces leave the game. XBoard
/// does not allow castling with a king that has been dropped. The king is therefore declared to have an
/// additional move: two squares sideways over an empty square. XBoard then moves the rook too, and the engine
/// checks whether castling is legal.
pub(super) fn setup(game: &Game) -> Option<String> {
    (game.variant() == Variant::Placement).then(|| {
        let fen = game.fen();
        format!("setup (PNBRQ...........Kpnbrq...........k) 8x8+6_bughouse {fen}\npiece K& KsmnD")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_come_from_the_table_of_options() {
        let text = features();
        for line in [
            "feature option=\"Clear Hash -button\"",
            "feature option=\"MultiPV -spin 1 1 256\"",
            "feature option=\"UCI_LimitStrength -check 0\"",
            "feature option=\"OwnBook -check 0\"",
            "feature option=\"EvalFile -file <empty>\"",
        ] {
            assert!(text.lines().any(|one| one == line), "{line} in {text}");
        }
        for name in UNDECLARED.iter().chain(&["EvalFile10x10", "Skill Seed"]) {
            assert!(!text.contains(&format!("\"{name} ")), "{name}");
            assert_eq!(setting(name, None), None);
        }
        // A quotation mark inside a string would end the string.
        assert!(text.lines().all(|line| line.matches('"').count() % 2 == 0), "{text}");
    }

    #[test]
    fn check_values_are_translated() {
        let set = |name: &str, value: &str| match setting(name, Some(value.to_owned())) {
            Some(session::Command::SetOption { name, value: Some(value) }) => (name, value),
            other => panic!("{other:?}"),
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(set("ownbook", "1"), pair("OwnBook", "true"));
        assert_eq!(set("MultiPV", "1"), pair("MultiPV", "1"));
    }
}
