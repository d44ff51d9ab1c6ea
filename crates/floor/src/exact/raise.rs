//! The ground at steps: a floor plan has one height at every place, so a step is a slope, one millimetre wide.
//!
//! Idea: along a step the vertices are those of the higher ground. Triangles of the lower ground that have them as corners are cut
//!   a millimetre from there; between the cut and the corner the ground rises, beyond it lies where it did. The points of the
//!   cuts belong to the edges of the surface, so that triangles on both sides of an edge have the same.
//! Promises F5. Cost: linear, but for finding the edges.

use super::{
    assemble::{HEIGHTS_ERROR, Parts},
    surface::{NO_HALF_EDGE, WalkableSurface},
};
use wayfare_core::DVec3;
use wayfare_geom::predicates::is_left;

/// How wide the slope of a step is [m]; in small triangles a quarter of a side at most.
const SLOPE_WIDTH: f64 = 1e-3;

/// Which points there are on the sides of triangles.
pub(super) struct Raised {
    /// For each half-edge the points on it near its start and near its end.
    cuts: Vec<[Option<u32>; 2]>,
    middles: Vec<Option<u32>>,
}

impl Raised {
    /// Finds the points and adds them to the vertices.
    pub fn new(parts: &mut Parts, middles: &[Option<u32>]) -> Self {
        let count = parts.layers.across.len() as u32;
        let mut cuts: Vec<[Option<u32>; 2]> = vec![[None; 2]; count as usize];
        for h in 0..count {
            let twin = parts.surface.twins[h as usize];
            // The side of an edge that comes first makes the points for both.
            if parts.is_riser(h) || twin < h {
                continue;
            }
            let corners = [h, WalkableSurface::next(h)];
            for (here, there) in [(0, 1), (1, 0)] {
                if is_raised(parts, corners[here]) {
                    let a = own_place(parts, corners[here]);
                    let mut b = own_place(parts, corners[there]);
                    if let Some(middle) = middles[h as usize] {
                        b = parts.points[middle as usize].truncate().extend((a.z + b.z) / 2.0);
                    }
                    let share = (SLOPE_WIDTH / (b - a).truncate().length()).min(0.25);
                    cuts[h as usize][here] = Some(parts.points.len() as u32);
                    parts.points.push(a + (b - a) * share);
                }
            }
            if twin != NO_HALF_EDGE {
                let [start, end] = cuts[h as usize];
                cuts[twin as usize] = [end, start];
            }
        }
        Self { cuts, middles: middles.to_vec() }
    }

    /// The points on a half-edge near its start and near its end.
    pub fn cuts(&self, h: u32) -> [Option<u32>; 2] {
        self.cuts[h as usize]
    }

    /// The triangles of the ground that a triangle of the surface becomes.
    pub fn triangles(&self, parts: &Parts, t: u32) -> Vec<[u32; 3]> {
        let corners = parts.corners[t as usize];
        // All points round the triangle, and whether they are at the top of a step.
        let mut ring: Vec<(u32, bool)> = Vec::new();
        for k in 0..3 {
            let h = 3 * t + k;
            let [start, end] = self.cuts[h as usize];
            ring.push((corners[k as usize], is_raised(parts, h)));
            let between = [start, self.middles[h as usize], end];
            ring.extend(between.into_iter().flatten().map(|point| (point, false)));
        }
        if ring.len() == 3 {
            return vec![corners];
        }
        let Some(start) = ring.iter().position(|point| !point.1) else { return vec![corners] };
        ring.rotate_left(start);
        // Slopes: from a low point over high ones to the next low point.
        let mut triangles = Vec::new();
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

/// Cuts a convex polygon into triangles, from a corner that sees all others: one on a side with two others does not.
fn add_fan(parts: &Parts, ring: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let fan = |first: usize| {
        let at = move |k: usize| ring[(first + k) % ring.len()];
        (1..ring.len().saturating_sub(1)).map(move |k| [at(0), at(k), at(k + 1)])
    };
    let is_good = |corners: [u32; 3]| {
        let [a, b, c] = corners.map(|v| parts.points[v as usize].truncate());
        is_left(a, b, c)
    };
    let first = (0..ring.len()).find(|&first| fan(first).all(is_good)).unwrap_or(0);
    triangles.extend(fan(first));
}

/// Whether the vertex of a corner is at the top of a step that its triangle is at the foot of.
fn is_raised(parts: &Parts, corner: u32) -> bool {
    let (t, k) = (corner as usize / 3, corner as usize % 3);
    let own = parts.surface.vertices[parts.surface.triangles[t].corners[k]].z;
    parts.points[parts.corners[t][k] as usize].z - own > HEIGHTS_ERROR
}

/// Where the triangle of a corner has it: at the place of its vertex, at the height of its own ground.
fn own_place(parts: &Parts, corner: u32) -> DVec3 {
    let (t, k) = (corner as usize / 3, corner as usize % 3);
    let own = parts.surface.vertices[parts.surface.triangles[t].corners[k]].z;
    parts.points[parts.corners[t][k] as usize].truncate().extend(own)
}
