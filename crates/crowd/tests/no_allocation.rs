//! A warm step allocates nothing.

#![expect(unsafe_code, reason = "only an allocator can count allocations")]

#[path = "crowd/support/mod.rs"]
mod support;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};
use support::exit_crowd;
use wayfare_crowd::CrowdConfig;

struct Counting;
thread_local! {
    /// Tests run in threads of their own.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}
fn count() {
    COUNT.with(|count| count.set(count.get() + 1));
}

// SAFETY: everything is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are the same.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are the same.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are the same.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_of_a_warm_crowd_allocate_nothing() {
    // Few enough for one thread.
    let mut exit = exit_crowd(12.0, 1.0, &[0.2; 250], 1.34, 1, CrowdConfig::default());
    for _ in 0..900 {
        exit.crowd.step(1.0 / 60.0);
    }
    let before = COUNT.with(Cell::get);
    for _ in 0..120 {
        exit.crowd.step(1.0 / 60.0);
    }
    assert_eq!(COUNT.with(Cell::get) - before, 0);
    assert!(exit.crowd.len() > 100);
}
