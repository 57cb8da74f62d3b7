//! The score sheet of a game of any variant: what may be played, and how the game ends.
//!
//! A game can begin with a set-up. Then turns are placements until the arrays are complete, and
//! dice are thrown where the rules have them: see [`Game::offer`] and [`Game::mediate`].

use std::fmt;

use serde::{Deserialize, Serialize};

use super::stats::Points;
use crate::attacks::Board;
use crate::geometry::Board8x8;
#[cfg(feature = "board10x10")]
use crate::geometry::Board10x10;
use crate::notation::{self, MoveError};
use crate::position::{FenError, FenStyle, Position};
use crate::rules::{BoardSize, SetupKind, Variant};
use crate::setup::{Kind, Phase, PhaseFenError, PlacementError, SetupFenError, State};
use crate::start::jepps::{self, Roll, Step};
use crate::start::{BlackArray, Rng};
use crate::types::{Color, Role};

/// How a game ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move is mated.
    Mate,
    Stalemate,
    Threefold,
    FiftyMoves,
    /// Nobody can mate with what is left.
    Material,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Ending::Mate => "mate",
            Ending::Stalemate => "stalemate",
            Ending::Threefold => "threefold repetition",
            Ending::FiftyMoves => "fifty moves",
            Ending::Material => "insufficient material",
        })
    }
}

/// Who won a game. The numbers are those of the data files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum GameResult {
    #[serde(rename = "0-1")]
    BlackWins = 0,
    #[serde(rename = "1/2-1/2")]
    Draw = 1,
    #[serde(rename = "1-0")]
    WhiteWins = 2,
}

impl GameResult {
    /// Every result, in the order of their numbers.
    pub const ALL: [GameResult; 3] =
        [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

    /// The result of a game that a side won.
    pub const fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// What the game is worth to a side.
    pub const fn points(self, color: Color) -> Points {
        match (self, color) {
            (GameResult::Draw, _) => Points::Draw,
            (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => {
                Points::Win
            }
            _ => Points::Loss,
        }
    }

    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::WhiteWins => "1-0",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.text())
    }
}

