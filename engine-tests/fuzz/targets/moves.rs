//! Fuzzes moves and placements in UCI notation and SAN: a FEN, then one move per line.
#![no_main]

use aleator::game::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = aleator_fuzz::variant_and_text(data) else { return };
    let mut lines = text.lines();
    let Ok(mut game) = Game::new(variant, lines.next().unwrap_or_default()) else { return };
    let beginning = game.fen();
    for text in lines {
        let Ok(turn) = game.read(text) else { continue };
        for spelling in [&turn.uci, &turn.san] {
            assert_eq!(game.read(spelling).as_ref(), Ok(&turn), "{text} in {}", game.fen());
        }
        assert!(game.legal_turns().contains(&turn.uci), "{text} in {}", game.fen());
        game.play(text).unwrap_or_else(|error| panic!("{text} in {}: {error}", game.fen()));
        assert_eq!(game.last_turn(), Some(turn));
    }
    let (root, turns) = game.uci_position();
    let mut told = Game::new(variant, root).unwrap_or_else(|error| panic!("{root}: {error}"));
    for turn in turns {
        told.play(&turn).unwrap_or_else(|error| panic!("{}: {error}", game.command()));
    }
    assert_eq!(told.fen(), game.fen(), "{}", game.command());
    while game.undo().is_some() {}
    assert_eq!(game.fen(), beginning);
});
