//! The machine the engine runs on: memory, the user's data folder, and a description of the build.

use std::collections::TryReserveError;
use std::fs;
use std::path::Path;
#[cfg(feature = "program")]
use std::path::PathBuf;

/// The total memory, in MiB, that is assumed if the real size is unknown.
const UNKNOWN_MEMORY: usize = if cfg!(target_pointer_width = "32") { 1_024 } else { 65_536 };

/// The reason why memory could not be allocated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MemoryError {
    #[error("{needed} MiB of memory are needed, but only {available} MiB are available")]
    Short { needed: usize, available: usize },
    #[error(transparent)]
    Refused(#[from] TryReserveError),
}

/// Returns the folder for the user's saved games: the value of the environment variable `ALEATOR_DATA`,
/// or else `aleator` in the system's data folder, if there is one.
#[cfg(feature = "program")]
pub fn data_folder() -> Option<PathBuf> {
    let named = std::env::var_os("ALEATOR_DATA").filter(|name| !name.is_empty());
    named.map(PathBuf::from).or_else(|| Some(dirs::data_dir()?.join("aleator")))
}

/// Returns the total memory for this program in MiB, or a default if the size is unknown.
pub fn memory_mebibytes() -> usize {
    Memory::of_machine().map_or(UNKNOWN_MEMORY, |memory| memory.total).max(1)
}

/// Returns the memory that is available now, in MiB, or `None` if it is unknown.
pub fn available_mebibytes() -> Option<usize> {
    Some(Memory::of_machine()?.available)
}

/// Returns freed memory to the system if the allocator is glibc, which otherwise keeps the memory of finished
/// threads for reuse.
pub fn return_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `malloc_trim` is thread-safe and only releases memory that is not in use.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Checks that `needed` MiB of memory are available. Succeeds if the available memory is unknown. A system
/// that overcommits memory kills a program that uses more memory than is available, so callers check before
/// large allocations.
pub fn require(needed: usize) -> Result<(), MemoryError> {
    match available_mebibytes() {
        Some(available) if available < needed => Err(MemoryError::Short { needed, available }),
        _ => Ok(()),
    }
}

/// Creates a vector of `count` equal elements; fails if the allocation fails.
pub fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>, TryReserveError> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(count)?;
    elements.resize(count, value);
    Ok(elements)
}

/// Creates an array of equal elements on the heap; fails if the allocation fails.
pub fn boxed<T: Clone, const N: usize>(value: T) -> Result<Box<[T; N]>, TryReserveError> {
    let Ok(array) = filled(N, value)?.into_boxed_slice().try_into() else {
        unreachable!("there are {N} elements");
    };
    Ok(array)
}

/// Memory sizes in MiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Memory {
    total: usize,
    available: usize,
}

impl Memory {
    fn of_machine() -> Option<Memory> {
        #[cfg(any(windows, target_os = "macos"))]
        if let Some(memory) = Memory::by_sysinfo() {
            return Some(memory);
        }
        Memory::of(Path::new("/"))
    }

    #[cfg(any(windows, target_os = "macos"))]
    fn by_sysinfo() -> Option<Memory> {
        let mut system = sysinfo::System::new().ok()?;
        system.refresh_memory_specifics(sysinfo::MemoryRefreshKind::nothing().with_ram());
        let [total, available] = [system.total_memory(), system.available_memory()].map(mebibytes);
        (total > 0).then_some(Memory { total, available })
    }

    /// Reads the memory sizes that Linux reports in files below `root`, which is `/` except in tests. These
    /// are the sizes of the machine, or the limits of this process's control group if the limits are lower.
    /// Returns `None` on other systems.
    fn of(root: &Path) -> Option<Memory> {
        let info = fs::read_to_string(root.join("proc/meminfo")).ok()?;
        let field = |name| Some(number_after(&info, name)? / 1024);
        let mut memory = Memory { total: field("MemTotal:")?, available: field("MemAvailable:")? };
        let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
        for group in groups.lines() {
            // A line has the form `hierarchy:controllers:path`. The controllers are empty for cgroup v2.
            let mut fields = group.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
            if controllers.is_empty() {
                memory.bound_by(&root.join("sys/fs/cgroup"), path, &CGROUP_V2);
            } else if controllers.split(',').any(|controller| controller == "memory") {
                memory.bound_by(&root.join("sys/fs/cgroup/memory"), path, &CGROUP_V1);
            }
        }
        Some(memory)
    }

