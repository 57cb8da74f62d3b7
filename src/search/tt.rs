//! The transposition table: what earlier visits of a position found out, shared by all threads.
//!
//! An entry is two atomic words: the data, and the key XOR the data. A reader that catches an
//! entry half written sees words that do not belong together and takes it for another position's
//! (Hyatt and Mann, "A lockless transposition table implementation for parallel search", 2002).
//! All accesses are relaxed: there is no data race and no lock. The move of an entry may still be
//! illegal where two positions share a key, so it is checked before it is played.

#[cfg(not(any(loom, shuttle)))]
use std::alloc::{Layout, alloc_zeroed};

use rayon::prelude::*;

use super::report::Bound;
use super::window::Window;
use crate::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use crate::system::{self, MemoryError};
use crate::types::Value;
use crate::types::score::{NONE, TABLEBASE_BOUND};

/// Generations are counted modulo this.
const GENERATIONS: u8 = 32;

/// Slots that share a cache line, and its size.
const BUCKET: usize = 4;
const CACHE_LINE: usize = 64;

#[derive(Default)]
#[repr(align(16))]
struct Slot {
    /// Key XOR data.
    check: AtomicU64,
    data: AtomicU64,
}

/// Most memory of a search for a mate, in MiB.
const MATE_MEBIBYTES: usize = 256;

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// Bits of the best move, 0 if none is known; not checked for legality.
    pub mv: u16,
    /// From the point of view of the node that stored it; mates count from there. [`NONE`] without
    /// a bound.
    pub value: Value,
    /// The static evaluation, before it fades with the halfmove clock and is corrected, or [`NONE`].
    pub eval: Value,
    pub depth: i32,
    /// What the value is; `None` if the entry is no result of a search, but an evaluation alone.
    pub bound: Option<Bound>,
    /// Whether the position was once in a principal variation.
    pub pv: bool,
}

impl TableEntry {
    /// The static evaluation of a position, and no result of a search.
    pub fn evaluation(eval: Value, pv: bool) -> TableEntry {
        TableEntry { mv: 0, value: NONE, eval, depth: 0, bound: None, pv }
    }

    /// Packs: move 16, value 16, evaluation 16, depth 8, generation 5, pv 1, bound 2.
    fn pack(self, generation: u8) -> u64 {
        u64::from(self.mv)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.eval as i16 as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(generation) << 56
            | u64::from(self.pv) << 61
            | self.bound.map_or(0, |bound| bound as u64) << 62
    }

    /// `None` for an entry that was never written: an evaluation alone has a value that is not 0.
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

    /// Whether the result answers a search of this depth and window.
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

    /// The better guess of a static evaluation and the stored value, where its bound allows.
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

/// Whether a slot holds the result of a search, not an evaluation alone or nothing.
fn is_result(data: u64) -> bool {
    data >> 62 != 0
}

/// A hash table of search results.
pub struct TranspositionTable {
    /// The buckets, one after the other, and some slots around them.
    slots: Vec<Slot>,
    /// The first slot that begins a cache line.
    first: usize,
    buckets: usize,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of this many mebibytes, empty; fails if the allocation fails.
    pub fn new(mebibytes: usize) -> Result<Self, MemoryError> {
        let mut slots = empty_slots(mebibytes)?;
        want_huge_pages(&mut slots);
        Ok(TranspositionTable::of(slots))
    }

    /// A table in these slots, at least as many as two buckets have.
    fn of(slots: Vec<Slot>) -> TranspositionTable {
        // The atomics of the models in `engine-tests/races` have sizes that never fit.
        let offset = slots.as_ptr().align_offset(CACHE_LINE);
        let first = if offset < BUCKET { offset } else { 0 };
        let buckets = (slots.len() - first) / BUCKET;
        TranspositionTable { slots, first, buckets, generation: AtomicU8::new(0) }
    }

    /// An empty table for a search for a mate, in place of this one. Such a search looks no further
    /// than the mate, so that its results are of no use to any other, and results of others would
    /// show it mates that are too long.
    pub fn for_mates(&self) -> TranspositionTable {
        let most = self.mebibytes().min(MATE_MEBIBYTES);
        let mut sizes = std::iter::successors(Some(most), |size| (*size > 1).then_some(size / 2));
        // Not by huge pages: a short search would spend its time on having them zeroed.
        let slots = sizes.find_map(|size| empty_slots(size).ok());
        Self::of(slots.unwrap_or_else(|| (0..2 * BUCKET).map(|_| Slot::default()).collect()))
    }

