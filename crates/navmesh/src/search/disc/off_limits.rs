//! How near a piece of a path comes to what is closed or forbidden.
//!
//! Limits are walls for the whole body, not only for its centre. They are not part of the clearance that the mesh carries, so
//! they are looked for beside each piece of a path that is free otherwise.
//! Idea: whoever is nearer to the piece than the radius can be reached from it through portals that are as near: the ground
//!   within the radius is free of walls, so it lies under the piece as in plan. So nothing on another storey is met.
//! Steps: 1. from the piece's first cell go through open portals that are near enough  2. a closed one is a wall
//! Cost: O(corners of the cells within the radius).

use super::super::limits::Limits;
use crate::mesh::{CellId, NavMesh, PortalId};
use wayfare_core::{DVec2, Id as _};
use wayfare_geom::{
    predicates::orient,
    segment::{distance_squared_to_segment, nearest_on_segment},
};

/// A piece of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Trace {
    /// A straight line.
    Line([DVec2; 2]),
    /// Round a centre, from one of its arms to the other by the shorter way.
    Arc { centre: DVec2, arms: [DVec2; 2] },
}

/// Memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    stack: Vec<CellId>,
    seen: Vec<u32>,
    stamp: u32,
}

impl Near {
    fn begin(&mut self, mesh: &NavMesh) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.seen.len() < mesh.cell_count() || self.stamp == 0 {
            self.seen = vec![0; mesh.cell_count()];
            self.stamp = 1;
        }
        self.stack.clear();
    }

    fn push(&mut self, cell: CellId) {
        if std::mem::replace(&mut self.seen[cell.index()], self.stamp) != self.stamp {
            self.stack.push(cell);
        }
    }
}

impl Limits<'_> {
    /// How near a piece that starts in a cell comes to what is closed; infinite if that is `radius` or more.
    pub fn distance_from(&self, cell: CellId, piece: Trace, radius: f64, near: &mut Near) -> f64 {
        let mut least = f64::INFINITY;
        self.for_each_near(cell, piece, radius, near, |_, distance| least = least.min(distance));
        least
    }

    /// The closed portal that is nearest to such a piece, and its place there.
    pub fn nearest_to(
        &self,
        cell: CellId,
        piece: Trace,
        radius: f64,
        near: &mut Near,
    ) -> Option<(PortalId, DVec2)> {
        let mut best: Option<(f64, PortalId)> = None;
        self.for_each_near(cell, piece, radius, near, |portal, distance| {
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, portal));
            }
        });
        let (_, portal) = best?;
        let [a, b] = self.mesh().edge(self.mesh().portals()[portal][0]).map(|vertex| self.mesh().xy(vertex));
        Some((portal, nearest_on_segment(piece.middle(), a, b)))
    }

    fn for_each_near(
        &self,
        cell: CellId,
        piece: Trace,
        radius: f64,
        near: &mut Near,
        mut visit: impl FnMut(PortalId, f64),
    ) {
        let mesh = self.mesh();
        near.begin(mesh);
        near.push(cell);
        while let Some(cell) = near.stack.pop() {
            // 1.
            for corner in mesh.corners(cell) {
                let (Some(portal), Some(beyond)) = (mesh.portal_at(corner), mesh.neighbour(corner)) else {
                    continue;
                };
                let distance = piece.distance_to(mesh.edge(corner).map(|vertex| mesh.xy(vertex)));
                if distance >= radius {
                    continue;
                }
                // 2.
                if self.allows_crossing(portal, beyond) {
                    near.push(beyond);
                } else {
                    visit(portal, distance);
                }
            }
        }
    }
}

impl Trace {
    fn middle(&self) -> DVec2 {
        match *self {
            Self::Line([a, b]) => a.midpoint(b),
            Self::Arc { centre, arms } => centre + arms[0].midpoint(arms[1]),
        }
    }

    /// The distance to a segment; 0 if they cross.
    pub fn distance_to(&self, [a, b]: [DVec2; 2]) -> f64 {
        let to_segment = |p: DVec2| distance_squared_to_segment(p, a, b).sqrt();
        match *self {
            Self::Line([c, d]) => {
                let is_apart = |s: f64, t: f64| s * t > 0.0 || s == 0.0 && t == 0.0;
                let is_across = !is_apart(orient(a, b, c), orient(a, b, d))
                    && !is_apart(orient(c, d, a), orient(c, d, b));
                if is_across {
                    return 0.0;
                }
                let to_line = |p: DVec2| distance_squared_to_segment(p, c, d).sqrt();
                to_segment(c).min(to_segment(d)).min(to_line(a)).min(to_line(b))
            }
            Self::Arc { centre, arms } => {
                let radius = arms[0].length();
                let side = if arms[0].perp_dot(arms[1]) < 0.0 { -1.0 } else { 1.0 };
                let is_between =
                    |v: DVec2| arms[0].perp_dot(v) * side >= 0.0 && v.perp_dot(arms[1]) * side >= 0.0;
                let to_arc = |p: DVec2| {
                    let arm = p - centre;
                    if is_between(arm) {
                        (arm.length() - radius).abs()
                    } else {
                        arm.distance(arms[0]).min(arm.distance(arms[1]))
                    }
                };
                let mut least = to_arc(a)
                    .min(to_arc(b))
                    .min(to_segment(centre + arms[0]))
                    .min(to_segment(centre + arms[1]));
                // Where the segment is nearest to the centre, and where it crosses the circle.
                let along = (b - a).normalize_or_zero();
                let foot = (centre - a).dot(along);
                let off = a + along * foot - centre;
                let half = (radius * radius - off.length_squared()).max(0.0).sqrt();
                let is_crossed = off.length_squared() <= radius * radius;
                for share in [foot - half, foot, foot + half] {
                    if share >= 0.0 && share <= a.distance(b) && is_between(a + along * share - centre) {
                        let is_on_circle = is_crossed && (share != foot || half == 0.0);
                        least = least.min(if is_on_circle { 0.0 } else { (off.length() - radius).abs() });
                    }
                }
                least
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    fn brute(points: &[DVec2], [a, b]: [DVec2; 2]) -> f64 {
        points.iter().map(|p| distance_squared_to_segment(*p, a, b).sqrt()).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn distances_are_those_of_many_points(n in prop::array::uniform8(-9i8..10), angles in [0.0..6.3f64, -3.1..3.1f64], radius in 0.2..6.0f64) {
            let p = |k: usize| dvec2(n[k].into(), n[k + 1].into());
            let segment = [p(0), p(2)];
            let line = [p(4), p(6)];
            let points: Vec<DVec2> = (0..=4000).map(|k| line[0].lerp(line[1], f64::from(k) / 4000.0)).collect();
            let distance = Trace::Line(line).distance_to(segment);
            let off = brute(&points, segment) - distance;
            prop_assert!((-1e-9..=0.01).contains(&off), "line off by {}", off);
            let arms = [0.0, angles[1]].map(|turn| DVec2::from_angle(angles[0] + turn) * radius);
            let turn = |k: i32| DVec2::from_angle(angles[0] + angles[1] * f64::from(k) / 4000.0) * radius + p(4);
            let points: Vec<DVec2> = (0..=4000).map(turn).collect();
            let distance = Trace::Arc { centre: p(4), arms }.distance_to(segment);
            let off = brute(&points, segment) - distance;
            prop_assert!((-1e-9..=0.01).contains(&off), "arc off by {}", off);
        }
    }
}
