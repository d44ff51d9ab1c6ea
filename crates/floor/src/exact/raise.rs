//! The ground at steps: a floor plan has one height at every place, so a step is a slope, one millimetre wide.
//!
//! Idea: along a step the vertices are those of the higher ground. Triangles of the lower ground that have them as corners are cut
//!   a millimetre from there; between the cut and the corner the ground rises, beyond it lies where it did. The points of the
//!   cuts belong to the edges of the surface, so that triangles on both sides of an edge have the same. Where ground of a third height
//!   begins at the end of a step, the step's own edge has such a point, too: else all of it would slope up to there. A triangle with
//!   steps on two of its sides has one inside, at their corner: else all of it would be slope.
//! Promises F5. Cost: linear, but for finding the edges.

use super::{
    assemble::{HEIGHTS_ERROR, Parts},
    surface::{NO_HALF_EDGE, WalkableSurface},
};
use wayfare_core::{DVec2, DVec3};

/// How wide the slope of a step is [m]; in small triangles a quarter of a side at most.
const SLOPE_WIDTH: f64 = 1e-3;

/// Which points there are on the sides of triangles.
pub(super) struct Raised<'a> {
    /// For each half-edge the points on it near its start and near its end.
    cuts: Vec<[Option<u32>; 2]>,
    /// For each corner the point inside of the triangle before it, if both of its sides are at the foot of steps.
    inner: Vec<Option<u32>>,
    /// For each half-edge the ring's vertices on it.
    nodes: &'a [Vec<u32>],
}

impl<'a> Raised<'a> {
    /// Finds the points and adds them to the vertices.
    pub fn new(parts: &mut Parts, nodes: &'a [Vec<u32>]) -> Self {
        let count = parts.layers.across.len() as u32;
        let mut cuts: Vec<[Option<u32>; 2]> = vec![[None; 2]; count as usize];
        for h in 0..count {
            let across = partner(parts, h);
            // One side of an edge makes the points for both: of a step the higher one, else that which comes first.
            let is_other = match parts.is_riser(h) {
                true => across == NO_HALF_EDGE || !parts.level_steps || is_foot(parts, h),
                false => across < h,
            };
            if is_other {
                continue;
            }
            let corners = [h, WalkableSurface::next(h)];
            // The nearest vertex of the ring on the edge, seen from either end.
            let nearest = [nodes[h as usize].first(), nodes[h as usize].last()];
            for (here, there) in [(0, 1), (1, 0)] {
                if is_raised(parts, corners[here]) {
                    let a = own_place(parts, corners[here]);
                    let mut b = own_place(parts, corners[there]);
                    if let Some(&node) = nearest[here] {
                        b = own_place_on(parts, h, node);
                    }
                    let share = (SLOPE_WIDTH / (b - a).truncate().length()).min(0.25);
                    cuts[h as usize][here] = Some(parts.points.len() as u32);
                    parts.points.push(a + (b - a) * share);
                }
            }
            if across != NO_HALF_EDGE {
                let [start, end] = cuts[h as usize];
                cuts[across as usize] = [end, start];
            }
        }
        let mut inner = vec![None; count as usize];
        for corner in 0..count {
            let sides = [corner, WalkableSurface::next(WalkableSurface::next(corner))];
            let is_below = |h: &u32| parts.is_riser(*h) && is_foot(parts, *h);
            if parts.level_steps && sides.iter().all(is_below) && is_raised(parts, corner) {
                inner[corner as usize] = Some(parts.points.len() as u32);
                let point = inner_point(parts, corner);
                parts.points.push(point);
            }
        }
        let mut raised = Self { cuts, inner, nodes };
        raised.give_up_slivers(parts);
        raised
    }

    /// A triangle that is too thin to be cut without turning over is left as it is; then nobody has points on its sides.
    fn give_up_slivers(&mut self, parts: &Parts) {
        let mut left: Vec<u32> = (0..parts.corners.len() as u32).collect();
        while let Some(t) = left.pop() {
            let sides = [3 * t, 3 * t + 1, 3 * t + 2];
            let is_cut =
                sides.iter().any(|&h| self.cuts[h as usize] != [None; 2] || self.inner[h as usize].is_some());
            if !is_cut || self.triangles(parts, t).iter().all(|corners| is_good(parts, corners)) {
                continue;
            }
            for h in sides {
                self.cuts[h as usize] = [None; 2];
                self.inner[h as usize] = None;
                let across = partner(parts, h);
                if across != NO_HALF_EDGE {
                    self.cuts[across as usize] = [None; 2];
                    left.push(across / 3);
                }
            }
        }
    }

