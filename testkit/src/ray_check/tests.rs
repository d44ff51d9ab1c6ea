use super::*;
use crate::Random;
use wayfare_core::{dvec2, dvec3};

const BODY: RayBody = RayBody { height: 1.8, step: 0.4, max_slope: std::f64::consts::FRAC_PI_4, pixel: 0.1 };

fn quad([a, b, c, d]: [DVec3; 4]) -> [[DVec3; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

/// Flat ground.
fn flat(low: [f64; 2], high: [f64; 2], z: f64) -> Vec<[DVec3; 3]> {
    quad([
        dvec3(low[0], low[1], z),
        dvec3(high[0], low[1], z),
        dvec3(high[0], high[1], z),
        dvec3(low[0], high[1], z),
    ])
    .to_vec()
}

/// A wall without thickness.
fn wall(from: [f64; 2], to: [f64; 2], z: [f64; 2]) -> Vec<[DVec3; 3]> {
    let [p, q] = [from, to].map(|[x, y]| dvec2(x, y));
    quad([p.extend(z[0]), q.extend(z[0]), q.extend(z[1]), p.extend(z[1])]).to_vec()
}

fn rules(parts: &[Vec<[DVec3; 3]>], path: &[DVec3], clearance: f64) -> Vec<Rule> {
    let check = RayCheck::new(parts.iter().flatten().copied(), BODY);
    let defects = check.check_path(path, clearance);
    for defect in &defects {
        println!("{defect}");
    }
    let mut rules: Vec<Rule> = defects.iter().map(|defect| defect.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

fn line(from: f64, to: f64) -> [DVec3; 2] {
    [dvec3(from, 0.03, 0.0), dvec3(to, 0.03, 0.0)]
}

#[test]
fn a_path_on_open_ground_has_no_defect() {
    assert_eq!(rules(&[flat([-9., -9.], [9., 9.], 0.0)], &line(-8.0, 8.0), 0.5), []);
    // Nor has one along a wall, over its end, and under a high ceiling.
    let parts = [
        flat([-9., -9.], [9., 9.], 0.0),
        flat([-9., -9.], [9., 9.], 1.81),
        wall([-5., 0.03], [0., 0.03], [0., 1.81]),
        wall([2., 0.03], [2., 5.], [0., 1.81]),
        wall([2., 0.03], [5., 0.03], [0., 1.81]),
    ];
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.1), []);
}

#[test]
fn a_hole_in_the_ground_is_found() {
    let parts = [flat([-9., -9.], [-1., 9.], 0.0), flat([1., -9.], [9., 9.], 0.0)];
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.0), [Rule::Ground]);
    // One as wide as two pixels is not: ground is looked for one pixel to each side.
    let parts = [flat([-9., -9.], [-0.1, 9.], 0.0), flat([0.1, -9.], [9., 9.], 0.0)];
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.0), []);
}

#[test]
fn a_path_over_or_under_the_ground_is_found() {
    let ground = [flat([-9., -9.], [9., 9.], 0.0)];
    for (z, expected) in
        [(0.06, vec![Rule::Ground]), (-0.06, vec![Rule::Ground]), (0.04, vec![]), (-0.04, vec![])]
    {
        let path = line(-8.0, 8.0).map(|p| p + DVec3::Z * z);
        assert_eq!(rules(&ground, &path, 0.0), expected, "{z}");
    }
}

#[test]
fn ground_that_is_too_steep_is_no_ground() {
    for (rise, expected) in [(3.9, vec![]), (4.1, vec![Rule::Ground])] {
        let slope =
            quad([dvec3(-2., -9., 0.), dvec3(2., -9., rise), dvec3(2., 9., rise), dvec3(-2., 9., 0.)])
                .to_vec();
        assert_eq!(rules(&[slope], &[dvec3(-2., 0., 0.), dvec3(2., 0., rise)], 0.0), expected, "{rise}");
    }
}

