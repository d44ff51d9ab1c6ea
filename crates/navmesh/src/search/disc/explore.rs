//! The shortest path of a disc: a search over corners that it touches.
//!
//! Idea: the path is a rope round corners at the distance of the radius: straight pieces that touch a corner at both ends,
//!   and arcs. If a piece between two corners is free and the rope is tight, the corners see each other at radius 0; so sight
//!   at radius 0, cone by cone as for a point, finds all candidates for any radius. Each is proven when
//!   its turn comes: the arc by the reach of its corner, the straight piece by the distances along it.
//! Source: own; `docs/any-body.md` says what it rests on. Cones from Cui, Harabor and Grastien 2017 ([`super::super::cone`]).
//! Steps: 1. look from the start  2. take the entry with the least bound  3. a cone: corners in sight become arrivals, more cones
//!   4. an arrival: is it dominated, is its arc free, is its straight piece free? Then look round its corner
//!   5. the first arrival at the goal that is proven is the shortest path
//! Promises the shortest path in the ground that the centre may be on, to rounding; "free" means a clearance of
//!   the radius less [`FREE_SLACK`], here and in [`Clearances::is_reachable`].
//! Cost: output-sensitive; more than at radius 0 where the body is refused at doors that it sees through.

use super::{
    super::{
        cone::{Cone, Exit, Ground, START, View, Visit},
        corridor::walk,
        faces::{CORNER, Edge, INNER, NONE, SEALED, WIDE},
        heap::{Heap, Node, key},
        interval::distance_through,
    },
    curve::Bend,
    goal_sight::{GoalSight, SeenFromGoal},
    guide::Guide,
    known::{Fit, Known, Piece},
    mouths::Mouths,
    off_limits::{Near, Trace},
    sight::{RIGHT, Sight},
    slit::{MOST_STEPS, Slit, distance_to_line},
    tangent::{Post, Tangent, angle_of, between, tangent, turn_between},
};
use crate::{
    clearance::{Clearances, FREE_SLACK, FeatureId},
    mesh::{CellId, NavMesh, VertexId},
};
use std::{f64::consts::PI, ops::Range};
use wayfare_core::{DVec2, ops};

/// Candidates whose directions are off by no more than this are looked at [rad]: an end that is nearer to a wall than the
/// radius by [`FREE_SLACK`] may see its tangents turned by so much. Whether they are free is decided by distances.
pub(super) const SLANT: f64 = 1e-6;

/// Directions that differ by less are the same [rad].
const SAME: f64 = 1e-9;

/// No entry.
const NOTHING: u32 = u32::MAX;

/// A place from which the disc goes on: the start, or a corner that it touches.
#[derive(Clone, Copy, Debug)]
struct Root {
    post: Post,
    /// The corner's vertex, or [`START`].
    vertex: u32,
    /// Heading on arrival, and the last one that the corner lets it turn to.
    heading: DVec2,
    /// The direction of the heading [rad].
    angle: f64,
    /// None at the start and where the ground goes round a corner more than once; of any length.
    last_heading: DVec2,
    /// Length of the path to here [m].
    length: f64,
    /// The root before it.
    before: u32,
    /// The next root at the same corner.
    next: u32,
    /// Whether the disc is known to fit on the piece by which it came; from the start that is asked when it first matters.
    is_proven: bool,
}

/// A straight piece that may be part of the path, to a corner or to the goal ([`START`] as its vertex).
#[derive(Clone, Copy, Debug)]
struct Arrival {
    vertex: u32,
    side: f64,
    root: u32,
    /// Length of the path at its end [m].
    length: f64,
    heading: DVec2,
    /// The direction of the heading [rad]; NaN if it was not needed yet.
    angle: f64,
    /// The piece between corners that it is, if it is one that is kept.
    piece: u32,
}

/// Memory that is used again from search to search.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiscScratch {
    roots: Vec<Root>,
    arrivals: Vec<Arrival>,
    /// What is known of each vertex.
    marks: Vec<Marks>,
    stamp: u32,
    /// Cones from the goal still to be walked.
    stack: Vec<Cone>,
    known: Known,
    heap: Heap,
    /// Entries that were looked at.
    expanded: u64,
    /// The bends of the path that was found.
    pub bends: Vec<Bend>,
}

