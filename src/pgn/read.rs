//! Games out of a stream, the broken ones skipped.

use std::io::BufRead;

use super::fault::{GameFault, PgnError, PgnFault, Remedy};
use super::language::{LANGUAGES, plain};
use super::line::LineBuilder;
use super::tags::{Tags, read_tag};
use super::tokens::{self, Token, without_number};
use super::{MoveLine, PgnGame};
use crate::game::{Game, Outcome};
use crate::rules::BoardSize;
use crate::text::{LineError, LineReader, shorten, shorten_to};

/// The most bytes that a game, and so a line of it, may have.
const LARGEST_GAME: usize = 8 << 20;

/// The most faults of a game that are told.
const MOST_FAULTS: usize = 20;

/// What some programs put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Games out of a stream, one after the other. Memory holds one of them.
///
/// Old files may be in ISO 8859-1. A line that begins with `%` is skipped. The result is what ends
/// the moves, or else what its tag says. A game with a fault behind its first move comes with what
/// can be read of it; its `faults` say what is wrong. A game without a move that can be read is an
/// error. Piece letters may be those of another language, if all moves fit.
///
/// ```
/// use aleator::pgn::PgnReader;
///
/// let text = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 {why not} d5 1/2-1/2\n";
/// let mut games = PgnReader::new(text.as_bytes());
/// let broken = games.next().unwrap()?;
/// assert_eq!(broken.line.turns.len(), 2);
/// let fault = broken.faults[0].to_string();
/// assert!(fault.starts_with("line 3, game 1 (A - ?): move 2. 'Ke3' is illegal"), "{fault}");
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
    /// Games that are over.
    games: usize,
    draft: Draft,
    is_over: bool,
}

/// What has been read of a game.
#[derive(Default)]
struct Draft {
    tags: Tags,
    /// Whether something else than tags was read.
    has_moves: bool,
    moves: Option<LineBuilder>,
    /// A comment that goes on, and the line where it begins.
    comment: Option<(String, usize)>,
    words: Words,
    faults: Vec<GameFault>,
    /// Why there is no game. What is left of it is skipped.
    broken: Option<GameFault>,
    /// Variations open in what is skipped.
    depth: usize,
    /// The lines of the tags `FEN` and `Variant`.
    fen_at: usize,
    variant_at: usize,
    /// Whether the line before was blank.
    after_blank: bool,
    bytes: usize,
}

/// The moves as the file has them, to be read again in other languages: a token a line, a comment
/// behind a brace, and an empty line for each line of the file that ends.
#[derive(Default)]
struct Words {
    /// Not of set-ups and of 10x10, of which there are no such files.
    is_kept: bool,
    text: String,
    /// The line of the file with the first of them.
    first_line: usize,
}

/// A fault, the line in which it was found, and what is made of the game.
type Found = (PgnFault, usize, Remedy);

impl Words {
    fn add(&mut self, token: Token, word: &str) {
        if self.is_kept {
            match token {
                Token::Comment(comment) => {
                    self.text.push('{');
                    self.text += comment;
                }
                _ => self.text += word,
            }
            self.text.push('\n');
        }
    }

    fn end_line(&mut self) {
        if self.is_kept {
            self.text.push('\n');
        }
    }

    /// Reads them in a language. Nothing if a turn of the game itself cannot be read so.
    fn read(
        &self,
        start: &Game,
        tags: &mut Tags,
        letters: &'static [&'static str; 5],
    ) -> Option<(LineBuilder, Vec<Found>)> {
        let mut moves = LineBuilder::new(start.clone()).in_language(letters);
        let (mut line, mut faults) = (self.first_line, Vec::new());
        for word in self.text.lines() {
            let token = match word.strip_prefix('{') {
                Some(comment) => Token::Comment(comment),
                None => match tokens::next(word) {
                    Some((token, _)) => token,
                    None => {
                        line += 1;
                        continue;
                    }
                },
            };
            if let Err(fault) = moves.take(token, tags) {
                let remedy = moves.remedy(&fault);
                if matches!(remedy, Remedy::Skip | Remedy::KeepMoves) {
                    return None;
                }
                faults.push((fault, line, remedy));
            }
        }
        Some((moves, faults))
    }
}

impl Draft {
    /// Whether it is more than what stands between games.
    fn is_game(&self) -> bool {
        !self.tags.is_empty()
            || self.broken.is_some()
            || self.moves.as_ref().is_some_and(|moves| !moves.is_empty())
    }

    /// The moves, which begin in this line or before; the tags must be complete.
    fn moves(&mut self, line: usize) -> Result<(&mut LineBuilder, &mut Tags), PgnFault> {
        match &mut self.moves {
            Some(moves) => Ok((moves, &mut self.tags)),
            none => {
                let start = self.tags.start()?;
                self.words.first_line = line;
                self.words.is_kept =
                    start.variant().rules().board == BoardSize::Eight && !start.is_setup();
                Ok((none.insert(LineBuilder::new(start)), &mut self.tags))
            }
        }
    }

