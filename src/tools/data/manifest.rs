//! The manifest of a data set: how the games were generated, and how many there are.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use serde::{Deserialize, Serialize};

use super::DataError;
use super::filter::Filter;
use super::game::StoredGame;
use super::settings::DatagenSettings;
use crate::files::{IfExists, NewFile};
use crate::game::Outcome;
use crate::tools::shard::Shard;

/// Describes how a data set was generated, and what it contains.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the manifest format.
    pub manifest: u32,
    /// The name and version of the program that wrote the manifest.
    pub program: String,
    /// The commit that the program was built from, or `None` if unknown at build time.
    pub commit: Option<String>,
    /// The board of all games: `8x8` or `10x10`.
    pub board: String,
    pub origin: Origin,
    /// The shard of a data set that the file contains, or `None` if the file contains the whole data set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
    pub counts: Counts,
}

/// A shard of a data set, and the number of games in the whole data set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Share {
    pub shard: Shard,
    /// The number of games in all shards of the data set together.
    pub games: u32,
}

/// Where the games of a data set come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The games were generated with these settings. `set` is the hash that identifies the data set, and
    /// `identity` the fingerprint of the program.
    Datagen { set: u32, identity: Identity, settings: DatagenSettings },
    /// The games were merged from these files, in this order.
    Merge { sources: Vec<Source> },
    /// The games were shuffled with this seed. After several shuffles, this is the seed of the last one.
    Shuffle { seed: u64, sources: Vec<Source> },
}

/// A file that games were copied from. Datagen wrote this file, or the file has no manifest. For files that
/// were merged or shuffled before, the manifest lists their own sources instead, so that manifests stay flat.
/// Readers also accept nested lists.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    pub file: String,
    /// The manifest of the file, if the file had one.
    pub manifest: Option<Manifest>,
}

/// A fingerprint of the program's evaluation and search, computed on a few positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// The hash of the network.
    pub network: u32,
    /// The checksum of the evaluations of fixed positions.
    pub evaluation: u32,
    /// The checksum of the results of small searches from fixed positions.
    pub search: u32,
}

/// Numbers of games and plies in a data set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    pub games: u64,
    /// The number of plies, including the random ones.
    pub plies: u64,
    /// The number of plies that a filter keeps for training. In a manifest, the filter is
    /// [`Filter::default`].
    pub kept: u64,
    pub white_wins: u64,
    pub draws: u64,
    pub black_wins: u64,
}

impl Counts {
    /// Adds a game to the counts. `filter` decides which plies count as kept.
    pub fn add(&mut self, game: &StoredGame, filter: Filter) {
        self.games += 1;
        self.plies += game.plies().len() as u64;
        self.kept += game.kept(filter).count() as u64;
        match game.outcome() {
            Outcome::WhiteWins => self.white_wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::BlackWins => self.black_wins += 1,
        }
    }
}

impl Manifest {
    /// The current version of the manifest format.
    const VERSION: u32 = 1;

    /// Creates the manifest of an empty data set by this program.
    pub fn new(board: &str, origin: Origin) -> Manifest {
        Manifest {
            manifest: Manifest::VERSION,
            program: concat!("aleator ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: option_env!("ALEATOR_COMMIT").filter(|text| !text.is_empty()).map(Into::into),
            board: board.to_owned(),
            origin,
            share: None,
            counts: Counts::default(),
        }
    }

    /// Returns the path of the manifest for a file of games. The manifest of `games.bin` is
    /// `games.manifest.json`.
    pub fn path_of(games: &Path) -> PathBuf {
        games.with_extension("manifest.json")
    }

    /// Reads a manifest. The error distinguishes a manifest in a newer format from a file that is not a
    /// manifest.
    pub fn read(path: &Path) -> Result<Manifest, DataError> {
        #[derive(Deserialize)]
        struct Version {
            manifest: u32,
        }
        let text = fs::read_to_string(path)
            .map_err(|error| DataError::Read { path: path.to_owned(), error })?;
        let damaged = |error| DataError::Manifest { path: path.to_owned(), error };
        let Version { manifest: version } = serde_json::from_str(&text).map_err(damaged)?;
        if version != Manifest::VERSION {
            let (path, known) = (path.to_owned(), Manifest::VERSION);
            return Err(DataError::Version { path, version, known });
        }
        serde_json::from_str(&text).map_err(damaged)
    }

    /// Reads the manifest of a file of games. Returns `None` if there is no manifest.
    pub fn of_games(games: &Path) -> Result<Option<Manifest>, DataError> {
        let path = Manifest::path_of(games);
        path.exists().then(|| Manifest::read(&path)).transpose()
    }

    /// Writes the manifest. An old manifest at the path is replaced atomically.
    pub fn write(&self, path: &Path) -> Result<(), DataError> {
        self.write_to(NewFile::create(path, IfExists::Replace)?)
    }

    /// Writes the manifest to a newly created file and finishes the file.
    pub fn write_to(&self, mut file: NewFile) -> Result<(), DataError> {
        let written = serde_json::to_writer_pretty(&mut file, self).map_err(Into::into);
        written.and_then(|()| writeln!(file)).map_err(|error| file.failed(error))?;
        Ok(file.finish()?)
    }

    /// Returns the settings of the data set with the hash `wanted`, from this manifest or from the manifests
    /// of its sources.
    pub fn settings_of(&self, wanted: u32) -> Option<&DatagenSettings> {
        match &self.origin {
            Origin::Datagen { set, settings, .. } => (*set == wanted).then_some(settings),
            Origin::Merge { sources } | Origin::Shuffle { sources, .. } => sources
                .iter()
                .filter_map(|source| source.manifest.as_ref())
                .find_map(|manifest| manifest.settings_of(wanted)),
        }
    }
}

impl Share {
    /// Returns the indices of the games in this shard.
    pub fn range(self) -> Range<u32> {
        let range = self.shard.range(self.games.into());
        // Both numbers are at most the number of games, so they fit into a `u32`.
        range.start as u32..range.end as u32
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} of {} games", self.shard, self.games)
    }
}

