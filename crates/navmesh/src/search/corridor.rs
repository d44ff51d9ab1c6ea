//! The faces that a path goes through, one after the other.
//!
//! Idea: follow each straight piece through the faces by the sides of their vertices. A piece that runs exactly into a
//! vertex, or bends at one, goes on round the fan of that vertex, so that neighbours in the list always share
//! an edge.
//! Steps: 1. the face in which the path leaves its start  2. leave each face by the edge that goes from right to left
//!   of the line, or through the vertex on the line that lies farthest ahead  3. there, turn round the fan
//! Signs are exact and taken on the ends of the piece; no computed point decides anything.
//! Cost: O(edges of the faces passed).

use super::{
    faces::{CORNER, Edge, Faces, NONE, WIDE},
    limits::Limits,
    orient::Orient,
};
use std::{
    cell::Cell,
    f64::consts::{PI, TAU},
};
use wayfare_core::{DVec2, ops};

/// Where a path goes.
pub(crate) trait Follow {
    /// Into a face, as the first or across `edge` of the face before. On the way there the path went round a
    /// vertex if `is_round`, else straight from `from` to `to`.
    fn enter(&mut self, face: u32, edge: u32, is_round: bool, line: [DVec2; 2]);
    /// The next point of the path lies in the face entered last.
    fn point(&mut self, index: usize);
}

/// How a line leaves a face.
pub(crate) enum Way {
    /// Across the middle of this edge.
    Across(u32),
    /// Through the first vertex of this edge.
    Through(u32),
}

/// A path as the search left it: its points, the vertices that they are (but for the first and the last), and the faces
/// that hold the ends.
#[derive(Clone, Copy)]
pub(crate) struct Traced<'a> {
    pub points: &'a [DVec2],
    pub vertices: &'a [u32],
    pub starts: &'a [u32],
    pub goals: &'a [u32],
}

/// Follows a path of at least two points.
pub(crate) fn follow(
    faces: &Faces,
    limits: Option<Limits<'_>>,
    orient: Orient,
    path: Traced<'_>,
    visit: &mut impl Follow,
) {
    let Traced { points, vertices, starts, goals } = path;
    let (&[start, second, ..], false) = (points, starts.is_empty()) else { return };
    let walk = Walk::new(faces, orient, limits);
    let is_there = |k: usize, face: u32| {
        let (first, end) = faces.range(face);
        if k + 1 == points.len() {
            return goals.contains(&face);
        }
        faces.edges[first as usize..end as usize].iter().any(|edge| edge.vertex == vertices[k])
    };
    // 1. At a vertex or on an edge several faces hold the start; the path goes through one of them.
    let leads_on = |&&face: &&u32| {
        is_there(1, face)
            || match walk.way_out(face, NONE, start, second) {
                Way::Across(edge) => {
                    let twin = faces.edges[edge as usize].twin;
                    twin != NONE && limits.is_none_or(|limits| limits.may_enter_by(faces, twin))
                }
                Way::Through(edge) => faces.edges[edge as usize].at != start,
            }
    };
    let mut face = *starts.iter().find(leads_on).unwrap_or(&starts[0]);
    visit.enter(face, NONE, false, [start, start]);
    visit.point(0);
    for (k, pair) in points.windows(2).enumerate() {
        if k > 0 && has_several_ways_on(faces, orient, vertices[k]) {
            walk.turn(vertices[k], &mut face, points[k - 1], pair[1], |entered| {
                visit.enter(faces.edges[entered as usize].face, entered, true, [pair[0], pair[1]]);
            });
        }
        walk.go(
            &mut face,
            pair[0],
            pair[1],
            &|face| is_there(k + 1, face),
            &mut |entered: u32, is_round: bool, line: [DVec2; 2]| {
                visit.enter(faces.edges[entered as usize].face, entered, is_round, line);
            },
            FORKS,
        );
        visit.point(k + 1);
    }
}

