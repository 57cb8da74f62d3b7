//! The arbiter applies the rules of a game with setup and dice. It says which roll or choice is needed
//! next, and applies rolls and choices.
//!
//! The arbiter does not read input, print, roll dice or choose. Callers do all this.
//!
//! ```text
//! Fischer-Benko, Transcendental:  die .. die, then choices in turn
//! Pre-Chess:                      choices in turn
//! Jepps:       dice, choice | reroll  for a1 .. h1, then the mediator's dice, then
//!              nothing more | reroll | dice, choice for a8 .. h8
//! Free Play:   dice, choice | reroll  for a1, h8, b1, g8 ..
//! all games:   then moves
//! ```

use crate::game::{Dice, Game, GameError, Rolled, Turn};
use crate::rules::{SetupKind, Variant};
use crate::setup::{Placement, PlacementError, PlacementList, Record, Setup};
use crate::start::die::Die;
use crate::start::fischer_benko::{DieRequest, Meaning, RootByDie};
use crate::start::jepps::{Mediation, Roll};
use crate::start::{BlackBackRank, PartialBackRank, SetupRoot, SetupStart, SetupStartError};
use crate::types::{Color, Role};

/// Applies the rules of a game, including setup and dice. See the [module](self).
#[derive(Clone, Debug)]
pub struct Arbiter {
    variant: Variant,
    part: Part,
}

#[derive(Clone, Debug)]
enum Part {
    /// Dice are placing two bishops and a rook of each side, before the players place their pieces.
    Root(RootByDie),
    Game(Box<Game>),
}

/// What the arbiter needs next.
#[derive(Clone, PartialEq, Debug)]
pub enum Need {
    /// A roll of one die, which places a bishop or a rook of one side.
    Die(DieRequest),
    /// A roll of two dice for `color`. The pieces in `roles` fit on the next square; the dice offer some of
    /// them.
    Dice { color: Color, roles: Vec<Role> },
    /// A roll of two dice by the mediator, which decides how Black gets its back rank.
    MediatorDice,
    /// A placement that a player chooses.
    Choice(Choice),
    /// Black's decision after the mediator has rolled a double: accept the verdict, or reroll.
    Mediation(Mediation),
    /// Nothing: the setup is complete, or the game has no setup.
    Nothing,
}

/// The placements that a side may choose from.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub state: Setup,
    /// The legal placements that the dice allow; never empty.
    pub placements: PlacementList,
    /// Whether the side may reroll instead.
    pub may_roll_again: bool,
}

impl Choice {
    /// Returns the side that chooses.
    pub const fn color(&self) -> Color {
        self.state.side_to_place()
    }
}

/// Why the arbiter rejects an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnswerError {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("you may reroll only after a double, or when none of the pieces offered can be placed")]
    NoRollAgain,
    #[error("that is not possible now")]
    NotNow,
}

impl From<PlacementError> for AnswerError {
    fn from(error: PlacementError) -> AnswerError {
        AnswerError::Game(error.into())
    }
}

impl Arbiter {
    /// Creates an arbiter for a game that starts with a setup. `free_play` selects Free Play in Jepps
    /// Random Chess. Fails if the variant has no setup.
    pub fn new(variant: Variant, free_play: bool) -> Result<Arbiter, SetupStartError> {
        let part = match variant.rules().setup {
            None => return Err(SetupStartError::NoSetup { variant }),
            Some(kind) if kind.has_random_part() => Part::Root(RootByDie::new()),
            Some(_) if free_play => Part::game(Setup::empty(SetupKind::JeppsFreePlay)),
            Some(kind) => Part::game(Setup::empty(kind)),
        };
        Ok(Arbiter { variant, part })
    }

    /// Returns the variant of the game.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns White's and Black's back ranks with the pieces placed so far.
    pub fn ranks(&self) -> [PartialBackRank; 2] {
        match (&self.part, self.record()) {
            (Part::Root(root), _) => Color::ALL.map(|color| root.rank(color)),
            (_, record) => record.map_or([PartialBackRank::EMPTY; 2], |record| record.ranks()),
        }
    }

    /// Returns the game, or `None` until dice have placed the bishops and rooks with which the setup begins.
    pub const fn game(&self) -> Option<&Game> {
        match &self.part {
            Part::Root(_) => None,
            Part::Game(game) => Some(game),
        }
    }

    fn game_mut(&mut self) -> Result<&mut Game, AnswerError> {
        match &mut self.part {
            Part::Root(_) => Err(AnswerError::NotNow),
            Part::Game(game) => Ok(game),
        }
    }

    /// Returns the state of the setup. Returns `None` until dice have placed the bishops and rooks with which
    /// the setup begins, and after the setup.
    pub fn state(&self) -> Option<&Setup> {
        self.game()?.setup()
    }

