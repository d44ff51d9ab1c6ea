//! The ground at the foot of steps, where it really lies.
//!
//! A mesh has one height at every place, so the last millimetre of the lower ground before a step is stored as a slope that rises to
//! the step's top. Who goes past a step, not over it, does not go up that slope.
//! Idea: such a triangle is narrow, steeper than ground that is walked on, and has a corner on a step. Downhill of it lies the ground that
//!   it hides: it is given that one's plane.
//! Steps: 1. the ends of steps  2. slopes at them  3. downhill over other slopes to the ground  4. the heights of that at their corners
//! Cost: O(n log n) in the triangles at slopes; nothing for a mesh without steps.

use crate::{
    mesh::NONE,
    raw::{NO_CELL, RawNavMesh},
};
use std::collections::HashSet;
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::distance_squared_to_segment;

/// How much ground rises at most, over its length in plan: a step of a centimetre is twice as steep over a millimetre.
const STEEP: f64 = 5.0;

/// How wide slopes are at most [m]: a millimetre, one and a half at a corner.
const WIDEST: f64 = 2e-3;

/// Slopes that are not higher than this are ground [m]: steps so low are not known as steps.
const LEAST: f64 = 0.01;

/// Ground that is narrower and not level says nothing of the heights beside it [m], if no wider ground lies in its plane: it may be a part
/// of another slope.
const NEEDLE: f64 = 1e-3;

/// How much level ground rises, over its length in plan.
const LEVEL: f64 = 1e-3;

/// Heights of two planes of one ground may be so far apart [m].
const JOINED: f64 = 2e-3;

/// How far from a step points of the ground may lie that are on it [m]: they are rounded.
const ON_STEP: f64 = 1e-7;

/// How many slopes may lie before the ground: round a corner of a step there are three or four. And how many needles may lie before wider
/// ground.
const MOST_SLOPES: usize = 16;

/// Where the ground lies in the triangles that stand for steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    /// Which vertices of the mesh are ends of steps; empty where there are no slopes.
    is_end: Vec<bool>,
    /// The entry of each triangle in `heights`, [`NONE`] for ground; empty where there are no slopes.
    entry_of: Vec<u32>,
    /// How high the ground is at the corners of each slope.
    heights: Vec<[f64; 3]>,
}

impl Steps {
    pub fn build(raw: &RawNavMesh) -> Self {
        // 1.
        if raw.ground_triangles.is_empty() || raw.rises.iter().all(|&rise| rise == 0.0) {
            return Self::default();
        }
        let mut is_end = vec![false; raw.vertices.len()];
        for cell in 0..raw.cell_count() {
            let corners = raw.cell_starts[cell] as usize..raw.cell_starts[cell + 1] as usize;
            for k in corners.clone().filter(|&k| raw.rises[k] > 0.0 && raw.neighbours[k] != NO_CELL) {
                let next = if k + 1 == corners.end { corners.start } else { k + 1 };
                [k, next].into_iter().for_each(|k| is_end[raw.corners[k] as usize] = true);
            }
        }
        let bits = |p: DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
        let ends: HashSet<[u64; 3]> =
            (0..is_end.len()).filter(|&v| is_end[v]).map(|v| bits(raw.vertices[v])).collect();
        // 2.
        let mut is_gap = vec![false; raw.ground_triangles.len()];
        for cell in (0..raw.cell_count()).filter(|&cell| raw.gaps.get(cell).is_some_and(|gap| gap[1] > 0.0)) {
            raw.ground_list(cell).iter().for_each(|&t| is_gap[t as usize] = true);
        }
        let is_steep = |t: u32| {
            let corners = raw.ground_triangle(t);
            gradient(corners).length() > STEEP && width(corners) <= WIDEST
        };
        let has_end = |t: u32| raw.ground_triangle(t).iter().any(|&p| ends.contains(&bits(p)));
        let steep: Vec<u32> =
            (0..is_gap.len() as u32).filter(|&t| !is_gap[t as usize] && is_steep(t)).collect();
        let on_steps = on_steps(raw, &steep);
        let slopes: Vec<u32> = steep
            .into_iter()
            .zip(on_steps)
            .filter(|&(t, is_on)| is_on || has_end(t))
            .map(|slope| slope.0)
            .collect();
        if slopes.is_empty() {
            return Self::default();
        }
        // 3. and 4.
        let sides = sides_at(raw, &slopes);
        let mut steps = Self { is_end, entry_of: vec![NONE; is_gap.len()], heights: Vec::new() };
        for &t in &slopes {
            let below = ground_below(raw, &sides, t);
            let Some(ground) = below.and_then(|below| ground_of(raw, &sides, &is_gap, below)) else {
                continue;
            };
            let (plane, corners) = (raw.ground_triangle(ground), raw.ground_triangle(t));
            let rises = gradient(plane);
            let own = corners.map(|p| {
                let below = plane[0].z + rises.dot((p - plane[0]).truncate());
                if p.z - below > JOINED { below } else { p.z }
            });
            if (0..3).any(|k| corners[k].z - own[k] > LEAST) {
                steps.entry_of[t as usize] = steps.heights.len() as u32;
                steps.heights.push(own);
            }
        }
        steps
    }

    /// A triangle with its corners where the ground really lies.
    #[inline]
    pub fn lowered(&self, triangle: u32, corners: [DVec3; 3]) -> [DVec3; 3] {
        match self.entry_of.get(triangle as usize) {
            Some(&entry) if entry != NONE => {
                let heights = self.heights[entry as usize];
                [0, 1, 2].map(|k| corners[k].with_z(heights[k]))
            }
            _ => corners,
        }
    }

