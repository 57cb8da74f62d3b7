//! What people ask the engine besides its turns: analysis, reviews, hints, and what the solver of
//! set-ups says.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use serde::Serialize;
use serde_json::json;
use tokio::task::AbortHandle;

use super::engine_pool::EngineMessage;
use super::error::ApiError;
use super::game_registry::{GameRegistry, STUDIES};
use super::game_room::{GameRoom, ServerEvent};
use crate::engine::{Line, Score};
use crate::game::Game;
use crate::pgn::move_sign;
use crate::play::{LiveGame, PlayError, Question};
use crate::search::Bound;
use crate::tools::annotate::nag_of;
use crate::types::Color;

/// Lines that come within this time of each other are sent together.
const PACE: Duration = Duration::from_millis(40);
/// How long hints and verdicts may take.
const HINT: Duration = Duration::from_secs(1);
/// For each position of a review.
pub(super) const USUAL_NODES: u64 = 150_000;

/// An analysis or a review under way; dropped, it ends.
pub(super) struct Study {
    number: u64,
    is_analysis: bool,
    work: AbortHandle,
}

impl Study {
    pub const fn is_analysis(&self) -> bool {
        self.is_analysis
    }
}

impl Drop for Study {
    fn drop(&mut self) {
        self.work.abort();
    }
}

/// The studies under way, the oldest first: there are not to be too many.
#[derive(Default)]
pub(super) struct StudyList(Mutex<VecDeque<(Weak<GameRoom>, u64)>>);

impl StudyList {
    /// Adds one, and ends the oldest if that is one too many.
    fn add(&self, room: &Arc<GameRoom>, number: u64) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|(room, number)| {
            let is_current = |room: Arc<GameRoom>| {
                room.inner().study.as_ref().is_some_and(|study| study.number == *number)
            };
            room.upgrade().is_some_and(is_current)
        });
        while list.len() >= STUDIES
            && let Some((oldest, number)) = list.pop_front()
        {
            if let Some(oldest) = oldest.upgrade() {
                oldest.end_study(Some(number));
                oldest.notice("the analysis has ended: others were begun since, and too many at once are slow");
            }
        }
        list.push_back((Arc::downgrade(room), number));
    }
}

/// A line of analysis as the page sees it.
#[derive(Serialize)]
struct LineView<'a> {
    analysis: u64,
    ply: usize,
    multipv: usize,
    depth: i32,
    seldepth: usize,
    nodes: u64,
    nps: u64,
    score: Score,
    bound: &'static str,
    wdl: [u32; 3],
    san: &'a [String],
    uci: &'a [String],
}

