//! A closed surface with bumps and a hole.

use wayfare_core::{
    dvec3,
    ops::{cos, sin},
};
use wayfare_geom::TriangleMesh;

/// Distance of the tube's middle from the axis, and radius of the tube [m].
const RADII: [f64; 2] = [3.0, 1.0];
/// Bumps round the axis and round the tube.
const BUMPS: [f64; 2] = [7.0, 3.0];
/// Their height [m].
const HEIGHT: f64 = 0.15;

/// A ring round the z axis, 8 m wide, with bumps: `around` quads round the axis and `across` round its tube, two triangles each. It is
/// closed, manifold and of genus 1: a surface to measure distances on.
///
/// ```
/// use wayfare_scene::generated::bumpy_ring;
/// assert_eq!(bumpy_ring(12, 6).triangles.len(), 144);
/// ```
///
/// # Panics
/// With fewer than three quads either way.
pub fn bumpy_ring(around: usize, across: usize) -> TriangleMesh {
    assert!(around >= 3 && across >= 3, "a ring has three quads round its axis and round its tube at least");
    let turn = |k: usize, count: usize| std::f64::consts::TAU * k as f64 / count as f64;
    let mut mesh = TriangleMesh::default();
    for i in 0..around {
        for k in 0..across {
            let (u, v) = (turn(i, around), turn(k, across));
            let tube = RADII[1] + HEIGHT * sin(BUMPS[0] * u) * sin(BUMPS[1] * v);
            let from_axis = RADII[0] + tube * cos(v);
            mesh.vertices.push(dvec3(from_axis * cos(u), from_axis * sin(u), tube * sin(v)));
            let at = |i: usize, k: usize| ((i % around) * across + k % across) as u32;
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_closed_and_seen_from_outside() {
        let mesh = bumpy_ring(24, 12);
        let volume: f64 = mesh.all_points().map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
        let smooth = 2.0 * std::f64::consts::PI.powi(2) * RADII[0] * RADII[1] * RADII[1];
        assert!((0.8..1.1).contains(&(volume / smooth)), "{volume}");
        let mut sides: Vec<(u32, u32)> =
            mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
        sides.sort_unstable();
        assert!(sides.iter().all(|&(a, b)| sides.binary_search(&(b, a)).is_ok()));
    }
}
