//! Reads training and validation positions from data sets.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::buckets::{Buckets, GameName, record};
use super::losses::targets;
pub use super::packed::Packed;
use super::{Settings, TrainError};
use crate::geometry::Board;
use crate::random::Rng;
use crate::tools::data::{DataError, Manifest, Ply, Sample, StoredGame, games_file, scan};

/// A data set to train on, and the weight of each of its positions in the loss.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DataSet {
    pub path: PathBuf,
    pub weight: f32,
}

impl FromStr for DataSet {
    type Err = TrainError;

    /// Parses `FOLDER` or `FOLDER:WEIGHT`.
    fn from_str(text: &str) -> Result<DataSet, TrainError> {
        let (path, weight) = match text.rsplit_once(':') {
            Some((path, weight)) if !weight.contains(['/', '\\']) => {
                let weight = weight.parse().ok().filter(|weight: &f32| *weight > 0.0);
                let weight = weight.filter(|weight| weight.is_finite() && !path.is_empty());
                (path, weight.ok_or_else(|| TrainError::DataSet { text: text.to_owned() })?)
            }
            _ => (text, 1.0),
        };
        Ok(DataSet { path: path.into(), weight })
    }
}

/// Why a ply is not used for training. If several reasons apply, the first one counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// The move was played at random, without a search.
    Random,
    /// The ply is one of the first plies of the game.
    Early,
    /// The side to move was in check.
    InCheck,
    /// The best move is a capture or promotion.
    Tactical,
    /// The score is too large.
    Decided,
    /// The game of the ply has been read before.
    SecondTime,
}

impl LeftOut {
    /// Returns the first reason why a ply is not used, or `None` if the ply is used.
    fn of(number: usize, ply: Ply) -> Option<LeftOut> {
        let filter = Settings::FILTER;
        let reasons = [
            (ply.is_random(), LeftOut::Random),
            (number < filter.first_ply, LeftOut::Early),
            (ply.in_check(), LeftOut::InCheck),
            (ply.is_capture() || ply.is_promotion(), LeftOut::Tactical),
            (ply.score().abs() >= filter.score_below, LeftOut::Decided),
        ];
        reasons.into_iter().find_map(|(holds, reason)| holds.then_some(reason))
    }
}

/// Statistics of the games that were read from a data set.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SetReport {
    pub path: PathBuf,
    pub weight: f32,
    pub games: u64,
    pub plies: u64,
    /// The numbers of training positions and of validation positions.
    pub kept: [u64; 2],
    pub left_out: BTreeMap<LeftOut, u64>,
    /// The number of damaged blocks in the file.
    pub damage: u64,
    pub manifest: Option<Manifest>,
}

/// All positions read from the data sets.
#[derive(Debug)]
pub struct Positions {
    pub training: Buckets,
    /// The validation positions, ordered by the data sets and indices of their games.
    pub validation: Vec<Packed>,
    pub sets: Vec<SetReport>,
    /// A checksum of all positions: a sum over the games, which does not depend on the order of the games.
    pub(super) checksum: u32,
}

impl Positions {
    /// Reads the positions that the filter keeps. The training positions are written to a file in `folder`.
    /// Whether a game is held out for validation depends on the game's data set and index, but not on the
    /// file that contains the game.
    pub fn read<G: Board>(
        sets: &[DataSet],
        settings: &Settings,
        folder: &Path,
        watch: &mut dyn FnMut(usize),
    ) -> Result<Positions, TrainError> {
        let mut reading = Reading {
            settings,
            training: Buckets::new(folder)?,
            validation: BTreeMap::new(),
            checksum: 0,
            names: HashSet::new(),
        };
        let mut reports = Vec::new();
        for (number, set) in sets.iter().enumerate() {
            let number = u8::try_from(number).map_err(|_| TrainError::TooManySets)?;
            reports.push(reading.read_set::<G>(number, set, watch)?);
        }
        let Reading { training, validation, checksum, .. } = reading;
        let validation: Vec<Packed> = validation.into_values().flatten().collect();
        if training.is_empty() || validation.is_empty() {
            let [training, validation] = [training.len(), validation.len()];
            return Err(TrainError::TooFew { training, validation });
        }
        Ok(Positions { training, validation, sets: reports, checksum })
    }

