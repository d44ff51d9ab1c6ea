//! A straight line over the ground, face by face.
//!
//! Idea: faces are convex, so a line passes each in one stretch. Where it leaves a face through a vertex it goes on in
//! the face of the fan into which it leads, whichever way round nothing is in the way; a line along a wall, or one that
//! only touches a corner, is not stopped.
//! Steps: 1. the stretch in a face and how it ends  2. into the next face, across an edge or round a vertex
//! Signs are exact and taken on the end of the line and the last vertex on it; computed points decide nothing.
//! Cost: O(edges of the faces passed); nothing is allocated.

use super::Stand;
use crate::search::{
    corridor::{Walk, Way},
    faces::{Faces, NONE},
};
use wayfare_core::DVec2;

/// The part of a line in one face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub face: u32,
    /// Distances from the start of the line [m].
    pub span: [f64; 2],
    pub end: StretchEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StretchEnd {
    /// The line ends in the face.
    There,
    /// It leaves across an edge.
    Across(u32),
    /// It leaves through the first vertex of an edge.
    Through(u32),
}

/// A line that is being followed.
pub(crate) struct Line<'a> {
    walk: Walk<'a>,
    start: DVec2,
    to: DVec2,
    /// From start to end, of length 1.
    pub direction: DVec2,
    pub length: f64,
    /// The start, or the last vertex that the line went through.
    from: DVec2,
    face: u32,
    /// The edge of the face across which the line came.
    entry: u32,
    done: f64,
}

impl<'a> Line<'a> {
    pub fn new(faces: &'a Faces, stand: Stand, to: DVec2) -> Self {
        let Stand { face, at: start } = stand;
        let walk = Walk::new(faces, faces.orient.with(start).with(to), None);
        let (direction, length) = (to - start).normalize_and_length();
        Self { walk, start, to, direction, length, from: start, face, entry: NONE, done: 0.0 }
    }

    /// The point at a distance from the start.
    pub fn point(&self, distance: f64) -> DVec2 {
        if distance < self.length { self.start + self.direction * distance } else { self.to }
    }

    /// Step 1.
    pub fn stretch(&self) -> Stretch {
        let (faces, orient) = (self.walk.faces, self.walk.orient);
        if self.start == self.to || faces.contains(orient, self.face, self.to) {
            let span = [self.done, self.length];
            return Stretch { face: self.face, span, end: StretchEnd::There };
        }
        let along = |p: DVec2| (p - self.start).dot(self.direction).clamp(self.done, self.length);
        let (out, end) = match self.walk.way_out(self.face, self.entry, self.from, self.to) {
            Way::Across(edge) => {
                let [a, b] = [edge, faces.next(edge)].map(|edge| faces.edges[edge as usize].at);
                let [right, left] = [a, b].map(|p| orient.sign(self.from, self.to, p));
                (along(a + (b - a) * (right / (right - left))), StretchEnd::Across(edge))
            }
            Way::Through(edge) => (along(faces.edges[edge as usize].at), StretchEnd::Through(edge)),
        };
        Stretch { face: self.face, span: [self.done, out], end }
    }

    /// Step 2: goes on after a stretch. If that cannot be, the edge that is in the way.
    pub fn go_on(&mut self, stretch: &Stretch, is_open: impl Fn(u32) -> bool) -> Result<(), u32> {
        let faces = self.walk.faces;
        match stretch.end {
            StretchEnd::There => Ok(()),
            StretchEnd::Across(edge) => {
                if !is_open(edge) {
                    return Err(edge);
                }
                self.entry = faces.edges[edge as usize].twin;
                self.face = faces.edges[self.entry as usize].face;
                self.done = stretch.span[1];
                Ok(())
            }
            StretchEnd::Through(edge) => {
                let next = self.round(edge, is_open)?;
                self.from = faces.edges[edge as usize].at;
                self.face = faces.edges[next as usize].face;
                (self.entry, self.done) = (NONE, stretch.span[1]);
                Ok(())
            }
        }
    }

    /// Whether the line makes any way from here.
    pub fn leads_on(mut self, is_open: impl Fn(u32) -> bool) -> bool {
        let stretch = self.stretch();
        stretch.span[1] > 0.0 || stretch.end == StretchEnd::There || self.go_on(&stretch, is_open).is_ok()
    }

    /// Turns round the first vertex of `edge` to the nearest face into which the line leads, over open edges; the edge of
    /// that face at the vertex. Else the edge that is most in the way.
    fn round(&self, edge: u32, is_open: impl Fn(u32) -> bool) -> Result<u32, u32> {
        let faces = self.walk.faces;
        let fan = faces.fan(faces.edges[edge as usize].vertex);
        let at = faces.edges[edge as usize].at;
        let neighbour = |edge: u32| faces.edges[edge as usize].at;
        let leads_on = |edge: u32| {
            let (right, left) = (neighbour(faces.next(edge)), neighbour(faces.previous(edge)));
            self.walk.orient.sign(at, right, self.to) >= 0.0
                && self.walk.orient.sign(at, left, self.to) <= 0.0
        };
        // How much a line runs against an edge that it cannot cross.
        let against = |edge: u32| {
            let along = neighbour(faces.next(edge)) - neighbour(edge);
            -along.normalize_or_zero().perp().dot(self.direction)
        };
        let Some(own) = fan.iter().position(|&other| other == edge) else { return Err(edge) };
        let n = fan.len();
        let mut worst: Option<(f64, u32)> = None;
        let mut best: Option<(usize, u32)> = None;
        for is_left in [true, false] {
            for step in 1..n.max(2) {
                // Counter-clockwise one leaves a face across its last edge at the vertex, clockwise across its first.
                let k = if is_left { own + step - 1 } else { own + n + 1 - step } % n;
                let crossed = if is_left { faces.previous(fan[k]) } else { fan[k] };
                if !is_open(crossed) {
                    if worst.is_none_or(|(most, _)| against(crossed) > most) {
                        worst = Some((against(crossed), crossed));
                    }
                    break;
                }
                let next = if is_left { own + step } else { own + n - step } % n;
                if leads_on(fan[next]) {
                    if best.is_none_or(|(steps, _)| step < steps) {
                        best = Some((step, fan[next]));
                    }
                    break;
                }
            }
        }
        best.map(|(_, edge)| edge).ok_or(worst.map_or(edge, |(_, edge)| edge))
    }
}
