//! Simplified rings against all pairs of edges, areas, and what lies in what.

use proptest::prelude::*;
use std::f64::consts::PI;
use wayfare_core::{DVec2, dvec2, ops};
use wayfare_geom::{
    predicates::orient, ring_area, segment::distance_squared_to_segment, simplify::simplify_rings,
    validate::ring_direction,
};
use wayfare_testkit::{Rings, generators, random::Random};

/// How often a ring winds round a point that is not on it.
fn turns(ring: &[DVec2], p: DVec2) -> i32 {
    let mut turns = 0;
    for (k, &u) in ring.iter().enumerate() {
        let v = ring[(k + 1) % ring.len()];
        turns += i32::from(u.y <= p.y && p.y < v.y && orient(u, v, p) > 0.0);
        turns -= i32::from(v.y <= p.y && p.y < u.y && orient(u, v, p) < 0.0);
    }
    turns
}

/// All that is promised, by brute force.
fn check(name: &str, before: &[Vec<DVec2>], tolerance: f64) -> usize {
    let defects = Rings { rings: before.to_vec() }.check();
    assert!(defects.is_empty(), "{name}: {defects:?}");
    let after = simplify_rings(before, tolerance);
    let defects = Rings { rings: after.clone() }.check();
    assert!(defects.is_empty(), "{name} {tolerance}: {defects:?}");
    assert_eq!(before.len(), after.len());
    for (ring, kept) in before.iter().zip(&after) {
        assert_eq!(ring_direction(ring), ring_direction(kept), "{name} {tolerance}");
        // The points kept, by number: in the order of the input, so that each chord has its own chain.
        let mut numbers = Vec::new();
        for p in kept {
            let from = numbers.last().map_or(0, |last| last + 1);
            numbers.push(from + ring[from..].iter().position(|q| q == p).expect("kept points are points"));
        }
        let mut bound = 1e-9;
        for (k, &from) in numbers.iter().enumerate() {
            let to = numbers[(k + 1) % numbers.len()];
            let (a, b) = (ring[from], ring[to]);
            let mut dropped = (from + 1) % ring.len();
            while dropped != to {
                let distance = distance_squared_to_segment(ring[dropped], a, b).sqrt();
                assert!(distance <= tolerance * (1.0 + 1e-12), "{name} {tolerance}: {distance}");
                dropped = (dropped + 1) % ring.len();
            }
            bound += 2.0 * tolerance * (b - a).length() + PI * tolerance * tolerance;
        }
        assert!((ring_area(ring) - ring_area(kept)).abs() <= bound, "{name} {tolerance}");
    }
    // What lies in what, by a point that lies on no other ring.
    for (i, inner) in after.iter().enumerate() {
        for j in (0..after.len()).filter(|&j| j != i) {
            if let Some(&p) = inner.iter().find(|p| !before[j].contains(p)) {
                assert_eq!(
                    turns(&before[j], p),
                    turns(&after[j], p),
                    "{name} {tolerance}: rings {i} and {j}"
                );
            }
        }
    }
    after.iter().map(Vec::len).sum()
}

/// Rings with points put between, a little off the line, as a scan would have them; free of crossings because the
/// offsets are taken back wherever they make one.
fn noisy(rings: &[Vec<DVec2>], seed: u64) -> Vec<Vec<DVec2>> {
    let mut random = Random::new(seed);
    let mut noisy: Vec<Vec<DVec2>> = rings.to_vec();
    for k in 0..noisy.len() {
        for (j, &a) in rings[k].iter().enumerate().rev() {
            let b = rings[k][(j + 1) % rings[k].len()];
            let between = (a + b) / 2.0 + (b - a).perp() * random.between(-0.2, 0.2);
            noisy[k].insert(j + 1, between);
            if !(Rings { rings: noisy.clone() }).check().is_empty() {
                noisy[k].remove(j + 1);
            }
        }
    }
    noisy
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn plans_of_all_kinds_stay_sound(seed in 0u64..1_000_000) {
        for plan in generators::mixed(seed, 9, 70) {
            let rings = plan.rings().rings;
            let noisy = noisy(&rings, seed);
            for tolerance in [0.0, 0.02, 0.3, 1.5, 30.0] {
                check(&plan.name, &rings, tolerance);
                check(&plan.name, &noisy, tolerance);
            }
        }
    }

    #[test]
    fn a_swarm_of_pillars_along_a_wavy_wall_stays_inside(seed in 0u64..1_000_000) {
        let mut random = Random::new(seed);
        let wave = |x: f64| 10.0 + ops::sin(x * 1.7) + 0.5 * ops::sin(x * 5.3);
        let mut rings = vec![vec![dvec2(0.0, 0.0), dvec2(20.0, 0.0)]];
        rings[0].extend((0..=200).rev().map(|k| f64::from(k) / 10.0).map(|x| dvec2(x, wave(x))));
        for k in 0..60 {
            let x = f64::from(k) / 3.0 + 0.1;
            let (low, high) = (random.between(0.1, 0.4), random.between(0.05, 0.1));
            let y = wave(x).min(wave(x + 0.1)) - low;
            rings.push(vec![dvec2(x, y), dvec2(x, y + high * 0.5), dvec2(x + 0.1, y + high * 0.5), dvec2(x + 0.1, y)]);
        }
        for tolerance in [0.05, 0.5, 3.0] {
            check("wavy wall", &rings, tolerance);
        }
    }
}

#[test]
fn a_round_spiral_keeps_its_turns_apart() {
    let at = |k: i32, width: f64| {
        let angle = f64::from(k) * 0.05;
        dvec2(ops::cos(angle), ops::sin(angle)) * (1.0 + angle / 6.0 + width)
    };
    let ring: Vec<DVec2> = (0..1200).map(|k| at(k, 0.0)).chain((0..1200).rev().map(|k| at(k, 0.5))).collect();
    let direction = ring_direction(&ring);
    assert!(direction.is_ne());
    for (tolerance, most) in [(0.001, 2401), (0.03, 1200), (0.1, 600), (1.0, 900), (100.0, 900)] {
        let left = check("spiral", std::slice::from_ref(&ring), tolerance);
        println!("{left} points of {} at {tolerance}", ring.len());
        assert!(left < most, "{left} points of {} at {tolerance}", ring.len());
    }
}