#[test]
fn a_wall_crossed_is_found_however_thin_and_at_any_angle() {
    let ground = flat([-9., -9.], [9., 9.], 0.0);
    let mut random = Random::new(3);
    for _ in 0..50 {
        let (x, tilt) = (random.between(-5.0, 5.0), random.between(-3.0, 3.0));
        let parts = [ground.clone(), wall([x - tilt, -4.], [x + tilt, 4.], [0., 2.])];
        assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.0), [Rule::Wall]);
    }
    // Where a sample is in the wall exactly, and where two triangles of a wall meet.
    let parts = [ground.clone(), wall([0., -4.], [0., 0.03], [0., 2.]), wall([0., 0.03], [0., 4.], [0., 2.])];
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.0), [Rule::Wall]);
    // A wire at the height of the chest.
    let parts = [ground.clone(), wall([1., -4.], [1., 4.], [1.234, 1.235])];
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.0), [Rule::Wall]);
    // What can be stepped over, and what is over the head.
    let parts = [ground, wall([1., -4.], [1., 4.], [0., 0.39]), wall([2., -4.], [2., 4.], [1.81, 9.])];
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.0), []);
}

#[test]
fn a_ceiling_too_low_is_found() {
    for (z, expected) in [(1.75, vec![Rule::HeadRoom]), (0.5, vec![Rule::HeadRoom]), (1.85, vec![])] {
        let parts = [flat([-9., -9.], [9., 9.], 0.0), flat([-20., -9.], [20., 9.], z)];
        assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.0), expected, "{z}");
        // Also where one only stands, and if it is narrow.
        assert_eq!(rules(&parts, &line(1.0, 1.0), 0.0), expected, "{z}");
        let parts = [flat([-9., -9.], [9., 9.], 0.0), flat([1.01, -9.], [1.02, 9.], z)];
        assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.0), expected, "{z}");
    }
}

#[test]
fn a_step_too_high_is_found() {
    // Without a riser, so that no wall gives it away.
    for (rise, expected) in [(0.39, vec![]), (0.44, vec![Rule::Step])] {
        let parts = [flat([-9., -9.], [0., 9.], 0.0), flat([0., -9.], [9., 9.], rise)];
        let path = [dvec3(-5., 0., 0.), dvec3(0., 0., 0.), dvec3(0., 0., rise), dvec3(5., 0., rise)];
        assert_eq!(rules(&parts, &path, 0.0), expected, "{rise}");
    }
    // A high one is a wall, too, and what is on top of it in the way of the head.
    let parts = [
        flat([-9., -9.], [0., 9.], 0.0),
        flat([0., -9.], [9., 9.], 0.7),
        wall([0., -9.], [0., 9.], [0., 0.7]),
    ];
    let path = [dvec3(-5., 0., 0.), dvec3(0., 0., 0.), dvec3(0., 0., 0.7), dvec3(5., 0., 0.7)];
    assert_eq!(rules(&parts, &path, 0.0), [Rule::Ground, Rule::Step, Rule::Wall, Rule::HeadRoom]);
}

#[test]
fn a_ledge_beside_stairs_ends_to_a_pixel() {
    // A platform beside two treads, 0.3 and 0.6 m below it.
    let parts =
        [flat([-9., -9.], [0., 9.], 0.0), flat([0., 0.], [9., 9.], -0.3), flat([0., -9.], [9., 0.], -0.6)];
    let expected = [(0.05, vec![]), (-0.05, vec![]), (-0.15, vec![Rule::Ground, Rule::Step, Rule::HeadRoom])];
    for (y, expected) in expected {
        let z = if y > 0.0 { -0.3 } else { -0.6 };
        let path = [dvec3(-5., y, 0.), dvec3(0., y, 0.), dvec3(0., y, z), dvec3(5., y, z)];
        assert_eq!(rules(&parts, &path, 0.0), expected, "{y}");
    }
}

