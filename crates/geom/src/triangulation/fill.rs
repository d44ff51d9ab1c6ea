//! Rings and points inside them to plain triangles.

use super::{NONE, TriangulationError, delaunay::Delaunay, half_edges::HalfEdges, order::insertion_order};
use crate::{Aabb2, predicates::orient};
use wayfare_core::{DVec2, Tolerance};

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
    let mut is_wall = vec![false; delaunay.edges.len()];
    for &wall in &walls {
        is_wall[wall as usize] = true;
        is_wall[(wall ^ 1) as usize] = true;
        waiting.push(wall);
    }
    let ghost = delaunay.ghost();
    flip_slivers(&mut delaunay.edges, &all, &is_wall, ghost);
    let edges = &delaunay.edges;
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

/// Points on a straight wall are rounded; those that lie outside by a hair are cut off by slivers, and what is on the
/// inner side would not touch them. Such slivers are flipped away.
fn flip_slivers(edges: &mut HalfEdges, points: &[DVec2], is_wall: &[bool], ghost: u32) {
    let hair = Tolerance::of_extent(Aabb2::of_points(points.iter().copied()).extent()).on_line;
    let at = |vertex: u32| points[vertex as usize];
    // Slivers may lie on slivers: those beside good triangles go first.
    for _ in 0..MOST_SLIVERS {
        let mut is_changed = false;
        for h in 0..edges.len() as u32 {
            let (from, to, apex, across) =
                (edges.origin(h), edges.target(h), edges.apex(h), edges.apex(h ^ 1));
            if is_wall[h as usize] || [from, to, apex, across].contains(&ghost) {
                continue;
            }
            let length = at(from).distance(at(to));
            let [height, depth] = [apex, across].map(|v| orient(at(from), at(to), at(v)).abs() / length);
            if height > hair || depth <= hair {
                continue;
            }
            let turns = [from, to].map(|end| orient(at(apex), at(across), at(end)));
            if turns[0] > 0.0 && turns[1] < 0.0 || turns[0] < 0.0 && turns[1] > 0.0 {
                edges.flip(h);
                is_changed = true;
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// Slivers on each other at most.
const MOST_SLIVERS: usize = 1000;

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
    fn points_on_a_wall_are_corners_of_what_lies_beside_it() {
        // Thirds of a slanted wall are rounded to either side of it.
        for (dx, dy) in [(1.1, 2.5), (0.7, 0.3), (3.1, 0.9), (2.3, 4.7)] {
            let (a, b) = (dvec2(5.0015625, -19.3015625), dvec2(5.0015625 + dx, -19.3015625 + dy));
            let on_wall = |k: u32| a + (b - a) * (f64::from(k) / 27.0);
            let mut ring: Vec<DVec2> = (0..=27).map(on_wall).collect();
            ring.push(a + (b - a).perp());
            for triangle in fill(std::slice::from_ref(&ring), &[]).unwrap() {
                let [p, q, r] = triangle.map(|k| ring[k as usize]);
                assert!((q - p).perp_dot(r - p) > 1e-6, "{triangle:?} is a sliver");
            }
        }
    }

    #[test]
    fn rings_the_wrong_way_round_are_refused() {
        assert!(fill(&[vec![dvec2(0., 0.), dvec2(0., 1.), dvec2(1., 0.)]], &[]).is_err());
    }
}
