//! The dialogue of a game: asks for turns, carries out commands, lets the engine play.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::autosave::Autosave;
use super::input::{InputEvent, TerminalInput};
use super::view::{self, ERROR, FAINT, HEADING, HELP, Look, possible, style};
use crate::cli::output::wrap;
use crate::engine::{SearchRequest, SearchResult};
use crate::files::{self, FileError, IfExists};
use crate::game::Game;
use crate::play::arbiter::Need;
use crate::play::{Awaited, DiceSource, DrawOffer, EngineQueue, GameEvent, LiveGame, PlayError};
use crate::random::fresh_seed;
use crate::search::Limits;
use crate::start::Rng;
use crate::start::die::{Die, DieError};
use crate::start::jepps::Roll;
use crate::types::Color;

/// How long the engine thinks about a hint or an evaluation.
const TO_THINK: Duration = Duration::from_secs(1);

/// A game in the terminal, until its end or until the person leaves.
pub(in crate::cli) struct TerminalGame<'a> {
    live: LiveGame,
    autosave: Autosave,
    rng: Rng,
    engine: Arc<EngineQueue>,
    input: TerminalInput,
    output: &'a mut dyn Write,
    look: Look,
    /// The side at the bottom of the board.
    below: Color,
    /// The number of events that have been printed.
    printed: usize,
    /// Whether the board has changed since it was printed.
    is_stale: bool,
    /// Whether the result has been printed.
    is_over: bool,
    /// In setups, the game and the random numbers before each answer of a person, so that `undo`
    /// repeats the same dice.
    earlier: Vec<(LiveGame, Rng)>,
    /// The reasons for the engine's last choice, if they are to be printed.
    reasons: Option<String>,
    /// If only the setup is played: the depth to which the engine searches each pair of back ranks.
    setup_depth: Option<u32>,
}

/// Whether the dialogue continues.
type Continues = anyhow::Result<bool>;

