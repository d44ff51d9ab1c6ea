//! Constrained Delaunay triangulations against those of the crate `spade`, and against their definition.

use proptest::prelude::*;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};
use std::collections::BTreeSet;
use wayfare_core::{DVec2, dvec2, ops};
use wayfare_geom::{
    predicates::orient,
    ring_area,
    triangulation::{EdgeRole, Triangulation},
};
use wayfare_testkit::{
    Rings,
    free_space::{FreeSpace, Place::Inside},
    generators,
    random::Random,
    zoo,
};

/// Sine and cosine of the angle at `p` from `a` to `b`.
fn angle(a: DVec2, p: DVec2, b: DVec2) -> [f64; 2] {
    let (u, v) = ((a - p).normalize(), (b - p).normalize());
    [u.perp_dot(v), u.dot(v)]
}

/// Everything that makes it a constrained Delaunay triangulation: triangles that turn left and fill the rings,
/// the rings as walls, and no vertex inside the circle of the triangle on the other side of a diagonal.
fn check(name: &str, rings: &[Vec<DVec2>]) -> Triangulation {
    let mesh = Triangulation::build(rings).unwrap_or_else(|error| panic!("{name}: {error}"));
    let corner = |h: u32| mesh.point(mesh.origin(h));
    let mut twice = 0.0;
    for h in (0..mesh.half_edge_count() as u32).filter(|&h| mesh.is_inside(h)) {
        assert_eq!(mesh.next(mesh.prev(h)), h, "{name}");
        let [a, b, c] = [h, mesh.next(h), mesh.prev(h)].map(corner);
        assert!(orient(a, b, c) > 0.0, "{name}: {a} {b} {c}");
        twice += (b - a).perp_dot(c - a) / 3.0;
        if mesh.role(h) == EdgeRole::Diagonal {
            let d = corner(mesh.prev(h ^ 1));
            // The two angles over the edge are 180 degrees at most.
            let ([sin, cos], [sin_beyond, cos_beyond]) = (angle(a, c, b), angle(b, d, a));
            let excess = -(sin * cos_beyond + cos * sin_beyond);
            assert!(excess < 1e-7, "{name}: {d} lies in the circle of {a} {b} {c} ({excess})");
        }
    }
    let area: f64 = rings.iter().map(|ring| ring_area(ring)).sum();
    assert!((twice / 2.0 - area).abs() <= 1e-9 * area, "{name}: {} instead of {area}", twice / 2.0);
    let mut vertex = 0;
    for ring in rings {
        for k in 0..ring.len() {
            let wall = mesh.wall((vertex + k) as u32);
            assert_eq!(
                [mesh.origin(wall), mesh.target(wall)],
                [k, (k + 1) % ring.len()].map(|k| (vertex + k) as u32)
            );
            assert!(mesh.role(wall) == EdgeRole::Wall && mesh.is_inside(wall) && !mesh.is_inside(wall ^ 1));
        }
        vertex += ring.len();
    }
    mesh
}

/// A point by its bits.
type Bits = [u64; 2];

fn ends(a: DVec2, b: DVec2) -> [Bits; 2] {
    let mut ends = [a, b].map(|p| [p.x.to_bits(), p.y.to_bits()]);
    ends.sort_unstable();
    ends
}

/// The diagonals of the triangles inside the rings, by `spade`.
fn diagonals_of_spade(rings: &[Vec<DVec2>], space: &FreeSpace) -> BTreeSet<[Bits; 2]> {
    let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    let mut walls = BTreeSet::new();
    for ring in rings {
        for (k, &p) in ring.iter().enumerate() {
            let q = ring[(k + 1) % ring.len()];
            cdt.add_constraint_edge(Point2::new(p.x, p.y), Point2::new(q.x, q.y)).expect("sound points");
            walls.insert(ends(p, q));
        }
    }
    let at = |p: Point2<f64>| dvec2(p.x, p.y);
    cdt.undirected_edges()
        .map(|edge| edge.vertices().map(|v| at(v.position())))
        .filter(|&[a, b]| !walls.contains(&ends(a, b)) && space.locate((a + b) / 2.0).place == Inside)
        .map(|[a, b]| ends(a, b))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn plans_of_all_kinds_have_empty_circles(seed in 0u64..1_000_000) {
        for plan in generators::mixed(seed, 9, 120) {
            check(&plan.name, &FreeSpace::new(&plan.rings()).rings().rings);
        }
    }

    #[test]
    fn points_in_general_position_give_the_edges_that_spade_finds(seed in 0u64..1_000_000) {
        let mut random = Random::new(seed);
        for plan in generators::mixed(seed, 9, 120) {
            let mut rings = FreeSpace::new(&plan.rings()).rings();
            // No four points on one circle; small enough to cross nothing, else the plan is left out.
            for p in rings.rings.iter_mut().flatten() {
                *p += dvec2(random.between(-1e-5, 1e-5), random.between(-1e-5, 1e-5));
            }
            let touches = Rings::points(&rings).len() != rings.rings.iter().flatten().map(|p| ends(*p, *p)).collect::<BTreeSet<_>>().len();
            if touches || !rings.check().is_empty() {
                continue;
            }
            let mesh = check(&plan.name, &rings.rings);
            let ours: BTreeSet<_> = (0..mesh.half_edge_count() as u32)
                .filter(|&h| mesh.role(h) == EdgeRole::Diagonal)
                .map(|h| ends(mesh.point(mesh.origin(h)), mesh.point(mesh.target(h))))
                .collect();
            assert_eq!(ours, diagonals_of_spade(&rings.rings, &FreeSpace::new(&rings)), "{}", plan.name);
        }
    }
}

