//! The smallest distance to the boundary along a straight line over the ground.
//!
//! Idea: in each cell the features of its list say it exactly: the distance to a corner is that of a point to a
//! segment, the distance to an edge changes linearly in front of it.
//! Steps: 1. the part of the line in the cell  2. its distance to each feature of the list  3. on across the portal
//! Signs at vertices are exact; a vertex on the line counts as left of it, so that the way is always clear. A cell that a line
//! only touches where it begins, or along an edge, may lie left of it as a whole: then it begins in another that holds its start. Where the line
//! touches the boundary the answer is 0 and the rest of the line does not matter.
//! Cost: O(corners and lists of the cells passed).

use super::{
    Clearances,
    feature::{Feature, FeatureId},
};
use crate::mesh::{CellId, CornerId};
use wayfare_core::{DVec2, Id as _};
use wayfare_geom::predicates::{is_between, orient};

/// How much room there is along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineClearance {
    /// Smallest distance to the boundary [m]; 0 if the line leaves the ground.
    pub distance: f64,
    /// Where on the line that is; the first such place.
    pub at: DVec2,
    /// The place of the boundary that is so near.
    pub nearest: DVec2,
    /// The feature that it lies on; nothing if the ground has no boundary.
    pub feature: Option<FeatureId>,
    /// The cell in which the line ends, or in which it left the ground.
    pub cell: CellId,
}

