//! Analyses, reviews, hints, and assessments of placements: all searches apart from the engine's turns.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use serde_json::{Value, json};

use super::response::{AppEvent, AppResult, Response};
use crate::analysis::review::{Judgement, LONGEST_LINE, Mark};
use crate::engine::{SearchInfo, SearchRequest, SearchResult};
use crate::game::{Game, Turn};
use crate::pgn::move_sign;
use crate::play::{LiveGame, PlayError};
use crate::types::{Bound, Color, Score};

/// The search time for hints and assessments.
const HINT: Duration = Duration::from_secs(1);

/// Returns the game after its first `ply` turns, or after all turns if `ply` is `None`.
pub(super) fn game_at(live: &LiveGame, ply: Option<usize>) -> Result<Game, Response> {
    let Some(game) = live.game() else {
        let request = live.arbiter().request().unwrap_or_default();
        return Err(PlayError::DiceFirst(request).into());
    };
    let count = live.turns().len();
    let ply = ply.unwrap_or(count);
    if ply > count {
        let sentence = format!("there is no turn {ply}: the game has {count}");
        return Err(Response::unfit(sentence));
    }
    let mut game = game.clone();
    (ply..count).for_each(|_| drop(game.undo()));
    Ok(game)
}

/// Returns the game after its first `ply` turns (or all turns, if `ply` is `None`) and the further moves
/// `moves`. Also returns these moves as turns.
pub(super) fn line(
    live: &LiveGame,
    ply: Option<usize>,
    moves: &[String],
) -> Result<(Game, Vec<Turn>), Response> {
    let mut game = game_at(live, ply)?;
    let mut turns = Vec::with_capacity(moves.len());
    for text in moves {
        game.play(text).map_err(Response::unfit)?;
        turns.extend(game.last_turn());
    }
    Ok((game, turns))
}

/// Returns the current game if a turn can be made. Fails if the game is over or waits for dice.
pub(super) fn game_to_ask(live: &LiveGame) -> Result<Game, Response> {
    if let Some(end) = live.termination() {
        return Err(PlayError::Over(end).into());
    }
    if let Some(request) = live.arbiter().request() {
        return Err(PlayError::DiceFirst(request).into());
    }
    game_at(live, None)
}

/// Returns the game after a pass of the side to move, so that an analysis finds the threats of the other side.
fn passed(game: &Game) -> Result<Game, Response> {
    if game.is_setup() {
        return Err(Response::conflict("there are no threats before the setup is complete"));
    }
    if game.in_check() {
        let sentence =
            format!("{} is in check, so there is no further threat", game.side_to_move());
        return Err(Response::conflict(sentence));
    }
    let fen = game.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[1] = if game.side_to_move() == Color::White { "b" } else { "w" };
    fields[3] = "-";
    Game::new(game.variant(), &fields.join(" ")).map_err(Response::unfit)
}

/// A running analysis or review.
pub(super) struct Study {
    /// The number by which the page identifies the study: the number of the first search.
    pub number: u64,
    /// The number of the current search.
    pub search: u64,
    pub work: StudyWork,
}

pub(super) enum StudyWork {
    Analysis(Analysis),
    Review(Review),
}

impl Study {
    pub const fn is_analysis(&self) -> bool {
        matches!(self.work, StudyWork::Analysis(_))
    }
}

/// An unlimited analysis of a position.
pub(super) struct Analysis {
    ply: usize,
    side: Color,
    /// The lines that have not been sent to the page yet, by MultiPV number.
    fresh: BTreeMap<usize, SearchInfo>,
}

impl Analysis {
    /// Creates an analysis of the position after `ply` turns and `moves` or, if `threat` is set, of the same
    /// position with the other side to move. Also returns the position to search, with the search request.
    pub fn new(
        live: &LiveGame,
        ply: Option<usize>,
        moves: &[String],
        lines: usize,
        threat: bool,
    ) -> Result<(Analysis, (Game, SearchRequest)), Response> {
        let (mut game, _) = line(live, ply, moves)?;
        if threat {
            game = passed(&game)?;
        }
        let request = lines_request(&game, lines);
        let ply = ply.unwrap_or_else(|| live.turns().len());
        let analysis = Analysis { ply, side: game.side_to_move(), fresh: BTreeMap::new() };
        Ok((analysis, (game, request)))
    }

