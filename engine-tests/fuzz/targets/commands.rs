//! Fuzzes UCI commands, and the notation of starting positions and back ranks.
#![no_main]

use aleator::protocol::UciCommand;
use aleator::start::{BackRank, PartialBackRank, Start};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = aleator_fuzz::variant_and_text(data) else { return };
    for line in text.lines() {
        let _ = UciCommand::parse(line);
        if let Ok(back_rank) = line.parse::<BackRank>() {
            assert_eq!(back_rank.to_string().parse(), Ok(back_rank));
        }
        if let Ok(back_rank) = line.parse::<PartialBackRank>() {
            assert_eq!(back_rank.to_string().parse(), Ok(back_rank));
        }
        if let Ok(start) = Start::parse(variant, line) {
            assert_eq!(Start::parse(variant, &start.to_string()), Ok(start), "{line}");
        }
    }
});
