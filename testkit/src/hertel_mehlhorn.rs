//! Convex cells from the constrained Delaunay triangulation, to compare the number of ours with.
//!
//! Idea: drop a diagonal whenever the union of the two cells stays convex at both of its ends.
//! Source: Hertel and Mehlhorn 1983, "Fast triangulation of simple polygons".
//!   We differ: the triangulation is the constrained Delaunay one, and diagonals are tried longest first,
//!   ties by the triangulation's order.
//! Steps: 1. triangulate  2. flood the free triangles from the directed edges  3. name triangle corners by
//! the ring corner whose edge opens their fan  4. drop diagonals  5. collect the cells.
//! Needs rings that pass [`Rings::check`]. Promises convex cells (exactly) that share whole edges and have
//! one vertex per ring corner, in the rings' numbers.
//! Cost: O(n log n) time, O(n) memory; deterministic.

use crate::{PlainMesh, Rings};
use spade::{ConstrainedDelaunayTriangulation, InsertionError, Point2, Triangulation as _};
use std::collections::BTreeMap;
use wayfare_core::DVec2;
use wayfare_geom::predicates::orient;

/// The rings' free space could not be triangulated.
#[derive(Clone, Debug, PartialEq)]
pub struct NotTriangulated(pub String);

impl std::fmt::Display for NotTriangulated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for NotTriangulated {}
impl From<InsertionError> for NotTriangulated {
    fn from(error: InsertionError) -> Self {
        Self(error.to_string())
    }
}

/// Half-edges of the free space: `twin` is `None` on the boundary, `next` goes round the cell.
struct HalfEdges {
    origin: Vec<usize>,
    next: Vec<usize>,
    previous: Vec<usize>,
    twin: Vec<Option<usize>>,
}

/// The triangles of the constrained Delaunay triangulation, as a mesh in the rings' numbers.
pub fn triangulate(rings: &Rings) -> Result<PlainMesh, NotTriangulated> {
    let half_edges = triangulated(rings)?;
    let alive = vec![true; half_edges.origin.len()];
    Ok(half_edges.collect(rings.points(), &alive))
}

/// Convex cells by dropping diagonals of the triangulation, longest first.
pub fn hertel_mehlhorn(rings: &Rings) -> Result<PlainMesh, NotTriangulated> {
    let mut mesh = triangulated(rings)?;
    let points = rings.points();
    let at = |h: usize, mesh: &HalfEdges| points[mesh.origin[h]];

    // 4. Drop diagonals.
    let mut diagonals: Vec<(f64, usize, usize)> = (0..mesh.origin.len())
        .filter_map(|h| {
            let twin = mesh.twin[h].filter(|&twin| h < twin)?;
            Some((at(h, &mesh).distance_squared(at(twin, &mesh)), h, twin))
        })
        .collect();
    diagonals.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut alive = vec![true; mesh.origin.len()];
    for (_, h, twin) in diagonals {
        // At the origin of each half the edge before it would be followed by the one after its twin.
        let stays_convex = |h: usize, twin: usize| {
            let [before, after] = [mesh.previous[h], mesh.next[mesh.next[twin]]];
            orient(at(before, &mesh), at(h, &mesh), at(after, &mesh)) >= 0.0
        };
        if stays_convex(h, twin) && stays_convex(twin, h) {
            for (h, twin) in [(h, twin), (twin, h)] {
                let (before, after) = (mesh.previous[h], mesh.next[twin]);
                mesh.next[before] = after;
                mesh.previous[after] = before;
            }
            (alive[h], alive[twin]) = (false, false);
        }
    }
    Ok(mesh.collect(points, &alive))
}