    /// Whether a vertex is the end of a step, so that its height is not that of all its cells.
    #[inline]
    pub fn is_end(&self, vertex: u32) -> bool {
        self.is_end.get(vertex as usize).is_some_and(|&is_end| is_end)
    }

    /// Whether there are any slopes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.heights.is_empty()
    }
}

/// The way up a triangle, by how much it rises there; not finite for a triangle that is none by rounding.
fn gradient([a, b, c]: [DVec3; 3]) -> DVec2 {
    let normal = (b - a).cross(c - a);
    -normal.truncate() / normal.z
}

/// How wide a triangle is in plan where it is narrowest [m].
fn width(corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners.map(DVec3::truncate);
    (b - a).perp_dot(c - a) / a.distance(b).max(b.distance(c)).max(c.distance(a))
}

/// 2. Which of some triangles, in the order of their numbers, have a corner on a step of a cell that they are the ground of.
fn on_steps(raw: &RawNavMesh, some: &[u32]) -> Vec<bool> {
    let mut is_on = vec![false; some.len()];
    let mut steps: Vec<[DVec2; 2]> = Vec::new();
    for cell in 0..raw.cell_count() {
        let corners = raw.cell_starts[cell] as usize..raw.cell_starts[cell + 1] as usize;
        let place = |k: usize| raw.vertices[raw.corners[k] as usize].truncate();
        steps.clear();
        steps.extend(corners.clone().filter(|&k| raw.rises[k] > 0.0 && raw.neighbours[k] != NO_CELL).map(
            |k| {
                let next = if k + 1 == corners.end { corners.start } else { k + 1 };
                [place(k), place(next)]
            },
        ));
        if steps.is_empty() {
            continue;
        }
        for t in raw.ground_list(cell) {
            let Ok(number) = some.binary_search(t) else { continue };
            let near = |p: DVec3, [a, b]: [DVec2; 2]| {
                distance_squared_to_segment(p.truncate(), a, b) <= ON_STEP * ON_STEP
            };
            is_on[number] = is_on[number]
                || raw.ground_triangle(*t).iter().any(|&p| steps.iter().any(|&step| near(p, step)));
        }
    }
    is_on
}

/// The sides, from a point to a point, of all triangles that share a point with some, sorted.
fn sides_at(raw: &RawNavMesh, some: &[u32]) -> Vec<([u32; 2], u32)> {
    let mut is_near = vec![false; raw.ground_points.len()];
    let points = |t: u32| raw.ground_triangles[t as usize];
    some.iter().flat_map(|&t| points(t)).for_each(|p| is_near[p as usize] = true);
    let mut sides = Vec::new();
    for t in 0..raw.ground_triangles.len() as u32 {
        let [a, b, c] = points(t);
        if [a, b, c].iter().any(|&p| is_near[p as usize]) {
            sides.extend([[a, b], [b, c], [c, a]].map(|side| (side, t)));
        }
    }
    sides.sort_unstable();
    sides
}

/// 3. The first triangle downhill that is not steep.
fn ground_below(raw: &RawNavMesh, sides: &[([u32; 2], u32)], slope: u32) -> Option<u32> {
    let mut at = slope;
    for _ in 0..MOST_SLOPES {
        let (points, corners) = (raw.ground_triangles[at as usize], raw.ground_triangle(at));
        let up = gradient(corners);
        if up.length() <= STEEP {
            return Some(at);
        }
        // Out of a side is to its right.
        let uphill = |k: &usize| {
            let along = (corners[(k + 1) % 3] - corners[*k]).truncate().normalize_or_zero();
            -along.perp().dot(up)
        };
        let lowest = (0..3).min_by(|a, b| uphill(a).total_cmp(&uphill(b)))?;
        at = beyond(sides, [points[lowest], points[(lowest + 1) % 3]])?;
    }
    None
}

/// The triangle on the other side of one.
fn beyond(sides: &[([u32; 2], u32)], [from, to]: [u32; 2]) -> Option<u32> {
    let back = [to, from];
    let first = sides.partition_point(|side| side.0 < back);
    sides.get(first).filter(|side| side.0 == back).map(|side| side.1)
}

/// 4. Ground that a triangle is a part of: itself or, of a needle, the nearest in its plane that is wider.
fn ground_of(raw: &RawNavMesh, sides: &[([u32; 2], u32)], is_gap: &[bool], part: u32) -> Option<u32> {
    let corners = raw.ground_triangle(part);
    let mut seen = vec![part];
    for next in 0..MOST_SLOPES {
        let &at = seen.get(next)?;
        let plane = raw.ground_triangle(at);
        let rises = gradient(plane);
        // Of steep ground and of gaps nothing is known beyond them either.
        if is_gap[at as usize] || rises.length() > STEEP || !rises.is_finite() {
            continue;
        }
        let is_in_plane = || {
            corners.iter().all(|p| (plane[0].z + rises.dot((*p - plane[0]).truncate()) - p.z).abs() <= JOINED)
        };
        if (width(plane) > NEEDLE || rises.length() < LEVEL) && is_in_plane() {
            return Some(at);
        }
        let [a, b, c] = raw.ground_triangles[at as usize];
        for side in [[a, b], [b, c], [c, a]] {
            seen.extend(beyond(sides, side).filter(|other| !seen.contains(other)));
        }
    }
    None
}
