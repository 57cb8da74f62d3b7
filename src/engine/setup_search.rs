//! What the engine chooses in a set-up: a placement, the mediator's verdict or another roll. The
//! solver works in rounds within the limits of the request, and the main search judges its leaves.

use super::chances::Chances;
use super::report::no_moves;
use super::strength::skill_of;
use super::{Answer, Control, Line, LineListener, Request, Score};
use crate::game::AGAIN;
use crate::geometry::Board8x8;
use crate::host::Instant;
use crate::notation;
use crate::position::Position;
use crate::search::time::Stability;
use crate::search::tt::TranspositionTable;
use crate::search::{Bound, LeafSearch, Limits, Pool, SearchContext, TimeManager};
use crate::setup::solver::{
    self, LeafValue, LeafValuer, MediationValues, Solution, SolveRequest, Stop, weigh_verdicts,
};
use crate::setup::{Placement, PlacementError, Setup, SetupOrGame};
use crate::start::BlackArray;
use crate::types::Value;

/// What a side may do in a set-up: all that rules allow, or what dice and `searchmoves` leave.
pub(super) struct SetupChoice {
    pub state: Setup,
    /// To choose from; all, if empty.
    placements: Vec<Placement>,
    may_roll_again: bool,
    /// Of the mediator's dice, for Black to keep.
    verdict: Option<BlackArray>,
    /// What is wrong with each move to choose from that is passed over.
    pub errors: Vec<PlacementError>,
}

impl SetupChoice {
    /// Reads the moves to choose from, which are those of [`Game::offered`](crate::game::Game::offered).
    pub fn new(state: &Setup, search_moves: &[String]) -> SetupChoice {
        // A first piece of Black's on h8 makes it Free Play, in which it is Black's turn.
        let state = search_moves.first().map_or(*state, |text| state.decided_by(text));
        let (placements, errors, verdict) = (Vec::new(), Vec::new(), None);
        let mut choice = SetupChoice { state, placements, may_roll_again: false, verdict, errors };
        let is_verdict = |verdict: &BlackArray| state.after_verdict(*verdict).is_some();
        for text in search_moves {
            let verdict = BlackArray::named(text);
            match state.read_placement(text) {
                _ if text == AGAIN && state.kind().fills_in_order() => choice.may_roll_again = true,
                _ if verdict.is_some_and(|verdict| is_verdict(&verdict)) => {
                    choice.verdict = verdict
                }
                Ok(placement) => choice.placements.push(placement),
                Err(error) => choice.errors.push(error),
            }
        }
        choice
    }
}

/// A search of the placement game.
pub(super) struct SetupSearch<'a> {
    pub choice: &'a SetupChoice,
    pub limits: &'a Limits,
    pub request: &'a Request,
    pub began: Instant,
    pub control: &'a Control,
    pub listener: &'a dyn LineListener,
}

/// The search as the judge of leaves.
impl LeafValuer for LeafSearch<'_, Board8x8> {
    fn estimate(&self, game: &Position<Board8x8>) -> Value {
        self.evaluate(game)
    }

    /// The context's own flag and count of nodes say when to stop.
    fn search(&self, game: &Position<Board8x8>, depth: u32, _: &Stop) -> Option<LeafValue> {
        let outcome = self.search(game, depth)?;
        Some(LeafValue { value: outcome.score, nodes: outcome.nodes, pv: outcome.pv })
    }
}

impl SetupSearch<'_> {
    /// Searches until a limit is reached or `stop` is set; in infinite and ponder mode the answer
    /// waits for that or `ponderhit`.
    pub fn run(&self, pool: &mut Pool<Board8x8>, table: &TranspositionTable) -> Answer {
        let time = TimeManager::new(self.limits, self.began, self.request.overhead);
        let context = SearchContext {
            skill: self.request.elo.map(|elo| skill_of(elo, self.request.seed)),
            prober: self.request.prober.as_ref(),
            ..SearchContext::new(table, self.limits, &time, self.control)
        };
        let work = |leaves: &LeafSearch<Board8x8>| {
            let rounds = Rounds { search: self, context: &context, leaves };
            match self.choice.verdict {
                Some(verdict) => rounds.keep_or_roll_again(verdict),
                None => rounds.solve(),
            }
        };
        let answer = pool.search_leaves(&context, work);
        answer.unwrap_or(Answer { best: None, ponder: None, nodes: 0 })
    }
}