/// Follows a path over any points of the ground, the first of which lies in `face`; every one but the first is reached
/// straight from the one before it. Where the ground lies on both sides of a wall at a vertex, a path that bends there (`has_corners`) goes on
/// at the other side.
pub(crate) fn follow_points(
    faces: &Faces,
    mut face: u32,
    points: &[DVec2],
    has_corners: bool,
    visit: &mut impl Follow,
) {
    let Some(&start) = points.first() else { return };
    visit.enter(face, NONE, false, [start, start]);
    visit.point(0);
    for (k, pair) in points.windows(2).enumerate() {
        if has_corners && k > 0 {
            let orient = faces.orient.with(points[k - 1]).with(pair[0]).with(pair[1]);
            let (first, end) = faces.range(face);
            let corner = faces.edges[first as usize..end as usize].iter().find(|edge| edge.at == pair[0]);
            if let Some(corner) = corner.filter(|corner| has_several_ways_on(faces, orient, corner.vertex)) {
                let walk = Walk::new(faces, orient, None);
                walk.turn(corner.vertex, &mut face, points[k - 1], pair[1], |entered| {
                    visit.enter(faces.edges[entered as usize].face, entered, true, [pair[0], pair[1]]);
                });
            }
        }
        face = walk(faces, face, pair[0], pair[1], |entered, is_round, line| {
            visit.enter(faces.edges[entered as usize].face, entered, is_round, line);
        });
        visit.point(k + 1);
    }
}

/// The face in which one ends up that goes straight over the ground from a point of a face; `enter` as for [`Walk::go`].
pub(crate) fn walk(
    faces: &Faces,
    mut face: u32,
    from: DVec2,
    to: DVec2,
    mut enter: impl FnMut(u32, bool, [DVec2; 2]),
) -> u32 {
    let orient = faces.orient.with(from).with(to);
    Walk::new(faces, orient, None).go(
        &mut face,
        from,
        to,
        &|face| faces.contains(orient, face, to),
        &mut enter,
        FORKS,
    );
    face
}

/// Whether several faces at a vertex may lead on in one direction: the ground goes round it more than once, or just once, up to a wall
/// without thickness, along which it lies on both sides.
fn has_several_ways_on(faces: &Faces, orient: Orient, vertex: u32) -> bool {
    let (Some(&first), Some(&last)) = (faces.fan(vertex).first(), faces.fan(vertex).last()) else {
        return false;
    };
    let Edge { at, flags, twin, .. } = faces.edges[first as usize];
    if flags & WIDE != 0 {
        return true;
    }
    let [right, left] = [faces.next(first), faces.previous(last)].map(|edge| faces.edges[edge as usize].at);
    let is_thin = || orient.sign(at, right, left) == 0.0 && (right - at).dot(left - at) > 0.0;
    twin == NONE && flags & CORNER != 0 && is_thin()
}

/// The angle from one direction counter-clockwise to another, 0 .. 2π.
fn angle(from: DVec2, to: DVec2) -> f64 {
    let angle = ops::atan2(from.perp_dot(to), from.dot(to));
    if angle < 0.0 { angle + TAU } else { angle }
}

/// Straight lines through faces.
pub(crate) struct Walk<'a> {
    pub faces: &'a Faces,
    pub orient: Orient,
    pub limits: Option<Limits<'a>>,
    /// Steps that may still be spent on finding out which side of a wall without thickness leads on.
    trial_steps: Cell<u32>,
}

impl<'a> Walk<'a> {
    pub fn new(faces: &'a Faces, orient: Orient, limits: Option<Limits<'a>>) -> Self {
        Self { faces, orient, limits, trial_steps: Cell::new(TRIAL_STEPS) }
    }

    /// Goes straight from `from` in `face` on towards `to` until it is there; `enter` gets the edge that is crossed into
    /// each face, whether that was round a vertex, and the line there. A wall in the way can only be rounding: it
    /// ends there. Where a wall without thickness begins on the line, one side of it leads there; `forks` such places are tried.
    fn go<There: Fn(u32) -> bool, Enter: FnMut(u32, bool, [DVec2; 2])>(
        &self,
        face: &mut u32,
        mut from: DVec2,
        to: DVec2,
        is_there: &There,
        enter: &mut Enter,
        forks: u32,
    ) {
        // A straight line meets a face once, and turns round each vertex once.
        let mut steps = 2 * self.faces.count() + 2;
        let mut entry = NONE;
        while !is_there(*face) {
            let before = *face;
            match self.way_out(*face, entry, from, to) {
                // 2.
                Way::Across(edge) => {
                    entry = self.faces.edges[edge as usize].twin;
                    if entry != NONE {
                        *face = self.faces.edges[entry as usize].face;
                        enter(entry, false, [from, to]);
                    }
                }
                // 3.
                Way::Through(edge) => {
                    let (edge, way) = self.way_through(before, edge, [from, to], is_there, forks);
                    from = self.faces.edges[edge as usize].at;
                    entry = NONE;
                    if let Some(way) = way {
                        self.round(edge, way, |entered| {
                            *face = self.faces.edges[entered as usize].face;
                            enter(entered, true, [from, to]);
                        });
                    }
                }
            }
            steps -= 1;
            if *face == before || steps == 0 {
                return;
            }
            if forks < FORKS {
                let left = self.trial_steps.get();
                if left == 0 {
                    return;
                }
                self.trial_steps.set(left - 1);
            }
        }
    }

