//! The shortest path of a disc: a search over corners that it touches.
//!
//! Idea: the path is a rope round corners at the distance of the radius: straight pieces that touch a corner at both ends,
//!   and arcs. If a piece between two corners is free and the rope is tight, the corners see each other at radius 0; so sight
//!   at radius 0, cone by cone as for a point, finds all candidates for any radius. Each is proven when
//!   its turn comes: the arc by the reach of its corner, the straight piece by the distances along it.
//! Source: own; `docs/any-body.md` says what it rests on. Cones from Cui, Harabor and Grastien 2017 ([`super::super::cone`]).
//! Steps: 1. look from the start  2. take the entry with the least bound  3. a cone: corners in sight become arrivals, more cones
//!   4. an arrival: is it dominated, is its arc free, is its straight piece free ([`proof`])? Then look round its corner ([`look`])
//!   5. the first arrival at the goal that is proven is the shortest path
//! Promises the shortest path in the ground that the centre may be on, to rounding; "free" means a clearance of
//!   the radius less [`FREE_SLACK`], here and in [`Clearances::is_reachable`].
//! Cost: output-sensitive; more than at radius 0 where the body is refused at doors that it sees through.

mod look;
mod proof;

use super::{
    super::{
        cone::{Cone, Ground, START, View},
        faces::{Edge, NONE, SEALED, WIDE},
        heap::{Heap, Node, key},
        interval::distance_through,
    },
    curve::Bend,
    goal_sight::{GoalSight, SeenFromGoal},
    guide::Guide,
    known::{Fit, Known, Piece},
    mouths::Mouths,
    off_limits::Near,
    sight::{RIGHT, Sight},
    slit::{Slit, distance_to_line},
    tangent::{Post, Tangent, angle_of, tangent, turn_between},
    views::Views,
};
use crate::{
    clearance::{Clearances, FREE_SLACK},
    mesh::NavMesh,
};
use std::ops::Range;
use wayfare_core::DVec2;

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
    /// The search that the following is of.
    bound_stamp: u32,
    /// How far a disc that touches it has to go at least, by landmarks [m].
    least: f64,
    /// Whether that is more than the straight line to the goal, wherever the disc touches it.
    is_more: bool,
}

/// Nothing is known of a vertex.
const NO_MARKS: Marks =
    Marks { first: NOTHING, stamp: 0, goal: 0, bound_stamp: 0, least: 0.0, is_more: false };

/// What is searched.
pub(crate) struct Quest<'a> {
    pub ground: Ground<'a>,
    pub mesh: &'a NavMesh,
    pub clearances: Clearances<'a>,
    pub radius: f64,
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

