//! Reading games from a stream, skipping broken games.

use std::io::BufRead;

use super::language::{LANGUAGES, plain};
use super::line::LineBuilder;
use super::problem::{GameProblem, PgnError, PgnProblem, Remedy};
use super::tags::{Tags, read_tag};
use super::tokens::{self, Token, without_number};
use super::{MoveLine, PgnGame};
use crate::game::{Game, Outcome};
use crate::rules::BoardSize;
use crate::text::{LineError, LineReader, shorten, shorten_to};

/// The maximum size of a game in bytes. A line cannot be longer than this either.
const LARGEST_GAME: usize = 8 << 20;

/// The maximum number of problems that are reported for a game.
const MAX_PROBLEMS: usize = 20;

/// The byte order mark, which some programs write at the beginning of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads the games of a stream one by one, with only one game in memory at a time.
///
/// Files may be in UTF-8 or ISO 8859-1. Lines that begin with `%` are skipped. A game's result is the result
/// after the moves or, if that is missing, the tag `Result`. If a game has a problem after its first move,
/// the reader returns the game with the moves before the problem, and [`PgnGame::problems`] describes the
/// problem. A problem before the first move is an error. Piece letters of another language are accepted if
/// all moves of the main line can be read with these letters.
///
/// ```
/// use aleator::pgn::PgnReader;
///
/// let text = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 {why not} d5 1/2-1/2\n";
/// let mut games = PgnReader::new(text.as_bytes());
/// let broken = games.next().unwrap()?;
/// assert_eq!(broken.line.turns.len(), 2);
/// let problem = broken.problems[0].to_string();
/// assert!(problem.starts_with("line 3, game 1 (A - ?): move 2. 'Ke3' is illegal"), "{problem}");
/// let game = games.next().unwrap()?;
/// assert_eq!(game.line.turns[0].notes.texts, ["why not"]);
/// assert!(game.to_string().ends_with("\n\n1. d4 {why not} d5 1/2-1/2\n\n"));
/// assert!(games.next().is_none());
/// # Ok::<(), aleator::pgn::PgnError>(())
/// ```
pub struct PgnReader<R> {
    lines: LineReader<R>,
    /// The current line.
    line: String,
    /// The number of the current line, from 1.
    number: usize,
    /// The number of bytes of the current line that have been read.
    at: usize,
    /// The number of games completed.
    games: usize,
    draft: Draft,
    is_over: bool,
}

/// The part of a game that has been read so far.
#[derive(Default)]
struct Draft {
    tags: Tags,
    /// Whether anything other than tags has been read.
    has_moves: bool,
    moves: Option<LineBuilder>,
    /// The text of a comment that is not yet closed, and the number of the line where the comment begins.
    comment: Option<(String, usize)>,
    words: Words,
    problems: Vec<GameProblem>,
    /// The problem because of which the game is skipped.
    broken: Option<GameProblem>,
    /// The number of open variations in the skipped part of the game.
    depth: usize,
    /// The number of the line with the tag `FEN`, or 0.
    fen_at: usize,
    /// The number of the line with the tag `Variant`, or 0.
    variant_at: usize,
    /// Whether the last line read was blank.
    after_blank: bool,
    bytes: usize,
}

/// The movetext of a game, recorded so that it can be parsed again in other languages. Each token is a line
/// of the text. A comment begins with a brace. An empty line stands for a line break in the file.
#[derive(Default)]
struct Words {
    /// Whether the movetext is recorded. Games with a placement phase and games on 10x10 are not recorded,
    /// because their files always use English letters.
    is_kept: bool,
    text: String,
    /// The number of the line in the file that contains the first token.
    first_line: usize,
}