/// What is known of a vertex in a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    /// The root at it that was found last, and the search that it is of.
    first: u32,
    stamp: u32,
    /// The search whose goal sees it.
    pub goal: u32,
}

/// What is searched.
pub(crate) struct Quest<'a> {
    pub ground: Ground<'a>,
    pub mesh: &'a NavMesh,
    pub clearances: Clearances<'a>,
    pub radius: f64,
    pub start_cell: CellId,
    pub goal: DVec2,
    /// Faces that hold the start and the goal.
    pub starts: &'a [u32],
    pub goals: &'a [u32],
    /// Dead ends that need not be looked into, but for those that hold start or goal.
    pub mouths: &'a Mouths,
    pub opened: Opened<'a>,
    /// What corners see of each other, if that is known.
    pub sight: Option<&'a Sight>,
    pub guide: Guide<'a>,
}

/// The dead ends that hold start or goal.
#[derive(Clone, Copy)]
pub(crate) struct Opened<'a> {
    /// One of the stamps on every face of theirs that leads to start or goal.
    pub faces: &'a [u32],
    pub stamps: [u32; 2],
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Explored {
    /// Length of the path [m]; infinite if there is none.
    pub length: f64,
    /// Entries that were looked at.
    pub expanded: u32,
}

/// Begins a search with memory that has begun too. The straight line is not looked at.
pub(crate) fn begin(quest: &Quest<'_>, scratch: &mut DiscScratch, near: &mut Near) {
    let start = Post { at: quest.ground.start, side: 0.0 };
    let (heading, last_heading) = (DVec2::ZERO, DVec2::ZERO);
    let root = Root {
        post: start,
        vertex: START,
        heading,
        angle: 0.0,
        last_heading,
        length: 0.0,
        before: NOTHING,
        next: NOTHING,
        is_proven: true,
    };
    scratch.roots.push(root);
    if let Some(sight) = quest.sight {
        let DiscScratch { marks, stamp, stack, known, .. } = scratch;
        known.begin(sight.number, quest.radius, quest.ground.faces.vertex_count());
        GoalSight { quest, seen: SeenFromGoal { vertices: marks, stamp: *stamp, stack } }.look();
    }
    let mut search = Search { quest, scratch, near, root: 0, here: root, ways: 0, only: None, slit: None };
    // 1.
    for &face in quest.starts {
        quest.ground.look_around(face, &mut search);
        search.queue_only();
    }
}

/// Goes on with a search for about so many expansions; nothing if it has not ended then. The bends of the path are left
/// in the scratch memory.
pub(crate) fn resume(
    quest: &Quest<'_>,
    expansions: u64,
    scratch: &mut DiscScratch,
    near: &mut Near,
) -> Option<Explored> {
    let most = 1_000_000 + 1000 * quest.ground.faces.edges.len() as u64;
    let mut expanded = scratch.expanded;
    let pause = expanded.saturating_add(expansions);
    let here = scratch.roots[0];
    let mut search = Search { quest, scratch, near, root: 0, here, ways: 0, only: None, slit: None };
    // 2.
    loop {
        if expanded >= pause {
            search.scratch.expanded = expanded;
            return None;
        }
        let Some(node) = search.scratch.heap.pop() else { break };
        expanded += 1;
        if expanded > most {
            break;
        }
        if node.edge == NONE {
            // 4.
            let mut arrival = search.scratch.arrivals[node.root as usize];
            if arrival.angle.is_nan() {
                arrival.angle = angle_of(arrival.heading);
            }
            if search.is_dominated(&arrival) || !search.stands(arrival.root) || !search.fits(&arrival) {
                continue;
            }
            // 5.
            if arrival.vertex == START {
                search.trace(&arrival);
                let expanded = expanded.min(u32::MAX.into()) as u32;
                return Some(Explored { length: arrival.length, expanded });
            }
            search.settle(&arrival);
            continue;
        }
        // 3.
        search.enter(node.root);
        let vertex = search.here.vertex;
        let mut cone = Cone { root: vertex, left: node.left, right: node.right, edge: node.edge };
        let mut view = quest.ground.view(&cone);
        loop {
            let face = quest.ground.faces.edges[cone.edge as usize].face;
            if quest.goals.contains(&face) && quest.ground.sees(&view, quest.goal) {
                search.offer_goal();
            }
            quest.ground.cross(&cone, &view, &mut search);
            match search.only.take() {
                Some(way) if search.ways == 1 && expanded < most => {
                    expanded += 1;
                    (cone, view) = (way.cone, way.view);
                    search.ways = 0;
                }
                way => {
                    search.only = way;
                    search.queue_only();
                    break;
                }
            }
        }
    }
    Some(Explored { length: f64::INFINITY, expanded: expanded.min(u32::MAX.into()) as u32 })
}

