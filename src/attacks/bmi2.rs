//! Parallel bit extract (PEXT), for binaries built for processors with BMI2.

use std::arch::x86_64::_pext_u64;

/// Extracts the bits of `value` that `mask` selects, packed at the low end.
#[inline(always)]
pub(super) fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: this module is compiled only into binaries whose target has BMI2.
    unsafe { _pext_u64(value, mask) }
}
