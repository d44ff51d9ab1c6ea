//! Counts and quality of a mesh, and of the plan that it covers.
//!
//! Notches and holes are read off the boundary and do not depend on the cells: every decomposition of one plan
//! has the same. A hole is a boundary chain of a component beyond its first one.

use crate::mesh::{CellId, CornerId, NavMesh};
use std::f64::consts::PI;
use wayfare_core::Id as _;

/// Cells whose area is less than this part of that of a circle with their perimeter are thin.
const THIN: f64 = 0.1;

/// What there is to say about a mesh at a glance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Number of cells.
    pub cells: usize,
    /// Number of portals.
    pub portals: usize,
    /// Number of vertices, with split points and one per fan.
    pub vertices: usize,
    /// Number of vertices that only split a straight wall.
    pub split_points: usize,
    /// Number of sets of cells that can be reached from each other.
    pub components: usize,
    /// Number of different storeys.
    pub storeys: usize,
    /// Number of portals between cells of different storeys.
    pub seams: usize,
    /// Number of boundary edges at which the ground ends and whoever goes on falls.
    pub drops: usize,
    /// How far the ground may be from the heights that were sampled [m].
    pub heights_error: f64,
    /// Number of gaps that one steps over.
    pub gaps: usize,
    /// Number of portals with a step.
    pub risers: usize,
    /// Area in plan, without gaps [m²].
    pub area: f64,
    /// Area of gaps in plan [m²].
    pub gap_area: f64,
    /// Area of the largest component [m²].
    pub largest_component_area: f64,
    /// Length of the boundary [m].
    pub boundary_length: f64,
    /// Notches of the plan: boundary vertices with more than 180° of ground round them.
    pub notches: usize,
    /// Holes of the plan.
    pub holes: usize,
    /// No decomposition into convex cells, without new vertices inside, has fewer: ⌈notches / 2⌉ + components −
    /// holes. Each portal resolves at most two notches, and one portal more is needed per hole to reach it.
    pub lower_bound: usize,
    /// Names of area tags with the number of their cells, in the order of the tags.
    pub tags: Vec<(String, usize)>,
    /// Part of the cells that is thin, 0 .. 1: 4π · area / perimeter² < 0.1.
    pub thin_cells: f64,
    /// Corners at which a relaxed cell turns right.
    pub ignored_notches: usize,
    /// The relaxation [m].
    pub convex_distance: f64,
}

impl NavMesh {
    /// Counts and quality. Linear in the size of the mesh.
    pub fn facts(&self) -> Facts {
        let boundary = self.boundary();
        let notches = self.vertices().filter(|&v| self.is_plan_notch(v)).count();
        // Every component has at least one chain: its outline.
        let holes = boundary.chains().len().saturating_sub(self.component_count);
        let mut storeys = self.raw.storeys.clone();
        storeys.sort_unstable();
        storeys.dedup();
        let mut component_areas = vec![0.0; self.component_count];
        let mut tag_counts = vec![0; self.tag_names().len()];
        for cell in self.cells() {
            if self.gap(cell).is_none() {
                component_areas[self.component(cell).index()] += self.cell_area(cell);
            }
            tag_counts[self.tag(cell) as usize] += 1;
        }
        let edges = boundary.chains().flatten().map(|&corner| self.edge(corner).map(|v| self.xy(v)));
        let thin = self.cells().filter(|&cell| self.is_thin(cell)).count();
        Facts {
            cells: self.cell_count(),
            portals: self.portals.len(),
            vertices: self.vertex_count(),
            split_points: self.vertices().filter(|&v| self.is_split_point(v)).count(),
            components: self.component_count,
            storeys: storeys.len(),
            seams: self.portals.as_slice().iter().filter(|sides| self.is_seam(sides[0])).count(),
            drops: self.raw.drop_depths.iter().filter(|&&depth| depth > 0.0).count(),
            heights_error: self.raw.heights_error,
            gaps: self.gap_count(),
            risers: self.riser_count(),
            area: self.area(),
            gap_area: self.gap_area(),
            largest_component_area: component_areas.into_iter().fold(0.0, f64::max),
            boundary_length: edges.map(|[a, b]| a.distance(b)).sum(),
            notches,
            holes,
            lower_bound: (notches.div_ceil(2) + self.component_count).saturating_sub(holes),
            tags: self.tag_names().iter().cloned().zip(tag_counts).collect(),
            thin_cells: thin as f64 / self.cell_count().max(1) as f64,
            ignored_notches: self.notches.len(),
            convex_distance: self.raw.convex_distance,
        }
    }