impl<'a> TerminalGame<'a> {
    pub fn new(
        live: LiveGame,
        autosave: Autosave,
        rng: Rng,
        hash: usize,
        look: Look,
        output: &'a mut dyn Write,
    ) -> anyhow::Result<TerminalGame<'a>> {
        let engine = Arc::new(EngineQueue::start(hash)?);
        let input = TerminalInput::start(engine.clone());
        let is_person = |color| !live.player(color).is_engine();
        let only_black = is_person(Color::Black) && !is_person(Color::White);
        let below = if only_black { Color::Black } else { Color::White };
        let printed = live.events().len();
        let (is_stale, is_over) = (true, false);
        Ok(TerminalGame {
            live,
            autosave,
            rng,
            engine,
            input,
            output,
            look,
            below,
            printed,
            is_stale,
            is_over,
            earlier: Vec::new(),
            reasons: None,
            setup_depth: None,
        })
    }

    /// Plays until the game or the input ends, and then saves the game.
    pub fn run(&mut self) -> anyhow::Result<()> {
        let [white, black] = Color::ALL.map(|color| super::name(&self.live, color));
        let game = self.live.game_name();
        writeln!(self.output, "{HEADING}{game}: {white} - {black}{HEADING:#}; ? helps")?;
        if let Some(control) = self.live.settings().clock {
            self.say(&format!("Each side has {}.", view::control(control)))?;
        }
        writeln!(self.output)?;
        while self.step()? {}
        self.live.pause(Instant::now());
        self.keep()?;
        if let Some(text) = self.autosave.how_to_go_on() {
            writeln!(self.output, "{text}")?;
        }
        Ok(self.output.flush()?)
    }

    /// Plays until the setup or the input ends, and returns the game so far.
    pub fn set_up(&mut self, depth: u32) -> anyhow::Result<LiveGame> {
        self.setup_depth = Some(depth);
        let variant = self.live.settings().variant;
        writeln!(self.output, "{HEADING}Setup of {variant}{HEADING:#}; ? helps\n")?;
        self.show_board()?;
        while self.step()? {}
        Ok(self.live.clone())
    }

    /// Does the next step.
    fn step(&mut self) -> Continues {
        self.live.settle(&mut self.rng, Instant::now());
        self.tell()?;
        self.keep()?;
        if self.input.is_interrupted() {
            writeln!(self.output)?;
            return Ok(false);
        }
        if self.is_set_up() {
            // The last answer can be taken back, too.
            let may_undo = !self.earlier.is_empty();
            return if may_undo {
                self.ask("Complete. Press Enter to end, or type undo")
            } else {
                Ok(false)
            };
        }
        match self.live.awaited() {
            Awaited::Nobody => self.after_the_end(),
            Awaited::Engine(color) => self.engine_plays(color),
            Awaited::Person(color) => self.person_plays(color),
        }
    }

    /// Whether only the setup is played, and it is complete.
    fn is_set_up(&self) -> bool {
        self.setup_depth.is_some() && self.live.arbiter().need() == Need::Nothing
    }

    /// Prints a line, wrapped to the width of a terminal.
    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        Ok(writeln!(self.output, "{}", wrap(line, 4))?)
    }

    /// Prints a text, or an error if there is none.
    fn say_or(&mut self, text: Option<String>, without: &str) -> Continues {
        match text {
            Some(text) => self.say(&text).map(|()| true),
            None => self.complain(&without),
        }
    }

    /// Prints an error; nothing has changed.
    fn complain(&mut self, error: &dyn Display) -> Continues {
        self.say(&format!("{ERROR}{error}{ERROR:#}"))?;
        Ok(true)
    }

    /// Prints the events since the last call.
    fn tell(&mut self) -> anyhow::Result<()> {
        let events = self.live.events();
        let mut new: Vec<String> = events[self.printed.min(events.len())..]
            .iter()
            .map(|event| match event {
                GameEvent::Die(die) => die.to_string(),
                GameEvent::Dice(roll) => roll.to_string(),
                GameEvent::Again => "the dice are rerolled".to_owned(),
                GameEvent::Accept => "Black accepts the mediator's verdict".to_owned(),
                GameEvent::Turn(note) => {
                    let (style, color, san) = (style(note.color), note.color, &note.san);
                    format!("{style}{color}: {san}{style:#}")
                }
            })
            .collect();
        if let (Some(first), Some(reasons)) = (new.first_mut(), self.reasons.take()) {
            *first += &format!(" (engine: {reasons})");
        }
        // The last dice are printed with their meaning.
        if let (Some(last), Some(GameEvent::Die(_) | GameEvent::Dice(_)), Some(shown)) =
            (new.last_mut(), events.last(), self.live.shown())
        {
            *last = format!("  {}", shown.sentence);
        }
        self.is_stale |= !new.is_empty();
        self.printed = events.len();
        for text in &new {
            self.say(text)?;
        }
        let both = Color::ALL.into_iter().all(|color| self.live.player(color).is_engine());
        if both && !new.is_empty() {
            self.show_board()?;
        }
        Ok(())
    }

    fn show_board(&mut self) -> anyhow::Result<()> {
        self.is_stale = false;
        write!(self.output, "\n{}", view::board(&self.live, self.look, self.below))?;
        if let Some(clocks) = self.live.clocks() {
            let now = Instant::now();
            let [white, black] = Color::ALL.map(|color| view::clock(clocks.left(color, now)));
            writeln!(self.output, "     {FAINT}White {white}, Black {black}{FAINT:#}")?;
        }
        Ok(writeln!(self.output)?)
    }

    /// Saves the game; the game continues if that fails.
    fn keep(&mut self) -> anyhow::Result<()> {
        if let Err(error) = self.autosave.keep(&self.live) {
            self.autosave.give_up();
            self.complain(&format!(
                "the game cannot be saved automatically, save it yourself: {error:#}"
            ))?;
        }
        Ok(())
    }

    fn after_the_end(&mut self) -> Continues {
        if let Some(end) = self.live.termination().filter(|_| !self.is_over) {
            self.show_board()?;
            self.say(&format!("{HEADING}{}  {}{HEADING:#}", end.outcome(), end.sentence()))?;
            self.is_over = true;
        }
        let person = Color::ALL.into_iter().any(|color| !self.live.player(color).is_engine());
        if person { self.ask("The game is over (save FILE, undo, quit)") } else { Ok(false) }
    }

    fn engine_plays(&mut self, color: Color) -> Continues {
        let Some((game, mut request)) = self.live.search_request(Instant::now()) else {
            return Ok(false);
        };
        if let Some(depth) = self.setup_depth {
            // Makes the answer independent of what was asked and taken back before.
            self.engine.new_game();
            request.limits = Limits { multi_pv: 2, ..Limits::depth(depth) };
        }
        // Input from a file or a pipe needs no pauses.
        let pause = self.live.pause_before_answer(&mut Rng::new(fresh_seed()));
        if let Some(pause) = pause.filter(|_| !self.input.is_script) {
            self.output.flush()?;
            match self.input.next(Some(pause)) {
                InputEvent::Nothing => {}
                // The turn starts again, if it still is the engine's.
                heard => return self.hear(heard),
            }
        }
        let Some(reply) = self.think(game, request)? else { return Ok(true) };
        if self.live.tick(Instant::now()) {
            return Ok(true);
        }
        self.reasons = self.setup_depth.map(|_| view::reasons(&reply));
        match self.live.reply(&reply, Instant::now()) {
            Ok(()) => Ok(true),
            Err(error) => Err(anyhow::anyhow!("{color}: {error}")),
        }
    }

    /// Returns the result of a search, or `None` if Ctrl-C ended it.
    fn think(
        &mut self,
        game: Game,
        request: SearchRequest,
    ) -> anyhow::Result<Option<SearchResult>> {
        self.output.flush()?;
        let reply = self.engine.search(game, request, |_| {})?;
        Ok(Some(reply).filter(|_| !self.input.is_interrupted()))
    }

    /// Rolls the program's dice, or asks for the players' dice or for a turn.
    fn person_plays(&mut self, color: Color) -> Continues {
        self.is_over = false;
        let request = self.live.arbiter().request();
        let program_rolls = self.live.settings().dice == DiceSource::Program;
        if let Some(request) = request {
            self.say(&request)?;
            if program_rolls {
                self.live.roll_dice(&mut self.rng)?;
                return Ok(true);
            }
            return self.ask("What do the dice show?");
        }
        if self.is_stale {
            self.show_board()?;
        }
        if self.live.offer() == Some(!color) {
            self.say("A draw is offered: 'draw' accepts it, a move declines it.")?;
        }
        match self.live.arbiter().need() {
            Need::Mediation(_) => self.ask("Black: accept this, or reroll? (keep, again)"),
            Need::Choice(choice) => {
                let text = possible(&Need::Choice(choice));
                self.say(&format!("{FAINT}possible: {text}{FAINT:#}"))?;
                self.ask(&format!("{color} places"))
            }
            _ => {
                let check = self.live.game().is_some_and(Game::in_check);
                let check = if check { ", in check" } else { "" };
                self.ask(&format!("{color} to move{check}{}", self.clocks(color)))
            }
        }
    }

    /// Asks for a line and carries it out.
    fn ask(&mut self, question: &str) -> Continues {
        write!(self.output, "{HEADING}{question}>{HEADING:#} ")?;
        let heard = self.listen()?;
        self.hear(heard)
    }

    /// Waits for a line, or until a clock decides the game.
    fn listen(&mut self) -> anyhow::Result<InputEvent> {
        self.output.flush()?;
        loop {
            let now = Instant::now();
            let clocks = self.live.clocks();
            let left = clocks.and_then(|clocks| Some(clocks.left(clocks.running()?, now)));
            match self.input.next(left) {
                InputEvent::Nothing if !self.live.tick(Instant::now()) => {}
                InputEvent::Line(line) => {
                    let line = line.trim().to_owned();
                    if self.input.is_script {
                        writeln!(self.output, "{line}")?;
                    }
                    return Ok(InputEvent::Line(line));
                }
                heard => return Ok(heard),
            }
        }
    }

    fn hear(&mut self, heard: InputEvent) -> Continues {
        match heard {
            InputEvent::Line(line) => self.obey(line.trim()),
            InputEvent::Unreadable(error) => self.complain(&error),
            InputEvent::End => {
                writeln!(self.output, "\n")?;
                Ok(false)
            }
            InputEvent::Nothing => {
                writeln!(self.output)?;
                Ok(true)
            }
        }
    }

    /// Returns the times on the clocks, that of the side to move first.
    fn clocks(&self, color: Color) -> String {
        let Some(clocks) = self.live.clocks() else { return String::new() };
        let [own, other] = [color, !color].map(|color| clocks.left(color, Instant::now()));
        format!(" ({}, {} {})", view::clock(own), !color, view::clock(other))
    }

    /// Resigns after a confirmation.
    fn resign(&mut self) -> Continues {
        if self.live.termination().is_none() {
            write!(self.output, "{HEADING}Resign? (yes, no)>{HEADING:#} ")?;
            match self.listen()? {
                InputEvent::Line(line) if matches!(&line.to_ascii_lowercase()[..], "y" | "yes") => {
                }
                InputEvent::Line(_) => return self.say("The game continues.").map(|()| true),
                heard => return self.hear(heard),
            }
        }
        let done = self.live.resign(None, Instant::now());
        self.done(done)
    }

    /// Carries out a typed line.
    fn obey(&mut self, line: &str) -> Continues {
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
            ("board", "") => self.show_board().map(|()| true),
            ("flip", "") => {
                self.below = !self.below;
                self.show_board().map(|()| true)
            }
            ("fen", "") => {
                let fen = self.live.game().map(Game::fen);
                self.say_or(fen, "the random part is not complete: there is no FEN yet")
            }
            ("pgn", "") => {
                let pgn = self.pgn();
                self.say_or(pgn, "the random part is not complete: there is no PGN of it yet")
            }
            ("save", name) if !name.is_empty() => self.save(name),
            ("load", _) if self.setup_depth.is_some() => {
                self.complain(&"a setup can start from --fen; `load` is for `aleator play`")
            }
            ("load", name) if !name.is_empty() => self.load(name),
            ("save" | "load", "") => self.complain(&format!("{word} needs the name of a file")),
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

    /// Applies a person's answer. In a setup it can be taken back.
    fn answer(&mut self, act: impl FnOnce(&mut LiveGame) -> Result<(), PlayError>) -> Continues {
        let before = (self.live.clone(), self.rng.clone());
        if let Err(error) = act(&mut self.live) {
            return self.complain(&error);
        }
        match before.0.arbiter().need() {
            Need::Nothing => self.earlier.clear(),
            _ => self.earlier.push(before),
        }
        Ok(true)
    }

    fn take_back(&mut self, now: Instant) -> Continues {
        let done = self.undo(now);
        (self.printed, self.is_over) = (self.live.events().len(), false);
        self.is_stale = true;
        self.done(done)
    }

    /// Takes back the last answer in a setup, or the last turn.
    fn undo(&mut self, now: Instant) -> Result<(), PlayError> {
        let Some(before) = self.earlier.pop() else { return self.live.undo(now) };
        (self.live, self.rng) = before;
        self.live.resume(now);
        Ok(())
    }

    fn done(&mut self, done: Result<(), PlayError>) -> Continues {
        match done {
            Ok(()) => Ok(true),
            Err(error) => self.complain(&error),
        }
    }

    fn help(&mut self) -> Continues {
        write!(self.output, "{HELP}")?;
        let need = self.live.arbiter().need();
        if need != Need::Nothing || self.is_set_up() {
            self.say(&format!("Now: {}", possible(&need)))?;
        } else if let Some(game) = self.live.game().filter(|game| game.termination().is_none()) {
            let moves: Vec<String> = game
                .legal_turns()
                .iter()
                .filter_map(|turn| Some(game.read(turn).ok()?.san))
                .collect();
            self.say(&format!("Now: {}", moves.join(" ")))?;
        }
        Ok(true)
    }

    /// Applies what the players' dice show.
    fn roll(&mut self, line: &str) -> Continues {
        let values = match self.live.arbiter().need() {
            Need::Die(_) => line
                .split(|letter: char| letter.is_whitespace() || letter == ',')
                .filter(|word| !word.is_empty())
                .map(str::parse)
                .collect::<Result<Vec<Die>, DieError>>()
                .map_err(|error| error.to_string()),
            _ => line.parse().map(|Roll(dice)| dice.to_vec()).map_err(|error| format!("{error}")),
        };
        match values {
            Ok(values) => self.answer(|live| live.roll(&values)),
            Err(error) => self.complain(&error),
        }
    }

    /// Returns the engine's reply about the current position, or `None` if there is nothing to
    /// think about.
    fn consult(&mut self) -> anyhow::Result<Option<SearchResult>> {
        let game = match (self.live.game(), self.live.arbiter().need()) {
            (Some(game), Need::Nothing | Need::Choice(_) | Need::Mediation(_))
                if game.termination().is_none() =>
            {
                game
            }
            (Some(game), _) if game.termination().is_some() => {
                self.complain(&"the game is over")?;
                return Ok(None);
            }
            _ => {
                self.complain(&"dice come first")?;
                return Ok(None);
            }
        };
        let mut request = SearchRequest::of_game(game);
        request.limits.move_time = Some(TO_THINK);
        self.think(game.clone(), request)
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
        self.say(&format!("The engine would {text}."))?;
        Ok(true)
    }

    fn evaluate(&mut self) -> Continues {
        let Some(reply) = self.consult()? else { return Ok(true) };
        let Some(line) = reply.lines.first() else { return Ok(true) };
        let evaluation = view::evaluation(line, self.live.side_to_move());
        self.say(&evaluation)?;
        Ok(true)
    }

    fn draw(&mut self) -> Continues {
        match self.live.draw(None, Instant::now()) {
            Ok(DrawOffer::Agreed) => {}
            Ok(DrawOffer::Made) => {
                self.say("The offer stands until the other side has moved.")?;
            }
            Ok(DrawOffer::Declined) => self.say("The engine wants to play on.")?,
            Err(error) => return self.complain(&error),
        }
        Ok(true)
    }

    fn pgn(&self) -> Option<String> {
        let date = time::OffsetDateTime::now_utc().date().to_string().replace('-', ".");
        self.live.pgn(&date).map(|game| game.to_string())
    }

    /// Carries out `save FILE`, where `--force` after the name replaces a file.
    fn save(&mut self, name: &str) -> Continues {
        let (name, force) = match name.strip_suffix("--force") {
            Some(name) => (name.trim_end(), true),
            None => (name, false),
        };
        let path = Path::new(name);
        let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
        let text =
            if is_json { Some(self.live.saved(Instant::now()).to_json()) } else { self.pgn() };
        let Some(text) = text else {
            return self.complain(&"the random part is not complete: there is no PGN of it yet");
        };
        match files::write(path, text.as_bytes(), IfExists::forced(force)) {
            Ok(()) => self.say(&format!("Written to {name}."))?,
            Err(error @ FileError::Exists { .. }) => {
                return self.complain(&format!("{error}; --force replaces it"));
            }
            Err(error) => return self.complain(&error),
        }
        Ok(true)
    }

    /// Replaces the game by that of a file. The old game stays saved if it is not over.
    fn load(&mut self, name: &str) -> Continues {
        match super::load(Path::new(name), self.live.settings()) {
            Ok(live) => {
                self.live.pause(Instant::now());
                self.keep()?;
                (self.live, self.autosave) = (live, Autosave::new());
                self.earlier.clear();
                self.live.resume(Instant::now());
                (self.printed, self.is_over) = (self.live.events().len(), false);
                self.is_stale = true;
                self.engine.new_game();
            }
            Err(error) => return self.complain(&format!("{error:#}")),
        }
        Ok(true)
    }
}
