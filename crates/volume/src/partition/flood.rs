//! Which cells are free space: those that a body reaches, on the same side of the surface.
//!
//! Steps: 1. the winding number of every cell, where the scene is closed enough to say  2. openings as wide as a body; those
//!   that are so only together, in one plane, count too  3. cells joined through them, if their winding numbers are the same
//!   4. the part of the start, or the largest  5. cells too narrow for a body that open into it: corners, which lead nowhere.
//! Rooms that are drawn from within (winding number −1) are taken before the void round them: who draws a wall's inner
//! face says where the air is.

use super::{
    cells::{Cell, Opening},
    winding::Winding,
};
use crate::polygon::{self, united};
use rayon::prelude::*;
use wayfare_core::DVec3;
use wayfare_geom::{TriangleMesh, bvh::Aabb3};

/// A winding number this near to a whole one is taken for it.
const NEAR_WHOLE: f64 = 0.2;
/// Share of the free volume whose winding numbers are near whole ones in a scene that is closed enough.
const CLOSED: f64 = 0.9;
/// A room drawn from within is taken before the void if it has this share of the free volume.
const ROOM: f64 = 0.01;

/// Cells whose winding numbers are asked at once, on all threads; then twice as many.
const AT_ONCE: usize = 512;
/// Openings of one plane that are looked at together: all pairs are tried.
const MOST_TOGETHER: usize = 64;

pub(super) struct Flood {
    /// Whether each cell is free space.
    pub(super) reached: Vec<bool>,
    /// The winding number of the free space, if it was asked.
    pub(super) winding: Option<i32>,
    /// How many parts of free cells there are.
    pub(super) parts: usize,
    /// How wide the box round the free space is along the axis where that is least [m]; and how wide that of any part is, if openings of
    /// every width join.
    pub(super) widths: [f64; 2],
}

/// Steps 1 to 5; `start` is the cell to reach the others from.
pub(super) fn flood(
    cells: &[Cell],
    openings: &mut [Opening],
    mesh: &TriangleMesh,
    width: f64,
    tolerance: f64,
    start: Option<u32>,
) -> Flood {
    // 1.
    let tree = Winding::new(mesh);
    let all: f64 = cells.iter().filter(|cell| cell.is_free).map(|cell| cell.volume).sum();
    let closed = if mesh.triangles.is_empty() { None } else { winding_numbers(cells, &tree, all) };
    let is_closed = closed.is_some();
    let whole = closed.unwrap_or_else(|| vec![0; cells.len()]);
    // 2.
    openings.par_chunk_by_mut(|a, b| a.plane == b.plane).for_each(|openings| {
        openings.chunks_mut(MOST_TOGETHER).for_each(|openings| mark_wide(openings, width, tolerance));
    });
    // 3.
    let mut sets = Sets::new(cells.len());
    for opening in openings.iter() {
        let [a, b] = opening.cells.map(|cell| cell as usize);
        if opening.is_wide && cells[a].is_free && cells[b].is_free && whole[a] == whole[b] {
            sets.join(a, b);
        }
    }
    // 4.
    let mut volumes = vec![0.0; cells.len()];
    for (k, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.is_free) {
        volumes[sets.root(k)] += cell.volume;
    }
    let parts = (0..cells.len()).filter(|&k| cells[k].is_free && sets.root(k) == k).count();
    let largest = |only: &dyn Fn(usize) -> bool| {
        let roots = (0..cells.len()).filter(|&k| cells[k].is_free && volumes[k] > 0.0 && only(k));
        roots.max_by(|&a, &b| volumes[a].total_cmp(&volumes[b]).then(b.cmp(&a)))
    };
    let room = largest(&|k| whole[k] < 0).filter(|&k| is_closed && volumes[k] >= ROOM * all);
    let chosen = match start {
        Some(cell) => Some(sets.root(cell as usize)),
        None => room.or_else(|| largest(&|_| true)),
    };
    let reached: Vec<bool> =
        (0..cells.len()).map(|k| cells[k].is_free && Some(sets.root(k)) == chosen).collect();
    let width = widest(cells, (0..cells.len()).filter(|&k| reached[k]).map(|k| (k, 0)));
    for opening in openings.iter() {
        let [a, b] = opening.cells.map(|cell| cell as usize);
        if cells[a].is_free && cells[b].is_free && whole[a] == whole[b] {
            sets.join(a, b);
        }
    }
    let start = start.map(|cell| sets.root(cell as usize));
    let parts_of = (0..cells.len()).filter(|&k| cells[k].is_free).map(|k| (k, sets.root(k)));
    let any_width = widest(cells, parts_of.filter(|part| start.is_none_or(|start| start == part.1)));
    let winding = chosen.filter(|_| is_closed).map(|k| whole[k]);
    Flood { reached, winding, parts, widths: [width, any_width] }
}

