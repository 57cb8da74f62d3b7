//! The conversation: asks for what the arbiter wants, from people, dice and the engine.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::anyhow;

use super::solver::SetupSolver;
use super::view::{self, ERROR, FAINT, HEADING, HELP};
use super::{DiceSource, Player, SetupArgs};
use crate::cli::output::wrap;
use crate::play::arbiter::{AnswerError, Arbiter, Choice, Need};
use crate::search::Control;
use crate::start::dice::Die;
use crate::start::jepps::{Mediation, Roll};
use crate::start::{BlackArray, Rng};
use crate::text::{LineError, shorten};
use crate::types::{Color, Value};

/// The longest line that is read, in bytes.
pub(super) const LONGEST_LINE: usize = 4_096;

/// A set-up from the first question to the result.
pub(super) struct TerminalSetup<'a> {
    arbiter: Arbiter,
    rng: Rng,
    players: [Player; 2],
    dice: DiceSource,
    /// If a side is the engine's.
    solver: Option<SetupSolver>,
    /// The arbiter and the dice to come as they were before each answer of a person. The same dice
    /// come again after `undo`.
    earlier: Vec<(Arbiter, Rng)>,
    input: &'a mut dyn Iterator<Item = Result<String, LineError>>,
    /// Ends the session as the end of the input does.
    control: Arc<Control>,
    output: &'a mut dyn Write,
    /// Write answers after their questions, because no terminal does.
    echo: bool,
}

/// What was answered to a question.
enum Answer {
    Text(String),
    /// A command was carried out; the question may be another one now.
    Done,
    /// The input is at its end, or the person wants to leave.
    End,
}

