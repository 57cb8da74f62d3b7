//! Links that start a game: parses the names and values in the address of a link.
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::new_game::NewGame;
use super::response::Response;
use crate::engine::LEVELS;
use crate::game::TimeControl;
use crate::text::shorten;

/// The names that a link can contain.
const KNOWN: [&str; 18] = [
    "variant", "start", "fen", "record", "white", "black", "color", "level", "elo", "clock",
    "dice", "order", "name", "moves", "ply", "pauses", "resigns", "analysis",
];

/// The names whose values are restricted, with their allowed values.
const WORDS: [(&str, &[&str]); 8] = [
    ("white", &["human", "engine"]),
    ("black", &["human", "engine"]),
    ("color", &["white", "black", "random"]),
    ("dice", &["program", "own"]),
    ("order", &["mediator", "free"]),
    ("pauses", &["yes", "no"]),
    ("resigns", &["yes", "no"]),
    ("analysis", &["yes", "no"]),
];

/// The variant of a link that names no variant.
const USUAL_VARIANT: &str = "chess960";

/// A link that starts a game: names and values from the address.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Link(Vec<(String, String)>);

impl Link {
    /// Returns the new game that the link describes. Fails if a name is unknown or a value is wrong.
    pub fn new_game(&self) -> Result<NewGame, Response> {
        let mut fields = Map::new();
        for (name, text) in &self.0 {
            let value = value(name, text.trim()).map_err(|sentence| {
                Response::unfit(format!("this link cannot be opened: {sentence}"))
            })?;
            if fields.insert(name.clone(), value).is_some() {
                return Err(Response::unfit(format!("this link contains '{name}' twice")));
            }
        }
        fields.entry("variant").or_insert_with(|| json!(USUAL_VARIANT));
        serde_json::from_value(Value::Object(fields)).map_err(Response::unfit)
    }
}

/// Converts a value of a link to the JSON of a request. Fails with a sentence that says what is wrong.
fn value(name: &str, text: &str) -> Result<Value, String> {
    if !KNOWN.contains(&name) {
        let known = KNOWN.join(", ");
        return Err(format!("'{}' is unknown; a link can contain {known}", shorten(name)));
    }
    let said = shorten(text);
    if let Some((_, words)) = WORDS.iter().find(|(known, _)| *known == name)
        && !words.contains(&text)
    {
        return Err(format!("'{name}' must be {}, not '{said}'", words.join(" or ")));
    }
    match name {
        "level" => match text.parse().ok().filter(|level| LEVELS.contains(level)) {
            Some(level) => Ok(json!(level)),
            None => Err(format!("'level' must be from 1 to {}, not '{said}'", LEVELS.end())),
        },
        "elo" | "ply" => match text.parse::<u32>() {
            Ok(number) => Ok(json!(number)),
            Err(_) => Err(format!("'{name}' must be a number, not '{said}'")),
        },
        "pauses" | "resigns" | "analysis" => Ok(json!(text == "yes")),
        // In an address, a plus sign is decoded as a space.
        "clock" => match text.replace(' ', "+").parse::<TimeControl>() {
            Ok(TimeControl { moves: None, base, increment }) => Ok(json!({
                "base_ms": base.as_millis() as u64, "increment_ms": increment.as_millis() as u64,
            })),
            _ => Err(format!(
                "'clock' must be minutes:seconds+seconds per move, such as 5:00+3, not '{said}'"
            )),
        },
        _ => Ok(json!(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<NewGame, Response> {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        Link(pairs.iter().map(owned).collect()).new_game()
    }

    #[test]
    fn a_link_describes_a_new_game() {
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
    fn unknown_names_and_wrong_values_are_explained() {
        for (pair, words) in [
            (("colour", "white"), "'colour' is unknown; a link can contain variant, start"),
            (("level", "high"), "'level' must be from 1 to 12, not 'high'"),
            (("level", "0"), "'level' must be from 1 to 12, not '0'"),
            (("level", "13"), "'level' must be from 1 to 12, not '13'"),
            (("level", "5/12"), "'level' must be from 1 to 12, not '5/12'"),
            (("clock", "40/60"), "such as 5:00+3, not '40/60'"),
            (("clock", "soon"), "such as 5:00+3, not 'soon'"),
            (("white", "robot"), "'white' must be human or engine, not 'robot'"),
            (("order", ""), "'order' must be mediator or free, not ''"),
            (("pauses", "1"), "'pauses' must be yes or no, not '1'"),
        ] {
            let refusal = read(&[pair]).unwrap_err();
            assert_eq!(refusal.status, 422);
            assert!(refusal.body.contains(words), "{}", refusal.body);
        }
        let refusal = read(&[("level", "3"), ("level", "4")]).unwrap_err();
        assert!(refusal.body.contains("'level' twice"), "{}", refusal.body);
    }
}
