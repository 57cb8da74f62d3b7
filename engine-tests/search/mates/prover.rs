//! Finds the length of the shortest mate by trying every move of both sides.
//!
//! The prover uses only the rules: no evaluation and no pruning. Two things make mates in five affordable.
//! Moves are ordered: checks and moves with few replies come first, and so does the reply that last refuted a
//! mate. Results are stored by the 64-bit keys of positions. Clocks and repetitions are ignored, because a
//! shortest mate does not repeat positions, and the positions of the tests are far from the fifty-move rule.

use std::collections::HashMap;

use aleator::geometry::Board;
use aleator::position::Position;
use aleator::types::Move;

/// The error for a prover that has used up its budget of positions.
#[derive(Debug)]
pub struct GaveUp;

/// The known bounds for a position: there is no mate within `none` moves, but there is a mate within `some`
/// moves.
#[derive(Clone, Copy)]
struct Known {
    none: u32,
    some: u32,
}

/// Proves mates in a position and in the positions that follow.
pub struct Prover {
    known: HashMap<u64, Known>,
    /// The reply that last refuted a mate, for each number of moves left after the reply.
    refutations: Vec<Option<Move>>,
    /// The number of positions that may still be checked for a mate in one.
    budget: u64,
}

impl Prover {
    /// Returns a prover that never gives up.
    pub fn tireless() -> Prover {
        Prover::with_budget(u64::MAX)
    }

    /// Returns a prover that gives up after it has checked `budget` positions for a mate in one.
    pub fn with_budget(budget: u64) -> Prover {
        Prover { known: HashMap::new(), refutations: Vec::new(), budget }
    }

    /// Returns the number of moves of the shortest mate, or `None` if there is no mate within `most` moves.
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

    /// Whether the side to move can force mate within `moves` moves.
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
            // With few moves left, counting replies costs more time than it saves.
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

    /// Whether the side to move is mated, or will be mated within `moves` moves after any reply.
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
