//! Tests that python-chess can read PGN that Aleator has written, and the other way round.
//!
//! Without `python3` and the package `chess` these tests are skipped with a message.

use std::fmt::Write;

use crate::harness::python::python;
use aleator::game::{Game, Step};
use aleator::pgn::{PgnGame, PgnReader};
use aleator::rules::Variant;
use aleator::start::{Numbering, Rng};

const GAMES: usize = 500;
const PLIES: usize = 30;

/// Returns the moves of a game and the final position in one line.
fn line_of(pgn: &PgnGame) -> String {
    let mut game = pgn.start.clone();
    let mut line = String::new();
    for node in &pgn.line.turns {
        let Step::Turn(turn) = &node.step else { panic!("no turn") };
        game.play(&turn.uci).unwrap();
        let _ = write!(line, "{} ", turn.uci);
    }
    let fields: Vec<String> = game.fen().split(' ').take(2).map(str::to_owned).collect();
    line + &fields.join(" ")
}

/// Returns random games. Half of the games are chess, a quarter Chess960, and a quarter double Fischer
/// random.
fn random_games() -> Vec<PgnGame> {
    let mut rng = Rng::new(960);
    let game = |number: usize| {
        let (variant, numbering) = match number % 4 {
            0 | 1 => (Variant::Chess, None),
            2 => (Variant::Chess960, Some(Numbering::of(Variant::Chess960))),
            _ => (Variant::Chess960, Some(Numbering::DOUBLE_FISCHER_RANDOM)),
        };
        let mut game = match numbering {
            None => Game::standard(variant).unwrap(),
            Some(numbering) => Game::new(variant, &numbering.random(&mut rng).fen()).unwrap(),
        };
        for _ in 0..PLIES {
            // Castle as soon as possible, because castling is the move most likely to go wrong.
            let castling = ["O-O", "O-O-O"].into_iter().any(|text| game.play(text).is_ok());
            if game.termination().is_some() || !(castling || game.play_at_random(&mut rng)) {
                break;
            }
        }
        PgnGame::of(&game)
    };
    (0..GAMES).map(game).collect()
}

/// A Python program that reads PGN. It prints the moves of each game in Aleator's UCI notation, and the final
/// position.
const READ_ALL: &str = "
import sys, io, chess.pgn
text = io.StringIO(sys.stdin.read())
while (game := chess.pgn.read_game(text)) is not None:
    assert not game.errors, game.errors
    board = game.board()
    words = []
    for move in game.mainline_moves():
        words.append(board.uci(move))
        board.push(move)
    print(*words, board.board_fen(), 'w' if board.turn else 'b')
";

#[test]
fn python_chess_reads_what_we_write() {
    let games = random_games();
    let text: String = games.iter().map(ToString::to_string).collect();
    let Some(output) = python(READ_ALL, &text) else { return };
    let read: Vec<&str> = output.lines().collect();
    assert_eq!(read.len(), GAMES);
    for (game, read) in games.iter().zip(read) {
        assert_eq!(line_of(game), read, "{game}");
    }
    let castled = text.matches(" O-O").count();
    assert!(castled > 100, "only {castled} castlings");
}

/// A Python program that writes random games with comments, glyphs and variations. A tag of each game
/// contains the moves.
const WRITE_ALL: &str = "
import random, chess.pgn, sys
random.seed(518)
for number in range(int(sys.stdin.readline())):
    chess960 = number % 2 == 1
    board = chess.Board.from_chess960_pos(random.randrange(960)) if chess960 else chess.Board()
    game = chess.pgn.Game()
    game.setup(board)
    game.headers['White'] = 'A \"quoted\" \\\\ name'
    node, words = game, []
    for ply in range(30):
        moves = list(board.legal_moves)
        castling = [move for move in moves if board.is_castling(move)]
        if not moves:
            break
        move = random.choice(castling or moves)
        words.append(board.uci(move))
        board.push(move)
        other = random.choice(moves)
        parent, node = node, node.add_variation(move)
        if other != move and random.random() < 0.1:
            parent.add_variation(other, comment='or this', nags=[chess.pgn.NAG_GOOD_MOVE])
        if random.random() < 0.2:
            node.set_eval(chess.engine.PovScore(chess.engine.Cp(random.randrange(-500, 500)), chess.WHITE), 12)
            node.set_clock(random.randrange(6000) / 10)
    game.headers['Moves'] = ' '.join(words + [board.board_fen(), 'w' if board.turn else 'b'])
    print(game, end='\\n\\n')
";

#[test]
fn we_read_what_python_chess_writes() {
    let program = WRITE_ALL.replacen("import", "import chess.engine,", 1);
    let Some(text) = python(&program, &format!("{GAMES}\n")) else { return };
    let mut games = 0;
    for game in PgnReader::new(text.as_bytes()) {
        let game = game.unwrap();
        assert_eq!(Some(line_of(&game).as_str()), game.tags.get("Moves"), "{game}");
        assert_eq!(game.tags.get("White"), Some("A \"quoted\" \\ name"));
        assert_eq!(game.start.variant() == Variant::Chess960, games % 2 == 1);
        games += 1;
    }
    assert_eq!(games, GAMES);
    let count = |what: &str| text.matches(what).count();
    let evals = PgnReader::new(text.as_bytes())
        .flat_map(|game| game.unwrap().line.turns)
        .filter(|node| node.notes.eval.is_some() && node.notes.clock.is_some());
    assert_eq!(evals.count(), count("[%eval"));
    assert!(count("O-O") > 100 && count("[%clk") > 100 && count("(") > 100);
}
