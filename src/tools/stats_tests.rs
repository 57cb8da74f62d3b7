//! Tests of the statistics, with figures from fastchess and from manual calculation.

use super::*;

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[test]
fn pairs_are_counted_by_their_points() {
    use Points::{Draw, Loss, Win};
    let mut pairs = Pentanomial::default();
    for (one, other) in
        [(Loss, Loss), (Loss, Draw), (Win, Loss), (Draw, Draw), (Draw, Win), (Win, Win)]
    {
        pairs.add(one, other);
        pairs.add(other.reversed(), one.reversed());
    }
    assert_eq!(pairs, Pentanomial([2, 2, 4, 2, 2]));
    assert_eq!(pairs.to_string(), "[2, 2, 4, 2, 2]");
}

/// The expected values are calculated by hand. There are 10 pairs, [1, 2, 3, 2, 2]. The mean is (0 + 0.5 +
/// 1.5 + 1.5 + 2) / 10 = 0.55. The mean of the squares is (0.125 + 0.75 + 1.125 + 2) / 10 = 0.4, so the
/// variance is 0.4 - 0.3025 = 0.0975. The standard error is sqrt(0.00975) = 0.0987421, and the interval is
/// 0.55 ± 0.1935309.
#[test]
fn estimates_match_a_calculation_by_hand() {
    let estimate = Pentanomial([1, 2, 3, 2, 2]).estimate().unwrap();
    close(estimate.score, 0.55, 1e-12);
    // -400 log10(0.45 / 0.55)
    close(estimate.elo, 34.860_07, 1e-5);
    // (-400 log10(0.2564691 / 0.7435309) + 400 log10(0.6435309 / 0.3564691)) / 2
    close(estimate.elo_error, 143.762_33, 1e-4);
    // 0.05 / sqrt(0.195) * 347.4355856
    close(estimate.nelo, 39.339_33, 1e-5);
    close(estimate.nelo_error, 0.193_530_9 / 0.195_f64.sqrt() * 347.435_585_6, 1e-3);
    // Φ(0.05 / 0.0987421) = Φ(0.506369)
    close(estimate.superiority, 0.693_70, 1e-4);
}

