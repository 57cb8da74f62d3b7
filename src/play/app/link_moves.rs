//! The events of a game in a link: writes and replays turns, dice and decisions about dice.

use serde_json::{Value, json};

use super::response::Response;
use crate::play::{DiceSource, GameEvent, GameStart, LiveGame, PlayError};
use crate::start::die::Die;
use crate::start::jepps::Roll;
use crate::text::shorten;

/// The word in a link for the decision to reroll the dice.
const AGAIN: &str = "again";
/// The word in a link for Black's decision to accept the verdict after a double of the mediator.
const KEEP: &str = "keep";

/// The maximum number of events that a link may contain.
const LONGEST: usize = 2_000;

/// The separator between events.
const SEPARATOR: char = '.';

/// Returns a link that opens the game after `ply` turns and the moves of `variation`.
///
/// Without a variation, the link contains all turns of the game. With a variation, the link contains only the
/// first `ply` turns and the variation.
pub(super) fn link(live: &LiveGame, ply: usize, variation: &[String]) -> Value {
    let settings = live.settings();
    let mut pairs = vec![
        ("variant", live.game_name().to_owned()),
        ("white", "human".to_owned()),
        ("black", "human".to_owned()),
    ];
    pairs.push(match &settings.beginning {
        GameStart::Fen(fen) => ("fen", fen.clone()),
        GameStart::Die => ("start", "die".to_owned()),
        GameStart::FreePlay => ("order", "free".to_owned()),
    });
    if live.is_analysis() {
        pairs.push(("analysis", "yes".to_owned()));
    }
    if settings.dice == DiceSource::Own {
        pairs.push(("dice", "own".to_owned()));
    }
    let mut turns = 0;
    let is_told = |event: &&GameEvent| {
        turns += usize::from(event.turn().is_some());
        variation.is_empty() || turns <= ply
    };
    let mut words: Vec<String> = live.events().iter().take_while(is_told).map(word).collect();
    words.extend(variation.iter().cloned());
    pairs.push(("moves", words.join(&SEPARATOR.to_string())));
    pairs.push(("ply", (ply + variation.len()).to_string()));
    json!(pairs)
}

fn word(event: &GameEvent) -> String {
    match event {
        GameEvent::Die(die) => die.to_string(),
        GameEvent::Dice(Roll([one, two])) => format!("{one}{two}"),
        GameEvent::Again => AGAIN.to_owned(),
        GameEvent::Accept => KEEP.to_owned(),
        GameEvent::Turn(note) => note.uci.clone(),
    }
}

/// Replays the events of a link. Fails if the game then has fewer than `ply` turns.
pub(super) fn follow(live: &mut LiveGame, words: &str, ply: Option<usize>) -> Result<(), Response> {
    let refusal =
        |reason: String| Response::unfit(format!("this link cannot be followed: {reason}"));
    for (count, word) in words.split(SEPARATOR).filter(|word| !word.is_empty()).enumerate() {
        if count == LONGEST {
            return Err(refusal(format!("it has more than {LONGEST} moves")));
        }
        repeat(live, word).map_err(|error| {
            let (number, word) = (live.turns().len() + 1, shorten(word));
            refusal(format!("turn {number}, '{word}': {error}"))
        })?;
    }
    let count = live.turns().len();
    let lacking = ply.filter(|ply| *ply > count);
    lacking.map_or(Ok(()), |ply| {
        Err(refusal(format!("it starts after turn {ply}, but the number of turns is only {count}")))
    })
}

fn repeat(live: &mut LiveGame, word: &str) -> Result<(), PlayError> {
    let is_dice = word.len() <= 2 && word.bytes().all(|byte| (b'1'..=b'6').contains(&byte));
    match word {
        AGAIN => live.roll_again(),
        KEEP => live.repeat(&GameEvent::Accept),
        _ if is_dice => {
            let dice: Vec<Die> =
                word.bytes().filter_map(|byte| Die::new(byte - b'0').ok()).collect();
            live.roll(&dice)
        }
        _ => live.follow(word),
    }
}
