//! Storeys: few sets of cells, no two of one set over each other.
//!
//! Idea: ground is given its storey as it is walked, lowest first. A cell gets the storey of the cell it was reached
//!   from, so that what hangs together stays together; where it would lie over something of that storey, it gets the
//!   lowest storey in which it does not.
//! Steps: 1. pairs of cells that cannot be on one storey, from a grid whose squares are as large as the cells in them
//!   2. walk through portals, lowest mean height first  3. number storeys by their mean height, lowest 0
//! Promises: cells of one storey do not overlap (exact), and no vertex lies on another's edge (N3). Cost: O(n log n) for n cells and pairs.

use crate::ground_lists;
use rayon::prelude::*;
use std::{cmp::Reverse, collections::BinaryHeap};
use wayfare_core::{DVec2, Tolerance};
use wayfare_geom::{
    Aabb2,
    predicates::{is_between, orient},
    segment::nearest_on_segment,
    triangulation::Triangulation,
};
use wayfare_navmesh::{NO_CELL, RawNavMesh, SPLIT_POINT};

/// The storey of every cell; `is_wide` says of a vertex that the ground goes round it once or more.
pub(crate) fn find_storeys(raw: &RawNavMesh, is_wide: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
    let count = raw.cell_count();
    let overlaps = Overlaps::find(raw, is_wide);
    let heights: Vec<f64> = (0..count).map(|cell| mean_height(raw, cell)).collect();

    // 2. Nothing that waits is higher than what comes after it: heights as bits in their order.
    let mut storeys = vec![NO_CELL; count];
    let mut used = 0;
    let mut seeds: Vec<u32> = (0..count as u32).collect();
    seeds.sort_by(|&a, &b| heights[a as usize].total_cmp(&heights[b as usize]).then(a.cmp(&b)));
    let mut waiting: BinaryHeap<Reverse<(i64, u32, u32)>> = BinaryHeap::new();
    let mut taken = Vec::new();
    for seed in seeds {
        waiting.push(Reverse((0, seed, 0)));
        while let Some(Reverse((_, cell, wanted))) = waiting.pop() {
            if storeys[cell as usize] != NO_CELL {
                continue;
            }
            taken.clear();
            taken.extend(overlaps.of(cell).iter().map(|&other| storeys[other as usize]));
            let storey = std::iter::once(wanted).chain(0..=used).find(|storey| !taken.contains(storey));
            let storey = storey.unwrap_or(used);
            used = used.max(storey + 1);
            storeys[cell as usize] = storey;
            for &other in neighbours(raw, cell) {
                if other != NO_CELL && storeys[other as usize] == NO_CELL {
                    waiting.push(Reverse((order_bits(heights[other as usize]), other, storey)));
                }
            }
        }
    }

    // 3.
    let mut sums = vec![(0.0, 0u32); used as usize];
    for (&storey, height) in storeys.iter().zip(&heights) {
        sums[storey as usize].0 += height;
        sums[storey as usize].1 += 1;
    }
    let mean = |storey: u32| sums[storey as usize].0 / f64::from(sums[storey as usize].1.max(1));
    let mut order: Vec<u32> = (0..used).collect();
    order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)).then(a.cmp(&b)));
    let mut number = vec![0; used as usize];
    for (new, &storey) in order.iter().enumerate() {
        number[storey as usize] = new as u32;
    }
    storeys.iter().map(|&storey| number[storey as usize]).collect()
}

/// An integer that sorts as the number does.
fn order_bits(height: f64) -> i64 {
    let bits = height.to_bits() as i64;
    bits ^ ((bits >> 63) & i64::MAX)
}

fn corner_range(raw: &RawNavMesh, cell: u32) -> std::ops::Range<usize> {
    raw.cell_starts[cell as usize] as usize..raw.cell_starts[cell as usize + 1] as usize
}

fn neighbours(raw: &RawNavMesh, cell: u32) -> &[u32] {
    &raw.neighbours[corner_range(raw, cell)]
}

