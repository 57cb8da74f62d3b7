//! Searches placement phases: chooses a placement, accepts the mediator's verdict, or decides to
//! reroll. The solver works in rounds within the limits of the request. The main search evaluates the
//! leaves.

use super::chances::Chances;
use super::report::Reporter;
use super::strength::skill_of;
use super::{Control, SearchInfo};
use crate::game::AGAIN;
use crate::geometry::Board8x8;
use crate::host::Instant;
use crate::notation;
use crate::position::Position;
use crate::search::time::Stability;
use crate::search::tt::TranspositionTable;
use crate::search::{LeafSearch, Limits, Pool, SearchContext, TimeManager};
use crate::setup::solver::{
    self, LeafValue, LeafValuer, MediationValues, Solution, SolveRequest, Stop, weigh_verdicts,
};
use crate::setup::{Placement, PlacementError, Setup, SetupOrGame};
use crate::start::BlackBackRank;
use crate::types::{Bound, Score, Value};

/// The choices of a side in a placement phase: all choices that the rules allow, or only those that
/// the dice and `searchmoves` leave.
pub(super) struct SetupChoice {
    pub state: Setup,
    /// The placements to choose from. An empty list means all legal placements.
    placements: Vec<Placement>,
    may_roll_again: bool,
    /// The mediator's verdict, if Black has to decide whether to accept a verdict.
    verdict: Option<BlackBackRank>,
    /// The errors of the search moves that were skipped.
    pub errors: Vec<PlacementError>,
}

impl SetupChoice {
    /// Parses the search moves of a request, which are written as in
    /// [`Game::offered`](crate::game::Game::offered).
    pub fn new(state: &Setup, search_moves: &[String]) -> SetupChoice {
        // A search move on h8 after White's first piece means Free Play, in which Black is to place now.
        let state = search_moves.first().map_or(*state, |text| state.decided_by(text));
        let (placements, errors, verdict) = (Vec::new(), Vec::new(), None);
        let mut choice = SetupChoice { state, placements, may_roll_again: false, verdict, errors };
        let is_verdict = |verdict: &BlackBackRank| state.after_verdict(*verdict).is_some();
        for text in search_moves {
            let verdict = BlackBackRank::named(text);
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

/// The result of a search: the best choice, the expected reply, and the number of nodes.
type Found = (Option<String>, Option<String>, u64);

/// A search of a placement phase.
pub(super) struct SetupSearch<'a> {
    pub choice: &'a SetupChoice,
    pub limits: &'a Limits,
    pub began: Instant,
    pub control: &'a Control,
    pub reporter: &'a Reporter<'a>,
}

/// Lets the main search evaluate the leaves.
impl LeafValuer for LeafSearch<'_, Board8x8> {
    fn estimate(&self, game: &Position<Board8x8>) -> Value {
        self.evaluate(game)
    }

    /// Ignores `stop`, because the search context has its own stop flag and node count.
    fn search(&self, game: &Position<Board8x8>, depth: u32, _: &Stop) -> Option<LeafValue> {
        let outcome = self.search(game, depth)?;
        Some(LeafValue { value: outcome.score, nodes: outcome.nodes, pv: outcome.pv().to_vec() })
    }
}

impl SetupSearch<'_> {
    /// Searches until a limit is reached or `stop` is set. A pondering search does not return before
    /// `stop` or `ponderhit`.
    pub fn run(&self, pool: &mut Pool<Board8x8>, table: &TranspositionTable) -> Found {
        let (request, side) = (self.reporter.request, self.choice.state.side_to_place());
        let time = TimeManager::new(self.limits, side, self.began, request.overhead);
        let context = SearchContext {
            skill: request.elo.map(|elo| skill_of(elo, request.seed)),
            prober: request.prober.as_ref(),
            ..SearchContext::new(table, self.limits, &time, self.control)
        };
        let work = |leaves: &LeafSearch<Board8x8>| {
            let rounds = Rounds { search: self, context: &context, leaves };
            match self.choice.verdict {
                Some(verdict) => rounds.accept_or_reroll(verdict),
                None => rounds.solve(),
            }
        };
        pool.search_leaves(&context, work).unwrap_or_default()
    }
}

