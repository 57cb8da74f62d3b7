//! Converts live games to PGN, and PGN games to live games.

use super::variations::{divide, with_alternatives};
use super::{
    GameEvent, GameSettings, GameStart, GameStartError, LiveGame, Note, Origin, PlayError,
    Variation, VariationTurn,
};
use crate::game::{Game, GameError, Step, Termination, Turn};
use crate::pgn::{ENGINE_LINE, Eval, MoveLine, MoveNode, Notes, PgnGame, move_sign, sign};
use crate::rules::SetupKind;
use crate::start::jepps::Roll;
use crate::types::Color;

/// The error for a PGN game that cannot be converted to a live game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    GameStart(#[from] GameStartError),
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl LiveGame {
    /// Converts the game to PGN, with dice, clock times, scores and variations. Variations that the engine
    /// added begin with the comment [`ENGINE_LINE`]. `date` has the format of PGN, such as `2026.11.22`.
    /// Returns `None` until dice have placed the bishops and rooks with which a setup begins.
    pub fn pgn(&self, date: &str) -> Option<PgnGame> {
        let mut pgn = PgnGame::of(self.game()?);
        pgn.tags.set("Event", "Aleator");
        pgn.tags.set("Date", date);
        if let Some(control) = self.settings().clock {
            pgn.tags.set("TimeControl", control.to_string());
        }
        let termination = self.termination();
        match termination {
            // The game is not over, or only its result is known, not how the game ended.
            None | Some(Termination::Recorded(_)) => {}
            Some(Termination::Time(_) | Termination::TimeDraw(_)) => {
                pgn.tags.set("Termination", "time forfeit");
            }
            Some(_) => pgn.tags.set("Termination", "normal"),
        }
        for (name, value) in self.origin().tags.iter() {
            pgn.tags.set(name, value);
        }
        for color in Color::ALL.into_iter().filter(|color| self.player(*color).is_engine()) {
            pgn.tags.set(&color.to_string(), self.player(color).name());
        }
        pgn.end(termination.map(Termination::outcome));
        pgn.line.notes.texts.extend(self.origin().foreword.clone());
        self.annotate(&mut pgn.line, pgn.start.clone());
        Some(pgn)
    }

    /// Adds dice, clock times and annotations to the nodes of the main line, which starts from `game`.
    fn annotate(&self, line: &mut MoveLine, mut game: Game) {
        let notes = self.turns();
        // Thinking times are written only in games with clocks and in games from files.
        let is_timed = self.settings().clock.is_some() || self.origin().is_read;
        // While a person plays against the engine, its scores would be help.
        let is_secret = self.termination().is_none()
            && self.settings().players[0].is_engine() != self.settings().players[1].is_engine();
        let mut turn = 0;
        for node in &mut line.turns {
            if matches!(node.step, Step::Verdict(_)) {
                node.notes.dice = self.mediators_roll(turn);
            } else if let Some(note) = notes.get(turn) {
                annotate(node, note, &game);
                node.notes.spent = node.notes.spent.filter(|_| is_timed);
                node.notes.eval = node.notes.eval.filter(|_| !is_secret);
                turn += 1;
            }
            // Following the step cannot fail, because the step was legal in the live game.
            let _ = game.follow(&node.step, None);
        }
        let mut tail = lines_of(self.tail(), &game).into_iter();
        let Some(mut first) = tail.next() else { return };
        if let Some(turn) = first.turns.first_mut() {
            turn.variations.extend(tail);
        }
        match line.turns.last_mut().filter(|node| matches!(node.step, Step::Turn(_))) {
            // In PGN a variation replaces a turn. A continuation after the last turn must therefore repeat
            // the last turn.
            Some(last) => {
                first.turns.insert(0, MoveNode::from(last.step.clone()));
                last.variations.push(first);
            }
            None => line.turns.extend(first.turns),
        }
    }

    /// Returns the mediator's roll whose verdict stands, after earlier rolls that were rerolled. `turns` is
    /// the number of turns before the mediator rolls.
    fn mediators_roll(&self, turns: usize) -> Option<Roll> {
        let mut seen = 0;
        let mut events = self.events().iter().skip_while(|event| {
            let is_before = seen < turns;
            seen += usize::from(event.turn().is_some());
            is_before
        });
        let mut roll = None;
        for event in &mut events {
            match event {
                GameEvent::Dice(shown) if roll.is_none() => roll = Some(*shown),
                GameEvent::Again => roll = None,
                _ => break,
            }
        }
        roll
    }

    /// Converts a PGN game to a live game. The variant and the start come from the PGN game, everything else
    /// from `settings`. If the setup cannot be replayed, because the PGN lacks the dice, the live game starts
    /// after the setup.
    pub fn of_pgn(pgn: &PgnGame, settings: &GameSettings) -> Result<LiveGame, LoadError> {
        let game = pgn.replay()?;
        let at =
            |beginning| GameSettings { variant: game.variant(), beginning, ..settings.clone() };
        let beginning = match pgn.start.setup().map(crate::setup::Setup::kind) {
            Some(SetupKind::JeppsFreePlay) => GameStart::FreePlay,
            _ => GameStart::Fen(pgn.start.fen()),
        };
        let origin = Origin {
            tags: pgn.tags.clone(),
            foreword: comment_of(&pgn.line.notes.texts),
            is_read: true,
            ..Origin::default()
        };
        if let Ok(mut live) = LiveGame::new(at(beginning))
            .map_err(LoadError::from)
            .and_then(|live| live.repeated(&pgn.line))
        {
            *live.origin_mut() = origin;
            return Ok(live);
        }
        let moves = |node: &&MoveNode| matches!(&node.step, Step::Turn(turn) if !turn.placement);
        let turns = pgn.line.turns.iter().filter(moves).cloned().collect();
        let line = MoveLine { turns, ..MoveLine::default() };
        let mut live = LiveGame::new(at(GameStart::Fen(game.start_fen())))?.repeated(&line)?;
        *live.origin_mut() = origin;
        live.origin_mut().tags.forget_start();
        Ok(live)
    }

    /// Plays the turns of a line and copies their annotations.
    fn repeated(mut self, line: &MoveLine) -> Result<LiveGame, LoadError> {
        let mut following = Vec::new();
        for node in &line.turns {
            if let Some(Roll(dice)) = node.notes.dice {
                self.roll(&dice)?;
            }
            if let Step::Turn(turn) = &node.step {
                following.extend(variations_of(node));
                // Variations that begin with the played turn become variations of the following turns.
                let (variations, rest) = divide(following, &turn.uci);
                following = rest;
                let note = Note {
                    clock_ms: node.notes.clock.map(crate::engine::millis),
                    spent_ms: node.notes.spent.map(crate::engine::millis),
                    score: node.notes.eval.map(|eval| eval.score),
                    mark: mark_of(&node.nags),
                    nags: others_of(&node.nags),
                    comment: comment_of(&node.notes.texts),
                    variations,
                    ..Note::new(self.side_to_move(), turn.clone())
                };
                self.repeat(&GameEvent::Turn(note))?;
            } else if matches!(self.arbiter().need(), super::arbiter::Need::Mediation(_)) {
                self.repeat(&GameEvent::Accept)?;
            }
        }
        self.set_tail(following);
        Ok(self)
    }
}