    /// The points on a half-edge, from its start on.
    pub fn between(&self, h: u32) -> impl Iterator<Item = u32> {
        let [start, end] = self.cuts[h as usize];
        start.into_iter().chain(self.nodes[h as usize].iter().copied()).chain(end)
    }

    /// The triangles of the ground that a triangle of the surface becomes.
    pub fn triangles(&self, parts: &Parts, t: u32) -> Vec<[u32; 3]> {
        let corners = parts.corners[t as usize];
        // All points round the triangle, and whether they are at the top of a step.
        let mut ring: Vec<(u32, bool)> = Vec::new();
        for k in 0..3 {
            let h = 3 * t + k;
            ring.push((corners[k as usize], is_raised(parts, h)));
            // Up to the corner, down to the point inside, and up again.
            if let Some(inner) = self.inner[h as usize] {
                ring.extend([(inner, false), (corners[k as usize], true)]);
            }
            // Only on the edge at a step are there others at its top.
            let is_high = |node: u32| {
                parts.is_riser(h)
                    && parts.points[node as usize].z - own_place_on(parts, h, node).z > HEIGHTS_ERROR
            };
            ring.extend(self.between(h).map(|point| (point, is_high(point))));
        }
        if ring.len() == 3 {
            return vec![corners];
        }
        let mut triangles = Vec::new();
        let Some(start) = ring.iter().position(|point| !point.1) else {
            let all: Vec<u32> = ring.iter().map(|point| point.0).collect();
            add_fan(parts, &all, &mut triangles);
            return triangles;
        };
        ring.rotate_left(start);
        // Slopes: from a low point over high ones to the next low point.
        let count = ring.len();
        for k in (0..count).filter(|&k| !ring[k].1) {
            let run = (1..count).take_while(|by| ring[(k + by) % count].1).count();
            if run > 0 {
                let mut slope: Vec<u32> = (0..=run + 1).map(|by| ring[(k + by) % count].0).collect();
                if slope.first() == slope.last() {
                    slope.pop();
                }
                add_fan(parts, &slope, &mut triangles);
            }
        }
        // What is left is low.
        let low: Vec<u32> = ring.iter().filter(|point| !point.1).map(|point| point.0).collect();
        add_fan(parts, &low, &mut triangles);
        triangles
    }
}

/// Cuts a convex polygon into triangles: first off the corners that are higher than both of their neighbours, so that what begins there
/// stays there; then from a corner that sees all others: one on a side with two others does not.
fn add_fan(parts: &Parts, ring: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let mut ring = ring.to_vec();
    while ring.len() > 3
        && let Some((k, corners)) = (0..ring.len()).find_map(|k| Some((k, ear(parts, &ring, k)?)))
    {
        triangles.push(corners);
        ring.remove(k);
    }
    triangles.extend(fan(&ring, first_of_fan(parts, &ring).unwrap_or(0)));
}

/// The triangle of a corner that is higher than both of its neighbours, if it can be cut off and the others can still be cut well: they
/// may be left on one line.
fn ear(parts: &Parts, ring: &[u32], k: usize) -> Option<[u32; 3]> {
    let count = ring.len();
    let corners = [ring[(k + count - 1) % count], ring[k], ring[(k + 1) % count]];
    let [before, peak, after] = corners.map(|v| parts.points[v as usize].z);
    let is_peak = peak > before.max(after) + HEIGHTS_ERROR;
    let rest = || [&ring[..k], &ring[k + 1..]].concat();
    (is_peak && is_good(parts, &corners) && first_of_fan(parts, &rest()).is_some()).then_some(corners)
}

