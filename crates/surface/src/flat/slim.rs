//! Rounds towards an isometric map that never flip a face.
//!
//! Idea: the energy Σ area (σ₁² + σ₁⁻² + σ₂² + σ₂⁻²) of the singular values of each face's map is least where the map is isometric, and
//!   infinite where a face is flat. Each round replaces it by a quadratic function with the same slope, goes towards that one's
//!   least value, and no farther than to where a face would flip or the energy would grow.
//! Source: Rabinovich et al. 2017, "Scalable locally injective mappings" (SLIM); the longest step: Smith and Schaefer 2015,
//!   "Bijective parameterization with free boundaries". We differ: the system is solved by conjugate gradients from where the
//!   chart is, which need not be exact to lead downwards.
//! Invariant: no face is flipped before, so none is after, any round.
//! Cost: per round O(n^1.5).

use super::{ChartMesh, sparse::Block, sparse::Blocks};
use crate::SurfaceMesh;
use wayfare_core::{DVec2, dvec2};

/// A face of the chart, flat on its own: gradients of the weights of its corners, and its area.
#[derive(Clone, Copy)]
pub struct Rest {
    pub gradients: [DVec2; 3],
    pub area: f64,
}

/// The faces of a chart as the surface has them.
pub fn rest(surface: &SurfaceMesh, chart: &ChartMesh) -> Vec<Rest> {
    let face = |face: usize| {
        let [base, to_end, to_origin] = chart.lengths(surface, face);
        let double = chart.double_area(surface, face);
        let x = (base * base + (to_origin - to_end) * (to_origin + to_end)) / (2.0 * base);
        let corners = [DVec2::ZERO, dvec2(base, 0.0), dvec2(x, double / base)];
        // The weight of a corner grows across the opposite side.
        let gradient = |k: usize| (corners[(k + 2) % 3] - corners[(k + 1) % 3]).perp() / double;
        Rest { gradients: [0, 1, 2].map(gradient), area: 0.5 * double }
    };
    (0..chart.faces.len()).map(face).collect()
}

/// The map of a face: [[xx, xy], [yx, yy]] from its own plane to that of the chart.
pub fn jacobian(rest: &Rest, corners: [DVec2; 3]) -> [f64; 4] {
    let mut j = [0.0; 4];
    for (p, g) in corners.iter().zip(rest.gradients) {
        j[0] += p.x * g.x;
        j[1] += p.x * g.y;
        j[2] += p.y * g.x;
        j[3] += p.y * g.y;
    }
    j
}

/// Larger and smaller singular value; the smaller is negative if the face is flipped.
pub fn singular([a, b, c, d]: [f64; 4]) -> (f64, f64) {
    let (e, f, g, h) = (0.5 * (a + d), 0.5 * (a - d), 0.5 * (c + b), 0.5 * (c - b));
    let (q, r) = ((e * e + h * h).sqrt(), (f * f + g * g).sqrt());
    (q + r, q - r)
}

fn energy(rest: &[Rest], triangles: &[[u32; 3]], positions: &[DVec2]) -> f64 {
    let mut sum = 0.0;
    for (rest, triangle) in rest.iter().zip(triangles) {
        let [a, b, c, d] = jacobian(rest, triangle.map(|v| positions[v as usize]));
        let det = a * d - b * c;
        if det.is_nan() || det <= 0.0 {
            return f64::INFINITY;
        }
        let square = a * a + b * b + c * c + d * d;
        sum += rest.area * square * (1.0 + 1.0 / (det * det));
    }
    sum
}

/// When rounds end.
pub struct Goal {
    /// After so many.
    pub rounds: usize,
    /// After one that gains less than this part of what is above the least energy.
    pub enough: f64,
    /// When the mean L∞ stretch is under this, or, after the first rounds, far above it.
    pub limit: Option<f64>,
    /// How far each round's system is solved: the residual, relative to the first.
    pub tolerance: f64,
}

/// Above the limit by this many times what the limit is above 1, after two rounds, is far.
const FAR: f64 = 2.0;

/// Improves positions without flipped faces.
pub fn improve(surface: &SurfaceMesh, chart: &ChartMesh, positions: &mut Vec<DVec2>, goal: &Goal) {
    let rest = rest(surface, chart);
    let triangles = &chart.triangles;
    let mut blocks: Option<Blocks> = None;
    let area: f64 = rest.iter().map(|rest| rest.area).sum();
    let mut now = energy(&rest, triangles, positions);
    for round in 0..goal.rounds {
        let above = now - 4.0 * area;
        // Isometric to rounding.
        if !(above > 1e-13 * area && now.is_finite()) {
            return;
        }
        if let Some(limit) = goal.limit {
            let mean = mean_linf(&rest, triangles, positions);
            if mean <= limit || (round >= 2 && mean - 1.0 > FAR * (limit - 1.0)) {
                return;
            }
        }
        let blocks = blocks.get_or_insert_with(|| Blocks::new(positions.len(), triangles));
        blocks.clear();
        let mut right = vec![DVec2::ZERO; positions.len()];
        for (t, (rest, triangle)) in rest.iter().zip(triangles).enumerate() {
            let j = jacobian(rest, triangle.map(|v| positions[v as usize]));
            let (m, target) = weigh(j);
            for (row, &v) in triangle.iter().enumerate() {
                let g = rest.gradients[row] * rest.area;
                // area · M · R · g
                let r = dvec2(target[0] * g.x + target[1] * g.y, target[2] * g.x + target[3] * g.y);
                right[v as usize] += dvec2(m.xx * r.x + m.xy * r.y, m.xy * r.x + m.yy * r.y);
                for column in 0..3 {
                    let w = g.dot(rest.gradients[column]);
                    blocks.add(t, row, column, Block { xx: w * m.xx, xy: w * m.xy, yy: w * m.yy });
                }
            }
        }
        let mut wanted = positions.clone();
        blocks.solve(&right, &mut wanted, &[], goal.tolerance, 200);
        let direction: Vec<DVec2> = wanted.iter().zip(positions.iter()).map(|(w, p)| *w - *p).collect();
        let mut step = (0.9 * longest_step(triangles, positions, &direction)).min(1.0);
        let mut found = None;
        for _ in 0..12 {
            let moved: Vec<DVec2> = positions.iter().zip(&direction).map(|(p, d)| *p + step * *d).collect();
            let then = energy(&rest, triangles, &moved);
            if then < now {
                found = Some((moved, then));
                break;
            }
            step *= 0.5;
        }
        let Some((moved, then)) = found else { return };
        let gain = now - then;
        (*positions, now) = (moved, then);
        if gain < goal.enough * above {
            return;
        }
    }
}

