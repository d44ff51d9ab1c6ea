//! The exact way: closed forms, turns and shifts, soups against rays, and the shared scenes.

use wayfare_core::{Context, DVec3, dvec2, dvec3};
use wayfare_floor::{
    GroundConfig, Keep, Method, Region,
    exact::{
        ExactGround, LeftOut, NO_HALF_EDGE, NearGaps, Origin, WalkableSurface, find_surface, find_walkable,
        plan_exact,
    },
    plan_scene,
};
use wayfare_geom::{TriangleMesh, ring_area};
use wayfare_scene::{
    Scene, SceneOptions, Up,
    generated::{
        scene_by_name,
        scenes::{SCENE_EXAMPLES, Walker, floors_by_name},
    },
    read_scene,
};
use wayfare_testkit::data::scenes::UpAxis;

/// Quadrilaterals, each as two triangles; corners at one place are one vertex.
#[derive(Default)]
struct Model {
    mesh: TriangleMesh,
}

impl Model {
    fn vertex(&mut self, p: DVec3) -> u32 {
        match self.mesh.vertices.iter().position(|q| *q == p) {
            Some(k) => k as u32,
            None => {
                self.mesh.vertices.push(p);
                self.mesh.vertices.len() as u32 - 1
            }
        }
    }
    fn quad(&mut self, corners: [DVec3; 4]) -> &mut Self {
        let [a, b, c, d] = corners.map(|p| self.vertex(p));
        self.mesh.triangles.extend([[a, b, c], [a, c, d]]);
        self
    }
    /// A level rectangle.
    fn floor(&mut self, [x0, y0]: [f64; 2], [x1, y1]: [f64; 2], z: f64) -> &mut Self {
        self.quad([dvec3(x0, y0, z), dvec3(x1, y0, z), dvec3(x1, y1, z), dvec3(x0, y1, z)])
    }
    /// An upright rectangle without thickness.
    fn wall(&mut self, [x0, y0]: [f64; 2], [x1, y1]: [f64; 2], [low, high]: [f64; 2]) -> &mut Self {
        self.quad([dvec3(x0, y0, low), dvec3(x1, y1, low), dvec3(x1, y1, high), dvec3(x0, y0, high)])
    }
    /// A closed box.
    fn block(&mut self, a: DVec3, b: DVec3) -> &mut Self {
        let p = |k: u8| {
            let side = |bit: u8, a: f64, b: f64| if k & bit == 0 { a } else { b };
            dvec3(side(1, a.x, b.x), side(2, a.y, b.y), side(4, a.z, b.z))
        };
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            self.quad(face.map(p));
        }
        self
    }
    fn scene(&self) -> Scene {
        Scene::from_mesh(self.mesh.clone())
    }
    /// Turned about z and moved.
    fn moved(&self, turn: f64, by: DVec3) -> Scene {
        let (sin, cos) = turn.sin_cos();
        let mut mesh = self.mesh.clone();
        for p in &mut mesh.vertices {
            *p = dvec3(p.x * cos - p.y * sin, p.x * sin + p.y * cos, p.z) + by;
        }
        Scene::from_mesh(mesh)
    }
}

fn config() -> GroundConfig {
    GroundConfig { method: Method::Exact, min_area: 0.0, ..GroundConfig::default() }
}

fn walkable(scene: &Scene, config: &GroundConfig) -> WalkableSurface {
    let surface = find_walkable(scene, config, &Context::default()).unwrap().0;
    check(&surface);
    surface
}

fn components(surface: &WalkableSurface, with_risers: bool) -> u32 {
    surface.components(with_risers).into_iter().max().map_or(0, |most| most + 1)
}