/// A problem, the number of the line where the problem was found, and the reader's remedy.
type Found = (PgnProblem, usize, Remedy);

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

    /// Parses the recorded movetext with the piece letters of a language. Returns `None` if a turn of the
    /// main line cannot be read.
    fn read(
        &self,
        start: &Game,
        tags: &mut Tags,
        letters: &'static [&'static str; 5],
    ) -> Option<(LineBuilder, Vec<Found>)> {
        let mut moves = LineBuilder::new(start.clone()).in_language(letters);
        let (mut line, mut problems) = (self.first_line, Vec::new());
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
            if let Err(problem) = moves.take(token, tags) {
                let remedy = moves.remedy(&problem);
                if matches!(remedy, Remedy::Skip | Remedy::KeepMoves) {
                    return None;
                }
                problems.push((problem, line, remedy));
            }
        }
        Some((moves, problems))
    }
}

impl Draft {
    /// Whether a game has begun. A comment between games is not a game.
    fn is_game(&self) -> bool {
        !self.tags.is_empty()
            || self.broken.is_some()
            || self.moves.as_ref().is_some_and(|moves| !moves.is_empty())
    }

    /// Returns the moves read so far and the tags. Before the first move, creates a [`LineBuilder`] with the
    /// position that the tags describe; `line` is then the number of the line with the first move.
    fn moves(&mut self, line: usize) -> Result<(&mut LineBuilder, &mut Tags), PgnProblem> {
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

    /// Processes a token of the movetext, given its text and the number of its line.
    fn take(&mut self, token: Token, word: &str, line: usize) -> Result<(), PgnProblem> {
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

    /// Returns the number of the line that contains the cause of a problem. The problem was found while
    /// reading the line `now`.
    const fn line_of(&self, problem: &PgnProblem, now: usize) -> usize {
        match (problem, &self.comment) {
            (PgnProblem::Fen(_) | PgnProblem::FenPart(_), _) if self.fen_at > 0 => self.fen_at,
            (PgnProblem::Variant(_), _) if self.variant_at > 0 => self.variant_at,
            (PgnProblem::CommentNotClosed, Some((_, begun))) => *begun,
            _ => now,
        }
    }

    fn problem(&self, (kind, now, remedy): Found, game: usize) -> GameProblem {
        let (line, players) = (self.line_of(&kind, now), self.players());
        GameProblem { line, game, players, kind: Box::new(kind), remedy }
    }

    /// Records a problem of the game with the number `game`.
    fn note(&mut self, found: Found, game: usize) {
        let problem = self.problem(found, game);
        if problem.remedy == Remedy::Skip {
            self.depth = usize::from(matches!(*problem.kind, PgnProblem::NothingToReplace));
            self.broken.get_or_insert(problem);
        } else if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Returns the remedy for a problem that has just been found.
    fn remedy(&self, problem: &PgnProblem) -> Remedy {
        self.moves.as_ref().map_or(Remedy::Skip, |moves| moves.remedy(problem))
    }

    /// Parses the moves again in every other language, if there was a problem with a move. Replaces the
    /// moves if they can be read better in one of these languages than in English.
    fn translate(&mut self, game: usize) {
        let mut problems = self.broken.iter().chain(&self.problems);
        let is_turn = |problem: &GameProblem| matches!(*problem.kind, PgnProblem::Turn { .. });
        if !self.words.is_kept || !problems.any(is_turn) {
            return;
        }
        let is_cut = self.broken.is_some()
            || self.problems.iter().any(|problem| problem.remedy == Remedy::KeepMoves);
        let mut least = if is_cut { usize::MAX } else { self.problems.len() };
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
        if let Some((moves, problems)) = best {
            (self.moves, self.broken) = (Some(moves), None);
            self.problems.clear();
            problems.into_iter().for_each(|found| self.note(found, game));
        }
    }

    /// Returns the complete game, or the problem because of which the game is skipped. `game` is the number
    /// of the game, `now` the number of the last line of the game, and `end` the result after the moves.
    fn finish(
        mut self,
        end: Option<Outcome>,
        now: usize,
        game: usize,
    ) -> Result<PgnGame, GameProblem> {
        self.translate(game);
        if self.broken.is_none() && self.comment.is_some() {
            let problem = PgnProblem::CommentNotClosed;
            let remedy = self.remedy(&problem);
            self.note((problem, now, remedy), game);
        }
        if let (Some((text, _)), Some(moves)) = (self.comment.take(), &mut self.moves) {
            moves.comment(&text);
        }
        if let Some(broken) = self.broken {
            return Err(broken);
        }
        let (start, line, problem) = match self.moves.take() {
            Some(moves) => moves.finish(),
            None => match self.tags.start() {
                Ok(start) => (start, MoveLine::default(), None),
                Err(problem) => return Err(self.problem((problem, now, Remedy::Skip), game)),
            },
        };
        let ignored = self.tags.ignored_parts();
        if !ignored.is_empty() {
            // A game that is written again must not repeat the problem.
            self.tags.set("FEN", start.fen());
        }
        for part in ignored {
            self.note((PgnProblem::FenPart(part.0), now, Remedy::Ignore), game);
        }
        if let Some(problem) = problem {
            self.note((problem, now, Remedy::KeepMoves), game);
        }
        let result = end.or_else(|| self.tags.get("Result").and_then(read_result).flatten());
        Ok(PgnGame { tags: self.tags, start, line, result, problems: self.problems })
    }
}

impl<R: BufRead> PgnReader<R> {
    /// Returns a reader for the games in `input`.
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

    /// Completes the current game and returns it.
    fn complete(&mut self, end: Option<Outcome>) -> Result<PgnGame, PgnError> {
        self.games += 1;
        let draft = std::mem::take(&mut self.draft);
        draft.finish(end, self.number, self.games).map_err(PgnError::Game)
    }

    /// Marks the current game as too large and frees its memory.
    fn give_up(&mut self, limit: usize) {
        self.draft
            .note((PgnProblem::TooLarge { limit }, self.number, Remedy::Skip), self.games + 1);
        let broken = self.draft.broken.take();
        self.draft = Draft { broken, has_moves: true, ..Draft::default() };
        self.at = self.line.len();
    }

    /// Goes to the next line. Returns the current game if it ends before that line.
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

    /// Completes and returns the current game, if there is one, because a tag follows.
    fn end_before_tag(&mut self) -> Option<Result<PgnGame, PgnError>> {
        if self.draft.is_game() {
            return Some(self.complete(None));
        }
        self.draft = Draft::default();
        None
    }

    /// Whether the tag in the current line belongs to the next game. This is the case if the current game has
    /// moves, or if a blank line precedes the tag and the current game already has the same tag.
    fn ends_with_tag(&self, after_blank: bool) -> bool {
        let has = |name| self.draft.tags.get(name).is_some();
        self.draft.has_moves
            || after_blank && read_tag(self.line.trim_start()).is_some_and(|(name, ..)| has(name))
    }

    /// Reads the next tag, comment or token of the line. Returns the current game if the game ends there.
    fn advance(&mut self) -> Result<Option<Result<PgnGame, PgnError>>, PgnProblem> {
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

    /// Reads the tag at the current place in the line.
    fn tag(&mut self) -> Result<(), PgnProblem> {
        let text = self.line[self.at..].trim_start();
        let Some((name, value, behind)) = read_tag(text) else {
            let found = shorten(text);
            self.at = self.line.len();
            return Err(PgnProblem::Tag { found });
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
                    Err(problem) => {
                        let remedy = self.draft.remedy(&problem);
                        self.draft.note((problem, self.number, remedy), self.games + 1);
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

/// Whether the rest of a line begins with a tag. Because moves may precede the tag in the line, this check
/// is stricter than [`is_tag`].
fn begins_tag(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('[').map(str::trim_start) else { return false };
    let behind = inner.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
    behind.len() < inner.len() && behind.trim_start().starts_with('"')
}

/// Whether a line begins a new game even if a comment has not been closed.
fn begins_game(line: &str) -> bool {
    line.starts_with("[Event \"")
}

/// Removes byte order marks from a line. They also occur inside files that were joined from several files.
fn without_byte_order_marks(line: String) -> String {
    if !line.contains(BYTE_ORDER_MARK) {
        return line;
    }
    line.trim_start_matches(BYTE_ORDER_MARK).replace(BYTE_ORDER_MARK, " ")
}

/// Parses a result. Returns `Some(None)` for `*` and `None` if the word is not a result.
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
