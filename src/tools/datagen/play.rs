//! Plays one game of a data set.

use super::DatagenError;
use crate::game::{BoardGame, Termination};
use crate::geometry::Board;
use crate::position::Position;
use crate::random::Rng;
use crate::search::{Limits, RootLines, Searcher};
use crate::tools::data::{DatagenSettings, GameEndDetector, Ply, TrainingGame};
use crate::tools::opening::random_plies;

/// The maximum number of attempts to find a balanced opening for a game.
const MAX_TRIES: u32 = 10_000;

/// Plays the game that has this index in the data set.
pub fn play<G: Board>(
    searcher: &mut Searcher<G>,
    settings: &DatagenSettings,
    index: u32,
) -> Result<TrainingGame, DatagenError> {
    let limits = Limits {
        soft_nodes: Some(settings.nodes),
        nodes: Some(settings.hard_nodes),
        ..Limits::default()
    };
    let mut rng = rng_of_game(settings.seed, index);
    let component = settings.variant.draw(&mut rng);
    let choice = u64::from(settings.random_max.saturating_sub(settings.random_min)) + 1;
    searcher.clear();
    let mut search =
        |game: &BoardGame<G>| searcher.search(game.position(), game.earlier_keys(), &limits);
    for _ in 0..MAX_TRIES {
        let fen = component.starts().random(&mut rng).fen();
        let position = Position::from_fen(&fen, component.variant().rules().right)
            .map_err(|error| DatagenError::Start { fen: fen.clone(), error })?;
        let mut game = BoardGame::new(position);
        let opening = usize::from(settings.random_min) + rng.below(choice) as usize;
        if !random_plies(&mut game, opening, &mut rng) {
            continue;
        }
        let first = search(&game);
        if first.score.abs() > settings.start_score {
            continue;
        }
        let mut plies: Vec<Ply> =
            game.moves().map(|(position, mv)| Ply::random(position, mv)).collect();
        let random_plies = plies.len() as u8;
        let mut detector = GameEndDetector::new(Some(settings), index);
        if let Some(termination) = play_on(game, first, &mut detector, &mut plies, &mut search) {
            return Ok(TrainingGame { index, component, termination, random_plies, fen, plies });
        }
    }
    Err(DatagenError::NoStart { index, tries: MAX_TRIES })
}

/// Returns the random number generator of a game. It depends only on the seed and the index of the game.
fn rng_of_game(seed: u64, index: u32) -> Rng {
    let stream = Rng::new(seed).next_u64() ^ u64::from(index);
    Rng::new(Rng::new(stream).next_u64())
}

/// Plays a game to its end and adds its plies to `plies`. `first` is the result of the search for the first
/// move. A game always has an end, because the detector ends it when no legal move is left.
fn play_on<G: Board>(
    mut game: BoardGame<G>,
    first: RootLines,
    detector: &mut GameEndDetector,
    plies: &mut Vec<Ply>,
    search: &mut dyn FnMut(&BoardGame<G>) -> RootLines,
) -> Option<Termination> {
    let mut found = first;
    while let Some(mv) = found.best() {
        plies.push(Ply::searched(game.position(), mv, found.score));
        game.play(mv);
        if let Some(ending) = detector.judge(found.score, &game) {
            return Some(ending);
        }
        found = search(&game);
    }
    None
}
