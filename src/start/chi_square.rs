//! Pearson's chi-square test of whether counts come from a uniform distribution.

/// The result of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evenness {
    /// Consistent with a uniform distribution.
    Uniform,
    /// More uneven than 999 of 1,000 uniform samples.
    TooUneven,
    /// More even than 999 of 1,000 random samples: the draws are not independent.
    TooEven,
}

/// Tests how often each of several equally likely outcomes occurred.
///
/// With k outcomes the statistic has approximately the chi-square distribution with k - 1 degrees
/// of freedom, whose cube root is nearly normal (Wilson and Hilferty, 1931).
pub fn judge(counts: &[u32]) -> Evenness {
    let freedom = counts.len() as f64 - 1.0;
    let expected = counts.iter().map(|count| f64::from(*count)).sum::<f64>() / counts.len() as f64;
    assert!(expected >= 5.0, "too few draws for the test: {expected} of each");
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

/// Checks that the test detects both one outcome in a hundred that occurs half as often again, and
/// counts that are all equal.
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