/// Steps 1 to 3.
fn triangulated(rings: &Rings) -> Result<HalfEdges, NotTriangulated> {
    // 1. Triangulate; equal coordinates become one vertex of the triangulation.
    let corners: Vec<DVec2> = rings.points().into_iter().map(|p| p + DVec2::ZERO).collect();
    let edges = rings.edges();
    let points = corners.iter().map(|p| Point2::new(p.x, p.y)).collect();
    let mut conflicts = Vec::new();
    let cdt =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(points, edges.clone(), |e| {
            conflicts.push(e);
        })?;
    if let Some([a, b]) = conflicts.first() {
        return Err(NotTriangulated(format!("edge between vertices {a} and {b} crosses another")));
    }
    let bits = |p: DVec2| [p.x.to_bits(), p.y.to_bits()];
    let handles: BTreeMap<[u64; 2], _> = cdt
        .vertices()
        .map(|vertex| (bits(DVec2::new(vertex.position().x, vertex.position().y)), vertex.fix()))
        .collect();

    // 2. Flood the free triangles.
    let mut is_free = vec![false; cdt.num_all_faces()];
    let mut boundary = vec![usize::MAX; cdt.num_directed_edges()];
    let mut open = Vec::new();
    for (corner, &[a, b]) in edges.iter().enumerate() {
        let [from, to] = [a, b].map(|k| handles[&bits(corners[k])]);
        let edge = cdt.get_edge_from_neighbors(from, to).filter(|edge| edge.is_constraint_edge());
        let edge = edge.ok_or_else(|| {
            NotTriangulated(format!("edge {corner} from {} to {} is not noded", corners[a], corners[b]))
        })?;
        boundary[edge.fix().index()] = corner;
        let face = edge.face().as_inner();
        let face = face.ok_or_else(|| NotTriangulated(format!("edge {corner} has no face on its left")))?;
        open.push(face.fix());
    }
    while let Some(face) = open.pop() {
        if std::mem::replace(&mut is_free[face.index()], true) {
            continue;
        }
        for edge in cdt.face(face).adjacent_edges() {
            if !edge.is_constraint_edge() {
                let across = edge.rev().face().as_inner();
                let across = across.ok_or_else(|| NotTriangulated("free space is not closed".to_owned()))?;
                open.push(across.fix());
            }
        }
    }

    // The half-edges of free triangles, three in a row.
    let mut number = vec![usize::MAX; cdt.num_directed_edges()];
    let mut order = Vec::new();
    for face in cdt.inner_faces().filter(|face| is_free[face.fix().index()]) {
        for edge in face.adjacent_edges() {
            number[edge.fix().index()] = order.len();
            order.push(edge);
        }
    }
    let twin = |h: usize| {
        let edge = order[h];
        (!edge.is_constraint_edge()).then(|| number[edge.rev().fix().index()])
    };
    let mut mesh = HalfEdges {
        origin: vec![usize::MAX; order.len()],
        next: (0..order.len()).map(|h| h - h % 3 + (h + 1) % 3).collect(),
        previous: (0..order.len()).map(|h| h - h % 3 + (h + 2) % 3).collect(),
        twin: (0..order.len()).map(twin).collect(),
    };

    // 3. A fan takes the number of the ring corner whose edge opens it.
    for (h, edge) in order.iter().enumerate() {
        let corner = boundary[edge.fix().index()];
        if corner == usize::MAX {
            continue;
        }
        let mut at = Some(h);
        while let Some(h) = at {
            mesh.origin[h] = corner;
            at = mesh.twin[mesh.previous[h]];
        }
    }
    if mesh.origin.contains(&usize::MAX) {
        return Err(NotTriangulated("a triangle has a corner off the boundary".to_owned()));
    }
    Ok(mesh)
}

impl HalfEdges {
    /// Step 5: the cells that the living half-edges go round.
    fn collect(&self, vertices: Vec<DVec2>, alive: &[bool]) -> PlainMesh {
        let mut cell_of = vec![usize::MAX; self.origin.len()];
        let mut cycles = Vec::new();
        for start in (0..self.origin.len()).filter(|&h| alive[h]) {
            if cell_of[start] != usize::MAX {
                continue;
            }
            let mut cycle = Vec::new();
            let mut h = start;
            while cell_of[h] == usize::MAX {
                cell_of[h] = cycles.len();
                cycle.push(h);
                h = self.next[h];
            }
            cycles.push(cycle);
        }
        let polygons = cycles.iter().map(|cycle| cycle.iter().map(|&h| self.origin[h]).collect()).collect();
        let across = |&h: &usize| self.twin[h].map(|twin| cell_of[twin]);
        let neighbours = cycles.iter().map(|cycle| cycle.iter().map(across).collect()).collect();
        PlainMesh { vertices, polygons, neighbours }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    fn rings(rings: &[&[[f64; 2]]]) -> Rings {
        let ring = |ring: &&[[f64; 2]]| ring.iter().map(|&[x, y]| dvec2(x, y)).collect();
        Rings { rings: rings.iter().map(ring).collect() }
    }
    fn cells(rings: &Rings) -> PlainMesh {
        let mesh = hertel_mehlhorn(rings).unwrap();
        assert_eq!(mesh.check(), Vec::<String>::new());
        assert!((mesh.area() - rings.area()).abs() < 1e-12 * rings.area());
        let triangles = triangulate(rings).unwrap();
        assert_eq!(triangles.check(), Vec::<String>::new());
        assert!(triangles.polygons.len() >= mesh.polygons.len());
        mesh
    }

    #[test]
    fn a_convex_ring_is_one_cell_and_an_l_is_two() {
        assert_eq!(cells(&rings(&[&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]]])).polygons.len(), 1);
        let l = &[[0., 0.], [3., 0.], [3., 1.], [1., 1.], [1., 3.], [0., 3.]];
        assert_eq!(cells(&rings(&[l])).polygons.len(), 2);
    }

    #[test]
    fn a_pillar_in_a_room_leaves_four_cells_round_it() {
        let room = &[[0., 0.], [6., 0.], [6., 6.], [0., 6.]];
        let pillar = &[[2., 2.], [2., 4.], [4., 4.], [4., 2.]];
        let mesh = cells(&rings(&[room, pillar]));
        assert_eq!(mesh.polygons.len(), 4);
        assert!(mesh.components().iter().all(|&c| c == 0));
    }

    #[test]
    fn rooms_that_touch_in_a_point_keep_their_own_vertices() {
        let pinched =
            rings(&[&[[0., 0.], [2., 0.], [2., 2.], [4., 2.], [4., 4.], [2., 4.], [2., 2.], [0., 2.]]]);
        let mesh = cells(&pinched);
        assert_eq!(mesh.polygons.len(), 2);
        assert_eq!(mesh.components(), [0, 1]);
        let mut used: Vec<usize> = mesh.polygons.iter().flatten().copied().collect();
        used.sort_unstable();
        assert_eq!(used, (0..8).collect::<Vec<_>>());
    }

    #[test]
    fn crossing_rings_are_refused() {
        let bow_tie = rings(&[&[[0., 0.], [2., 2.], [2., 0.], [0., 2.]]]);
        assert!(hertel_mehlhorn(&bow_tie).is_err());
    }
}