#[test]
fn a_clearance_that_is_not_there_is_found() {
    let parts = [flat([-9., -9.], [9., 9.], 0.0), wall([0., 0.53], [1., 3.], [0., 2.])];
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.5), []);
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.59), []);
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 0.62), [Rule::Clearance]);
    // Low and high things are no obstacles.
    let parts = [
        flat([-9., -9.], [9., 9.], 0.0),
        wall([0., 0.1], [1., 3.], [0., 0.35]),
        wall([0., 0.1], [1., 3.], [1.9, 4.]),
    ];
    assert_eq!(rules(&parts, &line(-8.0, 8.0), 2.0), []);
}

/// Ten steps of 0.18 m up, 0.3 m deep.
fn stairs() -> Vec<Vec<[DVec3; 3]>> {
    let mut parts = vec![flat([-9., -9.], [0., 9.], 0.0), flat([3., -9.], [9., 9.], 1.8)];
    for k in 0..10 {
        let (x, z) = (0.3 * f64::from(k), 0.18 * f64::from(k + 1));
        parts.push(flat([x, -9.], [x + 0.3, 9.], z));
        parts.push(wall([x, -9.], [x, 9.], [z - 0.18, z]));
    }
    parts
}

#[test]
fn stairs_and_ramps_are_no_obstacles_to_who_walks_on_them() {
    let mut path = vec![dvec3(-5., 0., 0.)];
    for k in 0..10 {
        let (x, z) = (0.3 * f64::from(k), 0.18 * f64::from(k));
        path.extend([dvec3(x, 0., z), dvec3(x, 0., z + 0.18)]);
    }
    path.push(dvec3(8., 0., 1.8));
    // As wide as several treads.
    assert_eq!(rules(&stairs(), &path, 1.0), []);
    // Along the treads, up and down.
    let along = [dvec3(1.0, -5., 0.72), dvec3(1.0, 5., 0.72)];
    assert_eq!(rules(&stairs(), &along, 1.0), []);
    let ramp =
        quad([dvec3(-9., -9., -7.), dvec3(9., -9., 7.), dvec3(9., 9., 7.), dvec3(-9., 9., -7.)]).to_vec();
    assert_eq!(
        rules(
            std::slice::from_ref(&ramp),
            &[dvec3(-8., 0., -7. / 9. * 8.), dvec3(8., 0., 7. / 9. * 8.)],
            1.5
        ),
        []
    );
    // A wall across the ramp that is lower than the feet of who comes from above still is one to its feet.
    let low = wall([-1., -9.], [-1., 9.], [-7. / 9. - 1.0, -7. / 9. + 0.6]);
    assert_eq!(
        rules(&[ramp.clone(), low], &[dvec3(-0.2, 0., -1.4 / 9.), dvec3(-0.2, 1., -1.4 / 9.)], 1.0),
        [Rule::Clearance]
    );
    // A wall along the ramp still is.
    let parts = [ramp, wall([-9., 0.6], [9., 0.6], [-9., 9.])];
    assert_eq!(
        rules(&parts, &[dvec3(-8., 0., -7. / 9. * 8.), dvec3(8., 0., 7. / 9. * 8.)], 1.5),
        [Rule::Clearance]
    );
    assert_eq!(rules(&parts, &[dvec3(-8., 0., -7. / 9. * 8.), dvec3(8., 0., 7. / 9. * 8.)], 0.6), []);
}

#[test]
fn stairs_are_walked_along_their_very_side() {
    // Beyond the side lie floors below and above, and another under the treads.
    let mut parts = stairs();
    parts.extend([
        flat([0., -9.], [3., 9.], 0.05),
        flat([-9., 9.], [9., 12.], 0.0),
        flat([-9., 9.], [9., 12.], 0.9),
    ]);
    let path =
        |y: f64| [dvec3(0.35, y, 0.36), dvec3(0.6, y, 0.36), dvec3(0.6, y, 0.54), dvec3(0.85, y, 0.54)];
    for off in [-1e-10, 0.0, 1e-10] {
        assert_eq!(rules(&parts, &path(9.0 + off), 0.0), [], "{off}");
    }
}

