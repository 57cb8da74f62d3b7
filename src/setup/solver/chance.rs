//! Solves Jepps Random Chess by computing expected values over the dice and the mediator's verdict.
//!
//! For each square two dice offer pieces, and the player picks the best of them. The player may
//! reroll after a double or if no offered piece fits. Rerolling has the same value as the first
//! roll, so the value of a square is a fixed point, which is found by iteration.
//!
//! How exact the values are depends on the state:
//!
//! - **Black places after White's last piece:** the values are exact, with at most 2880 leaves.
//! - **White places, and Black has an empty back rank:** White's dice and choices are exact. The value of
//!   each of White's back ranks is an expectation over the mediator's verdicts: mirror, reverse or Black's
//!   own dice. If few of White's back ranks remain, Black's own dice are exact too. Otherwise they are
//!   replaced by the mean over a sample of back ranks for which Black chooses at random. Ignoring Black's
//!   choices overestimates White's value by about the same amount for all of White's back ranks, so it hardly
//!   affects the order of White's placements.
//! - **Free Play:** the values are exact if few pairs of back ranks remain. Otherwise the other
//!   side's dice and choices are replaced by a sample of its back ranks.
//!
//! Samples are drawn with a fixed seed, so the same state always gives the same sample.

use arrayvec::ArrayVec;

use super::tree::{GameTree, RankNode, SideTree};
use super::{
    Folded, FoldedLine, LeafValue, LeafValuer, Leaves, MOST_CHANCE_LEAVES, Method, Plan,
    SolveRequest, Stop, values_of,
};
use crate::rules::SetupKind;
use crate::setup::{Placement, PlacementList, Setup, rank};
use crate::start::jepps::{self, Roll};
use crate::start::{BackRank, BlackBackRank, PartialBackRank, Rng};
use crate::types::{Color, Role, Value};

/// The minimum and maximum number of back ranks in a sample. Between these bounds, the size follows from the
/// maximum number of leaves.
const SAMPLE: [usize; 2] = [8, 64];
/// The seed with which samples are drawn.
const SEED: u64 = 960;
/// The maximum number of iterations towards a fixed point. Each iteration leaves less than a third
/// of the error. The reason is that at least 26 of the 36 rolls for a square, and 30 of the 36 rolls
/// of the mediator, are final.
const MOST_ITERATIONS: usize = 64;

/// Returns the value of rolling two dice for a square. `choices` holds each piece that fits the square, with
/// its value. `better` returns the value that the player prefers.
fn value_of_rolling(choices: &[(Role, f64)], better: fn(f64, f64) -> f64) -> f64 {
    let Some(best) = choices.iter().map(|(_, value)| *value).reduce(better) else { return 0.0 };
    if choices.len() == 1 {
        return best;
    }
    let of_die = |die| match jepps::face(die) {
        None => Some(best),
        Some(role) => choices.iter().find(|(choice, _)| *choice == role).map(|(_, value)| *value),
    };
    let rolls = Roll::all().map(|roll| {
        let offered = roll.0.into_iter().filter_map(of_die).reduce(better);
        (offered, roll.is_double())
    });
    let rolls: ArrayVec<_, 36> = rolls.collect();
    fixed_point(best, |again| {
        let value = |(offered, double): &(Option<f64>, bool)| match (offered, double) {
            (Some(offered), true) => better(*offered, again),
            (Some(offered), false) => *offered,
            (None, _) => again,
        };
        rolls.iter().map(value).sum::<f64>() / rolls.len() as f64
    })
}

/// Returns the value of the position in which White's back rank is complete and the mediator rolls. The
/// arguments are White's values if Black mirrors, reverses, or rolls dice for its own back rank. Black
/// prefers the lower value.
fn value_of_mediation(mirror: f64, reverse: f64, own: f64) -> f64 {
    fixed_point(own, |again| {
        let value = |roll| {
            let mediation = jepps::mediate(roll);
            let value = MediationValues { mirror, reverse, own, again }.of_verdict(mediation.black);
            if mediation.may_roll_again { value.min(again) } else { value }
        };
        Roll::all().map(value).sum::<f64>() / 36.0
    })
}

fn fixed_point(start: f64, step: impl Fn(f64) -> f64) -> f64 {
    const PRECISION: f64 = 1e-6;
    let mut value = start;
    for _ in 0..MOST_ITERATIONS {
        let next = step(value);
        if (next - value).abs() < PRECISION {
            return next;
        }
        value = next;
    }
    value
}

