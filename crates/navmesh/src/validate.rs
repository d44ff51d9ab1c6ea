//! Raw data becomes a mesh, or a list of everything that is wrong with it.
//!
//! Steps: 1. arrays, ids and numbers (N0)  2. twins of edges (N2)  3. fans round vertices (N2, N5)
//!   4. turns at corners (N1)  5. components (N7), the plan's notches, the grids for `locate` and for heights.
//! Each step needs what the ones before it promise, so the first two end the work when they find something;
//! whatever is wrong at one level is reported together.
//! Nothing here indexes by a number that was not checked: any data is refused or taken without a panic.
//! Cost: O(n log n) in the worst case and linear in practice, O(n) memory.

use crate::{
    boundary, convex,
    grid::Grid,
    ground::Ground,
    join,
    mesh::{CellId, CornerId, NavMesh, VertexId, tolerance},
    raw::{NO_CELL, RawNavMesh, SPLIT_POINT},
    slabs::Slabs,
};
use wayfare_core::{DVec2, DVec3, Defect, IdVec, MAX_COORDINATE, defects::Defects};
use wayfare_geom::Aabb2;

/// Area tags are bits of a word in queries.
const MAX_TAGS: usize = 64;

impl RawNavMesh {
    /// Makes a mesh that holds what [`NavMesh`] promises, or reports every defect with its element.
    /// `Err` is never empty.
    pub fn validate(self) -> Result<NavMesh, Vec<Defect>> {
        self.validate_with(|count, work| (0..count).for_each(work))
    }

    /// The same for callers with several threads: `each(count, work)` calls `work(k)` once for every `k` below `count`, in any order or
    /// side by side.
    pub fn validate_with(
        self,
        each: impl Fn(usize, &(dyn Fn(usize) + Sync)),
    ) -> Result<NavMesh, Vec<Defect>> {
        let mut defects = Defects::default();
        match self.inspect(&mut defects) {
            Some(derived) if defects.count() == 0 => Ok(derived.into_mesh(self, each)),
            _ => Err(defects.into_vec("N0")),
        }
    }

    /// Steps 1 to 4; none when the data is not sound enough to be joined.
    pub(crate) fn inspect(&self, defects: &mut Defects) -> Option<Derived> {
        // 1.
        self.inspect_arrays(defects);
        if defects.count() > 0 {
            return None;
        }
        let xy: IdVec<VertexId, DVec2> = self.vertices.iter().map(|p| p.truncate()).collect();
        let corner_cells = self.corner_cells();
        // 2.
        let twins = join::match_edges(self, &corner_cells, defects);
        if defects.count() > 0 {
            return None;
        }
        self.inspect_steps(twins.as_slice(), defects);
        // 3.
        let fans = join::fans(self, &corner_cells, &twins, defects);
        // 4.
        let bounds = Aabb2::of_points(xy.as_slice().iter().copied());
        let notches = convex::inspect_cells(self, &xy, tolerance(bounds), defects);
        Some(Derived { xy, bounds, corner_cells, twins, fans, notches })
    }

    /// N0: arrays of matching length, ids in range, coordinates that can be computed with.
    fn inspect_arrays(&self, defects: &mut Defects) {
        let cells = self.cell_count();
        let mut lengths = |array: &str, found: usize, expected: usize, kind: &str| {
            if found != expected {
                defects
                    .add("N0", array, || format!("has {found} entries, expected {expected}, one per {kind}"));
            }
        };
        lengths("vertex_flags", self.vertex_flags.len(), self.vertices.len(), "vertex");
        lengths("neighbours", self.neighbours.len(), self.corners.len(), "corner");
        lengths("tags", self.tags.len(), cells, "cell");
        lengths("storeys", self.storeys.len(), cells, "cell");
        for (array, length) in [("vertices", self.vertices.len()), ("corners", self.corners.len())] {
            // The largest number means "none" in tables of ids.
            if length >= u32::MAX as usize {
                defects.add("N0", array, || format!("has {length} entries, more than ids can tell apart"));
            }
        }
        self.inspect_vertices(defects);
        self.inspect_tags(defects);
        if !(self.convex_distance >= 0.0 && self.convex_distance.is_finite()) {
            let distance = self.convex_distance;
            defects.add("N0", "convex_distance", || format!("is {distance} m, expected 0 or more"));
        }
        if self.inspect_starts(defects) {
            self.inspect_corners(defects);
        }
        self.inspect_drops(defects);
        self.inspect_gaps(defects);
        self.inspect_ground(defects);
    }