/// The figures are from fastchess 1.x (`app/tests/elo_test.cpp`), rounded to two digits.
#[test]
fn estimates_match_fastchess() {
    let rows = [
        ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65, 1.0),
        ([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33, 0.0505),
        ([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95, 0.0),
    ];
    for (counts, nelo, nelo_error, elo, elo_error, superiority) in rows {
        let estimate = Pentanomial(counts).estimate().unwrap();
        close(estimate.nelo, nelo, 0.006);
        close(estimate.nelo_error, nelo_error, 0.006);
        close(estimate.elo, elo, 0.006);
        close(estimate.elo_error, elo_error, 0.006);
        close(estimate.superiority, superiority, 6e-5);
    }
}

/// The figures are from fastchess 1.x (`app/tests/sprt_test.cpp`), rounded to two digits.
#[test]
fn log_likelihood_ratios_match_fastchess() {
    let rows = [
        ([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, EloModel::Normalized, 2.25),
        ([127, 4_883, 10_712, 5_150, 104], -1.75, 0.25, EloModel::Normalized, 3.01),
        ([0, 0, 0, 0, 5_550], 0.0, 5.0, EloModel::Normalized, 111.82),
        ([223, 9_863, 21_279, 10_037, 246], 0.5, 2.5, EloModel::Logistic, -3.07),
        ([871, 26_175, 55_983, 26_678, 821], 0.0, 2.0, EloModel::Logistic, -4.98),
    ];
    for (counts, elo0, elo1, model, expected) in rows {
        let ratio = Pentanomial(counts).log_likelihood_ratio(&Sprt::new(elo0, elo1, model));
        close(ratio, expected, expected.abs() * 0.005);
    }
}

/// Compares with the formulas of an independent match runner, which computes the same Elo and error, but the
/// LLR of the normal approximation.
#[test]
fn estimates_match_the_independent_runner() {
    for counts in [[12, 40, 101, 55, 17], [3, 9, 20, 8, 2], [90, 400, 1_000, 420, 95]] {
        let pairs = Pentanomial(counts);
        let (n, (mean, variance)) = (pairs.pairs() as f64, moments(&SCORES, &pairs.shares()));
        let half = 1.96 * (variance / n).sqrt();
        let estimate = pairs.estimate().unwrap();
        close(estimate.elo, elo(mean), 1e-9);
        close(estimate.elo_error, (elo(mean + half) - elo(mean - half)) / 2.0, 0.01);
        let (s0, s1) = (expected_score(0.0), expected_score(5.0));
        let theirs = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ours = pairs.log_likelihood_ratio(&Sprt::new(0.0, 5.0, EloModel::Logistic));
        close(ours, theirs, 0.02 + theirs.abs() * 0.02);
    }
}

#[test]
fn the_log_likelihood_ratio_is_antisymmetric_and_zero_halfway() {
    for model in [EloModel::Normalized, EloModel::Logistic] {
        let even = Pentanomial([10, 30, 50, 30, 10]);
        close(even.log_likelihood_ratio(&Sprt::new(-5.0, 5.0, model)), 0.0, 1e-9);
        let better = Pentanomial([5, 20, 50, 40, 15]);
        let worse = Pentanomial([15, 40, 50, 20, 5]);
        let test = Sprt::new(-5.0, 5.0, model);
        let ratio = better.log_likelihood_ratio(&test);
        assert!(ratio > 0.5);
        close(worse.log_likelihood_ratio(&test), -ratio, 1e-9);
    }
}

#[test]
fn a_test_ends_at_its_bounds() {
    let test = Sprt::new(0.0, 5.0, EloModel::Normalized);
    let (lower, upper) = test.bounds();
    close(lower, -(19_f64.ln()), 1e-12);
    close(upper, 19_f64.ln(), 1e-12);
    assert_eq!(test.decision(2.94), SprtDecision::Continue);
    assert_eq!(test.decision(2.95), SprtDecision::AcceptElo1);
    assert_eq!(test.decision(-2.95), SprtDecision::AcceptElo0);
}

#[test]
fn few_or_one_sided_results_give_finite_values() {
    assert_eq!(Pentanomial::default().estimate(), None);
    let test = Sprt::new(0.0, 5.0, EloModel::Normalized);
    assert_eq!(Pentanomial::default().log_likelihood_ratio(&test), 0.0);
    let beyond = Sprt::new(-1e6, 1e6, EloModel::Normalized);
    assert_eq!(Pentanomial([1, 2, 3, 2, 1]).log_likelihood_ratio(&beyond), 0.0);
    let swept = Pentanomial([0, 0, 0, 0, 3]).estimate().unwrap();
    assert_eq!((swept.elo, swept.superiority), (f64::INFINITY, 1.0));
    let level = Pentanomial([0, 0, 3, 0, 0]).estimate().unwrap();
    assert_eq!((level.elo, level.elo_error, level.superiority), (0.0, 0.0, 0.5));
    for pairs in [[0, 0, 3, 0, 0], [0, 0, 0, 0, 1], [1, 0, 0, 0, 0]] {
        assert!(Pentanomial(pairs).log_likelihood_ratio(&test).is_finite(), "{pairs:?}");
    }
}

#[test]
fn a_tally_has_a_score() {
    let mut tally = Tally::default();
    close(tally.score(), 0.5, 0.0);
    for points in [Points::Win, Points::Win, Points::Draw, Points::Loss] {
        tally.add(points);
    }
    close(tally.score(), 0.625, 1e-12);
    assert_eq!(tally.games(), 4);
}

#[test]
fn a_win_is_a_loss_for_the_opponent() {
    for result in Outcome::ALL {
        assert_eq!(result.points(Color::White), result.points(Color::Black).reversed());
    }
    assert_eq!(Outcome::won_by(Color::Black).points(Color::Black), Points::Win);
    assert_eq!(Outcome::won_by(Color::White).to_string(), "1-0");
}