/// W1, W2, W4, W5, W6.
fn check(surface: &WalkableSurface) {
    let plan = |p: DVec3| p.truncate();
    for t in 0..surface.triangles.len() {
        let [a, b, c] = surface.points(t).map(plan);
        assert!((b - a).perp_dot(c - a) > 0.0, "W1: triangle {t}");
    }
    for (h, &twin) in surface.twins.iter().enumerate() {
        if twin != NO_HALF_EDGE {
            let [a, b] = surface.ends(h as u32);
            assert_eq!((surface.twins[twin as usize], surface.ends(twin)), (h as u32, [b, a]), "W2");
        }
    }
    let border = surface.twins.iter().filter(|&&twin| twin == NO_HALF_EDGE).count();
    assert_eq!(border, surface.border.len(), "W5");
    let mut fans = vec![0; surface.vertices.len()];
    for cycle in surface.cycles() {
        for (k, edge) in cycle.iter().enumerate() {
            let next = cycle[(k + 1) % cycle.len()];
            assert_eq!(surface.ends(edge.half_edge)[1], surface.ends(next.half_edge)[0], "W5");
            fans[surface.ends(edge.half_edge)[0].0 as usize] += 1;
        }
    }
    assert!(fans.iter().all(|&count| count <= 1), "W4");
    for riser in &surface.risers {
        let ([a, b], [c, d]) = (surface.segment(riser.lower), surface.segment(riser.upper));
        assert_eq!((plan(a), plan(b)), (plan(d), plan(c)), "W6");
        assert!(riser.rise[0] + riser.rise[1] > -4e-3 && riser.over + 1e-9 >= riser.rise[0]);
    }
}

/// Twelve steps of 0.18 m, tread 0.28 m, 1.2 m wide, made of level treads and upright risers; a floor before, a landing behind.
fn stair() -> Model {
    let mut model = Model::default();
    model.floor([-3.0, 0.0], [0.0, 1.2], 0.0);
    for k in 0..12 {
        let (x, z) = (0.28 * f64::from(k), 0.18 * f64::from(k));
        model.wall([x, 0.0], [x, 1.2], [z, z + 0.18]);
        model.floor([x, 0.0], [x + 0.28, 1.2], z + 0.18);
    }
    model.floor([3.36, 0.0], [6.0, 1.2], 2.16);
    model
}

#[test]
fn a_stair_is_climbed_by_its_risers_and_has_its_area() {
    let area = 9.0 * 1.2;
    for (turn, by) in [(0.0, DVec3::ZERO), (0.588, dvec3(3.0, -7.0, 1.0)), (2.2, dvec3(1e4, 2e3, 0.0))] {
        let scene = stair().moved(turn, by);
        let climbs = walkable(&scene, &GroundConfig { step: 0.2, ..config() });
        // The grid's units are 2⁻⁴⁰ of the stair's size; 10 km away doubles are no closer than that.
        let bound = if by.x > 1e3 { 1e-9 } else { 1e-10 };
        assert!((climbs.area() - area).abs() <= bound * area, "{} at {by}", climbs.area() - area);
        assert_eq!((components(&climbs, false), components(&climbs, true)), (13, 1), "turned by {turn}");
        assert!(climbs.risers.iter().all(|riser| (riser.rise[0] - 0.18).abs() < 1e-9));
        let stays = walkable(&scene, &GroundConfig { step: 0.15, ..config() });
        assert_eq!((components(&stays, true), stays.risers.len()), (13, 0));
    }
}

#[test]
fn the_plan_of_a_stair_has_a_region_for_each_tread() {
    let planned = plan_exact(&stair().scene(), &GroundConfig { step: 0.2, ..config() }, &Context::default());
    let plan = planned.unwrap().plan;
    assert_eq!((plan.layers.len(), plan.layers[0].regions.len()), (1, 13));
    let kinds = plan.regions().flat_map(Region::rings).flat_map(|ring| &ring.kinds);
    // Tops of walls are known in single floats. Each step is there from both sides.
    let steps = kinds.filter(|kind| (kind.rise() - 0.18).abs() < 1e-7);
    assert_eq!(steps.count(), 24);
    assert!((plan.area() - 10.8).abs() < 1e-9);
    let highest = plan.vertices.as_slice().iter().map(|p| p.z).fold(0.0, f64::max);
    assert!((highest - 2.16).abs() < 1e-9);
}

