//! Shows the progress of a match while games are played.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use indicatif::{ProgressBar, ProgressStyle};

use super::summary::{llr, wdl, with_error};
use crate::cli::output;
use crate::tools::arena::{GameRecord, MatchPlan, Observer, Standings};

/// Shows the progress of a match. On a terminal, one line is updated after each game; otherwise a line is
/// printed every [`GAMES_A_LINE`] games. Engine failures are always printed.
pub(super) struct Watcher<'a> {
    plan: &'a MatchPlan,
    pub progress: ProgressBar,
    /// Whether standard error is a terminal, on which one progress line is updated after each game.
    live: bool,
    /// The number of finished games when the last progress line was printed.
    last: Mutex<u64>,
    /// The flag that is set to stop the match if printing fails. `None` if the games are saved to files,
    /// because the match then continues.
    unkept: Option<Arc<AtomicBool>>,
}

/// The number of games between two progress lines if standard error is not a terminal.
const GAMES_A_LINE: u64 = 20;

impl<'a> Watcher<'a> {
    pub fn new(plan: &'a MatchPlan, done: usize, unkept: Option<Arc<AtomicBool>>) -> Watcher<'a> {
        let live = std::io::stderr().is_terminal();
        let progress = if live {
            ProgressBar::new(plan.schedule().games() as u64)
        } else {
            ProgressBar::hidden()
        };
        let template = "{bar:24} {pos}/{len} games, {eta} left  {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            progress.set_style(style);
        }
        progress.set_position(done as u64);
        progress.reset_eta();
        Watcher { plan, progress, live, last: Mutex::new(done as u64), unkept }
    }

    /// Formats the standings in one line.
    fn line(&self, standings: &Standings) -> String {
        let [first, _] = standings.rows() else {
            let ranked = standings.ranked();
            let names =
                ranked.iter().map(|row| format!("{} {:.1}%", row.name, 100.0 * row.games.score()));
            return names.collect::<Vec<_>>().join(", ");
        };
        let mut line = wdl(first);
        if let Some(estimate) = first.pairs.estimate() {
            line += &format!("  {} Elo", with_error(estimate.elo, estimate.elo_error));
        }
        if let Some(sprt) = &self.plan.sprt {
            line += &format!("  {}", llr(&first.pairs, sprt));
        }
        line
    }
}

impl Observer for Watcher<'_> {
    fn game(&self, record: &GameRecord, standings: &Standings) {
        if let Some(failure) = &record.failure {
            let (pair, game) = (record.pair + 1, record.game + 1);
            let line =
                format!("game {pair}.{game}: engine '{}' {}", failure.engine, failure.failure);
            self.progress.suspend(|| println!("{line}"));
        }
        self.progress.set_position(standings.games());
        if self.live {
            self.progress.set_message(self.line(standings));
        } else if let Ok(mut last) = self.last.lock()
            && standings.games() >= *last + GAMES_A_LINE
        {
            *last = standings.games();
            println!("{} games  {}", standings.games(), self.line(standings));
        }
        if let Some(stop) = self.unkept.as_ref().filter(|_| output::failed()) {
            stop.store(true, Relaxed);
        }
    }
}