/// Returns notes without the comment that marks a line of the engine.
fn without_engine_mark(notes: &Notes) -> Notes {
    let mut notes = notes.clone();
    notes.texts.retain(|text| text != ENGINE_LINE);
    notes
}

/// Returns the symbol, such as `?!`, of the first glyph that rates a move.
fn mark_of(nags: &[u16]) -> Option<String> {
    nags.iter().find_map(|nag| move_sign(*nag)).map(str::to_owned)
}

/// Returns all glyphs except the first glyph that rates a move, which [`mark_of`] returns.
fn others_of(nags: &[u16]) -> Vec<u16> {
    let mark = nags.iter().position(|nag| move_sign(*nag).is_some());
    (0..nags.len()).filter(|at| Some(*at) != mark).map(|at| nags[at]).collect()
}

/// Returns the glyph of a mark such as `?!`, followed by the other glyphs.
fn nags_of(mark: Option<&str>, others: &[u16]) -> Vec<u16> {
    let mark = mark.and_then(sign);
    mark.into_iter().chain(others.iter().copied().filter(|nag| Some(*nag) != mark)).collect()
}

fn comment_of(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Returns the variations that replace a turn of a PGN game. In Jepps Random Chess, a variation ends before
/// the mediator's verdict, if it contains the verdict.
fn variations_of(node: &MoveNode) -> Vec<Variation> {
    let is_engine_line = |line: &MoveLine| {
        let first = line.turns.first().map(|node| &node.notes.texts);
        first.into_iter().flatten().chain(&line.notes.texts).any(|text| text == ENGINE_LINE)
    };
    let tried = |node: &MoveNode, by_engine: bool| match &node.step {
        Step::Turn(Turn { uci, san, .. }) => Some(VariationTurn {
            uci: uci.clone(),
            san: san.clone(),
            mark: mark_of(&node.nags),
            nags: others_of(&node.nags),
            // `comments` also returns commands such as `[%csl ...]`.
            comment: comment_of(&without_engine_mark(&node.notes).comments()),
            by_engine,
            variations: variations_of(node),
        }),
        Step::Verdict(_) => None,
    };
    let variation = |line: &MoveLine| {
        let by_engine = is_engine_line(line);
        let mut turns: Variation =
            line.turns.iter().map_while(|node| tried(node, by_engine)).collect();
        if let Some(first) = turns.first_mut() {
            let foreword = comment_of(&without_engine_mark(&line.notes).comments());
            let texts = [foreword, first.comment.take()];
            first.comment = comment_of(&texts.into_iter().flatten().collect::<Vec<_>>());
        }
        turns
    };
    node.variations.iter().map(variation).flat_map(with_alternatives).collect()
}

/// Converts variations that start from the current position of `game` to PGN lines.
fn lines_of(variations: &[Variation], game: &Game) -> Vec<MoveLine> {
    variations.iter().map(|variation| line_of(variation, game.clone())).collect()
}

fn line_of(variation: &[VariationTurn], mut game: Game) -> MoveLine {
    let mut line = MoveLine::default();
    for tried in variation {
        let Ok(turn) = game.read(&tried.uci) else { break };
        let mut node = MoveNode::from(Step::Turn(turn));
        node.nags = nags_of(tried.mark.as_deref(), &tried.nags);
        if tried.by_engine && line.turns.is_empty() {
            node.notes.texts.push(ENGINE_LINE.to_owned());
        }
        node.notes.texts.extend(tried.comment.clone());
        node.variations.extend(lines_of(&tried.variations, &game));
        // Following the turn cannot fail, because `read` accepts only legal turns.
        let _ = game.follow(&node.step, None);
        line.turns.push(node);
    }
    line
}

fn annotate(node: &mut MoveNode, note: &Note, before: &Game) {
    node.notes.clock = note.clock_ms.map(std::time::Duration::from_millis);
    node.notes.spent = note.spent_ms.map(std::time::Duration::from_millis);
    node.notes.eval = note.score.map(|score| Eval { score, depth: None });
    node.notes.texts.extend(note.comment.clone());
    node.nags = nags_of(note.mark.as_deref(), &note.nags);
    node.variations.extend(lines_of(&note.variations, before));
}
