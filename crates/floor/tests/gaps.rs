//! The scenes of seed 002, section VI, and its results, section VII.

use wayfare_core::Context;
use wayfare_floor::{
    exact::NO_HALF_EDGE,
    gaps::{GapConfig, GapSurface, find_gaps, surface_of_triangles},
};
use wayfare_scene::generated::scenes::{generated_scene, holes_area};

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
