//! The move picker: hands out the moves of a node in the order in which they are tried.
//!
//! ```text
//!  hash move ─ good captures ─ killers, countermove ─ quiets ─ bad captures      (main search)
//!  hash move ─ good captures                                                     (quiescence)
//!  hash move ─ all evasions                                                      (in check)
//! ```
//!
//! The moves of a stage are generated only when the stage is reached, because most cutoffs come before the
//! quiet moves.

use arrayvec::ArrayVec;

use super::history::{Histories, QuietKeys, is_noisy};
use super::params;
use crate::geometry::Board;
use crate::position::{CheckSquares, Threats};
use crate::position::{Position, piece_value};
use crate::types::{Move, MoveList, Role};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    HashMove,
    GenerateNoisy,
    GoodNoisy,
    Refutations,
    GenerateQuiets,
    Quiets,
    BadNoisy,
    GenerateEvasions,
    Evasions,
}

/// The kinds of moves that a picker still hands out. In check a picker always hands out all evasions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    All,
    /// Captures, promotions and quiet checks.
    NoisyAndChecks,
    /// Captures and promotions.
    Noisy,
    /// Captures and promotions that do not lose material.
    GoodNoisy,
}

/// A move and its score, packed into one word so that the best move is found without branches. The high
/// bits hold the score, the middle bits the place in the list, and the low bits the move. Of moves with
/// equal scores, the first in the list compares as the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Scored(u64);

impl Scored {
    #[inline(always)]
    fn new(mv: Move, score: i32, place: usize) -> Scored {
        // With the sign bit flipped, unsigned comparison orders signed scores.
        let score = u64::from(score as u32 ^ 1 << 31);
        Scored(score << 32 | u64::from(!(place as u16)) << 16 | u64::from(mv.bits()))
    }

    #[inline(always)]
    fn mv(self) -> Option<Move> {
        Move::of_bits(self.0 as u16)
    }

    #[inline(always)]
    fn place(self) -> usize {
        usize::from(!((self.0 >> 16) as u16))
    }

    #[inline(always)]
    fn at(self, place: usize) -> Scored {
        Scored(self.0 & !0xffff_0000 | u64::from(!(place as u16)) << 16)
    }
}

/// The move picker: hands out each legal move of a position once, the most promising move first.
pub struct Picker<G: Board> {
    stage: Stage,
    hash_move: Option<Move>,
    /// The two killers and the countermove.
    refutations: [Option<Move>; 3],
    /// The index of the next refutation.
    next_refutation: usize,
    keys: QuietKeys<G>,
    wanted: Wanted,
    /// The moves of the current stage. Moves from index `next` on have not been handed out. The losing
    /// captures are at the front, below index `bad`.
    moves: ArrayVec<Scored, 544>,
    next: usize,
    bad: usize,
}

impl<G: Board> Picker<G> {
    /// Creates a picker for the main search. The hash move must be legal; killers and countermove may
    /// be illegal.
    pub fn main(
        hash_move: Option<Move>,
        [first, second]: [Option<Move>; 2],
        counter: Option<Move>,
        keys: QuietKeys<G>,
    ) -> Picker<G> {
        Picker {
            stage: Stage::HashMove,
            hash_move,
            refutations: [first, second, counter],
            next_refutation: 0,
            keys,
            wanted: Wanted::All,
            moves: ArrayVec::new(),
            next: 0,
            bad: 0,
        }
    }

    /// Creates a picker for quiescence: captures and promotions that do not lose material, or all
    /// evasions in check. The hash move must be legal, and noisy unless the side is in check.
    pub fn quiescence(hash_move: Option<Move>, keys: QuietKeys<G>) -> Picker<G> {
        let picker = Picker::main(hash_move, [None; 2], None, keys);
        Picker { wanted: Wanted::GoodNoisy, ..picker }
    }

