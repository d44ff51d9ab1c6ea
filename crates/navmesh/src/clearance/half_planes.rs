//! What lines are compared with first: for each feature near a cell a half-plane that keeps away from it.
//!
//! Idea: a point that is so far in front of an edge's line is as far from the edge at least, and one that is so far ahead of a corner, in the
//! middle of its directions, as far from the corner. Both are the same two products of a point with three numbers, and a line
//! whose ends are far enough ahead is so all along. Four features at a time are few vector operations, and most are done with
//! that; the others are looked at exactly.
//! Promises: a line that is called free is, whatever rounding does.
//! Cost: 12 bytes per entry of the lists, rounded up to four entries per cell; not stored.

use super::data::Clearance;
use crate::mesh::{CellId, NavMesh};
use wayfare_core::{DVec2, Id as _};

/// Features that are compared with at once.
const AT_ONCE: usize = 4;

/// Of some features the coordinates of unit vectors, and how far along these the features lie [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FewPlanes {
    x: [f32; AT_ONCE],
    y: [f32; AT_ONCE],
    from: [f32; AT_ONCE],
}

/// Where there is no feature: all points are ahead.
const NOWHERE: FewPlanes =
    FewPlanes { x: [0.0; AT_ONCE], y: [0.0; AT_ONCE], from: [f32::NEG_INFINITY; AT_ONCE] };

impl FewPlanes {
    /// How far all of a line is ahead of each feature at least [m].
    #[inline]
    fn ahead(&self, line: [[f32; 2]; 2]) -> [f32; AT_ONCE] {
        let mut least = [f32::INFINITY; AT_ONCE];
        for [x, y] in line {
            for (k, least) in least.iter_mut().enumerate() {
                let ahead = self.x[k] * x + self.y[k] * y - self.from[k];
                *least = if ahead < *least { ahead } else { *least };
            }
        }
        least
    }
}

/// The half-planes of all lists, and what else lines ask of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct HalfPlanes {
    planes: Vec<FewPlanes>,
    /// Where those of each cell start; one more at the end.
    starts: Vec<u32>,
    /// For each cell [`NOTCH`] and [`MANY`].
    flags: Vec<u8>,
    /// What rounding may take off a distance, and more [m].
    slack: f64,
}

/// A cell has a notch.
const NOTCH: u8 = 1;
/// A cell has very many features.
const MANY: u8 = 2;

impl HalfPlanes {
    pub fn of(mesh: &NavMesh, clearance: &Clearance) -> Self {
        let mut all = Self::default();
        let mut farthest = 1.0f64;
        for cell in mesh.cells() {
            let has_notch = !mesh.notches(cell).is_empty();
            let has_many = clearance.by_place.of_cell(cell).is_some();
            all.flags.push((u8::from(has_notch) * NOTCH) | (u8::from(has_many) * MANY));
            all.starts.push(all.planes.len() as u32);
            let list = if has_many { &[] } else { clearance.list(cell) };
            for few in list.chunks(AT_ONCE) {
                let mut planes = NOWHERE;
                for (k, &id) in few.iter().enumerate() {
                    let feature = clearance.features.get(id);
                    let ahead = if feature.is_edge() { feature.normal() } else { feature.axis };
                    (planes.x[k], planes.y[k]) = (ahead.x as f32, ahead.y as f32);
                    planes.from[k] = ahead.dot(feature.at) as f32;
                    farthest = farthest.max(feature.at.x.abs()).max(feature.at.y.abs());
                }
                all.planes.push(planes);
            }
        }
        all.starts.push(all.planes.len() as u32);
        // Of two products, their sum and three numbers each half a unit in the last place may be lost.
        all.slack = 16.0 * f64::from(f32::EPSILON) * farthest;
        all
    }

    #[inline]
    pub fn has_notch(&self, cell: CellId) -> bool {
        self.flags[cell.index()] & NOTCH != 0
    }

    /// Whether the features of a cell are so many that they are looked at by place.
    #[inline]
    pub fn has_many(&self, cell: CellId) -> bool {
        self.flags[cell.index()] & MANY != 0
    }

    /// Whether a line keeps a distance from all features of a cell; `is_free` is asked for some of them, by their places in its list.
    #[inline]
    pub fn all(
        &self,
        cell: CellId,
        line: [DVec2; 2],
        distance: f64,
        mut is_free: impl FnMut(usize) -> bool,
    ) -> bool {
        let [from, to] = [0, 1].map(|next| self.starts[cell.index() + next] as usize);
        let line = line.map(|p| [p.x as f32, p.y as f32]);
        let distance = (distance + self.slack) as f32;
        self.planes[from..to].iter().enumerate().all(|(group, planes)| {
            let ahead = planes.ahead(line);
            let [a, b, c, d] = ahead;
            if (a >= distance) & (b >= distance) & (c >= distance) & (d >= distance) {
                return true;
            }
            ahead.iter().enumerate().all(|(k, &ahead)| ahead >= distance || is_free(group * AT_ONCE + k))
        })
    }
}
