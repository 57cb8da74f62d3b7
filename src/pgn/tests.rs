//! Tests of PGN: games of every variant written and read again, files of other programs, and broken input.

use std::io::{self, BufReader, Read};
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::game::Turn;
use crate::rules::{SetupKind, Variant};
use crate::setup::Setup;
use crate::start::{Numbering, Rng, SetupStart};
use crate::types::{Color, Score};

/// Returns the games of a text, and the messages of all problems.
fn read_all(text: &str) -> (Vec<PgnGame>, Vec<String>) {
    read_bytes(text.as_bytes())
}

fn read_bytes(bytes: &[u8]) -> (Vec<PgnGame>, Vec<String>) {
    let (mut games, mut problems) = (Vec::new(), Vec::new());
    for read in PgnReader::new(bytes) {
        match read {
            Ok(game) => {
                problems.extend(game.problems.iter().map(ToString::to_string));
                games.push(game);
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    (games, problems)
}

fn one(text: &str) -> PgnGame {
    let (games, problems) = read_all(text);
    assert!(problems.is_empty() && games.len() == 1, "{problems:?} in {text}");
    games.into_iter().next().unwrap()
}

fn moves(text: &str) -> String {
    let written = one(text).to_string();
    written.rsplit("\n\n").nth(1).unwrap().to_owned()
}

/// Returns the turns of a line as text, with variations in parentheses.
fn sans(line: &MoveLine) -> String {
    let mut words = Vec::new();
    for node in &line.turns {
        words.push(match &node.step {
            Step::Turn(turn) => turn.san.clone(),
            Step::Verdict(verdict) => format!("{verdict:?}"),
        });
        words.extend(node.variations.iter().map(|line| format!("({})", sans(line))));
    }
    words.join(" ")
}

fn assert_same(one: &PgnGame, other: &PgnGame) {
    assert_eq!(one.tags, other.tags);
    assert_eq!(one.start.fen(), other.start.fen());
    assert_eq!(one.start.variant(), other.start.variant());
    assert_eq!(one.line, other.line);
    assert_eq!(one.result, other.result);
}

/// Returns all kinds of starts: standard and random starts of each variant, placement phases, and Free Play.
fn beginnings(rng: &mut Rng) -> Vec<Game> {
    let mut games = Vec::new();
    for &variant in Variant::ALL {
        games.push(Game::standard(variant).unwrap());
        let start = Numbering::of(variant).drawn().random(rng);
        games.push(Game::new(variant, &start.fen()).unwrap());
        let setup = SetupStart::random(variant, rng);
        games.extend(setup.ok().map(|start| Game::from(Setup::new(&start))));
    }
    games.push(Game::from(Setup::empty(SetupKind::JeppsFreePlay)));
    games
}

#[test]
fn random_games_of_every_variant_round_trip() {
    let mut rng = Rng::new(7);
    for _ in 0..12 {
        for mut game in beginnings(&mut rng) {
            for _ in 0..rng.below(60) {
                if game.termination().is_some() || !game.play_at_random(&mut rng) {
                    break;
                }
            }
            let pgn = PgnGame::of(&game);
            let text = pgn.to_string();
            let read = one(&text);
            assert_same(&read, &pgn);
            assert_eq!(read.to_string(), text);
            let again = read.replay().unwrap();
            assert_eq!(again.steps(), game.steps(), "{text}");
            assert_eq!(
                (again.fen(), again.uci_position()),
                (game.fen(), game.uci_position()),
                "{text}"
            );
        }
    }
}

/// Returns a line of random turns, with random variations and notes.
fn random_line(mut game: Game, rng: &mut Rng, turns: u64, depth: u32) -> MoveLine {
    let mut line = MoveLine { notes: random_notes(rng), turns: Vec::new() };
    for _ in 0..turns {
        let before = game.clone();
        if !game.play_at_random(rng) {
            break;
        }
        for (step, _) in game.steps().into_iter().skip(before.steps().len()) {
            let mut node = MoveNode::from(step);
            node.notes = random_notes(rng);
            if rng.below(5) == 0 {
                node.nags.push(rng.below(200) as u16);
            }
            line.turns.push(node);
        }
        let Some(last) = line.turns.last_mut().filter(|_| depth > 0 && rng.below(3) == 0) else {
            continue;
        };
        // A variation replaces exactly one step, so add no variation if the random turn also added a verdict.
        if matches!(last.step, Step::Turn(_)) && game.steps().len() == before.steps().len() + 1 {
            let turns = 1 + rng.below(4);
            last.variations.push(random_line(before, rng, turns, depth - 1));
        }
    }
    line
}

fn random_notes(rng: &mut Rng) -> Notes {
    let words = "it [%csl Gd4] (parens) {braces} } 1. e4 ; % [Event \"x\"] $7 * 1-0 Übermut \\ \" [%clk x] -- long";
    let words: Vec<&str> = words.split(' ').collect();
    let mut notes = Notes::default();
    for _ in 0..rng.below(8).saturating_sub(5) {
        let length = rng.below(40);
        let text: Vec<&str> =
            (0..=length).map(|_| words[rng.below(words.len() as u64) as usize]).collect();
        notes.say(&text.join(" "));
    }
    if rng.below(6) == 0 {
        let score = Score::Centipawns(rng.below(4_000) as i32 - 2_000);
        notes.eval = Some(Eval { score, depth: (rng.below(2) == 0).then_some(21) });
        notes.clock = Some(Duration::from_millis(rng.below(10_000_000)));
    }
    notes
}

#[test]
fn annotated_trees_round_trip() {
    let mut rng = Rng::new(11);
    for _ in 0..15 {
        for game in beginnings(&mut rng) {
            let mut pgn = PgnGame::new(game.clone());
            pgn.line = random_line(game, &mut rng, 25, 4);
            let text = pgn.to_string();
            assert!(
                text.lines().all(|line| {
                    line.starts_with('[') || line.contains(';') || line.chars().count() <= 80
                }),
                "{text}"
            );
            let read = one(&text);
            assert_same(&read, &pgn);
            assert_eq!(read.to_string(), text);
        }
    }
}

#[test]
fn annotations_are_kept() {
    let text = "[White \"A\"]\n\n{before} 1.e4!? {best [%eval 0.3] by test} e5 ; to the end\n\
        2. Nf3 (2. f4!! exf4 (2... d5 $13) 3. Bc4) {behind} 2... Nc6 ?? 3. Bb5 += * ";
    assert_eq!(
        moves(text),
        "{before} 1. e4 $5 {[%eval 0.30] best by test} e5 {to the end} 2. Nf3 {behind}\n\
         (2. f4 $3 exf4 (2... d5 $13) 3. Bc4) 2... Nc6 $4 3. Bb5 $14 *"
    );
    let game = one(text);
    assert_eq!(sans(&game.line), "e4 e5 Nf3 (f4 exf4 (d5) Bc4) Nc6 Bb5");
    let eval = Eval { score: Score::Centipawns(30), depth: None };
    assert_eq!(game.line.turns[0].notes.eval, Some(eval));
}

#[test]
fn braces_in_comments_and_tags_are_kept() {
    let text =
        "[Event \"{a} \\\\ } b\"]\n\n1. e4 ; a } b { c\ne5 {x { y} (1... c5 ; {z}\n) 2. Nf3 *";
    let written = one(text).to_string();
    let moves = "1. e4 ;a } b { c\ne5 {x { y} (1... c5 ;{z}\n) 2. Nf3 *\n\n";
    assert_eq!(written, format!("[Event \"{{a}} \\\\ }} b\"]\n\n{moves}"));
    assert_same(&one(&written), &one(text));
}

#[test]
fn commands_in_comments_are_parsed() {
    let written = |comment: &str| {
        let mut notes = Notes::default();
        notes.read(comment, Some(Color::Black));
        notes.comments()
    };
    for (read, expected) in [
        (" [%eval 0.17] [%clk 0:00:30] ", "[%eval 0.17] [%clk 0:00:30]"),
        ("[%clk 1:00:00.30][%eval #-3,21]x", "[%eval #-3,21] [%clk 1:00:00.3] x"),
        ("[%clk 90:12]", "[%clk 1:30:12]"),
        ("[%eval -12.345]", "[%eval -12.35]"),
        ("[%dice 61]", "[%dice 6 1]"),
        // Match runners write these comments after a move. The scores are from the mover's point of view;
        // here Black moved.
        ("+0.44/1 0.001s", "[%eval -0.44,1] [%emt 0:00:00.001]"),
        ("-M4/12 61s, White mates", "[%eval #2,12] [%emt 0:01:01] White mates"),
        ("+M3/7 0.5s", "[%eval #-2,7] [%emt 0:00:00.5]"),
        ("0.25s", "[%emt 0:00:00.25]"),
        ("0.25 s", "0.25 s"),
        ("book", "book"),
        ("1/2 of 3s", "1/2 of 3s"),
        ("+M2147483647/1 1s", "+M2147483647/1 1s"),
        ("a [%csl Gd4,\nRe5] b", "a [%csl Gd4, Re5] b"),
        ("[%eval NaN] [%clk 1:2:3:4] [%clk", "[%eval NaN] [%clk 1:2:3:4] [%clk"),
        ("[%eval 1e300] [%clk -1]", "[%eval 1e300] [%clk -1]"),
    ] {
        assert_eq!(written(read), [expected], "{read}");
    }
    assert!(written(" \n ").is_empty());
}

/// Tests the names of variants that lichess, Cute Chess, python-chess and people use.
#[test]
fn every_name_of_a_variant_is_known() {
    let fen = "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1";
    for name in [
        "Chess960",
        "chess960",
        "fischerandom",
        "Fischerandom",
        "chess 960",
        "Chess 960",
        "Fischer Random",
        "fischer-random",
        "FISCHERRANDOM",
        "dfrc",
    ] {
        let text = format!("[Variant \"{name}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. d4 *\n");
        assert_eq!(one(&text).start.variant(), Variant::Chess960, "{name}");
    }
    for name in ["Standard", "chess", "From Position", "normal", "?"] {
        let text = format!("[Variant \"{name}\"]\n\n1. d4 *\n");
        assert_eq!(one(&text).start.variant(), Variant::Chess, "{name}");
    }
    assert_eq!(one("[Variant \"Pre-Chess\"]\n\n*").start.variant(), Variant::Placement);
    let both = "[Variant \"Chess960\"]\n[Game \"transcendental\"]\n\n*";
    assert_eq!(one(both).start.variant(), Variant::Transcendental);
    let (games, problems) = read_all("[Event \"?\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n");
    assert!(games.is_empty());
    assert!(
        problems[0].starts_with("line 2, game 1: the tag Variant: there is no variant 'Atomic'")
    );
}

#[test]
fn castling_rights_are_read_in_either_style() {
    for rights in ["KQkq", "GDgd"] {
        let fen = format!("nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w {rights} - 0 1");
        let text = format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. c3 c6 2. Bc2 Bc7 *");
        let (games, problems) = read_all(&text);
        assert!(problems.is_empty() && games[0].start.fen().contains(" w KQkq "), "{problems:?}");
    }
}

/// Reads the example on the inventor's page and checks the resulting position.
#[test]
fn placements_are_turns() {
    let text = "[Variant \"fischerbenko\"]\n\
        [FEN \"2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1\"]\n\n\
        1. R@h1 N@e8 2. N@d1 R@a8 (2... Q@a8 3. N@a1) 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8 5. e4 *";
    let game = one(text);
    assert_eq!(
        sans(&game.line),
        "R@h1 N@e8 N@d1 R@a8 (Q@a8 N@a1) N@a1 N@h8 Q@g1+K@f1 Q@b8+K@d8 e4"
    );
    let end = game.replay().unwrap();
    assert!(
        end.fen().starts_with("rqbknbrn/pppppppp/8/8/4P3/8/PPPP1PPP/NBBNRKQR b KQkq - "),
        "{}",
        end.fen()
    );
}

#[test]
fn the_mediators_verdict_follows_whites_placements() {
    let head = "[Variant \"jepps\"]\n[FEN \"8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1\"]\n\n";
    let white = "1. N@a1 B@b1 K@c1 R@d1 B@e1 Q@f1 N@g1 R@h1";
    for (verdict, rank) in [("Mirror", "nbkrbqnr"), ("reverse", "rnqbrkbn")] {
        let game = one(&format!("{head}{white} {verdict} 9. e4 e5 *"));
        let fen = game.replay().unwrap().fen();
        assert!(fen.starts_with(rank) && fen.ends_with(" 0 10"), "{fen}");
        let text = game.to_string();
        assert!(text.ends_with(" 9. e4 e5 *\n\n"), "{text}");
        assert_eq!(one(&text).to_string(), text);
    }
    let (_, problems) = read_all(&format!("{head}1. N@a1 Mirror *"));
    assert!(problems[0].contains("the mediator of jepps decides once"), "{problems:?}");
    // There are variations on the verdict and on the placement before the verdict.
    let text = format!("{head}{white} Mirror (Reverse 9. d4 d5) 9. e4 (9. c4) e5 *");
    assert_eq!(
        sans(&one(&text).line.clone()).split_once("Mirror ").unwrap().1,
        "(Reverse d4 d5) e4 (c4) e5"
    );
    let free = format!("{head}1. R@a1 R@h8 (1... N@h8) 2. N@b1 *");
    let (games, problems) = read_all(&free);
    assert!(problems.is_empty() && games[0].tags.get("Order") == Some("Free Play"), "{problems:?}");
}

#[test]
fn a_null_move_turns_the_rest_of_the_line_into_a_comment() {
    let text = "1. e4 (1. d4 -- 2. c4 $1 (2. e4 {!}) 2... d5) e5 2. Nf3 Z0 3. Bc4 1-0";
    assert_eq!(
        moves(text),
        "1. e4 (1. d4 {-- 2. c4 $1 ( 2. e4 (!) ) 2... d5}) 1... e5 2. Nf3 {Z0 3. Bc4}\n1-0"
    );
}

#[test]
fn moves_may_be_spelt_in_many_ways() {
    let text =
        "1.e2e4 e7-e5 2.Ng1-f3,".replace(',', " Nb8c6 3. Bb5 a6?! 4 Bxc6 +- dc6 5. 0-0 … Kd8");
    let (games, problems) = read_all(&text);
    assert!(!games[0].is_complete() && problems[0].contains("move 5... 'Kd8'"), "{problems:?}");
    let text = "1.e2e4 e5 2.Ng1f3 Nb8c6 3. Bb5 a6?! 4 Bxc6 +- dxc6 5.0-0 f6 6. d4 exd4 7. Nxd4 c5 8. Nb3 Qxd1 9. Rxd1";
    assert_eq!(sans(&one(text).line).split(' ').next_back(), Some("Rxd1"));
}

#[test]
fn games_are_separated() {
    // The games lack moves, blank lines, results or tags, or are on the same line.
    let text = "; a file\n\n[White \"A\"]\n\n[White \"B\"] [Black \"C\"]\n\n*\n[White \"D\"]\n1. e4\n[White \"E\"]\n\n\
        1. d4\n\nd5 1/2-1/2\n1. c4 0-1 1. b3 *\n*\n\n% escaped [White \"F\"]\n[White \"G\"]";
    let (games, problems) = read_all(text);
    assert!(problems.is_empty(), "{problems:?}");
    let found: Vec<_> = games
        .iter()
        .map(|game| (game.tags.get("White").unwrap_or("-"), sans(&game.line)))
        .collect();
    let expected =
        [("A", ""), ("B", ""), ("D", "e4"), ("E", "d4 d5"), ("-", "c4"), ("-", "b3"), ("G", "")];
    assert_eq!(found, expected.map(|(name, line)| (name, line.to_owned())));
}

#[test]
fn the_result_after_the_moves_precedes_the_tag() {
    for (tag, end, expected) in [
        ("1-0", "0-1", Some(Outcome::BlackWins)),
        ("1-0", "*", Some(Outcome::WhiteWins)),
        ("1-0", "", Some(Outcome::WhiteWins)),
        ("*", "1/2-1/2", Some(Outcome::Draw)),
        ("?", "", None),
    ] {
        let game = one(&format!("[Result \"{tag}\"]\n\n1. e4 {end}\n"));
        assert_eq!(game.result, expected, "{tag} {end}");
        let text = game.to_string();
        let result = expected.map_or("*", Outcome::text);
        assert!(
            text.starts_with(&format!("[Result \"{result}\"]"))
                && text.ends_with(&format!("{result}\n\n"))
        );
    }
}

#[test]
fn irregular_tags_are_read() {
    let text = "[Event \"a \\\"b\\\" \\\\ c\"][Site \"x ] y\"]\n  [ Round  \"3\" ]  \n[White \"the \"great\" one\"]\n\n*\n";
    let game = one(text);
    let values: Vec<&str> = game.tags.iter().map(|(_, value)| value).collect();
    assert_eq!(values, ["a \"b\" \\ c", "x ] y", "3", "the \"great\" one"]);
    assert_eq!(one(&game.to_string()).tags, game.tags);
    let latin = read_bytes(b"[White \"M\xfcller\"]\n\n*\n").0;
    assert_eq!(latin[0].tags.get("white"), Some("Müller"));
}

#[test]
fn a_fen_that_contradicts_its_board_is_written_without_the_contradiction() {
    let start = "kqnrbbnr/pppppppp/8/8/8/8/PPPPPPPP/RNRQKNBB w";
    let (games, problems) = read_all(&format!("[FEN \"{start} Kk - 0 1\"]\n\n1. a3 *\n"));
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].ends_with("; this part is ignored"), "{problems:?}");
    assert_eq!(games[0].tags.get("FEN"), Some(&*format!("{start} k - 0 1")));
    assert_same(&one(&games[0].to_string()), &games[0]);
}

/// Tests files in which no blank line separates the tags, the moves and the games. Some programs write such
/// files.
#[test]
fn games_may_follow_without_a_blank_line() {
    for (text, expected) in [
        ("1. d4 d5 1/2-1/2[Event \"two\"]\n\n1. e4 *[Event \"three\"] 1. c4 *", "d4 d5|e4|c4"),
        ("1. e4 e5*1. d4*", "e4 e5|d4"),
        (
            "[Event \"one\"] 1. e4 [Event \"two\"] 1. d4 0-1{over}[Event \"three\"] 1. c4",
            "e4|d4|c4",
        ),
        (
            "1. e4 e51-0\n1. d4 d5 2. c4 e60-1 1. c4 (1. b3)1/2-1/2[Event \"x\"]*",
            "e4 e5|d4 d5 c4 e6|c4 (b3)|",
        ),
        ("1. e4 e5 34.1-0[Event \"x\"]\n\n1. Ke3 {no} *[Event \"y\"] 1. d4 *", "e4 e5|d4"),
        (
            "1. e4 1-0\u{feff}[Event \"x\"]\n\n1. d4 *\n\u{feff}[Event \"y\"]\n\n\u{feff}1. c4 *",
            "e4|d4|c4",
        ),
        ("[Event \"x\"]\r\r1. e4 ; yes\re5 *\r\r[Event \"y\"]\r\r1. d4 *\r", "e4 e5|d4"),
        ("[FEN \"x\"]\n\n1. e4 {1-0} (1. d4 1-0) *[Event \"y\"] 1. d4", "d4"),
    ] {
        let lines: Vec<String> = read_all(text).0.iter().map(|game| sans(&game.line)).collect();
        assert_eq!(lines.join("|"), expected, "{text}");
    }
}

#[test]
fn results_are_read_in_many_ways() {
    let (white, black, draw) = (Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw);
    for (end, expected) in [
        ("1:0", Some(white)),
        ("0:1", Some(black)),
        ("0–1", Some(black)),
        ("½-½", Some(draw)),
        ("½:½", Some(draw)),
        ("1/2:1/2", Some(draw)),
        ("½", Some(draw)),
        ("1/2", Some(draw)),
        ("2.1-0", Some(white)),
        ("*", None),
    ] {
        let (games, problems) = read_all(&format!("1. e4 e5 {end}\n\n1. d4 *"));
        assert!(problems.is_empty() && games.len() == 2, "{end}: {problems:?}");
        assert_eq!(games[0].result, expected, "{end}");
    }
}

/// Checks that games with the symbols of other programs have no problems and keep their notes.
#[test]
fn symbols_of_other_programs_are_read() {
    for (text, expected) in [
        ("1. e4 <> 2. d4", "1. e4 {<> 2. d4} *"),
        (
            "1. e4 (0:05) e5 (0:05/0:12) 2. Nf3 (=) [1:02:03]",
            "1. e4 {0:05} e5 {0:05/0:12} 2. Nf3 {=} {1:02:03} *",
        ),
        ("1. e4 [%clk 0:01:00] e5", "1. e4 {[%clk 0:01:00]} e5 *"),
        ("1. ♙e4 e5 2. ♘f3 ♞c6 3. ♗\u{fe0e}b5", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *"),
        ("1.e4 e5 2.Bc4 Bc5 3.Qh5 Nf6 4.Qxf7 mate", "1. e4 e5 2. Bc4 Bc5 3. Qh5 Nf6 4. Qxf7# *"),
        ("1.e4 f6 2.Qh5ch g6 3.Qxg6+ ch hxg6ch.", "1. e4 f6 2. Qh5+ g6 3. Qxg6+ hxg6 *"),
        (
            "1.e4+= e5= 2.Nf3± Nc6∞ 3.Bb5$14 a6!?+/- 4.Ba4!= Nf6 N",
            "1. e4 $14 e5 $10 2. Nf3 $16 Nc6 $13 3. Bb5 $14 a6 $5 $16 4. Ba4 $1 $10 Nf6 $146\n*",
        ),
        (
            "1. e4(1.d4)e5{x}2.Nf3(2.f4!)Nc6",
            "1. e4 (1. d4) 1... e5 {x} 2. Nf3 (2. f4 $1) 2... Nc6 *",
        ),
        ("1.e4 1…e5 2. … 2.Nf3 1. ... 2...Nc6 3Bb5 3... a6", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"),
        ("1. e4 → e5 =/∞ 2. Nf3 (5s) Nc6 ^", "1. e4 {→} e5 $44 2. Nf3 {[%emt 0:00:05]} Nc6 {^} *"),
        ("1. nf3 nf6 2. g3 g6 3. Bg2 Bg7 4. OO 0-0", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *"),
        (
            "1. e4 d5 2. e5 f5 3. exf6 e.p. a6 4. fxe7 e.p a5 5. exd8(Q) Kxd8",
            "1. e4 d5 2. e5 f5 3. exf6 a6 4. fxe7 a5 5. exd8=Q+ Kxd8 *",
        ),
        ("1. e4 {a {b} e5", "1. e4 {a {b} e5 *"),
    ] {
        assert_eq!(moves(text), expected, "{text}");
    }
    let fen = "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n";
    let bishops = one("[FEN \"8/8/3B4/8/3B4/8/k6K/8 w - - 0 1\"]\n\n1. B4c5 *");
    assert_eq!(sans(&bishops.line), "B4c5");
    for text in ["a8=Q", "a8Q", "a8(Q)", "a8=(Q)", "a8/Q", "a8=q", "a8q", "a7a8q", "a8♕+", "a8=Q#"]
    {
        assert_eq!(sans(&one(&format!("{fen}1. {text} *")).line), "a8=Q+", "{text}");
    }
}

#[test]
fn other_languages_are_read_if_the_main_line_fits() {
    for text in [
        "1. Sf3 Sf6 2. g3 g6 3. Lg2 Lg7 4. 0-0 0-0 5. Dd1-e1 Tfe8 6. Kh1",
        "1. Cf3 Cf6 2. g3 g6 3. Fg2 Fg7 4. O-O O-O 5. De1 Te8 6. Rh1",
        "1. Cf3 Cf6 2. g3 g6 3. Ag2 Ag7 4. O-O O-O 5. De1 Te8 6. Rh1",
        "1. Pf3 Pf6 2. g3 g6 3. Lg2 Lg7 4. O-O O-O 5. De1 Te8 6. Kh1",
        "1. Sf3 Sf6 2. g3 g6 3. Gg2 Gg7 4. O-O O-O 5. He1 We8 6. Kh1",
        "1. Jf3 Jf6 2. g3 g6 3. Sg2 Sg7 4. O-O O-O 5. De1 Ve8 6. Kh1",
        "1. Hf3 Hf6 2. g3 g6 3. Fg2 Fg7 4. O-O O-O 5. Ve1 Be8 6. Kh1",
        "1. Cf3 Cf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. De1 Te8 6. Rh1",
        "1. Cf3 Cf6 2. g3 g6 3. Ng2 Ng7 4. O-O O-O 5. De1 Te8 6. Rh1",
        "1. Rf3 Rf6 2. g3 g6 3. Lg2 Lg7 4. O-O O-O 5. De1 Te8 6. Kh1",
        "1. Rf3 Rf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. De1 He8 6. Kh1",
        "1. Rf3 Rf6 2. g3 g6 3. Og2 Og7 4. O-O O-O 5. Le1 Ve8 6. Kh1",
        "1. Кf3 Кf6 2. g3 g6 3. Сg2 Сg7 4. O-O O-O 5. Фe1 Лe8 6. Крh1",
    ] {
        let game = one(text);
        assert_eq!(sans(&game.line), "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O Qe1 Re8 Kh1", "{text}");
    }
    let text = "[White \"A\"]\n\n1. e4 {{gut} e5 2. Sf3! (2. Dh5 {na ja\nSf6}) Sc6 3. Lb5 *";
    assert_eq!(moves(text), "1. e4 {{gut} e5 2. Nf3 $1 (2. Qh5 {na ja Sf6}) 2... Nc6 3. Bb5 *");
    // A problem in a variation does not decide the language.
    let (games, problems) = read_all("1. e4 e5\n2. Sf3 (2. Dh5 Sf6\n3. Lb9 Lb4) Sc6 3. Lb5 *");
    assert_eq!(sans(&games[0].line), "e4 e5 Nf3 (Qh5 Nf6) Nc6 Bb5");
    assert!(problems[0].starts_with("line 3, game 1: move 3. 'Lb9'"), "{problems:?}");
    // If no language fits, the moves that fit in English are kept.
    let (games, problems) = read_all("1. Nf3 Sf6 2. Nc3 *\n\n1. Sf3 Nf6 *");
    assert_eq!((games.len(), sans(&games[0].line)), (1, "Nf3".to_owned()));
    assert!(problems[0].contains("move 1... 'Sf6'") && problems[1].contains("move 1. 'Sf3'"));
}

#[test]
fn a_problem_turns_the_rest_of_a_variation_or_game_into_a_comment() {
    for (text, expected, found) in [
        (
            "1. e4 (1. d4 Ke3 2. c4 {x} (2. b3)) e5 *",
            "1. e4 (1. d4 {Ke3 2. c4 (x) ( 2. b3 )}) 1... e5 *",
            "move 1... 'Ke3' is illegal",
        ),
        ("1. e4 (1. Ke3 e5) e5 *", "1. e4 {Ke3 e5} e5 *", "move 1. 'Ke3' is illegal"),
        (
            "1. e4 e5 (1... c5 (1... d9) 2. Nf3) 2. Nf3 *",
            "1. e4 e5 (1... c5 {d9} 2. Nf3) 2. Nf3 *",
            "'d9' is not a move",
        ),
        ("1. e4 ((1. d4) 1. c4) e5 *", "1. e4 ({1. d4} 1. c4) 1... e5 *", "'(' begins a variation"),
        (
            "1. e4 e5 2. Ke3 Nf6 (2... d6 1-0) {x} 1-0",
            "1. e4 e5 {Ke3 Nf6 ( 2... d6 ) (x)} 1-0",
            "move 2. 'Ke3'",
        ),
        (
            "1. e4 e5) 2. Nf3} Nc6 *",
            "1. e4 e5 2. Nf3 Nc6 *",
            "')' closes a variation, but no variation is open; this part is ignored",
        ),
        ("1. e4 e5 {never", "1. e4 e5 {never} *", "line 1, game 1: the comment that begins here"),
        ("1. e4 e5 (1... c5 2. Nf3", "1. e4 e5 (1... c5 2. Nf3) *", "a variation is still open"),
        ("1. e4 e5 0.5s *", "1. e4 e5 {[%emt 0:00:00.5]} *", "'5s' is not a move"),
        ("1. e4 ({0.5s}) e5 *", "1. e4 {[%emt 0:00:00.5]} e5 *", ""),
    ] {
        let (games, problems) = read_all(text);
        let written = games[0].to_string();
        assert!(written.ends_with(&format!("{expected}\n\n")), "{text}: {written}");
        assert_eq!(one(&written).line, games[0].line, "{text}");
        match problems.first() {
            Some(problem) => {
                assert!(problem.contains(found) && !found.is_empty(), "{text}: {problem}")
            }
            None => assert!(found.is_empty(), "{text}"),
        }
    }
    let (games, problems) = read_all("[White \"A\"]\n\n1. e4 e5\n2. Ke3 *\n\n1. d4 (1. c9) *");
    assert_eq!(games.iter().map(PgnGame::is_complete).collect::<Vec<_>>(), [false, true]);
    assert!(
        problems[0].starts_with("line 4, game 1 (A - ?): move 2. 'Ke3' is illegal")
            && problems[0].ends_with("; the moves before this place are kept"),
        "{problems:?}"
    );
    assert!(problems[1].ends_with("; the rest of this variation is kept as a comment"));
    let many = read_all(&format!("1. e4 {}", ") ".repeat(10_000))).1;
    assert_eq!(many.len(), 20);
}

#[test]
fn problems_name_the_line_and_the_game() {
    let good = "[Event \"good\"]\n\n1. e4 *\n\n";
    for (bad, expected) in [
        (
            "[Event \"bad\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4\ne5 2. Ke3 Nf6 {x} 1-0\n\n",
            "line 10, game 2 (A - B): move 2. 'Ke3' is illegal",
        ),
        (
            "[Event \"bad\"]\n\n1. d4 d5 2. \u{1}\u{2}\n\n",
            "line 7, game 2: move 2. '\\u{1}\\u{2}' is not a move",
        ),
        (
            "[Event bad]\n[White \"A\"]\n\n1. d4 d5\n\n",
            "line 5, game 2: '[Event bad]' is not a tag",
        ),
        (
            "[Event \"bad\"]\n[FEN \"x\"]\n[Site \"?\"]\n\n1. d4 d5\n\n",
            "line 6, game 2: the tag FEN: pieces: ",
        ),
        ("[Event \"bad\"]\n[FEN \"x\"]\n\n*\n\n", "line 6, game 2: the tag FEN: pieces: "),
        (
            "[Event \"bad\"]\n[Variant \"chess\"]\n[Variant \"ifrc\"]\n\n*\n\n",
            "line 7, game 2: the tag Variant occurs twice",
        ),
        (
            "[Event \"bad\"]\n\n1. d4 {never\n\nclosed\n\n",
            "line 7, game 2: the comment that begins here is never closed",
        ),
        (
            "[Event \"bad\"]\n\n1. d4 (1. c4\n\n",
            "line 9, game 2: the game is over, but a variation is still open",
        ),
        ("[Event \"bad\"]\n\n1. d4) d5\n\n", "line 7, game 2: ')' closes a variation"),
        ("[Event \"bad\"]\n\n(1. d4) d5\n\n", "line 7, game 2: '(' begins a variation, but"),
        ("[Event \"bad\"]\n\n1. e4 $99999\n\n", "line 7, game 2: move 1... '$99999' is not a move"),
    ] {
        let (games, problems) = read_all(&format!("{good}{bad}{good}"));
        let kept =
            usize::from(problems[0].contains("; the moves") || problems[0].contains("; this part"));
        assert_eq!((games.len(), problems.len()), (2 + kept, 1), "{bad}: {problems:?}");
        assert!(problems[0].starts_with(expected), "{bad}: {}", problems[0]);
    }
}

/// A stream that repeats the byte of field 0 as often as field 1 says.
struct Endless(u8, u64);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1 as usize);
        buffer[..length].fill(self.0);
        self.1 -= length as u64;
        Ok(length)
    }
}

#[test]
fn memory_is_bounded_for_any_input() {
    for byte in [b'x', b'(', b'{', b'\n', b'*', b'!', b'[', 0] {
        let input = BufReader::new(Endless(byte, 20 << 20));
        let mut problems = 0;
        for read in PgnReader::new(input) {
            assert!(read.is_err());
            problems += 1;
        }
        assert!(problems <= 1, "{byte}: {problems}");
    }
    let deep = format!("1. e4 {}", "(1. d4 ".repeat(5_000));
    assert!(read_all(&deep).1[0].contains("nested more than 32 deep"));
    let deep = format!("1. e4 -- {}", "(1. d4 ".repeat(5_000));
    assert!(read_all(&deep).1.is_empty());
    let shuttle = "Nf3 Nf6 Ng1 Ng8 ".repeat(50_001);
    assert!(read_all(&shuttle).1[0].contains("more than 200000 moves"));
}

/// Returns the text of valid games, which the tests then damage.
fn corpus() -> Vec<u8> {
    let mut rng = Rng::new(3);
    let mut text = String::new();
    for game in beginnings(&mut rng) {
        let mut pgn = PgnGame::new(game.clone());
        pgn.line = random_line(game, &mut rng, 8, 2);
        text += &pgn.to_string();
    }
    text.into_bytes()
}

/// Asserts that writing and reading each game of the input again gives the same game.
fn assert_fixed_point(bytes: &[u8]) {
    for game in read_bytes(bytes).0 {
        let text = game.to_string();
        // A game without tags and moves is written as an empty text, which cannot be read as a game.
        if game.tags.is_empty() && game.line.turns.is_empty() {
            continue;
        }
        let again = one(&text);
        assert_eq!(again.to_string(), text);
        assert_eq!(again.line, game.line, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_bytes_are_harmless(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        assert_fixed_point(&bytes);
    }

    #[test]
    fn random_words_are_harmless(
        words in prop::collection::vec(prop::sample::select(vec![
            "1.", "e4", "e5", "Nf3", "Sf3", "Ke3", "(", ")", "{", "}", "(0:05)", "<>", "e4=", "[Event \"x\"]", "\n", "\n\n", "*", "1-0", "$3", "!",
            "--", ";", "%", "[%clk 0:01]", "[%eval", "0.1]", "Mirror", "R@a1", "[Variant \"jepps\"]",
            "[FEN \"8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1\"]",
        ]), 0..60),
    ) {
        assert_fixed_point(words.join(" ").as_bytes());
    }

    #[test]
    fn damaged_files_are_harmless(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = corpus();
        for (place, byte) in changes {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()));
        assert_fixed_point(&bytes);
    }
}

#[test]
fn a_game_with_a_turn_added_by_hand_can_be_written() {
    let mut pgn = PgnGame::new(Game::standard(Variant::Chess).unwrap());
    let turn = Turn { uci: "e2e4".to_owned(), san: "e4".to_owned(), placement: false };
    pgn.line.turns.push(MoveNode::from(Step::Turn(turn)));
    pgn.tags.set("White", "Me");
    let text = pgn.to_string();
    let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Me\"]\n[Black \"?\"]\n\
        [Result \"*\"]\n[Variant \"Standard\"]\n[Game \"chess\"]\n\n1. e4 *\n\n";
    assert_eq!(text, expected);
    assert_eq!(pgn.replay().unwrap().turns().len(), 1);
}
