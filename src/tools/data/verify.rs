use std::collections::HashSet;
use std::path::Path;

use super::block::{Block, Damage};
use super::error::DataError;
use super::filter::Filter;
use super::game::StoredGame;
use super::manifest::{Counts, Manifest};
use super::ply::Ply;
use super::reader::scan;
use super::replay::ReplayError;
use super::settings::DatagenSettings;
use super::termination::{GameEndDetector, RecordedResult};
use crate::attacks::Board;
use crate::game::BoardGame;
use crate::position::FenStyle;
use crate::rules::{BoardSize, on_board};
use crate::tools::stats::Points;
use crate::types::Value;

/// What is wrong with a game that is whole.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameFault {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("the FEN of the start should be written '{0}'")]
    Fen(String),
    #[error("ply {ply} is not marked as what it is: capture, check and so on")]
    Flags { ply: usize },
    #[error("the game goes on after ply {ply}, where it is over: {ending}")]
    Overrun { ply: usize, ending: RecordedResult },
    #[error("the end is recorded as {recorded}, but is {}", describe(*.found))]
    Ending { recorded: RecordedResult, found: Option<RecordedResult> },
    #[error("it is recorded as {recorded}, but the last score is {score} for the side that moved")]
    LastScore { recorded: RecordedResult, score: Value },
    #[error("it has no searched move")]
    Empty,
}

fn describe(ending: Option<RecordedResult>) -> String {
    ending.map_or_else(|| "no end".to_owned(), |ending| ending.to_string())
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DataProblem {
    #[error(transparent)]
    Damage(#[from] Damage),
    #[error("game {index} of set {set:08x}, block at byte {offset}: {fault}")]
    Game { offset: u64, set: u32, index: u32, fault: GameFault },
    #[error("game {index} of set {set:08x} is there twice; again in the block at byte {offset}")]
    Twice { offset: u64, set: u32, index: u32 },
    #[error("the block at byte {offset} is of another board than the first")]
    Boards { offset: u64 },
    #[error("the manifest counts {then:?}, but there are {now:?}")]
    Counts { then: Counts, now: Counts },
}

/// What came of a verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verification {
    pub counts: Counts,
    /// How many problems were reported.
    pub problems: u64,
    /// Games for which a manifest said by which scores games end, so that this was checked too.
    pub with_settings: u64,
}

/// Reads a file and plays every game over. Problems are reported one by one.
///
/// Without a manifest it is not known by which scores games were adjudicated; then an adjudicated
/// game must only not be over by the rules, and its winner be ahead. Indices are kept in memory,
/// some ten bytes a game.
pub fn verify(path: &Path, report: &mut dyn FnMut(DataProblem)) -> Result<Verification, DataError> {
    let mut verifier = Verifier {
        manifest: Manifest::beside(path)?,
        seen: HashSet::new(),
        board: None,
        verification: Verification::default(),
        report,
    };
    scan(path, &mut |found| {
        match found {
            Ok(block) => verifier.block(&block),
            Err(damage) => verifier.tell(damage.into()),
        }
        Ok(())
    })?;
    verifier.compare_counts();
    Ok(verifier.verification)
}

struct Verifier<'a> {
    manifest: Option<Manifest>,
    /// Sets and indices.
    seen: HashSet<(u32, u32)>,
    /// The first block's.
    board: Option<BoardSize>,
    verification: Verification,
    report: &'a mut dyn FnMut(DataProblem),
}

impl Verifier<'_> {
    fn tell(&mut self, problem: DataProblem) {
        self.verification.problems += 1;
        (self.report)(problem);
    }

    fn block(&mut self, block: &Block) {
        let (offset, set) = (block.offset, block.set);
        if *self.board.get_or_insert(block.board) != block.board {
            self.tell(DataProblem::Boards { offset });
        }
        for game in block.games() {
            let index = game.index;
            self.verification.counts.add(&game, Filter::default());
            if !self.seen.insert((set, index)) {
                self.tell(DataProblem::Twice { offset, set, index });
            }
            let settings = self.manifest.as_ref().and_then(|manifest| manifest.settings_of(set));
            self.verification.with_settings += u64::from(settings.is_some());
            if let Err(fault) = check(block, &game, settings) {
                self.tell(DataProblem::Game { offset, set, index, fault });
            }
        }
    }

    /// A manifest may be some seconds older than the file that was being made; it never has more.
    fn compare_counts(&mut self) {
        let now = self.verification.counts;
        let Some(then) = self.manifest.as_ref().map(|manifest| manifest.counts) else { return };
        if now.games < then.games || (now.games == then.games && now != then) {
            self.tell(DataProblem::Counts { then, now });
        }
    }
}

fn check(
    block: &Block,
    game: &StoredGame,
    settings: Option<&DatagenSettings>,
) -> Result<(), GameFault> {
    on_board!(block.board, |G| check_on::<G>(game, settings))
}

/// Plays a game over: legal moves, marked as what they are, and an end where it says and as it
/// says.
fn check_on<G: Board>(
    game: &StoredGame,
    settings: Option<&DatagenSettings>,
) -> Result<(), GameFault> {
    let mut played = BoardGame::new(game.start::<G>()?);
    let fen = played.position().fen(FenStyle::XFen);
    if fen != game.fen {
        return Err(GameFault::Fen(fen));
    }
    let mut detector = GameEndDetector::new(settings, game.index);
    let mut ending = None;
    let mut last_score = None;
    for (number, ply) in game.plies().enumerate() {
        if let Some(ending) = ending {
            return Err(GameFault::Overrun { ply: number - 1, ending });
        }
        let position = played.position();
        let mover = position.side_to_move();
        let mv = game.legal_move(position, number, ply)?;
        let is_random = number < game.random_plies;
        let expected = match is_random {
            true => Ply::random(position, mv),
            false => Ply::searched(position, mv, ply.score()),
        };
        if ply != expected {
            return Err(GameFault::Flags { ply: number });
        }
        played.play(mv);
        if !is_random {
            ending = detector.judge(ply.score(), &played);
            last_score = Some((mover, ply.score()));
        }
    }
    let Some((mover, score)) = last_score else { return Err(GameFault::Empty) };
    let recorded = game.ending;
    if ending == Some(recorded) {
        return Ok(());
    }
    let unknown = settings.is_none() && !recorded.termination.is_by_rules();
    if ending.is_some() || !unknown {
        return Err(GameFault::Ending { recorded, found: ending });
    }
    let won = recorded.result.points(mover);
    let ahead = if score > 0 { Points::Win } else { Points::Loss };
    let plausible = !recorded.termination.is_decisive() || won == ahead;
    if plausible { Ok(()) } else { Err(GameFault::LastScore { recorded, score }) }
}
