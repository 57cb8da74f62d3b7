//! Tests of placement phases over UCI: positions with pieces in hand, `go perft` from the placement phase
//! into the game, the search for placements, and messages about invalid input.

use std::time::{Duration, Instant};

use crate::harness::Engine;
use crate::harness::info::{Info, Search};
use aleator::geometry::Board8x8;
use aleator::notation;
use aleator::position::{FenStyle, Position};
use aleator::rules::{KingRight, Variant};
use aleator::setup::{Setup, SetupOrGame};
use serde_json::Value;

/// The maximum number of leaves of a perft in this test. The tests of the library count larger trees.
const MOST_LEAVES: u64 = 3_000_000;

const BENKO: &str = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
const HALF_RANDOM: &str = "b2br3/pppppppp/8/8/8/8/PPPPPPPP/B2R1B2[KQRNNkqrnn] w - - 0 1";
const EMPTY: &str = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";
/// A position before White's last turn in Fischer-Benko.
const LAST_TWO: &str = "r1b1nbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNR2R[KQkq] w - - 0 4";

fn playing(variant: &str) -> Engine {
    Engine::with(&[&format!("setoption name UCI_Variant value {variant}")])
}

/// With `searchmoves` the engine decides whether to reroll a double and whether to accept the mediator's
/// verdict.
#[test]
fn the_engine_decides_about_rerolls_and_verdicts() {
    let mut engine = playing("jepps");
    let verdict = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR[kqrrbbnn] b - - 0 9";
    let offer = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKR4[QRBNkqrrbbnn] w - - 0 5";
    for (fen, words) in
        [(verdict, "mirror again"), (verdict, "reverse again"), (offer, "Q@e1 again")]
    {
        engine.send(&format!("position fen {fen}"));
        engine.send("setoption name MultiPV value 2");
        engine.send(&format!("go depth 1 searchmoves {words}"));
        let lines = engine.lines_until(|line| line.starts_with("bestmove "));
        let best = lines.last().unwrap().split(' ').nth(1).unwrap().to_owned();
        assert!(words.split(' ').any(|word| word == best), "{lines:?}");
        // Ignore the description of the variant, which the engine writes before the first search.
        let remarks = lines.iter().filter(|line| line.starts_with("info string "));
        let said: Vec<_> = remarks.filter(|line| !line.contains("string variant")).collect();
        assert!(said.is_empty(), "{said:?}");
        for word in words.split(' ') {
            assert!(lines.iter().any(|line| line.contains(&format!(" pv {word}"))), "{lines:?}");
        }
    }
    engine.send("position startpos");
    engine.send("go depth 1 searchmoves mirror");
    let lines = engine.lines_until(|line| line.starts_with("bestmove "));
    assert!(lines.iter().any(|line| line.contains("'mirror' is not a move")), "{lines:?}");
}

