//! F5: heights are known at every point. A region is level, or triangles fill it.
//!
//! Idea: triangles that run counter-clockwise and whose rim is the region's boundary cover every point of it once: both
//! have the same winding number everywhere. So nothing needs to be compared with anything far away.

use super::report;
use crate::{Corners, NO_CORNER, Region};
use wayfare_core::{DVec2, Defect, MAX_COORDINATE, Tolerance};
use wayfare_geom::{Aabb2, predicates::is_left, ring_area, segment::nearest_on_segment};

pub(super) fn check(corners: &Corners, defects: &mut Vec<Defect>) {
    let plan = corners.plan;
    if !(plan.heights_error >= 0.0 && plan.heights_error.is_finite()) {
        report(defects, "F5", "heights_error".into(), format!("is {} m", plan.heights_error));
    }
    for (k, p) in plan.ground_points.iter().enumerate() {
        // Written so that NaN fails.
        if !(p.is_finite() && p.abs().max_element() <= MAX_COORDINATE) {
            report(defects, "F5", format!("ground point {k}"), format!("lies at {p}, out of range"));
        }
    }
    let bounds = Aabb2::of_points(plan.vertices.as_slice().iter().map(|p| p.truncate()));
    let on_line = Tolerance::of_extent(bounds.extent()).on_line;
    let count = plan.vertices.len() + plan.ground_points.len();
    for (number, region) in corners.regions.iter().enumerate() {
        if let Some(triangle) = region.ground.iter().find(|triangle| !corners.has_points(triangle)) {
            let element = format!("layer {}, region {number}", corners.layers[number]);
            report(defects, "F5", element, format!("a ground triangle names points {triangle:?} of {count}"));
        }
    }
    if !defects.is_empty() {
        return;
    }
    let (chains, rims) = (corners.ground_on_edges(), corners.rims());
    for (region, rim) in rims.iter().enumerate() {
        let own = &chains[corners.starts[region] as usize..corners.starts[region + 1] as usize];
        let wrong = match corners.regions[region].ground.is_empty() {
            true => check_level(corners, region),
            false => check_triangles(corners, region, own, rim, on_line),
        };
        if let Some(message) = wrong {
            let element = format!("layer {}, region {region}", corners.layers[region]);
            report(defects, "F5", element, message);
        }
    }
    // Both sides of a shared edge have the same points on it, unless one is level.
    for (corner, chain) in chains.iter().enumerate() {
        let other = corners.across[corner];
        if other == NO_CORNER || other < corner as u32 {
            continue;
        }
        let has_ground =
            [corner as u32, other].map(|corner| !corners.regions[corners.region(corner)].ground.is_empty());
        if has_ground == [true; 2] && !chain.iter().eq(chains[other as usize].iter().rev()) {
            let [a, b] = corners.ends(corner as u32);
            let element = format!("edge from vertex {a} to vertex {b}");
            report(defects, "F5", element, "has other ground points on either side".into());
        }
    }
}

fn check_level(corners: &Corners, region: usize) -> Option<String> {
    let own = corners.starts[region]..corners.starts[region + 1];
    let mut heights = own.map(|corner| corners.ground_point(corners.vertices[corner as usize]).z);
    let first = heights.next();
    heights.any(|height| Some(height) != first).then(|| "is not level, and has no heights inside".into())
}

fn check_triangles(
    corners: &Corners,
    region: usize,
    chains: &[Vec<u32>],
    rim: &[[u32; 2]],
    on_line: f64,
) -> Option<String> {
    let (plan, Region { ground, .. }) = (corners.plan, corners.regions[region]);
    let point = |k: u32| corners.ground_point(k).truncate();
    let mut covered = 0.0;
    for (number, triangle) in ground.iter().enumerate() {
        let [a, b, c] = triangle.map(point);
        if !is_left(a, b, c) {
            return Some(format!("ground triangle {number} does not run counter-clockwise round an area"));
        }
        covered += (b - a).perp_dot(c - a) / 2.0;
    }
    let mut followed = 0;
    for (corner, chain) in (corners.starts[region]..).zip(chains) {
        let [first, last] = corners.ends(corner);
        let [a, b] = [first, last].map(point);
        let is_direct = rim.binary_search(&[first, last]).is_ok();
        if chain.is_empty() && !is_direct {
            return Some(format!("its ground does not follow the edge from vertex {first} to vertex {last}"));
        }
        followed += chain.len() + 1;
        let mut from = a;
        for p in chain.iter().map(|&k| point(k)) {
            let is_on = p.distance(nearest_on_segment(p, a, b)) <= on_line && (p - from).dot(b - a) > 0.0;
            if !is_on {
                return Some(format!(
                    "a ground point at {p} does not lie on the edge from vertex {first} to vertex {last}"
                ));
            }
            from = p;
        }
    }
    if followed != rim.len() {
        return Some(format!("{} sides of its ground lie on no edge", rim.len().abs_diff(followed)));
    }
    // What rounded points on edges can gain or lose, and what adding up loses.
    let rings = || corners.regions[region].rings().map(|ring| plan.ring_points(ring));
    let area: f64 = rings().map(|ring| ring_area(&ring)).sum();
    let length = |ring: &Vec<DVec2>| -> f64 {
        ring.iter().zip(ring.iter().cycle().skip(1)).map(|(p, q)| p.distance(*q)).sum()
    };
    let slack = on_line * rings().map(|ring| length(&ring)).sum::<f64>() + area * 1e-9;
    ((covered - area).abs() > slack).then(|| format!("has {area} m², its ground {covered} m² of triangles"))
}
