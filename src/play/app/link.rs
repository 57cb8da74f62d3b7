use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::new_game::NewGame;
use super::response::Response;
use crate::game::TimeControl;
use crate::play::LEVELS;
use crate::text::shorten;

/// What a link can say of a new game.
const KNOWN: [&str; 17] = [
    "variant", "start", "fen", "record", "white", "black", "color", "level", "elo", "clock",
    "dice", "order", "name", "moves", "ply", "pauses", "resigns",
];

/// Where only some words are known.
const WORDS: [(&str, &[&str]); 7] = [
    ("white", &["human", "engine"]),
    ("black", &["human", "engine"]),
    ("color", &["white", "black", "random"]),
    ("dice", &["program", "own"]),
    ("order", &["mediator", "free"]),
    ("pauses", &["yes", "no"]),
    ("resigns", &["yes", "no"]),
];

/// How many levels there are, and were when links did not say it.
const LEVELS_NOW: u32 = *LEVELS.end() as u32;
const FORMER_LEVELS: &str = "10";

/// The variant of a link that names none.
const USUAL_VARIANT: &str = "chess960";

/// A link that begins a game: names and values, as a browser reads them out of an address.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Link(Vec<(String, String)>);

impl Link {
    /// The game that it asks for. What is unknown or wrong is no game.
    pub fn new_game(&self) -> Result<NewGame, Response> {
        let mut fields = Map::new();
        for (name, text) in &self.0 {
            let value = value(name, text.trim()).map_err(|sentence| {
                Response::unfit(format!("this link cannot be followed: {sentence}"))
            })?;
            if fields.insert(name.clone(), value).is_some() {
                return Err(Response::unfit(format!("this link says '{name}' twice")));
            }
        }
        fields.entry("variant").or_insert_with(|| json!(USUAL_VARIANT));
        serde_json::from_value(Value::Object(fields)).map_err(Response::unfit)
    }
}

/// A value as a request has it, or what is wrong with it.
fn value(name: &str, text: &str) -> Result<Value, String> {
    if !KNOWN.contains(&name) {
        let known = KNOWN.join(", ");
        return Err(format!("'{}' is unknown; a link can have {known}", shorten(name)));
    }
    let said = shorten(text);
    if let Some((_, words)) = WORDS.iter().find(|(known, _)| *known == name)
        && !words.contains(&text)
    {
        return Err(format!("'{name}' is {}, not '{said}'", words.join(" or ")));
    }
    match name {
        "level" => level(text).map(|level| json!(level)).ok_or_else(|| {
            format!(
                "'level' is a level and how many there are, such as 5/{LEVELS_NOW}, not '{said}'"
            )
        }),
        "elo" | "ply" => match text.parse::<u32>() {
            Ok(number) => Ok(json!(number)),
            Err(_) => Err(format!("'{name}' is a number, not '{said}'")),
        },
        "pauses" | "resigns" => Ok(json!(text == "yes")),
        // In an address a plus sign is a blank.
        "clock" => match text.replace(' ', "+").parse::<TimeControl>() {
            Ok(TimeControl { moves: None, base, increment }) => Ok(json!({
                "base_ms": base.as_millis() as u64, "increment_ms": increment.as_millis() as u64,
            })),
            _ => Err(format!(
                "'clock' is minutes:seconds+seconds for each move, such as 5:00+3, not '{said}'"
            )),
        },
        _ => Ok(json!(text)),
    }
}

/// The level of a link: `5/12`, or only `3` where it is one of the former ten.
fn level(text: &str) -> Option<u32> {
    let (level, levels) = text.split_once('/').unwrap_or((text, FORMER_LEVELS));
    let (level, levels) = (level.parse::<u32>().ok()?, levels.parse::<u32>().ok()?);
    if !(1..=levels).contains(&level) {
        return None;
    }
    // New levels come below.
    level.checked_add(LEVELS_NOW.checked_sub(levels)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<NewGame, Response> {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        Link(pairs.iter().map(owned).collect()).new_game()
    }

    #[test]
    fn a_link_says_all_that_a_new_game_is() {
        let pairs = [
            ("variant", "jepps"),
            ("color", "black"),
            ("level", "3"),
            ("clock", "5:00 3"),
            ("dice", "own"),
            ("order", "free"),
            ("name", "Ada"),
            ("pauses", "yes"),
            ("resigns", "no"),
        ];
        let live = read(&pairs).unwrap().live(&mut crate::random::Rng::new(1)).unwrap();
        let settings = live.settings();
        assert_eq!(settings.clock.unwrap().to_string(), "300+3");
        assert!(settings.habits.pauses && !settings.habits.resigns);
        assert!(settings.players[0].is_engine() && !settings.players[1].is_engine());
        assert_eq!(live.name(crate::types::Color::Black), Some("Ada"));
        assert_eq!(settings.beginning, crate::play::GameStart::FreePlay);
    }

    #[test]
    fn a_level_of_a_link_says_of_how_many_or_is_one_of_ten() {
        let levels = ["5/12", "12/12", "1", "10", "1/10"].map(level);
        assert_eq!(levels, [5, 12, 3, 12, 3].map(Some));
        let wrong = ["", "/12", "5/", "-1", "5/13", "4294967295", "0", "11", "0/12", "300/12"];
        assert_eq!(wrong.map(level), [None; 10]);
    }

    #[test]
    fn what_is_unknown_or_wrong_is_said() {
        for (pair, words) in [
            (("colour", "white"), "'colour' is unknown; a link can have variant, start"),
            (
                ("level", "high"),
                "'level' is a level and how many there are, such as 5/12, not 'high'",
            ),
            (("clock", "40/60"), "such as 5:00+3, not '40/60'"),
            (("clock", "soon"), "such as 5:00+3, not 'soon'"),
            (("white", "robot"), "'white' is human or engine, not 'robot'"),
            (("order", ""), "'order' is mediator or free, not ''"),
            (("pauses", "1"), "'pauses' is yes or no, not '1'"),
        ] {
            let refusal = read(&[pair]).unwrap_err();
            assert_eq!(refusal.status, 422);
            assert!(refusal.body.contains(words), "{}", refusal.body);
        }
        let refusal = read(&[("level", "3"), ("level", "4")]).unwrap_err();
        assert!(refusal.body.contains("'level' twice"), "{}", refusal.body);
    }
}