fn rolled(side: Color, node: &RankNode, value_of: &dyn Fn(u32) -> f64) -> f64 {
    let choices: ArrayVec<(Role, f64), 5> = node
        .next
        .iter()
        .flat_map(|(placement, next)| placement.drops().map(|drop| (drop.role, value_of(*next))))
        .collect();
    match side {
        Color::White => value_of_rolling(&choices, f64::max),
        Color::Black => value_of_rolling(&choices, f64::min),
    }
}

/// How the values of the leaves are combined before the tree of placements is solved.
enum LeafUse {
    /// Each value belongs to one leaf of the tree.
    Leaf,
    /// Each run of N values belongs to one leaf of the tree: a back rank of the side to place, paired with
    /// each of the N back ranks in a sample of the other side's.
    Sample(usize),
    /// Each run of N values belongs to one back rank of White: first the values if Black mirrors and if Black
    /// reverses, then one value for each of Black's own back ranks. With a tree of Black's placements, the
    /// run covers all of Black's back ranks; without a tree, it covers a sample.
    Mediator(usize, Option<GameTree>),
}

pub struct Expectation {
    tree: GameTree,
    leaves: Vec<[BackRank; 2]>,
    leaf_use: LeafUse,
    considered: PlacementList,
}

impl Expectation {
    pub fn new(state: &Setup, considered: &PlacementList) -> Expectation {
        let side = state.side_to_place();
        let plan = match (state.kind(), side) {
            (SetupKind::Jepps, Color::White) => before_mediator(state),
            _ => in_turn(state),
        };
        let (tree, leaves, leaf_use) = plan;
        Expectation { tree, leaves, leaf_use, considered: considered.clone() }
    }

    /// Returns the value of each leaf of the tree. `values` holds the values of the positions that were
    /// searched.
    fn finals(&self, values: &[Value]) -> Vec<f64> {
        match &self.leaf_use {
            LeafUse::Leaf => values.iter().map(|value| f64::from(*value)).collect(),
            LeafUse::Sample(size) => values.chunks(*size).map(mean).collect(),
            LeafUse::Mediator(size, own) => values
                .chunks(*size)
                .map(|chunk| MediationValues::of(chunk, own.as_ref()).again)
                .collect(),
        }
    }
}

impl Plan for Expectation {
    fn method(&self) -> Method {
        match self.leaf_use {
            LeafUse::Leaf | LeafUse::Mediator(_, Some(_)) => Method::Expectation,
            LeafUse::Sample(_) | LeafUse::Mediator(_, None) => Method::SampledExpectation,
        }
    }

    fn leaves(&self) -> &[[BackRank; 2]] {
        &self.leaves
    }

    fn table_size(&self) -> usize {
        self.tree.table_size()
    }

    fn fold(&self, values: &[Value], stop: &Stop) -> Option<Folded> {
        let tables = self.tree.solve(self.finals(values), rolled, stop)?;
        let is_considered =
            |(placement, ..): &(Placement, u32, f64)| self.considered.contains(placement);
        let line = |(placement, _, value): (Placement, u32, f64)| FoldedLine {
            value: value.round() as Value,
            placements: vec![placement],
            leaf: (self.leaves.len() == 1).then_some(0),
        };
        let turns = self.tree.root_turns(&tables).into_iter();
        Some(Folded {
            lines: turns.filter(is_considered).map(line).collect(),
            value_of_rolling: tables.root().map(|value| value.round() as Value),
        })
    }
}

/// The tree of placements, the pairs of back ranks to search, and how their values are combined.
type Parts = (GameTree, Vec<[BackRank; 2]>, LeafUse);

fn side_tree(state: &Setup, color: Color) -> SideTree {
    SideTree::new(state.kind(), color, state.rank(color), None, None)
}

/// Returns what [`Expectation`] needs in Free Play, and for Black's turns after White's last piece.
fn in_turn(state: &Setup) -> Parts {
    let mover = state.side_to_place();
    let sides = Color::ALL.map(|color| side_tree(state, color));
    let [white, black] = [sides[0].finals(), sides[1].finals()];
    if white.len() * black.len() <= MOST_CHANCE_LEAVES {
        let pairs =
            |white: &BackRank| black.iter().map(|black| [*white, *black]).collect::<Vec<_>>();
        let leaves = white.iter().flat_map(pairs).collect();
        return (GameTree::new(state, sides), leaves, LeafUse::Leaf);
    }
    let own = sides[mover.index()].finals();
    let sample = sample(state, !mover, sample_size(own.len(), 0));
    let pair = |own: &BackRank, other: &BackRank| match mover {
        Color::White => [*own, *other],
        Color::Black => [*other, *own],
    };
    let leaves =
        own.iter().flat_map(|own| sample.iter().map(move |other| pair(own, other))).collect();
    let [white, black] = sides;
    let sides = match mover {
        Color::White => [white, SideTree::without_turns()],
        Color::Black => [SideTree::without_turns(), black],
    };
    (GameTree::new(state, sides), leaves, LeafUse::Sample(sample.len()))
}

