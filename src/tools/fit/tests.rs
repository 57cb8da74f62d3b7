use super::*;
use crate::eval::classical::{Linear, Linearizer, PARTS, trace};
use crate::geometry::{Board8x8, Board10x10};
use crate::position::Position;
use crate::rules::KingRight;
use crate::start::Rng;
use crate::types::Value;

const SUITE8: &str = include_str!("../../../engine-tests/data/perft/frc.epd");
const SUITE10: &str = include_str!("../../../engine-tests/data/perft/ifrc.epd");

fn halves(params: &Params) -> Vec<[f64; 2]> {
    params.values().iter().map(|score| [f64::from(score.mg), f64::from(score.eg)]).collect()
}

/// Positions from a suite, and from random moves behind them.
fn positions<G: Board>(suite: &str) -> Vec<Position<G>> {
    let mut rng = Rng::new(5);
    let mut positions = Vec::new();
    for line in suite.lines().take(60) {
        let fen = line.split(';').next().unwrap_or(line).trim();
        let mut position = Position::<G>::from_fen(fen, KingRight::Castling).unwrap();
        for _ in 0..12 {
            positions.push(position.clone());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[rng.below(moves.len() as u64) as usize]);
        }
    }
    positions
}

/// The linear form says what the evaluation says, but for rounding.
fn check_linear<G: Board>(positions: &[Position<G>]) {
    let params = Params::of::<G>();
    let (linearizer, values) = (Linearizer::<G>::new(&params), halves(&params));
    let mut live = 0;
    for position in positions {
        let white = f64::from(trace(position).white_value());
        let Some(linear) = linearizer.linear(position) else {
            assert_eq!(white, 0.0, "{position:?}");
            continue;
        };
        live += 1;
        let value = linear.white_value(&values);
        // Each of some thirty pieces is rounded for its square and for its mobility.
        assert!((value - white).abs() < 10.0, "{value} {white} {position:?}");
    }
    assert!(live > 300, "{live} of {}", positions.len());
}

#[test]
fn linear_evaluations_are_evaluations() {
    check_linear(&positions::<Board8x8>(SUITE8));
    check_linear(&positions::<Board10x10>(SUITE10));
}

#[test]
fn coefficients_are_counts() {
    let params = Params::of::<Board8x8>();
    let linearizer = Linearizer::<Board8x8>::new(&params);
    let fen = "4k3/pp6/8/8/8/8/PPP5/4K2R w - - 0 1";
    let position = Position::from_fen(fen, KingRight::Castling).unwrap();
    let linear = linearizer.linear(&position).unwrap();
    let count = |name: &str, index: usize| {
        let number = params.names().iter().position(|known| *known == (name, index)).unwrap();
        let found = linear.coefficients.iter().find(|(found, _)| usize::from(*found) == number);
        found.map_or(0.0, |(_, count)| f64::from(*count) / f64::from(PARTS))
    };
    assert_eq!(count("material", 0), 1.0);
    assert_eq!(count("material", 3), 1.0);
    assert_eq!(count("material", 4), 0.0);
    assert_eq!(count("tempo", 0), 1.0);
    assert_eq!(count("rook_open", 0), 1.0);
    assert_eq!((linear.mg * 24.0).round(), 2.0);
}

/// Samples of a made-up evaluation: a few counts, results drawn by what it predicts.
fn made_up(truth: &[[f64; 2]], scale: f64, seed: u64, rows: usize) -> Samples {
    let mut rng = Rng::new(seed);
    let mut samples = Samples::default();
    for _ in 0..rows {
        let count = |rng: &mut Rng| (rng.below(7) as i16 - 3) * PARTS as i16;
        let coefficients =
            (0..truth.len() as u16).map(|number| (number, count(&mut rng))).collect();
        let mg = rng.below(25) as f32 / 24.0;
        let linear = Linear { coefficients, mg, eg: 1.0 - mg, ..Linear::default() };
        let value = linear.white_value(truth);
        let wins = rng.below(1 << 20) as f64 / f64::from(1 << 20) < model::logistic(value / scale);
        samples.add(&linear, value as Value, f32::from(u8::from(wins)));
    }
    samples
}