/// The rounds of the solver, on the threads of the pool.
struct Rounds<'a, 's> {
    search: &'a SetupSearch<'a>,
    context: &'a SearchContext<'a>,
    leaves: &'a LeafSearch<'s, Board8x8>,
}

/// Something that the side can do.
struct Ranked {
    /// For that side.
    value: Value,
    /// What it is, and what should follow.
    pv: Vec<String>,
    /// The same as people read it, if that is wanted.
    san: Vec<String>,
}

impl Ranked {
    fn word(value: Value, word: &str) -> Ranked {
        Ranked { value, pv: vec![word.to_owned()], san: vec![word.to_owned()] }
    }
}

/// What the rounds so far agree on.
#[derive(Default)]
struct Trend {
    best: Option<String>,
    value: Value,
    /// Rounds since the best choice last changed.
    settled_for: u32,
    /// Nodes when a round was last reported.
    reported: Option<u64>,
}

impl Rounds<'_, '_> {
    /// What is to be solved. It ends when `leaves` has ended.
    fn task<'a>(&self, stop: &'a Stop) -> SolveRequest<'a>
    where
        Self: 'a,
    {
        let SetupSearch { choice, limits, .. } = self.search;
        SolveRequest {
            state: &choice.state,
            placements: &choice.placements,
            depth: limits.depth,
            nodes: self.context.node_limit(),
            stop,
        }
    }

    /// Chooses a placement, or to roll again.
    fn solve(&self) -> Answer {
        let mut trend = Trend::default();
        let stop = || self.leaves.has_ended();
        let solution = solver::solve(&self.task(&stop), self.leaves, &mut |solution| {
            self.round(solution.depth, &self.ranked(solution), &mut trend);
        });
        let nodes = self.leaves.nodes();
        let Some(solution) = solution else {
            self.search.listener.line(&no_moves(false, self.context.time.elapsed()));
            return Answer { best: None, ponder: None, nodes };
        };
        let ranked = self.ranked(&solution);
        // A round that was stopped took nodes and time, too; and estimates are not reported.
        if trend.reported != Some(nodes) {
            self.report(solution.depth, &ranked);
        }
        let mut pv = ranked.into_iter().next().map_or_else(Vec::new, |best| best.pv).into_iter();
        Answer { best: pv.next(), ponder: pv.next(), nodes }
    }

    /// Black keeps the mediator's verdict, or has the dice thrown again. Values are White's: Black
    /// minimises.
    fn keep_or_roll_again(&self, verdict: BlackArray) -> Answer {
        let mut trend = Trend::default();
        let stop = || self.leaves.has_ended();
        let ranked = |values: &MediationValues| {
            let of_black = |value: f64| -value.round() as Value;
            let keep = Ranked::word(of_black(values.of_verdict(verdict)), verdict.name());
            let again = Ranked::word(of_black(values.again), AGAIN);
            match self.search.choice.may_roll_again {
                false => vec![keep],
                true if again.value > keep.value => vec![again, keep],
                true => vec![keep, again],
            }
        };
        let weighed = weigh_verdicts(&self.task(&stop), self.leaves, &mut |values, depth| {
            self.round(depth, &ranked(values), &mut trend);
        });
        let nodes = self.leaves.nodes();
        let mut best = verdict.name().to_owned();
        if let Some((values, depth)) = weighed {
            let ranked = ranked(&values);
            if trend.reported != Some(nodes) {
                self.report(depth, &ranked);
            }
            best.clone_from(&ranked[0].pv[0]);
        }
        Answer { best: Some(best), ponder: None, nodes }
    }

    /// What a solution says of each choice, the best first.
    fn ranked(&self, solution: &Solution) -> Vec<Ranked> {
        let line = |line: &solver::SolutionLine| {
            let (pv, san) = self.pv(line);
            Ranked { value: line.value, pv, san }
        };
        let mut ranked: Vec<Ranked> = solution.lines.iter().map(line).collect();
        if self.search.choice.may_roll_again
            && let Some(value) = solution.value_of_rolling
        {
            // A placement that is worth as much comes first.
            let index = ranked.partition_point(|choice| choice.value >= value);
            ranked.insert(index, Ranked::word(value, AGAIN));
        }
        ranked
    }

    /// Reports a round, and ends the search if it is enough.
    fn round(&self, depth: u32, ranked: &[Ranked], trend: &mut Trend) {
        self.report(depth, ranked);
        if self.is_enough(ranked, trend) {
            self.leaves.end();
        }
        trend.reported = Some(self.leaves.nodes());
    }

    /// Whether no further round should begin: one that is not completed counts for nothing, so
    /// that it must have good chances.
    fn is_enough(&self, ranked: &[Ranked], trend: &mut Trend) -> bool {
        let Some(Ranked { value, pv, .. }) = ranked.first() else { return false };
        let score_drop = if trend.best.is_some() { trend.value - value } else { 0 };
        let is_same = trend.best.as_ref() == pv.first();
        trend.settled_for = if is_same { trend.settled_for + 1 } else { 0 };
        (trend.best, trend.value) = (pv.first().cloned(), *value);
        if self.search.limits.mate.is_some() {
            return true; // no set-up has a mate to look for
        }
        if self.search.limits.clock.is_none() {
            return false;
        }
        let stability = Stability {
            iterations: trend.settled_for,
            // All nodes serve all placements, which says nothing about doubts.
            node_share: 1.0,
            score_drop,
            is_forced: ranked.len() == 1,
        };
        self.context.time.is_enough(stability) && !self.context.is_pondering()
    }

    fn report(&self, depth: u32, ranked: &[Ranked]) {
        let wanted = self.search.limits.multi_pv.max(1);
        let (time, chances) = (self.context.time.elapsed(), Chances::of_setup());
        for (index, Ranked { value, pv, san }) in ranked.iter().take(wanted).enumerate() {
            self.search.listener.line(&Line {
                depth: i32::try_from(depth).unwrap_or(i32::MAX),
                selective_depth: self.leaves.selective_depth(),
                multi_pv: index + 1,
                score: Score::new(chances.centipawns(*value)),
                bound: Bound::Exact,
                wdl: chances.win_draw_loss(*value),
                nodes: self.leaves.nodes(),
                time,
                hash_full: self.context.table.hash_full(),
                tablebase_hits: 0,
                pv: pv.clone(),
                san: san.clone(),
            });
        }
    }

    /// The placements of a line and the first moves of the game after them, in UCI notation and,
    /// if that is wanted, in SAN.
    fn pv(&self, line: &solver::SolutionLine) -> (Vec<String>, Vec<String>) {
        let (chess960, listener) = (self.search.request.chess960, self.search.listener);
        let mut phase = SetupOrGame::Setup(self.search.choice.state);
        let mut pv = Vec::new();
        for placement in &line.placements {
            let SetupOrGame::Setup(state) = &phase else { break };
            pv.push(placement.to_string());
            phase = state.after(*placement);
        }
        let mut san = if listener.wants_san() { pv.clone() } else { Vec::new() };
        if let SetupOrGame::Game(mut position) = phase {
            for &mv in &line.game {
                pv.push(notation::uci(&position, mv, chess960));
                if listener.wants_san() {
                    san.push(notation::san(&position, mv));
                }
                position.make(mv);
            }
        }
        (pv, san)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::engine::{Engine, GameEngine, LastLines};
    use crate::rules::Variant;

    /// The choices of the last round, the best first, with their values; and the answer.
    fn ranked(fen: &str, search_moves: &[&str]) -> (Vec<(String, Score)>, String) {
        struct Choices(Mutex<Vec<(String, Score)>>);
        impl LineListener for Choices {
            fn line(&self, line: &Line) {
                assert_eq!(line.bound, Bound::Exact);
                let mut choices = self.0.lock().unwrap();
                choices.truncate(line.multi_pv - 1);
                choices.push((line.pv[0].clone(), line.score));
            }
        }
        let mut engine = GameEngine::new(Variant::Jepps, 1, 1).unwrap();
        engine.set_position(Some(fen), &[]).unwrap();
        let search_moves = search_moves.iter().map(|text| (*text).to_owned()).collect();
        let limits = Limits { multi_pv: 9, ..Limits::depth(1) };
        let request = Request { search_moves, limits, ..Request::default() };
        assert_eq!(engine.check_search_moves(&request), []);
        let choices = Choices(Mutex::default());
        let answer = engine.search(&request, Instant::now(), &Control::default(), &choices);
        (choices.0.into_inner().unwrap(), answer.best.unwrap())
    }

    fn value_of(choices: &[(String, Score)], word: &str) -> Value {
        let found = choices.iter().find(|choice| choice.0 == word);
        let Some((_, Score::Centipawns(value))) = found else { panic!("{word}: {choices:?}") };
        *value
    }

    /// Of a double Black keeps what is worth more to it than another roll, and nothing else.
    #[test]
    fn the_better_of_verdict_and_another_roll_is_chosen() {
        let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/BRRNQNKB[kqrrbbnn] b - - 0 9";
        let decided = ["mirror", "reverse"].map(|verdict| {
            let (choices, best) = ranked(fen, &[verdict, AGAIN]);
            let (keep, again) = (value_of(&choices, verdict), value_of(&choices, AGAIN));
            assert_eq!(best, if again > keep { AGAIN } else { verdict });
            assert_eq!((choices.len(), &choices[0].0), (2, &best));
            (best, again)
        });
        let [mirror, reverse] = decided;
        assert_eq!((mirror.0.as_str(), reverse.0.as_str()), ("mirror", AGAIN));
        assert_eq!(mirror.1, reverse.1, "another roll is worth the same after either double");
        assert_eq!(ranked(fen, &["reverse"]).1, "reverse", "no double");
    }

    /// A search that claims to have a limit must end.
    #[test]
    fn a_search_for_a_mate_ends_after_a_round() {
        let mut engine = GameEngine::new(Variant::FischerBenko, 1, 1).unwrap();
        let fen = "r1b1nbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR[kq] b - - 0 4";
        engine.set_position(Some(fen), &[]).unwrap();
        let request =
            Request { limits: Limits { mate: Some(3), ..Limits::default() }, ..Request::default() };
        assert!(request.is_limited());
        let lines = Mutex::new(LastLines::default());
        let answer = engine.search(&request, Instant::now(), &Control::default(), &lines);
        assert!(answer.best.is_some());
    }

    /// After a double of its own a side rolls again if that is worth more than the best offer.
    #[test]
    fn the_better_of_offer_and_another_roll_is_chosen() {
        let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKR4[QRBNkqrrbbnn] w - - 0 5";
        let (all, best) = ranked(fen, &["Q@e1", "R@e1", "B@e1", "N@e1", AGAIN]);
        let again = value_of(&all, AGAIN);
        assert!(all.is_sorted_by_key(|(word, _)| -value_of(&all, word)), "{all:?}");
        assert_eq!((all.len(), all[0].0 == best, best == AGAIN), (5, true, false));
        for word in ["Q@e1", "R@e1", "B@e1", "N@e1"] {
            let expected = if again > value_of(&all, word) { AGAIN } else { word };
            assert_eq!(ranked(fen, &[word, AGAIN]).1, expected, "{all:?}");
            assert_eq!(ranked(fen, &[word]).1, word);
        }
        let worst = &all[all.len() - 1].0;
        assert_eq!(ranked(fen, &[worst, AGAIN]).1, AGAIN);
    }
}
