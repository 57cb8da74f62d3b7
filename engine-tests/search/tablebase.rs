//! Tests of tablebases: probing, the use of tablebases in the search, and damaged files.
//!
//! `make syzygy-tables` downloads the tables with three and four pieces. Without the tables these tests are
//! skipped with a message.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::command::folder;
use crate::harness::game::{game, judge, play};
use crate::harness::info::{Info, Score, Search};
use crate::harness::python::python;
use crate::harness::{Engine, has_10x10, pick, syzygy_path};
use aleator::game::{BoardGame, Termination};
use aleator::geometry::Board8x8;
use aleator::notation;
use aleator::position::{FenStyle, Position};
use aleator::random::Rng;
use aleator::rules::{KingRight, Variant};
use aleator::tablebase::{Tablebase, TablebaseResult, Wdl};

/// The lowest score of a tablebase win. Higher scores are tablebase wins or mates.
const TABLEBASE_WIN: i32 = 30_000;

fn tables() -> Option<Tablebase> {
    syzygy_path().map(|path| Tablebase::open(path).unwrap())
}

fn position(fen: &str) -> Position<Board8x8> {
    Position::from_fen(fen, KingRight::Castling).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns a position with three or four pieces on random squares and either side to move. If a pawn may just
/// have made a double step, the position often has an en passant square.
fn random_ending(rng: &mut Rng) -> Position<Board8x8> {
    loop {
        let mut board = [' '; 64];
        let others = (0..1 + rng.below(2)).map(|_| *pick(rng, &['Q', 'R', 'B', 'N', 'P', 'P']));
        let others: Vec<char> = others.collect();
        let color = |piece: char, black| if black { piece.to_ascii_lowercase() } else { piece };
        let others = others.into_iter().map(|piece| color(piece, rng.below(2) == 1));
        let pieces: Vec<char> = ['K', 'k'].into_iter().chain(others).collect();
        pieces.iter().for_each(|&piece| board[rng.below(64) as usize] = piece);
        let rows = board.chunks(8).rev().map(|row| row.iter().collect::<String>());
        let mut rows = rows.collect::<Vec<_>>().join("/");
        for empty in (1..=8).rev() {
            rows = rows.replace(&" ".repeat(empty), &empty.to_string());
        }
        let (side, jumped, behind, rank) = *pick(rng, &[('w', 'p', 32, '6'), ('b', 'P', 24, '3')]);
        let file = (0..8).find(|file| board[behind + file] == jumped && rng.below(2) == 1);
        let square =
            file.map_or("-".to_owned(), |file| format!("{}{rank}", char::from(b'a' + file as u8)));
        let fen = format!("{rows} {side} - {square} 0 1");
        if let Ok(position) = Position::from_fen(&fen, KingRight::Castling)
            && position.occupied().count() as usize == pieces.len()
        {
            return position;
        }
    }
}

/// A Python program that reads the folder of the tables and FENs, and prints the results of probing with
/// python-chess.
const ASK: &str = "
import sys, chess, chess.syzygy
lines = sys.stdin.read().splitlines()
with chess.syzygy.open_tablebase(lines[0]) as tables:
    for fen in lines[1:]:
        board = chess.Board(fen)
        print(tables.probe_wdl(board), tables.probe_dtz(board))
";

/// Compares the results of probing `count` random positions with python-chess.
fn compare_with_python_chess(count: usize) {
    let Some(tables) = tables() else { return };
    let mut rng = Rng::new(960);
    let positions: Vec<_> = (0..count).map(|_| random_ending(&mut rng)).collect();
    let fens: Vec<String> = positions.iter().map(|position| position.fen(FenStyle::XFen)).collect();
    let input = format!("{}\n{}\n", tables.path(), fens.join("\n"));
    let Some(output) = python(ASK, &input) else { return };
    let answers: Vec<&str> = output.lines().collect();
    assert_eq!(answers.len(), count);
    let mut seen = [0; 5];
    for (position, answer) in positions.iter().zip(answers) {
        let (wdl, dtz) = (tables.wdl(position).unwrap(), tables.dtz(position).unwrap());
        assert_eq!(format!("{} {dtz}", i32::from(wdl)), answer, "{position:?}");
        seen[(2 + i32::from(wdl)) as usize] += 1;
    }
    println!("{count} positions: {seen:?} losses, blessed losses, draws, cursed wins, wins");
    assert!(seen[0] > 0 && seen[2] > 0 && seen[4] > 0, "{seen:?}");
}

#[test]
fn probes_agree_with_python_chess() {
    compare_with_python_chess(1_000);
}

#[test]
#[ignore = "takes minutes, most of them in Python"]
fn probes_of_100_000_positions_agree_with_python_chess() {
    compare_with_python_chess(100_000);
}

/// Starts an engine that uses the tables in the given folder.
fn engine(path: &str) -> Engine {
    let mut engine = Engine::start();
    let answer = engine.ask(&format!("setoption name SyzygyPath value {path}"));
    let found = "info string Syzygy: 35 WDL and 35 DTZ tables with up to 4 pieces";
    assert_eq!(answer, [found]);
    engine
}

fn search(engine: &mut Engine, fen: &str, go: &str) -> Search {
    engine.tell(&format!("position fen {fen}"));
    let search = engine.go(go);
    judge(&game::<Board8x8>(Variant::Chess, fen), &search, false);
    search
}

/// Whether an `info` line shows a win for the side to move.
fn wins(info: &Info) -> bool {
    matches!(info.score, Score::Cp(TABLEBASE_WIN..) | Score::Mate(1..))
}

/// Returns the reply that delays the loss longest according to the tables.
fn longest_defence(tables: &Tablebase, position: &Position<Board8x8>) -> String {
    let distance = |mv: &aleator::types::Move| {
        let child = position.after(*mv);
        match tables.dtz(&child).unwrap() {
            won @ 1.. => won,
            0 => i32::MAX,
            lost => panic!("{position:?} is not lost: {lost}"),
        }
    };
    let best = position.legal_moves().into_iter().max_by_key(distance).unwrap();
    notation::uci(position, best, false)
}

/// Plays won endings against the longest defence, with almost no search.
fn win_endings(count: usize) {
    let Some(tables) = tables() else { return };
    let mut rng = Rng::new(1927);
    let mut engine = engine(tables.path());
    engine.tell("setoption name Hash value 1");
    let (mut plies, mut longest) = (0, 0);
    for _ in 0..count {
        let start = loop {
            let position = random_ending(&mut rng);
            if tables.wdl(&position) == Some(Wdl::Win) && position.has_legal_move() {
                break position;
            }
        };
        let fen = start.fen(FenStyle::XFen);
        let winner = start.side_to_move();
        let mut game: BoardGame<Board8x8> = game(Variant::Chess, &fen);
        let mut moves = String::new();
        while game.termination().is_none() {
            let mv = if game.position().side_to_move() == winner {
                engine.tell(&format!("position fen {fen} moves {moves}"));
                let search = engine.go("go nodes 100");
                assert!(wins(search.last()), "{fen} moves {moves}: {search:#?}");
                search.best
            } else {
                longest_defence(&tables, game.position())
            };
            play(&mut game, &mv, false);
            moves = format!("{moves} {mv}");
        }
        assert_eq!(game.termination(), Some(Termination::Mate(winner)), "{fen} moves {moves}");
        plies += game.plies();
        longest = longest.max(game.plies());
    }
    println!("{count} games won, {plies} plies, the longest game {longest}");
}

#[test]
fn won_endings_are_won() {
    win_endings(4);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_won_endings_are_won() {
    win_endings(200);
}

#[test]
fn winning_moves_come_before_draws() {
    let Some(path) = syzygy_path() else { return };
    let mut engine = engine(path);
    engine.tell("setoption name MultiPV value 256");
    // In this position some moves win, some lose the queen, and some stalemate Black.
    let search = search(&mut engine, "8/8/8/8/8/1K6/3Q4/1k6 w - - 0 1", "go depth 4");
    let lines = search.last_lines();
    let won = lines.iter().take_while(|line| wins(line)).count();
    assert!(won > 5 && won < lines.len(), "{lines:#?}");
    assert!(lines[won..].iter().all(|line| line.score == Score::Cp(0)), "{lines:#?}");
    assert!(lines.iter().all(|line| line.tbhits >= Some(lines.len() as u64)), "{lines:#?}");
}

#[test]
fn castling_rights_and_limited_strength_disable_probing() {
    let Some(path) = syzygy_path() else { return };
    let mut engine = engine(path);
    let mut hits = |fen: &str| search(&mut engine, fen, "go depth 1").last().tbhits;
    assert_eq!(hits("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), Some(0));
    assert!(hits("4k3/8/8/8/8/8/8/4K2R w - - 0 1") > Some(0));
    engine.tell("setoption name UCI_LimitStrength value true");
    let weak = search(&mut engine, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "go depth 1");
    assert_eq!(weak.last().tbhits, Some(0));
    engine.tell("setoption name UCI_LimitStrength value false");
    engine.tell("setoption name SyzygyProbeLimit value 2");
    let limited = search(&mut engine, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "go depth 1");
    assert_eq!(limited.last().tbhits, Some(0));
    if has_10x10() {
        engine.ask("setoption name UCI_Variant value ifrc");
        engine.tell("position fen 10/10/3k6/10/10/10/5K4/4R5/10/10 w - - 0 1");
        assert_eq!(engine.go("go depth 5").last().tbhits, Some(0));
    }
}

#[test]
fn the_search_probes_after_captures() {
    let Some(path) = syzygy_path() else { return };
    let mut engine = engine(path);
    // The position has five pieces, and four after White takes the rook.
    let search = search(&mut engine, "4k3/8/8/8/8/3r4/3RP3/4K3 w - - 0 1", "go depth 6");
    assert!(wins(search.last()) && search.last().tbhits > Some(0), "{search:#?}");
}

#[test]
fn the_fifty_move_rule_limits_wins() {
    let Some(tables) = tables() else { return };
    // White wins, but has too few plies left for the mate if the halfmove clock is at 90 or 99.
    let fen = |clock: u32| format!("8/8/8/8/8/4k3/8/K2R4 w - - {clock} 80");
    let result = |clock| tables.result(&position(&fen(clock)));
    let side = aleator::types::Color::White;
    assert_eq!((result(0), result(99)), (Some(TablebaseResult::Win(side)), None));
    let mut engine = engine(tables.path());
    let last =
        |engine: &mut Engine, clock| search(engine, &fen(clock), "go nodes 2000").last().clone();
    assert!(wins(&last(&mut engine, 0)));
    let late = last(&mut engine, 90);
    assert!(matches!(late.score, Score::Cp(0..=49)), "{late:?}");
    engine.tell("setoption name Syzygy50MoveRule value false");
    assert!(wins(&last(&mut engine, 90)));
}

/// Creates a folder with copies of some tables, each modified by `change`.
fn some_tables(name: &str, files: &[&str], change: impl Fn(&mut Vec<u8>)) -> PathBuf {
    let folder = folder(&format!("endings/{name}"));
    for file in files {
        let mut bytes = fs::read(Path::new(syzygy_path().unwrap()).join(file)).unwrap();
        change(&mut bytes);
        fs::write(folder.join(file), bytes).unwrap();
    }
    folder
}

#[test]
fn invalid_table_files_are_rejected() {
    let mut engine = Engine::start();
    let mut refusal = |path: &Path| {
        engine.refusal(&format!("setoption name SyzygyPath value {}", path.display()))
    };
    let nowhere = refusal(Path::new("/nowhere/at/all"));
    assert!(nowhere.contains("cannot read the folder '/nowhere/at/all'"), "{nowhere}");
    let empty = refusal(&folder("endings/empty"));
    assert!(empty.contains("there are no Syzygy tables (*.rtbw, *.rtbz) in"), "{empty}");
    if syzygy_path().is_none() {
        return;
    }
    for (name, change, message) in [
        (
            "text",
            (|bytes| bytes[..4].copy_from_slice(b"text")) as fn(&mut Vec<u8>),
            "bytes of a table",
        ),
        ("cut", |bytes| bytes.truncate(100), "no table has this file length"),
        ("short", |bytes| bytes.truncate(2), "'"),
    ] {
        let folder = some_tables(name, &["KQvK.rtbw", "KQvK.rtbz"], change);
        let refused = refusal(&folder);
        assert!(refused.contains("KQvK.rtb") && refused.contains(message), "{name}: {refused}");
    }
}

#[test]
fn corrupt_tables_are_reported_once_and_ignored() {
    if syzygy_path().is_none() {
        return;
    }
    let corrupt = |bytes: &mut Vec<u8>| bytes[4..].fill(0xff);
    let folder = some_tables("corrupted", &["KQvK.rtbw", "KQvK.rtbz"], corrupt);
    let mut engine = Engine::start();
    let found = engine.ask(&format!("setoption name SyzygyPath value {}", folder.display()));
    assert_eq!(found, ["info string Syzygy: 1 WDL and 1 DTZ tables with up to 3 pieces"]);
    let fen = "8/8/8/8/8/1K6/3Q4/1k6 w - - 0 1";
    let corrupted = search(&mut engine, fen, "go depth 5");
    let [remark] = &corrupted.remarks[..] else { panic!("{corrupted:#?}") };
    assert!(
        remark.contains("table of KQvK is corrupt; the search continues without this table"),
        "{remark}"
    );
    assert_eq!(search(&mut engine, fen, "go depth 5").remarks, [""; 0]);
    // If there are only WDL tables, moves must still be ranked.
    let folder = some_tables("wdl", &["KQvK.rtbw"], |_| ());
    let found = engine.ask(&format!("setoption name SyzygyPath value {}", folder.display()));
    assert!(found[0].ends_with("; there is no DTZ table of KQvK"), "{found:?}");
    let search = search(&mut engine, fen, "go depth 3");
    assert!(wins(search.last()) && search.last().tbhits > Some(0), "{search:#?}");
    assert_eq!(search.remarks.len(), 1, "the DTZ table is missing: {:?}", search.remarks);
}

/// Probing corrupted tables must not panic.
#[test]
fn corrupted_tables_never_panic() {
    let Some(whole) = tables() else { return };
    let mut rng = Rng::new(7);
    let positions: Vec<_> = std::iter::repeat_with(|| random_ending(&mut rng))
        .filter(|position| position.occupied().count() == 3)
        .take(40)
        .collect();
    let files: Vec<String> = fs::read_dir(whole.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.len() == "KQvK.rtbw".len())
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for round in 0..60_u64 {
        let corrupt = |bytes: &mut Vec<u8>| {
            let mut rng = Rng::new(round);
            for _ in 0..1 + rng.below(20) {
                let place = 4 + rng.below(bytes.len() as u64 - 4) as usize;
                // Change the first bytes more often, because they control decoding.
                let place = if rng.below(2) == 0 { 4 + place % 60 } else { place };
                bytes[place] = rng.below(256) as u8;
            }
        };
        let corrupted =
            Tablebase::open(some_tables("fuzz", &files, corrupt).to_str().unwrap()).unwrap();
        for position in &positions {
            let _ = (corrupted.wdl(position), corrupted.dtz(position));
        }
    }
}
