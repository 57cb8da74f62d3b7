//! Where games of the lab begin: random starts of a variant, and random moves from there.

use crate::attacks::Board;
use crate::position::Position;
use crate::rules::Variant;
use crate::start::{Numbering, Rng, Start};

/// A start of the variant's main phase, each as likely as the others that
/// [`Numbering::drawn`] lists: one array for both sides in Chess960 and IFRC, two where a set-up
/// gives each side its own.
pub fn random_start(variant: Variant, rng: &mut Rng) -> Start {
    Numbering::drawn(variant).random(rng)
}

/// Plays this many random legal moves, each as likely as the others. The keys of the positions
/// before the last one come back, the first one first; nothing if the game ended on the way or
/// there.
pub fn random_plies<G: Board>(
    position: &mut Position<G>,
    plies: usize,
    rng: &mut Rng,
) -> Option<Vec<u64>> {
    let mut earlier = Vec::with_capacity(plies);
    for _ in 0..plies {
        let moves = position.legal_moves();
        let mv = *moves.get(rng.below(moves.len() as u64) as usize)?;
        earlier.push(position.key());
        position.make(mv);
    }
    position.has_legal_move().then_some(earlier)
}
