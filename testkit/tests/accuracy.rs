//! How near the plan of a scene is to the truth, on generated scenes whose ground is known in closed form.

use rayon::prelude::*;
use std::{collections::HashMap, f64::consts::TAU};
use wayfare_core::{Context, DVec2, DVec3, dvec2, dvec3, ops};
use wayfare_floor::{FloorPlan, GroundConfig, Region, plan_scene};
use wayfare_geom::segment::distance_squared_to_segment;
use wayfare_scene::{
    Scene,
    generated::scenes::{Walker, door, floors_by_name, generated_scene, true_boundary},
};
use wayfare_testkit::Random;

/// Side of a pixel [m].
const PIXEL: f64 = 0.1;

/// How far the boundary is from the true one at most [pixels], and the share of it that is within half a pixel at least. What is
/// asked for is one: where things smaller than two pixels stick out of walls, simplification has left out more than can be
/// got back, and where borders end at ledges, their corners stay on the grid.
const BOUNDARY: [(&str, f64, f64); 5] = [
    ("door-0.9", 0.1, 0.999),
    ("walls-1", 0.1, 0.999),
    ("walls-2", 1.4, 0.98),
    ("bridge", 1.4, 0.71),
    ("building-2", 2.4, 0.98),
];

/// How much narrower than it is a door may be at most [pixels]: two are asked for.
const NARROWER: f64 = 0.1;

/// How far the ground is from the triangles at most [m]: what is asked for.
const HEIGHT: f64 = 0.05;

/// The scenes whose heights are looked at.
const HEIGHTS: [&str; 6] = ["terrain-40", "building-2", "spiral-2", "slabs-1", "sample", "bridge"];

type Segment = [DVec3; 2];

fn plan_of(scene: &Scene) -> FloorPlan {
    let config = GroundConfig { resolution: PIXEL, simplify: PIXEL, min_area: 0.0, ..Default::default() };
    let plan = plan_scene(scene, &config, &Context::default()).expect("a plan").plan;
    assert_eq!(plan.check(), []);
    plan
}

fn place(plan: &FloorPlan, corner: u32) -> DVec3 {
    match (corner as usize).checked_sub(plan.vertices.len()) {
        Some(k) => plan.ground_points[k],
        None => plan.vertices.as_slice()[corner as usize],
    }
}

/// Walls and drops with the heights of the ground along them.
fn boundary_of(plan: &FloorPlan) -> Vec<Segment> {
    let mut boundary = Vec::new();
    for region in plan.layers.iter().flat_map(|layer| &layer.regions) {
        let next = rim_of(region);
        for ring in region.rings() {
            for (k, kind) in ring.kinds.iter().enumerate().filter(|(_, kind)| !kind.is_shared()) {
                let (mut at, end) = (ring.vertices[k].0, ring.vertices[(k + 1) % ring.vertices.len()].0);
                while at != end {
                    let to = next.get(&at).copied().unwrap_or(end);
                    boundary.push([place(plan, at), place(plan, to)]);
                    assert!(boundary.len() < 1_000_000, "{kind:?} from {at} does not end");
                    at = to;
                }
            }
        }
    }
    boundary
}

/// The corner that follows each on the rim of a region's ground.
fn rim_of(region: &Region) -> HashMap<u32, u32> {
    let sides = || region.ground.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let all: HashMap<[u32; 2], ()> = sides().map(|side| (side, ())).collect();
    sides().filter(|&[a, b]| !all.contains_key(&[b, a])).map(|[a, b]| (a, b)).collect()
}

/// How far points of some segments are from the nearest of others at their height: the farthest [m], and the share of points
/// that are no more than half a pixel away.
fn farthest(from: &[Segment], to: &[Segment]) -> (f64, f64) {
    let distance = |p: DVec3| {
        let is_level = |[a, b]: &&Segment| {
            let (low, high) = (a.z.min(b.z), a.z.max(b.z));
            (low - 0.5..high + 0.5).contains(&p.z)
        };
        let distances = to
            .iter()
            .filter(is_level)
            .map(|[a, b]| distance_squared_to_segment(p.truncate(), a.truncate(), b.truncate()));
        distances.fold(f64::INFINITY, f64::min).sqrt()
    };
    let points: Vec<DVec3> = from
        .iter()
        .flat_map(|[a, b]| {
            let count = (a.distance(*b) / (PIXEL / 4.0)).ceil().max(1.0);
            (0..=count as u32).map(move |k| a.lerp(*b, f64::from(k) / count))
        })
        .collect();
    let distances: Vec<f64> = points.par_iter().map(|&p| distance(p)).collect();
    let near = distances.iter().filter(|d| **d <= PIXEL / 2.0).count();
    (distances.iter().copied().fold(0.0, f64::max), near as f64 / points.len() as f64)
}

