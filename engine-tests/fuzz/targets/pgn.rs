//! Fuzzes PGN: if a game that was read is written, read and written again, both texts are equal.
#![no_main]

use aleator::pgn::PgnReader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for game in PgnReader::new(data).flatten() {
        let text = game.to_string();
        let again: Vec<_> = PgnReader::new(text.as_bytes()).collect();
        let again: Vec<String> = again
            .into_iter()
            .map(|game| game.unwrap_or_else(|error| panic!("{error}\n{text}")).to_string())
            .collect();
        assert_eq!(again.concat(), text);
        if let Err(error) = game.replay() {
            panic!("{error}\n{text}");
        }
    }
});
