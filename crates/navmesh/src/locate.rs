//! Where on the mesh is this point?
//!
//! The rule is the design's: the ground straight below or above, within one body height down and one step up,
//! the nearest in z; else the nearest point in 3D within the snapping distance; else nothing. A point on an edge
//! or a vertex belongs to the lowest of its cells. A gap that is stepped over is no ground: nobody stands in it, so what lies over one is
//! moved to the ground beside it.
//! Steps: 1. the grid names the few cells near the point  2. exact containment, height  3. else search outwards,
//!   doubling the radius until something is found.
//! Cost: some tens of nanoseconds on the ground, a few microseconds to snap.

use crate::{
    ground::SAME_HEIGHT,
    mesh::{CellId, ComponentId, NavMesh},
};
use std::ops::RangeInclusive;
use wayfare_core::{DVec2, DVec3, Tolerance};
use wayfare_geom::Aabb2;

/// How far a point may be from the ground it is taken to be on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocateConfig {
    /// Farthest that a point beside or away from the ground is moved [m]; 0 or more.
    pub snap: f64,
    /// The ground may be this far straight below: the body's height [m]; 0 or more.
    pub height: f64,
    /// The ground may be this far straight above: a step [m]; 0 or more.
    pub step: f64,
}

impl Default for LocateConfig {
    /// An adult on foot.
    fn default() -> Self {
        Self { snap: 0.5, height: 1.8, step: 0.4 }
    }
}

/// A place on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location {
    /// The cell, the lowest of those that the point belongs to.
    pub cell: CellId,
    /// The point on the ground. In plan it lies in the closed area of the cell, to the last bit.
    pub point: DVec3,
    /// Distance from the point that was asked for [m].
    pub distance: f64,
    /// The component of the cell.
    pub component: ComponentId,
    /// The storey of the cell.
    pub storey: u32,
}

impl NavMesh {
    /// The place on the mesh that belongs to a point, if the ground is near enough.
    pub fn locate(&self, at: DVec3, config: &LocateConfig) -> Option<Location> {
        if !at.is_finite() {
            return None;
        }
        self.ground_below(at, config).or_else(|| self.nearest_ground(at, config.snap))
    }

    /// Whether a place lies over a gap, where nobody stands, and over no ground.
    pub fn is_in_gap(&self, at: DVec3, config: &LocateConfig) -> bool {
        let heights = at.z - config.height..=at.z + config.step;
        let is_over_gap = self.cells_at(at.truncate(), heights).any(|cell| self.gap(cell).is_some());
        is_over_gap && self.ground_below(at, config).is_none()
    }

    /// The ground straight below or above.
    fn ground_below(&self, at: DVec3, config: &LocateConfig) -> Option<Location> {
        let xy = at.truncate();
        let rounding = self.height_rounding(at.z);
        let mut best: Option<(f64, CellId, f64)> = None;
        for &cell in self.grid.at(xy) {
            let cell = CellId(cell);
            if self.gap(cell).is_some() || !self.contains(cell, xy) {
                continue;
            }
            let z = self.height(cell, xy);
            let drop = at.z - z;
            // Cells that meet differ by rounding only; then the lowest stays.
            let nearer = best.is_none_or(|(d, ..)| drop.abs() + rounding < d);
            if drop <= config.height && -drop <= config.step && nearer {
                best = Some((drop.abs(), cell, z));
                if self.flat.is_some() {
                    break;
                }
            }
        }
        best.map(|(distance, cell, z)| self.location(cell, xy.extend(z), distance))
    }

    /// The nearest ground in 3D.
    fn nearest_ground(&self, at: DVec3, snap: f64) -> Option<Location> {
        let xy = at.truncate();
        let reach = self.bounds.distance_squared(xy).sqrt();
        // NaN is outside every range.
        if !(snap >= 0.0 && reach <= snap) {
            return None;
        }
        let mut radius = (reach + self.grid.bucket_size()).min(snap);
        loop {
            // (distance, cell, point), the smallest of the pair of the first two
            let mut best: Option<(f64, CellId, DVec3)> = None;
            let area = Aabb2 { min: xy - radius, max: xy + radius };
            self.grid.within(area, &mut |cell| {
                let cell = CellId(cell);
                if self.gap(cell).is_some() {
                    return;
                }
                let limit = best.map_or(radius, |(distance, ..)| distance);
                if self.cell_boxes[cell].distance_squared(xy) > limit * limit {
                    return;
                }
                let point = self.closest_point_within(cell, at, limit);
                let distance = point.distance(at);
                let better = best.is_none_or(|(d, c, _)| distance < d || distance == d && cell < c);
                if distance <= radius && better {
                    best = Some((distance, cell, point));
                }
            });
            if let Some((distance, cell, point)) = best {
                return Some(self.location(cell, point, distance));
            }
            if radius >= snap {
                return None;
            }
            radius = (radius * 2.0).min(snap);
        }
    }

