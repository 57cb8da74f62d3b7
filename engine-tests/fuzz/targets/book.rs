//! Fuzzes text books: a line or a book that was read, written again, must be read as the same line or book.
#![no_main]

use aleator::book::{BookLine, TextBook};
use aleator::notation::epd_lines;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = aleator_fuzz::variant_and_text(data) else { return };
    let lines = || epd_lines(text).map(|(_, line)| line);
    let written: Vec<String> = lines()
        .flat_map(|line| BookLine::parse(line, variant))
        .map(|line| line.to_string())
        .collect();
    for line in &written {
        let again = BookLine::parse(line, variant).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(again.to_string(), *line);
    }
    if let Ok(book) = TextBook::read(text, variant) {
        assert_eq!(written.len(), lines().count());
        let again = TextBook::read(&written.join("\n"), variant);
        assert_eq!(again.map(|book| book.count()), Ok(book.count()));
    }
});
