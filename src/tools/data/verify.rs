//! Verifies a file of games by replaying every game.

use std::collections::HashSet;
use std::path::Path;

use super::DataError;
use super::block::{Block, Damage};
use super::filter::Filter;
use super::game::StoredGame;
use super::manifest::{Counts, Manifest};
use super::ply::Ply;
use super::reader::scan;
use super::replay::ReplayError;
use super::settings::DatagenSettings;
use super::termination::{GameEndDetector, described};
use crate::game::{BoardGame, Termination};
use crate::geometry::Board;
use crate::position::FenStyle;
use crate::rules::{BoardSize, on_board};
use crate::tools::stats::Points;
use crate::types::Value;

/// Why a game that can be decoded is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameFault {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("the FEN of the starting position is not in standard form; expected '{0}'")]
    Fen(String),
    #[error(
        "the recorded flags of ply {ply} (capture, check and so on) do not match the move of this ply"
    )]
    Flags { ply: usize },
    #[error("more plies follow after the game has ended at ply {ply} with the result {}", described(*.ending))]
    Overrun { ply: usize, ending: Termination },
    #[error(
        "the recorded result is {}, but the recorded moves lead to {}",
        described(*.recorded),
        .found.map_or_else(|| "no result".to_owned(), described)
    )]
    Ending { recorded: Termination, found: Option<Termination> },
    #[error(
        "the recorded result is {}, but it contradicts the last score, which is {score} for the side that made the last move",
        described(*.recorded)
    )]
    LastScore { recorded: Termination, score: Value },
    #[error("all moves of the game are random; at least one move must come from a search")]
    Empty,
}

/// A problem found in a file of games.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DataProblem {
    #[error(transparent)]
    Damage(#[from] Damage),
    #[error("game {index} of data set {set:08x}, in the block at byte {offset}: {fault}")]
    Game { offset: u64, set: u32, index: u32, fault: GameFault },
    #[error(
        "game {index} of data set {set:08x} occurs twice, the second time in the block at byte {offset}"
    )]
    Twice { offset: u64, set: u32, index: u32 },
    #[error(
        "the games of the block at byte {offset} are on another board than the games of the first block; all games of a file must be on one board"
    )]
    Boards { offset: u64 },
    #[error(
        "the manifest does not match the file: the manifest says {then:?}, but the file contains {now:?}"
    )]
    Counts { then: Counts, now: Counts },
}

/// The result of verifying a file of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verification {
    pub counts: Counts,
    /// The number of problems reported.
    pub problems: u64,
    /// The number of games for which the manifest has the settings. Verification also checks the adjudication
    /// of these games.
    pub with_settings: u64,
}

/// Replays every game of a file, and reports the problems one by one.
///
/// Without the settings in a manifest, an adjudicated game is accepted if the rules have not ended it
/// earlier, and if the last score does not contradict the winner. Needs about ten bytes of memory per game.
pub fn verify(path: &Path, report: &mut dyn FnMut(DataProblem)) -> Result<Verification, DataError> {
    let mut verifier = Verifier {
        manifest: Manifest::of_games(path)?,
        seen: HashSet::new(),
        board: None,
        verification: Verification::default(),
        report,
    };
    scan(path, &mut |found| {
        match found {
            Ok(block) => verifier.block(&block),
            Err(damage) => verifier.report_problem(damage.into()),
        }
        Ok(())
    })?;
    verifier.compare_counts();
    Ok(verifier.verification)
}

struct Verifier<'a> {
    manifest: Option<Manifest>,
    /// The hash of the data set and the index of each game read so far.
    seen: HashSet<(u32, u32)>,
    /// The board of the first block, which all blocks should have.
    board: Option<BoardSize>,
    verification: Verification,
    report: &'a mut dyn FnMut(DataProblem),
}

impl Verifier<'_> {
    fn report_problem(&mut self, problem: DataProblem) {
        self.verification.problems += 1;
        (self.report)(problem);
    }

    fn block(&mut self, block: &Block) {
        let (offset, set) = (block.offset, block.set);
        if *self.board.get_or_insert(block.board) != block.board {
            self.report_problem(DataProblem::Boards { offset });
        }
        for game in block.games() {
            let index = game.index;
            self.verification.counts.add(&game, Filter::default());
            if !self.seen.insert((set, index)) {
                self.report_problem(DataProblem::Twice { offset, set, index });
            }
            let settings = self.manifest.as_ref().and_then(|manifest| manifest.settings_of(set));
            self.verification.with_settings += u64::from(settings.is_some());
            if let Err(fault) = check(block, &game, settings) {
                self.report_problem(DataProblem::Game { offset, set, index, fault });
            }
        }
    }

    /// Compares the counts with the manifest. While datagen adds games to the file, the manifest may be some
    /// seconds old and count fewer games.
    fn compare_counts(&mut self) {
        let now = self.verification.counts;
        let Some(then) = self.manifest.as_ref().map(|manifest| manifest.counts) else { return };
        if now.games < then.games || (now.games == then.games && now != then) {
            self.report_problem(DataProblem::Counts { then, now });
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

/// Replays a game. Checks that every move is legal, that the flags match the moves, and that the game ends
/// after the last recorded ply with the recorded result.
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
    let recorded = game.termination;
    if ending == Some(recorded) {
        return Ok(());
    }
    let is_adjudicated = matches!(
        recorded,
        Termination::WinByScore(_) | Termination::DrawByScore | Termination::Length
    );
    let unknown = settings.is_none() && is_adjudicated;
    if ending.is_some() || !unknown {
        return Err(GameFault::Ending { recorded, found: ending });
    }
    let points = recorded.outcome().points(mover);
    let ahead = if score > 0 { Points::Win } else { Points::Loss };
    let plausible = points == Points::Draw || points == ahead;
    if plausible { Ok(()) } else { Err(GameFault::LastScore { recorded, score }) }
}
