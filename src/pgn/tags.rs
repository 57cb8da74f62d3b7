//! The tags of a game, and the starting position that they describe.

use serde::{Deserialize, Serialize};

use super::problem::PgnProblem;
use crate::game::{Game, IgnoredPart};
use crate::geometry::Board8x8;
use crate::position::{FenStyle, Position};
use crate::rules::{KingRight, SetupKind, Variant};
use crate::setup::Setup;
use crate::types::Color;

/// The king's initial file in orthodox chess.
const E_FILE: u8 = 4;

/// The value of the tag `Order` for Free Play.
const FREE_PLAY: &str = "Free Play";

/// The tags that must not occur twice with different values in a game.
const DECISIVE: [&str; 4] = ["FEN", "Variant", "Game", "Order"];

/// The tags of a game: names and values, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// Returns the value of a tag. The case of the name does not matter.
    pub fn get(&self, name: &str) -> Option<&str> {
        let tag = self.0.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.as_str())
    }

    /// Sets the value of a tag. Adds the tag at the end if it does not exist.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        match self.0.iter_mut().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.to_owned(), value.into())),
        }
    }

    /// Removes a tag.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
    }

    /// Iterates over the names and values of all tags.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the tags of a new game: the seven standard tags, marked as unknown, and the tags that describe
    /// the start.
    pub(super) fn of_start(start: &Game) -> Tags {
        let mut tags = Tags::default();
        for name in ["Event", "Site", "Date", "Round", "White", "Black", "Result"] {
            let unknown = match name {
                "Date" => "????.??.??",
                "Result" => "*",
                _ => "?",
            };
            tags.set(name, unknown);
        }
        let (variant, fen) = (start.variant(), start.fen());
        tags.set("Variant", variant_tag(variant.name(), &fen));
        tags.set("Game", variant.name());
        let kind = start.setup().map(Setup::kind);
        if kind == Some(SetupKind::JeppsFreePlay) {
            tags.set("Order", FREE_PLAY);
        }
        if variant != Variant::Chess || Game::standard(variant).is_ok_and(|game| game.fen() != fen)
        {
            tags.set("SetUp", "1");
            tags.set("FEN", fen);
        }
        tags
    }

    /// Removes the tags that describe the start.
    pub(crate) fn forget_start(&mut self) {
        DECISIVE.into_iter().chain(["SetUp"]).for_each(|name| self.remove(name));
    }

    /// Adds a tag read from a file. The tag replaces an earlier tag of the same name. If a [`DECISIVE`] tag
    /// already has a different value, an error is returned.
    pub(super) fn add(&mut self, name: &str, value: String) -> Result<(), PgnProblem> {
        let differs = self.get(name).is_some_and(|earlier| earlier != value);
        if let Some(name) =
            DECISIVE.into_iter().find(|one| one.eq_ignore_ascii_case(name) && differs)
        {
            return Err(PgnProblem::TagTwice { name });
        }
        self.set(name, value);
        Ok(())
    }

    /// Returns the game before its first turn, as described by the tags.
    pub(super) fn start(&self) -> Result<Game, PgnProblem> {
        let variant = self.variant()?;
        let Some(fen) = self.get("FEN") else {
            return Game::standard(variant).map_err(PgnProblem::Fen);
        };
        let (game, _) = Game::new_lenient(variant, fen).map_err(PgnProblem::Fen)?;
        let free = self.get("Order").is_some_and(|order| order.eq_ignore_ascii_case(FREE_PLAY));
        match game.setup() {
            Some(state) if free && *state == Setup::empty(SetupKind::Jepps) => Ok(free_play()),
            _ => Ok(game),
        }
    }

    /// Returns the parts of the tag `FEN` that contradict the board in that FEN and are ignored.
    pub(super) fn ignored_parts(&self) -> Vec<IgnoredPart> {
        let read = self.variant().ok().zip(self.get("FEN"));
        let read = read.and_then(|(variant, fen)| Game::new_lenient(variant, fen).ok());
        read.map_or_else(Vec::new, |(_, ignored)| ignored)
    }

    /// Sets the tag `Order` to Free Play and returns the start of Free Play. Called when Black's first
    /// placement has shown that the game is Free Play.
    pub(super) fn decide_free_play(&mut self) -> Game {
        self.set("Order", FREE_PLAY);
        free_play()
    }

    fn variant(&self) -> Result<Variant, PgnProblem> {
        let ours = self.get("Game").and_then(|name| name.parse().ok());
        match (ours, self.get("Variant")) {
            (Some(variant), _) => Ok(variant),
            (None, None) => Ok(Variant::Chess),
            (None, Some(name)) => read_variant(name).map_err(PgnProblem::Variant),
        }
    }
}

