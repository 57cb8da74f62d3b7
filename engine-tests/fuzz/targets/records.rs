//! Fuzzes records of placement phases: a record that was read is written and read again unchanged.
#![no_main]

use aleator::setup::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = aleator_fuzz::variant_and_text(data) else { return };
    for variant in [None, Some(variant)] {
        for record in Record::read_all(text, variant).into_iter().flatten() {
            let variant = Some(record.beginning().kind().variant());
            let text = record.to_string();
            let again = Record::read(&text, variant);
            let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again, record, "{text}");
        }
    }
});
