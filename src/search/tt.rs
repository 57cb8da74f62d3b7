//! The transposition table, which holds the results of earlier searches of a position and is shared by all
//! threads.
//!
//! An entry is two atomic words: the data, and the key XOR the data. The words of a half-written entry do not
//! match, so a reader treats the entry as an entry of another position (Hyatt and Mann, "A lockless
//! transposition table implementation for parallel search", 2002). All accesses are relaxed atomic
//! operations, without data races or locks. If two positions share a key, the move of an entry may be
//! illegal, so callers check the move.

#[cfg(not(any(loom, shuttle)))]
use std::alloc::{Layout, alloc_zeroed};

use rayon::prelude::*;

use crate::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use crate::system::{self, MemoryError};
use crate::types::score::{NONE, TABLEBASE_BOUND};
use crate::types::{Bound, Value, Window};

/// The number of generations. The generation counter wraps around at this number.
const GENERATIONS: u8 = 32;

/// The number of slots in a bucket. A bucket fills one cache line.
const BUCKET: usize = 4;
/// The size of a cache line in bytes.
const CACHE_LINE: usize = 64;

#[derive(Default)]
#[repr(align(16))]
struct Slot {
    /// Key XOR data.
    check: AtomicU64,
    data: AtomicU64,
}

/// The maximum size of the table of a mate search, in MiB.
const MATE_MEBIBYTES: usize = 256;

/// An entry of the table, unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// The bits of the best move, or 0 if there is no move. The move may be illegal.
    pub mv: u16,
    /// The value for the side to move. Mate distances count from the root. [`NONE`] if the entry has no
    /// bound.
    pub value: Value,
    /// The static evaluation before 50-move scaling and correction history, or [`NONE`].
    pub eval: Value,
    pub depth: i32,
    /// The kind of value, or `None` if the entry holds only a static evaluation.
    pub bound: Option<Bound>,
    /// Whether the position is or was in a principal variation.
    pub pv: bool,
}

impl TableEntry {
    /// Creates an entry that holds only a static evaluation.
    pub fn evaluation(eval: Value, pv: bool) -> TableEntry {
        TableEntry { mv: 0, value: NONE, eval, depth: 0, bound: None, pv }
    }

    /// Packs the entry: move 16 bits, value 16, evaluation 16, depth 8, generation 5, pv 1, bound 2.
    fn pack(self, generation: u8) -> u64 {
        u64::from(self.mv)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.eval as i16 as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(generation) << 56
            | u64::from(self.pv) << 61
            | self.bound.map_or(0, |bound| bound as u64) << 62
    }

    /// Unpacks an entry. Returns `None` for 0, the data of a slot that was never written. No written entry
    /// is 0, because entries without a bound have the value [`NONE`].
    fn unpack(data: u64) -> Option<TableEntry> {
        if data == 0 {
            return None;
        }
        let bound = match data >> 62 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        };
        Some(TableEntry {
            mv: data as u16,
            value: Value::from((data >> 16) as i16),
            eval: Value::from((data >> 32) as i16),
            depth: i32::from((data >> 48) as u8),
            bound,
            pv: data >> 61 & 1 == 1,
        })
    }

    /// Returns whether the entry causes a cutoff in a search of this depth and window.
    #[inline(always)]
    pub fn settles(&self, depth: i32, window: Window) -> bool {
        self.depth >= depth
            && match self.bound {
                None => false,
                Some(Bound::Exact) => true,
                Some(Bound::Lower) => self.value >= window.beta,
                Some(Bound::Upper) => self.value <= window.alpha,
            }
    }

    /// Returns the stored value if its bound makes it more accurate than a static evaluation, otherwise the
    /// static evaluation.
    #[inline(always)]
    pub fn improve(&self, eval: Value) -> Value {
        let is_better = self.bound.is_some_and(|bound| bound.betters(self.value, eval));
        if is_better { self.value } else { eval }
    }
}

