//! A training step allocates nothing once the first has sized the scratch memory.
//!
//! Counted by thread, so that the harness's other threads do not disturb.
#![allow(unsafe_code)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;
use support::{data, kernel};
use transect_gp::train::Adam;
use transect_gp::{Compute, Regression};

thread_local! {
    /// Calls of the allocator, and the bytes they asked for.
    static COUNTED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator; the counter is a
// thread-local `Cell` without destructor, so counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps `GlobalAlloc`'s contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps `GlobalAlloc`'s contract.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps `GlobalAlloc`'s contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller keeps `GlobalAlloc`'s contract.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(bytes: usize) {
    let _ = COUNTED.try_with(|counted| {
        let (calls, total) = counted.get();
        counted.set((calls + 1, total + bytes));
    });
}

/// Allocations between the hook of step 2 and that of step 10: calls and bytes.
fn allocations(kind: usize, cache_bytes: usize) -> (usize, usize) {
    let (x, y) = data(300, 2, 1);
    let mut model = Regression::fit(kernel(kind, 2, 1).1, 0.1, &x, &y).unwrap();
    model.set_compute(Compute {
        cache_bytes,
        ..Compute::default()
    });
    let (mut before, mut after) = ((0, 0), (0, 0));
    Adam::default()
        .run(&mut model, 11, |step| {
            match step.index {
                2 => before = COUNTED.get(),
                10 => after = COUNTED.get(),
                _ => {}
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    (after.0 - before.0, after.1 - before.1)
}

#[test]
fn the_counter_counts() {
    let before = COUNTED.get();
    let list = std::hint::black_box(vec![1_u8; 1000]);
    assert_eq!(COUNTED.get(), (before.0 + 1, before.1 + list.len()));
}

#[test]
fn training_steps_after_the_first_do_not_allocate() {
    for kind in 0..support::KINDS {
        for cache_bytes in [0, 256 << 20] {
            let (calls, bytes) = allocations(kind, cache_bytes);
            let name = kernel(kind, 2, 1).0;
            assert_eq!(
                (calls, bytes),
                (0, 0),
                "{name}, cache of {cache_bytes} bytes: calls and bytes in eight steps"
            );
        }
    }
}
