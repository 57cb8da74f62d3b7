//! Pearson's test of whether counts are those of a uniform distribution.

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evenness {
    /// As uneven as chance makes it.
    Uniform,
    /// More uneven than one uniform source in a thousand.
    TooUneven,
    /// More even than one random source in a thousand: these draws are no random ones.
    TooEven,
}

/// Judges how often each of several equally likely things came.
///
/// The statistic of k kinds has about the chi-square distribution with k - 1 degrees of freedom;
/// its cube root is nearly normal (Wilson and Hilferty, 1931).
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

/// The test itself can fail: one thing in a hundred that comes half as often again, or a list
/// gone through in order, does not pass.
#[test]
fn tells_bias_from_chance() {
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
