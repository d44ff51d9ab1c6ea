//! How high the ground is beside steps, low walls and what fills gaps.

use wayfare_bake::{BakeConfig, bake};
use wayfare_core::{Context, DVec2, DVec3, dvec2, dvec3};
use wayfare_floor::{GroundConfig, Method, exact::plan_exact};
use wayfare_geom::TriangleMesh;
use wayfare_navmesh::{Body, LocateConfig, NavMesh, PathFinder, PathScratch};
use wayfare_scene::Scene;
use wayfare_testkit::independent_check;

/// Quadrilaterals, each as two triangles, turned about z.
fn quads(all: &[[DVec3; 4]], angle: f64) -> Scene {
    let mut mesh = TriangleMesh::default();
    for corners in all {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(corners.map(|p| turned(p.truncate(), angle).extend(p.z)));
        mesh.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|k| first + k)));
    }
    Scene::from_mesh(mesh)
}

fn turned(p: DVec2, angle: f64) -> DVec2 {
    DVec2::from_angle(angle).rotate(p)
}

fn level([x0, y0]: [f64; 2], [x1, y1]: [f64; 2], z: f64) -> [DVec3; 4] {
    [dvec3(x0, y0, z), dvec3(x1, y0, z), dvec3(x1, y1, z), dvec3(x0, y1, z)]
}

/// A mesh that both checkers find sound.
fn baked(scene: &Scene) -> NavMesh {
    let config = GroundConfig { method: Method::Exact, ..GroundConfig::default() };
    let planned = plan_exact(scene, &config, &Context::default()).unwrap();
    let mesh = bake(&planned.plan, &BakeConfig::default(), &Context::default()).unwrap();
    let defects = mesh.check();
    assert!(defects.is_empty(), "{defects:?}");
    let json = wayfare_view::export::mesh_to_json(&mesh);
    let defects = independent_check(&json, Some(planned.plan.area() + planned.plan.gap_area()));
    assert!(defects.is_empty(), "{defects:?}");
    mesh
}

/// The heights of all ground over a place, without gaps.
fn heights(mesh: &NavMesh, p: DVec2) -> Vec<f64> {
    let cells = mesh.cells().filter(|&cell| mesh.gap(cell).is_none() && mesh.contains(cell, p));
    cells.map(|cell| mesh.height(cell, p)).collect()
}

#[test]
fn ground_is_level_along_a_low_wall_that_ends_at_a_block() {
    // The ground goes round the wall's other end: it has the wall on both sides. One steps over the wall, and onto the block.
    let wall = [dvec3(2., 1., 0.), dvec3(2., 3., 0.), dvec3(2., 3., 0.05), dvec3(2., 1., 0.05)];
    let block = level([1.5, 3.0], [2.5, 4.0], 0.2);
    let side = [dvec3(1.5, 3., 0.), dvec3(2.5, 3., 0.), dvec3(2.5, 3., 0.2), dvec3(1.5, 3., 0.2)];
    for angle in [0.0, 0.4, 1.9] {
        let mesh = baked(&quads(&[level([0., 0.], [4., 4.], 0.0), wall, block, side], angle));
        assert!(mesh.riser_count() >= 2, "the wall and the block's side");
        for k in 1..40 {
            let y = 3.0 - 0.05 * f64::from(k);
            for x in [2.0 - 1e-6, 2.0 + 1e-6] {
                let found = heights(&mesh, turned(dvec2(x, y), angle));
                assert!(!found.is_empty() && found.iter().all(|z| z.abs() < 1e-9), "({x}, {y}): {found:?}");
            }
        }
    }
}

#[test]
fn ground_is_level_along_what_fills_a_gap() {
    // Beside the edge of the floor stands a block that one steps onto; in the corner between them is a gap, filled from the floor up to the
    // block. Its top may rise away from the floor.
    for (angle, slope) in [(0.0, 0.0), (0.4, 0.1), (0.4, -0.1), (1.9, 0.0), (2.8, 0.1)] {
        let top = |x: f64, y: f64| dvec3(x, y, 0.2 - slope * y);
        let block = [top(0.8, -1.0), top(1.2, -1.0), top(1.2, 0.0), top(0.8, 0.0)];
        let mesh = baked(&quads(&[level([0., 0.], [2., 1.], 0.0), block], angle));
        assert!(mesh.gap_count() > 0, "one steps over the corner");
        for k in 1..20 {
            let x = 0.8 - 0.02 * f64::from(k);
            let found = heights(&mesh, turned(dvec2(x, 1e-6), angle));
            assert!(
                !found.is_empty() && found.iter().all(|z| z.abs() < 1e-9),
                "{angle} {slope} {x}: {found:?}"
            );
        }
    }
}