    fn location(&self, cell: CellId, point: DVec3, distance: f64) -> Location {
        Location { cell, point, distance, component: self.component(cell), storey: self.storey(cell) }
    }

    /// All cells whose closed area contains a point in plan and whose ground there is within a range of heights,
    /// ascending: one inside a cell, two on a portal, the whole fan at a vertex (and every fan, where the ground
    /// touches itself).
    pub fn cells_at(&self, xy: DVec2, heights: RangeInclusive<f64>) -> impl Iterator<Item = CellId> + '_ {
        let near: &[u32] = if xy.is_finite() { self.grid.at(xy) } else { &[] };
        near.iter()
            .map(|&cell| CellId(cell))
            .filter(move |&cell| self.contains(cell, xy) && heights.contains(&self.height(cell, xy)))
    }

    /// All cells that a place belongs to, ascending: [`Location::cell`] is the first.
    pub fn cells_of(&self, location: &Location) -> impl Iterator<Item = CellId> + '_ {
        let z = location.point.z;
        let rounding = self.height_rounding(z);
        self.cells_at(location.point.truncate(), z - rounding..=z + rounding)
    }

    /// How far apart the heights of two cells may be where they meet [m].
    fn height_rounding(&self, z: f64) -> f64 {
        // On steep ground a hair in plan is more than a hair in height.
        let least = if self.raw.ground_lists.is_empty() { 0.0 } else { SAME_HEIGHT };
        self.tolerance().on_line.max(Tolerance::of_extent(z.abs()).on_line).max(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RawNavMesh,
        fixtures::{ell, mesh, raw, squares},
    };
    use wayfare_core::{dvec2, dvec3};

    const CONFIG: LocateConfig = LocateConfig { snap: 0.5, height: 1.8, step: 0.4 };

    fn found(mesh: &NavMesh, x: f64, y: f64, z: f64) -> Option<(u32, DVec3)> {
        mesh.locate(dvec3(x, y, z), &CONFIG).map(|location| (location.cell.0, location.point))
    }

    #[test]
    fn the_ground_is_found_a_height_below_a_step_above_and_a_snap_away() {
        let mesh = mesh(ell());
        let ground = Some((0, dvec3(1.5, 0.5, 0.0)));
        for (z, expected) in [
            (0.0, ground),
            (1.8, ground),
            (1.9, None),
            (-0.4, ground),
            // Not above by a step, but within the snapping distance.
            (-0.5, ground),
            (-0.6, None),
        ] {
            assert_eq!(found(&mesh, 1.5, 0.5, z), expected, "{z}");
        }
        // Beside the ground: to the nearest wall, corner and notch.
        assert_eq!(found(&mesh, 1.5, 1.25, 0.0), Some((0, dvec3(1.5, 1.0, 0.0))));
        assert_eq!(found(&mesh, 2.25, -0.25, 0.0), Some((0, dvec3(2.0, 0.0, 0.0))));
        assert_eq!(found(&mesh, 1.125, 1.0625, 0.0), Some((0, dvec3(1.125, 1.0, 0.0))));
        assert_eq!(found(&mesh, 2.5, 1.5, 0.0), None);
        let far = LocateConfig { snap: f64::INFINITY, ..CONFIG };
        let location = mesh.locate(dvec3(-3000.0, 2.0, 4000.0), &far).unwrap();
        assert_eq!((location.point, location.distance), (dvec3(0.0, 2.0, 0.0), 5000.0));
    }

    #[test]
    fn nobody_stands_in_a_gap() {
        let mut raw = ell();
        raw.gaps = vec![[0.0; 2], [0.1, 0.25]];
        let mesh = mesh(raw);
        // Over the second cell, and on its side.
        assert_eq!(found(&mesh, 0.5, 1.25, 0.0), Some((0, dvec3(0.5, 1.0, 0.0))));
        assert_eq!(found(&mesh, 0.5, 1.0, 0.0), Some((0, dvec3(0.5, 1.0, 0.0))));
        assert_eq!(found(&mesh, 0.5, 1.75, 0.0), None);
        let is_in_gap = |x, y| mesh.is_in_gap(dvec3(x, y, 0.0), &CONFIG);
        assert!(is_in_gap(0.5, 1.25) && is_in_gap(0.5, 1.75));
        assert!(!is_in_gap(0.5, 1.0) && !is_in_gap(0.5, 0.5) && !is_in_gap(3.0, 3.0));
    }

    #[test]
    fn points_that_are_no_numbers_and_limits_that_are_none_find_nothing() {
        let mesh = mesh(ell());
        assert_eq!(found(&mesh, f64::NAN, 0.0, 0.0), None);
        assert_eq!(found(&mesh, 0.5, f64::INFINITY, 0.0), None);
        assert_eq!(mesh.cells_at(dvec2(f64::NAN, 0.0), -1.0..=1.0).count(), 0);
        let nan = LocateConfig { snap: f64::NAN, height: f64::NAN, step: f64::NAN };
        assert_eq!(mesh.locate(dvec3(0.5, 0.5, 0.0), &nan), None);
    }

    #[test]
    fn the_nearest_of_several_storeys_is_taken() {
        let floor = squares(2, |_, _| true);
        let mut both = floor.clone();
        let (vertices, cells) = (floor.vertices.len() as u32, floor.cell_count() as u32);
        both.vertices.extend(floor.vertices.iter().map(|p| p.with_z(3.0)));
        both.vertex_flags.extend(&floor.vertex_flags);
        both.corners.extend(floor.corners.iter().map(|v| v + vertices));
        let across = |&cell: &u32| if cell == crate::NO_CELL { cell } else { cell + cells };
        both.neighbours.extend(floor.neighbours.iter().map(across));
        let corners = floor.corners.len() as u32;
        both.cell_starts.extend(floor.cell_starts[1..].iter().map(|start| start + corners));
        both.tags.extend(&floor.tags);
        both.storeys.extend(floor.storeys.iter().map(|_| 1));
        let mesh = mesh(both);
        assert_eq!(mesh.check(), []);
        assert_eq!(found(&mesh, 0.5, 0.5, 1.5), Some((0, dvec3(0.5, 0.5, 0.0))));
        assert_eq!(found(&mesh, 0.5, 0.5, 2.7), Some((4, dvec3(0.5, 0.5, 3.0))));
        assert_eq!(found(&mesh, 0.5, 0.5, 4.7), Some((4, dvec3(0.5, 0.5, 3.0))));
        assert_eq!(found(&mesh, 0.5, 0.5, 2.2), None);
        assert_eq!(mesh.locate(dvec3(1.0, 1.0, 3.0), &CONFIG).map(|location| location.storey), Some(1));
        let around =
            |z: f64| mesh.cells_at(dvec2(1.0, 1.0), z - 0.1..=z + 0.1).map(|cell| cell.0).collect::<Vec<_>>();
        assert_eq!((around(0.0), around(3.0)), (vec![0, 1, 2, 3], vec![4, 5, 6, 7]));
        // Beside the building the nearer floor is taken.
        assert_eq!(found(&mesh, 2.25, 1.5, 2.875), Some((7, dvec3(2.0, 1.5, 3.0))));
    }

    #[test]
    fn heights_follow_a_slope_and_cells_that_meet_agree() {
        let mut ramp = squares(3, |_, _| true);
        for p in &mut ramp.vertices {
            p.z = p.x / 3.0 - p.y / 7.0;
        }
        let mesh = mesh(ramp);
        for k in 0..=30 {
            for l in 0..=30 {
                let p = dvec2(k as f64 / 10.0, l as f64 / 10.0);
                let z = p.x / 3.0 - p.y / 7.0;
                let location = mesh.locate(p.extend(z + 1.0), &CONFIG).unwrap();
                assert!((location.point.z - z).abs() < 1e-12);
                assert_eq!(mesh.cells_of(&location).next(), Some(location.cell));
                let on_lattice =
                    usize::from(k % 10 == 0 && k % 30 != 0) + usize::from(l % 10 == 0 && l % 30 != 0);
                assert_eq!(mesh.cells_of(&location).count(), 1 << on_lattice, "{p}");
            }
        }
    }

    #[test]
    fn snapping_to_sloping_ground_finds_the_nearest_point_in_space() {
        // A roof at 45°: from a point above its lower edge the nearest ground is uphill.
        let mut roof = raw(&[(0., 0.), (4., 0.), (4., 4.), (0., 4.)], &[&[0, 1, 2, 3]]);
        for p in &mut roof.vertices {
            p.z = p.x;
        }
        let mesh = mesh(roof);
        let config = LocateConfig { snap: 2.0, height: 0.1, step: 0.1 };
        let location = mesh.locate(dvec3(1.0, 2.0, 2.0), &config).unwrap();
        assert!(location.point.distance(dvec3(1.5, 2.0, 1.5)) < 1e-12);
        assert!((location.distance - 0.5f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_relaxed_cell_ends_at_its_notch() {
        let sagging = raw(&[(0., 0.), (4., 0.), (4., 4.), (2., 3.), (0., 4.)], &[&[0, 1, 2, 3, 4]]);
        let mesh = mesh(RawNavMesh { convex_distance: 1.0, ..sagging });
        assert_eq!(found(&mesh, 2.0, 3.0, 0.0), Some((0, dvec3(2.0, 3.0, 0.0))));
        assert_eq!(found(&mesh, 2.0, 3.25, 0.0).map(|(_, p)| p.y < 3.25), Some(true));
        assert_eq!(found(&mesh, 2.0, 3.75, 0.0), None);
        assert_eq!(found(&mesh, 0.5, 3.5, 0.0), Some((0, dvec3(0.5, 3.5, 0.0))));
    }
}
