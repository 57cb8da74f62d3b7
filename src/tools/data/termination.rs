//! How recorded games end: the code of terminations in data files, and the detection of the end of a game.

use super::settings::DatagenSettings;
use crate::game::{BoardGame, Outcome, Termination};
use crate::geometry::Board;
use crate::tools::adjudication::{Adjudication, Adjudicator, DrawRule, WinRule};
use crate::types::Value;

/// The names of the terminations in data files. The index of a name is its code.
pub const TERMINATIONS: [&str; 8] = [
    "mate",
    "stalemate",
    "repetition",
    "fifty moves",
    "material",
    "won by score",
    "drawn by score",
    "length",
];

impl Termination {
    /// Encodes the termination and the outcome as a byte of the format. For a termination that is not one of
    /// [`TERMINATIONS`], returns a byte that readers reject.
    pub fn to_byte(self) -> u8 {
        (0..u8::MAX).find(|byte| Termination::from_byte(*byte) == Some(self)).unwrap_or(u8::MAX)
    }

    /// Decodes a byte of the format. Returns `None` if termination and outcome contradict each other.
    pub fn from_byte(byte: u8) -> Option<Termination> {
        let outcome = *Outcome::ALL.get(usize::from(byte & 3))?;
        match (byte >> 2, outcome.winner()) {
            (0, Some(winner)) => Some(Termination::Mate(winner)),
            (1, None) => Some(Termination::Stalemate),
            (2, None) => Some(Termination::Repetition),
            (3, None) => Some(Termination::FiftyMoves),
            (4, None) => Some(Termination::Material),
            (5, Some(winner)) => Some(Termination::WinByScore(winner)),
            (6, None) => Some(Termination::DrawByScore),
            (7, None) => Some(Termination::Length),
            _ => None,
        }
    }
}

/// Returns the code of a termination in data files: its index in [`TERMINATIONS`].
pub(super) fn code(termination: Termination) -> usize {
    usize::from(termination.to_byte() >> 2)
}

/// Describes the outcome and the termination of a recorded game, for example `1-0 (mate)`.
pub fn described(termination: Termination) -> String {
    let name = TERMINATIONS.get(code(termination)).copied().unwrap_or(termination.reason());
    format!("{} ({name})", termination.outcome())
}

/// Detects the end of a game: by the rules and, if there are settings for adjudication, by the scores.
pub struct GameEndDetector(Adjudicator);

impl GameEndDetector {
    /// Creates a detector for the game with this index in its data set. Without settings, games are never
    /// adjudicated by scores.
    pub fn new(settings: Option<&DatagenSettings>, index: u32) -> GameEndDetector {
        let rules = settings.map(|settings| Adjudication {
            win: (!settings.plays_out(index)).then_some(WinRule {
                plies: settings.win_plies as usize,
                score: settings.win_score,
            }),
            draw: Some(DrawRule {
                from_ply: settings.draw_ply as usize,
                plies: settings.draw_plies as usize,
                score: settings.draw_score.saturating_sub(1),
            }),
            longest: Some(settings.max_plies as usize),
        });
        GameEndDetector(Adjudicator::new(rules.unwrap_or_default()))
    }

