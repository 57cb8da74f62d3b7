//! What the targets have in common.

use aleator::rules::Variant;

/// A variant, by the first byte, and the text behind it; nothing if that is no text.
pub fn variant_and_text(data: &[u8]) -> Option<(Variant, &str)> {
    let (first, rest) = data.split_first()?;
    let number = usize::from(first.wrapping_sub(b'0')) % Variant::ALL.len();
    Some((Variant::ALL[number], std::str::from_utf8(rest).ok()?))
}