impl<'a> TerminalSetup<'a> {
    pub(super) fn new(
        arguments: &SetupArgs,
        rng: Rng,
        input: &'a mut dyn Iterator<Item = Result<String, LineError>>,
        control: Arc<Control>,
        output: &'a mut dyn Write,
        echo: bool,
    ) -> anyhow::Result<TerminalSetup<'a>> {
        let arbiter = match &arguments.fen {
            Some(fen) => Arbiter::at(arguments.variant, fen)?,
            None => Arbiter::new(arguments.variant, arguments.free_play)?,
        };
        let players = [arguments.white, arguments.black];
        let solver = || SetupSolver::new(arguments.depth(), control.clone());
        let solver = players.contains(&Player::Engine).then(solver).transpose()?;
        let (dice, earlier) = (arguments.dice, Vec::new());
        Ok(TerminalSetup {
            arbiter,
            rng,
            players,
            dice,
            solver,
            earlier,
            input,
            control,
            output,
            echo,
        })
    }

    /// Goes on until the set-up or the input is over.
    pub(super) fn run(&mut self) -> anyhow::Result<()> {
        writeln!(
            self.output,
            "{HEADING}Set-up of {}{HEADING:#}; ? helps\n",
            self.arbiter.variant()
        )?;
        self.show_board()?;
        while self.step()? {}
        let players = self.players.map(Player::name);
        Ok(write!(self.output, "{}", view::result(&self.arbiter, players))?)
    }

    /// The beginning of a PGN, once the set-up is over.
    pub(super) fn pgn(&self) -> Option<String> {
        let record = self.arbiter.record().filter(|record| record.game().is_some())?;
        Some(view::pgn_header(&record, self.players.map(Player::name)))
    }

    /// Does what is wanted; false when the set-up or the input is over.
    fn step(&mut self) -> anyhow::Result<bool> {
        if self.control.stop.load(Relaxed) {
            return Ok(false);
        }
        if let Some(placement) = self.arbiter.forced() {
            let color = placement.color();
            self.place(placement, color, "nothing else is possible")?;
            return Ok(true);
        }
        let request = self.arbiter.request().unwrap_or_default();
        match self.arbiter.need() {
            Need::Die(_) => {
                self.roll(&request, "what does the die show?", Die::throw, Arbiter::roll_die)
            }
            Need::Dice { .. } | Need::MediatorDice => {
                self.roll(&request, "what do the dice show?", Roll::throw, Arbiter::roll_dice)
            }
            Need::Choice(choice) => match self.players[choice.color().index()] {
                Player::Engine => self.engine_chooses(&choice),
                Player::Human => self.person_chooses(&choice),
            },
            Need::Mediation(mediation) => match self.players[Color::Black.index()] {
                Player::Engine => self.engine_hears(mediation),
                Player::Human => self.person_hears(),
            },
            // A slip in the last answer can be taken back, too.
            Need::Nothing if self.earlier.is_empty() => Ok(false),
            Need::Nothing => match self.ask("Complete. Enter ends it, undo takes back")? {
                Answer::Done => Ok(true),
                Answer::Text(text) if !text.is_empty() => {
                    self.complain(&"the set-up is complete: press Enter, or type 'undo'")
                }
                Answer::Text(_) | Answer::End => Ok(false),
            },
        }
    }

    /// Throws dice, or asks what they show.
    fn roll<T: std::str::FromStr<Err: std::fmt::Display>>(
        &mut self,
        question: &str,
        what: &str,
        throw: fn(&mut Rng) -> T,
        take: fn(&mut Arbiter, T) -> Result<String, AnswerError>,
    ) -> anyhow::Result<bool> {
        self.say(question)?;
        let rolled = match self.dice {
            DiceSource::Own => throw(&mut self.rng),
            DiceSource::Typed => match self.ask(what)? {
                Answer::End => return Ok(false),
                Answer::Done => return Ok(true),
                Answer::Text(text) => match text.parse() {
                    Ok(rolled) => {
                        self.remember();
                        rolled
                    }
                    Err(error) => return self.complain(&error),
                },
            },
        };
        let had_root = self.arbiter.record().is_some();
        match take(&mut self.arbiter, rolled) {
            Ok(meaning) => self.say(&format!("  {meaning}\n"))?,
            Err(error) => return self.complain(&error),
        }
        let root_is_complete = self.arbiter.record().is_some() && !had_root;
        if root_is_complete || self.arbiter.need() == Need::Nothing {
            self.show_board()?;
        }
        Ok(true)
    }

    /// Writes a line, broken at words to the width of a terminal.
    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        Ok(writeln!(self.output, "{}", wrap(line, 4))?)
    }

    fn person_chooses(&mut self, choice: &Choice) -> anyhow::Result<bool> {
        self.say(&format!("{FAINT}possible: {}{FAINT:#}", view::placements(choice)))?;
        let again = if choice.may_roll_again { " (or again)" } else { "" };
        let text = match self.ask(&format!("{} places{again}", choice.color()))? {
            Answer::End => return Ok(false),
            Answer::Done => return Ok(true),
            Answer::Text(text) => text,
        };
        if is_again(&text) {
            let before = (self.arbiter.clone(), self.rng.clone());
            return match self.arbiter.roll_again() {
                Ok(()) => {
                    self.earlier.push(before);
                    Ok(true)
                }
                Err(error) => self.complain(&error),
            };
        }
        match self.arbiter.read_choice(&text) {
            Ok(placement) => {
                self.remember();
                self.place(placement, choice.color(), "")?;
                Ok(true)
            }
            Err(error) => self.complain(&error),
        }
    }

    fn person_hears(&mut self) -> anyhow::Result<bool> {
        let text = match self.ask("Black: keep this, or roll again? (keep, again)")? {
            Answer::End => return Ok(false),
            Answer::Done => return Ok(true),
            Answer::Text(text) => text,
        };
        if is_again(&text) {
            self.remember();
            self.again()?;
        } else if text.eq_ignore_ascii_case("keep") {
            self.remember();
            self.accept()?;
        } else {
            return self.complain(&format!("'{}' is neither 'keep' nor 'again'", shorten(&text)));
        }
        Ok(true)
    }

    fn engine_chooses(&mut self, choice: &Choice) -> anyhow::Result<bool> {
        let solver = self.solver.as_mut();
        let solution =
            solver.and_then(|solver| solver.placements(&choice.state, &choice.placements));
        if self.control.stop.load(Relaxed) {
            return Ok(false);
        }
        let Some(solution) = solution else {
            return Err(no_judgement());
        };
        let color = choice.color();
        let rolling = solution.value_of_rolling.filter(|_| choice.may_roll_again);
        if let Some(rolling) = rolling.filter(|rolling| *rolling > solution.value()) {
            self.say(&format!(
                "{color} (engine) rolls again: worth {}, the best of the offer {}\n",
                view::pawns(rolling),
                view::pawns(solution.value())
            ))?;
            self.again()?;
            return Ok(true);
        }
        let Some(placement) = solution.best() else { return Err(no_judgement()) };
        self.place(placement, color, &format!("engine: {}", view::reasons(&solution)))?;
        Ok(true)
    }

    /// Black wants little.
    fn engine_hears(&mut self, mediation: Mediation) -> anyhow::Result<bool> {
        let state = self.arbiter.state().copied();
        let verdicts = state.and_then(|state| self.solver.as_mut()?.verdicts(&state));
        if self.control.stop.load(Relaxed) {
            return Ok(false);
        }
        let Some((verdicts, _)) = verdicts else { return Err(no_judgement()) };
        let value = match mediation.black {
            BlackArray::Mirror => verdicts.mirror,
            BlackArray::Reverse => verdicts.reverse,
            BlackArray::Own => verdicts.own,
        };
        let [here, again] =
            [value, verdicts.again].map(|value| view::pawns(-value.round() as Value));
        let rolls = verdicts.again < value;
        let what = if rolls { "rolls again" } else { "keeps this" };
        self.say(&format!(
            "Black (engine) {what}: this is worth {here} for its side, rolling again {again}\n"
        ))?;
        if rolls {
            self.again()?
        } else {
            self.accept()?
        }
        Ok(true)
    }

    fn again(&mut self) -> anyhow::Result<()> {
        self.arbiter.roll_again().map_err(|_| no_judgement())
    }

    fn accept(&mut self) -> anyhow::Result<()> {
        self.arbiter.accept().map_err(|_| no_judgement())?;
        self.show_board()
    }

    /// Places and shows what came of it.
    fn place(
        &mut self,
        placement: crate::setup::Placement,
        color: Color,
        why: &str,
    ) -> anyhow::Result<()> {
        self.arbiter.place(placement).map_err(|_| no_judgement())?;
        let style = view::style(color);
        let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
        self.say(&format!("{style}{color}: {placement}{style:#}{why}\n"))?;
        self.show_board()
    }

    fn show_board(&mut self) -> anyhow::Result<()> {
        Ok(writeln!(self.output, "{}", view::board(&self.arbiter.ranks()))?)
    }

    fn remember(&mut self) {
        self.earlier.push((self.arbiter.clone(), self.rng.clone()));
    }

    /// Says what was wrong; the question is asked again.
    fn complain(&mut self, error: &dyn std::fmt::Display) -> anyhow::Result<bool> {
        self.say(&format!("{ERROR}{error}{ERROR:#}\n"))?;
        Ok(true)
    }

    /// Asks a question and carries out the commands that fit every question.
    fn ask(&mut self, question: &str) -> anyhow::Result<Answer> {
        loop {
            write!(self.output, "{HEADING}{question}>{HEADING:#} ")?;
            self.output.flush()?;
            let Some(line) = self.read_line()? else {
                writeln!(self.output, "\n")?;
                return Ok(Answer::End);
            };
            let line = line.trim();
            if self.echo {
                writeln!(self.output, "{line}")?;
            }
            match line.to_ascii_lowercase().as_str() {
                "" if self.arbiter.need() != Need::Nothing => {}
                "quit" | "exit" => return Ok(Answer::End),
                "undo" => {
                    self.undo()?;
                    return Ok(Answer::Done);
                }
                "board" => self.show_board()?,
                "?" | "help" => self.help()?,
                _ => return Ok(Answer::Text(line.to_owned())),
            }
        }
    }

    /// A line; nothing at the end of the input.
    fn read_line(&mut self) -> anyhow::Result<Option<String>> {
        loop {
            match self.input.next() {
                None => return Ok(None),
                Some(Ok(line)) => return Ok(Some(line)),
                Some(Err(error @ LineError::TooLong { .. })) => {
                    self.complain(&error)?;
                }
                Some(Err(error)) => return Err(error.into()),
            }
        }
    }

    fn undo(&mut self) -> anyhow::Result<()> {
        let Some((arbiter, rng)) = self.earlier.pop() else {
            writeln!(self.output, "there is no answer of yours to take back\n")?;
            return Ok(());
        };
        (self.arbiter, self.rng) = (arbiter, rng);
        writeln!(self.output, "taken back\n")?;
        self.show_board()
    }

    fn help(&mut self) -> anyhow::Result<()> {
        writeln!(self.output, "{HELP}")?;
        self.say(&format!("possible now: {}\n", view::possible(&self.arbiter.need())))
    }
}