#[test]
fn a_wall_without_thickness_parts_two_rooms() {
    let mut model = Model::default();
    model.floor([0.0, 0.0], [8.0, 5.0], 0.0).wall([3.0, 0.0], [3.0, 5.0], [0.0, 2.5]);
    for turn in [0.0, 0.3, 1.234] {
        let surface = walkable(&model.moved(turn, DVec3::ZERO), &config());
        assert_eq!(components(&surface, true), 2, "turned by {turn}");
        assert!((surface.area() - 40.0).abs() < 1e-9);
        let slits = surface.border.iter().filter(|edge| edge.origin == Origin::Slit);
        assert!(
            slits.clone().count() >= 2
                && slits.clone().all(|edge| edge.obstacle == Some([0.0, f64::from(1.8f32)]))
        );
        let plan = plan_scene(&model.moved(turn, DVec3::ZERO), &config(), &Context::default()).unwrap().plan;
        assert_eq!(plan.layers[0].regions.len(), 2);
        assert!((plan.area() - 40.0).abs() < 4e-8);
    }
    // With a door, they are one; and a wall that stands free is gone round.
    for ends in [[0.0, 4.0], [1.0, 4.0]] {
        let mut model = Model::default();
        model.floor([0.0, 0.0], [8.0, 5.0], 0.0).wall([3.0, ends[0]], [3.0, ends[1]], [0.0, 2.5]);
        let plan = plan_scene(&model.scene(), &config(), &Context::default()).unwrap().plan;
        assert_eq!(plan.layers[0].regions.len(), 1);
        assert!((plan.area() - 40.0).abs() < 4e-8);
    }
}

#[test]
fn what_is_narrower_than_ten_micrometres_is_no_way_and_a_millimetre_is() {
    for (width, rooms) in [(4e-6, 2), (1e-3, 1)] {
        for turn in [0.0, 0.4] {
            let mut model = Model::default();
            model.floor([0.0, 0.0], [8.0, 5.0], 0.0);
            model
                .block(dvec3(3.0, -1.0, -1.0), dvec3(4.0, 2.5, 3.0))
                .block(dvec3(3.0, 2.5 + width, -1.0), dvec3(4.0, 6.0, 3.0));
            let scene = model.moved(turn, DVec3::ZERO);
            let surface = find_surface(&scene, &config(), &Context::default()).unwrap().0;
            check(&surface);
            let floor = surface
                .components(true)
                .into_iter()
                .zip(0..)
                .filter(|&(_, t)| surface.points(t).iter().all(|p| p.z == 0.0));
            let mut floors: Vec<u32> = floor.map(|(component, _)| component).collect();
            floors.sort_unstable();
            floors.dedup();
            assert_eq!(floors.len(), rooms, "{width} m wide, turned by {turn}");
        }
    }
}

#[test]
fn slivers_are_gone_from_soups_and_everything_holds() {
    for seed in 1..6 {
        let scene = scene_by_name(&format!("soup-300-{seed}")).unwrap();
        let all = walkable(&scene, &config());
        let surface = find_surface(&scene, &config(), &Context::default()).unwrap().0;
        check(&surface);
        assert!(surface.area() <= all.area() + 1e-4 && surface.area() >= 0.9 * all.area());
        let short = surface.border.iter().filter(|edge| {
            let [a, b] = surface.segment(edge.half_edge);
            (b - a).truncate().length() < 1e-5
        });
        assert_eq!(short.count(), 0, "seed {seed}");
    }
}

#[test]
fn what_is_lower_than_a_step_does_not_part_and_a_lintel_does() {
    for (heights, rooms) in [([0.0, 0.1], 1), ([0.0, 0.5], 2), ([1.0, 2.5], 2), ([1.9, 2.5], 1)] {
        let mut model = Model::default();
        model.floor([0.0, 0.0], [8.0, 5.0], 0.0).wall([3.0, 0.0], [3.0, 5.0], heights);
        assert_eq!(components(&walkable(&model.scene(), &config()), true), rooms, "{heights:?}");
    }
}

