//! How long the shortest mate is, by looking at every move of both sides.
//!
//! The prover knows nothing but the rules: no evaluation, no pruning, no limit on checks. Moves
//! are ordered (checks and few replies first, the reply that last saved the defender first) and
//! positions remembered by their keys of 64 bits, which makes mates in five affordable. Clocks
//! and repetitions are left out of account: a shortest mate repeats nothing, and the positions of
//! the test are far from the fifty-move rule.

use std::collections::HashMap;

use aleator::attacks::Board;
use aleator::position::Position;
use aleator::types::Move;

/// The prover looked at as many positions as it was allowed to.
#[derive(Debug)]
pub struct GaveUp;

/// What is known of a position: no mate within `none` moves, but one within `some`.
#[derive(Clone, Copy)]
struct Known {
    none: u32,
    some: u32,
}

/// A prover for one position and those after it.
pub struct Prover {
    known: HashMap<u64, Known>,
    /// By moves left after them: the replies that last saved the defender.
    saviours: Vec<Option<Move>>,
    /// How many positions may still be asked for a mate in one.
    budget: u64,
}

impl Prover {
    /// A prover that ends with a proof only.
    pub fn tireless() -> Prover {
        Prover::with_budget(u64::MAX)
    }

    /// A prover that gives up after asking this many positions for a mate in one.
    pub fn with_budget(budget: u64) -> Prover {
        Prover { known: HashMap::new(), saviours: Vec::new(), budget }
    }

    /// The length of the shortest mate, if it is at most this.
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
            // Before the last moves counting the replies costs more than it saves.
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
        self.saviours.resize(self.saviours.len().max(level + 1), None);
        if let Some(index) = replies.iter().position(|&mv| Some(mv) == self.saviours[level]) {
            replies.swap(0, index);
        }
        for &reply in &replies {
            if !self.can_mate(&position.after(reply), moves)? {
                self.saviours[level] = Some(reply);
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