/// What the engine cannot say nothing to; it does not come about.
fn no_judgement() -> anyhow::Error {
    anyhow!("the engine has no judgement of this set-up")
}

fn is_again(text: &str) -> bool {
    ["again", "roll", "roll again"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::Variant;
    use crate::start::Rng;
    use crate::text::LineReader;

    /// Five games: those of the variants, and Free Play.
    fn arguments(game: usize, dice: DiceSource, black: Player) -> SetupArgs {
        let variants = [Variant::FischerBenko, Variant::Transcendental, Variant::Placement];
        SetupArgs {
            variant: *variants.get(game).unwrap_or(&Variant::Jepps),
            white: Player::Human,
            black,
            dice,
            seed: None,
            fen: None,
            free_play: game == 4,
            depth: Some(0),
            pgn: None,
            force: false,
        }
    }

    /// What people type, and what they do not.
    fn line() -> impl Strategy<Value = Vec<u8>> {
        let words = "undo|again|keep|board|\\?|[1-6]( [1-6])?|[KQRBNP]|[KQRBN]?@?[a-h][18]|\
                     [KQRBN]@[a-h][18]\\+[KQRBN]@[a-h][18]";
        prop_oneof![
            8 => words.prop_map(String::into_bytes),
            1 => "\\PC{0,20}".prop_map(String::into_bytes),
            1 => prop::collection::vec(any::<u8>(), 0..40),
            1 => prop::collection::vec(any::<u8>(), 4_000..5_000),
        ]
    }

    fn is_exit(line: &[u8]) -> bool {
        let text = String::from_utf8_lossy(line).to_ascii_lowercase();
        text.contains("quit") || text.contains("exit")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Nothing but the end of the input, the end of the set-up and `quit` ends the session.
        #[test]
        fn no_line_ends_it(
            game in 0..5_usize,
            typed: bool,
            engine: bool,
            seed: u64,
            lines in prop::collection::vec(line(), 0..60),
        ) {
            prop_assume!(!lines.iter().any(|line| is_exit(line)));
            let dice = if typed { DiceSource::Typed } else { DiceSource::Own };
            // In Pre-Chess even estimates of all arrays take a while.
            let black = if engine && game != 2 { Player::Engine } else { Player::Human };
            let text = lines.join(&b'\n');
            let mut input = LineReader::with_limit(text.as_slice(), LONGEST_LINE);
            let mut output = Vec::new();
            let arguments = arguments(game, dice, black);
            let mut setup =
                TerminalSetup::new(&arguments, Rng::new(seed), &mut input, Arc::default(), &mut output, false)
                    .unwrap();
            prop_assert!(setup.run().is_ok());
            let over = setup.arbiter.need() == Need::Nothing;
            prop_assert!(over || setup.input.next().is_none());
            let shown = String::from_utf8(output).unwrap();
            let title = if over { "The set-up is over." } else { "So far" };
            prop_assert!(shown.contains(title), "{shown}");
        }
    }
}