fn moved(p: DVec3, turn: f64, shift: DVec3) -> DVec3 {
    let (s, c) = (ops::sin(turn), ops::cos(turn));
    dvec3(c * p.x - s * p.y, s * p.x + c * p.y, p.z) + shift
}

#[test]
fn the_boundary_is_near_the_true_one_at_any_angle() {
    let walker = Walker::default();
    for (name, most, least_near) in BOUNDARY {
        let truth = true_boundary(&floors_by_name(name, &walker).expect(name), walker.step);
        let mut worst = 0.0f64;
        let mut near = 1.0f64;
        for (turn, x) in [(0.0, 0.0), (0.0, 0.123), (0.3, 0.077), (0.7, 0.0), (1.1, 0.05)] {
            let shift = dvec3(x, 0.077 - x / 3.0, 0.0);
            let truth: Vec<Segment> = truth.iter().map(|s| s.map(|p| moved(p, turn, shift))).collect();
            let mine = boundary_of(&plan_of(&generated_scene(name).expect(name).moved(turn, shift).scene));
            for (distance, share) in [farthest(&mine, &truth), farthest(&truth, &mine)] {
                worst = worst.max(distance / PIXEL);
                near = near.min(share);
            }
        }
        println!("{name}: at most {worst:.2} pixels, {:.1} % within half a pixel", near * 100.0);
        assert!(worst <= most, "{name}: {worst} pixels");
        assert!(near >= least_near, "{name}: {near} of the boundary is near");
    }
}

#[test]
fn at_a_thousand_angles_no_door_is_too_wide_and_none_much_too_narrow() {
    let mut random = Random::new(31);
    let cases: Vec<(f64, f64, DVec3)> = (0..1000)
        .map(|_| {
            let (width, turn) = (random.between(0.4, 1.6), random.between(0.0, TAU));
            (width, turn, dvec3(random.between(0.0, 1.0), random.between(0.0, 1.0), 0.0))
        })
        .collect();
    // Of each: how much narrower the plan's door is than the true one [pixels].
    let narrower: Vec<f64> = cases
        .par_iter()
        .map(|&(width, turn, shift)| {
            let plan = plan_of(&door(width).moved(turn, shift).scene);
            (width - door_width(&boundary_of(&plan), turn, shift)) / PIXEL
        })
        .collect();
    let (least, most) =
        narrower.iter().fold((f64::INFINITY, 0.0f64), |(low, high), &d| (low.min(d), high.max(d)));
    println!("doors are {least:.3} to {most:.3} pixels narrower than they are");
    assert!(least >= -1e-6, "a body that is too wide passes");
    assert!(most <= NARROWER, "a body that is {most} pixels narrower does not pass");
}

/// The diameter of the largest body that passes between the posts of the door.
fn door_width(boundary: &[Segment], turn: f64, shift: DVec3) -> f64 {
    // The pieces of both posts, in the door's own frame, near the wall and on the floor.
    let mut posts: [Vec<[DVec2; 2]>; 2] = Default::default();
    for segment in boundary.iter().filter(|segment| segment[0].z < 1.0) {
        let [a, b] = segment.map(|p| moved(p - shift, -turn, DVec3::ZERO).truncate());
        let Some([a, b]) = clip(a, b, 0.3) else { continue };
        for (post, [a, b]) in posts.iter_mut().zip([[-a, -b], [a, b]]) {
            if a.x.max(b.x) > 0.0 {
                post.push([a, b]);
            }
        }
    }
    let mut width = f64::INFINITY;
    for &[a, b] in &posts[0] {
        for &[c, d] in &posts[1] {
            // The first was turned by half a turn to be on the right.
            let [a, b] = [-a, -b];
            for (p, [q, r]) in [(a, [c, d]), (b, [c, d]), (c, [a, b]), (d, [a, b])] {
                width = width.min(distance_squared_to_segment(p, q, r).sqrt());
            }
        }
    }
    width
}

