//! A game's turns coming about, with their variations.

use std::borrow::Cow;

use super::fault::{PgnFault, Remedy};
use super::language::{in_english, plain};
use super::tags::Tags;
use super::tokens::{Token, without_number};
use super::{MoveLine, MoveNode, Notes};
use crate::game::{Game, GameError, Step};
use crate::notation::without_marks;
use crate::start::BlackBackRank;
use crate::types::Color;

/// The deepest nesting of variations that is read. A saved game has three levels of JSON for each,
/// of which its reader takes 128.
const MOST_NESTED: usize = 32;

/// The most turns of a game that are read, those of variations included.
const MOST_TURNS: usize = 200_000;

/// A null move, in the words of several programs.
const NULL_MOVES: [&str; 6] = ["--", "<>", "Z0", "null", "@@@@", "0000"];

/// Reads the lines of a game, word by word.
pub(super) struct LineBuilder {
    start: Game,
    /// Where the line that is read now has come to.
    game: Game,
    /// What led there from the start.
    path: Vec<Step>,
    /// The game's own line, then the variations that are open, each within the one before.
    open: Vec<OpenLine>,
    turns: usize,
    /// The letters of the pieces, if they are not the English ones.
    language: Option<&'static [&'static str; 5]>,
}

/// A line whose end has not been read.
#[derive(Default)]
struct OpenLine {
    line: MoveLine,
    /// What a variation stands for; taken back until it ends.
    replaced: Option<Step>,
    /// From a null move or a fault on.
    unread: Option<Unread>,
}

/// Words kept as they are.
#[derive(Default)]
struct Unread {
    text: String,
    /// Variations open in them.
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
    /// What is said here belongs to the last turn.
    fn notes(&mut self) -> &mut Notes {
        match self.line.turns.last_mut() {
            Some(node) => &mut node.notes,
            None => &mut self.line.notes,
        }
    }

    /// The line; `mover` made its last move.
    fn close(mut self, mover: Option<Color>) -> MoveLine {
        if let Some(unread) = self.unread.take() {
            // Commands in it are about positions that are not in the game.
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

    /// Reads the pieces by these letters from here on.
    pub(super) fn in_language(self, letters: &'static [&'static str; 5]) -> LineBuilder {
        LineBuilder { language: Some(letters), ..self }
    }

    /// Whether a variation is being read.
    pub(super) fn in_variation(&self) -> bool {
        self.open.len() > 1 || self.open[0].unread.as_ref().is_some_and(|unread| unread.depth > 0)
    }

    /// Reads on. After a fault the rest of the line is a comment, and [`LineBuilder::remedy`] says
    /// what became of it.
    pub(super) fn take(&mut self, token: Token, tags: &mut Tags) -> Result<(), PgnFault> {
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
            Token::StrayBrace => Err(PgnFault::NoCommentToClose),
        }
    }

    /// What was made of a fault that was just found.
    pub(super) fn remedy(&self, fault: &PgnFault) -> Remedy {
        match fault {
            _ if self.is_empty() => Remedy::Skip,
            PgnFault::NothingToClose | PgnFault::NoCommentToClose => Remedy::Ignore,
            PgnFault::NothingToReplace | PgnFault::TooDeep { .. } => Remedy::CutVariation,
            _ if self.open.len() > 1 => Remedy::CutVariation,
            _ => Remedy::KeepMoves,
        }
    }

    /// Whether nothing was played.
    pub(super) const fn is_empty(&self) -> bool {
        self.turns == 0
    }