    fn inspect_vertices(&self, defects: &mut Defects) {
        inspect_positions(&self.vertices, "vertex", defects);
        for (vertex, flags) in self.vertex_flags.iter().enumerate() {
            if flags & !SPLIT_POINT != 0 {
                defects
                    .add("N0", format_args!("vertex {vertex}"), || format!("has unknown flags {flags:#04x}"));
            }
        }
    }

    fn inspect_tags(&self, defects: &mut Defects) {
        let names = self.tag_names.len();
        if names > MAX_TAGS {
            defects.add("N0", "tag_names", || format!("has {names} names, at most {MAX_TAGS} are possible"));
        }
        for (cell, &tag) in self.tags.iter().enumerate() {
            if tag as usize >= names {
                defects.add("N0", format_args!("cell {cell}"), || format!("has tag {tag} of {names}"));
            }
        }
    }

    /// Whether `cell_starts` cuts `corners` into cells.
    fn inspect_starts(&self, defects: &mut Defects) -> bool {
        let before = defects.count();
        if self.cell_starts.first() != Some(&0) {
            let first = self.cell_starts.first();
            defects.add("N0", "cell_starts", || format!("begins with {first:?}, expected 0"));
        }
        if self.cell_starts.last().is_some_and(|&last| last as usize != self.corners.len()) {
            defects.add("N0", "cell_starts", || {
                format!(
                    "ends with {:?}, expected the number of corners {}",
                    self.cell_starts.last(),
                    self.corners.len()
                )
            });
        }
        for (cell, pair) in self.cell_starts.windows(2).enumerate() {
            if pair[1] < pair[0] || pair[1] - pair[0] < 3 {
                let count = i64::from(pair[1]) - i64::from(pair[0]);
                defects.add("N0", format_args!("cell {cell}"), || {
                    format!("has {count} corners, expected 3 or more")
                });
            }
        }
        defects.count() == before
    }

    /// Ids of vertices and neighbours; each vertex at most once in a cell and in some cell.
    fn inspect_corners(&self, defects: &mut Defects) {
        let (cells, vertices) = (self.cell_count(), self.vertices.len());
        let mut last_cell = vec![NO_CELL; vertices];
        for cell in 0..cells {
            let range = self.corner_range(cell);
            for (k, &vertex) in self.corners[range.clone()].iter().enumerate() {
                match last_cell.get_mut(vertex as usize) {
                    None => defects.add("N0", format_args!("cell {cell}, corner {k}"), || {
                        format!("names vertex {vertex} of {vertices}")
                    }),
                    Some(last) if *last == cell as u32 => {
                        defects.add("N1", format_args!("cell {cell}, corner {k}"), || {
                            format!("names vertex {vertex} a second time")
                        });
                    }
                    Some(last) => *last = cell as u32,
                }
            }
            for (k, &other) in self.neighbours.get(range).unwrap_or_default().iter().enumerate() {
                if other != NO_CELL && (other as usize >= cells || other as usize == cell) {
                    defects.add("N0", format_args!("cell {cell}, corner {k}"), || {
                        format!("names cell {other} of {cells} as its neighbour")
                    });
                }
            }
        }
        for (vertex, _) in last_cell.iter().enumerate().filter(|(_, last)| **last == NO_CELL) {
            defects.add("N0", format_args!("vertex {vertex}"), || "belongs to no cell".into());
        }
    }
}

/// Coordinates that can be computed with.
pub(crate) fn inspect_positions(positions: &[DVec3], kind: &str, defects: &mut Defects) {
    for (k, position) in positions.iter().enumerate() {
        // NaN is in no range.
        let range = -MAX_COORDINATE..=MAX_COORDINATE;
        if !position.to_array().iter().all(|x| range.contains(x)) {
            defects.add("N0", format_args!("{kind} {k}"), || {
                let DVec3 { x, y, z } = position;
                format!("lies at ({x:?}, {y:?}, {z:?}), beyond {MAX_COORDINATE:e} m or not a number")
            });
        }
    }
}

/// What steps 1 to 4 found out on the way.
pub(crate) struct Derived {
    xy: IdVec<VertexId, DVec2>,
    bounds: Aabb2,
    corner_cells: IdVec<CornerId, CellId>,
    twins: IdVec<CornerId, u32>,
    fans: IdVec<VertexId, CornerId>,
    notches: Vec<CornerId>,
}

