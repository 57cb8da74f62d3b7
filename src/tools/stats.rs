//! Statistics of game pairs: the difference in strength between two players, and when to stop a test.
//!
//! Games are played in pairs, from one opening with colours reversed. The pair is the unit of the statistics
//! (the pentanomial model of Fishtest). The results of both games depend on the opening, so counting the
//! games separately would overstate the error. The score of a pair is 0, 1/4, 1/2, 3/4 or 1, from the first
//! player's point of view.
//!
//! Let `m` be the mean and `v` the variance of a pair's score, over `n` pairs.
//!
//! - **Elo** is `-400 log10(1/m - 1)`. Its error is half the distance between the Elo values of
//!   `m ± 1.96 sqrt(v/n)`.
//! - **nElo** (normalized Elo) is `(m - 1/2) / sqrt(2 v) * 800 / ln 10`: the difference in strength in units
//!   of the noise of one game. The nElo alone determines how many games a test needs, whatever the openings.
//! - **LOS** is the likelihood of superiority with a flat prior: `Φ((m - 1/2) / sqrt(v/n))`.
//! - The **SPRT** (A. Wald, 1945) compares two hypotheses: "the difference is `e1`" and "the difference is
//!   `e0`". The test uses their log-likelihood ratio (LLR). For each hypothesis, the test takes the
//!   distribution over the five scores that best explains the results among the distributions that the
//!   hypothesis allows. This is the generalized ratio (M. Van den Bergh, "The generalized maximum likelihood
//!   ratio for the expectation value of a distribution" and "A practical introduction to the GSPRT", for
//!   Fishtest). The test ends when the LLR reaches `ln(beta / (1 - alpha))` or `ln((1 - beta) / alpha)`.
//!
//! fastchess and OpenBench use the same formulas, and our tests contain figures from fastchess. The normal
//! approximation of the logistic model has the LLR `n (s1 - s0) (2 m - s0 - s1) / (2 v)`. For small
//! differences, the approximation agrees closely with [`EloModel::Logistic`]. For one-sided results, the
//! approximation deviates. The tests compare both.

use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

use crate::game::Outcome;
use crate::types::Color;

/// A normally distributed value is within this many standard deviations of the mean with a probability of
/// 95%.
const Z95: f64 = 1.959_963_984_540_054;
/// The possible scores of a pair.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The first player's half points in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points {
    Loss = 0,
    Draw = 1,
    Win = 2,
}

impl Points {
    /// Returns the opponent's points in the same game.
    pub const fn reversed(self) -> Points {
        match self {
            Points::Loss => Points::Win,
            Points::Draw => Points::Draw,
            Points::Win => Points::Loss,
        }
    }
}

impl Outcome {
    /// Returns the points of a side.
    pub fn points(self, color: Color) -> Points {
        match self.winner() {
            None => Points::Draw,
            Some(winner) if winner == color => Points::Win,
            Some(_) => Points::Loss,
        }
    }
}

/// The number of wins, draws and losses in single games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    pub fn add(&mut self, points: Points) {
        match points {
            Points::Loss => self.losses += 1,
            Points::Draw => self.draws += 1,
            Points::Win => self.wins += 1,
        }
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the score from 0 to 1. Without games, the score is one half.
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }
}

/// The numbers of complete pairs in which the first player scored 0, 1/2, 1, 3/2 and 2 points.
///
/// In the notation of fastchess, the pairs are LL, LD, WL or DD, WD, and WW.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Adds a pair. `one` and `other` are the first player's points in the two games.
    pub fn add(&mut self, one: Points, other: Points) {
        self.0[one as usize + other as usize] += 1;
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the frequencies of the five results. Without pairs, all frequencies are equal.
    fn shares(&self) -> [f64; 5] {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 { [0.2; 5] } else { self.0.map(|count| count as f64 / pairs) }
    }

    /// Estimates the difference in strength. Returns `None` if there are no pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return None;
        }
        let (score, variance) = moments(&SCORES, &self.shares());
        let margin = Z95 * (variance / pairs).sqrt();
        let half = |f: &dyn Fn(f64) -> f64| (f(score + margin) - f(score - margin)) / 2.0;
        let nelo = |score: f64| normalized_elo(score, variance);
        let deviations = (score - 0.5) / (variance / pairs).sqrt();
        Some(Estimate {
            score,
            elo: elo(score),
            elo_error: half(&elo),
            nelo: nelo(score),
            nelo_error: half(&nelo),
            superiority: if deviations.is_nan() { 0.5 } else { normal_distribution(deviations) },
        })
    }

    /// Returns the log-likelihood ratio of the hypotheses `elo1` and `elo0`.
    pub fn log_likelihood_ratio(&self, test: &Sprt) -> f64 {
        // A result that never occurred counts as improbable, not as impossible.
        let counts = self.0.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let [zero, one] = [test.elo0, test.elo1].map(|elo| match test.model {
            EloModel::Logistic => with_mean(&seen, expected_score(elo)),
            EloModel::Normalized => with_t_value(&seen, elo * SQRT_2 * LN_10 / 800.0),
        });
        let terms = (0..5).map(|i| seen[i] * (one[i] / zero[i]).ln());
        let ratio = total * terms.sum::<f64>();
        // A ratio of 0 leaves the test undecided, if there are no pairs or if no distribution satisfies a
        // hypothesis.
        if self.pairs() > 0 && ratio.is_finite() { ratio } else { 0.0 }
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [ll, ld, even, wd, ww] = self.0;
        write!(f, "[{ll}, {ld}, {even}, {wd}, {ww}]")
    }
}

