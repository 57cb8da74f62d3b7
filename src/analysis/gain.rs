//! What a line of moves wins and loses, as words: "wins the queen for a rook", "promotes a pawn".

use crate::game::{Game, GameError, Turn};
use crate::types::Color;

/// The kinds of pieces, most valuable first: letter, name and value in pawns.
const KINDS: [(char, &str, i32); 5] =
    [('q', "queen", 9), ('r', "rook", 5), ('b', "bishop", 3), ('n', "knight", 3), ('p', "pawn", 1)];
const BISHOP: usize = 2;
const KNIGHT: usize = 3;
const PAWN: usize = 4;

/// Numbers of pieces, in the order of [`KINDS`].
type Counts = [i32; KINDS.len()];

/// Returns the letters of all pieces and pawns on the board: upper-case letters for White.
pub fn letters(game: &Game) -> Vec<char> {
    let fen = game.fen();
    let board = fen.split(' ').next().unwrap_or_default();
    board.chars().filter(char::is_ascii_alphabetic).collect()
}

/// Returns the material advantage of a side, in pawns.
pub fn balance(game: &Game, side: Color) -> i32 {
    value(&counts(game, side)) - value(&counts(game, !side))
}

fn counts(game: &Game, side: Color) -> Counts {
    let letters = letters(game);
    let own = letters.iter().filter(|letter| letter.is_uppercase() == (side == Color::White));
    let own: Vec<char> = own.map(char::to_ascii_lowercase).collect();
    KINDS.map(|(kind, ..)| own.iter().filter(|letter| **letter == kind).count() as i32)
}

fn value(counts: &Counts) -> i32 {
    counts.iter().zip(KINDS).map(|(count, (_, _, value))| count * value).sum()
}

/// The change of the material by a line of moves, for the side that makes the first move of the line. Equal
/// losses of both sides are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gain {
    won: Counts,
    lost: Counts,
    /// The numbers of pawns that the side, and its opponent, promoted to pieces that are still on the board.
    promoted: [i32; 2],
}

impl Gain {
    /// Returns the change of the material by a line. Leaves out an exchange that is not finished at the end
    /// of the line.
    pub fn of(start: &Game, line: &[Turn]) -> Result<Gain, GameError> {
        let side = start.side_to_move();
        let is_capture = |turn: Option<&Turn>| turn.is_some_and(|turn| turn.san.contains('x'));
        let mut game = start.clone();
        let mut end = None;
        for (index, turn) in line.iter().enumerate() {
            game.play(&turn.uci)?;
            let next = line.get(index + 1);
            if !is_capture(Some(turn)) || next.is_some() && !is_capture(next) {
                end = Some(game.clone());
            }
        }
        let end = end.unwrap_or(game);
        let (mut won, lost_promotion) = decrease(&counts(start, !side), &counts(&end, !side));
        let (mut lost, promotion) = decrease(&counts(start, side), &counts(&end, side));
        for kind in 0..KINDS.len() {
            let both = won[kind].min(lost[kind]);
            won[kind] -= both;
            lost[kind] -= both;
        }
        // A bishop for a knight is an even exchange.
        for (one, other) in [(BISHOP, KNIGHT), (KNIGHT, BISHOP)] {
            let both = won[one].min(lost[other]);
            won[one] -= both;
            lost[other] -= both;
        }
        Ok(Gain { won, lost, promoted: [promotion, lost_promotion] })
    }

    /// Returns the material won, in pawns, without promotions.
    pub fn value(&self) -> i32 {
        value(&self.won) - value(&self.lost)
    }

    /// Returns the gain of the other side.
    pub const fn reversed(self) -> Gain {
        let [own, other] = self.promoted;
        Gain { won: self.lost, lost: self.won, promoted: [other, own] }
    }

    /// Describes a gain: `promotes a pawn and wins a knight`. Returns `None` if nothing is won.
    pub fn wins(&self) -> Option<String> {
        let promotes = (self.promoted[0] > self.promoted[1]).then(|| "promotes a pawn".to_owned());
        let wins = (self.value() > 0).then(|| self.describe("wins"));
        let parts: Vec<String> = promotes.into_iter().chain(wins).collect();
        (!parts.is_empty()).then(|| parts.join(" and "))
    }

    /// Describes a loss: `loses the queen for a rook`. Returns `None` if nothing is lost.
    pub fn loses(&self) -> Option<String> {
        let other = self.reversed();
        let loses = (other.value() > 0).then(|| other.describe("loses"));
        let promotes = other.promoted[0] > other.promoted[1];
        loses.or_else(|| promotes.then(|| "lets a pawn promote".to_owned()))
    }

