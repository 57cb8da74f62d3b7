//! A game in the terminal: asks people for turns and lets the engine play. The module `commands` carries out
//! the lines that people type.

mod commands;

use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use anyhow::anyhow;

use super::autosave::Autosave;
use super::input::{InputEvent, TerminalInput};
use super::view::{self, ERROR, FAINT, HEADING, Look, possible, style};
use crate::cli::output::wrap;
use crate::engine::{SearchRequest, SearchResult};
use crate::game::Game;
use crate::play::arbiter::Need;
use crate::play::{Awaited, DiceSource, EngineQueue, GameEvent, LiveGame};
use crate::random::fresh_seed;
use crate::search::Limits;
use crate::start::Rng;
use crate::types::Color;

/// A game that is played in the terminal.
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
    /// The number of game events that have been printed.
    printed: usize,
    /// Whether the board has changed since the last time it was printed.
    is_stale: bool,
    /// Whether the result of the game has been printed.
    is_over: bool,
    /// The game and the random number generator before each answer that a person gave during the setup.
    /// `undo` restores both, so that the same dice are rolled again.
    earlier: Vec<(LiveGame, Rng)>,
    /// The reasons for the engine's last choice, which are printed with the choice.
    reasons: Option<String>,
    /// The depth to which the engine searches each pair of back ranks, if only the setup is played. `None` if
    /// a whole game is played.
    setup_depth: Option<u32>,
}

