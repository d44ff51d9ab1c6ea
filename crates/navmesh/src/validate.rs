//! Raw data becomes a mesh, or a list of everything that is wrong with it.
//!
//! Steps: 1. arrays, ids and numbers (N0)  2. twins of edges (N2)  3. fans round vertices (N2, N5)
//!   4. turns at corners (N1)  5. components (N7), the plan's notches and the grid for `locate`.
//! Each step needs what the ones before it promise, so the first two end the work when they find something;
//! whatever is wrong at one level is reported together.
//! Nothing here indexes by a number that was not checked: any data is refused or taken without a panic.
//! Cost: O(n log n) in the worst case and linear in practice, O(n) memory.

use crate::{
    boundary, convex,
    defects::Defects,
    grid::Grid,
    join,
    mesh::{CellId, CornerId, NavMesh, VertexId, tolerance},
    raw::{NO_CELL, RawNavMesh, SPLIT_POINT},
};
use wayfare_core::{DVec2, DVec3, Defect, Id as _, IdVec, MAX_COORDINATE};
use wayfare_geom::Aabb2;

/// Area tags are bits of a word in queries.
const MAX_TAGS: usize = 64;

impl RawNavMesh {
    /// Makes a mesh that holds what [`NavMesh`] promises, or reports every defect with its element.
    /// `Err` is never empty.
    pub fn validate(self) -> Result<NavMesh, Vec<Defect>> {
        let mut defects = Defects::default();
        match self.inspect(&mut defects) {
            Some(derived) if defects.count() == 0 => Ok(derived.into_mesh(self)),
            _ => Err(defects.into_vec()),
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
        let corner_cells = (0..self.cell_count())
            .flat_map(|cell| std::iter::repeat_n(CellId::new(cell), self.corner_range(cell).len()))
            .collect();
        // 2.
        let twins = join::match_edges(self, &corner_cells, defects);
        if defects.count() > 0 {
            return None;
        }
        // 3.
        let fans = join::fans(self, &corner_cells, &twins, defects);
        // 4.
        let bounds = Aabb2::of_points(xy.as_slice().iter().copied());
        let notches = convex::inspect_cells(self, &xy, tolerance(bounds).on_line, defects);
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
    }

    fn inspect_vertices(&self, defects: &mut Defects) {
        for (vertex, position) in self.vertices.iter().enumerate() {
            // NaN is in no range.
            let range = -MAX_COORDINATE..=MAX_COORDINATE;
            if !position.to_array().iter().all(|x| range.contains(x)) {
                defects.add("N0", format_args!("vertex {vertex}"), || {
                    let DVec3 { x, y, z } = position;
                    format!("lies at ({x}, {y}, {z}), beyond {MAX_COORDINATE:e} m or not a number")
                });
            }
        }
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
    fn into_mesh(self, raw: RawNavMesh) -> NavMesh {
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
        let mut mesh = NavMesh {
            flat: raw.vertices.first().map(|p| p.z).filter(|&z| raw.vertices.iter().all(|p| p.z == z)),
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
            grid,
        };
        mesh.plan_notches = boundary::plan_notches(&mesh);
        mesh
    }
}
