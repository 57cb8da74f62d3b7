//! The driver: keeps the game, executes commands and decides when the engine thinks.

mod searching;

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;

use super::clock::XboardTimeControl;
use super::command::{XboardCommand, XboardCommandError};
use super::feature::VariantRefusal;
use super::habits::{self, XboardHabits};
use super::searches::{HeldThinking, Purpose, Searches};
use super::{Message, feature, highlight, wording};
use crate::engine::{OutcomeTracker, PLIES_BEFORE_DRAWS};
use crate::game::{Game, GameError, Termination};
use crate::host::Instant;
use crate::protocol::Output;
use crate::rules::Variant;
use crate::session::{Command, Handle};
use crate::text::shorten;
use crate::types::{Color, Score};

/// The mode of the engine in the XBoard protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// The engine plays neither side.
    Force,
    /// The engine plays the given side.
    Plays(Color),
    /// The engine searches each position until the next position arrives.
    Analysis,
}

/// Why a command was not executed.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Variant(#[from] VariantRefusal),
    #[error("{0}; set a valid position with 'setboard', or start a new game with 'new'")]
    Position(String),
    #[error("there is no move to take back")]
    NothingToUndo,
    #[error("there are not two moves to take back")]
    NothingToRemove,
    #[error("unknown option; 'protover 2' lists the options")]
    Option,
    #[error("it is the engine's turn; wait for the engine's move")]
    EnginesTurn,
    #[error(transparent)]
    Game(#[from] GameError),
}

/// The state of a conversation with XBoard or another GUI.
pub(super) struct Driver {
    output: Output,
    session: Handle,
    game: Game,
    /// Why the last position or variant from the GUI was rejected; `None` if it was accepted. The GUI shows a
    /// rejected position too, so the GUI's board then differs from `game`.
    rejected: Option<String>,
    mode: Mode,
    control: XboardTimeControl,
    searches: Searches,
    /// The variant that is set in the session.
    session_variant: Variant,
    shows_thinking: bool,
    ponders: bool,
    /// The reply that the engine expects to its last move.
    expected: Option<String>,
    /// The score of the engine's last move.
    score: Option<Score>,
    habits: XboardHabits,
    /// The numbers of the unanswered pings.
    pings: VecDeque<String>,
    /// The number of pings that wait for the engine's move before they are sent to the session.
    waiting_pings: usize,
    thinking: HeldThinking,
    is_input_over: bool,
    is_over: bool,
}

impl Driver {
    pub fn new(game: Game, output: Output, session: Handle) -> Driver {
        Driver {
            output,
            session,
            session_variant: game.variant(),
            game,
            rejected: None,
            mode: Mode::Plays(Color::Black),
            control: XboardTimeControl::new(),
            searches: Searches::default(),
            shows_thinking: false,
            ponders: false,
            expected: None,
            score: None,
            habits: XboardHabits::new(),
            pings: VecDeque::new(),
            waiting_pings: 0,
            thinking: HeldThinking::new(),
            is_input_over: false,
            is_over: false,
        }
    }

    /// Handles messages until `quit`, or until the input has ended and all commands have been answered.
    /// Removes a permit from `taken` for each line, so that the reader may send another line.
    pub fn run(mut self, messages: &Receiver<Message>, taken: &Receiver<()>) {
        while !self.is_over
            && let Ok(message) = messages.recv()
        {
            match message {
                Message::Line(line) => {
                    let _ = taken.try_recv();
                    match line {
                        Ok(line) => self.obey(&line),
                        Err(error) => self.output.line(wording::error(&error.to_string(), "")),
                    }
                }
                Message::Session(heard) => self.hear(heard),
                Message::EndOfInput => self.is_input_over = true,
            }
            let is_answer_due =
                matches!(self.searches.purpose(), Some(Purpose::Move | Purpose::Hint));
            if self.is_input_over && !is_answer_due && self.pings.is_empty() {
                self.quit();
            }
        }
    }

    fn send(&self, command: Command) {
        // Sending fails if the session is over. The program is about to end then.
        let _ = self.session.send(command);
    }

    fn quit(&mut self) {
        self.interrupt();
        self.send(Command::Quit);
        self.is_over = true;
    }

