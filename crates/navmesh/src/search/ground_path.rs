//! A path in plan becomes one on the ground: heights, and the cells it goes through.
//!
//! On level ground the turns are all there is. Elsewhere points are added where the path crosses an edge between
//! cells, or between triangles of a cell's ground, and left out again where the ground goes on straight.
//!
//! Idea: between two turns the path is a profile, height over length. From the last point that stays, there is a range of
//! slopes that pass all later points within [`SAME_HEIGHT`] above or below; while the next point lies in
//! that range, those before it can go.
//! Source: the slope bounds of I. Tomek 1974, "Two algorithms for piecewise-linear continuous approximation of
//!   functions of one variable". We differ: points that stay are points of the ground.
//! A step is a slope in the mesh, about a millimetre wide, at its foot ([`crate::mesh::NavMesh::height`]). Of a path that goes
//! over it that is not shown: it has the foot of the step, then its top straight above it, or the other way round.
//! Invariants: turns stay; every point left out is within [`SAME_HEIGHT`] of the path.
//! Cost: O(edges crossed), sorted within each cell.

use super::{
    corridor::Follow,
    faces::{Faces, NONE},
    path::{Crossed, Path},
    stride::{Stride, over},
};
use crate::{
    ground::{Crossing, HAIR, SAME_HEIGHT},
    mesh::{CellId, NavMesh, PortalId, VertexId},
};
use wayfare_core::{DVec2, DVec3};

/// Writes a path's points and cells while it is followed.
pub(crate) struct GroundPath<'a> {
    mesh: &'a NavMesh,
    faces: &'a Faces,
    /// Points of the path in plan, with their heights; NaN where the ground is to be asked.
    points: &'a [DVec3],
    /// Which of them are turns.
    is_turn: &'a [bool],
    crossings: &'a mut Vec<Crossing>,
    path: &'a mut Path,
    /// Whether the last point may still go if the ground turns out to be straight.
    is_loose: bool,
    /// The slopes from the point before the last one that pass near all that was left out, and the last one.
    slopes: [f64; 2],
    /// A triangle of the last cell's ground that holds the last point, if it was asked for.
    triangle: Option<u32>,
    /// The last cell that was asked for its level, and the answer.
    level: Option<(CellId, Option<f64>)>,
    /// How many points there were when the last was added that must stay.
    fixed: usize,
    /// The step down whose slope may still be passed, and its edge.
    stepped_down: Option<(Stride, [DVec2; 2])>,
    /// Where it went into the gap that it is in.
    entered: Option<DVec3>,
}

/// Nothing has been passed yet.
const ANY_SLOPE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

impl<'a> GroundPath<'a> {
    pub fn new(
        mesh: &'a NavMesh,
        faces: &'a Faces,
        points: &'a [DVec3],
        is_turn: &'a [bool],
        crossings: &'a mut Vec<Crossing>,
        path: &'a mut Path,
    ) -> Self {
        Self {
            mesh,
            faces,
            points,
            is_turn,
            crossings,
            path,
            is_loose: false,
            slopes: ANY_SLOPE,
            triangle: None,
            level: None,
            fixed: 0,
            stepped_down: None,
            entered: None,
        }
    }

    /// The ground between the last point and `to`, both in `cell`, then `to` itself.
    fn go(&mut self, cell: CellId, to: DVec3, is_turn: bool) {
        if let Some(&from) = self.path.points.last() {
            if self.mesh.ground_list(cell).is_empty() {
                self.cross_creases(cell, from, to);
            } else {
                let line = [from, to].map(DVec3::truncate);
                self.mesh.ground_crossings(cell, line, HAIR, self.crossings);
                for k in 0..self.crossings.len() {
                    self.add(self.crossings[k].point, false);
                }
            }
        }
        self.add(to, is_turn);
    }

