//! The scenes of seed 002, section VI, and its results, section VII.

use wayfare_core::{Context, dvec3};
use wayfare_floor::{
    GroundConfig,
    exact::{NO_HALF_EDGE, find_surface},
    gaps::{Face, GapConfig, GapSurface, find_gaps, surface_of_triangles},
};
use wayfare_geom::TriangleMesh;
use wayfare_scene::{
    Scene,
    generated::scenes::{generated_scene, holes_area},
};

/// The gaps of a scene whose triangles are all ground.
fn gaps_of_ground(name: &str, config: &GapConfig) -> GapSurface {
    let scene = generated_scene(name).unwrap().scene;
    let surface = surface_of_triangles(&scene.mesh);
    config.check().unwrap();
    let found = find_gaps(&surface, &scene.mesh, config, &Context::default()).unwrap();
    assert_eq!(found.check(config.max_gap, config.step), Vec::<String>::new());
    assert_eq!(found.report.holes_left, 0);
    found
}

#[test]
fn the_filled_share_of_holes_grows_with_the_reach_and_is_all_at_one_metre() {
    let mut last = 0.0;
    for tenth in 1..=10 {
        let config = GapConfig { max_gap: f64::from(tenth) / 10.0, step: 0.0, height: 2.5 };
        let found = gaps_of_ground("holes", &config);
        let share = found.report.gap_area / holes_area();
        println!("{:.1} m: {:.4} {:?}", config.max_gap, share, found.report);
        assert!(share > last + 1e-3, "{tenth}: {share} after {last}");
        last = share;
        // Nothing sticks out of the plane, nothing lies over anything else.
        assert!(share < 1.0 + 1e-9, "{share}");
    }
    assert!(last > 1.0 - 1e-9, "{last}");
    let config = GapConfig { max_gap: 1.0, step: 0.0, height: 2.5 };
    let found = gaps_of_ground("holes", &config);
    let on_rim = |p: wayfare_core::DVec3| p.x == 0.0 || p.x == 12.0 || p.y == 0.0 || p.y == 10.0;
    for (h, &twin) in found.twins.iter().enumerate() {
        if twin == NO_HALF_EDGE {
            let points = found.points(h / 3);
            assert!(on_rim(points[h % 3]) && on_rim(points[(h % 3 + 1) % 3]));
        }
    }
}

/// The gaps of triangles on a lattice of 0.25 m, as the fuzz target `scene_gaps` finds them.
fn gaps_of_soup<const N: usize>(
    triangles: [[[i32; 3]; 3]; N],
    height: f64,
    step: f64,
    reach: f64,
) -> GapSurface {
    let mut mesh = TriangleMesh::default();
    for corners in triangles {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(corners.map(|[x, y, z]| dvec3(x.into(), y.into(), z.into()) * 0.25));
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    let scene = Scene::from_mesh(mesh);
    let ground = GroundConfig { height, step, min_area: 0.0, ..GroundConfig::default() };
    let config = GapConfig::of_ground(reach, &ground);
    config.check().unwrap();
    let (surface, _) = find_surface(&scene, &ground, &Context::default()).unwrap();
    let found = find_gaps(&surface, &scene.mesh, &config, &Context::default()).unwrap();
    assert_eq!(found.check(config.max_gap, config.step), Vec::<String>::new());
    assert!(found.report.components_after <= found.report.components_before, "{:?}", found.report);
    found
}

/// Fuzzing found it: flat joins let heights differ by 2 mm, and one vertex has one height. A step that
/// just passes in the planes of its two sides was 0.9 mm higher than asked for between their vertices.
#[test]
fn no_step_of_ground_joined_over_slight_differences_in_height_is_higher_than_asked_for() {
    let triangles = [
        [[22, 25, 0], [2, 30, 15], [19, 19, 0]],
        [[2, 30, 3], [19, 31, 5], [27, 0, 3]],
        [[27, 21, 0], [8, 29, 10], [21, 31, 0]],
    ];
    let found = gaps_of_soup(triangles, 2.125, 2.125 * 9.0 / 48.0, 2.125 * 7.0 / 48.0);
    // The part of it that is low enough is stepped over.
    assert!(found.gaps.iter().any(|gap| gap.rise > 0.398 && gap.area < 1e-9), "{:?}", found.gaps);
}

/// Fuzzing found it.
#[test]
fn no_gap_is_a_piece_by_itself() {
    let triangles = [
        [[17, 10, 1], [10, 16, 0], [16, 16, 0]],
        [[16, 16, 0], [16, 10, 15], [15, 17, 5]],
        [[5, 0, 5], [20, 21, 5], [21, 0, 10]],
    ];
    let found = gaps_of_soup(triangles, 2.25, 0.0, 2.25 * 8.0 / 48.0);
    let numbers = (0..found.gaps.len() as u32).map(Face::Gap);
    assert!(
        found.gaps.len() > 1 && numbers.into_iter().all(|gap| found.faces.contains(&gap)),
        "{:?}",
        found.faces
    );
    // All that is joined to nothing is ground.
    let is_joined = |t: usize| found.twins[3 * t..3 * t + 3].iter().any(|&twin| twin != NO_HALF_EDGE);
    assert!((0..found.faces.len()).all(|t| matches!(found.faces[t], Face::Ground(_)) || is_joined(t)));
}
