//! How much ground only one of two meshes has, by samples.

use wayfare_core::dvec2;
use wayfare_navmesh::NavMesh;

/// Samples per scene, about.
const SAMPLES: f64 = 400_000.0;
/// Ground at heights that differ by less is the same ground [m].
pub const SAME: f64 = 0.3;

/// How much ground only one of two meshes has, by samples [m²].
pub fn difference(one: &NavMesh, two: &NavMesh) -> f64 {
    let spacing = (one.facts().area / SAMPLES).sqrt().max(0.005);
    let [one, two] = [one, two].map(|mesh| samples(mesh, spacing));
    let (mut i, mut k, mut unmatched) = (0, 0, 0u64);
    while i < one.len() || k < two.len() {
        match (one.get(i), two.get(k)) {
            (Some(a), Some(b)) if a.0 == b.0 && (a.1 - b.1).abs() <= SAME => (i, k) = (i + 1, k + 1),
            (Some(a), Some(b)) if (a.0, a.1) < (b.0, b.1) => (i, unmatched) = (i + 1, unmatched + 1),
            (Some(_), None) => (i, unmatched) = (i + 1, unmatched + 1),
            _ => (k, unmatched) = (k + 1, unmatched + 1),
        }
    }
    unmatched as f64 * spacing * spacing
}

/// Points of a grid on the ground: column and row, height; sorted, each once.
fn samples(mesh: &NavMesh, spacing: f64) -> Vec<([i64; 2], f64)> {
    let mut samples: Vec<([i64; 2], f64)> = Vec::new();
    // Off the lines that scenes are drawn on.
    let at = |k: i64| (k as f64 + 0.387_121) * spacing;
    for cell in mesh.cells() {
        let points: Vec<_> = mesh.cell_points(cell).collect();
        let (min, max) =
            points.iter().fold((points[0], points[0]), |(min, max), p| (min.min(*p), max.max(*p)));
        let range = |low: f64, high: f64| (low / spacing).floor() as i64 - 1..=(high / spacing).ceil() as i64;
        for i in range(min.x, max.x) {
            for k in range(min.y, max.y) {
                let p = dvec2(at(i), at(k));
                if mesh.contains(cell, p) {
                    samples.push(([i, k], mesh.height(cell, p)));
                }
            }
        }
    }
    samples.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    samples.dedup_by(|a, b| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6);
    samples
}
