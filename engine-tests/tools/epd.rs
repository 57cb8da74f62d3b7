//! Tests of `aleator epd`, which searches and scores suites of positions.

use std::fs;

use serde_json::Value;

use crate::harness::command::{failure, folder, output, piped, printed};
use crate::harness::has_10x10;

/// A suite of two positions that any search solves, a position with a wrong solution, and two invalid lines.
const SUITE: &str = "# a suite\n\
    7k/8/8/8/8/8/R7/1R4K1 w - - dm 2; id \"ladder; two rooks\";\n\
    4k3/8/8/8/8/8/4q3/3QK3 w - - bm Qxe2+ Kxe2; hmvc 3; fmvn 40;\n\
    7k/8/8/8/8/8/R7/1R4K1 w - - bm Kf1;\n\
    nonsense bm e4;\n\
    4k3/8/8/8/8/8/8/4K3 w - -;\n";

#[test]
fn a_suite_is_searched_scored_and_required() {
    let folder = folder("epd/suite");
    fs::write(folder.join("suite.epd"), SUITE).unwrap();
    let run = output("epd suite.epd --depth 6", &folder);
    let [text, errors] = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(run.status.success(), "{errors}");
    for line in ["skipped: line 5: ", "skipped: line 6: there is no expected answer"] {
        assert!(errors.contains(line), "{errors}");
    }
    let row = |start: &str| text.lines().find(|line| line.trim().starts_with(start)).unwrap();
    assert!(row("2 ").contains(" yes ") && row("2 ").contains("ladder; two rooks"), "{text}");
    assert!(row("4 ").contains(" no ") && row("4 ").ends_with("[bm Kf1]"), "{text}");
    assert!(row("all ").contains("66.7 %"), "{text}");
    // Two of the five lines are solved. Lines that cannot be read count as unsolved.
    assert!(output("epd suite.epd --depth 6 --require 40", &folder).status.success());
    let refused = failure("epd suite.epd --depth 6 --require 40.1", &folder);
    assert!(
        refused.contains("40.0 % of the positions are solved, but 40.1 % are required"),
        "{refused}"
    );
}

#[test]
fn concurrent_engines_give_the_same_json() {
    let folder = folder("epd/json");
    let suite: String = SUITE.lines().take(4).map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("suite.epd"), suite.repeat(3)).unwrap();
    let records = |words: &str| -> Vec<Value> {
        let text = printed(&format!("epd suite.epd --nodes 3000 --json {words}"), &folder);
        let mut records: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for record in &mut records {
            for time in ["time_ms", "solved_ms"] {
                record.as_object_mut().unwrap().remove(time);
            }
        }
        records
    };
    let mut one = records("");
    let summary = one.pop().unwrap();
    assert_eq!(summary["summary"]["solved"], 6, "{summary}");
    assert_eq!((&one[0]["score"]["mate"], &one[0]["san"].is_string()), (&2.into(), &true));
    let mut three = records("--concurrency 3");
    three.pop();
    assert_eq!(three, one);
}

#[test]
fn a_divided_suite_has_the_results_of_the_whole() {
    let folder = folder("epd/parts");
    let suite = SUITE.replace("nonsense bm e4;\n", "").repeat(2);
    fs::write(folder.join("suite.epd"), &suite).unwrap();
    let words = "--nodes 2000 --hash 1 --out";
    let totals = output(&format!("epd suite.epd {words} whole.json"), &folder).stdout;
    assert!(String::from_utf8_lossy(&totals).contains("nodes/s"), "{totals:?}");
    let whole = fs::read_to_string(folder.join("whole.json")).unwrap();
    assert_eq!(whole.lines().count(), 6);
    let lines: Vec<&str> = suite.split_inclusive('\n').collect();
    let parts =
        lines.chunks(4).map(|lines| piped(&format!("epd - {words} -"), &folder, &lines.concat()));
    assert_eq!(parts.collect::<String>(), whole);
    let refused = failure("epd suite.epd --movetime 5 --out -", &folder);
    assert!(refused.contains("with --nodes or --depth"), "{refused}");
}