    /// Returns the record of the setup. Returns `None` in games without a setup, and until dice have placed
    /// the bishops and rooks with which the setup begins.
    pub fn record(&self) -> Option<Record> {
        self.game()?.record()
    }

    /// Returns what the arbiter needs next: a roll, a choice, a decision or nothing.
    pub fn need(&self) -> Need {
        let game = match &self.part {
            Part::Root(root) => return root.request().map_or(Need::Nothing, Need::Die),
            Part::Game(game) => game,
        };
        let Some(state) = game.setup() else { return Need::Nothing };
        match game.dice() {
            Dice::Mediator => Need::MediatorDice,
            Dice::MediatorDouble(mediation) => Need::Mediation(*mediation),
            dice => {
                let placements = game.placements();
                if *dice == Dice::None && state.wants_roll(&placements) {
                    let drops = placements.into_iter().flat_map(Placement::drops);
                    let roles = drops.map(|drop| drop.role).collect();
                    return Need::Dice { color: state.side_to_place(), roles };
                }
                let may_roll_again = game.may_roll_again();
                Need::Choice(Choice { state: *state, placements, may_roll_again })
            }
        }
    }

    /// Describes in words which roll is needed next. Returns `None` if no roll is needed.
    pub fn request(&self) -> Option<String> {
        match self.need() {
            Need::Die(request) => Some(request.to_string()),
            Need::Dice { color, roles } => {
                let names: Vec<String> =
                    roles.iter().map(|role| role.letter().to_string()).collect();
                let square = self.state().and_then(Setup::next_square);
                let square = square.map_or_else(String::new, |square| format!(" for {square}"));
                Some(format!("{color} rolls{square}; possible pieces: {}", names.join(" ")))
            }
            Need::MediatorDice => Some(
                "The mediator rolls: both even mirrors, both odd reverses, else Black rolls its \
                 own dice"
                    .to_owned(),
            ),
            _ => None,
        }
    }

    /// Returns the only possible placement, or `None` if the side to place has a choice or may reroll.
    pub fn forced(&self) -> Option<Placement> {
        match self.need() {
            Need::Choice(choice) if !choice.may_roll_again => match choice.placements[..] {
                [only] => Some(only),
                _ => None,
            },
            _ => None,
        }
    }

    /// Applies a roll of one die, and returns which bishop or rook the die placed, or that it must be
    /// rerolled.
    pub fn roll_die(&mut self, die: Die) -> Result<Meaning, AnswerError> {
        let Part::Root(root) = &mut self.part else { return Err(AnswerError::NotNow) };
        let meaning = root.roll(die).map_err(|_| AnswerError::NotNow)?;
        if let Some(roots) = root.roots() {
            self.part = Part::game(self.begin(roots)?);
        }
        Ok(meaning)
    }

    fn begin(&self, roots: [SetupRoot; 2]) -> Result<Setup, AnswerError> {
        let start = SetupStart::of_roots(self.variant, roots).map_err(|_| AnswerError::NotNow)?;
        Ok(Setup::new(&start))
    }

    /// Applies a roll of two dice, by a side for its next square or by the mediator. Returns the meaning of
    /// the roll in words.
    pub fn roll_dice(&mut self, roll: Roll) -> Result<String, AnswerError> {
        match self.game_mut()?.roll(roll).ok_or(AnswerError::NotNow)? {
            Rolled::Offer(offer) => Ok(offer.to_string()),
            Rolled::Mediation(mediation) => Ok(mediation.to_string()),
        }
    }

    /// Discards the last roll, so that the dice are rolled again. Fails unless the last roll is a double, of
    /// a side or of the mediator, that its player may reroll. A roll that offers no legal piece is not kept
    /// and needs no call of this function.
    pub fn roll_again(&mut self) -> Result<(), AnswerError> {
        if self.game_mut()?.roll_again() { Ok(()) } else { Err(AnswerError::NoRollAgain) }
    }

    /// Accepts, for Black, the mediator's verdict after a double, and returns the verdict.
    pub fn accept(&mut self) -> Result<BlackBackRank, AnswerError> {
        self.game_mut()?.accept().ok_or(AnswerError::NotNow)
    }

    /// Plays a turn: a move in UCI notation or SAN, or a placement such as `R@h1` or `Rh1`. In Jepps
    /// Random Chess, a placement may be the piece alone (`R`), because the square is known.
    pub fn play(&mut self, text: &str) -> Result<Turn, AnswerError> {
        match self.need() {
            Need::Choice(Choice { state, .. }) => {
                let text = text.trim();
                let placement = match (state.next_square(), text.len()) {
                    (Some(square), 1) => state.read_turn(&format!("{text}@{square}"))?,
                    _ => state.read_turn(text)?,
                };
                self.game_mut()?.place(placement)?;
            }
            Need::Nothing => self.game_mut()?.play(text)?,
            _ => return Err(AnswerError::NotNow),
        }
        self.game().and_then(Game::last_turn).ok_or(AnswerError::NotNow)
    }

