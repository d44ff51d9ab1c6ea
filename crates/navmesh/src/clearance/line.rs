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
        // Mostly a line begins in a cell that has no notch, and if it ends there too nothing is in its way.
        let ends_here = entry.is_none() && self.mesh.contains(*cell, to);
        if ends_here && !self.data.half_planes.has_notch(*cell) {
            return None;
        }
        let out = self.way_out(*cell, entry, share, from, to);
        if out.is_some() || entry.is_some() || ends_here {
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
        let has_notch = self.data.half_planes.has_notch(cell);
        let side = |k: usize| {
            let at = mesh.xy(mesh.corner_vertex(CornerId::new(k)));
            (at, orient(from, to, at))
        };
        // The edge from one corner to the next, if the line leaves the cell by it.
        let way_over = |edge: usize, (a, right): (DVec2, f64), (b, left): (DVec2, f64)| {
            // Exactly: the line ends before the edge, or begins after it.
            if orient(a, b, to) >= 0.0 || orient(a, b, from) < 0.0 {
                return None;
            }
            let at = a + (b - a) * (right / (right - left));
            Some((CornerId::new(edge), (at - from).dot(to - from) / whole))
        };
        // Out of the cell one goes over edges that run from right to left. The one by which the line came in ends on its right, so
        // the first vertex on the left that follows ends the edge that leads out.
        if let Some(entry) = entry.filter(|_| !has_notch) {
            let next = |k: usize| if k + 1 == range.end { range.start } else { k + 1 };
            let mut k = next(entry.index());
            let mut a = side(k);
            while a.1 < 0.0 && k != entry.index() {
                let after = next(k);
                let b = side(after);
                if b.1 >= 0.0 {
                    if let Some((corner, along)) = way_over(k, a, b) {
                        return Some((corner, along.clamp(share, 1.0)));
                    }
                    break;
                }
                (k, a) = (after, b);
            }
        }
        let mut best: Option<(CornerId, f64)> = None;
        let mut edge = range.end - 1;
        let mut a = side(edge);
        for k in range {
            let b = side(k);
            if a.1 < 0.0
                && b.1 >= 0.0
                && Some(CornerId::new(edge)) != entry
                && let Some((corner, along)) = way_over(edge, a, b)
            {
                // A cell may have a notch by rounding alone. Where the line begins the sign tells, which rounding does not
                // change.
                let is_behind = has_notch && entry.is_some() && along < share;
                if !is_behind && best.is_none_or(|(_, other)| along < other) {
                    best = Some((corner, along.clamp(share, 1.0)));
                }
                // There is one such edge, but for notches and for edges of no length by rounding.
                if !has_notch && best.is_some() {
                    break;
                }
            }
            (a, edge) = (b, k);
        }
        best
    }

    /// Whether a part of a line in a cell keeps a distance.
    pub(crate) fn keeps_away_in(&self, cell: CellId, line: [DVec2; 2], distance: f64) -> bool {
        let half_planes = &self.data.half_planes;
        if half_planes.has_many(cell) {
            let mut is_free = true;
            self.while_near(cell, line, distance, |k| {
                is_free = self.keeps_away_from(k, line, distance);
                is_free
            });
            return is_free;
        }
        let first = self.data.list_range(cell).start;
        half_planes.all(cell, line, distance, |k| self.keeps_away_from(first + k, line, distance))
    }

    /// Whether a part of a line keeps a distance from a feature of a list.
    fn keeps_away_from(&self, k: usize, [from, to]: [DVec2; 2], distance: f64) -> bool {
        let feature = self.data.features.get(self.data.list_entry(k));
        let (line, arm) = (to - from, from - feature.at);
        if feature.is_edge() {
            let (_, low, high) = self.data.listed(k);
            return self.in_front(feature, arm, line, [low, high]).is_none_or(|(_, near)| near >= distance);
        }
        let (across, whole) = (line.perp_dot(arm), line.length_squared());
        across * across >= distance * distance * whole && whole > 0.0 || {
            let share = if whole > 0.0 { (-arm.dot(line) / whole).clamp(0.0, 1.0) } else { 0.0 };
            (arm + line * share).length() >= distance
        }
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
