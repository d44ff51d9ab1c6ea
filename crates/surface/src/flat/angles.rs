//! The angles of a flat chart that differ least from those on the surface; a start without flipped faces for what cannot be unfolded.
//!
//! Idea: angles alone fix a flat chart up to its size. They are flat if each face's sum to π, those round an inner vertex to 2π, and
//!   the lengths that they imply come out the same after a turn round it. Among those, the nearest to the surface's own are found, in the
//!   sum of squares relative to each angle; then the faces are laid beside each other.
//! Source: Sheffer and de Sturler 2001 (ABF); Sheffer, Lévy, Mogilnitsky and Bogomyakov 2005, "ABF++": faces are taken out of the
//!   system, which leaves two unknowns per inner vertex. We differ: the condition on lengths is taken as a logarithm (as Zayer, Lévy and
//!   Seidel 2007 do), which is nearer to linear; the system is solved by conjugate gradients and never stored.
//! Steps: 1. goals: the surface's angles, scaled to 2π round inner vertices  2. rounds: constraints made linear, solved  3. layout
//! Cost: per round O(n^1.5); four rounds are usual.

use super::{
    ChartMesh, is_upright,
    start::{lay_out, neighbours},
};
use crate::SurfaceMesh;
use std::f64::consts::{PI, TAU};
use wayfare_core::{DVec2, dvec2, ops};

/// No angle is smaller [rad], so that none has all the weight: it is a start only.
const LEAST: f64 = 0.01;
/// Constraints are met when none is missed by more [rad].
const MET: f64 = 1e-11;
const ROUNDS: usize = 20;

/// The chart laid flat by its angles, with the area that it has on the surface; `None` if a face is flipped.
pub fn by_angles(surface: &SurfaceMesh, chart: &ChartMesh) -> Option<Vec<DVec2>> {
    let across = neighbours(chart);
    let mut is_inner = vec![true; chart.vertices.len()];
    chart.border.iter().for_each(|&(v, _)| is_inner[v as usize] = false);
    let angles = Flattening::new(surface, chart, is_inner).solve()?;
    // 3.
    let mut positions = lay_out(surface, chart, &across, |face, side, p, q| {
        let [at_p, at_q, at_apex] = [0, 1, 2].map(|k| angles[face][(side + k) % 3]);
        let direction = dvec2(ops::cos(at_p), ops::sin(at_p));
        p + direction.rotate(q - p) * (ops::sin(at_q) / ops::sin(at_apex))
    });
    let flat = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        (b - a).perp_dot(c - a)
    };
    let area: f64 = chart.triangles.iter().map(flat).sum();
    let wanted: f64 = (0..chart.faces.len()).map(|face| chart.double_area(surface, face)).sum();
    let scale = (wanted / area).sqrt();
    positions.iter_mut().for_each(|p| *p *= scale);
    let is_upright = |triangle: &[u32; 3]| is_upright(triangle.map(|v| positions[v as usize]));
    (scale.is_finite() && chart.triangles.iter().all(is_upright)).then_some(positions)
}

/// Two unknowns or two values per vertex: of the sum of angles, and of the lengths.
type Pair = [f64; 2];

struct Flattening<'a> {
    triangles: &'a [[u32; 3]],
    is_inner: Vec<bool>,
    /// Per face.
    goals: Vec<[f64; 3]>,
}

impl<'a> Flattening<'a> {
    /// Step 1.
    fn new(surface: &SurfaceMesh, chart: &'a ChartMesh, is_inner: Vec<bool>) -> Self {
        let mut goals: Vec<[f64; 3]> = Vec::with_capacity(chart.triangles.len());
        let mut sums = vec![0.0; chart.vertices.len()];
        for (face, triangle) in chart.triangles.iter().enumerate() {
            let (sides, area) = (chart.lengths(surface, face), chart.double_area(surface, face));
            let angle = |k: usize| {
                let [a, b, opposite] = [sides[k], sides[(k + 2) % 3], sides[(k + 1) % 3]];
                ops::atan2(area, 0.5 * (a * a + b * b - opposite * opposite))
            };
            let angles = [0, 1, 2].map(|k| angle(k).clamp(LEAST, PI - LEAST));
            triangle.iter().zip(angles).for_each(|(&v, angle)| sums[v as usize] += angle);
            goals.push(angles);
        }
        for (triangle, goals) in chart.triangles.iter().zip(&mut goals) {
            for (&v, goal) in triangle.iter().zip(goals).filter(|(v, _)| is_inner[**v as usize]) {
                *goal *= TAU / sums[v as usize];
            }
        }
        Self { triangles: &chart.triangles, is_inner, goals }
    }

