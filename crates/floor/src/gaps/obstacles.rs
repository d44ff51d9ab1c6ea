//! What stands in gaps: the parts of a filler that a body can step through.
//!
//! Idea: who steps over a gap passes over everything up to a step above the lower side, and needs the space from there up to head
//!   room. That space over the filler is a convex block; what of the scene lies in it closes the filler, but only there: beside a
//!   post one steps past it.
//! Source: seed 002, V.B, step 4, which tests the filler itself, makes an exception for geometry in its plane (risers) and throws whole
//!   fillers away; and section VIII, which calls that too strict (protrusions) and too lax (head room). We differ: risers and
//!   whatever else is no higher than the step never come into the block, so that no exception is needed; the block has the head room.
//! Two blocks are looked at. Along the edges, with a hair beyond them so that walls standing on them are met: from the step up
//!   to head room over the lower side. Strictly between them: up to head room over the higher side. At the connections a hair
//!   less counts, for walls may stand beside a stair. Where a gap is narrow, as at its tip round the spindle of a winding stair, the hair
//!   is a quarter of its width.
//! Cost: a query in the tree per filler; five cuts of each triangle found.

use super::filler::{Edge, Filler, HAIR};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::{
    TriangleMesh,
    bvh::{Aabb3, Bvh},
};

/// How far beyond the edges walls are looked for, and how much of each end of a filler is not looked at [m]: walls of models in single
/// floats are off by micrometres, floors and cuts that touch one another by no more than 1 mm.
const BESIDE: f64 = 1e-3;

/// Between edges that are nearer to each other nothing is looked for [m]: in single floats what touches one may be beyond the other.
const NARROWEST: f64 = 1e-5;

/// What is left free on both sides of an obstacle [m], so that the parts of a filler do not touch across it.
const AROUND: f64 = 1e-4;

/// Parts of fillers shorter than this are left out [m].
const SHORTEST: f64 = 1e-3;

/// The triangles of a scene, to be asked what stands in a filler.
pub(super) struct Obstacles<'a> {
    mesh: &'a TriangleMesh,
    tree: Bvh,
    step: f64,
    height: f64,
}

impl<'a> Obstacles<'a> {
    pub fn new(mesh: &'a TriangleMesh, step: f64, height: f64) -> Self {
        let boxes: Vec<Aabb3> = mesh.all_points().map(Aabb3::of_points).collect();
        Self { mesh, tree: Bvh::build(&boxes), step, height }
    }

    /// The parts of a filler that nothing stands in; with `only_whole`, all of it or nothing.
    pub fn free_parts(&self, filler: &Filler, edges: &[Edge], only_whole: bool, parts: &mut Vec<Filler>) {
        let corners = filler.corners(edges);
        let space = Space::new(corners, filler.edges.map(|k| edges[k as usize].direction()));
        let mut blocked: Vec<[f64; 2]> = Vec::new();
        let (low, high) = (space.low[0].min(space.low[1]), space.high[0].max(space.high[1]));
        let mut area = Aabb3::of_points(corners.into_iter().flatten());
        area.min -= BESIDE;
        area.max += BESIDE;
        area.min.z = low + self.step;
        area.max.z = high + self.height;
        self.tree.visit(&area, |triangle| {
            let points = self.mesh.points(triangle as usize);
            if Aabb3::of_points(points).meets(&area) {
                blocked.extend(space.blocked_by(points, self.step, self.height));
            }
            false
        });
        if blocked.is_empty() {
            parts.push(*filler);
            return;
        }
        if only_whole {
            return;
        }
        blocked.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        let (around, shortest) = (AROUND / space.length, SHORTEST / space.length);
        let mut from = 0.0;
        for [start, end] in blocked.into_iter().chain([[1.0 + around, 1.0]]) {
            let to = (start - around).min(1.0);
            if to - from > shortest {
                parts.push(filler.part(from, to));
            }
            from = from.max(end + around);
        }
    }
}

/// The space over a filler.
struct Space {
    /// Corners in plan: those of the first connection, then those of the second.
    plan: [[DVec2; 2]; 2],
    /// The lower and the higher ground at either connection.
    low: [f64; 2],
    high: [f64; 2],
    /// Directions of the two edges; the filler is on the right of both.
    directions: [DVec2; 2],
    /// From the middle of the first connection to that of the second: where from, the direction and how far.
    start: DVec2,
    axis: DVec2,
    length: f64,
    /// The largest distance of the two sides.
    width: f64,
    /// How far inside of the edges one is strictly between them, at either connection [m].
    inside: [f64; 2],
}