/// The part of a segment that is no farther from the x axis than a distance.
fn clip(a: DVec2, b: DVec2, reach: f64) -> Option<[DVec2; 2]> {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for limit in [-reach, reach] {
        let [p, q] = [(a.y - limit) * limit.signum(), (b.y - limit) * limit.signum()];
        if p > 0.0 && q > 0.0 {
            return None;
        }
        if p > 0.0 {
            from = from.max(p / (p - q));
        } else if q > 0.0 {
            to = to.min(p / (p - q));
        }
    }
    (from <= to).then(|| [a.lerp(b, from), a.lerp(b, to)])
}

#[test]
fn the_ground_is_near_the_triangles() {
    let turns = [0.0, 0.4, 0.9, 1.3];
    for (name, turn) in HEIGHTS.iter().flat_map(|&name| turns.map(|turn| (name, turn))) {
        let scene = generated_scene(name).expect(name).moved(turn, dvec3(0.03, 0.07, 0.0)).scene;
        let plan = plan_of(&scene);
        let triangles: Vec<[DVec3; 3]> = scene.mesh.all_points().collect();
        let mut random = Random::new(7);
        let mut points = Vec::new();
        for region in plan.layers.iter().flat_map(|layer| &layer.regions) {
            for triangle in &region.ground {
                let [a, b, c] = triangle.map(|corner| place(&plan, corner));
                for _ in 0..4 {
                    let (u, v) = (random.unit(), random.unit());
                    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                    points.push(a + (b - a) * u + (c - a) * v);
                }
            }
        }
        let errors: Vec<f64> = points.par_iter().map(|&p| height_error(p, &triangles)).collect();
        let worst = errors.iter().copied().fold(0.0, f64::max);
        println!("{name} turned by {turn}: {} points, {:.1} cm at most", points.len(), worst * 100.0);
        assert!(worst <= HEIGHT, "{name} turned by {turn}: {worst} m");
    }
}

/// How far a point is from the ground below or above it; beside a riser, which may stand a pixel aside, from the heights on
/// both of its sides.
fn height_error(p: DVec3, triangles: &[[DVec3; 3]]) -> f64 {
    // What lies under a step is no ground.
    let ground = |q: DVec2| {
        let found =
            triangles.iter().filter_map(|&triangle| Some((height_over(triangle, q)?, rise_of(triangle))));
        found.filter(|(z, _)| (z - p.z).abs() < 0.4).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let around = |x: i32, y: i32| ground(p.truncate() + dvec2(f64::from(x), f64::from(y)) * 0.6 * PIXEL);
    let own = around(0, 0);
    // Behind the rim of the true ground, which the boundary passes by a pixel, the riser may be farther away.
    let reach = if own.is_some() { 2 } else { 3 };
    let side = 2 * reach as usize + 1;
    let found: Vec<Option<(f64, f64)>> = (-reach..=reach)
        .flat_map(|y| (-reach..=reach).map(move |x| (x, y)))
        .map(|(x, y)| around(x, y))
        .collect();
    // From place to place the ground rises as the steeper of the triangles there does.
    let is_riser = |a: Option<(f64, f64)>, b: Option<(f64, f64)>| {
        a.zip(b).is_some_and(|((a, rise), (b, other))| (a - b).abs() > rise.max(other) * 0.6 * PIXEL + RISER)
    };
    let mut rows = found.chunks(side);
    let has_riser = rows.any(|row| row.windows(2).any(|pair| is_riser(pair[0], pair[1])))
        || found.iter().zip(&found[side..]).any(|(&a, &b)| is_riser(a, b));
    if let Some((z, _)) = own.filter(|_| !has_riser) {
        return (z - p.z).abs();
    }
    let heights = || found.iter().flatten().map(|found| found.0);
    let low = heights().fold(f64::INFINITY, f64::min);
    let high = heights().fold(f64::NEG_INFINITY, f64::max);
    (low - p.z).max(p.z - high).max(0.0)
}

/// What is higher beside a place than its slope makes it is a riser [m].
const RISER: f64 = 0.03;

/// How much a triangle rises per metre; more than one is a riser itself.
fn rise_of([a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    (normal.truncate().length() / normal.z.abs()).min(1.0)
}

/// Height of a triangle that is seen from above.
fn height_over([a, b, c]: [DVec3; 3], p: DVec2) -> Option<f64> {
    let weight = |u: DVec3, v: DVec3| (v.truncate() - u.truncate()).perp_dot(p - u.truncate());
    let weights = [weight(b, c), weight(c, a), weight(a, b)];
    let sum: f64 = weights.iter().sum();
    let is_inside = sum > 0.0 && weights.iter().all(|&w| w >= 0.0);
    is_inside.then(|| (a.z * weights[0] + b.z * weights[1] + c.z * weights[2]) / sum)
}
