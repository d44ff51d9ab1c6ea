//! N8 from the export: drops, cover, heights at vertices and portals.
//!
//! Written the plain way: the cell's ring is cut by each triangle, heights are looked for in all triangles of the
//! list.

use super::Exported;
use std::collections::BTreeSet;
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::{predicates::orient, ring_area};

/// Narrower gaps and overlaps are rounding [m].
const HAIR: f64 = 1e-6;
/// Smaller differences of heights do not count [m].
const MILLIMETRE: f64 = 1e-3;
/// Where heights are compared on a portal, beside the places where the ground is bent.
const SAMPLES: usize = 16;

pub(super) fn check(mesh: &Exported, defects: &mut Vec<String>) {
    check_drops(mesh, defects);
    for (t, triangle) in mesh.ground_triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|k| point(mesh, k).truncate());
        if orient(a, b, c) <= 0.0 {
            defects.push(format!("N0: ground triangle {t} has no area, or runs clockwise"));
        }
    }
    for cell in (0..mesh.cells.len()).filter(|&cell| !mesh.ground[cell].is_empty()) {
        check_cover(mesh, cell, defects);
        check_overlap(mesh, cell, defects);
        for &v in &mesh.cells[cell] {
            let (z, ground) = (mesh.vertices[v][2], height(mesh, cell, mesh.xy(v)));
            if (z - ground).abs() > MILLIMETRE {
                defects.push(format!("N8: vertex {v} is at {z} m, the ground of cell {cell} at {ground} m"));
            }
        }
    }
    for (k, portal) in mesh.portals.iter().enumerate() {
        let [a, b] = portal.vertices.map(|v| mesh.xy(v));
        let mut places: Vec<DVec2> = (1..SAMPLES).map(|i| a.lerp(b, i as f64 / SAMPLES as f64)).collect();
        for t in portal.cells.iter().flat_map(|&cell| &mesh.ground[cell]) {
            let corners = mesh.ground_triangles[*t].map(|k| point(mesh, k).truncate());
            let along = |p: &DVec2| ((p - a).dot(b - a) / (b - a).length_squared(), (b - a).perp_dot(p - a));
            let is_on =
                |p: &DVec2| (0.0..=1.0).contains(&along(p).0) && along(p).1.abs() <= HAIR * a.distance(b);
            // On the portal itself: beside a step the ground may be far lower half a micrometre away.
            places.extend(corners.into_iter().filter(is_on).map(|p| a.lerp(b, along(&p).0)));
        }
        let off = places.into_iter().map(|p| {
            let [here, there] = portal.cells.map(|cell| height(mesh, cell, p));
            ((here - there).abs(), p)
        });
        if let Some((off, p)) = off.max_by(|x, y| x.0.total_cmp(&y.0)).filter(|worst| worst.0 > MILLIMETRE) {
            defects.push(format!("N8: portal {k} has a step of {off} m at {p}"));
        }
    }
}

/// Drops are where the ground ends.
fn check_drops(mesh: &Exported, defects: &mut Vec<String>) {
    let shared: BTreeSet<[usize; 2]> = mesh
        .portals
        .iter()
        .flat_map(|portal| {
            let [a, b] = portal.vertices;
            [[a, b], [b, a]]
        })
        .collect();
    for drop in &mesh.drops {
        let Some(edge) = mesh.cells.get(drop.cell).and_then(|_| mesh.edges(drop.cell).nth(drop.edge)) else {
            defects.push(format!("format: there is no edge {} of cell {}", drop.edge, drop.cell));
            continue;
        };
        if shared.contains(&edge) {
            defects.push(format!("N0: a drop lies on the portal {edge:?}"));
        }
        if drop.depth.is_some_and(|depth| depth <= 0.0) {
            defects.push(format!("N0: the drop at {edge:?} has no depth"));
        }
    }
}

fn point(mesh: &Exported, k: usize) -> DVec3 {
    DVec3::from_array(mesh.ground_points[k])
}

