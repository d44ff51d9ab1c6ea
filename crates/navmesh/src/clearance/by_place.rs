//! The features of cells that have very many, by place.
//!
//! Idea: a room with thousands of holes may be cut into cells each of which has thousands of features near it. A point
//! is near few of them: they lie in strips across the cell, and strips are looked at from the point outwards until the next one
//! is farther than the nearest feature so far. What is longer than a few strips is always looked at.
//! Promises: no feature with a foot within the distance asked for is left out.
//! Cost: O(list) to make, for long lists only; a question O(features of a few strips).

use super::{Clearances, data::Clearance};
use crate::mesh::{CellId, NavMesh};
use wayfare_core::{DVec2, Id as _};

/// Shorter lists are looked through one by one.
const MANY: usize = 128;
/// Features per strip, about.
const PER_STRIP: usize = 8;
/// What meets more strips is kept apart.
const MOST_STRIPS: usize = 8;

/// The long lists of a mesh by place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ByPlace {
    /// The strips of each cell, one more than their number; empty if no cell has any.
    of_cells: Vec<u32>,
    strips: Vec<Strips>,
}

/// The features of a cell in strips.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strips {
    axis: DVec2,
    /// Where the first begins along the axis, and how wide each is [m].
    from: f64,
    width: f64,
    /// Where each strip's entries start; one more than strips.
    starts: Vec<u32>,
    /// Places in the lists of all cells.
    entries: Vec<u32>,
    long: Vec<u32>,
}

impl ByPlace {
    pub fn of(mesh: &NavMesh, clearance: &Clearance) -> Self {
        let mut by_place = Self::default();
        for cell in mesh.cells() {
            if clearance.list_range(cell).len() < MANY {
                continue;
            }
            if by_place.of_cells.is_empty() {
                by_place.of_cells = vec![0; mesh.cell_count()];
            }
            by_place.strips.push(Strips::of(mesh, clearance, cell));
            by_place.of_cells[cell.index()] = by_place.strips.len() as u32;
        }
        by_place
    }

    #[inline]
    pub fn of_cell(&self, cell: CellId) -> Option<&Strips> {
        let number = *self.of_cells.get(cell.index())? as usize;
        self.strips.get(number.checked_sub(1)?)
    }
}

impl Strips {
    fn of(mesh: &NavMesh, clearance: &Clearance, cell: CellId) -> Self {
        let hair = clearance.hair;
        let first = mesh.cell_points(cell).next().unwrap_or_default();
        let (min, max) =
            mesh.cell_points(cell).fold((first, first), |(min, max), p| (min.min(p), max.max(p)));
        let axis = if (max - min).x >= (max - min).y { DVec2::X } else { DVec2::Y };
        let (from, to) = (min.dot(axis), max.dot(axis));
        let range = clearance.list_range(cell);
        let count = (range.len() / PER_STRIP).max(1);
        let width = ((to - from) / count as f64).max(hair);
        let mut strips = Self { axis, from, width, starts: vec![0], entries: Vec::new(), long: Vec::new() };
        let mut placed: Vec<(u32, u32)> = Vec::new();
        for (k, (id, low, high)) in range.zip(clearance.list_with_ranges(cell)) {
            let feature = clearance.features.get(id);
            let feet =
                if feature.is_edge() { [low, high].map(|at| feature.foot(at)) } else { [feature.at; 2] };
            let along = feet.map(|foot| foot.dot(axis));
            // A point in front of an edge may be off its end by a hair.
            let [low, high] = [along[0].min(along[1]) - 2.0 * hair, along[0].max(along[1]) + 2.0 * hair];
            let (first, last) = (strips.bucket(low, count), strips.bucket(high, count));
            if last - first >= MOST_STRIPS {
                strips.long.push(k as u32);
            } else {
                placed.extend((first..=last).map(|strip| (strip as u32, k as u32)));
            }
        }
        placed.sort_unstable();
        let start = |strip: usize| placed.partition_point(|&(other, _)| (other as usize) < strip) as u32;
        strips.starts = (0..=count).map(start).collect();
        strips.entries = placed.into_iter().map(|(_, k)| k).collect();
        strips
    }

    /// The strip of a place along the axis; the first or last one beyond the ends.
    fn bucket(&self, along: f64, count: usize) -> usize {
        // As a whole number it is within the range, whatever it was.
        (((along - self.from) / self.width) as usize).min(count - 1)
    }

    /// Visits entries from a line outwards, some more than once; `visit` says how far away ones still matter [m].
    pub fn for_each_near(&self, line: [DVec2; 2], mut visit: impl FnMut(usize) -> f64) {
        let count = self.starts.len() - 1;
        let along = line.map(|p| p.dot(self.axis));
        let (low, high) = (along[0].min(along[1]), along[0].max(along[1]));
        let (mut first, mut last) = (self.bucket(low, count), self.bucket(high, count));
        let mut reach = f64::INFINITY;
        for &k in &self.long {
            reach = visit(k as usize);
        }
        let entries = |strips: std::ops::RangeInclusive<usize>| {
            let (from, to) = (self.starts[*strips.start()], self.starts[*strips.end() + 1]);
            &self.entries[from as usize..to as usize]
        };
        for &k in entries(first..=last) {
            reach = visit(k as usize);
        }
        // A NaN ends it.
        loop {
            let goes_down = first > 0 && low - (self.from + self.width * first as f64) <= reach;
            if goes_down {
                first -= 1;
                for &k in entries(first..=first) {
                    reach = visit(k as usize);
                }
            }
            let goes_up = last + 1 < count && self.from + self.width * (last + 1) as f64 - high <= reach;
            if goes_up {
                last += 1;
                for &k in entries(last..=last) {
                    reach = visit(k as usize);
                }
            }
            if !goes_down && !goes_up {
                return;
            }
        }
    }
}

impl Clearances<'_> {
    /// Visits the features of a cell that may be nearest to some point of a line in it, by their places in the lists of all
    /// cells, and some more; `visit` says how far away ones still matter [m].
    #[inline]
    pub(crate) fn for_each_near(&self, cell: CellId, line: [DVec2; 2], mut visit: impl FnMut(usize) -> f64) {
        match self.data.by_place.of_cell(cell) {
            Some(strips) => strips.for_each_near(line, visit),
            None => self.data.list_range(cell).for_each(|k| {
                visit(k);
            }),
        }
    }

    /// Visits the features of a cell that may be within a distance of a line in it, and some more, as long as `visit` wishes.
    #[inline]
    pub(crate) fn while_near(
        &self,
        cell: CellId,
        line: [DVec2; 2],
        distance: f64,
        mut visit: impl FnMut(usize) -> bool,
    ) {
        match self.data.by_place.of_cell(cell) {
            Some(strips) => {
                let mut goes_on = true;
                strips.for_each_near(line, |k| {
                    goes_on = goes_on && visit(k);
                    if goes_on { distance } else { f64::NEG_INFINITY }
                });
            }
            None => {
                self.data.list_range(cell).all(visit);
            }
        }
    }
}