    /// The line that is read now. There is always one.
    fn now(&mut self) -> &mut OpenLine {
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    /// A turn, a number, a verdict, or a null move. `tags` learn it if the first answer shows that
    /// Free Play is played.
    fn word(&mut self, word: &str, tags: &mut Tags) -> Result<(), PgnFault> {
        if let Some(unread) = &mut self.now().unread {
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
            // A sign of some other program.
            self.comment(&text);
            return Ok(());
        }
        let read = if is_null { None } else { Some(self.turn(&text, tags)) };
        if !matches!(read, Some(Ok(()))) {
            let unread = self.now().unread.insert(Unread::default());
            unread.push(if is_null { &text } else { word });
        }
        read.unwrap_or(Ok(()))
    }

    fn turn(&mut self, text: &str, tags: &mut Tags) -> Result<(), PgnFault> {
        if self.turns == MOST_TURNS {
            return Err(PgnFault::TooManyTurns { limit: MOST_TURNS });
        }
        let english = match self.language {
            Some(letters) => Cow::from(in_english(text, letters)),
            None => Cow::from(text),
        };
        self.decide_order(&english, tags);
        let step = self.step(&english).map_err(|source| {
            // In the words of the file.
            let original = self.language.and_then(|_| self.game.read(text).err());
            self.fault(original.unwrap_or(source))
        })?;
        self.path.push(step.clone());
        self.now().line.turns.push(MoveNode::from(step));
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

    fn fault(&self, source: GameError) -> PgnFault {
        let dots = if self.game.side_to_move() == Color::White { "." } else { "..." };
        PgnFault::Turn { place: format!("{}{dots}", self.game.number()), source }
    }

    /// Jepps Random Chess begins on the same board as its Free Play; Black's first answer shows
    /// which of the two is played.
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

    /// A comment, the text between its braces.
    pub(super) fn comment(&mut self, text: &str) {
        let mover = self.mover();
        match &mut self.now().unread {
            Some(unread) => unread.push(&format!("({})", text.trim())),
            None => self.now().notes().read(text, mover),
        }
    }

    /// Who made the last turn, if it is a move of the line that is read now.
    fn mover(&self) -> Option<Color> {
        let last = self.open.last().and_then(|open| open.line.turns.last());
        let is_move =
            last.is_some_and(|node| matches!(&node.step, Step::Turn(turn) if !turn.placement));
        is_move.then(|| !self.game.side_to_move())
    }

    /// A glyph; before the first turn it has no meaning.
    fn nag(&mut self, nag: u16) {
        let line = self.now();
        match (&mut line.unread, line.line.turns.last_mut()) {
            (Some(unread), _) => unread.push(&format!("${nag}")),
            (None, Some(node)) if !node.nags.contains(&nag) => node.nags.push(nag),
            _ => {}
        }
    }

    /// A variation begins, in place of the last turn.
    fn open(&mut self) -> Result<(), PgnFault> {
        if let Some(unread) = &mut self.now().unread {
            unread.push("(");
            unread.depth += 1;
            return Ok(());
        }
        let fault = if self.open.len() > MOST_NESTED {
            Some(PgnFault::TooDeep { limit: MOST_NESTED })
        } else {
            self.now().line.turns.is_empty().then_some(PgnFault::NothingToReplace)
        };
        let (replaced, unread) = match fault {
            None => (self.take_back(), None),
            Some(_) => (None, Some(Unread::default())),
        };
        self.open.push(OpenLine { replaced, unread, ..OpenLine::default() });
        fault.map_or(Ok(()), Err)
    }

    /// The last variation ends.
    fn close(&mut self) -> Result<(), PgnFault> {
        if let Some(unread) = self.now().unread.as_mut().filter(|unread| unread.depth > 0) {
            unread.push(")");
            unread.depth -= 1;
            return Ok(());
        }
        if self.open.len() == 1 {
            return Err(PgnFault::NothingToClose);
        }
        self.close_variation()
    }

    fn close_variation(&mut self) -> Result<(), PgnFault> {
        let mover = self.mover();
        let Some(mut closed) = self.open.pop() else { return Ok(()) };
        let replaced = closed.replaced.take();
        let line = closed.close(mover);
        for _ in &line.turns {
            self.take_back();
        }
        if let Some(step) = replaced {
            self.game.follow(&step, None).map_err(|source| self.fault(source))?;
            self.path.push(step);
        }
        if line.turns.is_empty() {
            // Without a move it is a comment.
            line.notes.texts.iter().for_each(|text| self.comment(text));
        } else if let Some(node) = self.now().line.turns.last_mut() {
            node.variations.push(line);
        }
        Ok(())
    }

    /// Goes a step back.
    fn take_back(&mut self) -> Option<Step> {
        let step = self.path.pop()?;
        self.game.undo();
        if matches!(step, Step::Verdict(_)) {
            // A verdict goes with the placement before it, if there is one.
            match self.path.last() {
                Some(placement) => drop(self.game.follow(placement, None)),
                None => self.game = self.start.clone(),
            }
        }
        Some(step)
    }

    /// Where the game began, and all that was read, with variations that are still open.
    pub(super) fn finish(mut self) -> (Game, MoveLine, Option<PgnFault>) {
        let fault = (self.open.len() > 1).then_some(PgnFault::VariationNotClosed);
        while self.open.len() > 1 {
            // What was played before can be played again.
            let _ = self.close_variation();
        }
        let mover = self.mover();
        let main = self.open.pop().unwrap_or_default().close(mover);
        (self.start, main, fault)
    }
}

fn read_verdict(text: &str) -> Option<BlackBackRank> {
    let verdicts = [BlackBackRank::Mirror, BlackBackRank::Reverse, BlackBackRank::Own];
    verdicts.into_iter().find(|verdict| verdict_word(*verdict).eq_ignore_ascii_case(text))
}

/// The mediator's word.
pub(super) const fn verdict_word(verdict: BlackBackRank) -> &'static str {
    match verdict {
        BlackBackRank::Mirror => "Mirror",
        BlackBackRank::Reverse => "Reverse",
        BlackBackRank::Own => "Own",
    }
}