/// Returns the rows of a data file that have pieces in hand.
fn rows(file: &str) -> Vec<Value> {
    let path = format!("{}/engine-tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
    rows.filter(|row: &Value| fen(row).contains('[')).collect()
}

fn fen(row: &Value) -> &str {
    row["fen"].as_str().unwrap()
}

/// Runs `go perft`. Returns the placements and the number of leaves.
fn perft(engine: &mut Engine, depth: usize) -> (Vec<String>, u64) {
    engine.send(&format!("go perft {depth}"));
    let lines = engine.lines_until(|line| line.starts_with("Nodes searched: "));
    assert_eq!(engine.line(), "");
    let total = lines.last().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    let counts = lines.iter().filter_map(|line| line.split_once(": "));
    let moves = counts.map(|(text, _)| text.to_owned()).filter(|text| text.contains('@'));
    let mut moves: Vec<String> = moves.collect();
    moves.sort();
    (moves, total)
}

/// Checks the perft counts in every row of a file up to [`MOST_LEAVES`] leaves.
fn assert_perft(file: &str, counts: &str, moves: Option<&str>, expected_rows: usize) {
    let rows = rows(file);
    assert_eq!(rows.len(), expected_rows, "{file}");
    let mut engine = Engine::start();
    for row in &rows {
        let variant = row["variant"].as_str().unwrap().replace('-', "");
        engine.tell(&format!("setoption name UCI_Variant value {variant}"));
        engine.tell(&format!("position fen {}", fen(row)));
        let counts = row[counts].as_array().unwrap().iter().map(|count| count.as_u64().unwrap());
        for (depth, expected) in (1..).zip(counts).filter(|(_, count)| *count <= MOST_LEAVES) {
            let (found, total) = perft(&mut engine, depth);
            assert_eq!(total, expected, "{} at depth {depth}", fen(row));
            if let Some(moves) = moves {
                let expected = row[moves].as_array().unwrap().iter();
                let expected: Vec<_> = expected.map(|text| text.as_str().unwrap()).collect();
                assert_eq!(found, expected, "{}", fen(row));
            }
        }
    }
}

#[test]
fn perft_of_setups() {
    assert_perft("setup/setup-perft.jsonl", "setup_perft", Some("moves"), 15);
}

#[test]
fn perft_from_setup_into_game() {
    assert_perft("setup/setup-to-main.jsonl", "perft", None, 8);
    assert_perft("setup/placement-perft.jsonl", "perft", Some("moves"), 20);
    assert_perft("perft/edge-cases.jsonl", "perft", Some("legal_moves"), 15);
}

/// Replays the game that the inventor of Half-Random Transcendental Chess published.
#[test]
fn the_published_game_replays() {
    const PLACEMENTS: &str = "R@e1 N@f8 N@h1 N@c8 N@c1 R@h8 Q@b1 Q@g8 K@g1 K@b8";
    const GAME: &str = "Ng3 e5 b3 d6 c4 b6 a4 Bb7 a5 Nd7 d4 c5 dxc5 Nxc5 b4 Ne6 Ne4 Bxe4 Qxe4 Re7 \
                        axb6 Bxb6 Nb3 Qd8 Na5 Bxa5 bxa5 Qxa5 Rb1+ Nb6";
    let mut engine = playing("transcendental");
    let Ok(SetupOrGame::Setup(mut state)) =
        SetupOrGame::from_fen(HALF_RANDOM, Variant::Transcendental)
    else {
        panic!("the FEN is not a placement phase")
    };
    let mut moves: Vec<String> = Vec::new();
    let mut game = None;
    for text in PLACEMENTS.split(' ') {
        moves.push(text.to_owned());
        engine.tell(&format!("position fen {HALF_RANDOM} moves {}", moves.join(" ")));
        match state.after(state.read_placement(text).unwrap()) {
            SetupOrGame::Setup(next) => {
                state = next;
                assert_eq!(engine.fen(), state.fen());
            }
            SetupOrGame::Game(position) => game = Some(position),
        }
    }
    let mut game = game.expect("the setup is over");
    assert_eq!(engine.fen(), "bknbrnqr/pppppppp/8/8/8/8/PPPPPPPP/BQNRRBKN w - - 0 6");
    for san in GAME.split_ascii_whitespace() {
        let mv = notation::parse_san(&game, san).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(notation::san(&game, mv), san);
        moves.push(notation::uci(&game, mv, false));
        game.make(mv);
        engine.tell(&format!("position fen {HALF_RANDOM} moves {}", moves.join(" ")));
        assert_eq!(engine.fen(), game.fen(FenStyle::XFen));
    }
    assert_eq!(moves.len(), 40);
    assert_eq!(game.fullmove_number(), 21);
    assert!(!engine.go("go depth 4").best.is_empty());
}

#[test]
fn the_inventors_example_reaches_its_starting_position() {
    let mut engine = playing("fischerbenko");
    let turns = "R@h1 N@e8 N@d1 R@a8 N@a1 N@h8 Q@g1+K@f1 Q@b8+K@d8";
    engine.tell(&format!("position fen {BENKO} moves {turns}"));
    let fen = engine.fen();
    let game = Position::<Board8x8>::from_fen(&fen, KingRight::Castling).unwrap();
    assert_eq!(
        game.fen(FenStyle::Shredder),
        "rqbknbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w HEga - 0 5"
    );
}

/// Some GUIs support only drops of single pieces. They send one of the last two pieces, or both separately.
#[test]
fn the_last_two_pieces_are_read_in_every_notation() {
    let mut engine = playing("fischerbenko");
    let after = "rqbknbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w KQkq - 0 5";
    for moves in [
        "Q@g1+K@f1 Q@b8+K@d8",
        "K@f1+Q@g1 K@d8+Q@b8",
        "Q@g1 K@d8",
        "Q@g1 K@f1 Q@b8",
        "K@f1 Q@g1 K@d8 Q@b8",
    ] {
        engine.tell(&format!("position fen {LAST_TWO} moves {moves}"));
        assert_eq!(engine.fen(), after, "{moves}");
        // Moves of the game may follow the placements.
        engine.tell(&format!("position fen {LAST_TWO} moves {moves} e2e4 e7e5"));
        assert!(engine.fen().ends_with(" w KQkq - 0 6"), "{}", engine.fen());
    }
    // If the same piece is sent twice, the second drop is an error.
    let said = engine.refusal(&format!("position fen {LAST_TWO} moves Q@g1 Q@g1"));
    assert!(said.contains("move 2 of the list of moves"), "{said}");
    let said = engine.refusal(&format!("position fen {LAST_TWO} moves Q@g1+K@f1 K@f1"));
    assert!(said.contains("move 2 of the list of moves"), "{said}");
}

#[test]
fn invalid_input_is_explained_and_changes_nothing() {
    let mut engine = playing("fischerbenko");
    let kept = "2b1nbr1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R2R[KQNNkqrn] w - - 0 2";
    engine.tell(&format!("position fen {BENKO} moves R@h1 N@e8"));
    for (command, expected) in [
        (
            format!("position fen {BENKO} moves R@h1 N@e8 K@h1"),
            "position: move 3 of the list of moves: K@h1: there is already a rook on h1",
        ),
        (
            format!("position fen {BENKO} moves K@a1"),
            "position: move 1 of the list of moves: K@a1 is illegal, because then the king cannot end up \
             between the rooks",
        ),
        (
            format!("position fen {BENKO} moves e2e4"),
            "position: move 1 of the list of moves: 'e2e4' is not a placement; pieces are still being \
             placed, so write a piece, '@' and a square, such as K@d1",
        ),
        (
            format!("position fen {LAST_TWO} moves Q@g1 Q@b8 N@a1"),
            "position: move 3 of the list of moves: 'N@a1' is not a move; expected the square the piece leaves \
             and the square it goes to (a1 to h8), such as g1f3, followed by q, r, b or n for a \
             promotion; or O-O, O-O-O",
        ),
        (
            format!("position fen {}", BENKO.replace("KQRNN", "KQRN")),
            "position: pieces: White has 1 N instead of 2, counted on the board and in hand; each side \
             has one K, one Q, and two each of R, B and N",
        ),
        (
            format!("position fen {}", BENKO.replace("nn]", "nn")),
            "position: pieces in hand: expected pieces in brackets after the board, such as \
             [KQRNNkqrnn], found '[KQRNNkqrnn'",
        ),
    ] {
        let expected = format!("{expected}; nothing is searched until a valid position arrives");
        assert_eq!(engine.refusal(&command), expected, "{command}");
        assert_eq!(engine.fen(), kept, "{command}");
    }
    engine.tell(&format!("position fen {BENKO} moves R@h1 N@e8"));
    let flip = "'flip' does not work during the placement phase, because White always places first";
    assert_eq!(engine.refusal("flip"), flip);
    assert_eq!(engine.fen(), kept);
    // Illegal placements in `searchmoves` are skipped.
    let search = engine.go("go depth 1 searchmoves B@d1 N@a1");
    let remark = "searchmoves: B@d1: White has no bishop in hand; the pieces in hand are K, Q, 2 N";
    assert_eq!((search.best.as_str(), &search.remarks[..]), ("N@a1", &[remark.to_owned()][..]));
    // Other variants have no pieces in hand.
    engine.tell("setoption name UCI_Variant value chess960");
    let said = engine.refusal(&format!("position fen {BENKO}"));
    assert!(said.ends_with("nothing is searched until a valid position arrives"), "{said}");
    engine.tell("position startpos");
    assert_eq!(engine.go("go depth 1").best.len(), 4);
}

#[test]
fn d_and_eval_describe_the_setup() {
    let mut engine = playing("jepps");
    engine.tell(&format!("position fen {EMPTY} moves N@a1"));
    let shown = engine.ask("d");
    for expected in [
        " 1 | N |   |   |   |   |   |   |   |",
        " 2 | P | P | P | P | P | P | P | P |",
        "Fen: 8/pppppppp/8/8/8/8/PPPPPPPP/N7[KQRRBBNkqrrbbnn] w - - 0 1",
        "In hand: White KQRRBBN, Black kqrrbbnn",
        "To place: White on b1",
    ] {
        assert!(shown.iter().any(|line| line == expected), "{expected} in {shown:#?}");
    }
    let said = engine.ask("eval").join("\n");
    assert!(said.contains("no static evaluation"), "{said}");
}

/// Asserts that every line of a search is legal, from the placement phase into the game, and that the first
/// line begins with the best placement.
fn assert_legal(search: &Search, fen: &str, variant: Variant) {
    let start = Setup::from_fen(fen, variant).unwrap();
    assert!(!search.infos.is_empty(), "{search:#?}");
    for info in &search.infos {
        let mut phase = SetupOrGame::Setup(start);
        for text in &info.pv {
            phase = match phase {
                SetupOrGame::Setup(state) => {
                    let placement = state.read_placement(text).unwrap_or_else(|e| panic!("{e}"));
                    assert_eq!(placement.to_string(), *text);
                    state.after(placement)
                }
                SetupOrGame::Game(mut game) => {
                    let mv = notation::parse_uci(&game, text).unwrap_or_else(|e| panic!("{e}"));
                    game.make(mv);
                    SetupOrGame::Game(game)
                }
            };
        }
    }
    assert_eq!(search.last_lines()[0].pv[0], search.best, "{search:#?}");
    assert_eq!(search.last_lines()[0].pv.get(1), search.ponder.as_ref(), "{search:#?}");
}

#[test]
fn one_iteration_in_every_variant() {
    for (variant, root) in [
        (Variant::FischerBenko, BENKO),
        (Variant::FischerBenko, LAST_TWO),
        (Variant::Transcendental, HALF_RANDOM),
        (Variant::Placement, EMPTY),
        (Variant::Jepps, EMPTY),
        (Variant::Jepps, "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRQRBN[kqrrbbnn] b - - 0 1"),
    ] {
        let mut engine = playing(variant.name());
        engine.tell(&format!("position fen {root}"));
        let search = engine.go("go depth 1");
        assert_legal(&search, root, variant);
        assert_eq!(search.last().depth, 1, "{root}");
        assert!(search.nodes() > 0);
        assert!(search.remarks.is_empty(), "{search:#?}");
        // If no dice are rolled between placements, a line must continue after the first placement. In Jepps
        // Random Chess a line is a single placement.
        let expects_line = variant != Variant::Jepps;
        assert_eq!(search.last().pv.len() > 1, expects_line, "{search:#?}");
    }
}

#[test]
fn iterations_deepen_and_lines_are_ordered() {
    let mut engine = playing("fischerbenko");
    engine.tell("setoption name MultiPV value 4");
    engine.tell(&format!("position fen {BENKO}"));
    let search = engine.go("go depth 3");
    assert_legal(&search, BENKO, Variant::FischerBenko);
    assert_eq!(search.infos.iter().map(|info| info.depth).max(), Some(3));
    let last = search.last_lines();
    assert_eq!(last.len(), 4);
    let score = |info: &Info| match info.score {
        crate::harness::info::Score::Cp(value) => value,
        score => panic!("{score:?}"),
    };
    assert!(last.is_sorted_by_key(|info| -score(info)), "{last:#?}");
    let firsts: std::collections::HashSet<_> = last.iter().map(|info| &info.pv[0]).collect();
    assert_eq!(firsts.len(), 4);
    // The search must work in the same way with two threads.
    engine.tell("setoption name Threads value 2");
    let again = engine.go("go depth 2");
    assert_legal(&again, BENKO, Variant::FischerBenko);
    assert_eq!(again.last_lines().len(), 4);
    assert_eq!(again.last_lines()[0].depth, 2);
}

#[test]
fn limits_end_the_search() {
    let mut engine = playing("transcendental");
    engine.tell(&format!("position fen {HALF_RANDOM}"));
    let search = engine.go("go nodes 200000");
    assert_legal(&search, HALF_RANDOM, Variant::Transcendental);
    assert!((200_000..260_000).contains(&search.nodes()), "{}", search.nodes());
    for go in ["go movetime 300", "go wtime 3000 btime 1 winc 10 binc 0"] {
        let began = Instant::now();
        let search = engine.go(go);
        assert_legal(&search, HALF_RANDOM, Variant::Transcendental);
        assert!(began.elapsed() < Duration::from_secs(3), "{go}: {:?}", began.elapsed());
    }
    // Ten nodes are too few for an iteration, so the placement comes from static estimates (depth 0).
    let search = engine.go("go nodes 10");
    assert_legal(&search, HALF_RANDOM, Variant::Transcendental);
    assert_eq!(search.last().depth, 0);
}

#[test]
fn a_forced_placement_is_played_immediately() {
    let root = "b1nbrnqr/pppppppp/8/8/8/8/PPPPPPPP/BQNRRBKN[k] b - - 0 5";
    let mut engine = playing("transcendental");
    engine.tell(&format!("position fen {root}"));
    let began = Instant::now();
    let search = engine.go("go wtime 600000 btime 600000");
    assert!(began.elapsed() < Duration::from_secs(3));
    assert_eq!(search.best, "K@b8");
    assert_legal(&search, root, Variant::Transcendental);
}

#[test]
fn infinite_and_ponder_searches_wait() {
    let turns = ["Q@g1+K@f1", "Q@f1+K@g1"];
    let mut engine = playing("fischerbenko");
    engine.tell(&format!("position fen {LAST_TWO}"));
    for go in
        ["go infinite", "go infinite nodes 100", "go infinite depth 1", "go infinite movetime 1"]
    {
        engine.send(go);
        engine.assert_no_best_move(go);
        engine.send("stop");
        assert!(turns.contains(&&*engine.best_move().best), "{go}");
    }
    for go in ["go ponder depth 1", "go ponder movetime 1", "go ponder wtime 1000 btime 1000"] {
        engine.send(go);
        engine.assert_no_best_move(go);
        engine.send("ponderhit");
        assert!(turns.contains(&&*engine.best_move().best), "{go}");
    }
    // A search that is stopped immediately must still have a best placement.
    engine.tell(&format!("position fen {BENKO}"));
    engine.send("go infinite");
    engine.send("stop");
    assert_legal(&engine.best_move(), BENKO, Variant::FischerBenko);
    assert!(engine.ask("isready").iter().all(|line| line == "readyok"));
}

#[test]
fn dice_are_given_as_searchmoves() {
    let mut engine = playing("jepps");
    engine.tell(&format!("position fen {EMPTY} moves N@a1 B@b1 K@c1 R@d1 Q@e1"));
    let root = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRQ3[RBNkqrrbbnn] w - - 0 1";
    assert_eq!(engine.fen(), root);
    for (offered, multi_pv) in [(&["R@f1", "N@f1"][..], 2), (&["N@f1"][..], 1)] {
        engine.tell("setoption name MultiPV value 5");
        let search = engine.go(&format!("go depth 1 searchmoves {}", offered.join(" ")));
        assert!(offered.contains(&&*search.best), "{search:#?}");
        assert_legal(&search, root, Variant::Jepps);
        assert_eq!(search.last_lines().len(), multi_pv);
        assert!(search.infos.iter().all(|info| offered.contains(&&*info.pv[0])));
    }
    // In Free Play, Black answers White's first piece on h8.
    engine.tell(&format!("position fen {EMPTY} moves N@a1"));
    let search = engine.go("go nodes 1000 searchmoves R@h8 K@h8");
    assert!(["R@h8", "K@h8"].contains(&&*search.best), "{search:#?}");
}

#[test]
fn a_dead_end_has_no_placement() {
    let mut engine = playing("fischerbenko");
    engine.tell("position fen r1b1nb1r/pppppppp/8/8/8/8/PPPPPPPP/1BBNRN1Q[KRkqn] w - - 0 3");
    engine.send("go depth 2");
    let lines = engine.lines_until(|line| line.starts_with("bestmove"));
    assert_eq!(lines.last().unwrap(), "bestmove (none)");
}

/// Lets the engine play a placement phase to the end. Returns the placements and the final FEN.
fn self_play(engine: &mut Engine, root: &str) -> (Vec<String>, String) {
    let mut moves: Vec<String> = Vec::new();
    while {
        let list =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        engine.tell(&format!("position fen {root}{list}"));
        engine.fen().contains('[')
    } {
        moves.push(engine.go("go depth 1").best);
        assert!(moves.len() <= 8, "{moves:?}");
    }
    (moves, engine.fen())
}

#[test]
fn the_engine_plays_a_whole_setup() {
    let mut engine = playing("fischerbenko");
    let (moves, fen) = self_play(&mut engine, BENKO);
    assert_eq!(moves.len(), 8);
    assert!(moves[6].contains('+') && moves[7].contains('+'), "{moves:?}");
    assert!(fen.ends_with(" w KQkq - 0 5"), "{fen}");
    // The result is a legal Fischer-Benko starting position, and the randomly placed pieces have not moved.
    let game = Position::<Board8x8>::from_fen(&fen, KingRight::Castling).unwrap();
    let ranks: Vec<&str> = fen.split([' ', '/']).collect();
    for (rank, root) in [(ranks[0], "2b2br1"), (ranks[7], "1BB1R3")] {
        let squares: Vec<char> = rank.to_ascii_uppercase().chars().collect();
        let mut file = 0;
        for letter in root.to_ascii_uppercase().chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    assert_eq!(squares[file], letter, "{rank} from {root}");
                    file += 1;
                }
            }
        }
        let king = squares.iter().position(|piece| *piece == 'K');
        let rooks: Vec<_> = (0..8).filter(|file| squares[*file] == 'R').map(Some).collect();
        assert!(rooks[0] < king && king < rooks[1], "{rank}");
        let mut sorted = squares.clone();
        sorted.sort_unstable();
        assert_eq!(sorted.iter().collect::<String>(), "BBKNNQRR");
    }
    assert_eq!(game.rights().into_iter().count(), 4);
    // The engine must also find a move in the game that follows.
    assert!(notation::parse_uci(&game, &engine.go("go depth 3").best).is_ok());
}
