//! One game between two engines, with our rules library as the arbiter.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::adjudication::{Adjudication, Decision, Scores};
use super::client::{Client, Opinion};
use super::fault::Fault;
use super::limit::{Clocks, Limit};
use crate::game::{Ending, Game, Turn};
use crate::start::Rng;
use crate::types::Color;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    pub limit: Limit,
    /// By how much a move may come late.
    pub margin: Duration,
    /// How long to wait for a move when the time is not limited.
    pub patience: Duration,
    pub adjudication: Adjudication,
}

/// How much later than its time an engine's move is waited for, so as to tell a late engine from
/// one that hangs.
const GRACE: Duration = Duration::from_secs(3);

/// A turn and what the engine said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedTurn {
    pub turn: Turn,
    pub opinion: Opinion,
    pub time: Duration,
}

/// How a game came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Rules(Ending),
    Adjudicated(Decision),
    Fault(Fault),
}

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// `None` for a draw.
    pub winner: Option<Color>,
    pub end: End,
    /// Placements, then moves.
    pub turns: Vec<PlayedTurn>,
    /// Where the moves begin: the opening, or the finished set-up.
    pub start: String,
}

impl Played {
    /// Why the game ended, in words.
    pub fn reason(&self) -> String {
        match &self.end {
            End::Rules(ending) => ending.to_string(),
            End::Adjudicated(Decision::Win(_)) => "win by adjudication".to_owned(),
            End::Adjudicated(Decision::Draw) => "draw by adjudication".to_owned(),
            End::Adjudicated(Decision::TooLong) => "draw by length".to_owned(),
            End::Fault(fault) => fault.name().to_owned(),
        }
    }
}

/// Plays a game from an opening, with these dice. Nothing comes back if `stop` was set meanwhile.
pub fn play(
    mut game: Game,
    engines: [&mut Client; 2],
    conditions: &Conditions,
    mut dice: Rng,
    stop: &AtomicBool,
) -> Option<Played> {
    let mut turns = Vec::new();
    let mut clocks = Clocks::new(conditions.limit, conditions.margin);
    let mut scores = Scores::default();
    let lost_by = |side: Color, fault, turns, start| Played {
        winner: Some(!side),
        end: End::Fault(fault),
        turns,
        start,
    };
    for side in Color::ALL {
        if let Err(fault) = engines[side.index()].new_game() {
            return Some(lost_by(side, fault, turns, game.start_fen()));
        }
    }
    loop {
        game.throw(&mut dice);
        let (side, start) = (game.side_to_move(), game.start_fen());
        if let Some(ending) = game.ending() {
            let winner = ending.result(side).winner();
            return Some(Played { winner, end: End::Rules(ending), turns, start });
        }
        if let Some(decision) = scores.decision(&conditions.adjudication) {
            let winner = match decision {
                Decision::Win(color) => Some(color),
                Decision::Draw | Decision::TooLong => None,
            };
            return Some(Played { winner, end: End::Adjudicated(decision), turns, start });
        }
        if stop.load(Relaxed) {
            return None;
        }
        let client = &mut *engines[side.index()];
        match take_turn(&mut game, client, conditions, &mut clocks) {
            Ok(played) => {
                // A set-up has no scores to adjudicate by.
                if !played.turn.placement {
                    scores.add(side, played.opinion.score);
                }
                turns.push(played);
            }
            Err(fault) => return Some(lost_by(side, fault, turns, start)),
        }
    }
}

/// Asks an engine for its turn and plays it, if it is in time and legal.
fn take_turn(
    game: &mut Game,
    client: &mut Client,
    conditions: &Conditions,
    clocks: &mut Clocks,
) -> Result<PlayedTurn, Fault> {
    let side = game.side_to_move();
    let offered = game.offered();
    let mut go = clocks.command(side);
    if !offered.is_empty() {
        go += " searchmoves ";
        go += &offered.join(" ");
    }
    let left = clocks.left(side);
    let patience = left.map_or(conditions.patience, |left| left + conditions.margin + GRACE);
    let reply = client.ask(&game.command(), &go, patience)?;
    if let Some(over) = clocks.spend(side, reply.time) {
        return Err(Fault::TimeLoss { over });
    }
    let illegal = |reason| Fault::Illegal { found: crate::text::shorten(&reply.best), reason };
    let read = game.read(&reply.best).and_then(|turn| game.play(&turn.uci).map(|()| turn));
    let turn = read.map_err(|error| illegal(error.to_string()))?;
    Ok(PlayedTurn { turn, opinion: reply.opinion, time: reply.time })
}