/// The narrowest side of the box round the part of cells for which that is most; each cell with the number of its part.
fn widest(cells: &[Cell], parts: impl Iterator<Item = (usize, usize)>) -> f64 {
    let mut areas = vec![Aabb3::EMPTY; cells.len()];
    for (cell, part) in parts {
        areas[part] = areas[part].union(Aabb3::of_points(cells[cell].body.vertices.iter().copied()));
    }
    areas.iter().map(|area| (area.max - area.min).min_element()).fold(0.0, f64::max)
}

/// Step 1: the winding numbers of all free cells, if enough of the free volume `all` has whole ones. The largest are looked at first: where
/// they say that the scene is open, the others are not asked.
fn winding_numbers(cells: &[Cell], tree: &Winding, all: f64) -> Option<Vec<i32>> {
    let mut order: Vec<usize> = (0..cells.len()).filter(|&k| cells[k].is_free).collect();
    order.sort_by(|&a, &b| cells[b].volume.total_cmp(&cells[a].volume).then(a.cmp(&b)));
    let mut whole = vec![0; cells.len()];
    let mut open = 0.0;
    let (mut rest, mut count) = (order.as_mut_slice(), AT_ONCE);
    while !rest.is_empty() {
        let (some, others) = rest.split_at_mut(count.min(rest.len()));
        (rest, count) = (others, 2 * count);
        // Neighbours in the tree of cuts look at the same triangles.
        some.sort_unstable();
        let numbers: Vec<f64> = some.par_iter().map(|&k| tree.at(cells[k].body.middle())).collect();
        for (&k, number) in some.iter().zip(numbers) {
            whole[k] = number.round() as i32;
            if (number - number.round()).abs() >= NEAR_WHOLE {
                open += cells[k].volume;
            }
        }
        if open > (1.0 - CLOSED) * all {
            return None;
        }
    }
    Some(whole)
}

/// Step 2 for openings of one plane.
fn mark_wide(openings: &mut [Opening], width: f64, tolerance: f64) {
    let mut narrow = false;
    for opening in openings.iter_mut() {
        opening.is_wide = polygon::width(&opening.points) >= width;
        narrow |= !opening.is_wide;
    }
    if !narrow || openings.len() < 2 {
        return;
    }
    // Unions of openings, each with its box and its members.
    let area = |points: &[DVec3]| Aabb3::of_points(points.iter().copied());
    let mut unions: Vec<(Vec<DVec3>, Aabb3, Vec<usize>)> = openings
        .iter()
        .enumerate()
        .map(|(k, opening)| (opening.points.clone(), area(&opening.points), vec![k]))
        .collect();
    let normal = polygon::area_vector(&unions[0].0).normalize_or_zero();
    let mut k = 0;
    while k < unions.len() {
        let (own, Aabb3 { min, max }, _) = &unions[k];
        let around = Aabb3 { min: *min - tolerance, max: *max + tolerance };
        let join = (0..unions.len())
            .filter(|&j| j != k && unions[j].1.meets(&around))
            .find_map(|j| united(own, &unions[j].0, normal, tolerance).map(|points| (j, points)));
        let Some((j, points)) = join else {
            k += 1;
            continue;
        };
        let members = std::mem::take(&mut unions[j].2);
        unions[k].1 = area(&points);
        unions[k].0 = points;
        unions[k].2.extend(members);
        unions.remove(j);
        k -= usize::from(j < k);
    }
    for (points, _, members) in unions {
        if members.len() > 1 && polygon::width(&points) >= width {
            for k in members {
                openings[k].is_wide = true;
            }
        }
    }
}

/// Disjoint sets; the root is the smallest member.
pub(crate) struct Sets(Vec<u32>);

impl Sets {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }
    pub(crate) fn root(&mut self, mut k: usize) -> usize {
        while self.0[k] as usize != k {
            self.0[k] = self.0[self.0[k] as usize];
            k = self.0[k] as usize;
        }
        k
    }
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b) as u32;
    }
}
