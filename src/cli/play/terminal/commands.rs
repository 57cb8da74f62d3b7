//! The commands that people type during a game.

use std::fmt::Display;
use std::path::Path;
use std::time::{Duration, Instant};

use super::super::autosave::Autosave;
use super::super::input::InputEvent;
use super::super::view::{self, HEADING, HELP, possible};
use super::{Continues, TerminalGame};
use crate::engine::{SearchRequest, SearchResult};
use crate::files::{self, FileError, IfExists};
use crate::game::Game;
use crate::play::arbiter::Need;
use crate::play::{Awaited, DrawOffer, LiveGame, PlayError};
use crate::start::die::Die;
use crate::start::jepps::Roll;

/// The engine's thinking time for a hint or an evaluation.
const TO_THINK: Duration = Duration::from_secs(1);

const NO_PGN: &str = "the random part is not complete: there is no PGN yet";

impl TerminalGame<'_> {
    /// Resigns after a confirmation.
    fn resign(&mut self) -> Continues {
        if self.live.termination().is_none() {
            write!(self.output, "{HEADING}Resign? (yes, no)>{HEADING:#} ")?;
            match self.listen()? {
                InputEvent::Line(line) if ["y", "yes"].contains(&&*line.to_ascii_lowercase()) => {}
                InputEvent::Line(_) => return self.say("The game continues."),
                heard => return self.hear(heard),
            }
        }
        let done = self.live.resign(None, Instant::now());
        self.done(done)
    }

    /// Carries out a typed line.
    pub(super) fn obey(&mut self, line: &str) -> Continues {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let now = Instant::now();
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => Ok(!self.is_set_up()),
            ("quit" | "exit", "") => Ok(false),
            ("?" | "help", "") => self.help(),
            ("undo", "") => self.take_back(now),
            ("hint", "") => self.hint(),
            ("eval", "") => self.evaluate(),
            ("draw", "") => self.draw(),
            ("resign", "") => self.resign(),
            ("moves", "") => {
                let text = view::score_sheet(&self.live);
                self.say_or(text, "the random part is not complete: there are no moves yet")
            }
            ("board", "") => self.show_board(),
            ("flip", "") => {
                self.below = !self.below;
                self.show_board()
            }
            ("fen", "") => {
                let fen = self.live.game().map(Game::fen);
                self.say_or(fen, "the random part is not complete: there is no FEN yet")
            }
            ("pgn", "") => self.say_or(self.pgn(), NO_PGN),
            ("save", name) if !name.is_empty() => self.save(name),
            ("load", _) if self.setup_depth.is_some() => self.complain(
                &"'load' works only in 'aleator play'; use --fen to start a setup from a position",
            ),
            ("load", name) if !name.is_empty() => self.load(name),
            ("save" | "load", "") => self.complain(&format!("'{word}' needs the name of a file")),
            _ if self.is_set_up() => {
                self.complain(&"the setup is complete: press Enter, or type 'undo'")
            }
            _ if let Awaited::Engine(color) = self.live.awaited() => {
                self.complain(&PlayError::EnginesTurn { color })
            }
            ("again", "") => self.answer(LiveGame::roll_again),
            ("keep", "") => self.answer(|live| live.accept(now)),
            _ if self.live.arbiter().request().is_some() => self.roll(line),
            _ => self.answer(|live| live.play(line, now)),
        }
    }

    /// Applies a person's answer. An answer in a setup can be taken back.
    fn answer(&mut self, act: impl FnOnce(&mut LiveGame) -> Result<(), PlayError>) -> Continues {
        let before = (self.live.clone(), self.rng.clone());
        let done = act(&mut self.live);
        match before.0.arbiter().need() {
            _ if done.is_err() => {}
            Need::Nothing => self.earlier.clear(),
            _ => self.earlier.push(before),
        }
        self.done(done)
    }

    fn take_back(&mut self, now: Instant) -> Continues {
        let done = self.undo(now);
        self.show_afresh();
        self.done(done)
    }

    /// Marks all events as printed, and makes the next step print the board again.
    fn show_afresh(&mut self) {
        self.printed = self.live.events().len();
        (self.is_stale, self.is_over) = (true, false);
    }

    /// Takes back the last answer in a setup. After the setup, takes back the last move.
    fn undo(&mut self, now: Instant) -> Result<(), PlayError> {
        let Some(before) = self.earlier.pop() else { return self.live.undo(now) };
        (self.live, self.rng) = before;
        self.live.resume(now);
        Ok(())
    }

    /// Prints the error if a command has failed.
    fn done(&mut self, done: Result<(), impl Display>) -> Continues {
        done.map_or_else(|error| self.complain(&error), |()| Ok(true))
    }

    fn help(&mut self) -> Continues {
        write!(self.output, "{HELP}")?;
        let need = self.live.arbiter().need();
        let possible = if need != Need::Nothing || self.is_set_up() {
            possible(&need)
        } else if let Some(game) = self.live.game().filter(|game| game.termination().is_none()) {
            let (turns, san) =
                (game.legal_turns(), |turn: &String| Some(game.read(turn).ok()?.san));
            turns.iter().filter_map(san).collect::<Vec<_>>().join(" ")
        } else {
            return Ok(true);
        };
        self.say(&format!("Now: {possible}"))
    }

    /// Enters the numbers that the players' own dice show.
    fn roll(&mut self, line: &str) -> Continues {
        let values = match self.live.arbiter().need() {
            Need::Die(_) => {
                let words = line.split(|letter: char| letter.is_whitespace() || letter == ',');
                let dice = words.filter(|word| !word.is_empty()).map(str::parse);
                dice.collect::<Result<Vec<Die>, _>>().map_err(anyhow::Error::from)
            }
            _ => line.parse().map(|Roll(dice)| dice.to_vec()).map_err(anyhow::Error::from),
        };
        match values {
            Ok(values) => self.answer(|live| live.roll(&values)),
            Err(error) => self.complain(&error),
        }
    }

    /// Searches the current position and returns the result. Returns `None` if the game is over, if dice must
    /// be rolled first, or if the search was interrupted.
    fn consult(&mut self) -> anyhow::Result<Option<SearchResult>> {
        let problem = match (self.live.game(), self.live.arbiter().need()) {
            (Some(game), _) if game.termination().is_some() => "the game is over",
            (Some(game), Need::Nothing | Need::Choice(_) | Need::Mediation(_)) => {
                let mut request = SearchRequest::of_game(game);
                request.limits.move_time = Some(TO_THINK);
                return self.think(game.clone(), request);
            }
            _ => "dice must be rolled first",
        };
        self.complain(&problem).map(|_| None)
    }

    fn hint(&mut self) -> Continues {
        let Some(reply) = self.consult()? else { return Ok(true) };
        let best = reply.best.as_deref().unwrap_or_default();
        let Some(game) = self.live.game() else { return Ok(true) };
        let text = match game.describe_choice(best) {
            Ok(text) if game.read(best).is_ok() => format!("play {text}"),
            Ok(text) => text,
            Err(_) => best.to_owned(),
        };
        self.say(&format!("The engine would {text}."))
    }

    fn evaluate(&mut self) -> Continues {
        let Some(reply) = self.consult()? else { return Ok(true) };
        let Some(line) = reply.lines.first() else { return Ok(true) };
        self.say(&view::evaluation(line, self.live.side_to_move()))
    }

    fn draw(&mut self) -> Continues {
        match self.live.draw(None, Instant::now()) {
            Ok(DrawOffer::Agreed) => Ok(true),
            Ok(DrawOffer::Made) => {
                self.say("The draw offer stands until the other side has moved.")
            }
            Ok(DrawOffer::Declined) => self.say("The engine wants to play on."),
            Err(error) => self.complain(&error),
        }
    }

    fn pgn(&self) -> Option<String> {
        let date = time::OffsetDateTime::now_utc().date().to_string().replace('-', ".");
        self.live.pgn(&date).map(|game| game.to_string())
    }

    /// Saves the game under a file name. If `--force` follows the name, an existing file is replaced.
    fn save(&mut self, name: &str) -> Continues {
        let (name, force) = match name.strip_suffix("--force") {
            Some(name) => (name.trim_end(), true),
            None => (name, false),
        };
        let path = Path::new(name);
        let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
        let json = || self.live.saved(Instant::now()).to_json();
        let Some(text) = (if is_json { Some(json()) } else { self.pgn() }) else {
            return self.complain(&NO_PGN);
        };
        match files::write(path, text.as_bytes(), IfExists::forced(force)) {
            Ok(()) => self.say(&format!("Written to {name}.")),
            Err(error @ FileError::Exists { .. }) => {
                self.complain(&format!("{error}; use --force to replace it"))
            }
            Err(error) => self.complain(&error),
        }
    }

    /// Replaces the game by a game from a file. The old game stays saved if it is not over.
    fn load(&mut self, name: &str) -> Continues {
        let live = match super::super::load(Path::new(name), self.live.settings()) {
            Ok(live) => live,
            Err(error) => return self.complain(&format!("{error:#}")),
        };
        self.live.pause(Instant::now());
        self.keep()?;
        (self.live, self.autosave) = (live, Autosave::new());
        self.earlier.clear();
        self.live.resume(Instant::now());
        self.show_afresh();
        self.engine.new_game();
        Ok(true)
    }
}