/// An estimate of the first player's strength relative to the second player's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The score from 0 to 1.
    pub score: f64,
    /// The difference in Elo. Infinite if every game was won or every game was lost.
    pub elo: f64,
    /// The error of `elo`: half the width of the 95% confidence interval.
    pub elo_error: f64,
    pub nelo: f64,
    pub nelo_error: f64,
    /// The likelihood of superiority, from 0 to 1.
    pub superiority: f64,
}

/// The unit of the Elo differences in the hypotheses of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum EloModel {
    /// Normalized Elo, the default of fastchess and OpenBench.
    #[default]
    Normalized,
    /// Logistic Elo, the common unit.
    Logistic,
}

/// A sequential probability ratio test of two hypotheses about the difference in strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// The probability of accepting `elo1` although `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` although `elo1` is true.
    pub beta: f64,
    pub model: EloModel,
}

/// The decision of a test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtDecision {
    Continue,
    /// The test accepts the hypothesis `elo0`.
    AcceptElo0,
    /// The test accepts the hypothesis `elo1`.
    AcceptElo1,
}

impl Sprt {
    /// Creates a test with a probability of 5% for either error.
    pub const fn new(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// Returns the log-likelihood ratios at which the test accepts `elo0` and `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the decision for a log-likelihood ratio.
    pub fn decision(&self, ratio: f64) -> SprtDecision {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            SprtDecision::AcceptElo1
        } else if ratio <= lower {
            SprtDecision::AcceptElo0
        } else {
            SprtDecision::Continue
        }
    }
}

/// Returns the Elo difference that corresponds to a score. The difference is infinite for scores of 0 and 1.
pub fn elo(score: f64) -> f64 {
    match score {
        score if score <= 0.0 => f64::NEG_INFINITY,
        score if score >= 1.0 => f64::INFINITY,
        score => 400.0 * (score / (1.0 - score)).log10(),
    }
}

/// Returns the expected score for an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

fn normalized_elo(score: f64, variance: f64) -> f64 {
    let in_deviations = (score - 0.5) / (2.0 * variance).sqrt();
    // If all pairs were even, the variance and the difference are zero, and their quotient is NaN.
    if in_deviations.is_nan() { 0.0 } else { in_deviations * 800.0 / LN_10 }
}

fn normal_distribution(x: f64) -> f64 {
    (1.0 + libm::erf(x / SQRT_2)) / 2.0
}

/// Returns the mean and the variance of values that have these probabilities.
fn moments(values: &[f64; 5], shares: &[f64; 5]) -> (f64, f64) {
    let mean_of = |f: &dyn Fn(f64) -> f64| -> f64 {
        values.iter().zip(shares).map(|(&value, share)| share * f(value)).sum()
    };
    let mean = mean_of(&|value| value);
    (mean, mean_of(&|value| (value - mean).powi(2)))
}

/// Returns the distribution that best explains the observed frequencies `seen`, among the distributions for
/// which the expectation of `weights` is zero. The distribution is `p / (1 + x w)` with a suitable `x` (Van
/// den Bergh, proposition 1.1).
fn with_zero_mean(seen: &[f64; 5], weights: &[f64; 5]) -> [f64; 5] {
    let (low, high) = weights
        .iter()
        .fold((f64::MAX, f64::MIN), |(low, high), &weight| (low.min(weight), high.max(weight)));
    // Between the poles, the sum of `p w / (1 + x w)` falls from plus to minus infinity, so bisection finds
    // its root.
    let (mut left, mut right) = (-1.0 / high, -1.0 / low);
    for _ in 0..200 {
        let x = f64::midpoint(left, right);
        let sum: f64 = seen.iter().zip(weights).map(|(p, w)| p * w / (1.0 + x * w)).sum();
        *(if sum > 0.0 { &mut left } else { &mut right }) = x;
    }
    let x = f64::midpoint(left, right);
    std::array::from_fn(|i| seen[i] / (1.0 + x * weights[i]))
}

/// Returns the most likely distribution with this mean.
fn with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    with_zero_mean(seen, &SCORES.map(|score| score - mean))
}

/// Returns the most likely distribution whose mean is `t` standard deviations from one half. The condition is
/// linearised repeatedly (Van den Bergh, "Normalized Elo").
fn with_t_value(seen: &[f64; 5], t: f64) -> [f64; 5] {
    let mut solution = [0.2; 5];
    for _ in 0..50 {
        let (mean, variance) = moments(&SCORES, &solution);
        let sigma = variance.sqrt();
        let weight =
            |score: f64| score - 0.5 - t * sigma * (1.0 + ((mean - score) / sigma).powi(2)) / 2.0;
        let next = with_zero_mean(seen, &SCORES.map(weight));
        let change = (0..5).map(|i| (next[i] - solution[i]).abs()).fold(0.0, f64::max);
        solution = next;
        if change < 1e-12 {
            break;
        }
    }
    solution
}

#[cfg(test)]
#[path = "stats_tests.rs"]
mod tests;
