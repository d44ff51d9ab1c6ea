//! Growth on scenes that it was once too slow for, or lost a way in: what it grows is sound, in one piece, and made in bounded time.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use wayfare_core::{CancelFlag, Context, DVec3, Progress, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_scene::{Scene, SceneOptions, Up, read_scene};
use wayfare_volume::{GrowthConfig, VolumeConfig, VolumeError, VolumeMesh, growth, partition};

/// Adds a box, its faces outwards.
fn add_box(mesh: &mut TriangleMesh, min: DVec3, max: DVec3) {
    let first = mesh.vertices.len() as u32;
    let pick = |k: u32, bit: u32, axis: usize| if k >> bit & 1 == 0 { min[axis] } else { max[axis] };
    mesh.vertices.extend((0..8).map(|k| dvec3(pick(k, 0, 0), pick(k, 1, 1), pick(k, 2, 2))));
    for q in [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] {
        let [a, b, c, d] = q.map(|k: u32| k + first);
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
    }
}

/// Two rooms with a door between them, 0.8 m wide and 2.1 m high, in a wall of 0.2 m.
fn two_rooms() -> (Scene, [DVec3; 2]) {
    let mut mesh = TriangleMesh::default();
    for (low, high) in [([0.0, 0.0], [2.0, 2.5]), ([2.8, 0.0], [5.0, 2.5]), ([2.0, 2.1], [2.8, 2.5])] {
        add_box(&mut mesh, dvec3(4.9, low[0], low[1]), dvec3(5.1, high[0], high[1]));
    }
    (Scene::from_mesh(mesh), [DVec3::ZERO, dvec3(10.0, 5.0, 2.5)])
}

/// A shared scene, and the settings for the body that is at home in it; nothing where the shared data is not there.
fn shared(name: &str) -> Option<(Scene, VolumeConfig)> {
    let all = wayfare_testkit::data::scenes::scenes();
    let Some(shared) = all.iter().find(|scene| scene.name == name) else {
        eprintln!("{name} is not there: it was not checked");
        return None;
    };
    let up = if shared.up == wayfare_testkit::data::UpAxis::Z { Up::Z } else { Up::Y };
    let up = (!shared.path.to_string_lossy().contains(".glb")).then_some(up);
    let options = SceneOptions { up, scale: shared.scale, ..SceneOptions::default() };
    let scene = read_scene(&shared.path, &options).unwrap();
    Some((scene, VolumeConfig { radius: shared.body.radius, ..VolumeConfig::default() }))
}

fn grow(scene: &Scene, config: &VolumeConfig) -> VolumeMesh {
    let (mesh, _) = growth(scene, config, &GrowthConfig::default(), &Context::default()).unwrap();
    assert_eq!(mesh.check(), []);
    assert_eq!(mesh.check_scene(&scene.mesh), []);
    mesh
}

#[test]
fn a_door_joins_the_rooms_on_both_of_its_sides() {
    let (scene, bounds) = two_rooms();
    let config = VolumeConfig { bounds: Some(bounds), ..VolumeConfig::default() };
    let mesh = grow(&scene, &config);
    assert_eq!((mesh.region_count(), mesh.portal_count(), mesh.component_count()), (3, 2, 1));
}

#[test]
fn no_way_is_lost_by_growing() {
    for name in ["aws_small_house", "tower_big", "cpr_office"] {
        let Some((scene, config)) = shared(name) else { continue };
        let mesh = grow(&scene, &config);
        eprintln!("{name}: {} regions, {}", mesh.region_count(), mesh.coverage());
        assert_eq!(mesh.component_count(), 1, "{name}");
        // What is pruned, and cells that were given up.
        assert!(mesh.coverage() > 0.99, "{name}: {}", mesh.coverage());
    }
}

/// Counts steps of progress, and raises the flag when there were enough.
struct Steps(AtomicU64, CancelFlag, u64);
impl Progress for Steps {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, steps: u64) {
        if self.0.fetch_add(steps, Ordering::Relaxed) + steps >= self.2 {
            self.1.cancel();
        }
    }
    fn end(&self) {}
}

#[test]
fn growth_tells_how_far_it_is_and_stops_when_it_is_asked_to() {
    let (scene, bounds) = two_rooms();
    let config = VolumeConfig { bounds: Some(bounds), ..VolumeConfig::default() };
    for (most, is_stopped) in [(1, true), (u64::MAX, false)] {
        let flag = CancelFlag::default();
        let steps = Arc::new(Steps(AtomicU64::new(0), flag.clone(), most));
        let context = Context::new(Some(steps.clone()), flag);
        let grown = growth(&scene, &config, &GrowthConfig::default(), &context);
        assert_eq!(matches!(grown, Err(VolumeError::Cancelled(_))), is_stopped);
        assert!(steps.0.load(Ordering::Relaxed) > 0);
    }
}

#[test]
fn a_box_far_larger_than_its_scene_is_free_on_all_sides_of_it() {
    let (scene, _) = two_rooms();
    for size in [1e3, 1e4, 1e5, 1e6] {
        let bounds = Some([DVec3::splat(-size), DVec3::splat(size)]);
        let config = VolumeConfig { bounds, prune: 0.0, ..VolumeConfig::default() };
        let (mesh, _) = partition(&scene, &config, &Context::default()).unwrap();
        assert_eq!(mesh.check(), []);
        assert_eq!(mesh.check_scene(&scene.mesh), []);
        let all = 8.0 * size * size * size;
        assert!((mesh.total_volume() / all - 1.0).abs() < 1e-6, "{size}: {} of {all}", mesh.total_volume());
        // The wall is still there, and the door in it.
        assert!(mesh.region_at(dvec3(5.0, 1.0, 1.0)).is_none(), "{size}");
        assert!(mesh.region_at(dvec3(5.0, 2.4, 1.0)).is_some(), "{size}");
    }
}

#[test]
fn a_body_that_fits_nowhere_is_told_how_wide_the_free_space_is() {
    let (scene, bounds) = two_rooms();
    for radius in [1.3, 5.0] {
        let config = VolumeConfig { bounds: Some(bounds), radius, ..VolumeConfig::default() };
        let context = Context::default();
        for made in [
            partition(&scene, &config, &context),
            growth(&scene, &config, &GrowthConfig::default(), &context),
        ] {
            let Err(VolumeError::TooWide { widest, .. }) = made else { panic!("{radius} m fits nowhere") };
            assert_eq!(widest, Some(2.5));
        }
    }
}