    /// Round which vertex of a face on the line one goes on, and which way: the farthest one ahead, the nearest way, unless that leads to the
    /// wrong side of a wall without thickness that begins there or before.
    fn way_through<There: Fn(u32) -> bool>(
        &self,
        face: u32,
        edge: u32,
        [from, to]: [DVec2; 2],
        is_there: &There,
        forks: u32,
    ) -> (u32, Option<Round>) {
        let edges = &self.faces.edges[..];
        let usual = (edge, self.ways_round(edge, to)[0]);
        let (start, end) = self.faces.range(face);
        let is_ahead = |at: DVec2| self.orient.sign(from, to, at) == 0.0 && (at - from).dot(to - from) >= 0.0;
        let is_fork = |&k: &u32| {
            let Edge { at, flags, vertex, .. } = edges[k as usize];
            flags & (CORNER | WIDE) != 0
                && has_several_ways_on(self.faces, self.orient, vertex)
                && is_ahead(at)
        };
        if forks == 0 || self.trial_steps.get() == 0 || !(start..end).any(|k| is_fork(&k)) {
            return usual;
        }
        let leads = |edge: u32, way: Round| {
            let mut face = face;
            self.round(edge, way, |entered| face = edges[entered as usize].face);
            let mut nothing: fn(u32, bool, [DVec2; 2]) = |_, _, _| {};
            self.go(&mut face, edges[edge as usize].at, to, is_there, &mut nothing, forks - 1);
            is_there(face)
        };
        if usual.1.is_none_or(|way| leads(edge, way)) {
            return usual;
        }
        for fork in (start..end).filter(is_fork) {
            let ways = self.ways_round(fork, to).into_iter().flatten();
            if let Some(way) = ways.into_iter().find(|&way| leads(fork, way)) {
                return (fork, Some(way));
            }
        }
        usual
    }

    /// How the line from `from` to `to` leaves a face that holds `from`, or that it has entered across `entry`.
    pub fn way_out(&self, face: u32, entry: u32, from: DVec2, to: DVec2) -> Way {
        let (start, end) = self.faces.range(face);
        let edges = &self.faces.edges[..];
        // The edge that is entered ends right of the line; on to the first vertex left of it.
        if entry != NONE {
            let next = |k: u32| if k + 1 == end { start } else { k + 1 };
            let mut out = next(entry);
            while out != entry {
                let after = next(out);
                let side = self.orient.sign(from, to, edges[after as usize].at);
                if side > 0.0 {
                    return Way::Across(out);
                }
                if side == 0.0 {
                    break;
                }
                out = after;
            }
        }
        let mut through = start;
        let mut farthest = f64::NEG_INFINITY;
        let mut before = self.orient.sign(from, to, edges[end as usize - 1].at);
        for k in start..end {
            let at = edges[k as usize].at;
            let side = self.orient.sign(from, to, at);
            if before < 0.0 && side > 0.0 {
                return Way::Across(if k == start { end - 1 } else { k - 1 });
            }
            let ahead = (at - from).dot(to - from);
            if side == 0.0 && ahead > farthest {
                (through, farthest) = (k, ahead);
            }
            before = side;
        }
        Way::Through(through)
    }