#[test]
fn who_goes_past_a_step_does_not_climb_it() {
    // A block that one could step onto, on level ground and on a slope, and paths round its corners, as near as can be.
    for (angle, slope) in [(0.0, 0.0), (0.4, 0.0), (0.0, 0.2), (1.9, -0.3), (2.8, 0.9)] {
        let on = |[x, y]: [f64; 2], up: f64| dvec3(x, y, slope * x + up);
        let quad = |corners: [[f64; 2]; 4], up: f64| corners.map(|p| on(p, up));
        let block = [[1.5, 1.5], [2.5, 1.5], [2.5, 2.5], [1.5, 2.5]];
        let mut faces = vec![quad([[0., 0.], [4., 0.], [4., 4.], [0., 4.]], 0.0), quad(block, 0.3)];
        faces.extend((0..4).map(|k| {
            let [p, q] = [block[k], block[(k + 1) % 4]];
            [on(p, 0.0), on(q, 0.0), on(q, 0.3), on(p, 0.3)]
        }));
        let mesh = baked(&quads(&faces, angle));
        assert_eq!((mesh.component_count(), mesh.riser_count()), (1, 4));
        let at = |p: [f64; 2], up: f64| {
            let p = on(p, up);
            turned(p.truncate(), angle).extend(p.z)
        };
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-6;
        // Beside the block, from far to a micrometre.
        for aside in [1e-2, 9e-4, 3e-4, 1e-6] {
            for along in [1.6, 2.0, 2.4999, 2.5 + aside] {
                for p in
                    [[along, 1.5 - aside], [along, 2.5 + aside], [1.5 - aside, along], [2.5 + aside, along]]
                {
                    let p = at(p, 0.0);
                    let found = mesh.locate(p, &LocateConfig::default()).unwrap().point;
                    assert!(near(found.z, p.z), "{angle} {slope} {aside} {along}: {found} for {p}");
                }
            }
        }
        if slope != 0.0 {
            continue;
        }
        // Past a corner as near as can be, into the slope and out again; and round corners for who steps less, both ways.
        let finder = PathFinder::new(&mesh);
        let ways: [(f64, &[[f64; 2]]); 4] = [
            (0.4, &[[1.4, 0.5], [1.5 - 2e-4, 1.5], [1.4, 2.5]]),
            (0.4, &[[2.0, 1.0], [2.1, 1.4999], [2.2, 1.0]]),
            (0.2, &[[1.2, 2.0], [1.5, 1.5], [2.0, 1.2]]),
            (0.2, &[[1.2, 1.9], [1.5, 1.5], [2.5, 1.5], [2.8, 1.9]]),
        ];
        for (step, way) in ways {
            let places: Vec<DVec3> = way.iter().map(|&p| at(p, 0.0)).collect();
            let expected: f64 = places.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            let (first, last) = (places[0], places[places.len() - 1]);
            for [from, to] in [[first, last], [last, first]] {
                // The first two are not shortest ways: they go through their middle.
                let legs =
                    if step < 0.3 { vec![[from, to]] } else { vec![[from, places[1]], [places[1], to]] };
                let (mut length, mut points) = (0.0, Vec::new());
                for [from, to] in legs {
                    let (body, config) = (Body { step, ..Body::default() }, LocateConfig::default());
                    let path =
                        finder.find_for(&body, from, to, &config, &mut PathScratch::default()).unwrap();
                    length += path.length;
                    points.extend(path.points);
                }
                assert!(near(length, expected), "{angle} {slope}: {length} for {expected}: {points:?}");
            }
        }
    }
}

