//! Sight in a triangulated plan and changes to it, against tests of every pair of points.
#![cfg(feature = "cdt")]

use proptest::prelude::*;
use std::ops::ControlFlow;
use wayfare_core::DVec2;
use wayfare_geom::{
    predicates::{cross_properly, is_between, orient},
    segment_grid::SegmentGrid,
    triangulation::{EdgeRole, NONE, PortalScratch, Sight, Triangulation, Wedge, WedgeScratch},
};
use wayfare_testkit::{Rings, TestPlan, free_space::FreeSpace, generators, random::Random, zoo};

/// A triangulation, its boundary for exact tests, and the fan of each vertex in it.
struct Both {
    mesh: Triangulation,
    space: FreeSpace,
    fans: Vec<usize>,
}

impl Both {
    fn of(plan: &TestPlan) -> Self {
        let rings = FreeSpace::new(&plan.rings()).rings();
        Self::with(Triangulation::build(&rings.rings).expect("generated plans are sound"))
    }

    /// Takes the boundary from the walls.
    fn with(mesh: Triangulation) -> Self {
        let count = mesh.vertex_count() as u32;
        let next = |v: u32| mesh.target(mesh.wall(v));
        let mut seen = vec![false; count as usize];
        let mut rings = Vec::new();
        for start in 0..count {
            let mut ring = Vec::new();
            let mut v = start;
            while !std::mem::replace(&mut seen[v as usize], true) {
                ring.push(mesh.point(v));
                v = next(v);
            }
            if !ring.is_empty() {
                rings.push(ring);
            }
        }
        let space = FreeSpace::new(&Rings { rings });
        let mut fans = vec![usize::MAX; count as usize];
        for previous in 0..count {
            let v = next(previous);
            let corner = [v, next(v), previous].map(|v| mesh.point(v));
            let is_fan = |&fan: &usize| {
                let fan = space.fans()[fan];
                [fan.at, fan.next, fan.previous].map(|p| space.points()[p]) == corner
            };
            fans[v as usize] = (0..space.fans().len()).find(is_fan).expect("every vertex has a fan");
        }
        Self { mesh, space, fans }
    }

    fn portals(&self) -> Vec<[DVec2; 2]> {
        let mesh = &self.mesh;
        (0..mesh.half_edge_count() as u32)
            .step_by(2)
            .filter(|&h| mesh.role(h) == EdgeRole::Portal)
            .map(|h| [mesh.origin(h), mesh.target(h)].map(|v| mesh.point(v)))
            .collect()
    }

    /// Whether the open segment between two vertices runs freely and through no vertex and no portal.
    fn is_free(&self, v: u32, w: u32, portals: &[[DVec2; 2]]) -> bool {
        let (p, q) = (self.mesh.point(v), self.mesh.point(w));
        let passes = |r: &DVec2| *r != p && *r != q && orient(p, q, *r) == 0.0 && is_between(p, q, *r);
        p != q
            && self.mesh.target(self.mesh.wall(v)) != w
            && self.mesh.target(self.mesh.wall(w)) != v
            && self
                .space
                .sees(self.space.in_fan(self.fans[v as usize]), self.space.in_fan(self.fans[w as usize]))
            && !self.space.points().iter().any(passes)
            && !portals.iter().any(|&[c, d]| cross_properly(p, q, c, d))
    }

    /// The area of interest of a vertex, if it is a notch without portals.
    fn wedge(&self, v: u32) -> Option<Wedge> {
        let mesh = &self.mesh;
        if mesh.leaving(v).any(|h| mesh.role(h) == EdgeRole::Portal) {
            return None;
        }
        let first = mesh.wall(v);
        let incoming = mesh.leaving(v).last().map(|h| mesh.prev(h))?;
        let [at, from, to] = [v, mesh.target(first), mesh.origin(incoming)].map(|v| mesh.point(v));
        (orient(at, from, to) < 0.0).then_some(Wedge { apex: v, first, right: [to, at], left: [from, at] })
    }