#[test]
fn the_truth_behind_noisy_results_is_found() {
    let truth = [[82.0, 100.0], [20.0, -15.0], [0.0, 40.0]];
    let drawn = samples::Drawn {
        samples: [made_up(&truth, 200.0, 1, 40_000), made_up(&truth, 200.0, 2, 5_000)],
        games: 40_000,
    };
    // A wrong beginning of the right size.
    let base = vec![[100.0, 80.0], [0.0, 0.0], [30.0, 10.0]];
    let settings =
        FitSettings { batch: 4_096, lambda: 0.5, prior: 1_000.0, ..FitSettings::default() };
    let (values, scales, before) = descend(&drawn, base, &[false; 3], &settings, &mut |_| {});
    assert!((scales.scores - 200.0).abs() < 10.0, "{scales:?}");
    // Only values against the scale are known.
    let factor = scales.scores / scales.evaluation;
    for (value, truth) in values.iter().flatten().zip(truth.iter().flatten()) {
        assert!((value * factor - truth).abs() < 8.0, "{values:?} {factor}");
    }
    let after = model::loss(&drawn.samples[1], &values, scales, settings.lambda);
    assert!(after < before.validation - 0.001, "{after} {before:?}");
}

#[test]
fn a_narrow_prior_holds_the_parameters() {
    let samples = || made_up(&[[50.0, 50.0]], 200.0, 3, 5_000);
    let fitted = |prior, hold| {
        let drawn = samples::Drawn { samples: [samples(), samples()], games: 100 };
        let settings = FitSettings { prior, batch: 1_024, ..FitSettings::default() };
        // One parameter alone is known only by the scale; a constant sign gives it away.
        descend(&drawn, vec![[50.0, 0.0]], &[hold], &settings, &mut |_| {}).0[0][1]
    };
    let (free, held) = (fitted(1_000.0, false), fitted(0.1, false));
    assert!(free > 20.0 && held.abs() < 2.0, "{free} {held}");
    assert_eq!(fitted(1_000.0, true), 0.0);
}

#[test]
fn tables_replace_tables() {
    let source = include_str!("../../eval/classical/params.rs");
    let params = Params::of::<Board8x8>();
    let changed = params.with_values(&params.values().iter().map(|s| *s + *s).collect::<Vec<_>>());
    let text = replace_table::<Board8x8>(source, &changed).unwrap();
    let before = source.find("pub const BOARD8X8").unwrap();
    assert_eq!(text[..before], source[..before]);
    assert!(text.contains(&table::<Board8x8>(&changed)));
    assert_eq!(text.matches("pub const BOARD8X8").count(), 1);
    assert_eq!(text.lines().last(), source.lines().last());
    // Replaced again by what it was, nothing is left of the change.
    let back = replace_table::<Board8x8>(&text, &params).unwrap();
    assert_eq!(back, replace_table::<Board8x8>(source, &params).unwrap());
    assert_eq!(replace_table::<Board8x8>("fn main() {}", &params), None);
}

#[test]
fn terms_are_held_by_name() {
    let params = Params::of::<Board8x8>();
    let holding = |names: &[&str]| FitSettings {
        hold: names.iter().map(|name| (*name).to_owned()).collect(),
        ..FitSettings::default()
    };
    let all = holding(&["king_square", "tempo"]).held(&params).unwrap();
    let count = all.iter().filter(|held| **held).count();
    assert_eq!((count, all.len()), (9, params.values().len()));
    let error = holding(&["tempi"]).held(&params).unwrap_err().to_string();
    assert!(error.contains("'tempi'") && error.contains("tempo, king_right"), "{error}");
}

#[test]
fn impossible_settings_are_named() {
    let fault = |settings: FitSettings| settings.check().unwrap_err().to_string();
    let usual = FitSettings::default;
    assert!(usual().check().is_ok());
    assert!(fault(FitSettings { lambda: 1.5, ..usual() }).contains("lambda is 1.5"));
    assert!(fault(FitSettings { lambda: f64::NAN, ..usual() }).contains("lambda"));
    assert!(fault(FitSettings { validation: 0.0, ..usual() }).contains("validation"));
    assert!(fault(FitSettings { prior: 0.0, ..usual() }).contains("prior"));
    assert!(fault(FitSettings { batch: 0, ..usual() }).contains("batch"));
}
