//! Pearson's chi-square test of whether counts come from a uniform distribution.

/// The result of a chi-square test for a uniform distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evenness {
    /// The counts are consistent with a uniform distribution.
    Uniform,
    /// The counts are more uneven than in 999 of 1,000 samples of a uniform distribution.
    TooUneven,
    /// The counts are more even than in 999 of 1,000 samples of a uniform distribution, so the draws are not
    /// independent.
    TooEven,
}

/// Tests whether the counts of several outcomes agree with a uniform distribution.
///
/// With k outcomes the statistic has approximately the chi-square distribution with k - 1 degrees
/// of freedom. The cube root of this distribution is nearly normal (Wilson and Hilferty, 1931).
pub fn judge(counts: &[u32]) -> Evenness {
    let freedom = counts.len() as f64 - 1.0;
    let expected = counts.iter().map(|count| f64::from(*count)).sum::<f64>() / counts.len() as f64;
    assert!(expected >= 5.0, "too few draws for the test: only {expected} expected per outcome");
    if freedom == 0.0 {
        return Evenness::Uniform;
    }
    let statistic: f64 =
        counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    let variance = 2.0 / (9.0 * freedom);
    let deviation = ((statistic / freedom).cbrt() - (1.0 - variance)) / variance.sqrt();
    match deviation {
        3.09.. => Evenness::TooUneven,
        ..=-3.09 => Evenness::TooEven,
        _ => Evenness::Uniform,
    }
}

/// Checks that the test detects two kinds of wrong counts: one of a hundred outcomes occurs 50 % too
/// often, or all counts are equal.
#[test]
fn detects_bias_and_excessive_evenness() {
    let mut rng = super::Rng::new(1);
    let mut counts = [0; 100];
    for _ in 0..100_000 {
        counts[rng.below(100) as usize] += 1;
    }
    assert_eq!(judge(&counts), Evenness::Uniform);
    counts[17] += counts[17] / 2;
    assert_eq!(judge(&counts), Evenness::TooUneven);
    assert_eq!(judge(&[1_000; 100]), Evenness::TooEven);
}