    fn check_links(&self) {
        let mesh = &self.mesh;
        for h in 0..mesh.half_edge_count() as u32 {
            if mesh.is_inside(h) {
                assert_eq!(mesh.next(mesh.next(mesh.next(h))), h);
                assert_eq!(mesh.target(h), mesh.origin(mesh.next(h)));
                let [a, b, c] = [h, mesh.next(h), mesh.prev(h)].map(|h| mesh.point(mesh.origin(h)));
                assert!(orient(a, b, c) > 0.0, "{a} {b} {c}");
            } else {
                assert_eq!(mesh.role(h), EdgeRole::Wall);
                assert!(mesh.is_inside(h ^ 1), "a wall has one inside");
            }
        }
        for v in 0..mesh.vertex_count() as u32 {
            assert_eq!(mesh.role(mesh.wall(v)), EdgeRole::Wall);
            assert!(mesh.leaving(v).all(|h| mesh.origin(h) == v));
        }
        let walls = (0..mesh.edge_count() as u32).filter(|e| mesh.role(e * 2) == EdgeRole::Wall).count();
        assert_eq!(walls, mesh.vertex_count(), "as many walls as corners");
    }
}

/// Cuts random pairs of vertices apart.
fn insert_portals(both: &mut Both, random: &mut Random, tries: usize) {
    let count = both.mesh.vertex_count();
    let mut scratch = PortalScratch::default();
    for _ in 0..tries {
        let (v, w) = (random.below(count) as u32, random.below(count) as u32);
        let portals = both.portals();
        let expected = v != w && both.is_free(v, w, &portals);
        let edge = both.mesh.insert_portal(v, w, &mut scratch);
        assert_eq!(
            edge.is_some(),
            expected,
            "{v} at {} to {w} at {}",
            both.mesh.point(v),
            both.mesh.point(w)
        );
        if let Some(edge) = edge {
            let mut ends = [both.mesh.origin(edge * 2), both.mesh.target(edge * 2)];
            ends.sort_unstable();
            assert_eq!(ends, [v.min(w), v.max(w)]);
            assert_eq!(both.mesh.role(edge * 2), EdgeRole::Portal);
        }
    }
}

fn check_sight(both: &Both, name: &str) {
    let mesh = &both.mesh;
    let portals = both.portals();
    let mut walls: Vec<[DVec2; 2]> = portals.clone();
    walls.extend(
        (0..mesh.vertex_count() as u32).map(|v| [v, mesh.target(mesh.wall(v))].map(|v| mesh.point(v))),
    );
    let grid = SegmentGrid::build(walls);
    let mut scratch = WedgeScratch::default();
    for v in 0..mesh.vertex_count() as u32 {
        let Some(wedge) = both.wedge(v) else { continue };
        let expected: Vec<u32> = (0..mesh.vertex_count() as u32)
            .filter(|&w| wedge.contains(mesh.point(w)) && both.is_free(v, w, &portals))
            .collect();
        let mut surveyed = Vec::new();
        mesh.survey(&wedge, usize::MAX, &mut scratch, |w| surveyed.push(w));
        surveyed.sort_unstable();
        assert_eq!(surveyed, expected, "{name}: survey from {v} at {}", mesh.point(v));

        let (mut seen, mut last, mut nearest) = (Vec::new(), 0.0f64, f64::INFINITY);
        mesh.look(&wedge, usize::MAX, &mut scratch, |sighting| {
            let distance = sighting.distance_squared;
            assert!(distance >= last * (1.0 - 1e-6), "{name}: {distance} after {last}");
            (last, nearest) = (distance, nearest.min(distance));
            match sighting.sight {
                Sight::Vertex(w) => seen.push(w),
                Sight::Edge(h) => {
                    assert_ne!(mesh.role(h), EdgeRole::Diagonal);
                    assert!(
                        orient(mesh.point(mesh.origin(h)), mesh.point(mesh.target(h)), mesh.point(v)) > 0.0
                    );
                    // A cone is bounded by vertices in sight.
                    for bound in [sighting.right, sighting.left] {
                        assert!(
                            bound == NONE || expected.contains(&bound) || !wedge.contains(mesh.point(bound))
                        );
                    }
                }
            }
            ControlFlow::Continue(())
        });
        seen.sort_unstable();
        assert_eq!(seen, expected, "{name}: look from {v} at {}", mesh.point(v));
        // The nearest thing of all in the wedge is in sight, whatever it is.
        let eye = mesh.point(v);
        let [right, left] = [wedge.right, wedge.left].map(|line| eye + (line[1] - line[0]));
        let found = grid.nearest_in_wedge(eye, right, left).expect("free space is bounded").distance_squared;
        assert!((found - nearest).abs() <= 1e-6 * found, "{name}: from {eye} {found} against {nearest}");
    }
}

