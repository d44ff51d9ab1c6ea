//! F2 and the fans of F1: shared edges have two sides, and what meets at a vertex hangs together there.

use super::report;
use crate::{Corners, EdgeKind, NO_CORNER};
use wayfare_core::Defect;

/// F2: each shared edge has one other side, where its kind says.
/// F1: the corners of each vertex are one fan of ground.
pub(super) fn check(corners: &Corners, defects: &mut Vec<Defect>) {
    for &corner in &corners.unmatched {
        let message = "is shared, but not by exactly one edge that runs back".into();
        report(defects, "F2", edge_name(corners, corner), message);
    }
    if corners.has_shared() {
        for corner in 0..corners.across.len() as u32 {
            if corners.across[corner as usize] != NO_CORNER {
                check_edge(corners, corner, defects);
            }
        }
    }
    check_fans(corners, defects);
}

fn edge_name(corners: &Corners, corner: u32) -> String {
    let (region, [a, b]) = (corners.region(corner), corners.ends(corner));
    format!("layer {}, edge from vertex {a} to vertex {b}", corners.layers[region])
}

fn check_edge(corners: &Corners, corner: u32, defects: &mut Vec<Defect>) {
    let [here, there] = [corner, corners.across[corner as usize]].map(|corner| corners.region(corner));
    let (layer, other) = (corners.layers[here], corners.layers[there]);
    let wrong = match corners.kinds[corner as usize] {
        EdgeKind::Seam { layer: named, .. } if named != other || layer == other => {
            Some(format!("is a seam to layer {named}, its other side is in layer {other}"))
        }
        EdgeKind::TagBorder if layer != other => {
            Some(format!("is a border between tags, but its other side is in layer {other}"))
        }
        EdgeKind::TagBorder if corners.regions[here].tag == corners.regions[there].tag => {
            Some("is a border between tags, but both sides have the same".into())
        }
        EdgeKind::Gap { .. } if layer != other => {
            Some(format!("is the side of a gap, but its other side is in layer {other}"))
        }
        EdgeKind::Gap { rise: 0.0 } if [here, there].iter().all(|&r| corners.regions[r].gap.is_none()) => {
            Some("is the side of a gap without one".into())
        }
        kind if kind.rise() != corners.kinds[corners.across[corner as usize] as usize].rise() => {
            Some("is a step that is not as high from the other side".into())
        }
        _ => None,
    };
    if let Some(message) = wrong {
        report(defects, "F2", edge_name(corners, corner), message);
    }
}

/// Follows the fan of every corner across shared edges; each vertex may have one.
fn check_fans(corners: &Corners, defects: &mut Vec<Defect>) {
    let mut fans = vec![0u32; corners.plan.vertices.len()];
    let mut seen = vec![false; corners.vertices.len()];
    let mut before = vec![0u32; corners.vertices.len()];
    for (corner, &next) in corners.next.iter().enumerate() {
        before[next as usize] = corner as u32;
    }
    // The corner of the same vertex clockwise, across its own edge, and counter-clockwise, across the edge before.
    let clockwise = |corner: u32| match corners.across[corner as usize] {
        NO_CORNER => NO_CORNER,
        other => corners.next[other as usize],
    };
    let counter_clockwise = |corner: u32| corners.across[before[corner as usize] as usize];
    for start in 0..corners.vertices.len() as u32 {
        if seen[start as usize] {
            continue;
        }
        let vertex = corners.vertices[start as usize];
        fans[vertex as usize] += 1;
        let mut first = start;
        let mut is_inner = false;
        while clockwise(first) != NO_CORNER && !is_inner {
            first = clockwise(first);
            is_inner = first == start;
        }
        let mut at = first;
        while at != NO_CORNER && !seen[at as usize] {
            seen[at as usize] = true;
            at = counter_clockwise(at);
        }
    }
    for (vertex, &count) in fans.iter().enumerate() {
        match count {
            0 => report(defects, "F1", format!("vertex {vertex}"), "is the corner of no ring".into()),
            1 => {}
            _ => {
                let message = format!("has {count} fans of ground that do not hang together there");
                report(defects, "F1", format!("vertex {vertex}"), message);
            }
        }
    }
}