    /// Step 2: angles that meet all constraints; `None` if rounds do not lead there.
    fn solve(&self) -> Option<Vec<[f64; 3]>> {
        let mut angles = self.goals.clone();
        let mut multipliers = vec![[0.0; 2]; self.is_inner.len()];
        for _ in 0..ROUNDS {
            let missed = self.missed(&angles);
            let sums = angles.iter().map(|[a, b, c]| (a + b + c - PI).abs());
            if missed.iter().flatten().map(|m| m.abs()).chain(sums).fold(0.0, f64::max) <= MET {
                return Some(angles);
            }
            let slopes: Vec<[f64; 3]> =
                angles.iter().map(|all| all.map(|a| ops::cos(a) / ops::sin(a))).collect();
            // The step towards the goals that keeps faces flat, and what it leaves of the constraints of vertices.
            let towards: Vec<[f64; 3]> =
                angles.iter().zip(&self.goals).map(|(a, g)| first_step(a, g)).collect();
            let mut right = missed;
            self.gather(&slopes, &towards, &mut right);
            self.conjugate_gradients(&slopes, &right, &mut multipliers);
            let mut longest = 1.0f64;
            let mut steps = towards;
            for (t, step) in steps.iter_mut().enumerate() {
                let back = project(&self.goals[t], self.scatter(&slopes[t], t, &multipliers));
                for k in 0..3 {
                    step[k] -= back[k];
                    let room = if step[k] < 0.0 { angles[t][k] } else { PI - angles[t][k] };
                    longest = longest.min(0.8 * room / step[k].abs().max(f64::MIN_POSITIVE));
                }
            }
            if longest.is_nan() || longest <= 1e-6 {
                return None;
            }
            for (angles, step) in angles.iter_mut().zip(&steps) {
                (0..3).for_each(|k| angles[k] += longest * step[k]);
            }
        }
        None
    }

    /// By how much the constraints of inner vertices are missed.
    fn missed(&self, angles: &[[f64; 3]]) -> Vec<Pair> {
        let mut missed: Vec<Pair> =
            self.is_inner.iter().map(|inner| if *inner { [-TAU, 0.0] } else { [0.0; 2] }).collect();
        for (triangle, angles) in self.triangles.iter().zip(angles) {
            let lengths = angles.map(|angle| ops::ln(ops::sin(angle)));
            for k in 0..3 {
                let v = triangle[k] as usize;
                if self.is_inner[v] {
                    missed[v][0] += angles[k];
                    missed[v][1] += lengths[(k + 1) % 3] - lengths[(k + 2) % 3];
                }
            }
        }
        missed
    }

    /// What the multipliers of vertices do to the angles of a face: the transposed matrix of the constraints.
    fn scatter(&self, slopes: &[f64; 3], face: usize, multipliers: &[Pair]) -> [f64; 3] {
        let of = self.triangles[face].map(|v| multipliers[v as usize]);
        [0, 1, 2].map(|k| of[k][0] + slopes[k] * (of[(k + 2) % 3][1] - of[(k + 1) % 3][1]))
    }