    /// Turns round a vertex that the ground goes round once or more often, where several faces lead on to `to`: a path that
    /// bends at a vertex has at least 180 degrees of ground on its outer side, so that the angle tells which.
    fn turn(&self, vertex: u32, face: &mut u32, before: DVec2, to: DVec2, mut enter: impl FnMut(u32)) {
        let faces = self.faces;
        let fan = faces.fan(vertex);
        let Some(own) = fan.iter().position(|&edge| faces.edges[edge as usize].face == *face) else { return };
        let at = faces.edges[fan[own] as usize].at;
        let right = |edge: u32| faces.edges[faces.next(edge) as usize].at - at;
        let left = |edge: u32| faces.edges[faces.previous(edge) as usize].at - at;
        let (back, ahead) = (before - at, to - at);
        // Rounding may put a direction along a side on either side of it.
        const HAIR: f64 = 1e-9;
        let in_own = |is_left: bool| {
            let angle = if is_left { angle(back, left(fan[own])) } else { angle(right(fan[own]), back) };
            // The way in may run along the side from which the turn goes on.
            if angle > PI + HAIR { 0.0 } else { angle }
        };
        let side = self.orient.sign(before, at, to);
        let goes_back = side == 0.0 && back.dot(ahead) > 0.0;
        if side == 0.0 && !goes_back {
            // Straight on, past the end of a wall: which side of it leads there is found out on the way.
            return;
        }
        let is_left = if goes_back {
            // Along the other side of the same wall: round its end, on the side where there is ground.
            let ground: f64 = fan[own + 1..].iter().map(|&edge| angle(right(edge), left(edge))).sum();
            ground >= TAU - in_own(true) - HAIR
        } else {
            side > 0.0
        };
        let whole = if is_left { angle(back, ahead) } else { angle(ahead, back) };
        // It is half a turn at least: next to nothing is a whole turn, along a wall without thickness.
        let whole = if whole < PI / 2.0 { whole + TAU } else { whole };
        let mut rest = whole - in_own(is_left);
        let mut k = own;
        while rest > HAIR {
            let next = if is_left { k + 1 } else { k.wrapping_sub(1) };
            let Some(&edge) = fan.get(next) else { return };
            k = next;
            *face = faces.edges[edge as usize].face;
            enter(if is_left { edge } else { faces.previous(edge) });
            rest -= angle(right(edge), left(edge));
        }
    }

    /// The ways round the first vertex of `edge` to faces through which one can go on to `to`, the nearest one first.
    fn ways_round(&self, edge: u32, to: DVec2) -> [Option<Round>; 2] {
        let faces = self.faces;
        let Some(vertex) = faces.edges.get(edge as usize).map(|edge| edge.vertex) else { return [None; 2] };
        let fan = faces.fan(vertex);
        let Some(own) = fan.iter().position(|&other| other == edge) else { return [None; 2] };
        let leads_on = |&edge: &u32| {
            let at = faces.edges[edge as usize].at;
            let right = faces.edges[faces.next(edge) as usize].at;
            let left = faces.edges[faces.previous(edge) as usize].at;
            self.orient.sign(at, right, to) >= 0.0 && self.orient.sign(at, left, to) <= 0.0
        };
        // Steps counter-clockwise and clockwise; a fan round an inner vertex is closed.
        let n = fan.len();
        let is_closed = faces.edges[fan[0] as usize].twin != NONE;
        let (up, down) = if is_closed { (n - 1, n - 1) } else { (n - 1 - own, own) };
        let is_open = |edge: u32| self.limits.is_none_or(|limits| limits.may_enter_by(faces, edge));
        let left = |k: usize| fan[(own + k) % n];
        let right = |k: usize| fan[(own + n - k) % n];
        let left = (1..=up).take_while(|&k| is_open(left(k))).find(|&k| leads_on(&left(k)));
        let right =
            (1..=down).take_while(|&k| is_open(faces.previous(right(k)))).find(|&k| leads_on(&right(k)));
        let [left, right] = [(left, true), (right, false)]
            .map(|(steps, is_left)| steps.map(|steps| Round { own, steps, is_left }));
        match (left, right) {
            (Some(one), Some(two)) if one.steps > two.steps => [right, left],
            (None, _) => [right, left],
            _ => [left, right],
        }
    }

    /// Turns round the first vertex of `edge`; calls `enter` for each edge that is crossed, as an edge of the face entered.
    fn round(&self, edge: u32, way: Round, mut enter: impl FnMut(u32)) {
        let faces = self.faces;
        let fan = faces.fan(faces.edges[edge as usize].vertex);
        let (n, Round { own, steps, is_left }) = (fan.len(), way);
        if is_left {
            // Into the next face counter-clockwise one goes across that face's own edge at the vertex.
            (1..=steps).for_each(|k| enter(fan[(own + k) % n]));
        } else {
            (1..=steps).for_each(|k| enter(faces.previous(fan[(own + n - k) % n])));
        }
    }
}

/// A way round a vertex: so many steps from a place in its fan.
#[derive(Clone, Copy)]
struct Round {
    own: usize,
    steps: usize,
    is_left: bool,
}

/// Walls without thickness that begin on one straight piece, at most, at which both sides are tried.
const FORKS: u32 = 4;

/// Steps in all that are spent on trying sides of such walls for one path: forks in forks would take hundreds of thousands, and a way that leads
/// there takes some hundred.
const TRIAL_STEPS: u32 = 20_000;
