//! The inner loops of the network: sums of rows of weights, and the output. Scalar code, AVX2 code and
//! WebAssembly's vector code give the same results.
//!
//! The scalar kernels are loops over 32 lanes that the compiler vectorises. Because portable builds do not
//! assume AVX2, the scalar kernels are compiled a second time for processors with AVX2. Only the output has
//! hand-written vector code: it needs 15-bit squares whose products are added in pairs (`mulhrs`, `madd`),
//! which compilers do not generate. WebAssembly also has hand-written vector code for the output, in builds
//! with vectors (`simd128`).

/// The integer that represents an activation of 1 in the first layer.
pub const QA: i32 = 510;

/// A group of 32 numbers of 16 bits that are processed together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Lanes(pub [i16; Lanes::WIDTH]);

impl Lanes {
    pub const WIDTH: usize = 32;
    pub const ZERO: Lanes = Lanes([0; Lanes::WIDTH]);

    #[inline(always)]
    fn add(&mut self, other: &Lanes) {
        for (lane, other) in self.0.iter_mut().zip(other.0) {
            *lane = lane.wrapping_add(other);
        }
    }

    #[inline(always)]
    fn sub(&mut self, other: &Lanes) {
        for (lane, other) in self.0.iter_mut().zip(other.0) {
            *lane = lane.wrapping_sub(other);
        }
    }
}

