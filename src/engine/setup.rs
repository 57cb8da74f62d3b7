//! The engine of the variants that begin with a set-up: it places pieces, then plays the game.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::setup_search::SetupSearch;
use super::{Answer, BoardEngine, Control, Engine, EngineError, Reporter, Request};
use crate::geometry::Board8x8;
use crate::notation;
use crate::rules::Rules;
use crate::setup::{Phase, PhaseFenError, Placement, PlacementError, State, perft};
use crate::types::Color;

/// An engine for a variant with a set-up. Positions without pieces in hand are the business of
/// the engine for games that it contains.
pub struct SetupEngine {
    game: BoardEngine<Board8x8>,
    /// The set-up under way; nothing when the game has begun.
    state: Option<State>,
}

impl SetupEngine {
    /// An engine at the variant's array, past the set-up.
    pub fn new(rules: Rules, hash: usize, threads: usize) -> Result<SetupEngine, EngineError> {
        Ok(SetupEngine { game: BoardEngine::new(rules, hash, threads)?, state: None })
    }
}

/// The placements that a search is to choose from, each as far as it is legal.
fn search_placements(
    state: State,
    request: &Request,
) -> impl Iterator<Item = Result<Placement, PlacementError>> {
    request.search_moves.iter().map(move |text| state.read_placement(text))
}

/// The state that a search begins from. Placements on h8 for the answer to White's first piece
/// make the game Free Play, and so it is Black who searches.
fn searched(state: &State, request: &Request) -> State {
    request.search_moves.first().map_or(*state, |text| state.decided_by(text))
}

/// A list of placements and moves being played.
struct Replay {
    phase: Phase,
    /// Keys of the game's positions before the last.
    earlier: Vec<u64>,
    /// The last turn if it placed two pieces of which the text named one: GUIs that know single
    /// drops only may send the other one, too.
    completed: Option<(Placement, String)>,
}

impl Replay {
    fn new(phase: Phase) -> Replay {
        Replay { phase, earlier: Vec::new(), completed: None }
    }

    /// Plays the turn or move that is `number` in the list.
    fn step(&mut self, number: usize, text: &str) -> Result<(), EngineError> {
        if let Some((placement, named)) = self.completed.take()
            && placement.is_repeated_by(text)
            && !named.trim().eq_ignore_ascii_case(text.trim())
        {
            return Ok(());
        }
        match &mut self.phase {
            Phase::Setup(state) => {
                let state = state.decided_by(text);
                let placement = state
                    .read_placement(text)
                    .map_err(|error| EngineError::Placement { number, error })?;
                if placement.drops().count() > 1 && !text.contains('+') {
                    self.completed = Some((placement, text.to_owned()));
                }
                self.phase = state.after(placement);
            }
            Phase::Game(position) => {
                let mv = notation::parse_uci(position, text)
                    .map_err(|error| EngineError::Move { number, error })?;
                self.earlier.push(position.key());
                position.make(mv);
            }
        }
        Ok(())
    }
}

impl Engine for SetupEngine {
    fn rules(&self) -> Rules {
        self.game.rules
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), EngineError> {
        let Some(fen) = fen else {
            self.game.set_position(None, moves)?;
            self.state = None;
            return Ok(());
        };
        let phase = Phase::from_fen(fen, self.game.rules.variant).map_err(|error| match error {
            PhaseFenError::Setup(error) => EngineError::SetupFen(error),
            PhaseFenError::Game(error) => EngineError::Fen(error),
        })?;
        let mut replay = Replay::new(phase);
        for (number, text) in (1..).zip(moves) {
            replay.step(number, text)?;
        }
        match replay.phase {
            Phase::Setup(state) => self.state = Some(state),
            Phase::Game(position) => {
                (self.game.position, self.game.earlier) = (position, replay.earlier);
                self.state = None;
            }
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.game.new_game();
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        self.game.set_hash(mebibytes)
    }

    fn clear_hash(&mut self) {
        self.game.clear_hash();
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        self.game.set_threads(threads)
    }

    fn check_search_moves(&self, request: &Request) -> Vec<EngineError> {
        let Some(state) = &self.state else { return self.game.check_search_moves(request) };
        let errors = search_placements(searched(state, request), request).filter_map(Result::err);
        errors.map(EngineError::SearchPlacement).collect()
    }

    fn search(
        &mut self,
        request: &Request,
        began: Instant,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Answer {
        let Some(state) = self.state else {
            return self.game.search(request, began, control, reporter);
        };
        let state = searched(&state, request);
        let placements: Vec<_> = search_placements(state, request).filter_map(Result::ok).collect();
        let limits = request.limits(state.side_to_place());
        let search = SetupSearch {
            state: &state,
            placements: &placements,
            limits: &limits,
            request,
            began,
            control,
            reporter,
        };
        search.run(&mut self.game.pool, &self.game.table)
    }

    fn any_move(&self, chess960: bool) -> Option<String> {
        match &self.state {
            Some(state) => state.legal_placements().first().map(Placement::to_string),
            None => self.game.any_move(chess960),
        }
    }

    fn perft(&self, depth: u32, chess960: bool, stop: &AtomicBool) -> Option<Vec<(String, u64)>> {
        let Some(state) = &self.state else { return self.game.perft(depth, chess960, stop) };
        if depth == 0 {
            return Some(Vec::new());
        }
        let counts = self.game.pool.install(|| perft::divide(state, depth, stop)).ok()?;
        Some(counts.into_iter().map(|(turn, count)| (turn.to_string(), count)).collect())
    }

    fn fen(&self) -> String {
        self.state.as_ref().map_or_else(|| self.game.fen(), State::fen)
    }

    fn side_to_move(&self) -> Color {
        self.state.as_ref().map_or_else(|| self.game.side_to_move(), State::side_to_place)
    }

    fn board(&self) -> String {
        match &self.state {
            Some(state) => notation::board(&state.board()),
            None => self.game.board(),
        }
    }

    fn display(&self) -> String {
        let Some(state) = &self.state else { return self.game.display() };
        let next = state.next_square().map_or_else(String::new, |square| format!(" on {square}"));
        format!(
            "{}\nFen: {}\nIn hand: White {}, Black {}\nTo place: {}{next}",
            self.board(),
            self.fen(),
            in_hand(state, Color::White),
            in_hand(state, Color::Black),
            state.side_to_place()
        )
    }

    fn explain_evaluation(&self) -> String {
        match &self.state {
            Some(_) => "pieces are still being placed: there is no game to evaluate yet, but 'go' \
                        says what the set-up is worth"
                .to_owned(),
            None => self.game.explain_evaluation(),
        }
    }

    fn flip(&mut self) -> Result<(), EngineError> {
        if self.state.is_some() { Err(EngineError::FlipSetup) } else { self.game.flip() }
    }
}

fn in_hand(state: &State, color: Color) -> String {
    let letters = state.pocket(color).letters(color);
    if letters.is_empty() { "nothing".to_owned() } else { letters }
}