    /// Its size.
    pub fn mebibytes(&self) -> usize {
        size_of_val(self.used()) >> 20
    }

    /// The slots of all buckets.
    fn used(&self) -> &[Slot] {
        &self.slots[self.first..][..self.buckets * BUCKET]
    }

    /// Forgets everything. On a thread of a pool, all of them help.
    pub fn clear(&self) {
        self.generation.store(0, Relaxed);
        let clear = |slot: &Slot| {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        };
        match rayon::current_thread_index() {
            Some(_) => self.used().par_chunks(1 << 16).for_each(|some| some.iter().for_each(clear)),
            // Not rayon's own pool: where threads are few, it may not start.
            None => self.used().iter().for_each(clear),
        }
    }

    /// A new search begins: older entries are replaced first.
    pub fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[Slot] {
        // The high bits choose the bucket, whatever the size of the table (D. Lemire's reduction).
        let index = (u128::from(key) * self.buckets as u128) >> 64;
        let begin = self.first + index as usize * BUCKET;
        &self.slots[begin..begin + BUCKET]
    }

    /// Asks the processor to fetch what a probe of this key will read.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket(key).as_ptr();
            // SAFETY: a prefetch reads nothing and cannot fault; the address is a live bucket's.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(target_arch = "aarch64")]
        {
            let bucket = self.bucket(key).as_ptr();
            // SAFETY: as above; the intrinsic for it is not stable.
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

    /// What is known of the position with this key. `ply` is the node's distance from the root,
    /// because mates are stored as distances from the node.
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

    /// Stores what a node found out. Keeps the known move if there is no new one, and a deeper
    /// result of the same search unless this one is exact. An evaluation alone replaces no result
    /// of its own position and none of this search.
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
            // Evaluations, shallow and old entries go first; each generation counts as eight plies.
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            let worth = match data {
                0 => i32::MIN,
                _ => depth_of(data) - 8 * i32::from(age) - i32::from(!is_result(data)),
            };
            if worth < lowest {
                lowest = worth;
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

    /// How full the table is with results of the current search, in thousandths. Evaluations alone
    /// make room for results at once, so that they do not count.
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

/// The slots of a table of this many mebibytes, empty, with some more so that buckets can begin
/// where a cache line does.
fn empty_slots(mebibytes: usize) -> Result<Vec<Slot>, MemoryError> {
    system::require(mebibytes)?;
    // A size beyond all bounds is left to the allocator to refuse.
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

/// Empty slots, unless the allocation fails. Systems give large blocks of memory zeroed, and take the
/// time for that only when a page is first used: to write 8 GiB takes a second or more.
#[cfg(not(any(loom, shuttle)))]
fn zeroed_slots(count: usize) -> Option<Vec<Slot>> {
    let layout = Layout::array::<Slot>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout has a size, and is that of a vector with this capacity, whose allocator is
    // the global one. A slot is two atomic integers, which may have any bits: zeroed, it is an empty
    // one. Nothing is made of a null pointer.
    unsafe {
        let start = alloc_zeroed(layout).cast::<Slot>();
        (!start.is_null()).then(|| Vec::from_raw_parts(start, count, count))
    }
}

/// Asks Linux to back memory that was not touched yet by pages of 2 MiB. Probes go everywhere, so
/// with pages of 4 KiB nearly every one of them would miss the processor's page table cache too.
/// Elsewhere, or if the system does not want to, nothing happens.
fn want_huge_pages(memory: &mut [Slot]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let start = memory.as_mut_ptr() as usize;
        let end = start + size_of_val(memory);
        let first = start.next_multiple_of(PAGE);
        if first < end {
            // SAFETY: the range is within an allocation that we borrow mutably; this advice changes
            // neither what it holds nor whether it may be accessed.
            unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// A value seen from so many plies nearer to the root: a mate or a won ending is that much farther
/// away.
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
    fn entries_come_back_as_stored() {
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
    fn sizes_beyond_all_bounds_are_refused() {
        for mebibytes in [usize::MAX, 1 << 44, (1 << 44) + 1, 1 << 50] {
            assert!(TranspositionTable::new(mebibytes).is_err(), "{mebibytes} MiB");
        }
    }

    #[test]
    fn a_new_table_is_empty_and_its_buckets_are_cache_lines() {
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
    fn the_table_of_a_search_for_a_mate_is_empty_and_no_larger() {
        let table = TranspositionTable::new(2).unwrap();
        table.store(7, 0, entry(1, 0, 5, Bound::Exact));
        let mates = table.for_mates();
        assert_eq!((mates.probe(7, 0), mates.mebibytes()), (None, 2));
        assert!(table.probe(7, 0).is_some());
    }

    #[test]
    fn mates_count_from_the_node() {
        let table = TranspositionTable::new(1).unwrap();
        // Mate nine plies from the root, found at ply 4: five plies from the node. The same of being mated; other values are the same everywhere.
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
        assert_eq!(depth(16, Bound::Upper), 16, "nearly as deep");
        assert_eq!(depth(3, Bound::Exact), 3);
        assert_eq!(depth(20, Bound::Lower), 20);
        table.age();
        assert_eq!(depth(3, Bound::Lower), 3, "in another search");
    }

    #[test]
    fn an_entry_settles_what_its_depth_and_bound_allow() {
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
    fn a_value_beyond_the_evaluation_is_the_better_guess() {
        let improved = |bound, eval| entry(1, 100, 8, bound).improve(eval);
        assert_eq!([50, 150].map(|eval| improved(Bound::Exact, eval)), [100, 100]);
        assert_eq!([50, 150].map(|eval| improved(Bound::Lower, eval)), [100, 150]);
        assert_eq!([50, 150].map(|eval| improved(Bound::Upper, eval)), [50, 100]);
    }

    #[test]
    fn a_known_move_survives_a_result_without_one() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(7, 0, entry(99, 10, 5, Bound::Exact));
        table.store(7, 0, entry(0, 20, 6, Bound::Upper));
        let found = table.probe(7, 0).unwrap();
        assert_eq!((found.mv, found.value), (99, 20));
    }

    #[test]
    fn old_entries_make_room() {
        let table = TranspositionTable::new(1).unwrap();
        // Keys of one bucket differ in the low bits only.
        for key in 1..=4 {
            table.store(key, 0, entry(1, 0, 30, Bound::Exact));
        }
        table.age();
        for key in 5..=8 {
            table.store(key, 0, entry(1, 0, 28, Bound::Exact));
        }
        // Four slots, four results of the new search: each found one of the old to replace.
        let kept = |keys: std::ops::RangeInclusive<u64>| {
            keys.filter(|&key| table.probe(key, 0).is_some()).count()
        };
        assert_eq!((kept(1..=4), kept(5..=8)), (0, 4));
        table.store(9, 0, entry(1, 0, 1, Bound::Upper));
        assert!(table.probe(9, 0).is_some(), "the newest entry is always kept");
        assert_eq!(kept(5..=8), 3);
    }

    #[test]
    fn shallow_entries_go_first() {
        let table = TranspositionTable::new(1).unwrap();
        for (key, depth) in [(1, 10), (2, 3), (3, 8), (4, 7), (5, 9)] {
            table.store(key, 0, entry(1, 0, depth, Bound::Exact));
        }
        let kept: Vec<u64> = (1..=5).filter(|&key| table.probe(key, 0).is_some()).collect();
        assert_eq!(kept, [1, 3, 4, 5]);
    }

    /// The number of the search has five bits.
    #[test]
    fn the_oldest_of_many_searches_goes_first() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 1..=100 {
            let stored = TableEntry { pv: false, ..entry(1, 0, 5, Bound::Exact) };
            table.store(key, 0, stored);
            assert_eq!(table.probe(key, 0), Some(stored));
            let kept = (1..=key).filter(|&key| table.probe(key, 0).is_some());
            assert!(kept.eq(key.max(4) - 3..=key), "the last four of {key}");
            table.age();
        }
    }

    #[test]
    fn a_table_has_the_size_that_was_asked_for_and_threads_clear_all_of_it() {
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
    fn fullness_counts_the_entries_of_this_search() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.hash_full(), 0);
        // Every bucket of the sample is filled: a bucket of 2^14 is chosen by the high 14 bits.
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
