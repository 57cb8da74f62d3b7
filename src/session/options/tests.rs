//! Tests of the session's options.

use proptest::prelude::*;

use super::*;
use crate::geometry::Board8x8;

fn read(name: &str, value: Option<&str>) -> Result<OptionValues, OptionError> {
    let mut settings = OptionValues::default();
    find(name)?.read(value, &mut settings)?;
    Ok(settings)
}

fn ok(name: &str, value: &str) -> OptionValues {
    read(name, Some(value)).unwrap()
}

fn error(name: &str, value: &str) -> String {
    read(name, Some(value)).unwrap_err().to_string()
}

#[test]
fn releases_do_not_offer_search_parameters() {
    let numbers = options().len() - 22 - BoardSize::ALL.len();
    #[cfg(not(feature = "tune"))]
    assert_eq!(numbers, 0);
    #[cfg(feature = "tune")]
    assert_eq!(numbers, TUNABLES.len());
}

#[cfg(feature = "tune")]
#[test]
fn search_parameters_are_options() {
    let index = TUNABLES.iter().position(|one| one.name == "reverse_futility_margin").unwrap();
    let option = find("REVERSE_FUTILITY_MARGIN").unwrap();
    assert!(matches!(&option.kind, OptionKind::Spin(range, number)
        if *range == (30..=160) && number.default() == TUNABLES[index].default as u64));
    for wrong in ["29", "161", "-1", "x", "99999999999999"] {
        let text = error("REVERSE_FUTILITY_MARGIN", wrong);
        assert!(text.contains("a whole number from 30 to 160"), "{text}");
    }
}

#[test]
fn each_option_is_read() {
    let default = OptionValues::default;
    assert_eq!(ok("Hash", "16"), OptionValues { hash: 16, ..default() });
    assert_eq!(ok("Threads", "1024"), OptionValues { threads: 1024, ..default() });
    assert_eq!(ok("Ponder", "true"), OptionValues { ponder: true, ..default() });
    assert_eq!(ok("MultiPV", "256"), OptionValues { multi_pv: 256, ..default() });
    assert_eq!(ok("UCI_Chess960", "true"), OptionValues { chess960: true, ..default() });
    assert_eq!(ok("UCI_Chess960", "false"), default());
    let variant = Variant::Chess960;
    assert_eq!(ok("UCI_Variant", "chess960"), OptionValues { variant, ..default() });
    assert_eq!(ok("UCI_ShowWDL", "true"), OptionValues { show_wdl: true, ..default() });
    assert_eq!(ok("UCI_AnalyseMode", "true"), OptionValues { analyse_mode: true, ..default() });
    assert_eq!(ok("UCI_LimitStrength", "true"), OptionValues { limit_strength: true, ..default() });
    assert_eq!(ok("UCI_Elo", "400"), OptionValues { elo: 400, ..default() });
    assert_eq!(ok("Move Overhead", "0"), OptionValues { overhead: 0, ..default() });
    assert_eq!(ok("Nodes Time", "800"), OptionValues { nodes_time: 800, ..default() });
    assert_eq!(ok("Skill Seed", "7"), OptionValues { seed: 7, ..default() });
    for value in ["me", ""] {
        assert_eq!(ok("UCI_EngineAbout", value), default());
    }
    assert_eq!(read("Clear Hash", None).unwrap(), default());
    // Some GUIs press buttons with a value.
    assert_eq!(ok("Clear Hash", "true"), default());
}

#[test]
fn case_does_not_matter() {
    assert_eq!(ok("hash", "+8").hash, 8);
    assert_eq!(ok("move OVERHEAD", "7").overhead, 7);
    assert!(ok("uci_chess960", "True").chess960);
    assert!(!ok("Ponder", "FALSE").ponder);
    assert_eq!(ok("UCI_Variant", "Chess960").variant, Variant::Chess960);
}

#[test]
fn aliases_of_variants_are_read() {
    for (alias, variant) in [
        ("standard", Variant::Chess),
        ("normal", Variant::Chess),
        ("fischerandom", Variant::Chess960),
    ] {
        assert_eq!(ok("UCI_Variant", alias).variant, variant);
    }
}

