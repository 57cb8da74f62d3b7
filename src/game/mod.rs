//! A game in progress, of any variant: legal turns, the record of the game, and the end of the game.
//!
//! A game can begin with a placement phase. In the placement phase, turns are placements, and dice may
//! restrict the choice. The phase ends when the back ranks are complete.
//!
//! | file | contents |
//! | --- | --- |
//! | `board` | a position with its history, generic over the board size |
//! | `outcome` | results of games and reasons for their end |
//! | `clock` | chess clocks and time controls |
//! | `jepps_dice` | the dice and the mediator of Jepps Random Chess |

mod board;
mod clock;
mod jepps_dice;
mod outcome;
#[cfg(test)]
mod tests;

pub use board::BoardGame;
pub use clock::{ChessClock, Clocks, TimeControl, TimeControlError};
pub use jepps_dice::{AGAIN, Dice, Rolled};
pub use outcome::{Outcome, Termination};

use std::borrow::Cow;

use crate::geometry::{Board, Board8x8, Board10x10};
use crate::notation::{self, MoveError};
use crate::position::fields::{EN_PASSANT, with_field};
use crate::position::{FenStyle, Position};
use crate::rules::{BoardSize, SetupKind, Variant};
use crate::setup::{
    Placement, PlacementError, PlacementList, Record, Setup, SetupOrGame, SetupOrGameError,
};
use crate::start::jepps::Roll;
use crate::start::{BlackBackRank, Start};
use crate::types::{Color, Move, Role};

/// The error for a FEN, a turn or a step that is not legal in a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum GameError {
    #[error(transparent)]
    Fen(#[from] SetupOrGameError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Placement(#[from] PlacementError),
    #[error("the dice show {roll}: they do not offer a {role}, but {offered}")]
    NotOffered { role: Role, roll: Roll, offered: String },
    #[error(
        "the mediator of jepps decides once, after White's eight pieces and before Black's first piece"
    )]
    NoVerdict,
}

/// A part of a FEN that contradicts the board of the FEN, and that [`Game::new_lenient`] ignored.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}; ignored")]
pub struct IgnoredPart(pub SetupOrGameError);

/// The stage of a game: the placement phase, or play on a board. This enum takes much memory, which does not
/// matter, because stages are never stored in lists.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum Stage {
    /// The placement phase.
    Setup(Setup),
    /// Play on the 8x8 board.
    Eight(BoardGame<Board8x8>),
    /// Play on the 10x10 board.
    Ten(BoardGame<Board10x10>),
}

/// Matches a [`Stage`]. The expression after the second pattern is compiled for each board size.
macro_rules! on_stage {
    ($stage:expr, $state:pat => $setup:expr, $game:pat => $board:expr) => {
        match $stage {
            $crate::game::Stage::Setup($state) => $setup,
            $crate::game::Stage::Eight($game) => $board,
            $crate::game::Stage::Ten($game) => $board,
        }
    };
}

pub(crate) use on_stage;

/// A turn as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The move in UCI notation, or the placement.
    pub uci: String,
    /// The move in SAN, or the placement.
    pub san: String,
    /// Whether the turn is a placement.
    pub placement: bool,
}

/// A step of a game record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A move or a placement.
    Turn(Turn),
    /// The mediator's verdict in Jepps Random Chess, which is a turn of neither side.
    Verdict(BlackBackRank),
}

/// A placement, and the states of the placement phase and the dice before the placement.
#[derive(Clone, Debug)]
struct Placed {
    before: Setup,
    dice: Dice,
    placement: Placement,
}

fn placed(placement: Placement) -> Turn {
    let text = placement.to_string();
    Turn { uci: text.clone(), san: text, placement: true }
}

