//! Ranks the root moves by the tablebases.

use shakmaty_syzygy::Wdl;

use super::Prober;
use crate::geometry::Board;
use crate::position::Position;
use crate::types::score::{DRAW, TABLEBASE_WIN};
use crate::types::{Move, Value};

/// The rank of wins that cannot turn into draws, neither by the fifty-move rule nor by repetition. Losses
/// that cannot turn into draws have the rank `-SURE`.
const SURE: i32 = 1 << 18;
/// The base for the ranks of wins that may turn into draws. The rank of such a win is the base minus the
/// halfmove clock and the DTZ. The base exceeds the length of any win.
const UNSURE: i32 = SURE / 2;
/// The halfmove clock at which the game is drawn.
const FIFTY_MOVES: i32 = 100;

/// The rank and the score of a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// The rank; higher is better. Moves with the same rank are equally good according to the tables.
    pub rank: i32,
    /// The score of the move.
    pub score: Value,
}

/// The ranks of all root moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// The ranks in the order of the moves.
    pub moves: Vec<Ranked>,
    /// Whether the ranks come from DTZ. If they come from WDL alone, a move with the best rank may make no
    /// progress towards the win.
    pub by_dtz: bool,
}

/// Ranks the root moves. Returns `None` if the position after any move is missing from the tables. `earlier`
/// holds the keys of the game's earlier positions, in the order of the game.
pub fn rank<G: Board>(
    prober: &Prober,
    root: &Position<G>,
    earlier: &[u64],
    moves: &[Move],
) -> Option<Ranking> {
    if !prober.covers_root(root) {
        return None;
    }
    let keys: Vec<u64> = since_zeroing(root, earlier);
    let has_repeated = (1..keys.len()).any(|index| keys[..index].contains(&keys[index]));
    let played = i32::from(root.halfmove_clock());
    let by_dtz = |&mv: &Move| {
        let dtz = dtz_by(prober, root, mv, &keys)?;
        let rank = rank_of(dtz, played, has_repeated);
        Some(Ranked { rank, score: score_of(rank, prober.fifty_moves) })
    };
    if let Some(moves) = moves.iter().map(by_dtz).collect() {
        return Some(Ranking { moves, by_dtz: true });
    }
    let by_wdl = |&mv: &Move| {
        let wdl = -prober.wdl(&root.after(mv))?;
        Some(Ranked { rank: wdl.into(), score: score_of_wdl(wdl, 0) })
    };
    Some(Ranking { moves: moves.iter().map(by_wdl).collect::<Option<_>>()?, by_dtz: false })
}

/// Returns the keys of the positions since the last capture or pawn move. The last key is the key of the
/// root.
fn since_zeroing<G: Board>(root: &Position<G>, earlier: &[u64]) -> Vec<u64> {
    let count = earlier.len().min(root.halfmove_clock().into());
    let recent = &earlier[earlier.len() - count..];
    recent.iter().copied().chain([root.key()]).collect()
}

/// Returns the DTZ of the root, provided that the move `mv` is made. The DTZ is positive if the side to move
/// wins.
fn dtz_by<G: Board>(prober: &Prober, root: &Position<G>, mv: Move, keys: &[u64]) -> Option<i32> {
    let child = root.after(mv);
    let is_over = !child.has_legal_move();
    if is_over && child.in_check() {
        return Some(1);
    }
    if child.halfmove_clock() == 0 {
        return Some(match -prober.tables().wdl(&child)? {
            Wdl::Win => 1,
            Wdl::CursedWin => 1 + FIFTY_MOVES,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -1 - FIFTY_MOVES,
            Wdl::Loss => -1,
        });
    }
    let third = keys.iter().filter(|&&key| key == child.key()).count() >= 2;
    if third || child.is_fifty_moves() {
        return Some(0);
    }
    let dtz = -prober.tables().dtz(&child)?;
    Some(dtz + dtz.signum())
}

/// Returns the rank of a move with this DTZ when the halfmove clock is `played`.
///
/// Wins within the fifty-move rule rank equally, unless positions were repeated. After a repetition, or
/// beyond the fifty-move rule, quicker wins rank higher. Losses rank equally, unless the fifty-move rule
/// may turn them into draws. Slower losses then rank higher.
fn rank_of(dtz: i32, played: i32, has_repeated: bool) -> i32 {
    match dtz {
        0 => 0,
        1.. if dtz + played < FIFTY_MOVES && !has_repeated => SURE,
        1.. => UNSURE - (dtz + played),
        // Assumes that the opponent needs at most twice as long as with the quickest win.
        _ if 2 * -dtz + played < FIFTY_MOVES => -SURE,
        _ => -UNSURE + (-dtz + played),
    }
}

/// Returns the score of a rank: a win, a loss or a draw. A win or loss that the fifty-move rule turns into a
/// draw has a small score, whose magnitude grows as the rank approaches that of a real win or loss.
fn score_of(rank: i32, fifty_moves: bool) -> Value {
    /// The maximum score of a cursed win.
    const CURSED: Value = 49;
    let sure = if fifty_moves { UNSURE - FIFTY_MOVES } else { 1 };
    let size = match rank.abs() {
        0 => DRAW,
        rank if rank >= sure => TABLEBASE_WIN,
        rank => (CURSED - (UNSURE - FIFTY_MOVES - rank) / 4).max(1),
    };
    size * rank.signum()
}

/// Returns the score of reaching a position with this WDL value in `plies` plies.
pub fn score_of_wdl(wdl: Wdl, plies: usize) -> Value {
    match wdl {
        Wdl::Win | Wdl::Loss => wdl.signum() * (TABLEBASE_WIN - plies as Value),
        Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => DRAW + wdl.signum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sure_wins_rank_equally_and_unsure_wins_by_speed() {
        assert_eq!(rank_of(1, 0, false), rank_of(99, 0, false));
        assert_eq!(rank_of(30, 20, false), rank_of(40, 20, false));
        // With a high halfmove clock, or after a repetition, quicker wins rank higher.
        for (played, has_repeated) in [(80, false), (0, true)] {
            assert!(rank_of(20, played, has_repeated) > rank_of(22, played, has_repeated));
        }
        assert!(rank_of(5, 0, false) > rank_of(120, 0, false), "a win above a cursed win");
        assert!(rank_of(120, 0, false) > rank_of(0, 0, false), "a cursed win above a draw");
        assert!(rank_of(0, 0, false) > rank_of(-120, 0, false), "a draw above a blessed loss");
        assert!(rank_of(-120, 0, false) > rank_of(-110, 0, false), "slower losses rank higher");
        assert!(rank_of(-60, 0, false) > rank_of(-20, 0, false), "the opponent may be too slow");
        assert_eq!(rank_of(-10, 0, false), rank_of(-20, 0, false));
    }

    #[test]
    fn scores_follow_the_ranks() {
        let score = |dtz, fifty_moves| score_of(rank_of(dtz, 0, false), fifty_moves);
        assert_eq!(
            [5, 100, 0, -5, -100].map(|dtz| score(dtz, true)),
            [TABLEBASE_WIN, TABLEBASE_WIN, 0, -TABLEBASE_WIN, -TABLEBASE_WIN]
        );
        assert_eq!(score(101, false), TABLEBASE_WIN);
        let cursed = [101, 150, 400, 1_000].map(|dtz| score(dtz, true));
        assert!(cursed.is_sorted_by(|one, other| one >= other) && cursed[3] == 1, "{cursed:?}");
        assert!(cursed[0] <= 49 && score(-101, true) == -cursed[0]);
    }
}
