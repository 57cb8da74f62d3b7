//! Time controls of the XBoard protocol.

use std::time::Duration;

use crate::engine::SearchRequest;
use crate::game::{ChessClock, Game, TimeControl};
use crate::types::Color;

/// The time control and the clocks of the engine and its opponent.
#[derive(Clone, Debug)]
pub(super) struct XboardTimeControl {
    /// The engine's clock and the opponent's clock. The clocks need not be swapped when the engine changes
    /// sides, because the GUI sends the time on both clocks before each move.
    clocks: [ChessClock; 2],
    /// The fixed time for each move, or `None` if the engine plays with clocks.
    per_move: Option<Duration>,
    pub depth: Option<u32>,
    /// The move numbers of White's and Black's first moves under the current time control.
    since: [u32; 2],
}

/// Returns the move numbers of White's and Black's next moves.
fn next_moves(game: &Game) -> [u32; 2] {
    let number = game.number();
    [number.saturating_add(u32::from(game.side_to_move() == Color::Black)), number]
}

impl XboardTimeControl {
    pub fn new() -> XboardTimeControl {
        // The default until the GUI sends a time control.
        let base = Duration::from_secs(300);
        let usual = TimeControl { moves: None, base, increment: Duration::ZERO };
        let clocks = [ChessClock::new(usual); 2];
        XboardTimeControl { clocks, per_move: None, depth: None, since: [1; 2] }
    }

    /// Resets the clocks for a new game under the same time control.
    pub fn restart(&mut self) {
        self.clocks = [ChessClock::new(self.clocks[0].control); 2];
        (self.since, self.depth) = ([1; 2], None);
    }

    /// Sets a time control with clocks. Its first move is the current move of the game.
    pub fn set_level(&mut self, control: TimeControl, game: &Game) {
        self.clocks = [ChessClock::new(control); 2];
        (self.per_move, self.since) = (None, next_moves(game));
    }

    /// Sets the remaining time of the engine or its opponent.
    pub const fn set_remaining(&mut self, of_opponent: bool, time: Duration) {
        self.clocks[of_opponent as usize].left = time;
    }

    /// Returns the opponent's remaining time, or `None` if the time is fixed per move.
    pub fn opponent_time(&self) -> Option<Duration> {
        self.per_move.is_none().then_some(self.clocks[1].left)
    }

    pub const fn set_per_move(&mut self, time: Duration) {
        self.per_move = Some(time);
    }

    /// Returns the engine's clock. The engine must be the side to move. The number of moves made is derived
    /// from the game, because moves can be taken back.
    fn own(&self, game: &Game) -> ChessClock {
        let color = game.side_to_move().index();
        let moves = next_moves(game)[color].saturating_sub(self.since[color]);
        ChessClock { moves, ..self.clocks[0] }
    }

    /// Returns a search request for the engine's next move. The engine must be the side to move.
    pub fn request(&self, game: &Game) -> SearchRequest {
        let mut request = SearchRequest::default();
        request.limits.depth = self.depth;
        request.limits.move_time = self.per_move;
        if self.per_move.is_none() {
            let clock = self.own(game);
            let least = Duration::from_millis(1);
            request.limits.time = self.clocks.map(|clock| Some(clock.left.max(least)));
            if game.side_to_move() == Color::Black {
                request.limits.time.reverse();
            }
            request.limits.increment = [Some(clock.control.increment); 2];
            request.limits.moves_to_go = clock.moves_to_go();
        }
        request
    }

    /// Subtracts the time spent on the move that the engine is about to play.
    pub fn spend(&mut self, time: Duration, game: &Game) {
        self.clocks[0] = self.own(game);
        self.clocks[0].spend(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    const SECOND: Duration = Duration::from_secs(1);

    fn level(moves: Option<u32>, seconds: u32) -> TimeControl {
        TimeControl { moves, base: seconds * SECOND, increment: SECOND }
    }

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::standard(Variant::Chess).unwrap();
        moves.iter().for_each(|mv| game.play(mv).unwrap());
        game
    }

    #[test]
    fn white_and_black_get_the_right_clocks() {
        let mut control = XboardTimeControl::new();
        control.set_remaining(false, SECOND);
        control.set_remaining(true, 2 * SECOND);
        let white = control.request(&game(&[]));
        assert_eq!(white.limits.time, [Some(SECOND), Some(2 * SECOND)]);
        let black = control.request(&game(&["e4"]));
        assert_eq!(black.limits.time, [Some(2 * SECOND), Some(SECOND)]);
        assert_eq!(
            (black.limits.moves_to_go, black.limits.increment[1]),
            (None, Some(Duration::ZERO))
        );
        control.set_remaining(false, Duration::ZERO);
        control.set_remaining(true, Duration::ZERO);
        assert!(control.request(&game(&[])).limits.is_limited(), "no time is left");
    }

    #[test]
    fn moves_to_go_are_counted_from_the_move_at_which_the_control_was_set() {
        let mut control = XboardTimeControl::new();
        control.set_level(level(Some(2), 60), &game(&["e4"]));
        let to_go = |moves: &[&str]| control.request(&game(moves)).limits.moves_to_go;
        assert_eq!(to_go(&["e4"]), Some(2));
        assert_eq!(to_go(&["e4", "e5"]), Some(2), "White moved before the control was set");
        assert_eq!(to_go(&["e4", "e5", "d4"]), Some(1));
        assert_eq!(to_go(&["e4", "e5", "d4", "d5"]), Some(1));
        assert_eq!(to_go(&["e4", "e5", "d4", "d5", "c4"]), Some(2));
        control.spend(10 * SECOND, &game(&["e4"]));
        assert_eq!(control.clocks[0].left, 51 * SECOND);
        control.spend(10 * SECOND, &game(&["e4", "e5", "d4"]));
        assert_eq!(control.clocks[0].left, 102 * SECOND, "the next period adds its time");
    }

    #[test]
    fn a_time_per_move_replaces_the_clock_and_combines_with_a_depth() {
        let mut control = XboardTimeControl::new();
        control.depth = Some(5);
        control.set_per_move(SECOND);
        let request = control.request(&game(&[]));
        assert_eq!((request.limits.move_time, request.limits.depth), (Some(SECOND), Some(5)));
        assert_eq!(request.limits.time, [None; 2]);
        control.set_level(level(None, 1), &game(&[]));
        let request = control.request(&game(&[]));
        assert_eq!((request.limits.move_time, request.limits.depth), (None, Some(5)));
        control.restart();
        assert_eq!(control.request(&game(&[])).limits.depth, None);
    }
}
