//! Starting searches, and handling the results of searches.

use std::time::Duration;

use super::{Driver, Mode};
use crate::engine::{EndDecision, SearchInfo, SearchRequest, SearchResult};
use crate::game::Termination;
use crate::protocol::xboard::searches::{PendingSearch, Purpose};
use crate::protocol::xboard::{SessionOutput, wording};
use crate::rules::Variant;
use crate::session::Command;

/// The time of a search for a hint.
const HINT_TIME: Duration = Duration::from_millis(300);

impl Driver {
    pub(super) fn think(&mut self) {
        if !self.claim_end() {
            let request = self.control.request(&self.game);
            self.search(Purpose::Move, request);
        }
    }

    /// Ponders on the expected move. Does nothing if pondering is off or no move is expected.
    pub(super) fn ponder(&mut self) {
        let Some(expected) = self.expected.clone().filter(|_| self.ponders) else { return };
        let mut next = self.game.clone();
        if next.play(&expected).is_err() || next.termination().is_some() {
            return;
        }
        let mut request = self.control.request(&next);
        request.limits.ponder = true;
        if self.shows_thinking {
            self.output.line(format_args!("Hint: {expected}"));
        }
        self.search(Purpose::Ponder(expected), request);
    }

    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.searches.purpose(), Some(Purpose::Ponder(_)))
    }

    /// Starts an infinite search if the engine is in analysis mode and the position can be searched.
    pub(super) fn analyse(&mut self) {
        if self.mode == Mode::Analysis && self.is_playable() {
            let mut request = SearchRequest::default();
            request.limits.infinite = true;
            self.search(Purpose::Analysis, request);
        }
    }

    fn is_playable(&self) -> bool {
        let has_ended = matches!(
            self.game.termination(),
            Some(Termination::Mate(_) | Termination::Stalemate | Termination::Material)
        );
        self.rejected.is_none() && !has_ended
    }

    fn search(&mut self, purpose: Purpose, mut request: SearchRequest) {
        request.san = true;
        self.tell_variant();
        let (fen, moves) = self.game.uci_position();
        let (fen, mut moves) = (Some(fen.to_owned()), moves);
        if let Purpose::Ponder(expected) = &purpose {
            moves.push(expected.clone());
        }
        self.send(Command::Position { fen, moves });
        self.send(Command::Go(Box::new(request)));
        self.searches.begin(purpose);
    }

    /// Stops the running search and discards its result.
    pub(super) fn interrupt(&mut self) {
        if self.searches.drop_wanted() {
            self.send(Command::Stop);
            self.pass_on_pings();
        }
    }

    /// Sets the session's variant if the variant of the game has changed.
    pub(super) fn tell_variant(&mut self) {
        let variant = self.game.variant();
        if self.session_variant != variant {
            self.session_variant = variant;
            let is_chess960 = variant == Variant::Chess960;
            for (name, value) in [
                ("UCI_Variant", variant.name()),
                ("UCI_Chess960", if is_chess960 { "true" } else { "false" }),
            ] {
                self.send(Command::SetOption {
                    name: name.to_owned(),
                    value: Some(value.to_owned()),
                });
            }
        }
    }

    pub(super) fn set_option(&mut self, name: &str, value: String) {
        self.change(Command::SetOption { name: name.to_owned(), value: Some(value) });
    }

    /// Changes an option. In analysis mode the search is restarted. A search for the engine's move continues
    /// unchanged.
    pub(super) fn change(&mut self, option: Command) {
        if self.searches.purpose() != Some(&Purpose::Move) {
            self.interrupt();
        }
        self.habits.note(&option);
        self.send(option);
        self.analyse();
    }

    pub(super) fn take_ping(&mut self, number: String) {
        self.tell_variant();
        self.thinking.take_ping(&number);
        self.pings.push_back(number);
        self.waiting_pings += 1;
        if self.searches.purpose() != Some(&Purpose::Move) {
            self.pass_on_pings();
        }
    }

    /// Sends the waiting pings to the session. The session answers them after all earlier commands.
    fn pass_on_pings(&mut self) {
        for _ in 0..std::mem::take(&mut self.waiting_pings) {
            self.send(Command::Ready);
        }
    }

    /// Suggests a move: in analysis the best move so far, otherwise the expected move. If no move is
    /// expected, starts a short search.
    pub(super) fn hint(&mut self) {
        let known = match self.searches.wanted() {
            Some(search) if search.purpose == Purpose::Analysis => {
                let best = search.line.as_ref().and_then(|line| line.pv.first().cloned());
                search.owes_hint = best.is_none();
                best
            }
            _ => self.expected.clone(),
        };
        if let Some(mv) = known {
            self.output.line(format_args!("Hint: {mv}"));
        } else if self.searches.purpose().is_none() && self.is_playable() {
            let mut request = SearchRequest::default();
            request.limits.move_time = Some(HINT_TIME);
            self.search(Purpose::Hint, request);
        }
    }

    /// Prints the progress of an analysis: time in centiseconds, nodes, depth, number of remaining root
    /// moves, number of root moves and the current root move.
    pub(super) fn tell_status(&mut self) {
        if self.mode != Mode::Analysis {
            return;
        }
        let choices = self.game.legal_turns().len();
        let Some(search) = self.searches.current() else {
            return self.output.line(format_args!("stat01: 0 0 0 0 {choices}"));
        };
        let time = search.began.elapsed().as_millis() / 10;
        let (nodes, depth) = search.line.as_ref().map_or((0, 0), |line| (line.nodes, line.depth));
        let (text, number) = search.current.clone().unwrap_or_default();
        let left = choices.saturating_sub(number);
        let status = format!("stat01: {time} {nodes} {depth} {left} {choices} {text}");
        self.output.line(status.trim_end());
    }

    pub(super) fn hear(&mut self, heard: SessionOutput) {
        match heard {
            SessionOutput::Ready => {
                if let Some(number) = self.pings.pop_front() {
                    self.output.line(format_args!("pong {number}"));
                    if self.thinking.is_released_by(&number) && self.shows_thinking {
                        let details = self.shows_details();
                        let held = self.searches.current().and_then(|search| search.line.as_ref());
                        held.iter().for_each(|line| {
                            self.output.line_soon(wording::thinking(line, details))
                        });
                    }
                }
            }
            SessionOutput::Line(line) => self.hear_line(line),
            SessionOutput::CurrentMove { text, number } => {
                if let Some(search) = self.searches.current() {
                    search.current = Some((text, number));
                }
            }
            SessionOutput::BestMove(result) => {
                if let Some(search) = self.searches.end() {
                    self.hear_result(&search, result);
                }
            }
            // The parentheses show that the text is not a variation.
            SessionOutput::Remark(text) if self.shows_thinking && !self.thinking.is_held() => {
                self.output.line(format_args!("0 0 0 0 ({text})"));
            }
            SessionOutput::Remark(_) => {}
            SessionOutput::Error(reason) => self.output.line(wording::error(&reason, "option")),
        }
    }

    /// Whether thinking output contains the additional columns before the tab. XBoard would show these
    /// columns as plain numbers in its message line, but other GUIs can interpret the columns. In Pre-Chess
    /// the columns are omitted, because the other GUIs do not play Pre-Chess.
    fn shows_details(&self) -> bool {
        self.game.variant() != Variant::Placement
    }

    fn hear_line(&mut self, line: SearchInfo) {
        let shows_thinking = self.shows_thinking && !self.thinking.is_held();
        let details = self.shows_details();
        let Some(search) = self.searches.current() else { return };
        if shows_thinking && search.purpose != Purpose::Hint && !line.san.is_empty() {
            self.output.line_soon(wording::thinking(&line, details));
        }
        if line.multi_pv == 1 {
            if let Some(best) = line.pv.first()
                && std::mem::take(&mut search.owes_hint)
            {
                self.output.line(format_args!("Hint: {best}"));
            }
            search.line = Some(line);
        }
    }

    fn hear_result(&mut self, search: &PendingSearch, result: SearchResult) {
        match search.purpose {
            Purpose::Move => {
                if let Some(best) = &result.best {
                    self.control.spend(search.began.elapsed(), &self.game);
                    self.move_by(best, search, result.ponder);
                }
                self.pass_on_pings();
            }
            Purpose::Hint => {
                if let Some(best) = result.best {
                    self.output.line(format_args!("Hint: {best}"));
                }
            }
            // An analysis may end by itself when there is nothing left to search. All lines of the analysis
            // have already been shown.
            Purpose::Ponder(_) | Purpose::Analysis => {}
        }
    }

    fn move_by(&mut self, best: &str, search: &PendingSearch, expected: Option<String>) {
        self.score = search.line.as_ref().map(|line| line.score);
        let end_decision =
            self.habits.end_decision(&self.game, self.score, self.control.opponent_time());
        if end_decision == Some(EndDecision::Resign) {
            // The GUI will end the game by sending `result`.
            return self.output.line("resign");
        }
        if let Err(error) = self.game.play(best) {
            return self.output.line(wording::error(&error.to_string(), "go"));
        }
        self.output.line(format_args!("move {best}"));
        self.thinking.engine_moved();
        if end_decision == Some(EndDecision::OfferDraw) {
            self.output.line("offer draw");
        }
        if !self.claim_end() {
            self.expected = expected;
            self.ponder();
        }
    }
}