#[test]
fn the_plans_of_the_zoo_have_empty_circles() {
    for plan in zoo::all() {
        check(&plan.name, &FreeSpace::new(&plan.rings()).rings().rings);
    }
}

#[test]
fn grids_circles_and_lines_of_points_are_no_special_case() {
    // A saw with all tips on a few lines: most points on a line with many others, many equal circles.
    let mut saw = vec![dvec2(0.0, 0.0), dvec2(100.0, 0.0)];
    saw.extend((0..100).rev().flat_map(|k| [dvec2(f64::from(k) + 1.0, 1.0), dvec2(f64::from(k) + 0.5, 0.5)]));
    saw.push(dvec2(0.0, 1.0));
    check("saw", &[saw]);
    // A round hall with round pillars, one of them in the middle.
    let round = |centre: DVec2, radius: f64, count: i32| -> Vec<DVec2> {
        let angle = |k: i32| f64::from(k) / f64::from(count) * std::f64::consts::TAU;
        (0..count.abs()).map(|k| centre + dvec2(ops::cos(angle(k)), ops::sin(angle(k))) * radius).collect()
    };
    let mut hall = vec![round(dvec2(0.0, 0.0), 10.0, 360), round(dvec2(0.0, 0.0), 1.0, -36)];
    hall.extend(round(dvec2(0.0, 0.0), 5.0, 12).into_iter().map(|centre| round(centre, 0.5, -12)));
    check("hall", &hall);
    // Square pillars in a square lattice, some of which touch.
    let square =
        |x: f64, y: f64, s: f64| vec![dvec2(x, y), dvec2(x, y + s), dvec2(x + s, y + s), dvec2(x + s, y)];
    let mut lattice = vec![vec![dvec2(0.0, 0.0), dvec2(41.0, 0.0), dvec2(41.0, 41.0), dvec2(0.0, 41.0)]];
    lattice
        .extend((0..400).map(|k| square(f64::from(k % 20) * 2.0 + 1.0, f64::from(k / 20) * 2.0 + 1.0, 1.0)));
    check("lattice", &lattice);
}

#[test]
fn a_long_wall_through_thousands_of_points_is_cut_in_no_time() {
    // Two combs whose teeth almost meet, and a thin wall between the rows of tips.
    let teeth = 3000;
    let mut random = Random::new(7);
    let mut tips =
        |y: f64, k: usize| dvec2(k as f64 + random.between(0.2, 0.8), y * random.between(0.01, 1.0));
    let width = teeth as f64;
    let mut outline = vec![dvec2(-1.0, -5.0)];
    outline.extend((0..teeth).flat_map(|k| [dvec2(k as f64, -5.0), tips(-1.0, k)]));
    outline.extend([dvec2(width, -5.0), dvec2(width + 1.0, -5.0), dvec2(width + 1.0, 5.0)]);
    outline.extend((0..teeth).rev().flat_map(|k| [dvec2(k as f64 + 1.0, 5.0), tips(1.0, k)]));
    outline.extend([dvec2(0.0, 5.0), dvec2(-1.0, 5.0)]);
    let wall = vec![dvec2(-0.5, 0.0), dvec2(-0.5, 0.001), dvec2(width + 0.5, 0.001), dvec2(width + 0.5, 0.0)];
    check("combs", &[outline, wall]);
}