impl Source {
    /// Returns the original sources of some files. A source that several files share is listed once.
    pub(super) fn of_files(files: &[PathBuf]) -> Result<Vec<Source>, DataError> {
        let mut sources = Vec::new();
        for path in files {
            let file = path.display().to_string();
            Source { file, manifest: Manifest::of_games(path)? }.flatten(&mut sources);
        }
        Ok(sources)
    }

    fn flatten(&self, into: &mut Vec<Source>) {
        match &self.manifest {
            Some(Manifest {
                origin: Origin::Merge { sources } | Origin::Shuffle { sources, .. },
                ..
            }) => {
                sources.iter().for_each(|source| source.flatten(into));
            }
            _ if into.contains(self) => {}
            _ => into.push(self.clone()),
        }
    }
}

impl Identity {
    /// Returns the hash that identifies the data set generated with these settings.
    pub fn set(&self, settings: &DatagenSettings) -> u32 {
        // Serialising plain numbers and names cannot fail, so the default is never used.
        let text = serde_json::to_vec(&(self, settings)).unwrap_or_default();
        crc32fast::hash(&text)
    }
}

/// Describes how the settings or the programs that generated two data sets differ.
pub(in crate::tools) fn differences(
    then: (&Identity, &DatagenSettings),
    now: (&Identity, &DatagenSettings),
) -> Vec<String> {
    let fields = |(identity, settings): (&Identity, &DatagenSettings)| {
        let both = [serde_json::to_value(settings), serde_json::to_value(identity)];
        let objects = both.into_iter().filter_map(|value| match value {
            Ok(serde_json::Value::Object(object)) => Some(object),
            _ => None, // unreachable, because both values are objects
        });
        objects.flatten().collect::<Vec<_>>()
    };
    fields(then)
        .into_iter()
        .zip(fields(now))
        .filter(|((_, then), (_, now))| then != now)
        .map(|((name, then), (_, now))| {
            format!("{} was {then} and is now {now}", name.replace('_', "-"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: Identity = Identity { network: 3, evaluation: 1, search: 2 };

    #[test]
    fn differences_name_each_changed_setting() {
        let (a, b) = (
            DatagenSettings::default(),
            DatagenSettings { hard_nodes: 9_000, ..DatagenSettings::default() },
        );
        let identity = Identity { search: 3, ..IDENTITY };
        assert_eq!(differences((&IDENTITY, &a), (&IDENTITY, &a)), [""; 0]);
        let found = differences((&IDENTITY, &a), (&identity, &b));
        assert_eq!(found, ["hard-nodes was 3200 and is now 9000", "search was 2 and is now 3"]);
        assert_ne!(IDENTITY.set(&a), IDENTITY.set(&b));
        assert_ne!(IDENTITY.set(&a), identity.set(&a));
    }

    #[test]
    fn a_later_format_is_distinguished_from_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.manifest.json");
        let origin = Origin::Merge { sources: Vec::new() };
        let ours = Manifest::new("8x8", origin);
        ours.write(&path).unwrap();
        assert_eq!(Manifest::read(&path).unwrap(), ours);
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            Manifest::read(&path).unwrap_err().to_string()
        };
        assert!(read(r#"{"manifest": 2, "new": "field"}"#).contains("has format 2"));
        assert!(read(r#"{"manifest": 1}"#).contains("is not a manifest"));
        assert!(read("text").contains("is not a manifest"));
    }

    #[test]
    fn settings_are_found_through_merges() {
        let settings = DatagenSettings { seed: 77, ..DatagenSettings::default() };
        let origin = Origin::Datagen { set: 5, identity: IDENTITY, settings: settings.clone() };
        let inner = Manifest::new("8x8", origin);
        let source = |manifest| Source { file: "a.bin".to_owned(), manifest };
        let sources = vec![source(None), source(Some(inner))];
        let merged = Manifest::new("8x8", Origin::Merge { sources });
        assert_eq!(merged.settings_of(5), Some(&settings));
        assert_eq!(merged.settings_of(6), None);
        let text = serde_json::to_string(&merged).unwrap();
        assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), merged);
    }
}