#[test]
fn boxes_that_cross_leave_the_floor_round_their_union() {
    let mut model = Model::default();
    model.floor([0.0, 0.0], [10.0, 10.0], 0.0);
    model
        .block(dvec3(2.0, 2.0, -1.0), dvec3(6.0, 4.0, 3.0))
        .block(dvec3(4.0, 3.0, -1.0), dvec3(5.0, 8.0, 3.5));
    // 100 less 8 + 5 − 1; the tops: 8 less the crossing, and 5. The bottoms have no head room below the floor.
    let planned = plan_scene(&model.scene(), &config(), &Context::default()).unwrap();
    assert!(
        (planned.plan.area() - (88.0 + 7.0 + 5.0)).abs() < 1e-9,
        "{} {:?}",
        planned.plan.area(),
        planned.notes
    );
}

#[test]
fn ground_may_be_steeper_than_the_limit_by_what_rounding_turns_it() {
    // A ramp of 45 degrees whose top is too high by so much; the smaller it is, the more that turns it.
    let is_ground = |size: f64, off: f64| {
        let (low, high) = (0.0, size + off);
        let corners = [[0.0, 0.0, low], [size, 0.0, high], [size, size, high], [0.0, size, low]];
        let mut model = Model::default();
        model.quad(corners.map(|[x, y, z]| dvec3(x, y, z)));
        find_walkable(&model.scene(), &config(), &Context::default()).is_ok()
    };
    assert!(is_ground(1.0, 0.0) && is_ground(1.0, 5e-6) && !is_ground(1.0, 5e-5));
    assert!(is_ground(4.0, 5e-6) && !is_ground(4.0, 1e-4) && !is_ground(0.01, 1e-5));
}

#[test]
fn head_room_ends_under_a_ramp_where_it_is_as_high_as_the_body() {
    let mut model = Model::default();
    model.floor([0.0, 0.0], [10.0, 4.0], 0.0);
    // From 0 at x = 2 to 3 at x = 8: at 1.8 for x = 5.6.
    model.quad([dvec3(2.0, 1.0, 0.0), dvec3(8.0, 1.0, 3.0), dvec3(8.0, 3.0, 3.0), dvec3(2.0, 3.0, 0.0)]);
    let surface = walkable(&model.scene(), &config());
    // The ramp's foot: the floor is kept until the ramp is a millimetre over it.
    let foot = 2.0 * 0.002;
    let numbers = [40.0 - 2.0 * 3.6 + foot, 12.0 - foot];
    let area = |least: f64, most: f64| {
        let points = (0..surface.triangles.len()).map(|t| surface.points(t));
        let own = points.filter(|p| p.iter().all(|p| (least..=most).contains(&p.z)));
        own.map(|[a, b, c]| (b - a).truncate().perp_dot((c - a).truncate()) / 2.0).sum::<f64>()
    };
    assert!((area(0.0, 0.0) - numbers[0]).abs() < 1e-9, "{}", area(0.0, 0.0) - numbers[0]);
    assert!((surface.area() - numbers[0] - numbers[1]).abs() < 1e-9);
    assert_eq!(components(&surface, false), 1, "joined at the foot");
}

#[test]
fn floors_that_lie_on_each_other_are_kept_once_however_they_are_turned() {
    let mut model = Model::default();
    model.floor([0.0, 0.0], [6.0, 4.0], 1.0).floor([4.0, 1.0], [9.0, 3.0], 1.0).floor(
        [4.0, 1.0],
        [9.0, 3.0],
        1.0,
    );
    for turn in [0.0, 0.7] {
        let scene = model.moved(turn, DVec3::ZERO);
        let mut turned = scene.clone();
        for triangle in turned.mesh.triangles.iter_mut().step_by(2) {
            triangle.swap(1, 2);
        }
        for scene in [scene, turned] {
            let surface = walkable(&scene, &config());
            assert!((surface.area() - 30.0).abs() < 1e-9, "{}", surface.area());
            assert_eq!(components(&surface, false), 1);
        }
    }
}