impl<'a> LineView<'a> {
    fn new(analysis: u64, ply: usize, side: Color, line: &'a Line) -> LineView<'a> {
        let [win, draw, loss] = line.wdl;
        LineView {
            analysis,
            ply,
            multipv: line.multi_pv,
            depth: line.depth,
            seldepth: line.selective_depth,
            nodes: line.nodes,
            nps: line.nodes_per_second(),
            score: line.score.for_white(side),
            bound: match (line.bound, side) {
                (Bound::Exact, _) => "exact",
                (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "lower",
                _ => "upper",
            },
            wdl: if side == Color::White { [win, draw, loss] } else { [loss, draw, win] },
            san: &line.san,
            uci: &line.pv,
        }
    }
}

/// The game as it was after so many turns; with all of them, as it is.
pub(super) fn game_at(live: &LiveGame, ply: Option<usize>) -> Result<Game, ApiError> {
    let Some(game) = live.game() else {
        return Err(ApiError::conflict(PlayError::DiceFirst(
            live.arbiter().request().unwrap_or_default(),
        )));
    };
    let count = live.turns().len();
    let ply = ply.unwrap_or(count);
    if ply > count {
        let sentence = format!("there is no turn {ply}: the game has {count}");
        return Err(ApiError::unfit(sentence));
    }
    let mut game = game.clone();
    (ply..count).for_each(|_| drop(game.undo()));
    Ok(game)
}

impl GameRoom {
    /// Begins an endless analysis of a position, in place of any other study of the game; gives its
    /// number.
    pub fn analyse(
        self: &Arc<GameRoom>,
        registry: &Arc<GameRegistry>,
        ply: Option<usize>,
        moves: &[String],
        lines: usize,
    ) -> Result<u64, ApiError> {
        let (mut game, ply) = {
            let live = &self.inner().live;
            (game_at(live, ply)?, ply.unwrap_or_else(|| live.turns().len()))
        };
        for text in moves {
            game.play(text).map_err(ApiError::unfit)?;
        }
        let mut question = Question::new(&game);
        question.lines = lines;
        let (side, engine_room, pool) =
            (game.side_to_move(), self.clone(), registry.studies.clone());
        Ok(self.study(registry, true, |number| async move {
            let engine = match pool.borrow(&engine_room.id).await {
                Ok(engine) => engine,
                Err(error) => return engine_room.notice(&error.to_string()),
            };
            let mut messages = engine.ask(&question);
            while let Some(first) = messages.recv().await {
                tokio::time::sleep(PACE).await;
                let rest = std::iter::from_fn(|| messages.try_recv().ok());
                let mut latest = BTreeMap::new();
                for message in std::iter::once(first).chain(rest) {
                    match message {
                        EngineMessage::Line(line) => drop(latest.insert(line.multi_pv, line)),
                        EngineMessage::Failed(error) => engine_room.notice(&error),
                        EngineMessage::Done(_) => {}
                    }
                }
                for line in latest.values() {
                    let view = LineView::new(number, ply, side, line);
                    engine_room.publish(ServerEvent::new("line", &view));
                }
            }
            engine_room.end_study(Some(number));
        }))
    }

    /// Begins to look at every position of the game, and marks mistakes.
    pub fn review(
        self: &Arc<GameRoom>,
        registry: &Arc<GameRegistry>,
        nodes: u64,
    ) -> Result<u64, ApiError> {
        let positions = Positions::new(&self.inner().live, nodes)?;
        let (room, registry_too) = (self.clone(), registry.clone());
        Ok(self.study(registry, false, |number| async move {
            if let Err(error) = room.review_all(&registry_too, positions).await {
                room.notice(&format!("the game is not analysed: {error}"));
            }
            room.end_study(Some(number));
        }))
    }

    async fn review_all(
        self: &Arc<GameRoom>,
        registry: &Arc<GameRegistry>,
        positions: Positions,
    ) -> Result<(), String> {
        let engine = registry.studies.borrow(&self.id).await.map_err(|error| error.to_string())?;
        let total = positions.questions.len();
        let mut before: Option<Judged> = None;
        for (done, (ply, side, question)) in positions.questions.into_iter().enumerate() {
            self.publish(ServerEvent::new("progress", &json!({ "done": done, "total": total })));
            let (_, lines) = engine.answer(&question).await?;
            let now = Judged::new(side, lines.first());
            self.mark(ply, before.as_ref(), &now);
            before = Some(now);
        }
        self.publish(ServerEvent::new("progress", &json!({ "done": total, "total": total })));
        registry.save(&self.id, &self.inner().live);
        Ok(())
    }

    /// Notes what was found of the position after a turn, and so of the turn.
    fn mark(&self, ply: usize, before: Option<&Judged>, now: &Judged) {
        let mut inner = self.inner();
        let Some(note) = ply.checked_sub(1).and_then(|turn| inner.live.note_mut(turn)) else {
            return;
        };
        note.score = Some(now.score);
        if let Some(before) = before {
            let was_best = before.best.as_ref() == Some(&note.san);
            let lost = before.points_for(note.color) - now.points_for(note.color);
            let nag = nag_of(lost).filter(|_| !was_best);
            note.mark = nag.and_then(move_sign).map(str::to_owned);
            note.best = before.best.clone().filter(|_| !was_best);
        }
        let told = json!({
            "ply": ply, "score": note.score, "best": note.best, "mark": note.mark,
        });
        drop(inner);
        self.publish(ServerEvent::new("score", &told));
    }

    /// Begins a study in place of the one before.
    fn study<F: Future<Output = ()> + Send + 'static>(
        self: &Arc<GameRoom>,
        registry: &Arc<GameRegistry>,
        is_analysis: bool,
        work: impl FnOnce(u64) -> F,
    ) -> u64 {
        let mut inner = self.inner();
        inner.studies += 1;
        let number = inner.studies;
        let work = tokio::spawn(work(number)).abort_handle();
        inner.study = Some(Study { number, is_analysis, work });
        self.publish_state(&inner);
        drop(inner);
        registry.study_list.add(self, number);
        number
    }

    /// Ends the study of this number, or any.
    pub fn end_study(&self, number: Option<u64>) {
        let mut inner = self.inner();
        let is_meant = |study: &Study| number.is_none_or(|number| study.number == number);
        if inner.study.as_ref().is_some_and(is_meant) {
            inner.study = None;
            self.publish_state(&inner);
        }
    }

    /// What the engine would play, and what it expects.
    pub async fn hint(
        self: &Arc<GameRoom>,
        registry: &Arc<GameRegistry>,
    ) -> Result<serde_json::Value, ApiError> {
        let (game, side) = self.game_to_ask()?;
        let mut question = Question::new(&game);
        question.request.limits.move_time = Some(HINT);
        let engine = registry.replies.borrow(&self.id).await.map_err(ApiError::conflict)?;
        let (reply, lines) = engine.answer(&question).await.map_err(ApiError::conflict)?;
        let uci = reply.answer.best.ok_or_else(|| ApiError::conflict(PlayError::NoReply))?;
        let turn = game.read(&uci).map_err(ApiError::unfit)?;
        let line = lines.into_iter().next().map(|line| line.san).unwrap_or_default();
        let score = reply.score.map(|score| score.for_white(side));
        Ok(json!({ "uci": turn.uci, "san": turn.san, "score": score, "line": line }))
    }

    /// What the solver says of the placements that are possible now.
    pub async fn verdict(
        self: &Arc<GameRoom>,
        registry: &Arc<GameRegistry>,
    ) -> Result<serde_json::Value, ApiError> {
        let (game, side) = self.game_to_ask()?;
        let count = game.placements().len();
        if count == 0 {
            return Err(ApiError::conflict("the set-up is over: there is nothing to place"));
        }
        let mut question = Question::new(&game);
        question.lines = count;
        question.request.limits.move_time = Some(HINT);
        let engine = registry.replies.borrow(&self.id).await.map_err(ApiError::conflict)?;
        let (_, lines) = engine.answer(&question).await.map_err(ApiError::conflict)?;
        let placements: Vec<_> = lines
            .iter()
            .filter_map(|line| {
                let score = line.score.for_white(side);
                Some(json!({ "text": line.pv.first()?, "score": score, "line": line.san }))
            })
            .collect();
        let sentence = match lines.first() {
            Some(best) => sentence(side, best, &lines),
            None => "There was no time to look at the placements.".to_owned(),
        };
        let depth = lines.first().map(|line| line.depth);
        Ok(json!({ "sentence": sentence, "depth": depth, "placements": placements }))
    }

    /// The game of now, if there is something to be played.
    fn game_to_ask(&self) -> Result<(Game, Color), ApiError> {
        let live = &self.inner().live;
        if let Some(end) = live.conclusion() {
            return Err(PlayError::Over(end.to_string()).into());
        }
        if let Some(request) = live.arbiter().request() {
            return Err(PlayError::DiceFirst(request).into());
        }
        let game = game_at(live, None)?;
        let side = game.side_to_move();
        Ok((game, side))
    }
}

/// `The best placements are Q@d1 and K@e1, worth +0.31 for White.`
fn sentence(side: Color, best: &Line, lines: &[Line]) -> String {
    let equal = lines.iter().filter(|line| line.score == best.score);
    let names: Vec<&str> = equal.filter_map(|line| Some(line.pv.first()?.as_str())).collect();
    let worth = match best.score.for_white(side) {
        Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Score::Mate(moves) => format!("mate in {moves}"),
    };
    let (is, names) = match names.split_last() {
        Some((last, [])) => (" is", (*last).to_owned()),
        Some((last, others)) => ("s are", format!("{} and {last}", others.join(", "))),
        None => (" is", String::new()),
    };
    let how = match best.depth {
        0 => "by the evaluation of the arrays alone".to_owned(),
        depth => format!("with the games that follow searched to depth {depth}"),
    };
    format!("The best placement{is} {names}, worth {worth} for White, {how}.")
}

/// The positions of a game past its set-up, and what is asked about them.
struct Positions {
    /// With the number of turns before each, and who is to move.
    questions: Vec<(usize, Color, Question)>,
}

impl Positions {
    fn new(live: &LiveGame, nodes: u64) -> Result<Positions, ApiError> {
        let mut game = game_at(live, None)?;
        let mut questions = Vec::new();
        let mut ply = live.turns().len();
        while !game.is_setup() {
            let mut question = Question::new(&game);
            question.request.limits.nodes = Some(nodes);
            questions.push((ply, game.side_to_move(), question));
            if game.undo().is_none() {
                break;
            }
            ply -= 1;
        }
        questions.reverse();
        if questions.len() < 2 {
            return Err(ApiError::conflict("there is no move yet to be judged"));
        }
        Ok(Positions { questions })
    }
}

/// What was found of a position.
struct Judged {
    /// For White.
    score: Score,
    /// The points that White may expect, from 0 to 1.
    points: f64,
    /// In SAN.
    best: Option<String>,
}

impl Judged {
    fn new(side: Color, line: Option<&Line>) -> Judged {
        let score = line.map_or(Score::Centipawns(0), |line| line.score);
        let points = line.map_or(0.5, Line::points);
        Judged {
            score: score.for_white(side),
            points: if side == Color::White { points } else { 1.0 - points },
            best: line.and_then(|line| line.san.first().cloned()),
        }
    }

    fn points_for(&self, color: Color) -> f64 {
        if color == Color::White { self.points } else { 1.0 - self.points }
    }
}