    /// Returns the weight of the positions of each data set. The mean weight of all positions is 1.
    pub(super) fn weights(&self) -> Vec<f32> {
        let kept = |set: &SetReport| set.kept.iter().sum::<u64>() as f64;
        let total: f64 = self.sets.iter().map(kept).sum();
        let sum: f64 = self.sets.iter().map(|set| kept(set) * f64::from(set.weight)).sum();
        self.sets.iter().map(|set| (f64::from(set.weight) * total / sum) as f32).collect()
    }
}

/// The state while data sets are being read.
struct Reading<'a> {
    settings: &'a Settings,
    training: Buckets,
    /// The positions of the held-out games.
    validation: BTreeMap<GameName, Vec<Packed>>,
    checksum: u32,
    names: HashSet<GameName>,
}

impl Reading<'_> {
    fn read_set<G: Board>(
        &mut self,
        number: u8,
        set: &DataSet,
        watch: &mut dyn FnMut(usize),
    ) -> Result<SetReport, DataError> {
        let mut report = SetReport {
            path: set.path.clone(),
            weight: set.weight,
            games: 0,
            plies: 0,
            kept: [0; 2],
            left_out: BTreeMap::new(),
            damage: 0,
            manifest: Manifest::of_games(&games_file(&set.path))?,
        };
        scan(&games_file(&set.path), &mut |found| {
            let Ok(block) = found else {
                report.damage += 1;
                return Ok(());
            };
            for game in block.games() {
                self.read_game::<G>((block.set, game.index), &game, number, &mut report)?;
            }
            watch(self.training.len());
            Ok(())
        })?;
        Ok(report)
    }

    fn read_game<G: Board>(
        &mut self,
        name: GameName,
        game: &StoredGame,
        set: u8,
        report: &mut SetReport,
    ) -> Result<(), DataError> {
        report.games += 1;
        report.plies += game.plies().len() as u64;
        let known = !self.names.insert(name);
        for (number, ply) in game.plies().enumerate() {
            let reason = LeftOut::of(number, ply).or(known.then_some(LeftOut::SecondTime));
            if let Some(reason) = reason {
                *report.left_out.entry(reason).or_default() += 1;
            }
        }
        if known {
            return Ok(());
        }
        let validation = is_held_out(name, self.settings.validation);
        let mut packed = Vec::new();
        let targets = targets::<G>(game, self.settings.scale_or_default(), self.settings.lambda)?;
        for sample in game.replay::<G>(Settings::FILTER)? {
            let Sample { position, ply, .. } = sample?;
            let target = targets.get(ply).copied().unwrap_or_default();
            packed.push(Packed::new(&position, target).of_set(set, game.component.code()));
        }
        report.kept[usize::from(validation)] += packed.len() as u64;
        let record = record(name, &packed);
        self.checksum = self.checksum.wrapping_add(crc32fast::hash(&record));
        if validation {
            self.validation.insert(name, packed);
        } else {
            self.training.push(name, packed.len(), &record)?;
        }
        Ok(())
    }
}

/// Returns whether a game is held out for validation. Apart from `share`, only the game's data set and index
/// decide. Otherwise, an initial network that was trained with other settings might have been trained on the
/// validation games.
fn is_held_out((set, index): GameName, share: f64) -> bool {
    let name = u64::from(set) << 32 | u64::from(index);
    let draw = Rng::new(Rng::new(name).next_u64()).next_u64();
    ((draw >> 11) as f64) < share * (1_u64 << 53) as f64
}