#[test]
fn generated_scenes_have_the_area_that_is_known() {
    for name in ["bridge", "walls-1", "walls-7", "door-0.9", "slabs-1", "slabs-3"] {
        let scene = scene_by_name(name).unwrap();
        let config = GroundConfig { min_area: 0.0, ..config() };
        let walker = Walker { height: config.height, step: config.step, ..Walker::default() };
        let floors = floors_by_name(name, &walker).unwrap();
        let truth: f64 = floors.iter().map(|floor| floor.polygon.area()).sum();
        let plan = plan_scene(&scene, &config, &Context::default()).unwrap().plan;
        assert!((plan.area() - truth).abs() <= 1e-9 * truth, "{name}: {} for {truth}", plan.area());
    }
}

#[test]
fn every_generated_scene_gives_a_plan_that_holds() {
    for name in SCENE_EXAMPLES {
        let scene = scene_by_name(name).unwrap();
        let planned = plan_scene(
            &scene,
            &GroundConfig { method: Method::Exact, ..GroundConfig::default() },
            &Context::default(),
        );
        let plan = planned.unwrap_or_else(|error| panic!("{name}: {error}")).plan;
        assert_eq!(plan.check(), [], "{name}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let scene = scene_by_name("building-open-2").unwrap();
    let run = |scene: &Scene, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| plan_scene(scene, &config(), &Context::default()).unwrap().plan.to_bytes())
    };
    assert!(run(&scene, 1) == run(&scene, 3));
}

#[test]
fn soups_agree_with_rays_at_sample_points() {
    for seed in 1..4 {
        let scene = scene_by_name(&format!("soup-400-{seed}")).unwrap();
        let surface = walkable(&scene, &config());
        let [min, max] = scene.mesh.bounds().unwrap();
        let limit = config().max_slope.cos();
        let (mut wrong, mut all) = (0, 0);
        for (i, k) in (0..60 * 60).map(|n| (n % 60, n / 60)) {
            let p = dvec3(
                min.x + (max.x - min.x) * (f64::from(i) + 0.51) / 60.0,
                min.y + (max.y - min.y) * (f64::from(k) + 0.47) / 60.0,
                0.0,
            );
            let height = |[a, b, c]: [DVec3; 3]| {
                let at = |u: DVec3, v: DVec3| (v - u).truncate().perp_dot((p - u).truncate());
                let sides = [at(b, c), at(c, a), at(a, b)];
                let is_in = sides.iter().all(|&s| s > 0.0) || sides.iter().all(|&s| s < 0.0);
                let sum: f64 = sides.iter().sum();
                is_in.then(|| (a.z * sides[0] + b.z * sides[1] + c.z * sides[2]) / sum)
            };
            // Straight up and down: faces that are level enough with nothing for a body's height above them.
            let hits: Vec<(f64, bool)> = scene
                .mesh
                .all_points()
                .filter_map(|t| {
                    let normal = (t[1] - t[0]).cross(t[2] - t[0]);
                    Some((height(t)?, normal.z.abs() >= limit * normal.length()))
                })
                .collect();
            let free = |z: f64| !hits.iter().any(|hit| hit.0 > z + 2e-3 && hit.0 < z + config().height);
            let expected = hits.iter().filter(|hit| hit.1 && free(hit.0)).count();
            let found = (0..surface.triangles.len()).filter(|&t| height(surface.points(t)).is_some()).count();
            all += expected;
            wrong += usize::from(expected != found);
        }
        assert!(all > 100 && wrong * 200 <= all, "seed {seed}: {wrong} of {all}");
    }
}

#[test]
fn what_is_kept_is_asked_for() {
    let mut model = Model::default();
    model.floor([0.0, 0.0], [4.0, 4.0], 0.0).floor([6.0, 0.0], [8.0, 4.0], 0.0).floor(
        [9.0, 0.0],
        [9.2, 0.2],
        0.0,
    );
    let area =
        |config: GroundConfig| plan_exact(&model.scene(), &config, &Context::default()).unwrap().plan.area();
    assert!((area(GroundConfig { min_area: 0.1, ..config() }) - 24.0).abs() < 1e-9);
    assert!((area(GroundConfig { keep: Keep::Largest, ..config() }) - 16.0).abs() < 1e-9);
    let reach_from = vec![dvec3(7.0, 1.0, 1.0)];
    assert!((area(GroundConfig { keep: Keep::Reachable, reach_from, ..config() }) - 8.0).abs() < 1e-9);
}

