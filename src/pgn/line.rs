//! A game's turns coming about, with their variations.

use super::fault::PgnFault;
use super::tags::Tags;
use super::tokens::without_number;
use super::{MoveLine, MoveNode, Notes};
use crate::game::{Game, GameError, Step};
use crate::start::BlackBackRank;
use crate::types::Color;

/// The deepest nesting of variations that is read. A saved game has three levels of JSON for each,
/// of which its reader takes 128.
const MOST_NESTED: usize = 32;

/// The most turns of a game that are read, those of variations included.
const MOST_TURNS: usize = 200_000;

/// A null move, in the words of several programs.
const NULL_MOVES: [&str; 5] = ["--", "Z0", "null", "@@@@", "0000"];

/// What is passed over between moves: signs that stand apart from theirs.
const PASSED_OVER: [&str; 5] = ["e.p.", "ep", "+", "++", "#"];

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
}

/// A line whose end has not been read.
#[derive(Default)]
struct OpenLine {
    line: MoveLine,
    /// What a variation stands for; taken back until it ends.
    replaced: Option<Step>,
    /// From a null move on.
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

    fn close(mut self) -> MoveLine {
        if let Some(unread) = self.unread.take() {
            // Commands in it are about positions that are not in the game.
            self.notes().say(&unread.text.replace("[%", "["));
        }
        self.line
    }
}

impl LineBuilder {
    pub(super) fn new(start: Game) -> LineBuilder {
        let open = vec![OpenLine::default()];
        LineBuilder { game: start.clone(), start, path: Vec::new(), open, turns: 0 }
    }

    /// Whether a variation is being read.
    pub(super) const fn in_variation(&self) -> bool {
        self.open.len() > 1
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
    pub(super) fn word(&mut self, word: &str, tags: &mut Tags) -> Result<(), PgnFault> {
        if let Some(unread) = &mut self.now().unread {
            unread.push(word);
            return Ok(());
        }
        let text = without_number(word);
        if text.is_empty()
            || text.chars().all(|letter| ".…".contains(letter))
            || PASSED_OVER.contains(&text)
        {
            return Ok(());
        }
        if NULL_MOVES.contains(&text) {
            let unread = self.now().unread.insert(Unread::default());
            unread.push(text);
            return Ok(());
        }
        if self.turns == MOST_TURNS {
            return Err(PgnFault::TooManyTurns { limit: MOST_TURNS });
        }
        self.decide_order(text, tags);
        let step = self.step(text).map_err(|source| self.fault(source))?;
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
        let last = self.now().line.turns.last();
        let is_move =
            last.is_some_and(|node| matches!(&node.step, Step::Turn(turn) if !turn.placement));
        let mover = is_move.then(|| !self.game.side_to_move());
        match &mut self.now().unread {
            Some(unread) => unread.push(&format!("({})", text.trim())),
            None => self.now().notes().read(text, mover),
        }
    }

    /// A glyph; before the first turn it has no meaning.
    pub(super) fn nag(&mut self, nag: u16) {
        let line = self.now();
        match (&mut line.unread, line.line.turns.last_mut()) {
            (Some(unread), _) => unread.push(&format!("${nag}")),
            (None, Some(node)) if !node.nags.contains(&nag) => node.nags.push(nag),
            _ => {}
        }
    }

    /// A variation begins, in place of the last turn.
    pub(super) fn open(&mut self) -> Result<(), PgnFault> {
        if let Some(unread) = &mut self.now().unread {
            unread.push("(");
            unread.depth += 1;
            return Ok(());
        }
        if self.open.len() > MOST_NESTED {
            return Err(PgnFault::TooDeep { limit: MOST_NESTED });
        }
        if self.now().line.turns.is_empty() {
            return Err(PgnFault::NothingToReplace);
        }
        let replaced = self.take_back();
        self.open.push(OpenLine { replaced, ..OpenLine::default() });
        Ok(())
    }

    /// The last variation ends.
    pub(super) fn close(&mut self) -> Result<(), PgnFault> {
        if let Some(unread) = self.now().unread.as_mut().filter(|unread| unread.depth > 0) {
            unread.push(")");
            unread.depth -= 1;
            return Ok(());
        }
        let closed = if self.in_variation() { self.open.pop() } else { None };
        let Some(mut closed) = closed else { return Err(PgnFault::NothingToClose) };
        let replaced = closed.replaced.take();
        let line = closed.close();
        for _ in &line.turns {
            self.take_back();
        }
        if let Some(step) = replaced {
            self.game.follow(&step, None).map_err(|source| self.fault(source))?;
            self.path.push(step);
        }
        if let Some(node) = self.now().line.turns.last_mut().filter(|_| line != MoveLine::default())
        {
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

    /// Where the game began, and all that was read.
    pub(super) fn finish(mut self) -> Result<(Game, MoveLine), PgnFault> {
        match self.open.pop() {
            Some(main) if self.open.is_empty() => Ok((self.start, main.close())),
            _ => Err(PgnFault::VariationNotClosed),
        }
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
