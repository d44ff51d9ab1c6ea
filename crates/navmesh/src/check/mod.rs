//! The checker of the navmesh: N1 to N3, N5 to N8 and that cells do not overlap. N4, the area, is for the baker,
//! who knows the plan.
//!
//! Idea: cells that are simple rings, joined at portals (N2) into fans that go no farther than once round their
//! vertex, make a surface that lies flat on the plane everywhere. Such a surface can overlap itself only across
//! its boundary, so it is enough that no vertex lies inside another cell, that fans which meet in a point keep
//! apart, and that no two boundary edges cross.
//! Overlap and hanging vertices are looked for within each storey; the edges of a storey towards another one
//! count as its boundary.
//! Steps: 1. everything that `validate` demands, again  2. components  3. relaxed cells are simple
//!   4. fans (`sectors`)  5. hanging and covered vertices, crossing edges (`overlap`)  6. heights (`ground`)
//!   7. search tables are what the mesh gives: they are made again  8. clearance, if there is one
//! Cost: O(n log n) for meshes; crowded hostile data costs more but stops at the limit of defects.

mod ground;
mod overlap;
pub(crate) mod sectors;
mod tables;
#[cfg(test)]
mod tests;

use crate::{
    convex::{Turn, turn},
    grid::Grid,
    mesh::{CellId, NavMesh},
};
use wayfare_core::{
    DVec2, Defect,
    defects::{Defects, MOST},
};
use wayfare_geom::{
    Aabb2,
    predicates::{cross_properly, is_between, orient},
};

impl NavMesh {
    /// All broken invariants: N1 to N3, N5, N7, N8, overlaps of cells, and search tables that are not those of the
    /// mesh. Empty for a sound mesh.
    pub fn check(&self) -> Vec<Defect> {
        let mut defects = Defects::default();
        // 1.
        if self.raw.inspect(&mut defects).is_none() {
            return defects.into_vec("N0");
        }
        // 2.
        self.check_components(&mut defects);
        // 3.
        for cell in self.cells() {
            self.check_simple(cell, &mut defects);
        }
        // 4. and 5.
        sectors::check(self, &mut defects);
        overlap::check(self, &mut defects);
        // 6.
        ground::check(self, &mut defects);
        // 7. On a mesh with defects they could not be made again.
        if defects.count() == 0 {
            tables::check(self, &mut defects);
        }
        // 8.
        if let Some(clearance) = &self.clearance {
            clearance.check_into(self, &mut defects);
            if let Some(crossings) = clearance.crossings() {
                crossings.check_into(self, clearance, &mut defects);
            }
        }
        defects.into_vec("N0")
    }

    /// N7: two cells have the same component if and only if portals lead from one to the other.
    fn check_components(&self, defects: &mut Defects) {
        let mut parent: Vec<u32> = (0..self.cell_count() as u32).collect();
        fn root(parent: &mut [u32], mut cell: u32) -> u32 {
            while parent[cell as usize] != cell {
                parent[cell as usize] = parent[parent[cell as usize] as usize];
                cell = parent[cell as usize];
            }
            cell
        }
        let mut sets = self.cell_count();
        for (portal, sides) in self.portals.iter() {
            let [a, b] = sides.map(|corner| self.cell_of_corner(corner));
            if self.component(a) != self.component(b) {
                defects.add("N7", format_args!("portal {portal}"), || {
                    format!("joins components {} and {}", self.component(a), self.component(b))
                });
            }
            let (a, b) = (root(&mut parent, a.0), root(&mut parent, b.0));
            sets -= usize::from(a != b);
            parent[a.max(b) as usize] = a.min(b);
        }
        if sets != self.component_count {
            let count = self.component_count;
            defects.add("N7", "mesh", || format!("has {sets} components, {count} are numbered"));
        }
    }

    /// N1: a cell that turns right somewhere does not touch itself. (One that does not is simple already.)
    fn check_simple(&self, cell: CellId, defects: &mut Defects) {
        let ring = || self.cell_points(cell);
        let n = ring().len();
        let around = ring().cycle().skip(1).zip(ring().cycle().skip(2));
        if !ring().zip(around).any(|(a, (b, c))| turn(a, b, c) == Turn::Right) {
            return;
        }
        let ring: Vec<DVec2> = ring().collect();
        let edge = |k: usize| (ring[k], ring[(k + 1) % n]);
        let touch = |i: usize, j: usize| j - i > 1 && j - i < n - 1 && touch_inside(edge(i), edge(j));
        // Few corners are compared faster than entered into a grid.
        let pairs = if n <= 64 {
            let pairs = (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
            pairs.filter(|&(i, j)| touch(i, j)).map(|(i, j)| (i as u32, j as u32)).collect()
        } else {
            let bounds = Aabb2::of_points(ring.iter().copied());
            let grid = Grid::build(bounds, n, |k, points| points.extend([edge(k).0, edge(k).1]));
            grid.pairs(MOST, touch)
        };
        for (i, j) in pairs {
            let words = || format!("crosses or touches itself at its edges {i} and {j}");
            defects.add("N1", format_args!("cell {cell}"), words);
        }
    }
}

/// Whether two segments have a point in common other than a common end.
fn touch_inside((a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)) -> bool {
    let inside =
        |a: DVec2, b: DVec2, p: DVec2| p != a && p != b && orient(a, b, p) == 0.0 && is_between(a, b, p);
    cross_properly(a, b, c, d) || inside(a, b, c) || inside(a, b, d) || inside(c, d, a) || inside(c, d, b)
}
