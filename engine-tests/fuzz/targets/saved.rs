//! Fuzzes saved games: a saved game that was read is written and read again unchanged, and a restored game
//! can be saved and restored again.
#![no_main]

use std::time::Instant;

use aleator::play::{LiveGame, Saved};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(saved) = Saved::from_json(text) else { return };
    let json = saved.to_json();
    assert_eq!(Saved::from_json(&json).as_ref(), Ok(&saved), "{json}");
    let Ok(table) = LiveGame::restore(&saved) else { return };
    let again = table.saved(Instant::now());
    let restored = LiveGame::restore(&again)
        .unwrap_or_else(|error| panic!("{error}\n{json}\n{}", again.to_json()));
    assert_eq!(restored.saved(Instant::now()), again, "{json}");
});
