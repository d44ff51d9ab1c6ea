//! F1 and F3: the shapes of the regions of a layer and that they keep apart.
//!
//! Idea: where no edges are shared inside the layer, one sweep over all its rings tells everything. Where tags meet,
//!   regions share edges, which a sweep takes for overlaps. Then each region is swept by itself, and the layer's own
//!   boundary, without the shared edges, as if tags were one: regions that are sound overlap if and only if the ground
//!   that they make together is not.
//! Cost: O(n log n), all of it in the sweeps; exact.

use super::report;
use crate::{Corners, NO_CORNER};
use wayfare_core::{DVec2, Defect};
use wayfare_geom::validate::{
    RingSet, containers, join_touching, ring_direction, sweep_rings_with_thin_walls,
};

pub(super) fn check(corners: &Corners, layer: u32, defects: &mut Vec<Defect>) {
    let first = corners.layers.partition_point(|&other| other < layer);
    let regions = first..corners.layers.partition_point(|&other| other <= layer);
    let own = corners.starts[regions.start]..corners.starts[regions.end];
    let point = |corner: u32| corners.ground_point(corners.vertices[corner as usize]).truncate();
    // An edge without length would upset the sweep.
    let before = defects.len();
    for corner in own.clone() {
        if point(corner) == point(corners.next[corner as usize]) {
            let region = corners.region(corner) - first;
            let message = format!("has an edge without length at {}", point(corner));
            report(defects, "F1", format!("layer {layer}, region {region}"), message);
        }
    }
    if defects.len() > before {
        return;
    }
    let has_borders = own.clone().any(|corner| corners.kinds[corner as usize].is_border());
    let named = |region: usize| {
        let rings = corners.regions[region].rings().enumerate();
        rings.map(move |(k, ring)| {
            (Name { layer, region: region - first, ring: k }, corners.plan.ring_points(ring))
        })
    };
    if !has_borders {
        return check_rings(regions.flat_map(named).collect(), defects);
    }
    for region in regions {
        check_rings(named(region).collect(), defects);
    }
    // What lies together is compared only when each by itself is sound.
    if defects.len() == before {
        check_union(corners, layer, own, defects);
    }
}

/// Which ring something is about.
#[derive(Clone, Copy)]
struct Name {
    layer: u32,
    region: usize,
    ring: usize,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "layer {}, region {}, ring {}", self.layer, self.region, self.ring)
    }
}

/// Rings of regions that share no edges.
fn check_rings(named: Vec<(Name, Vec<DVec2>)>, defects: &mut Vec<Defect>) {
    let mut rings = RingSet::new();
    let mut names = Vec::with_capacity(named.len());
    for (name, points) in named {
        rings.push(points);
        names.push(name);
    }
    let Some(&Name { layer, .. }) = names.first() else { return };
    let sweep = sweep_rings_with_thin_walls(&rings);
    for conflict in &sweep.conflicts {
        let [e, f] = conflict.edges.map(|edge| names[rings.ring_of(edge as usize)]);
        let invariant = if e.region == f.region { "F1" } else { "F3" };
        report(defects, invariant, e.to_string(), format!("meets {f} at {}", conflict.at));
    }
    if !sweep.conflicts.is_empty() {
        return;
    }
    for (ring, container) in containers(&rings, &sweep).into_iter().enumerate() {
        let name = names[ring];
        let is_hole = name.ring > 0;
        if ring_direction(rings.ring(ring)).is_lt() != is_hole {
            report(defects, "F1", name.to_string(), "runs the wrong way".into());
        }
        match container.map(|container| names[container as usize]) {
            Some(outer) if is_hole && outer.ring == 0 && outer.region == name.region => {}
            _ if is_hole => report(defects, "F1", name.to_string(), "lies outside its outline".into()),
            Some(outer) if outer.ring == 0 => {
                report(defects, "F3", name.to_string(), format!("lies in region {}", outer.region));
            }
            _ => {}
        }
    }
    match join_touching(&rings, &sweep) {
        Some(fans) => {
            for p in fans.changed {
                let place = format!("layer {layer}, point {p}");
                report(defects, "F1", place, "corners here are not one fan each".into());
            }
        }
        None => report(defects, "F1", format!("layer {layer}"), "rings bound no area on their left".into()),
    }
}

/// F3 for regions that share borders: the boundary of all of them together bounds ground on its left, once.
fn check_union(corners: &Corners, layer: u32, own: std::ops::Range<u32>, defects: &mut Vec<Defect>) {
    let is_inside = |corner: u32| {
        corners.kinds[corner as usize].is_border() && corners.across[corner as usize] != NO_CORNER
    };
    let mut rings = RingSet::new();
    let mut seen = vec![false; own.len()];
    for start in own.clone().filter(|&corner| !is_inside(corner)) {
        let mut ring = Vec::new();
        let mut at = start;
        while !std::mem::replace(&mut seen[(at - own.start) as usize], true) {
            ring.push(corners.ground_point(corners.vertices[at as usize]).truncate());
            // Clockwise through the fan of the edge's end, to the edge by which it is left.
            at = corners.next[at as usize];
            let fan = at;
            while is_inside(at) {
                at = corners.next[corners.across[at as usize] as usize];
                if at == fan || !own.contains(&at) {
                    report(
                        defects,
                        "F2",
                        format!("layer {layer}"),
                        "its borders between tags do not end".into(),
                    );
                    return;
                }
            }
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    let sweep = sweep_rings_with_thin_walls(&rings);
    for conflict in &sweep.conflicts {
        let message = format!("regions overlap at {}", conflict.at);
        report(defects, "F3", format!("layer {layer}"), message);
    }
    if !sweep.conflicts.is_empty() {
        return;
    }
    // Outlines lie in holes or nowhere, holes in outlines.
    let directions: Vec<bool> = rings.iter().map(|ring| ring_direction(ring).is_gt()).collect();
    for (ring, container) in containers(&rings, &sweep).into_iter().enumerate() {
        let is_in_ground = container.is_some_and(|container| directions[container as usize]);
        if is_in_ground == directions[ring] {
            let message = format!("regions overlap at {}", rings.ring(ring)[0]);
            report(defects, "F3", format!("layer {layer}"), message);
        }
    }
    match join_touching(&rings, &sweep) {
        Some(fans) => {
            for p in fans.changed {
                let place = format!("layer {layer}, point {p}");
                report(defects, "F1", place, "corners here are not one fan each".into());
            }
        }
        None => report(defects, "F1", format!("layer {layer}"), "rings bound no area on their left".into()),
    }
}