fn moved<G: Board>(position: &Position<G>, mv: Move, chess960: bool) -> Turn {
    Turn {
        uci: notation::uci(position, mv, chess960),
        san: notation::san(position, mv),
        placement: false,
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    variant: Variant,
    stage: Stage,
    /// The state of the placement phase before the first placement, or `None` if the game began without a
    /// placement phase.
    beginning: Option<Setup>,
    placed: Vec<Placed>,
    /// The mediator's verdict, if it gave Black its back rank and so ended the placement phase.
    verdict: Option<BlackBackRank>,
    dice: Dice,
    /// The FEN that `position` commands for engines begin with.
    root: String,
    /// The number of placements that were made before the position of the FEN `root`.
    before_root: usize,
}

impl Game {
    /// Creates a game of a variant from a FEN, which can be a FEN of the placement phase. In Jepps Random
    /// Chess, the FEN of an empty board means that White fills its whole back rank first. A game of Free Play
    /// is created from a [`Setup`] instead.
    pub fn new(variant: Variant, fen: &str) -> Result<Game, GameError> {
        let rules = variant.rules();
        let stage = match rules.board {
            BoardSize::Eight => stage_of(SetupOrGame::from_fen(fen, variant)?),
            BoardSize::Ten => Stage::Ten(BoardGame::new(
                Position::from_fen(fen, rules.right).map_err(SetupOrGameError::Game)?,
            )),
        };
        Ok(Game::at(variant, stage))
    }

    /// Creates a game from a FEN like [`Game::new`], but ignores parts of the FEN that contradict the board.
    ///
    /// Returns the game and the ignored parts. Such parts are castling and relocation rights without king or
    /// rook in place, an en passant square without a double step, and clocks out of range. Many programs and
    /// suites write such FENs.
    ///
    /// ```
    /// use aleator::game::Game;
    /// use aleator::rules::Variant;
    ///
    /// let fen = "4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1";
    /// let (game, ignored) = Game::new_lenient(Variant::Chess, fen)?;
    /// assert_eq!(game.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert_eq!(ignored.len(), 4);
    /// # Ok::<(), aleator::game::GameError>(())
    /// ```
    pub fn new_lenient(variant: Variant, fen: &str) -> Result<(Game, Vec<IgnoredPart>), GameError> {
        let (mut fen, mut ignored) = (Cow::Borrowed(fen), Vec::new());
        loop {
            let error = match Game::new(variant, &fen) {
                Ok(game) => return Ok((game, ignored)),
                Err(GameError::Fen(error)) => error,
                Err(error) => return Err(error),
            };
            let Some(rest) = error.without_impossible_part(&fen) else { return Err(error.into()) };
            fen = rest.into();
            ignored.push(IgnoredPart(error));
        }
    }

    /// Creates the game that the UCI command `position startpos` means in a variant.
    pub fn standard(variant: Variant) -> Result<Game, GameError> {
        match variant.rules().setup {
            Some(kind) if kind.is_startpos() => Ok(Game::from(Setup::empty(kind))),
            _ => Game::new(variant, &Start::standard(variant).fen()),
        }
    }

    fn at(variant: Variant, stage: Stage) -> Game {
        let dice = Dice::at(&stage);
        let mut game = Game {
            variant,
            beginning: None,
            stage,
            placed: Vec::new(),
            verdict: None,
            dice,
            root: String::new(),
            before_root: 0,
        };
        game.beginning = game.setup().copied();
        game.root = game.fen();
        game
    }

    /// Returns the same game before its first turn.
    pub fn beginning(&self) -> Game {
        if let Some(state) = self.beginning {
            return Game::from(state);
        }
        let stage = match &self.stage {
            Stage::Setup(state) => Stage::Setup(*state),
            Stage::Eight(game) => Stage::Eight(BoardGame::new(game.start().clone())),
            Stage::Ten(game) => Stage::Ten(BoardGame::new(game.start().clone())),
        };
        Game::at(self.variant, stage)
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the stage of the game.
    pub const fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Returns the state of the placement phase, or `None` if the game is not in the placement phase.
    pub const fn setup(&self) -> Option<&Setup> {
        match &self.stage {
            Stage::Setup(state) => Some(state),
            _ => None,
        }
    }

    /// Returns whether the game is in the placement phase.
    pub const fn is_setup(&self) -> bool {
        self.setup().is_some()
    }

    /// Returns whether castling is sent to engines as king takes rook. This is the case in all variants
    /// except orthodox chess.
    pub fn is_chess960(&self) -> bool {
        self.variant != Variant::Chess
    }

    /// Returns the side that has to move or to place a piece.
    pub fn side_to_move(&self) -> Color {
        on_stage!(&self.stage, state => state.side_to_place(),
                  game => game.position().side_to_move())
    }

    /// Returns whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        on_stage!(&self.stage, _ => false, game => game.position().in_check())
    }

    /// Returns the move number.
    pub fn number(&self) -> u32 {
        on_stage!(&self.stage, state => state.number(),
                  game => game.position().fullmove_number())
    }

    /// Returns the position as X-FEN. In the placement phase, the FEN includes the pieces in hand.
    pub fn fen(&self) -> String {
        on_stage!(&self.stage, state => state.fen(), game => game.position().fen(FenStyle::XFen))
    }

    /// Returns the FEN with an en passant square whenever an en passant capture is pseudo-legal. Keys of
    /// Polyglot books depend on this square.
    pub fn pseudo_legal_fen(&self) -> String {
        let square = on_stage!(&self.stage, _ => None, game => {
            game.position().pseudo_legal_en_passant().map(|square| square.to_string())
        });
        let fen = self.fen();
        square.map_or_else(|| fen.clone(), |square| with_field(&fen, EN_PASSANT, &square))
    }

    /// Returns the FEN of the position before the first move. In the placement phase, returns the FEN of the
    /// current setup.
    pub fn start_fen(&self) -> String {
        on_stage!(&self.stage, state => state.fen(), game => game.start().fen(FenStyle::XFen))
    }

    /// Returns how the game ended by the rules, or `None` if the game is not over.
    pub fn termination(&self) -> Option<Termination> {
        on_stage!(&self.stage, _ => None, game => game.termination())
    }

    /// Returns all turns of the game as text.
    pub fn turns(&self) -> Vec<Turn> {
        let placements = self.placed.iter().map(|turn| placed(turn.placement));
        placements.chain(self.moves()).collect()
    }

    /// Returns the moves after the placement phase.
    fn moves(&self) -> Box<dyn DoubleEndedIterator<Item = Turn> + '_> {
        let chess960 = self.is_chess960();
        on_stage!(&self.stage, _ => Box::new(std::iter::empty()), game => {
            Box::new(game.moves().map(move |(position, mv)| moved(position, mv, chess960)))
        })
    }

    /// Returns all turns of the game and the mediator's verdict, in order. A placement comes with the roll of
    /// the dice that offered the piece.
    pub fn steps(&self) -> Vec<(Step, Option<Roll>)> {
        let mut steps = Vec::new();
        for turn in &self.placed {
            if turn.before.after_verdict(BlackBackRank::Own).is_some() {
                steps.push((Step::Verdict(BlackBackRank::Own), None));
            }
            steps.push((Step::Turn(placed(turn.placement)), turn.dice.roll()));
        }
        let between = self.setup().and_then(|state| state.after_verdict(BlackBackRank::Own));
        let own = between.filter(|_| !self.dice.is_mediators()).map(|_| BlackBackRank::Own);
        steps.extend(self.verdict.or(own).map(|verdict| (Step::Verdict(verdict), None)));
        steps.extend(self.moves().map(|turn| (Step::Turn(turn), None)));
        steps
    }

    /// Returns the last turn, or `None` before the first turn.
    pub fn last_turn(&self) -> Option<Turn> {
        let last_placed = || self.placed.last().map(|turn| placed(turn.placement));
        self.moves().next_back().or_else(last_placed)
    }

    /// Returns the UCI command `position` for the current position.
    pub fn command(&self) -> String {
        let (root, turns) = self.uci_position();
        let moves = if turns.is_empty() { "" } else { " moves " };
        format!("position fen {root}{moves}{}", turns.join(" "))
    }

    /// Returns the current position for engines: a FEN, and the turns played after the FEN. Usually the FEN
    /// is that of the beginning of the game. After a verdict of the mediator, the FEN is that after the
    /// verdict, because UCI has no notation for the verdict.
    pub fn uci_position(&self) -> (&str, Vec<String>) {
        let chess960 = self.is_chess960();
        let placed = self.placed[self.before_root..].iter();
        let mut turns: Vec<String> = placed.map(|turn| turn.placement.to_string()).collect();
        on_stage!(&self.stage, _ => {}, game => {
            let moves = game.moves();
            turns.extend(moves.map(|(position, mv)| notation::uci(position, mv, chess960)));
        });
        (&self.root, turns)
    }

    /// Makes the current position the FEN in `position` commands for engines.
    fn restart(&mut self) {
        self.root = self.fen();
        self.before_root = self.placed.len();
    }

    /// Returns all turns that the rules and the dice allow, in UCI notation.
    pub fn legal_turns(&self) -> Vec<String> {
        let chess960 = self.is_chess960();
        on_stage!(&self.stage,
        _ => self.placements().iter().map(ToString::to_string).collect(),
        game => {
            let position = game.position();
            let moves = position.legal_moves().into_iter();
            moves.map(|mv| notation::uci(position, mv, chess960)).collect()
        })
    }

    /// Returns all placements that the rules and the dice allow. After the placement phase, the list is
    /// empty.
    pub fn placements(&self) -> PlacementList {
        let legal = self.setup().map(Setup::legal_placements).unwrap_or_default();
        legal.into_iter().filter(|placement| self.dice.offer(*placement)).collect()
    }

    /// Parses a turn. Fails if the rules or the dice do not allow the turn.
    pub fn read(&self, text: &str) -> Result<Turn, GameError> {
        let chess960 = self.is_chess960();
        on_stage!(&self.stage, state => {
            let placement = state.read_placement(text)?;
            self.dice.check(placement)?;
            Ok(placed(placement))
        }, game => {
            let position = game.position();
            Ok(moved(position, notation::parse_move(position, text)?, chess960))
        })
    }

    /// Plays a turn: a move or a placement. Fails if the rules or the dice do not allow the turn.
    pub fn play(&mut self, text: &str) -> Result<(), GameError> {
        if let Stage::Setup(state) = &self.stage {
            let placement = state.read_placement(text)?;
            return self.place(placement);
        }
        on_stage!(&mut self.stage, _ => {}, game => {
            let mv = notation::parse_move(game.position(), text)?;
            game.play(mv);
        });
        Ok(())
    }

    /// Makes a legal placement. Fails if the dice do not offer the piece.
    pub fn place(&mut self, placement: Placement) -> Result<(), GameError> {
        let Stage::Setup(before) = self.stage else { return Ok(()) };
        self.dice.check(placement)?;
        let dice = std::mem::take(&mut self.dice);
        self.placed.push(Placed { before, dice, placement });
        self.stage = stage_of(before.after(placement));
        self.dice = Dice::at(&self.stage);
        if self.placed.len() == 1 && before.kind() == SetupKind::JeppsFreePlay {
            // The FEN of an empty board does not show that the game is Free Play. After the first piece the
            // FEN shows this.
            self.restart();
        }
        Ok(())
    }

    /// Plays a step of a record. A roll is applied before the placement if the dice offer the placed piece;
    /// any other roll is ignored.
    pub fn follow(&mut self, step: &Step, roll: Option<Roll>) -> Result<(), GameError> {
        let turn = match step {
            Step::Verdict(verdict) if self.decide(*verdict) => return Ok(()),
            Step::Verdict(_) => return Err(GameError::NoVerdict),
            Step::Turn(turn) => turn,
        };
        if let Some(roll) = roll {
            let without = self.dice.clone();
            self.roll(roll);
            if self.read(&turn.uci).is_err() {
                self.dice = without;
            }
        }
        self.play(&turn.uci)
    }

    /// Takes back the last turn and restores the dice before the turn. Returns the turn, or `None` at
    /// the start of the game.
    pub fn undo(&mut self) -> Option<Turn> {
        let turn = self.last_turn()?;
        if !on_stage!(&mut self.stage, _ => false, game => game.undo())
            && let Some(placed) = self.placed.pop()
        {
            self.stage = Stage::Setup(placed.before);
            (self.dice, self.verdict) = (placed.dice, None);
            if self.placed.len() < self.before_root {
                self.restart();
            }
        }
        Some(turn)
    }

    /// Switches to Free Play if `turn`, the next turn, is possible only in Free Play. See
    /// [`Setup::decided_by`].
    pub fn decide_order(&mut self, turn: &str) {
        if let Stage::Setup(state) = self.stage
            && state.decided_by(turn) != state
        {
            *self = Game::from(state.decided_by(turn));
        }
    }

    /// Returns whether `text` repeats a placement that has already been made.
    ///
    /// Some placements put two pieces on the board in one turn, even if `before` named only one piece. GUIs
    /// that support only single drops may then send the other piece as a second turn, `text`.
    pub fn was_completed_by(&self, before: &str, text: &str) -> bool {
        let differ = !before.trim().eq_ignore_ascii_case(text.trim());
        let names = |placement: Placement| {
            placement.is_repeated_by(before) && placement.is_repeated_by(text)
        };
        differ && self.placed.last().is_some_and(|turn| names(turn.placement))
    }

    /// Returns the record of the placement phase, which need not be finished. Returns `None` if the game
    /// began without a placement phase.
    pub fn record(&self) -> Option<Record> {
        let mut record = Record::reaching(self.beginning.as_ref()?);
        for placed in &self.placed {
            record.place(placed.placement);
        }
        if let Some(verdict) = self.verdict {
            record.decide(verdict);
        }
        Some(record)
    }
}

impl From<Setup> for Game {
    /// Creates a game that begins with this state of the placement phase.
    fn from(state: Setup) -> Game {
        Game::at(state.kind().variant(), Stage::Setup(state))
    }
}

fn stage_of(phase: SetupOrGame) -> Stage {
    match phase {
        SetupOrGame::Setup(state) => Stage::Setup(state),
        SetupOrGame::Game(position) => Stage::Eight(BoardGame::new(position)),
    }
}