fn generation_of(data: u64) -> u8 {
    (data >> 56) as u8 % GENERATIONS
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

/// Returns whether the data of a slot is the result of a search, and not just a static evaluation or an
/// empty slot.
fn is_result(data: u64) -> bool {
    data >> 62 != 0
}

/// A hash table of search results.
pub struct TranspositionTable {
    /// The buckets, with some spare slots before and after them for alignment.
    slots: Vec<Slot>,
    /// The index of the first slot that is aligned to a cache line. The first bucket begins there.
    first: usize,
    buckets: usize,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// Creates an empty table of `mebibytes` MiB; fails if the allocation fails.
    pub fn new(mebibytes: usize) -> Result<Self, MemoryError> {
        let mut slots = empty_slots(mebibytes)?;
        advise_huge_pages(&mut slots);
        Ok(TranspositionTable::of(slots))
    }

    /// Creates a table from slots. The slots must suffice for two buckets.
    fn of(slots: Vec<Slot>) -> TranspositionTable {
        // The model checkers' atomics (`engine-tests/races`) have other sizes, so alignment may fail.
        let offset = slots.as_ptr().align_offset(CACHE_LINE);
        let first = if offset < BUCKET { offset } else { 0 };
        let buckets = (slots.len() - first) / BUCKET;
        TranspositionTable { slots, first, buckets, generation: AtomicU8::new(0) }
    }

    /// Creates an empty table that a mate search uses instead of this table. Each line of a mate search
    /// ends at the length of the mate, so the results are useless to other searches. The results of other
    /// searches would contain mates that are too long.
    pub fn for_mates(&self) -> TranspositionTable {
        let most = self.mebibytes().min(MATE_MEBIBYTES);
        let mut sizes = std::iter::successors(Some(most), |size| (*size > 1).then_some(size / 2));
        // The table gets no huge pages, because zeroing huge pages takes too long for a short search.
        let slots = sizes.find_map(|size| empty_slots(size).ok());
        Self::of(slots.unwrap_or_else(|| (0..2 * BUCKET).map(|_| Slot::default()).collect()))
    }

    /// Returns the size in MiB.
    pub fn mebibytes(&self) -> usize {
        size_of_val(self.used()) >> 20
    }

    /// Returns the slots of all buckets.
    fn used(&self) -> &[Slot] {
        &self.slots[self.first..][..self.buckets * BUCKET]
    }

    /// Clears the table. If called on a thread of a pool, all threads of the pool help.
    pub fn clear(&self) {
        self.generation.store(0, Relaxed);
        let clear = |slot: &Slot| {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        };
        match rayon::current_thread_index() {
            Some(_) => self.used().par_chunks(1 << 16).for_each(|some| some.iter().for_each(clear)),
            // Rayon's global pool is not used, because it may fail to start if threads are scarce.
            None => self.used().iter().for_each(clear),
        }
    }

    /// Starts a new generation for a new search. Older entries are replaced first.
    pub fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[Slot] {
        // Lemire's reduction: the high bits of the key choose the bucket, for any size of the table.
        let index = (u128::from(key) * self.buckets as u128) >> 64;
        let begin = self.first + index as usize * BUCKET;
        &self.slots[begin..begin + BUCKET]
    }

    /// Prefetches the bucket of a key.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket(key).as_ptr();
            // SAFETY: a prefetch reads nothing and never traps. The address is that of a live bucket.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(target_arch = "aarch64")]
        {
            let bucket = self.bucket(key).as_ptr();
            // SAFETY: a prefetch reads nothing and never traps. The intrinsic is not stable yet.
            unsafe {
                std::arch::asm!(
                    "prfm pldl1keep, [{}]", in(reg) bucket,
                    options(readonly, nostack, preserves_flags),
                );
            }
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = key;
    }

    /// Returns the entry of the position with this key. `ply` is the node's distance from the root. Mate
    /// distances are stored relative to the node and returned relative to the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        for slot in self.bucket(key) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                let mut entry = TableEntry::unpack(data)?;
                entry.value = from_above(entry.value, ply as Value);
                return Some(entry);
            }
        }
        None
    }

    /// Stores an entry. If the new entry has no move, the stored move of the position is kept. A stored
    /// result of the same search that is more than four plies deeper is kept, unless the new result is exact.
    /// An entry with only a static evaluation replaces no result of the same position and no result of the
    /// current search.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: TableEntry) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        let mut victim = &bucket[0];
        let mut replaced = u64::MAX;
        let mut lowest = i32::MAX;
        for slot in bucket {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                let shallower = entry.depth + 4 < depth_of(data);
                let keep = match entry.bound {
                    None => is_result(data),
                    Some(Bound::Exact) => false,
                    Some(_) => shallower && generation_of(data) == generation,
                };
                if keep {
                    return;
                }
                if entry.mv == 0 {
                    entry.mv = data as u16;
                }
                (victim, replaced) = (slot, 0);
                break;
            }
            // Replace old entries, shallow entries and entries with only a static evaluation first. One
            // generation of age counts as eight plies of depth.
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            let priority = match data {
                0 => i32::MIN,
                _ => depth_of(data) - 8 * i32::from(age) - i32::from(!is_result(data)),
            };
            if priority < lowest {
                lowest = priority;
                (victim, replaced) = (slot, data);
            }
        }
        if entry.bound.is_none() && is_result(replaced) && generation_of(replaced) == generation {
            return;
        }
        entry.value = from_above(entry.value, -(ply as Value));
        let data = entry.pack(generation);
        victim.check.store(key ^ data, Relaxed);
        victim.data.store(data, Relaxed);
    }

    /// Returns how full the table is with results of the current search, in thousandths. Static
    /// evaluations do not count, because results replace them.
    pub fn hash_full(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.used()[..self.buckets.min(250) * BUCKET];
        let used = sample
            .iter()
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| is_result(data) && generation_of(data) == generation)
            .count();
        (used * 1000 / sample.len()) as u32
    }
}