/// Returns what [`Expectation`] needs while White places in ordinary Jepps Random Chess, before the mediator
/// rolls.
fn before_mediator(state: &Setup) -> Parts {
    let white_tree = side_tree(state, Color::White);
    let white = white_tree.finals();
    let black_tree = side_tree(state, Color::Black);
    let all = black_tree.finals();
    let is_exact = white.len() * (all.len() + 2) <= MOST_CHANCE_LEAVES;
    let own = if is_exact { all } else { sample(state, Color::Black, sample_size(white.len(), 2)) };
    let leaves: Vec<_> = white.iter().flat_map(|white| verdict_leaves(*white, &own)).collect();
    let tree = GameTree::new(state, [white_tree, SideTree::without_turns()]);
    let own_tree = is_exact.then(|| black_alone(state, black_tree));
    (tree, leaves, LeafUse::Mediator(own.len() + 2, own_tree))
}

/// Returns the tree of Black's turns after White's last piece.
fn black_alone(state: &Setup, black: SideTree) -> GameTree {
    let placing = Setup { side: Color::Black, ..*state };
    GameTree::new(&placing, [SideTree::without_turns(), black])
}

/// Returns the pairs of back ranks that the mediator's verdict can lead to. Black's back rank mirrors
/// White's, reverses White's, or is one of the back ranks in `own`.
fn verdict_leaves(white: BackRank, own: &[BackRank]) -> impl Iterator<Item = [BackRank; 2]> {
    [white, white.reversed()]
        .into_iter()
        .chain(own.iter().copied())
        .map(move |black| [white, black])
}

fn sample_size(back_ranks: usize, extra: usize) -> usize {
    let [least, most] = SAMPLE;
    (MOST_CHANCE_LEAVES / back_ranks.max(1)).saturating_sub(extra).clamp(least, most)
}

/// Returns random back ranks that a side can get if it chooses at random among the offered pieces.
/// The dice favour no piece, so on each square each piece that fits is equally likely.
fn sample(state: &Setup, color: Color, size: usize) -> Vec<BackRank> {
    let mut rng = Rng::new(SEED);
    (0..size)
        .filter_map(|_| random_back_rank(state.kind(), color, state.rank(color), &mut rng))
        .collect()
}

/// Returns a random completion of a back rank, or `None` if it cannot be completed legally.
fn random_back_rank(
    kind: SetupKind,
    color: Color,
    rank: &PartialBackRank,
    rng: &mut Rng,
) -> Option<BackRank> {
    let mut rank = *rank;
    while rank.complete().is_none() {
        let placements = rank::placements(kind, color, &rank);
        let chosen = placements.get(rng.below(placements.len() as u64) as usize)?;
        rank = chosen.applied_to(&rank);
    }
    rank.complete()
}

fn mean(values: &[Value]) -> f64 {
    values.iter().map(|value| f64::from(*value)).sum::<f64>() / values.len().max(1) as f64
}

/// The value of each verdict that the mediator can give, in centipawns for White.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MediationValues {
    /// Black mirrors White's back rank.
    pub mirror: f64,
    /// Black reverses White's back rank.
    pub reverse: f64,
    /// Black rolls dice for its own back rank.
    pub own: f64,
    /// The mediator rolls, for the first time or again. Black may reroll a double of the mediator, and should
    /// do so if this value is less than the value of the verdict.
    pub again: f64,
}

impl MediationValues {
    /// Returns the value of a verdict.
    pub const fn of_verdict(&self, verdict: BlackBackRank) -> f64 {
        match verdict {
            BlackBackRank::Mirror => self.mirror,
            BlackBackRank::Reverse => self.reverse,
            BlackBackRank::Own => self.own,
        }
    }