impl Derived {
    /// Step 5.
    fn into_mesh(self, raw: RawNavMesh, each: impl Fn(usize, &(dyn Fn(usize) + Sync))) -> NavMesh {
        let (corner_portals, portals) = join::number_portals(&self.twins);
        let (components, component_count) = join::components(&raw);
        let cell_boxes = (0..raw.cell_count())
            .map(|cell| {
                let corners = &raw.corners[raw.corner_range(cell)];
                Aabb2::of_points(corners.iter().map(|&v| self.xy[VertexId(v)]))
            })
            .collect::<IdVec<CellId, Aabb2>>();
        let grid = Grid::build(self.bounds, raw.cell_count(), |cell, ring| {
            ring.extend(raw.corners[raw.corner_range(cell)].iter().map(|&v| self.xy[VertexId(v)]));
        });
        let slabs = Slabs::build(&raw, &self.xy);
        let ground = Ground::build(&raw, &cell_boxes, each);
        let ground_points = if raw.ground_lists.is_empty() { &[][..] } else { &raw.ground_points };
        let mut heights = raw.vertices.iter().chain(ground_points).map(|p| p.z);
        let mut mesh = NavMesh {
            hardest: raw.hardest(),
            flat: raw.vertices.first().map(|p| p.z).filter(|&first| heights.all(|z| z == first)),
            ground,
            raw,
            xy: self.xy,
            corner_cells: self.corner_cells,
            twins: self.twins,
            corner_portals,
            portals,
            fans: self.fans,
            plan_notches: IdVec::default(),
            notches: self.notches,
            components,
            component_count,
            bounds: self.bounds,
            cell_boxes,
            accelerator: None,
            clearance: None,
            hand_overs: None,
            grid,
            slabs,
        };
        mesh.plan_notches = boundary::plan_notches(&mesh);
        mesh
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ell, flat, lines, mesh, raw, squares};

    #[test]
    fn a_sound_mesh_is_joined() {
        let mesh = mesh(ell());
        assert_eq!((mesh.cell_count(), mesh.portals().len(), mesh.component_count()), (2, 1, 1));
        let [here, there] = mesh.portals()[crate::PortalId(0)];
        assert_eq!(mesh.edge(here), [VertexId(3), VertexId(2)]);
        assert_eq!(mesh.edge(there), [VertexId(2), VertexId(3)]);
        assert_eq!(mesh.twin(here), Some(there));
        assert_eq!(mesh.neighbour(there), Some(CellId(0)));
        assert_eq!((mesh.cell_of_corner(here), mesh.cell_of_corner(there)), (CellId(0), CellId(1)));
        let fan: Vec<_> = mesh.fan(VertexId(3)).map(|corner| mesh.cell_of_corner(corner).0).collect();
        assert_eq!(fan, [1, 0]);
        assert!(mesh.is_plan_notch(VertexId(3)) && !mesh.is_plan_notch(VertexId(2)));
    }

    #[test]
    fn nothing_is_a_mesh_without_cells() {
        assert!(RawNavMesh::default().validate().is_err());
        let empty = RawNavMesh { cell_starts: vec![0], ..RawNavMesh::default() };
        let mesh = empty.validate().unwrap();
        assert_eq!(mesh.check(), []);
        assert_eq!(mesh.facts(), crate::Facts::default());
        assert_eq!(mesh.locate(DVec3::ZERO, &crate::LocateConfig::default()), None);
    }

    #[test]
    fn every_defect_of_the_arrays_is_reported_at_once() {
        let mut bad = ell();
        bad.vertices[1].x = f64::NAN;
        bad.vertices[4].z = -2e7;
        bad.vertex_flags[0] = 8;
        bad.corners[2] = 99;
        bad.neighbours[0] = 7;
        bad.tags[1] = 3;
        bad.storeys.pop();
        bad.convex_distance = -1.0;
        let found = lines(&bad.validate().unwrap_err());
        assert_eq!(
            found,
            [
                "N0: storeys: has 1 entries, expected 2, one per cell",
                "N0: vertex 1: lies at (NaN, 0.0, 0.0), beyond 1e7 m or not a number",
                "N0: vertex 4: lies at (1.0, 2.0, -20000000.0), beyond 1e7 m or not a number",
                "N0: vertex 0: has unknown flags 0x08",
                "N0: cell 1: has tag 3 of 1",
                "N0: convex_distance: is -1 m, expected 0 or more",
                "N0: cell 0, corner 2: names vertex 99 of 7",
                "N0: cell 0, corner 0: names cell 7 of 2 as its neighbour",
                "N0: vertex 6: belongs to no cell",
            ]
        );
    }