/// Plans shared scenes, which are read as they lie; says so when they are not there.
fn plan_shared(is_wanted: impl Fn(&str) -> bool) {
    let all = wayfare_testkit::data::scenes::scenes();
    if all.is_empty() {
        eprintln!("the shared data is not there: nothing was tested");
    }
    for shared in all.into_iter().filter(|shared| is_wanted(&shared.name)) {
        let up = Some(if shared.up == UpAxis::Z { Up::Z } else { Up::Y });
        let options = SceneOptions { up, scale: shared.scale, ..SceneOptions::default() };
        let scene = read_scene(&shared.path, &options).unwrap();
        let ground = GroundConfig {
            method: Method::Exact,
            height: shared.body.height,
            step: shared.body.step,
            max_slope: shared.body.max_slope_deg.to_radians(),
            ..GroundConfig::default()
        };
        let planned = plan_scene(&scene, &ground, &Context::default());
        let plan = planned.unwrap_or_else(|error| panic!("{}: {error}", shared.name)).plan;
        assert_eq!(plan.check(), [], "{}", shared.name);
    }
}

#[test]
fn some_shared_scenes_give_plans_that_hold() {
    let names = ["aws_small_house", "cpr_office", "house", "nav_test", "openarena_oa_dm6", "village_inn"];
    plan_shared(|name| names.contains(&name));
}

#[test]
#[ignore = "takes a minute"]
fn every_shared_scene_gives_a_plan_that_holds() {
    plan_shared(|_| true);
}

#[test]
fn on_a_coarser_grid_every_place_is_one_of_its_points_and_the_area_is_off_by_no_more() {
    // Without gaps: those have points of their own.
    let config = GroundConfig { step: 0.2, max_gap: 0.0, ..config() };
    let exact = plan_exact(&stair().moved(0.3, DVec3::ZERO), &config, &Context::default()).unwrap().plan;
    for exponent in [-26, -22, -18] {
        let spacing = 2f64.powi(exponent);
        let scene = stair().moved(0.3, DVec3::ZERO);
        let ground = ExactGround::find(&scene, &config, spacing, &Context::default()).unwrap();
        assert_eq!(ground.grid(), spacing);
        let plan = ground.plan(&LeftOut::default(), &Context::default()).unwrap().plan;
        assert_eq!(plan.check(), vec![]);
        for p in plan.vertices.as_slice() {
            assert_eq!([p.x / spacing, p.y / spacing].map(|units| units.fract()), [0.0; 2]);
        }
        // Each corner moves by a unit at most, and the rings are shorter than a hundred metres.
        assert!((plan.area() - exact.area()).abs() <= 100.0 * spacing, "{exponent}");
        // A grid that is finer than the finest is the finest.
        let finest = ExactGround::find(&scene, &config, 1e-30, &Context::default()).unwrap();
        let plan = finest.plan(&LeftOut::default(), &Context::default()).unwrap().plan;
        assert!(plan.to_bytes() == exact.to_bytes());
    }
}

#[test]
fn features_that_are_smaller_than_the_grid_are_none_on_it() {
    // Two floors side by side whose corners miss each other by less than a micrometre, as single floats do.
    let mut model = Model::default();
    model.floor([0.0, 0.0], [2.0, 2.0], 0.0).floor([2.0 + 3e-7, 4e-7], [4.0, 2.0 - 3e-7], 0.0);
    let scene = model.scene();
    let corners = |spacing: f64| {
        let ground = ExactGround::find(&scene, &config(), spacing, &Context::default()).unwrap();
        ground.plan(&LeftOut::default(), &Context::default()).unwrap().plan.vertices.len()
    };
    assert_eq!(corners(2f64.powi(-18)), 4);
}