/// Allocates the empty slots of a table of `mebibytes` MiB, and some spare slots so that buckets can be
/// aligned to cache lines.
fn empty_slots(mebibytes: usize) -> Result<Vec<Slot>, MemoryError> {
    system::require(mebibytes)?;
    // The allocator rejects sizes that are too large.
    let count = mebibytes.max(1).saturating_mul((1 << 20) / size_of::<Slot>());
    let count = count.saturating_add(BUCKET - 1);
    #[cfg(not(any(loom, shuttle)))]
    if let Some(slots) = zeroed_slots(count) {
        return Ok(slots);
    }
    let mut slots = Vec::new();
    slots.try_reserve_exact(count)?;
    slots.resize_with(count, Slot::default);
    Ok(slots)
}

/// Allocates empty slots; returns `None` if the allocation fails. The system zeroes large blocks lazily,
/// page by page on first use, whereas writing 8 GiB would take a second or more.
#[cfg(not(any(loom, shuttle)))]
fn zeroed_slots(count: usize) -> Option<Vec<Slot>> {
    let layout = Layout::array::<Slot>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout is not empty and is that of a vector with this capacity, which uses the same
    // (global) allocator. A slot is two atomic integers, for which all bit patterns are valid; all zeros
    // is an empty slot. A null pointer is never used.
    unsafe {
        let start = alloc_zeroed(layout).cast::<Slot>();
        (!start.is_null()).then(|| Vec::from_raw_parts(start, count, count))
    }
}

