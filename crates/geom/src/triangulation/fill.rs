//! Rings and points inside them to plain triangles.

use super::{NONE, TriangulationError, delaunay::Delaunay, order::insertion_order};
use wayfare_core::DVec2;

/// Fills rings that hold F1 and touch nowhere, the inside on their left, with Delaunay triangles whose corners are the
/// rings' corners, numbered over all rings, and further points, numbered on, which lie inside the rings. Triangles run
/// counter-clockwise.
pub fn fill(rings: &[Vec<DVec2>], points: &[DVec2]) -> Result<Vec<[u32; 3]>, TriangulationError> {
    let all: Vec<DVec2> = rings.iter().flatten().chain(points).copied().collect();
    if let Some(vertex) = all.iter().position(|p| !p.is_finite()) {
        let DVec2 { x, y } = all[vertex];
        return Err(TriangulationError::Vertex { vertex, x, y });
    }
    let edge_error = |vertex: usize| {
        let p = all.get(vertex).copied().unwrap_or_default();
        TriangulationError::Edge { vertex, x: p.x, y: p.y }
    };
    let mut delaunay = Delaunay::new(&all, &insertion_order(&all)).ok_or_else(|| edge_error(0))?;
    delaunay.index();
    // Triangles are known by their first half-edge; flood from the inner sides of the walls.
    let mut waiting = Vec::new();
    let mut walls = Vec::new();
    let mut start = 0;
    for ring in rings {
        for k in 0..ring.len() {
            let [from, to] = [start + k, start + (k + 1) % ring.len()].map(|k| delaunay.vertex_of[k]);
            walls.push(delaunay.insert_wall(from, to).ok_or_else(|| edge_error(start + k))?);
        }
        start += ring.len();
    }
    let edges = &delaunay.edges;
    let mut is_wall = vec![false; edges.len()];
    for &wall in &walls {
        is_wall[wall as usize] = true;
        is_wall[(wall ^ 1) as usize] = true;
        waiting.push(wall);
    }
    let mut seen = vec![false; edges.len()];
    let mut triangles = Vec::new();
    while let Some(h) = waiting.pop() {
        if seen[h as usize] {
            continue;
        }
        let sides = [h, edges.next(h), edges.prev(h)];
        let corners = sides.map(|side| edges.origin(side));
        if corners.contains(&delaunay.ghost()) || edges.next(h) == NONE {
            return Err(edge_error(corners[0] as usize)); // the rings do not run the right way round
        }
        triangles.push(corners);
        for side in sides {
            seen[side as usize] = true;
            if !is_wall[side as usize] {
                waiting.push(side ^ 1);
            }
        }
    }
    // The order of the flood is of no interest to anybody.
    for triangle in &mut triangles {
        let least = (0..3).min_by_key(|&k| triangle[k]).unwrap_or(0);
        triangle.rotate_left(least);
    }
    triangles.sort_unstable();
    Ok(triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    proptest! {
        #[test]
        fn triangles_fill_the_ring_and_use_every_point(
            points in prop::collection::vec((0.1..3.9f64, 0.1..3.9f64), 0..40),
        ) {
            let rings = [
                vec![dvec2(0., 0.), dvec2(4., 0.), dvec2(4., 4.), dvec2(0., 4.)],
                vec![dvec2(1., 1.), dvec2(1., 2.), dvec2(2., 2.), dvec2(2., 1.)],
            ];
            let inside = |p: &DVec2| !((1.0..=2.0).contains(&p.x) && (1.0..=2.0).contains(&p.y));
            let points: Vec<DVec2> = points.into_iter().map(|(x, y)| dvec2(x, y)).filter(inside).collect();
            let triangles = fill(&rings, &points).unwrap();
            let all: Vec<DVec2> = rings.iter().flatten().chain(&points).copied().collect();
            let mut area = 0.0;
            let mut is_used = vec![false; all.len()];
            for triangle in &triangles {
                let [a, b, c] = triangle.map(|k| all[k as usize]);
                prop_assert!((b - a).perp_dot(c - a) > 0.0);
                area += (b - a).perp_dot(c - a) / 2.0;
                triangle.iter().for_each(|&k| is_used[k as usize] = true);
            }
            prop_assert!((area - 15.0).abs() < 1e-9);
            prop_assert!(is_used.iter().all(|&is_used| is_used));
        }
    }

    #[test]
    fn rings_the_wrong_way_round_are_refused() {
        assert!(fill(&[vec![dvec2(0., 0.), dvec2(0., 1.), dvec2(1., 0.)]], &[]).is_err());
    }
}