    #[test]
    fn starts_that_do_not_cut_the_corners_into_cells_are_reported() {
        for (starts, words) in [
            (vec![], "begins with None"),
            (vec![1, 5, 9], "begins with Some(1)"),
            (vec![0, 5, 8], "expected the number of corners 9"),
            (vec![0, 7, 9], "cell 1: has 2 corners"),
            (vec![0, 10, 9], "cell 1: has -1 corners"),
        ] {
            let found = lines(&RawNavMesh { cell_starts: starts, ..ell() }.validate().unwrap_err());
            assert!(found.iter().any(|line| line.contains(words)), "{found:?}");
        }
    }

    #[test]
    fn neighbours_that_are_not_mutual_are_reported_with_both_cells() {
        let mut one_sided = ell();
        one_sided.neighbours[3] = NO_CELL;
        assert_eq!(
            lines(&one_sided.validate().unwrap_err()),
            [
                "N2: cell 0: and cell 1 share the edge between vertices 2 and 3 but name boundary and cell 0 across it"
            ]
        );
        let mut invented = ell();
        invented.neighbours[0] = 1;
        assert_eq!(
            lines(&invented.validate().unwrap_err()),
            ["N2: cell 0: names cell 1 across its edge between vertices 0 and 1, which has no such edge"]
        );
    }

    #[test]
    fn an_edge_with_three_cells_or_two_on_one_side_is_reported() {
        let points = [(0., 0.), (1., 0.), (0., 1.), (0., -1.), (1., 2.)];
        let build =
            |polygons: &[[u32; 3]]| lines(&RawNavMesh::from_polygons(&flat(&points), polygons).unwrap_err());
        let found = build(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
        assert_eq!(found, ["N2: cell 0: shares the edge between vertices 0 and 1 with 2 other cells"]);
        let found = build(&[[0, 1, 2], [0, 1, 4]]);
        assert_eq!(
            found,
            ["N2: cell 0: and cell 1 lie on the same side of the edge between vertices 0 and 1"]
        );
    }

    #[test]
    fn a_vertex_of_two_fans_is_reported_and_split_by_the_builder() {
        // Two triangles that touch in vertex 1.
        let points = [(0., 0.), (1., 0.), (0., 1.), (2., 0.), (2., -1.)];
        let built = raw(&points, &[&[0, 1, 2], &[1, 4, 3]]);
        assert_eq!((built.vertices.len(), built.vertices[5]), (6, built.vertices[1]));
        let mut glued = built.clone();
        assert_eq!(mesh(built).component_count(), 2);
        glued.corners[3] = 1;
        glued.vertices.pop();
        glued.vertex_flags.pop();
        assert_eq!(
            lines(&glued.validate().unwrap_err()),
            ["N2: vertex 1: has 2 cells, of which only 1 hang together: it must be stored once per fan"]
        );
    }

    #[test]
    fn an_inner_vertex_is_only_for_imported_meshes_and_borders_of_tags() {
        let points = [(0., 0.), (1., 0.), (1., 1.), (0., 1.), (0.5, 0.5)];
        let mut star = raw(&points, &[&[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]]);
        let found = lines(&star.clone().validate().unwrap_err());
        assert_eq!(
            found,
            ["N5: vertex 4: is an inner vertex: all its edges are portals between cells with one tag"]
        );
        let mut border = star.clone();
        border.tag_names.push("grass".into());
        border.tags[2] = 1;
        assert_eq!(mesh(border).check(), [], "where tags meet it may be");
        star.imported = true;
        let star = mesh(star);
        assert_eq!(star.fan(VertexId(4)).count(), 4);
        assert_eq!(star.boundary_corner(VertexId(4)), None);
        assert_eq!(star.check(), []);
    }

    #[test]
    fn a_wall_without_thickness_may_stand_inside() {
        // The portal between the lower and the middle square is closed.
        let mut slit = squares(3, |_, _| true);
        for (cell, other) in [(1, 4), (4, 1)] {
            let corner = slit.corner_range(cell).find(|&corner| slit.neighbours[corner] == other);
            slit.neighbours[corner.unwrap()] = NO_CELL;
        }
        let slit = mesh(slit);
        assert_eq!(slit.check(), []);
        let facts = slit.facts();
        assert_eq!((facts.notches, facts.holes, facts.area), (2, 1, 9.0));
        assert_eq!(slit.fan(VertexId(5)).count(), 4);
    }
}
