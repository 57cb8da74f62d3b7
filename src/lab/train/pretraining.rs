use rayon::prelude::*;

use super::positions::{DataSet, Packed, for_each_game, is_apart};
use super::{Settings, TrainError};
use crate::attacks::Board;
use crate::eval::classical::Classical;
use crate::lab::data::{Filter, Game};
use crate::position::Position;
use crate::random::Rng;

/// Games that are worked on at once, by all threads.
const BATCH: usize = 4_096;

/// Positions one random move away from those of games, as searches meet them, with what the
/// classical evaluation says. About so many as the settings want; none from games set apart.
pub(super) fn positions<G: Board>(
    sets: &[DataSet],
    settings: &Settings,
    plies: u64,
    watch: &mut dyn FnMut(usize),
) -> Result<Vec<Packed>, TrainError> {
    // Of a ply's moves about one in eight gives check or is left out for being the same.
    let each = settings.pretraining.div_ceil(plies.max(1)).max(1) as usize;
    let mut found = Vec::new();
    let mut waiting = Vec::new();
    for set in sets {
        for_each_game(&set.path, &mut 0, &mut |set, game| {
            if !is_apart(set, game.index, settings) && found.len() < settings.pretraining as usize {
                waiting.push((set, game.bytes().to_vec()));
            }
            if waiting.len() == BATCH {
                found.extend(label::<G>(&waiting, each, settings));
                waiting.clear();
                watch(found.len());
            }
            Ok(())
        })?;
    }
    found.extend(label::<G>(&waiting, each, settings));
    found.truncate(settings.pretraining as usize);
    watch(found.len());
    Ok(found)
}

/// The positions around those of some games, in their order.
fn label<G: Board>(games: &[(u32, Vec<u8>)], each: usize, settings: &Settings) -> Vec<Packed> {
    let labelled: Vec<Vec<Packed>> = games
        .par_iter()
        .map_init(Classical::<G>::new, |evaluator, (set, bytes)| {
            let (Ok(evaluator), Some(game)) = (evaluator, Game::read(bytes)) else {
                return Vec::new();
            };
            let name = u64::from(*set) << 32 | u64::from(game.index);
            let mut rng = Rng::new(Rng::new(name).next_u64() ^ !settings.seed);
            around(&game, each, evaluator, &mut rng)
        })
        .collect();
    labelled.into_iter().flatten().collect()
}

fn around<G: Board>(
    game: &Game,
    each: usize,
    evaluator: &mut Classical<G>,
    rng: &mut Rng,
) -> Vec<Packed> {
    let all = Filter { skip_random: false, ..Filter::SEARCHED };
    let mut packed = Vec::new();
    for sample in game.replay::<G>(all).into_iter().flatten().map_while(Result::ok) {
        let moves = sample.position.legal_moves();
        for _ in 0..each.min(moves.len()) {
            let mv = moves[rng.below(moves.len() as u64) as usize];
            let next: Position<G> = sample.position.after(mv);
            if !next.in_check() {
                let value = evaluator.evaluate(&next);
                packed.push(Packed::new(&next, value, Packed::NO_RESULT));
            }
        }
    }
    packed
}