fn mean_height(raw: &RawNavMesh, cell: usize) -> f64 {
    let range = corner_range(raw, cell as u32);
    let count = range.len() as f64;
    raw.corners[range].iter().map(|&v| raw.vertices[v as usize].z).sum::<f64>() / count
}

/// Pairs of cells that cannot be on one storey: offsets and a flat list.
struct Overlaps {
    starts: Vec<u32>,
    cells: Vec<u32>,
}

impl Overlaps {
    fn of(&self, cell: u32) -> &[u32] {
        &self.cells[self.starts[cell as usize] as usize..self.starts[cell as usize + 1] as usize]
    }

    /// Step 1. Each cell is entered once, at its least corner, into a grid of squares at least as large as itself, and
    /// is compared with those of its own and of all larger squares round it.
    fn find(raw: &RawNavMesh, is_wide: impl Fn(u32) -> bool + Sync) -> Self {
        let count = raw.cell_count();
        let shapes: Vec<Vec<Vec<DVec2>>> = (0..count as u32)
            .into_par_iter()
            .map(|cell| convex_parts(raw, cell, raw.convex_distance > 0.0))
            .collect();
        let bounds: Vec<Aabb2> =
            shapes.iter().map(|shape| Aabb2::of_points(shape.iter().flatten().copied())).collect();
        let extent = Aabb2::of_points(raw.vertices.iter().map(|p| p.truncate())).extent();
        let on_line = Tolerance::of_extent(extent).on_line;
        let grown = |bounds: &Aabb2| Aabb2 { min: bounds.min - on_line, max: bounds.max + on_line };
        let near: Vec<Aabb2> = bounds.iter().map(grown).collect();
        let levels: Vec<i32> = bounds.iter().map(|bounds| level(bounds.size().max_element())).collect();
        let square = |level: i32, p: DVec2| {
            let size = f64::from_bits(((level + 1023) as u64) << 52);
            [p.x, p.y].map(|x| (x / size).floor() as i64)
        };
        let mut entries: Vec<(i32, [i64; 2], u32)> = (0..count)
            .map(|cell| (levels[cell], square(levels[cell], bounds[cell].min), cell as u32))
            .collect();
        entries.sort_unstable();
        let mut distinct = levels.clone();
        distinct.sort_unstable();
        distinct.dedup();

        // Convex cells lie on either side of their portal, however its ends were rounded.
        let is_beyond_portal = |cell: u32, other: u32| {
            neighbours(raw, other).contains(&cell)
                && [cell, other].iter().all(|&cell| shapes[cell as usize].len() == 1)
        };
        // Nor do cells round one vertex lie over each other, but where they go round it more than once. All others are compared as
        // they are, with the notches that rounding left them.
        let vertices = |cell: u32| raw.corners[corner_range(raw, cell)].iter();
        let hang_together = |cell: u32, other: u32| {
            let mut shared = vertices(cell).filter(|&v| vertices(other).any(|w| v == w)).peekable();
            shared.peek().is_some() && !shared.any(|&v| is_wide(v))
        };
        let overlap_by_a_hair = |cell: u32, other: u32| {
            let is_notched =
                |&cell: &u32| shapes[cell as usize].len() == 1 && !is_convex(&shapes[cell as usize][0]);
            [cell, other].iter().any(is_notched)
                && !hang_together(cell, other)
                && overlap(&convex_parts(raw, cell, true), &convex_parts(raw, other, true))
        };
        let own = |cell: usize| {
            let mut pairs: Vec<[u32; 2]> = Vec::new();
            let (own, shape) = (levels[cell], &shapes[cell]);
            for &level in &distinct[distinct.partition_point(|&level| level < own)..] {
                let [x0, y0] = square(level, bounds[cell].min);
                let [x1, y1] = square(level, bounds[cell].max);
                for x in x0 - 1..=x1 {
                    let first = entries.partition_point(|entry| (entry.0, entry.1) < (level, [x, y0 - 1]));
                    for &(_, _, other) in
                        entries[first..].iter().take_while(|entry| (entry.0, entry.1) <= (level, [x, y1]))
                    {
                        let is_first = level > own || (cell as u32) < other;
                        if is_first
                            && bounds[cell].touches(bounds[other as usize])
                            && (!is_beyond_portal(cell as u32, other)
                                && (overlap(shape, &shapes[other as usize])
                                    || overlap_by_a_hair(cell as u32, other))
                                || hangs(raw, [cell as u32, other], near[other as usize], on_line)
                                || hangs(raw, [other, cell as u32], near[cell], on_line))
                        {
                            pairs.extend([[cell as u32, other], [other, cell as u32]]);
                        }
                    }
                }
            }
            pairs
        };
        let mut pairs: Vec<[u32; 2]> = (0..count).into_par_iter().flat_map_iter(own).collect();
        pairs.sort_unstable();
        let mut starts = vec![0u32; count + 1];
        for pair in &pairs {
            starts[pair[0] as usize + 1] += 1;
        }
        for k in 0..count {
            starts[k + 1] += starts[k];
        }
        Self { starts, cells: pairs.into_iter().map(|[_, other]| other).collect() }
    }
}

