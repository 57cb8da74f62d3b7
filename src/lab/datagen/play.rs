use super::DatagenError;
use crate::attacks::Board;
use crate::game::BoardGame;
use crate::lab::data::{Component, DatagenSettings, Ending, GameRecord, Ply, Referee};
use crate::position::Position;
use crate::search::{Limits, Outcome, Solo};
use crate::start::Rng;

/// A draw of starts that never gives an even one ends after so many.
const MOST_TRIES: u32 = 10_000;

/// Plays the game of a set with this index.
pub fn play<G: Board>(
    solo: &mut Solo<G>,
    settings: &DatagenSettings,
    index: u32,
) -> Result<GameRecord, DatagenError> {
    let limits = Limits {
        soft_nodes: Some(settings.nodes),
        nodes: Some(settings.hard_nodes),
        ..Limits::default()
    };
    let mut rng = rng_of_game(settings.seed, index);
    let component = settings.variant.draw(&mut rng);
    solo.clear();
    for _ in 0..MOST_TRIES {
        let Some(mut opening) = Opening::draw(component, settings, &mut rng)? else { continue };
        let first = solo.search(opening.game.position(), opening.game.earlier_keys(), &limits);
        if first.score.abs() > settings.start_score {
            continue;
        }
        let random_plies = opening.plies.len() as u8;
        if let Some(ending) = opening.play_on(solo, &limits, first) {
            let Opening { fen, plies, .. } = opening;
            return Ok(GameRecord { index, component, ending, random_plies, fen, plies });
        }
    }
    Err(DatagenError::NoStart { index, tries: MOST_TRIES })
}

/// Random numbers of a game: those of one game have nothing to do with those of another.
fn rng_of_game(seed: u64, index: u32) -> Rng {
    let stream = Rng::new(seed).next_u64() ^ u64::from(index);
    Rng::new(Rng::new(stream).next_u64())
}

/// A game that has begun.
struct Opening<'a, G: Board> {
    fen: String,
    game: BoardGame<G>,
    plies: Vec<Ply>,
    referee: Referee<'a>,
}

impl<'a, G: Board> Opening<'a, G> {
    /// A random start and random plies; none if the game ends on the way.
    fn draw(
        component: Component,
        settings: &'a DatagenSettings,
        rng: &mut Rng,
    ) -> Result<Option<Self>, DatagenError> {
        let fen = component.starts().random(rng).fen();
        let position = Position::from_fen(&fen, component.variant().rules().right)
            .map_err(|error| DatagenError::Start { fen: fen.clone(), error })?;
        let referee = Referee::new(Some(settings));
        let mut opening = Opening {
            fen,
            game: BoardGame::new(position),
            plies: Vec::with_capacity(256),
            referee,
        };
        let choice = u64::from(settings.random_max.saturating_sub(settings.random_min)) + 1;
        for _ in 0..u64::from(settings.random_min) + rng.below(choice) {
            let position = opening.game.position();
            let moves = position.legal_moves();
            let Some(mv) = moves.get(rng.below(moves.len() as u64) as usize) else {
                return Ok(None);
            };
            opening.plies.push(Ply::random(position, *mv));
            opening.game.play(*mv);
        }
        Ok(opening.game.position().has_legal_move().then_some(opening))
    }

    /// Plays to the end; the first search was made already. (There is always an end: the referee
    /// finds it before there is no move.)
    fn play_on(&mut self, solo: &mut Solo<G>, limits: &Limits, first: Outcome) -> Option<Ending> {
        let mut found = first;
        while let Some(mv) = found.best {
            self.plies.push(Ply::searched(self.game.position(), mv, found.score));
            self.game.play(mv);
            let ending = self.referee.judge(found.score, &self.game);
            if ending.is_some() {
                return ending;
            }
            found = solo.search(self.game.position(), self.game.earlier_keys(), limits);
        }
        None
    }
}