    /// Whether a variation is open.
    fn in_variation(&self) -> bool {
        match &self.moves {
            Some(moves) if self.broken.is_none() => moves.in_variation(),
            _ => self.depth > 0,
        }
    }

    /// Takes a token of the moves, in this line, and the word that it is.
    fn take(&mut self, token: Token, word: &str, line: usize) -> Result<(), PgnFault> {
        let read = if self.broken.is_none() {
            let (moves, tags) = self.moves(line)?;
            moves.take(token, tags)
        } else {
            match token {
                Token::Open => self.depth += 1,
                Token::Close => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            Ok(())
        };
        self.words.add(token, word);
        read
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
            (PgnFault::Fen(_) | PgnFault::FenPart(_), _) if self.fen_at > 0 => self.fen_at,
            (PgnFault::Variant(_), _) if self.variant_at > 0 => self.variant_at,
            (PgnFault::CommentNotClosed, Some((_, begun))) => *begun,
            _ => now,
        }
    }

    fn fault(&self, (fault, now, remedy): Found, game: usize) -> GameFault {
        let (line, players) = (self.line_of(&fault, now), self.players());
        GameFault { line, game, players, fault: Box::new(fault), remedy }
    }

    /// Notes a fault; the game has this number.
    fn note(&mut self, found: Found, game: usize) {
        let fault = self.fault(found, game);
        if fault.remedy == Remedy::Skip {
            self.depth = usize::from(matches!(*fault.fault, PgnFault::NothingToReplace));
            self.broken.get_or_insert(fault);
        } else if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }

    /// What is made of the game after a fault that was just found.
    fn remedy(&self, fault: &PgnFault) -> Remedy {
        self.moves.as_ref().map_or(Remedy::Skip, |moves| moves.remedy(fault))
    }

    /// Takes the moves as those of another language, if they fit it better than English.
    fn translate(&mut self, game: usize) {
        let mut faults = self.broken.iter().chain(&self.faults);
        let is_turn = |fault: &GameFault| matches!(*fault.fault, PgnFault::Turn { .. });
        if !self.words.is_kept || !faults.any(is_turn) {
            return;
        }
        let is_cut = self.broken.is_some()
            || self.faults.iter().any(|fault| fault.remedy == Remedy::KeepMoves);
        let mut least = if is_cut { usize::MAX } else { self.faults.len() };
        let Ok(start) = self.tags.start() else { return };
        let mut best = None;
        for letters in &LANGUAGES {
            if let Some(read) = self.words.read(&start, &mut self.tags, letters)
                && read.1.len() < least
            {
                least = read.1.len();
                best = Some(read);
            }
        }
        if let Some((moves, faults)) = best {
            (self.moves, self.broken) = (Some(moves), None);
            self.faults.clear();
            faults.into_iter().for_each(|found| self.note(found, game));
        }
    }

    /// The whole game, which has this number; `end` is what ends its moves, in the line `now`.
    fn finish(
        mut self,
        end: Option<Outcome>,
        now: usize,
        game: usize,
    ) -> Result<PgnGame, GameFault> {
        self.translate(game);
        if self.broken.is_none() && self.comment.is_some() {
            let fault = PgnFault::CommentNotClosed;
            let remedy = self.remedy(&fault);
            self.note((fault, now, remedy), game);
        }
        if let (Some((text, _)), Some(moves)) = (self.comment.take(), &mut self.moves) {
            moves.comment(&text);
        }
        if let Some(broken) = self.broken {
            return Err(broken);
        }
        let (start, line, fault) = match self.moves.take() {
            Some(moves) => moves.finish(),
            None => match self.tags.start() {
                Ok(start) => (start, MoveLine::default(), None),
                Err(fault) => return Err(self.fault((fault, now, Remedy::Skip), game)),
            },
        };
        for part in self.tags.ignored_parts() {
            self.note((PgnFault::FenPart(part.0), now, Remedy::Ignore), game);
        }
        if let Some(fault) = fault {
            self.note((fault, now, Remedy::KeepMoves), game);
        }
        let result = end.or_else(|| self.tags.get("Result").and_then(read_result).flatten());
        Ok(PgnGame { tags: self.tags, start, line, result, faults: self.faults })
    }
}

impl<R: BufRead> PgnReader<R> {
    /// Reads games from here on.
    pub fn new(input: R) -> PgnReader<R> {
        let lines = LineReader::with_limit(input, LARGEST_GAME).or_latin1().or_cr();
        PgnReader {
            lines,
            line: String::new(),
            number: 0,
            at: 0,
            games: 0,
            draft: Draft::default(),
            is_over: false,
        }
    }

    /// The game that is complete.
    fn complete(&mut self, end: Option<Outcome>) -> Result<PgnGame, PgnError> {
        self.games += 1;
        let draft = std::mem::take(&mut self.draft);
        draft.finish(end, self.number, self.games).map_err(PgnError::Game)
    }