    fn obey(&mut self, line: &str) {
        let result = match XboardCommand::parse(line) {
            Ok(None) => return,
            Ok(Some(command)) => self.carry_out(command).map_err(|refusal| refusal.to_string()),
            // GUIs that ignore `feature usermove` send bare moves.
            Err(XboardCommandError::Unknown) if self.is_move(line.trim_ascii()) => {
                self.play_for_user(line.trim_ascii());
                Ok(())
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(reason) = result {
            self.output.line(wording::error(&reason, line));
        }
    }

    fn is_move(&self, text: &str) -> bool {
        let read = self.game.read(text);
        !text.contains(|c: char| c.is_ascii_whitespace())
            && read.err().is_none_or(|error| wording::is_move(&error))
    }

    fn carry_out(&mut self, command: XboardCommand) -> Result<(), Refusal> {
        match command {
            XboardCommand::Nothing => {}
            XboardCommand::ProtocolVersion => self.output.line(feature::features()),
            XboardCommand::New => self.begin_new_game(),
            XboardCommand::Variant(name) => self.choose_variant(&name)?,
            XboardCommand::Quit => self.quit(),
            XboardCommand::Force | XboardCommand::Result => self.rest(),
            XboardCommand::Exit if self.mode == Mode::Analysis => self.rest(),
            XboardCommand::Exit => {}
            XboardCommand::Go => self.go()?,
            XboardCommand::PlayOther => {
                self.interrupt();
                self.mode = Mode::Plays(!self.game.side_to_move());
                self.ponder();
            }
            XboardCommand::Level(control) => {
                self.control.set_level(control, &self.game);
            }
            XboardCommand::TimePerMove(time) => self.control.set_per_move(time),
            XboardCommand::Depth(plies) => {
                self.control.depth = Some(plies).filter(|plies| *plies > 0)
            }
            XboardCommand::OwnClock(time) => self.control.set_remaining(false, time),
            XboardCommand::OtherClock(time) => self.control.set_remaining(true, time),
            XboardCommand::Move(text) => self.play_for_user(&text),
            XboardCommand::MoveNow if self.searches.purpose() == Some(&Purpose::Move) => {
                self.send(Command::Stop);
            }
            XboardCommand::MoveNow => {}
            XboardCommand::Ping(number) => self.take_ping(number),
            XboardCommand::Draw => self.consider_draw(),
            XboardCommand::SetBoard(fen) => self.set_board(&fen),
            XboardCommand::Hint => self.hint(),
            XboardCommand::Book => {
                self.output
                    .line(" The options 'OwnBook' and 'Book File' make the engine use a book.\n");
            }
            XboardCommand::Undo => self.undo()?,
            XboardCommand::Remove => self.remove()?,
            XboardCommand::Ponder(on) => {
                self.ponders = on;
                if !on && self.is_pondering() {
                    self.interrupt();
                }
            }
            XboardCommand::Post(on) => self.shows_thinking = on,
            XboardCommand::Analyze => {
                self.interrupt();
                self.mode = Mode::Analysis;
                self.analyse();
            }
            XboardCommand::Status => self.tell_status(),
            XboardCommand::Memory(mebibytes) => self.set_option("Hash", mebibytes),
            XboardCommand::Cores(count) => self.set_option("Threads", count),
            XboardCommand::Option { name, value } if name.eq_ignore_ascii_case(habits::OPTION) => {
                self.habits.set_wanted(value.as_deref());
            }
            XboardCommand::Option { name, value } => {
                self.change(feature::setting(&name, value).ok_or(Refusal::Option)?);
            }
            XboardCommand::Lift(square) => {
                self.output.line(highlight::targets(&self.game, &square));
            }
        }
        Ok(())
    }

    fn begin_new_game(&mut self) {
        self.interrupt();
        self.send(Command::NewGame);
        self.control.restart();
        if self.mode != Mode::Analysis {
            self.mode = Mode::Plays(Color::Black);
        }
        self.begin(Game::standard(Variant::Chess));
    }

    fn choose_variant(&mut self, name: &str) -> Result<(), Refusal> {
        match feature::variant(name) {
            Ok(variant) => {
                self.begin(Game::standard(variant));
                self.tell_variant();
                feature::setup(&self.game).iter().for_each(|lines| self.output.line(lines));
                Ok(())
            }
            Err(refusal) => {
                self.interrupt();
                self.rejected = Some(format!("the variant {} is not available", shorten(name)));
                Err(refusal.into())
            }
        }
    }

    fn set_board(&mut self, fen: &str) {
        self.begin(Game::new(self.game.variant(), fen));
    }

    /// Switches to the given game. If `game` is an error, all moves are rejected until the next valid game
    /// or position, because the GUI shows the rejected position.
    fn begin(&mut self, game: Result<Game, GameError>) {
        self.interrupt();
        match game {
            Ok(game) => {
                (self.game, self.rejected) = (game, None);
                (self.expected, self.score) = (None, None);
                self.habits.outcome_tracker = OutcomeTracker::default();
                self.analyse();
            }
            Err(error) => {
                self.rejected = Some("the position was rejected".to_owned());
                self.output.line(format_args!("tellusererror Illegal position: {error}"));
            }
        }
    }

    fn rest(&mut self) {
        self.interrupt();
        self.mode = Mode::Force;
    }

    fn go(&mut self) -> Result<(), Refusal> {
        self.check_position()?;
        self.interrupt();
        self.mode = Mode::Plays(self.game.side_to_move());
        self.think();
        Ok(())
    }

    fn check_position(&self) -> Result<(), Refusal> {
        self.rejected.clone().map_or(Ok(()), |reason| Err(Refusal::Position(reason)))
    }

    fn play_for_user(&mut self, text: &str) {
        if let Err(refusal) = self.take_move(text) {
            self.output.line(wording::illegal_move(&refusal.to_string(), text));
        }
    }

    fn take_move(&mut self, text: &str) -> Result<(), Refusal> {
        self.check_position()?;
        if self.searches.purpose() == Some(&Purpose::Move) {
            return Err(Refusal::EnginesTurn);
        }
        let turn = self.game.read(text)?;
        self.thinking.user_moved();
        let is_hit = self.searches.purpose() == Some(&Purpose::Ponder(turn.uci.clone()));
        if !is_hit {
            self.interrupt();
        }
        self.game.play(&turn.uci)?;
        self.expected = None;
        match self.mode {
            Mode::Analysis => self.analyse(),
            Mode::Plays(color) if color == self.game.side_to_move() => {
                match self.searches.wanted() {
                    Some(search) if is_hit => {
                        (search.purpose, search.began) = (Purpose::Move, Instant::now());
                        self.send(Command::PonderHit);
                    }
                    _ => self.think(),
                }
            }
            Mode::Plays(_) | Mode::Force => {}
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        self.check_position()?;
        self.game.last_turn().ok_or(Refusal::NothingToUndo)?;
        self.interrupt();
        self.game.undo();
        self.habits.outcome_tracker.forget();
        self.expected = None;
        self.analyse();
        Ok(())
    }

    fn remove(&mut self) -> Result<(), Refusal> {
        self.check_position()?;
        let mut game = self.game.clone();
        game.undo().and_then(|_| game.undo()).ok_or(Refusal::NothingToRemove)?;
        self.interrupt();
        self.game = game;
        self.habits.outcome_tracker.forget();
        self.expected = None;
        self.analyse();
        Ok(())
    }

    /// Claims the result if the game has ended by the rules. Returns `true` if the result was claimed.
    fn claim_end(&self) -> bool {
        match self.game.termination() {
            None => false,
            // XBoard treats Pre-Chess as a variant with pieces in hand, in which material is never
            // insufficient. XBoard would count a claim as a loss, so the engine offers a draw.
            Some(Termination::Material) if self.game.variant() == Variant::Placement => {
                self.output.line("offer draw");
                false
            }
            Some(ending) => {
                self.output.line(wording::result(ending));
                true
            }
        }
    }

    /// Accepts a draw offer if the engine is not better.
    fn consider_draw(&self) {
        let plies = self.game.turns().iter().filter(|turn| !turn.placement).count();
        if plies >= PLIES_BEFORE_DRAWS && self.score.is_some_and(Score::is_no_better) {
            self.output.line("offer draw");
        }
    }
}
