//! Cells as triangles.
//!
//! Idea: walk round the cell and cut off every other corner whose triangle holds no further vertex.
//! Source: ear clipping, Meisters 1975, "Polygons have ears". We differ: after a cut the walk goes on behind
//!   it, which halves the ring each time round instead of making a fan of slivers. Corners on a straight
//!   line are never ears, so no triangle is without area.
//! Needs a simple ring (N1). Promises k − 2 counter-clockwise triangles that cover the ring.
//! Cost: O(k × (1 + corners that are not convex)) for a ring of k corners; deterministic.

use wayfare_core::DVec2;
use wayfare_geom::predicates::orient;
use wayfare_navmesh::{CellId, NavMesh, VertexId};

/// A cell as counter-clockwise triangles of its vertices.
pub fn triangulate_cell(mesh: &NavMesh, cell: CellId) -> Vec<[VertexId; 3]> {
    let vertices: Vec<VertexId> = mesh.cell_vertices(cell).collect();
    let ring: Vec<DVec2> = vertices.iter().map(|&vertex| mesh.xy(vertex)).collect();
    clip_ears(&ring).into_iter().map(|triangle| triangle.map(|k| vertices[k])).collect()
}

fn clip_ears(ring: &[DVec2]) -> Vec<[usize; 3]> {
    let count = ring.len();
    let mut next: Vec<usize> = (0..count).map(|k| (k + 1) % count).collect();
    let mut previous: Vec<usize> = (0..count).map(|k| (k + count - 1) % count).collect();
    // Cutting makes angles smaller only, so a corner that is convex now stays so.
    let blunt: Vec<usize> =
        (0..count).filter(|&k| orient(ring[previous[k]], ring[k], ring[next[k]]) <= 0.0).collect();
    let mut cut = vec![false; count];
    let mut triangles = Vec::with_capacity(count.saturating_sub(2));
    let (mut at, mut left, mut tries) = (0, count, 0);
    while left > 3 {
        let [a, b, c] = [previous[at], at, next[at]];
        let is_ear = orient(ring[a], ring[b], ring[c]) > 0.0
            && !blunt
                .iter()
                .any(|&k| !cut[k] && ![a, b, c].contains(&k) && holds([a, b, c].map(|k| ring[k]), ring[k]));
        // A ring that is not simple may have no ear left: cut anyway, so that the work always ends.
        if is_ear || tries > left {
            triangles.push([a, b, c]);
            cut[b] = true;
            next[a] = c;
            previous[c] = a;
            left -= 1;
            tries = 0;
        } else {
            tries += 1;
        }
        at = c;
    }
    if left == 3 {
        triangles.push([previous[at], at, next[at]]);
    }
    triangles
}

/// Whether the closed triangle holds `p`.
fn holds([a, b, c]: [DVec2; 3], p: DVec2) -> bool {
    orient(a, b, p) >= 0.0 && orient(b, c, p) >= 0.0 && orient(c, a, p) >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;
    use wayfare_geom::{ops, ring_area};

    fn check(ring: &[DVec2]) {
        let triangles = clip_ears(ring);
        assert_eq!(triangles.len(), ring.len() - 2);
        let areas: Vec<f64> = triangles.iter().map(|t| ring_area(&t.map(|k| ring[k]))).collect();
        assert!(areas.iter().all(|&area| area > 0.0), "{areas:?}");
        assert!((areas.iter().sum::<f64>() - ring_area(ring)).abs() <= 1e-12 * ring_area(ring));
    }

    #[test]
    fn straight_walls_give_no_triangle_without_area() {
        let square = [(0., 0.), (1., 0.), (2., 0.), (2., 1.), (2., 2.), (1., 2.), (0., 2.), (0., 1.)];
        for turn in 0..square.len() {
            let mut ring = square.map(|(x, y)| dvec2(x, y));
            ring.rotate_left(turn);
            check(&ring);
        }
        check(&[(0., 0.), (1., 0.), (2., 0.), (3., 0.), (4., 0.), (2., 1.)].map(|(x, y)| dvec2(x, y)));
    }

    #[test]
    fn cells_with_ignored_notches_and_cells_with_many_corners_are_covered() {
        check(&[(0., 0.), (2., 0.5), (4., 0.), (4., 3.), (2., 2.5), (0., 3.)].map(|(x, y)| dvec2(x, y)));
        let disc: Vec<DVec2> = (0..3000)
            .map(|k| f64::from(k) / 3000.0 * std::f64::consts::TAU)
            .map(|angle| dvec2(ops::cos(angle), ops::sin(angle)))
            .collect();
        check(&disc);
    }
}
