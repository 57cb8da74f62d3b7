use std::time::Duration;

use crate::engine::Request;
use crate::game::Game;
use crate::types::Color;

/// The time control: what the engine may take for its moves.
#[derive(Clone, Debug)]
pub(super) struct XboardTimeControl {
    /// Moves in a period, after which the time is given again; 0: the whole game is one.
    moves: u32,
    base: Duration,
    increment: Duration,
    /// Just so long for each move, instead of a clock.
    per_move: Option<Duration>,
    pub depth: Option<u32>,
    /// The engine's clock and its opponent's. They stay with the engine when it changes sides, for
    /// the GUI says before each move what they show.
    pub remaining: [Duration; 2],
    /// Numbers of White's and Black's first moves in the period.
    since: [u32; 2],
}

/// Numbers of the next moves of White and Black.
fn next_moves(game: &Game) -> [u32; 2] {
    let number = game.number();
    [number.saturating_add(u32::from(game.side_to_move() == Color::Black)), number]
}

impl XboardTimeControl {
    /// What holds until the GUI says something else.
    const USUAL: Duration = Duration::from_secs(300);

    pub fn new() -> XboardTimeControl {
        XboardTimeControl {
            moves: 0,
            base: Self::USUAL,
            increment: Duration::ZERO,
            per_move: None,
            depth: None,
            remaining: [Self::USUAL; 2],
            since: [1; 2],
        }
    }

    /// Another game under the same control.
    pub fn restart(&mut self) {
        (self.remaining, self.since, self.depth) = ([self.base; 2], [1; 2], None);
    }

    /// A clock for so many moves from here on.
    pub fn set_level(&mut self, moves: u32, base: Duration, increment: Duration, game: &Game) {
        let (depth, since) = (self.depth, next_moves(game));
        let remaining = [base; 2];
        *self =
            XboardTimeControl { moves, base, increment, per_move: None, depth, remaining, since };
    }

    pub const fn set_per_move(&mut self, time: Duration) {
        self.per_move = Some(time);
    }

    /// How many moves the side to move has until the time is given again.
    fn moves_to_go(&self, game: &Game) -> Option<u32> {
        let color = game.side_to_move().index();
        let made = next_moves(game)[color].saturating_sub(self.since[color]);
        Some(self.moves - made.checked_rem(self.moves)?)
    }

    /// A search for the side to move, whose clock is the engine's.
    pub fn request(&self, game: &Game) -> Request {
        let mut request = Request::default();
        request.limits.depth = self.depth;
        request.limits.move_time = self.per_move;
        if self.per_move.is_none() {
            let color = game.side_to_move();
            let [own, other] = self.remaining.map(|time| Some(time.max(Duration::from_millis(1))));
            request.time = if color == Color::White { [own, other] } else { [other, own] };
            request.increment = [Some(self.increment); 2];
            request.moves_to_go = self.moves_to_go(game);
        }
        request
    }

    /// The engine takes this long for the move that it is about to make.
    pub fn spend(&mut self, time: Duration, game: &Game) {
        let given = if self.moves_to_go(game) == Some(1) { self.base } else { Duration::ZERO };
        self.remaining[0] = self.remaining[0].saturating_sub(time) + self.increment + given;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    const SECOND: Duration = Duration::from_secs(1);

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::standard(Variant::Chess).unwrap();
        moves.iter().for_each(|mv| game.play(mv).unwrap());
        game
    }

    #[test]
    fn clocks_are_those_of_the_sides() {
        let mut control = XboardTimeControl::new();
        control.remaining = [SECOND, 2 * SECOND];
        let white = control.request(&game(&[]));
        assert_eq!(white.time, [Some(SECOND), Some(2 * SECOND)]);
        let black = control.request(&game(&["e4"]));
        assert_eq!(black.time, [Some(2 * SECOND), Some(SECOND)]);
        assert_eq!((black.moves_to_go, black.increment[1]), (None, Some(Duration::ZERO)));
        control.remaining = [Duration::ZERO; 2];
        assert!(control.request(&game(&[])).is_limited(), "no time is not for ever");
    }

    #[test]
    fn moves_to_the_control_are_counted_from_where_it_was_set() {
        let mut control = XboardTimeControl::new();
        control.set_level(2, 60 * SECOND, SECOND, &game(&["e4"]));
        let to_go = |moves: &[&str]| control.request(&game(moves)).moves_to_go;
        assert_eq!(to_go(&["e4"]), Some(2));
        assert_eq!(to_go(&["e4", "e5"]), Some(2), "White's first is over");
        assert_eq!(to_go(&["e4", "e5", "d4"]), Some(1));
        assert_eq!(to_go(&["e4", "e5", "d4", "d5"]), Some(1));
        assert_eq!(to_go(&["e4", "e5", "d4", "d5", "c4"]), Some(2));
        control.spend(10 * SECOND, &game(&["e4"]));
        assert_eq!(control.remaining[0], 51 * SECOND);
        control.spend(10 * SECOND, &game(&["e4", "e5", "d4"]));
        assert_eq!(control.remaining[0], 102 * SECOND, "a period is over, and its time is given");
    }

    #[test]
    fn a_time_for_each_move_is_no_clock_and_a_depth_holds_besides() {
        let mut control = XboardTimeControl::new();
        control.depth = Some(5);
        control.set_per_move(SECOND);
        let request = control.request(&game(&[]));
        assert_eq!((request.limits.move_time, request.limits.depth), (Some(SECOND), Some(5)));
        assert_eq!(request.time, [None; 2]);
        control.set_level(0, SECOND, SECOND, &game(&[]));
        let request = control.request(&game(&[]));
        assert_eq!((request.limits.move_time, request.limits.depth), (None, Some(5)));
        control.restart();
        assert_eq!(control.request(&game(&[])).limits.depth, None);
    }
}