#[test]
fn numbers_out_of_range_are_rejected() {
    assert_eq!(
        error("Threads", "0"),
        "option 'Threads' takes a whole number from 1 to 1024, not '0'; the option is unchanged"
    );
    for (name, value) in [
        ("Hash", "0"),
        ("Hash", "-16"),
        ("Hash", "16 MB"),
        ("Hash", "18446744073709551615"),
        ("Hash", "99999999999999999999999999"),
        ("Threads", "1025"),
        ("MultiPV", "257"),
        ("UCI_Elo", "399"),
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
fn other_wrong_values_are_rejected() {
    for value in ["yes", "1", "on", "true false", "tru"] {
        assert_eq!(
            error("Ponder", value),
            format!(
                "option 'Ponder' takes 'true' or 'false', not '{value}'; the option is unchanged"
            )
        );
    }
    let text = error("UCI_Variant", "shogi");
    assert!(text.starts_with("option 'UCI_Variant': there is no variant 'shogi'; "), "{text}");
    assert!(text.contains("chess, chess960, dfrc, "), "{text}");
    assert!(text.ends_with("; the option is unchanged"), "{text}");
}

#[test]
fn a_variant_whose_board_is_left_out_is_rejected_with_the_reason() {
    match read("UCI_Variant", Some("IFRC")) {
        Ok(values) => assert_eq!((values.variant.name(), BoardSize::ALL.len()), ("ifrc", 2)),
        Err(error) => assert!(error.to_string().contains("cargo feature `board10x10`")),
    }
}

#[test]
fn missing_values_and_unknown_names_are_rejected() {
    let missing = |name| read(name, None).unwrap_err().to_string();
    assert_eq!(missing("Threads"), "option 'Threads' needs a value: a whole number from 1 to 1024");
    assert!(missing("Ponder").ends_with("'true' or 'false'"));
    assert!(missing("UCI_Variant").contains(": one of chess, chess960, "));
    assert_eq!(error("Hash", ""), missing("Hash"));
    // In tuning builds the search parameters come last. The seed is only for tests and not listed.
    let known = "there is no option 'Hsah'; the options are Hash, Clear Hash, Threads, Ponder, MultiPV, \
                 UCI_Chess960, UCI_Variant, UCI_ShowWDL, UCI_AnalyseMode, UCI_LimitStrength, \
                 UCI_Elo, Move Overhead, Nodes Time, UCI_EngineAbout, OwnBook, Book File, Book \
                 Depth, EvalFile";
    let unknown = error("Hsah", "16");
    let numbers = unknown.strip_prefix(known).expect(&unknown);
    let ten = numbers.strip_prefix(", EvalFile10x10");
    assert_eq!(ten.is_some(), BoardSize::ALL.len() > 1, "{numbers}");
    let tables = ", SyzygyPath, SyzygyProbeDepth, Syzygy50MoveRule, SyzygyProbeLimit";
    let numbers = ten.unwrap_or(numbers).strip_prefix(tables).expect(&unknown);
    assert_eq!(numbers.is_empty(), cfg!(not(feature = "tune")), "{numbers}");
}

#[test]
fn networks_are_read_and_checked_for_their_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.nnue");
    let path = path.to_str().unwrap();
    assert!(error("EvalFile", path).contains("cannot read"));
    std::fs::write(path, "no network").unwrap();
    assert!(error("EvalFile", path).contains("the file is not a network of Aleator"));
    let parameters = Parameters {
        name: "zero".to_owned(),
        scale: 200,
        hidden: 32,
        input_weights: vec![0; 32 * crate::eval::nnue::inputs::<Board8x8>()],
        input_bias: vec![0; 32],
        output_weights: vec![0; 64],
        output_bias: vec![0],
    };
    let bytes = parameters.to_bytes::<Board8x8>();
    std::fs::write(path, &bytes).unwrap();
    let values = ok("EvalFile", path);
    assert_eq!(values.network(), bytes);
    if let Ok(variant) = "ifrc".parse() {
        assert!(error("EvalFile10x10", path).contains("the 10x10 board has 100"));
        let ten = OptionValues { variant, ..values };
        let built_in = nets::embedded(variant.rules().board);
        assert!(ten.network() == built_in, "it is for the other board");
    }
    std::fs::write(path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(error("EvalFile", path).contains("is truncated or has extra bytes"));
    assert_eq!(ok("EvalFile", NOTHING), OptionValues::default());
    for option in ["EvalFile", "SyzygyPath", "Book File"] {
        assert_eq!(ok(option, ""), OptionValues::default(), "{option}");
    }
}

#[test]
fn each_session_and_each_game_has_its_own_seed() {
    let (mut one, other) = (OptionValues::new(), OptionValues::new());
    assert_ne!(one.seed, other.seed, "in each session");
    one.seed = 5;
    let seeds: Vec<u64> = (0..3)
        .map(|_| {
            one.renew_seed();
            one.seed
        })
        .collect();
    assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != seeds[2], "{seeds:?}");
}

proptest! {
    /// Checks that every value is either accepted or rejected with one short line.
    #[test]
    fn no_value_panics(index in 0_usize..14, value in any::<Option<String>>()) {
        let option = &options()[index];
        if let Err(error) = option.read(value.as_deref(), &mut OptionValues::default()) {
            let text = error.to_string();
            prop_assert!(text.contains(option.name) && text.len() < 600, "{text}");
            prop_assert!(!text.contains(char::is_control), "{text:?}");
        }
    }

    /// Checks that a spin option accepts exactly the numbers of its range.
    #[test]
    fn spins_keep_their_bounds(number in -10_i64..6000) {
        let accepted = read("Threads", Some(&number.to_string()));
        match u64::try_from(number) {
            Ok(threads @ 1..=1024) => prop_assert_eq!(accepted.unwrap().threads, threads),
            _ => prop_assert!(accepted.is_err()),
        }
    }
}
