use super::{build::ENTRIES_PER_RING, *};
use proptest::prelude::*;

fn grid_of(rings: &[Vec<DVec2>]) -> Grid {
    let bounds = Aabb2::of_points(rings.iter().flatten().copied());
    Grid::build(bounds, rings.len(), |k, points| points.extend(&rings[k]))
}

/// Entries, longest list.
fn load(grid: &Grid) -> (usize, u32) {
    let lists = grid.buckets.iter().filter(|bucket| bucket.len != FINER);
    (grid.entries.len(), lists.map(|bucket| bucket.len).max().unwrap_or(0))
}

fn square(x: f64, y: f64, side: f64) -> Vec<DVec2> {
    vec![dvec2(x, y), dvec2(x + side, y), dvec2(x + side, y + side), dvec2(x, y + side)]
}

#[test]
fn even_rings_fill_even_buckets() {
    let rings: Vec<_> = (0..10_000).map(|k| square((k % 100) as f64, (k / 100) as f64, 1.0)).collect();
    let (entries, longest) = load(&grid_of(&rings));
    assert!(entries < 5 * rings.len() && longest <= 4, "{entries} {longest}");
}

#[test]
fn a_village_in_a_desert_is_found_as_fast_as_a_town() {
    // Ten thousand squares of 1 m in a corner of 1000 km, and one that covers all the rest.
    let mut rings: Vec<_> = (0..10_000).map(|k| square((k % 100) as f64, (k / 100) as f64, 1.0)).collect();
    rings.push(square(100.0, 0.0, 1e6));
    let grid = grid_of(&rings);
    let (entries, longest) = load(&grid);
    assert!(entries < ENTRIES_PER_RING * rings.len() && longest <= 50, "{entries} {longest}");
    for (k, ring) in rings.iter().enumerate() {
        assert!(ring.iter().all(|&p| grid.at(p).contains(&(k as u32))));
    }
}

#[test]
fn a_fan_of_needles_does_not_fill_the_memory() {
    let spoke = |k: usize| {
        let angle = k as f64 / 5000.0;
        dvec2(wayfare_core::ops::cos(angle), wayfare_core::ops::sin(angle)) * 1000.0
    };
    let rings: Vec<_> = (0..5000).map(|k| vec![DVec2::ZERO, spoke(k), spoke(k + 1)]).collect();
    let grid = grid_of(&rings);
    assert!(load(&grid).0 <= ENTRIES_PER_RING * rings.len() + 64);
    for (k, ring) in rings.iter().enumerate() {
        let middle = (ring[0] + ring[1] + ring[2]) / 3.0;
        assert!(grid.at(middle).contains(&(k as u32)));
        assert!(grid.at(DVec2::ZERO).contains(&(k as u32)));
    }
}

#[test]
fn rings_on_one_line_or_in_one_point_are_found() {
    let line: Vec<_> = (0..100).map(|k| vec![dvec2(k as f64, 5.0), dvec2(k as f64 + 1.0, 5.0)]).collect();
    let grid = grid_of(&line);
    assert!(grid.at(dvec2(33.5, 5.0)).contains(&33) && load(&grid).1 < 10);
    let point = vec![vec![dvec2(3.0, 5.0); 3]; 40];
    assert_eq!(grid_of(&point).at(dvec2(3.0, 5.0)).len(), 40);
    assert!(grid_of(&[]).at(DVec2::ZERO).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Convex and other rings of very different sizes, far from the origin: each is listed at random points of
    /// its area, at its corners, and in every box that touches it.
    #[test]
    fn a_ring_is_listed_at_every_point_of_it(
        offset in prop::sample::select(vec![0.0, 1e3, -9.9e6]),
        corners in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64, 0..6i32), 3..120),
        weights in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 20),
    ) {
        let points: Vec<DVec2> =
            corners.iter().map(|&(x, y, e)| dvec2(x, y) * 10f64.powi(e - 2) + offset).collect();
        let rings: Vec<Vec<DVec2>> = points.windows(3).map(<[_]>::to_vec).collect();
        let grid = grid_of(&rings);
        for (k, ring) in rings.iter().enumerate() {
            prop_assert!(ring.iter().all(|&p| grid.at(p).contains(&(k as u32))));
            for &(s, t) in &weights {
                let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                let p = ring[0] + (ring[1] - ring[0]) * s + (ring[2] - ring[0]) * t;
                prop_assert!(grid.at(p).contains(&(k as u32)));
                let mut listed = false;
                grid.within(Aabb2 { min: p - s, max: p + t }, &mut |ring| listed |= ring == k as u32);
                prop_assert!(listed);
            }
        }
        for list in grid.buckets.iter().filter(|bucket| bucket.len != FINER) {
            let list = &grid.entries[list.start as usize..(list.start + list.len) as usize];
            prop_assert!(list.is_sorted());
        }
    }
}
