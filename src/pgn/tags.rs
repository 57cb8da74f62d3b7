//! The tags of a game, and which game they say it is.

use serde::{Deserialize, Serialize};

use super::fault::PgnFault;
use crate::game::{Game, IgnoredPart};
use crate::geometry::Board8x8;
use crate::position::{FenStyle, Position};
use crate::rules::{KingRight, SetupKind, Variant};
use crate::setup::Setup;
use crate::types::Color;

/// Where a king stands that castles as in orthodox chess.
const E_FILE: u8 = 4;

/// What `Order` says of Free Play.
const FREE_PLAY: &str = "Free Play";

/// The tags that must not contradict one another.
const DECISIVE: [&str; 4] = ["FEN", "Variant", "Game", "Order"];

/// Names with values, in the order in which they stand.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag; the case of its name does not matter.
    pub fn get(&self, name: &str) -> Option<&str> {
        let tag = self.0.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.as_str())
    }

    /// Gives a tag a value, behind all others if it is new.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        match self.0.iter_mut().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.to_owned(), value.into())),
        }
    }

    /// Takes a tag away.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The seven that every game has, unknown as yet, and those that say how it begins.
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

    /// Takes away those that say how the game begins.
    pub(crate) fn forget_start(&mut self) {
        DECISIVE.into_iter().chain(["SetUp"]).for_each(|name| self.remove(name));
    }

    /// Takes a tag of a file. Of two with one name the later counts, unless they disagree about
    /// which game it is.
    pub(super) fn add(&mut self, name: &str, value: String) -> Result<(), PgnFault> {
        let differs = self.get(name).is_some_and(|earlier| earlier != value);
        if let Some(name) =
            DECISIVE.into_iter().find(|one| one.eq_ignore_ascii_case(name) && differs)
        {
            return Err(PgnFault::TagTwice { name });
        }
        self.set(name, value);
        Ok(())
    }

    /// The game that the tags say, at its beginning.
    pub(super) fn start(&self) -> Result<Game, PgnFault> {
        let variant = self.variant()?;
        let Some(fen) = self.get("FEN") else {
            return Game::standard(variant).map_err(PgnFault::Fen);
        };
        let (game, _) = Game::new_lenient(variant, fen).map_err(PgnFault::Fen)?;
        let free = self.get("Order").is_some_and(|order| order.eq_ignore_ascii_case(FREE_PLAY));
        match game.setup() {
            Some(state) if free && *state == Setup::empty(SetupKind::Jepps) => Ok(free_play()),
            _ => Ok(game),
        }
    }

    /// Returns the parts of the tag `FEN` that contradict its board and are ignored.
    pub(super) fn ignored_parts(&self) -> Vec<IgnoredPart> {
        let read = self.variant().ok().zip(self.get("FEN"));
        let read = read.and_then(|(variant, fen)| Game::new_lenient(variant, fen).ok());
        read.map_or_else(Vec::new, |(_, ignored)| ignored)
    }

    /// The game becomes one of Free Play, as Black's answer shows.
    pub(super) fn decide_free_play(&mut self) -> Game {
        self.set("Order", FREE_PLAY);
        free_play()
    }

    fn variant(&self) -> Result<Variant, PgnFault> {
        let ours = self.get("Game").and_then(|name| name.parse().ok());
        match (ours, self.get("Variant")) {
            (Some(variant), _) => Ok(variant),
            (None, None) => Ok(Variant::Chess),
            (None, Some(name)) => read_variant(name).map_err(PgnFault::Variant),
        }
    }
}

fn free_play() -> Game {
    Game::from(Setup::empty(SetupKind::JeppsFreePlay))
}

/// Reads the name that some program has for a variant.
fn read_variant(name: &str) -> Result<Variant, crate::rules::VariantError> {
    let letters: String = name.chars().filter(|letter| !" -_".contains(*letter)).collect();
    match letters.to_ascii_lowercase().as_str() {
        "fromposition" | "?" | "" => Ok(Variant::Chess),
        "prechess" => Ok(Variant::Placement),
        plain => plain.parse().or_else(|_| name.parse()),
    }
}

/// The name under which other programs play on from a position, of the variant with our name. A
/// set-up, the king's relocation of Jepps Random Chess and the board of IFRC have none but ours.
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

/// Reads the tag `[Name "value"]` at the beginning of a text; what is behind it comes back, too.
/// Nothing if it is no tag. In the value `\"` and `\\` stand for a quote and a backslash; as some
/// programs forget that, the value may also go on to the last quote of the text.
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

/// A value up to its quote, with a bracket behind.
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