impl DiscScratch {
    /// Begins a search; what the goal sees is to be noted.
    pub fn begin(&mut self, vertices: usize) -> SeenFromGoal<'_> {
        self.stamp = self.stamp.wrapping_add(1);
        if self.marks.len() < vertices || self.stamp == 0 {
            self.marks = vec![Marks { first: NOTHING, stamp: 0, goal: 0 }; vertices];
            self.stamp = 1;
        }
        self.roots.clear();
        self.arrivals.clear();
        self.expanded = 0;
        self.heap.clear();
        self.bends.clear();
        self.stack.clear();
        SeenFromGoal { vertices: &mut self.marks, stamp: self.stamp, stack: &mut self.stack }
    }

    /// The root at a corner that was found last.
    fn first(&self, vertex: u32) -> u32 {
        let marks = &self.marks[vertex as usize];
        if marks.stamp == self.stamp { marks.first } else { NOTHING }
    }
}

/// A way on out of a face.
#[derive(Clone, Copy)]
struct Way {
    cone: Cone,
    view: View,
    /// Left and right end of the edge that is crossed, and whether the cone's bounds are these.
    ends: [DVec2; 2],
    at_end: [bool; 2],
}

struct Search<'a, 's> {
    quest: &'a Quest<'a>,
    scratch: &'s mut DiscScratch,
    near: &'s mut Near,
    /// The root that is looked from.
    root: u32,
    here: Root,
    /// Ways on so far, and the only one.
    ways: u32,
    only: Option<Way>,
    /// The edge that is too narrow for the disc, if sight went through one, and how deep it looks behind it [m].
    slit: Option<Slit>,
}

impl Search<'_, '_> {
    fn enter(&mut self, root: u32) {
        self.root = root;
        self.here = self.scratch.roots[root as usize];
        (self.ways, self.only) = (0, None);
    }

    /// Whether a disc that touches a corner with this heading does not come nearer to the walls beside it.
    fn is_round(&self, post: &Post, vertex: u32, is_wide: bool, heading: DVec2) -> bool {
        if is_wide {
            return true;
        }
        let walls = &self.quest.ground.faces.walls[vertex as usize];
        let out = post.outward(heading);
        let comes = post.at - walls[1];
        let goes = walls[0] - post.at;
        self.is_wide(vertex)
            || out.dot(comes) >= -SLANT * comes.length() && out.dot(goes) <= SLANT * goes.length()
    }

    /// A quick look at [`Self::is_round`] for the piece from the root to a post, before that is known: false only if the answer will be.
    #[inline]
    fn may_be_round(&self, post: &Post, vertex: u32) -> bool {
        let here = &self.here.post;
        let walls = &self.quest.ground.faces.walls[vertex as usize];
        let arm = post.at - here.at;
        let off = (here.side - post.side) * self.quest.radius;
        let squared = arm.length_squared();
        let length = (squared - off * off).max(0.0).sqrt();
        // The direction to the centre times the square of the distance, as in `tangent`.
        let out = (arm.perp() * length - arm * off) * -post.side;
        let comes = post.at - walls[1];
        let goes = walls[0] - post.at;
        let slack = |wall: DVec2| 4.0 * SLANT * squared * (wall.x.abs() + wall.y.abs());
        out.dot(comes) >= -slack(comes) && out.dot(goes) <= slack(goes)
    }

    /// Whether the ground goes round a vertex more than once, so that directions say little.
    fn is_wide(&self, vertex: u32) -> bool {
        let faces = self.quest.ground.faces;
        faces.fan(vertex).first().is_some_and(|&edge| faces.edges[edge as usize].flags & WIDE != 0)
    }