    fn add(&mut self, point: DVec3, is_turn: bool) {
        if let Some((stride, edge)) = self.stepped_down {
            if stride.is_slope(point, edge) && !is_turn {
                return;
            }
            self.stepped_down = None;
        }
        let points = &mut self.path.points;
        if let Some(&last) = points.last() {
            let is_same = last.truncate() == point.truncate();
            // A turn on a step is its foot and its top already.
            let is_step = || matches!(points[..], [.., a, b] if a.truncate() == b.truncate());
            if is_same && (!is_turn || is_step()) {
                return;
            }
            // Whether the last point is not needed: it is this one, or passed near enough on the way here.
            let anchor = points.len().checked_sub(2).map(|k| points[k]).filter(|_| self.is_loose);
            let slope = anchor.map(|anchor| slopes(anchor, point, 0.0)[0]);
            if anchor.is_some() && is_same
                || slope.is_some_and(|s| self.slopes[0] <= s && s <= self.slopes[1])
            {
                points.pop();
            } else {
                self.slopes = ANY_SLOPE;
            }
            if let Some(&anchor) = points.last() {
                let [low, high] = slopes(anchor, point, SAME_HEIGHT);
                self.slopes = [self.slopes[0].max(low), self.slopes[1].min(high)];
            }
        }
        points.push(point);
        self.is_loose = !is_turn;
        if is_turn {
            self.fixed = points.len();
        }
    }

    /// The foot of a step and its top, in the order in which they are passed, in place of the slope that stands for it.
    fn step(&mut self, stride: Stride, edge: [DVec2; 2]) {
        let points = &mut self.path.points;
        let is_up = stride.from.z < stride.to.z;
        while points.len() > self.fixed
            && points.last().is_some_and(|&last| {
                is_up && stride.is_slope(last, edge) || last.truncate() == stride.from.truncate()
            })
        {
            points.pop();
        }
        // What was needed to get to the slope is not if the ground goes on as before to the foot.
        if let [.., anchor, last] = points[..]
            && points.len() > self.fixed
            && (anchor.z + slopes(anchor, stride.from, 0.0)[0] * (last - anchor).truncate().length() - last.z)
                .abs()
                <= SAME_HEIGHT
        {
            points.pop();
        }
        // A turn on the step itself is its foot or its top.
        if let Some(last) = points.last_mut().filter(|last| last.truncate() == stride.from.truncate()) {
            last.z = stride.from.z;
        } else {
            points.push(stride.from);
        }
        points.push(stride.to);
        (self.fixed, self.is_loose, self.slopes) = (points.len(), false, ANY_SLOPE);
        self.stepped_down = Some((stride, edge)).filter(|_| !is_up);
    }

    /// The height of a cell whose ground is level and no list.
    fn level(&mut self, cell: CellId) -> Option<f64> {
        match self.level {
            Some((known, level)) if known == cell => level,
            _ => {
                let level = self.mesh.flat.or_else(|| self.mesh.level(cell));
                self.level = Some((cell, level));
                level
            }
        }
    }

    /// The ground of a cell is the fan of triangles from its first corner ([`NavMesh::height`]).
    fn cross_creases(&mut self, cell: CellId, from: DVec3, to: DVec3) {
        let mesh = self.mesh;
        let corners = &mesh.raw().corners[mesh.corner_range(cell)];
        let corner = |k: usize| mesh.position(VertexId(corners[k]));
        let n = corners.len();
        if n < 4 || from.z == to.z && self.level(cell).is_some() {
            return;
        }
        let (a, b, first) = (from.truncate(), to.truncate(), corner(0));
        let c = first.truncate();
        // Seen from the first corner the path goes one way round, and meets the creases in that order.
        let is_forward = (a - c).perp_dot(b - c) > 0.0;
        for k in 2..n - 1 {
            let end = corner(if is_forward { k } else { n - k });
            let crease = end.truncate() - c;
            let [over, under] = [(a - c).perp_dot(crease), (b - c).perp_dot(crease)];
            let share = over / (over - under);
            let point = a + share * (b - a);
            let along = (point - c).dot(crease) / crease.length_squared();
            if share > 0.0 && share < 1.0 && (0.0..=1.0).contains(&along) {
                self.add(point.extend(first.z + along * (end.z - first.z)), false);
            }
        }
    }
}