/// The exponent of the least power of two above a size; millimetres and less are one.
fn level(size: f64) -> i32 {
    (((size.to_bits() >> 52) & 0x7ff) as i32 - 1022).max(-9)
}

fn is_convex(ring: &[DVec2]) -> bool {
    let n = ring.len();
    (0..n).all(|k| orient(ring[k], ring[(k + 1) % n], ring[(k + 2) % n]) >= 0.0)
}

/// A cell as convex polygons: itself, or triangles where relaxation or, if it counts, rounding left it notches.
fn convex_parts(raw: &RawNavMesh, cell: u32, notches_count: bool) -> Vec<Vec<DVec2>> {
    let ring: Vec<DVec2> =
        raw.corners[corner_range(raw, cell)].iter().map(|&v| raw.vertices[v as usize].truncate()).collect();
    if !notches_count || is_convex(&ring) {
        return vec![ring];
    }
    match Triangulation::build(std::slice::from_ref(&ring)) {
        Ok(mesh) => (0..mesh.half_edge_count() as u32)
            .filter(|&h| mesh.is_inside(h) && h < mesh.next(h) && h < mesh.prev(h))
            .map(|h| [h, mesh.next(h), mesh.prev(h)].map(|h| mesh.point(mesh.origin(h))).to_vec())
            .collect(),
        // Rounded points can make a ring touch itself; its outline then stands for it.
        Err(_) => vec![ring],
    }
}

/// Whether the insides of two shapes meet.
fn overlap(a: &[Vec<DVec2>], b: &[Vec<DVec2>]) -> bool {
    a.iter().any(|a| b.iter().any(|b| ground_lists::overlap(a, b)))
}

/// Whether a vertex of the first cell lies inside an edge of the second, or of a rounded one is meant to (N3); `near` is where edges of
/// the second are, or all but.
fn hangs(raw: &RawNavMesh, [cell, other]: [u32; 2], near: Aabb2, on_line: f64) -> bool {
    let (own, edges) = (corner_range(raw, cell), corner_range(raw, other));
    let point = |corner: usize| raw.vertices[raw.corners[corner] as usize].truncate();
    own.into_iter().any(|corner| {
        let p = point(corner);
        if !near.contains(p) {
            return false;
        }
        let is_split = raw.vertex_flags[raw.corners[corner] as usize] & SPLIT_POINT != 0;
        edges.clone().any(|edge| {
            let after = if edge + 1 == edges.end { edges.start } else { edge + 1 };
            let (a, b) = (point(edge), point(after));
            let is_inside = is_between(a, b, p);
            // A last digit beside an end it has to be between: storeys over each other split edges at nearly one place.
            let is_meant = || {
                p.distance(nearest_on_segment(p, a, b)) <= on_line
                    && (is_inside || p.distance(a).min(p.distance(b)) > on_line)
            };
            p != a && p != b && (orient(a, b, p) == 0.0 && is_inside || is_split && is_meant())
        })
    })
}
