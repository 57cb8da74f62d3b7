//! Building a game's tree of turns and variations from tokens.

use std::borrow::Cow;

use super::language::{in_english, plain};
use super::problem::{PgnProblem, Remedy};
use super::tags::Tags;
use super::tokens::{Token, without_number};
use super::{MoveLine, MoveNode, Notes};
use crate::game::{Game, GameError, Step};
use crate::notation::without_marks;
use crate::start::BlackBackRank;
use crate::types::Color;

/// The maximum nesting of variations. Each nested variation takes three levels of JSON in a saved game, and
/// the JSON reader accepts at most 128 levels.
const MAX_NESTING: usize = 32;

/// The maximum number of turns in a game, including its variations.
const MAX_TURNS: usize = 200_000;

/// The spellings of the null move in various programs.
const NULL_MOVES: [&str; 6] = ["--", "<>", "Z0", "null", "@@@@", "0000"];

/// Builds the main line and the variations of a game, token by token.
pub(super) struct LineBuilder {
    start: Game,
    /// The game at the end of the current line.
    game: Game,
    /// The steps from the start of the game to the end of the current line.
    path: Vec<Step>,
    /// The main line and the open variations, each nested in the line before it. The last element is the
    /// current line.
    open: Vec<OpenLine>,
    turns: usize,
    /// The piece letters; `None` for English.
    language: Option<&'static [&'static str; 5]>,
}

/// A line that has not ended yet.
#[derive(Default)]
struct OpenLine {
    line: MoveLine,
    /// The step that this variation replaces. The step is undone until the variation ends.
    replaced: Option<Step>,
    /// The text that was not read as moves: everything from a null move or a problem to the end of the line.
    unread: Option<Unread>,
}

/// Movetext that becomes a comment instead of moves.
#[derive(Default)]
struct Unread {
    text: String,
    /// The number of open variations within this text.
    depth: usize,
}

impl Unread {
    fn push(&mut self, word: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text += word;
    }
}

impl OpenLine {
    /// Returns the notes after the last turn, or the notes of the line if there is no turn yet.
    fn notes(&mut self) -> &mut Notes {
        match self.line.turns.last_mut() {
            Some(node) => &mut node.notes,
            None => &mut self.line.notes,
        }
    }

    /// Ends the line and returns it. `mover` is the side that made the last move.
    fn close(mut self, mover: Option<Color>) -> MoveLine {
        if let Some(unread) = self.unread.take() {
            // Commands such as `[%clk]` in the unread text must not be parsed, because they belong to
            // positions that are not in the game.
            self.notes().read(&unread.text.replace("[%", "["), mover);
        }
        self.line
    }
}

impl LineBuilder {
    pub(super) fn new(start: Game) -> LineBuilder {
        let open = vec![OpenLine::default()];
        let game = start.clone();
        LineBuilder { game, start, path: Vec::new(), open, turns: 0, language: None }
    }