    /// Whether the disc can leave the root with a heading: it turns towards the corner only, and not too far.
    fn leaves(&self, heading: DVec2) -> bool {
        let side = self.here.post.side;
        side == 0.0
            || self.here.heading.perp_dot(heading) * side >= -SLANT
                && self.is_round(
                    &self.here.post,
                    self.here.vertex,
                    self.here.last_heading == DVec2::ZERO,
                    heading,
                )
    }

    /// How long the disc turns at the root before it leaves with a heading of this direction [m].
    #[inline]
    fn arc(&self, angle: f64) -> f64 {
        match self.here.post.side {
            0.0 => 0.0,
            side => self.quest.radius * turn_between(self.here.angle, angle, side),
        }
    }

    fn tangent_to(&self, post: Post) -> Option<Tangent> {
        tangent(self.here.post, post, self.quest.radius, 2.0 * FREE_SLACK)
    }

    /// A corner is in sight: it may be passed on either side.
    fn offer(&mut self, vertex: u32, at: DVec2, is_wide: bool) {
        // Too far before the heading on arrival for any tangent: leaving, the disc only turns on.
        let Root { post: here, heading, .. } = self.here;
        if heading.perp_dot(at - here.at) * here.side < -2.0 * self.quest.radius - FREE_SLACK {
            return;
        }
        for side in [1.0, -1.0] {
            self.offer_side(vertex, at, side, is_wide);
        }
    }

    /// A corner may be passed on a side.
    fn offer_side(&mut self, vertex: u32, at: DVec2, side: f64, is_wide: bool) {
        let post = Post { at, side };
        if !is_wide && !self.may_be_round(&post, vertex) {
            return;
        }
        let Some(piece) = self.tangent_to(post) else { return };
        if self.leaves(piece.heading) && self.is_round(&post, vertex, is_wide, piece.heading) {
            let rest = self.quest.guide.rest(vertex, piece.to);
            self.push(vertex, side, &piece, rest);
        }
    }

    /// The goal is in sight.
    fn offer_goal(&mut self) {
        if let Some(piece) = self.tangent_to(Post { at: self.quest.goal, side: 0.0 })
            && self.leaves(piece.heading)
        {
            self.push(START, 0.0, &piece, 0.0);
        }
    }

    fn push(&mut self, vertex: u32, side: f64, piece: &Tangent, rest: f64) {
        // From the start there is no arc; the angle is found where the arrival's turn comes.
        let angle = if self.here.post.side == 0.0 { f64::NAN } else { angle_of(piece.heading) };
        let length = self.here.length + self.arc(angle) + piece.length;
        let (root, heading) = (self.root, piece.heading);
        self.queue_arrival(Arrival { vertex, side, root, length, heading, angle, piece: NOTHING }, rest);
    }

    #[inline]
    fn queue_arrival(&mut self, arrival: Arrival, rest: f64) {
        let number = self.scratch.arrivals.len() as u32;
        self.scratch.arrivals.push(arrival);
        let key = key(arrival.length + rest);
        self.scratch.heap.push_ahead(Node { key, root: number, left: 0, right: 0, edge: NONE });
    }

    /// Goes on from the root to all corners that it sees.
    fn go_on(&mut self, sight: &Sight) {
        let Root { vertex, post, heading, length, .. } = self.here;
        let radius = self.quest.radius;
        if self.scratch.marks[vertex as usize].goal == self.scratch.stamp {
            self.offer_goal();
        }
        let pieces = match self.scratch.known.of(vertex, post.side) {
            Some(pieces) => pieces,
            None => self.find_pieces(sight),
        };
        for number in pieces {
            let piece = *self.scratch.known.piece(number);
            if piece.fit == Fit::Blocked || heading.perp_dot(piece.heading) * post.side < -SLANT {
                continue;
            }
            let (vertex, side) = piece.end();
            let Piece { heading, angle, .. } = piece;
            let to = Post { at: self.quest.ground.faces.xy[vertex as usize], side };
            let length = length + self.arc(angle) + piece.length;
            let rest = self.quest.guide.rest(vertex, to.centre(heading, radius));
            let root = self.root;
            self.queue_arrival(Arrival { vertex, side, root, length, heading, angle, piece: number }, rest);
        }
    }

