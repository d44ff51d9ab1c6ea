//! Convex polygons in space: cut by planes, measured, and taken away from each other.

use crate::plane::Plane;
use wayfare_core::DVec3;

/// The two parts of a polygon, below and above a plane; a part within `tolerance` of the plane is none.
pub(crate) type Parts = [Option<Vec<DVec3>>; 2];

/// Cuts a convex polygon. Corners within `tolerance` of the plane belong to both parts.
pub(crate) fn split(points: &[DVec3], plane: &Plane, tolerance: f64) -> Parts {
    let side = |p: &DVec3| {
        let distance = plane.distance(*p);
        i8::from(distance > tolerance) - i8::from(distance < -tolerance)
    };
    let (mut below, mut above) = (false, false);
    for p in points {
        match side(p) {
            1 => above = true,
            -1 => below = true,
            _ => {}
        }
    }
    match (below, above) {
        (false, false) => return [None, None],
        (true, false) => return [Some(points.to_vec()), None],
        (false, true) => return [None, Some(points.to_vec())],
        (true, true) => {}
    }
    let mut parts = [Vec::with_capacity(points.len() + 1), Vec::with_capacity(points.len() + 1)];
    for (k, p) in points.iter().enumerate() {
        let q = &points[(k + 1) % points.len()];
        let (sp, sq) = (side(p), side(q));
        if sp <= 0 {
            parts[0].push(*p);
        }
        if sp >= 0 {
            parts[1].push(*p);
        }
        if sp * sq < 0 {
            let cut = crossing(*p, *q, plane);
            parts[0].push(cut);
            parts[1].push(cut);
        }
    }
    parts.map(|part| (part.len() >= 3).then_some(part))
}

/// Where a segment that crosses a plane does so; the same bits for both directions.
pub(crate) fn crossing(p: DVec3, q: DVec3, plane: &Plane) -> DVec3 {
    let (dp, dq) = (plane.distance(p), plane.distance(q));
    // From the end below, so that the direction does not matter.
    let (low, high, dl, dh) = if dp < dq { (p, q, dp, dq) } else { (q, p, dq, dp) };
    low + (high - low) * (dl / (dl - dh))
}

/// Half of the sum of cross products: along the normal, as long as the area is large.
pub(crate) fn area_vector(points: &[DVec3]) -> DVec3 {
    let Some(&origin) = points.first() else { return DVec3::ZERO };
    let fan = points.windows(2).skip(1);
    fan.fold(DVec3::ZERO, |sum, pair| sum + (pair[0] - origin).cross(pair[1] - origin)) / 2.0
}

/// The area [m²].
pub(crate) fn area(points: &[DVec3]) -> f64 {
    area_vector(points).length()
}

/// The mean of the corners.
pub(crate) fn middle(points: &[DVec3]) -> DVec3 {
    points.iter().sum::<DVec3>() / points.len().max(1) as f64
}

/// The narrowest width of a convex polygon [m]: the narrowest of the strips along one of its edges that hold it.
pub(crate) fn width(points: &[DVec3]) -> f64 {
    let normal = area_vector(points).normalize_or_zero();
    let mut narrowest = f64::INFINITY;
    for (k, &p) in points.iter().enumerate() {
        let q = points[(k + 1) % points.len()];
        let across = normal.cross(q - p).normalize_or_zero();
        if across == DVec3::ZERO {
            continue;
        }
        let reach = points.iter().map(|&r| across.dot(r - p)).fold(0.0, f64::max);
        narrowest = narrowest.min(reach);
    }
    if narrowest.is_finite() { narrowest } else { 0.0 }
}

/// What is left of convex pieces in one plane when a convex polygon is taken away; whether that changed anything.
///
/// Slivers up to `tolerance` wide are taken away with it.
pub(crate) fn subtract(pieces: &mut Vec<Vec<DVec3>>, hole: &[DVec3], normal: DVec3, tolerance: f64) -> bool {
    let edges: Vec<Plane> = edge_planes(hole, normal).collect();
    let mut changed = false;
    let mut kept = Vec::with_capacity(pieces.len());
    for piece in pieces.drain(..) {
        let mut inside = Some(piece.clone());
        let mut outside = Vec::new();
        for edge in &edges {
            let Some(rest) = inside.take() else { break };
            let [below, above] = split(&rest, edge, tolerance);
            outside.extend(above);
            inside = below;
        }
        if inside.is_some() {
            changed = true;
            kept.append(&mut outside);
        } else {
            kept.push(piece);
        }
    }
    *pieces = kept;
    changed
}

