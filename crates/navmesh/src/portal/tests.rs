//! The table of shrunk portals.

use super::{Passage, ShrinkTable, Span};
use crate::mesh::CornerId;

fn passage(k: u32) -> Passage {
    Passage { from: Some(CornerId(k % 7)), through: CornerId(k), to: Some(CornerId(k / 3)) }
}

/// An answer that tells its question.
fn answer(k: u32, radius: f64) -> Option<Span> {
    (!k.is_multiple_of(5)).then_some(Span { low: f64::from(k), high: radius })
}

#[test]
fn a_small_table_answers_right_and_stays_small() {
    let table = ShrinkTable::new(64);
    let bytes = table.bytes();
    for round in 0..3 {
        for k in 0..1000 {
            let radius = f64::from(k % 3);
            assert_eq!(
                table.get_or(passage(k), radius, || answer(k, radius)),
                answer(k, radius),
                "{round} {k}"
            );
        }
    }
    assert_eq!(table.bytes(), bytes);
    assert_eq!(bytes, 64 * 48);
}

#[test]
fn what_was_asked_before_is_a_hit() {
    let table = ShrinkTable::new(4096);
    for _ in 0..2 {
        for k in 0..500 {
            assert_eq!(table.get_or(passage(k), 0.5, || answer(k, 0.5)), answer(k, 0.5));
        }
    }
    let [hits, misses] = table.hits_and_misses();
    assert_eq!(hits + misses, 1000);
    assert!(hits >= 480, "{hits}");
}

#[test]
fn threads_that_share_a_table_never_see_half_an_answer() {
    let table = ShrinkTable::new(8);
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            let table = &table;
            scope.spawn(move || {
                for k in 0..50_000u32 {
                    let (k, radius) =
                        (k.wrapping_mul(2_654_435_761).wrapping_add(thread) % 40, f64::from(k % 2));
                    assert_eq!(table.get_or(passage(k), radius, || answer(k, radius)), answer(k, radius));
                }
            });
        }
    });
}