/// Triangles of a convex polygon, from one of its corners.
fn fan(ring: &[u32], first: usize) -> impl Iterator<Item = [u32; 3]> {
    let at = move |k: usize| ring[(first + k) % ring.len()];
    (1..ring.len().saturating_sub(1)).map(move |k| [at(0), at(k), at(k + 1)])
}

/// A corner from which all triangles are good.
fn first_of_fan(parts: &Parts, ring: &[u32]) -> Option<usize> {
    (0..ring.len()).find(|&first| fan(ring, first).all(|corners| is_good(parts, &corners)))
}

/// Whether a triangle is wider than rounding: points on a side are a hair beside it, and a triangle between them has the height of a point
/// that none of its neighbours has.
fn is_good(parts: &Parts, corners: &[u32; 3]) -> bool {
    let [a, b, c] = corners.map(|v| parts.points[v as usize].truncate());
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    (b - a).perp_dot(c - a) > parts.surface.finest * longest
}

/// Whether the vertex of a corner is at the top of a step that its triangle is at the foot of.
fn is_raised(parts: &Parts, corner: u32) -> bool {
    let (t, k) = (corner as usize / 3, corner as usize % 3);
    let own = parts.surface.vertices[parts.surface.triangles[t].corners[k]].z;
    parts.points[parts.corners[t][k] as usize].z - own > HEIGHTS_ERROR
}

/// The point of a triangle a millimetre from both sides at a corner, where its own ground is.
fn inner_point(parts: &Parts, corner: u32) -> DVec3 {
    let next = WalkableSurface::next(corner);
    let [a, b, c] = [corner, next, WalkableSurface::next(next)].map(|corner| own_place(parts, corner));
    let [p, q, r] = [a, b, c].map(DVec3::truncate);
    let (twice, round) = ((q - p).perp_dot(r - p), p.distance(q) + q.distance(r) + r.distance(p));
    // Half of the circle inside at most.
    let width = SLOPE_WIDTH.min(twice / round / 2.0);
    // Shares of the corners are distances from their sides, in parts of the heights over them.
    let [share_b, share_c] = [width * p.distance(r) / twice, width * p.distance(q) / twice];
    a + (b - a) * share_b + (c - a) * share_c
}

/// The half-edge across another, if that has it across, too: of several steps at one edge only one is shared.
fn partner(parts: &Parts, h: u32) -> u32 {
    let across = parts.layers.across[h as usize];
    let is_mutual = across != NO_HALF_EDGE && parts.layers.across[across as usize] == h;
    if is_mutual { across } else { NO_HALF_EDGE }
}

/// Whether a half-edge at a step is that of the side that is cut to fit: the lower ground, or what is no ground but a gap. One walks
/// along the edge of the ground, be it at the foot of what fills a gap or at its top.
fn is_foot(parts: &Parts, h: u32) -> bool {
    let across = parts.layers.across[h as usize];
    if parts.is_gap(h) != parts.is_gap(across) {
        return parts.is_gap(h);
    }
    let height =
        |h: u32| [h, WalkableSurface::next(h)].map(|corner| own_place(parts, corner).z).iter().sum::<f64>();
    // Of two at one height one is as good as the other.
    (height(h), h) < (height(across), across)
}

/// Where the triangle of a corner has it: at the place of its vertex, at the height of its own ground.
fn own_place(parts: &Parts, corner: u32) -> DVec3 {
    let (t, k) = (corner as usize / 3, corner as usize % 3);
    let own = parts.surface.vertices[parts.surface.triangles[t].corners[k]].z;
    parts.points[parts.corners[t][k] as usize].truncate().extend(own)
}

/// Where the triangle of a half-edge has a vertex on it.
fn own_place_on(parts: &Parts, h: u32, node: u32) -> DVec3 {
    let p = parts.points[node as usize].truncate();
    p.extend(own_height(parts, h, p))
}

/// How high the triangle of a half-edge is at a place on that [m].
pub(super) fn own_height(parts: &Parts, h: u32, p: DVec2) -> f64 {
    let [a, b] = [h, WalkableSurface::next(h)].map(|corner| own_place(parts, corner));
    let way = (b - a).truncate();
    let share = (p - a.truncate()).dot(way) / way.length_squared();
    a.z + (b.z - a.z) * share
}