    /// Adds what changes of angles do to the constraints: the matrix itself.
    fn gather(&self, slopes: &[[f64; 3]], changes: &[[f64; 3]], out: &mut [Pair]) {
        for ((triangle, slopes), changes) in self.triangles.iter().zip(slopes).zip(changes) {
            for k in 0..3 {
                let [v, before, after] = [0, 2, 1].map(|by| triangle[(k + by) % 3] as usize);
                out[v][0] += changes[k];
                out[before][1] += slopes[k] * changes[k];
                out[after][1] -= slopes[k] * changes[k];
            }
        }
        out.iter_mut().zip(&self.is_inner).filter(|(_, inner)| !**inner).for_each(|(out, _)| *out = [0.0; 2]);
    }

    /// Solves for the multipliers, from what they are.
    fn conjugate_gradients(&self, slopes: &[[f64; 3]], right: &[Pair], x: &mut [Pair]) {
        let times = |x: &[Pair]| -> Vec<Pair> {
            let changes: Vec<[f64; 3]> = (0..self.triangles.len())
                .map(|t| project(&self.goals[t], self.scatter(&slopes[t], t, x)))
                .collect();
            let mut out = vec![[0.0; 2]; x.len()];
            self.gather(slopes, &changes, &mut out);
            out
        };
        let mut diagonal = vec![[f64::MIN_POSITIVE; 2]; x.len()];
        for (t, triangle) in self.triangles.iter().enumerate() {
            for k in 0..3 {
                let mut one = [0.0; 3];
                one[k] = 1.0;
                diagonal[triangle[k] as usize][0] += project(&self.goals[t], one)[k];
                let mut two = [0.0; 3];
                (two[(k + 1) % 3], two[(k + 2) % 3]) = (slopes[t][(k + 1) % 3], -slopes[t][(k + 2) % 3]);
                let moved = project(&self.goals[t], two);
                diagonal[triangle[k] as usize][1] += (0..3).map(|k| two[k] * moved[k]).sum::<f64>();
            }
        }
        let condition = |r: &[Pair]| -> Vec<Pair> {
            r.iter().zip(&diagonal).map(|(r, d)| [r[0] / d[0], r[1] / d[1]]).collect()
        };
        let dot =
            |a: &[Pair], b: &[Pair]| a.iter().zip(b).map(|(a, b)| a[0] * b[0] + a[1] * b[1]).sum::<f64>();
        let mut residual = times(x);
        residual.iter_mut().zip(right).for_each(|(r, b)| *r = [b[0] - r[0], b[1] - r[1]]);
        let mut z = condition(&residual);
        let mut direction = z.clone();
        let mut size = dot(&residual, &z);
        let enough = 1e-20 * dot(right, &condition(right));
        for _ in 0..20 * x.len() + 100 {
            // Written so that NaN ends it, too.
            if !(size > enough && size > 0.0) {
                break;
            }
            let product = times(&direction);
            let curvature = dot(&direction, &product);
            if !(curvature > 0.0 && curvature.is_finite()) {
                break;
            }
            let step = size / curvature;
            for k in 0..x.len() {
                for part in 0..2 {
                    x[k][part] += step * direction[k][part];
                    residual[k][part] -= step * product[k][part];
                }
            }
            z = condition(&residual);
            let next = dot(&residual, &z);
            let ratio = next / size;
            size = next;
            for (d, z) in direction.iter_mut().zip(&z) {
                *d = [z[0] + ratio * d[0], z[1] + ratio * d[1]];
            }
        }
    }
}

/// The step of a face's angles that leads to a sum of π and is nearest to the one that leads to their goals.
fn first_step(angles: &[f64; 3], goals: &[f64; 3]) -> [f64; 3] {
    let weights = goals.map(|goal| goal * goal);
    let excess = goals.iter().sum::<f64>() - PI;
    [0, 1, 2].map(|k| goals[k] - angles[k] - weights[k] * excess / weights.iter().sum::<f64>())
}

/// What a force does to the angles of a face, whose sum stays.
fn project(goals: &[f64; 3], force: [f64; 3]) -> [f64; 3] {
    let weights = goals.map(|goal| goal * goal);
    let moved = [0, 1, 2].map(|k| weights[k] * force[k]);
    let mean = moved.iter().sum::<f64>() / weights.iter().sum::<f64>();
    [0, 1, 2].map(|k| moved[k] - weights[k] * mean)
}
