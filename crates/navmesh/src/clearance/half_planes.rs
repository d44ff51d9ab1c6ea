//! What lines are compared with first: for each feature near a cell a half-plane that keeps away from it.
//!
//! Idea: a point that is so far in front of an edge's line is as far from the edge at least, and one that is so far ahead of a corner, in the
//! middle of its directions, as far from the corner. Both are the same two products of a point with three numbers, and a line
//! whose ends are far enough ahead is so all along. Most features of a list are done with that; the others are looked at exactly.
//! Promises: a line that is called free is, whatever rounding does.
//! Cost: 24 bytes per entry of the lists; not stored.

use super::data::Clearance;
use crate::mesh::{CellId, NavMesh};
use wayfare_core::{DVec2, Id as _};

/// A unit vector, and how far along it the feature lies [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HalfPlane {
    ahead: DVec2,
    from: f64,
}

impl HalfPlane {
    /// Whether all of a line is so far ahead [m].
    #[inline]
    pub fn holds(&self, [from, to]: [DVec2; 2], distance: f64) -> bool {
        let least = self.from + distance;
        self.ahead.dot(from) >= least && self.ahead.dot(to) >= least
    }
}

/// A cell has a notch.
const NOTCH: u8 = 1;
/// A cell has very many features.
const MANY: u8 = 2;

/// The half-planes of all lists, and what else lines ask of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct HalfPlanes {
    /// One per entry of the lists.
    pub of_entries: Vec<HalfPlane>,
    /// For each cell [`NOTCH`] and [`MANY`].
    flags: Vec<u8>,
    /// What rounding may take off a distance, and more [m].
    pub slack: f64,
}

impl HalfPlanes {
    pub fn of(mesh: &NavMesh, clearance: &Clearance) -> Self {
        let half_plane = |&id: &_| {
            let feature = clearance.features.get(id);
            let ahead = if feature.is_edge() { feature.normal() } else { feature.axis };
            HalfPlane { ahead, from: ahead.dot(feature.at) }
        };
        let flags = |cell: CellId| {
            let has_notch = !mesh.notches(cell).is_empty();
            let has_many = clearance.by_place.of_cell(cell).is_some();
            u8::from(has_notch) * NOTCH | u8::from(has_many) * MANY
        };
        Self {
            of_entries: clearance.parts.lists.iter().map(half_plane).collect(),
            flags: mesh.cells().map(flags).collect(),
            slack: 1e-9 + 16.0 * clearance.hair,
        }
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
}