    /// Finds the pieces that leave the root at this radius, whatever the heading on arrival.
    fn find_pieces(&mut self, sight: &Sight) -> Range<u32> {
        let Root { vertex, post, .. } = self.here;
        let is_round = |post: &Post, vertex: u32, heading: DVec2| self.is_round(post, vertex, false, heading);
        let pieces = sight.onward(vertex, post.side).filter_map(|(other, side)| {
            let end = Post { at: self.quest.ground.faces.xy[other as usize], side };
            let Tangent { heading, length, .. } = self.tangent_to(end)?;
            let is_good = is_round(&post, vertex, heading) && is_round(&end, other, heading);
            let end = if side > 0.0 { other } else { other | RIGHT };
            is_good.then_some(Piece { heading, angle: angle_of(heading), length, end, fit: Fit::NotAsked })
        });
        let pieces: Vec<Piece> = pieces.collect();
        self.scratch.known.keep(vertex, post.side, pieces.into_iter())
    }

    /// Whether the disc fits all along an arrival; what is found out about pieces between corners is kept.
    fn fits(&mut self, arrival: &Arrival) -> bool {
        let root = self.scratch.roots[arrival.root as usize];
        if arrival.root == 0 && arrival.vertex != START {
            // Many are settled on which nothing follows: it is asked when something does.
            return true;
        }
        if arrival.piece == NOTHING {
            return self.is_arc_free(&root, arrival) && self.is_arrival_free(&root, arrival);
        }
        let fit = self.scratch.known.piece(arrival.piece).fit;
        match fit {
            Fit::Free => self.is_arc_free(&root, arrival),
            Fit::Blocked => false,
            Fit::NotAsked if !self.is_arc_free(&root, arrival) => false,
            Fit::NotAsked => {
                let is_free = self.is_arrival_free(&root, arrival);
                self.scratch.known.set_fit(arrival.piece, is_free);
                is_free
            }
        }
    }

    /// Whether a root is one: whether the disc fits on the piece from the start by which it came. If not, it is none from now on.
    fn stands(&mut self, number: u32) -> bool {
        let root = self.scratch.roots[number as usize];
        if root.is_proven {
            return true;
        }
        if root.length == f64::INFINITY {
            return false;
        }
        let start = self.scratch.roots[root.before as usize];
        let is_free = self.is_piece_free(&start, root.vertex, root.post.side, root.heading);
        let root = &mut self.scratch.roots[number as usize];
        root.is_proven = is_free;
        if !is_free {
            root.length = f64::INFINITY;
        }
        is_free
    }

    /// Whether a path was found already that touches this corner, on whichever side, and could go along its circle to
    /// where this one arrives and be shorter then; or, if it only turns on there, no longer.
    fn is_dominated(&mut self, arrival: &Arrival) -> bool {
        if arrival.vertex == START {
            return false;
        }
        let radius = self.quest.radius;
        let post = Post { at: self.quest.ground.position(arrival.vertex), side: arrival.side };
        let out = post.outward(arrival.heading);
        let mut number = self.scratch.first(arrival.vertex);
        while number != NOTHING {
            let root = self.scratch.roots[number as usize];
            if root.length > arrival.length * (1.0 + 1e-14) {
                number = root.next;
                continue;
            }
            let other = root.post.outward(root.heading);
            let apart = between(root.angle, arrival.angle).abs();
            let angle = if root.post.side == arrival.side { apart } else { PI - apart };
            // Of two that are equally long, one that would have to turn back is no substitute: where a piece has no
            // length, it may be the one that need not turn.
            let turns_on = root.post.side == arrival.side
                && root.heading.perp_dot(arrival.heading) * arrival.side >= -SAME;
            let margin = if turns_on { 1.0 + 1e-14 } else { 1.0 - 1e-12 };
            let length = root.length + radius * angle;
            if (length < arrival.length * margin || turns_on && length == arrival.length)
                && self.is_turn_free(root.vertex, other, out)
                && self.stands(number)
            {
                return true;
            }
            number = root.next;
        }
        false
    }

    /// Whether the disc fits on the straight piece of an arrival.
    fn is_arrival_free(&mut self, root: &Root, arrival: &Arrival) -> bool {
        self.is_piece_free(root, arrival.vertex, arrival.side, arrival.heading)
    }

