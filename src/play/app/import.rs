//! Imports games from PGN files.
use serde::Serialize;

use super::response::Response;
use crate::game::Outcome;
use crate::pgn::{GameProblem, PgnError, PgnGame, PgnReader};
use crate::play::{GameSettings, GameStart, LiveGame, LoadError, Player};

/// The maximum number of games that are imported from a file.
const MOST_GAMES: usize = 1_000;

/// The name of a collection of games without a file name.
const NAMELESS: &str = "pasted games";
/// The maximum number of letters of the name of a collection; longer names are cut off.
const LONGEST_NAME: usize = 80;

/// The games read from a PGN file.
#[derive(Debug, Default)]
pub struct Import {
    /// The imported games, each with the result that the file gives.
    pub(super) games: Vec<(LiveGame, Option<Outcome>)>,
    /// The problems of games that are not imported.
    pub(super) skipped: Vec<Problem>,
    /// The problems of games that are imported.
    pub(super) warnings: Vec<Problem>,
}

/// A problem with a game of the file.
#[derive(Debug, Serialize)]
pub(super) struct Problem {
    line: Option<usize>,
    error: String,
}

impl From<&GameProblem> for Problem {
    fn from(problem: &GameProblem) -> Problem {
        Problem { line: Some(problem.line), error: problem.to_string() }
    }
}

impl Import {
    /// Reads the games of a PGN file. If there are several games, they become a collection with this name.
    pub(super) fn read(text: &[u8], name: Option<String>) -> Result<Import, Response> {
        let mut import = Import::default();
        for (number, game) in (1..).zip(PgnReader::new(text)) {
            if import.games.len() == MOST_GAMES {
                import.skip(format!(
                    "only the first {MOST_GAMES} games are imported; split the file to import all games"
                ));
                break;
            }
            match game {
                Ok(pgn) => match live(&pgn) {
                    Ok(live) => {
                        import.games.push((live, pgn.result));
                        import.warnings.extend(pgn.problems.iter().map(Problem::from));
                    }
                    Err(error) => import.skip(format!("game {number}: {error}")),
                },
                Err(PgnError::Game(problem)) => import.skipped.push(Problem::from(&problem)),
                Err(error) => {
                    import.skip(error.to_string());
                    break;
                }
            }
        }
        if import.games.is_empty() && import.skipped.is_empty() {
            return Err(Response::unfit("this text contains no game in PGN format"));
        }
        if import.games.len() > 1 {
            let name = name.as_deref().unwrap_or(NAMELESS);
            let name: String = name.chars().take(LONGEST_NAME).collect();
            for (number, (live, _)) in (1..).zip(&mut import.games) {
                let origin = live.origin_mut();
                (origin.collection, origin.number) = (Some(name.clone()), Some(number));
            }
        }
        Ok(import)
    }

    fn skip(&mut self, error: String) {
        self.skipped.push(Problem { line: None, error });
    }
}

fn live(pgn: &PgnGame) -> Result<LiveGame, LoadError> {
    let beginning = GameStart::Fen(pgn.start.fen());
    LiveGame::of_pgn(pgn, &GameSettings::new(pgn.start.variant(), beginning, [Player::Person; 2]))
}