impl Space {
    fn new(corners: [[DVec3; 2]; 2], directions: [DVec2; 2]) -> Self {
        let plan = corners.map(|connection| connection.map(DVec3::truncate));
        let middles = plan.map(|[a, b]| (a + b) / 2.0);
        let length = middles[0].distance(middles[1]);
        let widths = plan.map(|[a, b]| a.distance(b));
        Self {
            plan,
            low: corners.map(|[a, b]| a.z.min(b.z)),
            high: corners.map(|[a, b]| a.z.max(b.z)),
            directions,
            start: middles[0],
            axis: (middles[1] - middles[0]).normalize_or_zero(),
            length: length.max(HAIR),
            width: widths[0].max(widths[1]),
            inside: widths.map(|width| BESIDE.min(width / 4.0)),
        }
    }

    /// The shares of the filler that a triangle closes.
    fn blocked_by(&self, triangle: [DVec3; 3], step: f64, height: f64) -> Option<[f64; 2]> {
        let met = self.cut(triangle, [-BESIDE; 2], step, self.low.map(|z| z + height));
        let met = met.or_else(|| {
            // Strictly between the edges; nothing is between those of a riser.
            let is_open = self.width > NARROWEST;
            is_open.then(|| self.cut(triangle, self.inside, step, self.high.map(|z| z + height))).flatten()
        })?;
        let shares = met.iter().map(|p| self.share(p.truncate()));
        Some(shares.fold([1.0, 0.0], |[from, to]: [f64; 2], share| [from.min(share), to.max(share)]))
    }

    /// The part of a triangle over the filler, `inside` farther in than its edges, from the step to a height; both given at the connections.
    fn cut(&self, triangle: [DVec3; 3], inside: [f64; 2], step: f64, top: [f64; 2]) -> Option<Vec<DVec3>> {
        let short = BESIDE.min(self.length / 4.0);
        let along = |p: DVec3| self.axis.dot(p.truncate() - self.start);
        let level = |ends: [f64; 2], p: DVec3| ends[0] + (ends[1] - ends[0]) * (along(p) / self.length);
        // A connection of no length in plan is as good as one across.
        let connection = |k: usize, p: DVec3| {
            let [a, b] = self.plan[k];
            let across = b - a;
            let left = if across.length() > BESIDE { across.normalize() } else { -self.axis.perp() };
            let side = left.perp_dot(p.truncate() - (a + b) / 2.0);
            (if k == 0 { side } else { -side }) - short
        };
        let in_front = |which: usize, p: DVec3| {
            -self.directions[which].perp_dot(p.truncate() - self.plan[0][which]) - level(inside, p)
        };
        let mut polygon = triangle.to_vec();
        let mut next = Vec::with_capacity(8);
        let mut keep = |of: &dyn Fn(DVec3) -> f64| {
            next.clear();
            for (k, &p) in polygon.iter().enumerate() {
                let q = polygon[(k + 1) % polygon.len()];
                let (at_p, at_q) = (of(p), of(q));
                if at_p > 0.0 {
                    next.push(p);
                }
                if (at_p > 0.0) != (at_q > 0.0) {
                    next.push(p + (q - p) * (at_p / (at_p - at_q)));
                }
            }
            std::mem::swap(&mut polygon, &mut next);
            !polygon.is_empty()
        };
        let is_met = keep(&|p| p.z - level(self.low, p) - step - HAIR)
            && keep(&|p| level(top, p) - HAIR - p.z)
            && keep(&|p| in_front(0, p))
            && keep(&|p| in_front(1, p))
            && keep(&|p| connection(0, p))
            && keep(&|p| connection(1, p));
        is_met.then_some(polygon)
    }

    /// The share of the filler whose connection goes through a place.
    fn share(&self, p: DVec2) -> f64 {
        if self.width < BESIDE {
            return (self.axis.dot(p - self.start) / self.length).clamp(0.0, 1.0);
        }
        let is_beyond = |share: f64| {
            let [a, b] = [0, 1].map(|which| self.plan[0][which].lerp(self.plan[1][which], share));
            (b - a).perp_dot(p - a) > 0.0
        };
        let (mut from, mut to) = (0.0, 1.0);
        // A millionth of the filler is less than a hair for all but the longest.
        for _ in 0..30 {
            let middle = (from + to) / 2.0;
            if is_beyond(middle) {
                from = middle;
            } else {
                to = middle;
            }
        }
        from
    }
}