#[test]
fn a_wedge_opened_by_a_hair_does_not_see_what_lies_behind_it() {
    for k in 0..300 {
        let both = Both::of(&zoo::in_line(0.37 * f64::from(k)));
        let mesh = &both.mesh;
        for v in 0..mesh.vertex_count() as u32 {
            let Some(wedge) = both.wedge(v) else { continue };
            let turned = |[from, at]: [DVec2; 2], by: f64| [from + (at - from).perp() * by, at];
            let opened = Wedge { right: turned(wedge.right, 1e-6), left: turned(wedge.left, -1e-6), ..wedge };
            let mut seen = Vec::new();
            mesh.survey(&opened, usize::MAX, &mut WedgeScratch::default(), |w| seen.push(w));
            let wrong: Vec<&u32> = seen.iter().filter(|&&w| !both.is_free(v, w, &[])).collect();
            assert!(wrong.is_empty(), "{k}: {v} sees {wrong:?}");
            // Nothing is lost by opening it.
            let is_seen = |w: &u32| wedge.contains(mesh.point(*w)) && both.is_free(v, *w, &[]);
            assert!((0..mesh.vertex_count() as u32).filter(is_seen).all(|w| seen.contains(&w)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_notch_sees_what_pairs_of_points_say_it_sees(seed in 0u64..1_000_000) {
        let mut random = Random::new(seed);
        for plan in generators::mixed(seed, 9, 60) {
            let mut both = Both::of(&plan);
            check_sight(&both, &plan.name);
            insert_portals(&mut both, &mut random, 30);
            both.check_links();
            check_sight(&both, &plan.name);
        }
    }

    #[test]
    fn links_hold_while_portals_come_and_go_and_walls_are_split(seed in 0u64..1_000_000) {
        let mut random = Random::new(seed);
        // Halves of whole numbers are exact: points put into walls lie on them.
        for plan in [generators::squares(seed, 6, 0.7), generators::integer_triangles(seed, 6, 0.7)] {
            if plan.is_empty() {
                continue;
            }
            let mut both = Both::of(&plan);
            for _ in 0..8 {
                insert_portals(&mut both, &mut random, 6);
                let v = random.below(both.mesh.vertex_count()) as u32;
                let wall = both.mesh.wall(v);
                let [a, b] = [v, both.mesh.target(wall)].map(|v| both.mesh.point(v));
                let new = both.mesh.split_wall(wall, (a + b) / 2.0);
                assert_eq!(both.mesh.origin(both.mesh.wall(new)), new);
                assert_eq!(both.mesh.target(both.mesh.wall(v)), new);
                let portals = (0..both.mesh.edge_count() as u32).filter(|e| both.mesh.role(e * 2) == EdgeRole::Portal);
                let portals: Vec<u32> = portals.collect();
                if random.chance(0.5) && !portals.is_empty() {
                    both.mesh.remove_portal(portals[random.below(portals.len())]);
                }
                both.check_links();
                both = Both::with(both.mesh);
            }
        }
    }
}
