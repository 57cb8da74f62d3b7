//! Fuzzes opening suites: openings that were read, written one per line, are read again unchanged.
#![no_main]

use aleator::tools::opening::read_openings;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = aleator_fuzz::variant_and_text(data) else { return };
    let Ok(fens) = read_openings(text, variant) else { return };
    assert_eq!(read_openings(&fens.join("\n"), variant), Ok(fens));
});