    fn describe(&self, verb: &str) -> String {
        let is_minor = |counts: &Counts| value(counts) == 3 && counts[PAWN] == 0;
        if self.won == [0, 1, 0, 0, 0] && is_minor(&self.lost) {
            return format!("{verb} the exchange");
        }
        match names(&self.lost) {
            lost if lost.is_empty() => format!("{verb} {}", names(&self.won)),
            lost => format!("{verb} {} for {lost}", names(&self.won)),
        }
    }
}

/// Returns how many pieces of each kind are gone, and how many were added by promotion.
fn decrease(before: &Counts, after: &Counts) -> (Counts, i32) {
    let mut gone: Counts = std::array::from_fn(|kind| before[kind] - after[kind]);
    let added: i32 = gone.iter().filter(|count| **count < 0).map(|count| -count).sum();
    gone = gone.map(|count| count.max(0));
    gone[PAWN] -= added.min(gone[PAWN]);
    (gone, added)
}

/// Returns names of pieces: `a rook, a knight and two pawns`.
fn names(counts: &Counts) -> String {
    let name = |(count, (_, name, _)): (&i32, (char, &str, i32))| match (*count, name) {
        (0, _) => None,
        (1, "queen") => Some("the queen".to_owned()),
        (1, name) => Some(format!("a {name}")),
        (2, name) => Some(format!("two {name}s")),
        (3, name) => Some(format!("three {name}s")),
        (count, name) => Some(format!("{count} {name}s")),
    };
    let names: Vec<String> = counts.iter().zip(KINDS).filter_map(name).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    /// Returns the gain of a line from a position.
    fn gain(fen: &str, line: &str) -> Gain {
        let start = Game::new(Variant::Chess, fen).unwrap();
        let mut game = start.clone();
        let mut turns = Vec::new();
        for text in line.split(' ') {
            game.play(text).unwrap();
            turns.extend(game.last_turn());
        }
        Gain::of(&start, &turns).unwrap()
    }

    fn wins(fen: &str, line: &str) -> Option<String> {
        gain(fen, line).wins()
    }

    #[test]
    fn gains_are_described() {
        let fork = "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1";
        assert_eq!(wins(fork, "Nc7+ Kd7 Nxa8 Kc6").as_deref(), Some("wins a rook"));
        assert_eq!(wins(fork, "Nc7+"), None);
        let exchange = wins(fork, "Nc7+ Kd7 Nxa8 Kc6 Nb6 Kxb6 Kd2");
        assert_eq!(exchange.as_deref(), Some("wins the exchange"));
        let promotion = "8/P6k/8/8/8/8/8/n3K3 w - - 0 1";
        assert_eq!(wins(promotion, "a8=Q").as_deref(), Some("promotes a pawn"));
        let both = wins(promotion, "a8=Q Nc2+ Kd1 Ne3+ Ke2 Nc4 Qe4+ Kh8 Qxc4 Kg7");
        assert_eq!(both.as_deref(), Some("promotes a pawn and wins a knight"));
        // A promoted piece that is captured at once is a lost pawn.
        let lost = gain("r6k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b8=Q+ Rxb8 Kd1");
        assert_eq!(lost.loses().as_deref(), Some("loses a pawn"));
    }

    #[test]
    fn losses_are_described() {
        let lost = gain("r3k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "Qa4+ Ke7 Kd1 Rxa4 Ke1");
        assert_eq!(lost.loses().as_deref(), Some("loses the queen"));
        assert_eq!(lost.wins(), None);
        assert_eq!(lost.reversed().wins().as_deref(), Some("wins the queen"));
        let traded = gain("r3k3/1p6/8/8/8/8/8/Q3K3 w - - 0 1", "Qxa8+ Ke7 Qxb7+ Kd6");
        assert_eq!(traded.wins().as_deref(), Some("wins a rook and a pawn"));
        let passed = gain("4k3/8/8/8/8/8/p7/4K2R w - - 0 1", "Ke2 a1=Q Kd3 Qb2");
        assert_eq!(passed.loses().as_deref(), Some("lets a pawn promote"));
    }

    #[test]
    fn unfinished_exchanges_do_not_count() {
        let fen = "r2qk3/8/8/8/8/8/8/R2QK3 w - - 0 1";
        assert_eq!(gain(fen, "Ke2 Kf8 Qxd8+"), Gain::default());
        assert_eq!(gain(fen, "Qxd8+ Rxd8 Ra7"), Gain::default());
        // A single capture counts, because nothing else is known.
        assert_eq!(wins(fen, "Qxd8+").as_deref(), Some("wins the queen"));
    }

    #[test]
    fn material_is_counted_on_all_boards() {
        let game = Game::new(Variant::Chess, "4k2q/8/8/8/8/8/8/RN2K3 b - - 0 1").unwrap();
        assert_eq!((balance(&game, Color::Black), letters(&game).len()), (1, 5));
    }
}
