//! Gaps that one steps over: cells that are no ground, and portals with a step.

use crate::{
    mesh::{CellId, CornerId, NavMesh, PortalId},
    raw::{NO_CELL, RawNavMesh},
};
use wayfare_core::{Id as _, defects::Defects};

/// What a body has to manage to step over a gap: at most that, wherever it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// How high [m].
    pub rise: f64,
    /// How far, seen from above [m].
    pub width: f64,
}

/// Steps and gaps may exceed what a body manages by this much [m]: those of a bake exceed what it asks for by up to a micrometre and by
/// rounding, and whoever it was made for has to manage all of them.
pub(crate) const SLACK: f64 = 2e-6;

impl NavMesh {
    /// Whether there are gaps or steps at all.
    pub fn has_gaps(&self) -> bool {
        !self.raw.gaps.is_empty() || !self.raw.rises.is_empty()
    }

    /// The gap that a cell is a part of, if it is no ground.
    #[inline]
    pub fn gap(&self, cell: CellId) -> Option<Gap> {
        let &[rise, width] = self.raw.gaps.get(cell.index())?;
        (width > 0.0).then_some(Gap { rise, width })
    }

    /// How high the step across a corner's edge is [m]; 0 where there is none.
    #[inline]
    pub fn rise(&self, corner: CornerId) -> f64 {
        self.raw.rises.get(corner.index()).copied().unwrap_or(0.0)
    }

    /// How high the step at a portal is [m]; 0 where there is none.
    #[inline]
    pub fn portal_rise(&self, portal: PortalId) -> f64 {
        if self.raw.rises.is_empty() { 0.0 } else { self.rise(self.portals[portal][0]) }
    }

    /// Whether one steps at a portal: up, down, or over the side of a gap.
    #[inline]
    pub fn is_stride(&self, portal: PortalId) -> bool {
        self.has_gaps()
            && (self.portal_rise(portal) > 0.0
                || self.portals[portal].iter().any(|&corner| self.gap(self.cell_of_corner(corner)).is_some()))
    }

    /// How much room there is beyond a corner's edge, where the ground goes on but something hangs too low [m]; 0 elsewhere.
    pub fn head_room(&self, corner: CornerId) -> f32 {
        self.raw.head_rooms.get(corner.index()).copied().unwrap_or(0.0)
    }

    /// Area of all gaps in plan [m²].
    pub fn gap_area(&self) -> f64 {
        let gaps = self.cells().filter(|&cell| self.gap(cell).is_some());
        // No gaps have no area, not minus none.
        gaps.map(|cell| self.cell_area(cell)).fold(0.0, |sum, area| sum + area)
    }

    /// Number of gaps: cells of gaps that hang together are one.
    pub fn gap_count(&self) -> usize {
        let mut is_seen = vec![false; self.cell_count()];
        let mut waiting = Vec::new();
        let mut count = 0;
        for start in self.cells().filter(|&cell| self.gap(cell).is_some()) {
            count += usize::from(!is_seen[start.index()]);
            waiting.push(start);
            while let Some(cell) = waiting.pop() {
                if !std::mem::replace(&mut is_seen[cell.index()], true) {
                    let across = self.corners(cell).filter_map(|corner| self.neighbour(corner));
                    waiting.extend(across.filter(|&other| self.gap(other).is_some()));
                }
            }
        }
        count
    }

    /// Number of portals with a step.
    pub fn riser_count(&self) -> usize {
        self.raw.rises.iter().filter(|&&rise| rise > 0.0).count() / 2
    }
}

impl RawNavMesh {
    /// The highest step and the widest gap.
    pub(crate) fn hardest(&self) -> Gap {
        let highest = self.rises.iter().chain(self.gaps.iter().map(|gap| &gap[0]));
        Gap {
            rise: highest.copied().fold(0.0, f64::max),
            width: self.gaps.iter().map(|gap| gap[1]).fold(0.0, f64::max),
        }
    }

    /// Whether anything is known of gaps.
    pub(crate) fn knows_gaps(&self) -> bool {
        !self.gaps.is_empty() || !self.rises.is_empty() || !self.head_rooms.is_empty() || self.reach.is_some()
    }

