//! Fuzzes FENs of games and of placement phases, on both boards.
#![no_main]

use aleator::game::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = aleator_fuzz::variant_and_text(data) else { return };
    let strict = Game::new(variant, text);
    let Ok((game, ignored)) = Game::new_lenient(variant, text) else {
        assert!(strict.is_err());
        return;
    };
    assert_eq!(strict.is_ok(), ignored.is_empty());
    let fen = game.fen();
    let again = Game::new(variant, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.fen(), fen);
    assert_eq!(again.legal_turns(), game.legal_turns(), "{fen}");
});