fn check_cover(mesh: &Exported, cell: usize, defects: &mut Vec<String>) {
    let ring = mesh.ring(cell);
    let covered: f64 = mesh.ground[cell]
        .iter()
        .map(|&t| common_area(&ring, mesh.ground_triangles[t].map(|k| point(mesh, k).truncate())))
        .sum();
    let area = ring_area(&ring);
    let perimeter: f64 = (0..ring.len()).map(|k| ring[k].distance(ring[(k + 1) % ring.len()])).sum();
    if (covered - area).abs() > HAIR * perimeter + 1e-9 * area {
        defects.push(format!("N8: cell {cell} has area {area}, its ground {covered}"));
    }
}

/// The triangles of a list by their left ends: only those that begin before another ends can overlap it.
fn check_overlap(mesh: &Exported, cell: usize, defects: &mut Vec<String>) {
    let mut list: Vec<(f64, f64, [DVec2; 3], usize)> = mesh.ground[cell]
        .iter()
        .map(|&t| {
            let corners = mesh.ground_triangles[t].map(|k| point(mesh, k).truncate());
            let left = corners.iter().map(|p| p.x).fold(f64::INFINITY, f64::min);
            let right = corners.iter().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max);
            (left, right, corners, t)
        })
        .collect();
    list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.3.cmp(&b.3)));
    for (k, (_, right, one, t)) in list.iter().enumerate() {
        for (_, _, other, u) in list[k + 1..].iter().take_while(|next| next.0 < *right) {
            let length: f64 = (0..3).map(|k| one[k].distance(one[(k + 1) % 3])).sum();
            if common_area(one, *other) > HAIR * length {
                defects.push(format!("N8: ground triangles {t} and {u} of cell {cell} overlap"));
            }
        }
    }
}

/// What a ring has in common with a triangle [m²]: the ring is cut along the three edges.
fn common_area(ring: &[DVec2], triangle: [DVec2; 3]) -> f64 {
    let mut rest = ring.to_vec();
    for k in 0..3 {
        let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
        let side = |p: DVec2| (b - a).perp_dot(p - a);
        let mut kept = Vec::new();
        for (i, &p) in rest.iter().enumerate() {
            let q = rest[(i + 1) % rest.len()];
            if side(p) >= 0.0 {
                kept.push(p);
            }
            if (side(p) > 0.0) != (side(q) > 0.0) && side(p) != side(q) {
                kept.push(p + (q - p) * (side(p) / (side(p) - side(q))));
            }
        }
        rest = kept;
    }
    if rest.len() < 3 { 0.0 } else { ring_area(&rest) }
}

/// The height of the ground of a cell: of the triangle that a point is deepest in, or least outside of.
fn height(mesh: &Exported, cell: usize, p: DVec2) -> f64 {
    let own = |v: usize| DVec3::from_array(mesh.vertices[v]);
    let fan = mesh.heights[cell].iter().map(|t| t.map(own));
    let list = mesh.ground[cell].iter().map(|&t| mesh.ground_triangles[t].map(|k| point(mesh, k)));
    let mut best = (f64::NEG_INFINITY, 0.0);
    for [a, b, c] in fan.chain(list) {
        let [pa, pb, pc] = [a, b, c].map(|q| q.truncate() - p);
        let twice = [pb.perp_dot(pc), pc.perp_dot(pa), pa.perp_dot(pb)];
        let area: f64 = twice.iter().sum();
        if area <= 0.0 {
            continue;
        }
        // Distances from the edges' lines; negative outside.
        let depth = [twice[0] / pb.distance(pc), twice[1] / pc.distance(pa), twice[2] / pa.distance(pb)];
        let depth = depth.into_iter().fold(f64::INFINITY, f64::min);
        if depth > best.0 {
            best = (depth, (a.z * twice[0] + b.z * twice[1] + c.z * twice[2]) / area);
        }
    }
    best.1
}
