use proptest::prelude::*;

use super::*;

fn setup() -> OptionSetup<'static> {
    OptionSetup {
        max_hash: 4096,
        variants: &[Variant::Chess, Variant::Chess960],
        elo: 800..=2800,
        about: "Aleator, for every shuffled start",
    }
}

fn table() -> OptionTable {
    OptionTable::new(&setup())
}

fn ok(name: &str, value: &str) -> OptionChange {
    table().read(name, Some(value)).unwrap()
}

fn error(name: &str, value: &str) -> String {
    table().read(name, Some(value)).unwrap_err().to_string()
}

#[test]
fn declarations() {
    let lines = table().to_string();
    assert_eq!(
        // Without those of a build with the feature `tune`.
        lines.split_inclusive('\n').take(13).collect::<String>(),
        "option name Hash type spin default 16 min 1 max 4096\n\
         option name Clear Hash type button\n\
         option name Threads type spin default 1 min 1 max 1024\n\
         option name Ponder type check default false\n\
         option name MultiPV type spin default 1 min 1 max 256\n\
         option name UCI_Chess960 type check default false\n\
         option name UCI_Variant type combo default chess var chess var chess960\n\
         option name UCI_ShowWDL type check default false\n\
         option name UCI_AnalyseMode type check default false\n\
         option name UCI_LimitStrength type check default false\n\
         option name UCI_Elo type spin default 2800 min 800 max 2800\n\
         option name Move Overhead type spin default 10 min 0 max 5000\n\
         option name UCI_EngineAbout type string default Aleator, for every shuffled start\n"
    );
}

#[cfg(not(feature = "tune"))]
#[test]
fn a_release_offers_no_numbers_of_the_search() {
    assert_eq!(table().iter().count(), 13);
}

#[cfg(feature = "tune")]
#[test]
fn numbers_of_the_search_are_options() {
    assert_eq!(table().iter().count(), 13 + TUNABLES.len());
    let text = table().to_string();
    let index = TUNABLES.iter().position(|one| one.name == "REVERSE_FUTILITY_MARGIN").unwrap();
    let default = TUNABLES[index].default;
    let line =
        format!("option name REVERSE_FUTILITY_MARGIN type spin default {default} min 30 max 160\n");
    assert!(text.contains(&line), "{text}");
    let change = OptionChange::Tunable { index, value: 95 };
    assert_eq!(ok("reverse_futility_margin", "95"), change);
    for wrong in ["29", "161", "-1", "x", "99999999999999"] {
        let text = error("REVERSE_FUTILITY_MARGIN", wrong);
        assert!(text.contains("a whole number from 30 to 160"), "{text}");
    }
}

#[test]
fn declarations_follow_the_setup() {
    let table = OptionTable::new(&OptionSetup {
        max_hash: 0,
        variants: &[Variant::Jepps],
        about: "",
        ..setup()
    });
    let lines: Vec<String> = table.iter().map(|option| option.to_string()).collect();
    assert_eq!(lines[0], "option name Hash type spin default 1 min 1 max 1");
    assert_eq!(lines[6], "option name UCI_Variant type combo default jepps var jepps");
    assert_eq!(lines[12], "option name UCI_EngineAbout type string default <empty>");
}

#[test]
fn each_option_is_read() {
    assert_eq!(ok("Hash", "4096"), OptionChange::Hash(4096));
    assert_eq!(ok("Threads", "1024"), OptionChange::Threads(1024));
    assert_eq!(ok("Ponder", "true"), OptionChange::Ponder(true));
    assert_eq!(ok("MultiPV", "256"), OptionChange::MultiPv(256));
    assert_eq!(ok("UCI_Chess960", "false"), OptionChange::Chess960(false));
    assert_eq!(ok("UCI_Variant", "chess960"), OptionChange::Variant(Variant::Chess960));
    assert_eq!(ok("UCI_ShowWDL", "true"), OptionChange::ShowWdl(true));
    assert_eq!(ok("UCI_AnalyseMode", "true"), OptionChange::AnalyseMode(true));
    assert_eq!(ok("UCI_LimitStrength", "true"), OptionChange::LimitStrength(true));
    assert_eq!(ok("UCI_Elo", "800"), OptionChange::Elo(800));
    assert_eq!(ok("Move Overhead", "0"), OptionChange::MoveOverhead(0));
    assert_eq!(ok("UCI_EngineAbout", "me"), OptionChange::EngineAbout);
    assert_eq!(ok("UCI_EngineAbout", ""), OptionChange::EngineAbout);
    assert_eq!(table().read("Clear Hash", None), Ok(OptionChange::ClearHash));
    // Some GUIs press buttons with a value.
    assert_eq!(ok("Clear Hash", "true"), OptionChange::ClearHash);
}

#[test]
fn case_does_not_matter() {
    assert_eq!(ok("hash", "+32"), OptionChange::Hash(32));
    assert_eq!(ok("move OVERHEAD", "7"), OptionChange::MoveOverhead(7));
    assert_eq!(ok("uci_chess960", "True"), OptionChange::Chess960(true));
    assert_eq!(ok("Ponder", "FALSE"), OptionChange::Ponder(false));
    assert_eq!(ok("UCI_Variant", "Chess960"), OptionChange::Variant(Variant::Chess960));
}

