//! Fuzzes Polyglot books: arbitrary bytes, and arbitrary moves and weights under the key of a position.
#![no_main]

use aleator::book::{Book, ENTRY, Polyglot, PolyglotEntry};
use aleator::game::Game;
use aleator::rules::Variant;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let standard = Game::standard(Variant::Chess).expect("the start of chess");
    let look_up = |book: Polyglot, game: &Game| {
        for mv in Book::Polyglot(book).moves(game) {
            assert!(game.read(&mv.uci).is_ok(), "{} in {}", mv.uci, game.fen());
        }
    };
    if let Ok(book) = Polyglot::from_bytes(data.to_vec()) {
        assert_eq!(book.count() * ENTRY, data.len());
        look_up(book, &standard);
    }
    let (fen, bytes) = data.split_at(data.iter().position(|byte| *byte == 0).unwrap_or(0));
    let game = std::str::from_utf8(fen).ok().and_then(|fen| Game::new(Variant::Chess960, fen).ok());
    let game = game.unwrap_or(standard);
    let turns = game.legal_turns();
    let Some(first) = turns.first().and_then(|turn| PolyglotEntry::new(&game, turn, 1)) else {
        return;
    };
    let entries = bytes.as_chunks::<4>().0.iter().map(|[a, b, c, d]| {
        let (mv, weight) = (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
        PolyglotEntry { mv, weight, ..first }.to_bytes()
    });
    let book = Polyglot::from_bytes(entries.flatten().collect()).expect("whole entries of one key");
    look_up(book, &game);
});
