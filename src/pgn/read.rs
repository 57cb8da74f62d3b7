//! Games out of a stream, the broken ones passed over.

use std::io::BufRead;

use super::fault::{BrokenGame, PgnError, PgnFault};
use super::line::LineBuilder;
use super::tags::{Tags, read_tag};
use super::tokens::{self, Token};
use super::{MoveLine, PgnGame};
use crate::game::GameResult;
use crate::text::{LineError, LineReader, shorten, shorten_to};

/// The most bytes that a game, and so a line of it, may have.
const LARGEST_GAME: usize = 8 << 20;

/// Games out of a stream, one after the other. Memory holds one of them.
///
/// Old files may be in ISO 8859-1. A line that begins with `%` is passed over. The result is what
/// ends the moves, or else what its tag says.
///
/// ```
/// use aleator::pgn::PgnReader;
///
/// let text = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 {why not} d5 1/2-1/2\n";
/// let mut games = PgnReader::new(text.as_bytes());
/// let broken = games.next().unwrap().unwrap_err().to_string();
/// assert!(broken.starts_with("line 3, game 1 (A - ?): move 2. 'Ke3' is illegal"), "{broken}");
/// let game = games.next().unwrap()?;
/// assert_eq!(game.line.turns[0].notes.texts, ["why not"]);
/// assert!(game.to_string().ends_with("\n\n1. d4 {why not} d5 1/2-1/2\n\n"));
/// assert!(games.next().is_none());
/// # Ok::<(), aleator::pgn::PgnError>(())
/// ```
pub struct PgnReader<R> {
    lines: LineReader<R>,
    /// The line at which the reader is, its number from 1, and how much of it has been read.
    line: String,
    number: usize,
    at: usize,
    /// Games begun.
    games: usize,
    draft: Draft,
    skip: Skip,
    is_over: bool,
}

/// What has been read of a game.
#[derive(Default)]
struct Draft {
    tags: Tags,
    /// Once something else than tags was read.
    moves: Option<LineBuilder>,
    /// A comment that goes on, and the line where it begins.
    comment: Option<(String, usize)>,
    /// The lines of the tags `FEN` and `Variant`.
    fen_at: usize,
    variant_at: usize,
    /// Whether the line before was blank.
    after_blank: bool,
    bytes: usize,
}

/// What is passed over after a fault: the game to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    Nothing,
    /// The rest of the tags, then the moves.
    Tags,
    Moves,
}

impl Draft {
    /// Whether it is more than what stands between games.
    fn is_game(&self) -> bool {
        !self.tags.is_empty() || self.moves.as_ref().is_some_and(|moves| !moves.is_empty())
    }

    /// The moves; the tags must be complete.
    fn moves(&mut self) -> Result<(&mut LineBuilder, &mut Tags), PgnFault> {
        match &mut self.moves {
            Some(moves) => Ok((moves, &mut self.tags)),
            none => Ok((none.insert(LineBuilder::new(self.tags.start()?)), &mut self.tags)),
        }
    }

    fn players(&self) -> String {
        let [white, black] = ["White", "Black"].map(|name| self.tags.get(name));
        if white.or(black).is_none() {
            return String::new();
        }
        let [white, black] = [white, black].map(|name| shorten_to(name.unwrap_or("?"), 30));
        format!("{white} - {black}")
    }

    /// The line with a fault that was found in the line `now`.
    const fn line_of(&self, fault: &PgnFault, now: usize) -> usize {
        match (fault, &self.comment) {
            (PgnFault::Fen(_), _) if self.fen_at > 0 => self.fen_at,
            (PgnFault::Variant(_), _) => self.variant_at,
            (PgnFault::CommentNotClosed, Some((_, begun))) => *begun,
            _ => now,
        }
    }

    /// The whole game; `end` is what ends its moves.
    fn finish(&mut self, end: Option<GameResult>) -> Result<PgnGame, PgnFault> {
        if self.comment.is_some() {
            return Err(PgnFault::CommentNotClosed);
        }
        let result = end.or_else(|| self.tags.get("Result").and_then(read_result).flatten());
        let (start, line) = match self.moves.take() {
            Some(moves) => moves.finish()?,
            None => (self.tags.start()?, MoveLine::default()),
        };
        Ok(PgnGame { tags: std::mem::take(&mut self.tags), start, line, result })
    }
}

impl<R: BufRead> PgnReader<R> {
    /// Reads games from here on.
    pub fn new(input: R) -> PgnReader<R> {
        let lines = LineReader::with_limit(input, LARGEST_GAME).or_latin1();
        PgnReader {
            lines,
            line: String::new(),
            number: 0,
            at: 0,
            games: 0,
            draft: Draft::default(),
            skip: Skip::Nothing,
            is_over: false,
        }
    }

    /// The game that is complete.
    fn complete(&mut self, end: Option<GameResult>) -> Result<PgnGame, PgnError> {
        let mut draft = std::mem::take(&mut self.draft);
        self.games += 1;
        draft.finish(end).map_err(|fault| self.broken(&draft, fault))
    }

    fn broken(&self, draft: &Draft, fault: PgnFault) -> PgnError {
        let line = draft.line_of(&fault, self.number);
        let fault = Box::new(fault);
        PgnError::Game(BrokenGame { line, game: self.games, players: draft.players(), fault })
    }

    /// Gives the game up and passes over what is left of it.
    fn give_up(&mut self, fault: PgnFault) -> PgnError {
        let draft = std::mem::take(&mut self.draft);
        self.games += 1;
        self.skip = if draft.moves.is_some() { Skip::Moves } else { Skip::Tags };
        self.at = self.line.len();
        self.broken(&draft, fault)
    }