/// Begins a search with memory that has begun too. The straight line is not looked at, unless there are no views; with them it is
/// also noted already what the goal sees.
pub(crate) fn begin(quest: &Quest<'_>, views: Option<&Views>, scratch: &mut DiscScratch, near: &mut Near) {
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
        if views.is_none() {
            GoalSight { quest, seen: SeenFromGoal { vertices: marks, stamp: *stamp, stack } }.look();
        }
    }
    let mut search = Search { quest, scratch, near, root: 0, here: root, ways: 0, only: None, slit: None };
    // 1.
    if let Some(views) = views {
        for &face in quest.starts {
            views.for_each(face, root.post.at, |seen| {
                if !quest.is_behind_closed(seen.mouth) {
                    let at = quest.ground.faces.xy[seen.vertex() as usize];
                    search.offer_from_start(seen.vertex(), at, seen.is_wide());
                }
            });
        }
        return;
    }
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
            self.marks = vec![NO_MARKS; vertices];
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
        let (off_comes, off_goes) = (-out.dot(comes), out.dot(goes));
        // Mostly no length is needed.
        (off_comes <= 0.0 || off_comes <= SLANT * comes.length())
            && (off_goes <= 0.0 || off_goes <= SLANT * goes.length())
            || self.is_wide(vertex)
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

    /// The same for the start, without a heading.
    fn offer_from_start(&mut self, vertex: u32, at: DVec2, is_wide: bool) {
        if is_wide {
            return [1.0, -1.0].into_iter().for_each(|side| self.touch(vertex, at, side, true));
        }
        // As `may_be_round` says, for both sides at once.
        let radius = self.quest.radius;
        let walls = &self.quest.ground.faces.walls[vertex as usize];
        let arm = at - self.here.post.at;
        let squared = arm.length_squared();
        let length = (squared - radius * radius).max(0.0).sqrt();
        let across = arm.perp() * length;
        let back = arm * -radius;
        let (comes, goes) = (at - walls[1], walls[0] - at);
        let slack = |wall: DVec2| 4.0 * SLANT * squared * (wall.x.abs() + wall.y.abs());
        let [comes_across, goes_across] = [across.dot(comes), across.dot(goes)];
        let least = -slack(comes) - back.dot(comes);
        let most = slack(goes) - back.dot(goes);
        if -comes_across >= least && -goes_across <= most {
            self.touch(vertex, at, 1.0, false);
        }
        if comes_across >= least && goes_across <= most {
            self.touch(vertex, at, -1.0, false);
        }
    }

    /// A corner may be passed on a side.
    fn offer_side(&mut self, vertex: u32, at: DVec2, side: f64, is_wide: bool) {
        if is_wide || self.may_be_round(&Post { at, side }, vertex) {
            self.touch(vertex, at, side, is_wide);
        }
    }

    /// The same after a quick look.
    fn touch(&mut self, vertex: u32, at: DVec2, side: f64, is_wide: bool) {
        let post = Post { at, side };
        let Some(piece) = self.tangent_to(post) else { return };
        if self.leaves(piece.heading) && self.is_round(&post, vertex, is_wide, piece.heading) {
            let DiscScratch { marks, stamp, .. } = &mut *self.scratch;
            let rest = marks[vertex as usize].rest(*stamp, &self.quest.guide, vertex, at, || piece.to);
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
        let DiscScratch { arrivals, heap, .. } = &mut *self.scratch;
        let arrival = Arrival { vertex, side, root, length, heading, angle, piece: NOTHING };
        queue_arrival(arrivals, heap, arrival, rest);
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
        let Quest { ground, guide, .. } = self.quest;
        let (root, came) = (self.root, self.here.angle);
        let DiscScratch { known, arrivals, heap, marks, stamp, .. } = &mut *self.scratch;
        for (number, piece) in pieces.clone().zip(known.pieces(pieces)) {
            if piece.fit == Fit::Blocked || heading.perp_dot(piece.heading) * post.side < -SLANT {
                continue;
            }
            let (vertex, side) = piece.end();
            let Piece { heading, angle, .. } = *piece;
            let length = length + radius * turn_between(came, angle, post.side) + piece.length;
            let at = ground.faces.xy[vertex as usize];
            let centre = || Post { at, side }.centre(heading, radius);
            let rest = marks[vertex as usize].rest(*stamp, guide, vertex, at, centre);
            let arrival = Arrival { vertex, side, root, length, heading, angle, piece: number };
            queue_arrival(arrivals, heap, arrival, rest);
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

#[inline]
fn queue_arrival(arrivals: &mut Vec<Arrival>, heap: &mut Heap, arrival: Arrival, rest: f64) {
    let number = arrivals.len() as u32;
    arrivals.push(arrival);
    let key = key(arrival.length + rest);
    heap.push_ahead(Node { key, root: number, left: 0, right: 0, edge: NONE });
}

impl Marks {
    /// How far the centre of a disc has to go at least [m] that touches the vertex, which lies at `at`.
    #[inline]
    fn rest(
        &mut self,
        stamp: u32,
        guide: &Guide<'_>,
        vertex: u32,
        at: DVec2,
        centre: impl FnOnce() -> DVec2,
    ) -> f64 {
        if self.bound_stamp != stamp {
            self.bound_stamp = stamp;
            (self.least, self.is_more) = guide.rest_by_landmarks(vertex, at);
        }
        if self.is_more {
            return self.least;
        }
        // Mostly landmarks tell more, and a root takes long.
        let squared = centre().distance_squared(guide.goal);
        if squared > self.least * self.least { squared.sqrt() } else { self.least }
    }
}

impl Quest<'_> {
    /// Whether an edge that leads down into a dead end, if there is one, need not be looked into.
    fn is_behind_closed(&self, mouth: u32) -> bool {
        self.ground.faces.edges.get(mouth as usize).is_some_and(|edge| self.is_closed(edge))
    }

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