#[test]
fn walls_that_lean_by_about_the_grid_part_the_ground_on_each() {
    // A room whose walls lean outwards by a hair, as files in single floats have them: some of their parts over the ground are narrower
    // than the grid. Turned, so that no wall runs along it.
    let corners: [[f64; 2]; 4] = [[2.0, 1.0], [6.0, 1.0], [6.0, 4.0], [2.0, 4.0]];
    for lean in [2e-6, 8e-6, 1.3e-5, 2.2e-5, 5e-5] {
        let mut model = Model::default();
        model.floor([0.0, 0.0], [9.0, 6.0], 0.0);
        for k in 0..4 {
            let [foot, top] = [0.0, lean].map(|lean| {
                [k, (k + 1) % 4].map(|k| {
                    let [x, y] = corners[k];
                    [x + lean * (x - 4.0).signum(), y + lean * (y - 2.5).signum()]
                })
            });
            let at = |[x, y]: [f64; 2], z: f64| dvec3(x, y, z);
            model.quad([at(foot[0], 0.0), at(foot[1], 0.0), at(top[1], 2.5), at(top[0], 2.5)]);
        }
        for (turn, power) in
            (1..6).flat_map(|k| (-26..=-16).step_by(2).map(move |power| (0.31 * f64::from(k), power)))
        {
            let scene = model.moved(turn, dvec3(3.3, -1.7, 0.0));
            let spacing = 2f64.powi(power);
            let ground = ExactGround::find(&scene, &config(), spacing, &Context::default()).unwrap();
            let plan = ground.plan(&LeftOut::default(), &Context::default()).unwrap().plan;
            let area =
                |region: &Region| region.rings().map(|ring| ring_area(&plan.ring_points(ring))).sum::<f64>();
            let mut areas: Vec<f64> = plan.layers.iter().flat_map(|layer| &layer.regions).map(area).collect();
            areas.sort_by(f64::total_cmp);
            let is_there =
                areas.len() == 2 && (areas[0] - 12.0).abs() < 1e-2 && (areas[1] - 42.0).abs() < 1e-2;
            assert!(is_there, "leaning by {lean} m, turned by {turn}, grid {spacing}: {areas:?}");
        }
    }
}

#[test]
fn gaps_are_left_out_near_a_place_and_the_others_stay() {
    let mut model = Model::default();
    model.floor([0.0, 0.0], [2.0, 2.0], 0.0).floor([2.2, 0.0], [4.0, 2.0], 0.0);
    model.floor([4.2, 0.0], [6.0, 2.0], 0.0);
    let (scene, config) = (model.scene(), GroundConfig { max_gap: 0.3, ..config() });
    let ground = ExactGround::find(&scene, &config, 0.0, &Context::default()).unwrap();
    // Where the gaps of a plan are: the least x of each.
    let places = |without: &LeftOut| -> Vec<f64> {
        let plan = ground.plan(without, &Context::default()).unwrap().plan;
        assert!((plan.area() - (4.0 + 3.6 + 3.6)).abs() < 1e-9, "{without:?}");
        let gaps = plan.layers.iter().flat_map(|layer| &layer.regions).filter(|region| region.gap.is_some());
        gaps.map(|region| plan.ring_points(&region.outer).iter().map(|p| p.x).fold(f64::MAX, f64::min))
            .collect()
    };
    let near = vec![NearGaps { at: dvec2(2.0, 1.0), within: 0.1 }];
    assert_eq!((ground.gap_count(), ground.gaps_near(&near)), (2, 1));
    let some = LeftOut { near, ..LeftOut::default() };
    let none = LeftOut { all_gaps: true, ..LeftOut::default() };
    for (without, expected) in [(LeftOut::default(), vec![2.0, 4.0]), (some, vec![4.0]), (none, vec![])] {
        let found = places(&without);
        assert_eq!(found.len(), expected.len(), "{without:?}");
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    }
}