    /// Whether the disc fits on the straight piece from a root with a heading that touches a vertex.
    fn is_piece_free(&mut self, root: &Root, vertex: u32, side: f64, heading: DVec2) -> bool {
        let Quest { clearances, radius, .. } = *self.quest;
        let post = match vertex {
            START => Post { at: self.quest.goal, side: 0.0 },
            vertex => Post { at: self.quest.ground.position(vertex), side },
        };
        let from = root.post.centre(heading, radius);
        let to = post.centre(heading, radius);
        let cell = match root.vertex {
            START => self.quest.start_cell,
            vertex => match self.cell_beside(vertex, root.post.outward(heading), from) {
                Some(cell) => cell,
                None => return false,
            },
        };
        let least = radius - FREE_SLACK;
        clearances.keeps_away(cell, from, to, least).is_some()
            && self.keeps_off(cell, Trace::Line([from, to]))
    }

    /// Whether a piece that starts in a cell, and keeps the radius from walls, keeps it from limits too.
    fn keeps_off(&mut self, cell: CellId, piece: Trace) -> bool {
        let Quest { ground, radius, .. } = *self.quest;
        let least = radius - FREE_SLACK;
        ground.limits.is_none_or(|limits| limits.distance_from(cell, piece, least, self.near) >= least)
    }

    /// Whether the disc can turn at its root to the heading of an arrival.
    fn is_arc_free(&mut self, root: &Root, arrival: &Arrival) -> bool {
        if root.vertex == START || turn_between(root.angle, arrival.angle, root.post.side) == 0.0 {
            return true;
        }
        let [from, to] = [root.heading, arrival.heading].map(|heading| root.post.outward(heading));
        self.is_turn_free(root.vertex, from, to)
    }

    /// Whether the disc can go along the circle round a corner from one direction to another.
    fn is_turn_free(&mut self, vertex: u32, from: DVec2, to: DVec2) -> bool {
        let Quest { ground, clearances, mesh, radius, .. } = *self.quest;
        if self.quest.sight.is_some_and(|sight| sight.is_wide_all_round(vertex, radius)) {
            return true;
        }
        let mut parts = clearances.features().of_vertex(mesh, VertexId(vertex));
        if parts.is_empty() {
            return self.is_turn_free_at_inner(vertex, from, to);
        }
        if !parts.all(|part| clearances.turn(FeatureId(part), from, to) >= radius - FREE_SLACK) {
            return false;
        }
        if ground.limits.is_none() {
            return true;
        }
        let centre = ground.position(vertex);
        let arms = [from, to].map(|out| out.normalize_or_zero() * radius);
        self.cell_beside(vertex, from, centre + arms[0])
            .is_some_and(|cell| self.keeps_off(cell, Trace::Arc { centre, arms }))
    }

    /// The same at a vertex that is a corner by limits alone, so that nothing is known of its surroundings: along
    /// chords outside the circle. What is narrower by less than their sagitta, 0.0003 of the radius, is refused.
    fn is_turn_free_at_inner(&mut self, vertex: u32, from: DVec2, to: DVec2) -> bool {
        const CHORDS: f64 = 64.0;
        let Quest { ground, clearances, radius, .. } = *self.quest;
        let least = radius - FREE_SLACK;
        let centre = ground.position(vertex);
        let from = from.normalize_or_zero();
        let turn = ops::atan2(from.perp_dot(to), from.dot(to));
        let count = (turn.abs() / PI * CHORDS).ceil().max(1.0);
        let arm = |k: f64| DVec2::from_angle(turn * k / count).rotate(from) * radius;
        let wider = 1.0 / ops::cos(turn / count / 2.0);
        let Some(mut cell) = self.cell_beside(vertex, from, centre + arm(0.0)) else { return false };
        if !self.keeps_off(cell, Trace::Arc { centre, arms: [arm(0.0), arm(count)] }) {
            return false;
        }
        let mut at = centre + arm(0.0);
        // Over the corners of the polygon round the arc, and to its end.
        let corners = (0..count as u32).map(|k| centre + arm(f64::from(k) + 0.5) * wider);
        for next in corners.chain([centre + arm(count)]) {
            match clearances.keeps_away(cell, at, next, least) {
                Some(end) => (cell, at) = (end, next),
                None => return false,
            }
        }
        true
    }

