//! The rules of a game as an arbiter keeps them, set-up and dice included: what is wanted next, and
//! what follows from it.
//!
//! Nothing here reads, prints, throws dice or chooses. A copy of the arbiter taken before a step
//! takes the step back.
//!
//! ```text
//! Fischer-Benko, Transcendental:  die .. die, then choices in turn
//! Pre-Chess:                      choices in turn
//! Jepps:       dice, choice | again   for a1 .. h1, then the mediator's dice, then
//!              nothing more | again | dice, choice for a8 .. h8
//! Free Play:   dice, choice | again   for a1, h8, b1, g8 ..
//! all games:   then moves
//! ```

use crate::game::{Dice, Game, GameError, Rolled, Turn};
use crate::rules::{SetupKind, Variant};
use crate::setup::{Placement, PlacementError, PlacementList, Record, Setup};
use crate::start::die::Die;
use crate::start::fischer_benko::{DieRequest, Meaning, RootByDie};
use crate::start::jepps::{Mediation, Roll};
use crate::start::{BlackArray, PartialArray, SetupRoot, SetupStart, SetupStartError};
use crate::types::{Color, Role};

/// Keeps the rules of a game that people and the engine play, set-up and dice included.
#[derive(Clone, Debug)]
pub struct Arbiter {
    variant: Variant,
    part: Part,
}

#[derive(Clone, Debug)]
enum Part {
    /// Chance places the random part.
    Root(RootByDie),
    Game(Box<Game>),
}

/// What the arbiter waits for.
#[derive(Clone, PartialEq, Debug)]
pub enum Need {
    /// One die, for a piece of the random part.
    Die(DieRequest),
    /// Two dice of this side, for one of these pieces on the next square.
    Dice { color: Color, roles: Vec<Role> },
    /// The mediator's two dice.
    MediatorDice,
    /// Something from a player.
    Choice(Choice),
    /// Black takes the verdict of a double or rolls again.
    Mediation(Mediation),
    /// Nothing: the set-up is over, or there was none.
    Nothing,
}

/// Among what a side may choose.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub state: Setup,
    /// Never none.
    pub placements: PlacementList,
    /// Whether the dice may be rolled again instead.
    pub may_roll_again: bool,
}

impl Choice {
    /// Who chooses.
    pub const fn color(&self) -> Color {
        self.state.side_to_place()
    }
}

/// Why an answer is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnswerError {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("you may roll again only after a double, or when nothing offered fits")]
    NoRollAgain,
    #[error("that is not wanted now")]
    NotNow,
}

impl From<PlacementError> for AnswerError {
    fn from(error: PlacementError) -> AnswerError {
        AnswerError::Game(error.into())
    }
}

impl Arbiter {
    /// Before the first roll or choice.
    pub fn new(variant: Variant, free_play: bool) -> Result<Arbiter, SetupStartError> {
        let part = match variant.rules().setup {
            None => return Err(SetupStartError::NoSetup { variant }),
            Some(kind) if kind.has_random_part() => Part::Root(RootByDie::new()),
            Some(_) if free_play => Part::game(Setup::empty(SetupKind::JeppsFreePlay)),
            Some(kind) => Part::game(Setup::empty(kind)),
        };
        Ok(Arbiter { variant, part })
    }

    /// The game that is set up.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// What stands on the back ranks, White's first.
    pub fn ranks(&self) -> [PartialArray; 2] {
        match (&self.part, self.record()) {
            (Part::Root(root), _) => Color::ALL.map(|color| root.rank(color)),
            (_, record) => record.map_or([PartialArray::EMPTY; 2], |record| record.ranks()),
        }
    }

    /// The game, once the random part stands.
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

    /// The set-up, once the random part stands and while it lasts.
    pub fn state(&self) -> Option<&Setup> {
        self.game()?.setup()
    }

    /// The turns, once the random part stands.
    pub fn record(&self) -> Option<Record> {
        self.game()?.record()
    }

    /// What has to happen next.
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

    /// The roll that is wanted, in words.
    pub fn request(&self) -> Option<String> {
        match self.need() {
            Need::Die(request) => Some(request.to_string()),
            Need::Dice { color, roles } => {
                let names: Vec<String> =
                    roles.iter().map(|role| role.letter().to_string()).collect();
                let square = self.state().and_then(Setup::next_square);
                let square = square.map_or_else(String::new, |square| format!(" for {square}"));
                Some(format!("{color} rolls{square}; possible are {}", names.join(" ")))
            }
            Need::MediatorDice => Some(
                "The mediator rolls: both even mirrors, both odd reverses, else Black has its own \
                 dice"
                    .to_owned(),
            ),
            _ => None,
        }
    }