impl Follow for GroundPath<'_> {
    fn enter(&mut self, face: u32, edge: u32, is_round: bool, line: [DVec2; 2]) {
        let cell = self.faces.cell(face);
        let Some(&before) = self.path.cells.last() else {
            self.path.cells.push(cell);
            return;
        };
        if cell != before {
            self.path.cells.push(cell);
        }
        if cell == before {
            return;
        }
        self.triangle = None;
        let portal = Some(self.faces.portals[edge as usize]).filter(|&portal| portal != NONE).map(PortalId);
        let stride = portal.filter(|&portal| self.mesh.is_stride(portal));
        if self.mesh.flat.is_some() && stride.is_none() {
            return;
        }
        let end = self.faces.next(edge);
        let [a, b] = [edge, end].map(|k| self.mesh.position(VertexId(self.faces.edges[k as usize].vertex)));
        let point = if is_round {
            // Round the vertex that `line` starts from.
            if a.truncate() == line[0] { a } else { b }
        } else {
            let [over, under] = [a, b].map(|p| (line[1] - line[0]).perp_dot(p.truncate() - line[0]));
            let share = over / (over - under);
            if share.is_finite() { a + share.clamp(0.0, 1.0) * (b - a) } else { a }
        };
        // The ground may be bent between the ends of the portal, and lie below one that is the end of a step.
        let is_bent =
            !self.mesh.ground_list(before).is_empty() && (!is_round || self.mesh.has_lowered_ground());
        let point = if is_bent { point.with_z(self.mesh.height(before, point.truncate())) } else { point };
        if self.mesh.flat.is_none() {
            self.go(before, point, false);
        }
        if let Some(portal) = stride {
            let in_gap = [before, cell].map(|cell| self.mesh.gap(cell).is_some());
            // The ground that a gap ends at may lie below its corners.
            let leaves = in_gap == [true, false];
            let is_lower =
                leaves && !self.mesh.ground_list(cell).is_empty() && self.mesh.has_lowered_ground();
            let point = if is_lower { point.with_z(self.mesh.height(cell, point.truncate())) } else { point };
            let crossed = Crossed { portal, into: cell, at: point };
            self.path.crossed.push(crossed);
            // Through the tip of a gap, where it has no width, one steps as at a step.
            let step = match in_gap {
                [true, false] => {
                    let entered = self.entered.take().map(|from| over(from, point));
                    entered.filter(|stride| stride.from.truncate() == stride.to.truncate())
                }
                _ => Stride::of_step(self.mesh, &crossed),
            };
            if in_gap == [false, true] {
                self.entered = Some(point);
            }
            let step = step.filter(|step| !step.is_level() && self.mesh.flat.is_none());
            if let Some(step) = step {
                self.step(step, [a, b].map(DVec3::truncate));
            }
        }
    }

    fn point(&mut self, index: usize) {
        let (mut point, is_turn) = (self.points[index], self.is_turn[index]);
        let before = self.triangle.take();
        if point.z.is_nan()
            && let Some(&cell) = self.path.cells.last()
        {
            let p = point.truncate();
            // Points of an arc lie close together: mostly in one triangle, which has no edges to be crossed.
            if let Some(z) = before.and_then(|triangle| self.mesh.height_in(triangle, p)) {
                self.triangle = before;
                return self.add(p.extend(z), is_turn);
            }
            let is_bent = !self.mesh.ground_list(cell).is_empty();
            let found = if is_bent { self.mesh.ground_at(cell, p) } else { None };
            self.triangle = found.map(|(triangle, _)| triangle);
            point.z = match found {
                Some((_, z)) => z,
                None if is_bent => self.mesh.height(cell, p),
                None => self.level(cell).unwrap_or_else(|| self.mesh.height(cell, p)),
            };
        }
        if self.mesh.flat.is_some() {
            if is_turn {
                self.path.points.push(point);
            }
        } else if let Some(&cell) = self.path.cells.last() {
            self.go(cell, point, is_turn);
        }
    }
}

/// The least and the greatest slope from `anchor` to at most `off` below and above `point`.
fn slopes(anchor: DVec3, point: DVec3, off: f64) -> [f64; 2] {
    let (rise, length) = (point.z - anchor.z, (point - anchor).truncate().length());
    [(rise - off) / length, (rise + off) / length]
}