    /// The cell at a point that is reached straight from a corner without leaving the ground.
    fn cell_beside(&self, vertex: u32, out: DVec2, to: DVec2) -> Option<CellId> {
        let faces = self.quest.ground.faces;
        let at = faces.xy[vertex as usize];
        // The face whose angle holds the direction, or is nearest to it.
        let miss = |edge: u32| {
            let right = (faces.edges[faces.next(edge) as usize].at - at).normalize_or_zero();
            let left = (faces.edges[faces.previous(edge) as usize].at - at).normalize_or_zero();
            (-right.perp_dot(out)).max(-out.perp_dot(left)).max(0.0)
        };
        let fan = faces.fan(vertex).iter();
        let edge = *fan.min_by(|a, b| miss(**a).total_cmp(&miss(**b)))?;
        let face = walk(faces, faces.edges[edge as usize].face, at, to, |_, _, _| {});
        Some(faces.cell(face))
    }

    /// 4: an arrival is part of a shortest path to where it ends; looks on from there.
    fn settle(&mut self, arrival: &Arrival) {
        let Arrival { vertex, side, root: before, length, heading, angle, .. } = *arrival;
        let ground = self.quest.ground;
        let post = Post { at: ground.position(vertex), side };
        let number = self.scratch.roots.len() as u32;
        let next = self.scratch.first(vertex);
        let stamp = self.scratch.stamp;
        let marks = &mut self.scratch.marks[vertex as usize];
        (marks.first, marks.stamp) = (number, stamp);
        // The boundary has the ground on its left: who has it on the right goes with it, the others against it.
        let walls = &ground.faces.walls[vertex as usize];
        let last = if side > 0.0 { walls[1] - post.at } else { walls[0] - post.at };
        let last_heading = if self.is_wide(vertex) { DVec2::ZERO } else { last };
        let is_proven = before != 0;
        self.scratch.roots.push(Root {
            post,
            vertex,
            heading,
            angle,
            last_heading,
            length,
            before,
            next,
            is_proven,
        });
        self.enter(number);
        if let Some(sight) = self.quest.sight {
            return self.go_on(sight);
        }
        for &edge in ground.faces.fan(vertex) {
            if self.quest.goals.contains(&ground.faces.edges[edge as usize].face) {
                self.offer_goal();
                break;
            }
        }
        ground.look_round(vertex, |_| true, self);
        self.queue_only();
    }

    fn queue_only(&mut self) {
        if let Some(way) = self.only.take() {
            self.queue(&way);
        }
        self.ways = 0;
    }

    fn queue(&mut self, way: &Way) {
        let radius = self.quest.radius;
        // To any corner beyond the edge it is as far as at radius 0, less what a tangent saves at both ends.
        let near = distance_to_line(self.here.post.at, way.ends);
        let twice = 2.0 * radius;
        let saved = if near > twice { near - (near * near - twice * twice).sqrt() } else { twice };
        let saved = if self.here.vertex == START { radius } else { saved };
        let through = distance_through(&way.view, way.ends, way.at_end, self.quest.goal);
        let edges = &self.quest.ground.faces.edges[..];
        let beside = &edges[way.cone.edge as usize];
        let ends = [beside.vertex, edges[beside.twin as usize].vertex];
        let beyond = self.quest.guide.beyond(ends, way.ends[0].distance(way.ends[1]));
        let through = through.max(near + beyond);
        let bound = self.here.length + (through - saved - radius).max(0.0);
        let Cone { left, right, edge, .. } = way.cone;
        self.scratch.heap.push(Node { key: key(bound), root: self.root, left, right, edge });
    }

