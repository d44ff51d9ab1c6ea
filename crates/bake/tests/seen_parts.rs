//! Cells on several storeys know the parts of the edges that they see; none may end before the next begins.

use wayfare_bake::{BakeConfig, bake_exact};
use wayfare_core::Context;
use wayfare_floor::{GroundConfig, Method};
use wayfare_scene::generated::scene_by_name;

/// On a grid of 15 nm walls of this cave go on nearly straight in pieces: where one takes over from the next their distances touch, and
/// rounding moves that place by its root. Parts that ended a tenth of a micrometre too early let features be seen that are far behind, and
/// the clearance was refused on this grid and on the next two.
#[test]
fn parts_of_edges_that_go_on_straight_leave_nothing_between_them() {
    let scene = scene_by_name("cave-3").expect("a generated scene");
    let ground = GroundConfig { method: Method::Exact, ..GroundConfig::default() };
    let made = bake_exact(&scene, &ground, &BakeConfig::default(), &Context::default()).expect("ground");
    assert_eq!(made.defects, 0);
    assert!(made.unsettled.is_none());
    let note = made.note.expect("the finest grid does not hold for other reasons");
    assert!(note.contains("rounded to 0.015 µm"), "{note}");
}