    /// Returns this builder with the piece letters of another language.
    pub(super) fn in_language(self, letters: &'static [&'static str; 5]) -> LineBuilder {
        LineBuilder { language: Some(letters), ..self }
    }

    /// Whether a variation is being read.
    pub(super) fn in_variation(&self) -> bool {
        self.open.len() > 1 || self.open[0].unread.as_ref().is_some_and(|unread| unread.depth > 0)
    }

    /// Processes the next token. After a problem the rest of the line becomes a comment. Call
    /// [`LineBuilder::remedy`] to find out how the builder reacted to the problem.
    pub(super) fn take(&mut self, token: Token, tags: &mut Tags) -> Result<(), PgnProblem> {
        match token {
            Token::Word(word) => self.word(word, tags),
            Token::Nag(nag) => {
                self.nag(nag);
                Ok(())
            }
            Token::Open => self.open(),
            Token::Close => self.close(),
            Token::Comment(text) => {
                self.comment(text);
                Ok(())
            }
            Token::Brace => Ok(()),
            Token::StrayBrace => Err(PgnProblem::NoCommentToClose),
        }
    }

    /// Returns the builder's reaction to a problem that has just been found.
    pub(super) fn remedy(&self, problem: &PgnProblem) -> Remedy {
        match problem {
            _ if self.is_empty() => Remedy::Skip,
            PgnProblem::NothingToClose | PgnProblem::NoCommentToClose => Remedy::Ignore,
            PgnProblem::NothingToReplace | PgnProblem::TooDeep { .. } => Remedy::CutVariation,
            _ if self.open.len() > 1 => Remedy::CutVariation,
            _ => Remedy::KeepMoves,
        }
    }

    /// Whether no turn has been read.
    pub(super) const fn is_empty(&self) -> bool {
        self.turns == 0
    }

    /// Returns the current line.
    fn current(&mut self) -> &mut OpenLine {
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    /// Processes a word: a turn, a move number, a verdict or a null move. Sets the tag `Order` if Black's
    /// first placement shows that the game is Free Play.
    fn word(&mut self, word: &str, tags: &mut Tags) -> Result<(), PgnProblem> {
        if let Some(unread) = &mut self.current().unread {
            unread.push(word);
            return Ok(());
        }
        let text = plain(without_number(word));
        if text.chars().all(|letter| ".…".contains(letter)) || without_marks(&text).is_empty() {
            return Ok(());
        }
        let is_null = NULL_MOVES.contains(&&*text);
        let is_symbol = |letter: char| !letter.is_alphanumeric() && !letter.is_control();
        if !is_null && text.chars().all(is_symbol) {
            // Keep unknown symbols of other programs as a comment.
            self.comment(&text);
            return Ok(());
        }
        let read = if is_null { None } else { Some(self.turn(&text, tags)) };
        if !matches!(read, Some(Ok(()))) {
            let unread = self.current().unread.insert(Unread::default());
            unread.push(if is_null { &text } else { word });
        }
        read.unwrap_or(Ok(()))
    }

    fn turn(&mut self, text: &str, tags: &mut Tags) -> Result<(), PgnProblem> {
        if self.turns == MAX_TURNS {
            return Err(PgnProblem::TooManyTurns { limit: MAX_TURNS });
        }
        let english = match self.language {
            Some(letters) => Cow::from(in_english(text, letters)),
            None => Cow::from(text),
        };
        self.decide_order(&english, tags);
        let step = self.step(&english).map_err(|source| {
            // The error message should quote the word in the file, not its translation.
            let original = self.language.and_then(|_| self.game.read(text).err());
            self.problem(original.unwrap_or(source))
        })?;
        self.path.push(step.clone());
        self.current().line.turns.push(MoveNode::from(step));
        self.turns += 1;
        Ok(())
    }

    /// Reads and plays a turn or a verdict.
    fn step(&mut self, text: &str) -> Result<Step, GameError> {
        let step = match read_verdict(text).filter(|_| self.game.is_setup()) {
            Some(verdict) => Step::Verdict(verdict),
            None => Step::Turn(self.game.read(text)?),
        };
        self.game.follow(&step, None)?;
        Ok(step)
    }

    fn problem(&self, source: GameError) -> PgnProblem {
        let dots = if self.game.side_to_move() == Color::White { "." } else { "..." };
        PgnProblem::Turn { place: format!("{}{dots}", self.game.number()), source }
    }

    /// Switches from Jepps Random Chess to its Free Play if Black's first placement is possible only in Free
    /// Play. Both games begin on the same empty board.
    fn decide_order(&mut self, text: &str, tags: &mut Tags) {
        let ([first], false) = (&self.path[..], self.in_variation()) else { return };
        if self.game.setup().is_some_and(|state| state.decided_by(text) != *state) {
            let start = tags.decide_free_play();
            let mut game = start.clone();
            if game.follow(first, None).is_ok() {
                (self.start, self.game) = (start, game);
            }
        }
    }

    /// Processes a comment, given the text between the braces.
    pub(super) fn comment(&mut self, text: &str) {
        let mover = self.mover();
        match &mut self.current().unread {
            Some(unread) => unread.push(&format!("({})", text.trim())),
            None => self.current().notes().read(text, mover),
        }
    }

    /// Returns the side that made the last turn of the current line, or `None` if the last turn is not a
    /// move.
    fn mover(&self) -> Option<Color> {
        let last = self.open.last().and_then(|open| open.line.turns.last());
        let is_move =
            last.is_some_and(|node| matches!(&node.step, Step::Turn(turn) if !turn.placement));
        is_move.then(|| !self.game.side_to_move())
    }

    /// Adds a numeric annotation glyph to the last turn. A glyph before the first turn is ignored.
    fn nag(&mut self, nag: u16) {
        let line = self.current();
        match (&mut line.unread, line.line.turns.last_mut()) {
            (Some(unread), _) => unread.push(&format!("${nag}")),
            (None, Some(node)) if !node.nags.contains(&nag) => node.nags.push(nag),
            _ => {}
        }
    }

    /// Begins a variation that replaces the last turn.
    fn open(&mut self) -> Result<(), PgnProblem> {
        if let Some(unread) = &mut self.current().unread {
            unread.push("(");
            unread.depth += 1;
            return Ok(());
        }
        let problem = if self.open.len() > MAX_NESTING {
            Some(PgnProblem::TooDeep { limit: MAX_NESTING })
        } else {
            self.current().line.turns.is_empty().then_some(PgnProblem::NothingToReplace)
        };
        let (replaced, unread) = match problem {
            None => (self.take_back(), None),
            Some(_) => (None, Some(Unread::default())),
        };
        self.open.push(OpenLine { replaced, unread, ..OpenLine::default() });
        problem.map_or(Ok(()), Err)
    }

    /// Ends the innermost variation.
    fn close(&mut self) -> Result<(), PgnProblem> {
        if let Some(unread) = self.current().unread.as_mut().filter(|unread| unread.depth > 0) {
            unread.push(")");
            unread.depth -= 1;
            return Ok(());
        }
        if self.open.len() == 1 {
            return Err(PgnProblem::NothingToClose);
        }
        self.close_variation()
    }

    fn close_variation(&mut self) -> Result<(), PgnProblem> {
        let mover = self.mover();
        let Some(mut closed) = self.open.pop() else { return Ok(()) };
        let replaced = closed.replaced.take();
        let line = closed.close(mover);
        for _ in &line.turns {
            self.take_back();
        }
        if let Some(step) = replaced {
            self.game.follow(&step, None).map_err(|source| self.problem(source))?;
            self.path.push(step);
        }
        if line.turns.is_empty() {
            // A variation without turns becomes a comment on the line that contains it.
            line.notes.texts.iter().for_each(|text| self.comment(text));
        } else if let Some(node) = self.current().line.turns.last_mut() {
            node.variations.push(line);
        }
        Ok(())
    }

    /// Undoes the last step and returns it.
    fn take_back(&mut self) -> Option<Step> {
        let step = self.path.pop()?;
        self.game.undo();
        if matches!(step, Step::Verdict(_)) {
            // `undo` has also undone the placement before the verdict, if there is such a placement.
            match self.path.last() {
                Some(placement) => drop(self.game.follow(placement, None)),
                None => self.game = self.start.clone(),
            }
        }
        Some(step)
    }

    /// Returns the start of the game and the main line. If a variation is still open, closes the variation
    /// and also returns a problem.
    pub(super) fn finish(mut self) -> (Game, MoveLine, Option<PgnProblem>) {
        let problem = (self.open.len() > 1).then_some(PgnProblem::VariationNotClosed);
        while self.open.len() > 1 {
            // Closing the variation cannot fail, because the replaced step was legal before.
            let _ = self.close_variation();
        }
        let mover = self.mover();
        let main = self.open.pop().unwrap_or_default().close(mover);
        (self.start, main, problem)
    }
}

fn read_verdict(text: &str) -> Option<BlackBackRank> {
    let verdicts = [BlackBackRank::Mirror, BlackBackRank::Reverse, BlackBackRank::Own];
    verdicts.into_iter().find(|verdict| verdict_word(*verdict).eq_ignore_ascii_case(text))
}

/// Returns the word for the mediator's verdict in movetext.
pub(super) const fn verdict_word(verdict: BlackBackRank) -> &'static str {
    match verdict {
        BlackBackRank::Mirror => "Mirror",
        BlackBackRank::Reverse => "Reverse",
        BlackBackRank::Own => "Own",
    }
}