    /// Computes the values of the verdicts after one back rank of White. `values` holds the values of the
    /// leaves in the order of [`verdict_leaves`]. `own` is the tree of Black's placements, or `None` if the
    /// leaves are only a sample of Black's back ranks.
    fn of(values: &[Value], own: Option<&GameTree>) -> MediationValues {
        let (mirror, reverse, rest) = match values {
            [mirror, reverse, rest @ ..] => (f64::from(*mirror), f64::from(*reverse), rest),
            _ => (0.0, 0.0, values),
        };
        let own = match own {
            None => mean(rest),
            Some(tree) => {
                let leaves = rest.iter().map(|value| f64::from(*value)).collect();
                let tables = tree.solve(leaves, rolled, &|| false);
                tables.and_then(|tables| tables.root()).unwrap_or(0.0)
            }
        };
        let again = value_of_mediation(mirror, reverse, own);
        MediationValues { mirror, reverse, own, again }
    }
}

/// Returns the exact value of each verdict that the mediator can give, and the depth of the last complete
/// round. Returns `None` unless White's back rank is complete and Black's is empty. Like
/// [`solve`](super::solve), works in rounds of increasing depth and reports each complete round.
pub fn weigh_verdicts(
    request: &SolveRequest,
    valuer: &dyn LeafValuer,
    report: &mut (dyn FnMut(&MediationValues, u32) + Send),
) -> Option<(MediationValues, u32)> {
    let state = request.state;
    let white = state.rank(Color::White).complete()?;
    if state.kind() != SetupKind::Jepps || *state.rank(Color::Black) != PartialBackRank::EMPTY {
        return None;
    }
    let black = side_tree(state, Color::Black);
    let back_ranks: Vec<_> = verdict_leaves(white, &black.finals()).collect();
    let tree = black_alone(state, black);
    let leaves = Leaves::new(request, &back_ranks, valuer);
    let weigh = |leaves: &[LeafValue]| MediationValues::of(&values_of(leaves), Some(&tree));
    let mut weighed = (weigh(&leaves.estimates(request)?), 0);
    leaves.deepen(request, |depth, values| {
        weighed = (weigh(&values), depth);
        report(&weighed.0, depth);
    });
    Some(weighed)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Hash, random_state, request, setup_after};
    use super::super::{Solution, solve};
    use super::*;
    use crate::rules::Variant;
    use crate::setup::SetupOrGame;

    fn solved(state: &Setup) -> Solution {
        solve(&request(state, 1), &Hash, &mut |_| {}).unwrap()
    }

    fn random_free_play(turns: usize, rng: &mut Rng) -> Setup {
        (0..turns).fold(Setup::empty(SetupKind::JeppsFreePlay), |state, _| {
            let legal = state.legal_placements();
            setup_after(&state, legal[rng.below(legal.len() as u64) as usize])
        })
    }

    /// Returns the expected value for White, for comparison with the solver. The computation uses only public
    /// functions of the placement phase and the dice, and does not merge transpositions.
    fn expectation(phase: &SetupOrGame) -> f64 {
        let state = match phase {
            SetupOrGame::Game(game) => {
                return f64::from(Hash.search(game, 1, &|| false).unwrap().value);
            }
            SetupOrGame::Setup(state) => state,
        };
        let complete = state.rank(Color::White).complete().is_some();
        if state.kind() == SetupKind::Jepps && complete && state.pocket(Color::Black).len() == 8 {
            let verdict = |black| match black {
                BlackBackRank::Own => of_choices(state),
                _ => expectation(&state.after_verdict(black).unwrap()),
            };
            let [mirror, reverse, own] =
                [BlackBackRank::Mirror, BlackBackRank::Reverse, BlackBackRank::Own].map(verdict);
            return value_of_mediation(mirror, reverse, own);
        }
        of_choices(state)
    }

    fn of_choices(state: &Setup) -> f64 {
        let side = state.side_to_place();
        let file = usize::from(state.next_square().unwrap().file());
        let values: Vec<(Role, f64)> = state
            .legal_placements()
            .into_iter()
            .map(|placement| {
                (placement.drops().next().unwrap().role, expectation(&state.after(placement)))
            })
            .collect();
        if let [(_, only)] = values[..] {
            return only;
        }
        let better = if side == Color::White { f64::max } else { f64::min };
        let offers: Vec<_> = Roll::all()
            .map(|roll| jepps::offer(state.rank(side), file, roll).unwrap())
            .map(|offer| {
                let offered = values.iter().filter(|(role, _)| offer.roles.contains(role));
                (offered.map(|(_, value)| *value).reduce(better), offer.may_roll_again)
            })
            .collect();
        let mut value = 0.0;
        for _ in 0..100 {
            let of_offer = |(best, again): &(Option<f64>, bool)| match (best, again) {
                (Some(best), false) => *best,
                (Some(best), true) => better(*best, value),
                (None, _) => value,
            };
            value = offers.iter().map(of_offer).sum::<f64>() / 36.0;
        }
        value
    }

    fn assert_exact(state: &Setup) {
        let fen = state.fen();
        let solution = solved(state);
        assert_eq!(solution.method, Method::Expectation, "{fen}");
        let sign = f64::from(state.side_to_place().sign());
        assert_eq!(solution.lines.len(), state.legal_placements().len());
        for line in &solution.lines {
            let expected = sign * expectation(&state.after(line.placements[0]));
            assert!((f64::from(line.value) - expected).abs() < 0.51, "{fen} {line:?} {expected}");
        }
        let rolling = f64::from(solution.value_of_rolling.unwrap());
        assert!((rolling - sign * of_choices(state)).abs() < 0.51, "{fen} {rolling}");
    }

    #[test]
    fn value_of_rolling_matches_a_hand_calculation() {
        // The king has the value 10, the queen 0. 20 of 36 rolls show a king or a six. 6 rolls show a
        // queen and either another queen or a piece that is not left. The other 10 rolls are
        // rerolled.
        let choices = [(Role::King, 10.0), (Role::Queen, 0.0)];
        assert!((value_of_rolling(&choices, f64::max) - 100.0 / 13.0).abs() < 1e-3);
        assert!((value_of_rolling(&choices, f64::min) - 30.0 / 13.0).abs() < 1e-3);
        assert!((value_of_rolling(&choices[1..], f64::max)).abs() < 1e-9);
    }

    #[test]
    fn value_of_mediation_matches_a_hand_calculation() {
        // x = -60 * 9/36 + 60 * 6/36 + x * 3/36: Black rerolls the three doubles that are bad for Black.
        assert!((value_of_mediation(-60.0, 60.0, 0.0) + 60.0 / 11.0).abs() < 1e-3);
        assert!((value_of_mediation(7.0, 7.0, 7.0) - 7.0).abs() < 1e-9);
    }

    #[test]
    fn matches_plain_expectation() {
        let mut rng = Rng::new(11);
        // After 5, 6 or 7 turns White fills one of its last three squares; after more turns Black fills one
        // of its squares.
        for turns in [5, 6, 7, 9, 11, 15] {
            assert_exact(&random_state(Variant::Jepps, turns, &mut rng));
        }
        for turns in [9, 10, 13] {
            assert_exact(&random_free_play(turns, &mut rng));
        }
    }

    #[test]
    fn early_choices_are_sampled() {
        let mut rng = Rng::new(12);
        let early = [random_state(Variant::Jepps, 0, &mut rng), random_free_play(1, &mut rng)];
        for state in early {
            let solution = solved(&state);
            assert_eq!(solution.method, Method::SampledExpectation);
            assert!(solution.leaves <= MOST_CHANCE_LEAVES, "{}", solution.leaves);
            assert_eq!(solution.lines.len(), state.legal_placements().len());
            assert_eq!(solved(&state), solution);
            // The value before the roll lies between the values of the worst and the best placement.
            let rolling = solution.value_of_rolling.unwrap();
            assert!(rolling <= solution.value());
            assert!(rolling >= solution.lines.last().unwrap().value);
        }
    }

    #[test]
    fn verdicts_match_plain_expectation() {
        let mut rng = Rng::new(13);
        let state = random_state(Variant::Jepps, 8, &mut rng);
        let (verdicts, depth) = weigh_verdicts(&request(&state, 1), &Hash, &mut |_, _| {}).unwrap();
        assert_eq!(depth, 1);
        let of = |black| expectation(&state.after_verdict(black).unwrap());
        assert_eq!(verdicts.mirror, of(BlackBackRank::Mirror));
        assert_eq!(verdicts.reverse, of(BlackBackRank::Reverse));
        assert!((verdicts.own - of_choices(&state)).abs() < 1e-3);
        assert!((verdicts.again - expectation(&SetupOrGame::Setup(state))).abs() < 1e-3);
        let other = random_state(Variant::Jepps, 7, &mut rng);
        assert!(weigh_verdicts(&request(&other, 1), &Hash, &mut |_, _| {}).is_none());
    }
}
