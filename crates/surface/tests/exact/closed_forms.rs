use crate::shapes::{assert_near, cube, field, grid, polar, surface};
use std::f64::consts::{PI, TAU};
use wayfare_core::dvec3;

/// Every distance from some vertices against a formula of both positions.
fn compare(mesh: &wayfare_geom::TriangleMesh, sources: &[usize], expected: impl Fn(usize, usize) -> f64) {
    let surface = surface(mesh);
    for &source in sources {
        let found = field(&surface, source);
        for (vertex, &distance) in found.distances.iter().enumerate() {
            assert_near(distance, expected(source, vertex), || format!("{source} to {vertex}"));
        }
    }
}

#[test]
fn on_a_plane_the_way_is_straight() {
    // Regular, where everything is a tie, and bent out of shape.
    let regular = grid(12, |x, y| dvec3(x, y, 0.0));
    compare(&regular, &[0, 17, 84], |a, b| regular.vertices[a].distance(regular.vertices[b]));
    let skew = grid(12, |x, y| {
        let (x, y) = (x + 0.3 * (2.1 * y + x).sin(), y + 0.3 * (1.7 * x).cos());
        dvec3(0.6 * x, 0.8 * x, y * 1e-2)
    });
    // Its border is not convex, but a corner sees what lies on its row or in the middle: only the middle is asked.
    let surface = surface(&skew);
    let found = field(&surface, 84);
    for row in 4..9 {
        for column in 4..9 {
            let vertex = row * 13 + column;
            let straight = skew.vertices[84].distance(skew.vertices[vertex]);
            assert_near(found.distances[vertex], straight, || format!("84 to {vertex}"));
        }
    }
}

#[test]
fn round_a_box_the_way_is_that_of_the_unfolded_box() {
    let n = 4;
    let mesh = cube(n);
    let at = |p: [f64; 3]| mesh.vertices.iter().position(|v| *v == dvec3(p[0], p[1], p[2])).expect("there");
    let surface = surface(&mesh);
    let side = f64::from(n);
    // From a corner over two faces to the opposite one; from the middle of the floor to that of the ceiling.
    let corner = field(&surface, at([0., 0., 0.]));
    assert_near(corner.distances[at([side, side, side])], side * 5f64.sqrt(), || "opposite corner".into());
    assert_near(
        corner.distances[at([side, 2., side])],
        (4.0 * side * side + 4.0).sqrt().min((side * side + (side + 2.0) * (side + 2.0)).sqrt()),
        || "edge".into(),
    );
    let middle = field(&surface, at([2., 2., 0.]));
    assert_near(middle.distances[at([2., 2., side])], 2.0 * side, || "ceiling".into());
    // Kotani's ant: not the middle of the edge is farthest. Over the wall, or over two walls round the corner.
    let (x, y) = (1.0, 1.0);
    let straight: f64 = 2.0 + side + (side - x).min(x);
    let over_one = (straight * straight + (2.0 - y) * (2.0 - y)).sqrt();
    let over_two = ((2.0 + side + y).powi(2) + (2.0 + x - side + side).powi(2)).sqrt();
    let found = middle.distances[at([x, y, side])];
    assert!(found <= over_one + 1e-9 && found <= over_two + 1e-9);
}

#[test]
fn round_a_cylinder_the_way_is_straight_on_the_unrolled_one() {
    // A prism of 24 sides: unrolled, 24 strips of equal width.
    let (sides, height) = (24u32, 5u32);
    let mut mesh = wayfare_geom::TriangleMesh::default();
    for level in 0..=height {
        for k in 0..sides {
            let angle = TAU * f64::from(k) / f64::from(sides);
            mesh.vertices.push(dvec3(angle.cos(), angle.sin(), 0.4 * f64::from(level)));
        }
    }
    let at = |level: u32, k: u32| level * sides + k % sides;
    for level in 0..height {
        for k in 0..sides {
            mesh.triangles.push([at(level, k), at(level, k + 1), at(level + 1, k)]);
            mesh.triangles.push([at(level + 1, k), at(level, k + 1), at(level + 1, k + 1)]);
        }
    }
    let width = 2.0 * (PI / f64::from(sides)).sin();
    compare(&mesh, &[0, 50, 7], |a, b| {
        let steps = (a as i64 - b as i64).rem_euclid(24).min((b as i64 - a as i64).rem_euclid(24)) as f64;
        (mesh.vertices[a].z - mesh.vertices[b].z).hypot(steps * width)
    });
}

#[test]
fn on_cones_and_saddles_the_way_is_straight_or_leads_over_the_tip() {
    for total in [0.9, 2.0, 4.0, 6.0, TAU, 6.6, 8.0, 11.0] {
        let (raw, places) = polar(20, 6, total);
        let (surface, repair) = raw.validate().expect("lengths of triangles");
        assert!(repair.is_empty(), "{repair}");
        for source in [0, 1, 34, 63] {
            let found = field(&surface, source);
            for (vertex, &[radius, angle]) in places.iter().enumerate() {
                let [r, a] = places[source];
                let turn = (angle - a).rem_euclid(total).min((a - angle).rem_euclid(total));
                // The rim is made of chords: ways near it may have to go round it, which the formula does not know.
                if radius > 4.0 || r > 4.0 {
                    continue;
                }
                let straight = (r * r + radius * radius - 2.0 * r * radius * turn.cos()).max(0.0).sqrt();
                let expected = if turn < PI { straight } else { r + radius };
                assert_near(found.distances[vertex], expected, || {
                    format!("{source} to {vertex}, angle {total}")
                });
            }
        }
    }
}
