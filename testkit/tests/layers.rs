//! Meshes of plans with layers, tags and bent ground, by both checkers.

use crate::pixel_surface::Surface;
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::Context;

#[test]
fn meshes_of_random_layers_pass_the_independent_check() {
    let mut bent = 0;
    for seed in 0..40 {
        let (layers, size) = (1 + seed as usize % 4, 3 + seed as i32 % 9);
        let surface = Surface::random(seed, layers, size, 0.75, 1 + seed as u8 % 3);
        if surface.winds_between_two_points() {
            // Refused by some bakes, see docs/decomposition.md; crates/bake/tests/layers.rs looks at these.
            continue;
        }
        let plan = surface.plan(|(layer, x, y)| layer as f64 * 3.0 + 0.1 * f64::from(x * y));
        for convex_distance in [0.0, 0.3] {
            let config = BakeConfig { convex_distance, ..BakeConfig::default() };
            let mesh = bake(&plan, &config, &Context::default()).expect("the plan can be baked");
            bent += mesh.cells().filter(|&cell| !mesh.ground_list(cell).is_empty()).count();
            assert_eq!(
                crate::support::defects(&mesh, plan.area()),
                [""; 0],
                "seed {seed}, {convex_distance}"
            );
        }
    }
    assert!(bent > 100, "{bent} cells have ground of their own");
}