    /// N9: gaps have a width, steps a height; none at all, or one entry per cell and per corner; steps are at portals.
    pub(crate) fn inspect_gaps(&self, defects: &mut Defects) {
        let mut lengths = |array: &str, found: usize, expected: usize, kind: &str| {
            if found != 0 && found != expected {
                defects.add("N9", array, || {
                    format!("has {found} entries, expected none or {expected}, one per {kind}")
                });
            }
        };
        lengths("gaps", self.gaps.len(), self.cell_count(), "cell");
        lengths("rises", self.rises.len(), self.corners.len(), "corner");
        lengths("head_rooms", self.head_rooms.len(), self.corners.len(), "corner");
        for (cell, &[rise, width]) in self.gaps.iter().enumerate() {
            // NaN is in no range.
            let is_ground = [rise, width] == [0.0; 2];
            let is_gap = rise >= 0.0 && rise.is_finite() && width > 0.0 && width.is_finite();
            if !is_ground && !is_gap {
                defects.add("N9", format_args!("cell {cell}"), || {
                    format!("is a gap {width} m wide and {rise} m high")
                });
            }
        }
        if let Some(reach) = self.reach.filter(|reach| !reach.iter().all(|&most| most >= 0.0)) {
            defects.add("N9", "reach", || format!("is {reach:?} m, expected 0 or more"));
        }
        for (corner, &room) in self.head_rooms.iter().enumerate() {
            let is_portal = || self.neighbours.get(corner).is_some_and(|&cell| cell != NO_CELL);
            if !(room >= 0.0 && room.is_finite()) || room > 0.0 && is_portal() {
                defects.add("N9", format_args!("corner {corner}"), || {
                    format!("has {room} m of head room beyond")
                });
            }
        }
        for (corner, &rise) in self.rises.iter().enumerate() {
            if !(rise >= 0.0 && rise.is_finite()) {
                defects.add("N9", format_args!("corner {corner}"), || format!("has a step {rise} m high"));
            } else if rise > 0.0 && self.neighbours.get(corner).is_none_or(|&cell| cell == NO_CELL) {
                defects.add("N9", format_args!("corner {corner}"), || {
                    format!("has a step {rise} m high, but its edge is no portal")
                });
            }
        }
    }

    /// N9: a step is as high from both sides.
    pub(crate) fn inspect_steps(&self, twins: &[u32], defects: &mut Defects) {
        for (corner, &rise) in self.rises.iter().enumerate() {
            let back = twins.get(corner).and_then(|&twin| self.rises.get(twin as usize));
            if let Some(&back) = back.filter(|&&back| back != rise) {
                defects.add("N9", format_args!("corner {corner}"), || {
                    format!("has a step {rise} m high, which is {back} m from the other side")
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ell, lines, mesh};

    /// The ell with a step of 0.2 m between its cells, the second of which is a gap.
    fn stepped() -> RawNavMesh {
        let mut raw = ell();
        raw.gaps = vec![[0.0; 2], [0.1, 0.25]];
        raw.rises = raw.neighbours.iter().map(|&cell| if cell == NO_CELL { 0.0 } else { 0.2 }).collect();
        raw
    }

    #[test]
    fn a_mesh_knows_its_gaps_and_steps() {
        let mesh = mesh(stepped());
        assert_eq!(mesh.check(), []);
        assert_eq!(mesh.gap(CellId(0)), None);
        assert_eq!(mesh.gap(CellId(1)), Some(Gap { rise: 0.1, width: 0.25 }));
        assert_eq!(mesh.portal_rise(PortalId(0)), 0.2);
        assert_eq!((mesh.gap_count(), mesh.riser_count()), (1, 1));
        assert_eq!(mesh.area() + mesh.gap_area(), 3.0);
        let again = NavMesh::from_bytes(mesh.to_bytes()).unwrap();
        assert_eq!(again.raw(), mesh.raw());
    }

    #[test]
    fn what_cannot_be_a_gap_or_a_step_is_reported() {
        let mut raw = stepped();
        raw.gaps[0] = [f64::NAN, 1.0];
        raw.rises[0] = 0.3;
        raw.rises[1] = -1.0;
        let found = lines(&raw.validate().unwrap_err());
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.iter().all(|line| line.starts_with("N9")), "{found:?}");
        let mut raw = stepped();
        let side = raw.rises.iter().position(|&rise| rise > 0.0).unwrap();
        raw.rises[side] = 0.25;
        assert!(lines(&raw.validate().unwrap_err())[0].contains("from the other side"));
    }
}