/// Mean of L∞ when the chart is scaled to its own area.
fn mean_linf(rest: &[Rest], triangles: &[[u32; 3]], positions: &[DVec2]) -> f64 {
    let (mut sum, mut area, mut flat) = (0.0, 0.0, 0.0);
    for (rest, triangle) in rest.iter().zip(triangles) {
        let (large, small) = singular(jacobian(rest, triangle.map(|v| positions[v as usize])));
        sum += rest.area / small;
        area += rest.area;
        flat += rest.area * large * small;
    }
    sum / area * (flat / area).sqrt()
}

/// The matrix M = W² that makes the quadratic function ‖W (J − R)‖² have the slope of the energy, and the rotation R.
fn weigh(j: [f64; 4]) -> (Block, [f64; 4]) {
    let [a, b, c, d] = j;
    let (large, small) = singular(j);
    // The rotation nearest to J.
    let (x, y) = (a + d, c - b);
    let size = (x * x + y * y).sqrt();
    let (cos, sin) = if size > 0.0 { (x / size, y / size) } else { (1.0, 0.0) };
    let weight = |s: f64| {
        // (s − s⁻³) / (s − 1), without the cancellation.
        let s = s.max(1e-8);
        (s * s * s + s * s + s + 1.0) / (s * s * s)
    };
    let (w1, w2) = (weight(large), weight(small));
    // J Jᵀ has the axes of the image: its first one, by the double angle.
    let (u, v) = (a * a + b * b - c * c - d * d, 2.0 * (a * c + b * d));
    let size = (u * u + v * v).sqrt();
    let (cos2, sin2) = if size > 0.0 { (u / size, v / size) } else { (1.0, 0.0) };
    let (mean, half) = (0.5 * (w1 + w2), 0.5 * (w1 - w2));
    let m = Block { xx: mean + half * cos2, xy: half * sin2, yy: mean - half * cos2 };
    (m, [cos, -sin, sin, cos])
}

/// How far all may go before the first face is flat.
fn longest_step(triangles: &[[u32; 3]], positions: &[DVec2], direction: &[DVec2]) -> f64 {
    let mut least = f64::INFINITY;
    for triangle in triangles {
        let [p, q, r] = triangle.map(|v| positions[v as usize]);
        let [dp, dq, dr] = triangle.map(|v| direction[v as usize]);
        let (e, f, de, df) = (q - p, r - p, dq - dp, dr - dp);
        // Twice the area after a step t: c + b t + a t².
        let (a, b, c) = (de.perp_dot(df), e.perp_dot(df) + de.perp_dot(f), e.perp_dot(f));
        let root = b * b - 4.0 * a * c;
        if root < 0.0 {
            continue;
        }
        let half = -0.5 * (b + if b >= 0.0 { root.sqrt() } else { -root.sqrt() });
        for t in [half / a, c / half] {
            if t > 0.0 && t < least {
                least = t;
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singular_values_are_those_of_a_rotation_and_a_stretch() {
        let (cos, sin) = (0.6, 0.8);
        let (large, small) = singular([3.0 * cos, -sin, 3.0 * sin, cos]);
        assert!((large - 3.0).abs() < 1e-14 && (small - 1.0).abs() < 1e-14);
        assert!(singular([1.0, 0.0, 0.0, -2.0]).1 < 0.0);
    }

    #[test]
    fn the_quadratic_function_has_the_slope_of_the_energy() {
        let e = |[a, b, c, d]: [f64; 4]| {
            let det = a * d - b * c;
            (a * a + b * b + c * c + d * d) * (1.0 + 1.0 / (det * det))
        };
        let j = [1.2, 0.3, -0.2, 0.7];
        let (m, r) = weigh(j);
        for k in 0..4 {
            let mut up = j;
            up[k] += 1e-6;
            let slope = (e(up) - e(j)) / 1e-6;
            let d: [f64; 4] = std::array::from_fn(|k| j[k] - r[k]);
            // 2 M (J − R), half of which is left out on both sides of the system.
            let own = [
                m.xx * d[0] + m.xy * d[2],
                m.xx * d[1] + m.xy * d[3],
                m.xy * d[0] + m.yy * d[2],
                m.xy * d[1] + m.yy * d[3],
            ];
            assert!((slope - 2.0 * own[k]).abs() < 1e-4, "{k}: {slope} {}", own[k]);
        }
    }
}
