//! Plays short games of the engine against itself in every variant that the engine offers. The library checks
//! that every move is legal and in the right notation, and that every game ends.

use crate::harness::game::{self, judge};
use crate::harness::{Engine, pick};
use aleator::game::{BoardGame, Termination};
use aleator::geometry::{Board, Board8x8};
use aleator::on_board;
use aleator::random::Rng;
use aleator::rules::Variant;
use aleator::start::Start;

/// The maximum length of a game. A longer game indicates a bug, because the fifty-move rule ends games
/// earlier.
const MOST_PLIES: usize = 6_000;

/// Returns the FENs of a file of starts, without the clocks.
fn starts(file: &str) -> Vec<String> {
    let path = format!("{}/book/starts/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    // A line of EPD has four fields, followed by operations.
    let fen = |line: &str| line.split(' ').take(4).collect::<Vec<_>>().join(" ");
    text.lines().filter(|line| !line.is_empty()).map(fen).collect()
}

/// Plays games of a variant. Each game begins from a random element of `starts`, or from the standard start
/// if `starts` is empty. The first four moves are random.
fn play<G: Board>(variant: Variant, starts: &[String], games: usize) {
    let mut random = Rng::new(0xa1ea + variant as u64);
    let mut players = [false, true].map(|chess960| {
        let mut engine = Engine::start();
        engine.tell(&format!("setoption name UCI_Variant value {variant}"));
        engine.tell(&format!("setoption name UCI_Chess960 value {chess960}"));
        engine.tell("setoption name Hash value 2");
        (engine, chess960)
    });
    for number in 0..games {
        let start = if starts.is_empty() {
            Start::standard(variant).fen()
        } else {
            pick(&mut random, starts).clone()
        };
        let mut game = game::game::<G>(variant, &start);
        let mut moves = Vec::new();
        for (engine, _) in &mut players {
            engine.tell("ucinewgame");
        }
        for _ in 0..4 {
            let legal = game.position().legal_moves();
            let mv = *pick(&mut random, &legal);
            moves.push(aleator::notation::uci(game.position(), mv, number % 2 == 0));
            game.play(mv);
        }
        let ending = finish(&mut game, &start, &mut moves, &mut players, number);
        for (engine, _) in &mut players {
            engine.tell(&format!("position fen {start} moves {}", moves.join(" ")));
            assert_eq!(engine.fen(), game.position().fen(aleator::position::FenStyle::XFen));
        }
        // If there is no legal move, the engine must answer `(none)`.
        if matches!(ending, Termination::Mate(_) | Termination::Stalemate) {
            let (engine, _) = &mut players[0];
            assert_eq!(engine.go("go nodes 100").best, "(none)");
        }
    }
}

fn finish<G: Board>(
    game: &mut BoardGame<G>,
    start: &str,
    moves: &mut Vec<String>,
    players: &mut [(Engine, bool); 2],
    number: usize,
) -> Termination {
    loop {
        if let Some(ending) = game.termination() {
            return ending;
        }
        assert!(moves.len() < MOST_PLIES, "the game does not end: {start} {moves:?}");
        let (engine, chess960) = &mut players[(moves.len() + number) % 2];
        engine.tell(&format!("position fen {start} moves {}", moves.join(" ")));
        let search = engine.go("go nodes 250");
        judge(game, &search, *chess960);
        game::play(game, &search.best, *chess960);
        moves.push(search.best);
    }
}

#[test]
fn chess() {
    play::<Board8x8>(Variant::Chess, &[], 4);
}

#[test]
fn chess960() {
    play::<Board8x8>(Variant::Chess960, &starts("chess960.epd"), 6);
}

#[test]
fn double_fischer_random() {
    play::<Board8x8>(Variant::Chess960, &starts("dfrc.epd"), 6);
}

#[test]
fn ifrc() {
    let Ok(ifrc) = "ifrc".parse::<Variant>() else { return };
    on_board!(ifrc.rules().board, |G| play::<G>(ifrc, &starts("ifrc.epd"), 6));
}

/// Plays games of every other variant that `uci` lists, from the standard start.
#[test]
fn every_other_variant_offered() {
    let lines = Engine::with(&["uci"]).lines_until(|line| line == "uciok");
    let option = lines.iter().find(|line| line.contains("UCI_Variant")).expect("the option");
    let names = option.split(" var ").skip(1);
    let mut offered = 0;
    for name in names {
        let variant: Variant = name.parse().expect("a variant");
        assert_eq!(variant.name(), name);
        offered += 1;
        match (variant, variant.rules().board) {
            (Variant::Chess | Variant::Chess960, _) => {}
            (_, board) => {
                on_board!(board, |G| play::<G>(variant, &[], 2))
            }
        }
    }
    assert!(offered >= 2, "{option}");
}