    /// Returns how the game ended with the last move, or `None` if the game goes on. `score` is the score of
    /// the last move for the side that made it. Must not be called after random opening moves.
    pub fn judge<G: Board>(&mut self, score: Value, game: &BoardGame<G>) -> Option<Termination> {
        let mover = !game.position().side_to_move();
        let by_score = self.0.judge(mover, Some(score), game.plies());
        game.termination().or(by_score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::notation::parse_uci;
    use crate::position::Position;
    use crate::rules::KingRight;
    use crate::types::Color;

    /// Plays moves in a game that may be adjudicated as won. Each move comes with its score for the side that
    /// makes it. Returns how the game ended after the last move. Fails if the game ends earlier.
    fn judge(
        settings: &DatagenSettings,
        fen: &str,
        plies: &[(&str, Value)],
    ) -> Option<Termination> {
        judge_game(settings, 1, fen, plies)
    }

    fn judge_game(
        settings: &DatagenSettings,
        index: u32,
        fen: &str,
        plies: &[(&str, Value)],
    ) -> Option<Termination> {
        let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let mut game = BoardGame::new(position);
        let mut detector = GameEndDetector::new(Some(settings), index);
        let mut ending = None;
        for (text, score) in plies {
            assert_eq!(ending, None, "before {text}");
            game.play(parse_uci(game.position(), text).unwrap());
            ending = detector.judge(*score, &game);
        }
        ending
    }

    const ROOKS: &str = "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    const SHUFFLE: [&str; 8] = ["a1b1", "a8b8", "b1a1", "b8a8", "a1b1", "a8b8", "b1a1", "b8a8"];

    fn shuffled(scores: &[Value]) -> Vec<(&'static str, Value)> {
        SHUFFLE.into_iter().zip(scores.iter().copied()).collect()
    }

    #[test]
    fn games_end_by_the_rules() {
        let settings = DatagenSettings::default();
        let ends = |fen, mv| judge(&settings, fen, &[(mv, 50)]);
        let mate = ends("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8");
        assert_eq!(mate, Some(Termination::Mate(Color::White)));
        let stalemate = ends("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1", "e6f7");
        assert_eq!(stalemate, Some(Termination::Stalemate));
        let bare = ends("7k/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2");
        assert_eq!(bare, Some(Termination::Material));
        let idle = ends("r3k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1b1");
        assert_eq!(idle, Some(Termination::FiftyMoves));
        let third = judge(&settings, ROOKS, &shuffled(&[50; 8]));
        assert_eq!(third, Some(Termination::Repetition));
    }

    #[test]
    fn agreeing_scores_end_the_game_as_won() {
        let settings = DatagenSettings { win_plies: 3, ..DatagenSettings::default() };
        let ends = |scores: &[Value]| judge(&settings, ROOKS, &shuffled(scores));
        let win = |color| Some(Termination::WinByScore(color));
        assert_eq!(ends(&[2_000, -2_000, 2_500]), win(Color::White));
        assert_eq!(ends(&[-2_000, 2_000, -2_500]), win(Color::Black));
        assert_eq!(ends(&[2_000, -2_000]), None, "too few");
        assert_eq!(ends(&[2_000, 2_000, 2_000]), None, "both sides claim to win");
        assert_eq!(ends(&[2_000, -2_000, 1_999, -2_000, 2_000]), None, "interrupted");
        assert_eq!(ends(&[2_000, 2_000, -2_000, 2_000]), win(Color::Black));
        assert!(settings.plays_out(10));
        assert_eq!(judge_game(&settings, 10, ROOKS, &shuffled(&[2_000, -2_000, 2_500])), None);
    }

    #[test]
    fn small_scores_end_long_games_as_drawn() {
        let settings = DatagenSettings { draw_ply: 5, draw_plies: 3, ..DatagenSettings::default() };
        let ends = |scores: &[Value]| judge(&settings, ROOKS, &shuffled(scores));
        let draw = Some(Termination::DrawByScore);
        assert_eq!(ends(&[0, 0, 0, 0]), None, "too early");
        assert_eq!(ends(&[0, 7, 0, -7, 0]), draw);
        assert_eq!(ends(&[0, 0, 0, 8, 0, 0]), None, "interrupted");
        let short = DatagenSettings { max_plies: 2, ..settings.clone() };
        assert_eq!(judge(&short, ROOKS, &shuffled(&[90, 90])), Some(Termination::Length));
    }

    #[test]
    fn bytes_round_trip() {
        let endings: Vec<Termination> = (0..=u8::MAX).filter_map(Termination::from_byte).collect();
        assert_eq!(
            endings.len(),
            2 * 2 + 6,
            "two outcomes for each decisive termination, one for the others"
        );
        for ending in endings {
            assert_eq!(Termination::from_byte(ending.to_byte()), Some(ending));
            assert!(code(ending) < TERMINATIONS.len());
        }
    }
}
