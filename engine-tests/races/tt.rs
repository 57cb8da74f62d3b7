//! Tests the entries of the transposition table under loom, in all orders of loads and stores that relaxed
//! atomics allow.

use loom::sync::Arc;
use loom::thread;

use super::*;

/// The keys of two positions in the same bucket. The high bits of a key give the index of the bucket.
const KEY: u64 = 0x1234_5678_9abc_def1;
const OTHER: u64 = 0x1234_5678_9abc_0000;

const fn entry(mv: u16, value: Value, depth: i32) -> TableEntry {
    TableEntry { mv, value, eval: -17, depth, bound: Some(Bound::Exact), pv: false }
}

/// Returns a table of one bucket in which one slot is free, so that every store uses that slot.
fn small_table() -> Arc<TranspositionTable> {
    let slots = (0..BUCKET).map(|_| Slot::default()).collect();
    let table = TranspositionTable { slots, first: 0, buckets: 1, generation: AtomicU8::new(0) };
    (1..BUCKET as u64).for_each(|key| table.store(key, 0, entry(3, 0, 40)));
    Arc::new(table)
}

/// Stores each entry on its own thread. Every probe of the first position, during the stores and after
/// them, must find an allowed entry or nothing.
fn check(
    stores: [(u64, TableEntry); 2],
    before: Option<TableEntry>,
    allowed: &'static [TableEntry],
) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = std::env::var("LOOM_MAX_PREEMPTIONS").ok().map(|n| n.parse().unwrap());
    static ORDERS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    model.check(move || {
        ORDERS.fetch_add(1, Relaxed);
        let table = small_table();
        if let Some(before) = before {
            table.store(KEY, 0, before);
        }
        let writers = stores.map(|(key, entry)| {
            let table = table.clone();
            thread::spawn(move || table.store(key, 0, entry))
        });
        let is_whole =
            |found: Option<TableEntry>| found.is_none_or(|found| allowed.contains(&found));
        assert!(is_whole(table.probe(KEY, 0)), "a torn entry during the stores");
        for writer in writers {
            writer.join().unwrap();
        }
        assert!(is_whole(table.probe(KEY, 0)), "a torn entry after the stores");
        // Check that the slot can still be used.
        let last = entry(9, 900, 30);
        table.store(KEY, 0, last);
        assert_eq!(table.probe(KEY, 0), Some(last));
    });
    println!("{ORDERS:?} orders");
}

#[test]
fn two_entries_of_a_position_are_never_mixed() {
    static ALLOWED: [TableEntry; 2] = [entry(1, 100, 5), entry(2, -200, 6)];
    check([(KEY, ALLOWED[0]), (KEY, ALLOWED[1])], None, &ALLOWED);
}

#[test]
fn entries_of_two_positions_are_never_mixed() {
    static ALLOWED: [TableEntry; 1] = [entry(1, 100, 5)];
    check([(KEY, ALLOWED[0]), (OTHER, entry(2, -200, 6))], None, &ALLOWED);
}

/// If the new entry has no move, the move of the replaced entry may be kept.
#[test]
fn a_replaced_entry_is_never_mixed_with_the_new_one() {
    static ALLOWED: [TableEntry; 3] = [entry(1, 100, 5), entry(1, -200, 6), entry(0, -200, 6)];
    check([(KEY, entry(0, -200, 6)), (OTHER, entry(2, 50, 7))], Some(ALLOWED[0]), &ALLOWED);
}
