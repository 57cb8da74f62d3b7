//! What the engine asks of the machine it runs on.

/// The largest hash table offered where the size of the memory is not known, in MiB.
const UNKNOWN_MEMORY: usize = 65_536;

/// The machine's memory in MiB, as far as it can be found out.
pub fn memory_mebibytes() -> usize {
    linux_memory("MemTotal:").unwrap_or(UNKNOWN_MEMORY).max(1)
}

/// How much of it can be had now, in MiB, where that is known. Systems that promise more memory
/// than they have end a program that uses what it was promised, so it is wise to ask first.
pub fn available_mebibytes() -> Option<usize> {
    linux_memory("MemAvailable:")
}

#[cfg(target_os = "linux")]
fn linux_memory(field: &str) -> Option<usize> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with(field))?;
    let kibibytes: usize = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1024)
}

#[cfg(not(target_os = "linux"))]
fn linux_memory(_: &str) -> Option<usize> {
    None
}

/// How the program was built: version, target, and which instructions it uses.
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
        "Aleator {} for {} {}, rustc {} or later\nboards: {boards}\ninstructions: {}\nassertions: {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        env!("CARGO_PKG_RUST_VERSION"),
        if features.is_empty() { "baseline".to_owned() } else { features.join(" ") },
        if cfg!(debug_assertions) { "on" } else { "off" },
    )
}