    /// Goes to the next line; a game that ends before it comes back.
    fn next_line(&mut self) -> Option<Result<PgnGame, PgnError>> {
        (self.line, self.at) = (String::new(), 0);
        match self.lines.next() {
            None => {
                self.is_over = true;
                return self.draft.is_game().then(|| self.complete(None));
            }
            Some(Err(LineError::Io(error))) => {
                self.is_over = true;
                return Some(Err(PgnError::Input(error)));
            }
            Some(Err(LineError::TooLong { limit })) => {
                self.number += 1;
                let known = self.skip != Skip::Nothing;
                return (!known).then(|| Err(self.give_up(PgnFault::TooLarge { limit })));
            }
            Some(Ok(line)) => self.line = line,
        }
        self.number += 1;
        self.draft.bytes += self.line.len();
        if self.draft.bytes > LARGEST_GAME {
            return Some(Err(self.give_up(PgnFault::TooLarge { limit: LARGEST_GAME })));
        }
        let after_blank =
            std::mem::replace(&mut self.draft.after_blank, self.line.trim().is_empty());
        let begins = begins_game(&self.line) && after_blank;
        if self.skip != Skip::Nothing {
            self.draft.bytes = 0;
            self.pass_over(begins);
            return None;
        }
        if self.draft.comment.is_some() {
            return begins.then(|| self.complete(None));
        }
        if self.line.starts_with('%') {
            self.at = self.line.len();
        }
        let ends = is_tag(&self.line) && self.ends_with_tag(after_blank);
        let complete = (ends && self.draft.is_game()).then(|| self.complete(None));
        if ends {
            self.draft = Draft::default();
        }
        complete
    }

    /// Passes over a line of a game that was given up, or sees that it is one of the next.
    fn pass_over(&mut self, begins: bool) {
        let is_tag = is_tag(&self.line);
        if begins || (is_tag && self.skip == Skip::Moves) {
            self.skip = Skip::Nothing;
            return;
        }
        if !is_tag && !self.line.trim().is_empty() {
            self.skip = Skip::Moves;
        }
        self.at = self.line.len();
    }

    /// Whether the game so far ends before the tag in this line: it has moves, or, behind a blank
    /// line, this tag already.
    fn ends_with_tag(&self, after_blank: bool) -> bool {
        let has = |name| self.draft.tags.get(name).is_some();
        self.draft.moves.is_some()
            || after_blank && read_tag(self.line.trim_start()).is_some_and(|(name, ..)| has(name))
    }

    /// Reads on in the line; says whether the game is over, and how.
    fn advance(&mut self) -> Result<Option<Option<GameResult>>, PgnFault> {
        let rest = &self.line[self.at..];
        if let Some((comment, _)) = &mut self.draft.comment {
            let end = rest.find('}');
            comment.push_str(&rest[..end.unwrap_or(rest.len())]);
            comment.push('\n');
            self.at = end.map_or(self.line.len(), |end| self.at + end + 1);
            if let (Some(_), Some((comment, _))) =
                (end, self.draft.comment.take_if(|_| end.is_some()))
            {
                self.draft.moves()?.0.comment(&comment);
            }
            return Ok(None);
        }
        let text = rest.trim_start();
        if self.draft.moves.is_none() && text.starts_with('[') {
            let (name, value, behind) =
                read_tag(text).ok_or_else(|| PgnFault::Tag { found: shorten(text) })?;
            self.at = self.line.len() - behind.len();
            match name {
                "FEN" => self.draft.fen_at = self.number,
                "Variant" => self.draft.variant_at = self.number,
                _ => {}
            }
            return self.draft.tags.add(name, value).map(|()| None);
        }
        let Some((token, length)) = tokens::next(rest) else {
            self.at = self.line.len();
            return Ok(None);
        };
        self.at += length;
        if let Token::Word(word) = token
            && let Some(result) = read_result(word)
        {
            let is_end = self.draft.moves.as_ref().is_none_or(|moves| !moves.in_variation());
            return Ok((is_end && self.draft.is_game()).then_some(result));
        }
        let (moves, tags) = self.draft.moves()?;
        match token {
            Token::Word(word) => moves.word(word, tags)?,
            Token::Nag(nag) => moves.nag(nag),
            Token::Open => moves.open()?,
            Token::Close => moves.close()?,
            Token::Comment(text) => moves.comment(text),
            Token::Brace => self.draft.comment = Some((String::new(), self.number)),
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Result<PgnGame, PgnError>> {
        while !self.is_over {
            let found = if self.at == self.line.len() {
                self.next_line()
            } else {
                match self.advance() {
                    Ok(Some(end)) => Some(self.complete(end)),
                    Ok(None) => None,
                    Err(fault) => Some(Err(self.give_up(fault))),
                }
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// Whether a line begins with a tag.
fn is_tag(line: &str) -> bool {
    let inner = line.trim_start().strip_prefix('[');
    inner.is_some_and(|text| {
        text.starts_with(|letter: char| letter.is_ascii_alphanumeric()) && text.contains('"')
    })
}

/// Whether a line is the first of nearly every game, wherever it stands.
fn begins_game(line: &str) -> bool {
    line.starts_with("[Event \"")
}

/// How a game ended; nothing within if it did not.
fn read_result(word: &str) -> Option<Option<GameResult>> {
    match word {
        "*" => Some(None),
        "1/2" | "½-½" => Some(Some(GameResult::Draw)),
        _ => GameResult::ALL.into_iter().find(|result| result.text() == word).map(Some),
    }
}