    /// Applies the limits of a control group and its ancestors. In a container, the path may be valid only on
    /// the host. In this case only the root of the hierarchy exists.
    fn bound_by(&mut self, hierarchy: &Path, path: &str, files: &GroupFiles) {
        for path in Path::new(path.trim_start_matches('/')).ancestors() {
            let folder = hierarchy.join(path);
            let read = |file| fs::read_to_string(folder.join(file)).ok();
            let bytes = |file| read(file)?.trim().parse::<u64>().ok();
            // "max", which means no limit, is not a number. A folder without the file is not a control group.
            let Some(limit) = bytes(files.limit) else { continue };
            // The file cache does not count as used, because the system reclaims it when memory runs short.
            let stat = read("memory.stat").unwrap_or_default();
            let cached = number_after(&stat, files.cached).unwrap_or(0) as u64;
            let used = bytes(files.used).unwrap_or(0).saturating_sub(cached);
            self.total = self.total.min(mebibytes(limit));
            self.available = self.available.min(mebibytes(limit.saturating_sub(used)));
        }
    }
}

/// The names of the files in which a control group reports numbers of bytes.
struct GroupFiles {
    limit: &'static str,
    used: &'static str,
    /// The name of the line in `memory.stat` that reports the file cache.
    cached: &'static str,
}

const CGROUP_V1: GroupFiles = GroupFiles {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cached: "total_inactive_file ",
};
const CGROUP_V2: GroupFiles =
    GroupFiles { limit: "memory.max", used: "memory.current", cached: "inactive_file " };

fn mebibytes(bytes: u64) -> usize {
    usize::try_from(bytes >> 20).unwrap_or(usize::MAX)
}

/// Returns the number after `name` in the first line that begins with `name`.
fn number_after(text: &str, name: &str) -> Option<usize> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_ascii_whitespace().next()?.parse().ok()
}

/// Describes the build: version, target, boards, and the required instruction sets.
pub fn build_description() -> String {
    let mut features = Vec::new();
    for (name, present) in [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512bw", cfg!(target_feature = "avx512bw")),
    ] {
        if present {
            features.push(name);
        }
    }
    let boards = if cfg!(feature = "board10x10") { "8x8, 10x10" } else { "8x8" };
    format!(
        "{} for {} {}, rustc {} or later\nboards: {boards}\ninstructions: {}\nassertions: {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        env!("CARGO_PKG_RUST_VERSION"),
        if features.is_empty() { "baseline".to_owned() } else { features.join(" ") },
        if cfg!(debug_assertions) { "on" } else { "off" },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMINFO: &str = "MemTotal:       8388608 kB\nMemFree: 1 kB\nMemAvailable: 4194304 kB\n";

    /// Reads the memory sizes from a temporary folder that contains these files.
    fn memory(files: &[(&str, &str)]) -> Option<Memory> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Memory::of(root.path())
    }

    #[test]
    fn without_a_limit_the_machine_has_its_whole_memory() {
        let whole = Some(Memory { total: 8192, available: 4096 });
        assert_eq!(memory(&[("proc/meminfo", MEMINFO)]), whole);
        assert_eq!(memory(&[]), None);
        // The root of the hierarchy has no limit file, and "max" means no limit.
        let group = ("proc/self/cgroup", "0::/user.slice\n");
        let limit = ("sys/fs/cgroup/user.slice/memory.max", "max\n");
        assert_eq!(memory(&[("proc/meminfo", MEMINFO), group, limit]), whole);
    }

    #[test]
    fn cgroup_v2_applies_the_lowest_limit_of_all_ancestors() {
        let found = memory(&[
            ("proc/meminfo", MEMINFO),
            ("proc/self/cgroup", "0::/outer/inner\n"),
            ("sys/fs/cgroup/outer/memory.max", "536870912\n"),
            ("sys/fs/cgroup/outer/memory.current", "314572800\n"),
            ("sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 104857600\n"),
            ("sys/fs/cgroup/outer/inner/memory.max", "1073741824\n"),
            ("sys/fs/cgroup/outer/inner/memory.current", "1048576\n"),
        ]);
        assert_eq!(found, Some(Memory { total: 512, available: 312 }));
    }

    #[test]
    fn cgroup_v1_in_a_container_applies_the_limit_of_the_root() {
        let found = memory(&[
            ("proc/meminfo", MEMINFO),
            ("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/1234\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "209715200\n"),
            ("sys/fs/cgroup/memory/memory.stat", "inactive_file 9\ntotal_inactive_file 0\n"),
        ]);
        assert_eq!(found, Some(Memory { total: 512, available: 312 }));
    }

    #[test]
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    fn requiring_too_much_memory_fails_with_a_reason() {
        let error = require(usize::MAX).expect_err("the available memory is known");
        assert!(error.to_string().contains("MiB are available"), "{error}");
        assert!(filled(usize::MAX, 0_u64).is_err());
    }
}
