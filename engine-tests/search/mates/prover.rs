//! Finds the length of the shortest mate by trying every move of both sides.
//!
//! The prover uses only the rules: no evaluation, no pruning, no limit on checks. Moves are ordered
//! (checks and few replies first, the reply that last refuted a mate first) and positions are
//! stored by their 64-bit keys, which makes mates in five affordable. Clocks and repetitions are
//! ignored: a shortest mate repeats nothing, and the positions of the test are far from the
//! fifty-move rule.

use std::collections::HashMap;

use aleator::geometry::Board;
use aleator::position::Position;
use aleator::types::Move;

/// The prover has used up its budget of positions.
#[derive(Debug)]
pub struct GaveUp;

/// The known bounds for a position: no mate within `none` moves, but one within `some`.
#[derive(Clone, Copy)]
struct Known {
    none: u32,
    some: u32,
}

/// Proves mates in one position and those after it.
pub struct Prover {
    known: HashMap<u64, Known>,
    /// The replies that last refuted a mate, by the number of moves left after them.
    refutations: Vec<Option<Move>>,
    /// How many more positions may be checked for a mate in one.
    budget: u64,
}

impl Prover {
    /// Returns a prover without a budget.
    pub fn tireless() -> Prover {
        Prover::with_budget(u64::MAX)
    }

    /// Returns a prover that gives up after checking this many positions for a mate in one.
    pub fn with_budget(budget: u64) -> Prover {
        Prover { known: HashMap::new(), refutations: Vec::new(), budget }
    }

    /// Returns the length of the shortest mate, if it is at most this.
    pub fn shortest_mate<G: Board>(
        &mut self,
        position: &Position<G>,
        most: u32,
    ) -> Result<Option<u32>, GaveUp> {
        for moves in 1..=most {
            if self.can_mate(position, moves)? {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    /// Whether the side to move can mate within this many moves.
    pub fn can_mate<G: Board>(
        &mut self,
        position: &Position<G>,
        moves: u32,
    ) -> Result<bool, GaveUp> {
        if moves <= 1 {
            self.budget = self.budget.checked_sub(1).ok_or(GaveUp)?;
            return Ok(moves == 1 && mates_at_once(position));
        }
        let nothing = Known { none: 0, some: u32::MAX };
        let known = *self.known.get(&position.key()).unwrap_or(&nothing);
        if moves <= known.none || moves >= known.some {
            return Ok(moves >= known.some);
        }
        let found = self.can_mate(position, moves - 1)? || self.finds_mate(position, moves)?;
        let known = self.known.entry(position.key()).or_insert(nothing);
        if found {
            known.some = known.some.min(moves);
        } else {
            known.none = known.none.max(moves);
        }
        Ok(found)
    }

    fn finds_mate<G: Board>(&mut self, position: &Position<G>, moves: u32) -> Result<bool, GaveUp> {
        let mut children: Vec<_> =
            position.legal_moves().iter().map(|&mv| position.after(mv)).collect();
        children.sort_by_cached_key(|child| {
            // In the last moves, counting replies costs more than it saves.
            let replies = if moves > 2 { child.count_legal_moves() } else { 0 };
            (!child.in_check(), replies)
        });
        for child in &children {
            if self.is_lost(child, moves - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move is mated, or will be within this many moves, whatever it does.
    pub fn is_lost<G: Board>(
        &mut self,
        position: &Position<G>,
        moves: u32,
    ) -> Result<bool, GaveUp> {
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.in_check());
        }
        let level = moves as usize;
        self.refutations.resize(self.refutations.len().max(level + 1), None);
        if let Some(index) = replies.iter().position(|&mv| Some(mv) == self.refutations[level]) {
            replies.swap(0, index);
        }
        for &reply in &replies {
            if !self.can_mate(&position.after(reply), moves)? {
                self.refutations[level] = Some(reply);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn mates_at_once<G: Board>(position: &Position<G>) -> bool {
    position.legal_moves().iter().any(|&mv| {
        let child = position.after(mv);
        child.in_check() && !child.has_legal_move()
    })
}