impl Clearances<'_> {
    /// The smallest distance to the boundary along the line from a point of `cell` to `to`.
    pub fn along(&self, cell: CellId, from: DVec2, to: DVec2) -> LineClearance {
        self.along_until(cell, from, to, 0.0)
    }

    /// The same, but it may stop where there is less room than `enough`: the distance is then at most what it is there.
    pub fn along_until(&self, cell: CellId, from: DVec2, to: DVec2, enough: f64) -> LineClearance {
        let mut least =
            LineClearance { distance: f64::INFINITY, at: from, nearest: from, feature: None, cell };
        let (_, left) = self.walk(cell, from, to, |cell, part| {
            self.along_in(cell, part, &mut least);
            least.cell = cell;
            least.distance > enough || enough <= 0.0 && least.distance != 0.0
        });
        let Some((corner, at)) = left else { return least };
        let feature = self.data.features.of_edge(corner);
        LineClearance { distance: 0.0, at, nearest: at, feature, cell: least.cell }
    }

    /// Whether the line from a point of `cell` to `to` is nowhere nearer to the boundary than a distance: the cell in which it ends.
    /// Quicker than asking how near it comes.
    pub fn keeps_away(&self, cell: CellId, from: DVec2, to: DVec2, distance: f64) -> Option<CellId> {
        let mut is_free = true;
        let (end, left) = self.walk(cell, from, to, |cell, part| {
            is_free = self.keeps_away_in(cell, part, distance);
            is_free
        });
        (is_free && left.is_none()).then_some(end)
    }

    /// Follows a line through the cells with the part of it in each, as long as `visit` wishes: the last cell, and by which edge and
    /// where the line leaves the ground if it does.
    #[inline]
    fn walk(
        &self,
        mut cell: CellId,
        from: DVec2,
        to: DVec2,
        mut visit: impl FnMut(CellId, [DVec2; 2]) -> bool,
    ) -> (CellId, Option<(CornerId, DVec2)>) {
        let mut entry = None;
        let mut share = 0.0;
        // A straight line meets a cell once; a relaxed one seldom more often.
        for _ in 0..=2 * self.mesh.cell_count() {
            let out = self.way_on(&mut cell, entry, share, from, to);
            let next = out.map_or(1.0, |(_, share)| share);
            let end = from.lerp(to, next);
            if !visit(cell, [from.lerp(to, share), end]) {
                break;
            }
            let Some((corner, _)) = out else { break };
            let Some(twin) = self.mesh.twin(corner) else { return (cell, Some((corner, end))) };
            (cell, entry, share) = (self.mesh.cell_of_corner(twin), Some(twin), next);
        }
        (cell, None)
    }

    /// The smallest distance to the boundary along a line that lies in one cell.
    pub(crate) fn along_in_cell(&self, cell: CellId, from: DVec2, to: DVec2) -> f64 {
        let mut least =
            LineClearance { distance: f64::INFINITY, at: from, nearest: from, feature: None, cell };
        self.along_in(cell, [from, to], &mut least);
        least.distance
    }

    /// The cell in which a line from a point of `cell` to `to` ends, or the last one if it leaves the ground.
    pub(crate) fn cell_ahead(&self, mut cell: CellId, from: DVec2, to: DVec2) -> CellId {
        let (mut entry, mut share) = (None, 0.0);
        for _ in 0..=2 * self.mesh.cell_count() {
            let Some((corner, next)) = self.way_on(&mut cell, entry, share, from, to) else { break };
            let Some(twin) = self.mesh.twin(corner) else { break };
            (cell, entry, share) = (self.mesh.cell_of_corner(twin), Some(twin), next);
        }
        cell
    }

    /// As [`Self::way_out`]; a line begins in another cell that holds its start if it does not lead through this one.
    #[inline]
    fn way_on(
        &self,
        cell: &mut CellId,
        entry: Option<CornerId>,
        share: f64,
        from: DVec2,
        to: DVec2,
    ) -> Option<(CornerId, f64)> {
        let out = self.way_out(*cell, entry, share, from, to);
        if out.is_some() || entry.is_some() || self.mesh.contains(*cell, to) {
            return out;
        }
        let way_out = |cell: CellId| self.way_out(cell, None, 0.0, from, to);
        let leads_on = |cell: CellId| self.mesh.contains(cell, to) || way_out(cell).is_some();
        *cell = self.cell_that(*cell, from, leads_on)?;
        way_out(*cell)
    }

    /// The first cell round a point of a cell, over portals that hold the point, with a property.
    #[cold]
    fn cell_that(&self, cell: CellId, at: DVec2, is_it: impl Fn(CellId) -> bool) -> Option<CellId> {
        /// More cells seldom meet in a point.
        const MOST: usize = 32;
        let mut cells = [cell; MOST];
        let (mut count, mut next) = (1, 0);
        while next < count {
            for corner in self.mesh.corners(cells[next]) {
                let Some(beyond) = self.mesh.neighbour(corner) else { continue };
                let [a, b] = self.mesh.edge(corner).map(|vertex| self.mesh.xy(vertex));
                let is_on = a == at || b == at || orient(a, b, at) == 0.0 && is_between(a, b, at);
                if !is_on || cells[..count].contains(&beyond) {
                    continue;
                }
                if is_it(beyond) {
                    return Some(beyond);
                }
                if count < MOST {
                    cells[count] = beyond;
                    count += 1;
                }
            }
            next += 1;
        }
        None
    }

    /// The edge by which a line that has entered a cell across `entry` leaves it, and its share of the line there;
    /// nothing if the line ends in the cell.
    pub(crate) fn way_out(
        &self,
        cell: CellId,
        entry: Option<CornerId>,
        share: f64,
        from: DVec2,
        to: DVec2,
    ) -> Option<(CornerId, f64)> {
        let mesh = self.mesh;
        let (range, whole) = (mesh.corner_range(cell), from.distance_squared(to));
        if whole == 0.0 {
            return None;
        }
        let is_left = |p: DVec2| orient(from, to, p) >= 0.0;
        let has_notch = !mesh.notches(cell).is_empty();
        let mut best: Option<(CornerId, f64)> = None;
        let mut a = mesh.xy(mesh.corner_vertex(CornerId::new(range.end - 1)));
        let mut a_left = is_left(a);
        let mut corner = CornerId::new(range.end - 1);
        for k in range {
            let b = mesh.xy(mesh.corner_vertex(CornerId::new(k)));
            let b_left = is_left(b);
            // Out of the cell one goes over edges that run from right to left.
            if !a_left && b_left && Some(corner) != entry {
                let (right, left) = (orient(from, to, a), orient(from, to, b));
                let at = a + (b - a) * (right / (right - left));
                let along = (at - from).dot(to - from) / whole;
                // Exactly: the line ends before the edge, or begins after it.
                let ends_here = orient(a, b, to) >= 0.0;
                // A cell may have a notch by rounding alone. Where the line begins the sign tells, which rounding does not
                // change.
                let is_behind = orient(a, b, from) < 0.0 || has_notch && entry.is_some() && along < share;
                if !ends_here && !is_behind && best.is_none_or(|(_, other)| along < other) {
                    best = Some((corner, along.clamp(share, 1.0)));
                }
                // There is one such edge, but for notches and for edges of no length by rounding.
                if !has_notch && best.is_some() {
                    break;
                }
            }
            (a, a_left, corner) = (b, b_left, CornerId::new(k));
        }
        best
    }

    /// Whether a part of a line in a cell keeps a distance.
    fn keeps_away_in(&self, cell: CellId, [from, to]: [DVec2; 2], distance: f64) -> bool {
        let (line, squared) = (to - from, distance * distance);
        let whole = line.length_squared();
        let mut is_free = true;
        self.while_near(cell, [from, to], distance, |k| {
            let feature = self.data.features.get(self.data.list_entry(k));
            let arm = from - feature.at;
            is_free = if feature.is_edge() {
                let normal = feature.normal();
                let (start, slope) = (arm.dot(normal), line.dot(normal));
                // Most are far away as a whole line.
                start >= distance && start + slope >= distance || {
                    let (_, low, high) = self.data.listed(k);
                    let near = self.in_front(feature, arm, line, [low, high]);
                    near.is_none_or(|(_, near)| near >= distance)
                }
            } else {
                let across = line.perp_dot(arm);
                across * across >= squared * whole && whole > 0.0 || {
                    let share = if whole > 0.0 { (-arm.dot(line) / whole).clamp(0.0, 1.0) } else { 0.0 };
                    (arm + line * share).length() >= distance
                }
            };
            is_free
        });
        is_free
    }

    /// Where a line comes nearest to a part of an edge, as a share of the line, and how near; nothing if it never is in front of it.
    #[inline]
    fn in_front(
        &self,
        feature: &Feature,
        arm: DVec2,
        line: DVec2,
        [low, high]: [f64; 2],
    ) -> Option<(f64, f64)> {
        let hair = self.data.hair;
        // In front of the edge: where low <= along <= high.
        let (along, change) = (arm.dot(feature.axis), line.dot(feature.axis));
        let (mut first, mut last) = (0.0f64, 1.0f64);
        for (start, slope) in [(along - low + hair, change), (high - along + hair, -change)] {
            if slope > 0.0 {
                first = first.max(-start / slope);
            } else if slope < 0.0 {
                last = last.min(-start / slope);
            } else if start < 0.0 {
                last = -1.0;
            }
        }
        if first > last {
            return None;
        }
        let (start, slope) = (arm.dot(feature.normal()), line.dot(feature.normal()));
        let (near, far) = (start + slope * first, start + slope * last);
        if near < -hair && far < -hair {
            return None;
        }
        Some(if near <= far { (first, near.max(0.0)) } else { (last, far.max(0.0)) })
    }

    /// Lowers `least` to what a part of a line has in a cell.
    fn along_in(&self, cell: CellId, [from, to]: [DVec2; 2], least: &mut LineClearance) {
        let line = to - from;
        let whole = line.length_squared();
        // The first of the list, of several that are as near.
        let mut best = usize::MAX;
        self.for_each_near(cell, [from, to], |k| {
            let (id, low, high) = self.data.listed(k);
            let feature = self.data.features.get(id);
            let arm = from - feature.at;
            let (at, distance) = if feature.is_edge() {
                match self.in_front(feature, arm, line, [low, high]) {
                    Some(found) => found,
                    None => return least.distance,
                }
            } else {
                let share = if whole > 0.0 { (-arm.dot(line) / whole).clamp(0.0, 1.0) } else { 0.0 };
                (share, (arm + line * share).length())
            };
            if distance < least.distance || distance == least.distance && k < best && best != usize::MAX {
                best = k;
                let at = from + line * at;
                let parameter = feature.parameter(at).clamp(feature.low, feature.high);
                *least =
                    LineClearance { distance, at, nearest: feature.foot(parameter), feature: Some(id), cell };
            }
            least.distance
        });
    }
}