#[test]
fn the_nearest_part_of_a_triangle_is_what_a_search_finds() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let mut point = || dvec3(random.between(-2., 2.), random.between(-2., 2.), random.between(-2., 2.));
        let (triangle, p) = ([point(), point(), point()], point().truncate());
        let band = [-0.5, 0.7];
        let mut least = f64::INFINITY;
        let count = 200;
        for i in 0..=count {
            for k in 0..=count - i {
                let (s, t) = (f64::from(i) / f64::from(count), f64::from(k) / f64::from(count));
                let q = triangle[0] + (triangle[1] - triangle[0]) * s + (triangle[2] - triangle[0]) * t;
                if (band[0]..=band[1]).contains(&q.z) {
                    least = least.min(q.truncate().distance(p));
                }
            }
        }
        let found =
            distance_in_plan(&clip_to_band(&triangle, band), p).map_or(f64::INFINITY, |found| found.0);
        // The search looks at points at most 0.03 m apart; it may miss a tip that just reaches into the band.
        assert!(found <= least + 1e-9 && (least - found < 0.1 || least == f64::INFINITY), "{found} {least}");
    }
}

#[test]
fn what_is_swept_is_what_a_search_finds() {
    let mut random = Random::new(6);
    let mut hits = 0;
    for _ in 0..400 {
        let mut point = || dvec3(random.between(-1., 1.), random.between(-1., 1.), random.between(-1., 1.));
        let (triangle, ends) = ([point(), point(), point()], [point().truncate(), point().truncate()]);
        let bands = [[-0.4, 0.3], [-0.1, 0.8]];
        let found = lowest_swept(&triangle, ends, bands);
        // Rays from end to end at many heights, each solved by Cramer's rule: p + t (q - p) = a + u (b - a) + v (c - a).
        let mut expected: Option<f64> = None;
        for k in 0..=1000 {
            let share = f64::from(k) / 1000.0;
            let [p, q] = [0, 1].map(|k| ends[k].extend(bands[k][0] + (bands[k][1] - bands[k][0]) * share));
            let [a, b, c] = triangle;
            let (d, e, f, r) = (p - q, b - a, c - a, p - a);
            let det = |x: DVec3, y: DVec3, z: DVec3| x.dot(y.cross(z));
            let all = det(d, e, f);
            let (t, u, v) = (det(r, e, f) / all, det(d, r, f) / all, det(d, e, r) / all);
            if (0.0..=1.0).contains(&t) && u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
                let z = p.lerp(q, t).z;
                expected = Some(expected.map_or(z, |lowest| lowest.min(z)));
            }
        }
        // What is found by rays is found; what is not is small.
        assert!(expected.is_none() || found.is_some(), "{triangle:?} {ends:?}");
        if let (Some(found), Some(expected)) = (found, expected) {
            assert!(found <= expected + 1e-9 && expected - found < 0.05, "{found} {expected}");
            hits += 1;
        }
    }
    assert!(hits > 40, "{hits}");
}

#[test]
fn ramps_that_only_rounding_makes_too_steep_are_ground() {
    // A ramp of 45 degrees, 1 m high, whose top is off by some micrometres.
    let is_ground = |off: f64, rounding: f64| {
        let top = 1.0 + off;
        let ramp = quad([dvec3(0., 0., 0.), dvec3(1., 0., top), dvec3(1., 1., top), dvec3(0., 1., 0.)]);
        let check = RayCheck::new(ramp, BODY).with_rounding(rounding);
        check.check_path(&[dvec3(0.2, 0.5, 0.2), dvec3(0.8, 0.5, 0.8)], 0.0).is_empty()
    };
    assert!(is_ground(0.0, 0.0) && !is_ground(3e-6, 0.0));
    assert!(is_ground(3e-6, 1e-5) && !is_ground(5e-5, 1e-5));
}
