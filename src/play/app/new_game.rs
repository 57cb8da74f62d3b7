//! Requests for new games: converts the settings in a request, and lists the variants that the page offers.
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::draft::completed;
use super::link_moves;
use super::response::{AppResult, Response};
use crate::engine::{Habits, LEVELS, Strength, USUAL_LEVEL};
use crate::game::{Game, TimeControl};
use crate::geometry::Board;
use crate::play::{DiceSource, GameSettings, GameStart, LiveGame, Player};
use crate::rules::{Variant, on_board, variant_names};
use crate::start::{Numbering, Rng, Start};
use crate::types::Color;

/// A request for a new game.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    variant: String,
    start: Option<StartText>,
    fen: Option<String>,
    record: Option<String>,
    white: Option<Side>,
    black: Option<Side>,
    /// The colour of the person in a game against the engine.
    color: Option<OwnColor>,
    /// The person's name.
    name: Option<String>,
    /// The names of White and Black in a game between two people.
    names: Option<[String; 2]>,
    /// Whether to open a position for analysis, without players.
    #[serde(default)]
    analysis: bool,
    level: Option<u8>,
    elo: Option<u32>,
    clock: Option<ClockSetting>,
    #[serde(default)]
    dice: DiceSource,
    #[serde(default)]
    order: FillingOrder,
    /// The events of the game, in the format of links.
    moves: Option<String>,
    /// The number of turns after which the page shows the game.
    ply: Option<usize>,
    /// Whether an engine below full strength pauses before each reply.
    pauses: Option<bool>,
    /// Whether the engine resigns and offers draws.
    resigns: Option<bool>,
}