fn free_play() -> Game {
    Game::from(Setup::empty(SetupKind::JeppsFreePlay))
}

/// Parses the name of a variant. Accepts the spellings of several programs.
fn read_variant(name: &str) -> Result<Variant, crate::rules::VariantError> {
    let letters: String = name.chars().filter(|letter| !" -_".contains(*letter)).collect();
    match letters.to_ascii_lowercase().as_str() {
        "fromposition" | "?" | "" => Ok(Variant::Chess),
        "prechess" => Ok(Variant::Placement),
        plain => plain.parse().or_else(|_| name.parse()),
    }
}

/// Returns the name of a variant that other programs know and in which they can continue from a position.
/// For placement phases, Jepps Random Chess and IFRC, returns Aleator's own name of the variant.
pub fn variant_tag<'a>(variant: &'a str, fen: &str) -> &'a str {
    let Ok(position) = Position::<Board8x8>::from_fen(fen, KingRight::Castling) else {
        return variant;
    };
    let orthodox = position.fen_rights(FenStyle::Shredder).chars().all(|letter| {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        letter == '-' || "HAha".contains(letter) && position.king(color).file() == E_FILE
    });
    match variant.parse() {
        Ok(Variant::Chess960 | Variant::FischerBenko) => "Chess960",
        Ok(Variant::Chess | Variant::Transcendental | Variant::Placement) => {
            if orthodox {
                "Standard"
            } else {
                "Chess960"
            }
        }
        _ => variant,
    }
}

/// Parses the tag `[Name "value"]` at the beginning of a text. Returns the name, the value and the rest of
/// the text, or `None` if the text does not begin with a tag. In the value, `\"` stands for a quote and `\\`
/// for a backslash. Some programs do not escape quotes. If no bracket follows the first quote in the value,
/// the value therefore extends to the last quote of the text.
pub(super) fn read_tag(text: &str) -> Option<(&str, String, &str)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let (name, rest) =
        inner.split_at(inner.find(|letter: char| letter.is_whitespace() || letter == '"')?);
    let quoted = rest.trim_start().strip_prefix('"')?;
    let (value, rest) = read_value(quoted).or_else(|| {
        let (value, _) = quoted.trim_end().strip_suffix(']')?.trim_end().rsplit_once('"')?;
        Some((value.to_owned(), ""))
    })?;
    let fits = |letter: char| !letter.is_control() && !"[]\"".contains(letter);
    let value = value.replace(|letter: char| letter.is_control(), " ");
    (!name.is_empty() && name.chars().all(fits)).then_some((name, value, rest))
}

/// Parses the value of a tag up to the closing quote. A closing bracket must follow the quote. Returns the
/// value and the text after the bracket.
fn read_value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, text[at + 1..].trim_start().strip_prefix(']')?)),
            '\\' => match letters.clone().next() {
                Some((_, escaped @ ('"' | '\\'))) => {
                    letters.next();
                    value.push(escaped);
                }
                _ => value.push('\\'),
            },
            _ => value.push(letter),
        }
    }
    None
}