/// The result of a step: whether the dialogue continues.
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
        Ok(TerminalGame {
            printed: live.events().len(),
            live,
            autosave,
            rng,
            engine,
            input,
            output,
            look,
            below: if only_black { Color::Black } else { Color::White },
            is_stale: true,
            is_over: false,
            earlier: Vec::new(),
            reasons: None,
            setup_depth: None,
        })
    }

    /// Plays until the game or the input ends, and then saves the game.
    pub fn run(&mut self) -> anyhow::Result<()> {
        let [white, black] = Color::ALL.map(|color| super::name(&self.live, color));
        let game = self.live.game_name();
        writeln!(self.output, "{HEADING}{game}: {white} - {black}{HEADING:#}; type ? for help")?;
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
        writeln!(self.output, "{HEADING}Setup of {variant}{HEADING:#}; type ? for help\n")?;
        self.show_board()?;
        while self.step()? {}
        Ok(self.live.clone())
    }

    /// Performs the next step: an engine's turn, or one line from a person.
    fn step(&mut self) -> Continues {
        self.live.settle(&mut self.rng, Instant::now());
        self.tell()?;
        self.keep()?;
        if self.input.is_interrupted() {
            writeln!(self.output)?;
            return Ok(false);
        }
        match self.live.awaited() {
            _ if self.is_set_up() && self.earlier.is_empty() => Ok(false),
            // Lets the person take back the last answer.
            _ if self.is_set_up() => {
                self.ask("The setup is complete. Press Enter to end, or type undo")
            }
            Awaited::Nobody => self.after_the_end(),
            Awaited::Engine(color) => self.engine_plays(color),
            Awaited::Person(color) => self.person_plays(color),
        }
    }

    /// Whether only the setup is played, and the setup is complete.
    fn is_set_up(&self) -> bool {
        self.setup_depth.is_some() && self.live.arbiter().need() == Need::Nothing
    }

    /// Whether the engine plays both sides.
    fn is_watched(&self) -> bool {
        self.live.settings().players.iter().all(|player| player.is_engine())
    }

    /// Prints a line, wrapped to the width of the terminal.
    fn say(&mut self, line: &str) -> Continues {
        writeln!(self.output, "{}", wrap(line, 4))?;
        Ok(true)
    }

    /// Prints `text`. If `text` is `None`, prints `without` as an error message.
    fn say_or(&mut self, text: Option<String>, without: &str) -> Continues {
        match text {
            Some(text) => self.say(&text),
            None => self.complain(&without),
        }
    }

    /// Prints an error message.
    fn complain(&mut self, error: &dyn Display) -> Continues {
        self.say(&format!("{ERROR}{error}{ERROR:#}"))
    }

    /// Prints the game events since the last call.
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
        // If the last event is a roll, a sentence that explains the roll replaces its text.
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
        if !new.is_empty() && self.is_watched() {
            self.show_board()?;
        }
        Ok(())
    }

    fn show_board(&mut self) -> Continues {
        self.is_stale = false;
        write!(self.output, "\n{}", view::board(&self.live, self.look, self.below))?;
        if let Some(clocks) = self.live.clocks() {
            let now = Instant::now();
            let [white, black] = Color::ALL.map(|color| view::clock(clocks.left(color, now)));
            writeln!(self.output, "     {FAINT}White {white}, Black {black}{FAINT:#}")?;
        }
        self.end_line()
    }

    fn end_line(&mut self) -> Continues {
        writeln!(self.output)?;
        Ok(true)
    }

    /// Saves the game. If saving fails, the game continues without automatic saving.
    fn keep(&mut self) -> anyhow::Result<()> {
        if let Err(error) = self.autosave.keep(&self.live) {
            self.autosave.give_up();
            self.complain(&format!(
                "the game cannot be saved automatically; use 'save FILE': {error:#}"
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
        if self.is_watched() {
            Ok(false)
        } else {
            self.ask("The game is over (save FILE, undo, quit)")
        }
    }

    fn engine_plays(&mut self, color: Color) -> Continues {
        let Some((game, mut request)) = self.live.search_request(Instant::now()) else {
            return Ok(false);
        };
        if let Some(depth) = self.setup_depth {
            // Clears the engine's memory, so that its answer does not depend on answers that were taken back.
            self.engine.new_game();
            request.limits = Limits { multi_pv: 2, ..Limits::depth(depth) };
        }
        // There are no pauses if the input comes from a file or a pipe.
        let pause = self.live.pause_before_answer(&mut Rng::new(fresh_seed()), Instant::now());
        if let Some(pause) = pause.filter(|_| !self.input.is_script) {
            self.output.flush()?;
            match self.input.next(Some(pause)) {
                InputEvent::Nothing => {}
                // After the input, the engine's turn starts again if the engine is still to move.
                heard => return self.hear(heard),
            }
        }
        let Some(reply) = self.think(game, request)? else { return Ok(true) };
        if self.live.tick(Instant::now()) {
            return Ok(true);
        }
        self.reasons = self.setup_depth.map(|_| view::reasons(&reply));
        let played = self.live.reply(&reply, Instant::now());
        played.map(|()| true).map_err(|error| anyhow!("{color}: {error}"))
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

    /// Rolls the dice, or asks the person for the values of real dice or for a turn.
    fn person_plays(&mut self, color: Color) -> Continues {
        self.is_over = false;
        if let Some(request) = self.live.arbiter().request() {
            self.say(&request)?;
            if self.live.settings().dice == DiceSource::Program {
                self.live.roll_dice(&mut self.rng)?;
                return Ok(true);
            }
            return self.ask("What do the dice show?");
        }
        if self.is_stale {
            self.show_board()?;
        }
        if self.live.offer() == Some(!color) {
            self.say("A draw is offered: type 'draw' to accept, or make a move to decline.")?;
        }
        match self.live.arbiter().need() {
            Need::Mediation(_) => self.ask("Black: accept the verdict, or reroll? (keep, again)"),
            need @ Need::Choice(_) => {
                let text = possible(&need);
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

    /// Asks a question and carries out the line that the person types.
    fn ask(&mut self, question: &str) -> Continues {
        write!(self.output, "{HEADING}{question}>{HEADING:#} ")?;
        let heard = self.listen()?;
        self.hear(heard)
    }

    /// Waits for the next input, at most until a clock decides the game.
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

    /// Handles an input event.
    fn hear(&mut self, heard: InputEvent) -> Continues {
        match heard {
            InputEvent::Line(line) => self.obey(line.trim()),
            InputEvent::Unreadable(error) => self.complain(&error),
            InputEvent::End => {
                writeln!(self.output, "\n")?;
                Ok(false)
            }
            InputEvent::Nothing => self.end_line(),
        }
    }

    /// Formats the remaining times, starting with the side to move. Returns an empty text without clocks.
    fn clocks(&self, color: Color) -> String {
        let Some(clocks) = self.live.clocks() else { return String::new() };
        let [own, other] = [color, !color].map(|color| clocks.left(color, Instant::now()));
        format!(" ({}, {} {})", view::clock(own), !color, view::clock(other))
    }
}
