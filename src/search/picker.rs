//! The order in which a node tries its moves.
//!
//! ```text
//!  hash move ─ good captures ─ killers, counter move ─ quiets ─ bad captures     (main search)
//!  hash move ─ good captures                                                     (quiescence)
//!  hash move ─ all evasions                                                      (in check)
//! ```
//!
//! A stage is generated only when it is reached: most nodes that cut do so before the quiets.

use arrayvec::ArrayVec;

use super::history::{Histories, QuietKeys, is_noisy};
use super::params;
use super::tunable::value;
use crate::attacks::Board;
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

/// Which moves are still wanted; in check it is all evasions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    All,
    /// Of the quiet moves those that give check.
    NoisyAndChecks,
    /// No quiet moves.
    Noisy,
    /// Nor captures that lose material.
    GoodNoisy,
}

/// A move and its score in one word, made for finding the best one without a branch: score, then
/// place in the list (of equals the first is the best), then move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Scored(u64);

impl Scored {
    #[inline(always)]
    fn new(mv: Move, score: i32, place: usize) -> Scored {
        // Flipping the sign bit makes the order of numbers that of bits.
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

/// Hands out the legal moves of a position, best guesses first, each once.
pub struct Picker<G: Board> {
    stage: Stage,
    hash_move: Option<Move>,
    /// Two killers and the counter move.
    refutations: [Option<Move>; 3],
    /// How many of them were looked at.
    refuted: usize,
    keys: QuietKeys<G>,
    wanted: Wanted,
    /// The moves of the stage from `next` on; before them, up to `bad`, losing captures.
    moves: ArrayVec<Scored, 544>,
    next: usize,
    bad: usize,
}

impl<G: Board> Picker<G> {
    /// For the main search. The hash move must be legal; refutations may be any moves.
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
            refuted: 0,
            keys,
            wanted: Wanted::All,
            moves: ArrayVec::new(),
            next: 0,
            bad: 0,
        }
    }

    /// For quiescence: captures that do not lose material; all evasions in check. The hash move
    /// must be legal, and noisy unless the side is in check.
    pub fn quiescence(hash_move: Option<Move>, keys: QuietKeys<G>) -> Picker<G> {
        let picker = Picker::main(hash_move, [None; 2], None, keys);
        Picker { wanted: Wanted::GoodNoisy, ..picker }
    }

    /// The killers that a search of the other moves found while the hash move is being looked at.
    pub fn renew_killers(&mut self, killers: [Option<Move>; 2]) {
        self.refutations[..2].copy_from_slice(&killers);
    }

    /// Whether the last move was a capture that loses material (evasions aside).
    pub fn is_at_losing(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// From now on no quiet move is wanted that does not give check (evasions aside).
    pub fn skip_quiets_but_checks(&mut self) {
        self.wanted = Wanted::NoisyAndChecks;
    }

    /// From now on no quiet move is wanted (evasions aside).
    pub fn skip_quiets(&mut self) {
        self.wanted = Wanted::Noisy;
    }

    /// The next move.
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
                        // Its place is behind `next`, so nothing that is still wanted is lost.
                        self.moves[self.bad] = Scored::new(mv, 0, self.bad);
                        self.bad += 1;
                    }
                },
                Stage::Refutations => match self.next_refutation(position) {
                    None => self.stage = Stage::GenerateQuiets,
                    refutation => return refutation,
                },
                Stage::GenerateQuiets => {
                    self.add_quiets(position, histories);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.next_quiet(position) {
                    Some(mv) if self.was_given(mv) => {}
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

    /// Whether a noisy move is tried before the quiet ones. Promotions to less than a queen seldom
    /// are better than all of those.
    fn is_good(&self, position: &Position<G>, histories: &Histories<G>, mv: Move) -> bool {
        let under = position.is_promotion(mv) && mv.promoted() != Role::Queen;
        // What was good before may lose a little, most where quiet moves follow.
        let divisor = if self.wanted == Wanted::GoodNoisy {
            value(params::QUIESCENCE_CAPTURE_DIVISOR)
        } else {
            value(params::GOOD_CAPTURE_DIVISOR)
        };
        let least = -(score_noisy(position, histories, mv) / value(params::ORDER_VICTIM)) / divisor;
        !under && position.see_at_least(mv, least)
    }

    /// Adds the quiet moves, behind the losing captures, as far as they are wanted.
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
        // There is room: list and picker are made for the moves of any position.
        let first = self.moves.len();
        let scored = |(index, &mv)| Scored::new(mv, score(mv), first + index);
        self.moves.extend(moves.iter().enumerate().map(scored));
    }

    /// The best of the remaining moves. Selection, not sorting: few are usually asked for.
    #[inline]
    fn select(&mut self) -> Option<Move> {
        let best = *self.moves.get(self.next..)?.iter().max()?;
        let place = best.place();
        self.moves[place] = self.moves[self.next].at(place);
        self.moves[self.next] = best;
        self.next += 1;
        best.mv()
    }

    /// The best of the remaining quiet moves, or if only checks are wanted, the next of these.
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

    /// The next killer or counter move that is legal here, quiet, and not the hash move.
    fn next_refutation(&mut self, position: &Position<G>) -> Option<Move> {
        while self.wanted == Wanted::All && self.refuted < self.refutations.len() {
            let index = self.refuted;
            self.refuted += 1;
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

    /// Whether a quiet move came already, as hash move or refutation.
    fn was_given(&self, mv: Move) -> bool {
        Some(mv) == self.hash_move || self.refutations[..self.refuted].contains(&Some(mv))
    }
}

/// A bonus in the order for quiet moves that check, and for leaving a square where a lesser piece
/// attacks; a malus for going to one. Not a matter of experience, so not in the histories.
#[inline(always)]
fn bonus<G: Board>(
    position: &Position<G>,
    threats: &Threats<G>,
    checks: &CheckSquares<G>,
    mv: Move,
) -> i32 {
    let check = checks.is_check(position, mv) && position.see_at_least(mv, -75);
    params::ORDER_CHECK * i32::from(check) + params::ORDER_THREAT * threats.gain(position, mv)
}

/// Most valuable victim first, then what captures have done before; queening counts as a capture
/// of what the pawn gains.
fn score_noisy<G: Board>(position: &Position<G>, histories: &Histories<G>, mv: Move) -> i32 {
    let mut value = position.captured(mv).map_or(0, piece_value);
    if position.is_promotion(mv) {
        value += piece_value(mv.promoted()) - piece_value(Role::Pawn);
    }
    params::ORDER_VICTIM * value + histories.capture(position, mv)
}
