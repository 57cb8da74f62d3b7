//! Plays one game between two engines, with our rules library as the arbiter.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::client::{Client, EngineInfo, millis};
use super::failure::Failure;
use super::limit::MatchClocks;
use crate::game::{Game, Outcome, Termination, Turn, on_stage};
use crate::start::Rng;
use crate::tablebase::{Tablebase, TablebaseResult};
use crate::tools::adjudication::{Adjudication, Adjudicator};
use crate::types::Color;

/// The conditions that apply to all games of a match.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// How far a move may exceed the engine's time.
    pub margin: Duration,
    /// How long to wait for a move if the engine's time is not limited.
    pub patience: Duration,
    pub adjudication: Adjudication,
    /// Tablebases that adjudicate games. `None` if there are no tablebases.
    pub tablebase: Option<Arc<Tablebase>>,
}

/// How long to wait for a move after the time is over. Distinguishes an engine that is late from an engine
/// that hangs.
const GRACE: Duration = Duration::from_secs(3);

/// A turn of a game, with the engine's evaluation and time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedTurn {
    pub turn: Turn,
    pub info: EngineInfo,
    pub time: Duration,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// How the game ended, or the side whose engine failed.
    pub end: Result<Termination, (Color, Failure)>,
    /// The turns of the game: first the placements of the setup, then the moves.
    pub turns: Vec<PlayedTurn>,
    /// The position before the first move: the opening, or the position after the setup.
    pub start: String,
}

/// Plays a game from an opening. `engines` are White's and Black's, and `dice` determines the dice of the
/// setup. Returns `None` if `stop` is set during the game.
pub fn play(
    mut game: Game,
    engines: [&mut Client; 2],
    conditions: &Conditions,
    mut dice: Rng,
    stop: &AtomicBool,
) -> Option<PlayedGame> {
    let mut turns = Vec::new();
    let limits = [0, 1].map(|side| engines[side].limit());
    let mut clocks = MatchClocks::new(limits, conditions.margin);
    let mut adjudicator = Adjudicator::new(conditions.adjudication);
    let (mut by_score, mut plies) = (None, 0);
    let over = |end, turns, start| Some(PlayedGame { end, turns, start });
    for side in Color::ALL {
        if let Err(failure) = engines[side.index()].new_game() {
            return over(Err((side, failure)), turns, game.start_fen());
        }
    }
    loop {
        game.roll_dice(&mut dice);
        let (side, start) = (game.side_to_move(), game.start_fen());
        let by_tablebase = || by_tablebase(conditions.tablebase.as_deref()?, &game);
        if let Some(end) = game.termination().or_else(by_tablebase).or(by_score) {
            return over(Ok(end), turns, start);
        }
        let client = &mut *engines[side.index()];
        match take_turn(&mut game, client, conditions, &mut clocks, stop) {
            Ok(Reaction::Stopped) => return None,
            Ok(Reaction::Dice) => {}
            Ok(Reaction::Turn(played)) => {
                // Placements have no score, so the scores of placements cannot adjudicate the game.
                if !played.turn.placement {
                    plies += 1;
                    by_score = adjudicator.judge(side, played.info.score, plies);
                }
                turns.push(played);
            }
            Err(failure) => return over(Err((side, failure)), turns, start),
        }
    }
}

/// Returns the tablebase result of the position, or `None` if the tablebases do not contain the position.
fn by_tablebase(tablebase: &Tablebase, game: &Game) -> Option<Termination> {
    let result = on_stage!(game.stage(), _ => None, game => tablebase.result(game.position()))?;
    Some(Termination::Tablebase(match result {
        TablebaseResult::Win(color) => Outcome::won_by(color),
        TablebaseResult::Draw => Outcome::Draw,
    }))
}

/// How an engine reacted when asked for its turn.
enum Reaction {
    Turn(PlayedTurn),
    /// The engine rerolled the dice, or accepted the mediator's verdict.
    Dice,
    Stopped,
}

/// Asks an engine for its turn and plays the turn. Fails if the engine is late or its turn is illegal. The
/// mediator's verdict is accepted unless the engine asks for a reroll.
fn take_turn(
    game: &mut Game,
    client: &mut Client,
    conditions: &Conditions,
    clocks: &mut MatchClocks,
    stop: &AtomicBool,
) -> Result<Reaction, Failure> {
    let side = game.side_to_move();
    let offered = game.offered();
    let mut go = clocks.command(side);
    if !offered.is_empty() {
        go += " searchmoves ";
        go += &offered.join(" ");
    }
    let rate = client.nodes_per_millisecond();
    // A clock that counts nodes does not say how long the engine may take.
    let left = clocks.left(side).filter(|_| rate.is_none());
    let late = conditions.margin.saturating_add(GRACE);
    let patience = left.map_or(conditions.patience, |left| left.saturating_add(late));
    let Some(reply) = client.ask(&game.command(), &go, patience, stop)? else {
        return Ok(Reaction::Stopped);
    };
    let time = rate.map_or(reply.time, |rate| {
        Duration::from_micros(reply.info.nodes.unwrap_or_default().saturating_mul(1_000) / rate)
    });
    if let Some(over) = clocks.spend(side, time) {
        return Err(Failure::TimeLoss { over_ms: millis(over) });
    }
    if game.answer_dice(&reply.best) || game.accept().is_some() {
        return Ok(Reaction::Dice);
    }
    let illegal = |reason| Failure::Illegal { found: crate::text::shorten(&reply.best), reason };
    let read = game.read(&reply.best).and_then(|turn| game.play(&turn.uci).map(|()| turn));
    let turn = read.map_err(|error| illegal(error.to_string()))?;
    Ok(Reaction::Turn(PlayedTurn { turn, info: reply.info, time }))
}