    pub fn take(&mut self, line: SearchInfo) {
        self.fresh.insert(line.multi_pv, line);
    }

    pub fn has_lines(&self) -> bool {
        !self.fresh.is_empty()
    }

    /// Returns events with the lines that have arrived since the last call.
    pub fn events(&mut self, number: u64) -> Vec<AppEvent> {
        let (ply, side) = (self.ply, self.side);
        let lines = std::mem::take(&mut self.fresh).into_values();
        lines.map(|line| AppEvent::new("line", &view(number, ply, side, &line))).collect()
    }
}

/// Returns a line of analysis as JSON.
fn view(analysis: u64, ply: usize, side: Color, line: &SearchInfo) -> Value {
    let [win, draw, loss] = line.wdl;
    json!({
        "analysis": analysis,
        "ply": ply,
        "multipv": line.multi_pv,
        "depth": line.depth,
        "seldepth": line.selective_depth,
        "nodes": line.nodes,
        "nps": line.nodes_per_second(),
        "score": line.score.for_white(side),
        "bound": match (line.bound, side) {
            (Bound::Exact, _) => "exact",
            (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "lower",
            _ => "upper",
        },
        "wdl": if side == Color::White { [win, draw, loss] } else { [loss, draw, win] },
        "san": line.san,
        "uci": line.pv,
    })
}

/// A review of a game: searches every position after the setup, and marks mistakes.
pub(super) struct Review {
    /// The number of turns before the position that is being searched, and the side to move.
    now: (usize, Color),
    /// The positions that have still to be searched, each with the number of turns before the position.
    rest: VecDeque<(usize, Game)>,
    nodes: u64,
    total: usize,
    before: Option<Judgement>,
}

impl Review {
    /// Creates a review that searches `nodes` nodes for each position. Also returns the first position to
    /// search, with the search request.
    pub fn new(live: &LiveGame, nodes: u64) -> Result<(Review, (Game, SearchRequest)), Response> {
        let mut game = game_at(live, None)?;
        let mut rest = VecDeque::new();
        let mut ply = live.turns().len();
        while !game.is_setup() {
            rest.push_front((ply, game.clone()));
            if game.undo().is_none() {
                break;
            }
            ply -= 1;
        }
        let total = rest.len();
        let mut review = Review { now: (0, Color::White), rest, nodes, total, before: None };
        let first = review.next().filter(|_| total > 1);
        let first = first.ok_or_else(|| Response::conflict("there is no move to review yet"))?;
        Ok((review, first))
    }

    /// Returns the next position to search, with the search request, or `None` at the end of the review.
    pub fn next(&mut self) -> Option<(Game, SearchRequest)> {
        let (ply, game) = self.rest.pop_front()?;
        self.now = (ply, game.side_to_move());
        let mut request = SearchRequest::of_game(&game);
        request.limits.nodes = Some(self.nodes);
        Some((game, request))
    }

    /// Returns an event with the number of judged positions. To be called after `next`, which returned
    /// `None` if `is_over`.
    pub fn progress(&self, is_over: bool) -> AppEvent {
        let done = self.total - self.rest.len() - usize::from(!is_over);
        AppEvent::new("progress", &json!({ "done": done, "total": self.total }))
    }

    /// Judges the turn that led to the current position, given the best line from the search of the position.
    /// Returns an event with the judgement, or `None` for the first position of a game.
    pub fn judge(&mut self, live: &mut LiveGame, line: Option<&SearchInfo>) -> Option<AppEvent> {
        let (ply, side) = self.now;
        let now = Judgement::new(side, line);
        let score = now.score.unwrap_or(Score::Centipawns(0));
        let before = self.before.replace(now);
        let now = self.before.as_ref()?;
        let note = live.note_mut(ply.checked_sub(1)?)?;
        note.score = Some(score);
        if let Some(before) = before {
            let (turn, mark) = before.judge(note.color, &note.uci, now);
            (note.lost, note.points) = (Some(turn.lost as f32), Some(turn.points as f32));
            note.mark = mark.map(Mark::nag).and_then(move_sign).map(str::to_owned);
            let best = before.line.first().map(|best| best.san.clone());
            note.best = best.filter(|best| *best != note.san);
            if mark.is_some() {
                let length = before.line.len().min(LONGEST_LINE);
                live.add_variation(ply - 1, &before.line[..length], true);
            }
        }
        let note = live.note_mut(ply - 1)?;
        let found =
            json!({ "ply": ply, "score": note.score, "best": note.best, "mark": note.mark });
        Some(AppEvent::new("score", &found))
    }
}

/// Returns a request for an unlimited search of the best `lines` lines.
fn lines_request(game: &Game, lines: usize) -> SearchRequest {
    let mut request = SearchRequest::of_game(game);
    request.limits.multi_pv = lines;
    request
}

/// Returns the search request for a hint, or for an assessment of `lines` placements.
pub(super) fn hint_request(game: &Game, lines: usize) -> SearchRequest {
    let mut request = lines_request(game, lines);
    request.limits.move_time = Some(HINT);
    request
}

/// Returns a response with the engine's move, its score and its line.
pub(super) fn hint(game: &Game, reply: &SearchResult) -> AppResult {
    let uci = reply.best.as_ref().ok_or(PlayError::NoReply)?;
    let san = game.describe_choice(uci).map_err(Response::unfit)?;
    let line = reply.lines.first().map(|line| &line.san[..]).unwrap_or_default();
    let score = reply.score().map(|score| score.for_white(game.side_to_move()));
    let hint = json!({ "uci": uci, "san": san, "score": score, "line": line });
    Ok(Response::ok(&hint))
}

/// Returns a response with the scores of all placements that a side can make.
pub(super) fn assessment(side: Color, lines: &[SearchInfo]) -> Response {
    let placement = |line: &SearchInfo| {
        let score = line.score.for_white(side);
        Some(json!({ "text": line.pv.first()?, "score": score, "line": line.san }))
    };
    let placements: Vec<Value> = lines.iter().filter_map(placement).collect();
    let sentence = match lines.first() {
        Some(best) => sentence(side, best, lines),
        None => "The search ended before any placement was evaluated.".to_owned(),
    };
    let depth = lines.first().map(|line| line.depth);
    Response::ok(&json!({ "sentence": sentence, "depth": depth, "placements": placements }))
}

/// Returns a sentence such as `The best placements are Q@d1 and K@e1: +0.31 for White, ...`.
fn sentence(side: Color, best: &SearchInfo, lines: &[SearchInfo]) -> String {
    let equal = lines.iter().filter(|line| line.score == best.score);
    let names: Vec<&str> = equal.filter_map(|line| Some(line.pv.first()?.as_str())).collect();
    let (score, side) = match best.score.for_white(side) {
        Score::Centipawns(value) => (format!("{:+.2}", f64::from(value) / 100.0), Color::White),
        Score::Mate(moves) => {
            let winner = if moves > 0 { Color::White } else { Color::Black };
            (format!("mate in {}", moves.unsigned_abs()), winner)
        }
    };
    let (is, names) = match names.split_last() {
        Some((last, [])) => (" is", (*last).to_owned()),
        Some((last, others)) => ("s are", format!("{} and {last}", others.join(", "))),
        None => (" is", String::new()),
    };
    let how = match best.depth {
        0 => "by the static evaluation of the starting positions".to_owned(),
        depth => format!("after a search of the starting positions to depth {depth}"),
    };
    format!("The best placement{is} {names}: {score} for {side}, {how}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assessments_name_the_side_that_mates() {
        let assessed = |side, score| {
            let line = SearchInfo {
                depth: 9,
                selective_depth: 14,
                multi_pv: 1,
                score,
                bound: Bound::Exact,
                wdl: [0; 3],
                nodes: 1,
                time: Duration::ZERO,
                hash_full: 0,
                tablebase_hits: 0,
                pv: vec!["Q@d1".to_owned()],
                san: vec!["Q@d1".to_owned()],
            };
            sentence(side, &line, std::slice::from_ref(&line))
        };
        for (side, score, expected) in [
            (Color::White, Score::Centipawns(31), "+0.31 for White"),
            (Color::Black, Score::Centipawns(31), "-0.31 for White"),
            (Color::White, Score::Mate(3), "mate in 3 for White"),
            (Color::White, Score::Mate(-3), "mate in 3 for Black"),
            (Color::Black, Score::Mate(3), "mate in 3 for Black"),
        ] {
            assert_eq!(
                assessed(side, score),
                format!(
                    "The best placement is Q@d1: {expected}, after a search of the starting positions \
                     to depth 9."
                )
            );
        }
    }
}