    /// Takes back the last turn and restores the dice that were rolled for it. Returns whether there was a
    /// turn to take back.
    pub fn undo(&mut self) -> bool {
        self.game_mut().is_ok_and(|game| game.undo().is_some())
    }
}

impl From<Game> for Arbiter {
    fn from(game: Game) -> Arbiter {
        Arbiter { variant: game.variant(), part: Part::Game(Box::new(game)) }
    }
}

impl Part {
    fn game(state: Setup) -> Part {
        Part::Game(Box::new(Game::from(state)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::play::{GameStart, GameStartError};
    use crate::start::Rng;

    fn at(variant: Variant, fen: &str) -> Result<Arbiter, GameStartError> {
        GameStart::Fen(fen.to_owned()).arbiter(variant)
    }

    fn arbiter(variant: Variant) -> Arbiter {
        Arbiter::new(variant, false).unwrap()
    }

    /// Takes one random step of the setup: a roll, a reroll or a choice. Returns false if the setup is
    /// complete.
    fn step(arbiter: &mut Arbiter, rng: &mut Rng) -> bool {
        match arbiter.need() {
            Need::Die(_) => {
                arbiter.roll_die(Die::roll(rng)).unwrap();
            }
            Need::Dice { roles, .. } => {
                assert!(roles.len() > 1);
                arbiter.roll_dice(Roll::random(rng)).unwrap();
            }
            Need::MediatorDice => {
                arbiter.roll_dice(Roll::random(rng)).unwrap();
            }
            Need::Mediation(mediation) => {
                assert!(mediation.may_roll_again);
                if rng.below(2) == 0 {
                    arbiter.roll_again().unwrap();
                } else {
                    arbiter.accept().unwrap();
                }
            }
            Need::Choice(choice) if choice.may_roll_again && rng.below(2) == 0 => {
                arbiter.roll_again().unwrap();
            }
            Need::Choice(choice) => {
                let index = rng.below(choice.placements.len() as u64) as usize;
                let placement = choice.placements[index];
                let turn = arbiter.play(&placement.to_string()).unwrap();
                assert_eq!(turn.uci, placement.to_string());
            }
            Need::Nothing => return false,
        }
        true
    }

    proptest! {
        /// Any dice and any choices lead to a legal starting position of the variant.
        #[test]
        fn every_setup_ends(which in 0..5_usize, seed: u64) {
            let variants = [Variant::FischerBenko, Variant::Transcendental, Variant::Placement];
            let variant = *variants.get(which).unwrap_or(&Variant::Jepps);
            let mut arbiter = Arbiter::new(variant, which == 4).unwrap();
            let mut rng = Rng::new(seed);
            let mut steps = 0;
            while step(&mut arbiter, &mut rng) {
                steps += 1;
                prop_assert!(steps < 1_000);
            }
            let record = arbiter.record().unwrap();
            prop_assert!(record.game().is_some());
            let start = record.start().unwrap();
            prop_assert_eq!(start.variant(), variant);
            let expected = Color::ALL.map(|color| Some(start.back_rank(color)));
            prop_assert_eq!(arbiter.ranks().map(|rank| rank.complete()), expected);
        }
    }

    /// Returns an arbiter of Jepps Random Chess after White has placed `pieces`.
    fn white_in_jepps(pieces: &str) -> Arbiter {
        let mut arbiter = arbiter(Variant::Jepps);
        for piece in pieces.chars() {
            if let Need::Dice { .. } = arbiter.need() {
                arbiter.roll_dice("6 1".parse().unwrap()).unwrap();
            }
            arbiter.play(&piece.to_string()).unwrap();
        }
        arbiter
    }

    #[test]
    fn the_mediator_decides() {
        for (rolls, black) in [
            (&["2 4"][..], Some("NBKRBQNR")),
            (&["1 3"], Some("RNQBRKBN")),
            (&["1 2"], None),
            (&["2 2", "5 5", "again", "3 1"], Some("RNQBRKBN")),
        ] {
            let mut arbiter = white_in_jepps("NBKRBQNR");
            assert_eq!(arbiter.need(), Need::MediatorDice);
            for roll in rolls {
                if let Need::Mediation(_) = arbiter.need() {
                    arbiter.roll_again().unwrap();
                }
                if *roll != "again" {
                    arbiter.roll_dice(roll.parse().unwrap()).unwrap();
                }
            }
            let start = arbiter.record().unwrap().start();
            assert_eq!(
                start.map(|start| start.back_rank(Color::Black).to_string()).as_deref(),
                black
            );
            let own = matches!(arbiter.need(), Need::Dice { color: Color::Black, .. });
            assert_eq!(own, black.is_none());
        }
    }

    /// An arbiter that starts from the FEN of an unfinished setup continues like the arbiter that played
    /// the setup up to this point.
    #[test]
    fn a_setup_can_start_from_any_of_its_positions() {
        for (which, seed) in (0..5).cycle().zip(0..60) {
            let variants = [Variant::FischerBenko, Variant::Transcendental, Variant::Placement];
            let variant = *variants.get(which).unwrap_or(&Variant::Jepps);
            let mut arbiter = Arbiter::new(variant, which == 4).unwrap();
            let mut rng = Rng::new(seed);
            let mut begun = false;
            while step(&mut arbiter, &mut rng) {
                let Some(record) = arbiter.record() else { continue };
                let Some(state) = record.state().copied() else { continue };
                let there = at(variant, &state.fen()).unwrap();
                assert_eq!(there.ranks(), arbiter.ranks());
                // The FEN of an empty board does not show that the game is Free Play.
                assert!(which == 4 && !begun || there.record().unwrap().state() == Some(&state));
                if which >= 3 && begun {
                    assert_eq!(there.record().unwrap().placements(), record.placements());
                }
                begun |= !record.placements().is_empty();
            }
        }
    }

    #[test]
    fn the_mediator_rolls_after_whites_placements() {
        let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR[kqrrbbnn] b - - 0 9";
        let mut arbiter = at(Variant::Jepps, fen).unwrap();
        assert_eq!(arbiter.need(), Need::MediatorDice);
        arbiter.roll_dice("2 4".parse().unwrap()).unwrap();
        let record = arbiter.record().unwrap().to_string();
        assert_eq!(record, "Na1, Bb1, Kc1, Rd1, Be1, Qf1, Ng1, Rh1\nMirror");
    }

    #[test]
    fn a_setup_that_cannot_be_finished_is_rejected() {
        for (variant, fen, words) in [
            (
                Variant::FischerBenko,
                "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] b - - 0 1",
                "White's turn",
            ),
            (
                Variant::FischerBenko,
                "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/B1B1R3[KQRNNkqrnn] w - - 0 1",
                "cannot be finished",
            ),
            (Variant::Placement, "nonsense", "expected 8 ranks"),
        ] {
            let error = at(variant, fen).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn black_may_accept_a_double() {
        let mut arbiter = white_in_jepps("NBKRBQNR");
        arbiter.roll_dice("3 3".parse().unwrap()).unwrap();
        assert_eq!(arbiter.accept(), Ok(BlackBackRank::Reverse));
        assert_eq!(arbiter.need(), Need::Nothing);
        assert_eq!(arbiter.roll_again(), Err(AnswerError::NoRollAgain));
    }

    #[test]
    fn wrong_answers_are_rejected() {
        let mut arbiter = arbiter(Variant::Jepps);
        assert_eq!(arbiter.play("Ka1"), Err(AnswerError::NotNow));
        assert_eq!(arbiter.roll_die(Die::ALL[0]), Err(AnswerError::NotNow));
        arbiter.roll_dice("1 2".parse().unwrap()).unwrap();
        assert_eq!(arbiter.roll_again(), Err(AnswerError::NoRollAgain));
        assert_eq!(arbiter.accept(), Err(AnswerError::NotNow));
        let error = arbiter.play("Qa1").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the dice show 1 2: they do not offer a queen, but a king or a knight"
        );
        assert!(matches!(arbiter.play("Kb1"), Err(AnswerError::Game(GameError::Placement(_)))));
        arbiter.play("k").unwrap();
        // A placement that is legal only in Free Play is rejected here.
        arbiter.roll_dice("6 6".parse().unwrap()).unwrap();
        assert!(matches!(arbiter.play("Kh8"), Err(AnswerError::Game(GameError::Placement(_)))));
        // After the double 6 6 White may reroll. The roll 1 1 offers only the king, which is already placed,
        // so White has to roll once more.
        arbiter.roll_again().unwrap();
        let said = arbiter.roll_dice("1 1".parse().unwrap()).unwrap();
        assert!(said.ends_with("reroll"), "{said}");
        assert!(matches!(arbiter.need(), Need::Dice { .. }));
    }

    #[test]
    fn the_last_placement_is_forced() {
        let mut arbiter = white_in_jepps("NBKRBQN");
        assert_eq!(
            arbiter.forced().map(|placement| placement.to_string()).as_deref(),
            Some("R@h1")
        );
        arbiter.play("R").unwrap();
        assert_eq!(arbiter.forced(), None);
        assert!(Arbiter::new(Variant::Chess960, false).is_err());
    }
}
