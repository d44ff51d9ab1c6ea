//! `wayfare gaps`.

use crate::scratch::{Scratch, has_keys};

const KEYS: [&str; 8] = [
    "components_before",
    "components_after",
    "boundary_edges",
    "cycles",
    "gaps_found",
    "gaps_kept",
    "gap_area",
    "seconds",
];

#[test]
fn platforms_become_one_piece_of_ground_in_every_form() {
    let scratch = Scratch::new();
    for file in ["p.ply", "p.obj", "p.glb", "p.svg"] {
        let gaps = ["gaps", "generated:platforms", "--max-gap", "0.3", "-o", file, "--json"];
        let report = scratch.run(&gaps).is(0).json();
        has_keys(&report, &KEYS);
        assert_eq!(report["components_after"], 1, "{report}");
        assert!(report["components_before"].as_u64() >= Some(16), "{report}");
    }
    // What was written can be read.
    scratch.run(&["info", "p.ply", "--up", "z"]).is(0);
    scratch.run(&["info", "p.glb"]).is(0);
    // Steps of 0.2 m need a step of 0.2 m.
    let low = ["gaps", "generated:platforms", "--step", "0.15", "--json"];
    assert!(scratch.run(&low).is(0).json()["components_after"].as_u64() > Some(1));
}

#[test]
fn a_reach_of_half_the_head_room_is_refused() {
    let scratch = Scratch::new();
    let refused = scratch.run(&["gaps", "generated:platforms", "--max-gap", "0.85"]).is(2);
    assert!(refused.err.contains("half the height"), "{}", refused.err);
    scratch.run(&["gaps", "generated:platforms", "-o", "p.way"]).is(2);
}
