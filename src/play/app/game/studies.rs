//! The engine's work for an open game apart from its turns: hints, assessments, analyses and reviews.

use serde_json::json;

use super::super::Context;
use super::super::engines::SearchPurpose;
use super::super::response::{AppEvent, AppResult, Response, Ticket};
use super::super::study::{self, Analysis, Review, Study, StudyWork};
use super::OpenGame;
use crate::engine::{SearchInfo, SearchRequest, SearchResult};
use crate::game::Game;

/// The default number of nodes for each position of a review.
const USUAL_NODES: u64 = 150_000;
/// The largest number of lines in an analysis.
const MOST_LINES: usize = 5;

impl OpenGame {
    /// Queues a search for a hint or, in a setup, for an assessment of all placements.
    pub(super) fn advise(
        &self,
        is_assessment: bool,
        ticket: Ticket,
        context: &mut Context,
    ) -> Result<(), Response> {
        let game = study::game_to_ask(&self.live)?;
        let lines = if is_assessment { game.placements().len() } else { 1 };
        if lines == 0 {
            return Err(Response::conflict("the setup is over: there is no piece to place"));
        }
        let request = study::hint_request(&game, lines);
        let purpose = if is_assessment {
            SearchPurpose::Assessment(ticket, game.side_to_move())
        } else {
            SearchPurpose::Hint(ticket, Box::new(game.clone()))
        };
        context.engines.want(&self.id, purpose, Some((game, request)));
        Ok(())
    }

    /// Starts an unlimited analysis of a position or, if `threat` is set, of the threats in the position.
    /// Responds with the number of the analysis.
    pub(super) fn analyse(
        &mut self,
        ply: Option<usize>,
        moves: &[String],
        lines: usize,
        threat: bool,
        context: &mut Context,
    ) -> AppResult {
        if !(1..=MOST_LINES).contains(&lines) {
            let sentence = format!("'lines' must be from 1 to {MOST_LINES}, not {lines}");
            return Err(Response::unfit(sentence));
        }
        let (analysis, request) = Analysis::new(&self.live, ply, moves, lines, threat)?;
        let number = self.begin_study(StudyWork::Analysis(analysis), request, context);
        Ok(Response::ok(&json!({ "analysis": number })))
    }

    /// Starts a review, which searches every position of the game and marks mistakes.
    pub(super) fn review(&mut self, nodes: Option<u64>, context: &mut Context) -> AppResult {
        let nodes = nodes.unwrap_or(USUAL_NODES).max(1);
        let (review, request) = Review::new(&self.live, nodes)?;
        let progress = review.progress(false);
        let number = self.begin_study(StudyWork::Review(review), request, context);
        self.publish(progress, context);
        Ok(Response::json(202, &json!({ "review": number })))
    }

    /// Starts a study and stops the current study, if there is one. Returns the number of the new study.
    fn begin_study(
        &mut self,
        work: StudyWork,
        request: (Game, SearchRequest),
        context: &mut Context,
    ) -> u64 {
        self.stop_study(context);
        let number = context.engines.want(&self.id, SearchPurpose::Study, Some(request));
        self.study = Some(Study { number, search: number, work });
        self.publish_state(None, context);
        number
    }

    /// Returns the number of the current study.
    pub fn study(&self) -> Option<u64> {
        self.study.as_ref().map(|study| study.number)
    }

    pub(super) fn stop_study(&mut self, context: &mut Context) {
        if let Some(study) = self.study.take() {
            context.engines.cancel(study.search, &mut context.effects);
        }
    }

    /// Ends the current study, if there is one.
    pub fn end_study(&mut self, context: &mut Context) {
        if self.study.is_some() {
            self.stop_study(context);
            self.publish_state(None, context);
        }
    }

    /// Handles a line of analysis from a search of the study.
    pub fn study_line(&mut self, search: u64, line: SearchInfo) {
        let study = self.study.as_mut().filter(|study| study.search == search);
        if let Some(Study { work: StudyWork::Analysis(analysis), .. }) = study {
            analysis.take(line);
        }
    }

    /// Handles the end of a search of the study. A review then searches the next position.
    pub fn study_searched(&mut self, result: Result<SearchResult, String>, context: &mut Context) {
        let Some(mut study) = self.study.take() else { return };
        let goes_on = match (&mut study.work, result) {
            (StudyWork::Analysis(analysis), result) => {
                let events = analysis.events(study.number);
                events.into_iter().for_each(|event| self.publish(event, context));
                // If the search reached the maximum depth, the page shows the lines until the user ends the
                // analysis.
                result.map(|_| true).unwrap_or_else(|error| {
                    self.publish(AppEvent::notice(&error), context);
                    false
                })
            }
            (StudyWork::Review(_), Err(error)) => {
                let sentence = format!("the game cannot be analysed: {error}");
                self.publish(AppEvent::notice(&sentence), context);
                false
            }
            (StudyWork::Review(review), Ok(reply)) => {
                let score = review.judge(&mut self.live, reply.lines.first());
                score.into_iter().for_each(|score| self.publish(score, context));
                let next = review.next();
                self.publish(review.progress(next.is_none()), context);
                let goes_on = next.is_some();
                if goes_on {
                    study.search = context.engines.want(&self.id, SearchPurpose::Study, next);
                } else {
                    self.save(context);
                }
                goes_on
            }
        };
        if goes_on {
            self.study = Some(study);
        } else {
            self.publish_state(None, context);
        }
    }
}