/// Why a text is not what the rules allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    #[error("{0}")]
    Fen(#[from] FenError),
    #[error("{0}")]
    SetupFen(#[from] SetupFenError),
    #[error("{0}")]
    Move(#[from] MoveError),
    #[error("{0}")]
    Placement(#[from] PlacementError),
    #[error("{found} is not what the dice offer: {}", offered.join(", "))]
    NotOffered { found: String, offered: Vec<String> },
}

/// A position with the history that the repetition rule needs.
#[derive(Clone, Debug)]
struct Played<G: Board> {
    position: Position<G>,
    /// Keys of all positions so far, the current one last.
    keys: Vec<u64>,
}

impl<G: Board> Played<G> {
    fn new(position: Position<G>) -> Played<G> {
        Played { keys: vec![position.key()], position }
    }

    /// Plays a move; what comes back is its usual spelling, in UCI and in SAN.
    fn play(&mut self, text: &str, chess960: bool) -> Result<[String; 2], MoveError> {
        let mv = notation::parse_uci(&self.position, text)?;
        let spelt =
            [notation::uci(&self.position, mv, chess960), notation::san(&self.position, mv)];
        self.position.make(mv);
        self.keys.push(self.position.key());
        Ok(spelt)
    }

    fn ending(&self) -> Option<Ending> {
        let earlier = self.keys.split_last().map_or(&[][..], |(_, earlier)| earlier);
        ending(&self.position, earlier)
    }
}

/// How the rules end a game at a position; `earlier` are the keys of the positions before it.
pub fn ending<G: Board>(position: &Position<G>, earlier: &[u64]) -> Option<Ending> {
    let key = position.key();
    // Only positions since the last move that cannot be taken back can recur.
    let recent = earlier.len().saturating_sub(usize::from(position.halfmove_clock()));
    if !position.has_legal_move() {
        Some(if position.in_check() { Ending::Mate } else { Ending::Stalemate })
    } else if earlier[recent..].iter().filter(|&&other| other == key).count() >= 2 {
        Some(Ending::Threefold)
    } else if position.halfmove_clock() >= 100 {
        Some(Ending::FiftyMoves)
    } else if position.is_insufficient_material() {
        Some(Ending::Material)
    } else {
        None
    }
}

#[derive(Clone, Debug)]
enum Stage {
    Setup(State),
    Eight(Played<Board8x8>),
    #[cfg(feature = "board10x10")]
    Ten(Played<Board10x10>),
}

/// Calls a method on the position of the game, whichever board it is on; a set-up has its own
/// answer.
macro_rules! on_stage {
    ($stage:expr, $state:pat => $setup:expr, $played:pat => $game:expr) => {
        match $stage {
            Stage::Setup($state) => $setup,
            Stage::Eight($played) => $game,
            #[cfg(feature = "board10x10")]
            Stage::Ten($played) => $game,
        }
    };
}

/// What a turn was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// As engines are told it: UCI notation or a placement.
    pub uci: String,
    /// As people read it: SAN; a placement is written as it is.
    pub san: String,
    /// Whether it was a placement.
    pub placement: bool,
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct Game {
    variant: Variant,
    /// What the moves are played from, as engines are told it.
    root: String,
    /// The moves since the root, each with a blank before it.
    moves: String,
    stage: Stage,
}

impl Game {
    /// A game of a variant from a FEN, which may be of a set-up.
    pub fn new(variant: Variant, fen: &str) -> Result<Game, GameError> {
        let rules = variant.rules();
        let stage = match rules.board {
            BoardSize::Eight => {
                let phase = match rules.setup {
                    SetupKind::None => Phase::Game(Position::from_fen(fen, rules.right)?),
                    _ => Phase::from_fen(fen, variant).map_err(|error| match error {
                        PhaseFenError::Setup(error) => GameError::SetupFen(error),
                        PhaseFenError::Game(error) => GameError::Fen(error),
                    })?,
                };
                stage_of(phase)
            }
            #[cfg(feature = "board10x10")]
            BoardSize::Ten => Stage::Ten(Played::new(Position::from_fen(fen, rules.right)?)),
        };
        let mut game = Game { variant, root: String::new(), moves: String::new(), stage };
        game.root = game.fen();
        Ok(game)
    }

    /// The rules it is played by.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Whether castling is told to engines as king takes rook: in every game but orthodox chess.
    pub fn is_chess960(&self) -> bool {
        self.variant != Variant::Chess
    }

    /// Who has the move or places.
    pub fn side_to_move(&self) -> Color {
        on_stage!(&self.stage, state => state.side_to_place(),
                  played => played.position.side_to_move())
    }

    /// Whether pieces are still being placed.
    pub fn is_setup(&self) -> bool {
        matches!(self.stage, Stage::Setup(_))
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        on_stage!(&self.stage, _ => false, played => played.position.in_check())
    }

    /// The position as X-FEN; a set-up with the pieces in hand.
    pub fn fen(&self) -> String {
        on_stage!(&self.stage, state => state.fen(), played => played.position.fen(FenStyle::XFen))
    }

    /// The position as the `position` command tells it: the root and the moves since.
    pub fn command(&self) -> String {
        let moves = if self.moves.is_empty() { "" } else { " moves" };
        format!("position fen {}{moves}{}", self.root, self.moves)
    }

    /// How the game has ended by the rules, if it has.
    pub fn ending(&self) -> Option<Ending> {
        on_stage!(&self.stage, _ => None, played => played.ending())
    }

    /// Plays a move or a placement.
    pub fn play(&mut self, text: &str) -> Result<Turn, GameError> {
        let chess960 = self.is_chess960();
        let spelt = on_stage!(&mut self.stage, _ => None,
                              played => Some(played.play(text, chess960)?));
        if let Some([uci, san]) = spelt {
            self.note(&uci);
            return Ok(Turn { uci, san, placement: false });
        }
        self.place(text)
    }

    fn place(&mut self, text: &str) -> Result<Turn, GameError> {
        let Stage::Setup(state) = &self.stage else { return self.play(text) };
        let placement = state.read_placement(text)?;
        let state = state.seen_by(placement);
        self.stage = stage_of(state.after(placement));
        let text = placement.to_string();
        self.note(&text);
        if self.is_setup() && state.kind() == Kind::JeppsFreePlay {
            // From the empty board a first piece alone does not tell that Black is to answer.
            self.restart();
        }
        Ok(Turn { uci: text.clone(), san: text, placement: true })
    }

    fn note(&mut self, turn: &str) {
        self.moves.push(' ');
        self.moves += turn;
    }

    /// Takes the position of now as the root.
    fn restart(&mut self) {
        self.root = self.fen();
        self.moves.clear();
    }

    /// The placements that dice offer for the next square of Jepps Random Chess. A player rolls
    /// again only if it must. Nothing where there are no dice: then every legal turn is offered.
    pub fn offer(&self, rng: &mut Rng) -> Vec<String> {
        let Stage::Setup(state) = &self.stage else { return Vec::new() };
        let Some(square) = state.next_square() else { return Vec::new() };
        let (rank, file) = (state.rank(state.side_to_place()), usize::from(square.file()));
        let text = |role: Role| format!("{}@{square}", role.letter());
        match jepps::step(rank, file) {
            Ok(Step::Forced(role)) => return vec![text(role)],
            Ok(_) => {}
            // The square is the next one of this rank, so there is no error.
            Err(_) => return Vec::new(),
        }
        while let Ok(offer) = jepps::offer(rank, file, Roll::throw(rng)) {
            if !offer.must_roll_again() {
                return offer.roles.into_iter().map(text).collect();
            }
        }
        Vec::new()
    }

    /// Plays a turn that must be among those offered, if anything was offered.
    pub fn play_offered(&mut self, text: &str, offered: &[String]) -> Result<Turn, GameError> {
        if offered.is_empty() {
            return self.play(text);
        }
        let mut after = self.clone();
        let turn = after.play(text)?;
        if !offered.contains(&turn.uci) {
            return Err(GameError::NotOffered { found: turn.uci, offered: offered.to_vec() });
        }
        *self = after;
        Ok(turn)
    }

    /// Plays a turn at random, each as likely as the others that rules and dice allow. Says whether
    /// there was one.
    pub fn play_at_random(&mut self, rng: &mut Rng) -> bool {
        let mut turns = self.offer(rng);
        if turns.is_empty() {
            turns = self.legal_turns();
        }
        let Some(turn) = turns.get(rng.below(turns.len() as u64) as usize) else { return false };
        let played = self.play(turn).is_ok();
        self.mediate(rng);
        played
    }

    /// Every legal turn, in UCI notation.
    pub fn legal_turns(&self) -> Vec<String> {
        let chess960 = self.is_chess960();
        on_stage!(&self.stage,
        state => state.legal_placements().iter().map(ToString::to_string).collect(),
        played => {
            let position = &played.position;
            let moves = position.legal_moves().into_iter();
            moves.map(|mv| notation::uci(position, mv, chess960)).collect()
        })
    }

    /// The mediator's roll in Jepps Random Chess, once White's rank is complete: Black may get
    /// White's array, or its reverse, at once. Says whether that happened; nothing else does.
    pub fn mediate(&mut self, rng: &mut Rng) -> Option<BlackArray> {
        let Stage::Setup(state) = &self.stage else { return None };
        let waits = state.kind() == Kind::Jepps
            && state.pocket(Color::White).is_empty()
            && state.pocket(Color::Black).len() == 8;
        if !waits {
            return None;
        }
        let verdict = jepps::mediate(Roll::throw(rng)).black;
        if let Some(phase @ Phase::Game(_)) = state.after_verdict(verdict) {
            self.stage = stage_of(phase);
            self.restart();
        }
        Some(verdict)
    }
}

fn stage_of(phase: Phase) -> Stage {
    match phase {
        Phase::Setup(state) => Stage::Setup(state),
        Phase::Game(position) => Stage::Eight(Played::new(position)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start::SetupStart;

    fn played(variant: Variant, fen: &str, moves: &str) -> Game {
        let mut game = Game::new(variant, fen).unwrap();
        for text in moves.split_whitespace() {
            assert_eq!(game.ending(), None, "before {text}");
            game.play(text).unwrap();
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn games_end_by_the_rules() {
        let ends = |fen: &str, moves: &str| played(Variant::Chess, fen, moves).ending();
        assert_eq!(ends(START, "f2f3 e7e5 g2g4 d8h4"), Some(Ending::Mate));
        assert_eq!(ends(START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"), Some(Ending::Threefold));
        assert_eq!(ends("7k/8/5KQ1/8/8/8/8/8 w - - 99 80", "f6e6"), Some(Ending::Stalemate));
        assert_eq!(ends("7k/8/8/8/8/8/2K5/1Q6 w - - 99 80", "b1b3"), Some(Ending::FiftyMoves));
        assert_eq!(ends("7k/7p/8/8/8/8/8/K6B w - - 0 1", "h1e4"), None);
        assert_eq!(ends("7k/7p/8/4B3/8/8/7K/8 b - - 0 1", "h8g8"), None);
        assert_eq!(
            ends("8/6kp/8/3B4/8/8/7K/8 b - - 0 1", "g7h8 d5e4 h8g7 e4h7"),
            Some(Ending::Material)
        );
    }

    #[test]
    fn a_repetition_counts_only_since_the_last_pawn_move_or_capture() {
        let moves = "g1f3 g8f6 f3g1 f6g8 e2e4 g8f6 g1f3 f6g8 f3g1";
        assert_eq!(played(Variant::Chess, START, moves).ending(), None);
        let again = format!("{moves} g8f6 g1f3 f6g8 f3g1");
        assert_eq!(played(Variant::Chess, START, &again).ending(), Some(Ending::Threefold));
    }

    #[test]
    fn a_win_is_a_loss_to_the_other() {
        for result in GameResult::ALL {
            assert_eq!(result.points(Color::White), result.points(Color::Black).reversed());
        }
        assert_eq!(GameResult::won_by(Color::Black).points(Color::Black), Points::Win);
        assert_eq!(GameResult::won_by(Color::White).to_string(), "1-0");
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = Game::new(Variant::Chess, START).unwrap();
        for text in ["e2e5", "", "R@a1", "e2e4e6", "0000"] {
            assert!(game.play(text).is_err(), "{text}");
            assert_eq!(
                (game.fen().as_str(), game.command()),
                (START, format!("position fen {START}"))
            );
        }
        assert!(game.play_offered("e2e4", &["d2d4".to_owned()]).is_err());
        assert_eq!(game.fen(), START);
    }

    #[test]
    fn castling_is_told_as_the_variant_has_it() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (variant, expected) in [(Variant::Chess, "e1g1"), (Variant::Chess960, "e1h1")] {
            for text in ["e1g1", "e1h1"] {
                if variant == Variant::Chess960 && text == "e1g1" {
                    continue;
                }
                let turn = Game::new(variant, fen).unwrap().play(text).unwrap();
                assert_eq!((turn.uci.as_str(), turn.san.as_str()), (expected, "O-O"));
            }
        }
    }

    /// Whole set-ups at random: the command always leads an independent reader, the engine, to
    /// the same position (see the integration tests); here it must lead the score sheet there.
    #[test]
    fn set_ups_are_played_through() {
        for variant in
            [Variant::FischerBenko, Variant::Transcendental, Variant::Jepps, Variant::Placement]
        {
            for seed in 0..50 {
                let mut rng = Rng::new(seed);
                let root = State::new(&SetupStart::random(variant, &mut rng).unwrap()).fen();
                let mut game = Game::new(variant, &root).unwrap();
                let mut turns = 0;
                while let Stage::Setup(state) = &game.stage {
                    let mut offered = game.offer(&mut rng);
                    if variant != Variant::Jepps {
                        assert!(offered.is_empty());
                        offered = state.legal_placements().iter().map(|p| p.to_string()).collect();
                    }
                    let text = &offered[rng.below(offered.len() as u64) as usize];
                    game.play_offered(text, &offered).unwrap();
                    game.mediate(&mut rng);
                    turns += 1;
                }
                let expected: &[i32] = match variant {
                    Variant::FischerBenko => &[8],
                    Variant::Transcendental => &[10],
                    Variant::Placement => &[16],
                    _ => &[8, 16],
                };
                assert!(expected.contains(&turns), "{variant} {turns}");
                assert_eq!(game.side_to_move(), Color::White);
                let command = game.command();
                let (root, moves) = command["position fen ".len()..]
                    .split_once(" moves ")
                    .unwrap_or((&command["position fen ".len()..], ""));
                let mut again = Game::new(variant, root).unwrap();
                moves.split(' ').filter(|text| !text.is_empty()).for_each(|text| {
                    again.play(text).unwrap();
                });
                assert_eq!(again.fen(), game.fen());
            }
        }
    }

    #[test]
    fn free_play_is_told_from_where_it_is_known() {
        let mut game = Game::new(Variant::Jepps, &State::free_play().fen()).unwrap();
        game.play("R@a1").unwrap();
        game.play("R@h8").unwrap();
        assert!(!game.command().contains("moves"), "{}", game.command());
        game.play("N@b1").unwrap();
        assert_eq!(game.side_to_move(), Color::Black);
    }
}
