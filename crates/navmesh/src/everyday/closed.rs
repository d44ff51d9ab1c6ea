//! Closed portals beside a straight piece of a way.
//!
//! Whatever is nearer to the piece than the radius can be reached from it through portals that are as near, as long as the
//! piece is free of walls: so nothing on another storey is met (as in `search/disc/off_limits.rs`, which has memory of
//! its own for many pieces). Cost: O(corners of the cells within the radius), asked only where something is closed.

use crate::{
    clearance::{Feature, FeatureKind},
    mesh::{CellId, CornerId},
    search::{disc::Trace, limits::Limits},
};
use wayfare_core::DVec2;

/// Calls `visit` with every closed portal nearer than `radius` to a piece that begins in a cell, as an edge of the cell on
/// this side of it, and its distance.
pub(crate) fn for_each_near(
    limits: &Limits<'_>,
    cell: CellId,
    piece: [DVec2; 2],
    radius: f64,
    mut visit: impl FnMut(CornerId, f64),
) {
    let (mesh, piece) = (limits.mesh(), Trace::Line(piece));
    // A few cells: looking through them is quicker than a set.
    let mut seen = vec![cell];
    let mut next = 0;
    while let Some(&cell) = seen.get(next) {
        next += 1;
        for corner in mesh.corners(cell) {
            let (Some(portal), Some(beyond)) = (mesh.portal_at(corner), mesh.neighbour(corner)) else {
                continue;
            };
            let distance = piece.distance_to(mesh.edge(corner).map(|vertex| mesh.xy(vertex)));
            if distance >= radius {
                continue;
            }
            if !limits.allows_crossing(portal, beyond) {
                visit(corner, distance);
            } else if !seen.contains(&beyond) {
                seen.push(beyond);
            }
        }
    }
}

/// A closed portal as features: the edge, seen from the ground on its left, and its two ends.
pub(super) fn features(limits: &Limits<'_>, corner: CornerId) -> [Feature; 3] {
    let [a, b] = limits.mesh().edge(corner).map(|vertex| limits.mesh().xy(vertex));
    let axis = (b - a).normalize_or_zero();
    let high = (b - a).dot(axis);
    let edge = Feature { kind: FeatureKind::Edge, corner, at: a, axis, low: 0.0, high };
    let end = |at: DVec2| Feature {
        kind: FeatureKind::Corner,
        at,
        axis: axis.perp(),
        low: -1.0,
        high: 1.0,
        ..edge
    };
    [edge, end(a), end(b)]
}