    /// The placement to be made, if there is only one and no dice can change that.
    pub fn forced(&self) -> Option<Placement> {
        match self.need() {
            Need::Choice(choice) if !choice.may_roll_again => match choice.placements[..] {
                [only] => Some(only),
                _ => None,
            },
            _ => None,
        }
    }

    /// Takes a die for the random part, and says what it meant.
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

    /// Takes two dice, for a square or the mediator's, and says what they meant.
    pub fn roll_dice(&mut self, roll: Roll) -> Result<String, AnswerError> {
        match self.game_mut()?.roll(roll).ok_or(AnswerError::NotNow)? {
            Rolled::Offer(offer) => Ok(offer.to_string()),
            Rolled::Mediation(mediation) => Ok(mediation.to_string()),
        }
    }

    /// The dice are thrown once more: after a double of a side's, or, if Black wants it, of the
    /// mediator's.
    pub fn roll_again(&mut self) -> Result<(), AnswerError> {
        if self.game_mut()?.roll_again() { Ok(()) } else { Err(AnswerError::NoRollAgain) }
    }

    /// The verdict of the mediator's roll comes into force.
    pub fn accept(&mut self) -> Result<BlackArray, AnswerError> {
        self.game_mut()?.accept().ok_or(AnswerError::NotNow)
    }

    /// Plays a turn: a move in either notation, or a placement as people write it: `R@h1` or `Rh1`,
    /// in Jepps Random Chess also `R`.
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

    /// Takes back the turn made last; the dice lie as they lay before it. Says whether there was
    /// one.
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

    /// Goes on by dice and, where something is to be chosen, by chance.
    fn step(arbiter: &mut Arbiter, rng: &mut Rng) -> bool {
        match arbiter.need() {
            Need::Die(_) => {
                arbiter.roll_die(Die::throw(rng)).unwrap();
            }
            Need::Dice { roles, .. } => {
                assert!(roles.len() > 1);
                arbiter.roll_dice(Roll::throw(rng)).unwrap();
            }
            Need::MediatorDice => {
                arbiter.roll_dice(Roll::throw(rng)).unwrap();
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
        /// Whatever the dice and the players do, a start of the variant comes of it.
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
            prop_assert_eq!(arbiter.ranks().map(|rank| rank.complete()), Color::ALL.map(|color| Some(start.array(color))));
        }
    }

    /// White's eight pieces by free choices.
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
            assert_eq!(start.map(|start| start.array(Color::Black).to_string()).as_deref(), black);
            let own = matches!(arbiter.need(), Need::Dice { color: Color::Black, .. });
            assert_eq!(own, black.is_none());
        }
    }

    /// From any place of a set-up the arbiter goes on as if it had been there from the first.
    #[test]
    fn it_can_begin_anywhere() {
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
                // The empty board of Free Play reads as that of the normal order.
                assert!(which == 4 && !begun || there.record().unwrap().state() == Some(&state));
                if which >= 3 && begun {
                    assert_eq!(there.record().unwrap().placements(), record.placements());
                }
                begun |= !record.placements().is_empty();
            }
        }
    }

    #[test]
    fn between_the_players_the_mediator_rolls() {
        let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR[kqrrbbnn] b - - 0 9";
        let mut arbiter = at(Variant::Jepps, fen).unwrap();
        assert_eq!(arbiter.need(), Need::MediatorDice);
        arbiter.roll_dice("2 4".parse().unwrap()).unwrap();
        let record = arbiter.record().unwrap().to_string();
        assert_eq!(record, "Na1, Bb1, Kc1, Rd1, Be1, Qf1, Ng1, Rh1\nMirror");
    }

    #[test]
    fn it_cannot_begin_where_nothing_can_be_placed() {
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
    fn a_double_may_be_taken() {
        let mut arbiter = white_in_jepps("NBKRBQNR");
        arbiter.roll_dice("3 3".parse().unwrap()).unwrap();
        assert_eq!(arbiter.accept(), Ok(BlackArray::Reverse));
        assert_eq!(arbiter.need(), Need::Nothing);
        assert_eq!(arbiter.roll_again(), Err(AnswerError::NoRollAgain));
    }

    #[test]
    fn answers_that_do_not_fit() {
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
        // What would turn the game into Free Play is no answer here.
        arbiter.roll_dice("6 6".parse().unwrap()).unwrap();
        assert!(matches!(arbiter.play("Kh8"), Err(AnswerError::Game(GameError::Placement(_)))));
        // Nothing to place: the dice are asked for again.
        arbiter.roll_again().unwrap();
        let said = arbiter.roll_dice("1 1".parse().unwrap()).unwrap();
        assert!(said.ends_with("reroll"), "{said}");
        assert!(matches!(arbiter.need(), Need::Dice { .. }));
    }

    #[test]
    fn the_last_turn_is_forced() {
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