/// The implementation of the inner loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    Scalar,
    /// AVX2 code. Constructed only by [`Kernel::best`] and [`Kernel::all`], which check that the processor
    /// has AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl Kernel {
    /// Returns every kernel that this processor can run, the best last.
    pub fn all() -> Vec<Kernel> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return vec![Kernel::Scalar, Kernel::Avx2];
        }
        vec![
            Kernel::Scalar,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128,
        ]
    }

    /// Returns the fastest kernel that this processor can run.
    pub fn best() -> Kernel {
        Kernel::all().pop().unwrap_or(Kernel::Scalar)
    }

    /// Computes `to = from + adds - subs`. All rows must have the same length.
    #[inline]
    pub fn update(self, to: &mut [Lanes], from: &[Lanes], adds: &[&[Lanes]], subs: &[&[Lanes]]) {
        match self {
            Kernel::Scalar => update(to, from, adds, subs),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this kernel exists only where AVX2 was detected.
            Kernel::Avx2 => unsafe { avx2::update(to, from, adds, subs) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => update(to, from, adds, subs),
        }
    }

    /// Returns the sum of weights times [`squared`] activations. The result is exact if no sum can
    /// overflow, which [`super::Parameters::check`] ensures.
    #[inline]
    pub fn output(self, values: &[Lanes], weights: &[Lanes]) -> i32 {
        match self {
            Kernel::Scalar => output(values, weights),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this kernel exists only where AVX2 was detected.
            Kernel::Avx2 => unsafe { avx2::output(values, weights) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => simd128::output(values, weights),
        }
    }
}

/// Adds and subtracts rows, lane by lane. Each loop over the lanes adds at most two rows and subtracts at
/// most two rows.
#[inline(always)]
fn update(to: &mut [Lanes], from: &[Lanes], adds: &[&[Lanes]], subs: &[&[Lanes]]) {
    let (mut adds, mut subs) = match (adds, subs) {
        (&[a, b, ref adds @ ..], &[c, d, ref subs @ ..]) => {
            fused(to, from, [a, b], [c, d]);
            (adds, subs)
        }
        (&[a, ref adds @ ..], &[b, ref subs @ ..]) => {
            fused(to, from, [a], [b]);
            (adds, subs)
        }
        _ => {
            to.copy_from_slice(from);
            (adds, subs)
        }
    };
    while !adds.is_empty() || !subs.is_empty() {
        (adds, subs) = match (adds, subs) {
            (&[a, b, ref adds @ ..], &[c, d, ref subs @ ..]) => {
                fused_in_place(to, [a, b], [c, d]);
                (adds, subs)
            }
            (&[a, ref adds @ ..], &[b, ref subs @ ..]) => {
                fused_in_place(to, [a], [b]);
                (adds, subs)
            }
            (&[a, b, ref adds @ ..], subs) => {
                fused_in_place(to, [a, b], []);
                (adds, subs)
            }
            (&[a, ref adds @ ..], subs) => {
                fused_in_place(to, [a], []);
                (adds, subs)
            }
            (adds, &[a, ref subs @ ..]) => {
                fused_in_place(to, [], [a]);
                (adds, subs)
            }
            ([], []) => return,
        };
    }
}

#[inline(always)]
fn fused<const ADDS: usize, const SUBS: usize>(
    to: &mut [Lanes],
    from: &[Lanes],
    adds: [&[Lanes]; ADDS],
    subs: [&[Lanes]; SUBS],
) {
    let length = to.len();
    // Slices of the same length need no bounds checks in the loop.
    let from = &from[..length];
    let (adds, subs) = (adds.map(|row| &row[..length]), subs.map(|row| &row[..length]));
    for (index, to) in to.iter_mut().enumerate() {
        let mut lanes = from[index];
        for row in adds {
            lanes.add(&row[index]);
        }
        for row in subs {
            lanes.sub(&row[index]);
        }
        *to = lanes;
    }
}

#[inline(always)]
fn fused_in_place<const ADDS: usize, const SUBS: usize>(
    to: &mut [Lanes],
    adds: [&[Lanes]; ADDS],
    subs: [&[Lanes]; SUBS],
) {
    let length = to.len();
    let (adds, subs) = (adds.map(|row| &row[..length]), subs.map(|row| &row[..length]));
    for (index, to) in to.iter_mut().enumerate() {
        let mut lanes = *to;
        for row in adds {
            lanes.add(&row[index]);
        }
        for row in subs {
            lanes.sub(&row[index]);
        }
        *to = lanes;
    }
}

/// Returns `clamp(value, 0, QA)²` in eighths, rounded. The vector code gets the same result: it multiplies
/// the value by 64 and takes the upper bits of the square.
#[inline(always)]
pub fn squared(value: i16) -> i32 {
    let value = i32::from(value.clamp(0, QA as i16));
    (value * value + 4) >> 3
}

#[inline(always)]
fn output(values: &[Lanes], weights: &[Lanes]) -> i32 {
    let mut sum = 0;
    for (values, weights) in values.iter().zip(weights) {
        for (value, weight) in values.0.iter().zip(weights.0) {
            sum += squared(*value) * i32::from(weight);
        }
    }
    sum
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
        _mm256_max_epi16, _mm256_min_epi16, _mm256_mulhrs_epi16, _mm256_set1_epi16,
        _mm256_setzero_si256, _mm256_slli_epi16,
    };

    use super::{Lanes, QA};

    #[target_feature(enable = "avx2")]
    pub fn update(to: &mut [Lanes], from: &[Lanes], adds: &[&[Lanes]], subs: &[&[Lanes]]) {
        super::update(to, from, adds, subs);
    }

    #[target_feature(enable = "avx2")]
    pub fn output(values: &[Lanes], weights: &[Lanes]) -> i32 {
        let zero = _mm256_setzero_si256();
        let one = _mm256_set1_epi16(QA as i16);
        let mut sums = [zero; 2];
        for (values, weights) in values.iter().zip(weights) {
            for ((sum, value), weight) in sums.iter_mut().zip(halves(values)).zip(halves(weights)) {
                let value = _mm256_min_epi16(_mm256_max_epi16(value, zero), one);
                let value = _mm256_slli_epi16::<6>(value);
                let square = _mm256_mulhrs_epi16(value, value);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(square, weight));
            }
        }
        let sum = _mm256_add_epi32(sums[0], sums[1]);
        let four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b00_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn halves(lanes: &Lanes) -> [__m256i; 2] {
        let first = lanes.0.as_ptr().cast::<__m256i>();
        // SAFETY: 32 numbers of 16 bits are two vectors of 256 bits, and `Lanes` is aligned to 64
        // bytes.
        unsafe { [_mm256_load_si256(first), _mm256_load_si256(first.add(1))] }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::{
        i16x8, i16x8_max, i16x8_min, i16x8_q15mulr_sat, i16x8_shl, i16x8_splat, i32x4_add,
        i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, v128,
    };

    use super::{Lanes, QA};

    pub fn output(values: &[Lanes], weights: &[Lanes]) -> i32 {
        let (zero, one) = (i16x8_splat(0), i16x8_splat(QA as i16));
        let mut sums = [i32x4_splat(0); 4];
        for (values, weights) in values.iter().zip(weights) {
            for ((sum, value), weight) in
                sums.iter_mut().zip(quarters(values)).zip(quarters(weights))
            {
                let value = i16x8_shl(i16x8_min(i16x8_max(value, zero), one), 6);
                let square = i16x8_q15mulr_sat(value, value);
                *sum = i32x4_add(*sum, i32x4_dot_i16x8(square, weight));
            }
        }
        let sum = i32x4_add(i32x4_add(sums[0], sums[1]), i32x4_add(sums[2], sums[3]));
        i32x4_extract_lane::<0>(sum)
            + i32x4_extract_lane::<1>(sum)
            + i32x4_extract_lane::<2>(sum)
            + i32x4_extract_lane::<3>(sum)
    }

    /// Splits lanes into four vectors. Each quarter compiles to one load. With `map` in place of the array,
    /// the calls would not be inlined.
    #[inline(always)]
    fn quarters(lanes: &Lanes) -> [v128; 4] {
        [quarter(lanes, 0), quarter(lanes, 8), quarter(lanes, 16), quarter(lanes, 24)]
    }

    #[inline(always)]
    fn quarter(lanes: &Lanes, first: usize) -> v128 {
        let at = |lane: usize| lanes.0[first + lane];
        i16x8(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7))
    }
}