    /// Whether the edge of a corner is a portal to a cell of another storey.
    pub fn is_seam(&self, corner: CornerId) -> bool {
        let storey = self.storey(self.cell_of_corner(corner));
        self.neighbour(corner).is_some_and(|other| self.storey(other) != storey)
    }

    /// Whether a cell is much longer than it is wide: 4π · area / perimeter² < 0.1.
    pub fn is_thin(&self, cell: CellId) -> bool {
        let next = self.cell_points(cell).cycle().skip(1);
        let perimeter: f64 = self.cell_points(cell).zip(next).map(|(a, b)| a.distance(b)).sum();
        4.0 * PI * self.cell_area(cell) < THIN * perimeter * perimeter
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ell, mesh, raw, split, squares};

    #[test]
    fn an_ell_has_one_notch_and_needs_two_cells() {
        let facts = mesh(ell()).facts();
        let expected = Facts {
            cells: 2,
            portals: 1,
            vertices: 7,
            split_points: 1,
            components: 1,
            storeys: 1,
            area: 3.0,
            largest_component_area: 3.0,
            boundary_length: 8.0,
            notches: 1,
            holes: 0,
            lower_bound: 2,
            tags: vec![(String::new(), 2)],
            ..Facts::default()
        };
        assert_eq!(facts, expected);
    }

    #[test]
    fn seams_drops_and_errors_are_counted() {
        let mut two = ell();
        two.storeys = vec![0, 1];
        two.drop_depths = vec![0.0; 9];
        two.drop_depths[1] = 0.5;
        two.drop_depths[6] = f32::INFINITY;
        two.heights_error = 0.03;
        let facts = mesh(two).facts();
        assert_eq!((facts.storeys, facts.seams, facts.drops, facts.heights_error), (2, 1, 2, 0.03));
    }

    #[test]
    fn a_ring_has_the_four_notches_of_its_hole() {
        let facts = mesh(squares(3, |x, y| (x, y) != (1, 1))).facts();
        assert_eq!((facts.notches, facts.holes, facts.lower_bound), (4, 1, 2));
        assert_eq!((facts.area, facts.boundary_length), (8.0, 16.0));
    }

    #[test]
    fn squares_that_touch_in_a_corner_are_two_components_without_a_notch() {
        let facts = mesh(squares(2, |x, y| x == y)).facts();
        assert_eq!((facts.components, facts.notches, facts.holes, facts.lower_bound), (2, 0, 0, 2));
        assert_eq!((facts.area, facts.largest_component_area, facts.vertices), (2.0, 1.0, 8));
    }

    #[test]
    fn holes_that_touch_in_a_corner_are_one_hole() {
        // Seen from the ground the two missing squares have one boundary: it does not pass between them.
        let facts = mesh(squares(4, |x, y| !(x == y && (1..3).contains(&x)))).facts();
        assert_eq!((facts.holes, facts.components), (1, 1));
        // Each square has three corners on the ground side; where they touch, both fans are narrow.
        assert_eq!((facts.notches, facts.lower_bound), (6, 3));
    }

    #[test]
    fn a_needle_is_thin_and_a_square_is_not() {
        let needle = raw(&[(0., 0.), (100., 0.), (100., 1.), (0., 1.)], &[&[0, 1, 2, 3]]);
        assert_eq!(mesh(needle).facts().thin_cells, 1.0);
        assert_eq!(mesh(squares(1, |_, _| true)).facts().thin_cells, 0.0);
    }

    #[test]
    fn a_notch_next_to_rounded_split_points_is_judged_by_its_walls() {
        // An L whose two walls at the notch (1, 1) are both split, one point rounded into the ground.
        let points = [
            (0., 0.),
            (2., 0.),
            (2., 1.),
            (1.5, 1f64.next_up()),
            (1., 1.),
            (1f64.next_down(), 1.5),
            (1., 2.),
            (0., 2.),
        ];
        let cells: [&[u32]; 3] = [&[0, 1, 2, 3], &[0, 3, 4], &[0, 4, 5, 6, 7]];
        let mesh = split(raw(&points, &cells), &[3, 5]).validate().unwrap();
        assert_eq!(mesh.facts().notches, 1);
        assert_eq!(mesh.check(), []);
    }
}
