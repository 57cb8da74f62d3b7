//! Tests of placement records: writing, reading and errors.

use proptest::prelude::*;

use super::*;
use crate::setup::PlacementError;
use crate::start::{Numbering, Rng};

const EXAMPLE: &str = "[Variant \"fischerbenko\"]
[FEN \"2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1\"]
1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8";

const VARIANTS: [Variant; 4] =
    [Variant::FischerBenko, Variant::Transcendental, Variant::Jepps, Variant::Placement];

fn read(text: &str) -> Record {
    Record::read(text, None).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str, variant: Option<Variant>) -> (usize, usize, RecordFault) {
    let error = Record::read(text, variant).unwrap_err();
    assert!(error.to_string().starts_with(&format!("line {}, column ", error.line)));
    (error.line, error.column, *error.fault)
}

#[test]
fn reads_and_writes_the_inventors_example() {
    let record = read(EXAMPLE);
    assert_eq!(record.fen(), "rqbknbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w HEga - 0 5");
    assert_eq!(record.start(), Some(Start::standard(Variant::FischerBenko)));
    assert_eq!(record.to_string(), EXAMPLE);
    // The same record, written differently: other tags, missing turn numbers, no space after a turn number,
    // or only one of the last two pieces.
    for text in [
        EXAMPLE.replace("1. R", "\n1.R").replace("2. N@d1", "N@d1"),
        EXAMPLE.replace("[FEN", "[Event \"Club evening\"]\n[FEN") + " *\n",
        EXAMPLE.replace("Q@g1+K@f1", "K@f1+Q@g1").replace("Q@b8+", "").replace("N@e8", "1... Ne8"),
    ] {
        assert_eq!(read(&text), record, "{text}");
    }
}

#[test]
fn jepps_records_have_two_lines() {
    let white = "Na1, Bb1, Kc1, Rd1, Be1, Qf1, Ng1, Rh1";
    let back_rank = "NBKRBQNR";
    for (second, black) in [
        ("Mirror", "nbkrbqnr"),
        ("Reverse", "rnqbrkbn"),
        ("Ra8, Nb8, Bc8, Qd8, Ke8, Bf8, Ng8, Rh8", "rnbqkbnr"),
    ] {
        let text = format!("{white}\n{second}");
        let record = read(&text);
        assert_eq!(
            record.fen(),
            format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{back_rank} w Kk - 0 9")
        );
        assert_eq!(record.to_string(), text);
        assert_eq!(Record::of_start(&record.start().unwrap()), Some(record.clone()));
        let loose = text.to_lowercase().replace(", ", "\n");
        assert_eq!(read(&loose), record);
    }
    assert_eq!(read(white).to_string(), white);
    assert_eq!(read("Na1").state().map(Setup::kind), Some(SetupKind::Jepps));
}

#[test]
fn free_play_accepts_roman_and_arabic_numbers() {
    let roman = "i. Na1 Kh8 ii. Bb1 Rg8 iii. Rc1 Nf8 iv. Qd1 Be8 v. Be1 Bd8 vi. Kf1 Qc8 vii. Rg1 Rb8 viii. Nh1 Na8";
    let mut arabic = roman.to_owned();
    for (old, new) in [
        ("viii.", "8."),
        ("vii.", "7."),
        ("vi.", "6."),
        ("iv.", "4."),
        ("v.", "5."),
        ("iii.", "3."),
        ("ii.", "2."),
        ("i.", "1."),
    ] {
        arabic = arabic.replace(old, new);
    }
    let record = read(roman);
    assert_eq!(record.fen(), "nrqbbnrk/pppppppp/8/8/8/8/PPPPPPPP/NBRQBKRN w Kk - 0 9");
    assert_eq!(record.to_string(), arabic);
    assert_eq!(read(&arabic), record);
    let bare: Vec<&str> = roman.split(' ').filter(|word| !word.ends_with('.')).collect();
    assert_eq!(read(&bare.join(" ")), record);
    assert_eq!(read("i. Na1").to_string(), "1. Na1");
}

#[test]
fn canonical_records_lead_to_their_starts() {
    let mut rng = Rng::new(8);
    for variant in VARIANTS {
        for _ in 0..300 {
            let start = Numbering::of(variant).drawn().random(&mut rng);
            let record = Record::of_start(&start).unwrap();
            assert_eq!(record.start(), Some(start));
            assert!(record.game().is_some());
            assert_eq!(read(&record.to_string()), record, "{record}");
        }
    }
    let mirrored = Start::mirrored(Variant::Jepps, BackRank::CLASSICAL).unwrap();
    assert!(Record::of_start(&mirrored).unwrap().to_string().ends_with("Rh1\nMirror"));
    assert_eq!(Record::of_start(&Start::standard(Variant::Chess960)), None);
    let example = Record::of_start(&Start::standard(Variant::FischerBenko)).unwrap();
    assert_eq!(
        example.to_string().lines().last(),
        Some("1. R@h1 R@g8 2. N@a1 N@e8 3. N@d1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8")
    );
}

/// A record without turns consists of the state before the first placement, as a FEN tag.
#[test]
fn records_without_turns_round_trip() {
    let empty = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";
    let half = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    for (variant, fen) in [("placement", empty), ("jepps", empty), ("fischerbenko", half)] {
        let text = format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n1. ");
        let record = read(&text);
        assert!(record.placements().is_empty());
        assert_eq!(read(&record.to_string()), record, "{record}");
    }
}

#[test]
fn reads_several_records() {
    let jepps = "Na1, Bb1, Kc1, Rd1, Be1, Qf1, Ng1, Rh1\nMirror";
    let text = format!("{EXAMPLE}\n{EXAMPLE}\n\n{jepps}\n\n\n{jepps}\n\n");
    let records = Record::read_all(&text, None).unwrap();
    assert_eq!(records, [read(EXAMPLE), read(EXAMPLE), read(jepps), read(jepps)]);
    // A blank line does not end a record if its placement phase is unfinished.
    let broken = jepps.replace("\nM", "\n\nM");
    assert_eq!(Record::read_all(&broken, None).unwrap(), [read(jepps)]);
    assert!(Record::read_all("\n\n", None).is_err());
    let error = Record::read_all(&format!("{jepps}\n\n{jepps}x"), None).unwrap_err();
    assert_eq!((error.line, error.column), (5, 1));
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    use RecordFault::{
        Defect, Empty, Fen, FenOfGame, Mediation, NeedsFen, NoSetup, Number, OtherVariant, Over,
        Tag, TagTwice, WhichVariant,
    };
    assert_eq!(error("", None), (1, 1, Empty));
    assert_eq!(error("1. R@h1", None), (1, 4, WhichVariant));
    let variant = Variant::FischerBenko;
    assert_eq!(error("1. R@h1", Some(variant)), (1, 4, NeedsFen { variant }));
    let variant = Variant::Chess;
    assert_eq!(error("Ra1", Some(variant)), (1, 1, NoSetup { variant }));
    assert_eq!(error("  [Variant x]", None), (1, 3, Tag { found: "[Variant x]".into() }));
    let twice = EXAMPLE.replace("[FEN", "[Variant \"fischerbenko\"]\n[FEN");
    assert_eq!(error(&twice, None), (2, 1, TagTwice { name: "Variant" }));
    let (tag, asked) = (Variant::FischerBenko, Variant::Jepps);
    assert_eq!(error(EXAMPLE, Some(asked)), (1, 1, OtherVariant { tag, asked }));
    let game = EXAMPLE.replace(read(EXAMPLE).beginning().fen().as_str(), &read(EXAMPLE).fen());
    assert_eq!(error(&game, None), (2, 1, FenOfGame));
    assert!(matches!(error(&EXAMPLE.replace("[KQR", "[KQ"), None), (2, 1, Fen(_))));
    assert!(matches!(error(&EXAMPLE.replace(" w ", " b "), None), (2, 1, Defect(_))));
    let number = Number { expected: 2, found: "3".into() };
    assert_eq!(error(&EXAMPLE.replace("2. ", "3. "), None), (3, 14, number));
    assert_eq!(
        error(&EXAMPLE.replace("Q@b8+K@d8", "Q@b8+K@d8 5. e4"), None),
        (3, 63, Over { found: "5".into() })
    );
    let (line, column, fault) = error(&EXAMPLE.replace("N@d1", "N@e1"), None);
    assert!(matches!((line, column), (3, 17)));
    let occupied = PlacementError::Occupied {
        found: "N@e1".into(),
        square: "e1".into(),
        standing: Role::Rook,
    };
    assert_eq!(fault, RecordFault::Placement { turn: 3, source: occupied });
    assert_eq!(error("Na1, Mirror", None), (1, 6, Mediation { found: "Mirror".into() }));
    assert_eq!(error("i. Na1 Kh8 ii. Bb1 Rg8, 3. Rc1 Mirror", None).1, 32);
    let error = Record::read("Na1, Bc1", None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 6: turn 2: B@c1: the next piece must be placed on b1"
    );
    let error = Record::read("Na1, Bb1, Kc1, Rd1, Be1, Qf1, Ng1, Rh1\n1. Ra8", None).unwrap_err();
    assert_eq!((error.line, error.column), (2, 1));
}

/// Returns a record of up to `turns` random legal turns.
fn random_record(variant: Variant, free_play: bool, seed: u64, turns: usize) -> Record {
    let mut rng = Rng::new(seed);
    let mut record = Record::new(if free_play {
        Setup::empty(SetupKind::JeppsFreePlay)
    } else {
        Setup::new(&SetupStart::random(variant, &mut rng).unwrap())
    });
    for _ in 0..turns {
        let Some(state) = record.state() else { break };
        let legal = state.legal_placements();
        if state.after_verdict(BlackBackRank::Own).is_some() {
            let verdicts = [BlackBackRank::Mirror, BlackBackRank::Reverse, BlackBackRank::Own];
            record.decide(verdicts[rng.below(3) as usize]);
            if record.game().is_some() {
                break;
            }
        }
        assert!(record.place(legal[rng.below(legal.len() as u64) as usize]));
    }
    record
}

proptest! {
    #[test]
    fn records_round_trip(which in 0..5_usize, seed: u64, turns in 1..20_usize) {
        let variant = *VARIANTS.get(which).unwrap_or(&Variant::Jepps);
        let record = random_record(variant, which == 4, seed, turns);
        prop_assert_eq!(Record::read(&record.to_string(), Some(variant)), Ok(record.clone()));
        prop_assert_eq!(Record::read(&record.to_string(), None), Ok(record.clone()));
        prop_assert_eq!(record.start().is_some(), record.game().is_some());
        // A blank line separates two records only if the placement phase of the first record is over.
        if record.game().is_some() {
            let text = format!("{record}\n\n{record}\n");
            prop_assert_eq!(Record::read_all(&text, None), Ok(vec![record.clone(), record]));
        }
    }

    #[test]
    fn parsing_never_panics(text in any::<String>(), which in 0..5_usize) {
        let _ = Record::read_all(&text, VARIANTS.get(which).copied());
    }

    /// Parses a record with one letter changed.
    #[test]
    fn parsing_damaged_records_never_panics(which in 0..5_usize, seed: u64, at: prop::sample::Index, letter: char) {
        let variant = *VARIANTS.get(which).unwrap_or(&Variant::Jepps);
        let mut text: Vec<char> = random_record(variant, which == 4, seed, 20).to_string().chars().collect();
        let at = at.index(text.len());
        text[at] = letter;
        let text: String = text.into_iter().collect();
        match Record::read(&text, Some(variant)) {
            Ok(record) => prop_assert!(record.variant().rules().setup.is_some()),
            Err(error) => prop_assert!(error.line <= 4 && error.column <= text.chars().count() + 1),
        }
    }
}