#[test]
fn aliases_of_variants_are_read_but_not_listed() {
    for (alias, variant) in [
        ("standard", Variant::Chess),
        ("normal", Variant::Chess),
        ("fischerandom", Variant::Chess960),
    ] {
        assert_eq!(ok("UCI_Variant", alias), OptionChange::Variant(variant));
        assert!(!table().to_string().contains(alias));
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    assert_eq!(
        error("Hash", "0"),
        "option 'Hash' takes a whole number from 1 to 4096, not '0'; it stays as it was"
    );
    for (name, value) in [
        ("Hash", "4097"),
        ("Hash", "-16"),
        ("Hash", "16 MB"),
        ("Hash", "99999999999999999999999999"),
        ("Threads", "0"),
        ("Threads", "1025"),
        ("MultiPV", "257"),
        ("UCI_Elo", "799"),
        ("UCI_Elo", "4294968096"),
        ("Move Overhead", "5001"),
        ("Move Overhead", "-1"),
        ("Move Overhead", "ten"),
    ] {
        let text = error(name, value);
        assert!(text.contains(&format!("'{name}' takes a whole number from")), "{text}");
        assert!(text.contains(&format!("not '{value}'")), "{text}");
    }
}

#[test]
fn other_wrong_values_are_refused() {
    for value in ["yes", "1", "on", "true false", "tru"] {
        assert_eq!(
            error("Ponder", value),
            format!("option 'Ponder' takes 'true' or 'false', not '{value}'; it stays as it was")
        );
    }
    // Shogi is no variant at all; Jepps exists, but this table does not offer it.
    for value in ["shogi", "jepps"] {
        assert_eq!(
            error("UCI_Variant", value),
            format!(
                "option 'UCI_Variant' takes one of chess, chess960, not '{value}'; \
                 it stays as it was"
            )
        );
    }
}

#[cfg(not(feature = "board10x10"))]
#[test]
fn the_feature_that_ifrc_needs_is_named() {
    assert!(error("UCI_Variant", "IFRC").contains("cargo feature `board10x10`"));
}

#[test]
fn missing_values_and_unknown_names() {
    let missing = |name| table().read(name, None).unwrap_err().to_string();
    assert_eq!(
        missing("Hash"),
        "option 'Hash' needs a value: write 'setoption name Hash value <value>', a whole number from 1 to \
         4096"
    );
    assert!(missing("Ponder").ends_with(", 'true' or 'false'"));
    assert!(missing("UCI_Variant").ends_with(", one of chess, chess960"));
    assert_eq!(error("Hash", ""), missing("Hash"));
    // The numbers of the search come last, where they are options.
    let known = "there is no option 'Hsah'; there are Hash, Clear Hash, Threads, Ponder, MultiPV, \
                 UCI_Chess960, UCI_Variant, UCI_ShowWDL, UCI_AnalyseMode, UCI_LimitStrength, \
                 UCI_Elo, Move Overhead, UCI_EngineAbout";
    let unknown = error("Hsah", "16");
    let numbers = unknown.strip_prefix(known).expect(&unknown);
    assert_eq!(numbers.is_empty(), cfg!(not(feature = "tune")), "{numbers}");
}

#[test]
fn the_spelling_of_an_empty_text() {
    let string = |default: &str| UciOption {
        name: "Book",
        kind: OptionKind::String {
            default: default.to_owned(),
            change: |text| {
                if text.is_empty() { OptionChange::ClearHash } else { OptionChange::EngineAbout }
            },
        },
    };
    assert_eq!(string("").to_string(), "option name Book type string default <empty>");
    assert_eq!(string("").read(Some("<empty>")), Ok(OptionChange::ClearHash));
    assert_eq!(string("").read(Some("")), Ok(OptionChange::ClearHash));
    assert_eq!(string("").read(Some("a b")), Ok(OptionChange::EngineAbout));
}

proptest! {
    /// Any value is accepted or refused; a refusal is one short line.
    #[test]
    fn no_value_panics(index in 0_usize..13, value in any::<Option<String>>()) {
        let table = table();
        let name = table.options[index].name;
        if let Err(error) = table.read(name, value.as_deref()) {
            let text = error.to_string();
            prop_assert!(text.contains(name) && text.len() < 600, "{text}");
            prop_assert!(!text.contains(char::is_control), "{text:?}");
        }
    }

    /// A spin takes exactly the numbers of its range.
    #[test]
    fn spins_keep_their_bounds(number in -10_i64..6000) {
        let accepted = table().read("Threads", Some(&number.to_string()));
        match usize::try_from(number) {
            Ok(threads @ 1..=1024) => {
                prop_assert_eq!(accepted, Ok(OptionChange::Threads(threads)));
            }
            _ => prop_assert!(accepted.is_err()),
        }
    }
}