    /// Gives up a game that is too large, and forgets what was read of it.
    fn give_up(&mut self, limit: usize) {
        self.draft.note((PgnFault::TooLarge { limit }, self.number, Remedy::Skip), self.games + 1);
        let broken = self.draft.broken.take();
        self.draft = Draft { broken, has_moves: true, ..Draft::default() };
        self.at = self.line.len();
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
                self.give_up(limit);
                return None;
            }
            Some(Ok(line)) => self.line = without_byte_order_marks(line),
        }
        self.number += 1;
        self.draft.words.end_line();
        self.draft.bytes += self.line.len();
        if self.draft.bytes > LARGEST_GAME {
            self.give_up(LARGEST_GAME);
            return None;
        }
        let after_blank =
            std::mem::replace(&mut self.draft.after_blank, self.line.trim().is_empty());
        if self.draft.comment.is_some() {
            let begins = begins_game(&self.line) && after_blank;
            return begins.then(|| self.complete(None));
        }
        if self.line.starts_with('%') {
            self.at = self.line.len();
        }
        let ends = is_tag(&self.line) && self.ends_with_tag(after_blank);
        if ends { self.end_before_tag() } else { None }
    }

    /// The game that ends before a tag, if there is one.
    fn end_before_tag(&mut self) -> Option<Result<PgnGame, PgnError>> {
        if self.draft.is_game() {
            return Some(self.complete(None));
        }
        self.draft = Draft::default();
        None
    }

    /// Whether the game so far ends before the tag in this line: it has moves, or, behind a blank
    /// line, this tag already.
    fn ends_with_tag(&self, after_blank: bool) -> bool {
        let has = |name| self.draft.tags.get(name).is_some();
        self.draft.has_moves
            || after_blank && read_tag(self.line.trim_start()).is_some_and(|(name, ..)| has(name))
    }

    /// Reads on in the line; a game that ends there comes back.
    fn advance(&mut self) -> Result<Option<Result<PgnGame, PgnError>>, PgnFault> {
        let rest = &self.line[self.at..];
        if let Some((comment, _)) = &mut self.draft.comment {
            let end = rest.find('}');
            comment.push_str(&rest[..end.unwrap_or(rest.len())]);
            comment.push(' ');
            self.at = end.map_or(self.line.len(), |end| self.at + end + 1);
            if let Some((comment, _)) = self.draft.comment.take_if(|_| end.is_some()) {
                self.draft.take(Token::Comment(&comment), "", self.number)?;
            }
            return Ok(None);
        }
        let text = rest.trim_start();
        if text.starts_with('[') && !self.draft.has_moves {
            return self.tag().map(|()| None);
        }
        if begins_tag(text) {
            self.at = self.line.len() - text.len();
            return Ok(self.end_before_tag());
        }
        let Some((token, length)) = tokens::next(rest) else {
            self.at = self.line.len();
            return Ok(None);
        };
        self.at += length;
        if let Token::Word(word) = token
            && let Some(result) = read_result(word)
        {
            let is_end = self.draft.is_game() && !self.draft.in_variation();
            return Ok(is_end.then(|| self.complete(result)));
        }
        self.draft.has_moves = true;
        if token == Token::Brace {
            self.draft.comment = Some((String::new(), self.number));
            return Ok(None);
        }
        self.draft.take(token, rest[..length].trim_start(), self.number).map(|()| None)
    }

    /// Takes the tag that comes next.
    fn tag(&mut self) -> Result<(), PgnFault> {
        let text = self.line[self.at..].trim_start();
        let Some((name, value, behind)) = read_tag(text) else {
            let found = shorten(text);
            self.at = self.line.len();
            return Err(PgnFault::Tag { found });
        };
        self.at = self.line.len() - behind.len();
        match name {
            "FEN" => self.draft.fen_at = self.number,
            "Variant" => self.draft.variant_at = self.number,
            _ => {}
        }
        self.draft.tags.add(name, value)
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
                    Ok(found) => found,
                    Err(fault) => {
                        let remedy = self.draft.remedy(&fault);
                        self.draft.note((fault, self.number, remedy), self.games + 1);
                        None
                    }
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

/// Whether a tag stands here, behind moves on the same line.
fn begins_tag(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('[').map(str::trim_start) else { return false };
    let behind = inner.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
    behind.len() < inner.len() && behind.trim_start().starts_with('"')
}

/// Whether a line is the first of nearly every game, wherever it stands.
fn begins_game(line: &str) -> bool {
    line.starts_with("[Event \"")
}

/// A line without the marks at the beginnings of files that were joined.
fn without_byte_order_marks(line: String) -> String {
    if !line.contains(BYTE_ORDER_MARK) {
        return line;
    }
    line.trim_start_matches(BYTE_ORDER_MARK).replace(BYTE_ORDER_MARK, " ")
}

/// How a game ended; nothing within if it did not.
fn read_result(word: &str) -> Option<Option<Outcome>> {
    let text = plain(without_number(word));
    match text.chars().next()? {
        '*' if text.len() == 1 => return Some(None),
        '0' | '1' => {}
        _ => return None,
    }
    let text = text.replace(':', "-");
    if text == "1/2" {
        return Some(Some(Outcome::Draw));
    }
    Outcome::ALL.into_iter().find(|result| result.text() == text).map(Some)
}
