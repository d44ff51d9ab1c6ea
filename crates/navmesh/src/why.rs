//! What would help where there is no path: where two pieces of ground are nearest.

use crate::mesh::{ComponentId, NavMesh};
use wayfare_core::DVec3;
use wayfare_geom::bvh::{Aabb3, Bvh};

/// Two places of different pieces of ground that are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The places, on the boundary of either piece.
    pub places: [DVec3; 2],
    /// Their distance in plan [m].
    pub horizontal: f64,
    /// How much higher the second is [m].
    pub vertical: f64,
}

impl NavMesh {
    /// Where the boundaries of two components are nearest to each other; nothing if one of them has none.
    pub fn closest_places(&self, from: ComponentId, to: ComponentId) -> Option<Closest> {
        let edges = |component: ComponentId| -> Vec<[DVec3; 2]> {
            let cells = self.cells().filter(|&cell| self.component(cell) == component);
            let walls = cells.flat_map(|cell| self.corners(cell)).filter(|&edge| self.twin(edge).is_none());
            walls.map(|edge| self.edge(edge).map(|vertex| self.position(vertex))).collect()
        };
        let (from, to) = (edges(from), edges(to));
        let boxes: Vec<Aabb3> = to.iter().map(|edge| Aabb3::of_points(*edge)).collect();
        let tree = Bvh::build(&boxes);
        let first = between(*from.first()?, *to.first()?);
        let mut best = (first[0].distance(first[1]), first);
        for &edge in &from {
            let near = Aabb3::of_points(edge);
            let mut around = Aabb3 { min: near.min - best.0, max: near.max + best.0 };
            tree.visit(&around.clone(), |other| {
                if boxes[other as usize].meets(&around) {
                    let pair = between(edge, to[other as usize]);
                    let distance = pair[0].distance(pair[1]);
                    if distance < best.0 {
                        best = (distance, pair);
                        around = Aabb3 { min: near.min - distance, max: near.max + distance };
                    }
                }
                false
            });
        }
        let places @ [a, b] = best.1;
        let horizontal = a.truncate().distance(b.truncate());
        Some(Closest { places, horizontal, vertical: b.z - a.z })
    }
}

/// The nearest points of two segments (Ericson 2005, "Real-time collision detection", 5.1.9).
pub(crate) fn between([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> [DVec3; 2] {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, vv, uv, uw, vw) = (u.length_squared(), v.length_squared(), u.dot(v), u.dot(w), v.dot(w));
    let share = |x: f64| if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 };
    let apart = uu * vv - uv * uv;
    let s = if apart > 0.0 { share((uv * vw - uw * vv) / apart) } else { 0.0 };
    let t = share((uv * s + vw) / vv);
    let s = share((uv * t - uw) / uu);
    [a + u * s, c + v * t]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{mesh, squares};
    use proptest::prelude::*;
    use wayfare_core::dvec3;

    proptest! {
        #[test]
        fn no_other_points_of_two_segments_are_nearer(n in prop::array::uniform12(-3i8..4)) {
            let p = |k: usize| dvec3(n[k].into(), n[k + 1].into(), n[k + 2].into());
            let (one, two) = ([p(0), p(3)], [p(6), p(9)]);
            let [a, b] = between(one, two);
            let least = a.distance(b);
            for s in 0..=20 {
                for t in 0..=20 {
                    let q = one[0].lerp(one[1], f64::from(s) / 20.0);
                    let r = two[0].lerp(two[1], f64::from(t) / 20.0);
                    prop_assert!(q.distance(r) >= least - 1e-9);
                }
            }
        }
    }

    #[test]
    fn components_are_nearest_across_the_gap() {
        let mesh = mesh(squares(4, |x, y| y == 0 && (x == 0 || x == 3)));
        let closest = mesh.closest_places(ComponentId(0), ComponentId(1)).unwrap();
        assert_eq!((closest.horizontal, closest.vertical), (2.0, 0.0));
    }
}