/// Runs the rounds of the solver on the threads of the pool.
struct Rounds<'a, 's> {
    search: &'a SetupSearch<'a>,
    context: &'a SearchContext<'a>,
    leaves: &'a LeafSearch<'s, Board8x8>,
}

/// A choice and its value.
struct Ranked {
    /// The value for the side that chooses.
    value: Value,
    /// The choice and the expected continuation.
    pv: Vec<String>,
    /// The PV in SAN, if the request asks for SAN.
    san: Vec<String>,
}

impl Ranked {
    fn word(value: Value, word: &str) -> Ranked {
        Ranked { value, pv: vec![word.to_owned()], san: vec![word.to_owned()] }
    }
}

/// The stability of the result over the rounds so far.
#[derive(Default)]
struct Trend {
    best: Option<String>,
    value: Value,
    /// The number of rounds since the best choice changed.
    settled_for: u32,
    /// The node count at the time of the last report.
    reported: Option<u64>,
}

impl Rounds<'_, '_> {
    /// Returns the request to the solver.
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

    /// Chooses a placement or a reroll.
    fn solve(&self) -> Found {
        let mut trend = Trend::default();
        let stop = || self.leaves.has_ended();
        let solution = solver::solve(&self.task(&stop), self.leaves, &mut |solution| {
            self.round(solution.depth, &self.ranked(solution), &mut trend);
        });
        let nodes = self.leaves.nodes();
        let Some(solution) = solution else {
            let time = self.context.time.elapsed();
            self.search.reporter.report(SearchInfo::no_moves(false, time));
            return (None, None, nodes);
        };
        let ranked = self.ranked(&solution);
        // Report again if an incomplete round has added nodes since the last report, or if nothing
        // has been reported yet because no round was completed.
        if trend.reported != Some(nodes) {
            self.report(solution.depth, &ranked);
        }
        let mut pv = ranked.into_iter().next().map_or_else(Vec::new, |best| best.pv).into_iter();
        (pv.next(), pv.next(), nodes)
    }

