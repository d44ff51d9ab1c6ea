//! A warm step allocates nothing.

#[path = "crowd/support/mod.rs"]
mod support;

use allocation_counter::measure;
use support::exit_crowd;
use wayfare_crowd::CrowdConfig;

#[test]
fn steps_of_a_warm_crowd_allocate_nothing() {
    // Few enough for one thread.
    let mut exit = exit_crowd(12.0, 1.0, &[0.2; 250], 1.34, 1, CrowdConfig::default());
    for _ in 0..900 {
        exit.crowd.step(1.0 / 60.0);
    }
    let allocated = measure(|| (0..120).for_each(|_| exit.crowd.step(1.0 / 60.0)));
    assert_eq!(allocated.count_total, 0);
    assert!(exit.crowd.len() > 100);
}

#[test]
fn a_crowd_that_gets_dense_allocates_in_its_first_step_only() {
    // Lists that grew with the crowd did so up to the 661st step, and in whichever step a change of the movement made it.
    let mut exit = exit_crowd(14.0, 1.0, &[0.2; 250], 1.34, 1, CrowdConfig::default());
    exit.crowd.step(1.0 / 60.0);
    let allocating: Vec<usize> =
        (1..1200).filter(|_| measure(|| exit.crowd.step(1.0 / 60.0)).count_total > 0).collect();
    assert_eq!(allocating, Vec::<usize>::new());
    assert!(exit.crowd.len() < 240, "some have left");
}