    /// Replaces the killers. A singular search of the same node may find new killers after the picker was
    /// created.
    pub fn set_killers(&mut self, killers: [Option<Move>; 2]) {
        self.refutations[..2].copy_from_slice(&killers);
    }

    /// Returns whether the last move handed out was a capture that loses material. Always `false` for
    /// evasions.
    pub fn is_at_losing(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Skips the remaining quiet moves except checks. Evasions are never skipped.
    pub fn skip_quiets_but_checks(&mut self) {
        self.wanted = Wanted::NoisyAndChecks;
    }

    /// Skips the remaining quiet moves. Evasions are never skipped.
    pub fn skip_quiets(&mut self) {
        self.wanted = Wanted::Noisy;
    }

    /// Returns the next move.
    pub fn next(&mut self, position: &Position<G>, histories: &Histories<G>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    let evade = position.in_check();
                    self.stage = if evade { Stage::GenerateEvasions } else { Stage::GenerateNoisy };
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Stage::GenerateNoisy => {
                    let mut moves = MoveList::new();
                    position.add_noisy_moves(&mut moves);
                    self.add(&moves, |mv| score_noisy(position, histories, mv));
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.select() {
                    None if self.wanted == Wanted::GoodNoisy => return None,
                    None => self.stage = Stage::Refutations,
                    Some(mv) if Some(mv) == self.hash_move => {}
                    Some(mv) if self.is_good(position, histories, mv) => return Some(mv),
                    Some(mv) => {
                        // `bad` is less than `next`, so this assignment overwrites no remaining move.
                        self.moves[self.bad] = Scored::new(mv, 0, self.bad);
                        self.bad += 1;
                    }
                },
                Stage::Refutations => match self.refutation(position) {
                    None => self.stage = Stage::GenerateQuiets,
                    refutation => return refutation,
                },
                Stage::GenerateQuiets => {
                    self.add_quiets(position, histories);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.next_quiet(position) {
                    Some(mv) if self.was_tried(mv) => {}
                    None => {
                        self.next = 0;
                        self.stage = Stage::BadNoisy;
                    }
                    quiet => return quiet,
                },
                Stage::BadNoisy => {
                    let index = self.next;
                    self.next += 1;
                    return self.moves[..self.bad].get(index)?.mv();
                }
                Stage::GenerateEvasions => {
                    self.add_evasions(position, histories);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.select() {
                    Some(mv) if Some(mv) == self.hash_move => {}
                    evasion => return evasion,
                },
            }
        }
    }

    /// Returns whether a capture or promotion is good, so that it is tried before the quiet moves.
    /// Underpromotions are never good.
    fn is_good(&self, position: &Position<G>, histories: &Histories<G>, mv: Move) -> bool {
        let under = position.is_promotion(mv) && mv.promoted() != Role::Queen;
        // A capture with a good history may lose a little material (+10 ± 13 Elo at 5,000 nodes). The main
        // search allows a larger loss than quiescence.
        let divisor = if self.wanted == Wanted::GoodNoisy {
            params::quiescence_capture_divisor()
        } else {
            params::good_capture_divisor()
        };
        let least = -(score_noisy(position, histories, mv) / params::order_victim()) / divisor;
        !under && position.see_at_least(mv, least)
    }

    /// Adds the wanted quiet moves behind the losing captures.
    #[inline(always)]
    fn add_quiets(&mut self, position: &Position<G>, histories: &Histories<G>) {
        if self.wanted == Wanted::Noisy {
            return;
        }
        let mut moves = MoveList::new();
        position.add_quiet_moves(&mut moves);
        self.moves.truncate(self.bad);
        self.next = self.bad;
        if self.wanted == Wanted::NoisyAndChecks {
            return self.add(&moves, |_| 0);
        }
        let quiets = histories.quiets(position, self.keys);
        let threats = self.keys.threats;
        let checks = CheckSquares::of(position);
        self.add(&moves, |mv| quiets.order(mv) + bonus(position, &threats, &checks, mv));
    }

    #[inline(always)]
    fn add_evasions(&mut self, position: &Position<G>, histories: &Histories<G>) {
        let quiets = histories.quiets(position, self.keys);
        self.add(&position.legal_moves(), |mv| {
            if is_noisy(position, mv) {
                score_noisy(position, histories, mv) + 1_000_000
            } else {
                quiets.order(mv)
            }
        });
    }

    fn add(&mut self, moves: &MoveList, score: impl Fn(Move) -> i32) {
        // The picker always has room, because its capacity suffices for any position.
        let first = self.moves.len();
        let scored = |(index, &mv)| Scored::new(mv, score(mv), first + index);
        self.moves.extend(moves.iter().enumerate().map(scored));
    }

    /// Returns the best remaining move. Searches the list for the best move instead of sorting all moves,
    /// because usually few moves are tried.
    #[inline]
    fn select(&mut self) -> Option<Move> {
        let best = *self.moves.get(self.next..)?.iter().max()?;
        let place = best.place();
        self.moves[place] = self.moves[self.next].at(place);
        self.moves[self.next] = best;
        self.next += 1;
        best.mv()
    }

    /// Returns the best remaining quiet move, or the next check if only checks are wanted.
    fn next_quiet(&mut self, position: &Position<G>) -> Option<Move> {
        match self.wanted {
            Wanted::All => return self.select(),
            Wanted::NoisyAndChecks => {}
            Wanted::Noisy | Wanted::GoodNoisy => return None,
        }
        let checks = CheckSquares::of(position);
        while self.next < self.moves.len() {
            let mv = self.moves[self.next].mv();
            self.next += 1;
            if mv.is_some_and(|mv| checks.is_check(position, mv)) {
                return mv;
            }
        }
        None
    }

    /// Returns the next killer or countermove that is legal, quiet and not the hash move.
    fn refutation(&mut self, position: &Position<G>) -> Option<Move> {
        while self.wanted == Wanted::All && self.next_refutation < self.refutations.len() {
            let index = self.next_refutation;
            self.next_refutation += 1;
            let usable = self.refutations[index].filter(|&mv| {
                Some(mv) != self.hash_move
                    && !self.refutations[..index].contains(&Some(mv))
                    && position.is_legal(mv)
                    && !is_noisy(position, mv)
            });
            if usable.is_some() {
                return usable;
            }
        }
        None
    }

    /// Returns whether a quiet move has already been tried as hash move or refutation.
    fn was_tried(&self, mv: Move) -> bool {
        Some(mv) == self.hash_move || self.refutations[..self.next_refutation].contains(&Some(mv))
    }
}

/// Returns the part of a quiet move's score that does not come from the histories. A check gets a bonus
/// (+7 ± 13 Elo at 5,000 nodes). Leaving a square that a less valuable piece attacks gets a bonus, and
/// moving to an attacked square gets a malus (+24 ± 13 Elo at 5,000 nodes).
#[inline(always)]
fn bonus<G: Board>(
    position: &Position<G>,
    threats: &Threats<G>,
    checks: &CheckSquares<G>,
    mv: Move,
) -> i32 {
    let check = checks.is_check(position, mv) && position.see_at_least(mv, -75);
    params::order_check() * i32::from(check) + params::order_threat() * threats.gain(position, mv)
}

/// Returns the score of a noisy move: the value of the captured piece (MVV) plus the capture history. A
/// promotion counts like a capture of the difference between the values of the new piece and a pawn.
fn score_noisy<G: Board>(position: &Position<G>, histories: &Histories<G>, mv: Move) -> i32 {
    let mut value = position.captured(mv).map_or(0, piece_value);
    if position.is_promotion(mv) {
        value += piece_value(mv.promoted()) - piece_value(Role::Pawn);
    }
    params::order_victim() * value + histories.capture(position, mv)
}
