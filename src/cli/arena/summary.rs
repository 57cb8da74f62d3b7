//! Formats the summary of a match as text and as JSON.

use std::time::Duration;

use serde_json::json;

use crate::tools::arena::{MatchPlan, Standings, StandingsRow};
use crate::tools::stats::{Estimate, Pentanomial, Sprt, SprtDecision};

pub(super) fn wdl(row: &StandingsRow) -> String {
    format!("+{} ={} -{}", row.games.wins, row.games.draws, row.games.losses)
}

/// Formats a value with its error, such as `+12.3 +/- 4.5`. Infinite numbers are written as `inf`.
pub(super) fn with_error(value: f64, error: f64) -> String {
    let error = if error.is_finite() { format!("{error:.1}") } else { "inf".to_owned() };
    format!("{value:+.1} +/- {error}")
}

pub(super) fn llr(pairs: &Pentanomial, sprt: &Sprt) -> String {
    let ratio = pairs.log_likelihood_ratio(sprt);
    let (lower, upper) = sprt.bounds();
    let decision = match sprt.decision(ratio) {
        SprtDecision::Continue => "",
        SprtDecision::AcceptElo1 => ", accepted",
        SprtDecision::AcceptElo0 => ", rejected",
    };
    let (elo0, elo1) = (sprt.elo0, sprt.elo1);
    format!("LLR {ratio:+.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}]{decision}")
}

pub(super) fn print_summary(plan: &MatchPlan, standings: &Standings, time: Duration) {
    let [first, others @ ..] = plan.engines.as_slice() else { return };
    let same_limit = others.iter().all(|engine| engine.limit == first.limit);
    let names = plan.engines.iter().map(|engine| match same_limit {
        true => engine.name.clone(),
        false => format!("{} ({})", engine.name, engine.limit),
    });
    let names = names.collect::<Vec<_>>().join(" against ");
    let limit = if same_limit { format!(", {}", first.limit) } else { String::new() };
    println!("{names}: {}{limit}", plan.variant);
    if let [first, _] = standings.rows() {
        print_duel(plan, first);
    } else {
        print_table(standings);
    }
    let games = standings.games().max(1);
    let white = standings.white();
    println!(
        "White  +{} ={} -{}, {:.1} plies a game, {:.0} s",
        white.wins,
        white.draws,
        white.losses,
        standings.plies() as f64 / games as f64,
        time.as_secs_f64()
    );
    let mut endings: Vec<_> = standings.endings().iter().collect();
    endings.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let endings = endings.iter().map(|(reason, count)| format!("{count} {reason}"));
    println!("Ends   {}", endings.collect::<Vec<_>>().join(", "));
    let failures = standings.rows().iter().flat_map(|row| {
        row.failures.iter().map(move |(kind, count)| format!("{} {count} {kind}", row.name))
    });
    let failures = failures.collect::<Vec<_>>().join(", ");
    println!("Failures {}", if failures.is_empty() { "none" } else { &failures });
}

/// Prints all statistics of a match of two engines, from the first engine's point of view.
fn print_duel(plan: &MatchPlan, first: &StandingsRow) {
    let score = 100.0 * first.games.score();
    println!("Games  {}: {} ({score:.1}%)", first.games.games(), wdl(first));
    if let Some(Estimate { elo, elo_error, nelo, nelo_error, superiority, .. }) =
        first.pairs.estimate()
    {
        println!(
            "Elo    {}, nElo {}, LOS {:.1}%",
            with_error(elo, elo_error),
            with_error(nelo, nelo_error),
            100.0 * superiority
        );
        println!("Pairs  {} (LL, LD, WL or DD, WD, WW)", first.pairs);
    }
    if let Some(sprt) = &plan.sprt {
        println!("SPRT   {}", llr(&first.pairs, sprt));
    }
}

fn print_table(standings: &Standings) {
    let rows = standings.ranked();
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(6);
    println!(
        "{:<width$} {:>6} {:>6} {:>6} {:>6} {:>7}  Elo",
        "engine", "games", "won", "drawn", "lost", "score"
    );
    for row in rows {
        let elo = row.pairs.estimate().map_or_else(String::new, |e| with_error(e.elo, e.elo_error));
        println!(
            "{:<width$} {:>6} {:>6} {:>6} {:>6} {:>6.1}%  {elo}",
            row.name,
            row.games.games(),
            row.games.wins,
            row.games.draws,
            row.games.losses,
            100.0 * row.games.score()
        );
    }
}

/// Returns the summary as JSON. Numbers that JSON cannot express, such as an infinite Elo, are null.
pub(super) fn summary(plan: &MatchPlan, standings: &Standings) -> serde_json::Value {
    let rows = standings.rows().iter().map(|row| {
        let estimate = row.pairs.estimate();
        let number = |f: &dyn Fn(&Estimate) -> f64| estimate.as_ref().map(f);
        json!({
            "engine": row.name,
            "wins": row.games.wins,
            "draws": row.games.draws,
            "losses": row.games.losses,
            "pairs": row.pairs.0,
            "elo": number(&|e| e.elo),
            "elo_error": number(&|e| e.elo_error),
            "nelo": number(&|e| e.nelo),
            "nelo_error": number(&|e| e.nelo_error),
            "los": number(&|e| e.superiority),
            "faults": row.failures,
        })
    });
    let rows: Vec<_> = rows.collect();
    let sprt = plan.sprt.as_ref().map(|sprt| {
        let ratio = standings.rows()[0].pairs.log_likelihood_ratio(sprt);
        let (lower, upper) = sprt.bounds();
        json!({"elo0": sprt.elo0, "elo1": sprt.elo1, "llr": ratio, "bounds": [lower, upper]})
    });
    json!({"games": standings.games(), "engines": rows, "endings": standings.endings(), "sprt": sprt})
}
