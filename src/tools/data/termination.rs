//! Results of recorded games, and why games end.

use std::fmt;

use super::settings::DatagenSettings;
use crate::attacks::Board;
use crate::game::{self, BoardGame, GameResult};
use crate::tools::adjudication::{Adjudication, Adjudicator, Decision, DrawRule, WinRule};
use crate::types::{Color, Value};

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Termination {
    Mate = 0,
    Stalemate = 1,
    /// Threefold repetition.
    Repetition = 2,
    FiftyMoves = 3,
    /// Insufficient material.
    Material = 4,
    /// Adjudicated: for some plies both sides agreed on the winner.
    WinByScore = 5,
    /// Adjudicated: for some plies late in the game, neither side was ahead.
    DrawByScore = 6,
    /// The maximum length.
    Length = 7,
}

impl Termination {
    /// Every reason, ordered by its number.
    pub const ALL: [Termination; 8] = [
        Termination::Mate,
        Termination::Stalemate,
        Termination::Repetition,
        Termination::FiftyMoves,
        Termination::Material,
        Termination::WinByScore,
        Termination::DrawByScore,
        Termination::Length,
    ];

    /// Whether one side won.
    pub const fn is_decisive(self) -> bool {
        matches!(self, Termination::Mate | Termination::WinByScore)
    }

    /// Whether the rules ended the game, not an adjudication.
    pub const fn is_by_rules(self) -> bool {
        !matches!(self, Termination::WinByScore | Termination::DrawByScore | Termination::Length)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Termination::Mate => "mate",
            Termination::Stalemate => "stalemate",
            Termination::Repetition => "repetition",
            Termination::FiftyMoves => "fifty moves",
            Termination::Material => "material",
            Termination::WinByScore => "won by score",
            Termination::DrawByScore => "drawn by score",
            Termination::Length => "length",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RecordedResult {
    pub result: GameResult,
    pub termination: Termination,
}

impl RecordedResult {
    /// A draw for this reason.
    pub const fn draw(termination: Termination) -> RecordedResult {
        RecordedResult { result: GameResult::Draw, termination }
    }

    /// A win for this reason.
    pub const fn win(color: Color, termination: Termination) -> RecordedResult {
        RecordedResult { result: GameResult::won_by(color), termination }
    }

    /// Encodes the result in the format's byte.
    pub const fn to_byte(self) -> u8 {
        self.result as u8 | (self.termination as u8) << 2
    }

    /// Decodes the byte; `None` if termination and result contradict each other.
    pub fn from_byte(byte: u8) -> Option<RecordedResult> {
        let result = match byte & 3 {
            0 => GameResult::BlackWins,
            1 => GameResult::Draw,
            2 => GameResult::WhiteWins,
            _ => return None,
        };
        let termination = *Termination::ALL.get(usize::from(byte >> 2))?;
        let fits = termination.is_decisive() == (result != GameResult::Draw);
        fits.then_some(RecordedResult { result, termination })
    }
}

impl fmt::Display for RecordedResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({})", self.result, self.termination)
    }
}

/// Follows a game and detects its end: by the rules and, if there are settings, by the scores.
pub struct GameEndDetector(Adjudicator);

impl GameEndDetector {
    /// Creates a detector for the game with this index in its set. Without settings only the rules end
    /// the game.
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

    /// Returns the result if the game is over after the last move, which had this score for its mover.
    /// Random opening moves must not be passed.
    pub fn judge<G: Board>(&mut self, score: Value, game: &BoardGame<G>) -> Option<RecordedResult> {
        let mover = !game.position().side_to_move();
        let decision = self.0.judge(mover, Some(score), game.plies());
        by_rules(game).or(decision.map(|decision| match decision {
            Decision::Win(color) => RecordedResult::win(color, Termination::WinByScore),
            Decision::Draw => RecordedResult::draw(Termination::DrawByScore),
            Decision::TooLong => RecordedResult::draw(Termination::Length),
        }))
    }
}

fn by_rules<G: Board>(game: &BoardGame<G>) -> Option<RecordedResult> {
    let ending = game.outcome()?;
    let termination = match ending {
        game::Outcome::Mate => Termination::Mate,
        game::Outcome::Stalemate => Termination::Stalemate,
        game::Outcome::Threefold => Termination::Repetition,
        game::Outcome::FiftyMoves => Termination::FiftyMoves,
        game::Outcome::Material => Termination::Material,
    };
    Some(RecordedResult { result: ending.result(game.position().side_to_move()), termination })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::notation::parse_uci;
    use crate::position::Position;
    use crate::rules::KingRight;

    /// Plays moves with scores for their movers, in a game that may be adjudicated as a win. Returns the
    /// result after the last move; the game must not end before.
    fn judge(
        settings: &DatagenSettings,
        fen: &str,
        plies: &[(&str, Value)],
    ) -> Option<RecordedResult> {
        judge_game(settings, 1, fen, plies)
    }

    fn judge_game(
        settings: &DatagenSettings,
        index: u32,
        fen: &str,
        plies: &[(&str, Value)],
    ) -> Option<RecordedResult> {
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
        assert_eq!(mate, Some(RecordedResult::win(Color::White, Termination::Mate)));
        let stalemate = ends("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1", "e6f7");
        assert_eq!(stalemate, Some(RecordedResult::draw(Termination::Stalemate)));
        let bare = ends("7k/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2");
        assert_eq!(bare, Some(RecordedResult::draw(Termination::Material)));
        let idle = ends("r3k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1b1");
        assert_eq!(idle, Some(RecordedResult::draw(Termination::FiftyMoves)));
        let third = judge(&settings, ROOKS, &shuffled(&[50; 8]));
        assert_eq!(third, Some(RecordedResult::draw(Termination::Repetition)));
    }

    #[test]
    fn agreeing_scores_win() {
        let settings = DatagenSettings { win_plies: 3, ..DatagenSettings::default() };
        let ends = |scores: &[Value]| judge(&settings, ROOKS, &shuffled(scores));
        let win = |color| Some(RecordedResult::win(color, Termination::WinByScore));
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
    fn small_scores_draw_late_games() {
        let settings = DatagenSettings { draw_ply: 5, draw_plies: 3, ..DatagenSettings::default() };
        let ends = |scores: &[Value]| judge(&settings, ROOKS, &shuffled(scores));
        let draw = Some(RecordedResult::draw(Termination::DrawByScore));
        assert_eq!(ends(&[0, 0, 0, 0]), None, "too early");
        assert_eq!(ends(&[0, 7, 0, -7, 0]), draw);
        assert_eq!(ends(&[0, 0, 0, 8, 0, 0]), None, "interrupted");
        let short = DatagenSettings { max_plies: 2, ..settings.clone() };
        assert_eq!(
            judge(&short, ROOKS, &shuffled(&[90, 90])),
            Some(RecordedResult::draw(Termination::Length))
        );
    }

    #[test]
    fn bytes_round_trip() {
        let endings: Vec<RecordedResult> =
            (0..=u8::MAX).filter_map(RecordedResult::from_byte).collect();
        assert_eq!(
            endings.len(),
            2 * 2 + 6,
            "two results for decisive terminations, one for draws"
        );
        for ending in endings {
            assert_eq!(RecordedResult::from_byte(ending.to_byte()), Some(ending));
        }
    }
}