    /// Whether a cone holds a direction to a corner that the disc can turn to.
    fn is_ahead(&self, way: &Way) -> bool {
        let Root { post, heading, last_heading, .. } = self.here;
        if last_heading == DVec2::ZERO {
            return true;
        }
        // Along the heading and towards the side that the disc turns to.
        let seen = |v: DVec2| DVec2::new(heading.dot(v), heading.perp_dot(v) * post.side);
        let [left, right] = [way.view.left, way.view.right].map(|ray| seen(ray[1] - ray[0]));
        let (first, last) = if post.side > 0.0 { (right, left) } else { (left, right) };
        // Other corners lie between the heading, or up to the tangent's angle before it, and the last heading. The
        // cone is of no interest if it begins behind the one and ends before the other.
        let limit = seen(last_heading.normalize_or_zero());
        let begins_behind = first.y < 0.0 || limit.perp_dot(first) > SLANT * first.length();
        if !begins_behind {
            return true;
        }
        let near = distance_to_line(post.at, way.ends);
        let sine = (2.0 * self.quest.radius / near).min(1.0);
        let before = DVec2::new((1.0 - sine * sine).sqrt(), -sine);
        let ends_before = match (first.y < 0.0, last.y < 0.0) {
            (false, false) => true,
            (true, false) => false, // over the heading itself
            (_, true) => last.perp_dot(before) > SLANT * last.length(),
        };
        !ends_before
    }

    /// Leaves the bends of the path that ends with an arrival at the goal.
    fn trace(&mut self, arrival: &Arrival) {
        let (mut goes, mut angle) = (arrival.heading, arrival.angle);
        let mut number = arrival.root;
        while number != 0 {
            let root = &self.scratch.roots[number as usize];
            let turn = turn_between(root.angle, angle, root.post.side);
            self.scratch.bends.push(Bend { post: root.post, headings: [root.heading, goes], turn });
            (goes, angle) = (root.heading, root.angle);
            number = root.before;
        }
        self.scratch.bends.reverse();
    }
}

impl Visit for Search<'_, '_> {
    #[inline]
    fn vertex(&mut self, edge: &Edge, _is_open: bool) {
        let Edge { vertex, flags, at, .. } = *edge;
        // Also where it is a corner only because of a dead end: nothing may be nearer to it than the radius.
        let is_corner = flags & CORNER != 0 || flags & INNER != 0 && self.quest.ground.limits.is_some();
        if is_corner && vertex != self.here.vertex && self.slit.is_none_or(|slit| slit.is_near(at)) {
            self.offer(vertex, at, flags & WIDE != 0);
        }
    }

    #[inline]
    fn exit(&mut self, exit: Exit<'_>) {
        let twin = exit.edge.twin;
        if twin == NONE {
            return;
        }
        let Quest { ground: Ground { faces, limits, .. }, radius, .. } = *self.quest;
        if limits.is_some_and(|limits| !limits.may_enter_by(faces, twin)) {
            return;
        }
        if self.quest.is_closed(exit.edge) {
            return;
        }
        let way = Way {
            cone: Cone { root: self.here.vertex, left: exit.left, right: exit.right, edge: twin },
            view: exit.view,
            ends: [exit.end, exit.edge.at],
            at_end: [exit.left_is_end, exit.right_is_start],
        };
        if !self.is_ahead(&way) {
            return;
        }
        // Through an edge that is too narrow for the disc, only what lies next to it is of interest; from a corner that
        // lies next to it itself, nothing is said.
        let slit = match self.slit {
            Some(slit) if !slit.may_reach(way.ends) => return,
            Some(slit) => Some(slit.one_edge_on()),
            // An inner vertex is no obstacle.
            None if (exit.edge.flags | faces.edges[twin as usize].flags) & INNER != 0 => None,
            None => Slit::of(way.ends, radius).filter(|slit| !slit.is_near(self.here.post.at)),
        };
        if let Some(slit) = slit.filter(|slit| slit.steps < MOST_STEPS) {
            let before = self.slit.replace(slit);
            let ground = self.quest.ground;
            ground.cross(&way.cone, &way.view, self);
            self.slit = before;
            return;
        }
        self.ways += 1;
        match (self.ways, self.only.take()) {
            (1, _) => self.only = Some(way),
            (_, first) => {
                if let Some(first) = first {
                    self.queue(&first);
                }
                self.queue(&way);
            }
        }
    }
}

impl Quest<'_> {
    /// Whether an edge leads into a dead end that need not be looked into.
    #[inline]
    pub(super) fn is_closed(&self, edge: &Edge) -> bool {
        if edge.flags & SEALED == 0 {
            return false;
        }
        let twin = &self.ground.faces.edges[edge.twin as usize];
        self.mouths.is_closed(twin.twin, self.radius)
            && !self.opened.stamps.contains(&self.opened.faces[twin.face as usize])
    }
}