/// Resumes unfinished results, as a killed process leaves them. Rejects unfinished results with too many
/// units.
#[test]
fn unfinished_results_are_resumed() {
    let folder = folder("epd/unfinished");
    fs::write(folder.join("suite.epd"), SUITE.replace("nonsense bm e4;\n", "").repeat(2)).unwrap();
    let words = "epd suite.epd --nodes 2000 --hash 1 --out found.json";
    assert!(output(words, &folder).status.success());
    let [whole, unfinished] =
        ["", ".unfinished"].map(|end| folder.join(format!("found.json{end}")));
    let expected = fs::read_to_string(&whole).unwrap();
    let leave = |work: &str, units: usize| {
        let mut text = format!("{{\"work\":{work},\"header\":\"\",\"replace\":false}}\n");
        for line in expected.lines().cycle().take(units) {
            let note =
                serde_json::json!({"kind": "Best", "solved": null, "error": null, "nodes": 1});
            let unit = serde_json::json!({"text": format!("{line}\n"), "note": note});
            text += &format!("{unit}\n");
        }
        let _ = fs::remove_file(&whole);
        fs::write(&unfinished, text).unwrap();
    };
    // The error message quotes the expected description of the work, which the next step uses.
    leave("null", 0);
    let other = failure(&format!("{words} --resume"), &folder);
    let (_, work) = other.split_once(", but ").unwrap();
    let (work, _) = work.split_once(" is expected; --force").unwrap();
    leave(work, 1);
    let resumed = output(&format!("{words} --resume"), &folder);
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert_eq!(fs::read_to_string(&whole).unwrap(), expected);
    leave(work, 7);
    let refused = failure(&format!("{words} --resume"), &folder);
    assert!(refused.contains("have 7 units, but there are only 6 to do"), "{refused}");
}

#[test]
fn mates_of_every_variant_are_found() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/mates.epd");
    let folder = folder("epd/mates");
    let text = fs::read_to_string(path).unwrap();
    let mates_in_one: Vec<&str> = text.lines().filter(|line| line.contains(" dm 1;")).collect();
    let known = mates_in_one.iter().filter(|line| has_10x10() || !line.contains("ifrc")).count();
    fs::write(folder.join("mates.epd"), mates_in_one.join("\n")).unwrap();
    let text = output("epd mates.epd --nodes 5000 --json", &folder).stdout;
    let text = String::from_utf8(text).unwrap();
    let summary: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(summary["summary"]["solved"], known, "{text}");
}

#[test]
fn hostile_suites_are_rejected() {
    let folder = folder("epd/hostile");
    let long = "x".repeat(17 << 20);
    let suites: [(&str, &[u8], &str); 5] = [
        ("empty.epd", b"", "there is no position to search"),
        ("binary.epd", b"\x00\xff\xfe;;;\"\n\x80", "skipped: line 1"),
        ("cut.epd", b"7k/8/8/8/8/8/R7/1R4K1 w - - bm R", "'bm': 'R' is not a move"),
        ("over.epd", b"7k/6Q1/6K1/8/8/8/8/8 b - - bm Kxg7", "'bm': 'Kxg7' is illegal"),
        ("long.epd", long.as_bytes(), "a line of more than"),
    ];
    for (name, bytes, message) in suites {
        fs::write(folder.join(name), bytes).unwrap();
        let text = failure(&format!("epd {name} --depth 1"), &folder);
        assert!(text.contains(message), "{name}: {text}");
    }
    let games = "[Event \"Casual\"]\n[White \"A\"]\n\n1. e4 e5 *\n\n".repeat(20);
    fs::write(folder.join("games.pgn"), games).unwrap();
    let text = failure("epd games.pgn --depth 1", &folder);
    let words =
        "'games.pgn' is not a suite of positions: none of its first 10 lines can be read (line 1: ";
    assert!(text.contains(words) && text.lines().count() == 1, "{text}");
    assert!(
        text.contains("the file seems to be games as PGN, which 'aleator annotate' reads"),
        "{text}"
    );
    fs::write(folder.join("suite.epd"), SUITE).unwrap();
    let text = failure("annotate suite.epd --depth 1", &folder);
    assert!(text.contains("is not PGN: the file seems to be positions, one per line"), "{text}");
    let missing = failure("epd nowhere.epd --depth 1", &folder);
    assert!(missing.contains("cannot read 'nowhere.epd'"), "{missing}");
}