#[test]
fn a_path_goes_over_what_lies_between_two_steps() {
    // Down a step onto a ridge that rises above its foot, and up another.
    let profile = [(1.0, 0.0), (1.5, 0.2), (2.0, 0.0)];
    for angle in [0.0, 0.4, 1.9] {
        let mut faces = vec![level([0., 0.], [1., 1.], 0.3), level([2., 0.], [3., 1.], 0.3)];
        for pair in profile.windows(2) {
            let [(a, low), (b, high)] = [pair[0], pair[1]];
            faces.push([dvec3(a, 0., low), dvec3(b, 0., high), dvec3(b, 1., high), dvec3(a, 1., low)]);
        }
        let mesh = baked(&quads(&faces, angle));
        let at = |x: f64, z: f64| turned(dvec2(x, 0.4 + 0.1 * x), angle).extend(z);
        let finder = PathFinder::new(&mesh);
        let ends = [at(0.5, 0.3), at(2.5, 0.3)];
        for [from, to] in [ends, [ends[1], ends[0]]] {
            let path = finder.find(from, to, &LocateConfig::default(), &mut PathScratch::new()).unwrap();
            assert_eq!(path.strides(&mesh).len(), 2);
            let ridge = at(1.5, 0.2);
            let is_ridge = |p: &DVec3| p.distance(ridge) < 1e-6;
            assert!(path.points.iter().any(is_ridge), "{angle}: {:?}", path.points);
        }
    }
}

#[test]
fn who_goes_through_the_tip_of_a_gap_steps_there() {
    // A floor that ends at y = 0. Behind it begins a ramp a step higher, from x = 0 on: one gets onto it over the gap in the corner, or
    // through its tip.
    for angle in [0.0, 0.4, 1.9] {
        let ramp = [dvec3(0., -1., 0.36), dvec3(1., -1., 1.36), dvec3(1., 0., 1.36), dvec3(0., 0., 0.36)];
        let mesh = baked(&quads(&[level([-1., 0.], [1., 1.], 0.0), ramp], angle));
        assert!(mesh.gap_count() > 0);
        let at = |x: f64, y: f64, z: f64| turned(dvec2(x, y), angle).extend(z);
        let finder = PathFinder::new(&mesh);
        for y in [-0.01, -0.05, -0.2] {
            let ends = [at(0.5, 0.1, 0.0), at(0.5, y, 0.86)];
            for [from, to] in [ends, [ends[1], ends[0]]] {
                let path = finder.find(from, to, &LocateConfig::default(), &mut PathScratch::new()).unwrap();
                let strides = path.strides(&mesh);
                println!("{angle} {y} {strides:?} {:?}", path.points);
                assert_eq!(strides.len(), 1, "{angle} {y}: {strides:?}");
                let low = strides[0].from.z.min(strides[0].to.z);
                assert!(low.abs() < 1e-6 && strides[0].rise >= 0.36 - 1e-6, "{angle} {y}: {strides:?}");
                // What is not stepped is walked, at most up the ramp.
                for pair in path.points.windows(2).filter(|pair| pair != &[strides[0].from, strides[0].to]) {
                    let run = pair[0].truncate().distance(pair[1].truncate());
                    assert!((pair[1].z - pair[0].z).abs() <= run + 2e-3, "{angle} {y}: {:?}", path.points);
                }
            }
        }
    }
}

#[test]
fn ground_is_level_beside_a_step_between_two_higher_ones() {
    // Three blocks in a row. At both ends of the low one the step begins to be higher: no corner of the slope at its side is the end of a step.
    for angle in [0.0, 0.4, 1.9] {
        let mut faces = vec![level([-1., 0.], [4., 3.], 0.0)];
        for (k, top) in [(0.0, 0.38), (1.0, 0.2), (2.0, 0.38)] {
            faces.push(level([k, 1.], [k + 1., 2.], top));
            for y in [1., 2.] {
                faces.push([dvec3(k, y, 0.), dvec3(k + 1., y, 0.), dvec3(k + 1., y, top), dvec3(k, y, top)]);
            }
        }
        faces.extend(
            [0., 3.].map(|x| [dvec3(x, 1., 0.), dvec3(x, 2., 0.), dvec3(x, 2., 0.38), dvec3(x, 1., 0.38)]),
        );
        let mesh = baked(&quads(&faces, angle));
        for aside in [9e-4, 5e-4, 1e-4, 1e-6] {
            for x in [0.3, 0.999, 1.0005, 1.01, 1.3, 1.5, 1.9, 1.9995, 2.4] {
                for y in [1.0 - aside, 2.0 + aside] {
                    let found = heights(&mesh, turned(dvec2(x, y), angle));
                    assert!(
                        !found.is_empty() && found.iter().all(|z| z.abs() < 1e-6),
                        "{angle} ({x}, {y}): {found:?}"
                    );
                }
            }
        }
    }
}