    /// Decides whether Black accepts the mediator's verdict or has the dice rerolled.
    fn accept_or_reroll(&self, verdict: BlackBackRank) -> Found {
        let mut trend = Trend::default();
        let stop = || self.leaves.has_ended();
        let ranked = |values: &MediationValues| {
            let of_black = |value: f64| -value.round() as Value;
            let accept = Ranked::word(of_black(values.of_verdict(verdict)), verdict.name());
            let reroll = Ranked::word(of_black(values.again), AGAIN);
            match self.search.choice.may_roll_again {
                false => vec![accept],
                true if reroll.value > accept.value => vec![reroll, accept],
                true => vec![accept, reroll],
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
        (Some(best), None, nodes)
    }

    /// Returns the choices of a solution, best first.
    fn ranked(&self, solution: &Solution) -> Vec<Ranked> {
        let line = |line: &solver::SolutionLine| {
            let (pv, san) = self.pv(line);
            Ranked { value: line.value, pv, san }
        };
        let mut ranked: Vec<Ranked> = solution.lines.iter().map(line).collect();
        if self.search.choice.may_roll_again
            && let Some(value) = solution.value_of_rolling
        {
            // Placements with the same value come before the reroll.
            let index = ranked.partition_point(|choice| choice.value >= value);
            ranked.insert(index, Ranked::word(value, AGAIN));
        }
        ranked
    }

    /// Reports a round, and ends the search if no further round should begin.
    fn round(&self, depth: u32, ranked: &[Ranked], trend: &mut Trend) {
        self.report(depth, ranked);
        if self.is_enough(ranked, trend) {
            self.leaves.end();
        }
        trend.reported = Some(self.leaves.nodes());
    }

    /// Whether the search should end after this round. An incomplete round is discarded, so a round
    /// should begin only if it is likely to be completed.
    fn is_enough(&self, ranked: &[Ranked], trend: &mut Trend) -> bool {
        let Some(Ranked { value, pv, .. }) = ranked.first() else { return false };
        let score_drop = if trend.best.is_some() { trend.value - value } else { 0 };
        let is_same = trend.best.as_ref() == pv.first();
        trend.settled_for = if is_same { trend.settled_for + 1 } else { 0 };
        (trend.best, trend.value) = (pv.first().cloned(), *value);
        if self.search.limits.mate.is_some() {
            return true; // the placement phase has no mates
        }
        let stability = Stability {
            iterations: trend.settled_for,
            // The solver searches all placements to the same depth, so the node share of the best
            // placement does not measure stability.
            node_share: 1.0,
            score_drop,
            is_forced: ranked.len() == 1,
        };
        self.context.time.is_enough(stability, self.leaves.nodes()) && !self.context.is_pondering()
    }

    fn report(&self, depth: u32, ranked: &[Ranked]) {
        let wanted = self.search.limits.multi_pv.max(1);
        let (time, chances) = (self.context.time.elapsed(), Chances::of_setup());
        for (index, Ranked { value, pv, san }) in ranked.iter().take(wanted).enumerate() {
            self.search.reporter.report(SearchInfo {
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

    /// Returns the placements of a line and the first moves of the game, in UCI notation and in SAN.
    /// The SAN is empty unless the request asks for SAN.
    fn pv(&self, line: &solver::SolutionLine) -> (Vec<String>, Vec<String>) {
        let request = self.search.reporter.request;
        let mut phase = SetupOrGame::Setup(self.search.choice.state);
        let mut pv = Vec::new();
        for placement in &line.placements {
            let SetupOrGame::Setup(state) = &phase else { break };
            pv.push(placement.to_string());
            phase = state.after(*placement);
        }
        let mut san = if request.san { pv.clone() } else { Vec::new() };
        if let SetupOrGame::Game(mut position) = phase {
            for &mv in &line.game {
                pv.push(notation::uci(&position, mv, request.chess960));
                if request.san {
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
    use super::*;
    use crate::engine::{Engine, GameEngine, SearchRequest};
    use crate::rules::Variant;

    /// Searches a position. Returns the choices of the last round with their values, best first, and
    /// the move that the search chose.
    fn ranked(fen: &str, search_moves: &[&str]) -> (Vec<(String, Score)>, String) {
        let mut engine = GameEngine::new(Variant::Jepps, 1, 1).unwrap();
        engine.set_position(Some(fen), &[]).unwrap();
        let search_moves = search_moves.iter().map(|text| (*text).to_owned()).collect();
        let limits = Limits { multi_pv: 9, ..Limits::depth(1) };
        let request = SearchRequest { search_moves, ..SearchRequest::new(limits) };
        assert_eq!(engine.check_search_moves(&request), []);
        let found = engine.search(&request, Instant::now(), &Control::default(), &());
        let choice = |line: &SearchInfo| {
            assert_eq!(line.bound, Bound::Exact);
            (line.pv[0].clone(), line.score)
        };
        (found.lines.iter().map(choice).collect(), found.best.unwrap())
    }

    fn value_of(choices: &[(String, Score)], word: &str) -> Value {
        let found = choices.iter().find(|choice| choice.0 == word);
        let Some((_, Score::Centipawns(value))) = found else { panic!("{word}: {choices:?}") };
        *value
    }

    /// After a double of the mediator, Black must choose the better of verdict and reroll.
    #[test]
    fn chooses_the_better_of_verdict_and_reroll() {
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
        assert_eq!(mirror.1, reverse.1, "a reroll has the same value after either double");
        assert_eq!(ranked(fen, &["reverse"]).1, "reverse", "no reroll without a double");
    }

    #[test]
    fn a_search_for_a_mate_ends_after_a_round() {
        let mut engine = GameEngine::new(Variant::FischerBenko, 1, 1).unwrap();
        let fen = "r1b1nbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR[kq] b - - 0 4";
        engine.set_position(Some(fen), &[]).unwrap();
        let request = SearchRequest::new(Limits { mate: Some(3), ..Limits::default() });
        assert!(request.limits.is_limited());
        let found = engine.search(&request, Instant::now(), &Control::default(), &());
        assert!(found.best.is_some());
    }

    /// After a double, a side must reroll if rerolling is better than the best of the offered pieces.
    #[test]
    fn chooses_the_better_of_offer_and_reroll() {
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