/// Asks Linux to use pages of 2 MiB for memory that has not been used yet. Probes are random, so with pages
/// of 4 KiB nearly every probe would cause a TLB miss too. The call has no effect on other systems or if
/// the kernel declines.
fn advise_huge_pages(memory: &mut [Slot]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let start = memory.as_mut_ptr() as usize;
        let end = start + size_of_val(memory);
        let first = start.next_multiple_of(PAGE);
        if first < end {
            // SAFETY: the range lies within an allocation that we borrow mutably. This advice changes
            // neither its contents nor its access rights.
            unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// Converts a value for a node `plies` plies nearer to the root, where mates and tablebase wins are `plies`
/// plies farther away.
fn from_above(value: Value, plies: Value) -> Value {
    match value {
        NONE => NONE,
        _ if value >= TABLEBASE_BOUND => value - plies,
        _ if value <= -TABLEBASE_BOUND => value + plies,
        _ => value,
    }
}

#[cfg(all(test, loom))]
#[path = "../../engine-tests/races/tt.rs"]
mod races;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{MATE, MAX_EVAL, TABLEBASE_WIN};

    fn entry(mv: u16, value: Value, depth: i32, bound: Bound) -> TableEntry {
        TableEntry { mv, value, eval: -17, depth, bound: Some(bound), pv: true }
    }

    #[test]
    fn stored_entries_are_found_unchanged() {
        let table = TranspositionTable::new(1).unwrap();
        for (i, bound) in [Bound::Upper, Bound::Lower, Bound::Exact].into_iter().enumerate() {
            let key = 0x1234_5678_9abc_def0 ^ (i as u64);
            for value in [0, -1, 321, MATE - 7, -(MATE - 8)] {
                let stored = entry(4711, value, 12, bound);
                table.store(key, 3, stored);
                assert_eq!(table.probe(key, 3), Some(stored));
            }
        }
        assert_eq!(table.probe(99, 0), None);
        table.clear();
        assert_eq!(table.probe(0x1234_5678_9abc_def0, 3), None);
    }

    #[test]
    fn impossible_sizes_are_rejected() {
        for mebibytes in [usize::MAX, 1 << 44, (1 << 44) + 1, 1 << 50] {
            assert!(TranspositionTable::new(mebibytes).is_err(), "{mebibytes} MiB");
        }
    }

    #[test]
    fn a_new_table_is_empty_and_its_buckets_are_aligned() {
        let smallest = || TranspositionTable::of((0..8).map(|_| Slot::default()).collect());
        for table in [TranspositionTable::new(3).unwrap(), smallest()] {
            assert!(table.used().iter().all(|slot| slot.data.load(Relaxed) == 0));
            for key in [0, u64::MAX / 3, u64::MAX] {
                assert!(table.bucket(key).as_ptr().addr().is_multiple_of(CACHE_LINE));
                assert_eq!(table.bucket(key).len(), BUCKET);
                table.store(key, 0, entry(1, 0, 5, Bound::Exact));
                assert!(table.probe(key, 0).is_some());
            }
        }
    }

    #[test]
    fn the_table_of_a_mate_search_is_empty_and_no_larger() {
        let table = TranspositionTable::new(2).unwrap();
        table.store(7, 0, entry(1, 0, 5, Bound::Exact));
        let mates = table.for_mates();
        assert_eq!((mates.probe(7, 0), mates.mebibytes()), (None, 2));
        assert!(table.probe(7, 0).is_some());
    }

    #[test]
    fn mates_count_from_the_node() {
        let table = TranspositionTable::new(1).unwrap();
        // A mate nine plies from the root, stored at ply 4, is five plies from the node. Other values do
        // not depend on the ply.
        for (value, seen) in [
            (MATE - 9, MATE - 7),
            (9 - MATE, 7 - MATE),
            (TABLEBASE_WIN - 9, TABLEBASE_WIN - 7),
            (9 - TABLEBASE_WIN, 7 - TABLEBASE_WIN),
            (NONE, NONE),
            (MAX_EVAL, MAX_EVAL),
            (-MAX_EVAL, -MAX_EVAL),
        ] {
            table.store(7, 4, entry(1, value, 5, Bound::Exact));
            assert_eq!(table.probe(7, 2).map(|entry| entry.value), Some(seen));
        }
    }

    #[test]
    fn a_deeper_result_of_the_same_search_is_kept() {
        let table = TranspositionTable::new(1).unwrap();
        let depth = |depth, bound| {
            table.store(7, 0, entry(1, 0, depth, bound));
            table.probe(7, 0).unwrap().depth
        };
        assert_eq!(depth(20, Bound::Lower), 20);
        assert_eq!(depth(15, Bound::Lower), 20);
        assert_eq!(depth(16, Bound::Upper), 16, "a result that is nearly as deep is stored");
        assert_eq!(depth(3, Bound::Exact), 3);
        assert_eq!(depth(20, Bound::Lower), 20);
        table.age();
        assert_eq!(depth(3, Bound::Lower), 3, "a later search replaces deeper results");
    }

    #[test]
    fn cutoffs_depend_on_depth_and_bound() {
        let window = Window { alpha: 10, beta: 20 };
        for (bound, value, settled) in [
            (Bound::Exact, 15, true),
            (Bound::Lower, 19, false),
            (Bound::Lower, 20, true),
            (Bound::Upper, 11, false),
            (Bound::Upper, 10, true),
        ] {
            let entry = entry(1, value, 8, bound);
            assert_eq!(entry.settles(8, window), settled, "{entry:?}");
            assert_eq!(entry.settles(7, window), settled, "{entry:?}");
            assert!(!entry.settles(9, window), "{entry:?}");
        }
    }

    #[test]
    fn bounds_improve_the_evaluation() {
        let improved = |bound, eval| entry(1, 100, 8, bound).improve(eval);
        assert_eq!([50, 150].map(|eval| improved(Bound::Exact, eval)), [100, 100]);
        assert_eq!([50, 150].map(|eval| improved(Bound::Lower, eval)), [100, 150]);
        assert_eq!([50, 150].map(|eval| improved(Bound::Upper, eval)), [50, 100]);
    }

    #[test]
    fn a_result_without_a_move_keeps_the_stored_move() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(7, 0, entry(99, 10, 5, Bound::Exact));
        table.store(7, 0, entry(0, 20, 6, Bound::Upper));
        let found = table.probe(7, 0).unwrap();
        assert_eq!((found.mv, found.value), (99, 20));
    }

    #[test]
    fn old_entries_are_replaced_first() {
        let table = TranspositionTable::new(1).unwrap();
        // Keys of the same bucket differ in the low bits only.
        for key in 1..=4 {
            table.store(key, 0, entry(1, 0, 30, Bound::Exact));
        }
        table.age();
        for key in 5..=8 {
            table.store(key, 0, entry(1, 0, 28, Bound::Exact));
        }
        // The four results of the new search have replaced the four old ones.
        let kept = |keys: std::ops::RangeInclusive<u64>| {
            keys.filter(|&key| table.probe(key, 0).is_some()).count()
        };
        assert_eq!((kept(1..=4), kept(5..=8)), (0, 4));
        table.store(9, 0, entry(1, 0, 1, Bound::Upper));
        assert!(table.probe(9, 0).is_some(), "the newest entry is always kept");
        assert_eq!(kept(5..=8), 3);
    }

    #[test]
    fn shallow_entries_are_replaced_first() {
        let table = TranspositionTable::new(1).unwrap();
        for (key, depth) in [(1, 10), (2, 3), (3, 8), (4, 7), (5, 9)] {
            table.store(key, 0, entry(1, 0, depth, Bound::Exact));
        }
        let kept: Vec<u64> = (1..=5).filter(|&key| table.probe(key, 0).is_some()).collect();
        assert_eq!(kept, [1, 3, 4, 5]);
    }

    /// Stores entries in 100 generations, so that the five bits of the generation counter wrap around.
    #[test]
    fn the_oldest_of_many_generations_is_replaced_first() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 1..=100 {
            let stored = TableEntry { pv: false, ..entry(1, 0, 5, Bound::Exact) };
            table.store(key, 0, stored);
            assert_eq!(table.probe(key, 0), Some(stored));
            let kept = (1..=key).filter(|&key| table.probe(key, 0).is_some());
            assert!(kept.eq(key.max(4) - 3..=key), "of {key} entries, the last four must be kept");
            table.age();
        }
    }

    #[test]
    fn a_table_has_the_requested_size_and_threads_clear_all_of_it() {
        let table = TranspositionTable::new(3).unwrap();
        assert_eq!(table.mebibytes(), 3);
        let keys = || (0..64).map(|number| number << 58);
        keys().for_each(|key| table.store(key, 0, entry(1, 0, 5, Bound::Exact)));
        assert!(keys().all(|key| table.probe(key, 0).is_some()));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        threads.install(|| table.clear());
        assert!(keys().all(|key| table.probe(key, 0).is_none()));
    }

    #[test]
    fn hashfull_counts_the_entries_of_this_search() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.hash_full(), 0);
        // Fills every bucket of the sample. The high 14 bits choose one of 2^14 buckets.
        let keys = || (0..250_u64).flat_map(|bucket| (1..=4).map(move |low| bucket << 50 | low));
        for key in keys().take(500) {
            table.store(key, 0, entry(1, 0, 5, Bound::Exact));
        }
        assert_eq!(table.hash_full(), 500);
        for key in keys() {
            table.store(key, 0, entry(1, 0, 5, Bound::Exact));
        }
        assert_eq!(table.hash_full(), 1000);
        table.age();
        assert_eq!(table.hash_full(), 0);
    }
}