/// A starting position as a number or as a text, such as back ranks.
#[derive(Deserialize, Debug)]
#[serde(untagged, expecting = "a start is a number such as 518, or a text")]
enum StartText {
    Number(u64),
    Text(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Side {
    Human,
    Engine,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum OwnColor {
    White,
    Black,
    Random,
}

/// The order in which the sides fill their squares in Jepps Random Chess: White before Black, or in turn
/// (Free Play).
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum FillingOrder {
    #[default]
    Mediator,
    Free,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct ClockSetting {
    base_ms: u64,
    #[serde(default)]
    increment_ms: u64,
}

/// The maximum number of letters of a person's name; longer names are cut off.
const LONGEST_NAME: usize = 60;
/// The maximum time on a clock and the maximum increment: ten hours in milliseconds.
const LONGEST_MS: u64 = 36_000_000;

impl NewGame {
    /// Creates the requested game, and replays the events of a link.
    pub(super) fn live(&self, rng: &mut Rng) -> Result<LiveGame, Response> {
        let mut live = LiveGame::new(self.settings(rng)?)?;
        link_moves::follow(&mut live, self.moves.as_deref().unwrap_or_default(), self.ply)?;
        let is_person = |color: &Color| !live.player(*color).is_engine();
        let people: Vec<Color> = Color::ALL.into_iter().filter(is_person).collect();
        let name = self.name.as_deref().map(written).filter(|name| !name.is_empty());
        // In a game between two people, the name could belong to either person.
        if let (Some(name), &[color]) = (name, &people[..]) {
            live.set_name(color, &name);
        }
        if let (Some(names), [_, _]) = (&self.names, &people[..]) {
            let names = Color::ALL.into_iter().zip(names.each_ref().map(|name| written(name)));
            names
                .filter(|(_, name)| !name.is_empty())
                .for_each(|(color, name)| live.set_name(color, &name));
        }
        live.origin_mut().is_analysis = self.analysis;
        Ok(live)
    }

    /// Returns the settings of the new game.
    fn settings(&self, rng: &mut Rng) -> Result<GameSettings, Response> {
        let numbering: Numbering = self.variant.parse().map_err(Response::unfit)?;
        let variant = numbering.variant();
        let strength = self.strength()?;
        let players = self.sides(rng)?.map(|side| match side {
            Side::Human => Player::Person,
            Side::Engine => Player::Engine(strength),
        });
        let clock = self.clock.as_ref().map(ClockSetting::control).transpose()?;
        let beginning = self.beginning(numbering, rng)?;
        let (pauses, resigns) = (self.pauses.unwrap_or(false), self.resigns.unwrap_or(true));
        let habits = Habits { pauses, resigns };
        Ok(GameSettings { variant, beginning, players, dice: self.dice, clock, habits })
    }

    /// Returns who plays White and Black.
    fn sides(&self, rng: &mut Rng) -> Result<[Side; 2], Response> {
        if self.analysis {
            return Ok([Side::Human; 2]);
        }
        let (white, black) = (self.white, self.black);
        let is_white = match self.color {
            None => return Ok([white.unwrap_or(Side::Human), black.unwrap_or(Side::Engine)]),
            Some(_) if white.or(black).is_some() => {
                let sentence = "give either 'color' or 'white' and 'black', not both";
                return Err(Response::unfit(sentence));
            }
            Some(OwnColor::Random) => rng.below(2) == 0,
            Some(color) => color == OwnColor::White,
        };
        Ok(if is_white { [Side::Human, Side::Engine] } else { [Side::Engine, Side::Human] })
    }

    /// Describes how the requested game starts. Contains the FEN unless the game starts with rolls of a die.
    /// Contains the back ranks and the number if the request names a starting position.
    pub(super) fn preview(&self, rng: &mut Rng) -> AppResult {
        let settings = self.settings(rng)?;
        let numbering: Numbering = self.variant.parse().map_err(Response::unfit)?;
        let live = LiveGame::new(settings)?;
        let fen = live.game().map(Game::fen);
        let start = match &self.start {
            Some(StartText::Number(number)) => numbering.start(*number).ok(),
            Some(StartText::Text(text)) => match text.trim().parse() {
                Ok(number) => numbering.start(number).ok(),
                Err(_) => Start::parse(numbering.variant(), text.trim()).ok(),
            },
            None => None,
        };
        let number = start.as_ref().and_then(|start| numbering.number(start));
        let start = start.map(|start| start.to_string());
        Ok(Response::ok(&json!({ "fen": fen, "start": start, "number": number })))
    }

    fn strength(&self) -> Result<Strength, Response> {
        match (self.level, self.elo) {
            (Some(_), Some(_)) => Err(Response::unfit("give either 'level' or 'elo', not both")),
            (None, Some(elo)) => Ok(Strength::Elo(elo)),
            (level, None) => {
                let level = level.unwrap_or(USUAL_LEVEL);
                let (low, high) = LEVELS.into_inner();
                if !LEVELS.contains(&level) {
                    let sentence =
                        format!("there is no level {level}: levels range from {low} to {high}");
                    return Err(Response::unfit(sentence));
                }
                Ok(Strength::Level(level))
            }
        }
    }

    fn beginning(&self, numbering: Numbering, rng: &mut Rng) -> Result<GameStart, Response> {
        let variant = numbering.variant();
        let has_die = variant.rules().setup.is_some_and(|kind| kind.has_random_part());
        let start = self.start.as_ref().map(|start| match start {
            StartText::Number(number) => number.to_string(),
            StartText::Text(text) => text.trim().to_owned(),
        });
        match (start, &self.fen, &self.record) {
            (None, None, None) if self.order == FillingOrder::Free => Ok(GameStart::FreePlay),
            (None, None, None) if has_die => Ok(GameStart::Die),
            (None, None, None) => Ok(GameStart::usual(numbering, rng)),
            (Some(start), None, None) if start == "die" => Ok(GameStart::Die),
            (Some(start), None, None) => Ok(GameStart::start(numbering, &start, rng)?),
            (None, Some(fen), None) => Ok(GameStart::Fen(completed(variant, fen))),
            (None, None, Some(record)) => Ok(GameStart::record(variant, record)?),
            _ => Err(Response::unfit("give only one of 'start', 'fen' and 'record'")),
        }
    }
}

impl ClockSetting {
    fn control(&self) -> Result<TimeControl, Response> {
        let (base, increment) = (self.base_ms, self.increment_ms);
        if base == 0 || base > LONGEST_MS || increment > LONGEST_MS {
            let sentence =
                "a clock must have 1 ms to ten hours, and an increment of at most ten hours";
            return Err(Response::unfit(sentence));
        }
        let (base, increment) = (Duration::from_millis(base), Duration::from_millis(increment));
        Ok(TimeControl { moves: None, base, increment })
    }
}

/// Cleans a person's name for files: removes control characters and superfluous spaces, and cuts off letters
/// after [`LONGEST_NAME`].
fn written(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect()
}

/// Describes all variants of this build, for the page.
pub(super) fn offered() -> Vec<Value> {
    variant_names().into_iter().filter_map(|id| offer(id, id.parse().ok()?)).collect()
}

fn offer(id: &str, numbering: Numbering) -> Option<Value> {
    let variant = numbering.variant();
    let (name, sentence) = description(id)?;
    let setup = variant.rules().setup;
    let dice = match setup {
        Some(kind) if kind.fills_in_order() => "jepps",
        Some(kind) if kind.has_random_part() => "die",
        _ => "none",
    };
    let orders: &[&str] = if variant == Variant::Jepps { &["mediator", "free"] } else { &[] };
    Some(json!({
        "id": id,
        "name": name,
        "sentence": sentence,
        "board": on_board!(variant.rules().board, |G| G::FILES),
        "setup": setup.is_some(),
        "dice": dice,
        "starts": numbering.count(),
        "orders": orders,
    }))
}

/// Returns the name and a description of a variant.
fn description(id: &str) -> Option<(&'static str, &'static str)> {
    Some(match id {
        "chess" => ("Chess", "The usual starting position and the usual rules."),
        "chess960" => (
            "Chess960",
            "Fischer's chess: one of 960 starting positions, the same for both sides; castling ends on \
             the usual squares.",
        ),
        "dfrc" => (
            "Double Fischer Random",
            "Chess960 in which each side has its own back rank: 921,600 starts.",
        ),
        "ifrc" => (
            "International Fischer Random",
            "Chess960 on ten files and ten ranks, with an empty rank behind each side's pieces and an \
             empty file at either edge.",
        ),
        "fischerbenko" => (
            "Fischer-Benko",
            "Dice place two bishops and a rook; the players place the rest in turn, the king between \
             the rooks. Then it is Chess960.",
        ),
        "transcendental" => (
            "Half-Random Transcendental",
            "Dice place two bishops and a rook; the players place the rest in turn, wherever they \
             like. There is no castling.",
        ),
        "jepps" => (
            "Jepps Random Chess",
            "Two dice offer pieces for each square; a mediator decides about Black's back rank. Each \
             king may relocate once.",
        ),
        "placement" => (
            "Pre-Chess",
            "Pal Benko's game: both sides place all eight pieces in turn, then play chess.",
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_offered() {
        let offered = offered();
        assert_eq!(offered.len(), Variant::ALL.len() + 1);
        let dfrc = offered.iter().find(|one| one["id"] == "dfrc").unwrap();
        assert_eq!((&dfrc["starts"], &dfrc["board"]), (&json!(921_600), &json!(8)));
        assert_eq!(dfrc["setup"], false);
    }

    #[test]
    fn a_start_can_be_given_by_its_number_or_back_rank() {
        for start in [json!(518), json!("518"), json!("rnbqkbnr")] {
            let game: NewGame =
                serde_json::from_value(json!({ "variant": "chess960", "start": start })).unwrap();
            let response = game.preview(&mut Rng::new(1)).unwrap();
            let shown: Value = serde_json::from_str(&response.body).unwrap();
            assert_eq!((&shown["number"], &shown["start"]), (&json!(518), &json!("RNBQKBNR")));
        }
    }
}