/// The planes through the edges of a convex polygon across its own plane, pointing outwards.
pub(crate) fn edge_planes(points: &[DVec3], normal: DVec3) -> impl Iterator<Item = Plane> + '_ {
    let turn = if area_vector(points).dot(normal) < 0.0 { -normal } else { normal };
    points.iter().enumerate().filter_map(move |(k, &p)| {
        let q = points[(k + 1) % points.len()];
        let out = (q - p).cross(turn).normalize_or_zero();
        (out != DVec3::ZERO).then(|| Plane { normal: out, offset: out.dot(p) })
    })
}

/// Joins convex pieces of one plane in pairs while a union is convex, up to `tolerance`.
pub(crate) fn unite(pieces: &mut Vec<Vec<DVec3>>, normal: DVec3, tolerance: f64) {
    let mut k = 0;
    'next: while k < pieces.len() {
        for j in k + 1..pieces.len() {
            if let Some(both) = united(&pieces[k], &pieces[j], normal, tolerance) {
                pieces[k] = both;
                pieces.swap_remove(j);
                // What the larger piece can take in may have come before it.
                k = 0;
                continue 'next;
            }
        }
        k += 1;
    }
}

/// The union of two convex polygons of one plane that touch along an edge, if it is convex.
pub(crate) fn united(a: &[DVec3], b: &[DVec3], normal: DVec3, tolerance: f64) -> Option<Vec<DVec3>> {
    let inside = |points: &[DVec3], plane: &Plane| points.iter().all(|&p| plane.distance(p) <= tolerance);
    // The one edge of each across which the other lies; all other edges must hold both.
    let across = |own: &[DVec3], other: &[DVec3]| {
        let mut found = None;
        for plane in edge_planes(own, normal) {
            if inside(other, &plane) {
                continue;
            }
            if found.replace(plane).is_some() {
                return None;
            }
        }
        found
    };
    let (pa, pb) = (across(a, b)?, across(b, a)?);
    let touch = inside(b, &pb) && b.iter().all(|&p| pa.distance(p) >= -tolerance);
    if !touch || pa.normal.dot(pb.normal) > -0.999_999 || !a.iter().all(|&p| pb.distance(p) >= -tolerance) {
        return None;
    }
    // The outline of both: all corners, turned round their middle in the order of a's plane.
    let ring: Vec<DVec3> = a.iter().chain(b).copied().collect();
    let centre = middle(&ring);
    let u = (ring[0] - centre).normalize_or_zero();
    let v = normal.cross(u);
    let angle = |p: &DVec3| wayfare_core::ops::atan2((*p - centre).dot(v), (*p - centre).dot(u));
    let mut turned: Vec<(f64, DVec3)> = ring.iter().map(|p| (angle(p), *p)).collect();
    turned.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut ring: Vec<DVec3> = turned.into_iter().map(|(_, p)| p).collect();
    if area_vector(a).dot(normal) < 0.0 {
        ring.reverse();
    }
    let ring = without_straight_corners(ring, tolerance);
    let sum = area(a) + area(b);
    ((area(&ring) - sum).abs() <= 1e-6 * sum).then_some(ring)
}

/// A ring without corners that lie on the line between their neighbours, up to `tolerance`, and without repeated ones.
pub(crate) fn without_straight_corners(mut ring: Vec<DVec3>, tolerance: f64) -> Vec<DVec3> {
    let mut k = 0;
    while ring.len() > 3 && k < ring.len() {
        let n = ring.len();
        let (p, q, r) = (ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]);
        let along = (r - p).normalize_or_zero();
        let off = (q - p) - along * (q - p).dot(along);
        if off.length() <= tolerance {
            ring.remove(k);
            k = k.saturating_sub(1);
        } else {
            k += 1;
        }
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec3;

    fn square(x: f64, y: f64, size: f64) -> Vec<DVec3> {
        vec![dvec3(x, y, 1.), dvec3(x + size, y, 1.), dvec3(x + size, y + size, 1.), dvec3(x, y + size, 1.)]
    }

    #[test]
    fn a_window_in_a_wall_leaves_pieces_of_the_right_area_that_join_again() {
        let mut pieces = vec![square(0.0, 0.0, 4.0)];
        assert!(subtract(&mut pieces, &square(1.0, 1.0, 2.0), DVec3::Z, 1e-9));
        assert!((pieces.iter().map(|p| area(p)).sum::<f64>() - 12.0).abs() < 1e-12);
        assert!(!subtract(&mut pieces, &square(1.0, 1.0, 2.0), DVec3::Z, 1e-9), "nothing is left there");
        assert!(!subtract(&mut pieces, &square(4.0, 0.0, 2.0), DVec3::Z, 1e-9), "touching takes nothing");
        let mut halves = vec![square(0.0, 0.0, 1.0), square(5.0, 5.0, 1.0), square(1.0, 0.0, 1.0)];
        unite(&mut halves, DVec3::Z, 1e-9);
        assert_eq!(halves.len(), 2);
        assert_eq!(halves[0].len(), 4);
        assert!((width(&halves[0]) - 1.0).abs() < 1e-12);
    }
}
